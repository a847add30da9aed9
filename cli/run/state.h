/* SPDX-License-Identifier: MIT
 * One run, from the command line to the report. */
#ifndef WEFT_CLI_RUN_STATE_H
#define WEFT_CLI_RUN_STATE_H

#include "cli/report/facts.h"
#include "cli/report/progress.h"
#include "cli/report/score_groups.h"
#include "cli/run/options.h"
#include "cli/run/predictions.h"
#include "cli/run/profile.h"
#include "weft_files.h"
#include "weft_theory.h"

#include <jansson.h>

/* What a run has come to: found once, when all is played, and told as text, as JSON and in pictures. */
typedef struct run_facts {
    player_facts player;
    /* Of the trials with a label that this process played: */
    int64_t labelled;
    int constant;           /* doing nothing: always the more frequent label, +1 of equals, */
    double constant_error;  /* and its mistakes a trial; NaN where there was no such trial */
    ranking ranked;         /* by margins or probabilities */
    double calibration;     /* the error of the probabilities, see reliability_error */
    weft_bound bound;       /* one learner */
    int64_t common_ids;     /* a committee: that are rows and columns; 0 for one set */
    int64_t common_numbers; /* of these: whose names are digits alone */
    profile_facts profile;
} run_facts;

typedef struct run_state run_state;

/* How a kind of player is set up and told: one learner, or a committee.  Trials are the same for both. */
typedef struct run_ops {
    bool in_theory; /* the theorems of the paper speak of it, and its scores are margins */
    /* Of --predictions, behind the prediction: the names of its columns, and what stands there. */
    const char *columns;
    void (*write_answer)(const weft_answer *answer, FILE *out);
    /* With --resume: no option may contradict the model. */
    weft_status (*check_model)(const run_options *options, const weft_model *model, weft_error *error);
    /* With --resume: settings of the run from the model. */
    void (*resume)(run_state *run, const weft_model *model);
    /* The rosters are open; their sides are not made, nor the stream looked at. */
    weft_status (*prepare)(run_state *run, weft_error *error);
    /* The sides are made: from there to the first trial. */
    weft_status (*begin)(run_state *run, weft_error *error);
    /* A row of the table, if one is due. */
    void (*tell_progress)(run_state *run, bool last);
    void (*tell_settings)(const run_state *run);
    /* What the run came to, as text and as JSON. */
    void (*tell_summary)(run_state *run);
    json_t *(*describe)(const run_state *run); /* without sides and bound; NULL when there is no memory */
} run_ops;

extern const run_ops learner_ops, committee_ops;

/* With one set of ids `columns` is NULL and rows serve both. */
struct run_state {
    const run_options *options;
    paths_list files; /* that the run reads and writes */
    const run_ops *ops;
    weft_roster *rows, *columns;
    weft_stream *stream;
    bool scanned;     /* the whole stream was read once: ids and labels are known */
    char *understood; /* and then how its files were, as text for the report */
    size_t understood_size;
    int64_t met[2];   /* ids, rows and columns, that are listed or have come so far: one set has the first */
    int64_t labelled; /* lines of the stream that have a label, if it was scanned */
    int64_t lines;    /* all its lines, if it was scanned */
    int64_t played;   /* lines so far */
    int64_t alike;    /* of them: whose row and column have the same name */
    int64_t horizon;  /* T, or 0 where neither the stream nor an option tells it */
    truth_side row_truth, column_truth;
    weft_measure measure;
    weft_settings settings;
    weft_reasons reasons;
    engine_choice engine;
    weft_player *player;
    reliability reliability;     /* of the probabilities of a committee */
    weft_comparator *comparator; /* NULL where the classes are not known */
    output *predictions;         /* NULL where none are wanted */
    bool begun, answers;         /* they have their header, and a column of the input's words */
    weft_waiting *waiting;       /* lines without their labels yet */
    int64_t open;                /* of these: to which a label will come (--delay) */
    bool noticed;                /* that they are of one kind */
    int64_t came[2];             /* labels of the stream so far, -1 and +1; of a scanned one all */
    weft_negatives negatives;    /* drawn beside the events; {0}: none */
    weft_drawn beside;           /* the last one: what they are, and what was said */
    int64_t drawn;               /* labels that were drawn in this run */
    int64_t checkpoint;          /* t of the last one */
    int64_t late; /* labels that came in a line of their own, for an answer of an earlier one */
    char *key;    /* room for what an answer is found by */
    size_t key_size;
    size_t record_size;  /* of their records */
    unsigned char *note; /* room to write one of them */
    size_t note_size;
    score_groups scores;
    score_groups without[WORTH_PARTS]; /* of a committee without rows, columns, both (worth_list) */
    int64_t positive;                  /* labels +1 */
    progress progress;
    weft_counters told;     /* when the last row of the table was written */
    weft_counters begin;    /* when this process began: those of the model, or 0 */
    bool resumed, enlarged; /* and with more room than the model had */
    bool disturbed;         /* before this process, as the model says */
    bool embed;
    double start, seconds;
    profile_clock clock; /* --profile */
    bool interrupted;
    bool broken;     /* a line of the stream was wrong, or nothing is known of it */
    bool kept;       /* and the model has what stood before it */
    run_facts facts; /* what it came to; {0} until all is played, and where nothing is reported */
};

