/* SPDX-License-Identifier: MIT
 * The line that moves while a stream is played: how far, how fast, how long still.
 * It is for a terminal only, is overwritten in place, and leaves nothing behind. */
#ifndef WEFT_CLI_REPORT_PROGRESS_H
#define WEFT_CLI_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* {0} shows nothing. */
typedef struct progress {
    bool wanted;
    int width;     /* columns of the line that stands there now */
    int64_t total; /* lines to come, or 0 where that is not known */
    int64_t seen;  /* lines played when it was last drawn, */
    double looked; /* and when that was */
    double rate;   /* lines a second, of late */
} progress;

/* `total` lines are to be played, 0 where that is not known. */
void progress_begin(progress *line, bool wanted, int64_t total);
/* After every line played; draws at most a few times a second. */
void progress_step(progress *line, int64_t done);
/* Makes room for other text. */
void progress_clear(progress *line);

/* Seconds of a clock that never goes back. */
double seconds_now(void);

#endif
