/* SPDX-License-Identifier: MIT */
#include "figure/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WANTED = 6 };

double figure__scale_place(const figure__scale *scale, double value)
{
    double share = scale->logarithmic
                       ? (log10(value) - log10(scale->low)) / (log10(scale->high) - log10(scale->low))
                       : (value - scale->low) / (scale->high - scale->low);
    return scale->from + share * (scale->to - scale->from);
}

/* A range of less than 1e-9 of the values would show their rounding: it counts as
 * one value, which then stands in the middle. */
void figure__scale_widen(figure__scale *scale)
{
    double size = fmax(fabs(scale->low), fabs(scale->high));
    if (scale->high - scale->low > 1e-9 * size)
        return;
    if (scale->logarithmic) {
        scale->low /= 2;
        scale->high *= 2;
        return;
    }
    double room = size > 0 ? size / 10 : 1;
    scale->low -= room;
    scale->high += room;
}

/* The step, 1, 2 or 5 times a power of ten, that cuts the range into about WANTED: the
 * nearest by ratio, hence the square roots of 2, 10 and 50. */
static double step_of(double range)
{
    double wanted = range / WANTED;
    double power = pow(10, floor(log10(wanted)));
    double digit = wanted / power;
    return power * (digit < 1.41 ? 1 : digit < 3.16 ? 2 : digit < 7.07 ? 5 : 10);
}

/* A range that was rounded up may have a larger step, whose multiples lie further
 * out; that happens at most once more. */
void figure__scale_round(figure__scale *scale)
{
    if (scale->logarithmic)
        return;
    for (int k = 0; k < 2; k++) {
        double step = step_of(scale->high - scale->low);
        scale->low = step * floor(scale->low / step + 1e-9);
        scale->high = step * ceil(scale->high / step - 1e-9);
    }
}

/* ---- Numbers ---- */

/* 1e+07 becomes 1e7. */
static void shorten_exponent(char *number)
{
    char *exponent = strchr(number, 'e');
    if (exponent == NULL)
        return;
    char *to = exponent + 1, *from = exponent + 1;
    if (*from == '+')
        from++;
    else
        to = ++from;
    while (*from == '0' && from[1] != 0)
        from++;
    memmove(to, from, strlen(from) + 1);
}

/* The digits before the point in groups of three. */
static void group_digits(char *number, size_t size)
{
    size_t length = strspn(number, "0123456789");
    for (size_t at = length; at > 3 && strlen(number) + 1 < size; at -= 3)
        if (length > 4) {
            memmove(number + at - 2, number + at - 3, strlen(number + at - 3) + 1);
            number[at - 3] = ',';
        }
}

static figure__text with_sign(double value, const char *digits, bool plain)
{
    figure__text text = {{0}};
    const char *sign = plain ? "-" : "\xE2\x88\x92"; /* U+2212 */
    bool zero = strspn(digits, "0.") == strlen(digits);
    snprintf(text.bytes, sizeof text.bytes, "%s%s", value < 0 && !zero ? sign : "", digits);
    return text;
}

figure__text figure__number(double value, int decimals, bool plain)
{
    char digits[64] = "0";
    double size = fabs(value);
    if (size == 0)
        return with_sign(0, digits, plain);
    if (size >= 1e7 || decimals > 6) {
        snprintf(digits, sizeof digits, "%.4g", size);
        shorten_exponent(digits);
    } else {
        snprintf(digits, sizeof digits, "%.*f", decimals, size);
        group_digits(digits, sizeof digits);
    }
    return with_sign(value, digits, plain);
}

figure__text figure__number_short(double value, int digits, bool plain)
{
    double size = fabs(value);
    int magnitude = size > 0 ? (int)floor(log10(size)) : 0;
    if (size > 0 && (magnitude < -4 || magnitude > 6)) {
        char text[64];
        snprintf(text, sizeof text, "%.*g", digits, size);
        shorten_exponent(text);
        return with_sign(value, text, plain);
    }
    int decimals = digits - 1 - magnitude;
    return figure__number(value, decimals < 0 ? 0 : decimals > 6 ? 6 : decimals, plain);
}

/* ---- Ticks ---- */

static void add_percent_sign(figure__text *text)
{
    size_t length = strlen(text->bytes);
    if (length + 1 < sizeof text->bytes)
        text->bytes[length] = '%';
}

/* Digits behind the point that tell multiples of `step` apart. */
static int decimals_of(double step)
{
    int decimals = (int)ceil(-log10(step) - 1e-9);
    return decimals > 0 ? decimals : 0;
}

static void linear_ticks(const figure__scale *scale, bool percent, bool plain, figure__ticks *ticks)
{
    double step = step_of(scale->high - scale->low);
    int decimals = decimals_of(percent ? 100 * step : step);
    double first = ceil(scale->low / step - 1e-9), last = floor(scale->high / step + 1e-9);
    ticks->count = 0;
    for (int k = 0; first + k <= last && ticks->count < FIGURE__TICKS; k++) {
        double value = (first + k) * step;
        ticks->at[ticks->count] = value;
        ticks->label[ticks->count] = figure__number(percent ? 100 * value : value, decimals, plain);
        if (percent)
            add_percent_sign(&ticks->label[ticks->count]);
        ticks->count++;
    }
}

static void add_logarithmic(figure__ticks *ticks, double value, bool percent, bool plain)
{
    double shown = percent ? 100 * value : value;
    if (ticks->count == FIGURE__TICKS)
        return;
    ticks->at[ticks->count] = value;
    ticks->label[ticks->count] = figure__number_short(shown, 1, plain);
    if (percent)
        add_percent_sign(&ticks->label[ticks->count]);
    ticks->count++;
}

/* Powers of ten, with 2 and 5 times these between where there is room. */
static void logarithmic_ticks(const figure__scale *scale, bool percent, bool plain, figure__ticks *ticks)
{
    static const double digits[] = {1, 2, 5};
    int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
    int every = (last - first) / 9 + 1, kinds = last - first <= 3 ? 3 : 1;
    ticks->count = 0;
    for (int power = first; power <= last; power += every)
        for (int k = 0; k < kinds; k++) {
            double value = digits[k] * pow(10, power);
            if (value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9))
                add_logarithmic(ticks, value, percent, plain);
        }
}

void figure__scale_ticks(const figure__scale *scale, bool percent, bool plain, figure__ticks *ticks)
{
    if (scale->logarithmic)
        logarithmic_ticks(scale, percent, plain, ticks);
    if (!scale->logarithmic || ticks->count <= 2)
        linear_ticks(scale, percent, plain, ticks);
}
