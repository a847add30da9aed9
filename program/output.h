/* SPDX-License-Identifier: MIT
 * A file that is written whole or is not there. */
#ifndef WEFT_PROGRAM_OUTPUT_H
#define WEFT_PROGRAM_OUTPUT_H

#include "weft.h"

#include <stdio.h>

typedef struct output output;

/* What is written goes to a draft (weft__draft); "-" (standard output) and what a draft
 * cannot replace (a pipe, a device) are written directly.  WEFT_ARGUMENT where standard output or error
 * is that file. */
weft_status output_open(const char *path, output **file, weft_error *error);
/* To write to; failures are seen by output_check. */
FILE *output_stream(const output *file);
/* WEFT_WRITE if something could not be written so far. */
weft_status output_check(const output *file, weft_error *error);
/* The same, and hands over what is written so far. */
weft_status output_flush(const output *file, weft_error *error);
/* Gives the file its name.  After a failure, or without this, nothing is left. */
weft_status output_commit(output *file, weft_error *error);
/* Takes NULL; drops what was not committed. */
void output_free(output *file);

/* Hands over all that was printed on standard output; WEFT_WRITE where that fails, or failed before. */
weft_status output_finish(weft_error *error);

/* Whether standard output could not be written since nobody reads it any more, as behind `| head`: that is
 * told to nobody, and is this exit status, which programs have that SIGPIPE ends. */
bool output_unread(void);
enum { EXIT_UNREAD = 141 };

/* An id as a field of CSV, in quotes where it needs them. */
void output_id(FILE *out, const char *id);

/* "" for one of something, else "s". */
const char *output_plural(int64_t count);

#endif
