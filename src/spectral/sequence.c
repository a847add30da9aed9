/* SPDX-License-Identifier: MIT
 *
 * Method: Lanczos for the operator CK, which is self-adjoint in the inner
 * product <u,v>_K = u'Kv, started at e; Gauss and Gauss-Radau bounds of
 * |e|_K^2 (exp T)_11 after every half step.
 *
 * Algorithm:
 *
 *     v = e/|e|_K ; p = Kv
 *     repeat:  w = C p ; alpha = w'p                            -> lower bound
 *              w -= alpha v + beta v_prev, and all kept v again
 *              q = K w ; beta = sqrt(w'q) ; v = w/beta ; p = q/beta  -> upper bound
 *
 * A sequence starts in single precision where the operators have it (vectors
 * and coefficients are always double) and, when that can gain nothing more,
 * starts again in double; the bracket is the best of both.
 *
 * Rounding allowance.  A sum of terms t_j in one of the products is wrong by about
 * u sqrt(sum t_j^2) times the square root of its longest chain of additions
 * (n/16 + 1, about sixteen partial sums): rounding errors do not conspire (Higham and
 * Mary, SIAM J. Sci. Comput. 41, 2019).  Where all terms have one sign they may,
 * but are then small beside the sum itself.  With l = ROUNDING u, L = l sqrt(n/16 + 1),
 * weight_i = sum_j C_ij^2 and |K'_ij|^2 <= K'_ii K'_jj (K = K' + a constant part
 * that is added in double), step j perturbs
 *
 *     alpha   by  L sqrt(sum_i weight_i p_i^4) + l |alpha|
 *     w       by  L sqrt(max K'_ii sum_i weight_i p_i^2) + l sqrt(sum_i K'_ii w_i^2)  in the norm of K
 *     beta^2  by  L S + l w'K'w,   S = sum_i K'_ii w_i^2
 *
 * (where K is multiplied by solving, w'K'w and what side/graph/factor.c adds to it: the solve's backward
 * error E changes w'q by y'Ey, and a later alpha or beta by y'Ez, z being the solution of that
 * step, which is at most the mean of both)
 *
 * and beta by the second, plus the third over beta.  The next v is then too long
 * by a share of (third)/beta^2, and so are its alpha and beta.  The norm of a tridiagonal
 * perturbation is at most three times its largest entry: that is `noise` (with what C itself is off by), and
 * quadrature.c turns it into an allowance.
 *
 * Breakdown: beta^2 <= L S + l w'K'w is zero up to rounding, and going on
 * would make Ritz values out of noise.  In double the Gauss value is then exact
 * up to the allowance and beta^2 exp(largest Ritz value), the second-order effect
 * of what was dropped.
 *
 * Cost: one product by C and one by K a step, O(k n) for orthogonality.
 * References: Golub and Meurant (2010); Parlett, The Symmetric Eigenvalue
 * Problem (1980), ch. 13. */
#include "spectral/sequence.h"

#include "base/elementary.h"
#include "base/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Safety over the statistical model.  Single precision is where it costs: a
 * wider bracket sends more trials to double.  The property tests measure it. */
static const double ROUNDING_SINGLE = 4;
static const double ROUNDING_DOUBLE = 8;

weft_status weft__sequence_reserve(weft__sequence *sequence, const weft_memory *memory, int64_t n,
                                   weft_error *error)
{
    weft_status status = WEFT_OK;
    if (n <= sequence->capacity)
        return WEFT_OK;
    int64_t all = 0, vectors = sequence->vectors > 0 ? sequence->vectors : WEFT__VECTORS;
    TRY(weft__checked_product(n, vectors, &all, error));
    TRY(weft__resize(memory, &sequence->u, 0, all, sizeof(double), error));
    TRY(weft__resize(memory, &sequence->p, 0, all, sizeof(double), error));
    TRY(weft__resize(memory, &sequence->start_u, 0, n, sizeof(double), error));
    TRY(weft__resize(memory, &sequence->start_p, 0, n, sizeof(double), error));
    TRY(weft__resize(memory, &sequence->w, 0, n, sizeof(double), error));
    TRY(weft__resize(memory, &sequence->q, 0, n, sizeof(double), error));
    sequence->capacity = n;
    sequence->vectors = vectors;
done:
    return status;
}

weft_status weft__sequence_widen(weft__sequence *sequence, const weft_memory *memory, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t now = sequence->vectors, wanted = 2 * now;
    if (sequence->t.k + 1 < now || now > WEFT__MOST_STEPS)
        return WEFT_OK;
    int64_t old = now * sequence->capacity, all = 0;
    TRY(weft__checked_product(wanted, sequence->capacity, &all, error));
    TRY(weft__resize(memory, &sequence->u, old, all, sizeof(double), error));
    TRY(weft__resize(memory, &sequence->p, old, all, sizeof(double), error));
    sequence->vectors = wanted;
done:
    return status;
}

void weft__sequence_release(weft__sequence *sequence, const weft_memory *memory)
{
    void *owned[] = {sequence->u,       sequence->p, sequence->start_u,
                     sequence->start_p, sequence->w, sequence->q};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(memory, owned[k]);
}

