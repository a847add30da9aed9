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

weft_status lab_play(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                     const lab_stream *stream, lab_score *score, weft_error *error)
{
    weft_player *learner = NULL;
    weft_status status = WEFT_OK;
    int64_t uncertified = 0;
    double start = lab_seconds();
    TRY(weft_learner_create(rows, columns, settings, NULL, &learner, error));
    for (int64_t t = 0; t < stream->count; t++) {
        const lab_trial *trial = &stream->trials[t];
        weft_answer outcome;
        TRY(weft_player_learn(learner, trial->row, trial->column, trial->label, &outcome, error));
        uncertified += !outcome.update_certified || !outcome.certified;
        if (interrupt_came())
            TRY(fail(error, WEFT_FILE, "interrupted"));
    }
    *score = (lab_score){.counters = weft_player_counters(learner),
                         .uncertified = uncertified,
                         .seconds = lab_seconds() - start};
done:
    weft_player_free(learner);
    return status;
}
