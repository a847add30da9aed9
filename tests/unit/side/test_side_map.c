/* SPDX-License-Identifier: MIT
 * Feature maps against the kernels that they stand for. */
#include "support/test.h"

#include "base/random.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/side_checks.h"

enum { N = 24, NUMBERS = 5 };

/* ---- Sides ---- */

typedef struct plan {
    weft_map map;
    weft_side_options options;
} plan;

static plan plan_map(int64_t fourier, int64_t eigen, int64_t hash, uint64_t seed)
{
    return (plan){.map = {fourier, eigen, hash, seed}};
}

static weft_side_options *ask(plan *p)
{
    p->options.map = &p->map;
    return &p->options;
}

static void draw_vectors(double values[N * NUMBERS])
{
    dice d = {5};
    for (int64_t k = 0; k < N * NUMBERS; k++)
        values[k] = dice_normal(&d);
    /* The last two are equal, but for the sign of a zero. */
    memcpy(values + (N - 1) * NUMBERS, values + (N - 2) * NUMBERS, NUMBERS * sizeof *values);
    values[(N - 1) * NUMBERS] = 0.0;
    values[(N - 2) * NUMBERS] = -0.0;
}

static weft_side *make_features(weft_kernel kernel, double parameter, const weft_side_options *options)
{
    double values[N * NUMBERS];
    weft_side *side = NULL;
    draw_vectors(values);
    if (kernel == WEFT_MIN)
        for (int64_t k = 0; k < N * NUMBERS; k++)
            values[k] = fmax(fmin(values[k], 2), -2);
    weft_features f = {N, NUMBERS, values, kernel, parameter};
    assert_int_equal(weft_side_from_features(&f, options, &side, NULL), WEFT_OK);
    return side;
}

static weft_side *make_classes(double epsilon, const weft_side_options *options)
{
    int64_t class_of[N];
    weft_side *side = NULL;
    for (int64_t i = 0; i < N; i++)
        class_of[i] = 100 - i * i % 7;
    assert_int_equal(weft_side_from_classes(N, class_of, epsilon, options, &side, NULL), WEFT_OK);
    return side;
}

/* A connected random graph: a path with chords. */
static weft_status try_graph(weft_graph graph, int64_t vertices, const weft_side_options *options,
                             weft_side **side, weft_error *error)
{
    int64_t *from = calloc((size_t)(2 * vertices), sizeof *from);
    int64_t *to = calloc((size_t)(2 * vertices), sizeof *to);
    dice d = {(uint64_t)vertices};
    for (int64_t k = 0; k < vertices - 1; k++) {
        from[k] = k;
        to[k] = k + 1;
    }
    for (int64_t k = 0; k < vertices / 2; k++) {
        from[vertices - 1 + k] = dice_below(&d, vertices);
        to[vertices - 1 + k] = dice_below(&d, vertices);
    }
    graph.vertices = vertices;
    graph.edges = vertices - 1 + vertices / 2;
    graph.from = from;
    graph.to = to;
    weft_status status = weft_side_from_graph(&graph, options, side, error);
    free(from);
    free(to);
    return status;
}

