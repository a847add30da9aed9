/* SPDX-License-Identifier: MIT
 * Others that are drawn beside the events of positives alone: which they are, what they make of a
 * probability, and that all are asked before any is learnt. */
#include "unit/player/test_player_support.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 40 };

static int64_t draw(const weft_negatives *how, int64_t t, const int64_t pair[2], int64_t pairs[2 * MOST])
{
    int64_t drawn = -1;
    assert_int_equal(weft_negatives_draw(how, t, pair, pairs, &drawn, NULL), WEFT_OK);
    return drawn;
}

/* ---- What is drawn ---- */

static void others_of_an_event(void **state)
{
    for (int64_t ids = 0; ids < 12; ids++)
        for (int64_t count = 0; count < 14; count++)
            for (int64_t t = 0; t < 20; t++) {
                const weft_negatives how = {.count = count, .seed = 3, .ids = ids};
                const int64_t pair[2] = {t % 5, t % 13}, others = ids - (pair[1] < ids);
                int64_t pairs[2 * MOST];
                int64_t drawn = draw(&how, t, pair, pairs);
                assert_int_equal(drawn, others < count ? others : count);
                for (int64_t k = 0; k < drawn; k++) {
                    assert_int_equal(pairs[2 * k], pair[0]);
                    assert_true(pairs[2 * k + 1] >= 0 && pairs[2 * k + 1] < ids &&
                                pairs[2 * k + 1] != pair[1]);
                    for (int64_t l = 0; l < k; l++)
                        assert_int_not_equal(pairs[2 * k + 1], pairs[2 * l + 1]);
                }
            }
}

static void the_same_by_seed_and_trial(void **state)
{
    const int64_t pair[2] = {4, 7};
    weft_negatives how = {.count = 6, .seed = 1, .ids = 1000}, other = {.count = 6, .seed = 2, .ids = 1000};
    int64_t a[2 * MOST], b[2 * MOST];
    for (int64_t t = 0; t < 50; t++) {
        draw(&how, t, pair, a);
        draw(&how, t, pair, b);
        assert_memory_equal(a, b, 12 * sizeof *a);
        draw(&other, t, pair, b);
        assert_memory_not_equal(a, b, 12 * sizeof *a);
        draw(&how, t + 1, pair, b);
        assert_memory_not_equal(a, b, 12 * sizeof *a);
    }
}

/* Each of the 10 pairs of 5 others is as likely as any: over 20,000 draws 2,000, give or take 42. */
static void every_subset_is_as_likely(void **state)
{
    const weft_negatives how = {.count = 2, .seed = 9, .ids = 6};
    const int64_t pair[2] = {0, 2};
    int64_t met[6][6] = {{0}};
    for (int64_t t = 0; t < 20000; t++) {
        int64_t pairs[2 * MOST];
        assert_int_equal(draw(&how, t, pair, pairs), 2);
        int64_t i = pairs[1], j = pairs[3];
        met[i < j ? i : j][i < j ? j : i]++;
    }
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            assert_true(i == 2 || j == 2 ? met[i][j] == 0 : llabs(met[i][j] - 2000) < 5 * 42);
}

/* Of one set either end is kept, about as often, and no pair is of an id with itself. */
static void one_set_keeps_an_end(void **state)
{
    const weft_negatives how = {.count = 3, .seed = 5, .ids = 8, .one_set = true};
    const int64_t pair[2] = {6, 1};
    int64_t kept[2] = {0, 0};
    for (int64_t t = 0; t < 4000; t++) {
        int64_t pairs[2 * MOST];
        assert_int_equal(draw(&how, t, pair, pairs), 3);
        int place = pairs[0] == pair[0] ? 1 : 0;
        kept[1 - place]++;
        for (int64_t k = 0; k < 3; k++) {
            int64_t other = pairs[2 * k + place];
            assert_int_equal(pairs[2 * k + 1 - place], pair[1 - place]);
            assert_true(other != pair[0] && other != pair[1] && other >= 0 && other < 8);
        }
    }
    assert_true(llabs(kept[0] - 2000) < 5 * 32);
}

