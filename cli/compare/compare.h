/* SPDX-License-Identifier: MIT
 * weft compare: the same stream with every rival and with weft, with and without
 * side information; who does best, and is it more than noise? */
#ifndef WEFT_CLI_COMPARE_COMPARE_H
#define WEFT_CLI_COMPARE_COMPARE_H

#include "cli/command/commands.h"
#include "cli/compare/metric.h"
#include "cli/input/engine.h"
#include "cli/input/source.h"
#include "cli/report/committee.h"
#include "cli/report/progress.h"

/* What "best" means, and what the sentence is about. */
typedef enum compare_measure { BY_ERROR, BY_AUC, BY_PRECISION } compare_measure;
extern const char *const compare_measure_words[]; /* ends with NULL */

typedef struct compare_options {
    source_options from;
    weft_form form; /* the only one, if it was given; else paper and balanced */
    bool form_given;
    engine_choice engine; /* of weft, without its reason */
    compare_measure best;
    const char **pictures;
    int64_t picture_count;
    int64_t limit; /* first trials of the stream; 0: all */
    int threads;
    uint64_t seed;
    bool json, quiet, no_times, no_committee;
} compare_options;

/* Those who learn, whose time is told, come first. */
typedef enum contestant_kind {
    BY_WEFT,
    BY_RIVAL,
    BY_COMMITTEE, /* what weft run plays by default */
    BY_DISTANCE,  /* -(K_ii + K_jj - 2 K_ij) with the threshold that is best in hindsight */
    BY_CONSTANT,  /* the label that is best in hindsight */
    BY_FOLLOWING  /* at every trial what the run with the fewest mistakes so far says */
} contestant_kind;

enum { COMPARE_RATES = 3 };

/* What there is to know, as bits of `contestant.knows`. */
enum { KNOWS_ROWS = 1, KNOWS_COLUMNS = 2 };

/* One line of the table: who plays, and the best of the runs, one a rate. */
typedef struct contestant {
    char name[64];
    contestant_kind kind;
    weft_form form;                  /* weft */
    int knows;                       /* weft and committee: the sides that are more than none, */
    bool shuffled;                   /* and whether that belongs to other ids, drawn by the seed */
    const weft_side *rows, *columns; /* borrowed; columns NULL for one set of ids */
    weft_rival_kind rival;
    const char *knob; /* what the rates are; "" where there is one run only */
    double rates[COMPARE_RATES];
    int rate_count;
    /* The best run so far: */
    int best; /* its rate, or -1 */
    metric_figures figures;
    double *scores; /* of the trials; NULL for who follows */
    double seconds; /* of the processor */
    /* Every run: */
    bool *wrong[COMPARE_RATES];
    double value[COMPARE_RATES];         /* by the measure that was asked for */
    double learning_rate[COMPARE_RATES]; /* weft: eta itself */
} contestant;

enum { COMPARE_MOST = 48, COMPARE_SENTENCE = 1024 };

/* What a paired test says. */
typedef struct paired_test {
    double gain; /* of the second over the first, larger is better whatever the measure */
    double z;
    double p; /* two-sided, times `looked` and at most 1 */
    int looked;
    int word; /* +1 better, -1 worse, 0 no difference beyond noise */
} paired_test;

/* Is `second` better than `first`? */
typedef struct comparison {
    const contestant *first, *second;
    paired_test test;
} comparison;

/* What is said of the side information of the rows, of the columns, or of both. */
typedef struct verdict {
    int knows;
    comparison without;         /* players without it, and with it */
    const contestant *shuffled; /* with that of other ids */
} verdict;

enum { VERDICTS = 3 };

/* The run of a group with the fewest mistakes in hindsight, whatever --best is, the earlier one among
 * equals. */
typedef struct best_run {
    const contestant *who;
    int rate;
    int64_t mistakes;
} best_run;

typedef struct compare_state {
    const compare_options *options;
    weft_stream *stream;
    weft_roster *rows, *columns;
    engine_choice engine;
    weft_side *no_rows, *no_columns; /* of kind none, for the same ids */
    metric_course course;
    /* Of the committee by what it knows; empty where it does not play, */
    member_list members[(KNOWS_ROWS | KNOWS_COLUMNS) + 1];
    int given;                /* the sides that are more than none */
    const char *no_committee; /* for this reason, NULL where it was not asked for */
    contestant contestants[COMPARE_MOST];
    int count;
    verdict verdicts[VERDICTS]; /* about the side information */
    int verdict_count;
    comparison rival;       /* rivals against weft */
    int64_t *shuffled_rows; /* row i has the side information of row shuffled_rows[i] */
    int64_t *shuffled_columns;
    char sentence[COMPARE_SENTENCE];
    const contestant *committee; /* NULL where it does not play; else the next three are set */
    best_run best_rival, best_weft;
    char committee_sentence[COMPARE_SENTENCE];
    worth_list worth; /* by second runs; no parts where no committee plays */
    double seconds;
} compare_state;

/* setup.c: files, trials, contestants. */
weft_status compare_open(compare_state *state, weft_error *error);
void compare_close(compare_state *state);

/* committee.c: the members over the views of the sides, which are built; or why there are none. */
weft_status compare_list_members(compare_state *state, weft_error *error);
/* How it does beside the best in hindsight: finds them and writes the sentence. */
void compare_tell_committee(compare_state *state);
/* The same as JSON, null where it does not play; NULL when there is no memory. */
json_t *compare_committee_json(const compare_state *state);

/* play.c: every contestant at every rate, on --threads. */
weft_status compare_play(compare_state *state, weft_error *error);

/* Groups of contestants: the runs of weft that know exactly so much (KNOWS_*, 0 for
 * nothing), the same shuffled, all of weft but those, all rivals. */
enum { SHUFFLED = 4, KNOWS_ANYTHING = 8, RIVALS, GROUPS };
bool compare_belongs(const contestant *who, int group);
/* The best contestant of a group in hindsight, NULL for an empty one, and how many runs
 * that was chosen from. */
const contestant *compare_best(const compare_state *state, int group, int *runs);
/* How good a run was, larger is better: the error with its sign turned. */
double compare_value(compare_measure measure, const metric_figures *figures);

/* follow.c: one more contestant a group, which says at every trial what the run
 * with the fewest mistakes so far says, the earlier one among equals. */
void compare_follow(compare_state *state);
/* That one, or NULL for an empty group. */
const contestant *compare_follower(const compare_state *state, int group);

/* worth.c: what leaving out side information takes from the committee. */
void compare_find_worth(compare_state *state);

/* test.c: tests the verdicts. */
void compare_judge(compare_state *state);

/* sentence.c: adds to a sentence what fits; the verdicts in one sentence. */
__attribute__((format(printf, 2, 3))) void compare_append(char sentence[COMPARE_SENTENCE], const char *format,
                                                          ...);
void compare_tell(compare_state *state);
/* "4 x eta", "margin 0.1"; empty where there is one run only. */
typedef struct rate_text {
    char text[32];
} rate_text;
rate_text compare_rate(const contestant *who, int rate);

/* table.c, json.c: the result on standard output. */
weft_status compare_table(const compare_state *state, weft_error *error);
weft_status compare_json(const compare_state *state, weft_error *error);

/* picture.c: the running errors. */
weft_status compare_draw(const compare_state *state, weft_error *error);

#endif