static weft_side *make_graph(weft_graph graph, int64_t vertices, const weft_side_options *options)
{
    weft_side *side = NULL;
    weft_error error = {0};
    if (try_graph(graph, vertices, options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

/* Kinds that have nothing but their kernel. */
enum { BY_KERNEL, BY_MATRIX, BY_CALLBACK, PLAIN_KINDS };

static double entry_of(const double *values, int64_t i, int64_t j)
{
    double sum = i == j ? 0.5 : 0;
    for (int64_t k = 0; k < NUMBERS; k++)
        sum += values[i * NUMBERS + k] * values[j * NUMBERS + k];
    return sum;
}

static double call_back(void *user, int64_t i, int64_t j)
{
    return entry_of(user, i, j);
}

static double vectors_of_callback[N * NUMBERS];

static weft_side *make_plain(int kind, const weft_side_options *options)
{
    double square[N * N];
    weft_side *side = NULL;
    weft_status status = WEFT_OK;
    draw_vectors(vectors_of_callback);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            square[i * N + j] = entry_of(vectors_of_callback, i, j);
    if (kind == BY_KERNEL)
        status = weft_side_from_kernel(N, square, options, &side, NULL);
    else if (kind == BY_MATRIX)
        status = weft_side_from_matrix(N, square, options, &side, NULL);
    else
        status = weft_side_from_callback(N, call_back, vectors_of_callback, options, &side, NULL);
    assert_int_equal(status, WEFT_OK);
    return side;
}

/* ---- Inner products ---- */

static double *features_of(const weft_side *side, int64_t id)
{
    int64_t dimension = weft_side_dimension(side);
    double *phi = calloc((size_t)dimension + 1, sizeof *phi);
    weft_error error = {0};
    phi[dimension] = 17;
    if (weft_side_features(side, id, phi, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_true(phi[dimension] == 17);
    for (int64_t k = 0; k < dimension; k++)
        assert_true(isfinite(phi[k]));
    return phi;
}

static double inner(const weft_side *side, int64_t i, int64_t j)
{
    double *phi = features_of(side, i), *psi = features_of(side, j), sum = 0;
    for (int64_t k = 0; k < weft_side_dimension(side); k++)
        sum += phi[k] * psi[k];
    free(phi);
    free(psi);
    return sum;
}

/* The inner products of `count` ids, `step` apart from `first` on: the features of each are made once. */
static double *inner_products(const weft_side *side, int64_t first, int64_t step, int64_t count)
{
    double **phi = calloc((size_t)count, sizeof *phi);
    double *products = calloc((size_t)(count * count), sizeof *products);
    for (int64_t i = 0; i < count; i++)
        phi[i] = features_of(side, first + i * step);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int64_t k = 0; k < weft_side_dimension(side); k++)
                products[i * count + j] += phi[i][k] * phi[j][k];
    for (int64_t i = 0; i < count; i++)
        free(phi[i]);
    free(phi);
    return products;
}

/* The largest |<phi_i, phi_j> - K(i,j)| over R, of i = j or of i != j. */
static double largest_error(const weft_side *side, bool diagonal)
{
    int64_t n = weft_side_count(side);
    double *products = inner_products(side, 0, 1, n), largest = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            if ((i == j) == diagonal)
                largest = fmax(largest, fabs(products[i * n + j] - weft_side_entry(side, i, j)));
    free(products);
    return largest / weft_side_radius(side);
}

static void assert_exact(weft_side *side, double tolerance)
{
    assert_true(largest_error(side, true) <= tolerance);
    assert_true(largest_error(side, false) <= tolerance);
    weft_side_free(side);
}

/* The diagonal to 1e-12, others within 5 standard deviations of `count` coordinates, and not all much
 * below one, unless the hashed numbers are so few that all agree in their high bits. */
static void assert_hashed(weft_side *side, double share, int64_t count, bool few)
{
    double off = largest_error(side, false);
    assert_true(largest_error(side, true) <= 1e-12);
    assert_true(off <= 5 * share / sqrt((double)count));
    if (few)
        assert_true(off <= 1e-15);
    else
        assert_true(off >= 0.1 * share / sqrt((double)count));
    weft_side_free(side);
}

/* ---- What is finite by itself, and hashing ---- */

static void classes_and_linear_features_are_exact(void **state)
{
    weft_side *side = make_classes(0, NULL);
    assert_int_equal(weft_side_dimension(side), 4);
    assert_exact(side, 0);
    side = make_features(WEFT_LINEAR, 0, NULL);
    assert_int_equal(weft_side_dimension(side), NUMBERS);
    assert_exact(side, 1e-15);
    plan p = plan_map(0, 0, 0, 0);
    assert_exact(make_classes(0, ask(&p)), 0);
    /* Nothing is hashed but what is alone. */
    p = plan_map(0, 0, 8, 0);
    assert_exact(make_features(WEFT_LINEAR, 0, ask(&p)), 1e-15);
}

static void nobody_else_has_a_map_unasked(void **state)
{
    weft_side *sides[] = {NULL, make_classes(0.1, NULL), make_features(WEFT_LINEAR, 0.1, NULL),
                          make_features(WEFT_GAUSSIAN, 1, NULL), make_plain(BY_KERNEL, NULL)};
    double phi[1];
    assert_int_equal(weft_side_none(3, NULL, &sides[0], NULL), WEFT_OK);
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        weft_error error = {0};
        assert_int_equal(weft_side_dimension(sides[k]), 0);
        assert_int_equal(weft_side_features(sides[k], 0, phi, &error), WEFT_UNSUPPORTED);
        assert_failure(&error, WEFT_UNSUPPORTED, -1, -1, "no feature map");
        weft_side_free(sides[k]);
    }
}

static void signs_stand_for_the_identity(void **state)
{
    static const int64_t counts[] = {37, 64, 256, 300, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        plan p = plan_map(0, 0, counts[k], k);
        weft_side *side = NULL;
        assert_int_equal(weft_side_none(100, ask(&p), &side, NULL), WEFT_OK);
        assert_int_equal(weft_side_dimension(side), counts[k]);
        assert_hashed(side, 1, counts[k], counts[k] == 256);
        assert_hashed(make_classes(0.5, ask(&p)), 0.5 / 1.5, counts[k], counts[k] == 64 || counts[k] == 256);
        weft_side *linear = make_features(WEFT_LINEAR, 4, ask(&p));
        /* [x = t]: equal vectors are one, whatever their id. */
        assert_true(fabs(inner(linear, N - 1, N - 2) - weft_side_entry(linear, N - 1, N - 2)) < 1e-12);
        double share = 4 / weft_side_radius(linear);
        assert_hashed(linear, share, counts[k], false);
    }
}

/* Of N = 2^p signs any two ids that differ in the last p bits alone are orthogonal; of a sum of such
 * powers those that differ in the last bits of the least one. */
static void near_numbers_are_orthogonal(void **state)
{
    static const struct {
        int64_t count, block;
    } cases[] = {{1, 1}, {2, 2}, {8, 8}, {64, 64}, {128, 128}, {512, 512}, {56, 8}, {96, 32}, {320, 64}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        plan p = plan_map(0, 0, cases[k].count, 3);
        weft_side *side = NULL;
        int64_t ids = 2 * cases[k].block < 100 ? 2 * cases[k].block : 100, across = 0;
        assert_int_equal(weft_side_none(3 * cases[k].block + ids, ask(&p), &side, NULL), WEFT_OK);
        double *products = inner_products(side, 2 * cases[k].block, 1, ids);
        for (int64_t i = 0; i < ids; i++)
            for (int64_t j = 0; j < i; j++) {
                if (i / cases[k].block == j / cases[k].block)
                    assert_true(fabs(products[i * ids + j]) <= 1e-15);
                else
                    across += fabs(products[i * ids + j]) > 1e-3;
            }
        free(products);
        assert_true(ids <= cases[k].block || across > 0);
        weft_side_free(side);
    }
}

/* Over many seeds and pairs of ids that are far apart the mean error vanishes and its square is 1/N. */
static void signs_are_unbiased(void **state)
{
    enum { SEEDS = 200, IDS = 12, COUNT = 64 };
    double sum = 0, square = 0, pairs = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        plan p = plan_map(0, 0, COUNT, seed);
        weft_side *side = NULL;
        assert_int_equal(weft_side_none(IDS * (COUNT + 1), ask(&p), &side, NULL), WEFT_OK);
        double *products = inner_products(side, 0, COUNT + 1, IDS);
        for (int64_t i = 0; i < IDS; i++)
            for (int64_t j = 0; j < i; j++, pairs++) {
                double error = products[i * IDS + j];
                sum += error;
                square += error * error;
            }
        free(products);
        weft_side_free(side);
    }
    assert_true(fabs(sum / pairs) < 4 / sqrt(COUNT * pairs));
    assert_true(fabs(square / pairs * COUNT - 1) < 4 * sqrt(2 / pairs));
}

/* phi depends on seed and number alone: known answers, so that no release changes a model. */
static void signs_are_for_ever(void **state)
{
    plan p = plan_map(0, 0, 64, 7), other = plan_map(0, 0, 64, 8);
    weft_side *small = NULL, *large = NULL, *changed = NULL;
    uint64_t bits[4], seen = 0;
    assert_int_equal(weft_side_none(4, ask(&p), &small, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(1000000000, ask(&p), &large, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(4, ask(&other), &changed, NULL), WEFT_OK);
    double *a = features_of(small, 3), *b = features_of(large, 3), *c = features_of(changed, 3);
    assert_memory_equal(a, b, 64 * sizeof *a);
    assert_memory_not_equal(a, c, 64 * sizeof *a);
    for (int k = 0; k < 64; k++) {
        assert_true(fabs(a[k]) == 0.125);
        seen |= (uint64_t)(a[k] > 0) << k;
    }
    /* H(3, c) is -1 where bits 0 and 1 of c differ; the six of 64 = 2^6 is in the third number. */
    weft__random_bits(7, (const uint64_t[]){0, 0, 12}, bits);
    assert_true((seen ^ bits[0]) == ~UINT64_C(0x6666666666666666));
    assert_true(seen == UINT64_C(0xa9e7257c336466d1));
    free(a);
    free(b);
    free(c);
    weft_side_free(small);
    weft_side_free(large);
    weft_side_free(changed);
}

/* ---- Fourier ---- */

static void frequencies_stand_for_the_gaussian(void **state)
{
    static const int64_t counts[] = {2, 128, 1024, 4096};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        plan p = plan_map(counts[k], 0, 0, k);
        weft_side *side = make_features(WEFT_GAUSSIAN, 1.5, ask(&p));
        assert_int_equal(weft_side_dimension(side), counts[k]);
        assert_true(largest_error(side, true) <= 1e-14);
        double off = largest_error(side, false);
        assert_true(off <= 5 / sqrt((double)counts[k]) && off >= 0.5 / sqrt((double)counts[k]));
        assert_true(fabs(inner(side, N - 1, N - 2) - 1) < 1e-14);
        weft_side_free(side);
    }
}

static void frequencies_are_unbiased(void **state)
{
    enum { SEEDS = 200, COUNT = 16 };
    double sum = 0, variance = 0, pairs = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        plan p = plan_map(COUNT, 0, 0, seed);
        weft_side *side = make_features(WEFT_GAUSSIAN, 2, ask(&p));
        for (int64_t i = 0; i < 8; i++)
            for (int64_t j = 0; j < i; j++, pairs++) {
                double k = weft_side_entry(side, i, j);
                sum += inner(side, i, j) - k;
                /* var cos z = (1 + k^4)/2 - k^2 for normal z with E cos z = k */
                variance += ((1 + k * k * k * k) / 2 - k * k) / (COUNT / 2);
            }
        weft_side_free(side);
    }
    /* Pairs of one seed share frequencies: the standard deviation is that of 400 draws at most. */
    assert_true(fabs(sum / pairs) < 4 * sqrt(variance / pairs / SEEDS));
}

/* [fourier ; hash] / sqrt 2 is (K + I) / 2. */
static void an_identity_is_added_to_the_gaussian(void **state)
{
    plan p = plan_map(2048, 0, 2048, 3);
    weft_side *side = make_features(WEFT_GAUSSIAN, 1.5, ask(&p));
    assert_int_equal(weft_side_dimension(side), 4096);
    double *products = inner_products(side, 0, 1, N);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j <= i; j++) {
            double k = weft_side_entry(side, i, j), expected = i == j ? 1 : k / 2;
            assert_true(fabs(products[i * N + j] - expected) <= (i == j ? 1e-13 : 5 / sqrt(2048)));
        }
    free(products);
    weft_side_free(side);
}

static void far_vectors_have_finite_features(void **state)
{
    const double values[] = {1e300, -1e308, 1, 2, 0, 0};
    plan p = plan_map(64, 0, 0, 0);
    weft_features f = {3, 2, values, WEFT_GAUSSIAN, 1e-300};
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_features(&f, ask(&p), &side, NULL), WEFT_OK);
    assert_true(largest_error(side, true) <= 1e-14);
    assert_true(largest_error(side, false) <= 5 / sqrt(64));
    weft_side_free(side);
}

