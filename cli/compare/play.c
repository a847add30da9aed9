/* SPDX-License-Identifier: MIT
 * The trials of all contestants.  A run is one contestant at one rate; runs know nothing
 * of each other, so that any number of threads gives the same results.  Of a
 * contestant's runs only the best keeps its scores, the earlier rate among equals. */
#define _POSIX_C_SOURCE 200809L

#include "cli/compare/compare.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/new.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* What the threads share. */
typedef struct shared_state {
    compare_state *state;
    const weft_memory *memory;
    pthread_mutex_t lock; /* of everything below, and of the results */
    int next;             /* the first run that no thread has taken, from the end */
    int64_t played;       /* trials of all runs */
    progress progress;
    weft_status status; /* of the first run that failed */
    weft_error error;
} shared_state;

/* One run. */
typedef struct thread_run {
    shared_state *shared;
    contestant *who;
    int rate;
    metric_answers answers;
    metric_figures figures;
    double seconds;
    double learning_rate;
} thread_run;

static double processor_seconds(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Every so often: how far all runs are, and whether to go on. */
static weft_status step(const thread_run *run, int64_t t, weft_error *error)
{
    enum { OFTEN = 64 };
    shared_state *shared = run->shared;
    if (t % OFTEN != 0)
        return WEFT_OK;
    if (interrupt_came())
        return fail(error, WEFT_INTERRUPTED, "interrupted");
    pthread_mutex_lock(&shared->lock);
    shared->played += OFTEN;
    progress_step(&shared->progress, shared->played);
    bool stop = shared->status != WEFT_OK;
    pthread_mutex_unlock(&shared->lock);
    return stop ? fail(error, WEFT_INTERNAL, "another run failed") : WEFT_OK;
}

static void answer(thread_run *run, int64_t t, double score, int label)
{
    run->answers.scores[t] = score;
    run->answers.wrong[t] = label != run->shared->state->course.trials[t].label;
}

/* ---- The kinds of contestants ---- */

/* The stream of a contestant that learns.  Shuffled is played by shuffling the ids of the trials, which is
 * the same; a side of kind none does not notice. */
static weft_status play_stream(thread_run *run, weft_player *player, weft_error *error)
{
    const compare_state *state = run->shared->state;
    const metric_course *course = &state->course;
    weft_status status = WEFT_OK;
    for (int64_t t = 0; t < course->count; t++) {
        metric_trial trial = course->trials[t];
        weft_answer said = {0};
        if (run->who->shuffled) {
            trial.row = state->shuffled_rows[trial.row];
            trial.column = state->shuffled_columns[trial.column];
        }
        TRY(step(run, t, error));
        if (course->fields > 0)
            TRY(weft_player_set_context(player, course->contexts + t * course->fields, course->fields,
                                        error));
        TRY(weft_player_predict(player, trial.row, trial.column, &said, error));
        TRY(weft_player_learn(player, trial.row, trial.column, trial.label, NULL, error));
        answer(run, t, said.score, said.label);
    }
done:
    return status;
}

/* Deterministic, so that its error is that of the sign of its score, as that of the others;
 * otherwise with what theory chooses when nothing is known. */
static weft_status make_weft(thread_run *run, weft_player **player, weft_error *error)
{
    const compare_state *state = run->shared->state;
    const metric_course *course = &state->course;
    const contestant *who = run->who;
    weft_settings settings =
        weft_settings_default(course->rows, course->one_set ? 0 : course->columns, course->count);
    settings.form = who->form;
    settings.engine = state->engine.engine;
    settings.eta *= who->rates[run->rate];
    settings.deterministic = true;
    run->learning_rate = settings.eta;
    return weft_learner_create(who->rows, who->columns, &settings, run->shared->memory, player, error);
}

static weft_status make_rival(thread_run *run, weft_player **player, weft_error *error)
{
    const contestant *who = run->who;
    weft_rival_settings settings = {
        .kind = who->rival, .rate = who->rates[run->rate], .seed = run->shared->state->options->seed};
    return weft_rival_create(who->rows, who->columns, &settings, run->shared->memory, player, error);
}

/* Without a choice anywhere, as weft run plays it.  It ranks by the probability of its stack, and goes by
 * the majority of weight, which is never on the other side of 1/2. */
static weft_status make_committee(thread_run *run, weft_player **player, weft_error *error)
{
    const member_list *list = &run->shared->state->members[run->who->knows];
    const weft_committee_settings settings = {0};
    return weft_committee_create(list->members, list->count, &settings, run->shared->memory, player, error);
}

static weft_status play_player(thread_run *run, weft_error *error)
{
    static weft_status (*const makers[])(thread_run *, weft_player **, weft_error *) = {
        [BY_WEFT] = make_weft, [BY_RIVAL] = make_rival, [BY_COMMITTEE] = make_committee};
    weft_player *player = NULL;
    weft_status status = WEFT_OK;
    TRY(makers[run->who->kind](run, &player, error));
    TRY(play_stream(run, player, error));
done:
    weft_player_free(player);
    return status;
}

static weft_status play_constant(thread_run *run, weft_error *error)
{
    const metric_course *course = &run->shared->state->course;
    int label = 2 * course->positive >= course->count ? 1 : -1;
    (void)error;
    for (int64_t t = 0; t < course->count; t++)
        answer(run, t, label, label);
    return WEFT_OK;
}

typedef struct scored_trial {
    double score;
    int label;
} scored_trial;

static int by_rising_score(const void *a, const void *b)
{
    double x = ((const scored_trial *)a)->score, y = ((const scored_trial *)b)->score;
    return (x > y) - (x < y);
}

/* The threshold with the fewest mistakes for "+1 iff score >= threshold".  Below all
 * scores the labels -1 are mistakes; raised above a group of equal scores, its labels
 * +1 become mistakes and its labels -1 no longer are. */
static double choose_threshold(scored_trial *told, int64_t count, int64_t positive)
{
    double threshold = -INFINITY;
    int64_t mistakes = count - positive, least = mistakes;
    qsort(told, (size_t)count, sizeof *told, by_rising_score);
    for (int64_t k = 0; k < count;) {
        double score = told[k].score;
        for (; k < count && told[k].score == score; k++)
            mistakes += told[k].label;
        if (mistakes < least) {
            least = mistakes;
            threshold = k < count ? told[k].score : INFINITY;
        }
    }
    return threshold;
}

/* score = -|phi_i - phi_j|^2 = -(K_ii + K_jj - 2 K_ij): what the kernel itself says. */
static weft_status play_distance(thread_run *run, weft_error *error)
{
    const metric_course *course = &run->shared->state->course;
    const weft_side *side = run->who->rows;
    scored_trial *told = new_array(course->count, sizeof *told);
    (void)error;
    for (int64_t t = 0; t < course->count; t++) {
        int64_t i = course->trials[t].row, j = course->trials[t].column;
        double score =
            2 * weft_side_entry(side, i, j) - weft_side_entry(side, i, i) - weft_side_entry(side, j, j);
        run->answers.scores[t] = score;
        told[t] = (scored_trial){score, course->trials[t].label};
    }
    double threshold = choose_threshold(told, course->count, course->positive);
    for (int64_t t = 0; t < course->count; t++)
        answer(run, t, run->answers.scores[t], run->answers.scores[t] >= threshold ? 1 : -1);
    free(told);
    return WEFT_OK;
}

/* ---- Runs and threads ---- */

/* The scores of the best of the contestant's runs take their place; the others are
 * dropped. */
static void keep_result(thread_run *run)
{
    contestant *who = run->who;
    double value = compare_value(run->shared->state->options->best, &run->figures);
    double best = who->best >= 0 ? who->value[who->best] : -INFINITY;
    who->value[run->rate] = value;
    who->learning_rate[run->rate] = run->learning_rate;
    who->wrong[run->rate] = run->answers.wrong;
    run->answers.wrong = NULL;
    if (who->best >= 0 && (value < best || (value == best && run->rate > who->best)))
        return;
    double *worse = who->scores;
    who->best = run->rate;
    who->figures = run->figures;
    who->seconds = run->seconds;
    who->scores = run->answers.scores;
    run->answers.scores = worse;
}

static weft_status play(thread_run *run, weft_error *error)
{
    static weft_status (*const ways[])(thread_run *, weft_error *) = {[BY_WEFT] = play_player,
                                                                      [BY_RIVAL] = play_player,
                                                                      [BY_COMMITTEE] = play_player,
                                                                      [BY_DISTANCE] = play_distance,
                                                                      [BY_CONSTANT] = play_constant};
    const metric_course *course = &run->shared->state->course;
    weft_status status = WEFT_OK;
    run->answers.scores = new_array(course->count, sizeof *run->answers.scores);
    run->answers.wrong = new_array(course->count, sizeof *run->answers.wrong);
    double begin = processor_seconds();
    TRY(ways[run->who->kind](run, error));
    run->seconds = processor_seconds() - begin;
    metric_measure(course, &run->answers, &run->figures);
done:
    return status;
}

/* The next run, taken from the end of the list, where the long ones stand. */
static bool take_run(shared_state *shared, thread_run *run)
{
    compare_state *state = shared->state;
    int skip = shared->next++;
    *run = (thread_run){.shared = shared};
    for (int k = state->count - 1; k >= 0 && shared->status == WEFT_OK; k--) {
        run->who = &state->contestants[k];
        if (skip < run->who->rate_count) {
            run->rate = skip;
            return true;
        }
        skip -= run->who->rate_count;
    }
    return false;
}

static void *work(void *argument)
{
    shared_state *shared = argument;
    weft_error error = {0};
    thread_run run;
    for (;;) {
        pthread_mutex_lock(&shared->lock);
        bool more = take_run(shared, &run);
        pthread_mutex_unlock(&shared->lock);
        if (!more)
            return NULL;
        weft_status status = play(&run, &error);
        pthread_mutex_lock(&shared->lock);
        if (status == WEFT_OK)
            keep_result(&run);
        if (status != WEFT_OK && shared->status == WEFT_OK) {
            shared->status = status;
            shared->error = error;
        }
        pthread_mutex_unlock(&shared->lock);
        free(run.answers.scores);
        free(run.answers.wrong);
    }
}

static int64_t count_runs(const compare_state *state)
{
    int64_t runs = 0;
    for (int k = 0; k < state->count; k++)
        runs += state->contestants[k].rate_count;
    return runs;
}

/* A thread that the system refuses is done without. */
weft_status compare_play(compare_state *state, weft_error *error)
{
    int hired = 0, wanted = state->options->threads - 1;
    shared_state shared = {.state = state,
                           .memory = limits_memory(&state->options->from.limits),
                           .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t *threads = new_array(wanted, sizeof *threads);
    double begin = seconds_now();
    progress_begin(&shared.progress, !state->options->quiet, count_runs(state) * state->course.count);
    while (hired < wanted && pthread_create(&threads[hired], NULL, work, &shared) == 0)
        hired++;
    work(&shared);
    while (hired > 0)
        pthread_join(threads[--hired], NULL);
    progress_clear(&shared.progress);
    state->seconds = seconds_now() - begin;
    free(threads);
    if (shared.status != WEFT_OK)
        *error = shared.error;
    return shared.status;
}
