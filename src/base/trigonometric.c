/* SPDX-License-Identifier: MIT
 *
 * Method     x = n pi/2 + y with |y| <= pi/4, y as a pair of doubles; then Taylor's polynomials, and the
 *            quadrant n mod 4 says which of them is which, with what sign.
 *
 * Algorithm  Up to |x| < 2^20: pi/2 in three parts, of which the first two have 33 and 31 bits, so that n
 *            times either is exact; x - n HALF_PI_1 is exact too, a multiple of 2^-53 below 1.  The pair
 *            errs by less than 2^-101, which is enough while |y| > 2^-30.
 *            Beyond, and closer to a multiple of pi/2: x = m 2^e with an integer m < 2^53; of the binary
 *            digits of 2/pi those that make multiples of 4 of the product are left out, and the next 256
 *            are multiplied by m in integer arithmetic, modulo 2^256.  The two leading bits are the
 *            quadrant; the others have an error below 2^-201, and no double is closer to a multiple of
 *            pi/2 than 2^-62 (Kahan's search; Muller's book, table 11.1), so 139 bits are left.
 *
 * Error      The sine's correction, y^3 / 6 < y / 9.7, is made with three roundings: 0.5 + 0.16, and 0.1 more
 *            where |y| is above 1/2 and its ulp twice as large as the sine's.  The cosine's y^2 / 2 < 0.31 is
 *            rounded once, a quarter of an ulp of a result above 0.7, and y^4 / 24 < 0.016 three times:
 *            0.5 + 0.25 + 0.05.  Terms left out: y^19 / 19! < 2^-63, y^18 / 18! < 2^-58.
 *
 * Cost       60 operations for both; where the digits of 2/pi are needed, 20 integer multiplications more.
 *
 * Reference  Cody and Waite, Software manual for the elementary functions, 1980.  Payne and Hanek, Radian
 *            reduction for trigonometric functions, 1983.  Muller, Elementary functions, 2016.
 */
#include "base/elementary.h"

#include "base/pair.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* pi/2 to 2^-32, to 2^-65, and the rest */
static const double HALF_PI_1 = 0x1.921fb544p+0, HALF_PI_2 = 0x1.0b4611a6p-34,
                    HALF_PI_3 = 0x1.3198a2e037073p-69;
static const weft__pair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const double PER_HALF_PI = 0x1.45f306dc9c883p-1; /* 2/pi */
static const double TO_INTEGER = 0x1.8p52;              /* as in src/base/elementary.c */

enum { LIMBS = 8, DIGITS = 42 };

/* The binary digits of 2/pi after the point, after 64 zeros for small exponents. */
static const uint32_t two_over_pi[2 + DIGITS] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
    0xf0cfbc20, 0x9af4361d, 0xa9e39161, 0x5ee61b08,
};

/* x = quadrant pi/2 + y, modulo 2 pi */
typedef struct turn {
    int quadrant;
    weft__pair y;
} turn;

/* limb = m (the 256 digits from `first` on) modulo 2^256, the most significant limb first; m < 2^53 */
static void multiply_digits(uint64_t m, int first, uint32_t limb[LIMBS])
{
    const uint32_t *words = &two_over_pi[first / 32];
    uint64_t m1 = m & UINT32_MAX, m2 = m >> 32, carry = 0, before = 0;
    for (int k = LIMBS - 1; k >= 0; k--) {
        uint64_t digits = ((uint64_t)words[k] << 32 | words[k + 1]) >> (32 - first % 32) & UINT32_MAX;
        uint64_t product = digits * m1;
        /* Below 2^55: m2 < 2^21, and carry < 2^33. */
        uint64_t sum = (product & UINT32_MAX) + before * m2 + carry;
        limb[k] = (uint32_t)(sum & UINT32_MAX);
        carry = (sum >> 32) + (product >> 32);
        before = digits;
    }
}

