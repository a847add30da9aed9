/* SPDX-License-Identifier: MIT
 * What is settled when side information is made, noted for the day on which its files have grown. */
#include "io/roster/growth/growth.h"

/* Where all that is read is there and its columns are not settled yet. */
weft_status weft__growth_begin(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    const weft__columns *columns = &roster->contents.columns;
    settled->memory = roster->memory;
    if (!weft__can_grow(roster))
        return WEFT_OK;
    weft__delete(&roster->memory, settled->said);
    settled->said = NULL;
    TRY(weft__growth_say(roster, &settled->said, error));
    if (settled->moved)
        return WEFT_OK;
    settled->first = settled->listed = roster->facts.listed;
    settled->dimension = roster->contents.dimension;
    if (columns->count > 0)
        TRY(weft__new(&roster->memory, columns->count, sizeof *settled->column, &settled->column, error));
    settled->columns = columns->count;
    for (int64_t k = 0; k < columns->count; k++)
        TRY(weft__new_text(&roster->memory, columns->list[k].name, &settled->column[k], error));
done:
    return status;
}

static weft_status note_edges(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    const weft__contents *c = &roster->contents;
    weft__settled_edge *edge = NULL;
    if (roster->spec.source != WEFT__GRAPH)
        return WEFT_OK;
    TRY(weft__new(&roster->memory, c->edges, sizeof *edge, &edge, error));
    for (int64_t k = 0; k < c->edges; k++) {
        bool rising = c->from[k] <= c->to[k];
        edge[k] = (weft__settled_edge){rising ? c->from[k] : c->to[k], rising ? c->to[k] : c->from[k],
                                       c->weight[k]};
    }
    weft__delete(&roster->memory, settled->edge);
    settled->edge = edge;
    settled->edges = c->edges;
done:
    return status;
}

/* Classes of ids 0, 1, ... of the side, which are the places. */
static weft_status note_communities(weft__settled *settled, const weft_side *side, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&settled->memory, settled->listed, sizeof *settled->community, &settled->community, error));
    for (int64_t k = 0; k < settled->listed; k++) {
        weft_item item = {0};
        side->ops->item(side, k, &item);
        settled->community[k] = item.class_of;
    }
done:
    return status;
}

static weft_status note_views(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    const weft__roster_views *views = &roster->views;
    settled->spread = views->spread;
    settled->views = views->count;
    for (int64_t k = 0; k < views->count; k++) {
        settled->view[k] = views->kind[k];
        if (views->kind[k] == WEFT_VIEW_COMMUNITIES)
            TRY(note_communities(settled, views->side[k], error));
    }
done:
    return status;
}

weft_status weft__growth_note(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    bool joins = roster->spec.source == WEFT__GRAPH && roster->spec.missing == WEFT__MISSING_JOIN;
    if (!weft__can_grow(roster))
        return WEFT_OK;
    if (joins)
        settled->listed = weft_ids_count(roster->ids);
    TRY(note_edges(roster, error));
    if (!settled->moved) {
        settled->graph_kernel =
            roster->spec.source == WEFT__GRAPH ? (int64_t)weft_roster_graph_kernel(roster) : 0;
        TRY(note_views(roster, error));
    }
    settled->radius = roster->side->radius;
    settled->known = true;
done:
    return status;
}

bool weft__growth_is_said(const weft_roster *roster, const weft__settled *settled)
{
    const weft__settled *own = &roster->settled;
    if ((own->said == NULL) != (settled->said == NULL) || settled->first > settled->listed)
        return false;
    for (int64_t k = 0; own->said != NULL && k < own->listed && k < settled->listed; k++)
        if (own->said[k] != settled->said[k])
            return false;
    return settled->listed >= own->listed;
}

void weft__growth_keep(weft_roster *roster, weft__settled *settled)
{
    if (!settled->known || roster->settled.moved)
        return;
    weft__settled found = roster->settled;
    roster->settled = *settled;
    *settled = found;
}
