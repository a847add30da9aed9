/* SPDX-License-Identifier: MIT
 *
 * Kernels of graphs too large for a matrix: products with K by solving or by
 * polynomials, never K itself.
 *
 * Method.  PDLaplacian and regularised: a solve (solver.c, which has the algebra).  Diffusion: chebyshev.c;
 * K_ii = |exp(-tL/2) e_i|^2.
 *
 * A diagonal entry of the diffusion kernel, and of the regularised one where it is solved by iteration,
 * costs a product.  With `unit` it is computed when its id is
 * first met and kept: atomically, for sides are shared by threads, and whoever comes first
 * stores the same bits.  All are computed when the side is made without `unit`, for R needs them,
 * and for a diffusion where the bound below cannot exclude that one of them is lost in rounding.
 * The PDLaplacian needs all in any case, for R_L is one of them.
 *
 * Rounding.  What `product` returns and `blur` says are derived in factor.c, iterative.c and chebyshev.c.
 * For diffusion x'Kx is wrong by about u (z + 1) |x|^2; for unit vectors that is at most (z + 1) / K_ii of
 * K_ii, and K_ii >= exp(-t L_ii) by Jensen, K_ii >= u_i^2.
 *
 * Cost.  A product, column or entry: one solve, or the degree of the polynomial times the
 * edges.  Vectors of the size of the graph only. */
#include "base/elementary.h"
#include "side/graph/chebyshev.h"
#include "side/graph/graph.h"
#include "side/graph/solver.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { VECTORS = WEFT__GRAPH_VECTORS };
_Static_assert((int)VECTORS == 1 + (int)WEFT__SOLVER_WORK, "a solve has its workspace");

/* Invariants: ids from `vertices` on are alone; K before scaling is 2^-exponent L^+ + offset 11', or
 * (I + sigma L)^-1, or exp(-tL); diagonal[i] is its (i,i) entry, or 0 where it is not known yet (with unit,
 * diffusion or iteration); null is zero or the unit vector u. */
typedef struct sparse_side {
    weft_side base;
    weft_graph_kernel kernel;
    bool unit;
    int64_t vertices;
    weft__laplacian laplacian;
    weft__solver solver;
    weft__chebyshev whole, half;
    double offset;
    _Atomic double *diagonal;
} sparse_side;

static const sparse_side *view(const weft_side *side)
{
    return (const sparse_side *)side;
}

/* ---- Products over all vertices ---- */

/* x = K x without scale and offset; answers how much rounding there was, and whether blur says enough. */
static double apply(const sparse_side *own, double *x, double *work, bool *met)
{
    double square = 0;
    if (own->kernel != WEFT_DIFFUSION)
        return weft__solver_multiply(&own->solver, x, work, met);
    *met = true;
    for (int64_t i = 0; i < own->vertices; i++)
        square += x[i] * x[i];
    weft__chebyshev_multiply(&own->whole, &own->laplacian, x, work);
    return own->whole.reach * square;
}

/* ---- The diagonal ---- */

/* exp(-tL)_ii = |exp(-tL/2) e_i|^2, at most 1; work has VECTORS vectors. */
static double diffuse(const sparse_side *own, int64_t i, double *work)
{
    int64_t n = own->vertices;
    double square = 0;
    memset(work, 0, (size_t)n * sizeof *work);
    work[i] = 1;
    weft__chebyshev_multiply(&own->half, &own->laplacian, work, work + n);
    for (int64_t k = 0; k < n; k++)
        square += work[k] * work[k];
    return fmin(square, 1);
}

/* K_ii before scaling; NAN, for good, where it was not found. */
static double raw_diagonal(const sparse_side *own, int64_t i, double *work)
{
    double known = atomic_load_explicit(&own->diagonal[i], memory_order_relaxed);
    if (known != 0)
        return known;
    known = own->kernel == WEFT_DIFFUSION ? diffuse(own, i, work) : weft__solver_entry(&own->solver, i, work);
    atomic_store_explicit(&own->diagonal[i], known, memory_order_relaxed);
    return known;
}

static double scale_of(const sparse_side *own, int64_t i, double *work)
{
    return own->unit && i < own->vertices ? 1 / sqrt(raw_diagonal(own, i, work)) : 1;
}

/* Makes every scale of the list known, so that the workspace is free afterwards. */
static void find_scales(const sparse_side *own, const int64_t *ids, int64_t count, double *work)
{
    for (int64_t k = 0; k < count && own->unit; k++)
        scale_of(own, ids[k], work);
}

