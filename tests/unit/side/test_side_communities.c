/* SPDX-License-Identifier: MIT
 * The communities of a graph, judged by the definition of modularity in extended precision, by all partitions
 * of small graphs, and by graphs whose communities are known. */
#include "support/test.h"

#include "side/graph/communities.h"
#include "support/alloc.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/stopper.h"

#include <pthread.h>

enum { MOST = 400, MOST_EDGES = 20000 };

typedef struct scene {
    int64_t n, edges;
    int64_t from[MOST_EDGES], to[MOST_EDGES];
    double weight[MOST_EDGES];
    int64_t class_of[MOST];
    weft_memory memory;
    weft_progress progress;
} scene;

static void clear(scene *s, int64_t n)
{
    s->n = n;
    s->edges = 0;
}

static void join(scene *s, int64_t a, int64_t b, double weight)
{
    assert_true(s->edges < MOST_EDGES);
    s->from[s->edges] = a;
    s->to[s->edges] = b;
    s->weight[s->edges++] = weight;
}

static void add_clique(scene *s, int64_t first, int64_t count, double weight)
{
    for (int64_t a = first; a < first + count; a++)
        for (int64_t b = first; b < a; b++)
            join(s, a, b, weight);
}

static weft_graph graph_of(const scene *s)
{
    return (weft_graph){.vertices = s->n,
                        .edges = s->edges,
                        .from = s->from,
                        .to = s->to,
                        .weight = s->weight,
                        .normalised = true}; /* which plays no part */
}

static void find(scene *s)
{
    weft_error error = {0};
    weft_memory memory = weft__memory_or_default(NULL);
    weft_graph graph = graph_of(s);
    for (int64_t i = 0; i < MOST; i++)
        s->class_of[i] = -7;
    if (weft__graph_communities(&graph, &memory, NULL, s->class_of, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_true(s->n == MOST || s->class_of[s->n] == -7);
}

/* ---- The definition ---- */

static long double adjacency[MOST][MOST], degree[MOST], twice; /* twice: the sum of all degrees */

/* Every edge once, and no loops. */
static void read_definition(const scene *s)
{
    memset(adjacency, 0, sizeof adjacency);
    memset(degree, 0, sizeof degree);
    twice = 0;
    for (int64_t k = 0; k < s->edges; k++)
        if (s->from[k] != s->to[k])
            adjacency[s->from[k]][s->to[k]] = adjacency[s->to[k]][s->from[k]] = s->weight[k];
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++) {
            degree[i] += adjacency[i][j];
            twice += adjacency[i][j];
        }
}

static long double modularity(int64_t n, const int64_t *class_of)
{
    long double sum = 0;
    for (int64_t i = 0; i < n && twice > 0; i++)
        for (int64_t j = 0; j < n; j++)
            if (class_of[i] == class_of[j])
                sum += adjacency[i][j] / twice - degree[i] / twice * (degree[j] / twice);
    return sum;
}

/* What joining classes a and b adds. */
static long double gain_of(const scene *s, int64_t a, int64_t b)
{
    long double sum = 0;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++)
            if (s->class_of[i] == a && s->class_of[j] == b)
                sum += 2 * (adjacency[i][j] / twice - degree[i] / twice * (degree[j] / twice));
    return sum;
}

static int64_t count_classes(const scene *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->n; i++)
        count = s->class_of[i] >= count ? s->class_of[i] + 1 : count;
    return count;
}

/* Whether class c is in one piece: a class without a path inside gains by being taken apart. */
static bool hangs_together(const scene *s, int64_t c)
{
    bool seen[MOST] = {false};
    int64_t members = 0, reached = 0, before = -1;
    for (int64_t i = 0; i < s->n; i++) {
        seen[i] = s->class_of[i] == c && members == 0;
        members += s->class_of[i] == c;
    }
    while (reached != before) {
        before = reached;
        reached = 0;
        for (int64_t i = 0; i < s->n; i++) {
            for (int64_t j = 0; j < s->n && s->class_of[i] == c; j++)
                seen[i] = seen[i] || (seen[j] && adjacency[i][j] > 0);
            reached += seen[i];
        }
    }
    return reached == members;
}

/* What is promised of every graph: numbers in the order of first vertices, who has no edges is alone, and no
 * two communities are better joined (so the modularity is not below 0, that of all vertices together).  A
 * single vertex may still be better elsewhere: it went with the others of its community. */
