/* SPDX-License-Identifier: MIT */
#include "cli/input/context.h"

#include "cli/command/json_text.h"
#include "program/fail.h"

#include <inttypes.h>
#include <string.h>

/* Takes the text up to a comma that has no backslash before it; false: it does not fit. */
static bool take_part(const char **text, char *part, size_t size)
{
    size_t length = 0;
    const char *at = *text;
    for (; *at != 0 && *at != ','; at++) {
        at += *at == '\\' && (at[1] == ',' || at[1] == '\\');
        if (length + 1 < size)
            part[length] = *at;
        length++;
    }
    part[length < size ? length : size - 1] = 0;
    *text = at + (*at == ',');
    return length < size;
}

static int64_t find_field(const weft_context_fields *fields, const char *name)
{
    for (int64_t k = 0; k < fields->count; k++)
        if (strcmp(fields->name[k], name) == 0)
            return k;
    return -1;
}

/* ---- Typed ---- */

void context_set_fields(struct argp_state *state, const option_row *row, const char *text, void *options)
{
    weft_context_fields *fields = (weft_context_fields *)(void *)((char *)options + row->to);
    const char *rest = text;
    bool last = false;
    if (fields->count > 0)
        argp_error(state, "%s is given twice, expected once: NAME,NAME,...", row->name);
    while (!last) {
        char name[sizeof fields->name[0]];
        bool fits = take_part(&rest, name, sizeof name);
        last = *rest == 0 && (rest == text || rest[-1] != ',' || (rest - 1 > text && rest[-2] == '\\'));
        if (!fits || name[0] == 0)
            argp_error(state, "%s: found '%s', expected NAME,NAME,..., names of 1 to %zu bytes", row->name,
                       weft_show(text).text, sizeof name - 1);
        if (find_field(fields, name) >= 0)
            argp_error(state, "%s: found '%s' twice, expected it once", row->name, weft_show(name).text);
        if (fields->count == WEFT_CONTEXT_LIMIT)
            argp_error(state, "%s: found more than %d names, expected at most that", row->name,
                       WEFT_CONTEXT_LIMIT);
        memcpy(fields->name[fields->count++], name, sizeof name);
    }
}

/* Which field a part speaks of, *value being what it says: the one that is named, or the next; -1 for a name
 * that there is not. */
static int64_t find_place(const weft_context_fields *fields, char *part, int64_t next, const char **value)
{
    char *equals = strchr(part, '=');
    *value = part;
    if (equals == NULL)
        return next;
    *equals = 0;
    int64_t named = find_field(fields, part);
    *equals = '=';
    *value = equals + 1;
    return named;
}

weft_status context_read_values(const char *text, const weft_context_fields *fields,
                                uint64_t digests[WEFT_CONTEXT_LIMIT], weft_error *error)
{
    bool told[WEFT_CONTEXT_LIMIT] = {false};
    const char *rest = text;
    memset(digests, 0, WEFT_CONTEXT_LIMIT * sizeof *digests);
    if (text == NULL)
        return WEFT_OK;
    if (fields->count == 0)
        return fail(error, WEFT_ARGUMENT,
                    "--context contradicts the model, which has learnt without (leave it out)");
    for (int64_t k = 0; k == 0 || *rest != 0; k++) {
        char part[1024];
        const char *value = part;
        bool fits = take_part(&rest, part, sizeof part);
        int64_t place = find_place(fields, part, k, &value);
        if (!fits || place < 0 || place >= fields->count || told[place])
            return fail(error, WEFT_ARGUMENT,
                        "--context: found '%.100s', expected one value for each of %s, or FIELD=VALUE",
                        weft_show(text).text, context_show(fields).text);
        told[place] = true;
        digests[place] = weft_context_digest(fields->name[place], value);
    }
    return WEFT_OK;
}

weft_status context_check_model(const weft_context_fields *given, const weft_context_fields *stored,
                                weft_error *error)
{
    context_text found = context_show(given), expected = context_show(stored);
    if (given->count == 0 || strcmp(found.text, expected.text) == 0)
        return WEFT_OK;
    if (stored->count == 0)
        return fail(error, WEFT_ARGUMENT,
                    "--context %.200s contradicts the model, which has learnt without (leave it out)",
                    found.text);
    return fail(error, WEFT_ARGUMENT,
                "--context %.200s contradicts the model, which has %.200s (leave it out)", found.text,
                expected.text);
}

/* ---- Told ---- */

context_text context_show(const weft_context_fields *fields)
{
    context_text made = {""};
    for (int64_t k = 0; k < fields->count; k++) {
        size_t length = strlen(made.text);
        snprintf(made.text + length, sizeof made.text - length, "%s%s", k > 0 ? "," : "",
                 weft_show(fields->name[k]).text);
    }
    return made;
}

void context_tell(const weft_stream *stream, FILE *out)
{
    weft_context_fields fields = weft_stream_context(stream);
    if (fields.count == 0)
        return;
    fprintf(out, "%-11s", "context");
    for (int64_t k = 0; k < fields.count; k++) {
        int64_t values = weft_stream_context_values(stream, k);
        fprintf(out, "%s'%s' %s%" PRId64 " value%s", k > 0 ? ", " : "", weft_show(fields.name[k]).text,
                values == WEFT_STREAM_VALUES ? "at least " : "", values, values == 1 ? "" : "s");
    }
    putc('\n', out);
}

json_t *context_describe(const weft_stream *stream)
{
    weft_context_fields fields = weft_stream_context(stream);
    json_t *list = json_array();
    int failed = list == NULL;
    for (int64_t k = 0; k < fields.count; k++)
        failed |=
            json_array_append_new(list, json_pack("{s:o, s:I}", "field", json_name(fields.name[k]), "values",
                                                  (json_int_t)weft_stream_context_values(stream, k)));
    return json_whole(list, failed);
}
