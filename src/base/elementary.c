/* SPDX-License-Identifier: MIT
 *
 * Method     A table leaves an argument so small that a short Taylor polynomial does; the large part
 *            of a result and the small correction are added last, so that nearly all of the error is the
 *            half ulp of that one addition.
 *
 * Algorithm  e^x = 2^(m/64) e^r with m the integer next to 64 x / log 2, so |r| <= log 2 / 128 < 0.00542.
 *            log 2 / 64 is LN2_64_HIGH + LN2_64_LOW; the first has 35 bits and |m| < 2^17, so m times
 *            it is exact, and so is x minus that: a multiple of 2^-60 below 2^-7.  Of e^r - 1 the terms
 *            up to r^6 are taken.
 *
 *            log x = k log 2 + log c + log(1 + r) with x = 2^k z, z in [sqrt(1/2), sqrt(2)), 1/c a multiple
 *            of 2^-12 from the table, r = z/c - 1.  The leading 32 bits of z times 1/c, minus 1, is exact,
 *            and so is the rest of z times 1/c: r is a sum of two doubles without error.
 *            |r| <= 2^-8 sqrt(2) + 2^-13 sqrt(2) < 0.0057.  k log 2 + log c in multiples of 2^-42 is
 *            exact for all k.  Around 1 there is c = 1, and r = z - 1.  Of log(1 + r) the terms up to
 *            r^9 are taken.
 *
 *            x^y = e^(y log x), the logarithm and the product as pairs of doubles.
 *
 * Error      In ulp of the result, beside the half of the last addition.  exp: e^r - 1, below 2^-7.5, is
 *            made with fewer than 3 roundings of 2^-53 (r, the polynomial, the product by the power),
 *            3 2^-7.5 / 2 < 0.01; terms left out, r^7 / 5040 < 2^-64.  expm1: below 1/8 the series is x +
 *            x^2 / 2 + ..., and the second term, below x / 16, is made with two roundings: 0.08; above, the
 *            same as exp, but the result may be 1/8 of the power: 0.08.  log: what is added
 *            to the large part is r^2 / 2 < 2^-15.8 and the low parts, < 2^-32; the result is r itself,
 *            or at least 2^-8.1: 0.01.  Terms left out, r^10 / 10 < 2^-77.8.
 *            Logarithm as a pair: r^2 / 2 has 79 bits, and r^3 / 3 < 2^-23.9 is made with four roundings,
 *            so the relative error is below 2^-66.8.  pow: |y log x| < 746 makes 2^-57.2 of it, 0.06.
 *            asinh: x + sqrt(x^2 + 1) as a pair with 100 bits; as the logarithm.
 *
 * Cost       exp 20 operations, log 30, expm1 and log1p as these, pow 110, asinh 80; no loop.
 *
 * Reference  Tang, Table-driven implementation of the exponential function, 1989, and of the logarithm
 *            function, 1990: the idea of the tables.  Dekker, 1971: pairs.
 */
#include "base/elementary.h"

#include "base/elementary_tables.h"
#include "base/pair.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* log 2 / 64, of which the first part is a multiple of 2^-41, and 64 / log 2 */
static const double LN2_64_HIGH = 0x1.62e42fefcp-7, LN2_64_LOW = -0x1.c610ca86c3899p-43;
static const double PER_LN2_64 = 0x1.71547652b82fep+6;
/* log 2, of which the first part is a multiple of 2^-42 */
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;
/* 1 / log 2 and 1 / log 10 */
static const weft__pair PER_LN2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const weft__pair PER_LN10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
/* A double below 2^51 plus this is rounded to an integer, which stands in its low bits. */
static const double TO_INTEGER = 0x1.8p52;

static const uint64_t ONE = UINT64_C(0x3ff0000000000000);
static const uint64_t ROOT_OF_HALF = UINT64_C(0x3fe6a09e667f3bcd);

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^k for -1022 <= k <= 1023 */
static inline double two_to(int k)
{
    return double_of((uint64_t)(1023 + k) << 52);
}

/* ---- Exponentials ---- */

/* 2^(m/64) e^r = power 2^k (1 + rest), power from the table and k the quotient of m by 64. */
typedef struct exponential {
    uint64_t m; /* modulo 2^51 */
    double power, rest;
} exponential;

/* e^r - 1 = r + r^2 / 2 + ... + r^6 / 720 */
static inline double small_expm1(double r)
{
    double square = r * r;
    return r + square * ((1.0 / 2 + r * (1.0 / 6)) +
                         square * ((1.0 / 24 + r * (1.0 / 120)) + square * (1.0 / 720)));
}

/* m / 64 is the exponent, `shifted` m + TO_INTEGER. */
static inline exponential exponential_of(double shifted, double r)
{
    uint64_t m = bits_of(shifted);
    const struct weft__power *entry = &weft__powers[m % WEFT__POWERS];
    return (exponential){m, entry->value, small_expm1(r) + entry->tail};
}

