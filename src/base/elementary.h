/* SPDX-License-Identifier: MIT
 * The elementary functions, with the same bits on every processor.
 *
 * The C library chooses its variants by the processor that it finds (with or without fused
 * multiply-add), and they differ in the last bit.  These are made of IEEE additions, multiplications,
 * divisions, square roots and bits alone, and so are the same wherever the project is compiled as it
 * wants to be (-ffp-contract=off, round to nearest).  tests/lint forbids the others in what computes
 * or writes numbers; sqrt, fabs, floor, ldexp, frexp, fma and their like are exact and stay.
 *
 * Special values are those of C99, annex F: NaN for NaN and outside the domain, infinities and zeros
 * with their sign, exp(0) = 1, log(1) = 0, x^0 = 1^y = 1.  No function sets errno.
 *
 * Errors are told in units in the last place (ulp) of the exact result, which is 2^-1074 where that is
 * subnormal; there exp, exp2, pow and erfc may err by 0.26 more, since they are rounded twice.
 * tests/oracle/run_elementary.py reads the bounds from the comments below, compares each function with
 * a multiprecision judge, and fails where one is exceeded.  bench/elementary.c tells the times. */
#ifndef WEFT_BASE_ELEMENTARY_H
#define WEFT_BASE_ELEMENTARY_H

/* e^x, 2^x and e^x - 1 */
double weft__exp(double x);   /* 0.52 ulp */
double weft__exp2(double x);  /* 0.52 ulp */
double weft__expm1(double x); /* 0.60 ulp */

/* The natural logarithm of x and of 1 + x, and those to the bases 2 and 10, which are exact for powers
 * of the base. */
double weft__log(double x);   /* 0.51 ulp */
double weft__log1p(double x); /* 0.51 ulp */
double weft__log2(double x);  /* 0.51 ulp */
double weft__log10(double x); /* 0.51 ulp */

/* The inverse of the hyperbolic sine, log(x + sqrt(x^2 + 1)) */
double weft__asinh(double x); /* 0.51 ulp */

/* x^y, exact where the result is a double */
double weft__pow(double x, double y); /* 0.58 ulp */

/* The sine and the cosine of x radians, for every finite x: 0.85 ulp each */
void weft__sin_cos(double x, double *sine, double *cosine);

/* The complementary error function, 2 / sqrt(pi) times the integral of exp(-t^2) over t >= x */
double weft__erfc(double x); /* 5.00 ulp */

#endif
