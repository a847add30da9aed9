/* SPDX-License-Identifier: MIT
 * Matrices with latent blocks, and streams of their entries. */
#ifndef WEFT_LAB_PROBLEM_PROBLEM_H
#define WEFT_LAB_PROBLEM_PROBLEM_H

#include "lab/problem/random.h"

#include <stdbool.h>
#include <stdint.h>

/* How the classes of a side are drawn. */
typedef enum lab_sizes {
    LAB_SEEDED, /* vertex c < k has class c, the others any: none is empty */
    LAB_RESAMPLED /* all any, drawn anew until none is empty */,
    LAB_ANY,  /* all any: some may be empty */
    LAB_EQUAL /* sizes differ by at most one, in random order */
} lab_sizes;

/* U_ij = block[row_class[i] * l + column_class[j]], a (k,l)-biclustered matrix. */
typedef struct lab_blocks {
    int64_t rows, columns, k, l;
    int64_t *row_class, *column_class;
    signed char *block; /* k x l, -1 or +1 */
} lab_blocks;

int64_t *lab_classes(int64_t count, int64_t k, lab_sizes sizes, lab_random *random);
/* Classes and blocks at random. */
lab_blocks lab_blocks_draw(int64_t rows, int64_t columns, int64_t k, int64_t l, lab_sizes sizes,
                           lab_random *random);
/* Both sides have the same classes, which are taken over (copied): +1 iff they are equal. */
lab_blocks lab_blocks_community(int64_t count, int64_t k, const int64_t *class_of);
void lab_blocks_free(lab_blocks *blocks);
int lab_blocks_entry(const lab_blocks *blocks, int64_t row, int64_t column);

typedef struct lab_trial {
    int64_t row, column;
    int label;
} lab_trial;

typedef struct lab_stream {
    int64_t count;
    lab_trial *trials;
    int64_t turned; /* labels that are not those of the matrix: the comparator's errors */
} lab_stream;

/* Every entry once, in random order; a label is turned over with probability `noise`. */
lab_stream lab_stream_all(const lab_blocks *blocks, double noise, lab_random *random);
/* `count` entries drawn with replacement; `distinct`: never a row with itself. */
lab_stream lab_stream_drawn(const lab_blocks *blocks, int64_t count, double noise, bool distinct,
                            lab_random *random);
void lab_stream_free(lab_stream *stream);

#endif
