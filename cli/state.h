/* SPDX-License-Identifier: MIT
 * One run, from the command line to the report. */
#ifndef WEFT_CLI_STATE_H
#define WEFT_CLI_STATE_H

#include "options.h"
#include "predictions.h"
#include "progress.h"
#include "score.h"
#include "waiting.h"
#include "weft.h"

/* With one set of ids `columns` is NULL and rows serve both. */
typedef struct run_state {
    const run_options *options;
    weft_roster *rows, *columns;
    weft_stream *stream;
    bool scanned;     /* the whole stream was read once: ids and labels are known */
    int64_t labelled; /* lines of the stream that have a label, if it was scanned */
    int64_t lines;    /* all its lines, if it was scanned */
    int64_t horizon;  /* T, or 0 where neither the stream nor an option tells it */
    truth_side row_truth, column_truth;
    weft_measure measure;
    weft_settings settings;
    weft_reasons reasons;
    engine_choice engine;
    weft_learner *learner;
    weft_comparator *comparator; /* NULL where the classes are not known */
    output *predictions;         /* NULL where none are wanted */
    waiting_list waiting;        /* trials without their labels yet (--delay) */
    score_list scores;
    int64_t positive; /* labels +1 */
    progress progress;
    weft_counters told;     /* when the last row of the table was written */
    weft_counters begin;    /* when this process began: those of the model, or 0 */
    bool resumed, enlarged; /* and with more room than the model had */
    bool disturbed;         /* before this process, as the model says */
    bool embed;
    double seconds;
    bool interrupted;
} run_state;

/* setup.c: everything before the first trial. */
weft_status run_open(const run_options *options, run_state *run, weft_error *error);
void run_close(run_state *run);

/* model.c: takes rosters, learner and settings from the model of --resume, which no
 * option may contradict. */
weft_status run_resume(run_state *run, weft_error *error);
/* Whether --model can be written, before time is spent on learning. */
weft_status run_check_place(const run_state *run, weft_error *error);
/* Writes the model, if one is wanted; the other only when it is due by --checkpoint. */
weft_status run_save(const run_state *run, weft_error *error);
weft_status run_checkpoint(const run_state *run, weft_error *error);

/* The side information of rows or columns, for one set the only one. */
const weft_roster *run_columns(const run_state *run);

/* play.c: all trials. */
weft_status run_play(run_state *run, weft_error *error);

/* The bound that holds for what was played. */
weft_bound run_bound(const run_state *run);
/* Margins are narrow enough to be ranked (not with --tolerance none). */
bool run_ranks(const run_state *run);

/* report.c: for people, on standard error. */
void report_side(const char *name, const weft_roster *roster);
void report_settings(const run_state *run);
void report_progress(run_state *run, bool last);
void report_summary(run_state *run);

/* json.c: for programs, one line on standard output. */
weft_status json_write(run_state *run, weft_error *error);

#endif
