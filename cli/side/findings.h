/* SPDX-License-Identifier: MIT
 * What weft check has found, and how it is told. */
#ifndef WEFT_CLI_SIDE_FINDINGS_H
#define WEFT_CLI_SIDE_FINDINGS_H

#include "cli/input/source.h"
#include "weft_files.h"

typedef struct check_options {
    source_options from;
    bool json;
} check_options;

typedef struct told_pair {
    int64_t row, column;
    int label;
} told_pair;

/* What is known of one kind of side information beyond its roster. */
typedef struct side_finding {
    int64_t unused;    /* ids that the stream never names, */
    int64_t first;     /* of which this is the first */
    int64_t others;    /* ids of the stream that its file lacks, */
    const char *other; /* of which this is the first; NULL: there are none, or their names are not kept */
    bool spectrum;     /* the least eigenvalue was computed */
    double least;      /* and is this */
} side_finding;

/* Of a side, and of each of its kinds where there are several. */
typedef struct side_findings {
    side_finding all, part[WEFT_PARTS];
} side_findings;

/* With one set of ids `columns` is NULL and rows serve both. */
typedef struct findings {
    weft_stream *stream;
    weft_roster *rows, *columns;
    told_pair *pairs; /* one a line, sorted once they are counted */
    int64_t lines, capacity;
    int64_t labels[3]; /* lines with label -1, none, +1 */
    int64_t distinct;  /* pairs, */
    int64_t repeated;  /* lines that name one again, */
    int64_t disputed;  /* and pairs with both labels */
    side_findings row, column;
} findings;

/* The ids of a side, those whose names are hashed too. */
int64_t findings_ids(const weft_roster *roster);

/* Everything that needs all lines. */
weft_status findings_count(findings *found, weft_error *error);
/* On standard output, for people and for programs. */
weft_status findings_tell(const check_options *options, const findings *found, weft_error *error);
weft_status findings_json(const check_options *options, const findings *found, weft_error *error);
void findings_free(findings *found);

#endif
