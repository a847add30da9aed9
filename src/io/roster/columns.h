/* SPDX-License-Identifier: MIT
 * A table as it stands in its file, column by column, and what is made of every column. */
#ifndef WEFT_IO_ROSTER_COLUMNS_H
#define WEFT_IO_ROSTER_COLUMNS_H

#include "io/text/text.h"
#include "side/kinds/table.h"
#include "weft_files.h"

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
} weft__column;

/* Invariant: arrays that are there have `capacity` elements, the first `rows` of them filled. */
typedef struct weft__columns {
    weft_memory memory;
    weft__column *list;
    int64_t count;
    int64_t rows, capacity;
} weft__columns;

/* Reads a table with a header, of which the id column is the one that is called `id` (NULL: the first), from
 * the record to come on.  On failure *columns is still to be freed. */
weft_status weft__columns_read(weft__text *text, const char *id, const weft__input *input, weft_ids *ids,
                               weft__columns *columns, weft_error *error);
/* The same of numbers alone, `rows` x `count`, which have no names. */
weft_status weft__columns_from_values(const double *values, int64_t rows, int64_t count,
                                      const weft_memory *memory, weft__columns *columns, weft_error *error);

/* Room for words in a column that has had none. */
weft_status weft__column_begin_words(const weft__columns *columns, weft__column *column, weft_error *error);

/* Whether numbers are so many, or the other words so surely none, that words count as empty. */
bool weft__column_is_of_numbers(const weft__columns *columns, const weft__column *column);
/* Notes, of a column of words, where nearly all are numbers but for their commas: few would expect that. */
weft_status weft__column_note_commas(const weft__columns *columns, weft__column *column, weft_error *error);

/* Decides what every column is, fills in its facts, and makes of those that say something what a side is made
 * of; WEFT_INPUT where none does.  The cells are gone afterwards, the facts stay. */
weft_status weft__columns_settle(weft__columns *columns, const char *path, weft__facts_table *table,
                                 weft_error *error);
void weft__columns_free(weft__columns *columns);

#endif
