/* SPDX-License-Identifier: MIT
 * Learners of the compact engine are merged by adding their matrices, which the test reads from their states
 * and adds itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "weft_advanced.h"

enum { IDS = 7, SIGNS = 6 };

static weft_side *hashed(uint64_t seed)
{
    weft_side *side = NULL;
    weft_map map = {.hash = SIGNS, .seed = seed};
    weft_side_options options = {.map = &map};
    assert_int_equal(weft_side_none(IDS, &options, &side, NULL), WEFT_OK);
    return side;
}

static weft_settings settings_of(double floor, double half_life)
{
    return (weft_settings){.engine = WEFT_COMPACT,
                           .eta = 0.5,
                           .gamma = 0.5,
                           .dimension = 4,
                           .tolerance = 1e-6,
                           .rows = IDS,
                           .columns = IDS,
                           .floor = floor,
                           .half_life = half_life,
                           .seed = 1,
                           .deterministic = true};
}

static weft_player *taught(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                           int64_t from, int64_t to)
{
    weft_player *learner = NULL;
    weft_settings own = *settings;
    if (columns == NULL)
        own.columns = 0;
    assert_int_equal(weft_learner_create(rows, columns, &own, NULL, &learner, NULL), WEFT_OK);
    for (int64_t t = from; t < to; t++)
        assert_int_equal(weft_player_learn(learner, t % IDS, (t * 3 + t / IDS) % IDS,
                                           (t * t + t / 5) % 3 == 0 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    return learner;
}

/* A = factor a, the last numbers of a state: factor, drift, the upper triangle of a. */
static int64_t matrix_of(const weft_player *learner, int64_t d, double *a)
{
    int64_t count = d * (d + 1) / 2;
    unsigned char *bytes = NULL;
    double factor;
    size_t size = 0;
    assert_int_equal(weft_player_write(learner, NULL, &size, NULL), WEFT_OK);
    bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_write(learner, bytes, &size, NULL), WEFT_OK);
    const unsigned char *last = bytes + size - (size_t)count * sizeof *a;
    memcpy(a, last, (size_t)count * sizeof *a);
    memcpy(&factor, last - 2 * sizeof factor, sizeof factor);
    for (int64_t k = 0; k < count; k++)
        a[k] *= factor;
    free(bytes);
    return count;
}

static double margin_of(weft_player *learner, int64_t i, int64_t j)
{
    weft_answer p;
    assert_int_equal(weft_player_evaluate(learner, i, j, 1e-9, &p, NULL), WEFT_OK);
    assert_true(p.lower <= p.margin && p.margin <= p.upper);
    return p.margin;
}

static void matrices_and_counters_are_sums(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++)
        for (int fades = 0; fades < 2; fades++) {
            weft_side *rows = hashed(3), *columns = one_set ? NULL : hashed(4);
            weft_settings settings = settings_of(0, fades ? 30 : 0);
            weft_player *a = taught(rows, columns, &settings, 0, 40);
            weft_player *b = taught(rows, columns, &settings, 40, 100), *swapped = NULL;
            double first[SIGNS * (2 * SIGNS + 1)], second[sizeof first / sizeof *first];
            double sum[sizeof first / sizeof *first];
            int64_t count = matrix_of(a, one_set ? SIGNS : 2 * SIGNS, first);
            matrix_of(b, one_set ? SIGNS : 2 * SIGNS, second);
            weft_counters of_a = weft_player_counters(a), of_b = weft_player_counters(b);
            assert_int_equal(weft_player_clone(b, &swapped, NULL), WEFT_OK);
            assert_int_equal(weft_player_merge(swapped, a, NULL), WEFT_OK);
            double before = margin_of(a, 1, 2);
            assert_int_equal(weft_player_merge(a, b, NULL), WEFT_OK);
            matrix_of(a, one_set ? SIGNS : 2 * SIGNS, sum);
            for (int64_t k = 0; k < count; k++)
                assert_true(fabs(sum[k] - (first[k] + second[k])) <= 1e-14 * (1 + fabs(sum[k])));
            assert_true(margin_of(a, 1, 2) != before);
            for (int64_t i = 0; i < IDS; i++)
                for (int64_t j = 0; j < IDS; j++)
                    assert_true(fabs(margin_of(a, i, j) - margin_of(swapped, i, j)) <=
                                1e-8 * (1 + fabs(margin_of(a, i, j))));
            weft_counters c = weft_player_counters(a);
            assert_true(c.t == of_a.t + of_b.t && c.updates == of_a.updates + of_b.updates);
            weft_player_free(swapped);
            weft_player_free(a);
            weft_player_free(b);
            weft_side_free(rows);
            weft_side_free(columns);
        }
}

