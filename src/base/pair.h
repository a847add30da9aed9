/* SPDX-License-Identifier: MIT
 * Twice the working precision: a number as the unevaluated sum of two doubles.
 *
 * The operations are those of Knuth and Dekker, of additions and multiplications alone: no fused
 * multiply-add, so that every processor takes the same time and gives the same bits.
 * Reference  Dekker, A floating-point technique for extending the available precision, 1971. */
#ifndef WEFT_BASE_PAIR_H
#define WEFT_BASE_PAIR_H

/* high + low, with |low| at most half a unit in the last place of high. */
typedef struct weft__pair {
    double high, low;
} weft__pair;

/* a + b, exactly. */
static inline weft__pair weft__sum_of(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (weft__pair){sum, (a - (sum - part)) + (b - part)};
}

/* a + b, exactly, where |a| >= |b| or a = 0. */
static inline weft__pair weft__ordered_sum_of(double a, double b)
{
    double sum = a + b;
    return (weft__pair){sum, (a - sum) + b};
}

/* The leading 26 bits of a, |a| < 2^996; what is left of a has 26 bits too, with its sign. */
static inline double weft__leading_half(double a)
{
    double multiple = a * 0x1.0000002p27; /* 2^27 + 1 */
    return multiple - (multiple - a);
}

/* a b, exactly, where nothing overflows (|a|, |b| < 2^996) or underflows. */
static inline weft__pair weft__product_of(double a, double b)
{
    double product = a * b, a1 = weft__leading_half(a), b1 = weft__leading_half(b), a2 = a - a1, b2 = b - b1;
    return (weft__pair){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

/* a b with a relative error below 2^-100 */
static inline weft__pair weft__pair_multiply(weft__pair a, weft__pair b)
{
    weft__pair high = weft__product_of(a.high, b.high);
    return weft__ordered_sum_of(high.high, high.low + (a.high * b.low + a.low * b.high));
}

#endif
