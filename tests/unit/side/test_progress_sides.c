/* SPDX-License-Identifier: MIT
 * Side information that takes long to make tells how far it is, and can be stopped wherever it tells. */
#include "support/test.h"

#include "base/progress.h"
#include "support/dice.h"
#include "support/stopper.h"
#include "weft_theory.h"

enum { MOST = 160, MOST_EDGES = 4 * MOST };

typedef weft_status maker(const weft_side_options *options, weft_side **side, weft_error *error);

typedef struct scene {
    maker *make;
    weft_memory memory;
    weft_progress progress;
    weft_side *side;
    weft_edges *edges;
    double term;
} scene;

/* ---- What is made ---- */

static int64_t from[MOST_EDGES], to[MOST_EDGES];
static double values[MOST * MOST];

/* A ring with chords: connected, and its factor fills in. */
static weft_graph draw_graph(int64_t n, int chords)
{
    dice d = {91};
    int64_t edges = 0;
    for (int64_t i = 0; i < n; i++) {
        from[edges] = i;
        to[edges++] = (i + 1) % n;
        for (int c = 0; c < chords; c++) {
            from[edges] = i;
            to[edges++] = dice_below(&d, n);
        }
    }
    return (weft_graph){.vertices = n, .edges = edges, .from = from, .to = to};
}

static weft_status make_graph(weft_graph graph, const weft_side_options *options, weft_graph_path path,
                              weft_side **side, weft_error *error)
{
    weft_side_options how = *options;
    how.graph_path = path;
    return weft_side_from_graph(&graph, &how, side, error);
}

static weft_status dense_pdlaplacian(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return make_graph(draw_graph(MOST, 2), options, WEFT_GRAPH_DENSE, side, error);
}

static weft_status dense_regularised(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_graph graph = draw_graph(MOST, 2);
    graph.kernel = WEFT_REGULARISED;
    graph.parameter = 2;
    return make_graph(graph, options, WEFT_GRAPH_DENSE, side, error);
}

static weft_status diffusion(const weft_side_options *options, double time, weft_graph_path path,
                             weft_side **side, weft_error *error)
{
    weft_graph graph = draw_graph(MOST / 2, 2);
    graph.kernel = WEFT_DIFFUSION;
    graph.parameter = time;
    return make_graph(graph, options, path, side, error);
}

static weft_status dense_diffusion(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return diffusion(options, 1, WEFT_GRAPH_DENSE, side, error);
}

/* So long that eigenvectors are quicker. */
static weft_status long_diffusion(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return diffusion(options, 1000, WEFT_GRAPH_DENSE, side, error);
}

static weft_status sparse_diffusion(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return diffusion(options, 1, WEFT_GRAPH_SPARSE, side, error);
}

static weft_status by_factor(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return make_graph(draw_graph(MOST, 2), options, WEFT_GRAPH_SPARSE, side, error);
}

static weft_status by_iteration(const weft_side_options *options, weft_side **side, weft_error *error)
{
    weft_side_options how = *options;
    how.graph_budget = 1;
    return make_graph(draw_graph(MOST, 2), &how, WEFT_GRAPH_SPARSE, side, error);
}

static weft_status with_krylov_map(const weft_side_options *options, weft_side **side, weft_error *error)
{
    static const weft_map map = {.eigen = 6, .hash = 8};
    weft_side_options how = *options;
    how.map = &map;
    return make_graph(draw_graph(MOST, 2), &how, WEFT_GRAPH_SPARSE, side, error);
}

/* Inner products of random vectors, and a half for every id alone. */
static void draw_kernel(int64_t n)
{
    enum { DIMENSION = 5 };
    static double x[MOST][DIMENSION];
    dice d = {92};
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < DIMENSION; k++)
            x[i][k] = dice_between(&d, -1, 1);
    for (int64_t e = 0; e < n * n; e++) {
        values[e] = e / n == e % n ? 0.5 : 0;
        for (int k = 0; k < DIMENSION; k++)
            values[e] += x[e / n][k] * x[e % n][k];
    }
}

static weft_status kernel(const weft_side_options *options, weft_side **side, weft_error *error)
{
    draw_kernel(MOST);
    return weft_side_from_kernel(MOST, values, options, side, error);
}

