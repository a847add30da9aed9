/* SPDX-License-Identifier: MIT
 * A committee and the context of events: it reaches the members, and everything that carries an event carries
 * it. */
#include "unit/test_core_support.h"

#include "committee/change/kept_events.h"
#include "support/panel.h"

enum { IDS = 12, TRIALS = 150, FIELDS = 2 };

static void set(weft_player *player, int64_t t)
{
    uint64_t digests[FIELDS] = {t % 7 == 0 ? 0 : (uint64_t)(1 + t % 3), (uint64_t)(100 + t * t % 5)};
    assert_int_equal(weft_player_set_context(player, digests, FIELDS, NULL), WEFT_OK);
}

typedef struct trial {
    int64_t row, column;
    int label;
} trial;

/* The label depends on the row and the first field. */
static trial trial_of(const panel *p, int64_t t)
{
    int64_t i = t * 5 % IDS, j = (t * 7 + t / IDS) % (p->one_set ? IDS : weft_side_count(p->given[1]));
    return (trial){i, j, (i + t % 3) % 2 == 0 ? 1 : -1};
}

static void teach(weft_player *player, const panel *p, int64_t t)
{
    trial x = trial_of(p, t);
    set(player, t);
    assert_int_equal(weft_player_learn(player, x.row, x.column, x.label, NULL, NULL), WEFT_OK);
}

/* Kinds of players: a rival that looks at it, another one, committees. */
static weft_player *make(const panel *p, int kind)
{
    weft_player *player = NULL;
    const weft_side *rows = p->given[0], *columns = p->one_set ? NULL : p->given[1];
    const weft_rival_settings rival = {.kind = kind == 0 ? WEFT_RIVAL_HYBRID : WEFT_RIVAL_CROSSED,
                                       .window = 40};
    if (kind > 1)
        return panel_committee(p, &(weft_committee_settings){.restless = kind == 3}, NULL);
    assert_int_equal(weft_rival_create(rows, columns, &rival, NULL, &player, NULL), WEFT_OK);
    return player;
}

enum { KINDS = 4 };

static double score_of(weft_player *player, int64_t row, int64_t column)
{
    return panel_ask(player, row, column).score;
}

/* Fields of which nothing is known are none. */
static void nothing_known_is_no_context(void **state)
{
    const uint64_t nothing[FIELDS] = {0};
    for (int kind = 0; kind < KINDS; kind++) {
        panel p;
        panel_open_all(5, KNOWN_CLASSES, false, IDS, IDS, &p);
        weft_player *plain = make(&p, kind), *given = make(&p, kind);
        assert_int_equal(weft_player_set_context(given, nothing, FIELDS, NULL), WEFT_OK);
        for (int64_t t = 0; t < TRIALS; t++) {
            trial x = trial_of(&p, t);
            assert_int_equal(weft_player_learn(plain, x.row, x.column, x.label, NULL, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn(given, x.row, x.column, x.label, NULL, NULL), WEFT_OK);
        }
        panel_assert_same(plain, given);
        weft_player_free(plain);
        weft_player_free(given);
        panel_close(&p);
    }
}

/* The committee asks its members as they would be asked alone. */
static void members_are_asked_in_it(void **state)
{
    panel p;
    panel_open(6, KNOWN_CLASSES, false, IDS, IDS, &p);
    panel_add_rival(&p, WEFT_RIVAL_HYBRID, 0.3, p.given[0], p.given[1]);
    panel_add_rival(&p, WEFT_RIVAL_CROSSED, 0.3, p.given[0], p.given[1]);
    weft_player *committee = panel_committee(&p, &(weft_committee_settings){.threads = 2}, NULL);
    weft_player *alone[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++)
        assert_int_equal(
            weft_rival_create(p.given[0], p.given[1], &p.members[k].rival, NULL, &alone[k], NULL), WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++) {
        teach(committee, &p, t);
        teach(alone[0], &p, t);
        teach(alone[1], &p, t);
    }
    for (int k = 0; k < 2; k++)
        panel_assert_same(weft_player_member(committee, k), alone[k]);
    weft_player_free(committee);
    weft_player_free(alone[0]);
    weft_player_free(alone[1]);
    panel_close(&p);
}

/* A record has the context of its question, whatever is asked when the label comes. */
static void late_labels_have_their_context(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        panel p;
        size_t size = 0, plain = 0;
        panel_open_all(7, KNOWN_LINEAR, false, IDS, IDS, &p);
        weft_player *straight = make(&p, kind), *late = make(&p, kind);
        assert_int_equal(weft_player_record(late, 0, 0, 0, NULL, &plain, NULL), WEFT_OK);
        for (int64_t t = 0; t < TRIALS; t++) {
            trial x = trial_of(&p, t);
            unsigned char record[4096];
            teach(straight, &p, t);
            set(late, t);
            size = sizeof record;
            assert_int_equal(weft_player_record(late, x.row, x.column, t, record, &size, NULL), WEFT_OK);
            assert_int_equal(size, plain + 8 * (1 + FIELDS));
            set(late, t + 1);
            score_of(late, x.column % IDS, 0);
            assert_int_equal(weft_player_learn_late(late, record, size, x.label, NULL, NULL), WEFT_OK);
            record[8] = 2;
            assert_true(weft_player_learn_late(late, record, size, x.label, NULL, NULL) != WEFT_OK);
            /* The next question is still of the context that was set. */
            double next = score_of(late, 1, 1);
            set(late, t + 1);
            assert_true(score_of(late, 1, 1) == next);
        }
        panel_assert_same(straight, late);
        weft_player_free(straight);
        weft_player_free(late);
        panel_close(&p);
    }
}

