/* SPDX-License-Identifier: MIT
 *
 * Method.  PDLaplacian: with A = L + L_gg e_g e_g' (g a vertex of largest degree), u the unit vector
 * with Lu = 0 and P = I - uu',
 *
 *     A u = L_gg u_g e_g,  so  A^-1 = G + uu' / (L_gg u_g^2)  with G a generalised inverse of L that is
 *     zero in row g, and  L^+ = P G P = P A^-1 P;
 *     L^+_ii = (A^-1)_ii - 2 u_i h_i + u_i^2 s,  h = A^-1 u,  s = u'h.
 *
 * Regularised: A = I + sigma L.  A^-1 by a sparse factor (factor.c), with the diagonal
 * of the inverse from the recurrence of Takahashi; where the factor is above the budget, by
 * conjugate gradients (iterative.c).
 *
 * Rounding.  x'A^-1x is wrong by about u times sqrt(longest column) sum_i A_ii y_i^2, y the solution, by a
 * factor; iterative.c says what it is for the other.
 *
 * Cost.  A product is one solve.  The diagonal: by the factor about as much as the factor, by iteration n
 * solves of half the length. */
#include "side/graph/solver.h"

#include "side/graph/graph.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Products ---- */

/* x -= u (u'x) */
static void project(const weft__laplacian *laplacian, double *x)
{
    const double *u = laplacian->null;
    double dot = 0;
    for (int64_t i = 0; i < laplacian->count; i++)
        dot += u[i] * x[i];
    for (int64_t i = 0; i < laplacian->count; i++)
        x[i] -= u[i] * dot;
}

/* sum_i A_ii y_i^2 */
static double energy(const weft__factor *factor, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < factor->count; i++)
        sum += factor->diagonal[i] * y[i] * y[i];
    return sum * sqrt((double)factor->longest);
}

/* x = A^-1 x */
static double solve(const weft__solver *solver, double *x, double *work, bool *met)
{
    weft__ending ending = WEFT__MET;
    *met = true;
    if (solver->iterates) {
        double rounding = weft__iterative_solve(&solver->iterative, x, work, &ending);
        *met = ending == WEFT__MET;
        return rounding;
    }
    weft__factor_solve(&solver->factor, x, work);
    return energy(&solver->factor, x);
}

double weft__solver_multiply(const weft__solver *solver, double *x, double *work, bool *met)
{
    const weft__laplacian *laplacian = solver->laplacian;
    if (!solver->pseudo)
        return solve(solver, x, work, met);
    project(laplacian, x);
    double rounding = solve(solver, x, work, met);
    project(laplacian, x);
    for (int64_t i = 0; i < laplacian->count && laplacian->exponent != 0; i++)
        x[i] = ldexp(x[i], -laplacian->exponent);
    return ldexp(rounding, -laplacian->exponent);
}

/* ---- The diagonal ---- */

/* (A^-1)_ii -> L^+_ii */
static weft_status centre_diagonal(const weft__solver *solver, double *inverse, weft_error *error)
{
    double *h = NULL, *work = NULL, s = 0;
    weft_status status = WEFT_OK;
    const weft_memory *memory = &solver->factor.memory;
    const double *u = solver->laplacian->null;
    int64_t n = solver->laplacian->count;
    TRY(weft__new(memory, n, sizeof *h, &h, error));
    TRY(weft__new(memory, n, sizeof *work, &work, error));
    memcpy(h, u, (size_t)n * sizeof *h);
    weft__factor_solve(&solver->factor, h, work);
    for (int64_t i = 0; i < n; i++)
        s += u[i] * h[i];
    for (int64_t i = 0; i < n; i++)
        inverse[i] += -2 * u[i] * h[i] + u[i] * u[i] * s;
done:
    weft__delete(memory, work);
    weft__delete(memory, h);
    return status;
}

static weft_status find_by_factor(const weft__solver *solver, double *out, weft__progress *progress,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__factor_inverse_diagonal(&solver->factor, out, progress, error));
    if (solver->pseudo)
        TRY(centre_diagonal(solver, out, error));
done:
    return status;
}

static weft_status fail_slow(const weft__solver *solver, weft_error *error)
{
    const weft__laplacian *l = solver->laplacian;
    return weft__fail(
        error, WEFT_INPUT,
        "graph: the factor of %lld vertices and %lld edges would take %.0f MB, above the budget of "
        "%.0f MB, and %d steps of the iterative solver are not enough; ways out: a larger budget of memory, "
        "fewer edges, or a diffusion kernel, which needs no factor",
        (long long)l->count, (long long)(l->start[l->count] / 2), solver->factor.bytes / 1e6,
        (double)solver->iterative.plan.budget / 1e6, WEFT__ITERATIVE_STEPS / 4);
}

