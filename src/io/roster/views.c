/* SPDX-License-Identifier: MIT
 *
 * The views of one side that a committee plays (weft_view_kind), made beside the side itself.
 *
 * PART is the classes of a column of words or, of several kinds together, one of them.  Such have the views
 * of each, over the ids of all.
 *
 * Cost.  NONE and IDENTITY take a few words.  NEAR and FAR are graphs of their own: n^2 numbers each up to
 * 4000 vertices, made by products with the graph; beyond that the Laplacian alone, for with a unit
 * diagonal a diagonal entry is found when its id is first met.  None is ever lost in rounding, for which
 * all would have to be found at once: the normalised Laplacian has a diagonal of at most 1, so
 * K_ii >= exp(-20) by Jensen, four digits above what a product rounds off (sparse_graph.c).  COMMUNITIES take
 * O(edges), and of kernels, features and tables n^2 entries, up to 4000 ids.  NARROW and WIDE are copies of
 * the table; they have no structure, so that learners keep a matrix of the ids learnt: up to 4000 ids too. */
#include "base/monitor.h"
#include "io/roster/estimate.h"
#include "io/roster/growth/growth.h"
#include "side/graph/communities.h"
#include "side/graph/graph.h"
#include "side/nearest/nearest.h"

#include <stdio.h>

/* Times of the diffusions. */
static const double near_time = 5, far_time = 20;

bool weft__roster_views_wanted(const weft_roster *roster)
{
    return roster->options.views && !roster->facts.mapped && !roster->facts.hashed;
}

/* Whether the view would be the side itself. */
static bool is_given(const weft_roster *roster, double time)
{
    const weft__spec *spec = &roster->spec;
    return spec->graph_kernel == WEFT_DIFFUSION && spec->time == time && spec->normalised && spec->unit &&
           (spec->radius == 0 || spec->radius == 1);
}

/* Whether the view may be made: where files have grown, those that were there are. */
static bool is_wanted(const weft_roster *roster, weft_view_kind kind)
{
    return !roster->settled.moved || weft__settled_has_view(&roster->settled, kind);
}

/* What was made of places becomes one of ids. */
static void place_view(const weft_roster *roster, weft_side **side, weft_error *made)
{
    int64_t shortened = 0;
    if (made->status == WEFT_OK)
        weft__growth_place(roster, 0, side, &shortened, made);
}

/* Adds the view that was made, or leaves it out where it was refused: then nothing has failed, and nothing
 * is left in *error.  One that was there before its files have grown is not left out. */
static weft_status add_view(const weft_roster *roster, weft__roster_views *views, weft_view view,
                            const weft_error *made, weft_error *error)
{
    bool refused = made->status == WEFT_ARGUMENT || made->status == WEFT_INPUT;
    if (refused && !roster->settled.moved)
        return WEFT_OK;
    if (made->status != WEFT_OK && error != NULL)
        *error = *made;
    if (made->status != WEFT_OK)
        return made->status;
    views->kind[views->count] = view.kind;
    views->side[views->count++] = (weft_side *)view.side;
    return WEFT_OK;
}

/* What follows is the part of that name. */
static void name_view(weft__roster_views *views, const char *name)
{
    weft_shown shown = weft_show(name);
    snprintf(views->name[views->count], sizeof views->name[0], "%.20s", shown.text);
}

static weft_status add_none(const weft_roster *roster, const weft_side_options *options,
                            weft__roster_views *views, weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft_side_none(weft_ids_count(roster->ids), options, &side, &made);
    return add_view(roster, views, (weft_view){.kind = WEFT_VIEW_NONE, .side = side}, &made, error);
}

static weft_status add_identity(const weft_roster *roster, const weft_side *given,
                                const weft_side_options *options, weft__roster_views *views,
                                weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft_side_with_identity(given, weft_side_radius(given), options, &side, &made);
    return add_view(roster, views, (weft_view){.kind = WEFT_VIEW_IDENTITY, .side = side}, &made, error);
}

