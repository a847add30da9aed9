/* SPDX-License-Identifier: MIT
 * b >= lambda_max and log_trace >= log tr exp, against the eigensystem. */
#include "unit/test_core_support.h"

#include "learner/learner.h"
#include "support/naive.h"
#include "unit/test_spectral_support.h"

enum { N = 8 };

static void nothing_told(void **state)
{
    weft__spectral_bound bound = weft__spectral_bound_fresh(100);
    assert_true(bound.log_trace >= log(100));
    assert_near(bound.log_trace, log(100), 1e-13);
    assert_true(bound.weyl == 0);
    assert_true(weft__spectral_bound_value(&bound) == 0);
    bound.weyl = 50;
    assert_true(weft__spectral_bound_value(&bound) == bound.log_trace);
}

/* Dimensions in which A is 0 add 1 each to the trace and nothing to the top. */
static void more_room(void **state)
{
    weft__spectral_bound bound = {log(5), 1.5}, same = bound;
    weft__spectral_bound_widen(&same, 0);
    assert_true(same.log_trace == bound.log_trace);
    weft__spectral_bound_widen(&bound, 7);
    assert_true(bound.log_trace >= log(12) && bound.weyl == 1.5);
    assert_near(bound.log_trace, log(12), 1e-13);
}

/* log tr exp(A) and the largest eigenvalue of A = S C S over N dimensions. */
static void judge(const explicit_space *space, double *log_trace, double *top)
{
    double e[ROOM] = {0}, sum = 0;
    for (int64_t i = 0; i < space->order; i++) {
        memset(e, 0, sizeof e);
        e[i] = 1;
        explicit_answer answer = explicit_solve(space, e);
        *top = answer.top;
        sum += exp(answer.log_value);
    }
    *log_trace = log(sum);
}

/* K = I, so that x'exp(A)x for a pair is what explicit_solve says and the trace
 * is the sum over unit vectors. */
static void play_updates(uint64_t seed, double eta, bool both)
{
    explicit_space space = {.order = N};
    dice d = {seed};
    weft__spectral_bound bound = weft__spectral_bound_fresh(N);
    for (int64_t i = 0; i < N; i++)
        space.k[i * ROOM + i] = 1;
    for (int t = 0; t < 25; t++) {
        int64_t i = dice_below(&d, N), j = (i + 1 + dice_below(&d, N - 1)) % N;
        double c = dice_chance(&d, 0.5) ? eta : -eta, trace = 0, top = 0;
        weft__bracket bracket[2];
        weft__change change[2];
        for (int v = 0; v < 2; v++) {
            explicit_answer exact = explicit_solve_pair(&space, i, j, v == 0 ? 1 : -1);
            bracket[v] =
                (weft__bracket){.log_lower = exact.log_value - 1e-3, .log_upper = exact.log_value + 1e-3};
            change[v] = (weft__change){v == 0 ? c : -c, 2, &bracket[v]};
        }
        weft__spectral_bound_update(&bound, change, both ? 2 : 1);
        for (int v = 0; v < (both ? 2 : 1); v++)
            for (int64_t p = 0; p < 4; p++) {
                int64_t a = p / 2 ? i : j, b = p % 2 ? i : j;
                space.c[a * ROOM + b] += change[v].coefficient * (v == 1 && a != b ? -1 : 1);
            }
        judge(&space, &trace, &top);
        /* The judge rounds too: its zero may be 1e-18. */
        double slack = 1e-12 * (1 + fabs(top));
        assert_true(bound.log_trace >= trace - slack);
        assert_true(weft__spectral_bound_value(&bound) >= top - slack);
        assert_true(bound.weyl >= top - slack);
    }
}

static void updates_keep_it_above(void **state)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        play_updates(seed, 0.1, false);
        play_updates(seed, 0.1, true);
        play_updates(seed, 2, false);
    }
}

