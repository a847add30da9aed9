/* SPDX-License-Identifier: MIT
 * How much the files may ask for: options that every command which reads files
 * has. */
#ifndef WEFT_CLI_INPUT_LIMITS_H
#define WEFT_CLI_INPUT_LIMITS_H

#include "cli/command/option.h"
#include "weft_files.h"

/* What was not given is 0: the library's own limit, and for `memory` that of the
 * machine. */
typedef struct limit_options {
    int64_t line, fields, ids, bytes, memory;
} limit_options;

/* For commands whose options begin with a limit_options. */
extern const option_table limits_table;

/* For the readers; `capacity` is the room for ids of this side, 0 for any.  What is read and made with them
 * listens to signals (long_call.h). */
weft_file_options limits_files(const limit_options *limits, int64_t capacity);
/* For what is made of side information; to be set as `roster` of these. */
weft_roster_options limits_roster(const limit_options *limits);

/* The allocator of the whole program, which keeps to --memory. */
const weft_memory *limits_memory(const limit_options *limits);

/* The limit in bytes, what it is ("which is the limit", or what the machine has), and what of it is taken. */
int64_t limits_most(const limit_options *limits);
const char *limits_source(const limit_options *limits);
int64_t limits_held(void);

/* More than the limit would be needed; `why` is told. */
weft_status limits_refuse(const limit_options *limits, const char *why, weft_error *error);

/* Where a failure comes from --memory, the message says so and it counts as bad
 * input; other failures are left alone. */
weft_status limits_explain(const limit_options *limits, weft_status status, weft_error *error);
/* How a command ends: tells a failure, "interrupted" where that came, and gives the exit status.  `room` is
 * told behind a WEFT_CAPACITY. */
int limits_finish(const limit_options *limits, weft_status status, const char *room, weft_error *error);
#define MORE_IDS " (--max-ids gives more room)"

#endif
