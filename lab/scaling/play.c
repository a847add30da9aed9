/* SPDX-License-Identifier: MIT
 *
 * Method     The paper's experiment (text protocol).  The default engine plays the whole stream in as
 *            many portions as updates of the reference engine are wanted; after each portion the
 *            reference engine plays on until it has updated.  So both are timed
 *            under the same load of the machine.
 * Algorithm  The reference engine starts with the labels of a quarter of the stream as evidence: a
 *            matrix that hardly anything was added to is decomposed faster than one in use.
 * Cost       n^2 trials, and one O(n^3) decomposition for every update that is timed.
 * Reference  Herbster, Pasteris and Tse, Algorithm 1 and the experiment of the appendix.
 */
#include "lab/scaling/scaling.h"

#include "lab/problem/play.h"
#include "lab/problem/protocol.h"
#include "lab/runs/work.h"
#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>

/* ---- Samples ---- */

typedef struct sample {
    int64_t count, most;
    double *seconds;
} sample;

static sample sample_of(int64_t most)
{
    return (sample){.most = most, .seconds = new_array(most, sizeof(double))};
}

/* What comes after `most` is dropped. */
static void record(sample *s, double seconds)
{
    if (s->count < s->most)
        s->seconds[s->count++] = seconds;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which that share of a sample lies, between neighbours in proportion; 0 of nothing. */
static double quantile(sample *s, double share)
{
    if (s->count == 0)
        return 0;
    qsort(s->seconds, (size_t)s->count, sizeof *s->seconds, compare_seconds);
    double place = share * (double)(s->count - 1);
    int64_t k = (int64_t)place, next = k + 1 < s->count ? k + 1 : k;
    return s->seconds[k] + (place - (double)k) * (s->seconds[next] - s->seconds[k]);
}

/* ---- The two engines ---- */

/* A learner of the reference engine that knows the labels of the first quarter of the stream. */
static weft_status make_reference(const lab_instance *instance, weft_player **learner, weft_error *error)
{
    int64_t count = instance->stream.count / 4;
    weft_settings settings = instance->settings;
    weft_evidence_entry *entries = new_array(count, sizeof *entries);
    weft_player *made = NULL;
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < count; k++) {
        const lab_trial *trial = &instance->stream.trials[k];
        entries[k] = (weft_evidence_entry){trial->row, trial->column, trial->label};
    }
    settings.engine = WEFT_REFERENCE;
    TRY(weft_learner_create(instance->rows, instance->columns, &settings, NULL, &made, error));
    TRY(weft_player_add_evidence(made, entries, count, error));
    *learner = made;
    made = NULL;
done:
    weft_player_free(made);
    free(entries);
    return status;
}

/* The race at one size. */
typedef struct race {
    lab_instance instance;
    weft_player *krylov, *reference;
    int64_t next, next_reference; /* trials */
    double krylov_seconds;
    sample stretches, updates, idle;
} race;

static weft_status race_begin(const scaling_run *run, race *r, weft_error *error)
{
    lab_run paper = {
        .protocol = lab_protocol_of(LAB_TEXT), .n = run->n, .beta = run->beta, .seed = run->seed};
    weft_status status = WEFT_OK;
    *r = (race){.instance = lab_instance_draw(&paper)};
    r->stretches = sample_of(run->updates);
    r->updates = sample_of(run->updates);
    r->idle = sample_of(run->updates * 16);
    r->next_reference = r->instance.stream.count / 4;
    TRY(lab_instance_settle(&paper, &r->instance, error));
    TRY(weft_learner_create(r->instance.rows, r->instance.columns, &r->instance.settings, NULL, &r->krylov,
                            error));
    if (run->updates > 0)
        TRY(make_reference(&r->instance, &r->reference, error));
done:
    return status;
}

static void race_end(race *r)
{
    weft_player_free(r->krylov);
    weft_player_free(r->reference);
    lab_instance_free(&r->instance);
    free(r->stretches.seconds);
    free(r->updates.seconds);
    free(r->idle.seconds);
}

/* Trials up to `until`: one stretch. */
static weft_status run_krylov(race *r, int64_t until, weft_error *error)
{
    double start = lab_seconds();
    weft_status status = lab_play_trials(r->krylov, &r->instance.stream, r->next, until, NULL, NULL, error);
    double seconds = lab_seconds() - start;
    r->krylov_seconds += seconds;
    record(&r->stretches, seconds / (double)(until - r->next));
    r->next = until;
    return status;
}

static weft_status note_update(void *user, int64_t t, const lab_trial *trial, const weft_answer *answer,
                               weft_error *error)
{
    (void)t;
    (void)trial;
    (void)error;
    *(bool *)user = answer->updated;
    return WEFT_OK;
}

/* Trials up to and including one with an update; at the end of the stream from its middle again. */
static weft_status run_reference(race *r, weft_error *error)
{
    const lab_stream *stream = &r->instance.stream;
    bool updated = false;
    const lab_hooks hooks = {.user = &updated, .after = note_update};
    weft_status status = WEFT_OK;
    while (!updated) {
        int64_t t = r->next_reference;
        double start = lab_seconds();
        TRY(lab_play_trials(r->reference, stream, t, t + 1, &hooks, NULL, error));
        record(updated ? &r->updates : &r->idle, lab_seconds() - start);
        r->next_reference = t + 1 < stream->count ? t + 1 : stream->count / 2;
    }
done:
    return status;
}

static void summarise(race *r, double *answer)
{
    weft_counters counters = weft_player_counters(r->krylov);
    answer[SCALING_KRYLOV] = r->krylov_seconds / (double)counters.trials;
    answer[SCALING_UPDATE] = quantile(&r->updates, 0.5);
    answer[SCALING_IDLE] = quantile(&r->idle, 0.5);
    answer[SCALING_UPDATES] = (double)counters.updates / (double)counters.trials;
    answer[SCALING_PRODUCTS] = (double)counters.products / (double)counters.trials;
    answer[SCALING_KRYLOV_LOW] = quantile(&r->stretches, 0.25);
    answer[SCALING_KRYLOV_HIGH] = quantile(&r->stretches, 0.75);
    answer[SCALING_UPDATE_LOW] = quantile(&r->updates, 0.25);
    answer[SCALING_UPDATE_HIGH] = quantile(&r->updates, 0.75);
}

weft_status scaling_play(const void *given, double *answer, weft_error *error)
{
    const scaling_run *run = given;
    int64_t portions = run->updates > 0 ? run->updates : 1;
    race r;
    weft_status status = WEFT_OK;
    TRY(race_begin(run, &r, error));
    for (int64_t k = 0; k < portions; k++) {
        TRY(run_krylov(&r, r.instance.stream.count * (k + 1) / portions, error));
        if (run->updates > 0)
            TRY(run_reference(&r, error));
    }
    summarise(&r, answer);
done:
    race_end(&r);
    return status;
}

weft_status lab_scaling_reference_seconds(int64_t n, double *seconds, weft_error *error)
{
    enum { UPDATES = 7 };
    scaling_run run = {.n = n, .beta = 0.125, .updates = UPDATES, .seed = 1};
    race r;
    weft_status status = WEFT_OK;
    TRY(race_begin(&run, &r, error));
    for (int k = 0; k < UPDATES; k++)
        TRY(run_reference(&r, error));
    *seconds = quantile(&r.updates, 0.5);
done:
    race_end(&r);
    return status;
}
