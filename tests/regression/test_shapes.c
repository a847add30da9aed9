/* SPDX-License-Identifier: MIT
 *
 * Degenerate shapes: one row, one column, and 20,000 columns of which nothing
 * is known, where only those with evidence may cost anything. */

#include "support/test.h"

#include "support/dice.h"
#include "support/naive.h"

static weft_settings settings_of(weft_form form, weft_updates updates, double dimension)
{
    return (weft_settings){.form = form,
                           .updates = updates,
                           .eta = 1.5,
                           .gamma = 0.7,
                           .dimension = dimension,
                           .tolerance = 0.02,
                           .seed = 3};
}

static void assert_finite(const weft_answer *got)
{
    assert_true(isfinite(got->lower) && isfinite(got->margin) && isfinite(got->upper));
    assert_true(got->lower <= got->margin && got->margin <= got->upper);
}

static void assert_holds(const weft_answer *got, long double exact)
{
    long double slack = 1e-9L * fmaxl(1, fabsl(exact));
    assert_finite(got);
    assert_true(got->lower - slack <= exact && exact <= got->upper + slack);
    assert_true(got->label == (exact >= got->threshold ? 1 : -1) || fabsl(exact - got->threshold) < 1e-9L);
}

/* m x n ids of which nothing is known; the judge sees only those that are
 * used: a of the rows, b of the columns, spread over the whole range. */
static void play_wide(int64_t m, int64_t n, int64_t a, int64_t b, weft_form form)
{
    weft_side *rows = NULL, *columns = NULL;
    weft_player *learner = NULL;
    weft_error error = {0};
    weft_settings settings = settings_of(form, WEFT_MARGIN_UPDATES, (double)(m + n));
    bool one_set = form == WEFT_ONE_SET;
    dice d = {5};
    int64_t most = a > b ? a : b, stride_m = m / a, stride_n = n / b;
    double *kernel = naive_new(most * most, sizeof *kernel);
    for (int64_t k = 0; k < most; k++)
        kernel[k * (most + 1)] = 1;
    naive_setup setup = {.form = form,
                         .algorithm = 2,
                         .rows = {most, kernel, 1},
                         .columns = {most, kernel, 1},
                         .eta = 1.5,
                         .kappa = one_set ? (double)(m + n) / (double)m : 1};
    naive *judge = naive_create(&setup);
    assert_int_equal(weft_side_none(m, NULL, &rows, &error), WEFT_OK);
    assert_int_equal(weft_side_none(n, NULL, &columns, &error), WEFT_OK);
    assert_int_equal(weft_learner_create(rows, one_set ? NULL : columns, &settings, NULL, &learner, &error),
                     WEFT_OK);
    for (int64_t t = 0; t < 120; t++) {
        int64_t i = dice_below(&d, a), j = dice_below(&d, b);
        int label = dice_chance(&d, 0.5) ? 1 : -1;
        weft_answer outcome;
        assert_int_equal(weft_player_learn(learner, i * stride_m, j * (one_set ? stride_m : stride_n), label,
                                           &outcome, &error),
                         WEFT_OK);
        assert_holds(&outcome, naive_margin(judge, i, j));
        if (outcome.updated)
            naive_update(judge, i, j, label);
    }
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
    naive_free(judge);
    free(kernel);
}

static void test_shapes(void **state)
{
    play_wide(1, 5, 1, 5, WEFT_PAPER);
    play_wide(1, 5, 1, 5, WEFT_BALANCED);
    play_wide(2, 1, 2, 1, WEFT_PAPER);
    play_wide(2, 1, 2, 1, WEFT_BALANCED);
    play_wide(3, 3, 3, 3, WEFT_ONE_SET);
    play_wide(3, 20000, 3, 12, WEFT_PAPER);
    play_wide(3, 20000, 3, 12, WEFT_BALANCED);
    play_wide(20000, 1, 9, 1, WEFT_PAPER);
    play_wide(20000, 20000, 8, 8, WEFT_ONE_SET);
}

/* Evidence in many of 20,000 columns: the cost is that of the evidence. */
static void test_many_columns_with_evidence(void **state)
{
    enum { COLUMNS = 20000 };
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        bool one_set = form == WEFT_ONE_SET;
        weft_side *rows = NULL, *columns = NULL;
        weft_player *learner = NULL;
        weft_settings settings = settings_of((weft_form)form, WEFT_MISTAKE_UPDATES, COLUMNS + 2);
        assert_int_equal(weft_side_none(one_set ? COLUMNS : 2, NULL, &rows, NULL), WEFT_OK);
        assert_int_equal(weft_side_none(COLUMNS, NULL, &columns, NULL), WEFT_OK);
        assert_int_equal(weft_learner_create(rows, one_set ? NULL : columns, &settings, NULL, &learner, NULL),
                         WEFT_OK);
        for (int64_t j = 0; j < COLUMNS; j += 11) {
            weft_answer outcome;
            assert_int_equal(weft_player_learn(learner, j % 2, j, j % 3 ? 1 : -1, &outcome, NULL), WEFT_OK);
            assert_finite(&outcome);
        }
        weft_player_free(learner);
        weft_side_free(rows);
        weft_side_free(columns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_many_columns_with_evidence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
