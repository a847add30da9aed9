/* SPDX-License-Identifier: MIT
 * The ids of one side by name, and the side information made for them. */
#include "io/roster/roster.h"

#include "io/text/hints.h"

#include <stdio.h>
#include <string.h>

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

/* Whether an id that the file lacks may come in, `built` once there is a side. */
static weft_status refuse_lacking(const weft_roster *roster, const char *name, const weft_event *event,
                                  bool built, weft_error *error)
{
    const weft__spec *spec = &roster->spec;
    shown_place place = show_place(event);
    if (spec->source != WEFT__NONE && spec->missing == WEFT__MISSING_ERROR)
        return weft__fail(error, WEFT_UNKNOWN_ID,
                          "%sfound id %s, expected one of the %lld ids of %s (missing=alone lets others "
                          "in)%s",
                          place.text, weft__shown_briefly(name).text, (long long)roster->facts.listed,
                          weft__shown_path(spec->path), weft_roster_hint(roster, name).text);
    if (spec->missing == WEFT__MISSING_JOIN && built)
        return weft__fail(
            error, WEFT_UNSUPPORTED,
            "%sfound id %s, which %s lacks, but a graph cannot take new vertices once "
            "learning has begun (missing=alone, in the SPEC of the first run, lets such ids in)",
            place.text, weft__shown_briefly(name).text, weft__shown_path(spec->path));
    return WEFT_OK;
}

/* Every part says what becomes of ids that it lacks. */
static weft_status refuse_by_parts(const weft_roster *roster, const char *name, const weft_event *event,
                                   weft_error *error)
{
    bool built = roster->side != NULL;
    for (int64_t k = 0; k < roster->part_count; k++) {
        const weft_roster *part = roster->parts[k];
        weft_status status =
            weft_ids_find(part->ids, name) >= 0 ? WEFT_OK : refuse_lacking(part, name, event, built, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
}

/* Whether a new id may come in, or which error it is. */
static weft_status refuse_id(const weft_roster *roster, const char *name, const weft_event *event,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    shown_place place = show_place(event);
    TRY(roster->part_count > 0 ? refuse_by_parts(roster, name, event, error)
                               : refuse_lacking(roster, name, event, roster->side != NULL, error));
    if (weft_ids_count(roster->ids) >= roster->input.limits.id_limit)
        return weft__fail(error, WEFT_CAPACITY, "%sfound id %s, but there is room for only %lld ids%s",
                          place.text, weft__shown_briefly(name).text,
                          (long long)roster->input.limits.id_limit, weft_roster_hint(roster, name).text);
done:
    return status;
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

/* Whether a part lists anything that came is asked until it does. */
static void meet_parts(weft_roster *roster, const char *name)
{
    for (int64_t k = 0; k < roster->part_count; k++) {
        weft_roster *part = roster->parts[k];
        if (part->facts.met == 0)
            part->facts.met += weft_roster_lists(part, weft_ids_find(part->ids, name));
    }
}

/* A name that may come in; `known` is its number, or -1. */
static weft_status take_name(weft_roster *roster, const char *name, int64_t known, int64_t *number,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    if (known >= 0) {
        roster->facts.met += weft_roster_lists(roster, known);
        meet_parts(roster, name);
        *number = known;
        return WEFT_OK;
    }
    TRY(weft_ids_add(roster->ids, name, number, error));
    roster->facts.let_in++;
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
    TRY(known >= 0 ? refuse_by_parts(roster, name, event, error) : refuse_id(roster, name, event, error));
    TRY(take_name(roster, name, known, number, error));
done:
    return status;
}

weft_status weft__roster_admit_again(weft_roster *roster, const char *name, int64_t *number,
                                     weft_error *error)
{
    int64_t known = roster->part_count > 0 ? weft_ids_find(roster->ids, name) : -1;
    return known >= 0 ? take_name(roster, name, known, number, error)
                      : weft_roster_admit(roster, name, NULL, number, error);
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
        return roster->asked ? WEFT_OK : refuse_by_parts(roster, name, event, error);
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

bool weft_roster_lists(const weft_roster *roster, int64_t number)
{
    if (roster == NULL || number < 0)
        return false;
    if (roster->lists == NULL)
        return number < roster->facts.listed;
    return number < roster->lists_size && roster->lists[number];
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

int64_t weft_roster_part_count(const weft_roster *roster)
{
    return roster == NULL ? 0 : roster->part_count > 0 ? roster->part_count : 1;
}

const weft_roster *weft_roster_part(const weft_roster *roster, int64_t k)
{
    if (k < 0 || k >= weft_roster_part_count(roster))
        return NULL;
    return roster->part_count > 0 ? roster->parts[k] : roster;
}

int64_t weft_roster_column_count(const weft_roster *roster)
{
    int64_t count = roster != NULL ? roster->columns.count : 0;
    for (int64_t k = 0; roster != NULL && k < roster->part_count; k++)
        count += roster->parts[k]->columns.count;
    return count;
}

weft_column weft_roster_column(const weft_roster *roster, int64_t k)
{
    int64_t part = 0;
    if (k < 0 || k >= weft_roster_column_count(roster))
        return (weft_column){0};
    while (part < roster->part_count && k >= roster->parts[part]->columns.count)
        k -= roster->parts[part++]->columns.count;
    return (roster->part_count > 0 ? roster->parts[part] : roster)->columns.list[k].facts;
}

/* Where files have grown, ids that were let in stand between those that are listed. */
weft_hint weft_roster_hint(const weft_roster *roster, const char *name)
{
    bool mixed = roster != NULL && roster->lists != NULL;
    if (roster == NULL || name == NULL || (mixed && weft_ids_find(roster->ids, name) >= 0))
        return (weft_hint){""};
    return weft__hint_id(roster->ids, mixed ? weft_ids_count(roster->ids) : roster->facts.listed, name);
}

bool weft_roster_agrees(const weft_roster *a, const weft_roster *b)
{
    bool same = a != NULL && b != NULL && weft__spec_agrees(&a->spec, &b->spec) &&
                weft_roster_graph_kernel(a) == weft_roster_graph_kernel(b) && a->part_count == b->part_count;
    for (int64_t k = 0; same && k < a->part_count; k++)
        same = weft_roster_agrees(a->parts[k], b->parts[k]);
    return same;
}

const char *weft_roster_spec(const weft_roster *roster)
{
    return roster != NULL ? roster->text : NULL;
}

/* Those of parts that were opened on their own follow. */
int64_t weft_roster_source_count(const weft_roster *roster)
{
    int64_t count = roster != NULL ? roster->sources.count : 0;
    for (int64_t k = 0; roster != NULL && k < roster->part_count; k++)
        count += roster->parts[k]->sources.count;
    return count;
}

weft_source weft_roster_source(const weft_roster *roster, int64_t k)
{
    if (k < 0 || k >= weft_roster_source_count(roster))
        return (weft_source){0};
    const weft__sources *sources = &roster->sources;
    for (int64_t part = 0; k >= sources->count; sources = &roster->parts[part++]->sources)
        k -= sources->count;
    const weft__source_file *file = sources->items[k];
    return (weft_source){file->path, file->size, {file->digest.half[0], file->digest.half[1]}, file->bytes};
}
