/* SPDX-License-Identifier: MIT
 *
 * Fuzzes streams as people have them: fields by name, labels in words and ratings, times, JSON lines.  The
 * first byte of the input says what is asked for, the rest is the file.  Its events are written again, as
 * delimited text and as JSON lines, and must be the same; and delimited text with a header is the same as an
 * object a line with the header's names.  A file that speaks of a device has a context of device and hour.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-events -dict=fuzz/events.dict -max_total_time=60 WORK fuzz/seeds/events */
#include "fuzz.h"

#include "base/show.h"
#include "io/stream/times.h"
#include "weft_files.h"

#include <string.h>
#include <time.h>

enum { EVENTS = 200, FIELDS = 16, ROOM = 1 << 16, LONGEST = 1 << 10, PASSED = 400 };

static const weft_file_options limits = {.line_limit = 512, .field_limit = FIELDS};
static const weft_file_options wide = {.line_limit = ROOM, .field_limit = FIELDS};

/* ---- Reading ---- */

typedef struct event {
    const char *row, *column, *id;
    int label;
    int64_t count;
    uint64_t context[WEFT_CONTEXT_LIMIT];
} event;

/* The events before the first error, and how it ended. */
typedef struct reading {
    char bytes[ROOM];
    size_t used;
    event list[EVENTS];
    int64_t count;
    weft_status status;
    weft_stream_facts facts;
    char names[WEFT_STREAM_FIELDS][LONGEST], words[2][LONGEST];
} reading;

static const char *keep(reading *r, const char *text)
{
    size_t size = text != NULL ? strlen(text) + 1 : 0;
    if (text == NULL)
        return NULL;
    require(r->used + size <= sizeof r->bytes);
    memcpy(r->bytes + r->used, text, size);
    r->used += size;
    return r->bytes + r->used - size;
}

static void check_event(const weft_event *e, weft_stream_kind kind, int64_t last)
{
    require(e->row[0] != 0 && e->column[0] != 0 && (e->id == NULL || e->id[0] != 0));
    require(e->label >= -1 && e->label <= 1 && (kind == WEFT_LABELLED || e->label == 0));
    require(kind == WEFT_COUNTS || e->count == 0);
    require(e->line > last);
}

/* Behind a failure that was about one line the others are read, if they can be; how many. */
static int64_t pass_on(weft_stream *stream, weft_stream_kind kind)
{
    weft_event e = {0};
    weft_error error = {0};
    int64_t read = 0, last = 0;
    bool more = true;
    for (int k = 0; k < PASSED && more; k++) {
        weft_status status = weft_stream_next(stream, &e, &more, &error);
        if (status != WEFT_OK && !weft_stream_report(stream).passed)
            break;
        if (status != WEFT_OK || !more)
            continue;
        check_event(&e, kind, last);
        last = e.line;
        read++;
    }
    return read;
}

static void take_facts(weft_stream *stream, reading *r)
{
    r->facts = weft_stream_report(stream);
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        if (r->facts.fields[k] != NULL) {
            snprintf(r->names[k], sizeof r->names[k], "%s", r->facts.fields[k]);
            r->facts.fields[k] = r->names[k];
        }
    for (int k = 0; k < 2; k++)
        if (r->facts.words[k] != NULL) {
            snprintf(r->words[k], sizeof r->words[k], "%s", r->facts.words[k]);
            r->facts.words[k] = r->words[k];
        }
}

static void read_all(weft_stream *stream, weft_stream_kind kind, reading *r)
{
    weft_event e = {0};
    weft_error error = {0};
    int64_t last = 0;
    bool more = true;
    r->used = 0;
    for (r->count = 0; r->count < EVENTS; r->count++) {
        r->status = weft_stream_next(stream, &e, &more, &error);
        require(r->status == WEFT_OK || (error.status == r->status && error.message[0] != 0));
        if (r->status != WEFT_OK || !more)
            break;
        check_event(&e, kind, last);
        last = e.line;
        event *kept = &r->list[r->count];
        *kept = (event){keep(r, e.row), keep(r, e.column), keep(r, e.id), e.label, e.count, {0}};
        require(e.context_count == weft_stream_context(stream).count);
        memcpy(kept->context, e.context, sizeof kept->context);
    }
    take_facts(stream, r);
}

/* Whether streams are read with a context, of these fields. */
static bool in_context;
static const weft_context_fields fields = {.count = 2, .name = {"device", "hour"}};

static void read_file(const char *path, const weft_stream_options *how, const weft_file_options *files,
                      reading *r)
{
    weft_stream *stream = NULL;
    require(weft_stream_open_with(how, &path, 1, files, &stream, NULL) == WEFT_OK);
    if (in_context && how->kind != WEFT_COUNTS)
        require(weft_stream_set_context(stream, &fields, NULL) == WEFT_OK);
    read_all(stream, how->kind, r);
    int64_t behind = r->status != WEFT_OK && r->facts.passed ? pass_on(stream, how->kind) : 0;
    require(weft_stream_rewind(stream, NULL) == WEFT_OK);
    require(pass_on(stream, how->kind) == r->count + behind || r->count == EVENTS);
    weft_stream_free(stream);
}

