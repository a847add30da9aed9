/* SPDX-License-Identifier: MIT
 *
 * The largest eigenvectors of large graphs, which are found by iteration (linalg/lanczos.h), against all
 * eigenvalues of their parts by the direct solvers: a grid, whose Laplacian has the sums of the eigenvalues
 * of two paths, most of them twice; many equal components, which have every eigenvalue as often; a long path.
 * Each feature must be an eigenvector of the graph's Laplacian as well, multiplied out edge by edge here. */
#include "../unit/test_core_support.h"

#include "linalg/eigen.h"
#include "linalg/tridiagonal.h"

enum { VERTICES = 4900, EDGES = 2 * VERTICES, WANTED = 40 };

typedef struct problem {
    weft_graph graph;
    int64_t from[EDGES], to[EDGES];
    double laplacian[VERTICES]; /* its eigenvalues, rising */
} problem;

static void add_edge(problem *p, int64_t a, int64_t b)
{
    assert_true(p->graph.edges < EDGES);
    p->from[p->graph.edges] = a;
    p->to[p->graph.edges++] = b;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The eigenvalues of the Laplacian of a path of n vertices. */
static void find_path(int64_t n, double *values)
{
    static double a[100 * 100];
    weft_memory memory = weft__memory_or_default(NULL);
    assert_true(n <= 100);
    memset(a, 0, sizeof a);
    for (int64_t i = 0; i < n; i++) {
        a[i * n + i] = i == 0 || i == n - 1 ? 1 : 2;
        if (i + 1 < n)
            a[i * n + i + 1] = -1;
    }
    assert_int_equal(weft__eigen_symmetric(&memory, (weft__symmetric){n, a, n, NULL}, values, false, NULL),
                     WEFT_OK);
}

static void make_grid(int64_t side, problem *p)
{
    double values[100];
    *p = (problem){.graph.vertices = side * side};
    find_path(side, values);
    for (int64_t i = 0; i < side; i++)
        for (int64_t j = 0; j < side; j++) {
            p->laplacian[i * side + j] = values[i] + values[j];
            if (j + 1 < side)
                add_edge(p, i * side + j, i * side + j + 1);
            if (i + 1 < side)
                add_edge(p, i * side + j, (i + 1) * side + j);
        }
}

static void make_components(int64_t count, int64_t length, problem *p)
{
    double values[100];
    *p = (problem){.graph.vertices = count * length};
    find_path(length, values);
    for (int64_t i = 0; i < count * length; i++) {
        p->laplacian[i] = values[i % length];
        if (i % length != 0)
            add_edge(p, i - 1, i);
    }
}

static void make_path(int64_t n, problem *p)
{
    static double off[VERTICES], first[VERTICES];
    *p = (problem){.graph.vertices = n};
    for (int64_t i = 0; i < n; i++) {
        p->laplacian[i] = i == 0 || i == n - 1 ? 1 : 2;
        off[i] = -1;
        if (i > 0)
            add_edge(p, i - 1, i);
    }
    assert_true(weft__tridiagonal_solve((int)n, p->laplacian, off, first));
}

static weft_side *make_side(problem *p, weft_graph_kernel kernel, double parameter)
{
    weft_map map = {.eigen = WANTED};
    weft_side_options options = {.map = &map, .graph_path = WEFT_GRAPH_SPARSE};
    weft_side *side = NULL;
    weft_error error = {0};
    p->graph.from = p->from;
    p->graph.to = p->to;
    p->graph.kernel = kernel;
    p->graph.parameter = parameter;
    if (weft_side_from_graph(&p->graph, &options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

/* Lq - mu q, at its largest */
static double residual_of(const problem *p, double mu, const double *q)
{
    static double y[VERTICES];
    double worst = 0;
    for (int64_t i = 0; i < p->graph.vertices; i++)
        y[i] = -mu * q[i];
    for (int64_t k = 0; k < p->graph.edges; k++) {
        double change = q[p->from[k]] - q[p->to[k]];
        y[p->from[k]] += change;
        y[p->to[k]] -= change;
    }
    for (int64_t i = 0; i < p->graph.vertices; i++)
        worst = fmax(worst, fabs(y[i]));
    return worst;
}

/* Column k of the features is sqrt(lambda_k) q_k. */
static void take_columns(const weft_side *side, double columns[WANTED][VERTICES])
{
    for (int64_t i = 0; i < weft_side_count(side); i++) {
        double phi[WANTED];
        assert_int_equal(weft_side_features(side, i, phi, NULL), WEFT_OK);
        for (int k = 0; k < WANTED; k++)
            columns[k][i] = phi[k];
    }
}

static double inner(int64_t n, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The eigenvalue of the kernel that mu, one of the Laplacian, makes. */
static double kernel_value(weft_graph_kernel kernel, double parameter, double mu)
{
    return kernel == WEFT_DIFFUSION ? exp(-parameter * mu) : 1 / (1 + parameter * mu);
}

/* |Bq - beta q| <= 1e-10 beta is asked for, B = K + I, so that lambda is right to 2e-10 and mu to that over
 * the slope of lambda. */
static void check(problem *p, weft_graph_kernel kernel, double parameter)
{
    static double columns[WANTED][VERTICES];
    weft_side *side = make_side(p, kernel, parameter);
    int64_t n = p->graph.vertices;
    qsort(p->laplacian, (size_t)n, sizeof *p->laplacian, compare);
    take_columns(side, columns);
    for (int k = 0; k < WANTED; k++) {
        double mu = p->laplacian[k], lambda = kernel_value(kernel, parameter, mu), size[2];
        double slope = parameter * (kernel == WEFT_DIFFUSION ? lambda : lambda * lambda);
        size[0] = inner(n, columns[k], columns[k]);
        assert_near(size[0], lambda, 1e-9);
        assert_true(residual_of(p, mu, columns[k]) <= 1e-9 * sqrt(lambda) * (1 + 1 / slope));
        for (int l = 0; l < k; l++) {
            size[1] = inner(n, columns[l], columns[l]);
            assert_near(inner(n, columns[k], columns[l]) / sqrt(size[0] * size[1]), 0, 1e-12);
        }
    }
    weft_side_free(side);
}

static void a_grid(void **state)
{
    static problem p;
    make_grid(70, &p);
    check(&p, WEFT_REGULARISED, 10);
}

/* The first eigenvalue comes as often as there are components: more often than is wanted, and less often. */
static void equal_components(void **state)
{
    static problem p;
    make_components(70, 40, &p);
    check(&p, WEFT_REGULARISED, 3);
    make_components(15, 90, &p);
    check(&p, WEFT_REGULARISED, 30);
    check(&p, WEFT_DIFFUSION, 30);
}

static void a_long_path(void **state)
{
    static problem p;
    make_path(3000, &p);
    check(&p, WEFT_REGULARISED, 1e5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid),
        cmocka_unit_test(equal_components),
        cmocka_unit_test(a_long_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
