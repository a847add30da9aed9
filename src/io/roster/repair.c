/* SPDX-License-Identifier: MIT
 *
 * Method      Similarity matrices are often not symmetric and not semidefinite.
 *             S = (K + K')/2 is the symmetric matrix nearest to K; the
 *             semidefinite one nearest to S in the Frobenius norm has its
 *             negative eigenvalues replaced by 0 (clip).  The other mend adds
 *             the least that makes S semidefinite to its diagonal (shift).
 * Algorithm   Eigendecomposition of S = V diag(d) V' (linalg/eigen.h), and
 *             S -= d_k v_k v_k' for d_k < 0, or S -= d_1 I.
 * Cost        O(n^3), 3 n^2 numbers of memory, once.
 * Reference   N. J. Higham, Computing a nearest symmetric positive semidefinite
 *             matrix, Linear Algebra Appl. 103 (1988). */
#include "io/roster/roster.h"

#include <math.h>
#include <string.h>

/* S = (K + K')/2 in place; the largest |K(i,j) - K(j,i)| and |K(i,j)|. */
static void symmetrise(double *kernel, int64_t n, double *asymmetry, double *largest)
{
    *asymmetry = *largest = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double *a = &kernel[i * n + j], *b = &kernel[j * n + i];
            *asymmetry = fmax(*asymmetry, fabs(*a - *b));
            *a = *b = *a / 2 + *b / 2;
            *largest = fmax(*largest, fabs(*a));
        }
}

/* S -= d v v' for every d < 0, row by row; the sum of -d.  Equal for (i, j) and (j, i). */
static double clip(double *kernel, int64_t n, const double *values, const double *vectors)
{
    double taken = 0;
    int64_t negative = 0;
    for (; negative < n && values[negative] < 0; negative++)
        taken -= values[negative];
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < negative; k++) {
            const double *v = vectors + k * n;
            for (int64_t j = 0; j < n; j++)
                kernel[i * n + j] -= values[k] * (v[i] * v[j]);
        }
    return taken;
}

/* S += amount I */
static double shift(double *kernel, int64_t n, double amount)
{
    for (int64_t i = 0; i < n; i++)
        kernel[i * n + i] += amount;
    return amount;
}

weft_status weft__kernel_repair(weft__symmetric given, weft__repair how, const weft_memory *memory,
                                weft_roster_facts *facts, weft_error *error)
{
    static const double tolerance = 1e-10; /* of the largest entry: taken for rounding everywhere */
    double *kernel = given.at, *vectors = NULL, *values = NULL, largest = 0;
    weft_status status = WEFT_OK;
    int64_t n = given.n, size = 0;
    TRY(weft__checked_product(n, n, &size, error));
    TRY(weft__new(memory, size, sizeof *vectors, &vectors, error));
    TRY(weft__new(memory, n, sizeof *values, &values, error));
    memcpy(vectors, kernel, (size_t)size * sizeof *vectors);
    symmetrise(vectors, n, &facts->asymmetry, &largest);
    TRY(weft__eigen_symmetric(memory, (weft__symmetric){n, vectors, n, given.progress}, values, true, error));
    symmetrise(kernel, n, &facts->asymmetry, &largest);
    facts->least_eigenvalue = values[0];
    bool indefinite = values[0] < -tolerance * largest;
    facts->repaired = indefinite || facts->asymmetry > 0;
    facts->clipped = how == WEFT__REPAIR_CLIP;
    if (indefinite && how == WEFT__REPAIR_CLIP)
        facts->moved = clip(kernel, n, values, vectors);
    if (indefinite && how == WEFT__REPAIR_SHIFT)
        facts->moved = shift(kernel, n, -values[0]);
done:
    weft__delete(memory, values);
    weft__delete(memory, vectors);
    return status;
}

/* Multiplications of an entry of K, about. */
enum { WORK_AN_ENTRY = 32 };

weft_status weft_roster_least_eigenvalue(const weft_roster *roster, double *value, weft_error *error)
{
    const weft_side *side = weft_roster_side(roster);
    double *kernel = NULL, *values = NULL;
    weft_status status = WEFT_OK;
    int64_t n = weft_side_count(side), size = 0;
    if (roster == NULL || value == NULL)
        return weft__need(NULL, roster == NULL ? "roster" : "value", error);
    if (n == 0)
        return weft__fail(error, WEFT_ARGUMENT, "there is no side information yet, expected it built");
    weft_memory memory = side->memory;
    weft__progress progress = weft__progress_of(&roster->input.limits.progress);
    weft__progress_begin(&progress, "the matrix of a kernel", WORK_AN_ENTRY * (double)n * (double)n / 2);
    TRY(weft__checked_product(n, n, &size, error));
    TRY(weft__new(&memory, size, sizeof *kernel, &kernel, error));
    TRY(weft__new(&memory, n, sizeof *values, &values, error));
    for (int64_t i = 0; i < n; i++) {
        TRY(weft__progress_step(&progress, WORK_AN_ENTRY * (double)i, error));
        for (int64_t j = 0; j <= i; j++)
            kernel[i * n + j] = kernel[j * n + i] = weft_side_entry(side, i, j);
    }
    TRY(weft__eigen_symmetric(&memory, (weft__symmetric){n, kernel, n, &progress}, values, false, error));
    *value = values[0];
done:
    weft__delete(&memory, values);
    weft__delete(&memory, kernel);
    return status;
}
