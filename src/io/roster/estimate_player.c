/* SPDX-License-Identifier: MIT
 *
 * How many bytes a player takes, and how much work its trials are, over sides that are made or will be.  What
 * each kind adds up is in the estimate.c of its folder; here they are told what the sides will be like.
 *
 * The members of a committee are listed as they will be (committee/members/default_members.c), over sides
 * that stand for the views and have nothing but a number of ids. */
#include "committee/estimate.h"
#include "io/roster/estimate.h"
#include "rival/estimate.h"
#include "rival/traits.h"
#include "side/graph/graph.h"
#include "side/graph/links.h"
#include "side/kinds/linear.h"

#include <math.h>

/* ---- Sides ---- */

/* Coordinates of the feature map of a side that is to be made. */
static double dimension_of(const weft_roster *roster)
{
    const weft_map *map = &roster->spec.map;
    bool linear = roster->spec.source == WEFT__FEATURES && roster->spec.kernel == WEFT_LINEAR;
    int64_t own = roster->spec.source == WEFT__CLASSES ? roster->contents.classes : 0;
    if (linear && map->eigen == 0)
        own = roster->contents.dimension;
    return (double)own + (double)map->fourier + (double)map->eigen + (double)map->hash;
}

/* What several kinds have together. */
static double sum_of_parts(const weft_roster *roster, double (*of)(const weft_roster *part))
{
    double sum = 0;
    for (int64_t k = 0; k < roster->part_count; k++)
        sum += of(roster->parts[k]);
    return sum;
}

/* Numbers that a rival knows of an id: its vector, its class, its links, of which few have all, or the
 * nearest. */
static double traits_of(const weft_roster *roster)
{
    static const double usual_links = 2.0 / 3 * WEFT__LINKS;
    switch (roster->spec.source) {
    case WEFT__NONE:
        return 0;
    case WEFT__CLASSES:
        return 1;
    case WEFT__FEATURES:
    case WEFT__TABLE:
        return weft__spec_is_table(&roster->spec)
                   ? (double)(roster->contents.table.numbers + roster->contents.table.words)
                   : (double)roster->facts.dimension;
    case WEFT__GRAPH:
        return roster->beside ? WEFT__NEAR_BESIDE : usual_links;
    case WEFT__SEVERAL:
        return sum_of_parts(roster, traits_of);
    default:
        return WEFT__NEAREST;
    }
}

/* With room for `capacity` ids, of which a trial brings at most two that are new. */
static weft__outline outline_ids(const weft_roster *roster, int64_t capacity, double trials)
{
    double listed = (double)weft_ids_count(roster->ids);
    int64_t budget = roster->options.kernel_budget;
    return (weft__outline){.listed = listed,
                           .ids = fmax(listed, fmin((double)capacity, listed + 2 * trials)),
                           .budget = (double)(budget > 0 ? budget : WEFT__KERNEL_BUDGET),
                           .traits = traits_of(roster)};
}

/* Where neither classes, vectors nor edges are known: of matrices of graphs only the paper's keeps edges. */
static weft__outline outline_given(const weft_roster *roster, bool views, int64_t capacity, double trials);

static bool has_nearest(const weft_roster *roster, bool views)
{
    for (int64_t k = 0; k < roster->part_count; k++)
        if (has_nearest(roster->parts[k], views))
            return true;
    if (roster->spec.source == WEFT__GRAPH)
        return roster->spec.graph_kernel != WEFT_PDLAPLACIAN && !weft__roster_is_sparse(roster, views) &&
               !weft__roster_is_bare(roster, views);
    return roster->spec.source == WEFT__KERNEL || roster->spec.source == WEFT__MATRIX;
}

/* A sum of several kinds has products where all of them have, or one has nothing else. */
static void outline_sum(const weft_roster *roster, bool views, weft__outline *all)
{
    enum { OWN_VECTORS = 4 };
    all->structured = true;
    for (int64_t k = 0; k < roster->part_count; k++) {
        weft__outline part = outline_given(roster->parts[k], views, 0, 0);
        all->structured = all->structured && part.structured;
        all->solves = all->solves || part.solves;
        all->vectors = fmax(all->vectors, part.vectors);
    }
    all->structured = all->structured || all->solves;
    all->vectors = all->structured ? OWN_VECTORS + all->vectors : 0;
}