static void assert_sound(const scene *s)
{
    const long double rounding = 1e-13L;
    int64_t next = 0, size[MOST] = {0};
    read_definition(s);
    for (int64_t i = 0; i < s->n; i++) {
        assert_in_range(s->class_of[i], 0, next);
        next += s->class_of[i] == next;
        size[s->class_of[i]]++;
    }
    for (int64_t i = 0; i < s->n; i++)
        assert_true(degree[i] > 0 || size[s->class_of[i]] == 1);
    for (int64_t a = 0; a < next && twice > 0; a++)
        for (int64_t b = 0; b < a; b++)
            assert_true(gain_of(s, a, b) < rounding);
    assert_true(modularity(s->n, s->class_of) > -rounding);
}

/* ---- Known graphs ---- */

static void assert_classes(scene *s, const char *expected)
{
    find(s);
    assert_sound(s);
    assert_int_equal(strlen(expected), s->n);
    for (int64_t i = 0; i < s->n; i++)
        if (s->class_of[i] != expected[i] - 'a')
            fail_msg("vertex %d of %s is in class %d", (int)i, expected, (int)s->class_of[i]);
}

static void nothing_to_join(void **state)
{
    static scene s;
    clear(&s, 0);
    find(&s);
    clear(&s, 1);
    assert_classes(&s, "a");
    clear(&s, 4);
    assert_classes(&s, "abcd");
    join(&s, 2, 2, 5);
    join(&s, 0, 0, 1e300);
    assert_classes(&s, "abcd");
}

static void small_graphs(void **state)
{
    static scene s;
    clear(&s, 2);
    join(&s, 1, 0, 3);
    assert_classes(&s, "aa");
    clear(&s, 7); /* a star of five, a pair, and who has nobody */
    for (int64_t k = 1; k < 5; k++)
        join(&s, 0, k, 1);
    assert_classes(&s, "aaaaabc");
    join(&s, 6, 5, 1e-3);
    assert_classes(&s, "aaaaabb");
    clear(&s, 8); /* two components, one behind the other and mixed */
    for (int64_t k = 0; k < 8; k += 2) {
        join(&s, k, (k + 2) % 8, 1);
        join(&s, k, (k + 4) % 8, 1);
        join(&s, (k + 5) % 8, k + 1, 1);
        join(&s, (k + 3) % 8, k + 1, 1);
    }
    assert_classes(&s, "abababab");
    clear(&s, 9); /* who is alone stands first, in the middle and last */
    add_clique(&s, 1, 3, 1);
    add_clique(&s, 5, 3, 1);
    assert_classes(&s, "abbbcddde");
}

/* Numbered as they come, cliques in a ring or a line, each joined to the next by one edge. */
static void joined_cliques(void **state)
{
    static scene s;
    for (int ring = 0; ring < 2; ring++)
        for (int64_t size = 3; size <= 8; size++)
            for (int64_t count = 2; count <= 5; count++) {
                clear(&s, size * count);
                for (int64_t c = 0; c < count; c++) {
                    add_clique(&s, c * size, size, 1);
                    if (c + 1 < count || (ring && count > 2))
                        join(&s, c * size, (c + 1) % count * size + 1, 1);
                }
                find(&s);
                assert_sound(&s);
                for (int64_t i = 0; i < s.n; i++)
                    assert_int_equal(s.class_of[i], i / size);
            }
}

/* The best partitions of a ring of n have arcs of about the root of n; greedy ones are near. */
static void rings(void **state)
{
    static scene s;
    for (int64_t n = 3; n <= 300; n = n * 3 / 2 + 1) {
        clear(&s, n);
        for (int64_t k = 0; k < n; k++)
            join(&s, k, (k + 1) % n, 1);
        find(&s);
        assert_sound(&s);
        long double arc = sqrtl((long double)n), best = 1 - 1 / arc - arc / (long double)n;
        assert_true(modularity(n, s.class_of) > best - 0.03L);
        for (int64_t c = 0; c < count_classes(&s); c++)
            assert_true(hangs_together(&s, c));
    }
}