/* ---- Writing ---- */

typedef struct draft {
    char bytes[2 * ROOM];
    size_t used;
    bool exact; /* all of it can be said in JSON: it is UTF-8 */
} draft;

static void begin(draft *d)
{
    d->used = 0;
    d->exact = true;
}

static void add(draft *d, const char *text)
{
    size_t length = strlen(text);
    require(d->used + length < sizeof d->bytes);
    memcpy(d->bytes + d->used, text, length + 1);
    d->used += length;
}

static void add_quoted(draft *d, const char *text)
{
    add(d, "\"");
    for (const char *c = text; *c != 0; c++)
        add(d, *c == '"' ? "\"\"" : (char[]){*c, 0});
    add(d, "\"");
}

/* The character in one of the ways that JSON has for it, which depends on its place. */
static void add_character(draft *d, const char *c, size_t length, uint32_t point, int64_t place)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *found = strchr(meant, *c);
    char code[16];
    if (found != NULL && place % 3 != 0) {
        add(d, (char[]){'\\', letters[found - meant], 0});
    } else if (point < 0x10000 && (place % 2 == 0 || found != NULL || point < ' ')) {
        snprintf(code, sizeof code, place % 4 == 0 ? "\\u%04x" : "\\u%04X", (unsigned)point);
        add(d, code);
    } else if (place % 2 == 0) {
        snprintf(code, sizeof code, "\\u%04X\\u%04x", (unsigned)(0xD800 + ((point - 0x10000) >> 10)),
                 (unsigned)(0xDC00 + (point & 0x3FF)));
        add(d, code);
    } else {
        for (size_t k = 0; k < length; k++)
            add(d, (char[]){c[k], 0});
    }
}

static void add_string(draft *d, const char *text)
{
    size_t length = 1;
    uint32_t point = 0;
    add(d, "\"");
    for (const char *c = text; *c != 0; c += length) {
        d->exact = d->exact && weft__decode(c, &length, &point);
        if (!d->exact)
            break;
        add_character(d, c, length, point, c - text);
    }
    add(d, "\"");
}

/* ---- What must hold ---- */

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void require_same_events(const reading *a, const reading *b)
{
    require(b->count >= a->count);
    for (int64_t k = 0; k < a->count; k++) {
        const event *x = &a->list[k], *y = &b->list[k];
        require(strcmp(x->row, y->row) == 0 && strcmp(x->column, y->column) == 0);
        require(same_text(x->id, y->id) && x->label == y->label && x->count == y->count);
        require(!in_context || memcmp(x->context, y->context, sizeof x->context) == 0);
    }
}

static void add_event(draft *d, const event *e, weft_stream_kind kind, bool json)
{
    char third[24] = "";
    void (*add_text)(draft *, const char *) = json ? add_string : add_quoted;
    snprintf(third, sizeof third, "%lld", (long long)(kind == WEFT_COUNTS ? e->count : e->label));
    add(d, json ? "{\"column\":" : "");
    add_text(d, e->column);
    if (kind != WEFT_PAIRS) {
        add(d, json ? " , \"" : ",");
        add(d, json ? kind == WEFT_COUNTS ? "count\" : " : "label\":\t" : "");
        add(d, kind == WEFT_COUNTS || e->label != 0 ? third : json ? "null" : "");
    }
    add(d, json ? ",\"row\":" : ",");
    add_text(d, e->row);
    if (kind != WEFT_COUNTS) {
        add(d, json ? ",\"id\":" : ",");
        add_text(d, e->id != NULL ? e->id : "");
    }
    add(d, json ? "}\n" : "\n");
}

/* The events in our own words: labels are -1 and 1, whatever they were called. */
static void check_copies(const reading *r, weft_stream_kind kind)
{
    static const char *const headers[] = {"column,label,row,id\n", "column,row,id\n", "column,count,row\n"};
    static draft d;
    static reading copy;
    static fuzz_file file;
    for (int json = 0; json < 2; json++) {
        begin(&d);
        add(&d, json ? "" : headers[kind]);
        for (int64_t k = 0; k < r->count; k++)
            add_event(&d, &r->list[k], kind, json != 0);
        put(&file, d.bytes, d.used);
        read_file(file.path, &(weft_stream_options){.kind = kind}, &wide, &copy);
        if (!d.exact)
            continue;
        require(copy.status == WEFT_OK && copy.count == r->count);
        require_same_events(r, &copy);
    }
}