/* Two ids that are similar to nothing but, a little, to each other: more of a negative eigenvalue than the
 * factor takes, and less than is an error. */
static weft_status kernel_at_the_edge(const weft_side_options *options, weft_side **side, weft_error *error)
{
    draw_kernel(MOST);
    for (int64_t i = 0; i < MOST; i++)
        values[i] = values[i * MOST] = values[MOST + i] = values[i * MOST + 1] = 0;
    double largest = 0;
    for (int64_t e = 0; e < MOST * MOST; e++)
        largest = fmax(largest, fabs(values[e]));
    values[1] = values[MOST] = 7e-11 * largest;
    return weft_side_from_kernel(MOST, values, options, side, error);
}

static weft_status matrix(const weft_side_options *options, weft_side **side, weft_error *error)
{
    draw_kernel(MOST);
    return weft_side_from_matrix(MOST, values, options, side, error);
}

static weft_status with_eigen_map(const weft_side_options *options, weft_side **side, weft_error *error)
{
    static const weft_map map = {.eigen = 6, .hash = 8};
    weft_side_options how = *options;
    how.map = &map;
    draw_kernel(MOST / 2);
    return weft_side_from_kernel(MOST / 2, values, &how, side, error);
}

static weft_status features(const weft_side_options *options, weft_side **side, weft_error *error)
{
    draw_kernel(MOST);
    return weft_side_from_features(&(weft_features){MOST, MOST, values, WEFT_LINEAR, 0.5}, options, side,
                                   error);
}

static double product_of(void *user, int64_t i, int64_t j)
{
    (void)user;
    return values[i * MOST + j];
}

static weft_status callback(const weft_side_options *options, weft_side **side, weft_error *error)
{
    draw_kernel(MOST);
    return weft_side_from_callback(MOST, product_of, NULL, options, side, error);
}

/* ---- The scene ---- */

static void open_scene(void *self, const weft_memory *memory, weft_progress progress)
{
    scene *s = self;
    *s = (scene){.make = s->make, .memory = *memory, .progress = progress};
}

static weft_status make(void *self, weft_error *error)
{
    scene *s = self;
    weft_side_options options = {.memory = &s->memory, .progress = s->progress};
    return s->make(&options, &s->side, error);
}

static uint64_t look_at_nothing(void *self)
{
    (void)self;
    return 1;
}

static uint64_t digest_of_side(void *self)
{
    scene *s = self;
    uint64_t digest = 1;
    if (s->side == NULL)
        return 0;
    int64_t n = weft_side_count(s->side), d = weft_side_dimension(s->side);
    for (int64_t i = 0; i < n; i += 31)
        for (int64_t j = 0; j < n; j += 3) {
            double entry = weft_side_entry(s->side, i, j);
            digest = stopper_digest(digest, &entry, sizeof entry);
        }
    for (int64_t i = 0; i < n && d > 0; i++) {
        double phi[64];
        assert_true(d <= 64);
        assert_int_equal(weft_side_features(s->side, i, phi, NULL), WEFT_OK);
        digest = stopper_digest(digest, phi, (size_t)d * sizeof *phi);
    }
    double radius = weft_side_radius(s->side);
    return stopper_digest(digest, &radius, sizeof radius);
}

static void close_scene(void *self)
{
    scene *s = self;
    weft_side_free(s->side);
    weft_edges_free(s->edges);
}

static void every_kind_can_be_stopped(void **state)
{
    static const struct {
        const char *name;
        maker *make;
        double every;
        int64_t least;
    } kinds[] = {
        {"dense PDLaplacian", dense_pdlaplacian, 5e4, 12},
        {"dense regularised", dense_regularised, 5e4, 12},
        {"dense diffusion", dense_diffusion, 5e4, 8},
        {"diffusion by eigenvectors", long_diffusion, 2e5, 8},
        {"sparse diffusion", sparse_diffusion, 5e4, 8},
        {"sparse, by a factor", by_factor, 1e4, 12},
        {"sparse, by iteration", by_iteration, 1e5, 10},
        {"map by iteration", with_krylov_map, 1e6, 10},
        {"kernel", kernel, 2e4, 6},
        {"kernel at the edge", kernel_at_the_edge, 2e5, 8},
        {"matrix", matrix, 5e4, 12},
        {"map by a matrix", with_eigen_map, 1e5, 8},
        {"features", features, 2e4, 5},
        {"callback", callback, 1e5, 10},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        static scene s;
        const stopper_case what = {kinds[k].name,   kinds[k].every, open_scene,  make,
                                   look_at_nothing, digest_of_side, close_scene, kinds[k].least};
        s.make = kinds[k].make;
        stopper_play(&what, &s);
    }
}

