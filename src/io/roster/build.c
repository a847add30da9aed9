/* SPDX-License-Identifier: MIT
 * From the contents of a file to a side. */
#include "io/roster/growth/growth.h"

#include "base/monitor.h"
#include "side/graph/graph.h"

#include <string.h>

static weft_status build_features(const weft_roster *roster, const weft_side_options *options,
                                  weft_side **side, weft_error *error)
{
    const weft__spec *spec = &roster->spec;
    const double parameters[] = {spec->epsilon, spec->width, spec->range};
    weft_features features = {.count = roster->facts.listed,
                              .dimension = roster->contents.dimension,
                              .values = roster->contents.values,
                              .kernel = (weft_kernel)spec->kernel,
                              .parameter = parameters[spec->kernel]};
    return weft_side_from_features(&features, options, side, error);
}

weft_graph weft__roster_graph(const weft_roster *roster)
{
    const weft__contents *contents = &roster->contents;
    const weft__spec *spec = &roster->spec;
    weft_graph_kernel kernel = weft_roster_graph_kernel(roster);
    bool joins = spec->missing == WEFT__MISSING_JOIN;
    return (weft_graph){.vertices = joins                   ? weft_ids_count(roster->ids)
                                    : roster->settled.moved ? roster->settled.listed
                                                            : roster->facts.listed,
                        .edges = contents->edges,
                        .from = contents->from,
                        .to = contents->to,
                        .weight = contents->weight,
                        .connect = spec->connect != 0,
                        .kernel = kernel,
                        .parameter = kernel == WEFT_REGULARISED ? spec->sigma : spec->time,
                        .normalised = spec->normalised != 0,
                        .unit = spec->unit != 0};
}

/* connect=error refuses a graph of several components, whether its kernel is then made or not. */
static weft_status build_graph(const weft_roster *roster, const weft_side_options *options, weft_side **side,
                               weft_error *error)
{
    weft_graph graph = weft__roster_graph(roster);
    bool left_open = graph.kernel == WEFT_NO_KERNEL && roster->spec.graph_kernel == WEFT_PDLAPLACIAN;
    weft_status status = WEFT_OK;
    if (left_open && !graph.connect)
        TRY(weft__graph_check_connected(&graph, options, error));
    TRY(weft_side_from_graph(&graph, options, side, error));
done:
    return status;
}

static weft_status build_kernel(weft_roster *roster, const weft_side_options *options, weft_side **side,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = roster->facts.listed;
    weft__progress progress = weft__progress_of(&options->progress);
    if (roster->spec.repair != WEFT__REPAIR_ERROR && !roster->mended)
        TRY(weft__kernel_repair((weft__symmetric){n, roster->contents.values, n, &progress},
                                (weft__repair)roster->spec.repair, &roster->memory, &roster->mending, error));
    roster->mended = roster->spec.repair != WEFT__REPAIR_ERROR;
    TRY(weft_side_from_kernel(n, roster->contents.values, options, side, error));
done:
    return status;
}

static weft_status build_kind(weft_roster *roster, const weft_side_options *options, weft_side **side,
                              weft_error *error)
{
    const weft__contents *contents = &roster->contents;
    int64_t listed = roster->facts.listed;
    switch (roster->spec.source) {
    case WEFT__NONE:
        return weft_side_none(options->endless ? 0 : weft_ids_count(roster->ids), options, side, error);
    case WEFT__CLASSES:
        return weft_side_from_classes(listed, contents->class_of, roster->spec.epsilon, options, side, error);
    case WEFT__GRAPH:
        return build_graph(roster, options, side, error);
    case WEFT__KERNEL:
        return build_kernel(roster, options, side, error);
    case WEFT__MATRIX:
        return weft_side_from_matrix(listed, contents->values, options, side, error);
    case WEFT__FEATURES:
        return weft__spec_is_table(&roster->spec)
                   ? weft__side_from_table(&contents->table, 0, options, side, error)
                   : build_features(roster, options, side, error);
    case WEFT__TABLE:
        return weft__side_from_table(&contents->table, 0, options, side, error);
    case WEFT__SEVERAL:
        return weft__roster_sum(roster, options, side, error);
    }
    return WEFT_OK;
}

