/* SPDX-License-Identifier: MIT
 *
 * The members of a committee where the user has chosen none: learners and rivals over pairs of views.
 *
 * Method     A view of the rows is played with the same view of the columns, and with what is given where
 *            they lack it.  Candidates are listed in a fixed order, those over what is given first;
 *            one that has the settings and the sides of an earlier one is left out.  So columns of which
 *            nothing is known make "rows only" the same as "given", and no table of cases is needed.
 * Reference  docs/committee.md, which has the measurements behind the grid. */
#include "committee/members/pairs.h"
#include "player/player.h"

#include <stdio.h>
#include <string.h>

/* More than the lists below have: 21 learners, with every view, and 77 rivals, three for each of 16 parts,
 * and in reserve two for each of nine learners and ten rivals at the most. */
enum { MEMBERS_MAX = 200 };

/* Of hashed weights, of which several members have a table. */
enum { BITS = 18 };

typedef struct grid {
    const weft_views *views[2]; /* the second NULL: one set of ids */
    weft_member *members;       /* room for MEMBERS_MAX */
    int64_t count;
} grid;

/* ---- Members ---- */

/* Its rate, margin or eta; 0: it has none. */
static double rate_of(const weft_member *member)
{
    return member->is_rival ? member->rival.rate : member->learner.eta;
}

/* Whether both play the same but for the rate. */
static bool are_kin(const weft_member *a, const weft_member *b)
{
    const weft_rival_settings *s = &a->rival, *t = &b->rival;
    if (a->rows != b->rows || a->columns != b->columns || a->is_rival != b->is_rival)
        return false;
    return a->is_rival ? s->kind == t->kind && s->window == t->window && s->shrink == t->shrink &&
                             s->replay == t->replay
                       : a->learner.form == b->learner.form;
}

static bool coincide(const weft_member *a, const weft_member *b)
{
    return are_kin(a, b) && rate_of(a) == rate_of(b);
}

/* Adds the member unless it is there already. */
static void add_member(grid *g, const weft_member *member)
{
    for (int64_t k = 0; k < g->count; k++)
        if (coincide(&g->members[k], member))
            return;
    g->members[g->count++] = *member;
}

static void name_learner(weft_member *member, const char *view)
{
    static const char *const form_names[] = {
        [WEFT_PAPER] = "paper", [WEFT_BALANCED] = "balanced", [WEFT_ONE_SET] = "one set"};
    snprintf(member->name, sizeof member->name, "%s eta %g, %s", form_names[member->learner.form],
             member->learner.eta, view);
}

/* Whether kernels are all that it knows. */
static bool uses_kernels(weft_rival_kind kind)
{
    return kind == WEFT_RIVAL_SUM || kind == WEFT_RIVAL_PRODUCT || kind == WEFT_RIVAL_SQUARE;
}

static void add_learner(grid *g, weft_form form, double eta, weft__pairing views)
{
    bool one_set = form == WEFT_ONE_SET;
    weft__pairing pair = weft__pair_by_kernels(g->views, views);
    if (pair.rows == NULL)
        return;
    weft_member member = {.rows = pair.rows,
                          .columns = one_set ? NULL : pair.columns,
                          .plain = weft__view_is_none(pair.rows) && weft__view_is_none(pair.columns),
                          .uses = weft__pair_uses(g->views, pair)};
    member.learner = (weft_settings){.form = form,
                                     .updates = WEFT_MARGIN_UPDATES,
                                     .engine = WEFT_KRYLOV,
                                     .precision = WEFT_MIXED,
                                     .eta = eta,
                                     .gamma = 1.0 / 3,
                                     .tolerance = 0.3,
                                     .seed = 1,
                                     .deterministic = true};
    name_learner(&member, pair.name);
    add_member(g, &member);
}

/* Whether it looks at the side information at all. */
static bool uses_sides(weft_rival_kind kind)
{
    return uses_kernels(kind) || kind == WEFT_RIVAL_LOGISTIC || kind == WEFT_RIVAL_CROSSED ||
           kind == WEFT_RIVAL_HYBRID;
}

