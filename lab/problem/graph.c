/* SPDX-License-Identifier: MIT */
#include "lab/problem/graph.h"

#include "program/new.h"

#include <stdlib.h>

static lab_graph create(int64_t vertices)
{
    return (lab_graph){.vertices = vertices, .edge = new_array(vertices * vertices, 1)};
}

void lab_graph_free(lab_graph *graph)
{
    free(graph->edge);
    *graph = (lab_graph){0};
}

static bool has_edge(const lab_graph *graph, int64_t i, int64_t j)
{
    return graph->edge[i * graph->vertices + j] != 0;
}

static void turn_over(lab_graph *graph, int64_t i, int64_t j)
{
    graph->edge[i * graph->vertices + j] ^= 1;
    graph->edge[j * graph->vertices + i] ^= 1;
}

/* first[c] = the first vertex of class c, -1 where it is empty. */
static int64_t *first_vertices(int64_t vertices, int64_t k, const int64_t *class_of)
{
    int64_t *first = new_array(k, sizeof *first);
    for (int64_t c = 0; c < k; c++)
        first[c] = -1;
    for (int64_t i = vertices - 1; i >= 0; i--)
        first[class_of[i]] = i;
    return first;
}

lab_graph lab_graph_ideal(int64_t vertices, int64_t k, const int64_t *class_of)
{
    lab_graph graph = create(vertices);
    int64_t *first = first_vertices(vertices, k, class_of), centre = -1;
    for (int64_t i = 0; i < vertices; i++)
        for (int64_t j = 0; j < i; j++)
            if (class_of[i] == class_of[j])
                turn_over(&graph, i, j);
    for (int64_t c = 0; c < k; c++) {
        if (first[c] >= 0 && centre >= 0)
            turn_over(&graph, centre, first[c]);
        if (centre < 0)
            centre = first[c];
    }
    free(first);
    return graph;
}

void lab_graph_flip(lab_graph *graph, double beta, lab_random *random)
{
    for (int64_t i = 0; i < graph->vertices; i++)
        for (int64_t j = 0; j < i; j++)
            if (lab_event(random, beta))
                turn_over(graph, i, j);
}

lab_graph lab_graph_drawn(int64_t vertices, const int64_t *class_of, double beta, lab_random *random)
{
    lab_graph graph = create(vertices);
    for (int64_t i = 0; i < vertices; i++)
        for (int64_t j = 0; j < i; j++)
            if (lab_event(random, class_of[i] == class_of[j] ? 1 - beta : beta))
                turn_over(&graph, i, j);
    return graph;
}

/* ---- Components ---- */

/* component[i] = the first vertex of the component of i; returns how many there are.
 * A search from every vertex that was not reached yet: O(vertices^2). */
static int64_t find_components(const lab_graph *graph, int64_t *component)
{
    int64_t n = graph->vertices, count = 0, *stack = new_array(n, sizeof *stack);
    for (int64_t i = 0; i < n; i++)
        component[i] = -1;
    for (int64_t start = 0; start < n; start++) {
        int64_t height = 0;
        if (component[start] >= 0)
            continue;
        count++;
        component[start] = start;
        stack[height++] = start;
        while (height > 0) {
            int64_t i = stack[--height];
            for (int64_t j = 0; j < n; j++)
                if (component[j] < 0 && has_edge(graph, i, j)) {
                    component[j] = start;
                    stack[height++] = j;
                }
        }
    }
    free(stack);
    return count;
}

/* A random vertex of the component number `which`, counted from 0. */
static int64_t draw_member(const lab_graph *graph, const int64_t *component, int64_t which,
                           lab_random *random)
{
    int64_t first = 0, size = 0, member = 0;
    for (int64_t i = 0; i < graph->vertices; i++)
        if (component[i] == i && which-- == 0)
            first = i;
    for (int64_t i = 0; i < graph->vertices; i++)
        size += component[i] == first;
    int64_t number = lab_below(random, size);
    for (int64_t i = 0; i < graph->vertices; i++)
        if (component[i] == first && number-- == 0)
            member = i;
    return member;
}

/* Two components become one, named by the first vertex of both. */
static void unite(const lab_graph *graph, int64_t *component, int64_t a, int64_t b)
{
    int64_t name = a < b ? a : b;
    for (int64_t i = 0; i < graph->vertices; i++)
        if (component[i] == a || component[i] == b)
            component[i] = name;
}

void lab_graph_join_randomly(lab_graph *graph, lab_random *random)
{
    int64_t *component = new_array(graph->vertices, sizeof *component);
    for (int64_t count = find_components(graph, component); count > 1; count--) {
        int64_t a = lab_below(random, count), b = (a + 1 + lab_below(random, count - 1)) % count;
        int64_t i = draw_member(graph, component, a, random), j = draw_member(graph, component, b, random);
        turn_over(graph, i, j);
        unite(graph, component, component[i], component[j]);
    }
    free(component);
}

void lab_graph_join_star(lab_graph *graph)
{
    int64_t *component = new_array(graph->vertices, sizeof *component);
    find_components(graph, component);
    for (int64_t i = 1; i < graph->vertices; i++)
        if (component[i] == i)
            turn_over(graph, 0, i);
    free(component);
}

/* ---- What it is ---- */

int64_t lab_graph_edges(const lab_graph *graph)
{
    int64_t count = 0;
    for (int64_t i = 0; i < graph->vertices; i++)
        for (int64_t j = 0; j < i; j++)
            count += has_edge(graph, i, j);
    return count;
}

int64_t lab_graph_cut(const lab_graph *graph, const int64_t *class_of)
{
    int64_t cut = 0;
    for (int64_t i = 0; i < graph->vertices; i++)
        for (int64_t j = 0; j < i; j++)
            cut += has_edge(graph, i, j) && class_of[i] != class_of[j];
    return cut;
}

weft_status lab_graph_side(const lab_graph *graph, weft_side **side, weft_error *error)
{
    int64_t most = lab_graph_edges(graph), edges = 0;
    int64_t *from = new_array(most, sizeof *from), *to = new_array(most, sizeof *to);
    for (int64_t i = 0; i < graph->vertices; i++)
        for (int64_t j = 0; j < i; j++)
            if (has_edge(graph, i, j)) {
                from[edges] = i;
                to[edges++] = j;
            }
    weft_graph list = {.vertices = graph->vertices, .edges = edges, .from = from, .to = to};
    weft_status status = weft_side_from_graph(&list, NULL, side, error);
    free(from);
    free(to);
    return status;
}

const char *lab_ideal_name(lab_ideal ideal)
{
    return ideal == LAB_PARTITION ? "partition kernel" : "clique star";
}

weft_status lab_ideal_side(lab_ideal ideal, int64_t count, int64_t k, const int64_t *class_of,
                           weft_side **side, weft_error *error)
{
    if (ideal == LAB_PARTITION)
        return weft_side_from_classes(count, class_of, LAB_EPSILON, NULL, side, error);
    lab_graph graph = lab_graph_ideal(count, k, class_of);
    weft_status status = lab_graph_side(&graph, side, error);
    lab_graph_free(&graph);
    return status;
}
