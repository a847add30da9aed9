/* SPDX-License-Identifier: MIT
 *
 * Method     A biclustered matrix, side information that knows its classes exactly, and the
 *            learner tuned as the statement in question says; then its mistakes beside the
 *            promise of that statement, all of whose conditions weft_theory_judge checks.
 * Algorithm  draw, measure, tune, play, judge.
 * Cost       The trials of the run; a clique star O(n^3) once.
 * Reference  Herbster, Pasteris and Tse, Online Matrix Completion with Side Information: thm:base,
 *            thm:base_bef_alg, theorem1part1, lem:base, thm:bndpdim.
 */
#include "lab/bounds/bounds.h"

#include "lab/problem/play.h"
#include "lab/problem/problem.h"
#include "program/fail.h"
#include "weft_theory.h"

#include <math.h>

typedef struct setting {
    lab_blocks blocks;
    lab_stream stream;
    weft_side *rows, *columns; /* one set: columns is NULL */
    weft_measure measure;
    weft_settings settings;
} setting;

static void setting_free(setting *s)
{
    lab_blocks_free(&s->blocks);
    lab_stream_free(&s->stream);
    weft_side_free(s->rows);
    weft_side_free(s->columns);
}

/* The matrix does not depend on T, on the side information or on the statement: what is compared
 * differs in nothing else. */
static void draw(const bounds_run *run, setting *s)
{
    const bounds_cell *cell = &run->cell;
    int64_t shape = (cell->n * 100 + cell->k) * 100 + cell->l;
    lab_random matrix = lab_random_begin(run->seed, "bounds matrix", shape, run->number);
    lab_random order = lab_random_begin(run->seed, "bounds stream", shape, run->number);
    bool one_set = cell->part == BOUNDS_ONE_SET;
    s->blocks = lab_blocks_draw(cell->n, cell->n, cell->k, cell->l, LAB_EQUAL, &matrix);
    if (one_set) {
        lab_blocks community = lab_blocks_community(cell->n, cell->k, s->blocks.row_class);
        lab_blocks_free(&s->blocks);
        s->blocks = community;
    }
    s->stream = lab_stream_drawn(&s->blocks, cell->trials, cell->noise, one_set, &order);
}

static weft_status make_sides(const bounds_cell *cell, setting *s, weft_error *error)
{
    weft_status status = WEFT_OK;
    const lab_blocks *b = &s->blocks;
    TRY(lab_ideal_side(cell->ideal, cell->n, cell->k, b->row_class, &s->rows, error));
    if (cell->part != BOUNDS_ONE_SET)
        TRY(lab_ideal_side(cell->ideal, cell->n, cell->l, b->column_class, &s->columns, error));
done:
    return status;
}

/* What is 0 here is chosen by theory: D_circ, the largest valid margin, and the rate of the
 * statement. */
static weft_status tune(const bounds_run *run, setting *s, weft_error *error)
{
    const bounds_cell *cell = &run->cell;
    bool mistakes = cell->statement == BOUNDS_REALIZABLE || cell->statement == BOUNDS_ESTIMATE;
    lab_random coins = lab_random_begin(run->seed, "bounds coins", cell->trials, run->number);
    weft_truth truth = {.row_class = s->blocks.row_class, .column_class = s->blocks.column_class};
    s->settings = (weft_settings){
        .form = cell->part == BOUNDS_ONE_SET ? WEFT_ONE_SET : WEFT_PAPER,
        .updates = mistakes ? WEFT_MISTAKE_UPDATES : WEFT_MARGIN_UPDATES,
        .dimension = cell->statement == BOUNDS_ESTIMATE ? 1 : 0,
        .tolerance = cell->statement == BOUNDS_REGRET ? 0.02 : 0,
        .seed = lab_draw(&coins),
        .deterministic = cell->statement == BOUNDS_HINGE,
    };
    weft_status status = weft_theory_measure(s->rows, s->columns, &truth, &s->settings, &s->measure, error);
    if (status == WEFT_OK)
        weft_theory_tune(&s->measure, cell->trials, &s->settings, NULL);
    return status;
}

/* The errors of the best matrix with these blocks, which may be fewer than the labels that were
 * turned over. */
static weft_status count_errors(const setting *s, int64_t *errors, weft_error *error)
{
    const lab_blocks *b = &s->blocks;
    weft_comparator *comparator = NULL;
    weft_status status = WEFT_OK;
    TRY(weft_comparator_create(b->k, b->l, NULL, &comparator, error));
    for (int64_t t = 0; t < s->stream.count; t++) {
        const lab_trial *trial = &s->stream.trials[t];
        TRY(weft_comparator_add(comparator, b->row_class[trial->row], b->column_class[trial->column],
                                trial->label, error));
    }
    *errors = weft_comparator_errors(comparator, s->settings.form == WEFT_ONE_SET);
done:
    weft_comparator_free(comparator);
    return status;
}

static double or_none(double bound)
{
    return isfinite(bound) ? bound : -1;
}

static void judge(const setting *s, int64_t errors, const lab_score *score, double *answer)
{
    weft_course course = {.horizon = s->stream.count, .trials = s->stream.count, .errors = errors};
    weft_scale scale = {s->settings.dimension, s->settings.gamma, s->measure.size, s->stream.count};
    answer[BOUNDS_MISTAKES] = (double)score->counters.mistakes;
    answer[BOUNDS_EXPECTED] = score->counters.expected_mistakes;
    answer[BOUNDS_ERRORS] = (double)errors;
    answer[BOUNDS_DIMENSION] = s->measure.dimension;
    answer[BOUNDS_GAMMA] = s->settings.gamma;
    answer[BOUNDS_BOUND] = or_none(weft_theory_judge(&s->measure, &s->settings, &course).value);
    answer[BOUNDS_PLAIN] = (double)errors + weft_theory_regret(scale);
    answer[BOUNDS_UNCERTIFIED] = (double)score->uncertified;
}

weft_status bounds_play(const void *given, double *answer, weft_error *error)
{
    const bounds_run *run = given;
    setting s = {0};
    lab_score score;
    int64_t errors = 0;
    weft_status status = WEFT_OK;
    draw(run, &s);
    TRY(make_sides(&run->cell, &s, error));
    TRY(tune(run, &s, error));
    TRY(count_errors(&s, &errors, error));
    TRY(lab_play(s.rows, s.columns, &s.settings, &s.stream, &score, error));
    judge(&s, errors, &score, answer);
done:
    setting_free(&s);
    return status;
}