static void strange_changes_do_no_harm(void **state)
{
    weft__bracket bracket = {.log_lower = 3, .log_upper = 4};
    weft__spectral_bound fresh = weft__spectral_bound_fresh(4), bound = fresh;
    weft__change nothing = {1, 0, &bracket};
    weft__spectral_bound_update(&bound, &nothing, 1);
    assert_near(bound.log_trace, fresh.log_trace, 1e-13);
    assert_true(bound.weyl == 0);
    /* More is to be taken away than there is: nothing is. */
    weft__change much = {-10, 1, &bracket};
    weft__spectral_bound_update(&bound, &much, 1);
    assert_true(bound.log_trace >= fresh.log_trace && isfinite(bound.log_trace));
    weft__change huge = {1e4, 1, &bracket};
    weft__spectral_bound_update(&bound, &huge, 1);
    assert_true(bound.weyl >= 1e4 && bound.log_trace > fresh.log_trace);
}

/* ---- recomputing from the evidence ---- */

static weft_side *random_side(dice *d)
{
    double factor[N * N], kernel[N * N] = {0};
    weft_side *side = NULL;
    for (int k = 0; k < N * N; k++)
        factor[k] = dice_normal(d);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                kernel[i * N + j] += factor[i * N + k] * factor[j * N + k];
    assert_int_equal(weft_side_from_kernel(N, kernel, NULL, &side, NULL), WEFT_OK);
    return side;
}

static naive *judge_of(const weft_side *side, weft_form form, double eta, double *kernel)
{
    for (int k = 0; k < N * N; k++)
        kernel[k] = weft_side_entry(side, k / N, k % N);
    naive_side known = {N, kernel, weft_side_radius(side)};
    naive_setup setup = {form, 1, known, known, eta, 1};
    return naive_create(&setup);
}

static void recomputed(weft_form form, uint64_t seed, double eta)
{
    dice d = {seed};
    double kernel[N * N];
    weft_side *side = random_side(&d);
    naive *slow = judge_of(side, form, eta, kernel);
    weft_settings settings = {.form = form, .eta = eta, .gamma = 1, .dimension = 1};
    weft_player *learner = NULL;
    assert_int_equal(
        weft_learner_create(side, form == WEFT_ONE_SET ? NULL : side, &settings, NULL, &learner, NULL),
        WEFT_OK);
    for (int k = 0; k < 12; k++) {
        weft_evidence_entry entry = {dice_below(&d, N), dice_below(&d, N), dice_below(&d, 9) - 4};
        assert_int_equal(weft_player_add_evidence(learner, &entry, 1, NULL), WEFT_OK);
        naive_update(slow, entry.row, entry.column, (double)entry.count);
        double top = (double)naive_top(slow), b = weft_learner_spectral_bound(learner);
        /* The judge rounds too, under valgrind in double precision. */
        double slack = 1e-12 * (1 + fabs(top));
        assert_true(b >= top - slack);
        /* Perron and Frobenius see magnitudes only, but not without limit. */
        double most = 2 * eta * 4 * (k + 1);
        assert_true(b <= most + log(2 * N) + 1e-9);
        assert_true(weft__learner_in(learner)->bound.log_trace >= top - slack);
    }
    weft_player_free(learner);
    weft_side_free(side);
    naive_free(slow);
}

static void recomputing_stays_above(void **state)
{
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
            recomputed((weft_form)form, seed, 0.1);
            recomputed((weft_form)form, seed, 5);
        }
}

/* One pair on the identity: lambda_max is exactly eta |x|^2 count. */
static void recomputing_is_sharp_for_one_pair(void **state)
{
    weft_side *side = NULL;
    weft_player *learner = NULL;
    weft_settings settings = {.form = WEFT_PAPER, .eta = 0.5, .gamma = 1, .dimension = 1};
    weft_evidence_entry up = {1, 2, 6}, down = {1, 2, -12};
    assert_int_equal(weft_side_none(N, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(side, side, &settings, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_player_add_evidence(learner, &up, 1, NULL), WEFT_OK);
    assert_near(weft_learner_spectral_bound(learner), 3, 1e-6);
    assert_true(weft_learner_spectral_bound(learner) >= 3);
    assert_int_equal(weft_player_add_evidence(learner, &down, 1, NULL), WEFT_OK);
    assert_near(weft_learner_spectral_bound(learner), 0, 1e-12);
    weft_player_free(learner);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_told),
        cmocka_unit_test(more_room),
        cmocka_unit_test(updates_keep_it_above),
        cmocka_unit_test(strange_changes_do_no_harm),
        cmocka_unit_test(recomputing_stays_above),
        cmocka_unit_test(recomputing_is_sharp_for_one_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
