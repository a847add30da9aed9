/* SPDX-License-Identifier: MIT
 * The experiment of the paper's appendix (lab/problem/protocol.h, as its text describes it), with
 * graphs of noise beta = 0.125; decisions only. */
#ifndef WEFT_BENCH_EXPERIMENT_H
#define WEFT_BENCH_EXPERIMENT_H

#include "lab/problem/protocol.h"
#include "measure.h"

enum { CLASSES = LAB_CLASSES };

static const double LABEL_NOISE = 0.10, GRAPH_NOISE = 0.125;

typedef struct experiment {
    int64_t n, trials; /* n^2 of them */
    lab_instance instance;
} experiment;

static inline experiment experiment_create(int64_t n, uint64_t seed)
{
    weft_error error;
    lab_run run = {.protocol = lab_protocol_of(LAB_TEXT), .n = n, .beta = GRAPH_NOISE, .seed = seed};
    experiment e = {.n = n, .trials = n * n, .instance = lab_instance_draw(&run)};
    require(lab_instance_settle(&run, &e.instance, &error), &error);
    e.instance.settings.tolerance = 0; /* decisions only */
    return e;
}

static inline void experiment_free(experiment *e)
{
    lab_instance_free(&e->instance);
}

static inline weft_player *experiment_learner(const experiment *e, weft_engine engine)
{
    weft_error error;
    weft_player *learner = NULL;
    weft_settings settings = e->instance.settings;
    settings.engine = engine;
    require(weft_learner_create(e->instance.rows, e->instance.columns, &settings, NULL, &learner, &error),
            &error);
    return learner;
}

/* Predict, then learn: one trial. */
static inline weft_answer play(weft_player *learner, const lab_trial *t)
{
    weft_error error;
    weft_answer prediction;
    weft_answer outcome;
    require(weft_player_predict(learner, t->row, t->column, &prediction, &error), &error);
    require(weft_player_learn(learner, t->row, t->column, t->label, &outcome, &error), &error);
    return outcome;
}

#endif
