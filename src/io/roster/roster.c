/* SPDX-License-Identifier: MIT
 * The ids of one side by name, and the side information made for them. */
#include "io/roster/roster.h"

#include "base/monitor.h"
#include "io/text/hints.h"

#include <stdio.h>
#include <string.h>

static weft_status begin_roster(const char *spec, const weft_file_options *options, weft_roster **roster,
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
    TRY(weft__spec_parse(spec, &memory, &made->spec, error));
    made->facts.alone = made->spec.missing == WEFT__MISSING_ALONE;
    made->facts.mapped = weft__spec_is_mapped(&made->spec);
    made->facts.hashed = made->spec.hashed != 0;
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

weft_status weft__roster_open_stored(const char *spec, const weft_file_options *options,
                                     weft__sources *stored, weft_roster **roster, weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    TRY(begin_roster(spec, options, &made, error));
    if (stored != NULL)
        exchange_sources(made, stored);
    TRY(weft_ids_create(&made->memory, &made->ids, error));
    double start = weft__clock();
    if (made->spec.source != WEFT__NONE)
        TRY(weft__contents_read(&made->spec, &made->input, made->ids, &made->contents, error));
    made->times.reading = weft__clock() - start;
    if (made->sources.next != (stored != NULL ? made->sources.count : 0))
        TRY(weft__fail(error, WEFT_MODEL, "found %lld embedded files, expected %lld",
                       (long long)made->sources.count, (long long)made->sources.next));
    made->facts.listed = weft_ids_count(made->ids);
    made->facts.classes = made->contents.classes;
    made->facts.edges = made->contents.edges;
    made->facts.header = weft__contents_have_header(&made->contents, made->ids);
    made->columns = made->contents.columns;
    made->contents.columns = (weft__columns){.memory = made->memory};
    made->facts.dimension = made->spec.source == WEFT__FEATURES ? made->contents.dimension : 0;
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

weft_status weft_roster_open(const char *spec, const weft_file_options *options, weft_roster **roster,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(spec);
    NEED(roster);
    TRY(weft__roster_open_stored(spec, options, NULL, roster, error));
done:
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
    made->facts.listed = known->listed;
    made->facts.let_in = weft_ids_count(made->ids) - known->listed;
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

void weft__roster_keep_table(weft_roster *roster, weft__map_table *table)
{
    weft__map_table none = {0};
    roster->table = *table;
    *table = none;
}

weft__map_table weft__roster_table(const weft_roster *roster)
{
    return roster->table.values != NULL ? roster->table : weft__map_table_of(roster->side);
}

void weft__roster_limit(weft_roster *roster, int64_t capacity)
{
    roster->input.limits.id_limit = capacity;
}

void weft_roster_free(weft_roster *roster)
{
    if (roster == NULL)
        return;
    weft_memory memory = roster->memory;
    weft__roster_views_free(&roster->views);
    weft_side_free(roster->side);
    weft__delete(&memory, roster->table.values);
    weft__contents_free(&roster->contents, &memory);
    weft__columns_free(&roster->columns);
    weft_ids_free(roster->ids);
    weft__spec_free(&roster->spec, &memory);
    weft__sources_free(&roster->sources);
    weft__delete(&memory, roster->text);
    weft__delete(&memory, roster);
}

/* "file:line: ", or nothing where the id stands in no file. */
typedef struct shown_place {
    char text[320];
} shown_place;

static shown_place show_place(const weft_event *event)
{
    shown_place place = {{0}};
    if (event != NULL && event->file != NULL)
        snprintf(place.text, sizeof place.text, "%.290s:%lld: ", event->file, (long long)event->line);
    return place;
}

static weft_status refuse_empty(const weft_event *event, weft_error *error)
{
    return weft__fail(error, WEFT_ARGUMENT, "%sfound an empty id, expected a name", show_place(event).text);
}

/* Whether a new id may come in, or which error it is. */
static weft_status refuse_id(const weft_roster *roster, const char *name, const weft_event *event,
                             weft_error *error)
{
    const weft__spec *spec = &roster->spec;
    shown_place place = show_place(event);
    if (spec->source != WEFT__NONE && spec->missing == WEFT__MISSING_ERROR)
        return weft__fail(error, WEFT_UNKNOWN_ID,
                          "%sfound id %s, expected one of the %lld ids of %s (missing=alone lets others "
                          "in)%s",
                          place.text, weft__shown_briefly(name).text, (long long)roster->facts.listed,
                          weft__shown_path(spec->path),
                          weft__hint_id(roster->ids, roster->facts.listed, name).text);
    if (spec->missing == WEFT__MISSING_JOIN && roster->side != NULL)
        return weft__fail(
            error, WEFT_UNSUPPORTED,
            "%sfound id %s, which %s lacks, but a graph cannot take new vertices once "
            "learning has begun (missing=alone, in the SPEC of the first run, lets such ids in)",
            place.text, weft__shown_briefly(name).text, weft__shown_path(spec->path));
    if (weft_ids_count(roster->ids) >= roster->input.limits.id_limit)
        return weft__fail(error, WEFT_CAPACITY, "%sfound id %s, but there is room for only %lld ids%s",
                          place.text, weft__shown_briefly(name).text,
                          (long long)roster->input.limits.id_limit,
                          weft__hint_id(roster->ids, roster->facts.listed, name).text);
    return WEFT_OK;
}

/* The number of a name that is not kept: 63 bits of its digest. */
static int64_t digest_number(const char *name)
{
    return (int64_t)(weft__digest_of(name, strlen(name)).half[1] >> 1);
}

/* Before the side is made a name whose digest is the number is kept for a while, so that distinct ones are
 * counted. */
static weft_status admit_hashed(weft_roster *roster, const char *name, const weft_event *event,
                                int64_t *number, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t place = 0;
    if (roster->side == NULL && weft_ids_find(roster->ids, name) < 0) {
        TRY(refuse_id(roster, name, event, error));
        TRY(weft_ids_add(roster->ids, name, &place, error));
        roster->facts.let_in++;
    }
    *number = digest_number(name);
done:
    return status;
}

weft_status weft_roster_admit(weft_roster *roster, const char *name, const weft_event *event, int64_t *number,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(roster);
    NEED(name);
    NEED(number);
    if (*name == 0)
        return refuse_empty(event, error);
    if (roster->facts.hashed)
        return admit_hashed(roster, name, event, number, error);
    int64_t known = weft_ids_find(roster->ids, name);
    if (known >= 0) {
        roster->facts.met += known < roster->facts.listed;
        *number = known;
        return WEFT_OK;
    }
    TRY(refuse_id(roster, name, event, error));
    TRY(weft_ids_add(roster->ids, name, number, error));
    roster->facts.let_in++;
done:
    return status;
}

/* ---- Pairs ---- */

static bool lists(const weft_roster *roster, const char *name)
{
    int64_t number = weft_ids_find(weft_roster_ids(roster), name);
    return number >= 0 && number < weft_roster_report(roster).listed;
}

/* An id that one side lacks and the other lists. */
static void tell_swapped(const weft_roster *rows, const weft_roster *columns, const weft_event *event,
                         weft_error *error)
{
    bool row = lists(columns, event->row), column = lists(rows, event->column);
    if (error == NULL || error->status != WEFT_UNKNOWN_ID || (!row && !column))
        return;
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length,
             ": %s is listed for the %s, are rows and columns swapped?",
             weft__shown_briefly(row ? event->row : event->column).text, row ? "columns" : "rows");
}

weft_status weft_roster_admit_pair(weft_roster *rows, weft_roster *columns, const weft_event *event,
                                   int64_t pair[2], weft_error *error)
{
    int64_t row = 0, column = 0;
    weft_status status = WEFT_OK;
    NEED(rows);
    NEED(event);
    NEED(pair);
    TRY(weft_roster_admit(rows, event->row, event, &row, error));
    TRY(weft_roster_admit(columns != NULL ? columns : rows, event->column, event, &column, error));
    pair[0] = row;
    pair[1] = column;
done:
    if (status == WEFT_UNKNOWN_ID && columns != NULL)
        tell_swapped(rows, columns, event, error);
    return status;
}

/* The number that the name has, or that of the `next` unknown one, if such a name may come in. */
static weft_status find_number(const weft_roster *roster, const char *name, int64_t next,
                               const weft_event *event, int64_t *number, weft_error *error)
{
    if (*name == 0)
        return refuse_empty(event, error);
    if (roster->facts.hashed) {
        *number = digest_number(name);
        return WEFT_OK;
    }
    *number = weft_ids_find(roster->ids, name);
    if (*number >= 0)
        return WEFT_OK;
    *number = weft_ids_count(roster->ids) + next;
    return roster->asked ? WEFT_OK : refuse_id(roster, name, event, error);
}

weft_status weft_roster_find_pair(const weft_roster *rows, const weft_roster *columns,
                                  const weft_event *event, int64_t pair[2], weft_error *error)
{
    int64_t row = 0, column = 0;
    weft_status status = WEFT_OK;
    NEED(rows);
    NEED(event);
    NEED(pair);
    TRY(find_number(rows, event->row, 0, event, &row, error));
    bool next = columns == NULL && row == weft_ids_count(rows->ids) && strcmp(event->row, event->column) != 0;
    TRY(find_number(columns != NULL ? columns : rows, event->column, next, event, &column, error));
    pair[0] = row;
    pair[1] = column;
done:
    if (status == WEFT_UNKNOWN_ID && columns != NULL)
        tell_swapped(rows, columns, event, error);
    return status;
}

void weft_roster_ask_anyone(weft_roster *roster)
{
    if (roster == NULL || roster->side == NULL)
        return;
    roster->asked = true;
    roster->side->asked = roster->side->open = true;
    for (int64_t k = 0; k < roster->views.count; k++)
        roster->views.side[k]->asked = roster->views.side[k]->open = true;
}

/* ---- What is known ---- */

const weft_side *weft_roster_side(const weft_roster *roster)
{
    return roster != NULL ? roster->side : NULL;
}

const weft_ids *weft_roster_ids(const weft_roster *roster)
{
    return roster != NULL ? roster->ids : NULL;
}

weft_roster_facts weft_roster_report(const weft_roster *roster)
{
    return roster != NULL ? roster->facts : (weft_roster_facts){0};
}

weft_roster_times weft_roster_seconds(const weft_roster *roster)
{
    if (roster == NULL)
        return (weft_roster_times){0};
    weft_roster_times times = roster->times;
    times.diffusions = roster->views.diffusion_seconds;
    times.communities = roster->views.community_seconds;
    return times;
}

int64_t weft_roster_column_count(const weft_roster *roster)
{
    return roster != NULL ? roster->columns.count : 0;
}

weft_column weft_roster_column(const weft_roster *roster, int64_t k)
{
    bool there = k >= 0 && k < weft_roster_column_count(roster);
    return there ? roster->columns.list[k].facts : (weft_column){0};
}

weft_hint weft_roster_hint(const weft_roster *roster, const char *name)
{
    if (roster == NULL || name == NULL)
        return (weft_hint){""};
    return weft__hint_id(roster->ids, roster->facts.listed, name);
}

bool weft_roster_agrees(const weft_roster *a, const weft_roster *b)
{
    return a != NULL && b != NULL && weft__spec_agrees(&a->spec, &b->spec) &&
           weft_roster_graph_kernel(a) == weft_roster_graph_kernel(b);
}

const char *weft_roster_spec(const weft_roster *roster)
{
    return roster != NULL ? roster->text : NULL;
}

int64_t weft_roster_source_count(const weft_roster *roster)
{
    return roster != NULL ? roster->sources.count : 0;
}

weft_source weft_roster_source(const weft_roster *roster, int64_t k)
{
    if (k < 0 || k >= weft_roster_source_count(roster))
        return (weft_source){0};
    const weft__source_file *file = roster->sources.items[k];
    return (weft_source){file->path, file->size, {file->digest.half[0], file->digest.half[1]}, file->bytes};
}
