/* SPDX-License-Identifier: MIT
 * How alike two ids are: the kernel without its constant part, to unit length. */
#ifndef WEFT_SIDE_LEARNT_SIMILARITY_H
#define WEFT_SIDE_LEARNT_SIMILARITY_H

#include "side/side.h"

/* 1 / sqrt(K(i,i) - constant), or 0 where that is no positive number: such an id is
 * like nothing but itself. */
double weft__similarity_scale(const weft_side *side, int64_t i);

/* u(i,k) = (K(i,k) - constant) scale_i scale_k, within [-1, 1], from K(i,k) and the
 * two scales; 1 for i = k, and 0 for i != k where K(i,k) = 0. */
double weft__similarity(const weft_side *side, double entry, double scale_i, double scale_k);

/* u[k] is K(i,k) and becomes u(i,k), for i with scale_i and ids with scale[k]. */
void weft__similarities(const weft_side *side, double scale_i, const double *scale, int64_t count, double *u);

#endif
