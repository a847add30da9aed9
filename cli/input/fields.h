/* SPDX-License-Identifier: MIT
 * How the files of a stream were understood, where that is not plain. */
#ifndef WEFT_CLI_INPUT_FIELDS_H
#define WEFT_CLI_INPUT_FIELDS_H

#include "weft_files.h"

#include <jansson.h>
#include <stdio.h>

/* Names of fields other than row, column and label; labels other than numbers for -1 and +1; events that are
 * not in the order of their times: a line each. */
void stream_tell(weft_stream *stream, const weft_stream_options *how, FILE *out);

/* The one label that a stream has, of so many -1 and +1; 0: both came, or too few to say. */
int stream_label(const int64_t came[2]);
/* A line of it, with what can be done, where there is one. */
void stream_tell_label(const int64_t came[2], FILE *out);

/* The fields as an object: their names, null where they stand in their places; NULL without memory. */
json_t *stream_describe(weft_stream *stream);

#endif
