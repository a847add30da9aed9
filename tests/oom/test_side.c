/* SPDX-License-Identifier: MIT
 * Every way to make a side, every append, and the theory over them. */
#include "oom.h"
#include "weft_theory.h"

enum { N = 5 };

typedef enum kind {
    NONE,
    CLASSES,
    KERNEL,
    MATRIX,
    GRAPH,
    LINEAR,
    GAUSSIAN,
    MIN,
    CALLBACK,
    HASHED,
    FOURIER,
    EIGEN,
    KINDS
} kind;

typedef struct scene {
    kind which;
    weft_side *side;
    weft_side *made;
    weft_comparator *comparator;
    weft_side_term term;
    weft_measure measure;
    double dimension;
} scene;

static const int64_t CLASS_OF[N] = {0, 0, 1, 1, 2};
static const double SQUARE[N * N] = {2, 1, 0, 0, 0, 1, 2, 1, 0, 0, 0, 1, 2,
                                     1, 0, 0, 0, 1, 2, 1, 0, 0, 0, 1, 2};
static const double VALUES[2 * N] = {0, 1, 1, 0, -1, 0.5, 0.25, 0.75, -0.5, -1};

static double callback(void *user, int64_t i, int64_t j)
{
    (void)user;
    return i == j ? 1 : 0.25;
}

static weft_status make_graph(const weft_side_options *options, weft_side **side, weft_error *error)
{
    static const int64_t from[] = {0, 1, 3, 3}, to[] = {1, 2, 4, 3};
    weft_graph graph = {.vertices = N, .edges = 4, .from = from, .to = to, .connect = true};
    return weft_side_from_graph(&graph, options, side, error);
}

static weft_status make(kind which, const weft_memory *memory, weft_side **side, weft_error *error)
{
    weft_side_options options = {.memory = memory};
    weft_features features = {N, 2, VALUES, WEFT_LINEAR, 0.5};
    switch (which) {
    case NONE:
        return weft_side_none(N, &options, side, error);
    case CLASSES:
        return weft_side_from_classes(N, CLASS_OF, 0.1, &options, side, error);
    case KERNEL:
        return weft_side_from_kernel(N, SQUARE, &options, side, error);
    case MATRIX:
        return weft_side_from_matrix(N, SQUARE, &options, side, error);
    case GRAPH:
        return make_graph(&options, side, error);
    case GAUSSIAN:
        features.kernel = WEFT_GAUSSIAN;
        return weft_side_from_features(&features, &options, side, error);
    case MIN:
        features.kernel = WEFT_MIN;
        features.parameter = 2;
        return weft_side_from_features(&features, &options, side, error);
    case CALLBACK:
        return weft_side_from_callback(N, callback, NULL, &options, side, error);
    case HASHED:
        options.map = &(weft_map){.hash = 8};
        return weft_side_from_classes(N, CLASS_OF, 0.1, &options, side, error);
    case FOURIER:
        options.map = &(weft_map){.fourier = 6, .hash = 3};
        features.kernel = WEFT_GAUSSIAN;
        return weft_side_from_features(&features, &options, side, error);
    case EIGEN:
        options.map = &(weft_map){.eigen = 3, .hash = 3};
        return weft_side_from_callback(N, callback, NULL, &options, side, error);
    default:
        options.radius = 4;
        return weft_side_from_features(&features, &options, side, error);
    }
}

/* ---- what is seen ---- */

/* Of all features, and of the refusal of ids that have none. */
static uint64_t digest_of_map(const weft_side *side, uint64_t digest)
{
    int64_t dimension = weft_side_dimension(side);
    double phi[64];
    assert_true(dimension <= 64);
    for (int64_t i = 0; i < weft_side_count(side) && dimension > 0; i++) {
        weft_status status = weft_side_features(side, i, phi, NULL);
        digest = oom_digest(digest, &status, sizeof status);
        if (status == WEFT_OK)
            digest = oom_digest(digest, phi, (size_t)dimension * sizeof *phi);
    }
    return digest;
}

static uint64_t digest_of(const weft_side *side)
{
    int64_t count = weft_side_count(side);
    double radius = weft_side_radius(side);
    uint64_t digest = oom_digest(1, &count, sizeof count);
    digest = oom_digest(digest, &radius, sizeof radius);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            double entry = weft_side_entry(side, i, j);
            digest = oom_digest(digest, &entry, sizeof entry);
        }
    return digest_of_map(side, digest);
}

