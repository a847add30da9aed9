/* SPDX-License-Identifier: MIT
 *
 * Method: the decomposition of linalg/eigen.c.  Symmetric blocks of a function of A as W W' with
 * W = V diag(sqrt(weight)), so that they are semidefinite whatever rounding does.
 * Cost: about 9 n^3 operations; composing n count^2. */
#include "spectral/eigen.h"

#include "base/vector.h"
#include "linalg/eigen.h"
#include "linalg/multiply.h"

#include <math.h>
#include <string.h>

weft_status weft__eigen_create(const weft_memory *memory, int64_t n, weft__eigen *eigen, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__eigen made = {.n = n, .stride = weft__padded(n)};
    TRY(weft__new(memory, made.stride, sizeof(double), &made.value, error));
    TRY(weft__new(memory, made.stride * made.stride, sizeof(double), &made.vector, error));
    *eigen = made;
    return WEFT_OK;
done:
    weft__eigen_release(&made, memory);
    return status;
}

void weft__eigen_release(weft__eigen *eigen, const weft_memory *memory)
{
    weft__delete(memory, eigen->value);
    weft__delete(memory, eigen->vector);
    *eigen = (weft__eigen){0};
}

weft_status weft__eigen_find(weft__eigen *eigen, const weft_memory *memory, bool *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    double *room = NULL;
    TRY(weft__new(memory, weft__eigen_room(eigen->n, true), sizeof *room, &room, error));
    bool solved = weft__eigen_solve(eigen->n, eigen->vector, eigen->value, true, room, eigen->progress);
    TRY(weft__progress_check(eigen->progress, error));
    *found = solved;
done:
    weft__delete(memory, room);
    return status;
}

int64_t weft__eigen_squares_work(int64_t n)
{
    return weft__multiply_work(n, n, n);
}

void weft__eigen_squares(int64_t count, const weft__eigen *vectors, double *product, double *work)
{
    int64_t n = vectors->n;
    weft__operand across = {vectors->vector, 1, vectors->stride},
                  down = {vectors->vector, vectors->stride, 1};
    weft__product squares = {n,    n,          count,         across,
                             down, .scale = 1, .lower = true, .progress = vectors->progress};
    memset(product, 0, (size_t)(n * n) * sizeof *product);
    weft__multiply(&squares, product, n, work);
}

/* The columns of W W' that are asked for, as the upper triangle of `block`. */
static void store_upper(const double *lower, weft__eigen *block)
{
    for (int64_t i = 0; i < block->n; i++)
        for (int64_t j = i; j < block->n; j++)
            block->vector[i * block->stride + j] = lower[j * block->n + i];
}

weft_status weft__eigen_compose(const weft__eigen *eigen, const double *weight, int64_t first,
                                const weft_memory *memory, weft__eigen *block, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = block->n;
    double *root = NULL, *product = NULL, *work = NULL;
    TRY(weft__new(memory, eigen->n * count, sizeof *root, &root, error));
    TRY(weft__new(memory, count * count, sizeof *product, &product, error));
    TRY(weft__new(memory, weft__multiply_work(count, count, eigen->n), sizeof *work, &work, error));
    for (int64_t k = 0; k < eigen->n; k++)
        for (int64_t i = 0; i < count; i++)
            root[k * count + i] = sqrt(weight[k]) * eigen->vector[k * eigen->stride + first + i];
    const weft__eigen roots = {.n = count, .stride = count, .vector = root, .progress = block->progress};
    weft__eigen_squares(eigen->n, &roots, product, work);
    TRY(weft__progress_check(block->progress, error));
    store_upper(product, block);
done:
    weft__delete(memory, work);
    weft__delete(memory, product);
    weft__delete(memory, root);
    return status;
}