/* ---- Eigenvectors ---- */

static void all_eigenvectors_are_the_kernel(void **state)
{
    plan p = plan_map(0, N, 0, 0);
    for (int kind = 0; kind < PLAIN_KINDS; kind++)
        assert_exact(make_plain(kind, ask(&p)), 1e-12);
    assert_exact(make_features(WEFT_GAUSSIAN, 1, ask(&p)), 1e-12);
    assert_exact(make_features(WEFT_LINEAR, 0.3, ask(&p)), 1e-12);
    assert_exact(make_features(WEFT_MIN, 2, ask(&p)), 1e-12);
    assert_exact(make_classes(0.3, ask(&p)), 1e-12);
    p.options.radius = 1e3;
    assert_exact(make_plain(BY_KERNEL, ask(&p)), 1e-12);
}

static const weft_graph graphs[] = {
    {.kernel = WEFT_PDLAPLACIAN},
    {.kernel = WEFT_PDLAPLACIAN, .normalised = true},
    {.kernel = WEFT_PDLAPLACIAN, .unit = true},
    {.kernel = WEFT_REGULARISED, .parameter = 3},
    {.kernel = WEFT_DIFFUSION, .parameter = 1, .normalised = true, .unit = true},
    {.kernel = WEFT_DIFFUSION, .parameter = 2},
};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

