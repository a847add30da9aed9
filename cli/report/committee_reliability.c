/* SPDX-License-Identifier: MIT */
#include "cli/report/committee.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void reliability_add(reliability *bins, double probability, int label)
{
    int bin = (int)(probability * RELIABILITY_BINS);
    bin = bin < 0 ? 0 : bin >= RELIABILITY_BINS ? RELIABILITY_BINS - 1 : bin;
    bins->count[bin]++;
    bins->positive[bin] += label > 0;
    bins->sum[bin] += probability;
}

/* n_b |mean - share| = |sum of the probabilities - labels +1| */
double reliability_error(const reliability *bins)
{
    double off = 0;
    int64_t count = 0;
    for (int b = 0; b < RELIABILITY_BINS; b++) {
        off += fabs(bins->sum[b] - (double)bins->positive[b]);
        count += bins->count[b];
    }
    return count > 0 ? off / (double)count : NAN;
}

void reliability_tell(const reliability *bins)
{
    if (isnan(reliability_error(bins)))
        return;
    fprintf(stderr, "\n%-12s %10s %9s %9s\n", "probability", "trials", "mean", "share +1");
    for (int b = 0; b < RELIABILITY_BINS; b++) {
        double count = (double)bins->count[b];
        fprintf(stderr, "%.1f to %.1f   %10" PRId64, (double)b / RELIABILITY_BINS,
                (double)(b + 1) / RELIABILITY_BINS, bins->count[b]);
        if (bins->count[b] > 0)
            fprintf(stderr, " %9.4f %9.4f\n", bins->sum[b] / count, (double)bins->positive[b] / count);
        else
            fprintf(stderr, " %9s %9s\n", "-", "-");
    }
}
