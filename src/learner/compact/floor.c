/* SPDX-License-Identifier: MIT
 *
 * Method.  Where the margin cannot be met nearly every trial updates, and in directions that
 * only lose, eigenvalues of A fall without end: margins change by nothing, but a sequence needs more and
 * more steps to tell.  So they are held at -floor, now and then.
 *
 * This is the projection of W = kappa exp(A), in the relative entropy that the theorems measure
 * progress in, onto the matrices W >= alpha I, alpha = kappa exp(-floor): for a set that only asks for
 * eigenvalues it is that of the eigenvalues, max(w, alpha) each.  By the theorem of Pythagoras it brings W
 * nearer to every U >= alpha I.  The comparator U + alpha I is one: its margins are those of U within
 * alpha, its distance from the start at most 1 + exp(-floor) times that of U.  docs/theory.md has the
 * steps.
 *
 * What is added to A is rounded to a grid on which the last digits are gone, so that a state does not hang on
 * the rounding of the eigensolver (but where that decides the grid point); A is by definition what is stored
 * then.
 *
 * Cost: a decomposition, O(d^3), where an eigenvalue is below the floor.
 * References: Herbster and Warmuth, Tracking the best linear predictor, JMLR 1 (2001); Tsuda, Ratsch and
 * Warmuth, Matrix exponentiated gradient updates, JMLR 6 (2005). */
#include "learner/compact/compact.h"

#include "base/vector.h"
#include "linalg/eigen.h"
#include "spectral/eigen.h"

#include <math.h>
#include <string.h>

/* Raising what is this little below would be for nothing, and rounding that is more would raise the wrong. */
static const double SLACK = 1;

static double to_grid(double x)
{
    return rint(x * 0x1p20) * 0x1p-20;
}

/* The eigenvectors v_k below the floor, times sqrt(-floor - lambda_k); answers how many. */
static int64_t gather_low(const weft__compact *compact, double *vector)
{
    int64_t n = compact->backend.operators.n, low = 0;
    while (low < compact->d && compact->value[low] < -compact->floor) {
        weft__scale_vector(compact->d, sqrt(-compact->floor - compact->value[low]), vector + low * n,
                           vector + low * n);
        low++;
    }
    return low;
}

/* a += P on its upper triangle, P given by its lower one; weft__compact_settle does the rest. */
static void add_rounded(weft__compact *compact, const double *p)
{
    int64_t d = compact->d;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++)
            weft__compact_set(compact, i, j, weft__compact_entry(compact, i, j) + to_grid(p[j * d + i]));
}

void weft__compact_hold(weft__compact *compact)
{
    int64_t n = compact->backend.operators.n;
    if (!(compact->floor > 0) || weft__compact_rounding(compact) > SLACK ||
        !weft__compact_eigenvalues(compact) || compact->factor * compact->value[0] >= -compact->floor - SLACK)
        return;
    weft__compact_multiply_in(compact);
    memcpy(compact->copy, compact->a, (size_t)(n * n) * sizeof *compact->copy);
    if (!weft__eigen_solve(compact->d, compact->copy, compact->value, true, compact->room, NULL))
        return;
    /* P = sum_k (-floor - lambda_k) v_k v_k' */
    int64_t low = gather_low(compact, compact->copy);
    weft__eigen vectors = {.n = compact->d, .stride = n, .value = compact->value, .vector = compact->copy};
    weft__eigen_squares(low, &vectors, compact->room, compact->room + compact->d * n);
    add_rounded(compact, compact->room);
    weft__compact_settle(compact, 1, 0);
}
