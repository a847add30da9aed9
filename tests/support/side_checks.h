/* SPDX-License-Identifier: MIT
 * What the tests of all kinds of side information ask. */
#ifndef WEFT_TESTS_SIDE_CHECKS_H
#define WEFT_TESTS_SIDE_CHECKS_H

#include "weft_advanced.h"

/* entry, diagonal, column and product against the count x count kernel
 * `expected`: every entry within `tolerance` of it, entry = entry' = diagonal =
 * column to the bit, product = the explicit sum over random lists of ids. */
void assert_kernel(const weft_side *side, const double *expected, double tolerance);

/* The kernel as the side tells it, count x count; free() it. */
double *side_kernel(const weft_side *side);

/* `error` has this status and entry, and its message contains `words`. */
void assert_failure(const weft_error *error, weft_status status, int64_t i, int64_t j, const char *words);

/* A constructor to be run with every allocation failing in turn. */
typedef weft_status side_maker(const weft_side_options *options, weft_side **side, weft_error *error);

/* For every k: with allocation k refused the maker answers WEFT_MEMORY, leaves
 * its output alone and frees everything.  At least `least` allocations. */
void assert_maker_survives(side_maker *make, int64_t least);

/* The same for weft_side_append of `items` in a row on a fresh side: each may
 * fail at any allocation, changes nothing then, and succeeds when repeated. */
void assert_append_survives(side_maker *make, const weft_item *items, int64_t count);

#endif