static void loops_and_repetitions_change_nothing(void **state)
{
    static scene s, t;
    dice d = {3};
    for (int round = 0; round < 20; round++) {
        clear(&s, 30);
        for (int k = 0; k < 60; k++) {
            int64_t a = dice_below(&d, 30), b = dice_below(&d, 30);
            join(&s, a, b, 1 + (double)((a + b) % 3));
        }
        t = s;
        for (int k = 0; k < 60; k++)
            join(&t, s.to[k], s.from[k], s.weight[k]);
        for (int64_t i = 0; i < 30; i += 7)
            join(&t, i, i, 1 + (double)(2 * i % 3));
        find(&s);
        find(&t);
        assert_sound(&s);
        assert_memory_equal(s.class_of, t.class_of, sizeof s.class_of);
    }
}

/* ---- All partitions ---- */

static long double best_of(int64_t n, int64_t at, int64_t used, int64_t *class_of)
{
    long double best = -1;
    if (at == n)
        return modularity(n, class_of);
    for (int64_t c = 0; c <= used; c++) {
        class_of[at] = c;
        best = fmaxl(best, best_of(n, at + 1, used + (c == used), class_of));
    }
    return best;
}

static void draw(scene *s, dice *d, int64_t n, double density, int kind)
{
    clear(s, n);
    for (int64_t a = 0; a < n; a++)
        for (int64_t b = 0; b < a; b++)
            if (dice_chance(d, density)) {
                double weight = kind == 0   ? 1
                                : kind == 1 ? (double)(1 + dice_below(d, 4))
                                : kind == 2 ? dice_log_between(d, 1e-3, 1e3)
                                            : dice_log_between(d, 1e-300, 1e300);
                join(s, dice_chance(d, 0.5) ? a : b, 0, weight);
                s->to[s->edges - 1] = s->from[s->edges - 1] == a ? b : a;
            }
}

/* Nothing is better than the best of all partitions; nearly always that is found. */
static void the_best_partition_of_small_graphs(void **state)
{
    static scene s;
    dice d = {41};
    int64_t graphs = effort(fewer(400, 60), 4000), found = 0;
    long double most = 0;
    for (int64_t g = 0; g < graphs; g++) {
        int64_t n = 2 + dice_below(&d, 6), any[8];
        draw(&s, &d, n, dice_between(&d, 0.1, 1), (int)(g % 4));
        find(&s);
        assert_sound(&s);
        long double best = best_of(n, 0, 0, any), own = modularity(n, s.class_of);
        assert_true(own <= best + 1e-15L);
        found += own > best - 1e-12L;
        most = fmaxl(most, best - own);
    }
    if (100 * found < 98 * graphs || most > 0.06L)
        fail_msg("%d of %d, and %Lg from the best", (int)found, (int)graphs, most);
}

static void larger_graphs(void **state)
{
    static scene s;
    dice d = {42};
    for (int64_t g = 0; g < effort(fewer(40, 8), 400); g++) {
        int64_t n = 10 + dice_below(&d, 140);
        draw(&s, &d, n, dice_log_between(&d, 0.5 / (double)n, 0.9), (int)(g % 4));
        find(&s);
        assert_sound(&s);
    }
}

/* ---- Planted communities ---- */

/* `count` communities, vertex i in one of them by chance, an edge inside and between by chance. */
static void plant(scene *s, dice *d, int64_t n, int64_t count, double inside, double between,
                  int64_t *class_of)
{
    int64_t number[MOST], next = 0;
    clear(s, n);
    for (int64_t c = 0; c < count; c++)
        number[c] = -1;
    for (int64_t i = 0; i < n; i++) {
        int64_t c = dice_below(d, count);
        if (number[c] < 0)
            number[c] = next++;
        class_of[i] = number[c];
    }
    for (int64_t a = 0; a < n; a++)
        for (int64_t b = 0; b < a; b++)
            if (dice_chance(d, class_of[a] == class_of[b] ? inside : between))
                join(s, a, b, 1);
}

static void planted_communities_are_found(void **state)
{
    static scene s;
    static int64_t planted[MOST];
    dice d = {5};
    for (int64_t g = 0; g < effort(fewer(12, 3), 60); g++) {
        plant(&s, &d, 300, 2 + g % 6, 0.4, 0.02, planted);
        find(&s);
        assert_memory_equal(s.class_of, planted, 300 * sizeof *planted);
        if (g == 0)
            assert_sound(&s);
    }
}

/* Where chance hides them nothing planted is better than what is found, by much. */
static void hidden_communities(void **state)
{
    static scene s;
    static int64_t planted[MOST];
    dice d = {6};
    for (int64_t g = 0; g < effort(fewer(8, 2), 40); g++) {
        plant(&s, &d, 300, 6, 0.12, 0.03, planted);
        find(&s);
        read_definition(&s);
        assert_true(modularity(300, s.class_of) > modularity(300, planted) - 0.02L);
    }
}

