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
#include "program/new.h"
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

/* The label is the opposite of the prediction, and from then on that of its block. */
static weft_status contradict(void *user, int64_t t, lab_trial *trial, weft_error *error)
{
    game *g = user;
    lab_blocks *b = &g->blocks;
    weft_answer prediction;
    weft_status status = weft_player_predict(g->learner, trial->row, trial->column, &prediction, error);
    (void)t;
    if (status != WEFT_OK)
        return status;
    trial->label = -prediction.label;
    b->block[b->row_class[trial->row] * b->l + b->column_class[trial->column]] = (signed char)trial->label;
    return WEFT_OK;
}

static weft_status force(game *g, weft_error *error)
{
    const lab_blocks *b = &g->blocks;
    const lab_hooks hooks = {.user = g, .before = contradict};
    lab_random random = random_of(g->run, "tightness adversary");
    lab_stream stream = {.count = b->k * b->l};
    int64_t *order = lab_permutation(&random, stream.count);
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    for (int64_t s = 0; s < stream.count; s++) {
        stream.trials[s].row = member(b->row_class, b->rows, order[s] / b->l, &random);
        stream.trials[s].column = member(b->column_class, b->columns, order[s] % b->l, &random);
    }
    weft_status status =
        lab_play_trials(g->learner, &stream, 0, stream.count, &hooks, &g->uncertified, error);
    lab_stream_free(&stream);
    free(order);
    return status;
}

static weft_status play_on(game *g, weft_error *error)
{
    enum { PASSES = 2 };
    lab_random random = random_of(g->run, "tightness stream");
    lab_stream stream =
        lab_stream_drawn(&g->blocks, PASSES * g->blocks.rows * g->blocks.columns, 0, false, &random);
    weft_status status = lab_play_trials(g->learner, &stream, 0, stream.count, NULL, &g->uncertified, error);
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
