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

/* Whether they are those of a part, which knows them. */
static bool have_communities(const weft_roster *roster)
{
    bool have = false;
    for (int64_t k = 0; k < roster->part_count; k++)
        have = have || roster->parts[k]->settled.community != NULL;
    return have;
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
        if (views->kind[k] == WEFT_VIEW_COMMUNITIES && !have_communities(roster))
            TRY(note_communities(settled, views->side[k], error));
    }
done:
    return status;
}

/* Whether a graph, or that of a part, has taken in all ids as vertices. */
static bool joins(const weft_roster *roster)
{
    bool joined = false;
    for (int64_t k = 0; k < weft_roster_part_count(roster); k++) {
        const weft__spec *spec = &weft_roster_part(roster, k)->spec;
        joined = joined || (spec->source == WEFT__GRAPH && spec->missing == WEFT__MISSING_JOIN);
    }
    return joined;
}

weft_status weft__growth_note(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    if (!weft__can_grow(roster))
        return WEFT_OK;
    if (joins(roster))
        settled->listed = weft_ids_count(roster->ids);
    if (joins(roster) && !settled->moved)
        settled->first = settled->listed;
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
    bool said = settled->first <= settled->listed && settled->listed >= own->listed;
    if ((own->said == NULL) != (settled->said == NULL))
        return false;
    for (int64_t k = 0; said && own->said != NULL && k < own->listed; k++)
        said = own->said[k] == settled->said[k];
    for (int64_t k = 0; said && k < roster->part_count; k++)
        said = k < settled->parts && weft__growth_is_said(roster->parts[k], &settled->part[k]);
    return said;
}

/* Parts keep theirs themselves, with numbers of their own. */
static void keep_part(weft_roster *part, weft__settled *settled)
{
    weft__settled found = part->settled;
    weft__delete(&settled->memory, settled->number);
    settled->number = NULL;
    part->settled = *settled;
    *settled = found;
}

void weft__growth_keep(weft_roster *roster, weft__settled *settled)
{
    if (!settled->known || roster->settled.moved)
        return;
    weft__settled found = roster->settled;
    for (int64_t k = 0; k < settled->parts && k < roster->part_count; k++)
        keep_part(roster->parts[k], &settled->part[k]);
    found.part = settled->part;
    found.parts = settled->parts;
    settled->part = NULL;
    settled->parts = 0;
    roster->settled = *settled;
    *settled = found;
}