static void all_eigenvectors_are_the_kernel_of_a_graph(void **state)
{
    for (int k = 0; k < GRAPHS; k++)
        for (int path = WEFT_GRAPH_DENSE; path <= WEFT_GRAPH_SPARSE; path++) {
            plan p = plan_map(0, N, 0, 0);
            p.options.graph_path = (weft_graph_path)path;
            weft_side *side = make_graph(graphs[k], N, ask(&p));
            assert_int_equal(weft_side_dimension(side), N);
            assert_exact(side, 1e-9);
        }
}

/* sum_i K(i,i) - |phi_i|^2, which is the sum of the eigenvalues left out. */
static double trace_left_out(const weft_side *side)
{
    double sum = 0;
    for (int64_t i = 0; i < weft_side_count(side); i++) {
        double left = weft_side_entry(side, i, i) - inner(side, i, i);
        assert_true(left >= -1e-12 * weft_side_radius(side));
        sum += left;
    }
    return sum;
}

/* Eigenvalues of K - c 11' by Jacobi rotations, descending: slow and independent. */
static void find_eigenvalues(const weft_side *side, double c, double *value)
{
    int64_t n = weft_side_count(side);
    double *a = side_kernel(side), nothing = 1e-15 * weft_side_radius(side);
    for (int64_t k = 0; k < n * n; k++)
        a[k] -= c;
    for (int sweep = 0; sweep < 10; sweep++)
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                if (fabs(a[p * n + q]) <= nothing)
                    continue;
                double theta = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                double s = sin(theta), t = cos(theta);
                for (int64_t k = 0; k < n; k++) {
                    double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = t * x - s * y;
                    a[k * n + q] = s * x + t * y;
                }
                for (int64_t k = 0; k < n; k++) {
                    double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = t * x - s * y;
                    a[q * n + k] = s * x + t * y;
                }
            }
    for (int64_t k = 0; k < n; k++) {
        int64_t at = k;
        for (; at > 0 && value[at - 1] < a[k * n + k]; at--)
            value[at] = value[at - 1];
        value[at] = a[k * n + k];
    }
    free(a);
}

/* What is missing is the sum of the eigenvalues that are, in whatever way they were computed. */
static void assert_truncated(weft_side *side, int64_t coordinates, double constant)
{
    enum { MOST = 40 };
    double value[MOST], expected = 0;
    assert_true(weft_side_count(side) <= MOST);
    assert_int_equal(weft_side_dimension(side), coordinates);
    find_eigenvalues(side, constant, value);
    for (int64_t k = coordinates - (constant > 0); k < weft_side_count(side); k++)
        expected += value[k];
    double *first = features_of(side, 0);
    if (constant > 0)
        assert_true(fabs(first[0] - sqrt(constant)) <= 1e-15 * first[0]);
    assert_true(fabs(trace_left_out(side) - expected) <= 1e-8 * (expected + weft_side_radius(side)));
    free(first);
    weft_side_free(side);
}

