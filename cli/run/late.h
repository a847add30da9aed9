/* SPDX-License-Identifier: MIT
 * Labels that come after their answers. */
#ifndef WEFT_CLI_RUN_LATE_H
#define WEFT_CLI_RUN_LATE_H

#include "cli/run/state.h"

/* --delay N: answers a line, and learns the label of the line N before it; at the end what still waits. */
weft_status late_play(run_state *run, const int64_t pair[2], const weft_event *event, weft_error *error);
weft_status late_learn(run_state *run, weft_error *error);

/* Without --delay: keeps the answer to a line without a label open, as the last thing that the player was
 * asked; and learns the label of a line whose id, or else whose pair, has an open answer: *closed then, and
 * the line is taken down with that answer. */
weft_status late_open(run_state *run, const int64_t pair[2], const weft_event *event,
                      const weft_answer *answer, weft_error *error);
weft_status late_close(run_state *run, const int64_t pair[2], const weft_event *event, bool *closed,
                       weft_error *error);

#endif
