/* SPDX-License-Identifier: MIT
 *
 * Method     A = R'MR for M = K^+, K the dense kernel over the ids in question,
 *            scaled by its radius so that kernels of any magnitude work.
 * Algorithm  Cholesky: solve K Z = R; A_rs is the sum of Z_is over class r.
 *            Where K is singular or nearly so, K = Q diag(lambda) Q':  with B =
 *            Q'R, A = sum_j B_j B_j' / lambda_j over the eigenvalues that are
 *            not zero to rounding, and R is in the range iff the other B_j
 *            vanish.
 * Cost       O(n^3) time and O(n^2) memory for n ids, O(n^2 k) for k classes.
 * Reference  thm:bndpdim; Golub and Van Loan, Matrix Computations, 4.2 and 8.3.
 */
#include "weft_theory.h"
#include <float.h>
#include <math.h>

#include "linalg/cholesky.h"
#include "linalg/eigen.h"
#include "theory/partition.h"

/* Ids of a dense kernel: 7 GB, and three times that where its eigenvalues are wanted. */
enum { LARGEST = 30000 };

/* Below this reciprocal condition number the solution of K Z = R keeps fewer
 * than about five digits, and the eigenvalues decide. */
static const double solvable = 1e-11;

/* A class vector of norm sqrt(n_r) is in the range of K if what sticks out of
 * it is below this fraction: rounding makes 1e-14 or so of it, and an
 * eigenvalue that counts as zero (1e-15) would otherwise contribute 1e-3. */
static const double outside = 1e-9;