static void the_largest_eigenvectors_are_kept(void **state)
{
    for (int64_t coordinates = 1; coordinates <= 9; coordinates += 8) {
        plan p = plan_map(0, coordinates, 0, 0);
        for (int kind = 0; kind < PLAIN_KINDS; kind++)
            assert_truncated(make_plain(kind, ask(&p)), coordinates, 0);
        for (int k = 0; k < GRAPHS; k++)
            for (int path = WEFT_GRAPH_DENSE; path <= WEFT_GRAPH_SPARSE; path++) {
                weft_graph graph = graphs[k];
                p.options.graph_path = (weft_graph_path)path;
                weft_side *side = make_graph(graph, 40, ask(&p));
                /* Of a PDLaplacian R = 2 R_L. */
                bool constant = graph.kernel == WEFT_PDLAPLACIAN && !graph.unit;
                assert_truncated(side, coordinates, constant ? weft_side_radius(side) / 2 : 0);
            }
    }
}

/* Both ways to the same features, up to rounding: signs are fixed. */
static void both_ways_give_the_same_features(void **state)
{
    for (int k = 0; k < GRAPHS; k++) {
        plan p = plan_map(0, 6, 0, 0);
        p.options.graph_path = WEFT_GRAPH_DENSE;
        weft_side *a = make_graph(graphs[k], 60, ask(&p));
        p.options.graph_path = WEFT_GRAPH_SPARSE;
        weft_side *b = make_graph(graphs[k], 60, ask(&p)), *again = make_graph(graphs[k], 60, ask(&p));
        for (int64_t i = 0; i < 60; i++) {
            double *x = features_of(a, i), *y = features_of(b, i), *z = features_of(again, i);
            for (int64_t c = 0; c < 6; c++)
                assert_true(fabs(x[c] - y[c]) <= 1e-7 * sqrt(weft_side_radius(a)));
            assert_memory_equal(y, z, 6 * sizeof *y);
            free(x);
            free(y);
            free(z);
        }
        weft_side_free(a);
        weft_side_free(b);
        weft_side_free(again);
    }
}

enum { PIECES_VERTICES = 320 };

/* `components` equal paths, the rest without edges: (I + L)^-1 has the eigenvalue 1 once for each
 * component, of which a Krylov space has one vector. */
static weft_side *make_pieces(int64_t components, int64_t length, const weft_side_options *options)
{
    int64_t from[PIECES_VERTICES], to[PIECES_VERTICES];
    weft_graph graph = {.vertices = PIECES_VERTICES, .from = from, .to = to};
    weft_side *side = NULL;
    graph.kernel = WEFT_REGULARISED;
    graph.parameter = 3;
    for (int64_t i = 0; i < components * length; i++)
        if (i % length != 0) {
            from[graph.edges] = i - 1;
            to[graph.edges++] = i;
        }
    assert_int_equal(weft_side_from_graph(&graph, options, &side, NULL), WEFT_OK);
    return side;
}

/* Eigenvalue k is the square of column k of all features. */
static void measure_columns(weft_side *side, double *value)
{
    for (int64_t i = 0; i < weft_side_count(side); i++) {
        double *phi = features_of(side, i);
        for (int64_t k = 0; k < weft_side_dimension(side); k++)
            value[k] += phi[k] * phi[k];
        free(phi);
    }
    weft_side_free(side);
}

static void multiple_eigenvalues_are_all_found(void **state)
{
    static const int64_t pieces[][2] = {{2, 160}, {4, 80}, {3, 100}, {30, 10}, {0, 1}};
    for (size_t p = (size_t)fewer(0, 3); p < sizeof pieces / sizeof *pieces; p++)
        for (int64_t coordinates = 2; coordinates <= 32; coordinates *= 16) {
            double dense[34] = {0}, sparse[34] = {0};
            plan how = plan_map(0, coordinates, 0, 0);
            how.options.graph_path = WEFT_GRAPH_DENSE;
            measure_columns(make_pieces(pieces[p][0], pieces[p][1], ask(&how)), dense);
            how.options.graph_path = WEFT_GRAPH_SPARSE;
            measure_columns(make_pieces(pieces[p][0], pieces[p][1], ask(&how)), sparse);
            for (int64_t k = 0; k < coordinates; k++) {
                assert_true(fabs(dense[k] - sparse[k]) <= 1e-7);
                assert_true(k == 0 || sparse[k] <= sparse[k - 1] + 1e-7);
            }
        }
}

/* A path whose weights span four decades: eigenvalues so near to each other that no Krylov space of that size
 * tells them apart. */
