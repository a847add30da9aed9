/* SPDX-License-Identifier: MIT
 *
 * The largest eigenvectors of a kernel that is multiplied and not stored.
 *
 * Method.  Thick-restart Lanczos (linalg/lanczos.c) on B = A + I, A = (K - constant 11') / R.  A Ritz pair
 * is taken when |Bq - mu q| <= 1e-10 mu: absolutely, so that eigenvalues that are rounding alone, which
 * no iteration ever resolves, count as found.
 *
 * A Krylov space has one vector of every eigenspace, and multiple eigenvalues are common: the kernels
 * (I + sigma L)^-1 and exp(-tL) have the eigenvalue 1 once for each component of the graph.  So the largest
 * are looked for again among what is orthogonal to those found, from another start vector, until none
 * exceeds the least that is kept.
 *
 * Start vectors are drawn by counter, and all sums run in a fixed order, so the vectors are the same for
 * every processor and number of threads where the products by K are.
 *
 * Cost.  Some times `basis` products, and again some tens for every FEW copies of an eigenvalue; n x (basis +
 * wanted) numbers. */
#include "base/vector.h"
#include "linalg/lanczos.h"
#include "side/map/parts.h"

#include <math.h>
#include <string.h>

/* Restarts before it is given up; eigenvectors of what is left that are looked for at once. */
enum { RESTARTS = 300, FEW = 8 };

/* Multiplications of a product for every id, about: a solve, a polynomial or the vectors of all. */
enum { WORK_AN_ID = 512 };

static const double tolerance = 1e-10;

/* Eigenpairs of B whose vectors are rows of `length` numbers, as linalg has them. */
typedef struct found {
    int64_t count, length;
    double *values, *vectors;
} found;

/* What a product needs. */
typedef struct kernel {
    const weft_side *side;
    int64_t *ids;
    double *work;
} kernel;

/* As many vectors again as are wanted, at least 60 and at most 200: eigenvalues that are near to each
 * other take a large space, however few are wanted. */
static int64_t choose_basis(int64_t dimension, int64_t wanted)
{
    int64_t more = wanted < 60 ? 60 : wanted > 200 ? 200 : wanted;
    return wanted + more < dimension ? wanted + more : dimension;
}

/* y = (A + I) x */
static void multiply(void *context, const double *x, double *y)
{
    const kernel *k = context;
    k->side->ops->product(k->side, k->ids, k->side->count, x, y, k->work);
    for (int64_t i = 0; i < k->side->count; i++)
        y[i] = y[i] / k->side->radius + x[i];
}

static weft_status judge(const weft_side *side, int64_t wanted, weft__lanczos_end end, weft_error *error)
{
    if (end.found == wanted)
        return WEFT_OK;
    return weft__fail(
        error, WEFT_INPUT,
        "%s: %lld of %lld eigenvectors were found in %lld rounds, for their eigenvalues are too near "
        "to each other; expected a kernel whose eigenvalues fall faster (a larger sigma or time)",
        side->ops->name, (long long)end.found, (long long)wanted, (long long)end.restarts);
}

/* The largest eigenpairs of B, or of what is orthogonal to those known. */
static weft_status find(kernel *k, uint64_t round, const found *known, found *pairs, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t taken = known != NULL ? known->count : 0;
    weft__lanczos problem = {.n = k->side->count,
                             .wanted = pairs->count,
                             .basis = choose_basis(k->side->count - taken, pairs->count),
                             .multiply = multiply,
                             .context = k,
                             .known = known != NULL ? known->vectors : NULL,
                             .known_count = taken,
                             .tolerance = tolerance,
                             .restarts = RESTARTS,
                             .seed = round,
                             .work = WORK_AN_ID * (double)k->side->count,
                             .progress = k->side->progress};
    weft__lanczos_end end = {0};
    TRY(weft__lanczos_largest(&k->side->memory, &problem, pairs->values, pairs->vectors, &end, error));
    TRY(judge(k->side, pairs->count, end, error));
done:
    return status;
}

static int64_t find_least(const found *pairs)
{
    int64_t least = 0;
    for (int64_t k = 1; k < pairs->count; k++)
        if (pairs->values[k] < pairs->values[least])
            least = k;
    return least;
}

/* Puts larger ones of `more` in the place of the least; answers whether there were any. */
static bool exchange(found *pairs, const found *more)
{
    const double margin = 100 * tolerance;
    bool any = false;
    for (int64_t k = more->count - 1; k >= 0; k--) {
        int64_t least = find_least(pairs);
        if (more->values[k] <= pairs->values[least] * (1 + margin))
            continue;
        pairs->values[least] = more->values[k];
        memcpy(pairs->vectors + least * pairs->length, more->vectors + k * more->length,
               (size_t)pairs->length * sizeof *pairs->vectors);
        any = true;
    }
    return any;
}

/* Hands the pairs over, ascending, as those of A; their values are spoilt. */
static void deliver(found *from, weft__eigenpairs *pairs)
{
    for (int64_t k = 0; k < pairs->wanted; k++) {
        int64_t least = find_least(from);
        pairs->values[k] = from->values[least] - 1;
        memcpy(pairs->vectors + k * pairs->n, from->vectors + least * from->length,
               (size_t)pairs->n * sizeof *pairs->vectors);
        from->values[least] = INFINITY;
    }
}

static weft_status open_found(const weft_memory *memory, found *pairs, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t size = 0;
    TRY(weft__checked_product(pairs->count, pairs->length, &size, error));
    TRY(weft__new(memory, pairs->count, sizeof *pairs->values, &pairs->values, error));
    TRY(weft__new(memory, size, sizeof *pairs->vectors, &pairs->vectors, error));
done:
    return status;
}

static void close_found(const weft_memory *memory, found *pairs)
{
    weft__delete(memory, pairs->vectors);
    weft__delete(memory, pairs->values);
}

static weft_status open_kernel(kernel *k, weft_error *error)
{
    const weft_memory *memory = &k->side->memory;
    weft_status status = WEFT_OK;
    TRY(weft__new(memory, k->side->count, sizeof *k->ids, &k->ids, error));
    TRY(weft__new(memory, weft__side_work(k->side), sizeof *k->work, &k->work, error));
    for (int64_t i = 0; i < k->side->count; i++)
        k->ids[i] = i;
done:
    return status;
}

static void close_kernel(kernel *k)
{
    weft__delete(&k->side->memory, k->work);
    weft__delete(&k->side->memory, k->ids);
}

weft_status weft__map_iterate(const weft_side *side, weft__eigenpairs *pairs, weft_error *error)
{
    weft_status status = WEFT_OK;
    uint64_t round = 0;
    int64_t few = pairs->wanted < FEW ? pairs->wanted : FEW, length = weft__padded(pairs->n);
    kernel k = {.side = side};
    found all = {.count = pairs->wanted, .length = length}, more = {.count = few, .length = length};
    TRY(open_kernel(&k, error));
    TRY(open_found(&side->memory, &all, error));
    TRY(open_found(&side->memory, &more, error));
    weft__progress_begin(side->progress, "the largest eigenvectors of a kernel", 0);
    TRY(find(&k, round++, NULL, &all, error));
    do
        TRY(find(&k, round++, &all, &more, error));
    while (exchange(&all, &more));
    deliver(&all, pairs);
done:
    close_found(&side->memory, &more);
    close_found(&side->memory, &all);
    close_kernel(&k);
    return status;
}
