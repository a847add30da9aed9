/* SPDX-License-Identifier: MIT
 *
 * Method.  Algorithm 1: x = [sqrt(K_R/2R_M) e_i ; sqrt(K_C/2R_N) e_j] from the
 * full eigendecompositions of both kernels, log W as a dense matrix, W through
 * one eigendecomposition after every update.  Algorithm 2: the same from the
 * kernels between the rows and columns seen so far and the query, rebuilt and
 * replayed at every trial.  The balanced form keeps the cross term alone; one
 * set of ids takes x = sqrt(K/4R) (e_i - e_j), with the labels turned round.
 *
 * Algorithm.  Cyclic Jacobi in long double; W is held by its eigenpairs, so
 * that x'Wx = sum_k exp(lambda_k) (v_k'x)^2 is a sum of positive terms.
 *
 * Cost.  O((m+n)^3), tens of sweeps' worth, an update.
 *
 * Reference.  Herbster, Pasteris, Tse, Online Matrix Completion with Side
 * Information, Algorithms 1 and 2; Golub and Van Loan, Matrix Computations,
 * section 8.5 (Jacobi). */
#include "support/naive.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One event of the past, for Algorithm 2. */
typedef struct event {
    int64_t row, column;
    double count;
} event;

struct naive {
    naive_setup setup;
    int64_t rows, columns, order; /* of the present embedding */
    long double *left, *right;    /* sqrt(K / 2R), row by row */
    long double *exponent;        /* log W - log(kappa) I */
    long double *values, *vectors;
    bool fresh; /* values and vectors belong to the exponent */
    /* Algorithm 2: what was seen, in order of first update. */
    int64_t *seen_rows, *seen_columns, row_count, column_count;
    event *past;
    int64_t past_count, past_capacity;
};

void *naive_new(int64_t count, size_t size)
{
    void *block = calloc(count > 0 ? (size_t)count : 1, size);
    if (!block) {
        fputs("the judge ran out of memory\n", stderr);
        abort();
    }
    return block;
}

/* ---- the eigensolver ---- */

/* Rotates rows p and q of a (order columns): (a_p, a_q) <- (c a_p - s a_q, s a_p + c a_q). */
static void rotate_rows(int64_t order, long double *a_p, long double *a_q, long double c, long double s)
{
    for (int64_t k = 0; k < order; k++) {
        long double x = a_p[k], y = a_q[k];
        a_p[k] = c * x - s * y;
        a_q[k] = s * x + c * y;
    }
}

static void rotate_columns(int64_t order, long double *a, int64_t p, int64_t q, long double c, long double s)
{
    for (int64_t k = 0; k < order; k++) {
        long double x = a[k * order + p], y = a[k * order + q];
        a[k * order + p] = c * x - s * y;
        a[k * order + q] = s * x + c * y;
    }
}

/* The rotation that annihilates a_pq: t = tan of the smaller angle. */
static void annihilate(int64_t order, long double *a, long double *vectors, int64_t p, int64_t q)
{
    long double theta = (a[q * order + q] - a[p * order + p]) / (2 * a[p * order + q]);
    long double t = (theta < 0 ? -1 : 1) / (fabsl(theta) + hypotl(theta, 1));
    long double c = 1 / hypotl(t, 1), s = t * c;
    rotate_rows(order, a + p * order, a + q * order, c, s);
    rotate_columns(order, a, p, q, c, s);
    a[p * order + q] = a[q * order + p] = 0;
    rotate_rows(order, vectors + p * order, vectors + q * order, c, s);
}

/* One sweep over all pairs; returns how many were worth a rotation. */
static int64_t sweep(int64_t order, long double *a, long double *vectors, long double negligible)
{
    int64_t rotations = 0;
    for (int64_t p = 0; p < order; p++)
        for (int64_t q = p + 1; q < order; q++)
            if (fabsl(a[p * order + q]) > negligible) {
                annihilate(order, a, vectors, p, q);
                rotations++;
            }
    return rotations;
}

void naive_eigen(int64_t order, long double *matrix, long double *values, long double *vectors)
{
    enum { SWEEPS = 60 };
    long double norm = 0;
    for (int64_t k = 0; k < order * order; k++) {
        norm = fmaxl(norm, fabsl(matrix[k]));
        vectors[k] = 0;
    }
    for (int64_t k = 0; k < order; k++)
        vectors[k * order + k] = 1;
    /* Off-diagonals below a few units in the last place of the norm move no
     * eigenvalue by more than the rounding of the rotations did. */
    for (int pass = 0; pass < SWEEPS; pass++)
        if (sweep(order, matrix, vectors, norm * LDBL_EPSILON / 8) == 0)
            break;
    for (int64_t k = 0; k < order; k++)
        values[k] = matrix[k * order + k];
}

