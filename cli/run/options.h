/* SPDX-License-Identifier: MIT
 * What the user typed after `weft run`. */
#ifndef WEFT_CLI_RUN_OPTIONS_H
#define WEFT_CLI_RUN_OPTIONS_H

#include "cli/input/engine.h"
#include "cli/input/source.h"
#include "cli/input/truth.h"

/* Who plays: a committee, or one learner. */
typedef struct player_choice {
    bool committee;
    const char *reason; /* the option that said so, "default", or why a committee cannot */
} player_choice;

/* Numbers that were not given are 0, strings NULL. */
typedef struct run_options {
    source_options from;
    weft_form form;
    weft_updates updates;
    engine_choice engine; /* without its reason */
    weft_precision precision;
    double eta, gamma, dimension;
    double tolerance; /* 0: --tolerance none */
    double half_life; /* labelled trials */
    double floor;     /* 0: none */
    bool floor_given;
    int64_t horizon;
    int64_t delay;     /* labels come this many lines late */
    int64_t negatives; /* drawn beside every event */
    int64_t open;      /* answers that wait for lines with their labels, at most */
    int threads;       /* of large products; 0: one */
    int64_t row_capacity, column_capacity;
    truth_options truth;
    uint64_t seed;
    bool updates_given, form_given, tolerance_given, seed_given, precision_given;
    bool deterministic, randomised;
    bool committee, single;       /* asked for in so many words */
    bool restless;                /* every member plays every trial */
    const char *of_one, *of_many; /* see options_single, options_many */
    player_choice player;         /* what follows from all this; with --resume the model decides */
    const char *predictions;
    const char **pictures; /* of a committee's probabilities */
    int64_t picture_count;
    const char *model, *resume;
    int64_t checkpoint; /* trials between two models, 0: only at the end */
    bool embed;
    bool members; /* the report has the tables of members and of reliability */
    bool profile; /* the report and the JSON say where the time went */
    bool json, quiet;
} run_options;

/* Reads the command line; wrong usage is told and ends the program with status
 * 2, --help with 0.  The strings are those of `arguments`. */
void options_parse(int count, char **arguments, run_options *options);
void options_free(run_options *options);
/* The files that the run reads and writes, but for those that a model names. */
void options_name_files(const run_options *options, paths_list *files);

/* The first option given that speaks of a committee, such as "--restless", or NULL.  --committee is none of
 * them. */
const char *options_many(const run_options *options);
/* The first option given that speaks of one learner, such as "--eta", or NULL.  --single is none of them. */
const char *options_single(const run_options *options);

#endif
