/* SPDX-License-Identifier: MIT
 *
 * Degenerate inputs give finite margins, right ones where the judge can say
 * so, or a clear error; never NaN, a hang or a crash.  Each in all three forms
 * where it applies. */

#include "support/test.h"

#include "support/dice.h"
#include "support/effort.h"
#include "support/naive.h"

enum { SIZE = 5, FORMS = 3 };

/* ---- a game: a learner and the judge over the same kernel on both sides ---- */

typedef struct game {
    weft_side *side;
    weft_player *learner;
    naive *judge;
    double kernel[SIZE * SIZE];
    weft_settings settings;
} game;

static double radius_of(const double *kernel)
{
    double radius = 0;
    for (int64_t i = 0; i < SIZE; i++)
        radius = fmax(radius, kernel[i * (SIZE + 1)]);
    return radius;
}

/* False where the library refuses the kernel, which must be with clear words. */
static bool game_open(game *g)
{
    weft_error error = {0};
    bool one_set = g->settings.form == WEFT_ONE_SET;
    weft_status status = weft_side_from_kernel(SIZE, g->kernel, NULL, &g->side, &error);
    if (status != WEFT_OK) {
        assert_true(strlen(error.message) > 10);
        return false;
    }
    status = weft_learner_create(g->side, one_set ? NULL : g->side, &g->settings, NULL, &g->learner, &error);
    if (status != WEFT_OK)
        fail_msg("%s", error.message);
    naive_side side = {SIZE, g->kernel, radius_of(g->kernel)};
    double ids = one_set ? SIZE : 2 * SIZE;
    naive_setup setup = {g->settings.form, 1, side, side, g->settings.eta, g->settings.dimension / ids};
    g->judge = naive_create(&setup);
    return true;
}

static void game_close(game *g)
{
    weft_player_free(g->learner);
    weft_side_free(g->side);
    naive_free(g->judge);
}

static weft_settings settings_of(weft_form form, weft_updates updates, double eta, double gamma,
                                 double dimension)
{
    return (weft_settings){.form = form,
                           .updates = updates,
                           .precision = WEFT_MIXED,
                           .eta = eta,
                           .gamma = gamma,
                           .dimension = dimension,
                           .tolerance = 0.02,
                           .seed = 3};
}

static void assert_finite(const weft_answer *got)
{
    assert_true(isfinite(got->lower) && isfinite(got->margin) && isfinite(got->upper));
    assert_true(got->lower <= got->margin && got->margin <= got->upper);
    assert_true(fabs(got->margin) <= WEFT_MARGIN_LIMIT);
    assert_true(got->probability >= 0 && got->probability <= 1);
}

static void assert_holds(const char *name, const weft_answer *got, long double exact)
{
    assert_finite(got);
    exact = fmaxl(-WEFT_MARGIN_LIMIT, fminl(WEFT_MARGIN_LIMIT, exact));
    long double slack = 1e-9L * fmaxl(1, fabsl(exact));
    if (!(got->lower - slack <= exact && exact <= got->upper + slack))
        fail_msg("%s: margin %.17Lg outside [%.17g, %.17g]", name, exact, got->lower, got->upper);
    if (got->label != (exact >= got->threshold ? 1 : -1) && fabsl(exact - got->threshold) > 1e-9L)
        fail_msg("%s: prediction %d for margin %.17Lg and threshold %.17g", name, got->label, exact,
                 got->threshold);
}

static weft_answer learn(const char *name, game *g, int64_t i, int64_t j, int label)
{
    weft_error error = {0};
    weft_answer outcome;
    long double exact = naive_margin(g->judge, i, j);
    if (weft_player_learn(g->learner, i, j, label, &outcome, &error) != WEFT_OK)
        fail_msg("%s: %s", name, error.message);
    assert_holds(name, &outcome, exact);
    if (outcome.updated)
        naive_update(g->judge, i, j, label);
    double bound = weft_learner_spectral_bound(g->learner);
    long double top = naive_top(g->judge);
    if (!(top <= bound + 1e-9L * fmaxl(1, fabsl(top))))
        fail_msg("%s: lambda_max %.17Lg above b %.17g", name, top, bound);
    return outcome;
}

/* ---- kernels ---- */

typedef void fill_kernel(double *kernel);

static void outer(double *kernel, const double *factor, int64_t rank)
{
    memset(kernel, 0, SIZE * SIZE * sizeof *kernel);
    for (int64_t i = 0; i < SIZE; i++)
        for (int64_t j = 0; j < SIZE; j++)
            for (int64_t k = 0; k < rank; k++)
                kernel[i * SIZE + j] += factor[i * rank + k] * factor[j * rank + k];
}