/* For every finite x >= pi/4 */
static turn reduce_by_digits(double x)
{
    int exponent;
    uint32_t limb[LIMBS];
    uint64_t m = (uint64_t)ldexp(frexp(x, &exponent), 53);
    /* The digit of weight 2^-i makes 2^(exponent - 53 - i) of m: those from 2^1 down are taken. */
    multiply_digits(m, exponent - 53 + 62, limb);
    int quadrant = (int)(limb[0] >> 30);
    /* A fraction f above 1/2 belongs to the next quadrant, as f - 1; 1 - f is the complement. */
    bool above = limb[0] >> 29 & 1;
    weft__pair f = {0, 0};
    for (int k = LIMBS - 1; k >= 0; k--) {
        uint32_t digits = (above ? ~limb[k] : limb[k]) & (k == 0 ? UINT32_MAX >> 2 : UINT32_MAX);
        weft__pair sum = weft__ordered_sum_of(ldexp(digits, -30 - 32 * k), f.high);
        f = weft__ordered_sum_of(sum.high, sum.low + f.low);
    }
    weft__pair y = weft__pair_multiply(f, HALF_PI);
    return above ? (turn){quadrant + 1, {-y.high, -y.low}} : (turn){quadrant, y};
}

/* For every finite x >= 0 */
static inline turn reduce(double x)
{
    if (x <= 0x1.921fb54442d18p-1)
        return (turn){0, {x, 0}};
    if (x >= 0x1p20)
        return reduce_by_digits(x);
    double n = (x * PER_HALF_PI + TO_INTEGER) - TO_INTEGER;
    weft__pair first = weft__sum_of(x - n * HALF_PI_1, -n * HALF_PI_2);
    weft__pair y = weft__ordered_sum_of(first.high, first.low - n * HALF_PI_3);
    return fabs(y.high) < 0x1p-30 ? reduce_by_digits(x) : (turn){(int)n, y};
}

/* sin(y) = y - y^3 / 3! + ... + y^17 / 17!, and y.low cos(y) */
static inline double sine_of(weft__pair y)
{
    double s = y.high * y.high, q = s * s;
    double low = (-1.0 / 6 + s * (1.0 / 120)) + q * (-1.0 / 5040 + s * (1.0 / 362880));
    double high =
        (-1.0 / 39916800 + s * (1.0 / 6227020800)) + q * (-1.0 / 1307674368000 + s * (1.0 / 355687428096000));
    return y.high + (s * y.high * (low + q * q * high) + y.low * (1 - s / 2));
}

/* cos(y) = 1 - y^2 / 2! + ... + y^16 / 16!, and -y.low sin(y) */
static inline double cosine_of(weft__pair y)
{
    double s = y.high * y.high, q = s * s;
    double low = (1.0 / 24 + s * (-1.0 / 720)) + q * (1.0 / 40320 + s * (-1.0 / 3628800));
    double high = (1.0 / 479001600 + s * (-1.0 / 87178291200)) + q * (1.0 / 20922789888000);
    weft__pair sum = weft__ordered_sum_of(1, -s / 2);
    return sum.high + (sum.low + (q * (low + q * q * high) - y.high * y.low));
}

void weft__sin_cos(double x, double *sine, double *cosine)
{
    if (!(fabs(x) <= DBL_MAX)) {
        *sine = *cosine = NAN;
        return;
    }
    if (fabs(x) < 0x1p-27) {
        *sine = x;
        *cosine = 1;
        return;
    }
    turn at = reduce(fabs(x));
    double s = sine_of(at.y), c = cosine_of(at.y);
    /* sin(y + pi/2) = cos y, cos(y + pi/2) = -sin y */
    bool swapped = at.quadrant & 1, negative = at.quadrant & 2;
    double up = swapped ? c : s, along = swapped ? -s : c;
    *sine = negative != (x < 0) ? -up : up;
    *cosine = negative ? -along : along;
}
