/* SPDX-License-Identifier: MIT
 * What the generators share: the files of a set, and what is said about them.
 *
 *     lab_set set = {0};
 *     TRY(lab_set_begin(recipe->out, &set, error));
 *     TRY(lab_set_stream(&set, &stream, "r", "c", error));
 *     ...
 *     TRY(lab_set_commit(&set, report, error));
 *     fprintf(report, "...");
 *     lab_set_command(&set, report, "...");
 * done:
 *     lab_set_free(&set);
 *
 * Files get their names at the end, all together: where one cannot be written none
 * is.  Ids are a letter and a number from 1. */
#ifndef WEFT_LAB_GENERATE_GENERATE_H
#define WEFT_LAB_GENERATE_GENERATE_H

#include "lab/lab.h"
#include "lab/problem/graph.h"
#include "lab/problem/problem.h"
#include "program/output.h"

#include <stdio.h>

enum { LAB_MOST_FILES = 6 };

typedef struct lab_set_file {
    output *file;
    char *path;
    char *note; /* what it holds */
} lab_set_file;

typedef struct lab_set {
    char *folder;
    lab_set_file files[LAB_MOST_FILES];
    int count;
} lab_set;

/* Makes the folder, and those above it, where they are not there. */
weft_status lab_set_begin(const char *folder, lab_set *set, weft_error *error);
void lab_set_free(lab_set *set);

/* row,column,label lines under a header; `rows` and `columns` are the letters of the ids. */
weft_status lab_set_stream(lab_set *set, const lab_stream *stream, const char *rows, const char *columns,
                           weft_error *error);

/* When an event happened, and on what. */
typedef struct lab_moment {
    int64_t device, hour;
} lab_moment;

/* row,column,device,hour,label lines under a header: rows r1 and on, columns c1, devices d1, hours 0. */
weft_status lab_set_moments(lab_set *set, const lab_stream *stream, const lab_moment *moments,
                            weft_error *error);

/* The ids of one side, for the functions below. */
typedef struct lab_side {
    const char *name;   /* of its files: "rows" */
    const char *letter; /* of its ids: "r" */
    int64_t count, classes;
    const int64_t *class_of;
} lab_side;

/* truth.csv: row,column,probability lines under a header, of every pair. */
weft_status lab_set_truth(lab_set *set, const lab_side *rows, const lab_side *columns,
                          const double *probability, weft_error *error);
/* NAME.classes: `id class' lines, classes from 1. */
weft_status lab_set_classes(lab_set *set, const lab_side *side, weft_error *error);
/* NAME.edges: `id id' lines. */
weft_status lab_set_graph(lab_set *set, const lab_side *side, const lab_graph *graph, weft_error *error);
/* NAME.features: an id and its numbers a line; values is count x dimension. */
weft_status lab_set_features(lab_set *set, const lab_side *side, int64_t dimension, const double *values,
                             weft_error *error);

/* Gives the files their names and says what they are. */
weft_status lab_set_commit(lab_set *set, FILE *report, weft_error *error);
/* A line with a command, blanks before it, in which %1, %2, ... stand for the files in the
 * order in which they were added, as a shell and a SPEC want them. */
void lab_set_command(const lab_set *set, FILE *report, const char *command);

/* ---- What a recipe may ask for ---- */

/* Vertices of a graph, which is dense while it is made, and ids otherwise. */
enum { LAB_MOST_VERTICES = 10000, LAB_MOST_IDS = 1000000 };
/* Trials, blocks, and numbers of the points of a side. */
enum { LAB_MOST_LINES = 20000000 };

/* WEFT_ARGUMENT, naming the option: less ids than classes or 2, more than `most`, or more
 * trials or blocks than memory should be spent on. */
weft_status lab_recipe_check(const lab_recipe *recipe, int64_t most, weft_error *error);
weft_status lab_recipe_count(const char *option, int64_t found, int64_t least, int64_t most,
                             weft_error *error);

/* The recipe with its own choices filled in. */
typedef struct lab_usual {
    int64_t rows, columns, row_classes, column_classes;
    double label_noise, graph_noise;
} lab_usual;

lab_recipe lab_recipe_fill(const lab_recipe *recipe, const lab_usual *usual);

/* Every pair once, or recipe->trials of them drawn. */
lab_stream lab_recipe_stream(const lab_recipe *recipe, const lab_blocks *blocks, lab_random *random);

/* ---- The generators ---- */

weft_status lab_make_biclustered(const lab_recipe *recipe, FILE *report, weft_error *error);
weft_status lab_make_community(const lab_recipe *recipe, FILE *report, weft_error *error);
weft_status lab_make_boxes(const lab_recipe *recipe, FILE *report, weft_error *error);
weft_status lab_make_adversary(const lab_recipe *recipe, FILE *report, weft_error *error);
weft_status lab_make_drift(const lab_recipe *recipe, FILE *report, weft_error *error);
weft_status lab_make_growing(const lab_recipe *recipe, FILE *report, weft_error *error);
weft_status lab_make_context(const lab_recipe *recipe, FILE *report, weft_error *error);
weft_status lab_make_positives(const lab_recipe *recipe, FILE *report, weft_error *error);

#endif
