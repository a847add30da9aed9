/* SPDX-License-Identifier: MIT
 * Headers where none are expected: in a file of classes or of edges the first line is one like any other. */
#include "io/roster/contents.h"

#include "io/stream/fields.h"

static bool is_name(const weft_ids *ids, int64_t id)
{
    return weft__fields_is_name(weft_ids_name(ids, id));
}

/* Vertices that stand on the first line alone. */
static bool edges_have_header(const weft__contents *contents, const weft_ids *ids)
{
    int64_t from = contents->from[0], to = contents->to[0];
    bool header = contents->edges > 1 && from != to && is_name(ids, from) && is_name(ids, to);
    for (int64_t e = 1; e < contents->edges && header; e++)
        header = contents->from[e] != from && contents->to[e] != from && contents->from[e] != to &&
                 contents->to[e] != to;
    return header;
}

bool weft__contents_have_header(const weft__contents *contents, const weft_ids *ids)
{
    if (contents->edges > 0)
        return edges_have_header(contents, ids);
    return contents->class_of != NULL && weft_ids_count(ids) > 1 && is_name(ids, 0);
}
