/* SPDX-License-Identifier: MIT
 * What a long call tells its caller on the way, and how the caller stops it.
 *
 * Whoever works counts multiplications, about, block by block and never inside the inner loops; when enough
 * have come together the caller is told.  So when it is told depends on the problem alone, never on a clock,
 * and costs nothing.  Only the thread that made the call may count.  Nothing that is computed depends on it.
 *
 * A call that was stopped stays so: everything that counts from then on hears it at once, so that functions
 * without a status need only return early, and their caller checks. */
#ifndef WEFT_BASE_PROGRESS_H
#define WEFT_BASE_PROGRESS_H

#include "base/status.h"

/* What counting is for: one a call, on its stack.  NULL in place of its address: nobody wants to know. */
typedef struct weft__progress {
    weft_progress to;
    const char *what; /* the part that is at work, a constant */
    double all, done; /* work of that part; all 0: not known */
    double since;     /* work since the caller was told */
    bool stopped;
} weft__progress;

/* What whoever makes an object is given: where memory comes from, and who is told. */
typedef struct weft__making {
    const weft_memory *memory;
    weft__progress *progress;
} weft__making;

/* For one call; `to` NULL: nobody. */
weft__progress weft__progress_of(const weft_progress *to);

/* A part begins, of so much work (0: not known).  One that is long is told at once. */
void weft__progress_begin(weft__progress *progress, const char *what, double all);

/* So much of it is done.  False where the caller wants to stop. */
bool weft__progress_add(weft__progress *progress, double work);

/* That was `share` of the part, 0 to 1: the rest will take as long. */
void weft__progress_expect(weft__progress *progress, double share);

/* Whether there is somebody to tell: else nothing need be counted. */
bool weft__progress_heard(const weft__progress *progress);

bool weft__progress_stopped(const weft__progress *progress);

/* WEFT_INTERRUPTED where the caller has stopped the call; `step` counts first. */
weft_status weft__progress_check(const weft__progress *progress, weft_error *error);
weft_status weft__progress_step(weft__progress *progress, double work, weft_error *error);

#endif
