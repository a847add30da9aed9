/* SPDX-License-Identifier: MIT
 *
 * Method: plain loops over WEFT__LANES independent partial sums, four rows at a
 * time, that gcc and clang turn into vector code; target_clones compiles each
 * for SSE2, AVX2 and AVX-512 and the loader picks one.
 * Cost: one pass over the data each; at 400 x 400 in single precision bound by
 * the second-level cache. */
#include "base/vector.h"

#include "base/clones.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { LANES = WEFT__LANES, HALF = LANES / 2, QUARTER = LANES / 4 };

INLINED float fold_single(const float *s)
{
    float h[HALF];
    for (int l = 0; l < HALF; l++)
        h[l] = s[l] + s[l + HALF];
    for (int l = 0; l < QUARTER; l++)
        h[l] += h[l + QUARTER];
    return (h[0] + h[2]) + (h[1] + h[3]);
}

INLINED double fold_double(const double *s)
{
    double h[HALF];
    for (int l = 0; l < HALF; l++)
        h[l] = s[l] + s[l + HALF];
    for (int l = 0; l < QUARTER; l++)
        h[l] += h[l + QUARTER];
    return (h[0] + h[2]) + (h[1] + h[3]);
}

CLONED static double sum(int64_t n, const double *x)
{
    double s[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES; l++)
            s[l] += x[i + l];
    return fold_double(s);
}

double weft__sum(int64_t n, const double *x)
{
    return sum(n, x);
}

CLONED static double dot(int64_t n, const double *restrict x, const double *restrict y)
{
    double s[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES; l++)
            s[l] += x[i + l] * y[i + l];
    return fold_double(s);
}

double weft__dot(int64_t n, const double *x, const double *y)
{
    return dot(n, x, y);
}

CLONED static double distance(int64_t n, const double *restrict x, const double *restrict y)
{
    double s[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES; l++)
            s[l] += (x[i + l] - y[i + l]) * (x[i + l] - y[i + l]);
    return fold_double(s);
}

double weft__distance(int64_t n, const double *x, const double *y)
{
    return distance(n, x, y);
}

CLONED static double weighted_square(int64_t n, const double *restrict d, const double *restrict x)
{
    double s[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES; l++)
            s[l] += d[i + l] * (x[i + l] * x[i + l]);
    return fold_double(s);
}

double weft__weighted_square(int64_t n, const double *d, const double *x)
{
    return weighted_square(n, d, x);
}

CLONED static void add(int64_t n, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

void weft__add(int64_t n, double a, const double *x, double *y)
{
    add(n, a, x, y);
}

CLONED static void scale(int64_t n, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i];
}

void weft__scale_vector(int64_t n, double a, const double *x, double *y)
{
    scale(n, a, x, y);
}

CLONED static void multiply_each(int64_t n, const double *d, const double *x, double *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = d[i] * x[i];
}

void weft__multiply_each(int64_t n, const double *d, const double *x, double *y)
{
    multiply_each(n, d, x, y);
}

CLONED static void add_each(int64_t n, double a, double b, const double *restrict d, const double *restrict x,
                            double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * (y[i] + b * (d[i] * x[i]));
}

void weft__add_each(int64_t n, double a, double b, const double *d, const double *x, double *y)
{
    add_each(n, a, b, d, x, y);
}

CLONED static void narrow(int64_t n, double a, const double *restrict x, float *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)(a * x[i]);
}

void weft__narrow(int64_t n, double a, const double *x, float *y)
{
    narrow(n, a, x, y);
}

CLONED static void widen(int64_t n, double a, const float *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * (double)x[i];
}

void weft__widen(int64_t n, double a, const float *x, double *y)
{
    widen(n, a, x, y);
}

CLONED static double largest(int64_t n, const double *x)
{
    double s[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double magnitude = fabs(x[i + l]);
            s[l] = magnitude > s[l] ? magnitude : s[l];
        }
    double largest = 0;
    for (int l = 0; l < LANES; l++)
        largest = s[l] > largest ? s[l] : largest;
    return largest;
}

