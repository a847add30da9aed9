/* SPDX-License-Identifier: MIT
 * Order statistics without sorting. */
#ifndef WEFT_BASE_SELECT_H
#define WEFT_BASE_SELECT_H

#include <stdint.h>

/* The number that would be at `place`, from 0, if x were sorted; x comes in another order.  0 <= place <
 * count, and no element is NAN.  O(count) on average. */
double weft__select(double *x, int64_t count, int64_t place);

#endif
