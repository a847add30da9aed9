/* SPDX-License-Identifier: MIT
 * Rivals and the context of events: who looks at it, what stays the same, states, rankings, events learnt
 * again.  What it adds to a crossed logistic is in test_rival_crossed.c; to hybrid factorisation, in the
 * independent judge (tests/oracle/run_rivals.py). */
#include "test_rival_support.h"

#include "rival/hybrid.h"

enum { FIELDS = 3 };

/* Of trial t: one field in five is not known. */
static void set(weft_player *player, int64_t t)
{
    static const char *const values[] = {"morning", "noon", "evening", "night"};
    uint64_t digests[FIELDS];
    for (int64_t f = 0; f < FIELDS; f++)
        digests[f] = (t + f) % 5 == 0
                         ? 0
                         : weft_context_digest((char[]){(char)('a' + f), 0}, values[(t * (f + 3)) % 4]);
    assert_int_equal(weft_player_set_context(player, digests, FIELDS, NULL), WEFT_OK);
}

static void play(weft_player *rival, stage *s, int64_t from, int64_t to)
{
    for (int64_t t = from; t < to; t++) {
        stage_admit(s, t);
        set(rival, t);
        teach(rival, s->row[t], s->column[t], s->label[t]);
    }
}

static bool looks_at_it(weft_rival_kind kind)
{
    return kind == WEFT_RIVAL_CROSSED || kind == WEFT_RIVAL_HYBRID;
}

/* Fields of which nothing is known are no context: the same bits as without. */
static void nothing_known_is_no_context(void **state)
{
    const uint64_t nothing[FIELDS] = {0};
    for (int kind = 0; kind < WEFT_RIVALS; kind++) {
        stage s;
        stage_open(11, KNOWN_CLASSES, KNOWN_LINEAR, false, &s);
        const weft_rival_settings settings = {.kind = (weft_rival_kind)kind, .window = 30};
        weft_player *plain = rival_of(&s, &settings), *given = rival_of(&s, &settings);
        assert_int_equal(weft_player_set_context(given, nothing, FIELDS, NULL), WEFT_OK);
        for (int64_t t = 0; t < STAGE_TRIALS; t++) {
            stage_admit(&s, t);
            assert_true(ask(plain, 0, 0).score == ask(given, 0, 0).score);
            teach(plain, s.row[t], s.column[t], s.label[t]);
            teach(given, s.row[t], s.column[t], s.label[t]);
        }
        assert_same_rival(plain, given);
        weft_player_free(plain);
        weft_player_free(given);
        stage_close(&s);
    }
}

/* Others learn the same as without; those that look at it answer by it. */
static void some_look_at_it(void **state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++) {
        stage s;
        stage_open(12, KNOWN_CLASSES, KNOWN_GRAPH, false, &s);
        const weft_rival_settings settings = {.kind = (weft_rival_kind)kind};
        weft_player *plain = rival_of(&s, &settings), *given = rival_of(&s, &settings);
        play(given, &s, 0, STAGE_TRIALS);
        for (int64_t t = 0; t < STAGE_TRIALS; t++)
            teach(plain, s.row[t], s.column[t], s.label[t]);
        if (!looks_at_it((weft_rival_kind)kind))
            assert_same_rival(plain, given);
        set(given, 1);
        double first = ask(given, 0, 0).score;
        set(given, 2);
        assert_true((ask(given, 0, 0).score != first) == looks_at_it((weft_rival_kind)kind));
        set(given, 1);
        assert_true(ask(given, 0, 0).score == first);
        weft_player_free(plain);
        weft_player_free(given);
        stage_close(&s);
    }
}

/* What was asked in one context is not what is learnt in another. */
static void a_question_is_of_its_context(void **state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++) {
        stage s;
        stage_open(13, KNOWN_NONE, KNOWN_CLASSES, false, &s);
        const weft_rival_settings settings = {.kind = (weft_rival_kind)kind};
        weft_player *asked = rival_of(&s, &settings), *other = rival_of(&s, &settings);
        for (int64_t t = 0; t < 40; t++) {
            stage_admit(&s, t);
            set(asked, t);
            ask(asked, s.row[t], s.column[t]);
            set(asked, t + 1);
            set(other, t + 1);
            weft_answer first = {0}, second = {0};
            assert_int_equal(weft_player_learn(asked, s.row[t], s.column[t], s.label[t], &first, NULL),
                             WEFT_OK);
            assert_int_equal(weft_player_learn(other, s.row[t], s.column[t], s.label[t], &second, NULL),
                             WEFT_OK);
            assert_true(first.score == second.score && first.mistake == second.mistake);
        }
        assert_same_rival(asked, other);
        weft_player_free(asked);
        weft_player_free(other);
        stage_close(&s);
    }
}

