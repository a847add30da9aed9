/* SPDX-License-Identifier: MIT
 * Side information of ids that are numbered otherwise. */
#ifndef WEFT_SIDE_KINDS_PLACED_H
#define WEFT_SIDE_KINDS_PLACED_H

#include "side/side.h"

/* Where the ids of another side stand. */
typedef struct weft__placing {
    int64_t count;         /* ids that it lists, */
    const int64_t *number; /* and what number each of them has here: distinct */
    double radius;         /* R here; ids whose K(i,i) is larger are shortened to it */
} weft__placing;

/* K(i,j) of a side whose id k is number[k] here; numbers below the largest of these that are nobody's, and
 * all that are appended, are alone.  With R below that of `inner` K(i,j) is multiplied by s_i s_j, where s_i
 * brings K(i,i) to R: this is not for kernels with a constant part.  *shortened such ids were found.
 * Takes over *inner, which is NULL afterwards, also where it fails; `side` may be the same pointer. */
weft_status weft__side_place(weft_side **inner, const weft__placing *placing, weft_side **side,
                             int64_t *shortened, weft_error *error);

/* Classes of such a side have other numbers from now on: class_number[c] where it is c in `inner`. */
weft_status weft__side_rename_classes(weft_side *side, const int64_t *class_number, weft_error *error);

#endif
