/* SPDX-License-Identifier: MIT
 *
 * Comparisons are made between log q and log(1 +- level), never after
 * subtracting 1: with gamma = 1 and y = -1 that difference is all rounding. */
#include "learner/form.h"

#include "base/elementary.h"

#include <math.h>

/* exp(x), at most the limit that the public header promises. */
static double limited_exp(double x)
{
    return x < weft__log(WEFT_MARGIN_LIMIT) ? weft__exp(x) : WEFT_MARGIN_LIMIT;
}

static int sign_of(int label)
{
    return label > 0 ? 1 : -1;
}

static weft__embedding embed_sum(double row_square, double column_square)
{
    (void)row_square;
    (void)column_square;
    return (weft__embedding){.value = {{1, 1}}, .s = 1};
}

static weft__embedding embed_difference(double row_square, double column_square)
{
    (void)row_square;
    (void)column_square;
    return (weft__embedding){.value = {{1, -1}}, .s = 1};
}

static weft__embedding embed_both(double row_square, double column_square)
{
    double phi = sqrt(row_square), psi = sqrt(column_square);
    /* Below 1e-200 the margin, at most kappa s exp(b), is nothing, and 1/phi^2 is
     * not far from overflowing. */
    if (!(row_square > 1e-200 && column_square > 1e-200))
        return (weft__embedding){.s = 0};
    double a = 1 / (phi * sqrt(2)), b = 1 / (psi * sqrt(2));
    return (weft__embedding){.value = {{a, b}, {a, -b}}, .s = phi * psi};
}

/* margin = q - 1 against level: q against 1 + level */
static int compare_paper(const weft__reading *reading, double level)
{
    double lower = reading->log_kappa + reading->bracket[0]->log_lower;
    double upper = reading->log_kappa + reading->bracket[0]->log_upper, at = weft__log1p(level);
    if (upper < at || upper == -INFINITY)
        return -1;
    return lower > -INFINITY && lower >= at ? 1 : 0;
}

/* margin = 1 - q against level: q against 1 - level */
static int compare_one_set(const weft__reading *reading, double level)
{
    double lower = reading->log_kappa + reading->bracket[0]->log_lower;
    double upper = reading->log_kappa + reading->bracket[0]->log_upper, at = weft__log1p(-level);
    if (upper <= at)
        return 1;
    return lower > at ? -1 : 0;
}

static weft__margin margin_paper(const weft__reading *reading)
{
    const weft__bracket *b = reading->bracket[0];
    return (weft__margin){limited_exp(reading->log_kappa + b->log_lower) - 1,
                          limited_exp(reading->log_kappa + b->log_upper) - 1,
                          limited_exp(reading->log_kappa + b->log_value) - 1};
}

static weft__margin margin_one_set(const weft__reading *reading)
{
    const weft__bracket *b = reading->bracket[0];
    return (weft__margin){1 - limited_exp(reading->log_kappa + b->log_upper),
                          1 - limited_exp(reading->log_kappa + b->log_lower),
                          1 - limited_exp(reading->log_kappa + b->log_value)};
}

/* s (exp(a) - exp(c)) = exp(unit) * d with |d| <= s: unit is the larger
 * exponent, no smaller than -600 so that level / exp(unit) does not overflow. */
typedef struct scaled {
    double d, unit;
} scaled;

static scaled scaled_difference(double s, double a, double c)
{
    double unit = fmax(fmax(a, c), -600);
    return (scaled){s * (weft__exp(a - unit) - weft__exp(c - unit)), unit};
}

static double unscaled(scaled x)
{
    /* exp(unit) alone may overflow where the difference does not. */
    double half = weft__exp(fmin(x.unit, 1400) / 2), value = x.d * half * half;
    return fmin(fmax(value, -WEFT_MARGIN_LIMIT), WEFT_MARGIN_LIMIT);
}

static scaled balanced_lower(const weft__reading *reading)
{
    return scaled_difference(reading->s, reading->log_kappa + reading->bracket[0]->log_lower,
                             reading->log_kappa + reading->bracket[1]->log_upper);
}

static scaled balanced_upper(const weft__reading *reading)
{
    return scaled_difference(reading->s, reading->log_kappa + reading->bracket[0]->log_upper,
                             reading->log_kappa + reading->bracket[1]->log_lower);
}

static int compare_balanced(const weft__reading *reading, double level)
{
    scaled lower = balanced_lower(reading), upper = balanced_upper(reading);
    if (lower.d >= level * weft__exp(-lower.unit))
        return 1;
    return upper.d < level * weft__exp(-upper.unit) ? -1 : 0;
}

static weft__margin margin_balanced(const weft__reading *reading)
{
    double plus = reading->log_kappa + reading->bracket[0]->log_value;
    double minus = reading->log_kappa + reading->bracket[1]->log_value;
    return (weft__margin){unscaled(balanced_lower(reading)), unscaled(balanced_upper(reading)),
                          unscaled(scaled_difference(reading->s, plus, minus))};
}

static double coefficient_paper(int v, int label, double s)
{
    (void)v;
    (void)s;
    return sign_of(label);
}

static double coefficient_one_set(int v, int label, double s)
{
    (void)v;
    (void)s;
    return -sign_of(label);
}

static double coefficient_balanced(int v, int label, double s)
{
    return v == 0 ? sign_of(label) * s : -sign_of(label) * s;
}

static const weft__form_ops paper = {"paper",          1, 1, 1, embed_sum, compare_paper, margin_paper,
                                     coefficient_paper};
static const weft__form_ops one_set = {
    "one set", 1, -1, -1, embed_difference, compare_one_set, margin_one_set, coefficient_one_set};
static const weft__form_ops balanced = {
    "balanced", 2, 0, 0, embed_both, compare_balanced, margin_balanced, coefficient_balanced};

const weft__form_ops *weft__form_find(weft_form form)
{
    switch (form) {
    case WEFT_PAPER:
        return &paper;
    case WEFT_BALANCED:
        return &balanced;
    case WEFT_ONE_SET:
        return &one_set;
    }
    return NULL;
}
