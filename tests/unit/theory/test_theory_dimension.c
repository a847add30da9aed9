/* SPDX-License-Identifier: MIT
 * Shares of the quasi-dimension bound against hand computed values and against
 * a naive inverse in extended precision. */

#include "support/test.h"

#include "support/dice.h"
#include "support/known.h"
#include "weft_theory.h"

enum { MOST = 24 };

static void assert_close(double value, double expected, double tolerance)
{
    if (!(value == expected || fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

/* The inverse by Gauss-Jordan elimination with pivoting, or false. */
static bool invert(int64_t n, const double *matrix, long double inverse[MOST][MOST])
{
    long double a[MOST][2 * MOST] = {{0}};
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            a[i][j] = matrix[i * n + j];
        a[i][n + i] = 1;
    }
    for (int64_t c = 0; c < n; c++) {
        int64_t pivot = c;
        for (int64_t i = c; i < n; i++)
            pivot = fabsl(a[i][c]) > fabsl(a[pivot][c]) ? i : pivot;
        if (fabsl(a[pivot][c]) < 1e-12L)
            return false;
        for (int64_t j = 0; j < 2 * n; j++) {
            long double swap = a[c][j];
            a[c][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int64_t i = 0; i < n; i++) {
            long double factor = i == c ? 0 : a[i][c] / a[c][c];
            for (int64_t j = 0; j < 2 * n; j++)
                a[i][j] -= factor * a[c][j];
        }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            inverse[i][j] = a[i][n + j] / a[i][i];
    return true;
}

typedef struct naive_term {
    double trace, absolute;
} naive_term;

/* tr(R'MR) and sum |(R'MR)_rs| straight from the definition, classes < MOST. */
static naive_term measure_naively(int64_t n, long double m[MOST][MOST], const int64_t *class_of)
{
    long double a[MOST][MOST] = {{0}};
    naive_term term = {0};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[class_of[i]][class_of[j]] += m[i][j];
    for (int r = 0; r < MOST; r++) {
        term.trace += (double)a[r][r];
        for (int s = 0; s < MOST; s++)
            term.absolute += (double)fabsl(a[r][s]);
    }
    return term;
}

static int64_t count_distinct(int64_t n, const int64_t *class_of)
{
    int64_t distinct = 0;
    for (int64_t i = 0; i < n; i++) {
        bool seen = false;
        for (int64_t j = 0; j < i; j++)
            seen = seen || class_of[j] == class_of[i];
        distinct += !seen;
    }
    return distinct;
}

/* Every kind of side information, random classes: the library's term equals
 * the naive one wherever the kernel has an inverse. */
static void every_kind_against_the_inverse(void **state)
{
    dice d = {11};
    int64_t compared[KNOWN_KINDS] = {0};
    for (int round = 0; round < 40; round++)
        for (int kind = 0; kind < KNOWN_KINDS; kind++) {
            known what;
            weft_side *side = NULL;
            weft_side_term term;
            int64_t n = 3 + dice_below(&d, 10), class_of[MOST];
            long double m[MOST][MOST];
            known_draw(&d, (known_kind)kind, n, n, &what);
            assert_int_equal(known_side(&what, &side, NULL), WEFT_OK);
            for (int64_t i = 0; i < n; i++)
                class_of[i] = dice_below(&d, 3);
            assert_int_equal(weft_theory_side(side, class_of, &term, NULL), WEFT_OK);
            double kernel[MOST * MOST], radius = weft_side_radius(side);
            for (int64_t k = 0; k < n * n; k++)
                kernel[k] = weft_side_entry(side, k / n, k % n) / radius;
            naive_term naive = {0};
            bool invertible = invert(n, kernel, m);
            if (invertible)
                naive = measure_naively(n, m, class_of);
            /* Beyond that, double precision cannot tell the inverse. */
            if (invertible && naive.trace < 1e8) {
                int64_t k = count_distinct(n, class_of);
                assert_int_equal(term.classes, k);
                assert_close(term.trace, naive.trace, 1e-5);
                assert_close(term.sharp, naive.absolute, 1e-5);
                assert_close(term.general, (double)k * naive.trace, 1e-5);
                assert_true(term.value <= term.general && term.value <= term.laplacian);
                assert_true(term.sharp <= term.general * (1 + 1e-9));
                assert_true(term.sharp <= term.laplacian * (1 + 1e-9));
                compared[kind]++;
            }
            weft_side_free(side);
            known_release(&what);
        }
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        if (compared[kind] < 10)
            fail_msg("only %d comparisons for %s", (int)compared[kind], known_name((known_kind)kind));
}

/* m ids with K = I count m, and with a larger radius in proportion. */
static void nothing_known(void **state)
{
    const int64_t class_of[] = {0, 0, 5, 7, 5};
    weft_side_options wide = {.radius = 3};
    weft_side *side = NULL;
    weft_side_term term;
    assert_int_equal(weft_side_none(5, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(side, class_of, &term, NULL), WEFT_OK);
    assert_int_equal(term.classes, 3);
    assert_close(term.value, 5, 0);
    assert_close(term.general, 15, 0);
    assert_true(isinf(term.laplacian) && term.cut == -1);
    weft_side_free(side);
    assert_int_equal(weft_side_none(5, &wide, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(side, class_of, &term, NULL), WEFT_OK);
    assert_close(term.value, 15, 1e-15);
    weft_side_free(side);
}

/* A graph without a kernel is K = I: edges are no part of any bound, and room for more ids counts. */
static void edges_alone(void **state)
{
    enum { N = 5000, ROOM = 6000 };
    static int64_t from[N], to[N], class_of[N];
    for (int64_t k = 0; k < N; k++) {
        from[k] = k;
        to[k] = (k + 1) % N;
        class_of[k] = k / 100;
    }
    const weft_graph graph = {.vertices = N, .edges = N, .from = from, .to = to, .kernel = WEFT_NO_KERNEL};
    for (int wide = 0; wide < 2; wide++) {
        const weft_side_options options = {.radius = wide ? 3 : 0};
        weft_side *side[2] = {NULL, NULL};
        weft_side_term term;
        assert_int_equal(weft_side_from_graph(&graph, &options, &side[0], NULL), WEFT_OK);
        assert_int_equal(weft_side_none(N, &options, &side[1], NULL), WEFT_OK);
        assert_int_equal(weft_theory_side(side[0], class_of, &term, NULL), WEFT_OK);
        assert_true(term.value == (wide ? 3 : 1) * N && isinf(term.laplacian) && term.cut == -1);
        for (int one_set = 0; one_set < 2; one_set++)
            for (int told = 0; told < 3; told++) {
                const weft_truth truth = {.row_class = told == 2 ? class_of : NULL,
                                          .column_class = told == 2 && !one_set ? class_of : NULL,
                                          .row_classes = told > 0 ? 50 : 0,
                                          .column_classes = told > 0 && !one_set ? 50 : 0};
                const weft_settings settings = {
                    .form = one_set ? WEFT_ONE_SET : WEFT_PAPER, .rows = ROOM, .columns = ROOM};
                weft_measure found[2];
                for (int k = 0; k < 2; k++)
                    assert_int_equal(weft_theory_measure(side[k], one_set ? NULL : side[k], &truth, &settings,
                                                         &found[k], NULL),
                                     WEFT_OK);
                assert_true(found[0].dimension == found[1].dimension && found[0].gamma == found[1].gamma);
                assert_true(found[0].size == found[1].size);
                assert_true(found[0].dimension == (wide ? 3. : 1.) * ROOM * (one_set ? 4 : 2));
            }
        weft_side_free(side[0]);
        weft_side_free(side[1]);
    }
}

/* Two groups of 3 and 2 ids, epsilon = 1/2, R = 3/2, the truth being the
 * groups: u'Mu = s/(epsilon + s), so the trace is 3/2 (6/7 + 4/5). */
static void partition_kernel_by_hand(void **state)
{
    const int64_t groups[] = {4, 4, 9, 4, 9}, crossed[] = {0, 0, 0, 1, 1};
    weft_side *side = NULL;
    weft_side_term term;
    assert_int_equal(weft_side_from_classes(5, groups, 0.5, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(side, groups, &term, NULL), WEFT_OK);
    assert_close(term.trace, 1.5 * (6.0 / 7 + 0.8), 1e-14);
    assert_close(term.sharp, 1.5 * (6.0 / 7 + 0.8), 1e-14);
    assert_close(term.general, 3 * (6.0 / 7 + 0.8), 1e-14);
    /* Group 4 has classes {0,0,1}, group 9 {0,1}; M = 2 (I - 11'/(s + 1/2)):
     * A_00 = 2 (2 - 4/3.5) + 2 (1 - 1/2.5), A_11 = 2 (1 - 1/3.5) + 2 (1 - 1/2.5),
     * A_01 = -2 (2/3.5 + 1/2.5). */
    double a00 = 2 * (2 - 4 / 3.5) + 2 * 0.6, a11 = 2 * (1 - 1 / 3.5) + 2 * 0.6, a01 = 2 * (2 / 3.5 + 0.4);
    assert_int_equal(weft_theory_side(side, crossed, &term, NULL), WEFT_OK);
    assert_close(term.trace, 1.5 * (a00 + a11), 1e-14);
    assert_close(term.sharp, 1.5 * (a00 + a11 + 2 * a01), 1e-14);
    weft_side_free(side);
}

/* epsilon = 0: finite exactly where the truth does not split a group. */
static void singular_partition_kernel(void **state)
{
    const int64_t groups[] = {0, 0, 1, 1, 2}, coarser[] = {0, 0, 0, 0, 1}, split[] = {0, 1, 2, 2, 2};
    weft_side *side = NULL;
    weft_side_term term;
    assert_int_equal(weft_side_from_classes(5, groups, 0, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(side, groups, &term, NULL), WEFT_OK);
    assert_close(term.value, 3, 1e-15);
    assert_int_equal(weft_theory_side(side, coarser, &term, NULL), WEFT_OK);
    assert_close(term.value, 3, 1e-15);
    assert_int_equal(weft_theory_side(side, split, &term, NULL), WEFT_OK);
    assert_true(isinf(term.value) && term.value > 0);
    weft_side_free(side);
}

/* The same kernels handed over as plain numbers, of any magnitude. */
static void singular_dense_kernel(void **state)
{
    const int64_t groups[] = {0, 0, 1, 1, 2}, split[] = {0, 1, 2, 2, 2};
    const double scales[] = {1e-300, 1, 1e300};
    for (int s = 0; s < 3; s++) {
        double kernel[25];
        weft_side *side = NULL;
        weft_side_term term;
        for (int k = 0; k < 25; k++)
            kernel[k] = groups[k / 5] == groups[k % 5] ? scales[s] : 0;
        assert_int_equal(weft_side_from_kernel(5, kernel, NULL, &side, NULL), WEFT_OK);
        assert_int_equal(weft_theory_side(side, groups, &term, NULL), WEFT_OK);
        assert_close(term.value, 3, 1e-12);
        assert_close(term.general, 9, 1e-12);
        assert_int_equal(weft_theory_side(side, split, &term, NULL), WEFT_OK);
        assert_true(isinf(term.value) && isinf(term.trace));
        weft_side_free(side);
    }
}

/* A path of three edges with weights 1, 2, 1 cut in the middle: tr(R'LR) is
 * twice the weight 2, not once. */
static void graph_by_hand(void **state)
{
    const int64_t from[] = {0, 1, 2}, to[] = {1, 2, 3}, halves[] = {0, 0, 1, 1};
    const double weight[] = {1, 2, 1};
    weft_graph graph = {.vertices = 4, .edges = 3, .from = from, .to = to, .weight = weight};
    weft_side *side = NULL;
    weft_side_term term;
    double dimension = 0;
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, NULL), WEFT_OK);
    double top = weft_side_radius(side) / 2;
    assert_int_equal(weft_theory_side(side, halves, &term, NULL), WEFT_OK);
    assert_close(term.cut, 4, 1e-12);
    /* M = L + 11'/(16 R_L): tr(R'MR) = 4 + (4 + 4)/(16 R_L). */
    assert_close(term.trace, 2 * top * (4 + 0.5 / top), 1e-12);
    assert_close(term.laplacian, 4 * top * (4 + 0.5 / top) + 4, 1e-12);
    /* |A_rr| = 2 + 1/(4 R_L), |A_01| = |-2 + 1/(4 R_L)|, times 2 R_L. */
    assert_close(term.sharp, 4 * top * (2 + 0.25 / top) + 4 * top * fabs(0.25 / top - 2), 1e-12);
    assert_int_equal(weft_theory_one_set(side, halves, &dimension, NULL), WEFT_OK);
    assert_close(dimension, 4 * top * 4, 1e-12);
    weft_side_free(side);
}

/* A larger radius multiplies every share by R / R_M and changes nothing else. */
static void radius_only_scales(void **state)
{
    const int64_t from[] = {0, 1, 2, 3, 0}, to[] = {1, 2, 3, 4, 2}, classes[] = {0, 0, 0, 1, 1};
    weft_graph graph = {.vertices = 5, .edges = 5, .from = from, .to = to};
    weft_side *narrow = NULL, *wide = NULL;
    weft_side_term small, large;
    assert_int_equal(weft_side_from_graph(&graph, NULL, &narrow, NULL), WEFT_OK);
    weft_side_options options = {.radius = 3 * weft_side_radius(narrow)};
    assert_int_equal(weft_side_from_graph(&graph, &options, &wide, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(narrow, classes, &small, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(wide, classes, &large, NULL), WEFT_OK);
    assert_close(large.trace, 3 * small.trace, 1e-12);
    assert_close(large.sharp, 3 * small.sharp, 1e-12);
    assert_close(large.laplacian, 3 * small.laplacian, 1e-12);
    assert_close(large.cut, small.cut, 1e-12);
    weft_side_free(narrow);
    weft_side_free(wide);
}

/* Ids without a class take no part: the term is that of the others alone. */
static void ids_without_a_class(void **state)
{
    const double kernel[] = {2, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 4}, part[] = {2, 1, 1, 3};
    const int64_t classes[] = {8, 6, -1}, both[] = {8, 6}, nobody[] = {-1, -1, -1};
    weft_side_options options = {.radius = 4};
    weft_side *whole = NULL, *half = NULL;
    weft_side_term a, b;
    weft_error error;
    assert_int_equal(weft_side_from_kernel(3, kernel, NULL, &whole, NULL), WEFT_OK);
    assert_int_equal(weft_side_from_kernel(2, part, &options, &half, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(whole, classes, &a, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(half, both, &b, NULL), WEFT_OK);
    assert_close(a.value, b.value, 1e-14);
    /* M = [3 -1; -1 2]/5: sum |M| = 7/5, times 4. */
    assert_close(a.value, 5.6, 1e-14);
    assert_int_equal(weft_theory_side(whole, nobody, &a, &error), WEFT_ARGUMENT);
    weft_side_free(whole);
    weft_side_free(half);
}

/* D = 4 R tr(R'MR): none 4n; the partition kernel and a kernel by hand; a
 * centred kernel, which has the vector 1 in its null space, like L^+. */
static void one_set_of_ids(void **state)
{
    const int64_t groups[] = {0, 0, 1, 1, 1};
    double centred[25], dimension = 0;
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(5, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_one_set(side, groups, &dimension, NULL), WEFT_OK);
    assert_close(dimension, 20, 1e-15);
    weft_side_free(side);
    assert_int_equal(weft_side_from_classes(5, groups, 0.5, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_one_set(side, groups, &dimension, NULL), WEFT_OK);
    assert_close(dimension, 4 * 1.5 * (2 / 2.5 + 3 / 3.5), 1e-14);
    weft_side_free(side);
    /* K = I - J is its own pseudo-inverse; u'Ku = s - s^2/5, R = 4/5. */
    for (int k = 0; k < 25; k++)
        centred[k] = (k / 5 == k % 5) - 0.2;
    assert_int_equal(weft_side_from_kernel(5, centred, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_one_set(side, groups, &dimension, NULL), WEFT_OK);
    assert_close(dimension, 4 * 0.8 * (2 - 0.8 + 3 - 1.8), 1e-12);
    weft_side_term term;
    assert_int_equal(weft_theory_side(side, groups, &term, NULL), WEFT_OK);
    assert_true(isinf(term.value));
    weft_side_free(side);
}

/* Two ids with the same kernel row in different classes: nothing fits. */
static void one_set_cannot_split_duplicates(void **state)
{
    const double kernel[] = {1, 1, 0, 1, 1, 0, 0, 0, 1};
    const int64_t split[] = {0, 1, 1}, together[] = {0, 0, 1};
    double dimension = 0;
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_kernel(3, kernel, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_one_set(side, split, &dimension, NULL), WEFT_OK);
    assert_true(isinf(dimension));
    assert_int_equal(weft_theory_one_set(side, together, &dimension, NULL), WEFT_OK);
    assert_close(dimension, 8, 1e-12);
    weft_side_free(side);
}

/* Nearly singular, M = [1 -v; -v 1] / (1 - v^2): sum |M| = 2 / (1 - v). */
static void nearly_singular_kernel(void **state)
{
    const double v = 1 - 0x1p-42, kernel[] = {1, v, v, 1};
    const int64_t apart[] = {0, 1}, together[] = {0, 0};
    weft_side *side = NULL;
    weft_side_term term;
    assert_int_equal(weft_side_from_kernel(2, kernel, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(side, apart, &term, NULL), WEFT_OK);
    assert_close(term.sharp, 0x1p43, 0.01);
    assert_int_equal(weft_theory_side(side, together, &term, NULL), WEFT_OK);
    assert_close(term.sharp, 2 / (1 + v), 1e-9);
    weft_side_free(side);
}

/* An id that the kernel does not see at all cannot have a class. */
static void zero_row(void **state)
{
    const double kernel[] = {0, 0, 0, 1};
    const int64_t unseen[] = {0, -1}, both[] = {0, 1};
    weft_side *side = NULL;
    weft_side_term term;
    assert_int_equal(weft_side_from_kernel(2, kernel, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_theory_side(side, unseen, &term, NULL), WEFT_OK);
    assert_true(isinf(term.value));
    assert_int_equal(weft_theory_side(side, both, &term, NULL), WEFT_OK);
    assert_true(isinf(term.value));
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_against_the_inverse),
        cmocka_unit_test(nothing_known),
        cmocka_unit_test(edges_alone),
        cmocka_unit_test(partition_kernel_by_hand),
        cmocka_unit_test(singular_partition_kernel),
        cmocka_unit_test(singular_dense_kernel),
        cmocka_unit_test(graph_by_hand),
        cmocka_unit_test(radius_only_scales),
        cmocka_unit_test(ids_without_a_class),
        cmocka_unit_test(one_set_of_ids),
        cmocka_unit_test(one_set_cannot_split_duplicates),
        cmocka_unit_test(nearly_singular_kernel),
        cmocka_unit_test(zero_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
