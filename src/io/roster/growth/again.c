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
    TRY(weft__growth_copy(roster, &made.settled, error));
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
static weft_status copy_sources(const weft_roster *from, weft__sources *to, weft_error *error)
{
    weft_status status = WEFT_OK;
    *to = (weft__sources){.memory = from->memory, .keep = true, .stored = true};
    for (int64_t k = 0; k < weft_roster_source_count(from); k++) {
        weft_source source = weft_roster_source(from, k);
        weft__source_file *made = NULL;
        TRY(weft__sources_begin(to, source.path, &made, error));
        TRY(weft__sources_add(to, made, source.kept, source.size, error));
    }
done:
    return status;
}

static bool is_kept(const weft_roster *roster)
{
    bool kept = true;
    for (int64_t k = 0; k < weft_roster_source_count(roster); k++)
        kept = kept && weft_roster_source(roster, k).kept != NULL;
    return kept;
}

static bool is_read_from_input(const weft_roster *roster)
{
    bool input = false;
    for (int64_t k = 0; k < weft_roster_source_count(roster); k++)
        input = input || strcmp(weft_roster_source(roster, k).path, "-") == 0;
    return input;
}

bool weft__growth_differs(const weft_roster *roster, const weft__sources *sources)
{
    bool same = weft_roster_source_count(roster) == sources->count;
    for (int64_t k = 0; same && k < sources->count; k++) {
        weft_source source = weft_roster_source(roster, k);
        weft__digest digest = {{source.digest[0], source.digest[1]}};
        same =
            source.size == sources->items[k]->size && weft__digest_equal(digest, sources->items[k]->digest);
    }
    return !same;
}

bool weft__growth_differ(const weft_roster *a, const weft_roster *b)
{
    bool same = weft_roster_source_count(a) == weft_roster_source_count(b);
    for (int64_t k = 0; same && k < weft_roster_source_count(a); k++) {
        weft_source x = weft_roster_source(a, k), y = weft_roster_source(b, k);
        same = x.size == y.size && memcmp(x.digest, y.digest, sizeof x.digest) == 0;
    }
    return !same;
}

/* The first file of which two have read other contents, or of which one has none. */
static const char *find_changed(const weft_roster *a, const weft_roster *b)
{
    int64_t k = 0;
    for (; k + 1 < weft_roster_source_count(a); k++) {
        weft_source x = weft_roster_source(a, k), y = weft_roster_source(b, k);
        if (x.size != y.size || memcmp(x.digest, y.digest, sizeof x.digest) != 0)
            break;
    }
    return weft_roster_source(a, k).path;
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
        TRY(copy_sources(given, &kept, error));
        TRY(weft__roster_read(given->text, &limits, &kept, &made, error));
    } else if (is_read_from_input(given)) {
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "standard input was read and not kept (weft_roster_options.keep), and cannot be "
                          "read again");
    } else {
        TRY(weft__roster_read(given->text, &limits, NULL, &made, error));
    }
    if (weft__growth_differ(given, made))
        TRY(weft__fail(error, WEFT_INPUT,
                       "%.200s: found other contents than when the roster was opened, expected the same",
                       weft__shown_path(find_changed(given, made))));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    weft__sources_free(&kept);
    return status;
}
