/* SPDX-License-Identifier: MIT
 * The context of events: its fields as they are typed, told, and compared with those of a model. */
#ifndef WEFT_CLI_INPUT_CONTEXT_H
#define WEFT_CLI_INPUT_CONTEXT_H

#include "cli/command/option.h"
#include "weft_files.h"

#include <jansson.h>
#include <stdio.h>

/* Reads NAME,NAME,... into the weft_context_fields at the place of the row; a comma or a backslash in a name
 * is written \, or \\. */
option_setter context_set_fields;
#define TAKES_CONTEXT(S, member) \
    .to = OPTION_PLACE(S, member, weft_context_fields), TAKES_OTHER(context_set_fields)

/* VALUE,VALUE,... in the order of the fields, or FIELD=VALUE; what is not said, or empty, is not known.
 * `text` NULL: nothing is.  The digests are as many as the fields. */
weft_status context_read_values(const char *text, const weft_context_fields *fields,
                                uint64_t digests[WEFT_CONTEXT_LIMIT], weft_error *error);

/* WEFT_ARGUMENT where fields were given, and a model has others. */
weft_status context_check_model(const weft_context_fields *given, const weft_context_fields *stored,
                                weft_error *error);

/* "device, hour" */
typedef struct context_text {
    char text[WEFT_CONTEXT_LIMIT * 72];
} context_text;
context_text context_show(const weft_context_fields *fields);

/* A line of the fields of a stream and how many values each has, if there are any; and the same as a list,
 * NULL without memory. */
void context_tell(const weft_stream *stream, FILE *out);
json_t *context_describe(const weft_stream *stream);

#endif