/* Where basis vector j is kept: the first WEFT__KEPT (or all) for good, later ones
 * in three places in turn. */
static int64_t vector_at(const weft__sequence *s, int j)
{
    return s->capacity * (s->whole || j < WEFT__KEPT ? j : WEFT__KEPT + (j - WEFT__KEPT) % 3);
}

/* v_1 = e / |e|_K */
static void start_over(weft__sequence *s, bool single)
{
    int64_t n = s->operators->n;
    double norm = sqrt(s->square);
    weft__scale_vector(n, 1 / norm, s->start_u, s->u);
    weft__scale_vector(n, 1 / norm, s->start_p, s->p);
    s->c[0] = s->start_c / norm;
    s->against[0] = norm;
    s->t.k = 0;
    s->t.noise = 0;
    s->stretch = s->square_error;
    s->rest = 0;
    s->single = single;
    s->kernel_next = s->ended = false;
}

void weft__sequence_begin(weft__sequence *s, const weft__operators *operators, const weft__start *start,
                          double b)
{
    int64_t n = operators->n;
    s->operators = operators;
    s->square = start->square;
    s->b = b;
    /* One Radau node, at b: Q <= |e|_K^2 exp(b), before any product. */
    double log_square = start->square > 0 ? weft__log(start->square) : -INFINITY;
    s->square_error = 4 * DBL_EPSILON * start->cancellation;
    double log_upper = log_square + s->square_error + b + operators->drift;
    s->bracket = (weft__bracket){-INFINITY, log_upper, log_square + b, 0, false};
    if (!(start->square > 0)) {
        s->bracket.log_upper = s->bracket.log_value = -INFINITY;
        s->single = false;
        s->ended = true;
        return;
    }
    memset(s->start_u, 0, (size_t)n * sizeof *s->start_u);
    memcpy(s->start_p, start->image, (size_t)n * sizeof *s->start_p);
    s->start_c = start->inside ? 0 : 1;
    s->largest = weft__largest(n, operators->diagonal);
    if (start->vector != NULL)
        memcpy(s->start_u, start->vector, (size_t)n * sizeof *s->start_u);
    for (int i = 0; i < 2 && start->inside && start->vector == NULL; i++)
        s->start_u[start->at[i]] += start->value[i];
    start_over(s, operators->mixed && !s->whole);
}

/* l = ROUNDING u */
static double rounding_of_one(const weft__sequence *s)
{
    return s->single ? ROUNDING_SINGLE * (FLT_EPSILON / 2) : ROUNDING_DOUBLE * (DBL_EPSILON / 2);
}

/* L = l sqrt(n/16 + 1) */
static double rounding_of_sum(const weft__sequence *s)
{
    return rounding_of_one(s) * sqrt((double)s->operators->coordinates / WEFT__LANES + 1);
}

static void raise_noise(weft__sequence *s, double error)
{
    /* Where even the error overflows there is nothing to be known. */
    if (!isfinite(error))
        s->ended = true;
    else
        s->t.noise = fmax(s->t.noise, 3 * error + s->operators->drift);
}

/* How far a logarithm that is a sum of a few may be from its number, and what exp makes of it. */
static double rounding_of_log(double log_value)
{
    return isfinite(log_value) ? 4 * DBL_EPSILON * fabs(log_value) : 0;
}

static void raise_lower(weft__sequence *s, double log_lower)
{
    s->bracket.log_lower =
        fmax(s->bracket.log_lower, log_lower - s->square_error - rounding_of_log(log_lower));
    /* Rounding may make the ends cross by less than the allowance. */
    s->bracket.log_upper = fmax(s->bracket.log_upper, s->bracket.log_lower);
}

static void lower_upper(weft__sequence *s, double log_upper)
{
    double upper = log_upper + s->square_error + rounding_of_log(log_upper);
    s->bracket.log_upper = fmax(fmin(s->bracket.log_upper, upper), s->bracket.log_lower);
}

/* A Ritz value above b, by more than rounding can make, is a contradiction. */
static void check_bound(weft__sequence *s)
{
    double cushion = 4 * s->t.noise + 1e-9 * (1 + fabs(s->b));
    if (s->gauss.largest > s->b + cushion)
        s->bracket.contradiction = s->ended = true;
}

/* Small problems are solved at every step, long ones every eighth of the way. */
static bool worth_a_look(int k)
{
    return k <= 16 || k % (k / 8) == 0 || k >= WEFT__MOST_STEPS;
}

static bool bound_from_below(weft__sequence *s)
{
    if (!weft__gauss(&s->t, &s->gauss)) {
        s->ended = true;
        return false;
    }
    double log_square = weft__log(s->square);
    check_bound(s);
    s->bracket.log_value = log_square + s->gauss.log_value;
    raise_lower(s, log_square + weft__log_difference(s->gauss.log_value, s->gauss.log_allowance));
    return true;
}

/* The ends are as close as rounding lets them come. */
static bool closed(const weft__rule *lower, const weft__rule *upper)
{
    double gap = weft__log_difference(upper->log_value, lower->log_value);
    return gap <= weft__log_sum(lower->log_allowance, upper->log_allowance);
}

