/* SPDX-License-Identifier: MIT
 * The margin and its derivatives from dense matrices in extended precision, for the
 * judge of explanations (test_explain.c): A = sum_s eta c_s B_s over the embedded
 * pairs, A = V diag(lambda) V', and (Daleckii and Krein, 1965)
 *
 *     d exp(A) / d c_s  =  V ( exp[lambda_k, lambda_l] o eta V' B_s V ) V'. */
#ifndef WEFT_TESTS_ORACLE_DENSE_H
#define WEFT_TESTS_ORACLE_DENSE_H

#include <math.h>
#include <stdlib.h>

#include "support/problem.h"

typedef struct dense {
    weft_form form;
    int64_t rows, order;
    long double eta, kappa;
    long double *root;   /* sqrt(K), K = blockdiag(K_R / 2R_M, K_C / 2R_N), or K_S / 4R */
    long double *value;  /* lambda */
    long double *vector; /* V', row by row */
    long double *left;   /* V' phi of the query, */
    long double *right;  /* V' psi, */
    long double *left_s; /* and of the pair of evidence */
    long double *right_s;
} dense;

/* root += sqrt(K / scale) at the places from `first` on. */
static inline void add_root(dense *judge, const double *kernel, int64_t count, int64_t first,
                            long double scale)
{
    long double *matrix = naive_new(count * count, sizeof *matrix);
    long double *value = naive_new(count, sizeof *value);
    long double *vector = naive_new(count * count, sizeof *vector);
    for (int64_t k = 0; k < count * count; k++)
        matrix[k] = kernel[k] / scale;
    naive_eigen(count, matrix, value, vector);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < count && value[k] > 0; i++)
            for (int64_t j = 0; j < count; j++)
                judge->root[(first + i) * judge->order + first + j] +=
                    sqrtl(value[k]) * vector[k * count + i] * vector[k * count + j];
    free(matrix);
    free(value);
    free(vector);
}

/* phi and psi of a pair in the given basis (NULL: as they are), x = phi + psi. */
static inline void place(const dense *judge, int64_t i, int64_t j, bool turned, long double *phi,
                         long double *psi)
{
    int64_t n = judge->order, second = judge->form == WEFT_ONE_SET ? j : judge->rows + j;
    long double sign = judge->form == WEFT_ONE_SET ? -1 : 1;
    for (int64_t k = 0; k < n; k++) {
        phi[k] = psi[k] = 0;
        for (int64_t l = 0; l < n; l++) {
            long double along = turned ? judge->vector[k * n + l] : (long double)(k == l);
            phi[k] += along * judge->root[l * n + i];
            psi[k] += sign * along * judge->root[l * n + second];
        }
    }
}

/* A += eta count (what the form makes of the pair) */
static inline void add_pair(const dense *judge, const weft_evidence_entry *entry, long double *a)
{
    int64_t n = judge->order;
    long double step = judge->eta * (long double)entry->count, *u = judge->left, *v = judge->right;
    place(judge, entry->row, entry->column, false, u, v);
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < n; l++) {
            if (judge->form == WEFT_BALANCED)
                a[k * n + l] += step * (u[k] * v[l] + v[k] * u[l]);
            else
                a[k * n + l] += (judge->form == WEFT_ONE_SET ? -step : step) * (u[k] + v[k]) * (u[l] + v[l]);
        }
}

