/* SPDX-License-Identifier: MIT
 * The parts of a ranking in the compact engine one by one: projections, decompositions, both ends
 * of a bracket where rounding is all that there is to it, what is refused, and that nothing is kept
 * in files.  tests/property/test_rank_compact.c has the whole. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_support.h"

#include "learner/rank/ranker.h"
#include "support/dice.h"
#include "support/naive.h"
#include "weft_files.h"

enum { N = 21, IDS = 24 };

/* ---- linear algebra ---- */

static void projections_are_inner_products(void **state)
{
    dice d = {1};
    double a[N * WEFT__LANES], x[N], y[WEFT__LANES];
    for (int k = 0; k < N * WEFT__LANES; k++)
        a[k] = dice_normal(&d);
    for (int i = 0; i < N; i++)
        x[i] = dice_normal(&d);
    weft__project(N, a, x, y);
    for (int l = 0; l < WEFT__LANES; l++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += a[i * WEFT__LANES + l] * x[i];
        assert_true(fabs(y[l] - sum) <= 1e-13);
    }
}

static double entry(const weft__eigen *eigen, const double *weight, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t k = 0; k < eigen->n; k++)
        sum += weight[k] * eigen->vector[k * eigen->stride + i] * eigen->vector[k * eigen->stride + j];
    return sum;
}

/* A = sum value v v', and a part of sum weight v v'. */
static void a_matrix_is_taken_apart_and_put_together(void **state)
{
    enum { FIRST = 5, PART = 9 };
    dice d = {2};
    weft__eigen eigen = {0}, part = {0};
    weft_memory memory = weft__memory_or_default(NULL);
    double a[N][N], weight[N];
    bool found = false;
    assert_int_equal(weft__eigen_create(&memory, N, &eigen, NULL), WEFT_OK);
    assert_int_equal(weft__eigen_create(&memory, PART, &part, NULL), WEFT_OK);
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            a[i][j] = eigen.vector[i * eigen.stride + j] = dice_normal(&d);
    assert_int_equal(weft__eigen_find(&eigen, &memory, &found, NULL), WEFT_OK);
    assert_true(found);
    for (int i = 0; i < N; i++) {
        weight[i] = exp(eigen.value[i]);
        assert_true(i == 0 || eigen.value[i - 1] <= eigen.value[i]);
        for (int j = i; j < N; j++)
            assert_true(fabs(entry(&eigen, eigen.value, i, j) - a[i][j]) < 1e-12);
        for (int64_t k = N; k < eigen.stride; k++)
            assert_true(eigen.vector[i * eigen.stride + k] == 0);
    }
    assert_int_equal(weft__eigen_compose(&eigen, weight, FIRST, &memory, &part, NULL), WEFT_OK);
    for (int i = 0; i < PART; i++)
        for (int j = i; j < PART; j++)
            assert_true(fabs(part.vector[i * part.stride + j] - entry(&eigen, weight, FIRST + i, FIRST + j)) <
                        1e-11 * weight[N - 1]);
    weft__eigen_release(&eigen, &memory);
    weft__eigen_release(&part, &memory);
}

/* Entries that are not finite: the caller says so. */
static void no_decomposition_is_no_error(void **state)
{
    weft__eigen eigen = {0};
    weft_memory memory = weft__memory_or_default(NULL);
    bool found = true;
    assert_int_equal(weft__eigen_create(&memory, N, &eigen, NULL), WEFT_OK);
    for (int64_t k = 0; k < N; k++)
        eigen.vector[k * eigen.stride + k] = NAN;
    assert_int_equal(weft__eigen_find(&eigen, &memory, &found, NULL), WEFT_OK);
    assert_false(found);
    weft__eigen_release(&eigen, &memory);
}

/* ---- brackets ---- */

static weft_player *make_learner(const weft_side *side, weft_form form)
{
    weft_player *learner = NULL;
    weft_settings settings = weft_settings_default(IDS + 2, form == WEFT_ONE_SET ? 0 : IDS + 2, 100);
    settings.form = form;
    settings.engine = WEFT_COMPACT;
    assert_int_equal(
        weft_learner_create(side, form == WEFT_ONE_SET ? NULL : side, &settings, NULL, &learner, NULL),
        WEFT_OK);
    return learner;
}