static void what_does_not_converge_is_told(void **state)
{
    enum { VERTICES = 400 };
    static int64_t from[VERTICES], to[VERTICES];
    static double weight[VERTICES];
    plan p = plan_map(0, 2, 0, 0);
    weft_graph graph = {
        .vertices = VERTICES, .edges = VERTICES - 1, .from = from, .to = to, .weight = weight};
    weft_side *side = NULL;
    weft_error error = {0};
    graph.kernel = WEFT_REGULARISED;
    graph.parameter = 1e-2;
    p.options.graph_path = WEFT_GRAPH_SPARSE;
    for (int64_t k = 0; k < VERTICES - 1; k++) {
        from[k] = k;
        to[k] = k + 1;
        weight[k] = pow(10, -4 * (double)(k * 7919 % VERTICES) / VERTICES);
    }
    assert_int_equal(weft_side_from_graph(&graph, ask(&p), &side, &error), WEFT_INPUT);
    assert_null(side);
    assert_failure(&error, WEFT_INPUT, -1, -1, "of 2 eigenvectors were found");
}

static void hashing_restores_the_diagonal(void **state)
{
    plan p = plan_map(0, 3, 512, 1);
    for (int kind = 0; kind < PLAIN_KINDS; kind++) {
        weft_side *side = make_plain(kind, ask(&p));
        assert_int_equal(weft_side_dimension(side), 515);
        assert_true(largest_error(side, true) <= 1e-12);
        weft_side_free(side);
    }
    for (int k = 0; k < GRAPHS; k++) {
        p.options.graph_path = WEFT_GRAPH_SPARSE;
        weft_side *side = make_graph(graphs[k], 60, ask(&p));
        assert_true(largest_error(side, true) <= 1e-12);
        weft_side_free(side);
    }
}

/* ---- Ids that come later ---- */

static void assert_no_room(const weft_side *side, int64_t id, const char *words)
{
    double phi[WEFT_MAP_LIMIT] = {42};
    weft_error error = {0};
    assert_int_equal(weft_side_features(side, id, phi, &error), WEFT_UNSUPPORTED);
    assert_failure(&error, WEFT_UNSUPPORTED, id, -1, words);
    assert_true(phi[0] == 42);
}

/* Appends an id alone: its features are hashed, with R, where there is hashing. */
static void assert_alone(weft_side *side, bool hashed)
{
    int64_t id = weft_side_count(side);
    assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    if (!hashed) {
        assert_no_room(side, id, "alone");
        return;
    }
    double *phi = features_of(side, id);
    assert_true(fabs(inner(side, id, id) / weft_side_entry(side, id, id) - 1) <= 1e-13);
    assert_true(fabs(inner(side, id, 0)) <= 5 * weft_side_radius(side) / sqrt(64));
    for (int64_t k = 0; k < weft_side_dimension(side) - 64; k++)
        assert_true(phi[k] == 0);
    free(phi);
}

static void ids_alone_are_hashed(void **state)
{
    for (int64_t hash = 0; hash <= 64; hash += 64) {
        plan plain = plan_map(0, 0, hash, 2), eigen = plan_map(0, 4, hash, 2),
             fourier = plan_map(32, 0, hash, 2);
        plan sparse = eigen, dense = eigen;
        sparse.options.graph_path = WEFT_GRAPH_SPARSE;
        dense.options.graph_path = WEFT_GRAPH_DENSE;
        weft_side *sides[] = {
            make_classes(0, ask(&plain)),
            make_features(WEFT_LINEAR, 0, ask(&plain)),
            make_features(WEFT_GAUSSIAN, 1, ask(&fourier)),
            make_features(WEFT_MIN, 2, ask(&eigen)),
            make_plain(BY_KERNEL, ask(&eigen)),
            make_plain(BY_MATRIX, ask(&eigen)),
            make_plain(BY_CALLBACK, ask(&eigen)),
            make_graph((weft_graph){0}, N, ask(&sparse)),
            make_graph((weft_graph){0}, N, ask(&dense)),
        };
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
            assert_alone(sides[k], hash > 0);
            weft_side_free(sides[k]);
        }
    }
    /* Nothing is known of any id: K(i,i) = 1 whatever R is. */
    plan p = plan_map(0, 0, 64, 2);
    weft_side *none = NULL;
    p.options.radius = 3;
    assert_int_equal(weft_side_none(0, ask(&p), &none, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(none, NULL, NULL), WEFT_OK);
    assert_true(inner(none, 0, 0) == 1);
    assert_alone(none, true);
    weft_side_free(none);
}