static uint64_t look(void *self)
{
    scene *s = self;
    return s->side != NULL ? digest_of(s->side) : 0;
}

static uint64_t given(void *self)
{
    scene *s = self;
    if (s->made != NULL)
        return digest_of(s->made);
    if (s->comparator != NULL)
        return 1 + (uint64_t)weft_comparator_errors(s->comparator, false);
    if (s->term.classes != 0)
        return oom_digest(2, &s->term.value, sizeof s->term.value);
    if (s->measure.size != 0)
        return oom_digest(3, &s->measure.dimension, sizeof s->measure.dimension);
    return s->dimension != 0 ? oom_digest(4, &s->dimension, sizeof s->dimension) : 0;
}

/* ---- the scene ---- */

static void open_empty(void *self, const weft_memory *memory)
{
    scene *s = self;
    (void)memory;
    *s = (scene){.which = s->which};
}

static void open_side(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_empty(self, memory);
    assert_int_equal(make(s->which, memory, &s->side, NULL), WEFT_OK);
}

static void close_all(void *self)
{
    scene *s = self;
    weft_comparator_free(s->comparator);
    weft_side_free(s->made);
    weft_side_free(s->side);
}

/* ---- the calls ---- */

static weft_status create(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return make(s->which, memory, &s->made, error);
}

static weft_item item_for(kind which)
{
    static const double entries[N + 1] = {0, 0, 0, 0, 0.5, 2}, vector[2] = {0.5, -0.25};
    weft_item item = {.alone = which == MATRIX || which == GRAPH, .class_of = 9};
    if (which == KERNEL) {
        item.values = entries;
        item.length = N + 1;
    }
    if (which == LINEAR || which == GAUSSIAN || which == MIN || which == FOURIER) {
        item.values = vector;
        item.length = 2;
    }
    return item;
}

static weft_status append(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_item item = item_for(s->which);
    (void)memory;
    return weft_side_append(s->side, &item, error);
}

static weft_status append_alone(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_side_append(((scene *)self)->side, &(weft_item){.alone = true}, error);
}

static weft_status measure_side(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_theory_side(s->side, CLASS_OF, &s->term, error);
}

static weft_status measure_one_set(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_theory_one_set(s->side, CLASS_OF, &s->dimension, error);
}

static weft_status measure_both(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_truth truth = {.row_class = CLASS_OF, .column_class = CLASS_OF};
    weft_settings settings = {.form = WEFT_PAPER};
    (void)memory;
    return weft_theory_measure(s->side, s->side, &truth, &settings, &s->measure, error);
}

static weft_status compare(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_comparator_create(3, 4, memory, &s->comparator, error);
}

static void every_kind(void **state)
{
    static const oom_case cases[] = {
        {"create", open_empty, create, look, given, close_all, 1},
        {"append", open_side, append, look, given, close_all, 0},
        {"append alone", open_side, append_alone, look, given, close_all, 0},
        {"weft_theory_side", open_side, measure_side, look, given, close_all, 1},
        {"weft_theory_one_set", open_side, measure_one_set, look, given, close_all, 1},
        {"weft_theory_measure", open_side, measure_both, look, given, close_all, 1},
    };
    for (int which = 0; which < KINDS; which++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            scene s = {.which = (kind)which};
            oom_play(&cases[k], &s);
        }
}

/* More ids than the first capacities hold. */
static void many_appends(void **state)
{
    for (int which = 0; which < KINDS; which++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft_side *side = NULL, *twin = NULL;
        assert_int_equal(make((kind)which, &memory, &side, NULL), WEFT_OK);
        assert_int_equal(make((kind)which, NULL, &twin, NULL), WEFT_OK);
        for (int64_t t = 0; t < 40; t++) {
            weft_item item = {.alone = true};
            assert_int_equal(weft_side_append(twin, &item, NULL), WEFT_OK);
            for (int64_t k = 0;; k++) {
                uint64_t before = digest_of(side);
                test_alloc_arm(&alloc, k);
                weft_status status = weft_side_append(side, &item, NULL);
                assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
                if (status == WEFT_OK)
                    break;
                assert_true(digest_of(side) == before);
            }
        }
        assert_true(digest_of(side) == digest_of(twin));
        weft_side_free(side);
        weft_side_free(twin);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

static void a_comparator(void **state)
{
    static const oom_case what = {"weft_comparator_create", open_empty, compare, look, given, close_all, 1};
    scene s = {.which = NONE};
    oom_play(&what, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(many_appends),
        cmocka_unit_test(a_comparator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