/* Every id a class of its own: features are unit vectors. */
static weft_side *make_side(int64_t ids)
{
    weft_side *side = NULL;
    int64_t class_of[IDS];
    for (int64_t k = 0; k < ids; k++)
        class_of[k] = k;
    assert_int_equal(weft_side_from_classes(ids, class_of, 0, NULL, &side, NULL), WEFT_OK);
    return side;
}

/* Modest but for one coordinate of each side, which the others are hardly coupled to: rounding is
 * relative to exp(16), and margins are about 1. */
static void plant_matrix(dice *d, weft_player *learner)
{
    weft__compact *compact = weft__learner_in(learner)->compact;
    for (int64_t i = 0; i < compact->d; i++)
        for (int64_t j = i; j < compact->d; j++)
            weft__compact_set(compact, i, j,
                              i % IDS != 0   ? 0.2 * dice_normal(d)
                              : i == j       ? 16
                              : j % IDS == 0 ? 0
                                             : 1e-3 * dice_normal(d));
    weft__compact_settle(compact, 1, 0);
    weft__learner_rebound(weft__learner_in(learner));
    weft__learner_in(learner)->revision++;
}

/* exp(A) in extended precision: out, d x d. */
static void exponentiate(const weft__compact *compact, long double *out)
{
    int64_t d = compact->d;
    long double *work = naive_new(2 * d * d + d, sizeof *work), *vectors = work + d * d;
    long double *values = vectors + d * d;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            work[i * d + j] = weft__compact_entry(compact, i < j ? i : j, i < j ? j : i);
    naive_eigen(d, work, values, vectors);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t k = 0; k < d; k++)
                out[i * d + j] += expl(values[k]) * vectors[k * d + i] * vectors[k * d + j];
    free(work);
}

/* |computed - exact| of F / exp(top) */
static long double error_of(const weft__spectrum *spectrum, const long double *f)
{
    enum { MOST = 4 };
    int64_t d = spectrum->eigen.n, n = spectrum->eigen.stride;
    long double difference[MOST * MOST], values[MOST], vectors[MOST * MOST], norm = 0;
    for (int64_t j = 0; j < d; j++) {
        _Alignas(64) double x[WEFT__LANES] = {0}, y[WEFT__LANES];
        assert_true(d <= MOST && n == WEFT__LANES);
        x[j] = 1;
        weft__spectrum_act(spectrum, x, y);
        for (int64_t i = 0; i < d; i++)
            difference[i * d + j] = y[i] - f[i * d + j] / expl(spectrum->top);
    }
    naive_eigen(d, difference, values, vectors);
    for (int64_t k = 0; k < d; k++)
        norm = fmaxl(norm, fabsl(values[k]));
    return norm;
}

/* Where A is large and of few rows, the rounding of few operations is all that there is. */
static void small_matrices_err_within_what_is_allowed(void **state)
{
    for (int64_t ids = 2; ids <= 4; ids++) {
        weft_side *side = make_side(ids);
        weft_player *learner = make_learner(side, WEFT_ONE_SET);
        weft__spectrum *spectrum = NULL;
        long double f[16], worst = 0;
        assert_int_equal(weft__spectrum_create(weft__learner_in(learner), &spectrum, NULL), WEFT_OK);
        for (uint64_t draw = 0; draw < 1000; draw++) {
            dice d = {draw};
            for (int64_t i = 0; i < ids; i++)
                for (int64_t j = i; j < ids; j++)
                    weft__compact_set(weft__learner_in(learner)->compact, i, j,
                                      dice_normal(&d) * dice_log_between(&d, 1e-14, 300));
            weft__compact_settle(weft__learner_in(learner)->compact, 1, 0);
            weft__learner_in(learner)->revision++;
            assert_int_equal(weft__spectrum_fit(spectrum, 0, false, NULL, NULL), WEFT_OK);
            memset(f, 0, sizeof f);
            exponentiate(weft__learner_in(learner)->compact, f);
            worst = fmaxl(worst, error_of(spectrum, f) / spectrum->error);
        }
        if (worst > 1)
            fail_msg("%lld: %Lg of what is allowed", (long long)ids, worst);
        weft__spectrum_free(spectrum);
        weft_player_free(learner);
        weft_side_free(side);
    }
}

