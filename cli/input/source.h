/* SPDX-License-Identifier: MIT
 * What the commands that read a stream or side information share: STREAM..., --rows, --columns, --both
 * and the limits. */
#ifndef WEFT_CLI_INPUT_SOURCE_H
#define WEFT_CLI_INPUT_SOURCE_H

#include "cli/command/command.h"
#include "cli/input/context.h"
#include "cli/input/limits.h"

/* Strings that were not given are NULL. */
typedef struct source_options {
    limit_options limits;
    const char **streams;
    int64_t stream_count;
    char *rows, *columns, *both; /* SPECs, several with ",+" between */
    weft_stream_options how;     /* which field of a stream is what, and what its labels are */
    weft_context_fields context;
} source_options;

/* For commands whose options begin with a source_options: STREAM... and what follows it; the sides and the
 * limits alone.  Sides that are known from elsewhere, such as a model, are implied by the option that says
 * so. */
extern const option_table stream_table, sides_table;

/* The stream that was named, and its next event: a failure also says what can be typed. */
weft_status source_open_stream(const source_options *source, weft_stream **stream, weft_error *error);
weft_status source_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error);

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

/* Whether a kernel says nothing of the ids: none, or a graph that has none. */
bool source_is_blank(const weft_side *side);

/* The theory needs log(m+n) > 1. */
weft_status source_check_size(int64_t ids, weft_error *error);

/* After all ids of the stream were admitted: WEFT_INPUT for side information that lists none of them, but
 * ids of the other side: they are swapped.  columns NULL: one set of ids. */
weft_status source_check_met(const weft_roster *rows, const weft_roster *columns, weft_error *error);

#endif