static void fill_rank_one(double *kernel)
{
    static const double factor[SIZE] = {1, -2, 0.5, 3, 0.1};
    outer(kernel, factor, 1);
}

static void fill_random(double *kernel)
{
    double factor[SIZE * SIZE];
    dice d = {99};
    for (int64_t k = 0; k < SIZE * SIZE; k++)
        factor[k] = dice_normal(&d);
    outer(kernel, factor, SIZE);
}

static void fill_zero_row(double *kernel)
{
    fill_random(kernel);
    for (int64_t k = 0; k < SIZE; k++)
        kernel[2 * SIZE + k] = kernel[k * SIZE + 2] = 0;
}

static void fill_duplicates(double *kernel)
{
    double factor[SIZE * 3];
    dice d = {98};
    for (int64_t k = 0; k < SIZE * 3; k++)
        factor[k] = k < 6 ? dice_normal(&d) : factor[k % 6];
    outer(kernel, factor, 3);
}

static void fill_nearly_singular(double *kernel)
{
    for (int64_t i = 0; i < SIZE; i++)
        for (int64_t j = 0; j < SIZE; j++)
            kernel[i * SIZE + j] = 1 + (i == j ? 1e-13 * (double)(i + 1) : 0);
}

static void fill_one_big(double *kernel)
{
    memset(kernel, 0, SIZE * SIZE * sizeof *kernel);
    for (int64_t i = 0; i < SIZE; i++)
        kernel[i * (SIZE + 1)] = i == 0 ? 1 : 1e-12;
}

static void scale(double *kernel, double factor)
{
    fill_random(kernel);
    double radius = radius_of(kernel);
    for (int64_t k = 0; k < SIZE * SIZE; k++)
        kernel[k] = kernel[k] / radius * factor;
}

static void fill_tiny(double *kernel)
{
    scale(kernel, 1e-300);
}

static void fill_huge(double *kernel)
{
    scale(kernel, 1e300);
}

static void fill_extremes(double *kernel)
{
    static const double diagonal[SIZE] = {1e300, 1e-300, 1, 1e150, 1e-150};
    memset(kernel, 0, SIZE * SIZE * sizeof *kernel);
    for (int64_t i = 0; i < SIZE; i++)
        kernel[i * (SIZE + 1)] = diagonal[i];
}

static const struct {
    const char *name;
    fill_kernel *fill;
    bool may_be_refused;
} kernels[] = {
    {"rank-one kernel", fill_rank_one, false},
    {"zero row", fill_zero_row, false},
    {"duplicate rows", fill_duplicates, false},
    {"nearly singular kernel", fill_nearly_singular, false},
    {"one diagonal far above the others", fill_one_big, false},
    {"entries of 1e-300", fill_tiny, true},
    {"entries of 1e300", fill_huge, true},
    {"entries from 1e-300 to 1e300", fill_extremes, true},
};

/* ---- kernels, settings and labels together ---- */

static int label_of(int style, int64_t t, dice *d)
{
    switch (style) {
    case 0:
        return t % 2 ? 1 : -1;
    case 1:
        return -1;
    case 2:
        return 1;
    default:
        return dice_chance(d, 0.5) ? 1 : -1;
    }
}

static void play_kernel(size_t which, weft_settings settings, int style)
{
    enum { TRIALS = 60 };
    game g = {.settings = settings};
    char name[128];
    snprintf(name, sizeof name, "%s, form %d, updates %d, eta %g, labels %d", kernels[which].name,
             (int)settings.form, (int)settings.updates, settings.eta, style);
    kernels[which].fill(g.kernel);
    if (!game_open(&g)) {
        if (!kernels[which].may_be_refused)
            fail_msg("%s: refused", name);
        return;
    }
    dice d = {17};
    for (int64_t t = 0; t < TRIALS; t++) {
        int64_t i = dice_below(&d, SIZE), j = dice_below(&d, SIZE);
        learn(name, &g, i, j, label_of(style, t, &d));
    }
    game_close(&g);
}

static void test_kernels(void **state)
{
    static const double etas[] = {0.3, 10};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int form = 0; form < FORMS; form++)
            for (int updates = 0; updates < 2; updates++)
                for (int style = 0; style < 4; style++) {
                    double eta = etas[style % 2];
                    play_kernel(k, settings_of((weft_form)form, (weft_updates)updates, eta, 1, 1), style);
                    eta = etas[1 - style % 2];
                    play_kernel(k, settings_of((weft_form)form, (weft_updates)updates, eta, 0.4, SIZE),
                                style);
                }
}

