/* SPDX-License-Identifier: MIT
 * Means, and powers that are fitted to points. */
#ifndef WEFT_LAB_REPORT_FIT_H
#define WEFT_LAB_REPORT_FIT_H

#include <stdint.h>

typedef struct lab_mean {
    int64_t count;
    double mean;
    double deviation; /* of one, sample standard deviation; 0 for one value */
    double error;     /* of the mean: deviation / sqrt(count) */
} lab_mean;

/* Values that are `stride` numbers apart. */
lab_mean lab_mean_of(const double *values, int64_t count, int64_t stride);
/* Its mean alone. */
double lab_average(const double *values, int64_t count, int64_t stride);

/* From the least to the largest of some values.  Begins as zero. */
typedef struct lab_range {
    int64_t count;
    double least, largest;
} lab_range;

void lab_range_add(lab_range *range, double value);

/* y = factor x^exponent by least squares in logarithms; x and y positive, two different x
 * at least. */
typedef struct lab_power {
    double exponent, factor;
    double error; /* standard error of the exponent; negative, not known, for two points */
} lab_power;

lab_power lab_power_fit(const double *x, const double *y, int64_t count);

/* ---- In words ---- */

/* "0.49 ± 0.02", or "0.49" alone where the second number is not known. */
typedef struct lab_value_text {
    char text[64];
} lab_value_text;

/* So many digits after the point, up to two more where a small doubt would be written as 0; `doubt`
 * is what follows the ±, negative: not known. */
lab_value_text lab_value(double value, double doubt, int digits);
/* An exponent ± its standard error. */
lab_value_text lab_exponent(const lab_power *power, int digits);
/* A mean ± its standard error, and ± the standard deviation of one run: of one value neither is
 * known. */
lab_value_text lab_mean_and_error(const lab_mean *mean, int digits);
lab_value_text lab_mean_and_deviation(const lab_mean *mean, int digits);

#endif