static weft_status find_by_iteration(const weft__solver *solver, double *out, weft__progress *progress,
                                     weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__iterative_diagonal(&solver->iterative, out, progress, error));
    for (int64_t i = 0; i < solver->laplacian->count; i++)
        if (isnan(out[i]))
            TRY(fail_slow(solver, error));
done:
    return status;
}

/* What rounding leaves of K_ii: not negative; (I + sigma L)^-1 has no eigenvalue above 1. */
static double tidy(const weft__solver *solver, double value)
{
    return solver->pseudo ? fmax(ldexp(value, -solver->laplacian->exponent), 0) : fmin(value, 1);
}

weft_status weft__solver_diagonal(const weft__solver *solver, double *out, weft__progress *progress,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    if (solver->iterates)
        TRY(find_by_iteration(solver, out, progress, error));
    else
        TRY(find_by_factor(solver, out, progress, error));
    for (int64_t i = 0; i < solver->laplacian->count; i++)
        out[i] = tidy(solver, out[i]);
done:
    return status;
}

double weft__solver_entry(const weft__solver *solver, int64_t i, double *work)
{
    double value = weft__iterative_entry(&solver->iterative, i, work);
    return isnan(value) ? value : tidy(solver, value);
}

/* ---- Making one ---- */

static int64_t find_hub(const weft__laplacian *laplacian)
{
    int64_t hub = 0;
    for (int64_t i = 1; i < laplacian->count; i++)
        if (laplacian->diagonal[i] > laplacian->diagonal[hub])
            hub = i;
    return hub;
}

/* A has no inverse to working precision: vertex `bad` is not held by anything. */
static weft_status fail_precision(const weft_graph *graph, const weft__factor_plan *plan, int64_t bad,
                                  weft_error *error)
{
    if (graph->kernel == WEFT_REGULARISED)
        return weft__graph_fail_sigma(graph->parameter, error);
    return weft__graph_fail_weights(plan->grounded, bad, error);
}

/* Above this much rounding of a solve, nothing is left to iterate with. */
static const double most_rounding = 0x1p-10;

static weft_status iterate(weft__solver *solver, const weft_graph *graph, const weft__factor_plan *plan,
                           weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__iterative *it = &solver->iterative;
    weft__ending ending = WEFT__MET;
    TRY(weft__iterative_make(plan, it, &ending, error));
    /* |entry of the error| <= u 2 c m sqrt(K_ii K_jj) */
    solver->blur = 2 * it->tolerance * it->condition;
    if (ending != WEFT__MET || !(solver->blur * DBL_EPSILON <= most_rounding))
        TRY(ending == WEFT__SLOW && it->steps == WEFT__ITERATIVE_STEPS
                ? fail_slow(solver, error)
                : fail_precision(graph, plan, it->least_held, error));
    solver->iterates = true;
done:
    return status;
}

weft_status weft__solver_make(const weft_graph *graph, int64_t budget, const weft__laplacian *laplacian,
                              weft__progress *progress, weft__solver *solver, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t bad = -1;
    bool pseudo = graph->kernel == WEFT_PDLAPLACIAN;
    weft__factor_plan plan = {.laplacian = laplacian,
                              .scale = pseudo ? 1 : ldexp(graph->parameter, laplacian->exponent),
                              .shift = pseudo ? 0 : 1,
                              .grounded = pseudo ? find_hub(laplacian) : -1,
                              .budget = budget > 0 ? budget : WEFT__GRAPH_BUDGET,
                              .progress = progress};
    *solver = (weft__solver){.laplacian = laplacian, .pseudo = pseudo};
    solver->factor.memory = solver->iterative.memory = laplacian->memory;
    if (!isfinite(plan.scale * weft__laplacian_bound(laplacian)))
        return weft__graph_fail_sigma(graph->parameter, error);
    TRY(weft__factor_make(&plan, &solver->factor, &bad, error));
    if (solver->factor.above) {
        TRY(iterate(solver, graph, &plan, error));
        goto done;
    }
    if (bad >= 0)
        TRY(fail_precision(graph, &plan, bad, error));
    TRY(weft__factor_condition(&solver->factor, &solver->blur, progress, error));
    solver->blur *= sqrt((double)solver->factor.longest);
done:
    return status;
}

void weft__solver_free(weft__solver *solver)
{
    weft__factor_free(&solver->factor);
    weft__iterative_free(&solver->iterative);
}

double weft__solver_work(const weft__solver *solver)
{
    const weft__factor *factor = &solver->factor;
    /* Every number of the factor is met going forward and going back. */
    return solver->iterates ? weft__iterative_work(&solver->iterative)
                            : 2 * (double)(factor->start[factor->count] + factor->count);
}
