/* SPDX-License-Identifier: MIT
 * Points in boxes in [-r,r]^d (section 5.1). */
#ifndef WEFT_LAB_PROBLEM_BOX_H
#define WEFT_LAB_PROBLEM_BOX_H

#include "lab/problem/random.h"
#include "weft.h"

/* k boxes that are at least `separation` apart in the maximum norm, neighbours exactly. */
typedef struct lab_boxes {
    int64_t k, dimension;
    double range;
    double separation;
    double *low, *high; /* k x dimension */
} lab_boxes;

/* The cube is cut into g^d cells, g the least number with g^d >= k; each box is a random
 * cell, all of the same size, less separation / 2 on every side.  WEFT_ARGUMENT where nothing
 * would be left: the message names the largest separation that fits. */
weft_status lab_boxes_draw(int64_t k, int64_t dimension, double range, double separation, lab_random *random,
                           lab_boxes *boxes, weft_error *error);
void lab_boxes_free(lab_boxes *boxes);

/* One uniform point of the box class_of[i] for each i: count x dimension, to be freed. */
double *lab_boxes_points(const lab_boxes *boxes, int64_t count, const int64_t *class_of, lab_random *random);

#endif
