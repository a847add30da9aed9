/* SPDX-License-Identifier: MIT
 *
 * Method: with the basis V of a Lanczos sequence in the inner product of K,
 * A = sqrt(K) C sqrt(K), and T = Y diag(theta) Y',
 *
 *     exp(CK) e  ~  |e| V exp(T) e_1
 *     B(r, c)    ~  |e|^2 sum_ab (Pi_ra w_a) exp[theta_a, theta_b] (Pi_cb w_b)
 *
 * where P = KV, Pi = P Y, w = Y'e_1, and exp[a, b] = (e^a - e^b) / (a - b), the first
 * divided difference, is the integral of e^(ta + (1-t)b) over [0, 1].
 *
 * Error: the residual of x_k(s) = |e| V exp(sT) e_1 as a solution of x' = Ax is
 * beta_k h(s) v_{k+1}, h(s) = |e| (exp sT)_k1 >= 0, so that with b >= lambda_max
 *
 *     |exp(A)x - x_k(1)|  <=  beta_k integral h(s) e^(b(1-s)) ds
 *                         =   beta_k |e| sum_a Y_1a Y_ka exp[theta_a, b]
 *
 * (Saad, SIAM J. Numer. Anal. 29 (1992); Hochbruck and Lubich, ibid. 34 (1997)).  An
 * error eps(t) of f(t) and |f(t)| <= |e| e^(bt) leave in B(r, c) at most
 * |x_r||x_c| times
 *
 *     2 |e| integral e^(bt) eps(1-t) dt + integral eps(t) eps(1-t) dt
 *       <=  2 beta_k |e|^2 sum_a Y_1a Y_ka exp[theta_a, b, b] + eps(1)^2    for b >= 0.
 *
 * Both converge at half the rate of the quadratic form.  To them comes what
 * rounding did to T (`noise` of the sequence) and to its decomposition.
 * Cost: O(k^3) for the decomposition, O(n k) for the action, O(n k^2) for the
 * sensitivities and then O(k) for each. */
#include "spectral/action.h"

#include "base/elementary.h"
#include "base/vector.h"
#include "linalg/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <string.h>

void weft__action_release(weft__action *action)
{
    void *owned[] = {action->theta,   action->vectors, action->coefficient, action->work,
                     action->divided, action->left,    action->right};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&action->memory, owned[k]);
}

static weft_status make_room(weft__action *action, int k, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (k <= action->room)
        return WEFT_OK;
    int room = (int)weft__grown(action->room, k);
    TRY(weft__resize(&action->memory, &action->theta, 0, room, sizeof(double), error));
    TRY(weft__resize(&action->memory, &action->coefficient, 0, room, sizeof(double), error));
    TRY(weft__resize(&action->memory, &action->work, 0, room, sizeof(double), error));
    TRY(weft__resize(&action->memory, &action->vectors, 0, (int64_t)room * room, sizeof(double), error));
    TRY(weft__resize(&action->memory, &action->divided, 0, (int64_t)room * room, sizeof(double), error));
    action->room = room;
done:
    return status;
}

/* (e^x - 1) / x and (e^x - 1 - x) / x^2, for x <= 0. */
static double phi_1(double x)
{
    return x > -1e-8 ? 1 + x / 2 : weft__expm1(x) / x;
}

static double phi_2(double x)
{
    return x > -1e-3 ? 0.5 + x / 6 + x * x / 24 : (weft__expm1(x) - x) / (x * x);
}

/* beta_k |e| sum_a Y_1a Y_ka d_a, never below what cancellation leaves of it. */
static double residual(const weft__action *action, const weft__sequence *s, const double *d)
{
    int k = action->k;
    double sum = 0, size = 0;
    for (int a = 0; a < k; a++) {
        double term = action->vectors[a * k] * action->vectors[a * k + k - 1] * d[a];
        sum += term;
        size += fabs(term);
    }
    return s->rest * sqrt(s->square) * (fmax(sum, 0) + 4 * DBL_EPSILON * k * size);
}

/* With b = max(b, 0, largest theta): exp[theta, b] = e^b phi_1(theta - b) and
 * exp[theta, b, b] = e^b phi_2(theta - b). */