/* "hashed logistic rate 0.6, given", "hybrid factorisation rate 0.5 window 100, given", or as much of it as
 * the kind has. */
static void name_rival(weft_member *member, const char *view)
{
    const char *knob = weft_rival_knob(member->rival.kind);
    char *name = member->name;
    const size_t size = sizeof member->name;
    snprintf(name, size, "%s", weft_rival_name(member->rival.kind));
    if (*knob != 0)
        snprintf(name + strlen(name), size - strlen(name), " %.6s %g", knob, member->rival.rate);
    if (member->rival.window > 0)
        snprintf(name + strlen(name), size - strlen(name), " window %d", (int)member->rival.window);
    if (member->rival.shrink > 0)
        snprintf(name + strlen(name), size - strlen(name), " shrink %g", member->rival.shrink);
    if (member->rival.replay > 0)
        snprintf(name + strlen(name), size - strlen(name), " replay %d", member->rival.replay);
    if (uses_sides(member->rival.kind))
        snprintf(name + strlen(name), size - strlen(name), ", %s", view);
}

static void add_rival(grid *g, const weft_rival_settings *settings, weft__pairing views)
{
    weft__pairing pair = uses_kernels(settings->kind) ? weft__pair_by_kernels(g->views, views) : views;
    if (pair.rows == NULL)
        return;
    weft_member member = {.rows = pair.rows,
                          .columns = g->views[1] != NULL ? pair.columns : NULL,
                          .plain = weft__view_is_none(pair.rows) && weft__view_is_none(pair.columns),
                          .uses = uses_sides(settings->kind) ? weft__pair_uses(g->views, pair) : 0,
                          .is_rival = true,
                          .rival = *settings};
    member.rival.bits = BITS;
    name_rival(&member, pair.name);
    add_member(g, &member);
}

/* A kind at each of its rates; one without a knob once, for its rates are all 0. */
static void add_rivals(grid *g, weft_rival_kind kind, weft__pairing pair)
{
    double rates[3];
    weft_rival_rates(kind, rates);
    for (int k = 0; k < 3; k++)
        add_rival(g, &(weft_rival_settings){.kind = kind, .rate = rates[k]}, pair);
}

/* Beside its three rates: events learnt again that are recent, for streams that change; factors that are
 * drawn to zero, for noise; and one event learnt again in place of nine, which costs a third and errs less
 * where ids have features. */
static void add_hybrids(grid *g)
{
    enum { RECENT = 100 };
    static const struct {
        weft_view_kind view;
        int replay;
        double rate, shrink;
        int64_t window;
    } list[] = {
        {WEFT_VIEW_GIVEN, 1, 0.2, 0, 0},       {WEFT_VIEW_GIVEN, 1, 0.6, 0, 0},
        {WEFT_VIEW_GIVEN, 0, 1, 0.01, 0},      {WEFT_VIEW_GIVEN, 0, 0.25, 0, RECENT},
        {WEFT_VIEW_GIVEN, 0, 0.5, 0, RECENT},  {WEFT_VIEW_GIVEN, 0, 0.3, 0.05, 500},
        {WEFT_VIEW_GIVEN, 0, 0.3, 0.05, 1000}, {WEFT_VIEW_NONE, 0, 0.3, 0.05, 0},
        {WEFT_VIEW_NONE, 0, 1, 0, 0},          {WEFT_VIEW_NONE, 0, 1, 0.01, 0},
        {WEFT_VIEW_NONE, 0, 0.5, 0, RECENT},   {WEFT_VIEW_NEAR, 0, 0.1, 0, 0},
        {WEFT_VIEW_NEAR, 0, 0.3, 0, 0},        {WEFT_VIEW_FAR, 0, 0.1, 0, 0},
        {WEFT_VIEW_FAR, 0, 0.3, 0, 0},         {WEFT_VIEW_COMMUNITIES, 0, 0.1, 0, 0},
        {WEFT_VIEW_COMMUNITIES, 0, 0.3, 0, 0},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        weft_rival_settings settings = {.kind = WEFT_RIVAL_HYBRID, .window = list[k].window};
        settings.rate = list[k].rate, settings.shrink = list[k].shrink, settings.replay = list[k].replay;
        add_rival(g, &settings, weft__pair_views(g->views, list[k].view));
    }
}

