/* SPDX-License-Identifier: MIT
 *
 * Sparse Cholesky factors by CHOLMOD, of which only the Core and Cholesky modules (LGPL)
 * are called: an ordering by AMD, then the simplicial L D L'.  The factor is copied to
 * memory of our own hook; solving is done here, for it needs no library and every
 * thread can do it.
 *
 * Method.  The diagonal of the inverse by the recurrence of Takahashi: with Z = A^-1
 * and A = L D L',  Z = D^-1 L^-1 + (I - L') Z.  So, from the last column to the first,
 * with P_j the rows of column j,
 *
 *     Z_ij = - sum_{k in P_j} Z_ik L_kj  for i in P_j,
 *     Z_jj = 1 / D_jj - sum_{k in P_j} Z_kj L_kj,
 *
 * which needs no entry of Z outside the pattern of L.
 *
 * Rounding of a solve.  The computed y has (A + E) y = x with |E_ij| <= c u sqrt(A_ii A_jj), c
 * the square root of the longest column by the statistical model of spectral/sequence.c
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem 10.4: |E| <= 2 gamma |L||D||L'|,
 * and (|L||D||L'|)_ij <= sqrt(A_ii A_jj)).  Then x'y is wrong by y'Ey, about
 *
 *     u c sum_i A_ii y_i^2  <=  u c m x'A^-1x,   m = lambda_max(A^-1 diag A).
 *
 * A^-1 diag A has no negative entry (A is an M-matrix), so that m <= max_i (A^-1 diag(A) v)_i / v_i for
 * any v > 0 (Collatz and Wielandt).
 *
 * Cost.  Of the factor as the fill-in is: 300 x 300 grid 2.9 million entries; random graphs fill
 * in with the square of their size.  A solve visits every entry twice, the recurrence
 * about as often as the factorisation.
 *
 * References.  Chen, Davis, Hager and Rajamanickam, Algorithm 887: CHOLMOD, ACM Trans. Math.
 * Softw. 35 (2008); Erisman and Tinney, On computing certain elements of the inverse of a
 * sparse matrix, Comm. ACM 18 (1975). */
#include "side/graph/factor.h"

#include <cholmod.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Bytes an entry of L takes while it is made: 12 of CHOLMOD and 12 of ours. */
enum { BYTES_AN_ENTRY = 24 };

/* ---- The matrix ---- */

/* The lower triangle of A by columns, as CHOLMOD wants it. */
typedef struct triangle {
    int *start, *row;
    double *value;
} triangle;

static weft_status make_triangle(const weft__factor_plan *plan, triangle *a, double *diagonal,
                                 weft_error *error)
{
    const weft__laplacian *l = plan->laplacian;
    weft_status status = WEFT_OK;
    int64_t entries = l->start[l->count] / 2 + l->count, at = 0;
    if (entries > INT32_MAX)
        return weft__fail(error, WEFT_MEMORY, "graph: there are %lld edges; at most %lld can be factored",
                          (long long)(entries - l->count), (long long)INT32_MAX);
    TRY(weft__new(&l->memory, l->count + 1, sizeof *a->start, &a->start, error));
    TRY(weft__new(&l->memory, entries, sizeof *a->row, &a->row, error));
    TRY(weft__new(&l->memory, entries, sizeof *a->value, &a->value, error));
    for (int64_t j = 0; j < l->count; j++) {
        diagonal[j] = plan->scale * l->diagonal[j] * (j == plan->grounded ? 2 : 1) + plan->shift;
        a->row[at] = (int)j;
        a->value[at++] = diagonal[j];
        for (int64_t e = l->start[j]; e < l->start[j + 1]; e++) {
            if (l->to[e] < j)
                continue;
            a->row[at] = l->to[e];
            a->value[at++] = -plan->scale * l->weight[e];
        }
        a->start[j + 1] = (int)at;
    }
done:
    return status;
}

static void free_triangle(const weft_memory *memory, triangle *a)
{
    weft__delete(memory, a->value);
    weft__delete(memory, a->row);
    weft__delete(memory, a->start);
}