static void bound_errors(weft__action *action, const weft__sequence *s)
{
    int k = action->k;
    double b = fmax(fmax(s->b, 0), action->shift), unit = weft__exp(fmin(b - action->shift, 600));
    double magnitude = 1, *d = action->work;
    for (int a = 0; a < k; a++)
        magnitude = fmax(magnitude, fabs(action->theta[a]));
    double rounding = s->t.noise + 4 * DBL_EPSILON * (k + 1) * (magnitude + 1) + s->square_error;
    for (int a = 0; a < k; a++)
        d[a] = unit * phi_1(action->theta[a] - b);
    action->error = residual(action, s, d) + rounding * sqrt(s->square);
    for (int a = 0; a < k; a++)
        d[a] = unit * phi_2(action->theta[a] - b);
    double scale = weft__exp(fmin(action->shift, 600));
    action->sensitivity_error = 2 * sqrt(s->square) * residual(action, s, d) +
                                scale * action->error * action->error + 2 * rounding * s->square;
}

weft_status weft__action_evaluate(weft__action *action, const weft__sequence *s, weft_error *error)
{
    weft_status status = WEFT_OK;
    int k = s->t.k;
    action->k = 0;
    action->shift = action->error = action->sensitivity_error = 0;
    /* e'Ke = 0, or not a step was made. */
    if (k == 0)
        return WEFT_OK;
    TRY(make_room(action, k, error));
    memcpy(action->theta, s->t.alpha, (size_t)k * sizeof *action->theta);
    memcpy(action->work, s->t.beta, (size_t)k * sizeof *action->work);
    if (!weft__tridiagonal_decompose(k, action->theta, action->work, action->vectors))
        return weft__fail(error, WEFT_INTERNAL, "a tridiagonal eigenproblem of %d steps did not converge", k);
    action->k = k;
    action->shift = -INFINITY;
    for (int a = 0; a < k; a++)
        action->shift = fmax(action->shift, action->theta[a]);
    memset(action->coefficient, 0, (size_t)k * sizeof *action->coefficient);
    for (int a = 0; a < k; a++) {
        const double *vector = action->vectors + (size_t)a * (size_t)k;
        double factor = sqrt(s->square) * vector[0] * weft__exp(action->theta[a] - action->shift);
        for (int j = 0; j < k; j++)
            action->coefficient[j] += factor * vector[j];
    }
    bound_errors(action, s);
done:
    return status;
}

double weft__action_vector(const weft__action *action, const weft__sequence *s, double *x)
{
    int64_t n = s->operators->n;
    double outside = 0;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int j = 0; j < action->k; j++) {
        weft__add(n, action->coefficient[j], s->u + j * s->capacity, x);
        outside += action->coefficient[j] * s->c[j];
    }
    return outside;
}

/* exp[theta_a, theta_b] in units of exp(shift) */
static void divide(weft__action *action)
{
    int k = action->k;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            double high = fmax(action->theta[a], action->theta[b]);
            double low = fmin(action->theta[a], action->theta[b]);
            action->divided[a * k + b] = weft__exp(high - action->shift) * phi_1(low - high);
        }
}

/* right_r = |e| (P Y)_r w, and left_r = exp[theta, theta] right_r, a row of k for every
 * coordinate r. */
static void fill_row(weft__action *action, const weft__sequence *s, int64_t r)
{
    int k = action->k;
    double *right = action->right + r * k, *left = action->left + r * k;
    for (int a = 0; a < k; a++) {
        const double *vector = action->vectors + (size_t)a * (size_t)k;
        double sum = 0;
        for (int j = 0; j < k; j++)
            sum += s->p[j * s->capacity + r] * vector[j];
        right[a] = sqrt(s->square) * sum * vector[0];
    }
    for (int a = 0; a < k; a++) {
        left[a] = 0;
        for (int c = 0; c < k; c++)
            left[a] += action->divided[a * k + c] * right[c];
    }
}

weft_status weft__action_derive(weft__action *action, const weft__sequence *s, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t all = 0;
    TRY(weft__checked_product(s->operators->n, action->k, &all, error));
    if (all > action->side_room) {
        TRY(weft__resize(&action->memory, &action->left, 0, all, sizeof(double), error));
        TRY(weft__resize(&action->memory, &action->right, 0, all, sizeof(double), error));
        action->side_room = all;
    }
    divide(action);
    for (int64_t r = 0; action->k > 0 && r < s->operators->n; r++)
        fill_row(action, s, r);
done:
    return status;
}

double weft__action_sensitivity(const weft__action *action, int64_t r, int64_t c)
{
    if (action->k == 0)
        return 0;
    const double *left = action->left + r * action->k, *right = action->right + c * action->k;
    double sum = 0;
    for (int a = 0; a < action->k; a++)
        sum += left[a] * right[a];
    return sum;
}