static weft__outline outline_given(const weft_roster *roster, bool views, int64_t capacity, double trials)
{
    const weft_side *side = roster->side;
    weft__outline all = outline_ids(roster, capacity, trials);
    all.nearest = has_nearest(roster, views);
    if (side != NULL) {
        all.structured = side->ops->product != NULL;
        all.solves = side->blur > 0;
        all.vectors = side->ops->vectors;
        all.dimension = (double)weft_side_dimension(side);
        all.budget = (double)side->budget;
        return all;
    }
    if (roster->part_count > 0) {
        outline_sum(roster, views, &all);
        return all;
    }
    bool linear = weft__roster_is_linear(roster), bare = weft__roster_is_bare(roster, views);
    all.solves = weft__roster_is_sparse(roster, views);
    all.structured = all.solves || linear || bare || roster->spec.source == WEFT__NONE ||
                     roster->spec.source == WEFT__CLASSES;
    all.vectors = all.solves ? WEFT__GRAPH_VECTORS : linear ? WEFT__LINEAR_VECTORS : all.structured;
    all.dimension = dimension_of(roster);
    return all;
}

/* A view of the side: an identity that is added changes nothing of the structure. */
static weft__outline outline_view(const weft_roster *roster, weft_view_kind kind, int64_t capacity,
                                  double trials)
{
    weft__outline all = outline_ids(roster, capacity, trials);
    if (kind == WEFT_VIEW_GIVEN || kind == WEFT_VIEW_IDENTITY)
        return outline_given(roster, true, capacity, trials);
    if (kind == WEFT_VIEW_NONE) {
        all.structured = true;
        all.vectors = 1;
        all.traits = 0;
        return all;
    }
    if (kind == WEFT_VIEW_NARROW || kind == WEFT_VIEW_WIDE) {
        all.structured = false;
        return all;
    }
    if (kind == WEFT_VIEW_COMMUNITIES || kind == WEFT_VIEW_PART) {
        all.structured = true;
        all.vectors = all.traits = 1;
        return all;
    }
    all.solves = all.structured = weft__roster_is_sparse(roster, true);
    all.vectors = all.solves ? WEFT__GRAPH_VECTORS : 0;
    all.nearest = !all.solves;
    return all;
}

/* ---- Committees ---- */

enum { VIEWS = WEFT__VIEWS + 1 };

/* Sides that stand for the views of one roster, and what these will be like. */
typedef struct standins {
    weft_side side[VIEWS];
    weft_view view[VIEWS];
    weft__outline outline[VIEWS];
    weft_views all;
    struct weft__graph_known known; /* of what is given, where that is a graph without a kernel */
} standins;

static bool has_communities(const weft_roster *roster)
{
    bool found = roster->facts.listed <= WEFT__GRAPH_DENSE_LIMIT;
    for (int64_t k = 0; k < roster->part_count; k++)
        found = found || roster->parts[k]->spec.source == WEFT__GRAPH;
    return found;
}

/* Several kinds are parts themselves. */
static bool has_view(const weft_roster *roster, weft_view_kind kind)
{
    if (roster->part_count > 0)
        return kind <= WEFT_VIEW_IDENTITY || (kind == WEFT_VIEW_COMMUNITIES && has_communities(roster));
    bool none = roster->spec.source == WEFT__NONE, graph = roster->spec.source == WEFT__GRAPH;
    bool bare = weft__roster_is_bare(roster, true);
    switch (kind) {
    case WEFT_VIEW_GIVEN:
        return !none;
    case WEFT_VIEW_NONE:
        return true;
    case WEFT_VIEW_IDENTITY:
        return !none && !graph;
    case WEFT_VIEW_NEAR:
    case WEFT_VIEW_FAR:
        return graph && !bare;
    case WEFT_VIEW_NARROW:
    case WEFT_VIEW_WIDE:
        return weft__spec_is_table(&roster->spec) && weft__roster_has_gaussians(roster);
    case WEFT_VIEW_PART:
        return weft__roster_word_count(roster) > 0;
    case WEFT_VIEW_COMMUNITIES:
        return graph || (!none && roster->spec.source != WEFT__CLASSES &&
                         roster->facts.listed <= WEFT__GRAPH_DENSE_LIMIT);
    }
    return false;
}