/* What is worth most of a run without the other side, so that it can be told what leaving that out would cost
 * (vote/ablation.c). */
static void add_one_sided(grid *g)
{
    double rates[3];
    weft_rival_rates(WEFT_RIVAL_PRODUCT, rates);
    for (int which = 0; which < 2; which++) {
        weft__pairing given = weft__pair_one_side(g->views, which, WEFT_VIEW_GIVEN);
        weft__pairing communities = weft__pair_one_side(g->views, which, WEFT_VIEW_COMMUNITIES);
        if (given.rows != NULL && !weft__view_is_none(weft__view_of(g->views, which, WEFT_VIEW_GIVEN))) {
            add_rival(g, &(weft_rival_settings){.kind = WEFT_RIVAL_PRODUCT, .rate = rates[1]}, given);
            add_rival(g, &(weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .rate = 0.2, .replay = 1}, given);
        }
        if (communities.rows != NULL)
            add_rival(g, &(weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .rate = 0.3}, communities);
    }
}

/* Of everything that is known apart from the rest one learner and two rivals. */
static void add_parts(grid *g)
{
    double rates[3];
    weft_rival_rates(WEFT_RIVAL_PRODUCT, rates);
    for (int which = 0; which < (g->views[1] != NULL ? 2 : 1); which++)
        for (int64_t part = 0; part < WEFT_PARTS; part++) {
            weft__pairing pair = weft__pair_part(g->views, which, part);
            if (pair.rows == NULL)
                continue;
            add_learner(g, g->views[1] != NULL ? WEFT_BALANCED : WEFT_ONE_SET, 1, pair);
            add_rival(g, &(weft_rival_settings){.kind = WEFT_RIVAL_PRODUCT, .rate = rates[1]}, pair);
            add_rival(g, &(weft_rival_settings){.kind = WEFT_RIVAL_HYBRID, .rate = 0.3}, pair);
        }
}

static void list_learners(grid *g)
{
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_GIVEN));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_IDENTITY));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_NONE));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_one_side(g->views, 0, WEFT_VIEW_GIVEN));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_one_side(g->views, 1, WEFT_VIEW_GIVEN));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_NEAR));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_FAR));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_COMMUNITIES));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_NARROW));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_WIDE));
    add_learner(g, WEFT_PAPER, 1, weft__pair_views(g->views, WEFT_VIEW_GIVEN));
}

static void list_one_set_learners(grid *g)
{
    static const double etas[] = {1, 3};
    for (int k = 0; k < 2; k++)
        for (weft_view_kind kind = WEFT_VIEW_GIVEN; kind <= WEFT_VIEW_WIDE; kind++)
            add_learner(g, WEFT_ONE_SET, etas[k], weft__pair_views(g->views, kind));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_GIVEN));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_NONE));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_NEAR));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_FAR));
    add_learner(g, WEFT_BALANCED, 1, weft__pair_views(g->views, WEFT_VIEW_COMMUNITIES));
}

/* For one set of ids rows and columns have one majority between them. */
static void list_rivals(grid *g)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        if (g->views[1] != NULL || kind != WEFT_RIVAL_COLUMN_MAJORITY)
            add_rivals(g, (weft_rival_kind)kind, weft__pair_views(g->views, WEFT_VIEW_GIVEN));
    add_rivals(g, WEFT_RIVAL_PRODUCT, weft__pair_views(g->views, WEFT_VIEW_NONE));
    add_rivals(g, WEFT_RIVAL_PRODUCT, weft__pair_views(g->views, WEFT_VIEW_NEAR));
    add_rivals(g, WEFT_RIVAL_PRODUCT, weft__pair_views(g->views, WEFT_VIEW_FAR));
    add_rivals(g, WEFT_RIVAL_PRODUCT, weft__pair_views(g->views, WEFT_VIEW_COMMUNITIES));
    add_rivals(g, WEFT_RIVAL_CROSSED, weft__pair_views(g->views, WEFT_VIEW_COMMUNITIES));
    add_rivals(g, WEFT_RIVAL_PRODUCT, weft__pair_views(g->views, WEFT_VIEW_NARROW));
    add_rivals(g, WEFT_RIVAL_PRODUCT, weft__pair_views(g->views, WEFT_VIEW_WIDE));
    add_hybrids(g);
    if (g->views[1] != NULL)
        add_one_sided(g);
    add_parts(g);
}

