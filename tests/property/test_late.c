/* SPDX-License-Identifier: MIT
 *
 * Labels that come late, of every kind of player: a record that is learnt at once is the plain protocol to
 * the bit; an answer knows the labels that had come and no other, and counts as it was given; predictions
 * change nothing.  (The guarantee with drift: property/committee and property/hedge_adversary.) */
#include "../unit/test_core_support.h"

#include "support/council.h"
#include "support/effort.h"

#include <limits.h>

enum { IDS = 6, TRIALS = 150 };

/* ---- Players ---- */

enum { LEARNERS = 6, COMMITTEES = 4, KINDS = LEARNERS + WEFT_RIVALS + COMMITTEES };

static weft_player *new_learner(const panel *p, int which)
{
    weft_player *learner = NULL;
    weft_settings s = weft_settings_default(IDS, p->one_set ? 0 : IDS, TRIALS);
    s.updates = which % 2 ? WEFT_MISTAKE_UPDATES : WEFT_MARGIN_UPDATES;
    s.tolerance = which < 2 ? 0.02 : 0;
    s.deterministic = which >= 4;
    s.seed = 5 + (uint64_t)which;
    s.eta = 1;
    assert_int_equal(weft_learner_create(p->given[0], p->given[1], &s, NULL, &learner, NULL), WEFT_OK);
    return learner;
}

static weft_player *new_player(const panel *p, int kind)
{
    weft_player *rival = NULL;
    weft_rival_settings settings = {.kind = (weft_rival_kind)(kind - LEARNERS), .factors = 2, .bits = 6};
    if (kind < LEARNERS)
        return new_learner(p, kind);
    if (kind < LEARNERS + WEFT_RIVALS) {
        assert_int_equal(weft_rival_create(p->given[0], p->given[1], &settings, NULL, &rival, NULL), WEFT_OK);
        return rival;
    }
    int which = kind - LEARNERS - WEFT_RIVALS;
    weft_committee_settings s = {
        .randomised = which % 2 == 1, .seed = 7, .restless = which == 2, .threads = which == 3 ? 2 : 0};
    return panel_committee(p, &s, NULL);
}

static void open_panel(bool one_set, panel *p)
{
    panel_open_all(4, KNOWN_CLASSES, one_set, IDS, IDS, p);
}

/* ---- Records ---- */

typedef struct slip {
    panel_trial trial;
    weft_answer answer;
    unsigned char *record;
    size_t size;
} slip;

