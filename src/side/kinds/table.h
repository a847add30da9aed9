/* SPDX-License-Identifier: MIT
 * A side of what a table says of its ids: standardised numbers, and words. */
#ifndef WEFT_SIDE_KINDS_TABLE_H
#define WEFT_SIDE_KINDS_TABLE_H

#include "side/side.h"

/* What is known of ids 0 to count - 1, row by row.  A number is 0 where nothing is known, a word is -1 where
 * it says nothing; else it is below word_kinds[column]. */
typedef struct weft__facts_table {
    int64_t count;
    int64_t numbers, words; /* columns of each */
    float *values;          /* count x numbers, finite */
    int32_t *word_of;       /* count x words */
    int64_t *word_kinds;    /* of every column of words */
    /* The trait of every word of the first column of words, then of the next; NULL: they are numbered in this
     * order, behind the numbers.  Words that came later keep the order in which they came. */
    int64_t *trait_of;
} weft__facts_table;

/* Numbers of a trait are below it. */
int64_t weft__facts_table_traits(const weft__facts_table *table);
/* Bytes of its arrays. */
double weft__facts_table_bytes(double count, double numbers, double words);
void weft__facts_table_free(weft__facts_table *table, const weft_memory *memory);

/* With f_i the numbers of id i, 1 for each of its words, and a constant 1,
 *
 *     width 0   K(i,j) = <f_i, f_j> / (|f_i| |f_j|)
 *     width w   K(i,j) = exp(-|f_i - f_j|^2 / (2 w^2))
 *
 * and R = 1.  Copies the table.  Without a width there are products, O(count (numbers + words)). */
weft_status weft__side_from_table(const weft__facts_table *table, double width,
                                  const weft_side_options *options, weft_side **side, weft_error *error);

/* |f_i - f_j|^2 of two ids of the table. */
double weft__facts_table_distance(const weft__facts_table *table, int64_t i, int64_t j);

/* The median of |f_i - f_j| over up to some thousand pairs, which follow from `count`; 0 where most ids are
 * alike. */
weft_status weft__facts_table_spread(const weft__facts_table *table, const weft_memory *memory,
                                     double *spread, weft_error *error);

#endif