/* e^(x + low), |x| < 1000 and |low| < 2^-40 */
static inline exponential reduce_exp(double x, double low)
{
    double shifted = x * PER_LN2_64 + TO_INTEGER, m = shifted - TO_INTEGER;
    return exponential_of(shifted, ((x - m * LN2_64_HIGH) - m * LN2_64_LOW) + low);
}

/* power 2^k, a normal number: k is added to the exponent, what is above its bits is lost. */
static inline double scaled_power(exponential e)
{
    return double_of(bits_of(e.power) + (e.m / WEFT__POWERS << 52));
}

/* Where the rest of the result is a normal number too. */
static inline double assemble(exponential e)
{
    double power = scaled_power(e);
    return power + power * e.rest;
}

/* Where the result may over- or underflow: by two factors, of which only the second can round. */
static double assemble_far(exponential e)
{
    int k = (int)((e.m / WEFT__POWERS + 2048) % 4096) - 2048, half = k / 2;
    return (e.power + e.power * e.rest) * two_to(half) * two_to(k - half);
}

double weft__exp(double x)
{
    if (fabs(x) < 690)
        return assemble(reduce_exp(x, 0));
    if (isnan(x))
        return x + x;
    if (x > 710)
        return INFINITY;
    return x < -746 ? 0 : assemble_far(reduce_exp(x, 0));
}

double weft__exp2(double x)
{
    if (isnan(x))
        return x + x;
    if (x >= 1024)
        return INFINITY;
    if (x < -1080)
        return 0;
    double shifted = x * WEFT__POWERS + TO_INTEGER, m = shifted - TO_INTEGER;
    /* 2^x = 2^(m/64) e^(log 2 (x - m/64)) */
    exponential e = exponential_of(shifted, (x - m / WEFT__POWERS) * (LN2_HIGH + LN2_LOW));
    return fabs(x) < 1000 ? assemble(e) : assemble_far(e);
}

/* e^x - 1 for |x| < 1/8, up to x^11 / 11! */
static double expm1_by_series(double x)
{
    double s = x * x, q = s * s;
    double low = (1.0 / 6 + x * (1.0 / 24)) + s * (1.0 / 120 + x * (1.0 / 720));
    double high =
        (1.0 / 5040 + x * (1.0 / 40320)) + s * (1.0 / 362880 + x * (1.0 / 3628800)) + q * (1.0 / 39916800);
    return x + (s / 2 + s * x * (low + q * high));
}

double weft__expm1(double x)
{
    if (fabs(x) < 0.125)
        return fabs(x) < 0x1p-54 ? x : expm1_by_series(x);
    if (isnan(x))
        return x + x;
    if (x > 40)
        return weft__exp(x);
    if (x < -40)
        return -1;
    exponential e = reduce_exp(x, 0);
    double power = scaled_power(e);
    weft__pair less = weft__sum_of(power, -1);
    return less.high + (less.low + power * e.rest);
}

/* ---- Logarithms ---- */

/* (k log 2 + log c) + log(1 + r): each a sum of two doubles. */
typedef struct logarithm {
    double high, low, r, r_low;
} logarithm;

/* Of (x + low) 2^more, x normal and positive, |low| at most an ulp of x. */
static inline logarithm reduce_log(double x, double low, int more)
{
    uint64_t bits = bits_of(x);
    int k = (int)((bits + (ONE - ROOT_OF_HALF)) >> 52) - 1023;
    double z = double_of(bits - ((uint64_t)k << 52));
    int j = (int)(z * 128 + 0.5);
    const struct weft__log_entry *entry = &weft__logs[j - WEFT__FIRST_LOG];
    double z1 = double_of(bits_of(z) & ~UINT64_C(0x1fffff)), z2 = z - z1;
    /* Only numbers below 2^60 have a low part. */
    if (low != 0)
        z2 += low * two_to(-k);
    double whole = k + more;
    return (logarithm){whole * LN2_HIGH + entry->high, whole * LN2_LOW + entry->low, z1 * entry->inverse - 1,
                       z2 * entry->inverse};
}

/* (log(1 + r) - r + r^2 / 2) / r^3 = 1/3 - r/4 + ... + r^6 / 9 */
static inline double log_tail(double r)
{
    double s = r * r;
    return (1.0 / 3 - r * (1.0 / 4)) +
           s * ((1.0 / 5 - r * (1.0 / 6)) + s * ((1.0 / 7 - r * (1.0 / 8)) + s * (1.0 / 9)));
}

/* log(1 + r) for |r| < 0.0057 */
static inline double small_log1p(double r)
{
    double s = r * r;
    return r + (s * r * log_tail(r) - s / 2);
}

static inline double log_from(logarithm part)
{
    double r = part.r + part.r_low, s = r * r;
    /* |high| is 0 or above |r|. */
    weft__pair sum = weft__ordered_sum_of(part.high, part.r);
    return sum.high + (sum.low + (part.r_low + part.low) + (s * r * log_tail(r) - s / 2));
}

