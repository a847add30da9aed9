/* SPDX-License-Identifier: MIT
 * Whether two rosters know the same, and letting names in that may have to go again: for merging. */
#include "io/roster/roster.h"

#include "base/show.h"

#include <string.h>

weft__roster_mark weft__roster_mark_of(const weft_roster *roster)
{
    return (weft__roster_mark){weft_ids_count(roster->ids), roster->facts};
}

void weft__roster_return(weft_roster *roster, const weft__roster_mark *mark)
{
    weft__ids_shorten(roster->ids, mark->count);
    roster->facts = mark->facts;
}

static bool is_same_file(const weft_roster *a, const weft_roster *b, int64_t k)
{
    weft_source x = weft_roster_source(a, k), y = weft_roster_source(b, k);
    return x.size == y.size && memcmp(x.digest, y.digest, sizeof x.digest) == 0;
}

/* The first name that only one of them has, or NULL. */
static const char *find_vertex(const weft_roster *a, const weft_roster *b)
{
    for (int64_t i = 0; i < weft_ids_count(a->ids); i++)
        if (weft_ids_find(b->ids, weft_ids_name(a->ids, i)) < 0)
            return weft_ids_name(a->ids, i);
    return NULL;
}

/* Whether files that have grown have been taken in by both alike: the same first, and then in one order. */
static bool grew_alike(const weft_roster *a, const weft_roster *b)
{
    const weft__settled *s = &a->settled, *t = &b->settled;
    bool alike = s->moved == t->moved && (!s->moved || (s->first == t->first && s->listed == t->listed));
    for (int64_t k = 0; alike && s->moved && k < s->listed; k++)
        alike = strcmp(weft_ids_name(a->ids, weft__settled_number(s, k)),
                       weft_ids_name(b->ids, weft__settled_number(t, k))) == 0 &&
                (s->community == NULL) == (t->community == NULL) &&
                (s->community == NULL || s->community[k] == t->community[k]);
    for (int64_t k = 0; alike && k < a->part_count; k++)
        alike = grew_alike(a->parts[k], b->parts[k]);
    return alike;
}

weft_status weft__roster_check_alike(const weft_roster *a, const weft_roster *b, const char *name,
                                     weft_error *error)
{
    int64_t count = weft_roster_source_count(a);
    if (!weft_roster_agrees(a, b) || count != weft_roster_source_count(b))
        return weft__fail(error, WEFT_ARGUMENT,
                          "the side information of the %s differs: one has %.120s, the other %.120s", name,
                          weft_roster_spec(a), weft_roster_spec(b));
    for (int64_t k = 0; k < count; k++)
        if (!is_same_file(a, b, k))
            return weft__fail(error, WEFT_ARGUMENT,
                              "the side information of the %s differs: %.120s has other bytes", name,
                              weft_roster_source(a, k).path);
    if (!grew_alike(a, b))
        return weft__fail(
            error, WEFT_ARGUMENT,
            "the side information of the %s differs: its files have grown for one of them, or in "
            "another order, so that they were settled otherwise",
            name);
    /* A graph that took in vertices of the stream is another graph with others. */
    bool joined = false;
    for (int64_t k = 0; k < weft_roster_part_count(a); k++) {
        const weft__spec *spec = &weft_roster_part(a, k)->spec;
        joined = joined || (spec->source == WEFT__GRAPH && spec->missing == WEFT__MISSING_JOIN);
    }
    const char *vertex = !joined ? NULL : find_vertex(a, b) != NULL ? find_vertex(a, b) : find_vertex(b, a);
    if (vertex != NULL)
        return weft__fail(error, WEFT_ARGUMENT, "the graphs of the %s differ: only one has the vertex %s",
                          name, weft__shown_briefly(vertex).text);
    return WEFT_OK;
}
