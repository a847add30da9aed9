/* SPDX-License-Identifier: MIT
 * Side information that knows the classes exactly, in the two ways of section 4.1. */
#ifndef WEFT_LAB_PROBLEM_IDEAL_H
#define WEFT_LAB_PROBLEM_IDEAL_H

#include "weft_advanced.h"

typedef enum lab_ideal {
    LAB_PARTITION, /* the partition kernel, epsilon = LAB_EPSILON */
    LAB_CLIQUES,   /* the PDLaplacian of one clique a class, joined as a star */
    LAB_IDEALS
} lab_ideal;

/* Small enough that its constants are those of epsilon = 0 to a per cent, large enough that no
 * computation sees a singular kernel. */
#define LAB_EPSILON 0.01

/* "partition kernel", "clique star" */
const char *lab_ideal_name(lab_ideal ideal);

/* class_of[i] in [0, k) for each of `count` ids. */
weft_status lab_ideal_side(lab_ideal ideal, int64_t count, int64_t k, const int64_t *class_of,
                           weft_side **side, weft_error *error);

#endif