/* ---- Failures of the constructors, in the words of the user ---- */

/* A failure of a graph names two edges that are one, or two vertices. */
static bool names_edges(const weft__contents *contents, const int64_t at[2])
{
    if (at[0] < 0 || at[1] < 0 || at[0] >= contents->edges || at[1] >= contents->edges)
        return false;
    int64_t a = contents->from[at[0]], b = contents->to[at[0]];
    int64_t c = contents->from[at[1]], d = contents->to[at[1]];
    bool same = (a == c && b == d) || (a == d && b == c);
    return same && contents->weight[at[0]] != contents->weight[at[1]];
}

/* Of a place. */
static const char *name_of(const weft_roster *roster, int64_t place)
{
    bool known = roster->settled.number != NULL && place >= 0 && place < roster->settled.listed;
    return weft_ids_name(roster->ids, known ? roster->settled.number[place] : place);
}

static weft_status tell_edges(const weft_roster *roster, const int64_t at[2], weft_error *error)
{
    const weft__contents *contents = &roster->contents;
    return weft__fail_at(error, WEFT_INPUT, at[0], at[1],
                         "%s:%lld: found edge %s %s with weight %g, expected %g as on line %lld",
                         weft__shown_path(roster->spec.path), (long long)contents->line[at[0]],
                         weft__shown_briefly(name_of(roster, contents->from[at[0]])).text,
                         weft__shown_briefly(name_of(roster, contents->to[at[0]])).text,
                         contents->weight[at[0]], contents->weight[at[1]], (long long)contents->line[at[1]]);
}

/* What the user can do about it. */
static const char *hint_of(const weft_roster *roster, const char *message)
{
    bool shape = strstr(message, "semidefinite") != NULL || strstr(message, "symmetric") != NULL ||
                 strstr(message, "negative") != NULL;
    if (roster->spec.source == WEFT__KERNEL && roster->spec.repair == WEFT__REPAIR_ERROR && shape)
        return " (repair=clip or repair=shift mends a kernel: clip drops negative eigenvalues, shift adds to "
               "the diagonal)";
    if (roster->spec.source == WEFT__FEATURES && strstr(message, "is zero") != NULL)
        return " (all vectors are zero: epsilon above 0 gives them a weight)";
    return "";
}

/* Puts the file before the message and the names of the ids behind it. */
static void tell_names(const weft_roster *roster, weft_error *error)
{
    weft_error inner = *error;
    bool vectors = roster->spec.source == WEFT__FEATURES; /* at[1] is a coordinate */
    const char *path = weft__shown_path(roster->spec.path);
    const char *first = name_of(roster, inner.at[0]);
    const char *second = vectors || inner.at[1] == inner.at[0] ? NULL : name_of(roster, inner.at[1]);
    const char *hint = hint_of(roster, inner.message);
    if (first == NULL)
        weft__fail_at(error, inner.status, inner.at[0], inner.at[1], "%s: %.300s%s", path, inner.message,
                      hint);
    else
        weft__fail_at(error, inner.status, inner.at[0], inner.at[1], "%s: id %s%s%s: %.300s%s", path,
                      weft__shown_briefly(first).text, second != NULL ? " and id " : "",
                      second != NULL ? weft__shown_briefly(second).text : "", inner.message, hint);
}

static weft_status tell_failure(const weft_roster *roster, weft_status status, weft_error *error)
{
    if (error == NULL || roster->spec.path == NULL || status == WEFT_MEMORY)
        return status;
    int64_t at[2] = {error->at[0], error->at[1]};
    if (roster->spec.source == WEFT__GRAPH && names_edges(&roster->contents, at))
        tell_edges(roster, at, error);
    else
        tell_names(roster, error);
    return status;
}

