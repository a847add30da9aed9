/* SPDX-License-Identifier: MIT
 * The views of a roster once they are made. */
#include "io/roster/roster.h"

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
    bool none = roster->spec.source == WEFT__NONE;
    if (k == 0)
        return (weft_view){.kind = none ? WEFT_VIEW_NONE : WEFT_VIEW_GIVEN, .side = roster->side};
    const weft__roster_views *views = &roster->views;
    bool part = views->kind[k - 1] == WEFT_VIEW_PART;
    return (weft_view){views->kind[k - 1], views->side[k - 1], part ? views->name[k - 1] : NULL};
}
