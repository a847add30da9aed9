/* SPDX-License-Identifier: MIT
 *
 * A field is known by the name that was asked for; else by the word of its kind (row, column, label,
 * count); else by a usual name, in any case and with or without `_', `-' and blanks in it.  What is asked
 * for, or said in the kind's own words, is taken whatever else there is; two usual names for the same field
 * leave it unclear.  Where a header names all but one of the fields that are needed, and one of its fields
 * has no name that is known, then that is the one.  All else is an error that shows the header: a guess
 * would learn times as rows. */
#include "io/stream/fields.h"

#include "base/memory.h"
#include "io/text/hints.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *names[WEFT_STREAM_FIELDS];
    int needed;
    const char *shown;
} kinds[] = {
    [WEFT_LABELLED] = {{"row", "column", "label", "time", "id"}, 3, "row, column, label"},
    [WEFT_PAIRS] = {{"row", "column", NULL, NULL, "id"}, 2, "row, column"},
    [WEFT_COUNTS] = {{"row", "column", "count", NULL, NULL}, 3, "row, column, count"},
    [WEFT_IDS] = {{"id", NULL, NULL, NULL, NULL}, 1, "id"},
};

/* Without `_', `-' and blanks, in small letters.  A list ends with NULL. */
static const char *const usual_rows[] = {"rowid",      "user",      "userid",   "uid",       "customer",
                                         "customerid", "client",    "clientid", "account",   "accountid",
                                         "visitor",    "visitorid", "member",   "memberid",  "person",
                                         "personid",   "reader",    "readerid", "voter",     "voterid",
                                         "patient",    "patientid", "student",  "studentid", NULL};
static const char *const usual_columns[] = {
    "columnid",   "col",     "item",    "itemid",  "product", "productid", "article",
    "articleid",  "movie",   "movieid", "film",    "filmid",  "book",      "bookid",
    "song",       "songid",  "track",   "trackid", "video",   "videoid",   "document",
    "documentid", "doc",     "docid",   "page",    "pageid",  "ad",        "adid",
    "offer",      "offerid", "bill",    "billid",  "sku",     NULL};
static const char *const usual_labels[] = {"labels", "clicked",   "click",     "vote",    "voted",
                                           "y",      "target",    "rating",    "liked",   "like",
                                           "bought", "purchased", "converted", "outcome", NULL};
static const char *const usual_times[] = {"when", "ts",        "timestamp", "datetime",
                                          "date", "eventtime", "createdat", NULL};
static const char *const usual_ids[] = {"eventid", "requestid", "impressionid", NULL};
static const char *const no_names[] = {NULL};

static const char *const *usual_names(weft_stream_kind kind, int field)
{
    switch (field) {
    case WEFT_FIELD_ROW:
        return usual_rows;
    case WEFT_FIELD_COLUMN:
        return usual_columns;
    case WEFT_FIELD_THIRD:
        return kind == WEFT_LABELLED ? usual_labels : no_names;
    case WEFT_FIELD_TIME:
        return usual_times;
    default:
        return usual_ids;
    }
}

int weft__fields_needed(weft_stream_kind kind)
{
    return kinds[kind].needed;
}

const char *weft__fields_word(weft_stream_kind kind, weft_stream_field field)
{
    return kinds[kind].names[field];
}

const char *weft__fields_shown(weft_stream_kind kind)
{
    return kinds[kind].shown;
}

/* ---- Names ---- */

/* How sure a name is of being that of a field: the larger the surer. */
typedef enum sureness { NOT_AT_ALL, BY_USE, BY_WORD, ASKED_FOR } sureness;

static bool is_usual(const char *name, const char *usual)
{
    for (; *name != 0; name++) {
        if (strchr("_- ", *name) != NULL)
            continue;
        if (tolower((unsigned char)*name) != *usual)
            return false;
        usual++;
    }
    return *usual == 0;
}