/* Unit vectors: entries of F are all there is to a margin. */
static long double exact_margin(const weft_player *learner, const long double *f, int64_t row, int64_t column)
{
    const weft__compact *compact = weft__learner_in(learner)->compact;
    int64_t i = row, j = compact->offset + column, d = compact->d;
    long double kappa = (long double)weft__learner_in(learner)->settings.dimension /
                        (long double)weft__learner_in(learner)->dimensions;
    long double own = f[i * d + i] + f[j * d + j], cross = 2 * f[i * d + j];
    switch (weft__learner_in(learner)->settings.form) {
    case WEFT_PAPER:
        return kappa * (own + cross) / 2 - 1;
    case WEFT_BALANCED:
        return kappa * cross / 2;
    default:
        return 1 - kappa * (own - cross) / 4;
    }
}

static void rounding_is_in_both_ends(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        dice d = {7};
        weft_side *side = make_side(IDS);
        weft_player *learner = make_learner(side, (weft_form)form);
        weft_ranked ranked[IDS];
        int64_t candidates[IDS], found = 0;
        plant_matrix(&d, learner);
        long double *f = naive_new(
            weft__learner_in(learner)->compact->d * weft__learner_in(learner)->compact->d, sizeof *f);
        exponentiate(weft__learner_in(learner)->compact, f);
        for (int64_t k = 0; k < IDS; k++)
            candidates[k] = k;
        for (int64_t id = 1; id < 2 * IDS; id++) {
            weft_query query = {.column = id >= IDS,
                                .id = id % IDS,
                                .candidates = candidates,
                                .candidate_count = IDS,
                                .most = IDS,
                                .tolerance = 0.1};
            assert_int_equal(weft_player_rank(learner, &query, ranked, &found, NULL), WEFT_OK);
            assert_int_equal(weft__learner_in(learner)->ranker->spectrum->effort.evaluated, 0);
            for (int64_t k = 0; k < found; k++) {
                int64_t pair[2] = {id % IDS, ranked[k].id};
                long double exact = exact_margin(learner, f, pair[query.column], pair[!query.column]);
                assert_true(ranked[k].answer.lower - 1e-15L <= exact &&
                            exact <= ranked[k].answer.upper + 1e-15L);
            }
        }
        free(f);
        weft_player_free(learner);
        weft_side_free(side);
    }
}

/* Levels of q that are too small to write: those who share the features of the id come first,
 * although their brackets say no more than -1e300 to 1, and came when others were sure of -1e300. */
static void equals_stand_before_what_is_huge(void **state)
{
    static const int64_t class_of[] = {0, 1, 2, 3, 4, 5, 0, 0}, candidates[] = {1, 2, 3, 4, 5, 6, 7, 0};
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_classes(8, class_of, 0, NULL, &side, NULL), WEFT_OK);
    weft_player *learner = make_learner(side, WEFT_ONE_SET);
    weft_ranked ranked[4];
    int64_t found = 0;
    for (int64_t i = 0; i < weft__learner_in(learner)->compact->d; i++)
        weft__compact_set(weft__learner_in(learner)->compact, i, i, 1500);
    weft__compact_settle(weft__learner_in(learner)->compact, 1, 0);
    weft__learner_rebound(weft__learner_in(learner));
    weft_query query = {.candidates = candidates, .candidate_count = 8, .most = 4, .tolerance = 1e-6};
    assert_int_equal(weft_player_rank(learner, &query, ranked, &found, NULL), WEFT_OK);
    static const int64_t expected[] = {6, 7, 0, 1};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(ranked[k].id, expected[k]);
        assert_true(ranked[k].answer.margin == (k < 3 ? 1 : -WEFT_MARGIN_LIMIT));
    }
    weft_player_free(learner);
    weft_side_free(side);
}