/* ---- Weights ---- */

/* Scaled by a power of two it is the same graph, down to numbers without a full mantissa. */
static void a_common_scale_changes_nothing(void **state)
{
    static scene s, t;
    static const int scales[] = {-1074, -1060, -1022, -300, 300, 1021};
    dice d = {8};
    for (int round = 0; round < 6; round++) {
        draw(&s, &d, 40, 0.15, 1);
        find(&s);
        t = s;
        for (int64_t k = 0; k < s.edges; k++)
            t.weight[k] = ldexp(s.weight[k], scales[round]);
        find(&t);
        assert_memory_equal(s.class_of, t.class_of, sizeof s.class_of);
    }
}

/* Beside edges of 1e300 those of 1e-300 are nothing, however many there are: between all of two cliques, and
 * many small communities. */
static void weights_that_vanish(void **state)
{
    static scene s;
    for (int64_t size = 3; size <= 48; size *= 4) {
        int64_t count = size == 48 ? 2 : 5;
        clear(&s, size * count);
        for (int64_t a = 0; a < s.n; a++)
            for (int64_t b = 0; b < a; b++)
                join(&s, a, b, a / size == b / size ? 1e300 : 1e-300);
        find(&s);
        assert_sound(&s);
        for (int64_t i = 0; i < s.n; i++)
            assert_int_equal(s.class_of[i], i / size);
    }
}

/* Each edge as heavy as all lighter ones together, and more. */
static void weights_of_all_magnitudes(void **state)
{
    static scene s;
    dice d = {9};
    for (int round = 0; round < 20; round++) {
        draw(&s, &d, 60, 0.3, 3);
        int64_t heaviest = 0;
        for (int64_t k = 0; k < s.edges; k++)
            heaviest = s.weight[k] > s.weight[heaviest] ? k : heaviest;
        find(&s);
        assert_sound(&s);
        assert_int_equal(s.class_of[s.from[heaviest]], s.class_of[s.to[heaviest]]);
    }
    clear(&s, MOST);
    for (int64_t i = 0; i + 1 < MOST; i++)
        join(&s, i, i + 1, ldexp(1, (int)(i - MOST / 2) * 5));
    find(&s);
    assert_sound(&s);
}

static void weights_decide(void **state)
{
    static scene s;
    clear(&s, 6);
    add_clique(&s, 0, 6, 1);
    for (int64_t k = 0; k < s.edges; k++)
        s.weight[k] = s.from[k] % 2 == s.to[k] % 2 ? 10 : 1;
    assert_classes(&s, "ababab");
    for (int64_t k = 0; k < s.edges; k++)
        s.weight[k] = s.from[k] / 2 == s.to[k] / 2 ? 10 : 1;
    assert_classes(&s, "aabbcc");
}

/* ---- What plays no part ---- */

static void order_and_direction_play_no_part(void **state)
{
    static scene s, t;
    dice d = {10};
    for (int round = 0; round < 30; round++) {
        draw(&s, &d, 50, dice_between(&d, 0.03, 0.3), round % 4);
        find(&s);
        t = s;
        for (int64_t k = t.edges - 1; k >= 0; k--) {
            int64_t other = dice_below(&d, k + 1), a = t.from[k], b = t.to[k];
            bool turned = dice_chance(&d, 0.5);
            double weight = t.weight[k];
            t.from[k] = t.from[other], t.to[k] = t.to[other], t.weight[k] = t.weight[other];
            t.from[other] = turned ? b : a, t.to[other] = turned ? a : b, t.weight[other] = weight;
        }
        find(&t);
        assert_memory_equal(s.class_of, t.class_of, sizeof s.class_of);
    }
}

static void *find_on_a_thread(void *self)
{
    scene *s = self;
    weft_memory memory = weft__memory_or_default(NULL);
    weft_graph graph = graph_of(s);
    for (int round = 0; round < 5; round++)
        if (weft__graph_communities(&graph, &memory, NULL, s->class_of, NULL) != WEFT_OK)
            abort(); /* cmocka knows one thread */
    return NULL;
}