static void refused(void **state)
{
    const int64_t pair[2] = {0, 0}, odd[2] = {0, -1};
    int64_t pairs[2 * MOST], drawn = 77;
    const weft_negatives good = {.count = 2, .ids = 9}, more = {.count = WEFT_NEGATIVES_LIMIT + 1, .ids = 9},
                         less = {.count = -1}, none = {.ids = -1};
    assert_int_equal(weft_negatives_draw(&more, 0, pair, pairs, &drawn, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_negatives_draw(&less, 0, pair, pairs, &drawn, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_negatives_draw(&none, 0, pair, pairs, &drawn, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_negatives_draw(&good, -1, pair, pairs, &drawn, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_negatives_draw(&good, 0, odd, pairs, &drawn, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_negatives_draw(&good, 0, pair, NULL, &drawn, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_negatives_draw(NULL, 0, pair, pairs, &drawn, NULL), WEFT_ARGUMENT);
    assert_int_equal(drawn, 77);
}

/* ---- What it makes of a probability ---- */

static void odds_are_multiplied(void **state)
{
    weft_negatives how = {.count = 4, .ids = 101};
    double p = 0.8, odds = 4 * 4 / 100.0;
    assert_true(fabs(weft_negatives_probability(&how, p) - odds / (1 + odds)) < 1e-15);
    assert_true(weft_negatives_probability(&how, 0) == 0 && weft_negatives_probability(&how, 1) == 1);
    how.one_set = true;
    odds = 4 * 4 / 99.0;
    assert_true(fabs(weft_negatives_probability(&how, p) - odds / (1 + odds)) < 1e-15);
    const weft_negatives none = {0}, all = {.count = 9, .ids = 10}, few = {.count = 4, .ids = 1};
    assert_true(weft_negatives_probability(&none, p) == p && weft_negatives_probability(&all, p) == p &&
                weft_negatives_probability(&few, p) == p && weft_negatives_probability(NULL, p) == p);
}

/* Columns that a row comes to with known probabilities: counts of what is learnt give them back, also of
 * columns that the row comes to most of the time. */
static void counts_give_the_probabilities(void **state)
{
    enum { COLUMNS = 6, EVENTS = 60000 };
    static const double truth[COLUMNS] = {0.5, 0.25, 0.12, 0.08, 0.04, 0.01};
    const weft_negatives how = {.count = 2, .seed = 4, .ids = COLUMNS};
    double count[2][COLUMNS] = {{0}};
    for (int64_t t = 0; t < EVENTS; t++) {
        /* The golden ratio goes through the unit interval evenly. */
        double at = fmod((double)t * 0.6180339887498949, 1);
        int64_t pair[2] = {0, 0}, pairs[2 * MOST];
        while (pair[1] < COLUMNS - 1 && at >= truth[pair[1]])
            at -= truth[pair[1]++];
        count[1][pair[1]]++;
        int64_t drawn = draw(&how, t, pair, pairs);
        for (int64_t k = 0; k < drawn; k++)
            count[0][pairs[2 * k + 1]]++;
    }
    for (int j = 0; j < COLUMNS; j++) {
        double taught = count[1][j] / (count[0][j] + count[1][j]);
        assert_true(fabs(weft_negatives_probability(&how, taught) - truth[j]) < 0.005);
        assert_true(fabs(taught - truth[j]) > 0.01);
    }
}

/* ---- Learning ---- */

/* By hand: everything is asked, then learnt late in some order; one of the orders must be the player's. */
static bool is_learnt_behind(const weft_player *before, const weft_player *after, const int64_t *pairs,
                             int64_t count, int64_t behind)
{
    weft_player *copy = NULL;
    size_t size = 0;
    assert_int_equal(weft_player_clone(before, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_record(copy, 0, 0, 0, NULL, &size, NULL), WEFT_OK);
    unsigned char *records = malloc((size_t)count * size);
    assert_non_null(records);
    int64_t t = weft_player_counters(copy).t;
    for (int64_t k = 0; k < count; k++)
        assert_int_equal(weft_player_record(copy, pairs[2 * k], pairs[2 * k + 1], t + k,
                                            records + (size_t)k * size, &size, NULL),
                         WEFT_OK);
    for (int64_t n = 0; n < count; n++) {
        int64_t k = n < behind ? n + 1 : n == behind ? 0 : n;
        assert_int_equal(
            weft_player_learn_late(copy, records + (size_t)k * size, size, k == 0 ? 1 : -1, NULL, NULL),
            WEFT_OK);
    }
    size_t sizes[2] = {0, 0};
    assert_int_equal(weft_player_write(copy, NULL, &sizes[0], NULL), WEFT_OK);
    assert_int_equal(weft_player_write(after, NULL, &sizes[1], NULL), WEFT_OK);
    unsigned char *bytes[2] = {malloc(sizes[0]), malloc(sizes[1])};
    assert_true(bytes[0] != NULL && bytes[1] != NULL);
    assert_int_equal(weft_player_write(copy, bytes[0], &sizes[0], NULL), WEFT_OK);
    assert_int_equal(weft_player_write(after, bytes[1], &sizes[1], NULL), WEFT_OK);
    bool same = sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    free(records);
    weft_player_free(copy);
    return same;
}

/* Where in the order an event was learnt. */
static int64_t find_place(weft_player *player, const weft_negatives *how, const int64_t event[2])
{
    weft_player *before = NULL;
    weft_answer answer, answers[MOST], expected;
    int64_t pairs[2 * MOST] = {event[0], event[1]}, alone[2 * MOST], t = weft_player_counters(player).t;
    weft_drawn drawn = {.pairs = pairs + 2, .answers = answers};
    assert_int_equal(weft_player_clone(player, &before, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn_event(player, how, event, &answer, &drawn, NULL), WEFT_OK);
    assert_int_equal(drawn.count, draw(how, t, event, alone));
    assert_memory_equal(alone, drawn.pairs, (size_t)drawn.count * 2 * sizeof *alone);
    assert_int_equal(weft_player_counters(player).t, t + 1 + drawn.count);
    assert_int_equal(weft_player_predict_at(before, event[0], event[1], t, &expected, NULL), WEFT_OK);
    assert_same_answer(&answer, &expected);
    for (int64_t k = 0; k < drawn.count; k++) {
        const int64_t *pair = drawn.pairs + 2 * k;
        assert_int_equal(weft_player_predict_at(before, pair[0], pair[1], t + 1 + k, &expected, NULL),
                         WEFT_OK);
        assert_true(same_number(answers[k].score, expected.score) && answers[k].t == expected.t);
    }
    int64_t place = -1;
    for (int64_t behind = 0; behind <= drawn.count; behind++)
        if (is_learnt_behind(before, player, pairs, 1 + drawn.count, behind))
            place = behind;
    weft_player_free(before);
    return place;
}

static void asked_before_they_are_learnt(void **state)
{
    const weft_negatives how = {.count = 3, .seed = 1, .ids = IDS};
    stage s = stage_open(false);
    weft_player *player = taught(&s, WEFT_COMMITTEE, 20);
    bool met[4] = {false};
    for (int64_t k = 0; k < 40; k++) {
        int64_t place = find_place(player, &how, (const int64_t[]){k % IDS, k * 5 % IDS});
        assert_true(place >= 0 && place <= 3);
        met[place] = true;
    }
    assert_true(met[0] && met[1] && met[2] && met[3]);
    weft_player_free(player);
    stage_close(&s);
}

/* An event whose answer was kept is learnt by its record. */
static void by_a_record(void **state)
{
    const weft_negatives how = {.count = 2, .seed = 1, .ids = IDS, .one_set = true};
    stage s = stage_open(true);
    weft_player *player = taught(&s, WEFT_COMMITTEE, 10), *now = NULL;
    unsigned char record[4096];
    size_t size = sizeof record;
    weft_answer answer, expected;
    assert_int_equal(weft_player_record(player, 1, 4, 10, record, &size, NULL), WEFT_OK);
    assert_int_equal(weft_player_clone(player, &now, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn_event_late(player, &how, record, size, &answer, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn_event(now, &how, (const int64_t[]){1, 4}, &expected, NULL, NULL),
                     WEFT_OK);
    assert_same_state(player, now);
    assert_same_answer(&answer, &expected);
    assert_int_equal(weft_player_learn_event_late(player, &how, record, size - 8, NULL, NULL, NULL),
                     WEFT_ARGUMENT);
    assert_int_equal(weft_player_learn_event_late(player, &how, "no record at all", 16, NULL, NULL, NULL),
                     WEFT_INPUT);
    assert_same_state(player, now);
    weft_player_free(now);
    weft_player_free(player);
    stage_close(&s);
}

/* Every kind of player; a rival draws anew with every event, although it counts no trials. */
static void every_kind(void **state)
{
    const weft_negatives how = {.count = 2, .seed = 1, .ids = IDS}, odd = {.count = 2, .ids = -1};
    stage s = stage_open(false);
    for (int kind = 0; kind < KINDS; kind++) {
        weft_player *player = player_of(&s, (weft_kind)kind);
        int64_t pairs[4], first[4] = {0};
        weft_answer answers[2];
        weft_drawn drawn = {.pairs = pairs, .answers = answers};
        bool other = false;
        for (int64_t k = 0; k < 20; k++) {
            assert_int_equal(
                weft_player_learn_event(player, &how, (const int64_t[]){0, 1}, NULL, &drawn, NULL), WEFT_OK);
            if (k == 0)
                memcpy(first, pairs, sizeof first);
            other = other || memcmp(first, pairs, sizeof first) != 0;
        }
        assert_true(other);
        weft_drawn nowhere = {0};
        assert_int_equal(weft_player_learn_event(player, &how, (const int64_t[]){0, 1}, NULL, &nowhere, NULL),
                         WEFT_ARGUMENT);
        assert_int_equal(weft_player_learn_event(player, &odd, (const int64_t[]){0, 1}, NULL, NULL, NULL),
                         WEFT_ARGUMENT);
        weft_player_free(player);
    }
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_of_an_event),
        cmocka_unit_test(the_same_by_seed_and_trial),
        cmocka_unit_test(every_subset_is_as_likely),
        cmocka_unit_test(one_set_keeps_an_end),
        cmocka_unit_test(refused),
        cmocka_unit_test(odds_are_multiplied),
        cmocka_unit_test(counts_give_the_probabilities),
        cmocka_unit_test(asked_before_they_are_learnt),
        cmocka_unit_test(by_a_record),
        cmocka_unit_test(every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
