/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "cli/command/long_call.h"

#include "program/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* One for the program, as there is one standard error. */
static struct {
    bool wanted;
    int width;     /* columns of the line that stands there now */
    double looked; /* when it was last drawn, or watching began */
} line;

static double read_clock(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void long_call_watch(bool line_wanted)
{
    interrupt_watch();
    line.wanted = line_wanted && isatty(STDERR_FILENO);
    line.looked = read_clock();
}

/* A few times a second, and not before half a second has passed. */
static void draw(const char *what, double done)
{
    const double pause = 0.5;
    char text[100];
    double now = read_clock();
    if (now - line.looked < pause)
        return;
    line.looked = now;
    int width = isnan(done) ? snprintf(text, sizeof text, "%s ...", what)
                            : snprintf(text, sizeof text, "%s: %.0f %%", what, 100 * done);
    fprintf(stderr, "\r%-*s", line.width, text);
    line.width = width > line.width ? width : line.width;
    fflush(stderr);
}

static bool tell(void *context, const char *what, double done)
{
    (void)context;
    if (line.wanted)
        draw(what, done);
    return !interrupt_came();
}

weft_progress long_call_progress(void)
{
    return (weft_progress){.tell = tell};
}

void long_call_clear(void)
{
    if (line.width > 0)
        fprintf(stderr, "\r%*s\r", line.width, "");
    line.width = 0;
}

void long_call_hush(void)
{
    long_call_clear();
    line.wanted = false;
}
