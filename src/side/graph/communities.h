/* SPDX-License-Identifier: MIT
 * The communities of a graph: classes of vertices that have more edges among themselves than chance would
 * give them. */
#ifndef WEFT_SIDE_GRAPH_COMMUNITIES_H
#define WEFT_SIDE_GRAPH_COMMUNITIES_H

#include "base/memory.h"
#include "base/progress.h"

/* class_of[i] for every vertex, numbered from 0 in the order of their first vertices; a vertex without edges
 * is a class of its own, and edges whose weights vanish beside the largest are none.  Depends on the graph
 * and its weights alone. */
weft_status weft__graph_communities(const weft_graph *graph, const weft_memory *memory,
                                    weft__progress *progress, int64_t *class_of, weft_error *error);

#endif