/* ---- CHOLMOD ---- */

static void set_up(cholmod_common *common)
{
    cholmod_start(common);
    common->print = 0;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 0;
    common->final_pack = 1;
    common->final_monotonic = 1;
}

static weft_status check_library(const cholmod_common *common, weft_error *error)
{
    if (common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE)
        return weft__fail(error, WEFT_MEMORY, "out of memory: the factor of a graph did not fit");
    if (common->status < CHOLMOD_OK)
        return weft__fail(error, WEFT_INTERNAL, "CHOLMOD answered %d", common->status);
    return WEFT_OK;
}

/* Tells at once, however little was done: what follows cannot be stopped. */
static weft_status announce(const weft__factor_plan *plan, const char *what, weft_error *error)
{
    weft__progress_begin(plan->progress, what, 0);
    return weft__progress_step(plan->progress, INFINITY, error);
}

/* Analysis, then, if that fits the budget, numbers; factor->above says whether it does. */
static weft_status factorise(const weft__factor_plan *plan, triangle *a, cholmod_common *common,
                             cholmod_factor **made, weft__factor *factor, weft_error *error)
{
    size_t n = (size_t)plan->laplacian->count;
    cholmod_sparse matrix = {.nrow = n,
                             .ncol = n,
                             .nzmax = (size_t)a->start[n],
                             .p = a->start,
                             .i = a->row,
                             .x = a->value,
                             .stype = -1,
                             .itype = CHOLMOD_INT,
                             .xtype = CHOLMOD_REAL,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 1,
                             .packed = 1};
    weft_status status = WEFT_OK;
    TRY(announce(plan, "ordering a graph for its factor", error));
    *made = cholmod_analyze(&matrix, common);
    /* So large that CHOLMOD cannot count it. */
    bool countless = common->status == CHOLMOD_TOO_LARGE;
    if (!countless)
        TRY(check_library(common, error));
    factor->bytes = countless ? INFINITY : BYTES_AN_ENTRY * common->lnz;
    factor->above = factor->bytes > (double)plan->budget;
    if (factor->above)
        goto done;
    TRY(announce(plan, "the factor of a graph", error));
    cholmod_factorize(&matrix, *made, common);
    TRY(check_library(common, error));
    TRY(announce(plan, "the factor of a graph is made", error));
done:
    return status;
}

/* ---- Our copy ---- */

/* The first place whose pivot is not told from zero, or -1 (side/kinds/definite.c says why). */
static int64_t find_bad_pivot(const cholmod_factor *made, const double *diagonal)
{
    const int *start = made->p, *order = made->Perm;
    const double *value = made->x;
    int64_t n = (int64_t)made->n, good = (int64_t)made->minor < n ? (int64_t)made->minor : n;
    for (int64_t j = 0; j < good; j++)
        if (!(value[start[j]] > (double)n * DBL_EPSILON * diagonal[order[j]]))
            return j;
    return good < n ? good : -1;
}

static weft_status copy_factor(const cholmod_factor *made, weft__factor *factor, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &factor->memory;
    const int *start = made->p, *row = made->i, *entries = made->nz, *order = made->Perm;
    const double *value = made->x;
    int64_t n = (int64_t)made->n, all = 0, at = 0;
    for (int64_t j = 0; j < n; j++)
        all += entries[j] - 1;
    TRY(weft__new(memory, n, sizeof *factor->order, &factor->order, error));
    TRY(weft__new(memory, n + 1, sizeof *factor->start, &factor->start, error));
    TRY(weft__new(memory, n, sizeof *factor->pivot, &factor->pivot, error));
    TRY(weft__new(memory, all, sizeof *factor->row, &factor->row, error));
    TRY(weft__new(memory, all, sizeof *factor->value, &factor->value, error));
    for (int64_t j = 0; j < n; j++) {
        factor->order[j] = order[j];
        factor->pivot[j] = value[start[j]];
        for (int k = 1; k < entries[j]; k++, at++) {
            factor->row[at] = row[start[j] + k];
            factor->value[at] = value[start[j] + k];
        }
        factor->start[j + 1] = at;
        factor->longest = entries[j] > factor->longest ? entries[j] : factor->longest;
    }
done:
    return status;
}