static inline dense dense_create(const problem *what, const players *who)
{
    weft_settings settings = weft_learner_settings(who->learner);
    bool one_set = settings.form == WEFT_ONE_SET;
    int64_t m = what->rows.count, n = one_set ? 0 : what->columns.count, order = m + n;
    dense judge = {.form = settings.form, .rows = m, .order = order, .eta = settings.eta};
    judge.kappa =
        (long double)settings.dimension / (long double)(settings.rows + (one_set ? 0 : settings.columns));
    judge.root = naive_new(order * order, sizeof *judge.root);
    judge.value = naive_new(5 * order, sizeof *judge.value);
    judge.vector = naive_new(order * order, sizeof *judge.vector);
    judge.left = judge.value + order;
    judge.right = judge.left + order;
    judge.left_s = judge.right + order;
    judge.right_s = judge.left_s + order;
    long double radius = (long double)what->rows.radius - (one_set ? what->rows.constant : 0);
    add_root(&judge, who->row_kernel, m, 0, (one_set ? 4 : 2) * radius);
    if (!one_set)
        add_root(&judge, who->column_kernel, n, m, 2 * (long double)what->columns.radius);
    long double *a = naive_new(order * order, sizeof *a);
    for (int64_t k = 0; k < weft_player_evidence_count(who->learner); k++) {
        weft_evidence_entry entry = weft_player_evidence(who->learner, k);
        add_pair(&judge, &entry, a);
    }
    naive_eigen(order, a, judge.value, judge.vector);
    free(a);
    return judge;
}

static inline void dense_free(dense *judge)
{
    free(judge->root);
    free(judge->value);
    free(judge->vector);
}

/* exp[a, b] = exp((a+b)/2) sinh(d)/d, d = (a-b)/2: nothing cancels. */
static inline long double divided_difference(long double a, long double b)
{
    long double d = (a - b) / 2;
    return expl((a + b) / 2) * (fabsl(d) < 1e-6L ? 1 + d * d / 6 : sinhl(d) / d);
}

/* What a margin is of kappa u' (.) v: the vectors of the query, and the factor. */
typedef struct shape {
    long double factor;
    bool cross; /* phi and psi; else x twice */
} shape;

static inline shape shape_of(const dense *judge)
{
    if (judge->form == WEFT_BALANCED)
        return (shape){2 * judge->kappa, true};
    return (shape){judge->form == WEFT_ONE_SET ? -judge->kappa : judge->kappa, false};
}

static inline long double first_of(const dense *judge, int64_t k)
{
    return shape_of(judge).cross ? judge->left[k] : judge->left[k] + judge->right[k];
}

static inline long double second_of(const dense *judge, int64_t k)
{
    return shape_of(judge).cross ? judge->right[k] : judge->left[k] + judge->right[k];
}

/* d margin / d count of the pair `entry`; the query is in left and right. */
static inline long double dense_derivative(const dense *judge, const weft_evidence_entry *entry)
{
    int64_t n = judge->order;
    long double sum = 0, sign = judge->form == WEFT_ONE_SET ? -1 : 1;
    const long double *u = judge->left_s, *v = judge->right_s;
    place(judge, entry->row, entry->column, true, judge->left_s, judge->right_s);
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < n; l++) {
            long double b = judge->form == WEFT_BALANCED ? u[k] * v[l] + v[k] * u[l]
                                                         : sign * (u[k] + v[k]) * (u[l] + v[l]);
            sum += divided_difference(judge->value[k], judge->value[l]) * b * first_of(judge, k) *
                   second_of(judge, l);
        }
    return shape_of(judge).factor * judge->eta * sum;
}

/* kappa x' f(A) x as the margin takes it, for f = exp and f(a) = a exp(a); and with
 * nothing cancelled: the size of what the derivatives are parts of. */
typedef struct sums {
    long double plain, weighted, size;
} sums;

static inline sums dense_sums(const dense *judge)
{
    sums s = {0};
    for (int64_t k = 0; k < judge->order; k++) {
        long double e = expl(judge->value[k]), along = first_of(judge, k) * second_of(judge, k);
        long double whole = judge->left[k] * judge->left[k] + judge->right[k] * judge->right[k];
        s.plain += shape_of(judge).factor * e * along;
        s.weighted += shape_of(judge).factor * judge->value[k] * e * along;
        s.size += judge->kappa * e * fmaxl(whole, fabsl(along));
    }
    return s;
}

#endif