/* Whether log of x is that of a number: otherwise `answer` is set to what it is. */
static inline bool has_log(double x, double *answer)
{
    if (x > 0 && x <= DBL_MAX)
        return true;
    *answer = x == 0 ? -INFINITY : x > 0 ? x : NAN;
    return false;
}

/* As above, of every positive x; subnormal ones are multiplied by 2^54. */
static inline logarithm reduce_any_log(double x)
{
    return x < DBL_MIN ? reduce_log(x * 0x1p54, 0, -54) : reduce_log(x, 0, 0);
}

double weft__log(double x)
{
    double answer, above = x - 1;
    if (fabs(above) < 0x1p-8)
        return small_log1p(above);
    if (x >= DBL_MIN && x <= DBL_MAX)
        return log_from(reduce_log(x, 0, 0));
    return has_log(x, &answer) ? log_from(reduce_any_log(x)) : answer;
}

double weft__log1p(double x)
{
    double answer;
    if (fabs(x) < 0x1p-8)
        return fabs(x) < 0x1p-54 ? x : small_log1p(x);
    weft__pair sum = x < 0x1p60 ? weft__sum_of(1, x) : (weft__pair){x, 0};
    return has_log(sum.high, &answer) ? log_from(reduce_log(sum.high, sum.low, 0)) : answer;
}

/* log x as a pair, for every positive x */
static weft__pair log_pair(double x)
{
    double above = x - 1;
    logarithm part = fabs(above) < 0x1p-8 ? (logarithm){0, 0, above, 0} : reduce_any_log(x);
    weft__pair r = weft__sum_of(part.r, part.r_low);
    /* r^2 = a^2 + (r - a)(r + a), a the leading half of r, whose square is exact */
    double a = weft__leading_half(r.high), rest = (r.high - a) + r.low;
    weft__pair linear = weft__ordered_sum_of(part.high, r.high);
    weft__pair sum = weft__sum_of(linear.high, -a * a / 2);
    double cube = r.high * r.high * r.high * log_tail(r.high);
    double low = (sum.low + linear.low) + r.low + part.low - rest * (r.high + a) / 2 + cube;
    return weft__ordered_sum_of(sum.high, low);
}

double weft__log2(double x)
{
    double answer;
    return has_log(x, &answer) ? weft__pair_multiply(log_pair(x), PER_LN2).high : answer;
}

double weft__log10(double x)
{
    double answer;
    return has_log(x, &answer) ? weft__pair_multiply(log_pair(x), PER_LN10).high : answer;
}

/* x + sqrt(x^2 + 1) for 2^-28 < x < 2^28 */
static weft__pair unfold_sinh(double x)
{
    weft__pair square = weft__product_of(x, x), one_more = weft__sum_of(square.high, 1);
    double root = sqrt(one_more.high);
    weft__pair back = weft__product_of(root, root);
    /* sqrt(h + l) = s + (h - s^2 + l) / (2 s) */
    double rest = ((one_more.high - back.high) - back.low + (one_more.low + square.low)) / (2 * root);
    weft__pair sum = weft__sum_of(root, x);
    return weft__ordered_sum_of(sum.high, sum.low + rest);
}

double weft__asinh(double x)
{
    double size = fabs(x);
    if (!(size > 0x1p-28) || size > DBL_MAX)
        return x;
    weft__pair e = size < 0x1p28 ? unfold_sinh(size) : (weft__pair){size, 0};
    /* e^(asinh x) = e, or 2x where 1 is nothing beside x^2 */
    double answer = log_from(reduce_log(e.high, e.low, size < 0x1p28 ? 0 : 1));
    return copysign(answer, x);
}

/* ---- Powers ---- */

/* x^y for finite x > 0 */
static double positive_pow(double x, double y)
{
    /* |log x| >= 2^-53 unless x = 1: beyond 2^66 only the sign of y matters, and it cannot be split. */
    y = fmax(-0x1p66, fmin(y, 0x1p66));
    weft__pair base = log_pair(x), product = weft__product_of(y, base.high);
    weft__pair power = weft__ordered_sum_of(product.high, product.low + y * base.low);
    if (power.high > 710)
        return INFINITY;
    if (power.high < -746)
        return 0;
    exponential e = reduce_exp(power.high, power.low);
    return fabs(power.high) < 690 ? assemble(e) : assemble_far(e);
}

/* x^y where x is 0 or infinite, or y is infinite, |x| not 1 */
static double limit_of_pow(double size, double y)
{
    return (size > 1) == (y > 0) ? INFINITY : 0;
}

double weft__pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return NAN;
    double size = fabs(x);
    bool whole = floor(y) == y, odd = whole && fabs(y) < 0x1p53 && floor(y / 2) * 2 != y;
    if (x < 0 && size <= DBL_MAX && !whole)
        return NAN;
    double power = size == 1                                          ? 1
                   : size == 0 || size > DBL_MAX || fabs(y) > DBL_MAX ? limit_of_pow(size, y)
                                                                      : positive_pow(size, y);
    return odd ? copysign(power, x) : power;
}
