/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <math.h>

/* Multiplications between two calls, unless the caller says otherwise: 20 to 100 milliseconds. */
static const double USUAL = 0x1p26;

weft__progress weft__progress_of(const weft_progress *to)
{
    weft__progress progress = {.what = ""};
    if (to != NULL)
        progress.to = *to;
    if (!(progress.to.every > 0))
        progress.to.every = USUAL;
    return progress;
}

bool weft__progress_heard(const weft__progress *progress)
{
    return progress != NULL && progress->to.tell != NULL;
}

static void tell(weft__progress *progress)
{
    double done = progress->all > 0 ? fmin(progress->done / progress->all, 1) : NAN;
    progress->since = 0;
    progress->stopped = !progress->to.tell(progress->to.context, progress->what, done);
}

void weft__progress_begin(weft__progress *progress, const char *what, double all)
{
    if (!weft__progress_heard(progress))
        return;
    progress->what = what;
    progress->all = all;
    progress->done = 0;
    if (all >= progress->to.every && !progress->stopped)
        tell(progress);
}

bool weft__progress_add(weft__progress *progress, double work)
{
    if (!weft__progress_heard(progress))
        return true;
    progress->done += work;
    progress->since += work;
    if (progress->since >= progress->to.every && !progress->stopped)
        tell(progress);
    return !progress->stopped;
}

void weft__progress_expect(weft__progress *progress, double share)
{
    if (weft__progress_heard(progress) && share > 0)
        progress->all = progress->done / share;
}

bool weft__progress_stopped(const weft__progress *progress)
{
    return progress != NULL && progress->stopped;
}

weft_status weft__progress_check(const weft__progress *progress, weft_error *error)
{
    if (!weft__progress_stopped(progress))
        return WEFT_OK;
    return weft__fail(error, WEFT_INTERRUPTED, "interrupted: %s", progress->what);
}

weft_status weft__progress_step(weft__progress *progress, double work, weft_error *error)
{
    weft__progress_add(progress, work);
    return weft__progress_check(progress, error);
}