/* What is drawn beside an event has its context, now and by a record. */
static void drawn_others_have_it_too(void **state)
{
    const weft_negatives how = {.count = 3, .seed = 4, .ids = IDS};
    for (int kind = 0; kind < KINDS; kind++) {
        panel p;
        panel_open_all(8, KNOWN_NONE, false, IDS, IDS, &p);
        weft_player *now = make(&p, kind), *late = make(&p, kind), *other = make(&p, kind);
        for (int64_t t = 0; t < 40; t++) {
            trial x = trial_of(&p, t);
            const int64_t pair[2] = {x.row, x.column};
            unsigned char record[4096];
            size_t size = sizeof record;
            set(now, t);
            assert_int_equal(weft_player_learn_event(now, &how, pair, NULL, NULL, NULL), WEFT_OK);
            set(late, t);
            assert_int_equal(
                weft_player_record(late, x.row, x.column, weft_player_counters(late).t, record, &size, NULL),
                WEFT_OK);
            set(late, t + 1);
            assert_int_equal(weft_player_learn_event_late(late, &how, record, size, NULL, NULL, NULL),
                             WEFT_OK);
            assert_int_equal(weft_player_learn_event(other, &how, pair, NULL, NULL, NULL), WEFT_OK);
        }
        panel_assert_same(now, late);
        panel_state a = panel_write(now), b = panel_write(other);
        assert_true(a.size != b.size || memcmp(a.bytes, b.bytes, a.size) != 0);
        free(a.bytes);
        free(b.bytes);
        weft_player_free(now);
        weft_player_free(late);
        weft_player_free(other);
        panel_close(&p);
    }
}

/* A ranking, and many questions at once, are what single questions in the same context are. */
static void rankings_are_of_the_context(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++) {
            panel p;
            int64_t pairs[2 * IDS];
            weft_ranked ranked[IDS];
            weft_answer answers[IDS];
            panel_open_all(9, KNOWN_CLASSES, one_set, IDS, IDS, &p);
            weft_player *player = make(&p, kind);
            for (int64_t t = 0; t < TRIALS; t++)
                teach(player, &p, t);
            int64_t count = weft_side_count(p.given[one_set ? 0 : 1]), found = 0;
            for (int64_t k = 0; k < count; k++) {
                pairs[2 * k] = 2;
                pairs[2 * k + 1] = k;
            }
            for (int64_t t = 0; t < 6; t++) {
                set(player, t);
                const weft_query query = {.id = 2, .most = count};
                assert_int_equal(weft_player_rank(player, &query, ranked, &found, NULL), WEFT_OK);
                assert_int_equal(
                    weft_player_predict_many(player, count, pairs, 0, 1 + (int)(t % 3), answers, NULL),
                    WEFT_OK);
                for (int64_t k = 0; k < found; k++) {
                    double score = score_of(player, 2, ranked[k].id);
                    assert_true(ranked[k].answer.score == score);
                    assert_true(answers[ranked[k].id].score == score);
                }
            }
            weft_player_free(player);
            panel_close(&p);
        }
}

/* A reader learns every label in its context, and is asked in one of its own. */
static void readers_follow(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        panel p;
        panel_open_all(10, KNOWN_CLASSES, false, IDS, IDS, &p);
        weft_player *player = make(&p, kind);
        weft_reader *reader = NULL;
        weft_answer answer;
        uint64_t digests[FIELDS] = {2, 101};
        for (int64_t t = 0; t < TRIALS / 2; t++)
            teach(player, &p, t);
        assert_int_equal(weft_reader_create(player, &reader, NULL), WEFT_OK);
        assert_int_equal(weft_reader_set_context(reader, digests, 9, NULL), WEFT_ARGUMENT);
        assert_int_equal(weft_reader_set_context(NULL, digests, 1, NULL), WEFT_ARGUMENT);
        assert_int_equal(weft_reader_set_context(reader, digests, FIELDS, NULL), WEFT_OK);
        for (int64_t t = TRIALS / 2, event = 0; t < TRIALS; t++) {
            trial x = trial_of(&p, t);
            unsigned char record[4096];
            size_t size = sizeof record;
            set(player, t);
            if (t % 3 == 0) {
                assert_int_equal(weft_player_record(player, x.row, x.column, t, record, &size, NULL),
                                 WEFT_OK);
                assert_int_equal(weft_player_learn_late(player, record, size, x.label, NULL, NULL), WEFT_OK);
            } else if (t % 3 == 1) {
                assert_int_equal(weft_player_learn_anew(player, x.row, x.column, x.label, NULL, NULL),
                                 WEFT_OK);
            } else {
                teach(player, &p, t);
            }
            assert_int_equal(weft_reader_predict(reader, 3, 4, 0, &answer, &event, NULL), WEFT_OK);
        }
        int64_t event = 0;
        while (event < TRIALS)
            assert_int_equal(weft_reader_predict(reader, 3, 4, 0, &answer, &event, NULL), WEFT_OK);
        assert_int_equal(weft_player_set_context(player, digests, FIELDS, NULL), WEFT_OK);
        assert_true(answer.score == score_of(player, 3, 4));
        weft_reader_free(reader);
        weft_player_free(player);
        panel_close(&p);
    }
}

