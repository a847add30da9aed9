/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "lab/problem/play.h"

#include "program/fail.h"
#include "program/interrupt.h"

#include <time.h>

double lab_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

weft_status lab_play_trials(weft_player *player, const lab_stream *stream, int64_t first, int64_t last,
                            const lab_hooks *hooks, int64_t *uncertified, weft_error *error)
{
    static const lab_hooks none = {0};
    const lab_hooks *also = hooks != NULL ? hooks : &none;
    weft_status status = WEFT_OK;
    for (int64_t t = first; t < last; t++) {
        lab_trial trial = stream->trials[t];
        weft_answer answer;
        if (also->before != NULL)
            TRY(also->before(also->user, t, &trial, error));
        TRY(weft_player_learn(player, trial.row, trial.column, trial.label, &answer, error));
        if (uncertified != NULL)
            *uncertified += !answer.update_certified || !answer.certified;
        if (also->after != NULL)
            TRY(also->after(also->user, t, &trial, &answer, error));
        if (interrupt_came())
            TRY(fail(error, WEFT_INTERRUPTED, "interrupted"));
    }
done:
    return status;
}

weft_status lab_play(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                     const lab_stream *stream, lab_score *score, weft_error *error)
{
    weft_player *learner = NULL;
    weft_status status = WEFT_OK;
    int64_t uncertified = 0;
    double start = lab_seconds();
    TRY(weft_learner_create(rows, columns, settings, NULL, &learner, error));
    TRY(lab_play_trials(learner, stream, 0, stream->count, NULL, &uncertified, error));
    *score = (lab_score){.counters = weft_player_counters(learner),
                         .uncertified = uncertified,
                         .seconds = lab_seconds() - start};
done:
    weft_player_free(learner);
    return status;
}
