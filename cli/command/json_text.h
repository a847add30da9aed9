/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_COMMAND_JSON_TEXT_H
#define WEFT_CLI_COMMAND_JSON_TEXT_H

#include "weft.h"

#include <jansson.h>
#include <stdio.h>

/* A name as a string.  JSON is UTF-8; of a name that is not, the bytes beyond ASCII
 * become \xE9, with a backslash, and a backslash becomes two: no byte is lost. */
json_t *json_name(const char *name);

/* A number, or null where it is not finite: what is not known. */
json_t *json_real_or_null(double value);
/* The same where it is known, else null. */
json_t *json_real_if(bool known, double value);
json_t *json_integer_if(bool known, int64_t value);

/* The object, or, where making it has failed, NULL in its place. */
json_t *json_whole(json_t *object, int failed);

/* One line; takes the object, NULL is WEFT_MEMORY, and so is too little memory for the
 * text.  A failure to write leaves its mark on `out`, for whoever flushes or closes it. */
weft_status json_line(json_t *object, FILE *out, weft_error *error);
/* The same on standard output, to the end. */
weft_status json_print(json_t *object, weft_error *error);

#endif
