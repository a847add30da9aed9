/* SPDX-License-Identifier: MIT
 * The error curves of the paper's appendix. */
#include "lab/report/picture.h"
#include "lab/table1/table1.h"
#include "program/new.h"

#include <stdlib.h>

/* Ours of one noise level with its uncertainty, and the paper's. */
typedef struct pair_of_curves {
    char *name;
    double *x, *y, *low, *high;
    double *paper_x, *paper_y;
    int64_t paper;
} pair_of_curves;

static pair_of_curves gather(const lab_sweep *grid, const lab_cell *cells, int variant, int noise)
{
    int64_t count = grid->dimension_count;
    pair_of_curves pair = {.name = new_text("β = %g", grid->noise[noise])};
    double **arrays[] = {&pair.x, &pair.y, &pair.low, &pair.high, &pair.paper_x, &pair.paper_y};
    for (int k = 0; k < 6; k++)
        *arrays[k] = new_array(count, sizeof(double));
    for (int d = 0; d < count; d++) {
        const lab_cell *cell = lab_sweep_cell(grid, cells, variant, d, noise);
        pair.x[d] = (double)cell->n;
        pair.y[d] = cell->rate.mean;
        pair.low[d] = cell->rate.mean - 2 * cell->rate.error;
        pair.high[d] = cell->rate.mean + 2 * cell->rate.error;
        if (cell->paper < 0)
            continue;
        pair.paper_x[pair.paper] = (double)cell->n;
        pair.paper_y[pair.paper++] = cell->paper;
    }
    return pair;
}

static void release(pair_of_curves *pair)
{
    free(pair->name);
    free(pair->x);
    free(pair->y);
    free(pair->low);
    free(pair->high);
    free(pair->paper_x);
    free(pair->paper_y);
}

/* The curves of all noise levels, then the paper's points in their colours. */
static int lay_curves(const pair_of_curves *pairs, int count, int64_t points, figure_curve *curves)
{
    int drawn = count;
    for (int b = 0; b < count; b++) {
        const pair_of_curves *p = &pairs[b];
        curves[b] = (figure_curve){
            .name = p->name, .x = p->x, .y = p->y, .count = points, .low = p->low, .high = p->high};
        if (p->paper > 0)
            curves[drawn++] = (figure_curve){
                .like = b + 1, .x = p->paper_x, .y = p->paper_y, .count = p->paper, .points = true};
    }
    return drawn;
}

weft_status lab_table1_draw(const lab_sweep *grid, const lab_cell *cells, int variant, const char *stem,
                            weft_error *error)
{
    enum { MOST_CURVES = 2 * LAB_PAPER_NOISE };
    int shown = grid->noise_count < MOST_CURVES ? grid->noise_count : MOST_CURVES;
    pair_of_curves *pairs = new_array(shown, sizeof *pairs);
    figure_curve *curves = new_array(2 * (int64_t)shown, sizeof *curves);
    char *title =
        new_text("Predicting a noisy (9,9)-biclustered matrix, protocol %s", grid->variants[variant].name);
    for (int b = 0; b < shown; b++)
        pairs[b] = gather(grid, cells, variant, b);
    figure_chart chart = {.title = title,
                          .note = "Curves: weft, bars of two standard errors.  Rings: the paper's table.",
                          .x = {.name = "matrix dimension n"},
                          .y = {.name = "mistakes a trial"},
                          .curves = curves,
                          .count = lay_curves(pairs, shown, grid->dimension_count, curves)};
    weft_status status = lab_picture_chart(stem, &chart, error);
    for (int b = 0; b < shown; b++)
        release(&pairs[b]);
    free(pairs);
    free(curves);
    free(title);
    return status;
}
