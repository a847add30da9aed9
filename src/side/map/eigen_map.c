/* SPDX-License-Identifier: MIT
 *
 * The largest eigenvectors of a kernel as features.
 *
 * Method.  With K - constant 11' = Q Lambda Q' over the ids listed, eigenvalues descending and those that
 * rounding makes negative taken as 0, row i of the table is
 *
 *     [ sqrt(constant) | sqrt(lambda_1) q_i1, sqrt(lambda_2) q_i2, ... ],
 *
 * the first number only where the constant is not 0 (a PDLaplacian, whose constant part is known
 * and would be no eigenvector of K).  Inner products are those of K less the eigenvalues left out,
 * so |phi_i|^2 <= K(i,i).  An eigenvector has the sign that makes its first entry positive among those
 * that are largest up to 1e-6.
 *
 * Algorithm.  K over R as a matrix, and all of its eigenvectors (linalg/eigen.h), which are the same
 * on every machine also where eigenvalues repeat; for kernels that are multiplied and not stored Lanczos
 * (subspace.c), unless half of all eigenvectors are wanted.  There is no way round a matrix for the
 * others, so these have a limit.
 *
 * Cost.  O(n^3) time and 3 n^2 numbers, once; a table of n x eigen numbers. */
#include "linalg/eigen.h"
#include "side/map/parts.h"

#include <math.h>
#include <string.h>

/* Ids of a kernel of which a matrix is made for its eigenvectors: 800 MB, and twice that to work in. */
enum { MATRIX_LIMIT = 10000 };

/* Multiplications of an entry of K, about. */
enum { WORK_AN_ENTRY = 32 };

/* ---- By a matrix ---- */

/* a = (K - constant 11') / R, both triangles; K is checked where nobody has done so. */
static weft_status fill_matrix(const weft_side *side, double *a, weft_error *error)
{
    int64_t *ids = NULL, n = side->count;
    double *work = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__new(&side->memory, n, sizeof *ids, &ids, error));
    TRY(weft__new(&side->memory, weft__side_work(side), sizeof *work, &work, error));
    for (int64_t i = 0; i < n; i++)
        ids[i] = i;
    weft__progress_begin(side->progress, "the matrix of a kernel", WORK_AN_ENTRY * (double)n * (double)n);
    for (int64_t i = 0; i < n; i++) {
        TRY(weft__side_check_column(side, i, ids, i, error));
        side->ops->column(side, i, ids, n, a + i * n, work);
        TRY(weft__progress_step(side->progress, WORK_AN_ENTRY * (double)n, error));
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = (a[i * n + j] - side->constant) / side->radius;
    }
done:
    weft__delete(&side->memory, work);
    weft__delete(&side->memory, ids);
    return status;
}

/* The largest eigenpairs of a, ascending; a is spoilt. */
static weft_status decompose(const weft_side *side, double *a, weft__eigenpairs *pairs, weft_error *error)
{
    const weft_memory *memory = &side->memory;
    double *values = NULL;
    weft_status status = WEFT_OK;
    int64_t n = pairs->n, first = n - pairs->wanted;
    TRY(weft__new(memory, n, sizeof *values, &values, error));
    TRY(weft__eigen_symmetric(memory, (weft__symmetric){n, a, n, side->progress}, values, true, error));
    memcpy(pairs->values, values + first, (size_t)pairs->wanted * sizeof *values);
    memcpy(pairs->vectors, a + first * n, (size_t)(pairs->wanted * n) * sizeof *a);
done:
    weft__delete(memory, values);
    return status;
}

static weft_status find_by_matrix(const weft_side *side, weft__eigenpairs *pairs, weft_error *error)
{
    double *a = NULL;
    weft_status status = WEFT_OK;
    int64_t size = 0;
    if (pairs->n > MATRIX_LIMIT)
        return weft__fail(error, WEFT_INPUT,
                          "%s: eigenvectors of a kernel over %lld ids need a matrix of all of them; expected "
                          "at most %d ids",
                          side->ops->name, (long long)pairs->n, MATRIX_LIMIT);
    TRY(weft__checked_product(pairs->n, pairs->n, &size, error));
    TRY(weft__new(&side->memory, size, sizeof *a, &a, error));
    TRY(fill_matrix(side, a, error));
    TRY(decompose(side, a, pairs, error));
done:
    weft__delete(&side->memory, a);
    return status;
}

/* ---- The table ---- */

/* Krylov spaces are for few eigenvectors. */
static bool is_iterated(const weft_side *side, int64_t wanted)
{
    return side->ops->product != NULL && (side->blur > 0 || side->count > MATRIX_LIMIT) &&
           2 * wanted + 1 < side->count;
}

static double sign_of(const double *q, int64_t n)
{
    double largest = 0;
    int64_t i = 0;
    for (int64_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(q[k]));
    while (i < n - 1 && fabs(q[i]) < largest * (1 - 1e-6))
        i++;
    return q[i] < 0 ? -1 : 1;
}

/* The rows of the table from the pairs, which are ascending; `first` is where they begin. */
static void fill_table(const weft_side *side, const weft__eigenpairs *pairs, int64_t first,
                       weft__feature_map *map)
{
    for (int64_t i = 0; i < pairs->n && first > 0; i++)
        map->table[i * map->exact] = sqrt(side->constant);
    for (int64_t k = 0; k < pairs->wanted; k++) {
        int64_t from = pairs->wanted - 1 - k;
        const double *q = pairs->vectors + from * pairs->n;
        double root = sign_of(q, pairs->n) * sqrt(fmax(pairs->values[from], 0)) * sqrt(side->radius);
        for (int64_t i = 0; i < pairs->n; i++)
            map->table[i * map->exact + first + k] = root * q[i];
    }
}

weft_status weft__map_find_eigenvectors(const weft_side *side, weft__feature_map *map, weft_error *error)
{
    const weft_memory *memory = &side->memory;
    weft_status status = WEFT_OK;
    int64_t size = 0, first = side->constant > 0 ? 1 : 0;
    weft__eigenpairs pairs = {.n = side->count, .wanted = map->how.eigen - first};
    double *table = NULL;
    TRY(weft__checked_product(pairs.n, map->exact, &size, error));
    TRY(weft__new(memory, size, sizeof *table, &table, error));
    TRY(weft__new(memory, pairs.wanted, sizeof *pairs.values, &pairs.values, error));
    TRY(weft__new(memory, pairs.n * pairs.wanted, sizeof *pairs.vectors, &pairs.vectors, error));
    if (pairs.wanted > 0)
        TRY(is_iterated(side, pairs.wanted) ? weft__map_iterate(side, &pairs, error)
                                            : find_by_matrix(side, &pairs, error));
    map->table = table;
    map->listed = pairs.n;
    table = NULL;
    fill_table(side, &pairs, first, map);
done:
    weft__delete(memory, pairs.vectors);
    weft__delete(memory, pairs.values);
    weft__delete(memory, table);
    return status;
}