/* ---- Neighbours, and what the theorems need ---- */

static weft_status find_neighbours(void *self, weft_error *error)
{
    scene *s = self;
    weft_neighbours how = {.k = 3, .progress = s->progress};
    draw_kernel(MOST);
    return weft_edges_nearest(&(weft_features){.count = MOST, .dimension = 16, .values = values}, &how,
                              &s->memory, &s->edges, error);
}

static uint64_t digest_of_edges(void *self)
{
    scene *s = self;
    uint64_t digest = s->edges != NULL ? 1 : 0;
    for (int64_t k = 0; k < weft_edges_count(s->edges); k++) {
        weft_edge edge = weft_edges_at(s->edges, k);
        digest = stopper_digest(digest, &edge, sizeof edge);
    }
    return digest;
}

static void neighbours_can_be_stopped(void **state)
{
    static scene s;
    const stopper_case what = {"neighbours",    2e4,         open_scene, find_neighbours, look_at_nothing,
                               digest_of_edges, close_scene, 8};
    stopper_play(&what, &s);
}

static void open_side(void *self, const weft_memory *memory, weft_progress progress)
{
    scene *s = self;
    open_scene(self, memory, progress);
    assert_int_equal(make(s, NULL), WEFT_OK);
}

static weft_status measure(void *self, weft_error *error)
{
    scene *s = self;
    int64_t class_of[MOST];
    weft_side_term term = {0};
    for (int64_t i = 0; i < MOST; i++)
        class_of[i] = i % 4;
    weft_status status = weft_theory_side(s->side, class_of, &term, error);
    if (status == WEFT_OK)
        s->term = term.value;
    return status;
}

static uint64_t digest_of_term(void *self)
{
    scene *s = self;
    return s->term != 0 ? stopper_digest(1, &s->term, sizeof s->term) : 0;
}

/* A Gaussian so wide that only eigenvalues can tell its range. */
static weft_status wide_features(const weft_side_options *options, weft_side **side, weft_error *error)
{
    draw_kernel(MOST);
    return weft_side_from_features(&(weft_features){MOST, 4, values, WEFT_GAUSSIAN, 100}, options, side,
                                   error);
}

static void theory_can_be_stopped(void **state)
{
    static scene s;
    maker *const makers[] = {kernel, wide_features};
    for (int k = 0; k < 2; k++) {
        const stopper_case what = {"theory",       2e5,         open_side, measure, look_at_nothing,
                                   digest_of_term, close_scene, 8};
        s.make = makers[k];
        stopper_play(&what, &s);
    }
}

/* ---- Large graphs ---- */

/* A grid of 20,000 vertices, and a path. */
static weft_status make_large(bool path, weft_graph_kernel which, double sparse_budget, stopper *s,
                              weft_side **side, weft_error *error)
{
    enum { ROWS = 100, COLUMNS = 200, N = ROWS * COLUMNS };
    int64_t *ends = malloc(4 * N * sizeof *ends), edges = 0, *other = ends + 2 * N;
    assert_non_null(ends);
    for (int64_t i = 0; i < N; i++) {
        if (path ? i + 1 < N : i % COLUMNS + 1 < COLUMNS) {
            ends[edges] = i;
            other[edges++] = i + 1;
        }
        if (!path && i + COLUMNS < N) {
            ends[edges] = i;
            other[edges++] = i + COLUMNS;
        }
    }
    weft_graph graph = {
        .vertices = N, .edges = edges, .from = ends, .to = other, .kernel = which, .parameter = 1};
    weft_side_options options = {.progress = {.tell = stopper_tell, .context = s},
                                 .graph_budget = (int64_t)sparse_budget};
    weft_status status = weft_side_from_graph(&graph, &options, side, error);
    free(ends);
    return status;
}