/* ---- the embedding ---- */

/* sqrt(K[ids,ids] / scale), row by row; negative eigenvalues are rounding. */
static long double *root_of(const naive_side *side, const int64_t *ids, int64_t count, long double scale)
{
    long double *kernel = naive_new(count * count, sizeof *kernel);
    long double *values = naive_new(count, sizeof *values);
    long double *vectors = naive_new(count * count, sizeof *vectors);
    long double *root = naive_new(count * count, sizeof *root);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            kernel[i * count + j] = (long double)side->kernel[ids[i] * side->count + ids[j]] / scale;
    naive_eigen(count, kernel, values, vectors);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < count && values[k] > 0; i++)
            for (int64_t j = 0; j < count; j++)
                root[i * count + j] += sqrtl(values[k]) * vectors[k * count + i] * vectors[k * count + j];
    free(kernel);
    free(values);
    free(vectors);
    return root;
}

/* An empty exponent over the given rows and columns. */
static void embed(naive *judge, const int64_t *rows, int64_t row_count, const int64_t *columns,
                  int64_t column_count)
{
    const naive_setup *setup = &judge->setup;
    bool one_set = setup->form == WEFT_ONE_SET;
    free(judge->left);
    free(judge->right);
    judge->rows = row_count;
    judge->columns = one_set ? 0 : column_count;
    judge->order = judge->rows + judge->columns;
    int64_t square = judge->order * judge->order;
    long double factor = one_set ? 4 : 2;
    judge->left = root_of(&setup->rows, rows, row_count, factor * setup->rows.radius);
    judge->right =
        one_set ? NULL : root_of(&setup->columns, columns, column_count, factor * setup->columns.radius);
    memset(judge->exponent, 0, (size_t)square * sizeof *judge->exponent);
    judge->fresh = false;
}

/* phi and psi of a pair in the present embedding, each as long as the order:
 * x = phi + psi, for one set of ids x = phi - psi. */
static void place(const naive *judge, int64_t i, int64_t j, long double *phi, long double *psi)
{
    memset(phi, 0, (size_t)judge->order * sizeof *phi);
    memset(psi, 0, (size_t)judge->order * sizeof *psi);
    for (int64_t k = 0; k < judge->rows; k++)
        phi[k] = judge->left[k * judge->rows + i];
    if (judge->setup.form == WEFT_ONE_SET)
        for (int64_t k = 0; k < judge->rows; k++)
            psi[k] = -judge->left[k * judge->rows + j];
    for (int64_t k = 0; k < judge->columns; k++)
        psi[judge->rows + k] = judge->right[k * judge->columns + j];
}

/* exponent += weight uv' */
static void add_outer(naive *judge, const long double *u, const long double *v, long double weight)
{
    for (int64_t k = 0; k < judge->order; k++)
        for (int64_t l = 0; l < judge->order; l++)
            judge->exponent[k * judge->order + l] += weight * u[k] * v[l];
}

/* log W += eta * count * (what the form makes of the pair) */
static void add_event(naive *judge, int64_t i, int64_t j, double count)
{
    int64_t order = judge->order;
    long double *phi = naive_new(2 * order, sizeof *phi), *psi = phi + order;
    long double step = (long double)judge->setup.eta * count;
    place(judge, i, j, phi, psi);
    if (judge->setup.form == WEFT_BALANCED) {
        add_outer(judge, phi, psi, step);
        add_outer(judge, psi, phi, step);
    } else {
        for (int64_t k = 0; k < order; k++)
            phi[k] += psi[k];
        add_outer(judge, phi, phi, judge->setup.form == WEFT_ONE_SET ? -step : step);
    }
    judge->fresh = false;
    free(phi);
}

/* W = exp(log W), by its eigenpairs. */
static void decompose(naive *judge)
{
    if (judge->fresh)
        return;
    int64_t square = judge->order * judge->order;
    long double *copy = naive_new(square, sizeof *copy);
    memcpy(copy, judge->exponent, (size_t)square * sizeof *copy);
    naive_eigen(judge->order, copy, judge->values, judge->vectors);
    judge->fresh = true;
    free(copy);
}

/* kappa u' exp(exponent) v */
static long double quadratic(naive *judge, const long double *u, const long double *v)
{
    decompose(judge);
    long double sum = 0;
    for (int64_t k = 0; k < judge->order; k++) {
        const long double *vector = judge->vectors + k * judge->order;
        long double along_u = 0, along_v = 0;
        for (int64_t l = 0; l < judge->order; l++) {
            along_u += vector[l] * u[l];
            along_v += vector[l] * v[l];
        }
        sum += expl(judge->values[k]) * along_u * along_v;
    }
    return judge->setup.kappa * sum;
}

