/* SPDX-License-Identifier: MIT
 * Which views of rows and columns are played together.  `views` are those of both, the second NULL for one
 * set of ids, whose columns are its rows. */
#ifndef WEFT_COMMITTEE_MEMBERS_PAIRS_H
#define WEFT_COMMITTEE_MEMBERS_PAIRS_H

#include "side/side.h"

/* Two sides to be played together, and their name for people. */
typedef struct weft__pairing {
    const weft_side *rows, *columns; /* rows NULL: there is none */
    const char *name;
} weft__pairing;

weft_status weft__views_check(const weft_views *views, weft_error *error);
bool weft__view_is_none(const weft_side *side);

/* The side of this view, or NULL.  `none` that is given is its own view NONE. */
const weft_side *weft__view_of(const weft_views *const views[2], int which, weft_view_kind kind);

/* The same view of both sides; where one of them lacks it, with what is given there. */
weft__pairing weft__pair_views(const weft_views *const views[2], weft_view_kind kind);

/* Part number `part` of one side with what is given of the other; none where there are fewer. */
weft__pairing weft__pair_part(const weft_views *const views[2], int which, int64_t part);

/* One side as it is given or by its communities, of the other nothing. */
weft__pairing weft__pair_one_side(const weft_views *const views[2], int which, weft_view_kind kind);

/* For players that know no more than kernels: in place of a graph that is known by its edges alone, `none`,
 * where there is that view. */
weft__pairing weft__pair_by_kernels(const weft_views *const views[2], weft__pairing pair);

/* Whose side information a pair shows; for one set of ids that of the rows. */
int weft__pair_uses(const weft_views *const views[2], weft__pairing pair);

#endif
