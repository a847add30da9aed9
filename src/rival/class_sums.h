/* SPDX-License-Identifier: MIT
 * The coefficients of a perceptron added up by class, where an id is like those of its class and like nobody
 * else: then a score needs a few sums, however many ids and pairs were learnt. */
#ifndef WEFT_RIVAL_CLASS_SUMS_H
#define WEFT_RIVAL_CLASS_SUMS_H

#include "rival/coefficients.h"
#include "side/side.h"

/* An id of one side: its slot, or -1; its class, or -1 where it is alone; and how alike two different ids of
 * that class are. */
typedef struct weft__classed {
    int64_t slot, class_of;
    double alike;
} weft__classed;

/* Of S, the coefficients by row slot and column slot (rival/perceptron.h): mixed[0] by row slot, added up
 * over the classes of the columns; mixed[1] by column slot over the classes of the rows; both over the
 * classes of both; of[k] the coefficients of a row (column) class.  One set: S is symmetric, of mixed and of
 * only the first is used, and all count S(s,t) and S(t,s).  All are sums of integers, so that their order
 * changes no bit. */
typedef struct weft__class_sums {
    weft_memory memory;
    bool one_set, pairs; /* pairs: whether S is wanted, or only the sums of its lines */
    weft__lines mixed[2], both;
    double *of[2];
    int64_t classes[2]; /* that `of` has room for */
} weft__class_sums;

/* Whether the ids of a side are in classes, or alone. */
bool weft__is_classed(const weft_side *side);

/* Id i of such a side, whose slot is given. */
weft__classed weft__classed_id(const weft_side *side, int64_t i, int64_t slot);

/* A zeroed struct with its memory set is all zero, and so is what is left of one that was freed. */
void weft__class_sums_free(weft__class_sums *sums);

/* Makes room for `count` more in the coefficient of a pair, whose slots are known, and adds it. */
weft_status weft__class_sums_reserve(weft__class_sums *sums, const weft__classed pair[2], weft_error *error);
void weft__class_sums_add(weft__class_sums *sums, const weft__classed pair[2], double count);

/* The same for the sum of the line of id k of a pair alone. */
weft_status weft__class_sums_put(weft__class_sums *sums, int k, weft__classed id, double sum,
                                 weft_error *error);

/* The sum of all coefficients in the lines of id k of a pair's class. */
double weft__class_sum(const weft__class_sums *sums, int k, weft__classed id);

/* z'Sw, where z and w are the similarities of a and b with the ids learnt; `lines` are those of S by rows. */
double weft__class_bilinear(const weft__class_sums *sums, const weft__lines *lines, weft__classed a,
                            weft__classed b);

#endif