static void bound_from_above(weft__sequence *s)
{
    weft__rule radau;
    double b = fmax(s->b, s->gauss.largest + s->t.noise + DBL_EPSILON * fabs(s->gauss.largest));
    if (!weft__radau(&s->t, b, &radau))
        return;
    lower_upper(s, weft__log(s->square) + weft__log_sum(radau.log_value, radau.log_allowance));
    s->ended = s->ended || (!s->whole && closed(&s->gauss, &radau));
}

/* The Krylov space is exhausted: the Gauss value is exact up to its allowance and
 * the share of a beta^2 <= error that was dropped.  In single precision that
 * error may hide a beta that matters; double will tell. */
static void settle(weft__sequence *s, double error)
{
    s->ended = true;
    s->rest = sqrt(error);
    if (s->single)
        return;
    if (!worth_a_look(s->t.k) && !bound_from_below(s))
        return;
    if (s->bracket.contradiction)
        return;
    double log_allowance = weft__log_sum(s->gauss.log_allowance, weft__log(error) + s->gauss.largest);
    lower_upper(s, weft__log(s->square) + weft__log_sum(s->gauss.log_value, log_allowance));
}

/* w = C p ; alpha = w'p */
static void multiply_by_evidence(weft__sequence *s)
{
    const weft__operators *o = s->operators;
    const double *p = s->p + vector_at(s, s->t.k);
    o->evidence(o->self, s->single, p, s->w);
    s->bracket.products++;
    double alpha = weft__dot(o->n, s->w, p);
    if (!isfinite(alpha)) {
        s->ended = true;
        return;
    }
    s->w_c = 0;
    s->w_error = rounding_of_sum(s) * sqrt(s->largest * weft__weighted_square(o->n, o->weight, p)) +
                 rounding_of_one(s) * sqrt(weft__weighted_square(o->n, o->diagonal, s->w));
    s->t.alpha[s->t.k++] = alpha;
    raise_noise(s, rounding_of_sum(s) * sqrt(weft__weighted_fourth(o->n, o->weight, p)) +
                       (rounding_of_one(s) + s->stretch) * fabs(alpha));
    if (worth_a_look(s->t.k))
        bound_from_below(s);
    s->kernel_next = true;
}

/* w -= factor v_j */
static void subtract(weft__sequence *s, double factor, int j)
{
    weft__add(s->operators->n, -factor, s->u + vector_at(s, j), s->w);
    s->w_c -= factor * s->c[j];
}

/* w -= alpha v + beta v_prev, then what is left of w along every kept vector. */
static void orthogonalise(weft__sequence *s)
{
    int k = s->t.k - 1;
    int64_t n = s->operators->n;
    subtract(s, s->t.alpha[k], k);
    if (k > 0)
        subtract(s, s->t.beta[k - 1], k - 1);
    for (int j = 0; j <= k && (s->whole || j < WEFT__KEPT); j++)
        subtract(s, weft__dot(n, s->w, s->p + vector_at(s, j)) + s->w_c * s->against[j], j);
}

/* v = w/beta ; p = q/beta */
static void append(weft__sequence *s, double beta, double against)
{
    int64_t n = s->operators->n;
    int k = s->t.k;
    weft__scale_vector(n, 1 / beta, s->w, s->u + vector_at(s, k));
    weft__scale_vector(n, 1 / beta, s->q, s->p + vector_at(s, k));
    s->c[k] = s->w_c / beta;
    s->against[k] = against / beta;
    s->t.beta[k - 1] = beta;
}

/* q = K w ; beta = sqrt(w'q) */
static void multiply_by_kernel(weft__sequence *s)
{
    const weft__operators *o = s->operators;
    orthogonalise(s);
    double rounded = o->kernel(o->self, s->single, s->w, s->q);
    weft__add(o->n, s->w_c, s->start_p, s->q);
    double against = weft__dot(o->n, s->start_p, s->w) + s->w_c * s->square;
    double square = weft__dot(o->n, s->w, s->q) + s->w_c * against;
    double scale = weft__weighted_square(o->n, o->diagonal, s->w) + s->w_c * s->w_c * s->square;
    double error = rounding_of_sum(s) * scale + rounding_of_one(s) * fabs(rounded) +
                   ROUNDING_DOUBLE * DBL_EPSILON * fabs(square);
    if (square <= error)
        settle(s, error);
    if (!(square > error && isfinite(square)) || s->t.k >= WEFT__MOST_STEPS) {
        s->ended = true;
        return;
    }
    double beta = sqrt(square);
    raise_noise(s, error / beta + s->w_error + s->stretch * beta);
    s->rest = beta;
    s->stretch = error / square;
    append(s, beta, against);
    if (worth_a_look(s->t.k))
        bound_from_above(s);
    s->kernel_next = false;
}

bool weft__sequence_advance(weft__sequence *s)
{
    if (s->ended) {
        if (!s->single || s->bracket.contradiction)
            return false;
        start_over(s, false);
    }
    if (s->kernel_next)
        multiply_by_kernel(s);
    else
        multiply_by_evidence(s);
    return true;
}
