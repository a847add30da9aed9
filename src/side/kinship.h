/* SPDX-License-Identifier: MIT
 * How alike two ids are: the kernel without its constant part, to unit length. */
#ifndef WEFT_SIDE_KINSHIP_H
#define WEFT_SIDE_KINSHIP_H

#include "side/side.h"

/* 1 / sqrt(K(i,i) - constant), or 0 where that is no positive number: such an id is
 * like nothing but itself. */
double weft__kinship_scale(const weft_side *side, int64_t i);

/* u(i,k) = (K(i,k) - constant) scale_i scale_k, within [-1, 1], from K(i,k) and the
 * two scales; 1 for i = k, and 0 for i != k where K(i,k) = 0. */
double weft__kinship(const weft_side *side, double entry, double scale_i, double scale_k);

#endif
