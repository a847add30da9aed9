/* SPDX-License-Identifier: MIT
 * Rosters from their SPECs: the files are read, no side is made yet. */
#include "io/roster/growth/growth.h"

#include "base/monitor.h"

#include <stdio.h>

weft_status weft__roster_begin(const char *spec, const weft_file_options *options, weft_roster **roster,
                               weft_error *error)
{
    weft_roster *made = NULL;
    weft__input filled = {0};
    weft_status status = WEFT_OK;
    TRY(weft__input_begin(options, &filled, error));
    weft_memory memory = weft__memory_or_default(filled.limits.memory);
    TRY(weft__new(&memory, 1, sizeof *made, &made, error));
    made->memory = memory;
    made->input = filled;
    made->input.limits.memory = &made->memory;
    if (filled.limits.roster != NULL)
        made->options = *filled.limits.roster;
    made->input.limits.roster = &made->options;
    made->input.sources = &made->sources;
    made->sources = (weft__sources){.memory = memory, .keep = made->options.keep};
    TRY(weft__new_text(&memory, spec, &made->text, error));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

/* Of one SPEC. */
static weft_status begin_one(const char *spec, const weft_file_options *options, weft_roster **roster,
                             weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__roster_begin(spec, options, &made, error));
    TRY(weft__spec_parse(spec, &made->memory, &made->spec, error));
    made->facts.alone = made->spec.missing == WEFT__MISSING_ALONE;
    made->facts.mapped = weft__spec_is_mapped(&made->spec);
    made->facts.hashed = made->spec.hashed != 0;
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

/* Parts whose files are taken down in one list. */
static weft_status begin_parts(weft_roster *roster, const weft_file_options *options, weft_error *error)
{
    char *text = NULL;
    weft_status status = WEFT_OK;
    int64_t count = weft__spec_count(roster->text);
    TRY(weft__new(&roster->memory, count, sizeof(weft_roster *), &roster->parts, error));
    for (int64_t k = 0; k < count; k++) {
        TRY(weft__spec_part(roster->text, k, &roster->memory, &text, error));
        TRY(begin_one(text, options, &roster->parts[k], error));
        roster->parts[k]->input.sources = &roster->sources;
        roster->parts[k]->first_file = weft__roster_first_file(roster, k);
        roster->part_count++;
        weft__delete(&roster->memory, text);
        text = NULL;
    }
    TRY(weft__roster_check_parts(roster, error));
done:
    weft__delete(&roster->memory, text);
    return status;
}

static weft_status begin_roster(const char *spec, const weft_file_options *options, weft_roster **roster,
                                weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    if (weft__spec_count(spec) == 1)
        return begin_one(spec, options, roster, error);
    TRY(weft__roster_begin(spec, options, &made, error));
    TRY(begin_parts(made, options, error));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

/* Exchanged rather than copied, so that what is left behind can be freed too. */
static void exchange_sources(weft_roster *roster, weft__sources *sources)
{
    weft__sources own = roster->sources;
    roster->sources = *sources;
    *sources = own;
}

/* What one file says. */
static weft_status read_roster(weft_roster *made, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft_ids_create(&made->memory, &made->ids, error));
    if (made->spec.source != WEFT__NONE)
        TRY(weft__contents_read(&made->spec, &made->input, made->ids, &made->contents, error));
    made->facts.listed = weft_ids_count(made->ids);
    if (weft__contents_have_header(&made->contents, made->ids))
        snprintf(made->facts.header, sizeof made->facts.header, "%s", weft_ids_name(made->ids, 0));
done:
    return status;
}

weft_status weft__roster_read(const char *spec, const weft_file_options *options, weft__sources *stored,
                              weft_roster **roster, weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    TRY(begin_roster(spec, options, &made, error));
    if (stored != NULL)
        exchange_sources(made, stored);
    double start = weft__clock();
    for (int64_t k = 0; k < made->part_count; k++)
        TRY(read_roster(made->parts[k], error));
    if (made->part_count == 0)
        TRY(read_roster(made, error));
    made->times.reading = weft__clock() - start;
    if (made->sources.next != (stored != NULL ? made->sources.count : 0))
        TRY(weft__fail(error, WEFT_MODEL, "found %lld embedded files, expected %lld",
                       (long long)made->sources.count, (long long)made->sources.next));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

static weft_status settle_one(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__contents *contents = &roster->contents;
    const weft__settled *settled = &roster->settled;
    weft__seniority rows = {roster->facts.listed, roster->facts.listed};
    if (settled->moved)
        rows = (weft__seniority){settled->first, settled->before};
    TRY(weft__growth_begin(roster, error));
    weft_ids_free(contents->class_names);
    contents->class_names = NULL;
    TRY(weft__contents_settle(contents, &roster->spec, rows, roster->facts.listed, &roster->memory, error));
    roster->facts.classes = contents->classes;
    roster->facts.beyond = contents->clipped;
    roster->facts.edges = contents->edges;
    roster->columns = contents->columns;
    contents->columns = (weft__columns){.memory = roster->memory};
    roster->facts.dimension = roster->spec.source == WEFT__FEATURES ? contents->dimension : 0;
done:
    return status;
}

static weft_status settle_parts(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    roster->facts.beyond = 0;
    for (int64_t k = 0; k < roster->part_count; k++) {
        roster->parts[k]->beside = true;
        TRY(settle_one(roster->parts[k], error));
        roster->facts.beyond += roster->parts[k]->facts.beyond;
    }
    TRY(weft__roster_join(roster, error));
done:
    return status;
}

weft_status weft__roster_settle(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    double start = weft__clock();
    TRY((roster->part_count > 0 ? settle_parts : settle_one)(roster, error));
    roster->times.reading += weft__clock() - start;
done:
    return status;
}

weft_status weft__roster_open_stored(const char *spec, const weft_file_options *options,
                                     weft__sources *stored, weft_roster **roster, weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__roster_read(spec, options, stored, &made, error));
    TRY(weft__roster_settle(made, error));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

weft_status weft_roster_open(const char *spec, const weft_file_options *options, weft_roster **roster,
                             weft_error *error)
{
    weft_memory memory = weft__memory_or_default(options != NULL ? options->memory : NULL);
    weft_status status = WEFT_OK;
    char *sorted = NULL;
    NEED(spec);
    NEED(roster);
    TRY(weft__spec_sort(spec, &memory, &sorted, error));
    TRY(weft__roster_open_stored(sorted, options, NULL, roster, error));
done:
    weft__delete(&memory, sorted);
    return status;
}

weft_status weft__roster_look(const char *spec, const weft_file_options *options, weft__known_ids *known,
                              weft_roster **roster, weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    const weft_map map = {.hash = known->features};
    TRY(begin_roster(spec, options, &made, error));
    weft_side_options how = {.memory = &made->memory, .map = known->features > 0 ? &map : NULL};
    TRY(weft_side_none(weft_ids_count(known->ids), &how, &made->side, error));
    exchange_sources(made, &known->sources);
    weft__roster_keep_table(made, &known->table);
    made->ids = known->ids;
    known->ids = NULL;
    made->settled = known->settled;
    known->settled = (weft__settled){.known = false};
    made->facts.listed = known->listed;
    made->facts.let_in = weft_ids_count(made->ids) - known->listed;
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

void weft_roster_free(weft_roster *roster)
{
    if (roster == NULL)
        return;
    weft_memory memory = roster->memory;
    weft__roster_views_free(&roster->views);
    weft_side_free(roster->side);
    for (int64_t k = 0; k < roster->part_count; k++)
        weft_roster_free(roster->parts[k]);
    weft__delete(&memory, roster->parts);
    weft__delete(&memory, roster->table.values);
    weft__contents_free(&roster->contents, &memory);
    weft__settled_free(&roster->settled);
    weft__delete(&memory, roster->lists);
    weft__columns_free(&roster->columns);
    weft_ids_free(roster->ids);
    weft__spec_free(&roster->spec, &memory);
    weft__sources_free(&roster->sources);
    weft__delete(&memory, roster->text);
    weft__delete(&memory, roster);
}
