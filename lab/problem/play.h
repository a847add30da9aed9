/* SPDX-License-Identifier: MIT
 * Plays a stream and counts. */
#ifndef WEFT_LAB_PROBLEM_PLAY_H
#define WEFT_LAB_PROBLEM_PLAY_H

#include "lab/problem/problem.h"
#include "weft_advanced.h"

typedef struct lab_score {
    weft_counters counters;
    int64_t uncertified; /* decisions that rounding did not let certify */
    double seconds;      /* processor time of this thread */
} lab_score;

/* One learner over the whole stream.  Ends early, with WEFT_FILE and "interrupted", when
 * an interruption came (program/interrupt.h). */
weft_status lab_play(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                     const lab_stream *stream, lab_score *score, weft_error *error);

/* Processor seconds of this thread. */
double lab_seconds(void);

#endif
