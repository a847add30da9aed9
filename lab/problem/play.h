/* SPDX-License-Identifier: MIT
 * The loop of trials that every experiment plays. */
#ifndef WEFT_LAB_PROBLEM_PLAY_H
#define WEFT_LAB_PROBLEM_PLAY_H

#include "lab/problem/problem.h"
#include "weft_advanced.h"

/* What else happens at a trial; functions that are NULL are left out. */
typedef struct lab_hooks {
    void *user;
    /* Before it is learnt: ids may arrive, and the label may be chosen. */
    weft_status (*before)(void *user, int64_t t, lab_trial *trial, weft_error *error);
    /* Then. */
    weft_status (*after)(void *user, int64_t t, const lab_trial *trial, const weft_answer *answer,
                         weft_error *error);
} lab_hooks;

/* Trials first, ..., last - 1 of the stream, which are the t of the hooks; `hooks` may be NULL.  *uncertified
 * is raised, where it is not NULL, by the decisions that rounding did not let certify.  Ends early, with
 * WEFT_FILE and "interrupted", when an interruption came (program/interrupt.h). */
weft_status lab_play_trials(weft_player *player, const lab_stream *stream, int64_t first, int64_t last,
                            const lab_hooks *hooks, int64_t *uncertified, weft_error *error);

typedef struct lab_score {
    weft_counters counters;
    int64_t uncertified;
    double seconds; /* processor time of this thread */
} lab_score;

/* One learner over the whole stream. */
weft_status lab_play(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                     const lab_stream *stream, lab_score *score, weft_error *error);

/* Processor seconds of this thread. */
double lab_seconds(void);

#endif
