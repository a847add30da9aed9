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

/* Whether files that have grown have been taken in alike: the same first, and then in one order.  Ids are
 * those that the numbers of both speak of. */
static bool settled_alike(const weft__settled *s, const weft__settled *t, const weft_ids *here,
                          const weft_ids *there)
{
    bool alike = s->moved == t->moved && s->parts == t->parts &&
                 (!s->moved || (s->first == t->first && s->listed == t->listed));
    for (int64_t k = 0; alike && s->moved && k < s->listed; k++)
        alike = strcmp(weft_ids_name(here, weft__settled_number(s, k)),
                       weft_ids_name(there, weft__settled_number(t, k))) == 0 &&
                (s->community == NULL) == (t->community == NULL) &&
                (s->community == NULL || s->community[k] == t->community[k]);
    for (int64_t k = 0; alike && k < s->parts; k++)
        alike = settled_alike(&s->part[k], &t->part[k], here, there);
    return alike;
}

static bool grew_alike(const weft_roster *a, const weft_roster *b)
{
    bool alike = settled_alike(&a->settled, &b->settled, a->ids, b->ids);
    for (int64_t k = 0; alike && k < a->part_count; k++)
        alike = grew_alike(a->parts[k], b->parts[k]);
    return alike;
}

/* A graph that took in vertices of the stream is another graph with others. */
static weft_status check_vertices(const weft_roster *a, const weft_roster *b, const char *what,
                                  const char *const owners[2], weft_error *error)
{
    bool joined = false;
    for (int64_t k = 0; k < weft_roster_part_count(a); k++) {
        const weft__spec *spec = &weft_roster_part(a, k)->spec;
        joined = joined || (spec->source == WEFT__GRAPH && spec->missing == WEFT__MISSING_JOIN);
    }
    const char *own = joined ? find_vertex(a, b) : NULL, *other = joined ? find_vertex(b, a) : NULL;
    if (own == NULL && other == NULL)
        return WEFT_OK;
    return weft__fail(
        error, WEFT_ARGUMENT, "the graphs of the %s differ: %.150s has the vertex %s, %.150s has not", what,
        owners[own == NULL], weft__shown_briefly(own != NULL ? own : other).text, owners[own != NULL]);
}

weft_status weft_roster_check_alike(const weft_roster *a, const weft_roster *b, const char *what,
                                    const char *const owners[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(a);
    NEED(b);
    NEED(what);
    NEED(owners);
    int64_t count = weft_roster_source_count(a);
    if (!weft_roster_agrees(a, b) || count != weft_roster_source_count(b))
        return weft__fail(error, WEFT_ARGUMENT,
                          "the SPECs of the %s differ: %.100s has %.120s, %.100s has %.120s", what, owners[0],
                          weft_roster_spec(a), owners[1], weft_roster_spec(b));
    for (int64_t k = 0; k < count; k++)
        if (!is_same_file(a, b, k))
            return weft__fail(error, WEFT_ARGUMENT,
                              "the digests of the %s differ: %.100s was made with another %.200s than %.100s",
                              what, owners[0], weft_roster_source(a, k).path, owners[1]);
    if (!grew_alike(a, b))
        return weft__fail(
            error, WEFT_ARGUMENT,
            "the files of the %s have grown for %.100s or for %.100s alone, or in another order, "
            "so that they were settled otherwise",
            what, owners[0], owners[1]);
    TRY(check_vertices(a, b, what, owners, error));
done:
    return status;
}
