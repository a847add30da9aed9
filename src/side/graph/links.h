/* SPDX-License-Identifier: MIT
 * The vertices nearest to each one along the edges, for players that describe an id by its neighbours. */
#ifndef WEFT_SIDE_GRAPH_LINKS_H
#define WEFT_SIDE_GRAPH_LINKS_H

#include "side/side.h"

/* At most so many a vertex. */
enum { WEFT__LINKS = 24 };

typedef struct weft__link {
    int32_t id;
    float weight; /* in (0, 1] */
} weft__link;

/* Those of vertex i are list[start[i]] and on, nearest first, of equals the smaller number first. */
typedef struct weft__links {
    int64_t vertices;
    int64_t *start;
    weft__link *list;
} weft__links;

/* `links` is zeroed and belongs to a side, which frees it whether this fails or not. */
weft_status weft__links_build(const weft_graph *graph, const weft_memory *memory, weft__progress *progress,
                              weft__links *links, weft_error *error);

/* Of id i of a side, and how many; NULL for what is no graph.  An id that is no vertex has none. */
const weft__link *weft__side_links(const weft_side *side, int64_t i, int64_t *count);

/* What is known of a graph beside its kernel. */
struct weft__graph_known {
    weft_graph_facts facts;
    weft__links links;
};

/* Frees what a side knows of its graph, if it is one. */
void weft__side_free_graph(weft_side *side);

#endif