static void add_standin(const weft_roster *roster, weft_view_kind kind, weft__outline outline, bool bare,
                        standins *s)
{
    static const weft__side_ops nothing = {.name = "none"}, something = {.name = "view"};
    int64_t at = s->all.count++;
    s->side[at] = (weft_side){.ops = kind == WEFT_VIEW_NONE ? &nothing : &something,
                              .memory = roster->memory,
                              .count = weft_ids_count(roster->ids)};
    if (bare)
        s->side[at].graph = &s->known;
    s->view[at] = (weft_view){.kind = kind, .side = &s->side[at]};
    s->outline[at] = outline;
}

/* Of all ids of a roster what is known of one of its parts. */
static weft__outline outline_part(const weft_roster *roster, const weft_roster *part, int64_t capacity,
                                  double trials)
{
    weft__outline all = outline_ids(roster, capacity, trials), own = outline_given(part, true, 0, 0);
    own.listed = all.listed, own.ids = all.ids, own.budget = all.budget;
    return own;
}

static void stand_in(const weft_roster *roster, int64_t capacity, double trials, standins *s)
{
    s->all = (weft_views){.list = s->view};
    s->known.facts.no_kernel = true;
    bool bare = weft__roster_is_bare(roster, true);
    for (weft_view_kind kind = WEFT_VIEW_GIVEN; kind < WEFT_VIEW_PART; kind++)
        if (has_view(roster, kind))
            add_standin(roster, kind, outline_view(roster, kind, capacity, trials),
                        bare && kind == WEFT_VIEW_GIVEN, s);
    for (int64_t k = 0; k < roster->part_count; k++)
        add_standin(roster, WEFT_VIEW_PART, outline_part(roster, roster->parts[k], capacity, trials),
                    weft__roster_is_bare(roster->parts[k], true), s);
    for (int64_t part = 0; part < weft__roster_word_count(roster); part++)
        add_standin(roster, WEFT_VIEW_PART, outline_view(roster, WEFT_VIEW_PART, capacity, trials), false, s);
}

static const weft__outline *find_outline(const standins *s, const weft_side *side)
{
    for (int64_t k = 0; k < s->all.count; k++)
        if (&s->side[k] == side)
            return &s->outline[k];
    return NULL;
}

/* Ids that may come: as given, else those that are listed; where none is, any. */
static int64_t capacity_of(const weft_roster *roster, int64_t given)
{
    int64_t ids = weft_ids_count(roster->ids);
    int64_t capacity = given > 0 ? given : ids > 0 ? ids : roster->input.limits.id_limit;
    return capacity > ids ? capacity : ids;
}

/* What is found: nothing where there can be no such player. */
typedef struct found {
    weft__amount bytes, work;
} found;

/* Room for more members than there ever are. */
enum { MEMBERS = 192 };

typedef struct table {
    standins sides[2];
    weft_member members[MEMBERS];
    weft__foreseen list[MEMBERS];
    int64_t count;
} table;

static bool list_members(const weft_roster *rosters[2], const weft_plan *plan, double trials, table *t)
{
    const int64_t given[2] = {plan->rows, plan->columns};
    for (int k = 0; k < 2 && rosters[k] != NULL; k++)
        stand_in(rosters[k], capacity_of(rosters[k], given[k]), trials, &t->sides[k]);
    const standins *second = &t->sides[rosters[1] != NULL ? 1 : 0];
    t->count = MEMBERS;
    if (weft_committee_members(&t->sides[0].all, rosters[1] != NULL ? &second->all : NULL, t->members,
                               &t->count, NULL) != WEFT_OK)
        return false;
    for (int64_t k = 0; k < t->count; k++)
        t->list[k] = (weft__foreseen){&t->members[k], find_outline(&t->sides[0], t->members[k].rows),
                                      find_outline(second, t->members[k].columns)};
    return true;
}

static weft__stream_outline outline_stream(const weft_plan *plan)
{
    bool known = plan->context_values > 0;
    return (weft__stream_outline){.trials = plan->trials > 0 ? (double)plan->trials : INFINITY,
                                  .fields = (double)plan->context_fields,
                                  .values = known ? (double)plan->context_values : INFINITY};
}