static void threads_play_no_part(void **state)
{
    enum { THREADS = 4 };
    static scene s[THREADS];
    pthread_t thread[THREADS];
    dice d = {11};
    draw(&s[0], &d, 150, 0.05, 0);
    find(&s[0]);
    for (int k = 1; k < THREADS; k++)
        s[k] = s[0];
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, find_on_a_thread, &s[k]), 0);
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(thread[k], NULL), 0);
    find(&s[0]);
    for (int k = 1; k < THREADS; k++)
        assert_memory_equal(s[0].class_of, s[k].class_of, sizeof s[0].class_of);
}

/* ---- Large graphs ---- */

enum { LARGE = 20000, GROUP = 20 };

/* Rings of 20 with chords, joined in a ring: several blocks of vertices, and several levels. */
static weft_status find_large(weft_progress progress, const weft_memory *memory, int64_t *class_of,
                              weft_error *error)
{
    enum { EDGES = 3 * LARGE + LARGE / GROUP };
    static int64_t from[EDGES], to[EDGES];
    int64_t edges = 0;
    for (int64_t i = 0; i < LARGE; i++) {
        for (int64_t k = 1; k <= 3; k++) {
            from[edges] = i;
            to[edges++] = i / GROUP * GROUP + (i + k) % GROUP;
        }
        if (i % GROUP == 0) {
            from[edges] = i;
            to[edges++] = (i + GROUP + 7) % LARGE;
        }
    }
    weft_graph graph = {.vertices = LARGE, .edges = edges, .from = from, .to = to};
    weft__progress counted = weft__progress_of(&progress);
    return weft__graph_communities(&graph, memory, &counted, class_of, error);
}

static void groups_of_a_large_graph(void **state)
{
    static int64_t class_of[LARGE];
    weft_memory memory = weft__memory_or_default(NULL);
    assert_int_equal(find_large((weft_progress){0}, &memory, class_of, NULL), WEFT_OK);
    /* Nobody is parted from its group; groups may be joined, where there are so many. */
    for (int64_t i = 0; i < LARGE; i++)
        assert_int_equal(class_of[i], class_of[i / GROUP * GROUP]);
    int64_t last = 0;
    for (int64_t i = 0; i < LARGE; i++) {
        assert_in_range(class_of[i], 0, last);
        last += class_of[i] == last;
    }
    assert_in_range(last, 50, LARGE / GROUP);
}

