/* SPDX-License-Identifier: MIT
 *
 * Method: dense symmetric products with the Gram matrix of the touched ids, or
 * the kind's own structured product.
 * Cost: O(count^2) a product and O(count) kernel entries for a new id; kinds
 * with structure O(count), linear features O(count dimension). */
#include "side/learnt/working_set.h"

#include "base/vector.h"
#include "side/learnt/strips.h"

#include <float.h>
#include <math.h>
#include <string.h>

weft_status weft__working_set_create(weft__working_set *view, const weft_side *side, bool mixed,
                                     const weft_memory *memory, weft_error *error)
{
    *view = (weft__working_set){.side = side,
                                .memory = weft__memory_or_default(memory),
                                .scale = 1,
                                .constant = side->constant,
                                .added = side->constant,
                                .mixed = mixed};
    weft_status status = weft__working_set_reserve(view, 1, -1, error);
    if (status != WEFT_OK)
        weft__working_set_free(view);
    return status;
}

void weft__working_set_free(weft__working_set *view)
{
    void *owned[] = {view->ids,    view->slot_of, view->root,     view->diagonal, view->full,
                     view->single, view->work,    view->x_single, view->y_single, view->partial};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&view->memory, owned[k]);
    *view = (weft__working_set){.memory = view->memory};
}

static bool has_structure(const weft__working_set *view)
{
    return view->side->ops->product != NULL;
}

int64_t weft__working_set_slot(const weft__working_set *view, int64_t id)
{
    return id < view->known ? view->slot_of[id] : -1;
}

/* K'(i,i), never negative; the subtraction may round below 0. */
static double rest_of_diagonal(const weft__working_set *view, int64_t id)
{
    double k = view->side->ops->diagonal(view->side, id) - view->constant;
    return k > 0 ? view->scale * k : 0;
}

double weft__working_set_diagonal(const weft__working_set *view, int64_t id)
{
    return rest_of_diagonal(view, id) + view->added;
}

double weft__working_set_entry(const weft__working_set *view, int64_t i, int64_t j)
{
    if (i == j)
        return weft__working_set_diagonal(view, i);
    return view->scale * (view->side->ops->entry(view->side, i, j, view->work) - view->constant) +
           view->added;
}

static float normalised(double k, double root_s, double root_t)
{
    return root_s > 0 && root_t > 0 ? (float)(k / root_s / root_t) : 0;
}

/* out[s] = K_side(ids[s], id) for the first `count` slots. */
static void find_column(const weft__working_set *view, int64_t id, int64_t count, double *out)
{
    if (!weft__column_cache_read(view->cache, id, view->ids, count, out))
        view->side->ops->column(view->side, id, view->ids, count, out, view->work);
}

/* Row and column `slot` of the Gram matrix. */
static void fill_gram(weft__working_set *view, int64_t slot)
{
    int64_t ld = view->capacity, id = view->ids[slot];
    double *row = view->full + slot * ld;
    find_column(view, id, slot, row);
    for (int64_t t = 0; t <= slot; t++) {
        row[t] = t == slot ? view->diagonal[slot] : view->scale * (row[t] - view->constant);
        view->full[t * ld + slot] = row[t];
        if (view->mixed)
            view->single[slot * ld + t] = view->single[t * ld + slot] =
                normalised(row[t], view->root[slot], view->root[t]);
    }
}

int64_t weft__working_set_touch(weft__working_set *view, int64_t id)
{
    if (view->slot_of[id] >= 0)
        return view->slot_of[id];
    int64_t slot = view->count++;
    view->ids[slot] = id;
    view->slot_of[id] = slot;
    view->diagonal[slot] = rest_of_diagonal(view, id);
    view->root[slot] = sqrt(view->diagonal[slot]);
    if (!has_structure(view))
        fill_gram(view, slot);
    return slot;
}

/* out[s] += a for all slots */
static void add_constant(const weft__working_set *view, double a, double *out)
{
    for (int64_t s = 0; s < view->count; s++)
        out[s] += a;
}

void weft__working_set_add_column(const weft__working_set *view, double a, int64_t id, double *work,
                                  double *out)
{
    int64_t slot = weft__working_set_slot(view, id), n = view->count;
    if (view->added != 0)
        add_constant(view, a * view->added, out);
    if (slot >= 0 && view->full != NULL) {
        weft__add(weft__padded(n), a, view->full + slot * view->capacity, out);
        return;
    }
    find_column(view, id, n, work);
    for (int64_t s = 0; s < n; s++) {
        double k = s == slot ? view->diagonal[s] : view->scale * (work[s] - view->constant);
        out[s] += a * k;
    }
}