weft_status weft__factor_make(const weft__factor_plan *plan, weft__factor *factor, int64_t *bad,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    triangle a = {0};
    cholmod_common common;
    cholmod_factor *made = NULL;
    *factor = (weft__factor){.memory = plan->laplacian->memory, .count = plan->laplacian->count};
    set_up(&common);
    TRY(weft__new(&factor->memory, factor->count, sizeof(double), &factor->diagonal, error));
    TRY(make_triangle(plan, &a, factor->diagonal, error));
    TRY(factorise(plan, &a, &common, &made, factor, error));
    if (factor->above)
        goto done;
    *bad = find_bad_pivot(made, factor->diagonal);
    if (*bad >= 0)
        *bad = ((const int *)made->Perm)[*bad];
    else
        TRY(copy_factor(made, factor, error));
done:
    cholmod_free_factor(&made, &common);
    cholmod_finish(&common);
    free_triangle(&factor->memory, &a);
    return status;
}

void weft__factor_free(weft__factor *factor)
{
    void *owned[] = {factor->order, factor->row,   factor->start,
                     factor->value, factor->pivot, factor->diagonal};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&factor->memory, owned[k]);
    *factor = (weft__factor){.memory = factor->memory};
}

/* ---- Solving ---- */

/* w = L^-1 w; columns that meet a zero, most of them for few nonzeros, are passed over. */
static void solve_forward(const weft__factor *factor, double *w)
{
    for (int64_t j = 0; j < factor->count; j++) {
        double own = w[j];
        if (own == 0)
            continue;
        for (int64_t p = factor->start[j]; p < factor->start[j + 1]; p++)
            w[factor->row[p]] -= factor->value[p] * own;
    }
}

/* w = L'^-1 w */
static void solve_backward(const weft__factor *factor, double *w)
{
    for (int64_t j = factor->count - 1; j >= 0; j--) {
        double sum = w[j];
        for (int64_t p = factor->start[j]; p < factor->start[j + 1]; p++)
            sum -= factor->value[p] * w[factor->row[p]];
        w[j] = sum;
    }
}

void weft__factor_solve(const weft__factor *factor, double *x, double *work)
{
    for (int64_t k = 0; k < factor->count; k++)
        work[k] = x[factor->order[k]];
    solve_forward(factor, work);
    for (int64_t k = 0; k < factor->count; k++)
        work[k] /= factor->pivot[k];
    solve_backward(factor, work);
    for (int64_t k = 0; k < factor->count; k++)
        x[factor->order[k]] = work[k];
}

/* ---- What is known of the inverse ---- */

/* Z on the pattern of L while it is made.  For the column in hand, known[k] is its number + 1
 * for k in P_j, entry[k] = L_kj and sum[k] = sum_i Z_ki L_ij. */
typedef struct inverse {
    double *z, *diagonal; /* below the diagonal, and on it */
    double *entry, *sum;
    int32_t *known;
} inverse;

static void open_column(const weft__factor *factor, inverse *work, int64_t j)
{
    for (int64_t p = factor->start[j]; p < factor->start[j + 1]; p++) {
        int32_t k = factor->row[p];
        work->known[k] = (int32_t)(j + 1);
        work->entry[k] = factor->value[p];
        work->sum[k] = 0;
    }
}

/* Column i of Z, i in P_j, tells Z_ki for k > i; by symmetry it counts for both. */
static void add_column(const weft__factor *factor, inverse *work, int64_t j, int64_t i)
{
    double own = work->entry[i], sum = own * work->diagonal[i];
    for (int64_t q = factor->start[i]; q < factor->start[i + 1]; q++) {
        int32_t k = factor->row[q];
        if (work->known[k] != j + 1)
            continue;
        sum += work->entry[k] * work->z[q];
        work->sum[k] += own * work->z[q];
    }
    work->sum[i] += sum;
}