/* ---- Reserve ---- */

/* How far beyond the edge. */
static const double STRIDE = 3;

/* Whether no kin has a higher (lower) rate. */
static bool is_edge(const grid *g, int64_t k, bool higher)
{
    const weft_member *member = &g->members[k];
    for (int64_t j = 0; j < g->count && g->members[j].beyond == 0; j++)
        if (are_kin(&g->members[j], member) &&
            (higher ? rate_of(&g->members[j]) > rate_of(member) : rate_of(&g->members[j]) < rate_of(member)))
            return false;
    return true;
}

static void add_beyond(grid *g, int64_t k, double factor)
{
    weft_member member = g->members[k];
    const char *comma = strrchr(g->members[k].name, ','), *view = comma != NULL ? comma + 2 : "";
    member.beyond = k + 1;
    if (member.is_rival) {
        member.rival.rate *= factor;
        name_rival(&member, view);
    } else {
        member.learner.eta *= factor;
        name_learner(&member, view);
    }
    g->members[g->count++] = member;
}

/* Whether it plays what is given, or of that as much as it can know. */
static bool plays_given(const grid *g, const weft_member *member)
{
    weft__pairing given = {weft__view_of(g->views, 0, WEFT_VIEW_GIVEN),
                           weft__view_of(g->views, 1, WEFT_VIEW_GIVEN), ""};
    if (!member->is_rival || uses_kernels(member->rival.kind))
        given = weft__pair_by_kernels(g->views, given);
    return member->rows == given.rows && (member->columns == NULL || member->columns == given.columns);
}

/* Over what is given, and of learners over nothing and over the diffusions: elsewhere an edge leads only
 * where it does here as well. */
static bool may_go_beyond(const grid *g, const weft_member *member)
{
    bool given = plays_given(g, member);
    if (member->is_rival)
        return given && member->rival.rate > 0 && member->rival.shrink == 0;
    return given || member->plain || member->rows == weft__view_of(g->views, 0, WEFT_VIEW_NEAR) ||
           member->rows == weft__view_of(g->views, 0, WEFT_VIEW_FAR);
}

static void list_reserve(grid *g)
{
    int64_t starters = g->count;
    for (int64_t k = 0; k < starters; k++) {
        bool low = is_edge(g, k, false), high = is_edge(g, k, true);
        if (!may_go_beyond(g, &g->members[k]))
            continue;
        if (low)
            add_beyond(g, k, 1 / STRIDE);
        if (high)
            add_beyond(g, k, STRIDE);
    }
}

/* ---- Public ---- */

weft_status weft_committee_members(const weft_views *rows, const weft_views *columns, weft_member *members,
                                   int64_t *count, weft_error *error)
{
    grid g = {.views = {rows, columns}};
    weft_memory memory = weft__memory_or_default(NULL);
    weft_status status = WEFT_OK;
    NEED(rows);
    NEED(count);
    TRY(weft__views_check(rows, error));
    if (columns != NULL)
        TRY(weft__views_check(columns, error));
    memory = rows->list[0].side->memory;
    TRY(weft__new(&memory, MEMBERS_MAX, sizeof *g.members, &g.members, error));
    if (columns != NULL)
        list_learners(&g);
    else
        list_one_set_learners(&g);
    list_rivals(&g);
    list_reserve(&g);
    if (members != NULL && *count < g.count)
        TRY(weft__fail(error, WEFT_ARGUMENT, "there is room for %lld members of a committee; it has %lld",
                       (long long)*count, (long long)g.count));
    if (members != NULL)
        memcpy(members, g.members, (size_t)g.count * sizeof *members);
    *count = g.count;
done:
    weft__delete(&memory, g.members);
    return status;
}