static weft_status add_diffusion(const weft_roster *roster, weft_view_kind kind,
                                 const weft_side_options *options, weft__roster_views *views,
                                 weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft_graph graph = weft__roster_graph(roster);
    graph.kernel = WEFT_DIFFUSION;
    graph.parameter = kind == WEFT_VIEW_NEAR ? near_time : far_time;
    graph.normalised = graph.unit = true;
    if (is_given(roster, graph.parameter) || !is_wanted(roster, kind))
        return WEFT_OK;
    weft_side_from_graph(&graph, options, &side, &made);
    place_view(roster, &side, &made);
    return add_view(roster, views, (weft_view){.kind = kind, .side = side}, &made, error);
}

/* What the SPEC classes: has where it says nothing. */
static const double usual_epsilon = 0.1;

static weft_status add_classes(const weft_roster *roster, const int64_t *class_of, int64_t count,
                               const weft_side_options *options, weft__roster_views *views, weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft_side_from_classes(count, class_of, usual_epsilon, options, &side, &made);
    place_view(roster, &side, &made);
    return add_view(roster, views, (weft_view){.kind = WEFT_VIEW_COMMUNITIES, .side = side}, &made, error);
}

/* Not where nobody is together with anybody, or all with all. */
static weft_status find_classes(const weft_roster *roster, const weft_graph *graph,
                                const weft_side_options *options, weft__roster_views *views,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__progress progress = weft__progress_of(&options->progress);
    int64_t *class_of = NULL, last = 0;
    TRY(weft__new(options->memory, graph->vertices, sizeof *class_of, &class_of, error));
    TRY(weft__graph_communities(graph, options->memory, &progress, class_of, error));
    for (int64_t i = 0; i < graph->vertices; i++)
        last = class_of[i] > last ? class_of[i] : last;
    if (last > 0 && last + 1 < graph->vertices)
        TRY(add_classes(roster, class_of, graph->vertices, options, views, error));
done:
    weft__delete(options->memory, class_of);
    return status;
}

/* More ids than that are not compared with each other. */
enum { MOST_COMPARED = WEFT__GRAPH_DENSE_LIMIT };

/* Of a graph, or of the nearest by a kernel; classes are communities already. */
static weft_status add_communities(const weft_roster *roster, const weft_side *side,
                                   const weft_side_options *options, weft__roster_views *views,
                                   weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__progress progress = weft__progress_of(&options->progress);
    weft__nearest nearest = {.memory = side->memory};
    weft_graph graph = {0};
    int64_t listed = roster->facts.listed;
    const weft__settled *settled = &roster->settled;
    if (settled->moved)
        return is_wanted(roster, WEFT_VIEW_COMMUNITIES) && settled->community != NULL
                   ? add_classes(roster, settled->community, settled->listed, options, views, error)
                   : WEFT_OK;
    if (roster->spec.source == WEFT__CLASSES ||
        (roster->spec.source != WEFT__GRAPH && listed > MOST_COMPARED))
        return WEFT_OK;
    if (roster->spec.source == WEFT__GRAPH)
        graph = weft__roster_graph(roster);
    else
        TRY(weft__nearest_build(side, listed, &progress, &nearest, &graph, error));
    TRY(find_classes(roster, &graph, options, views, error));
done:
    weft__nearest_free(&nearest);
    return status;
}

bool weft__roster_has_gaussians(const weft_roster *roster)
{
    const weft__facts_table *table = &roster->contents.table;
    return table->numbers > 0 && table->count <= MOST_COMPARED;
}

/* Gaussians of these shares of the usual distance between ids. */
static const double narrow_share = 0.25, wide_share = 0.6;

static weft_status add_gaussian(const weft_roster *roster, weft_view_kind kind, double width,
                                const weft_side_options *options, weft__roster_views *views,
                                weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft__side_from_table(&roster->contents.table, width, options, &side, &made);
    place_view(roster, &side, &made);
    return add_view(roster, views, (weft_view){.kind = kind, .side = side}, &made, error);
}

