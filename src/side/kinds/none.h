/* SPDX-License-Identifier: MIT
 * What K = I answers, for the kinds whose ids are similar to nothing. */
#ifndef WEFT_SIDE_KINDS_NONE_H
#define WEFT_SIDE_KINDS_NONE_H

#include "side/side.h"

double weft__none_entry(const weft_side *side, int64_t i, int64_t j, double *work);
double weft__none_diagonal(const weft_side *side, int64_t i);
double weft__none_product(const weft_side *side, const int64_t *ids, int64_t count, const double *x,
                          double *y, double *work);
void weft__none_release(weft_side *side);

/* Whether K = I: nothing is known of its ids, or nothing but edges. */
bool weft__side_is_identity(const weft_side *side);

#endif