static void later_ids_fit_where_they_can(void **state)
{
    const double near[NUMBERS] = {0.1, 0.2, 0.1, 0, 0.1};
    const weft_item vector = {.values = near, .length = NUMBERS};
    plan fourier = plan_map(512, 0, 0, 1), eigen = plan_map(0, 3, 8, 1), plain = plan_map(0, 0, 64, 1);
    weft_side *side = make_features(WEFT_GAUSSIAN, 2, ask(&fourier));
    assert_int_equal(weft_side_append(side, &vector, NULL), WEFT_OK);
    assert_true(fabs(inner(side, N, 3) - weft_side_entry(side, N, 3)) <= 5 / sqrt(512));
    weft_side_free(side);
    side = make_features(WEFT_LINEAR, 0, NULL);
    assert_int_equal(weft_side_append(side, &vector, NULL), WEFT_OK);
    assert_exact(side, 1e-15);
    side = make_features(WEFT_GAUSSIAN, 2, ask(&eigen));
    assert_int_equal(weft_side_append(side, &vector, NULL), WEFT_OK);
    assert_no_room(side, N, "ids listed");
    weft_side_free(side);
    side = make_classes(0.1, ask(&plain));
    assert_int_equal(weft_side_append(side, &(weft_item){.class_of = 100}, NULL), WEFT_OK);
    assert_true(fabs(inner(side, N, 0) - 1) <= 0.5 / sqrt(64));
    assert_int_equal(weft_side_append(side, &(weft_item){.class_of = 5}, NULL), WEFT_OK);
    assert_no_room(side, N + 1, "class is new");
    weft_side_free(side);
    /* A row of a kernel that is not alone, and one that is. */
    double row[N + 1] = {0};
    row[N] = 1;
    side = make_plain(BY_KERNEL, ask(&eigen));
    assert_int_equal(weft_side_append(side, &(weft_item){.values = row, .length = N + 1}, NULL), WEFT_OK);
    assert_no_room(side, N, "ids listed");
    weft_side_free(side);
}

/* ---- Errors ---- */

static void assert_refused(weft_side *side, weft_status status, const weft_error *error, const char *words)
{
    assert_null(side);
    assert_int_equal(status, WEFT_ARGUMENT);
    assert_failure(error, WEFT_ARGUMENT, -1, -1, words);
}

static void refuse_none(plan p, const char *words)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_status status = weft_side_none(9, ask(&p), &side, &error);
    assert_refused(side, status, &error, words);
}

static void refuse_classes(double epsilon, plan p, const char *words)
{
    static const int64_t class_of[] = {1, 2, 2};
    weft_side *side = NULL;
    weft_error error = {0};
    weft_status status = weft_side_from_classes(3, class_of, epsilon, ask(&p), &side, &error);
    assert_refused(side, status, &error, words);
}

static void refuse_features(weft_kernel kernel, double parameter, plan p, const char *words)
{
    static const double values[] = {1, 0, -1};
    weft_features f = {3, 1, values, kernel, parameter};
    weft_side *side = NULL;
    weft_error error = {0};
    weft_status status = weft_side_from_features(&f, ask(&p), &side, &error);
    assert_refused(side, status, &error, words);
}

static void refuse_graph(plan p, const char *words)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_status status = try_graph((weft_graph){0}, 9, ask(&p), &side, &error);
    assert_refused(side, status, &error, words);
}

static void maps_that_cannot_be_are_refused(void **state)
{
    refuse_none(plan_map(0, 0, 0, 0), "expected hash coordinates for the identity");
    refuse_none(plan_map(0, 0, -1, 0), "expected a number from 0 to 4096");
    refuse_none(plan_map(0, 0, 4097, 0), "expected a number from 0 to 4096");
    refuse_none(plan_map(0, 2, 8, 0), "expected hash coordinates alone");
    refuse_none(plan_map(2, 0, 8, 0), "Gaussian kernel alone");
    refuse_classes(0.1, plan_map(0, 0, 0, 0), "expected hash coordinates for epsilon");
    refuse_classes(0.1, plan_map(0, 0, 4095, 0), "expected at most 4096");
    refuse_classes(0.1, plan_map(0, 4, 0, 0), "expected at most 3, the ids listed");
    refuse_classes(0, plan_map(4, 0, 0, 0), "Gaussian kernel alone");
    refuse_features(WEFT_LINEAR, 0.1, plan_map(0, 0, 0, 0), "expected hash coordinates for epsilon");
    refuse_features(WEFT_LINEAR, 0.1, plan_map(2, 0, 4, 0), "Gaussian kernel alone");
    refuse_features(WEFT_GAUSSIAN, 1, plan_map(3, 0, 0, 0), "expected an even number");
    refuse_features(WEFT_GAUSSIAN, 1, plan_map(-2, 0, 0, 0), "expected a number from 0");
    refuse_features(WEFT_GAUSSIAN, 1, plan_map(0, -2, 0, 0), "expected a number from 0");
    refuse_features(WEFT_GAUSSIAN, 1, plan_map(2, 1, 0, 0), "expected one of them");
    refuse_features(WEFT_GAUSSIAN, 1, plan_map(0, 0, 8, 0), "fourier or eigen");
    refuse_features(WEFT_GAUSSIAN, 1, plan_map(4096, 0, 1, 0), "expected at most 4096");
    refuse_features(WEFT_GAUSSIAN, 1, plan_map(INT64_MAX - 1, 0, 2, 0), "expected a number from 0");
    refuse_features(WEFT_MIN, 2, plan_map(0, 0, 8, 0), "with eigen coordinates");
    refuse_graph(plan_map(0, 0, 8, 0), "with eigen coordinates");
    refuse_graph(plan_map(0, 0, 0, 0), "with eigen coordinates");
    refuse_graph(plan_map(0, 10, 0, 0), "expected at most 9, the ids listed");
}

