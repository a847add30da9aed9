/* SPDX-License-Identifier: MIT
 *
 * Fuzzes SPECs and the files they name.  The first line of the input is a SPEC
 * in which FILE is a single `@`, or several with ",+" between; the rest is the file.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-roster -dict=fuzz/roster.dict -max_total_time=60 WORK fuzz/seeds/roster */
#include "fuzz.h"

#include "io/roster/spec.h"
#include "weft_files.h"

#include <string.h>

enum { LONGEST_SPEC = 128 };

static void parse_any(const char *text)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__spec spec = {0};
    weft_error error = {0};
    if (weft__spec_parse(text, &memory, &spec, &error) == WEFT_OK)
        weft__spec_free(&spec, &memory);
    else
        require(error.status == WEFT_ARGUMENT && error.message[0] != 0);
}

/* The SPEC with every `@` replaced, which several kinds have one each of; false if there is none, or one that
 * is no FILE. */
static bool put_path(const char *text, const char *path, char *spec, size_t size)
{
    size_t length = 0;
    bool found = false;
    for (const char *at = text; *at != 0 && length < size; at++) {
        if (*at == '@' && (at == text || at[-1] != ':' || (at[1] != 0 && at[1] != ',')))
            return false;
        found = found || *at == '@';
        length += (size_t)snprintf(spec + length, size - length, "%.*s", *at == '@' ? LONGEST_SPEC : 1,
                                   *at == '@' ? path : at);
    }
    return found && length < size;
}

/* The side and its views, which have the same ids. */
static void check_views(const weft_roster *roster)
{
    const weft_side *side = weft_roster_side(roster);
    check_side(side);
    for (int64_t k = 0; k < weft_roster_view_count(roster); k++) {
        weft_view view = weft_roster_view(roster, k);
        require((k == 0) == (view.side == side) && weft_side_count(view.side) == weft_side_count(side));
        require((view.kind == WEFT_VIEW_GIVEN || strcmp(weft_side_kind(side), "none") == 0) == (k == 0));
        check_side(view.side);
    }
}

/* Features are those of the kernel, or none. */
static void check_features(const weft_side *side, int64_t id)
{
    static double phi[WEFT_MAP_LIMIT];
    double square = 0;
    weft_error error = {0};
    weft_status status = weft_side_features(side, id, phi, &error);
    require(status == WEFT_OK || error.status == status);
    for (int64_t k = 0; status == WEFT_OK && k < weft_side_dimension(side); k++)
        square += phi[k] * phi[k];
    require(square <= weft_side_radius(side) * (1 + 1e-9));
}

/* What it says it will take is a least and a most, of each part and in all. */
static void check_estimate(const weft_roster *roster)
{
    weft_estimate estimate = weft_estimate_run(roster, NULL, NULL);
    require(estimate.rows.least >= 0 && estimate.rows.least <= estimate.rows.most);
    require(estimate.all.least >= 0 && estimate.all.least <= estimate.all.most);
}

static void use(const char *spec)
{
    weft_file_options limits = {.line_limit = 512,
                                .field_limit = 24,
                                .id_limit = 20,
                                .roster = &(weft_roster_options){.views = true}};
    weft_roster *roster = NULL;
    weft_error error = {0};
    int64_t number = -1;
    weft_status status = weft_roster_open(spec, &limits, &roster, &error);
    if (status == WEFT_OK)
        status = weft_roster_admit(roster, "a", NULL, &number, &error);
    if (status == WEFT_OK)
        status = weft_roster_admit(roster, "new", NULL, &number, &error);
    if (status == WEFT_OK)
        check_estimate(roster);
    if (status == WEFT_OK)
        status = weft_roster_build(roster, &error);
    if (status == WEFT_OK) {
        check_views(roster);
        /* The last id, unless the file lists it. */
        int64_t listed = weft_ids_find(weft_roster_ids(roster), "late");
        bool hashed = weft_roster_report(roster).hashed;
        if (weft_roster_admit(roster, "late", NULL, &number, &error) == WEFT_OK)
            require(hashed ? number >= 0 && listed < 0
                           : number == (listed >= 0 ? listed : weft_ids_count(weft_roster_ids(roster)) - 1));
        check_views(roster);
        check_features(weft_roster_side(roster), number);
        check_features(weft_roster_side(roster), 0);
    } else {
        require(error.status == status && error.message[0] != 0);
    }
    weft_roster_free(roster);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    char text[LONGEST_SPEC], spec[2 * LONGEST_SPEC];
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t length = end != NULL ? (size_t)(end - data) : size;
    if (length >= sizeof text)
        return 0;
    memcpy(text, data, length);
    text[length] = 0;
    parse_any(text);
    size_t rest = end != NULL ? size - length - 1 : 0;
    put(&file, data + size - rest, rest);
    if (strncmp(text, "none", 4) == 0)
        use(text);
    else if (put_path(text, file.path, spec, sizeof spec))
        use(spec);
    return 0;
}
