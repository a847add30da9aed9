/* SPDX-License-Identifier: MIT
 *
 * bench-elementary
 *
 * Nanoseconds of one call of each elementary function of src/base/elementary.h, beside those of the C
 * library's function, over the same 4,096 arguments.  Two times each: many independent calls, as in a
 * loop over a row, and calls of which each waits for the one before.  A time is the least of its
 * repetitions.
 *
 * Output.  Standard error: a table.  Standard output: one JSON object, the last line. */
#define _POSIX_C_SOURCE 200809L

#include "src/base/elementary.h"
#include "measure.h"

#include <math.h>
#include <stdbool.h>

enum { ARGUMENTS = 4096, PASSES = 100, REPETITIONS = 9 };

static double our_sin_cos(double x)
{
    double sine, cosine;
    weft__sin_cos(x, &sine, &cosine);
    return sine + cosine;
}

static double their_sin_cos(double x)
{
    return sin(x) + cos(x);
}

static double our_pow(double x)
{
    return weft__pow(x, 2.7);
}

static double their_pow(double x)
{
    return pow(x, 2.7);
}

/* Arguments are drawn from [low, high). */
typedef struct contest {
    const char *name;
    double (*ours)(double), (*theirs)(double);
    double low, high;
} contest;

static const contest contests[] = {
    {"exp", weft__exp, exp, -40, 40},
    {"exp2", weft__exp2, exp2, -40, 40},
    {"expm1", weft__expm1, expm1, -3, 3},
    {"log", weft__log, log, 0, 1000},
    {"log1p", weft__log1p, log1p, -0.9, 10},
    {"log2", weft__log2, log2, 0, 1000},
    {"log10", weft__log10, log10, 0, 1000},
    {"asinh", weft__asinh, asinh, -100, 100},
    {"pow", our_pow, their_pow, 0, 1000},
    {"sin and cos", our_sin_cos, their_sin_cos, -100, 100},
    {"sin and cos, huge", our_sin_cos, their_sin_cos, 1e100, 2e100},
    {"erfc", weft__erfc, erfc, 0, 10},
};

enum { CONTESTS = sizeof contests / sizeof *contests };

/* One pass over x; where `chain` is set, each call waits for the one before. */
static double pass(double (*function)(double), const double *x, bool chain)
{
    double sum = 0, last = 0;
    if (chain)
        for (int k = 0; k < ARGUMENTS; k++)
            sum += last = function(x[k] + 1e-300 * last);
    else
        for (int k = 0; k < ARGUMENTS; k++)
            sum += function(x[k]);
    return sum;
}

/* Nanoseconds of one call. */
static double time_of(double (*function)(double), const double *x, bool chain)
{
    double least = INFINITY;
    volatile double sink = 0;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        double start = processor_seconds();
        for (int k = 0; k < PASSES; k++)
            sink = sink + pass(function, x, chain);
        least = fmin(least, processor_seconds() - start);
    }
    return least / ((double)PASSES * ARGUMENTS) * 1e9;
}

int main(void)
{
    double *x = allocate(ARGUMENTS, sizeof *x);
    uint64_t state = 1;
    printf("{");
    fprintf(stderr, "%-18s %21s %21s\n", "ns a call", "independent: ours, C", "waiting: ours, C");
    for (int c = 0; c < CONTESTS; c++) {
        const contest *at = &contests[c];
        for (int k = 0; k < ARGUMENTS; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            x[k] = at->low + (at->high - at->low) * ((double)(state >> 11) * 0x1p-53);
        }
        double ours = time_of(at->ours, x, false), theirs = time_of(at->theirs, x, false);
        double ours_waiting = time_of(at->ours, x, true), theirs_waiting = time_of(at->theirs, x, true);
        fprintf(stderr, "%-18s %10.1f %10.1f %10.1f %10.1f\n", at->name, ours, theirs, ours_waiting,
                theirs_waiting);
        printf("%s\"%s\": [%.3g, %.3g, %.3g, %.3g]", c > 0 ? ", " : "", at->name, ours, theirs, ours_waiting,
               theirs_waiting);
    }
    printf("}\n");
    free(x);
    return 0;
}