static void test_nothing_but_zeros_is_refused(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    double kernel[SIZE * SIZE] = {0};
    assert_int_not_equal(weft_side_from_kernel(SIZE, kernel, NULL, &side, &error), WEFT_OK);
    assert_null(side);
    assert_true(strlen(error.message) > 10);
}

static void test_a_nan_is_refused(void **state)
{
    weft_side *side = NULL;
    weft_error error = {0};
    double kernel[SIZE * SIZE];
    fill_random(kernel);
    kernel[7] = NAN;
    assert_int_not_equal(weft_side_from_kernel(SIZE, kernel, NULL, &side, &error), WEFT_OK);
    assert_int_equal(error.at[0], 1);
    assert_int_equal(error.at[1], 2);
}

/* ---- one pair, many times ---- */

/* The label that moves the quadratic form towards 0, so that with gamma = 1
 * every trial updates: -1, and with one set of ids +1. */
static void test_one_pair_for_ever(void **state)
{
    const int64_t times = fewer(100000, 20000);
    for (int form = 0; form < FORMS; form++) {
        game g = {.settings = settings_of((weft_form)form, WEFT_MARGIN_UPDATES, 10, 1, 2 * SIZE)};
        weft_answer outcome = {0};
        int label = form == WEFT_ONE_SET ? 1 : -1;
        fill_random(g.kernel);
        assert_true(game_open(&g));
        for (int64_t t = 0; t < times; t++) {
            assert_int_equal(weft_player_learn(g.learner, 1, 3, label, &outcome, NULL), WEFT_OK);
            assert_finite(&outcome);
            /* The balanced form reaches its margin at once and stops. */
            if (form != WEFT_BALANCED && !outcome.updated)
                fail_msg("form %d, time %lld: no update, margin %.17g", form, (long long)t, outcome.margin);
        }
        naive_update(g.judge, 1, 3, (double)label * (double)weft_player_counters(g.learner).updates);
        for (int64_t i = 0; i < SIZE; i++)
            learn("after one pair for ever", &g, i, (i + 2) % SIZE, i % 2 ? 1 : -1);
        game_close(&g);
    }
}

/* The same by merge, with either sign; the judge knows exponents of a million. */
static void test_one_pair_merged(void **state)
{
    static const int64_t counts[] = {100000, -100000, 10000, -10000, 300, -300};
    for (int form = 0; form < FORMS; form++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            game g = {.settings = settings_of((weft_form)form, WEFT_MISTAKE_UPDATES, k % 2 ? 10 : 0.1, 1, 1)};
            weft_evidence_entry entry = {1, 3, counts[k]};
            weft_answer got;
            fill_random(g.kernel);
            assert_true(game_open(&g));
            assert_int_equal(weft_player_add_evidence(g.learner, &entry, 1, NULL), WEFT_OK);
            for (int64_t i = 0; i < SIZE; i++)
                for (int64_t j = 0; j < SIZE; j++) {
                    assert_int_equal(weft_player_predict(g.learner, i, j, &got, NULL), WEFT_OK);
                    assert_finite(&got);
                }
            naive_update(g.judge, 1, 3, (double)counts[k]);
            assert_int_equal(weft_player_predict(g.learner, 1, 3, &got, NULL), WEFT_OK);
            assert_holds("one pair merged", &got, naive_margin(g.judge, 1, 3));
            assert_true(naive_top(g.judge) <=
                        weft_learner_spectral_bound(g.learner) + 1e-9L * fabsl(naive_top(g.judge)));
            game_close(&g);
        }
}

/* Nothing but +1 with eta = 10, and labels that change every time. */
static void test_large_steps(void **state)
{
    for (int form = 0; form < FORMS; form++)
        for (int style = 0; style < 3; style++) {
            game g = {.settings = settings_of((weft_form)form, WEFT_MISTAKE_UPDATES, 10, 1, 1)};
            fill_random(g.kernel);
            assert_true(game_open(&g));
            for (int64_t t = 0; t < 300; t++)
                learn("eta = 10", &g, 0, 1, label_of(style, t, NULL));
            game_close(&g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),          cmocka_unit_test(test_nothing_but_zeros_is_refused),
        cmocka_unit_test(test_a_nan_is_refused), cmocka_unit_test(test_one_pair_for_ever),
        cmocka_unit_test(test_one_pair_merged),  cmocka_unit_test(test_large_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