/* Stops are heard within a pass of many vertices too, and nothing is told after one. */
static void a_large_graph_can_be_stopped(void **state)
{
    static int64_t class_of[LARGE];
    test_alloc alloc;
    stopper s;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    stopper_arm(&s, STOPPER_NEVER);
    assert_int_equal(find_large((weft_progress){stopper_tell, &s, 1e6}, &memory, class_of, NULL), WEFT_OK);
    int64_t calls = s.calls;
    assert_in_range(calls, 10, 5000);
    for (int64_t k = 0; k < calls; k = after(k, calls, fewer(6, 3))) {
        weft_error error = {0};
        stopper_arm(&s, k);
        class_of[0] = class_of[LARGE - 1] = -7;
        assert_int_equal(find_large((weft_progress){stopper_tell, &s, 1e6}, &memory, class_of, &error),
                         WEFT_INTERRUPTED);
        assert_true(error.status == WEFT_INTERRUPTED && s.calls == k + 1);
        assert_true(class_of[0] == -7 && class_of[LARGE - 1] == -7);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

/* ---- Failures ---- */

static void open_scene(void *self, const weft_memory *memory, weft_progress progress)
{
    scene *s = self;
    dice d = {12};
    draw(s, &d, 150, 0.06, 1);
    s->memory = *memory;
    s->progress = progress;
    memset(s->class_of, 0x5a, sizeof s->class_of);
}

static weft_status act(void *self, weft_error *error)
{
    scene *s = self;
    weft_graph graph = graph_of(s);
    weft__progress progress = weft__progress_of(&s->progress);
    return weft__graph_communities(&graph, &s->memory, &progress, s->class_of, error);
}

static uint64_t look_at_nothing(void *self)
{
    (void)self;
    return 1;
}

static uint64_t given(void *self)
{
    const scene *s = self;
    const unsigned char *bytes = (const unsigned char *)s->class_of;
    bool touched = false;
    for (size_t k = 0; k < sizeof s->class_of; k++)
        touched = touched || bytes[k] != 0x5a;
    return touched ? stopper_digest(1, bytes, sizeof s->class_of) : 0;
}

static void close_scene(void *self)
{
    (void)self;
}

static void it_can_be_stopped_at_each_step(void **state)
{
    static scene s;
    const stopper_case what = {"communities", 500, open_scene, act, look_at_nothing, given, close_scene, 30};
    stopper_play(&what, &s);
}

static void every_allocation_may_fail(void **state)
{
    static scene s;
    int64_t refused = 0;
    for (;; refused++) {
        test_alloc alloc;
        weft_error error = {0};
        weft_memory memory = test_alloc_begin(&alloc, refused);
        open_scene(&s, &memory, (weft_progress){0});
        weft_status status = act(&s, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        assert_int_equal(error.status, status);
        assert_true((given(&s) == 0) == alloc.failed);
        if (!alloc.failed)
            break;
    }
    assert_true(refused > 30);
}

/* 12 bytes an end of an edge three times at the most, and words for vertices: of a dense graph. */
static void memory_is_bounded(void **state)
{
    static scene s;
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_graph graph;
    clear(&s, 190);
    add_clique(&s, 0, 190, 1);
    graph = graph_of(&s);
    assert_int_equal(weft__graph_communities(&graph, &memory, NULL, s.class_of, NULL), WEFT_OK);
    /* While the Laplacian is made, from two lists of ends: 16 bytes each. */
    assert_in_range(alloc.peak, 24 * 2 * s.edges, 48 * 2 * s.edges);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void bad_graphs_are_refused(void **state)
{
    static scene s;
    static const struct {
        int64_t to;
        double weight;
    } bad[] = {{3, 1}, {-1, 1}, {2, 0}, {2, -1}, {2, INFINITY}, {2, NAN}, {1, 2}};
    weft_memory memory = weft__memory_or_default(NULL);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        weft_error error = {0};
        clear(&s, 3);
        join(&s, 0, 1, 1);
        join(&s, 0, bad[k].to, bad[k].weight);
        s.class_of[0] = -7;
        weft_graph graph = graph_of(&s);
        assert_int_equal(weft__graph_communities(&graph, &memory, NULL, s.class_of, &error), WEFT_INPUT);
        assert_true(error.status == WEFT_INPUT && s.class_of[0] == -7);
    }
}

/* 20 communities of 250 vertices, five edges a vertex, four of five of them within: too large for several
 * tries.  Hardly a vertex is where the most of its community are not. */
static void communities_of_a_large_graph(void **state)
{
    enum { N = 5000, EACH = 5, CLASSES = 20 };
    static int64_t from[N * EACH], to[N * EACH], class_of[N], members[N][CLASSES];
    weft_memory memory = weft__memory_or_default(NULL);
    dice d = {1};
    for (int64_t k = 0; k < N * EACH; k++) {
        int64_t other = dice_below(&d, N);
        from[k] = k / EACH;
        to[k] = dice_chance(&d, 0.8) ? other / CLASSES * CLASSES + from[k] % CLASSES : other;
    }
    weft_graph graph = {.vertices = N, .edges = N * EACH, .from = from, .to = to};
    assert_int_equal(weft__graph_communities(&graph, &memory, NULL, class_of, NULL), WEFT_OK);
    int64_t right = 0;
    for (int64_t i = 0; i < N; i++)
        members[class_of[i]][i % CLASSES]++;
    for (int64_t c = 0; c < N; c++) {
        int64_t most = 0;
        for (int k = 0; k < CLASSES; k++)
            most = members[c][k] > most ? members[c][k] : most;
        assert_true(c < CLASSES || most == 0);
        right += most;
    }
    assert_true(right > N - N / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_join),
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(joined_cliques),
        cmocka_unit_test(rings),
        cmocka_unit_test(loops_and_repetitions_change_nothing),
        cmocka_unit_test(the_best_partition_of_small_graphs),
        cmocka_unit_test(larger_graphs),
        cmocka_unit_test(planted_communities_are_found),
        cmocka_unit_test(hidden_communities),
        cmocka_unit_test(a_common_scale_changes_nothing),
        cmocka_unit_test(weights_that_vanish),
        cmocka_unit_test(weights_of_all_magnitudes),
        cmocka_unit_test(weights_decide),
        cmocka_unit_test(order_and_direction_play_no_part),
        cmocka_unit_test(threads_play_no_part),
        cmocka_unit_test(groups_of_a_large_graph),
        cmocka_unit_test(communities_of_a_large_graph),
        cmocka_unit_test(a_large_graph_can_be_stopped),
        cmocka_unit_test(it_can_be_stopped_at_each_step),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(bad_graphs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
