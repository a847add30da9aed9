/* SPDX-License-Identifier: MIT
 * What the commands that read a stream or side information share: STREAM..., --rows, --columns, --both
 * and the limits. */
#ifndef WEFT_CLI_SOURCE_H
#define WEFT_CLI_SOURCE_H

#include "command.h"
#include "limits.h"

/* Strings that were not given are NULL. */
typedef struct source_options {
    limit_options limits;
    const char **streams;
    int64_t stream_count;
    const char *rows, *columns, *both;
    bool known;      /* the sides are known from elsewhere, such as a model: they may be left out */
    bool streamless; /* the command reads no stream */
} source_options;

/* command_parse for a command whose options begin with a source_options.  The
 * strings are those of `arguments`. */
void source_parse(const command_line *line, int count, char **arguments, source_options *source);
void source_free(source_options *source);
/* The streams and the files of the SPECs. */
void source_name_files(const source_options *source, paths_list *files);

/* Room for ids, 0 for any; whether to keep the bytes of the files, and to make the views. */
typedef struct source_needs {
    int64_t row_capacity, column_capacity;
    bool keep;
    bool views; /* of a committee */
} source_needs;

/* The rosters of both sides, not built yet; *columns stays NULL for one set of ids.
 * A SPEC that is none is told with its option. */
weft_status source_open_rosters(const source_options *source, const source_needs *needs, weft_roster **rows,
                                weft_roster **columns, weft_error *error);

/* The theory needs log(m+n) > 1. */
weft_status source_check_size(int64_t ids, weft_error *error);

#endif
