/* SPDX-License-Identifier: MIT
 *
 * Method     The adversary visits one entry of each of the k l blocks, in random order, and answers the
 *            opposite of the prediction, which with mistake updates is deterministic.  Whatever the
 *            learner, that is k l mistakes; and whatever the answers, one label a block is a
 *            (k,l)-biclustered matrix.  From then on the matrix tells the truth.
 * Algorithm  predict, answer, learn k l times; then every entry about twice, in random order.
 * Cost       k l + 2 n^2 trials; a clique star O(n^3) once.
 * Reference  Herbster, Pasteris and Tse, section 4.1: "force a mistake for each of the k l entries".
 */
#include "lab/tightness/tightness.h"

#include "lab/problem/play.h"
#include "lab/problem/problem.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "weft_theory.h"

#include <stdlib.h>

typedef struct game {
    const tightness_run *run;
    lab_blocks blocks;
    weft_side *rows, *columns;
    weft_settings settings;
    weft_measure measure;
    weft_player *learner;
    int64_t uncertified;
} game;

static void game_free(game *g)
{
    weft_player_free(g->learner);
    weft_side_free(g->rows);
    weft_side_free(g->columns);
    lab_blocks_free(&g->blocks);
}

static lab_random random_of(const tightness_run *run, const char *purpose)
{
    const tightness_cell *cell = &run->cell;
    return lab_random_begin(run->seed, purpose, (cell->n * 100 + cell->k) * 100 + cell->l, run->number);
}

static weft_status begin(const tightness_run *run, game *g, weft_error *error)
{
    const tightness_cell *cell = &run->cell;
    lab_random matrix = random_of(run, "tightness matrix");
    weft_status status = WEFT_OK;
    *g = (game){.run = run, .settings = {.updates = WEFT_MISTAKE_UPDATES, .seed = run->seed}};
    g->blocks = lab_blocks_draw(cell->n, cell->n, cell->k, cell->l, LAB_EQUAL, &matrix);
    weft_truth truth = {.row_class = g->blocks.row_class, .column_class = g->blocks.column_class};
    TRY(lab_ideal_side(cell->ideal, cell->n, cell->k, truth.row_class, &g->rows, error));
    TRY(lab_ideal_side(cell->ideal, cell->n, cell->l, truth.column_class, &g->columns, error));
    TRY(weft_theory_measure(g->rows, g->columns, &truth, &g->settings, &g->measure, error));
    weft_theory_tune(&g->measure, 1, &g->settings, NULL);
    TRY(weft_learner_create(g->rows, g->columns, &g->settings, NULL, &g->learner, error));
done:
    return status;
}

/* Any id of that class. */
static int64_t member(const int64_t *class_of, int64_t count, int64_t wanted, lab_random *random)
{
    for (;;) {
        int64_t i = lab_below(random, count);
        if (class_of[i] == wanted)
            return i;
    }
}

static weft_status learn(game *g, lab_trial trial, weft_error *error)
{
    weft_answer outcome;
    weft_status status = WEFT_OK;
    TRY(weft_player_learn(g->learner, trial.row, trial.column, trial.label, &outcome, error));
    g->uncertified += !outcome.certified;
    if (interrupt_came())
        status = fail(error, WEFT_FILE, "interrupted");
done:
    return status;
}

static weft_status force(game *g, weft_error *error)
{
    lab_blocks *b = &g->blocks;
    lab_random random = random_of(g->run, "tightness adversary");
    int64_t *order = lab_permutation(&random, b->k * b->l);
    weft_status status = WEFT_OK;
    for (int64_t s = 0; s < b->k * b->l; s++) {
        int64_t row = member(b->row_class, b->rows, order[s] / b->l, &random);
        int64_t column = member(b->column_class, b->columns, order[s] % b->l, &random);
        weft_answer prediction;
        TRY(weft_player_predict(g->learner, row, column, &prediction, error));
        b->block[order[s]] = (signed char)-prediction.label;
        TRY(learn(g, (lab_trial){row, column, -prediction.label}, error));
    }
done:
    free(order);
    return status;
}

static weft_status play_on(game *g, weft_error *error)
{
    enum { PASSES = 2 };
    lab_random random = random_of(g->run, "tightness stream");
    lab_stream stream =
        lab_stream_drawn(&g->blocks, PASSES * g->blocks.rows * g->blocks.columns, 0, false, &random);
    weft_status status = WEFT_OK;
    for (int64_t t = 0; t < stream.count; t++)
        TRY(learn(g, stream.trials[t], error));
done:
    lab_stream_free(&stream);
    return status;
}

weft_status tightness_play(const void *given, double *answer, weft_error *error)
{
    game g;
    weft_status status = WEFT_OK;
    TRY(begin(given, &g, error));
    TRY(force(&g, error));
    answer[TIGHTNESS_FORCED] = (double)weft_player_counters(g.learner).mistakes;
    TRY(play_on(&g, error));
    weft_counters counters = weft_player_counters(g.learner);
    weft_course course = {.horizon = counters.trials, .trials = counters.trials};
    answer[TIGHTNESS_TOTAL] = (double)counters.mistakes;
    answer[TIGHTNESS_DIMENSION] = g.measure.dimension;
    answer[TIGHTNESS_BOUND] = weft_theory_judge(&g.measure, &g.settings, &course).value;
    answer[TIGHTNESS_UNCERTIFIED] = (double)g.uncertified;
done:
    game_free(&g);
    return status;
}