static double diagonal(const weft_side *side, int64_t i)
{
    const sparse_side *own = view(side);
    if (i >= own->vertices)
        return side->radius;
    return own->unit ? 1 : atomic_load_explicit(&own->diagonal[i], memory_order_relaxed);
}

/* ---- The seam ---- */

/* K e_i in work[0..vertices), NAN where it was not found; i is no alone id, and all scales are known that
 * will be used. */
static void make_column(const sparse_side *own, int64_t i, double *work)
{
    double scale = scale_of(own, i, work);
    bool met = true;
    memset(work, 0, (size_t)own->vertices * sizeof *work);
    work[i] = scale;
    apply(own, work, work + own->vertices, &met);
    for (int64_t k = 0; k < own->vertices && !met; k++)
        work[k] = NAN;
    for (int64_t k = 0; k < own->vertices && own->offset != 0; k++)
        work[k] += own->offset * scale;
}

static void column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count, double *out,
                   double *work)
{
    const sparse_side *own = view(side);
    bool alone = i >= own->vertices;
    find_scales(own, ids, count, work);
    if (!alone)
        make_column(own, i, work);
    for (int64_t k = 0; k < count; k++) {
        if (ids[k] == i)
            out[k] = diagonal(side, i);
        else
            out[k] = alone || ids[k] >= own->vertices ? 0 : work[ids[k]] * scale_of(own, ids[k], NULL);
    }
}

/* From the column of the smaller id, so that K(i,j) = K(j,i) to the bit. */
static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    double value = 0;
    int64_t last = i > j ? i : j;
    column(side, i < j ? i : j, &last, 1, &value, work);
    return value;
}

/* y = (K - constant 11')[ids,ids] x; an id that is alone has R - constant on its diagonal and -constant
 * beside it. */
static double product(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work)
{
    const sparse_side *own = view(side);
    double inside = 0, alone = 0, constant = side->constant;
    bool met = true;
    find_scales(own, ids, count, work);
    memset(work, 0, (size_t)own->vertices * sizeof *work);
    for (int64_t k = 0; k < count; k++) {
        if (ids[k] >= own->vertices) {
            alone += x[k];
            continue;
        }
        work[ids[k]] = x[k] * scale_of(own, ids[k], NULL);
        inside += work[ids[k]];
    }
    double rounding = apply(own, work, work + own->vertices, &met);
    /* What is left of the offset once the constant is taken away. */
    double shared = (own->offset - constant) * inside - constant * alone;
    for (int64_t k = 0; k < count; k++) {
        if (ids[k] < own->vertices)
            y[k] = (work[ids[k]] + shared) * scale_of(own, ids[k], NULL);
        else
            y[k] = side->radius * x[k] - constant * (inside + alone);
    }
    return rounding;
}

static weft_status append(weft_side *side, const weft_item *item, weft_error *error)
{
    if (item->alone)
        return WEFT_OK;
    return weft__fail(error, WEFT_UNSUPPORTED,
                      "%s: the kernel depends on all ids at once, so a new id can only be added alone",
                      side->ops->name);
}

static void release(weft_side *side)
{
    sparse_side *own = (sparse_side *)side;
    weft__laplacian_free(&own->laplacian);
    weft__solver_free(&own->solver);
    weft__chebyshev_free(&own->whole);
    weft__chebyshev_free(&own->half);
    weft__delete(&side->memory, own->diagonal);
}

static const weft__side_ops sparse_ops = {
    .name = "graph",
    .vectors = VECTORS,
    .entry = entry,
    .diagonal = diagonal,
    .column = column,
    .product = product,
    .append = append,
    .release = release,
};

/* ---- Making one ---- */

/* null to unit length. */
static void normalise_null(weft__laplacian *laplacian)
{
    double square = 0;
    for (int64_t i = 0; i < laplacian->count; i++)
        square += laplacian->null[i] * laplacian->null[i];
    for (int64_t i = 0; i < laplacian->count && square > 0; i++)
        laplacian->null[i] /= sqrt(square);
}

