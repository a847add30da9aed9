/* SPDX-License-Identifier: MIT
 *
 * Sides of places, brought to the numbers of ids and to the squared radius that was settled.
 *
 * The kernel of a graph is made anew where edges arrive, and nothing that was learnt stands by how large it
 * was: where its diagonal is beyond the old R, R is larger.  An id of another kind is shortened. */
#include "io/roster/growth/growth.h"
#include "side/kinds/placed.h"

static bool is_beyond(const weft_roster *roster, double radius, const weft_side *side)
{
    return radius > 0 && side->radius > radius && roster->spec.source != WEFT__GRAPH;
}

weft_status weft__growth_place(const weft_roster *roster, double radius, weft_side **side, int64_t *shortened,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__settled *settled = &roster->settled;
    int64_t *number = NULL;
    bool beyond = is_beyond(roster, radius, *side);
    *shortened = 0;
    if (!settled->moved)
        return WEFT_OK;
    if (radius > 0)
        (*side)->radius_given = roster->spec.radius > 0;
    if (radius > (*side)->radius)
        (*side)->radius = radius;
    if (settled->number == NULL && !beyond)
        return WEFT_OK;
    int64_t count = (*side)->count;
    TRY(weft__new(&roster->memory, count, sizeof *number, &number, error));
    for (int64_t k = 0; k < count; k++)
        number[k] = weft__settled_number(settled, k);
    const weft__placing placing = {count, number, beyond ? radius : (*side)->radius};
    TRY(weft__side_place(side, &placing, side, shortened, error));
done:
    weft__delete(&roster->memory, number);
    return status;
}