double weft__largest(int64_t n, const double *x)
{
    return largest(n, x);
}

CLONED static double weighted_fourth(int64_t n, const double *restrict d, const double *restrict x)
{
    double s[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double square = x[i + l] * x[i + l];
            s[l] += d[i + l] * (square * square);
        }
    return fold_double(s);
}

double weft__weighted_fourth(int64_t n, const double *d, const double *x)
{
    return weighted_fourth(n, d, x);
}

double weft__magnitude(int64_t n, const double *x)
{
    double largest = weft__largest(n, x);
    if (!(largest > 0))
        return 1;
    /* Within +-1000, so that 1 / s is a number too. */
    int exponent = ilogb(largest);
    return ldexp(1, exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent);
}

/* Row i: the block on the diagonal and everything to the right of it, by dot
 * products for y_i and by columns for the y_j of later rows. */
CLONED static void multiply_single(weft__block_single a, const float *restrict x, float *restrict y)
{
    memset(y, 0, (size_t)a.columns * sizeof *y);
    for (int64_t i = 0; i < a.rows; i += 4) {
        const float *a0 = a.at + i * a.stride, *a1 = a0 + a.stride, *a2 = a1 + a.stride, *a3 = a2 + a.stride;
        float s0[LANES], s1[LANES], s2[LANES], s3[LANES];
        float x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
        int64_t d = i / LANES * LANES;
        for (int l = 0; l < LANES; l++) {
            s0[l] = a0[d + l] * x[d + l];
            s1[l] = a1[d + l] * x[d + l];
            s2[l] = a2[d + l] * x[d + l];
            s3[l] = a3[d + l] * x[d + l];
        }
        for (int64_t j = d + LANES; j < a.columns; j += LANES)
            for (int l = 0; l < LANES; l++) {
                float c0 = a0[j + l], c1 = a1[j + l], c2 = a2[j + l], c3 = a3[j + l];
                s0[l] += c0 * x[j + l];
                s1[l] += c1 * x[j + l];
                s2[l] += c2 * x[j + l];
                s3[l] += c3 * x[j + l];
                y[j + l] += (c0 * x0 + c1 * x1) + (c2 * x2 + c3 * x3);
            }
        y[i] += fold_single(s0);
        y[i + 1] += fold_single(s1);
        y[i + 2] += fold_single(s2);
        y[i + 3] += fold_single(s3);
    }
}

void weft__multiply_symmetric_single(weft__block_single a, const float *x, float *y)
{
    multiply_single(a, x, y);
}

CLONED static void multiply_double(weft__block_double a, const double *restrict x, double *restrict y)
{
    memset(y, 0, (size_t)a.columns * sizeof *y);
    for (int64_t i = 0; i < a.rows; i += 2) {
        const double *a0 = a.at + i * a.stride, *a1 = a0 + a.stride;
        double s0[LANES], s1[LANES];
        double x0 = x[i], x1 = x[i + 1];
        int64_t d = i / LANES * LANES;
        for (int l = 0; l < LANES; l++) {
            s0[l] = a0[d + l] * x[d + l];
            s1[l] = a1[d + l] * x[d + l];
        }
        for (int64_t j = d + LANES; j < a.columns; j += LANES)
            for (int l = 0; l < LANES; l++) {
                double c0 = a0[j + l], c1 = a1[j + l];
                s0[l] += c0 * x[j + l];
                s1[l] += c1 * x[j + l];
                y[j + l] += c0 * x0 + c1 * x1;
            }
        y[i] += fold_double(s0);
        y[i + 1] += fold_double(s1);
    }
}

void weft__multiply_symmetric_double(weft__block_double a, const double *x, double *y)
{
    multiply_double(a, x, y);
}

