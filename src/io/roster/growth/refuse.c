/* SPDX-License-Identifier: MIT
 * A file that says something else than it did: what it says of an id, and where. */
#include "io/roster/growth/growth.h"

#include <stdio.h>
#include <string.h>

/* A line of a file, as fields with commas between them. */
typedef struct quote {
    int64_t line; /* 0: it was not found */
    char text[120];
} quote;

static void quote_record(const weft__text *text, quote *found)
{
    size_t length = 0;
    found->line = text->number;
    for (int64_t k = 0; k < text->count && length + 1 < sizeof found->text; k++)
        length += (size_t)snprintf(found->text + length, sizeof found->text - length, "%s%s",
                                   k > 0 ? "," : "", text->fields[k].text);
}

/* Which field of a line is its id. */
static int64_t id_field(const weft__spec *spec, const weft__text *header)
{
    for (int64_t k = 0; spec->id_column != NULL && k < header->count; k++)
        if (strcmp(header->fields[k].text, spec->id_column) == 0)
            return k;
    return 0;
}

static void find_record(weft__text *text, const weft__spec *spec, const char *name, quote *found)
{
    bool more = true;
    int64_t field = -1;
    while (weft__text_next(text, &more, NULL) == WEFT_OK && more && found->line == 0) {
        if (field < 0)
            field = id_field(spec, text);
        if (field < text->count && strcmp(text->fields[field].text, name) == 0)
            quote_record(text, found);
    }
}

/* Reads the file again, or what was kept of it: only where something is wrong. */
static quote quote_id(const weft_roster *roster, const weft__sources *sources, const char *name)
{
    quote found = {0};
    weft__sources again = *sources;
    weft__input input = roster->input;
    weft__text text = {0};
    const weft__spec *spec = &roster->spec;
    bool kept = sources->count > 0 && sources->items[0]->bytes != NULL;
    if (spec->ids_path != NULL || (!kept && strcmp(spec->path, "-") == 0))
        return found;
    again.stored = true;
    again.next = 0;
    input.sources = kept ? &again : NULL;
    const char *path = kept ? sources->items[0]->path : spec->path;
    if (weft__text_open(path, &input, &text, NULL) != WEFT_OK)
        return found;
    if (spec->source == WEFT__TABLE)
        text.comment = 0;
    find_record(&text, spec, name, &found);
    weft__text_close(&text);
    return found;
}

weft_status weft__growth_refuse_id(const weft_roster *roster, const weft__known_ids *known, int64_t place,
                                   bool gone, weft_error *error)
{
    const char *name = weft_ids_name(known->ids, weft__settled_number(&known->settled, place));
    const char *path =
        weft__shown_path(gone && roster->spec.ids_path != NULL ? roster->spec.ids_path : roster->spec.path);
    const weft__sources files = weft__roster_files(roster);
    quote now = quote_id(roster, &files, name);
    quote before = known->sources.stored ? quote_id(roster, &known->sources, name) : (quote){0};
    const char *expected = before.line > 0 ? before.text : "what it said when the model was saved";
    char where[32] = "";
    if (now.line > 0)
        snprintf(where, sizeof where, ":%lld", (long long)now.line);
    if (gone)
        return weft__fail(error, WEFT_MODEL,
                          "does not fit: %.150s: found no id %s, expected %s: a file may grow, but what it "
                          "said must stay (put the line back, or run the stream again without it)",
                          path, weft__shown_briefly(name).text, expected);
    return weft__fail(
        error, WEFT_MODEL,
        "does not fit: %.150s%s: id %s: found %s, expected %s: a file may grow, but what it said "
        "must stay (keep the lines as they were, or run the stream again%s)",
        path, where, weft__shown_briefly(name).text, now.line > 0 ? now.text : "something else", expected,
        roster->spec.source == WEFT__TABLE ? "; skip=NAME leaves out a column that changes" : "");
}