/* The classes of column c of words; a word that one id alone has is a class of its own. */
static weft_status add_words(const weft_roster *roster, int64_t c, const char *name,
                             const weft_side_options *options, weft__roster_views *views, weft_error *error)
{
    const weft__facts_table *table = &roster->contents.table;
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft_status status = WEFT_OK;
    int64_t *class_of = NULL;
    TRY(weft__new(options->memory, table->count, sizeof *class_of, &class_of, error));
    for (int64_t i = 0; i < table->count; i++) {
        int64_t word = table->word_of[i * table->words + c];
        class_of[i] = word >= 0 ? word : table->word_kinds[c] + i;
    }
    weft_side_from_classes(table->count, class_of, usual_epsilon, options, &side, &made);
    place_view(roster, &side, &made);
    name_view(views, name);
    TRY(add_view(roster, views, (weft_view){.kind = WEFT_VIEW_PART, .side = side}, &made, error));
done:
    weft__delete(options->memory, class_of);
    return status;
}

/* Of a table that is nothing but one column of words the classes are all there is. */
int64_t weft__roster_word_count(const weft_roster *roster)
{
    int64_t room = WEFT_PARTS - roster->part_count, all = 0;
    for (int64_t k = 0; k < roster->part_count; k++)
        all += weft__roster_word_count(roster->parts[k]);
    room = room < WEFT__PART_VIEWS ? room : WEFT__PART_VIEWS;
    if (roster->part_count > 0)
        return all < room ? all : room;
    int64_t words = 0, numbers = 0;
    for (int64_t k = 0; k < roster->columns.count; k++) {
        words += roster->columns.list[k].facts.use == WEFT_COLUMN_WORDS;
        numbers += roster->columns.list[k].facts.use == WEFT_COLUMN_NUMBERS;
    }
    if (words == 1 && numbers == 0)
        return 0;
    return words < WEFT__PART_VIEWS ? words : WEFT__PART_VIEWS;
}

/* Columns of words come first in the table, in the order of the file. */
static weft_status add_all_words(const weft_roster *roster, const weft_side_options *options,
                                 weft__roster_views *views, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t added = 0, parts = weft__roster_word_count(roster);
    for (int64_t k = 0; k < roster->columns.count && added < parts; k++) {
        const weft_column *facts = &roster->columns.list[k].facts;
        if (facts->use == WEFT_COLUMN_WORDS)
            TRY(add_words(roster, added++, facts->name, options, views, error));
    }
done:
    return status;
}

static weft_status add_of_table(const weft_roster *roster, const weft_side_options *options,
                                weft__roster_views *views, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__facts_table *table = &roster->contents.table;
    double spread = roster->settled.spread;
    bool moved = roster->settled.moved, near = moved && is_wanted(roster, WEFT_VIEW_NARROW);
    if (!moved)
        TRY(weft__facts_table_spread(table, options->memory, &spread, error));
    views->spread = spread;
    if (moved ? near : weft__roster_has_gaussians(roster) && spread > 0) {
        TRY(add_gaussian(roster, WEFT_VIEW_NARROW, narrow_share * spread, options, views, error));
        TRY(add_gaussian(roster, WEFT_VIEW_WIDE, wide_share * spread, options, views, error));
    }
    TRY(add_all_words(roster, options, views, error));
done:
    return status;
}

/* ---- Of several kinds together ---- */

static bool has_kind(const weft__roster_views *views, weft_view_kind kind)
{
    for (int64_t k = 0; k < views->count; k++)
        if (views->kind[k] == kind)
            return true;
    return false;
}

static int64_t count_parts(const weft__roster_views *views)
{
    int64_t count = 0;
    for (int64_t k = 0; k < views->count; k++)
        count += views->kind[k] == WEFT_VIEW_PART;
    return count;
}

/* The view of part k that has this side, as one of all ids. */
static weft_status lift_view(const weft_roster *roster, int64_t k, weft_view view,
                             const weft_side_options *options, weft__roster_views *views, weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft__roster_lift(roster, k, view.side, options, &side, &made);
    if (view.name != NULL)
        name_view(views, view.name);
    return add_view(roster, views, (weft_view){.kind = view.kind, .side = side}, &made, error);
}

