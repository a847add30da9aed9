/* SPDX-License-Identifier: MIT
 *
 * Method: all derivatives of exp are positive, so the Gauss rule of the measure
 * that T_k stands for is a lower bound of its integral of exp and the
 * Gauss-Radau rule with a node at b >= lambda_max an upper bound.
 * Algorithm: nodes and weights from the eigenvalues and first components of
 * T_k; the Radau matrix is T_{k+1} with its last diagonal replaced by
 *
 *     b + beta_k^2 / d_k,   d_1 = alpha_1 - b,   d_j = (alpha_j - b) - beta_{j-1}^2 / d_{j-1}
 *
 * so that b is an eigenvalue.  Sums are shifted by the largest node.
 * Rounding: an error E of T changes (exp T)_11, to first order, by at most
 * |E| sqrt((exp 2T)_11) (Cauchy-Schwarz on the integral of exp(sT) E exp((1-s)T),
 * and log-convexity of s -> (exp sT)_11).  The eigenproblem adds a relative
 * SOLVER of T to |E| and, through the squares of first components that are known
 * to SOLVER only, SOLVER^2 exp(largest).  For the Radau node b, whose weight can
 * be tiny beside exp(b), the weight is instead computed from the recurrence of
 * its eigenvector, upwards and therefore stably, to full relative accuracy.
 * Cost: O(k^2).
 * Reference: Golub and Meurant, Matrices, Moments and Quadrature (2010), ch. 6. */
#include "spectral/quadrature.h"

#include "base/elementary.h"
#include "linalg/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <string.h>

double weft__log_difference(double a, double c)
{
    if (!(a > c))
        return -INFINITY;
    return c == -INFINITY ? a : a + weft__log(-weft__expm1(c - a));
}

double weft__log_sum(double a, double c)
{
    double high = fmax(a, c), low = fmin(a, c);
    return low == -INFINITY ? high : high + weft__log1p(weft__exp(low - high));
}

typedef struct nodes {
    int k;
    double theta[WEFT__MOST_STEPS + 1];
    double first[WEFT__MOST_STEPS + 1]; /* weights are their squares */
    double off[WEFT__MOST_STEPS + 1];
    double largest, magnitude;
} nodes;

static bool solve(nodes *t)
{
    if (!weft__tridiagonal_solve(t->k, t->theta, t->off, t->first))
        return false;
    t->largest = -INFINITY;
    t->magnitude = 0;
    for (int i = 0; i < t->k; i++) {
        t->largest = fmax(t->largest, t->theta[i]);
        t->magnitude = fmax(t->magnitude, fabs(t->theta[i]));
    }
    return isfinite(t->magnitude);
}

/* sum_i w_i exp(power (theta_i - largest)), for nodes other than `skip`. */
static double shifted_sum(const nodes *t, double power, int skip)
{
    double sum = 0;
    for (int i = 0; i < t->k; i++)
        if (i != skip)
            sum += t->first[i] * t->first[i] * weft__exp(power * (t->theta[i] - t->largest));
    return sum;
}

static double solver_error(const nodes *t)
{
    return 4 * DBL_EPSILON * (t->k + 1);
}

/* The first-order allowance |E| sqrt(S), S = sum w exp(2 theta), and the
 * rounding of the sum itself; everything divided by exp(largest). */
static double allowance_of(const nodes *t, double noise, double value, double squares)
{
    double error = noise + solver_error(t) * (t->magnitude + 1);
    return error * sqrt(squares) + solver_error(t) * value;
}

bool weft__gauss(const weft__coefficients *t, weft__rule *rule)
{
    nodes n;
    n.k = t->k;
    memcpy(n.theta, t->alpha, (size_t)t->k * sizeof *n.theta);
    memcpy(n.off, t->beta, (size_t)t->k * sizeof *n.off);
    if (!solve(&n))
        return false;
    double value = shifted_sum(&n, 1, -1), squares = shifted_sum(&n, 2, -1);
    double allowance = allowance_of(&n, t->noise, value, squares) + solver_error(&n) * solver_error(&n);
    *rule = (weft__rule){weft__log(value) + n.largest, weft__log(allowance) + n.largest, n.largest};
    return true;
}

/* -log of |x|^2 for the eigenvector x of eigenvalue b with x_1 = 1: the
 * logarithm of the weight of node b.
 * x_{j+1} = ((b - alpha_j) x_j - beta_{j-1} x_{j-1}) / beta_j grows, because b is
 * above the spectrum of T_k. */
static double log_weight_at(const weft__coefficients *t, double b)
{
    double before = 0, x = 1, squares = 1, log_unit = 0;
    for (int j = 0; j < t->k; j++) {
        double next = ((b - t->alpha[j]) * x - (j > 0 ? t->beta[j - 1] * before : 0)) / t->beta[j];
        before = x;
        x = next;
        if (fabs(x) > 1e50) {
            double unit = fabs(x);
            before /= unit;
            x /= unit;
            squares = squares / unit / unit;
            log_unit += 2 * weft__log(unit);
        }
        squares += x * x;
    }
    return -(weft__log(squares) + log_unit);
}

/* The last diagonal of the Radau matrix, or false if b is not above T_k. */
static bool radau_diagonal(const weft__coefficients *t, double b, double *last)
{
    double d = t->alpha[0] - b;
    for (int j = 1; j < t->k && d < 0; j++)
        d = (t->alpha[j] - b) - t->beta[j - 1] * t->beta[j - 1] / d;
    if (!(d < 0))
        return false;
    *last = b + t->beta[t->k - 1] * t->beta[t->k - 1] / d;
    return isfinite(*last);
}

static int nearest_node(const nodes *t, double b)
{
    int at = 0;
    for (int i = 1; i < t->k; i++)
        if (fabs(t->theta[i] - b) < fabs(t->theta[at] - b))
            at = i;
    return at;
}

bool weft__radau(const weft__coefficients *t, double b, weft__rule *rule)
{
    nodes n;
    n.k = t->k + 1;
    memcpy(n.theta, t->alpha, (size_t)t->k * sizeof *n.theta);
    memcpy(n.off, t->beta, (size_t)t->k * sizeof *n.off);
    if (!radau_diagonal(t, b, &n.theta[t->k]) || !solve(&n))
        return false;
    /* Node b apart: its weight in logarithms, the others shifted by their own largest.  Where another
     * node is next to b the solver divides the weight of both as it likes: the larger share for b
     * keeps the bound one. */
    int at_b = nearest_node(&n, b);
    double own = n.first[at_b] * n.first[at_b], floor = solver_error(&n) * solver_error(&n);
    double log_weight = fmax(log_weight_at(t, b), own > floor ? weft__log(own) : -INFINITY);
    n.largest = -INFINITY;
    for (int i = 0; i < n.k; i++)
        if (i != at_b)
            n.largest = fmax(n.largest, n.theta[i]);
    double value = shifted_sum(&n, 1, at_b), squares = shifted_sum(&n, 2, at_b);
    double error = t->noise + solver_error(&n) * (n.magnitude + 1);
    double log_value = weft__log_sum(weft__log(value) + n.largest, log_weight + b);
    double log_squares = weft__log_sum(weft__log(squares) + 2 * n.largest, log_weight + 2 * b);
    double log_allowance =
        weft__log_sum(weft__log(error) + log_squares / 2, weft__log(solver_error(&n)) + log_value);
    *rule = (weft__rule){log_value, log_allowance, b};
    return true;
}
