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

/* The same as an object: the names of the fields, null where they stand in their places; NULL without
 * memory. */
json_t *stream_describe(weft_stream *stream);

#endif