/* setup.c: everything before the first trial. */
weft_status run_open(const run_options *options, run_state *run, weft_error *error);
void run_close(run_state *run);

/* resume.c: takes rosters, player and settings from the model of --resume, which no
 * option may contradict. */
weft_status run_resume(run_state *run, weft_error *error);
/* Whether --model can be written, before time is spent on learning. */
weft_status run_check_place(const run_state *run, weft_error *error);
/* Writes the model, if one is wanted; the other only when it is due by --checkpoint. */
weft_status run_save(const run_state *run, weft_error *error);
weft_status run_checkpoint(run_state *run, weft_error *error);
/* What a kind has to say there. */
weft_status resume_check_learner(const run_options *options, const weft_model *model, weft_error *error);
weft_status resume_check_committee(const run_options *options, const weft_model *model, weft_error *error);
void resume_learner(run_state *run, const weft_model *model);
void resume_committee(run_state *run, const weft_model *model);

/* The side information of rows or columns, for one set the only one. */
const weft_roster *run_columns(const run_state *run);
/* The kind of one learner, see there. */
weft_status run_prepare(run_state *run, weft_error *error);
weft_status run_begin(run_state *run, weft_error *error);

/* What becomes of a trial that has ended: counts, its line, a row of the table. */
weft_status run_take_down(run_state *run, const int64_t pair[2], const weft_event *event,
                          const weft_answer *answer, weft_error *error);

/* Takes the label of a pair, and the answer that was given, into the counts of the run. */
weft_status run_count(run_state *run, const int64_t pair[2], int label, const weft_answer *answer,
                      weft_error *error);

/* play.c: the numbers of both ids of a line; all trials, until the end, a signal, or a bad line; and
 * what is written then, by how they ended. */
weft_status run_admit(run_state *run, const weft_event *event, int64_t pair[2], weft_error *error);
weft_status run_play(run_state *run, weft_error *error);
weft_status run_end_play(run_state *run, weft_status played, weft_error *error);

/* The bound that holds for what was played. */
weft_bound run_bound(const run_state *run);
/* Margins are narrow enough to be ranked (not with --tolerance none). */
bool run_ranks(const run_state *run);

/* facts.c.  Sorts the scores of the run. */
weft_status run_gather(run_state *run, weft_error *error);

/* report.c: one learner for people, on standard error. */
void report_settings(const run_state *run);
void report_progress(run_state *run, bool last);
void report_summary(run_state *run);
/* What both kinds tell: version, model and sides; whether a row of the table is due; the first lines of the
 * summary. */
void report_head(const run_state *run);
bool report_due(int64_t trials, int64_t told, bool last);
/* The error, and that of doing nothing; false where no label has come, ever. */
bool report_error(const run_state *run);
void report_stream(const run_state *run);       /* what a pipe was taken for, and labels that came later */
double report_ratio(double part, double whole); /* 0 of nothing */

/* report_committee.c: the same of a committee. */
void committee_progress(run_state *run, bool last);
void committee_settings(const run_state *run);
void committee_summary(run_state *run);

/* picture.c: whether probabilities are what they say, if pictures are wanted; WEFT_INPUT where no
 * line has a label.  The other tells that beforehand, where it is known. */
weft_status committee_draw(const run_state *run, weft_error *error);
weft_status committee_check_picture(const run_state *run, weft_error *error);

/* json.c: for programs, one line on standard output. */
weft_status json_write(const run_state *run, weft_error *error);
json_t *json_describe_learner(const run_state *run);
json_t *json_describe_committee(const run_state *run);

#endif
