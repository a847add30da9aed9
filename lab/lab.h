/* SPDX-License-Identifier: MIT
 * The laboratory, as the command sees it: experiments that show what the paper
 * claims, and generators of the data that they are made with.
 *
 * Everything is seeded: the same request gives the same numbers, whatever the number
 * of jobs and however often it was interrupted.  Only times differ. */
#ifndef WEFT_LAB_LAB_H
#define WEFT_LAB_LAB_H

#include "weft.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Experiments ---- */

enum { LAB_MOST_VALUES = 64 };

/* What is asked of an experiment.  Numbers that are 0 and lists that are empty are
 * its own choice. */
typedef struct lab_request {
    const char *out; /* the directory of its results, made where it is not there */
    uint64_t seed;
    int jobs;      /* at a time */
    int64_t runs;  /* of every cell */
    bool quick;    /* a small version, for a first look: seconds instead of minutes */
    bool quiet;    /* no progress */
    int protocols; /* sum of 1 << lab_protocol_name */
    int64_t dimensions[LAB_MOST_VALUES];
    int dimension_count;
    double noise[LAB_MOST_VALUES];
    int noise_count;
} lab_request;

/* The experiment of the paper's appendix, as its text describes it and as the authors'
 * own program makes it (lab/problem/protocol.h). */
typedef enum lab_protocol_name { LAB_TEXT, LAB_AUTHORS, LAB_PROTOCOLS } lab_protocol_name;

extern const char *const lab_protocol_words[]; /* "text", "authors", NULL */

/* An experiment plays its runs, each of which is remembered in a journal as soon as it
 * is done (lab/runs/work.h), then writes OUT/NAME.csv, its figures OUT/NAME*.svg and .png and
 * one self-contained report OUT/NAME.html, and says what it found in a few sentences on
 * standard output.  Progress goes to standard error. */
typedef struct lab_experiment {
    const char *name;
    const char *purpose; /* a line for people */
    bool gridded;        /* takes dimensions and noise */
    bool protocols;      /* takes protocols */
    bool timed;          /* measures times, once: takes no number of runs, and ignores it */
    weft_status (*run)(const lab_request *request, weft_error *error);
} lab_experiment;

/* NULL where there is none of that number, 0, 1, ..., or name. */
const lab_experiment *lab_experiment_at(int number);
const lab_experiment *lab_experiment_find(const char *name);

/* ---- Generators ---- */

/* What to make; each generator looks at what its line of `weft generate --help` names.
 * Numbers that are 0 are its own choice. */
typedef struct lab_recipe {
    const char *out; /* the directory of the files, made where it is not there */
    uint64_t seed;
    int64_t rows, columns;
    int64_t row_classes, column_classes;
    int64_t trials;     /* lines of the stream; 0: every pair once */
    double label_noise; /* probability that a label is turned over; negative: its own choice */
    double graph_noise; /* beta of the graphs; negative: its own choice */
    lab_protocol_name protocol;
    double range;      /* r of boxes in [-r,r]^d */
    double separation; /* of boxes, in the maximum norm */
    int64_t dimension; /* d of boxes */
    int64_t period;    /* trials between two changes of a drifting stream */
} lab_recipe;

/* Writes files that the other commands read and says on `report` what they are, ending
 * with a command that plays them.  Files are written whole or not at all. */
typedef struct lab_generator {
    const char *name;
    const char *purpose; /* a line for people */
    const char *takes;   /* the words of the options that it looks at, blanks between */
    weft_status (*make)(const lab_recipe *recipe, FILE *report, weft_error *error);
} lab_generator;

const lab_generator *lab_generator_at(int number);
const lab_generator *lab_generator_find(const char *name);

#endif