static weft_player *read_back(const stage *s, const weft_player *rival)
{
    size_t size = 0;
    unsigned char *bytes = rival_bytes(rival, &size);
    weft_player *again = NULL;
    weft_error error = {0};
    if (weft_rival_read(s->rows, s->columns, bytes, size, NULL, &again, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    for (size_t cut = 0; cut < size; cut += 8) {
        weft_player *none = NULL;
        assert_int_equal(weft_rival_read(s->rows, s->columns, bytes, cut, NULL, &none, NULL), WEFT_MODEL);
    }
    free(bytes);
    return again;
}

/* Written, read, copied and reset on the way: events that are learnt again have their contexts. */
static void a_state_goes_on_to_the_bit(void **state)
{
    static const int64_t ends[] = {1, 20, 60, STAGE_TRIALS};
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int one_set = 0; one_set < 2; one_set++) {
            stage s, twin;
            stage_open(14, KNOWN_CLASSES, KNOWN_LINEAR, one_set, &s);
            stage_open(14, KNOWN_CLASSES, KNOWN_LINEAR, one_set, &twin);
            const weft_rival_settings settings = {.kind = (weft_rival_kind)kind, .window = 25, .replay = 3};
            weft_player *straight = rival_of(&s, &settings), *pieces = rival_of(&twin, &settings);
            for (int e = 0; e < 4; e++) {
                int64_t from = e == 0 ? 0 : ends[e - 1];
                weft_player *again = NULL;
                play(straight, &s, from, ends[e]);
                play(pieces, &twin, from, ends[e]);
                assert_same_rival(straight, pieces);
                if (e % 2 == 0)
                    again = read_back(&twin, pieces);
                else
                    assert_int_equal(weft_player_clone(pieces, &again, NULL), WEFT_OK);
                weft_player_free(pieces);
                pieces = again;
            }
            assert_int_equal(weft_player_reset(pieces, NULL), WEFT_OK);
            weft_player *fresh = rival_of(&twin, &settings);
            assert_same_rival(pieces, fresh);
            weft_player_free(fresh);
            weft_player_free(straight);
            weft_player_free(pieces);
            stage_close(&s);
            stage_close(&twin);
        }
}

/* Only a hybrid factorisation that has met a context has a state of version 4. */
static void only_who_met_one_says_so(void **state)
{
    enum { VERSION_AT = 8 };
    for (int kind = 0; kind < WEFT_RIVALS; kind++) {
        stage s;
        size_t size = 0;
        stage_open(15, KNOWN_NONE, KNOWN_NONE, false, &s);
        const weft_rival_settings settings = {.kind = (weft_rival_kind)kind};
        weft_player *rival = rival_of(&s, &settings), *none = NULL;
        teach(rival, 0, 0, 1);
        unsigned char *bytes = rival_bytes(rival, &size);
        assert_int_equal(bytes[VERSION_AT], 3);
        bytes[VERSION_AT] = 4;
        assert_int_equal(weft_rival_read(s.rows, s.columns, bytes, size, NULL, &none, NULL), WEFT_MODEL);
        free(bytes);
        set(rival, 1);
        teach(rival, 0, 0, 1);
        bytes = rival_bytes(rival, &size);
        assert_int_equal(bytes[VERSION_AT], kind == WEFT_RIVAL_HYBRID ? 4 : 3);
        free(bytes);
        weft_player_free(rival);
        stage_close(&s);
    }
}

/* The events that are kept, with the contexts in which they were learnt. */
static void kept_events_have_their_contexts(void **state)
{
    enum { WINDOW = 20, LEARNT = 50 };
    stage s;
    stage_open(16, KNOWN_CLASSES, KNOWN_NONE, false, &s);
    const weft_rival_settings settings = {.kind = WEFT_RIVAL_HYBRID, .window = WINDOW};
    weft_player *rival = rival_of(&s, &settings);
    for (int64_t t = 0; t < 5; t++)
        teach(rival, s.row[t], s.column[t], s.label[t]);
    play(rival, &s, 5, LEARNT);
    const weft__replay *kept = weft__hybrid_replay(rival);
    assert_int_equal(weft__replay_kept(kept), WINDOW);
    for (int64_t k = 0; k < WINDOW; k++) {
        int64_t t = LEARNT - WINDOW + k;
        weft__context context = weft__replay_context(kept, k);
        set(rival, t);
        assert_int_equal(weft__replay_event(kept, k)->pair[0], s.row[t]);
        assert_memory_equal(&context, &rival->context, sizeof context);
    }
    weft_player_free(rival);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_is_no_context),  cmocka_unit_test(some_look_at_it),
        cmocka_unit_test(a_question_is_of_its_context), cmocka_unit_test(a_state_goes_on_to_the_bit),
        cmocka_unit_test(only_who_met_one_says_so),     cmocka_unit_test(kept_events_have_their_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