static slip ask(weft_player *player, const panel_trial *trial, int64_t t)
{
    slip s = {.trial = *trial};
    weft_error error = {0};
    if (weft_player_predict_at(player, trial->row, trial->column, t, &s.answer, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(weft_player_record(player, trial->row, trial->column, t, NULL, &s.size, NULL), WEFT_OK);
    s.record = malloc(s.size);
    assert_non_null(s.record);
    assert_int_equal(weft_player_record(player, trial->row, trial->column, t, s.record, &s.size, NULL),
                     WEFT_OK);
    return s;
}

static weft_answer learn(weft_player *player, const slip *s)
{
    weft_answer answer = {0};
    weft_error error = {0};
    if (weft_player_learn_late(player, s->record, s->size, s->trial.label, &answer, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return answer;
}

static void assert_same_answer(const weft_answer *a, const weft_answer *b)
{
    assert_true(a->label == b->label && a->threshold == b->threshold && a->vote == b->vote);
    assert_true(a->probability == b->probability && a->score == b->score);
    assert_true(a->margin == b->margin || (isnan(a->margin) && isnan(b->margin)));
    assert_true(a->lower == b->lower && a->upper == b->upper && a->certified == b->certified);
    assert_true(a->products == b->products && a->asked == b->asked && a->t == b->t);
    assert_true(a->mistake == b->mistake && a->updated == b->updated && a->anew == b->anew);
    assert_true(a->update_certified == b->update_certified && a->error_probability == b->error_probability);
}

/* A record that is learnt at once. */
static void no_delay_is_the_plain_protocol(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++)
        for (int kind = 0; kind < KINDS; kind++) {
            panel p;
            dice d = {(uint64_t)kind};
            open_panel(one_set, &p);
            weft_player *plain = new_player(&p, kind), *late = new_player(&p, kind);
            int64_t trials = kind >= KINDS - COMMITTEES ? 1300 : TRIALS;
            trials = one_set ? fewer(trials, TRIALS) : trials;
            for (int64_t t = 0; t < trials; t++) {
                panel_trial trial = panel_draw(&p, PANEL_TRUE, t, &d, NULL);
                weft_answer a, first;
                assert_int_equal(weft_player_predict(plain, trial.row, trial.column, &first, NULL), WEFT_OK);
                slip s = ask(late, &trial, weft_player_counters(late).t);
                assert_same_answer(&first, &s.answer);
                /* With another threshold, which the label must not be judged with. */
                if (t % 2)
                    assert_int_equal(weft_player_predict_at(late, trial.row, trial.column, t + 7, &a, NULL),
                                     WEFT_OK);
                assert_int_equal(weft_player_learn(plain, trial.row, trial.column, trial.label, &a, NULL),
                                 WEFT_OK);
                weft_answer b = learn(late, &s);
                assert_same_answer(&a, &b);
                free(s.record);
                if (t % 100 == 99)
                    panel_assert_same(plain, late);
            }
            panel_assert_same(plain, late);
            weft_player_free(plain);
            weft_player_free(late);
            panel_close(&p);
        }
}

/* ---- A queue ---- */

enum { LONGEST = 64 };

typedef struct queue {
    slip open[LONGEST];
    int64_t count;
} queue;

static slip take(queue *q, int64_t k)
{
    slip taken = q->open[k];
    memmove(&q->open[k], &q->open[k + 1], (size_t)(--q->count - k) * sizeof *q->open);
    return taken;
}

/* By a copy, so that `player` never makes a prediction. */
static weft_answer predict_apart(const weft_player *player, const panel_trial *trial, int64_t t)
{
    weft_player *copy = NULL;
    weft_answer answer;
    assert_int_equal(weft_player_clone(player, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_predict_at(copy, trial->row, trial->column, t, &answer, NULL), WEFT_OK);
    weft_player_free(copy);
    return answer;
}

static void check_late_answer(const slip *s, const weft_answer *got)
{
    int label = s->trial.label;
    assert_true(got->label == s->answer.label && got->threshold == s->answer.threshold);
    assert_int_equal(got->mistake, s->answer.label != label);
    assert_near(got->error_probability, label > 0 ? 1 - s->answer.vote : s->answer.vote, 1e-9);
    assert_false(got->anew);
}

/* `told` hears the records alone, in their order, and is asked nothing; `late` is asked for the records and
 * for much else.  Both are the same to the bit. */
static void the_state_is_what_was_learnt(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        panel p;
        dice d = {11};
        queue q = {.count = 0};
        open_panel(kind % 2, &p);
        weft_player *late = new_player(&p, kind), *told = new_player(&p, kind);
        int64_t mistakes = 0;
        for (int64_t t = 0; t < TRIALS; t++) {
            panel_trial trial = panel_draw(&p, PANEL_TRUE, t, &d, NULL);
            int64_t at = weft_player_counters(late).t + q.count;
            q.open[q.count] = ask(late, &trial, at);
            if (t % 20 == 0) {
                weft_answer apart = predict_apart(told, &trial, at);
                assert_same_answer(&apart, &q.open[q.count].answer);
            }
            q.count++;
            if (t % 3 == 0)
                assert_int_equal(
                    weft_player_learn(late, dice_below(&d, IDS), dice_below(&d, IDS), 0, NULL, NULL),
                    WEFT_OK);
            if (q.count < LONGEST / 2)
                continue;
            slip due = take(&q, dice_below(&d, q.count));
            weft_answer a = learn(late, &due), b = learn(told, &due);
            assert_same_answer(&a, &b);
            check_late_answer(&due, &a);
            mistakes += a.mistake;
            free(due.record);
        }
        panel_assert_same(late, told);
        if (kind < LEARNERS || kind >= LEARNERS + WEFT_RIVALS)
            assert_int_equal(weft_player_counters(late).mistakes, mistakes);
        while (q.count > 0)
            free(take(&q, 0).record);
        weft_player_free(late);
        weft_player_free(told);
        panel_close(&p);
    }
}

/* ---- Lost and foreign records ---- */

static void a_lost_answer_is_counted(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        panel p;
        weft_answer a, b;
        open_panel(false, &p);
        weft_player *plain = new_player(&p, kind), *anew = new_player(&p, kind);
        for (int64_t t = 0; t < 20; t++) {
            assert_int_equal(weft_player_learn(plain, t % IDS, t % 5, t % 3 ? 1 : -1, &a, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn_anew(anew, t % IDS, t % 5, t % 3 ? 1 : -1, &b, NULL), WEFT_OK);
            assert_true(b.anew && !a.anew);
            b.anew = false;
            assert_same_answer(&a, &b);
        }
        weft_counters c = weft_player_counters(anew);
        assert_int_equal(c.anew, weft_player_kind(anew) == WEFT_COMMITTEE ? 20 : 0);
        assert_int_equal(weft_player_learn_anew(anew, 0, 0, 0, &b, NULL), WEFT_ARGUMENT);
        weft_player_free(plain);
        weft_player_free(anew);
        panel_close(&p);
    }
}

/* Every byte is damaged once: the record is refused, or learnt as some answer, and the player stays one that
 * can be written, read and asked. */
static void damaged_records_do_no_harm(void **state)
{
    static const int kinds[] = {0, LEARNERS, KINDS - COMMITTEES};
    int64_t refused = 0, learnt = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        panel p;
        weft_error error;
        weft_answer answer;
        open_panel(false, &p);
        weft_player *player = new_player(&p, kinds[k]), *copy = NULL;
        slip s = ask(player, &(panel_trial){1, 2, 1}, 3);
        for (size_t at = 0; at < s.size; at++) {
            for (int bit = 0; bit < 8; bit += 7) {
                s.record[at] ^= (unsigned char)(1 << bit);
                weft_status status = weft_player_learn_late(player, s.record, s.size, 1, NULL, &error);
                assert_true(status == WEFT_OK || status == WEFT_INPUT || status == WEFT_ARGUMENT ||
                            status == WEFT_UNKNOWN_ID);
                *(status == WEFT_OK ? &learnt : &refused) += 1;
                s.record[at] ^= (unsigned char)(1 << bit);
            }
            if (at % 64 != 0)
                continue;
            assert_int_equal(weft_player_predict(player, 1, 2, &answer, NULL), WEFT_OK);
            assert_true(answer.probability >= 0 && answer.probability <= 1);
            assert_int_equal(weft_player_clone(player, &copy, &error), WEFT_OK);
            weft_player_free(copy);
        }
        for (size_t size = 0; size < s.size; size += 8)
            assert_true(weft_player_learn_late(player, s.record, size, 1, NULL, &error) != WEFT_OK);
        free(s.record);
        weft_player_free(player);
        panel_close(&p);
    }
    assert_true(refused > 500 && learnt > 500);
}

/* Fields of 8 bytes, as src/player/record.c and src/committee/late.c list them. */
enum {
    MAGIC,
    VERSION,
    KIND,
    LABELS = 5,
    LABEL,
    PROBABILITY,
    SCORE,
    VOTE,
    THRESHOLD,
    MARGIN,
    LOWER,
    UPPER,
    CERTIFIED,
    PRODUCTS,
    ASKED,
    TRIAL,
    FINGERPRINT,
    EPOCH,
    ZERO,
    OWN_VOTE,
    OWN_PROBABILITY,
    ERROR,
    SAID = ERROR + 2
};

static void refuse_bits(weft_player *player, slip *s, int64_t field, int64_t bits)
{
    int64_t kept;
    weft_error error = {0};
    unsigned char *at = s->record + 8 * field;
    memcpy(&kept, at, sizeof kept);
    memcpy(at, &bits, sizeof bits);
    if (weft_player_learn_late(player, s->record, s->size, 1, NULL, &error) != WEFT_INPUT)
        fail_msg("field %d = %lld is learnt, or '%s'", (int)field, (long long)bits, error.message);
    memcpy(at, &kept, sizeof kept);
}

static void refuse_number(weft_player *player, slip *s, int64_t field, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    refuse_bits(player, s, field, bits);
}

static void refuse_answer(weft_player *player, slip *s)
{
    static const int64_t flags[] = {2, -1, INT64_MAX, INT64_MIN};
    static const double shares[] = {-0.1, 1.1, (double)NAN, (double)INFINITY};
    for (int k = 0; k < 4; k++) {
        refuse_bits(player, s, MAGIC, flags[k]);
        refuse_bits(player, s, VERSION, k == 0 ? 1 : flags[k]);
        refuse_bits(player, s, LABEL, k == 1 ? 0 : flags[k]);
        refuse_bits(player, s, CERTIFIED, flags[k]);
        refuse_number(player, s, PROBABILITY, shares[k]);
        refuse_number(player, s, VOTE, shares[k]);
    }
    refuse_bits(player, s, KIND, 3);
    refuse_bits(player, s, PRODUCTS, INT_MAX);
    for (int64_t field = LABELS; field <= TRIAL; field += field == LABELS ? PRODUCTS - LABELS : 1)
        for (int k = 1; k < 4; k++)
            refuse_bits(player, s, field, flags[k]);
    refuse_number(player, s, SCORE, (double)INFINITY);
    refuse_number(player, s, THRESHOLD, (double)NAN);
    bool learner = weft_player_kind(player) == WEFT_LEARNER;
    refuse_number(player, s, MARGIN, learner ? (double)NAN : 0.5);
    refuse_number(player, s, LOWER, learner ? (double)INFINITY : 0);
    refuse_number(player, s, UPPER, learner ? -(double)INFINITY : 0);
}

/* What a record of a committee has behind its answer. */
static void refuse_members(weft_player *player, slip *s, const panel *p)
{
    static const double outside[] = {-0.1, 1.1, (double)NAN, 0, 1};
    int64_t stacks = SAID + 3 * p->count;
    for (int k = 0; k < 5; k++) {
        refuse_number(player, s, OWN_PROBABILITY, outside[k]);
        for (int i = 0; i < 2 && k < 3; i++)
            refuse_number(player, s, ERROR + i, outside[k]);
        if (k < 3)
            refuse_number(player, s, OWN_VOTE, outside[k]);
    }
    refuse_bits(player, s, EPOCH, -1);
    refuse_bits(player, s, ZERO, -1);
    refuse_bits(player, s, ZERO, 1);
    for (int64_t k = 0; k < p->count; k++) {
        refuse_bits(player, s, SAID + 3 * k, 2);
        refuse_bits(player, s, SAID + 3 * k + 1, -1);
        refuse_number(player, s, SAID + 3 * k + 2, 1e4);
        refuse_number(player, s, SAID + 3 * k + 2, (double)NAN);
    }
    for (int i = 0; i < WEFT_STACKS; i++) {
        refuse_bits(player, s, stacks + i, 2);
        refuse_bits(player, s, stacks + i, weft_committee_standing(player, p->count + i).is_awake ? 0 : 1);
    }
}

static void every_field_is_checked(void **state)
{
    static const int kinds[] = {0, LEARNERS, KINDS - COMMITTEES};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        panel p;
        open_panel(false, &p);
        weft_player *player = new_player(&p, kinds[k]);
        slip s = ask(player, &(panel_trial){1, 2, 1}, 3);
        refuse_answer(player, &s);
        if (weft_player_kind(player) == WEFT_COMMITTEE)
            refuse_members(player, &s, &p);
        assert_int_equal(weft_player_counters(player).t, 0);
        learn(player, &s);
        free(s.record);
        weft_player_free(player);
        panel_close(&p);
    }
}

static void records_of_others_are_refused(void **state)
{
    panel p, few;
    weft_error error;
    open_panel(false, &p);
    panel_open(3, KNOWN_CLASSES, false, IDS, IDS, &few);
    panel_add_learner(&few, WEFT_BALANCED, 1, few.given[0], few.given[1]);
    weft_player *learner = new_player(&p, 0), *committee = new_player(&p, KINDS - COMMITTEES);
    weft_player *small = panel_committee(&few, &(weft_committee_settings){0}, NULL);
    slip s = ask(committee, &(panel_trial){0, 0, 1}, 0), other = ask(learner, &(panel_trial){0, 0, 1}, 0);
    assert_fails(weft_player_learn_late(learner, s.record, s.size, 1, NULL, &error), WEFT_ARGUMENT,
                 "a committee has made the answer, expected a learner");
    assert_fails(weft_player_learn_late(small, s.record, s.size, 1, NULL, &error), WEFT_ARGUMENT,
                 "other members");
    assert_fails(weft_player_learn_late(learner, other.record, other.size, 0, NULL, &error), WEFT_ARGUMENT,
                 "the label is 0, expected -1 or +1");
    size_t size = s.size - 1;
    assert_fails(weft_player_record(committee, 0, 0, 0, s.record, &size, &error), WEFT_ARGUMENT,
                 "the buffer has");
    size = s.size;
    assert_fails(weft_player_record(committee, 0, 0, -1, s.record, &size, &error), WEFT_ARGUMENT,
                 "the trial is -1");
    assert_fails(weft_player_record(committee, IDS, 0, 0, s.record, &size, &error), WEFT_UNKNOWN_ID, "row");
    assert_int_equal(weft_player_counters(committee).t, 0);
    free(s.record);
    free(other.record);
    weft_player_free(learner);
    weft_player_free(committee);
    weft_player_free(small);
    panel_close(&p);
    panel_close(&few);
}

/* ---- Records of before ---- */

static weft_status change(weft_player *player, int how, const weft_player *other)
{
    return how == 0 ? weft_player_forget(player, WEFT_ROWS, 2, NULL) : weft_player_merge(player, other, NULL);
}

/* What members said before something was forgotten or merged does not count: the label is learnt anew, and
 * that is said and counted.  It stays so when the committee was written and read. */
static void records_of_another_epoch_are_learnt_anew(void **state)
{
    for (int kind = KINDS - COMMITTEES; kind < KINDS; kind++)
        for (int how = 0; how < 2; how++) {
            panel p;
            weft_answer answer = {0};
            open_panel(kind % 2 == 0, &p);
            dice d = {9};
            weft_player *player = new_player(&p, kind), *twin = NULL, *read = NULL;
            panel_play(&p, PANEL_TRUE, 0, 30, &d, player);
            slip s = ask(player, &(panel_trial){1, 2, 1}, 30);
            assert_int_equal(weft_player_clone(player, &twin, NULL), WEFT_OK);
            assert_int_equal(change(player, how, twin), WEFT_OK);
            weft_player_free(twin);
            assert_int_equal(weft_player_clone(player, &twin, NULL), WEFT_OK);
            panel_state bytes = panel_write(player);
            assert_int_equal(
                weft_committee_read(p.members, p.count, bytes.bytes, bytes.size, NULL, &read, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn_anew(twin, 1, 2, 1, NULL, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn_late(player, s.record, s.size, 1, &answer, NULL), WEFT_OK);
            assert_true(answer.anew);
            panel_assert_same(player, twin);
            assert_int_equal(weft_player_learn_late(read, s.record, s.size, 1, &answer, NULL), WEFT_OK);
            assert_true(answer.anew);
            panel_assert_same(read, twin);
            /* A record of now counts as it was given. */
            free(s.record);
            s = ask(player, &(panel_trial){2, 1, 1}, 31);
            assert_int_equal(weft_player_learn_late(player, s.record, s.size, -1, &answer, NULL), WEFT_OK);
            assert_false(answer.anew);
            free(s.record);
            free(bytes.bytes);
            weft_player_free(player);
            weft_player_free(twin);
            weft_player_free(read);
            panel_close(&p);
        }
}

/* As many members, of which one has another name, another rate, or other settings. */
static void records_of_other_members_are_refused(void **state)
{
    for (int how = 0; how < 3; how++) {
        panel p;
        weft_error error = {0};
        open_panel(false, &p);
        weft_player *player = new_player(&p, KINDS - COMMITTEES), *other = NULL;
        slip s = ask(player, &(panel_trial){1, 2, 1}, 0);
        if (how == 0)
            p.members[1].name[0] ^= 1;
        if (how == 1)
            p.members[p.count - 1].rival.rate += 0.25;
        if (how == 2)
            p.members[0].learner.eta += 0.25;
        other = new_player(&p, KINDS - COMMITTEES);
        assert_fails(weft_player_learn_late(other, s.record, s.size, 1, NULL, &error), WEFT_ARGUMENT,
                     "other members");
        assert_int_equal(weft_player_counters(other).t, 0);
        learn(player, &s);
        free(s.record);
        weft_player_free(player);
        weft_player_free(other);
        panel_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_delay_is_the_plain_protocol),
        cmocka_unit_test(the_state_is_what_was_learnt),
        cmocka_unit_test(a_lost_answer_is_counted),
        cmocka_unit_test(damaged_records_do_no_harm),
        cmocka_unit_test(records_of_others_are_refused),
        cmocka_unit_test(every_field_is_checked),
        cmocka_unit_test(records_of_another_epoch_are_learnt_anew),
        cmocka_unit_test(records_of_other_members_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
