/* SPDX-License-Identifier: MIT
 * The fitted powers and the pictures of `bounds`. */
#ifndef WEFT_LAB_BOUNDS_FIGURES_H
#define WEFT_LAB_BOUNDS_FIGURES_H

#include "lab/bounds/bounds.h"
#include "lab/report/page.h"

/* Fits are repeated without the cells of few classes, to see whether there is one power at all. */
enum { BOUNDS_CUTOFFS = 9, BOUNDS_FEWEST_CELLS = 4 };

/* Realizable mistakes of the cells with at least that many classes on either side. */
typedef struct bounds_cutoff {
    int64_t cells;
    lab_power blocks; /* over k l */
    lab_power scale;  /* over D/gamma^2, which the bound is made of */
} bounds_cutoff;

typedef struct bounds_fits {
    lab_power horizon;             /* expected mistakes over T, margin updates, no noise, all n */
    lab_power one_set[LAB_IDEALS]; /* mistakes over k */
    /* [least] for least = 2, ... classes; of fewer than BOUNDS_FEWEST_CELLS cells nothing. */
    bounds_cutoff growth[LAB_IDEALS][BOUNDS_CUTOFFS + 1];
    int64_t last; /* the largest of them that is there */
} bounds_fits;

bounds_fits bounds_fit(const bounds_results *results);
weft_status bounds_draw_horizons(const bounds_results *results, lab_page *page, weft_error *error);
weft_status bounds_draw_growth(const bounds_results *results, const bounds_fits *fitted, lab_page *page,
                               weft_error *error);

#endif
