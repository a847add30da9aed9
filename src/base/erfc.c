/* SPDX-License-Identifier: MIT
 *
 * Method     erfc(x) = (2 x / pi) exp(-x^2) times the integral of exp(-t^2) / (t^2 + x^2) over t >= 0, by
 *            the trapezoidal rule, which converges exponentially; below 1/2, 1 minus the Taylor series of
 *            erf.
 *
 * Algorithm  With step h = 1/2 the rule gives
 *                (2 h x / pi) exp(-x^2) (1 / (2 x^2) + sum over n >= 1 of exp(-n^2 / 4) / (n^2 / 4 + x^2)),
 *            and differs from the integral by the residue at t = i x, 2 / (e^(2 pi x / h) - 1), and by
 *            less than 2 exp(-pi^2 / h^2) < 2^-55 of it.  Terms beyond n = 12 add less than exp(-42).  x^2
 *            is a pair of doubles: exp(-(a + b)) = exp(-a) (1 - b).
 *
 * Error      Twelve positive terms, the product and the exponential round by less than
 *            2^-53 ten times, of which the sum's own are in proportion to its terms: 5 ulp.
 *            At 1/2 the residue is 0.0038 of a result of 0.48.  The series ends with x^29, below 2^-60.
 *
 * Cost       Fifteen divisions and an exponential or two: for reports, not for inner loops.
 *
 * Reference  Matta and Reichel, Uniform computation of the error function and other related functions, 1971.
 */
#include "base/elementary.h"

#include "base/pair.h"

#include <math.h>

enum { NODES = 12, TERMS = 15 };

static const double PER_PI = 0x1.45f306dc9c883p-2;       /* 1 / pi */
static const double TWO_PER_ROOT = 0x1.20dd750429b6dp+0; /* 2 / sqrt(pi) */
static const double FOUR_PI = 0x1.921fb54442d18p+3;

/* exp(-n^2 / 4) for n = 1..12 */
static const double node_weight[NODES] = {
    0x1.8ebef9eac820bp-1,  0x1.78b56362cef38p-2,  0x1.afb718e8457f7p-4,  0x1.2c155b8213cf4p-6,
    0x1.fa0e9586aebc7p-10, 0x1.02cf22526545ap-13, 0x1.411fb0da07713p-18, 0x1.e355bbaee85cbp-24,
    0x1.b93de1e27ca3bp-30, 0x1.e8a37a45fc32ep-37, 0x1.4835bd010a41bp-44, 0x1.0b6c3afdde064p-52,
};

/* erf(x) = 2 / sqrt(pi) sum_k (-1)^k x^(2k + 1) / (k! (2k + 1)) */
static double erf_by_series(double x)
{
    double sum = 0, power = x, s = x * x;
    for (int k = 0; k < TERMS; k++) {
        sum += power / (2 * k + 1);
        power *= -s / (k + 1);
    }
    return TWO_PER_ROOT * sum;
}

/* For 1/2 <= x <= 27 */
static double erfc_by_trapezia(double x)
{
    weft__pair square = weft__product_of(x, x);
    double sum = 0;
    for (int n = NODES; n >= 1; n--)
        sum += node_weight[n - 1] / (0.25 * n * n + square.high);
    sum += 0.5 / square.high;
    double e = weft__exp(-square.high);
    double scaled = PER_PI * x * sum;
    double residue = x < 6 ? 2 / weft__expm1(FOUR_PI * x) : 0;
    return (scaled - scaled * square.low) * e - residue;
}

double weft__erfc(double x)
{
    if (isnan(x))
        return x + x;
    if (fabs(x) < 0.5)
        return 1 - erf_by_series(x);
    if (fabs(x) > 28)
        return x > 0 ? 0 : 2;
    return x > 0 ? erfc_by_trapezia(x) : 2 - erfc_by_trapezia(-x);
}