/* As many classes as there is no map for: nobody asked for one. */
static void too_many_classes_have_no_map(void **state)
{
    enum { MANY = WEFT_MAP_LIMIT + 1 };
    int64_t *class_of = calloc(MANY, sizeof *class_of);
    weft_side *side = NULL;
    for (int64_t i = 0; i < MANY; i++)
        class_of[i] = i;
    assert_int_equal(weft_side_from_classes(MANY, class_of, 0, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_dimension(side), 0);
    weft_side_free(side);
    assert_int_equal(weft_side_from_classes(MANY - 1, class_of, 0, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_dimension(side), WEFT_MAP_LIMIT);
    weft_side_free(side);
    free(class_of);
}

static void ids_out_of_range_are_not_known(void **state)
{
    weft_side *side = make_classes(0, NULL);
    double phi[8] = {42};
    weft_error error = {0};
    assert_int_equal(weft_side_features(side, N, phi, &error), WEFT_UNKNOWN_ID);
    assert_failure(&error, WEFT_UNKNOWN_ID, N, -1, "not known");
    assert_int_equal(weft_side_features(side, -1, phi, &error), WEFT_UNKNOWN_ID);
    assert_true(phi[0] == 42);
    weft_side_free(side);
}

static double crooked(void *user, int64_t i, int64_t j)
{
    (void)user;
    return i == j ? 1 : i == 5 && j == 8 ? 0.5 : 0.25;
}

/* A callback is looked at as a whole where its eigenvectors are wanted. */
static void a_crooked_kernel_is_found(void **state)
{
    plan p = plan_map(0, 2, 0, 0);
    weft_side *side = NULL;
    weft_error error = {0};
    assert_int_equal(weft_side_from_callback(100, crooked, NULL, ask(&p), &side, &error), WEFT_INPUT);
    assert_null(side);
    assert_failure(&error, WEFT_INPUT, 8, 5, "expected a symmetric kernel");
}

static double identity(void *user, int64_t i, int64_t j)
{
    (void)user;
    return i == j ? 1 : 0;
}

static void a_matrix_too_large_is_refused(void **state)
{
    plan p = plan_map(0, 2, 0, 0);
    weft_side *side = NULL;
    weft_error error = {0};
    assert_int_equal(weft_side_from_callback(10001, identity, NULL, ask(&p), &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, -1, -1, "expected at most 10000 ids");
}

/* ---- Memory ---- */

static const weft_map maps_to_survive[] = {{.hash = 64}, {.fourier = 8, .hash = 4}, {.eigen = 5, .hash = 4}};
static const weft_map *surviving;

static weft_status make_surviving_features(const weft_side_options *options, weft_side **side,
                                           weft_error *error)
{
    static const double values[] = {1, 0, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    weft_side_options asked = *options;
    weft_features f = {12, 1, values, surviving->hash == 64 ? WEFT_LINEAR : WEFT_GAUSSIAN, 1};
    asked.map = surviving;
    return weft_side_from_features(&f, &asked, side, error);
}

static weft_status make_surviving_graph(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_side_options asked = *options;
    asked.map = &maps_to_survive[2];
    asked.graph_path = WEFT_GRAPH_SPARSE;
    return try_graph((weft_graph){0}, 30, &asked, side, error);
}

static void no_allocation_is_taken_for_granted(void **state)
{
    for (size_t k = 0; k < sizeof maps_to_survive / sizeof *maps_to_survive; k++) {
        surviving = &maps_to_survive[k];
        assert_maker_survives(make_surviving_features, k == 0 ? 2 : k == 1 ? 3 : 11);
    }
    assert_maker_survives(make_surviving_graph, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_and_linear_features_are_exact),
        cmocka_unit_test(nobody_else_has_a_map_unasked),
        cmocka_unit_test(signs_stand_for_the_identity),
        cmocka_unit_test(near_numbers_are_orthogonal),
        cmocka_unit_test(signs_are_unbiased),
        cmocka_unit_test(signs_are_for_ever),
        cmocka_unit_test(frequencies_stand_for_the_gaussian),
        cmocka_unit_test(frequencies_are_unbiased),
        cmocka_unit_test(an_identity_is_added_to_the_gaussian),
        cmocka_unit_test(far_vectors_have_finite_features),
        cmocka_unit_test(all_eigenvectors_are_the_kernel),
        cmocka_unit_test(all_eigenvectors_are_the_kernel_of_a_graph),
        cmocka_unit_test(the_largest_eigenvectors_are_kept),
        cmocka_unit_test(both_ways_give_the_same_features),
        cmocka_unit_test(multiple_eigenvalues_are_all_found),
        cmocka_unit_test(what_does_not_converge_is_told),
        cmocka_unit_test(hashing_restores_the_diagonal),
        cmocka_unit_test(ids_alone_are_hashed),
        cmocka_unit_test(later_ids_fit_where_they_can),
        cmocka_unit_test(maps_that_cannot_be_are_refused),
        cmocka_unit_test(too_many_classes_have_no_map),
        cmocka_unit_test(ids_out_of_range_are_not_known),
        cmocka_unit_test(a_crooked_kernel_is_found),
        cmocka_unit_test(a_matrix_too_large_is_refused),
        cmocka_unit_test(no_allocation_is_taken_for_granted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