/* Rivals that start anew hear the last events in the contexts that these had. */
static void what_is_forgotten_is_learnt_again_in_it(void **state)
{
    enum { GONE = 3 };
    panel p;
    panel_open(11, KNOWN_CLASSES, false, IDS, IDS, &p);
    panel_add_rival(&p, WEFT_RIVAL_HYBRID, 0.3, p.given[0], p.given[1]);
    panel_add_rival(&p, WEFT_RIVAL_CROSSED, 0.3, p.given[0], p.given[1]);
    weft_player *committee = panel_committee(&p, &(weft_committee_settings){0}, NULL), *fresh[2];
    for (int k = 0; k < 2; k++)
        assert_int_equal(
            weft_rival_create(p.given[0], p.given[1], &p.members[k].rival, NULL, &fresh[k], NULL), WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++) {
        teach(committee, &p, t);
        for (int k = 0; k < 2; k++)
            if (trial_of(&p, t).row != GONE)
                teach(fresh[k], &p, t);
    }
    assert_int_equal(weft_player_forget(committee, WEFT_ROWS, GONE, NULL), WEFT_OK);
    for (int k = 0; k < 2; k++)
        panel_assert_same(weft_player_member(committee, k), fresh[k]);
    weft_player_free(fresh[0]);
    weft_player_free(fresh[1]);
    weft_player_free(committee);
    panel_close(&p);
}

/* Of two that are merged the one that stays hears the events of the other in their contexts. */
static void merged_rivals_hear_it(void **state)
{
    panel p;
    panel_open(12, KNOWN_CLASSES, false, IDS, IDS, &p);
    panel_add_rival(&p, WEFT_RIVAL_HYBRID, 0.3, p.given[0], p.given[1]);
    panel_add_rival(&p, WEFT_RIVAL_CROSSED, 0.3, p.given[0], p.given[1]);
    weft_player *a = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    weft_player *b = panel_committee(&p, &(weft_committee_settings){0}, NULL), *fresh = NULL;
    assert_int_equal(weft_rival_create(p.given[0], p.given[1], &p.members[1].rival, NULL, &fresh, NULL),
                     WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++) {
        teach(t < 100 ? a : b, &p, t);
        teach(fresh, &p, t);
    }
    assert_int_equal(weft_player_merge(a, b, NULL), WEFT_OK);
    panel_assert_same(weft_player_member(a, 1), fresh);
    weft_player_free(fresh);
    weft_player_free(a);
    weft_player_free(b);
    panel_close(&p);
}

/* Written and read in between, cloned: it goes on to the bit, and a clone is asked in the same context. */
static void states_go_on(void **state)
{
    for (int kind = 2; kind < KINDS; kind++) {
        panel p;
        panel_open_all(13, KNOWN_CLASSES, false, IDS, IDS, &p);
        weft_player *straight = make(&p, kind), *again = make(&p, kind), *copy = NULL;
        for (int64_t t = 0; t < TRIALS; t++) {
            teach(straight, &p, t);
            teach(again, &p, t);
            if (t % 50 != 20)
                continue;
            panel_state s = panel_write(again);
            weft_player_free(again);
            assert_int_equal(weft_committee_read(p.members, p.count, s.bytes, s.size, NULL, &again, NULL),
                             WEFT_OK);
            free(s.bytes);
        }
        panel_assert_same(straight, again);
        assert_int_equal(weft_player_clone(straight, &copy, NULL), WEFT_OK);
        assert_true(score_of(copy, 2, 3) == score_of(straight, 2, 3));
        weft_player_free(copy);
        weft_player_free(again);
        weft_player_free(straight);
        panel_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_is_no_context),
        cmocka_unit_test(members_are_asked_in_it),
        cmocka_unit_test(late_labels_have_their_context),
        cmocka_unit_test(drawn_others_have_it_too),
        cmocka_unit_test(rankings_are_of_the_context),
        cmocka_unit_test(readers_follow),
        cmocka_unit_test(what_is_forgotten_is_learnt_again_in_it),
        cmocka_unit_test(merged_rivals_hear_it),
        cmocka_unit_test(states_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