static found estimate_committee(const weft_roster *rosters[2], const weft_plan *plan, double trials)
{
    found all = {{0, 0}, {0, 0}};
    table *t = NULL;
    if (weft__new(&rosters[0]->memory, 1, sizeof *t, &t, NULL) != WEFT_OK)
        return all;
    if (list_members(rosters, plan, trials, t)) {
        weft__committee_plan of = {.members = t->list, .count = t->count, .stream = outline_stream(plan)};
        all = (found){weft__committee_estimate(&of), weft__committee_work(&of)};
    }
    weft__delete(&rosters[0]->memory, t);
    return all;
}

/* ---- All of them ---- */

static found estimate_player(const weft_roster *rosters[2], const weft_plan *plan)
{
    double trials = plan->trials > 0 ? (double)plan->trials : INFINITY;
    if (plan->committee != NULL)
        return estimate_committee(rosters, plan, trials);
    weft__outline side[2], *columns = rosters[1] != NULL ? &side[1] : NULL;
    const weft_settings *settings = plan->learner;
    for (int k = 0; k < 2 && rosters[k] != NULL; k++) {
        int64_t given = settings == NULL ? 0 : k == 0 ? settings->rows : settings->columns;
        /* Without a quasi-dimension there is no end of ids, and no capacity need be given. */
        bool open = settings == NULL || settings->dimension == 0;
        bool views = weft__roster_views_wanted(rosters[k]);
        side[k] = outline_given(rosters[k], views, open ? capacity_of(rosters[k], given) : given, trials);
    }
    if (settings != NULL)
        return (found){weft__learner_estimate(&side[0], columns, settings, trials),
                       weft__learner_work(&side[0], columns, settings, trials)};
    if (plan->rival != NULL) {
        const weft__stream_outline stream = outline_stream(plan);
        return (found){weft__rival_estimate(&side[0], columns, plan->rival, &stream),
                       weft__rival_work(&side[0], columns, plan->rival, &stream)};
    }
    return (found){{0, 0}, {0, 0}};
}

static weft_bytes rounded(weft__amount amount)
{
    static const double most = 0x1p62;
    return (weft_bytes){(int64_t)fmin(amount.least, most), (int64_t)fmin(amount.most, most)};
}

static bool wants_views(const weft_roster *roster, const weft_plan *plan)
{
    bool possible = !roster->facts.mapped && !roster->facts.hashed;
    return weft__roster_views_wanted(roster) || (plan->committee != NULL && possible);
}

/* Whether every count is one. */
static bool is_possible(const weft_plan *plan)
{
    const weft_settings *s = plan->learner;
    return plan->rows >= 0 && plan->columns >= 0 && plan->trials >= 0 && plan->context_fields >= 0 &&
           plan->context_fields <= WEFT_CONTEXT_LIMIT && plan->context_values >= 0 &&
           (s == NULL || (s->rows >= 0 && s->columns >= 0));
}

weft_estimate weft_estimate_run(const weft_roster *rows, const weft_roster *columns, const weft_plan *plan)
{
    static const weft_plan nothing = {0};
    const weft_roster *rosters[2] = {rows, columns};
    weft__phases part[2] = {{{0, 0}, {0, 0}}, {{0, 0}, {0, 0}}};
    weft__amount now = {0, 0}, all = {0, 0};
    if (plan == NULL)
        plan = &nothing;
    if (rows == NULL || !is_possible(plan))
        return (weft_estimate){.first_work = 0};
    for (int k = 0; k < 2 && rosters[k] != NULL; k++) {
        if (rosters[k]->side != NULL)
            continue;
        double contents = weft__roster_contents(rosters[k]);
        part[k] = weft__roster_phases(rosters[k], wants_views(rosters[k], plan));
        all = weft__amount_larger(all, weft__amount_sum(now, part[k].making));
        now = weft__amount_sum(now, weft__amount_sum(part[k].kept, (weft__amount){-contents, -contents}));
    }
    found player = estimate_player(rosters, plan);
    return (weft_estimate){.rows = rounded(part[0].making),
                           .columns = rounded(part[1].making),
                           .player = rounded(player.bytes),
                           .all = rounded(weft__amount_larger(all, weft__amount_sum(now, player.bytes))),
                           .first_work = player.work.least,
                           .last_work =
                               plan->trials > 0 || player.work.most == 0 ? player.work.most : INFINITY};
}
