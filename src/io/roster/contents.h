/* SPDX-License-Identifier: MIT
 * What a file of side information says, as arrays over the ids it lists. */
#ifndef WEFT_IO_ROSTER_CONTENTS_H
#define WEFT_IO_ROSTER_CONTENTS_H

#include "io/roster/columns.h"
#include "io/roster/spec.h"
#include "io/text/text.h"
#include "linalg/eigen.h"
#include "weft_files.h"

/* Which arrays are used depends on the kind; the others are NULL. */
typedef struct weft__contents {
    int64_t *class_of; /* classes: by id */
    int64_t classes;   /* distinct ones */
    weft_ids *class_names;
    double *values;     /* features: id by id; kernel, matrix: row by row */
    int64_t dimension;  /* values of an id */
    int64_t *from, *to; /* graph: edge by edge */
    double *weight;
    int64_t *line; /* where the edge stands */
    int64_t edges;
    weft__columns columns;   /* table: what was made of each, and */
    weft__facts_table table; /* what they say */
    int64_t clipped;         /* numbers beyond the scales of the first rows, of the latest */
    int64_t capacity;        /* elements allocated, of each array in use */
} weft__contents;

/* Reads the file of `spec` (not none) and adds its ids to `ids`, which is
 * empty, in the order of the file.  On failure *contents is still to be freed. */
weft_status weft__contents_read(const weft__spec *spec, const weft__input *input, weft_ids *ids,
                                weft__contents *contents, weft_error *error);
/* Makes of a table what a side is made of, once all of its `count` rows are there and stand in the order in
 * which they came; nothing for other kinds. */
weft_status weft__contents_settle(weft__contents *contents, const weft__spec *spec, weft__seniority rows,
                                  int64_t count, const weft_memory *memory, weft_error *error);
void weft__contents_free(weft__contents *contents, const weft_memory *memory);

/* The number of the id in a field, added where it is new: not empty, within the
 * limit of the options. */
weft_status weft__contents_id(const weft__text *text, int64_t field, const weft__input *input, weft_ids *ids,
                              int64_t *number, weft_error *error);
/* The same for an id that must be new. */
weft_status weft__contents_new_id(const weft__text *text, int64_t field, const weft__input *input,
                                  weft_ids *ids, int64_t *number, weft_error *error);

/* Makes room for `needed` elements of *array. */
weft_status weft__contents_reserve(const weft_memory *memory, void *array, size_t size, int64_t needed,
                                   int64_t *capacity, weft_error *error);

/* One more edge, which stands in the current record. */
weft_status weft__contents_edge(const weft__text *text, weft__contents *contents, int64_t from, int64_t to,
                                double weight, weft_error *error);

/* Whether the first line of classes or edges seems to be a header: it has usual names for fields. */
bool weft__contents_have_header(const weft__contents *contents, const weft_ids *ids);

/* Features in libsvm's way: whether the current record, the first, is of that
 * kind, and all of them. */
bool weft__is_sparse(const weft__text *text);
weft_status weft__sparse_read(weft__text *text, const weft__spec *spec, const weft__input *input,
                              weft_ids *ids, weft__contents *contents, weft_error *error);

/* A square table with ids in its first row and column. */
weft_status weft__square_read(weft__text *text, const weft__input *input, weft_ids *ids,
                              weft__contents *contents, weft_error *error);

/* Makes the matrix, whose rows follow each other, symmetric and, by clip (negative eigenvalues become 0)
 * or shift (the least one is taken off the diagonal), semidefinite.  On failure it is as it was. */
weft_status weft__kernel_repair(weft__symmetric given, weft__repair how, const weft_memory *memory,
                                weft_roster_facts *facts, weft_error *error);

#endif
