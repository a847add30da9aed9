/* SPDX-License-Identifier: MIT */
#include "io/stream/readings.h"

weft__sources *weft__readings_current(weft__readings *readings)
{
    return readings->repeated ? &readings->again : &readings->first;
}

void weft__readings_end(weft__readings *readings)
{
    readings->complete = true;
}

/* A first reading that was broken off is begun anew. */
void weft__readings_rewind(weft__readings *readings)
{
    weft__sources_free(readings->complete ? &readings->again : &readings->first);
    readings->repeated = readings->complete;
}

weft_status weft__readings_check(const weft__readings *readings, const weft__lines *lines, weft_error *error)
{
    if (!readings->repeated)
        return WEFT_OK;
    int64_t last = readings->again.count - 1;
    const weft__source_file *first = readings->first.items[last], *again = readings->again.items[last];
    bool changed = again->size != first->size || !weft__digest_equal(again->digest, first->digest);
    if (again->size <= first->size && !(lines->ended && changed))
        return WEFT_OK;
    if (again->size == first->size)
        return weft__fail(
            error, WEFT_INPUT,
            "%s: changed between two readings: found other bytes, expected the same %lld as before "
            "(play a copy of a file that is still written)",
            lines->path, (long long)first->size);
    return weft__fail(
        error, WEFT_INPUT,
        "%s: changed between two readings: found %lld bytes%s, expected %lld as before (play a copy "
        "of a file that is still written)",
        lines->path, (long long)again->size, lines->ended ? "" : " or more", (long long)first->size);
}

void weft__readings_free(weft__readings *readings)
{
    weft__sources_free(&readings->first);
    weft__sources_free(&readings->again);
}
