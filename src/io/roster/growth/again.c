/* SPDX-License-Identifier: MIT
 * What must be known of a roster to make it grow, and another reading of the one that it grows to. */
#include "io/roster/growth/growth.h"

#include <string.h>

weft_status weft__growth_known(const weft_roster *roster, weft__known_ids *known, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__known_ids made = {.sources = roster->sources, .listed = roster->facts.listed};
    int64_t number = 0;
    made.sources.stored = weft_roster_source(roster, 0).kept != NULL;
    TRY(weft_ids_create(&roster->memory, &made.ids, error));
    for (int64_t k = 0; k < weft_ids_count(roster->ids); k++)
        TRY(weft_ids_add(made.ids, weft_ids_name(roster->ids, k), &number, error));
    TRY(weft__settled_copy(&roster->settled, &made.settled, error));
    *known = made;
    made = (weft__known_ids){0};
done:
    weft__growth_known_free(&made);
    return status;
}

void weft__growth_known_free(weft__known_ids *known)
{
    weft_ids_free(known->ids);
    weft__settled_free(&known->settled);
    *known = (weft__known_ids){0};
}

/* A copy of what was kept, to be read from. */
static weft_status copy_sources(const weft__sources *from, weft__sources *to, weft_error *error)
{
    weft_status status = WEFT_OK;
    *to = (weft__sources){.memory = from->memory, .keep = true, .stored = true};
    for (int64_t k = 0; k < from->count; k++) {
        const weft__source_file *file = from->items[k];
        weft__source_file *made = NULL;
        TRY(weft__sources_begin(to, file->path, &made, error));
        TRY(weft__sources_add(to, made, file->bytes, file->size, error));
    }
done:
    return status;
}

static bool is_kept(const weft_roster *roster)
{
    bool kept = true;
    for (int64_t k = 0; k < roster->sources.count; k++)
        kept = kept && roster->sources.items[k]->bytes != NULL;
    return kept;
}

bool weft__growth_differs(const weft__sources *a, const weft__sources *b)
{
    bool same = a->count == b->count;
    for (int64_t k = 0; same && k < a->count; k++)
        same = a->items[k]->size == b->items[k]->size &&
               weft__digest_equal(a->items[k]->digest, b->items[k]->digest);
    return !same;
}

weft_status weft__growth_read(const weft_roster *given, const weft_roster *old, weft_roster **roster,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__sources kept = {.memory = given->memory};
    weft_roster *made = NULL;
    weft_roster_options how = old->options;
    weft_file_options limits = given->input.limits;
    how.keep = how.keep || given->options.keep;
    limits.roster = &how;
    if (is_kept(given)) {
        TRY(copy_sources(&given->sources, &kept, error));
        TRY(weft__roster_read(given->text, &limits, &kept, &made, error));
    } else if (strcmp(given->spec.path, "-") == 0) {
        return weft__fail(
            error, WEFT_UNSUPPORTED,
            "standard input was read and not kept (weft_roster_options.keep), and cannot be read "
            "again");
    } else {
        TRY(weft__roster_read(given->text, &limits, NULL, &made, error));
    }
    if (weft__growth_differs(&given->sources, &made->sources))
        TRY(weft__fail(error, WEFT_INPUT,
                       "%.200s: found other contents than when the roster was opened, expected the same",
                       weft__shown_path(given->spec.path)));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    weft__sources_free(&kept);
    return status;
}