/* y = K' x = D K^ D x, D = diag(root), K^ the normalised Gram matrix. */
static void multiply_single(weft__working_set *view, const double *x, double *y)
{
    int64_t n = weft__padded(view->count);
    weft__multiply_each(n, view->root, x, y);
    double unit = weft__magnitude(n, y);
    weft__narrow(n, 1 / unit, y, view->x_single);
    weft__strips_single(view->pool, (weft__block_single){view->single, n, n, view->capacity}, view->x_single,
                        view->y_single, (float *)(void *)view->partial);
    memset(y, 0, (size_t)n * sizeof *y);
    weft__widen(n, unit, view->y_single, y);
    weft__multiply_each(n, view->root, y, y);
}

/* y = K' x = scale (K_side - constant 11') x; answers the rounding of a solve. */
static double multiply_structured(weft__working_set *view, const double *x, double *y)
{
    double rounding = view->side->ops->product(view->side, view->ids, view->count, x, y, view->work);
    for (int64_t s = 0; s < view->count; s++)
        y[s] *= view->scale;
    return view->scale * rounding;
}

/* y = K' x */
static double multiply_rest(weft__working_set *view, bool single, const double *x, double *y)
{
    int64_t n = weft__padded(view->count);
    if (has_structure(view))
        return multiply_structured(view, x, y);
    if (single && view->mixed)
        multiply_single(view, x, y);
    else
        weft__strips_double(view->pool, (weft__block_double){view->full, n, n, view->capacity}, x, y,
                            view->partial);
    return 0;
}

double weft__working_set_multiply(weft__working_set *view, bool single, const double *x, double *y)
{
    int64_t n = weft__padded(view->count);
    double rounding = multiply_rest(view, single, x, y);
    double square = weft__dot(n, x, y);
    if (view->added != 0)
        add_constant(view, view->added * weft__sum(n, x), y);
    return rounding > 0 ? fabs(square) + rounding : square;
}

/* |K_st| <= root_s root_t + added, which needs no entry of K. */
static void multiply_by_roots(const weft__working_set *view, const double *x, double *y)
{
    double sum = 0, rooted = 0;
    for (int64_t t = 0; t < view->count; t++) {
        sum += x[t];
        rooted += view->root[t] * x[t];
    }
    for (int64_t s = 0; s < view->count; s++)
        y[s] = view->root[s] * rooted + view->added * sum;
}

/* Kernels of graphs have no negative entry as long as their constant part is there (L^+_ij >= -R_L):
 * |K| = K, plus what solving may have got wrong.  A sum has other kinds too, and hence `absolute`. */
static void multiply_positive(weft__working_set *view, const double *x, double *y)
{
    double rounded = weft__working_set_multiply(view, false, x, y);
    double error = 8 * DBL_EPSILON * sqrt(view->side->blur * rounded);
    for (int64_t s = 0; s < view->count; s++)
        y[s] = fmax(y[s], 0) + error * view->root[s];
}

/* A kind with structure has no negative entry, or says how to do without them; its constant is 0. */
static void multiply_structured_absolute(weft__working_set *view, const double *x, double *y)
{
    const weft_side *side = view->side;
    if (side->ops->absolute == NULL) {
        multiply_structured(view, x, y);
        return;
    }
    side->ops->absolute(side, view->ids, view->count, x, y, view->work);
    for (int64_t s = 0; s < view->count; s++)
        y[s] *= view->scale;
}

void weft__working_set_multiply_absolute(weft__working_set *view, const double *x, double *y)
{
    bool whole = view->added == view->scale * view->constant;
    if (view->side->blur > 0 && whole && view->side->ops->absolute == NULL) {
        multiply_positive(view, x, y);
        return;
    }
    if (view->side->blur > 0) {
        multiply_by_roots(view, x, y);
        return;
    }
    if (has_structure(view)) {
        multiply_structured_absolute(view, x, y);
        return;
    }
    for (int64_t s = 0; s < view->count; s++) {
        const double *row = view->full + s * view->capacity;
        double sum = 0;
        for (int64_t t = 0; t < view->count; t++)
            sum += (fabs(row[t]) + view->added) * x[t];
        y[s] = sum;
    }
}