/* The margin of a pair given by its places in the present embedding. */
static long double margin_at(naive *judge, int64_t i, int64_t j)
{
    int64_t order = judge->order;
    long double *phi = naive_new(2 * order, sizeof *phi), *psi = phi + order, margin;
    place(judge, i, j, phi, psi);
    if (judge->setup.form == WEFT_BALANCED) {
        margin = 2 * quadratic(judge, phi, psi);
    } else {
        for (int64_t k = 0; k < order; k++)
            phi[k] += psi[k];
        margin = quadratic(judge, phi, phi) - 1;
    }
    free(phi);
    return judge->setup.form == WEFT_ONE_SET ? -margin : margin;
}

/* ---- Algorithm 2 ---- */

/* Where `id` is in the list, put at its end if it is not there. */
static int64_t find_or_add(int64_t *list, int64_t *count, int64_t id)
{
    for (int64_t k = 0; k < *count; k++)
        if (list[k] == id)
            return k;
    list[*count] = id;
    return (*count)++;
}

static bool one_list(const naive *judge)
{
    return judge->setup.form == WEFT_ONE_SET;
}

/* Re-embeds what was seen and the query, replays the past, and returns the
 * margin of the query; what was seen is as before. */
static long double replay(naive *judge, int64_t row, int64_t column)
{
    int64_t row_count = judge->row_count, column_count = judge->column_count;
    int64_t *columns = one_list(judge) ? judge->seen_rows : judge->seen_columns;
    int64_t *counter = one_list(judge) ? &row_count : &column_count;
    int64_t i = find_or_add(judge->seen_rows, &row_count, row);
    int64_t j = find_or_add(columns, counter, column);
    embed(judge, judge->seen_rows, row_count, judge->seen_columns, column_count);
    for (int64_t s = 0; s < judge->past_count; s++) {
        const event *was = &judge->past[s];
        int64_t a = find_or_add(judge->seen_rows, &row_count, was->row);
        add_event(judge, a, find_or_add(columns, counter, was->column), was->count);
    }
    return margin_at(judge, i, j);
}

static void remember(naive *judge, int64_t row, int64_t column, double count)
{
    if (judge->past_count == judge->past_capacity) {
        judge->past_capacity = 2 * judge->past_capacity + 64;
        event *more = naive_new(judge->past_capacity, sizeof *more);
        if (judge->past_count > 0)
            memcpy(more, judge->past, (size_t)judge->past_count * sizeof *more);
        free(judge->past);
        judge->past = more;
    }
    judge->past[judge->past_count++] = (event){row, column, count};
    find_or_add(judge->seen_rows, &judge->row_count, row);
    if (one_list(judge))
        find_or_add(judge->seen_rows, &judge->row_count, column);
    else
        find_or_add(judge->seen_columns, &judge->column_count, column);
}

/* ---- the interface ---- */

static int64_t *all_ids(int64_t count)
{
    int64_t *ids = naive_new(count, sizeof *ids);
    for (int64_t k = 0; k < count; k++)
        ids[k] = k;
    return ids;
}

naive *naive_create(const naive_setup *setup)
{
    naive *judge = naive_new(1, sizeof *judge);
    judge->setup = *setup;
    int64_t m = setup->rows.count, n = one_list(judge) ? 0 : setup->columns.count;
    int64_t most = m + n + 2;
    judge->exponent = naive_new(most * most, sizeof *judge->exponent);
    judge->values = naive_new(most, sizeof *judge->values);
    judge->vectors = naive_new(most * most, sizeof *judge->vectors);
    judge->seen_rows = naive_new(most, sizeof *judge->seen_rows);
    judge->seen_columns = naive_new(most, sizeof *judge->seen_columns);
    if (setup->algorithm == 1) {
        int64_t *rows = all_ids(m), *columns = all_ids(n);
        embed(judge, rows, m, columns, n);
        free(rows);
        free(columns);
    }
    return judge;
}

void naive_free(naive *judge)
{
    if (!judge)
        return;
    void *owned[] = {judge->left,      judge->right,        judge->exponent, judge->values, judge->vectors,
                     judge->seen_rows, judge->seen_columns, judge->past,     judge};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        free(owned[k]);
}

long double naive_margin(naive *judge, int64_t row, int64_t column)
{
    return judge->setup.algorithm == 1 ? margin_at(judge, row, column) : replay(judge, row, column);
}

void naive_update(naive *judge, int64_t row, int64_t column, double count)
{
    if (judge->setup.algorithm == 1)
        add_event(judge, row, column, count);
    else
        remember(judge, row, column, count);
}

long double naive_top(naive *judge)
{
    decompose(judge);
    long double top = -HUGE_VALL;
    for (int64_t k = 0; k < judge->order; k++)
        top = fmaxl(top, judge->values[k]);
    return top;
}