/* Ids that are not even similar to themselves: all-zero features, for one. */
static void count_zeros(weft_roster *roster)
{
    weft_roster_facts *facts = &roster->facts;
    if (roster->spec.source == WEFT__NONE || roster->spec.source == WEFT__CLASSES)
        return;
    for (int64_t k = 0; k < facts->listed; k++) {
        int64_t id = weft__settled_number(&roster->settled, k);
        if (weft_side_entry(roster->side, id, id) == 0 && facts->zeros++ == 0)
            facts->first_zero = id;
    }
}

/* Ids that the file lacks; those of names that are hashed were only counted. */
static weft_status add_others(weft_roster *roster, weft_side *side, weft_error *error)
{
    static const weft_item alone = {.alone = true};
    weft_ids *nobody = NULL;
    weft_status status = WEFT_OK;
    while (!roster->facts.hashed && weft_side_count(side) < weft_ids_count(roster->ids))
        TRY(weft_side_append(side, &alone, error));
    if (!roster->facts.hashed)
        return WEFT_OK;
    TRY(weft_ids_create(&roster->memory, &nobody, error));
    weft_ids_free(roster->ids);
    roster->ids = nobody;
done:
    return status;
}

void weft__roster_let_in(weft_roster *roster)
{
    bool open = !roster->facts.hashed &&
                (roster->spec.source == WEFT__NONE || roster->spec.missing == WEFT__MISSING_ALONE);
    roster->side->open = open;
    for (int64_t k = 0; k < roster->views.count; k++)
        roster->views.side[k]->open = open;
}

/* What a repair has done, if there was one. */
static void tell_repair(weft_roster *roster)
{
    const weft_roster_facts *from = &roster->mending;
    weft_roster_facts *facts = &roster->facts;
    if (!roster->mended)
        return;
    facts->repaired = from->repaired;
    facts->asymmetry = from->asymmetry;
    facts->least_eigenvalue = from->least_eigenvalue;
    facts->clipped = from->clipped;
    facts->moved = from->moved;
}

weft_status weft_roster_build(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(roster);
    TRY(weft__roster_make(roster, error));
    weft__roster_let_in(roster);
done:
    return status;
}

/* From places to ids, where files have grown; new ids join communities while places are at hand. */
static weft_status place_side(weft_roster *roster, weft_side **side, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool edges = roster->spec.source == WEFT__GRAPH;
    weft_graph graph = edges ? weft__roster_graph(roster) : (weft_graph){0};
    TRY(weft__growth_communities(roster, edges ? &graph : NULL, *side, error));
    /* Several kinds together know numbers already. */
    if (roster->part_count == 0)
        TRY(weft__growth_place(roster, roster->settled.radius, side, &roster->facts.shortened, error));
done:
    return status;
}

weft_status weft__roster_make(weft_roster *roster, weft_error *error)
{
    bool stored = roster->table.values != NULL;
    weft_side_options options = {.memory = &roster->memory,
                                 .radius = roster->settled.moved ? 0 : roster->spec.radius,
                                 .map = roster->facts.mapped && !stored ? &roster->spec.map : NULL,
                                 .endless = roster->facts.hashed,
                                 .budget = roster->options.kernel_budget,
                                 .graph_budget = roster->options.graph_budget,
                                 .progress = roster->input.limits.progress};
    weft_side *side = NULL;
    weft_status status = WEFT_OK;
    if (roster->side != NULL)
        return weft__fail(error, WEFT_ARGUMENT, "the side information is made already");
    double start = weft__clock();
    status = build_kind(roster, &options, &side, error);
    if (status != WEFT_OK)
        return tell_failure(roster, status, error);
    if (stored)
        TRY(weft__map_restore(side, &roster->spec.map, &roster->table, error));
    TRY(place_side(roster, &side, error));
    TRY(add_others(roster, side, error));
    roster->times.kernel = weft__clock() - start;
    TRY(weft__roster_views_make(roster, side, &roster->views, error));
    roster->side = side;
    TRY(weft__growth_note(roster, error));
    side = NULL;
    weft__contents_free(&roster->contents, &roster->memory);
    tell_repair(roster);
    count_zeros(roster);
done:
    if (side != NULL) {
        roster->side = NULL;
        weft__roster_views_free(&roster->views);
    }
    weft_side_free(side);
    return status;
}
