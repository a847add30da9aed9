/* SPDX-License-Identifier: MIT
 *
 * The views of one side that a committee plays (weft_view_kind), made beside the side itself.
 *
 * Cost.  NONE and IDENTITY take a few words.  NEAR and FAR are graphs of their own: n^2 numbers each up to
 * 4000 vertices, made by products with the graph; beyond that the Laplacian alone, for with a unit
 * diagonal a diagonal entry is found when its id is first met.  None is ever lost in rounding, for which
 * all would have to be found at once: the normalised Laplacian has a diagonal of at most 1, so
 * K_ii >= exp(-20) by Jensen, four digits above what a product rounds off (sparse_graph.c).  COMMUNITIES take
 * O(edges), and of kernels and features n^2 entries, up to 4000 ids. */
#include "base/monitor.h"
#include "io/roster/roster.h"
#include "side/graph/communities.h"
#include "side/graph/graph.h"
#include "side/nearest/nearest.h"

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

/* Adds the view that was made, or leaves it out where it was refused: then nothing has failed, and nothing
 * is left in *error. */
static weft_status add_view(weft__roster_views *views, weft_view view, const weft_error *made,
                            weft_error *error)
{
    if (made->status == WEFT_ARGUMENT || made->status == WEFT_INPUT)
        return WEFT_OK;
    if (made->status != WEFT_OK && error != NULL)
        *error = *made;
    if (made->status != WEFT_OK)
        return made->status;
    views->kind[views->count] = view.kind;
    views->side[views->count++] = (weft_side *)view.side;
    return WEFT_OK;
}

static weft_status add_none(int64_t count, const weft_side_options *options, weft__roster_views *views,
                            weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft_side_none(count, options, &side, &made);
    return add_view(views, (weft_view){WEFT_VIEW_NONE, side}, &made, error);
}

static weft_status add_identity(const weft_side *given, const weft_side_options *options,
                                weft__roster_views *views, weft_error *error)
{
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft_side_with_identity(given, weft_side_radius(given), options, &side, &made);
    return add_view(views, (weft_view){WEFT_VIEW_IDENTITY, side}, &made, error);
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
    if (is_given(roster, graph.parameter))
        return WEFT_OK;
    weft_side_from_graph(&graph, options, &side, &made);
    return add_view(views, (weft_view){kind, side}, &made, error);
}

/* What the SPEC classes: has where it says nothing. */
static const double usual_epsilon = 0.1;

/* Not where nobody is together with anybody, or all with all. */
static weft_status add_classes(const weft_graph *graph, const weft_side_options *options,
                               weft__roster_views *views, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_side *side = NULL;
    weft_error made = {.status = WEFT_OK};
    weft__progress progress = weft__progress_of(&options->progress);
    int64_t *class_of = NULL, last = 0;
    TRY(weft__new(options->memory, graph->vertices, sizeof *class_of, &class_of, error));
    TRY(weft__graph_communities(graph, options->memory, &progress, class_of, error));
    for (int64_t i = 0; i < graph->vertices; i++)
        last = class_of[i] > last ? class_of[i] : last;
    if (last > 0 && last + 1 < graph->vertices) {
        weft_side_from_classes(graph->vertices, class_of, usual_epsilon, options, &side, &made);
        TRY(add_view(views, (weft_view){WEFT_VIEW_COMMUNITIES, side}, &made, error));
    }
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
    if (roster->spec.source == WEFT__CLASSES ||
        (roster->spec.source != WEFT__GRAPH && listed > MOST_COMPARED))
        return WEFT_OK;
    if (roster->spec.source == WEFT__GRAPH)
        graph = weft__roster_graph(roster);
    else
        TRY(weft__nearest_build(side, listed, &progress, &nearest, &graph, error));
    TRY(add_classes(&graph, options, views, error));
done:
    weft__nearest_free(&nearest);
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
    TRY(add_none(count, &options, &fresh, error));
    if (roster->spec.source == WEFT__GRAPH && weft_roster_graph_kernel(roster) != WEFT_NO_KERNEL) {
        TRY(add_diffusion(roster, WEFT_VIEW_NEAR, &options, &fresh, error));
        TRY(add_diffusion(roster, WEFT_VIEW_FAR, &options, &fresh, error));
    } else if (roster->spec.source != WEFT__GRAPH) {
        TRY(add_identity(side, &options, &fresh, error));
    }
    fresh.diffusion_seconds = weft__clock() - start; /* none and identity take a few words */
    start = weft__clock();
    TRY(add_communities(roster, side, &options, &fresh, error));
    fresh.community_seconds = weft__clock() - start;
    TRY(weft__roster_views_extend(&fresh, count, error));
    *views = fresh;
    fresh = (weft__roster_views){0};
done:
    weft__roster_views_free(&fresh);
    return status;
}

weft_status weft__roster_views_extend(weft__roster_views *views, int64_t count, weft_error *error)
{
    static const weft_item alone = {.alone = true};
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < views->count; k++)
        while (weft_side_count(views->side[k]) < count)
            TRY(weft_side_append(views->side[k], &alone, error));
done:
    return status;
}

void weft__roster_views_free(weft__roster_views *views)
{
    for (int64_t k = 0; k < views->count; k++)
        weft_side_free(views->side[k]);
    *views = (weft__roster_views){0};
}

int64_t weft_roster_view_count(const weft_roster *roster)
{
    return roster != NULL && weft__roster_views_wanted(roster) && roster->side != NULL
               ? 1 + roster->views.count
               : 0;
}

weft_view weft_roster_view(const weft_roster *roster, int64_t k)
{
    if (k < 0 || k >= weft_roster_view_count(roster))
        return (weft_view){0};
    if (k > 0)
        return (weft_view){roster->views.kind[k - 1], roster->views.side[k - 1]};
    bool none = roster->spec.source == WEFT__NONE;
    return (weft_view){none ? WEFT_VIEW_NONE : WEFT_VIEW_GIVEN, roster->side};
}