/* Those that part k has beside others: the communities of the first graph, and columns of words. */
static weft_status lift_views(const weft_roster *roster, int64_t k, const weft_side_options *options,
                              weft__roster_views *views, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__roster_views *own = &roster->parts[k]->views;
    for (int64_t v = 0; v < own->count; v++) {
        bool part = own->kind[v] == WEFT_VIEW_PART;
        bool room = part ? count_parts(views) < roster->part_count + weft__roster_word_count(roster)
                         : !has_kind(views, own->kind[v]);
        if (room)
            TRY(lift_view(roster, k, (weft_view){own->kind[v], own->side[v], part ? own->name[v] : NULL},
                          options, views, error));
    }
done:
    return status;
}

/* The kinds themselves first; without a graph communities of what they say together. */
static weft_status add_of_parts(const weft_roster *roster, const weft_side *side,
                                const weft_side_options *options, weft__roster_views *views,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(add_identity(roster, side, options, views, error));
    for (int64_t k = 0; k < roster->part_count; k++) {
        const weft_side *own = roster->parts[k]->side;
        TRY(lift_view(roster, k, (weft_view){WEFT_VIEW_PART, own, weft__roster_part_name(roster, k)}, options,
                      views, error));
    }
    for (int64_t k = 0; k < roster->part_count; k++)
        TRY(lift_views(roster, k, options, views, error));
done:
    return status;
}

/* Of one of several kinds.  Diffusions and Gaussians are left out: on made clicks, a graph beside a table,
 * they take half as long again, and the others err no more without them. */
static weft_status make_beside(const weft_roster *roster, const weft_side *side,
                               const weft_side_options *options, weft__roster_views *views, weft_error *error)
{
    weft__roster_views fresh = {0};
    weft_status status = WEFT_OK;
    if (weft__spec_is_table(&roster->spec))
        TRY(add_all_words(roster, options, &fresh, error));
    if (roster->spec.source == WEFT__GRAPH)
        TRY(add_communities(roster, side, options, &fresh, error));
    *views = fresh;
    fresh = (weft__roster_views){0};
done:
    weft__roster_views_free(&fresh);
    return status;
}

weft_status weft__roster_views_make(const weft_roster *roster, const weft_side *side,
                                    weft__roster_views *views, weft_error *error)
{
    const weft_side_options options = {.memory = &roster->memory,
                                       .budget = roster->options.kernel_budget,
                                       .graph_budget = roster->options.graph_budget,
                                       .progress = roster->input.limits.progress};
    weft__roster_views fresh = {0};
    weft_status status = WEFT_OK;
    int64_t count = weft_ids_count(roster->ids);
    double start = weft__clock();
    if (!weft__roster_views_wanted(roster) || roster->spec.source == WEFT__NONE)
        return WEFT_OK;
    if (roster->beside)
        return make_beside(roster, side, &options, views, error);
    TRY(add_none(roster, &options, &fresh, error));
    if (roster->spec.source == WEFT__GRAPH && weft_roster_graph_kernel(roster) != WEFT_NO_KERNEL) {
        TRY(add_diffusion(roster, WEFT_VIEW_NEAR, &options, &fresh, error));
        TRY(add_diffusion(roster, WEFT_VIEW_FAR, &options, &fresh, error));
    } else if (roster->part_count > 0) {
        TRY(add_of_parts(roster, side, &options, &fresh, error));
    } else if (roster->spec.source != WEFT__GRAPH) {
        TRY(add_identity(roster, side, &options, &fresh, error));
    }
    if (weft__spec_is_table(&roster->spec))
        TRY(add_of_table(roster, &options, &fresh, error));
    fresh.diffusion_seconds = weft__clock() - start; /* none and identity take a few words */
    start = weft__clock();
    if (!has_kind(&fresh, WEFT_VIEW_COMMUNITIES))
        TRY(add_communities(roster, side, &options, &fresh, error));
    fresh.community_seconds = weft__clock() - start;
    TRY(weft__roster_views_extend(&fresh, count, error));
    *views = fresh;
    fresh = (weft__roster_views){0};
done:
    weft__roster_views_free(&fresh);
    return status;
}