static sureness sure_of(const weft__fields *fields, int field, const char *name)
{
    const weft_stream_options *how = fields->how;
    const char *word = kinds[how->kind].names[field];
    if (word == NULL || name == NULL)
        return NOT_AT_ALL;
    if (how->fields[field] != NULL)
        return strcmp(name, how->fields[field]) == 0 ? ASKED_FOR : NOT_AT_ALL;
    if (field > WEFT_FIELD_THIRD && weft__contexts_have(fields->contexts, name))
        return NOT_AT_ALL;
    for (int other = 0; other < WEFT_STREAM_FIELDS; other++)
        if (how->fields[other] != NULL && strcmp(name, how->fields[other]) == 0)
            return NOT_AT_ALL;
    if (strcmp(name, word) == 0)
        return BY_WORD;
    if (is_usual(name, word))
        return BY_USE;
    for (const char *const *usual = usual_names(how->kind, field); *usual != NULL; usual++)
        if (is_usual(name, *usual))
            return BY_USE;
    return NOT_AT_ALL;
}

weft_stream_field weft_stream_usual_field(const char *name)
{
    static const weft_stream_options any = {.kind = WEFT_LABELLED};
    weft__contexts nobody = {0};
    const weft__fields fields = {.how = &any, .contexts = &nobody};
    int field = 0;
    while (field < WEFT_STREAM_FIELDS && (name == NULL || sure_of(&fields, field, name) == NOT_AT_ALL))
        field++;
    return (weft_stream_field)field;
}

bool weft__fields_is_name(const char *text)
{
    static const char *const others[] = {"id",  "name",   "node", "vertex",   "from",     "to",  "source",
                                         "src", "target", "dst",  "follower", "followed", "row", NULL};
    const char *const *const lists[] = {usual_rows, usual_columns, others};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const char *const *usual = lists[k]; *usual != NULL; usual++)
            if (is_usual(text, *usual))
                return true;
    return false;
}

const char *weft__fields_name(const weft__text *text, int64_t f)
{
    return text->delimiter == '{' ? text->fields[f].name : text->fields[f].text;
}

weft__name_list weft__fields_list(const weft__text *text)
{
    weft__name_list made = {"no names"};
    size_t length = 0;
    for (int64_t f = 0; f < text->count; f++) {
        weft__shown_text shown = weft__shown_briefly(weft__fields_name(text, f));
        size_t size = strlen(shown.text);
        if (length + size + 8 > sizeof made.text) {
            snprintf(made.text + length, sizeof made.text - length, ", ...");
            break;
        }
        length += (size_t)snprintf(made.text + length, sizeof made.text - length, "%s%s", f > 0 ? ", " : "",
                                   shown.text);
    }
    return made;
}

/* ---- Which field is which ---- */

bool weft__fields_must_have(const weft__fields *fields, int field)
{
    if (field == WEFT_FIELD_THIRD && weft__fields_lack_label(fields))
        return false;
    const char *word = kinds[fields->how->kind].names[field];
    return field < kinds[fields->how->kind].needed || (word != NULL && fields->how->fields[field] != NULL);
}

/* The place of the field, -1 where no name says so.  Two names that are as sure, or one that is there twice,
 * are an error where the field must be there; another is not taken. */
static weft_status find_place(weft__fields *fields, const weft__text *text, int field, int64_t *place,
                              weft_error *error)
{
    sureness best = NOT_AT_ALL;
    int64_t found = -1, second = -1;
    for (int64_t f = 0; f < text->count; f++) {
        sureness sure = sure_of(fields, field, weft__fields_name(text, f));
        if (sure > best)
            found = f;
        if (sure >= best && sure > NOT_AT_ALL)
            second = sure > best ? -1 : f;
        best = sure > best ? sure : best;
    }
    *place = found;
    if (second < 0)
        return WEFT_OK;
    *place = -1;
    if (!weft__fields_must_have(fields, field))
        return WEFT_OK;
    const char *first_name = weft__fields_name(text, found), *second_name = weft__fields_name(text, second);
    if (strcmp(first_name, second_name) == 0)
        return weft__text_fail(text, second, error, "found %s twice in %s, expected it once",
                               weft__shown_briefly(first_name).text,
                               text->delimiter == '{' ? "an object" : "the header");
    fields->need = WEFT_NEEDS_FIELDS;
    return weft__text_fail(text, second, error,
                           "found %s and %s, of which each may be the %s, expected one of them",
                           weft__shown_briefly(first_name).text, weft__shown_briefly(second_name).text,
                           kinds[fields->how->kind].names[field]);
}