/* With the usual distance between two calls.  What would take minutes ends at once; what is done in a second
 * tells a few times, not thousands. */
static void graphs_above_4000_vertices_can_be_stopped(void **state)
{
    ONCE_IN_RELEASE();
    static const struct {
        bool path;
        weft_graph_kernel kernel;
        double budget;
        int64_t least; /* calls of a set-up, if it is short */
        int64_t stop_at;
    } kinds[] = {
        {false, WEFT_PDLAPLACIAN, 0, 3, 2}, {true, WEFT_REGULARISED, 0, 3, 1},
        {false, WEFT_REGULARISED, 1, 0, 5}, /* by iteration: 2,500 solves of blocks */
        {false, WEFT_DIFFUSION, 0, 0, 5},   {true, WEFT_DIFFUSION, 0, 0, 0},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        stopper s;
        weft_side *side = NULL;
        weft_error error = {0};
        stopper_arm(&s, kinds[k].stop_at);
        assert_int_equal(make_large(kinds[k].path, kinds[k].kernel, kinds[k].budget, &s, &side, &error),
                         WEFT_INTERRUPTED);
        assert_null(side);
        assert_int_equal(s.calls, kinds[k].stop_at + 1);
        if (kinds[k].least == 0)
            continue;
        stopper_arm(&s, STOPPER_NEVER);
        assert_int_equal(make_large(kinds[k].path, kinds[k].kernel, kinds[k].budget, &s, &side, &error),
                         WEFT_OK);
        assert_true(s.calls >= kinds[k].least && s.calls < 1000);
        weft_side_free(side);
    }
}

/* ---- Counting ---- */

static void short_calls_tell_nothing(void **state)
{
    stopper s;
    weft_side *side = NULL;
    weft_side_options options = {.progress = {.tell = stopper_tell, .context = &s}};
    stopper_arm(&s, STOPPER_NEVER);
    assert_int_equal(dense_pdlaplacian(&options, &side, NULL), WEFT_OK);
    assert_int_equal(s.calls, 0);
    weft_side_free(side);
}

static double last_share;

static bool remember(void *context, const char *what, double done)
{
    (*(int64_t *)context)++;
    last_share = done;
    return what[0] != 0;
}

static void work_is_counted(void **state)
{
    int64_t calls = 0;
    weft__progress p = weft__progress_of(&(weft_progress){remember, &calls, 100});
    weft__progress_begin(&p, "part", 99);
    assert_int_equal(calls, 0);
    assert_true(weft__progress_add(&p, 60) && calls == 0);
    assert_true(weft__progress_add(&p, 60) && calls == 1 && last_share == 1);
    weft__progress_begin(&p, "long part", 1000);
    assert_true(calls == 2 && last_share == 0);
    assert_true(weft__progress_add(&p, 250) && calls == 3 && last_share == 0.25);
    weft__progress_begin(&p, "unknown", 0);
    weft__progress_expect(&p, 0.5);
    assert_true(weft__progress_add(&p, 100) && calls == 4 && isnan(last_share));
    weft__progress_expect(&p, 0.25);
    assert_true(weft__progress_add(&p, 100) && calls == 5 && last_share == 0.5);
    weft__progress_begin(&p, "", 0);
    assert_false(weft__progress_add(&p, 100));
    assert_true(calls == 6 && weft__progress_stopped(&p));
    assert_false(weft__progress_add(&p, 1000));
    weft__progress_begin(&p, "more", 1000);
    assert_int_equal(calls, 6);
    assert_int_equal(weft__progress_check(&p, NULL), WEFT_INTERRUPTED);
    assert_true(weft__progress_add(NULL, 1e300) && !weft__progress_stopped(NULL));
    weft__progress none = weft__progress_of(NULL);
    assert_true(weft__progress_add(&none, 1e300) && !weft__progress_heard(&none));
    assert_int_equal(weft_status_exit(WEFT_INTERRUPTED), 130);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_can_be_stopped),
        cmocka_unit_test(neighbours_can_be_stopped),
        cmocka_unit_test(theory_can_be_stopped),
        cmocka_unit_test(graphs_above_4000_vertices_can_be_stopped),
        cmocka_unit_test(short_calls_tell_nothing),
        cmocka_unit_test(work_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