/* All K_ii, and the offset R_L of a PDLaplacian. */
static weft_status find_diagonal_by_solver(sparse_side *own, weft_error *error)
{
    double *inverse = NULL, largest = 0;
    weft_status status = WEFT_OK;
    TRY(weft__new(&own->base.memory, own->vertices, sizeof *inverse, &inverse, error));
    TRY(weft__solver_diagonal(&own->solver, inverse, own->base.progress, error));
    for (int64_t i = 0; i < own->vertices; i++)
        largest = fmax(largest, inverse[i]);
    if (own->kernel == WEFT_PDLAPLACIAN) {
        own->offset = largest;
        own->base.constant = own->unit ? 0 : largest;
    }
    for (int64_t i = 0; i < own->vertices; i++)
        atomic_init(&own->diagonal[i], inverse[i] + own->offset);
done:
    weft__delete(&own->base.memory, inverse);
    return status;
}

static weft_status plan_solver(sparse_side *own, const weft_graph *graph, const weft_side_options *options,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t budget = options != NULL ? options->graph_budget : 0;
    TRY(weft__solver_make(graph, budget, &own->laplacian, own->base.progress, &own->solver, error));
    own->base.blur = own->solver.blur;
    own->base.solve_work = weft__solver_work(&own->solver);
    bool waits = own->unit && own->solver.iterates && own->kernel == WEFT_REGULARISED;
    if (!waits)
        TRY(find_diagonal_by_solver(own, error));
done:
    return status;
}

/* A bound from below of all K_ii: K_ii >= exp(-t L_ii) and K_ii >= u_i^2. */
static double least_of_diffusion(const sparse_side *own, double t)
{
    double least = 1;
    for (int64_t i = 0; i < own->vertices; i++) {
        double u = own->laplacian.null[i];
        double jensen = weft__exp(-ldexp(t, own->laplacian.exponent) * own->laplacian.diagonal[i]);
        least = fmin(least, fmax(jensen, u * u));
    }
    return least;
}

/* All K_ii, and the least of them. */
static weft_status find_diagonal_by_products(sparse_side *own, const weft_graph *graph, double *least,
                                             weft_error *error)
{
    double *square = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__new(&own->base.memory, own->vertices, sizeof *square, &square, error));
    TRY(weft__chebyshev_squares(&own->half, &own->laplacian, square, own->base.progress, error));
    *least = 1;
    for (int64_t i = 0; i < own->vertices; i++) {
        if (own->unit)
            TRY(weft__graph_check_scale(graph, i, square[i], own->whole.reach, error));
        atomic_init(&own->diagonal[i], fmin(square[i], 1));
        *least = fmin(*least, square[i]);
    }
done:
    weft__delete(&own->base.memory, square);
    return status;
}

/* A blur that stays finite in all that is made of it. */
static const double blurred = 1e150;

static weft_status plan_diffusion(sparse_side *own, const weft_graph *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    double t = graph->parameter, least = least_of_diffusion(own, t), measured = 0;
    TRY(weft__chebyshev_plan(&own->laplacian, t, &own->whole, error));
    TRY(weft__chebyshev_plan(&own->laplacian, t / 2, &own->half, error));
    own->base.solve_work = weft__chebyshev_work(&own->whole, &own->laplacian);
    if (!own->unit || weft__graph_check_scale(graph, 0, least, own->whole.reach, NULL) != WEFT_OK)
        TRY(find_diagonal_by_products(own, graph, &measured, error));
    own->base.blur = fmin(own->whole.reach / fmax(least, measured), blurred);
done:
    return status;
}

weft_status weft__graph_make_sparse(const weft_graph *graph, const weft_side_options *options,
                                    weft__laplacian *laplacian, weft_graph_facts *facts, weft_side **side,
                                    weft_error *error)
{
    sparse_side *fresh = NULL;
    weft_status status = WEFT_OK;
    TRY(weft__side_create(&sparse_ops, sizeof *fresh, laplacian->count, options, &fresh, error));
    fresh->kernel = graph->kernel;
    fresh->unit = graph->unit;
    fresh->vertices = laplacian->count;
    fresh->laplacian = *laplacian;
    *laplacian = (weft__laplacian){.memory = laplacian->memory};
    fresh->whole.memory = fresh->half.memory = fresh->base.memory;
    fresh->solver.factor.memory = fresh->solver.iterative.memory = fresh->base.memory;
    TRY(weft__new(&fresh->base.memory, fresh->vertices, sizeof *fresh->diagonal, &fresh->diagonal, error));
    normalise_null(&fresh->laplacian);
    if (graph->kernel == WEFT_DIFFUSION) {
        TRY(plan_diffusion(fresh, graph, error));
    } else {
        TRY(plan_solver(fresh, graph, options, error));
        facts->iterative = fresh->solver.iterates;
    }
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
