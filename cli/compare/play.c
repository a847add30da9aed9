/* SPDX-License-Identifier: MIT
 * The trials of everybody.  A run is one contestant at one rate; runs know nothing
 * of each other, so that any number of threads gives the same results.  Of a
 * contestant's runs only the best keeps its scores, the earlier rate among equals. */
#define _POSIX_C_SOURCE 200809L

#include "cli/compare/compare.h"
#include "program/fail.h"
#include "program/interrupt.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* What the threads share. */
typedef struct contest {
    compare_state *state;
    const weft_memory *memory;
    pthread_mutex_t lock; /* of everything below, and of the results */
    int next;             /* the run that nobody has taken yet, counted from the end */
    int64_t played;       /* trials of all runs */
    progress progress;
    weft_status status; /* of the first run that failed */
    weft_error error;
} contest;

/* One run. */
typedef struct one_run {
    contest *arena;
    contestant *who;
    int rate;
    metric_answers answers;
    metric_figures figures;
    double seconds;
    double learning_rate;
} one_run;

static double processor_seconds(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Every so often: how far everybody is, and whether to go on. */
static weft_status step(const one_run *run, int64_t t, weft_error *error)
{
    enum { OFTEN = 64 };
    contest *arena = run->arena;
    if (t % OFTEN != 0)
        return WEFT_OK;
    if (interrupt_came())
        return fail(error, WEFT_FILE, "interrupted");
    pthread_mutex_lock(&arena->lock);
    arena->played += OFTEN;
    progress_step(&arena->progress, arena->played);
    bool stop = arena->status != WEFT_OK;
    pthread_mutex_unlock(&arena->lock);
    return stop ? fail(error, WEFT_INTERNAL, "another run failed") : WEFT_OK;
}

static void answer(one_run *run, int64_t t, double score, int label)
{
    run->answers.scores[t] = score;
    run->answers.wrong[t] = label != run->arena->state->course.trials[t].label;
}

/* ---- The kinds of contestants ---- */

/* The stream of everybody who learns.  Shuffled is played by shuffling the ids of the trials, which is the
 * same; a side of kind none does not notice. */
static weft_status play_stream(one_run *run, weft_player *player, weft_error *error)
{
    const compare_state *state = run->arena->state;
    const metric_course *course = &state->course;
    weft_status status = WEFT_OK;
    for (int64_t t = 0; t < course->count; t++) {
        metric_trial trial = course->trials[t];
        weft_answer said = {0};
        if (run->who->shuffled) {
            trial.row = state->mixed_rows[trial.row];
            trial.column = state->mixed_columns[trial.column];
        }
        TRY(step(run, t, error));
        TRY(weft_player_predict(player, trial.row, trial.column, &said, error));
        TRY(weft_player_learn(player, trial.row, trial.column, trial.label, NULL, error));
        answer(run, t, said.score, said.label);
    }
done:
    return status;
}

/* Deterministic, so that its error is that of the sign of its score, as everybody's;
 * otherwise with what theory chooses when nothing is known. */
static weft_status make_weft(one_run *run, weft_player **player, weft_error *error)
{
    const compare_state *state = run->arena->state;
    const metric_course *course = &state->course;
    const contestant *who = run->who;
    weft_settings settings =
        weft_settings_default(course->rows, course->one_set ? 0 : course->columns, course->count);
    settings.form = who->form;
    settings.engine = state->engine.engine;
    settings.eta *= who->rates[run->rate];
    settings.deterministic = true;
    run->learning_rate = settings.eta;
    return weft_learner_create(who->rows, who->columns, &settings, run->arena->memory, player, error);
}

static weft_status make_rival(one_run *run, weft_player **player, weft_error *error)
{
    const contestant *who = run->who;
    weft_rival_settings settings = {
        .kind = who->rival, .rate = who->rates[run->rate], .seed = run->arena->state->options->seed};
    return weft_rival_create(who->rows, who->columns, &settings, run->arena->memory, player, error);
}

/* Without a choice anywhere, as weft run plays it.  It ranks by the probability of its stack, and goes by
 * the majority of weight, which is never on the other side of 1/2. */
static weft_status make_committee(one_run *run, weft_player **player, weft_error *error)
{
    const member_list *list = &run->arena->state->members;
    const weft_committee_settings settings = {0};
    return weft_committee_create(list->members, list->count, &settings, run->arena->memory, player, error);
}

static weft_status play_player(one_run *run, weft_error *error)
{
    static weft_status (*const makers[])(one_run *, weft_player **, weft_error *) = {
        [BY_WEFT] = make_weft, [BY_RIVAL] = make_rival, [BY_COMMITTEE] = make_committee};
    weft_player *player = NULL;
    weft_status status = WEFT_OK;
    TRY(makers[run->who->kind](run, &player, error));
    TRY(play_stream(run, player, error));
done:
    weft_player_free(player);
    return status;
}

static weft_status play_constant(one_run *run, weft_error *error)
{
    const metric_course *course = &run->arena->state->course;
    int label = 2 * course->positive >= course->count ? 1 : -1;
    (void)error;
    for (int64_t t = 0; t < course->count; t++)
        answer(run, t, label, label);
    return WEFT_OK;
}

typedef struct told_distance {
    double score;
    int label;
} told_distance;

static int by_rising_score(const void *a, const void *b)
{
    double x = ((const told_distance *)a)->score, y = ((const told_distance *)b)->score;
    return (x > y) - (x < y);
}

/* The threshold with the fewest mistakes for "+1 iff score >= threshold".  Below all
 * scores the labels -1 are mistakes; raised above a group of equal scores, its labels
 * +1 become mistakes and its labels -1 no longer are. */
static double choose_threshold(told_distance *told, int64_t count, int64_t positive)
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
static weft_status play_distance(one_run *run, weft_error *error)
{
    const metric_course *course = &run->arena->state->course;
    const weft_side *side = run->who->rows;
    told_distance *told = calloc((size_t)course->count, sizeof *told);
    if (told == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    for (int64_t t = 0; t < course->count; t++) {
        int64_t i = course->trials[t].row, j = course->trials[t].column;
        double score =
            2 * weft_side_entry(side, i, j) - weft_side_entry(side, i, i) - weft_side_entry(side, j, j);
        run->answers.scores[t] = score;
        told[t] = (told_distance){score, course->trials[t].label};
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
static void hand_in(one_run *run)
{
    contestant *who = run->who;
    double value = compare_value(run->arena->state->options->best, &run->figures);
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

static weft_status play(one_run *run, weft_error *error)
{
    static weft_status (*const ways[])(one_run *, weft_error *) = {[BY_WEFT] = play_player,
                                                                   [BY_RIVAL] = play_player,
                                                                   [BY_COMMITTEE] = play_player,
                                                                   [BY_DISTANCE] = play_distance,
                                                                   [BY_CONSTANT] = play_constant};
    const metric_course *course = &run->arena->state->course;
    weft_status status = WEFT_OK;
    run->answers.scores = calloc((size_t)course->count, sizeof *run->answers.scores);
    run->answers.wrong = calloc((size_t)course->count, sizeof *run->answers.wrong);
    if (run->answers.scores == NULL || run->answers.wrong == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    double begin = processor_seconds();
    TRY(ways[run->who->kind](run, error));
    run->seconds = processor_seconds() - begin;
    if (!metric_measure(course, &run->answers, &run->figures))
        return fail(error, WEFT_MEMORY, "out of memory");
done:
    return status;
}

/* The next run, taken from the end of the list, where the long ones stand. */
static bool take_run(contest *arena, one_run *run)
{
    compare_state *state = arena->state;
    int skip = arena->next++;
    *run = (one_run){.arena = arena};
    for (int k = state->count - 1; k >= 0 && arena->status == WEFT_OK; k--) {
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
    contest *arena = argument;
    weft_error error = {0};
    one_run run;
    for (;;) {
        pthread_mutex_lock(&arena->lock);
        bool more = take_run(arena, &run);
        pthread_mutex_unlock(&arena->lock);
        if (!more)
            return NULL;
        weft_status status = play(&run, &error);
        pthread_mutex_lock(&arena->lock);
        if (status == WEFT_OK)
            hand_in(&run);
        if (status != WEFT_OK && arena->status == WEFT_OK) {
            arena->status = status;
            arena->error = error;
        }
        pthread_mutex_unlock(&arena->lock);
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
    contest arena = {.state = state,
                     .memory = limits_memory(&state->options->from.limits),
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t *threads = calloc((size_t)wanted + 1, sizeof *threads);
    if (threads == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    double begin = seconds_now();
    progress_begin(&arena.progress, !state->options->quiet, count_runs(state) * state->course.count);
    while (hired < wanted && pthread_create(&threads[hired], NULL, work, &arena) == 0)
        hired++;
    work(&arena);
    while (hired > 0)
        pthread_join(threads[--hired], NULL);
    progress_clear(&arena.progress);
    state->seconds = seconds_now() - begin;
    free(threads);
    if (arena.status != WEFT_OK)
        *error = arena.error;
    return arena.status;
}