/* Multiplications of column j: it meets the column of each of its rows. */
static double work_of_column(const weft__factor *factor, int64_t j)
{
    double work = 1;
    for (int64_t p = factor->start[j]; p < factor->start[j + 1]; p++)
        work += (double)(factor->start[factor->row[p] + 1] - factor->start[factor->row[p]]);
    return work;
}

static void recur(const weft__factor *factor, inverse *work, weft__progress *progress)
{
    for (int64_t j = factor->count - 1; j >= 0; j--) {
        double own = 1 / factor->pivot[j];
        if (!weft__progress_add(progress, work_of_column(factor, j)))
            return;
        open_column(factor, work, j);
        for (int64_t p = factor->start[j]; p < factor->start[j + 1]; p++)
            add_column(factor, work, j, factor->row[p]);
        for (int64_t p = factor->start[j]; p < factor->start[j + 1]; p++) {
            work->z[p] = -work->sum[factor->row[p]];
            own -= factor->value[p] * work->z[p];
        }
        work->diagonal[j] = own;
    }
}

weft_status weft__factor_inverse_diagonal(const weft__factor *factor, double *out, weft__progress *progress,
                                          weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &factor->memory;
    inverse work = {0};
    int64_t n = factor->count;
    TRY(weft__new(memory, factor->start[n], sizeof *work.z, &work.z, error));
    TRY(weft__new(memory, n, sizeof *work.diagonal, &work.diagonal, error));
    TRY(weft__new(memory, n, sizeof *work.entry, &work.entry, error));
    TRY(weft__new(memory, n, sizeof *work.sum, &work.sum, error));
    TRY(weft__new(memory, n, sizeof *work.known, &work.known, error));
    double all = 0;
    for (int64_t j = 0; j < n; j++)
        all += work_of_column(factor, j);
    weft__progress_begin(progress, "the diagonal of the kernel of a graph", all);
    recur(factor, &work, progress);
    TRY(weft__progress_check(progress, error));
    for (int64_t k = 0; k < n; k++)
        out[factor->order[k]] = work.diagonal[k];
done:
    weft__delete(memory, work.known);
    weft__delete(memory, work.sum);
    weft__delete(memory, work.entry);
    weft__delete(memory, work.diagonal);
    weft__delete(memory, work.z);
    return status;
}

weft_status weft__factor_condition(const weft__factor *factor, double *m, weft__progress *progress,
                                   weft_error *error)
{
    enum { STEPS = 8 };
    weft_status status = WEFT_OK;
    double *v = NULL, *x = NULL, *work = NULL, best = INFINITY;
    int64_t n = factor->count;
    TRY(weft__new(&factor->memory, n, sizeof *v, &v, error));
    TRY(weft__new(&factor->memory, n, sizeof *x, &x, error));
    TRY(weft__new(&factor->memory, n, sizeof *work, &work, error));
    weft__progress_begin(progress, "the condition of a graph", 0);
    for (int64_t i = 0; i < n; i++)
        v[i] = 1;
    for (int step = 0; step < STEPS; step++) {
        double ratio = 0, top = 0;
        for (int64_t i = 0; i < n; i++)
            x[i] = factor->diagonal[i] * v[i];
        weft__factor_solve(factor, x, work);
        TRY(weft__progress_step(progress, 2 * (double)factor->start[n], error));
        for (int64_t i = 0; i < n; i++) {
            ratio = fmax(ratio, x[i] / v[i]);
            top = fmax(top, x[i]);
        }
        best = fmin(best, ratio);
        /* Positive everywhere, whatever rounding makes of a small entry. */
        for (int64_t i = 0; i < n; i++)
            v[i] = fmax(x[i] / top, 1e-3);
    }
    *m = best;
done:
    weft__delete(&factor->memory, work);
    weft__delete(&factor->memory, x);
    weft__delete(&factor->memory, v);
    return status;
}