/* The one field that is needed and lacks, and the one without a name that is known: -1 where they are not
 * one. */
static void find_last(const weft__fields *fields, const weft__text *text, int64_t place[WEFT_STREAM_FIELDS])
{
    int lacking = -1;
    int64_t unknown = -1;
    for (int k = 0; k < kinds[fields->how->kind].needed; k++) {
        if (place[k] >= 0)
            continue;
        if (lacking >= 0 || fields->how->fields[k] != NULL)
            return;
        lacking = k;
    }
    for (int64_t f = 0; f < text->count; f++) {
        bool known = weft__contexts_have(fields->contexts, text->fields[f].text);
        for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
            known = known || sure_of(fields, k, text->fields[f].text) > NOT_AT_ALL;
        if (known)
            continue;
        if (unknown >= 0)
            return;
        unknown = f;
    }
    if (lacking >= 0)
        place[lacking] = unknown;
}

static weft_status take_name(weft__fields *fields, const weft__text *text, int field, weft_error *error)
{
    int64_t place = fields->place[field];
    if (place < 0 || fields->named[field] != NULL)
        return WEFT_OK;
    return weft__new_text(&fields->memory, weft__fields_name(text, place), &fields->named[field], error);
}

void weft__fields_begin(weft__fields *fields)
{
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++) {
        weft__delete(&fields->memory, fields->named[k]);
        fields->named[k] = NULL;
        fields->place[k] = k < kinds[fields->how->kind].needed ? k : -1;
    }
    fields->header = 0;
    fields->need = WEFT_NEEDS_NOTHING;
}

void weft__fields_free(weft__fields *fields)
{
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        weft__delete(&fields->memory, fields->named[k]);
}

/* ---- Headers ---- */

static weft_status refuse_unclear(weft__fields *fields, const weft__text *text,
                                  const int64_t place[WEFT_STREAM_FIELDS], weft_error *error)
{
    const char *const *names = kinds[fields->how->kind].names;
    int needed = kinds[fields->how->kind].needed, known = 0;
    char lacking[48] = "";
    for (int k = 0; k < needed; k++) {
        known += place[k] >= 0 && k != WEFT_FIELD_THIRD;
        if (place[k] < 0)
            snprintf(lacking + strlen(lacking), sizeof lacking - strlen(lacking), "%s%s",
                     lacking[0] != 0 ? ", " : "", names[k]);
    }
    bool label =
        fields->how->kind == WEFT_LABELLED && known == 2 && fields->how->fields[WEFT_FIELD_THIRD] == NULL;
    fields->need = label ? WEFT_NEEDS_LABEL : WEFT_NEEDS_FIELDS;
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++) {
        if (fields->how->fields[k] == NULL || place[k] >= 0)
            continue;
        if (k > WEFT_FIELD_THIRD) /* its name is all that there is to say */
            fields->need = WEFT_NEEDS_NOTHING;
        return weft__text_fail(
            text, -1, error, "found %s in the first line, expected a header with %s, the %s",
            weft__fields_list(text).text, weft__shown_briefly(fields->how->fields[k]).text, names[k]);
    }
    if (known > 0)
        return weft__text_fail(text, -1, error,
                               "found a header without a clear %s: %s, expected names that tell %s", lacking,
                               weft__fields_list(text).text, kinds[fields->how->kind].shown);
    fields->need = WEFT_NEEDS_LABELS;
    return weft__text_fail(text, -1, error,
                           "found %s in the first line, expected a %s as third field, or a header that names "
                           "%s%s",
                           weft__fields_list(text).text, names[WEFT_FIELD_THIRD],
                           kinds[fields->how->kind].shown, weft__hint_fields(text).text);
}