/* Merged into one that has learnt nothing, it is what it was. */
static void nothing_adds_nothing(void **state)
{
    weft_side *rows = hashed(3), *columns = hashed(4);
    weft_settings settings = settings_of(64, 0);
    weft_player *a = taught(rows, columns, &settings, 0, 50), *fresh = taught(rows, columns, &settings, 0, 0);
    assert_int_equal(weft_player_merge(fresh, a, NULL), WEFT_OK);
    for (int64_t i = 0; i < IDS; i++)
        for (int64_t j = 0; j < IDS; j++)
            assert_true(fabs(margin_of(a, i, j) - margin_of(fresh, i, j)) <= 1e-8);
    weft_player_free(a);
    weft_player_free(fresh);
    weft_side_free(rows);
    weft_side_free(columns);
}

/* The sum of two matrices above their floors can be below it. */
static void a_sum_is_held_at_the_floor(void **state)
{
    weft_side *rows = hashed(3), *columns = hashed(4);
    weft_settings low = settings_of(0, 0), held = settings_of(1, 0);
    low.eta = held.eta = 4;
    weft_player *free_a = taught(rows, columns, &low, 0, 30), *free_b = taught(rows, columns, &low, 30, 60);
    weft_player *a = taught(rows, columns, &held, 0, 30), *b = taught(rows, columns, &held, 30, 60);
    double loose[SIGNS * (2 * SIGNS + 1)], tight[sizeof loose / sizeof *loose];
    assert_int_equal(weft_player_merge(free_a, free_b, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge(a, b, NULL), WEFT_OK);
    int64_t count = matrix_of(free_a, 2 * SIGNS, loose);
    double least[2] = {0, 0};
    matrix_of(a, 2 * SIGNS, tight);
    /* The least entry of the diagonal is at least the least eigenvalue: -1, and 1 of slack. */
    for (int64_t k = 0, i = 0; k < count; k += 2 * SIGNS - i++) {
        least[0] = fmin(least[0], loose[k]);
        least[1] = fmin(least[1], tight[k]);
    }
    assert_true(least[0] < -2.5 && least[1] >= -2 - 1e-5);
    weft_player_free(free_a);
    weft_player_free(free_b);
    weft_player_free(a);
    weft_player_free(b);
    weft_side_free(rows);
    weft_side_free(columns);
}

static void what_does_not_go_together_is_refused(void **state)
{
    weft_side *rows = hashed(3), *columns = hashed(4), *other = hashed(5);
    weft_settings settings = settings_of(64, 0), floor = settings_of(32, 0), fades = settings_of(64, 9);
    weft_settings exact = settings, faster = settings;
    exact.engine = WEFT_KRYLOV;
    faster.eta = 2;
    weft_player *a = taught(rows, columns, &settings, 0, 20);
    weft_player *wrong[] = {taught(rows, columns, &floor, 0, 20), taught(rows, columns, &fades, 0, 20),
                            taught(rows, columns, &faster, 0, 20), taught(rows, other, &settings, 0, 20),
                            taught(rows, columns, &exact, 0, 20)};
    static const char *const words[] = {"floors", "half-lives", "eta", "feature maps", "keeps a matrix"};
    double before = margin_of(a, 2, 3);
    weft_counters c = weft_player_counters(a);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_error error = {0};
        bool engine = k + 1 == sizeof wrong / sizeof *wrong;
        assert_int_equal(weft_player_merge(a, wrong[k], &error), engine ? WEFT_UNSUPPORTED : WEFT_ARGUMENT);
        assert_non_null(strstr(error.message, words[k]));
        assert_true(margin_of(a, 2, 3) == before);
        assert_int_equal(weft_player_counters(a).t, c.t);
        weft_player_free(wrong[k]);
    }
    weft_player_free(a);
    weft_side_free(rows);
    weft_side_free(columns);
    weft_side_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_and_counters_are_sums),
        cmocka_unit_test(nothing_adds_nothing),
        cmocka_unit_test(a_sum_is_held_at_the_floor),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
