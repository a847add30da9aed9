/* SPDX-License-Identifier: MIT
 * What the side information of a roster will take, before it is made. */
#ifndef WEFT_IO_ROSTER_ESTIMATE_H
#define WEFT_IO_ROSTER_ESTIMATE_H

#include "io/roster/roster.h"
#include "learner/estimate.h"

/* While a side is made, and once it is. */
typedef struct weft__phases {
    weft__amount making, kept;
} weft__phases;

/* Of a roster whose side is to be made, with the views of a committee or without. */
weft__phases weft__roster_phases(const weft_roster *roster, bool views);

/* Whether its graph will have no kernel, with the views of a committee or without; whether it will have one
 * but no matrix; whether its features will be multiplied by. */
bool weft__roster_is_bare(const weft_roster *roster, bool views);
bool weft__roster_is_sparse(const weft_roster *roster, bool views);
bool weft__roster_is_linear(const weft_roster *roster);
/* Whether a table will have the views NARROW and WIDE. */
bool weft__roster_has_gaussians(const weft_roster *roster);
/* Its views that are columns of words. */
int64_t weft__roster_word_count(const weft_roster *roster);

/* What the arrays of its files take, which are freed when the side is made. */
double weft__roster_contents(const weft_roster *roster);

weft__amount weft__amount_sum(weft__amount a, weft__amount b);
weft__amount weft__amount_larger(weft__amount a, weft__amount b);

#endif
