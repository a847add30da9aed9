/* SPDX-License-Identifier: MIT
 * Means, and powers that are fitted to points. */
#ifndef WEFT_LAB_FIT_H
#define WEFT_LAB_FIT_H

#include <stdint.h>

typedef struct lab_mean {
    int64_t count;
    double mean;
    double deviation; /* of one, sample standard deviation; 0 for one value */
    double error;     /* of the mean: deviation / sqrt(count) */
} lab_mean;

/* Values that are `stride` numbers apart. */
lab_mean lab_mean_of(const double *values, int64_t count, int64_t stride);

/* y = factor x^exponent by least squares in logarithms; x and y positive, two different x
 * at least. */
typedef struct lab_power {
    double exponent, factor;
    double error; /* standard error of the exponent; 0 for two points */
} lab_power;

lab_power lab_power_fit(const double *x, const double *y, int64_t count);

#endif
