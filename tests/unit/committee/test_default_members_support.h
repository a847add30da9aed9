/* SPDX-License-Identifier: MIT
 * Views of every kind for the tests of the members of a committee. */
#ifndef WEFT_TESTS_UNIT_TEST_DEFAULT_MEMBERS_SUPPORT_H
#define WEFT_TESTS_UNIT_TEST_DEFAULT_MEMBERS_SUPPORT_H

#include "support/test.h"

#include "weft_advanced.h"

enum { MOST = 128, ROWS = 7, COLUMNS = 5 };

/* The views of one side, made by a letter each: given, none, identity, near, far, communities. */
typedef struct scene {
    weft_side *side[6];
    weft_view list[6];
    weft_views views;
} scene;

static inline weft_side *graph_side(int64_t count, weft_graph_kernel kernel, double parameter)
{
    int64_t from[16], to[16];
    weft_side *side = NULL;
    for (int64_t k = 0; k < count; k++) {
        from[k] = k;
        to[k] = (k + 1) % count;
    }
    weft_graph graph = {.vertices = count, .edges = count, .from = from, .to = to, .kernel = kernel};
    graph.parameter = parameter;
    graph.normalised = graph.unit = kernel == WEFT_DIFFUSION;
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, NULL), WEFT_OK);
    return side;
}

static inline weft_side *none_side(int64_t count)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(count, NULL, &side, NULL), WEFT_OK);
    return side;
}

static inline weft_side *given_side(const char *what, int64_t count)
{
    weft_side *side = NULL;
    const int64_t class_of[] = {0, 1, 0, 1, 2, 0, 2, 1};
    if (strcmp(what, "graph") == 0)
        return graph_side(count, WEFT_PDLAPLACIAN, 0);
    if (strcmp(what, "edges") == 0)
        return graph_side(count, WEFT_NO_KERNEL, 0);
    if (strcmp(what, "none") == 0)
        return none_side(count);
    assert_int_equal(weft_side_from_classes(count, class_of, 0.1, NULL, &side, NULL), WEFT_OK);
    return side;
}

static inline weft_side *view_side(scene *s, const char *what, weft_view_kind kind, int64_t count)
{
    weft_side *side = NULL;
    switch (kind) {
    case WEFT_VIEW_GIVEN:
        return given_side(what, count);
    case WEFT_VIEW_NONE:
        return none_side(count);
    case WEFT_VIEW_IDENTITY:
        assert_int_equal(weft_side_with_identity(s->side[0], weft_side_radius(s->side[0]), NULL, &side, NULL),
                         WEFT_OK);
        return side;
    case WEFT_VIEW_COMMUNITIES:
    case WEFT_VIEW_PART:
        return given_side("classes", count);
    case WEFT_VIEW_NARROW:
    case WEFT_VIEW_WIDE:
    case WEFT_VIEW_NEAR:
    case WEFT_VIEW_FAR:
        break;
    }
    return graph_side(count, WEFT_DIFFUSION, kind == WEFT_VIEW_NEAR ? 5 : 20);
}

/* "classes gni" */
static inline void open_scene(scene *s, const char *text, int64_t count)
{
    static const char letters[] = "gnitfc";
    char what[16];
    const char *kinds = strchr(text, ' ') + 1;
    *s = (scene){0};
    snprintf(what, sizeof what, "%.*s", (int)(kinds - 1 - text), text);
    for (int k = 0; kinds[k] != 0; k++) {
        weft_view_kind kind = (weft_view_kind)(strchr(letters, kinds[k]) - letters);
        s->side[k] = view_side(s, what, kind, count);
        s->list[k] = (weft_view){.kind = kind, .side = s->side[k]};
        s->views.count++;
    }
    s->views.list = s->list;
}

static inline void close_scene(scene *s)
{
    for (int k = 5; k >= 0; k--)
        weft_side_free(s->side[k]);
}

#endif
