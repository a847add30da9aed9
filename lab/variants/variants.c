/* SPDX-License-Identifier: MIT
 * weft experiment variants: the choices of the appendix's protocol, turned one at a time.
 *
 * Method.  Every variant plays the same matrices and streams, as far as its choice lets
 * it, so that two variants are compared run by run: the standard error of what a rate or a
 * threshold moves is far below that of either rate (that of another way to draw classes is
 * not).  Variants are then measured against the paper's
 * values, in mean and root mean square over the cells that it has. */
#include "lab/variants/variants.h"

#include "lab/experiments.h"
#include "lab/report/frame.h"
#include "program/fail.h"
#include "program/new.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_RUNS = 10, QUICK_RUNS = 2 };

#define TEXT .sizes = LAB_SEEDED, .dimension = LAB_D_TEXT
#define AUTHORS .sizes = LAB_RESAMPLED, .drawn_edges = true, .star = true, .dimension = LAB_D_AUTHORS

/* The first is the one that the others are variants of. */
static const lab_variant variants[] = {
    {"text", {TEXT, .rate = 1}, "the text of the appendix, nothing changed"},
    {"other runs", {TEXT, .rate = 1, .other_runs = true}, "nothing but other draws: what chance moves"},
    {"equal classes",
     {.sizes = LAB_EQUAL, .dimension = LAB_D_TEXT, .rate = 1},
     "class sizes differ by at most one"},
    {"any classes", {.sizes = LAB_ANY, .dimension = LAB_D_TEXT, .rate = 1}, "some classes may be empty"},
    {"star", {TEXT, .star = true, .rate = 1}, "components are joined as one star, not by random edges"},
    {"drawn edges",
     {TEXT, .drawn_edges = true, .rate = 1},
     "edges are drawn with 1 - beta inside a class and beta across, not flipped"},
    {"authors", {AUTHORS, .rate = 1}, "the authors' program: resampled classes, drawn edges, star, their D"},
    {"authors' D",
     {.sizes = LAB_SEEDED, .dimension = LAB_D_AUTHORS, .rate = 1},
     "D as in the authors' program"},
    {"sharp D",
     {.sizes = LAB_SEEDED, .dimension = LAB_D_SHARP, .rate = 1},
     "the smallest D that can be proved"},
    {"D = m + n", {.sizes = LAB_SEEDED, .dimension = LAB_D_COUNT, .rate = 1}, "D as if nothing were known"},
    {"deterministic", {TEXT, .rate = 1, .deterministic = true}, "threshold 0 in place of a drawn one"},
    {"mistake updates",
     {TEXT, .rate = 1, .mistakes = true},
     "updates at mistakes only, eta = gamma, threshold 0 (the realizable algorithm)"},
    {"eta x 1.2", {TEXT, .rate = 1.2011224087864498}, "eta / sqrt(log 2): a logarithm of base 2 in eta"},
    {"eta x 1.41", {TEXT, .rate = 1.4142135623730951}, "eta = sqrt(D log(2n) / T): without its 2"},
    {"eta x 2", {TEXT, .rate = 2}, "twice the rate"},
    {"eta x 4", {TEXT, .rate = 4}, "four times the rate"},
    {"authors, eta x 1.41",
     {AUTHORS, .rate = 1.4142135623730951},
     "the authors' program with eta = sqrt(D log(2n) / T)"},
    {"eta x 1.41, deterministic",
     {TEXT, .rate = 1.4142135623730951, .deterministic = true},
     "without its 2, and threshold 0"},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static void choose_grid(const lab_request *request, lab_sweep *grid)
{
    static const int64_t usual[] = {40, 60, 100, 140, 200}, quick[] = {20, 40};
    grid->dimension_count = request->quick ? 2 : 5;
    memcpy(grid->dimensions, request->quick ? quick : usual,
           sizeof *grid->dimensions * (size_t)grid->dimension_count);
    if (request->dimension_count > 0) {
        grid->dimension_count = request->dimension_count;
        memcpy(grid->dimensions, request->dimensions, sizeof grid->dimensions);
    }
    grid->noise_count = LAB_PAPER_NOISE;
    memcpy(grid->noise, lab_paper_noise, sizeof *grid->noise * LAB_PAPER_NOISE);
    if (request->noise_count > 0) {
        grid->noise_count = request->noise_count;
        memcpy(grid->noise, request->noise, sizeof grid->noise);
    }
    grid->runs = request->runs > 0 ? request->runs : request->quick ? QUICK_RUNS : USUAL_RUNS;
}

static weft_status run(const lab_request *request, weft_error *error)
{
    lab_sweep grid = {
        .name = "variants", .variants = variants, .variant_count = VARIANTS, .seed = request->seed};
    lab_cell *cells = NULL;
    weft_status status = WEFT_OK;
    choose_grid(request, &grid);
    TRY(lab_sweep_play(&grid, request, &cells, error));
    TRY(lab_variants_report(&grid, cells, request, error));
done:
    free(cells);
    return status;
}

const lab_experiment lab_variants = {.name = "variants",
                                     .purpose = "which choice of table1's protocol moves its numbers",
                                     .gridded = true,
                                     .run = run};
