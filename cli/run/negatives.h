/* SPDX-License-Identifier: MIT
 * Streams of positives alone, and --negatives N: others are drawn beside every event and learnt with the
 * label -1.  They are trials as any other, but no lines of the stream. */
#ifndef WEFT_CLI_RUN_NEGATIVES_H
#define WEFT_CLI_RUN_NEGATIVES_H

#include "cli/run/state.h"

/* With --resume, before anything is read: no option may contradict the model. */
weft_status negatives_check_model(const run_options *options, const weft_model *model, weft_error *error);
/* The rosters are open and no line was read: what the options ask for, where no model says it. */
weft_status negatives_begin(run_state *run, weft_error *error);
/* Labels that one event of the stream teaches. */
int64_t negatives_labels(const run_state *run);

/* Takes a line of the stream into the counts of its labels; WEFT_INPUT where it says no and others are drawn
 * to say it. */
weft_status negatives_meet(run_state *run, const weft_event *event, weft_error *error);
/* Learns an event with what is drawn beside it, or one that `record` was kept of when it was asked for. */
weft_status negatives_learn(run_state *run, const int64_t pair[2], weft_answer *answer, weft_error *error);
weft_status negatives_learn_late(run_state *run, const int64_t pair[2], const void *record,
                                 weft_answer *answer, weft_error *error);
/* What becomes of what was drawn, once the event itself is taken down. */
weft_status negatives_take_down(run_state *run, weft_error *error);

/* An answer in terms of events. */
weft_answer negatives_correct(const run_state *run, const weft_answer *answer);

/* A line each, for people: what is drawn; and in the end what that came to. */
void negatives_settings(const run_state *run);
void negatives_summary(const run_state *run);
/* That one label alone has come, where nothing is drawn. */
void negatives_notice(const run_state *run);
/* For programs: adds both to the object; not 0 where there is no memory. */
int negatives_describe(const run_state *run, json_t *object);

#endif
