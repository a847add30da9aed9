/* SPDX-License-Identifier: MIT
 *
 * Views of two sides, checked and paired. */
#include "committee/members/pairs.h"

#include "player/player.h"

#include <string.h>

enum { VIEW_KINDS = WEFT_VIEW_PART + 1 };

static const char *const view_names[VIEW_KINDS] = {
    [WEFT_VIEW_GIVEN] = "given",
    [WEFT_VIEW_NONE] = "none",
    [WEFT_VIEW_IDENTITY] = "given + identity",
    [WEFT_VIEW_NEAR] = "diffusion 5",
    [WEFT_VIEW_FAR] = "diffusion 20",
    [WEFT_VIEW_COMMUNITIES] = "communities",
    [WEFT_VIEW_NARROW] = "narrow",
    [WEFT_VIEW_WIDE] = "wide",
    [WEFT_VIEW_PART] = "part",
};

const char *weft_view_name(weft_view_kind kind)
{
    return (int)kind >= 0 && (int)kind < VIEW_KINDS ? view_names[kind] : NULL;
}

/* ---- Views ---- */

bool weft__view_is_none(const weft_side *side)
{
    return strcmp(weft_side_kind(side), "none") == 0;
}

/* The side of this view, or NULL.  `none` that is given is its own view NONE. */
static const weft_side *find_view(const weft_views *views, weft_view_kind kind)
{
    if (kind == WEFT_VIEW_GIVEN || (kind == WEFT_VIEW_NONE && weft__view_is_none(views->list[0].side)))
        return views->list[0].side;
    for (int64_t k = 0; k < views->count; k++)
        if (views->list[k].kind == kind)
            return views->list[k].side;
    return NULL;
}

static weft_status fail_views(const char *what, weft_error *error)
{
    return weft__fail(error, WEFT_ARGUMENT, "the views of a committee: %s", what);
}

static weft_status check_view(const weft_views *views, int64_t k, weft_error *error)
{
    const weft_view *view = &views->list[k];
    if (weft_view_name(view->kind) == NULL || view->side == NULL)
        return fail_views("found one without a kind or a side", error);
    if (k == 0 && view->kind != WEFT_VIEW_GIVEN && view->kind != WEFT_VIEW_NONE)
        return fail_views("expected what is given first", error);
    int64_t same = 0;
    for (int64_t j = 0; j < k; j++)
        same += views->list[j].kind == view->kind;
    if (same >= (view->kind == WEFT_VIEW_PART ? WEFT_PARTS : 1))
        return fail_views("found a kind twice, or too many parts", error);
    if (view->side->endless)
        return fail_views("the ids are endless, which learners that keep evidence cannot number", error);
    if (weft__side_most(view->side) != weft__side_most(views->list[0].side))
        return fail_views("expected the same ids in all of them", error);
    return WEFT_OK;
}

weft_status weft__views_check(const weft_views *views, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (views->count < 1 || views->list == NULL)
        return fail_views("there are none", error);
    for (int64_t k = 0; k < views->count; k++)
        TRY(check_view(views, k, error));
done:
    return status;
}

/* ---- Pairs ---- */

/* For one set of ids both are the same view. */
const weft_side *weft__view_of(const weft_views *const views[2], int which, weft_view_kind kind)
{
    return find_view(views[views[1] != NULL ? which : 0], kind);
}

static weft__pairing named(const weft_side *rows, const weft_side *columns, const char *name)
{
    if (rows == NULL || columns == NULL)
        return (weft__pairing){NULL, NULL, NULL};
    return (weft__pairing){
        rows, columns,
        weft__view_is_none(rows) && weft__view_is_none(columns) ? view_names[WEFT_VIEW_NONE] : name};
}

/* For players that know no more than kernels: in place of a graph that is known by its edges alone, `none`,
 * where there is that view. */
weft__pairing weft__pair_by_kernels(const weft_views *const views[2], weft__pairing pair)
{
    const weft_side *side[2] = {pair.rows, pair.columns};
    for (int which = 0; which < 2; which++) {
        const weft_side *none = weft__view_of(views, which, WEFT_VIEW_NONE);
        if (weft_side_graph(side[which]).no_kernel && none != NULL)
            side[which] = none;
    }
    return named(side[0], side[1], pair.name);
}

/* The same view of both sides; where one of them lacks it, with what is given there. */
weft__pairing weft__pair_views(const weft_views *const views[2], weft_view_kind kind)
{
    const weft_side *rows = weft__view_of(views, 0, kind), *columns = weft__view_of(views, 1, kind);
    if (kind != WEFT_VIEW_NONE && rows == NULL && columns != NULL)
        rows = weft__view_of(views, 0, WEFT_VIEW_GIVEN);
    if (kind != WEFT_VIEW_NONE && columns == NULL && rows != NULL)
        columns = weft__view_of(views, 1, WEFT_VIEW_GIVEN);
    return named(rows, columns, view_names[kind]);
}

weft__pairing weft__pair_part(const weft_views *const views[2], int which, int64_t part)
{
    const weft_views *list = views[which];
    for (int64_t k = 0; k < list->count; k++) {
        const weft_view *view = &list->list[k];
        if (view->kind != WEFT_VIEW_PART || part-- > 0)
            continue;
        const weft_side *other =
            views[1] != NULL ? weft__view_of(views, 1 - which, WEFT_VIEW_GIVEN) : view->side;
        const char *name = view->name != NULL ? view->name : view_names[WEFT_VIEW_PART];
        return which == 0 ? named(view->side, other, name) : named(other, view->side, name);
    }
    return (weft__pairing){NULL, NULL, NULL};
}

/* A view of one side, of the other nothing. */
weft__pairing weft__pair_one_side(const weft_views *const views[2], int which, weft_view_kind kind)
{
    static const char *const names[2][2] = {{"rows only", "columns only"},
                                            {"row communities only", "column communities only"}};
    const char *name = names[kind == WEFT_VIEW_COMMUNITIES][which];
    return which == 0 ? named(weft__view_of(views, 0, kind), weft__view_of(views, 1, WEFT_VIEW_NONE), name)
                      : named(weft__view_of(views, 0, WEFT_VIEW_NONE), weft__view_of(views, 1, kind), name);
}

/* Whose side information a pair of views shows; for one set of ids that of the rows. */
int weft__pair_uses(const weft_views *const views[2], weft__pairing pair)
{
    if (views[1] == NULL)
        return weft__view_is_none(pair.rows) ? 0 : WEFT_ROWS;
    return (weft__view_is_none(pair.rows) ? 0 : WEFT_ROWS) |
           (weft__view_is_none(pair.columns) ? 0 : WEFT_COLUMNS);
}
