/* SPDX-License-Identifier: MIT
 * However large a graph is, its set-up tells its caller again before long: what counts here are looks at ends
 * of edges, of which at most so many are to lie between two calls, in every part of the work. */
#include "support/test.h"

#include "base/progress.h"
#include "side/graph/communities.h"
#include "side/graph/laplacian.h"
#include "side/graph/links.h"
#include "support/dice.h"

#include <string.h>

enum { VERTICES = 3000, DEGREE = 20, EDGES = VERTICES * DEGREE, ENDS = 2 * EDGES };

/* Multiplications that a look at an end is counted for at least, and those between two calls. */
enum { A_LOOK = 64, EVERY = 1 << 20 };

/* Calls while `what` was done; it stops at number `stop_at`. */
typedef struct counter {
    const char *what;
    int64_t calls, all, stop_at;
} counter;

static bool count(void *context, const char *what, double done)
{
    counter *c = context;
    (void)done;
    c->calls += strcmp(what, c->what) == 0;
    return c->all++ != c->stop_at;
}

static weft__progress progress_of(counter *c)
{
    return weft__progress_of(&(weft_progress){.tell = count, .context = c, .every = EVERY});
}

static weft_graph draw_graph(void)
{
    static int64_t from[EDGES], to[EDGES];
    dice d = {17};
    for (int64_t k = 0; k < EDGES; k++) {
        from[k] = k % VERTICES;
        to[k] = (k + 1 + dice_below(&d, VERTICES - 1)) % VERTICES;
    }
    return (weft_graph){.vertices = VERTICES, .edges = EDGES, .from = from, .to = to};
}

typedef weft_status maker(const weft_graph *graph, weft__progress *progress, weft_error *error);

static weft_status make_laplacian(const weft_graph *graph, weft__progress *progress, weft_error *error)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__laplacian laplacian = {.memory = memory};
    weft_status status = weft__laplacian_build(graph, true, &memory, progress, &laplacian, error);
    weft__laplacian_free(&laplacian);
    return status;
}

static weft_status make_links(const weft_graph *graph, weft__progress *progress, weft_error *error)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__links links = {0};
    weft_status status = weft__links_build(graph, &memory, progress, &links, error);
    weft__delete(&memory, links.start);
    weft__delete(&memory, links.list);
    return status;
}

static weft_status make_communities(const weft_graph *graph, weft__progress *progress, weft_error *error)
{
    static int64_t class_of[VERTICES];
    weft_memory memory = weft__memory_or_default(NULL);
    class_of[0] = -1;
    weft_status status = weft__graph_communities(graph, &memory, progress, class_of, error);
    assert_true((class_of[0] == -1) == (status != WEFT_OK));
    return status;
}

/* That many looks at least, and stopped at any call of a few it ends as one that was interrupted. */
static void check_calls(maker *make, const char *what, double looks)
{
    weft_graph graph = draw_graph();
    counter c = {.what = what, .stop_at = -1};
    weft__progress progress = progress_of(&c);
    assert_int_equal(make(&graph, &progress, NULL), WEFT_OK);
    int64_t all = c.all;
    assert_true((double)c.calls >= looks * A_LOOK / EVERY);
    for (int64_t at = 0; at < all; at += 1 + all / 7) {
        weft_error error = {0};
        c = (counter){.what = what, .stop_at = at};
        progress = progress_of(&c);
        assert_int_equal(make(&graph, &progress, &error), WEFT_INTERRUPTED);
        assert_int_equal(c.all, at + 1);
    }
}

/* Both ends of an edge are counted, put into rows, sorted, and visited as components are found. */
static void the_laplacian_tells(void **state)
{
    (void)state;
    check_calls(make_laplacian, "the Laplacian of a graph", 3 * ENDS);
}

/* Nearly all have the same degree: two steps from every vertex. */
static void neighbours_tell(void **state)
{
    (void)state;
    check_calls(make_links, "the neighbours in a graph", 0.9 * ENDS * 2 * DEGREE);
}

/* Several tries, each of two passes at least. */
static void communities_tell(void **state)
{
    (void)state;
    check_calls(make_communities, "the communities of a graph", 8 * 2 * ENDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_laplacian_tells),
        cmocka_unit_test(neighbours_tell),
        cmocka_unit_test(communities_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
