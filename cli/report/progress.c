/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "cli/report/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(progress *line, bool wanted, int64_t total)
{
    *line = (progress){.wanted = wanted && isatty(STDERR_FILENO), .total = total, .looked = seconds_now()};
}

/* "45 s", "12 min" or "3.5 h": no more than anybody can foresee. */
static void write_duration(char *text, size_t size, double seconds)
{
    if (seconds < 90)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 90 * 60)
        snprintf(text, size, "%.0f min", seconds / 60);
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

static int write_line(const progress *line, int64_t done, char *text, size_t size)
{
    char left[32];
    if (line->total <= done)
        return snprintf(text, size, "%" PRId64 " lines, %.4g a second", done, line->rate);
    write_duration(left, sizeof left, (double)(line->total - done) / line->rate);
    return snprintf(text, size, "%" PRId64 " of %" PRId64 " lines (%.0f %%), %.4g a second, %s left", done,
                    line->total, 100 * (double)done / (double)line->total, line->rate, left);
}

/* A trial costs more the more was learnt, so the rate is one of late: each look
 * counts half, all before it the other half. */
void progress_step(progress *line, int64_t done)
{
    const double pause = 0.25;
    char text[120];
    if (!line->wanted)
        return;
    double now = seconds_now(), since = now - line->looked;
    if (since < pause)
        return;
    double rate = (double)(done - line->seen) / since;
    line->rate = line->rate > 0 ? (line->rate + rate) / 2 : rate;
    line->seen = done;
    line->looked = now;
    int width = write_line(line, done, text, sizeof text);
    fprintf(stderr, "\r%-*s", line->width, text);
    line->width = width > line->width ? width : line->width;
    fflush(stderr);
}

/* Blanks, since not every terminal knows how to erase. */
void progress_clear(progress *line)
{
    if (line->width > 0)
        fprintf(stderr, "\r%*s\r", line->width, "");
    line->width = 0;
}