/* ---- what is refused ---- */

static void refuse(weft_player *player, weft_query query, weft_status expected, int64_t at)
{
    weft_error error = {0};
    weft_ranked ranked[4], before[4];
    int64_t found = 77;
    memset(ranked, 0x5a, sizeof ranked);
    memcpy(before, ranked, sizeof ranked);
    assert_int_equal(weft_player_rank(player, &query, ranked, &found, &error), expected);
    assert_int_equal(error.status, expected);
    assert_true(error.message[0] != 0);
    if (at >= 0)
        assert_int_equal(error.at[0], at);
    assert_int_equal(found, 77);
    assert_memory_equal(ranked, before, sizeof ranked);
}

static void wrong_queries_are_refused(void **state)
{
    static const int64_t good[] = {3, 1, 0}, unknown[] = {3, IDS + 9};
    int64_t all[IDS + 1]; /* so many that they are not evaluated one by one */
    weft_side *side = make_side(IDS);
    weft_player *learner = make_learner(side, WEFT_PAPER);
    weft_ranked ranked[3];
    int64_t found = 0;
    /* A class that the map has no coordinate for. */
    assert_int_equal(weft_side_append(side, &(weft_item){.class_of = IDS}, NULL), WEFT_OK);
    weft_query query = {.id = 5, .candidates = good, .candidate_count = 3, .most = 2, .tolerance = 0.01};
    weft_query wrong[] = {query, query, query, query, query, query};
    wrong[0].most = 0;
    refuse(learner, wrong[0], WEFT_ARGUMENT, -1);
    wrong[1].tolerance = -1;
    refuse(learner, wrong[1], WEFT_ARGUMENT, -1);
    wrong[2].id = IDS + 9;
    refuse(learner, wrong[2], WEFT_UNKNOWN_ID, IDS + 9);
    wrong[3].candidates = unknown;
    wrong[3].candidate_count = 2;
    refuse(learner, wrong[3], WEFT_UNKNOWN_ID, IDS + 9);
    for (int64_t k = 0; k <= IDS; k++)
        all[k] = k;
    wrong[4].candidates = all;
    wrong[4].candidate_count = IDS + 1;
    refuse(learner, wrong[4], WEFT_UNSUPPORTED, IDS);
    wrong[5].id = IDS;
    refuse(learner, wrong[5], WEFT_UNSUPPORTED, IDS);
    query.candidate_count = 0;
    assert_int_equal(weft_player_rank(learner, &query, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, 0);
    weft_player_free(learner);
    weft_side_free(side);
}

/* ---- files ---- */

/* A diagonal without entries goes out and comes back. */
static void there_is_no_diagonal(void **state)
{
    weft_side *side = make_side(IDS);
    weft_player *learner = make_learner(side, WEFT_PAPER);
    test_file file = file_of("a model");
    char beside[sizeof file.path + 16];
    bool found = false;
    snprintf(beside, sizeof beside, "%s.diagonal", file.path);
    assert_int_equal(weft_diagonal_write(file.path, learner, NULL), WEFT_OK);
    assert_int_equal(weft_learner_kept_diagonal(learner), 0);
    assert_int_equal(weft_diagonal_read(file.path, learner, &found, NULL), WEFT_OK);
    assert_true(found);
    assert_int_equal(remove(beside), 0);
    assert_int_equal(weft_diagonal_read(file.path, learner, &found, NULL), WEFT_OK);
    assert_false(found);
    assert_int_equal(remove(file.path), 0);
    weft_player_free(learner);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(projections_are_inner_products),
                                       cmocka_unit_test(a_matrix_is_taken_apart_and_put_together),
                                       cmocka_unit_test(no_decomposition_is_no_error),
                                       cmocka_unit_test(small_matrices_err_within_what_is_allowed),
                                       cmocka_unit_test(rounding_is_in_both_ends),
                                       cmocka_unit_test(equals_stand_before_what_is_huge),
                                       cmocka_unit_test(wrong_queries_are_refused),
                                       cmocka_unit_test(there_is_no_diagonal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