/* Row i from its block on the diagonal on; entries right of that block count for two rows. */
CLONED static void update_symmetric(int64_t n, double c, const double *restrict x, double *restrict a,
                                    float *restrict single, double *restrict square)
{
    memset(square, 0, (size_t)n * sizeof *square);
    for (int64_t i = 0; i < n; i++) {
        double *row = a + i * n, s[LANES], xi = x[i];
        float *narrow_row = single + i * n;
        int64_t d = i / LANES * LANES;
        for (int l = 0; l < LANES; l++) {
            double entry = row[d + l] + c * (xi * x[d + l]);
            row[d + l] = entry;
            narrow_row[d + l] = (float)entry;
            s[l] = entry * entry;
        }
        for (int64_t j = d + LANES; j < n; j += LANES)
            for (int l = 0; l < LANES; l++) {
                double entry = row[j + l] + c * (xi * x[j + l]), own = entry * entry;
                row[j + l] = entry;
                narrow_row[j + l] = (float)entry;
                s[l] += own;
                square[j + l] += own;
            }
        square[i] += fold_double(s);
    }
}

void weft__update_symmetric(int64_t n, double c, const double *x, double *a, float *single, double *square)
{
    update_symmetric(n, c, x, a, single, square);
}

CLONED static void project(int64_t n, const double *restrict a, const double *restrict x, double *restrict y)
{
    double s[LANES] = {0};
    for (int64_t i = 0; i < n; i++)
        for (int l = 0; l < LANES; l++)
            s[l] += a[i * LANES + l] * x[i];
    memcpy(y, s, sizeof s);
}

void weft__project(int64_t n, const double *a, const double *x, double *y)
{
    project(n, a, x, y);
}

CLONED static void couple_single(weft__block_single g, const float *restrict x, const float *restrict z,
                                 float *restrict u, float *restrict v)
{
    for (int64_t i = 0; i < g.rows; i += 4) {
        const float *g0 = g.at + i * g.stride, *g1 = g0 + g.stride, *g2 = g1 + g.stride, *g3 = g2 + g.stride;
        float s0[LANES] = {0}, s1[LANES] = {0}, s2[LANES] = {0}, s3[LANES] = {0};
        float z0 = z[i], z1 = z[i + 1], z2 = z[i + 2], z3 = z[i + 3];
        for (int64_t j = 0; j < g.columns; j += LANES)
            for (int l = 0; l < LANES; l++) {
                float c0 = g0[j + l], c1 = g1[j + l], c2 = g2[j + l], c3 = g3[j + l];
                s0[l] += c0 * x[j + l];
                s1[l] += c1 * x[j + l];
                s2[l] += c2 * x[j + l];
                s3[l] += c3 * x[j + l];
                v[j + l] += (c0 * z0 + c1 * z1) + (c2 * z2 + c3 * z3);
            }
        u[i] = fold_single(s0);
        u[i + 1] = fold_single(s1);
        u[i + 2] = fold_single(s2);
        u[i + 3] = fold_single(s3);
    }
}

void weft__couple_single(weft__block_single g, const float *x, const float *z, float *u, float *v)
{
    couple_single(g, x, z, u, v);
}

CLONED static void couple_double(weft__block_single g, const double *restrict x, const double *restrict z,
                                 double *restrict u, double *restrict v)
{
    for (int64_t i = 0; i < g.rows; i += 2) {
        const float *g0 = g.at + i * g.stride, *g1 = g0 + g.stride;
        double s0[LANES] = {0}, s1[LANES] = {0};
        double z0 = z[i], z1 = z[i + 1];
        for (int64_t j = 0; j < g.columns; j += LANES)
            for (int l = 0; l < LANES; l++) {
                double c0 = g0[j + l], c1 = g1[j + l];
                s0[l] += c0 * x[j + l];
                s1[l] += c1 * x[j + l];
                v[j + l] += c0 * z0 + c1 * z1;
            }
        u[i] = fold_double(s0);
        u[i + 1] = fold_double(s1);
    }
}

void weft__couple_double(weft__block_single g, const double *x, const double *z, double *u, double *v)
{
    couple_double(g, x, z, u, v);
}
