/* SPDX-License-Identifier: MIT
 * A table as it stands in its file, column by column, and what is made of every column. */
#ifndef WEFT_IO_ROSTER_COLUMNS_H
#define WEFT_IO_ROSTER_COLUMNS_H

#include "io/roster/spec.h"
#include "io/text/text.h"
#include "side/kinds/table.h"
#include "weft_files.h"

/* What words stand for: words of number k are counted at k + 1, empty cells at 0.  class_of is 1 and on, or 0
 * for a word that stands for nothing.  Invariant: arrays are NULL or have `count` elements, keys one a
 * row. */
typedef struct weft__word_counts {
    int64_t count;
    int64_t *times, *class_of;
    int64_t *keys;   /* of every row, before it was settled */
    int64_t settled; /* classes of the first rows; of the others number c has come as number */
    int64_t *came;   /* came[c - settled - 1], from 0, among those of all columns */
} weft__word_counts;

/* The cells of one column, of `rows` ids.  numbers[i] is NAN where cell i is no number, and numbers is NULL
 * as long as none was one; words[i] is the number of its word, or -1, and words is NULL as long as none was
 * one.  A cell that has neither is empty. */
typedef struct weft__column {
    weft_column facts;
    char *name; /* facts.name is this, or NULL */
    double *numbers;
    int32_t *words;
    weft_ids *spellings; /* of the words */
    char *example;       /* facts.example is this, or NULL */
    /* Once it is settled: */
    bool says_empty;         /* its empty cells are a word of their own */
    double middle, scale;    /* of numbers, in halves: z = (x / 2 - middle) / scale */
    int64_t cells[3];        /* numbers, words, empty, of all rows */
    weft__word_counts tally; /* of words, where rows are to come that were not there then */
} weft__column;

/* Invariant: arrays that are there have `capacity` elements, the first `rows` of them filled. */
typedef struct weft__columns {
    weft_memory memory;
    weft__column *list;
    int64_t count;
    int64_t rows, capacity;
    int64_t more;  /* rows beyond the first, by which columns are settled */
    int64_t later; /* classes of words that came with those */
} weft__columns;

/* Reads a table with a header, from the record to come on; the SPEC says which column has the ids, and which
 * are left out.  On failure *columns is still to be freed. */
weft_status weft__columns_read(weft__text *text, const weft__spec *spec, const weft__input *input,
                               weft_ids *ids, weft__columns *columns, weft_error *error);
/* The same of numbers alone, `rows` x `count`, which have no names. */
weft_status weft__columns_from_values(const double *values, int64_t rows, int64_t count,
                                      const weft_memory *memory, weft__columns *columns, weft_error *error);

/* Room for words in a column that has had none. */
weft_status weft__column_begin_words(const weft__columns *columns, weft__column *column, weft_error *error);

/* Whether numbers are so many, or the other words so surely none, that words count as empty. */
bool weft__column_is_of_numbers(const weft__columns *columns, const weft__column *column);
/* Notes, of a column of words, where nearly all are numbers but for their commas, or dates: few would expect
 * that. */
weft_status weft__column_note_spelling(const weft__columns *columns, weft__column *column, weft_error *error);

/* Which rows were there when the columns were settled, and which when a file was last read. */
typedef struct weft__seniority {
    int64_t first, before;
} weft__seniority;

/* Decides what every column is by the first rows, fills in its facts, and makes of those that say something
 * what a side is made of; WEFT_INPUT where none does.  Rows beyond are put in the terms of the first
 * (extend_columns.c); *clipped are their numbers that were cut off, of rows from `before` on.  The cells are
 * gone afterwards, the facts stay. */
weft_status weft__columns_settle(weft__columns *columns, const char *path, weft__seniority rows,
                                 weft__facts_table *table, int64_t *clipped, weft_error *error);

/* ---- Between the files that settle them ---- */

/* Frees what stands in its cells. */
void weft__column_drop_cells(weft__column *column, const weft_memory *memory);
/* Whether cell i says nothing. */
bool weft__column_is_gap(const weft__column *column, int64_t i);
/* z of a number, cut off; NAN for none. */
double weft__column_standardised(const weft__column *column, double number, bool *clipped);
/* Numbers among words are words, in rows from..to - 1. */
weft_status weft__column_spell(weft__columns *columns, weft__column *column, int64_t from, int64_t to,
                               weft_error *error);
/* Counts the cells of the first rows alone; and those of all rows again. */
void weft__columns_count_first(weft__columns *columns, int64_t rows);
void weft__columns_count_all(weft__columns *columns);
/* Rows from `first` on in the terms of those before. */
weft_status weft__columns_extend(weft__columns *columns, weft__seniority rows, int64_t *clipped,
                                 weft_error *error);
/* What the columns say, when all cells are settled. */
weft_status weft__columns_fill(const weft__columns *columns, weft__facts_table *made, weft_error *error);

void weft__columns_free(weft__columns *columns);

#endif