/* One object a record, with the names of the header, of which a name may stand for several fields; a field
 * that the record lacks is empty. */
static void write_objects(const char *path, draft *d)
{
    static char names[ROOM];
    const char *name[FIELDS];
    weft__input input = {0};
    weft__text text = {0};
    size_t used = 0;
    bool more = true;
    begin(d);
    require(weft__input_begin(&limits, &input, NULL) == WEFT_OK);
    require(weft__text_open(path, &input, &text, NULL) == WEFT_OK);
    require(weft__text_next(&text, &more, NULL) == WEFT_OK && more);
    int64_t count = text.count;
    for (int64_t k = 0; k < count; k++) {
        size_t size = strlen(text.fields[k].text) + 1;
        name[k] = memcpy(names + used, text.fields[k].text, size);
        used += size;
    }
    while (weft__text_next(&text, &more, NULL) == WEFT_OK && more) {
        for (int64_t k = 0; k < count; k++) {
            add(d, k == 0 ? "{" : ",");
            add_string(d, name[k]);
            add(d, ": ");
            add_string(d, k < text.count ? text.fields[k].text : "");
        }
        add(d, "}\n");
    }
    weft__text_close(&text);
}

/* What a header and what objects say.  In a header one field may be known because it is the only one that is
 * left: its name is asked for. */
static void check_objects(const char *path, const weft_stream_options *how, const reading *r)
{
    static draft d;
    static reading copy;
    static fuzz_file file;
    weft_stream_options named = *how;
    for (int k = 0; k <= WEFT_FIELD_THIRD; k++)
        named.fields[k] = r->names[k];
    if (how->kind == WEFT_PAIRS)
        named.fields[WEFT_FIELD_THIRD] = NULL;
    write_objects(path, &d);
    if (!d.exact)
        return;
    put(&file, d.bytes, d.used);
    read_file(file.path, &named, &wide, &copy);
    require_same_events(r, &copy);
    if (r->status != WEFT_OK || r->count == EVENTS)
        return;
    require(copy.status == WEFT_OK && copy.count == r->count);
    if (r->count == 0)
        return;
    require(copy.facts.objects && same_text(copy.facts.words[0], r->facts.words[0]));
    require(same_text(copy.facts.words[1], r->facts.words[1]));
    require(copy.facts.timed == r->facts.timed && copy.facts.early == r->facts.early);
}

/* A date is what the calendar of the C library makes of its seconds. */
static void check_time(const char *text)
{
    double value = 0, again = 0;
    struct tm broken;
    char shown[64];
    if (weft__parse_time(text, &value) != WEFT__TIME_DATE)
        return;
    time_t seconds = (time_t)floor(value);
    require(isfinite(value) && gmtime_r(&seconds, &broken) != NULL);
    if (broken.tm_year + 1900 < 0 || broken.tm_year + 1900 > 9999)
        return;
    snprintf(shown, sizeof shown, "%04d-%02d-%02dT%02d:%02d:%02dZ", broken.tm_year + 1900, broken.tm_mon + 1,
             broken.tm_mday, broken.tm_hour, broken.tm_min, broken.tm_sec);
    require(weft__parse_time(shown, &again) == WEFT__TIME_DATE && again == floor(value));
    if (strlen(text) == strlen("2026-11-19"))
        require(strncmp(shown, text, strlen(text)) == 0);
}

/* A bit each of the first byte. */
static weft_stream_options options_of(uint8_t bits)
{
    weft_stream_options how = {.kind = (weft_stream_kind)(bits % 3)};
    bits /= 3;
    how.fields[WEFT_FIELD_ROW] = (bits & 1) != 0 ? "who" : NULL;
    how.fields[WEFT_FIELD_COLUMN] = (bits & 2) != 0 ? "what" : NULL;
    how.fields[WEFT_FIELD_THIRD] = (bits & 4) != 0 ? "did" : NULL;
    how.fields[WEFT_FIELD_TIME] = (bits & 8) != 0 ? "at" : NULL;
    how.fields[WEFT_FIELD_ID] = (bits & 16) != 0 ? "nr" : NULL;
    how.positive = bits >= 64 ? "up" : NULL;
    how.rated = bits >= 32 && bits < 64;
    how.threshold = 3;
    return how;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    static reading r;
    char text[64] = "";
    if (size == 0)
        return 0;
    memcpy(text, data + 1, size - 1 < sizeof text ? size - 1 : sizeof text - 1);
    check_time(text);
    weft_stream_options how = options_of(data[0]);
    put(&file, data + 1, size - 1);
    in_context = memmem(data, size, "device", strlen("device")) != NULL;
    read_file(file.path, &how, &limits, &r);
    if (r.facts.named && !r.facts.objects)
        check_objects(file.path, &how, &r);
    in_context = false;
    check_copies(&r, how.kind);
    return 0;
}