/* Whether names were asked for: then there must be a header. */
static bool asks(const weft__fields *fields)
{
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        if (fields->how->fields[k] != NULL && kinds[fields->how->kind].names[k] != NULL)
            return true;
    return false;
}

/* Whether the line has a name for the row and another one for the column, be they clear or not. */
static bool names_both(const weft__fields *fields, const weft__text *text)
{
    bool named[2] = {false, false};
    for (int64_t f = 0; f < text->count; f++)
        for (int k = 0; k < 2; k++)
            named[k] = named[k] || sure_of(fields, k, text->fields[f].text) > NOT_AT_ALL;
    return named[WEFT_FIELD_ROW] && named[WEFT_FIELD_COLUMN];
}

weft_status weft__fields_header(weft__fields *fields, const weft__text *text, bool data, bool *header,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t place[WEFT_STREAM_FIELDS];
    *header = false;
    if (fields->how->kind == WEFT_IDS || (data && !asks(fields) && !names_both(fields, text)))
        return weft__contexts_without(fields->contexts, text, error);
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        TRY(find_place(fields, text, k, &place[k], error));
    bool spare = fields->positives && fields->how->fields[WEFT_FIELD_THIRD] == NULL;
    if (!spare)
        find_last(fields, text, place);
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        if (weft__fields_must_have(fields, k) && place[k] < 0 && !(spare && k == WEFT_FIELD_THIRD))
            return refuse_unclear(fields, text, place, error);
    TRY(weft__contexts_find(fields->contexts, text, place, error));
    memcpy(fields->place, place, sizeof place);
    fields->header = text->count;
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        TRY(take_name(fields, text, k, error));
    *header = true;
done:
    return status;
}

/* ---- JSON ---- */

/* The field by the name that it has in this file. */
static weft_status find_again(weft__fields *fields, const weft__text *text, int field, weft_error *error)
{
    int64_t found = -1;
    for (int64_t f = 0; f < text->count; f++) {
        if (strcmp(text->fields[f].name, fields->named[field]) != 0)
            continue;
        if (found >= 0)
            return weft__text_fail(text, f, error, "found %s twice in an object, expected it once",
                                   weft__shown_briefly(fields->named[field]).text);
        found = f;
    }
    fields->place[field] = found;
    return WEFT_OK;
}

/* A label may be left out, and so may an id: they are told by lines that have them. */
static bool may_lack(const weft__fields *fields, int field)
{
    return field == WEFT_FIELD_ID || (field == WEFT_FIELD_THIRD && fields->how->kind == WEFT_LABELLED) ||
           !weft__fields_must_have(fields, field);
}

static weft_status refuse_lacking(weft__fields *fields, const weft__text *text, int field, weft_error *error)
{
    const char *word = kinds[fields->how->kind].names[field];
    const char *name = fields->named[field] != NULL ? fields->named[field] : fields->how->fields[field];
    if (name != NULL)
        return weft__text_fail(text, -1, error, "found an object with %s, expected one with %s, the %s",
                               weft__fields_list(text).text, weft__shown_briefly(name).text, word);
    fields->need = WEFT_NEEDS_FIELDS;
    return weft__text_fail(text, -1, error,
                           "found an object without a clear %s: %s, expected names that tell %s", word,
                           weft__fields_list(text).text, kinds[fields->how->kind].shown);
}

weft_status weft__fields_object(weft__fields *fields, const weft__text *text, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++) {
        if (fields->named[k] != NULL)
            TRY(find_again(fields, text, k, error));
        else
            TRY(find_place(fields, text, k, &fields->place[k], error));
        if (fields->place[k] < 0 && !may_lack(fields, k))
            return refuse_lacking(fields, text, k, error);
    }
    TRY(weft__contexts_find(fields->contexts, text, fields->place, error));
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        TRY(take_name(fields, text, k, error));
done:
    return status;
}