/* The scaled kernel K / R_M, columns first; returns its 1-norm. */
static double fill_gram(const weft__norm *metric, const weft__partition *partition, double *gram,
                        double *work, weft__progress *progress)
{
    enum { ENTRY = 32 }; /* multiplications of an entry, about */
    const weft_side *side = metric->side;
    int64_t n = partition->count;
    double norm = 0;
    weft__progress_begin(progress, "the matrix of a kernel", ENTRY * (double)n * (double)n);
    for (int64_t j = 0; j < n && weft__progress_add(progress, ENTRY * (double)n); j++) {
        double *column = gram + j * n, sum = 0;
        side->ops->column(side, partition->ids[j], partition->ids, n, column, work);
        for (int64_t i = 0; i < n; i++) {
            column[i] /= side->radius;
            sum += fabs(column[i]);
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

/* The columns of R add up to 1, so that A1 = R'M1 and 1'A1 = 1'M1, and
 * min_c (u + c1)'M(u + c1) = u'Mu - (u'M1)^2 / (1'M1). */
static weft__quadratic summarise(const double *a, int64_t k)
{
    weft__quadratic sum = {0};
    double squares = 0;
    for (int64_t r = 0; r < k; r++) {
        double row = 0;
        sum.trace += a[r * k + r];
        for (int64_t s = 0; s < k; s++) {
            row += a[r * k + s];
            sum.absolute += fabs(a[r * k + s]);
        }
        sum.total += row;
        squares += row * row;
    }
    sum.centred = sum.total > 0 ? fmax(0, sum.trace - squares / sum.total) : sum.trace;
    return sum;
}

/* out (k x columns) = R' in (n x columns), all with columns first. */
static void sum_classes(const weft__partition *partition, const double *in, int64_t columns, double *out)
{
    int64_t n = partition->count, k = partition->classes;
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t r = 0; r < k; r++)
            out[j * k + r] = 0;
        for (int64_t i = 0; i < n; i++)
            out[j * k + partition->class_of[i]] += in[j * n + i];
    }
}

/* *well: the kernel was well enough conditioned, and *quadratic is set. */
static weft_status solve_by_cholesky(const weft__partition *partition, weft__triangle triangle, double norm,
                                     weft__quadratic *quadratic, bool *well, weft_error *error)
{
    double *z = NULL, *a = NULL, *vectors = NULL, *work = NULL;
    int64_t n = partition->count, k = partition->classes;
    const weft_memory *memory = &partition->memory;
    weft_status status = WEFT_OK;

    *well = false;
    TRY(weft__new(memory, weft__cholesky_work(n, k), sizeof *work, &work, error));
    weft__progress_begin(triangle.progress, "the norm of the classes",
                         (double)n * (double)n * ((double)n / 6 + (double)k));
    bool singular = weft__cholesky_factor(triangle, 0, work) >= 0;
    TRY(weft__progress_check(triangle.progress, error));
    if (singular)
        goto done;
    TRY(weft__new(memory, 2 * n, sizeof *vectors, &vectors, error));
    if (!(norm * weft__cholesky_inverse_norm(triangle, vectors, work) < 1 / solvable))
        goto done;
    TRY(weft__new(memory, n * k, sizeof *z, &z, error));
    TRY(weft__new(memory, k * k, sizeof *a, &a, error));
    for (int64_t i = 0; i < n; i++)
        z[partition->class_of[i] * n + i] = 1;
    weft__cholesky_solve(triangle, (weft__panel){z, n, k, 1, n}, work);
    TRY(weft__progress_check(triangle.progress, error));
    sum_classes(partition, z, k, a);
    *quadratic = summarise(a, k);
    *well = true;
done:
    weft__delete(memory, a);
    weft__delete(memory, z);
    weft__delete(memory, vectors);
    weft__delete(memory, work);
    return status;
}

/* R + 1c' in place of R, that is B_r + c_r sum_s B_s, with the c that brings it
 * nearest to the range: the first `null` rows of B are what sticks out. */
static void shift_classes(double *b, int64_t n, int64_t k, int64_t null, double *ones)
{
    double square = 0;
    for (int64_t j = 0; j < n; j++) {
        ones[j] = 0;
        for (int64_t r = 0; r < k; r++)
            ones[j] += b[j * k + r];
        square += j < null ? ones[j] * ones[j] : 0;
    }
    if (square <= outside * outside * (double)n)
        return;
    for (int64_t r = 0; r < k; r++) {
        double dot = 0;
        for (int64_t j = 0; j < null; j++)
            dot += b[j * k + r] * ones[j];
        for (int64_t j = 0; j < n; j++)
            b[j * k + r] -= dot / square * ones[j];
    }
}

/* Do all columns of R lie in the range, up to rounding? */
static bool is_in_range(const weft__partition *partition, const double *b, int64_t null)
{
    for (int64_t r = 0; r < partition->classes; r++) {
        double square = 0;
        for (int64_t j = 0; j < null; j++)
            square += b[j * partition->classes + r] * b[j * partition->classes + r];
        if (square > outside * outside * (double)partition->sizes[r])
            return false;
    }
    return true;
}

/* A = sum_{j >= null} B_j B_j' / lambda_j */
static void accumulate(const double *b, const double *values, int64_t n, int64_t k, int64_t null, double *a)
{
    for (int64_t j = null; j < n; j++)
        for (int64_t r = 0; r < k; r++)
            for (int64_t s = 0; s < k; s++)
                a[r * k + s] += b[j * k + r] * b[j * k + s] / values[j];
}

static weft_status solve_by_eigenvalues(const weft__norm *metric, const weft__partition *partition,
                                        weft__symmetric matrix, weft__quadratic *quadratic, weft_error *error)
{
    double *values = NULL, *b = NULL, *a = NULL, *ones = NULL;
    int64_t n = partition->count, k = partition->classes, null = 0;
    const weft_memory *memory = &partition->memory;
    weft_status status = WEFT_OK;

    TRY(weft__new(memory, n, sizeof *values, &values, error));
    TRY(weft__new(memory, n, sizeof *ones, &ones, error));
    TRY(weft__new(memory, n * k, sizeof *b, &b, error));
    TRY(weft__new(memory, k * k, sizeof *a, &a, error));
    TRY(weft__eigen_symmetric(memory, matrix, values, true, error));
    while (null < n && values[null] <= 4 * (double)n * DBL_EPSILON * values[n - 1])
        null++;
    sum_classes(partition, matrix.at, n, b);
    if (metric->modulo)
        shift_classes(b, n, k, null, ones);
    if (is_in_range(partition, b, null)) {
        accumulate(b, values, n, k, null, a);
        *quadratic = summarise(a, k);
    } else {
        *quadratic = (weft__quadratic){INFINITY, INFINITY, INFINITY, INFINITY};
    }
done:
    weft__delete(memory, a);
    weft__delete(memory, b);
    weft__delete(memory, ones);
    weft__delete(memory, values);
    return status;
}

weft_status weft__quadratic_dense(const weft__norm *metric, const weft__partition *partition,
                                  weft__quadratic *quadratic, weft_error *error)
{
    double *gram = NULL, *work = NULL, norm = 0;
    int64_t n = partition->count;
    bool well = false;
    weft_status status = WEFT_OK;

    if (n > LARGEST)
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "the quasi-dimension of %lld ids with a dense kernel: at most %d are possible",
                          (long long)n, LARGEST);
    TRY(weft__new(&partition->memory, n * n, sizeof *gram, &gram, error));
    TRY(weft__new(&partition->memory, weft__side_work(metric->side), sizeof *work, &work, error));
    /* Whoever was told when the side was made. */
    weft__progress progress = weft__progress_of(&metric->side->telling.to);
    norm = fill_gram(metric, partition, gram, work, &progress);
    TRY(weft__progress_check(&progress, error));
    weft__triangle lower = {n, gram, n, &progress};
    TRY(solve_by_cholesky(partition, lower, norm, quadratic, &well, error));
    if (!well) {
        fill_gram(metric, partition, gram, work, &progress);
        TRY(weft__progress_check(&progress, error));
        weft__symmetric matrix = {n, gram, n, &progress};
        TRY(solve_by_eigenvalues(metric, partition, matrix, quadratic, error));
    }
done:
    weft__delete(&partition->memory, work);
    weft__delete(&partition->memory, gram);
    return status;
}
