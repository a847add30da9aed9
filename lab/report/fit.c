/* SPDX-License-Identifier: MIT
 *
 * Method     Mean and deviation in two passes; a power as a straight line in logarithms.
 * Algorithm  With u = log x, v = log y, centred: exponent = sum uv / sum uu, and its
 *            standard error sqrt( sum (v - exponent u)^2 / (count - 2) / sum uu ).
 * Cost       O(count).
 * Reference  Weisberg, Applied Linear Regression, chapter 2.
 */
#include "lab/report/fit.h"

#include "src/base/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

lab_mean lab_mean_of(const double *values, int64_t count, int64_t stride)
{
    lab_mean result = {.count = count};
    double sum = 0, squares = 0;
    if (count < 1)
        return result;
    for (int64_t k = 0; k < count; k++)
        sum += values[k * stride];
    result.mean = sum / (double)count;
    for (int64_t k = 0; k < count; k++) {
        double apart = values[k * stride] - result.mean;
        squares += apart * apart;
    }
    result.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    result.error = result.deviation / sqrt((double)count);
    return result;
}

double lab_average(const double *values, int64_t count, int64_t stride)
{
    return lab_mean_of(values, count, stride).mean;
}

void lab_range_add(lab_range *range, double value)
{
    bool first = range->count++ == 0;
    range->least = first ? value : fmin(range->least, value);
    range->largest = first ? value : fmax(range->largest, value);
}

static double mean_logarithm(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += weft__log(values[k]);
    return sum / (double)count;
}

lab_power lab_power_fit(const double *x, const double *y, int64_t count)
{
    double centre_u = mean_logarithm(x, count), centre_v = mean_logarithm(y, count);
    double uu = 0, uv = 0, squares = 0;
    for (int64_t k = 0; k < count; k++) {
        double u = weft__log(x[k]) - centre_u, v = weft__log(y[k]) - centre_v;
        uu += u * u;
        uv += u * v;
    }
    lab_power fit = {.exponent = uv / uu};
    for (int64_t k = 0; k < count; k++) {
        double left = weft__log(y[k]) - centre_v - fit.exponent * (weft__log(x[k]) - centre_u);
        squares += left * left;
    }
    fit.factor = weft__exp(centre_v - fit.exponent * centre_u);
    fit.error = count > 2 ? sqrt(squares / (double)(count - 2) / uu) : -1;
    return fit;
}

/* ---- In words ---- */

/* A doubt that is there but would be written as 0 is given up to two digits more. */
static int digits_for(double doubt, int digits)
{
    for (int more = 0; more <= 2; more++)
        if (doubt >= 0.5 * weft__pow(10, -(digits + more)))
            return digits + more;
    return digits;
}

lab_value_text lab_value(double value, double doubt, int digits)
{
    lab_value_text said;
    digits = digits_for(doubt, digits);
    if (doubt < 0)
        snprintf(said.text, sizeof said.text, "%.*f", digits, value);
    else
        snprintf(said.text, sizeof said.text, "%.*f ± %.*f", digits, value, digits, doubt);
    return said;
}

lab_value_text lab_exponent(const lab_power *power, int digits)
{
    return lab_value(power->exponent, power->error, digits);
}

lab_value_text lab_mean_and_error(const lab_mean *mean, int digits)
{
    return lab_value(mean->mean, mean->count > 1 ? mean->error : -1, digits);
}

lab_value_text lab_mean_and_deviation(const lab_mean *mean, int digits)
{
    return lab_value(mean->mean, mean->count > 1 ? mean->deviation : -1, digits);
}
