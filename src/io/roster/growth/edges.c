/* SPDX-License-Identifier: MIT
 *
 * The edges of a graph that has grown: those that were there in their order, then what is new in the order of
 * the file, each once, whatever its direction.
 *
 * Algorithm  A table of the known edges by both ends, with open addressing: 1 + the number of an edge, or 0.
 * Cost       O(edges) on average. */
#include "base/hash.h"
#include "io/roster/growth/growth.h"

#include <stdio.h>

typedef struct edge_table {
    weft__settled_edge *edge; /* room for all */
    int64_t *line;            /* where each stands in the file; 0: nowhere yet */
    int64_t count, known;
    int64_t loops; /* that are new, and say nothing */
    int64_t *slot, slots;
} edge_table;

static int64_t find_slot(const edge_table *t, int64_t from, int64_t to)
{
    uint64_t key = weft__hash((uint64_t)from << 32 ^ (uint64_t)to);
    int64_t at = (int64_t)(key & (uint64_t)(t->slots - 1));
    while (t->slot[at] != 0 && (t->edge[t->slot[at] - 1].from != from || t->edge[t->slot[at] - 1].to != to))
        at = (at + 1) & (t->slots - 1);
    return at;
}

static weft_status create(edge_table *t, int64_t most, const weft_memory *memory, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (t->slots = 32; t->slots < 2 * most;)
        t->slots *= 2;
    TRY(weft__new(memory, most, sizeof *t->edge, &t->edge, error));
    TRY(weft__new(memory, most, sizeof *t->line, &t->line, error));
    TRY(weft__new(memory, t->slots, sizeof *t->slot, &t->slot, error));
done:
    return status;
}

static void add_known(edge_table *t, const weft__settled *settled)
{
    for (int64_t k = 0; k < settled->edges; k++) {
        int64_t at = find_slot(t, settled->edge[k].from, settled->edge[k].to);
        if (t->slot[at] != 0)
            continue;
        t->edge[t->count] = settled->edge[k];
        t->slot[at] = ++t->count;
    }
    t->known = t->count;
}

static weft_status refuse_weight(const weft_roster *roster, int64_t k, double expected, int64_t line,
                                 weft_error *error)
{
    const weft__contents *c = &roster->contents;
    char where[40] = "when the model was saved";
    if (line > 0)
        snprintf(where, sizeof where, "on line %lld", (long long)line);
    return weft__fail(
        error, WEFT_MODEL, "does not fit: %.150s:%lld: found edge %s %s with weight %g, expected %g as %s",
        weft__shown_path(roster->spec.path), (long long)c->line[k],
        weft__shown_briefly(weft_ids_name(roster->ids, c->from[k])).text,
        weft__shown_briefly(weft_ids_name(roster->ids, c->to[k])).text, c->weight[k], expected, where);
}

static weft_status add_found(edge_table *t, const weft_roster *roster, const int64_t *place,
                             weft_error *error)
{
    enum { AN_EDGE = 64 };
    const weft__contents *c = &roster->contents;
    weft__progress progress = weft__progress_of(&roster->input.limits.progress);
    weft__progress_begin(&progress, "edges that were there before", AN_EDGE * (double)c->edges);
    for (int64_t k = 0; k < c->edges; k++) {
        weft_status status = weft__progress_step(&progress, AN_EDGE, error);
        if (status != WEFT_OK)
            return status;
        int64_t a = place[c->from[k]], b = place[c->to[k]];
        int64_t from = a < b ? a : b, to = a < b ? b : a, at = find_slot(t, from, to);
        if (t->slot[at] == 0) {
            t->edge[t->count] = (weft__settled_edge){from, to, c->weight[k]};
            t->slot[at] = ++t->count;
            t->loops += from == to;
        }
        int64_t edge = t->slot[at] - 1;
        if (t->edge[edge].weight != c->weight[k])
            return refuse_weight(roster, k, t->edge[edge].weight, t->line[edge], error);
        t->line[edge] = t->line[edge] > 0 ? t->line[edge] : c->line[k];
    }
    return WEFT_OK;
}

static weft_status check_all(const edge_table *t, const weft_roster *roster, const weft__known_ids *known,
                             weft_error *error)
{
    for (int64_t k = 0; k < t->known; k++) {
        if (t->line[k] > 0)
            continue;
        const weft__settled_edge *e = &t->edge[k];
        return weft__fail(
            error, WEFT_MODEL,
            "does not fit: %.150s: found no edge %s %s, expected it with weight %g as when the model was "
            "saved: "
            "a file may grow, but what it said must stay",
            weft__shown_path(roster->spec.path),
            weft__shown_briefly(weft_ids_name(known->ids, weft__settled_number(&known->settled, e->from)))
                .text,
            weft__shown_briefly(weft_ids_name(known->ids, weft__settled_number(&known->settled, e->to))).text,
            e->weight);
    }
    return WEFT_OK;
}

/* There is room for all of them: they are no more than were found. */
static void put_back(const edge_table *t, weft__contents *c)
{
    for (int64_t k = 0; k < t->count; k++) {
        c->from[k] = t->edge[k].from;
        c->to[k] = t->edge[k].to;
        c->weight[k] = t->edge[k].weight;
        c->line[k] = t->line[k];
    }
    c->edges = t->count;
}

weft_status weft__growth_arrange_edges(weft_roster *roster, const weft__known_ids *known,
                                       const int64_t *place, weft_error *error)
{
    weft_status status = WEFT_OK;
    edge_table t = {0};
    TRY(create(&t, known->settled.edges + roster->contents.edges, &roster->memory, error));
    add_known(&t, &known->settled);
    TRY(add_found(&t, roster, place, error));
    TRY(check_all(&t, roster, known, error));
    roster->facts.new_edges = t.count - t.known - t.loops;
    put_back(&t, &roster->contents);
done:
    weft__delete(&roster->memory, t.edge);
    weft__delete(&roster->memory, t.line);
    weft__delete(&roster->memory, t.slot);
    return status;
}
