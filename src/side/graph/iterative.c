/* SPDX-License-Identifier: MIT
 *
 * Method.  Conjugate gradients for A y = x, A = scale L + shift I + L_gg e_g e_g' (side/graph/factor.h),
 * preconditioned by an incomplete Cholesky factor without fill-in whose off-diagonal part is that of
 * A:
 *
 *     M = (T + N) T^-1 (T + N'),   N the strictly lower part of A,   T_k = A_kk - sum_{j<k} A_kj^2 / T_j,
 *
 * so that M has the diagonal of A.  A is a weakly diagonally dominant M-matrix, up to a diagonal
 * scaling that commutes with all this, and by induction T_k >= sum_{l>k} |A_kl|: M exists (Meijerink
 * and van der Vorst).  Vertices are eliminated from the outside to the grounded vertex (breadth first from
 * there, turned round), so that trees, and what hangs from the graph as a tree, are eliminated
 * exactly.
 *
 * With A and M scaled by T^-1/2 on either side, B = T^-1/2 N T^-1/2, the preconditioned matrix is
 *
 *     H = (I + B)^-1 (B + B' + D_T) (I + B')^-1,
 *     H p = t + (I + B)^-1 (p + (D_T - 2I) t),  t = (I + B')^-1 p:
 *
 * a step takes two triangular solves and no product besides (Eisenstat).  When the recurred residual
 * is small enough the true one is computed with the graph itself; if that is too large, the same is
 * done for what is left (iterative refinement).
 *
 * What it gets wrong.  Let r = x - A y and rho = |D^-1/2 r|, D = diag A.  Then
 *
 *     |x'A^-1 x - x'y| = |x'A^-1 r| = |y'r + r'A^-1 r| <= rho |D^1/2 y| + m rho^2,  m >= lambda_max(A^-1 D),
 *
 * and between two products |y_2'r_1| <= rho_1 |D^1/2 y_2|: where the stop rho <= c u |D^1/2 y| holds
 * that is the geometric mean of both, as spectral/sequence.c has it.  The computed r differs from the
 * true one by about u |D^-1/2 |A||y|| <= 2 u |D^1/2 y| times the root of the longest row, hence
 * c = 2 sqrt(longest row + 1) and
 *
 *     S = (rho/u + c |D^1/2 y|) |D^1/2 y| + m rho^2/u.
 *
 * This bounds what stopping does without a model; only the rounding of r has one.  An entry of the
 * inverse: |e_j'A^-1 r| <= sqrt(A^-1_jj) sqrt(m) rho <= 2 u c m sqrt(A^-1_ii A^-1_jj), since
 * |D^1/2 y|^2 <= m y'Ay: blur = 2 c m.
 *
 * Where the stop is not met.  A product answers the S of the residual that it has, which is large: the
 * bracket is wide and its prediction not certified.  A column has no S.  It is NAN, and the bracket of
 * its trial is the one before any product.  That cannot well happen: the side is made only where eight
 * solves take a quarter of the steps, and where u blur is below 1/1000.
 *
 * m is certain whatever the solves are worth: A is an M-matrix, so that A w >= theta D w with w > 0
 * proves lambda_min(D^-1 A) >= theta (Collatz and Wielandt); w is what solving A w = D v, v > 0, gave,
 * and A w is computed.
 *
 * The diagonal.  For a start x the sum of the energies alpha |r_k|^2 that the steps gain is the Gauss
 * rule for x'A^-1x and needs no y.  What it lacks is r'A^-1 r <= m |I + B|^2 |r_k|^2: second order, so
 * that it takes half the steps.  With a grounded vertex x = P e_i, and x'A^-1x = L^+_ii
 * (side/graph/solver.c).
 *
 * Cost.  A step visits every edge twice and the memory is 12 bytes an edge.  Random graphs of degree
 * 10 take some 25 steps a solve.  The diagonal of all n vertices takes n/8 blocks of some 12 steps:
 * quadratic.
 *
 * References.  Meijerink and van der Vorst, An iterative solution method for linear systems of which
 * the coefficient matrix is a symmetric M-matrix, Math. Comp. 31 (1977); Eisenstat, Efficient
 * implementation of a class of preconditioned conjugate gradient methods, SIAM J. Sci. Stat. Comput. 2
 * (1981); Strakos and Tichy, On error estimation in the conjugate gradient method, ETNA 13 (2002). */
#include "side/graph/iterative.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double unit = DBL_EPSILON / 2;

/* ---- The incomplete factor ---- */

/* order[] of every component: from its root outwards, the grounded one first, and all of it turned round. */
static void order_vertices(const weft__factor_plan *plan, int32_t *order, int32_t *place)
{
    const weft__laplacian *l = plan->laplacian;
    int64_t n = l->count, found = 0, done = 0, next = 0;
    for (int64_t i = 0; i < n; i++)
        place[i] = -1;
    while (found < n) {
        int64_t root = found == 0 && plan->grounded >= 0 ? plan->grounded : next++;
        if (place[root] >= 0)
            continue;
        place[root] = (int32_t)found;
        order[found++] = (int32_t)root;
        for (; done < found; done++)
            for (int64_t e = l->start[order[done]]; e < l->start[order[done] + 1]; e++)
                if (place[l->to[e]] < 0) {
                    place[l->to[e]] = (int32_t)found;
                    order[found++] = l->to[e];
                }
    }
    for (int64_t k = 0; k < n; k++) {
        order[n - 1 - place[k]] = (int32_t)k;
        place[k] = (int32_t)(n - 1 - place[k]);
    }
}

/* The pattern and the values of N by rows, and D. */
static void copy_rows(weft__iterative *it, const int32_t *place, int64_t *longest)
{
    const weft__laplacian *l = it->plan.laplacian;
    int64_t at = 0;
    for (int64_t k = 0; k < it->count; k++) {
        int64_t v = it->order[k], entries = l->start[v + 1] - l->start[v];
        it->diagonal[v] = it->plan.scale * l->diagonal[v] * (v == it->plan.grounded ? 2 : 1) + it->plan.shift;
        for (int64_t e = l->start[v]; e < l->start[v + 1]; e++) {
            if (place[l->to[e]] > k)
                continue;
            it->column[at] = place[l->to[e]];
            it->value[at++] = -it->plan.scale * l->weight[e];
        }
        it->start[k + 1] = at;
        *longest = entries > *longest ? entries : *longest;
    }
}

/* T, then N -> B. */
static void eliminate(weft__iterative *it)
{
    for (int64_t k = 0; k < it->count; k++) {
        double own = it->diagonal[it->order[k]], pivot = own;
        for (int64_t e = it->start[k]; e < it->start[k + 1]; e++) {
            double scaled = it->value[e] / it->root[it->column[e]];
            pivot -= scaled * scaled;
        }
        /* Any positive number makes a preconditioner; rounding might not leave one. */
        pivot = fmax(pivot, own * 0x1p-40);
        it->root[k] = sqrt(pivot);
        it->rest[k] = own / pivot - 2;
    }
    for (int64_t k = 0; k < it->count; k++)
        for (int64_t e = it->start[k]; e < it->start[k + 1]; e++)
            it->value[e] /= it->root[k] * it->root[it->column[e]];
}

/* |I + B| <= 1 + sqrt(largest row sum of |B| * largest column sum); sums has count elements. */
static double bound_stretch(const weft__iterative *it, double *sums)
{
    double row = 0, column = 0;
    memset(sums, 0, (size_t)it->count * sizeof *sums);
    for (int64_t k = 0; k < it->count; k++) {
        double sum = 0;
        for (int64_t e = it->start[k]; e < it->start[k + 1]; e++) {
            sum += fabs(it->value[e]);
            sums[it->column[e]] += fabs(it->value[e]);
        }
        row = fmax(row, sum);
    }
    for (int64_t k = 0; k < it->count; k++)
        column = fmax(column, sums[k]);
    return 1 + sqrt(row * column);
}

/* ---- The condition ---- */

/* The largest w_i / v_i that A w >= D v / m proves, rounding off the wrong side; *where is that vertex. */
static double prove(const weft__iterative *it, const double *w, int64_t *where)
{
    const weft__laplacian *l = it->plan.laplacian;
    double least = INFINITY;
    for (int64_t i = 0; i < it->count; i++) {
        double sum = 0, own = it->diagonal[i] * w[i];
        for (int64_t e = l->start[i]; e < l->start[i + 1]; e++)
            sum += it->plan.scale * l->weight[e] * w[l->to[e]];
        double rounding = (double)(l->start[i + 1] - l->start[i] + 4) * unit * (own + sum);
        double theta = w[i] > 0 ? (own - sum - rounding) / own : 0;
        if (!(theta >= least)) {
            least = fmax(theta, 0);
            *where = i;
        }
    }
    return least > 0 ? 1 / least : INFINITY;
}

/* Power iteration; v, w and WEFT__ITERATIVE_WORK vectors in `work`. */
static void find_condition(weft__iterative *it, double *work, weft__ending *ending)
{
    enum { STEPS = 8 };
    int64_t n = it->count;
    double *v = work, *w = work + n;
    *ending = WEFT__MET;
    it->condition = INFINITY;
    for (int64_t i = 0; i < n; i++)
        v[i] = 1;
    for (int k = 0; k < STEPS && *ending == WEFT__MET && !weft__progress_stopped(it->plan.progress); k++) {
        double top = 0;
        int64_t where = 0;
        for (int64_t i = 0; i < n; i++)
            w[i] = it->diagonal[i] * v[i];
        weft__iterative_solve(it, w, work + 2 * n, ending);
        double proved = prove(it, w, &where);
        if (k == 0 || proved < it->condition) {
            it->condition = proved;
            it->least_held = where;
        }
        for (int64_t i = 0; i < n; i++)
            top = fmax(top, w[i]);
        /* Positive everywhere, whatever rounding makes of a small entry. */
        for (int64_t i = 0; i < n; i++)
            v[i] = fmax(w[i] / top, 1e-3);
    }
}

/* ---- Making one ---- */

static weft_status reserve(weft__iterative *it, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__laplacian *l = it->plan.laplacian;
    int64_t n = it->count, entries = l->start[n] / 2;
    TRY(weft__new(&it->memory, n, sizeof *it->order, &it->order, error));
    TRY(weft__new(&it->memory, entries, sizeof *it->column, &it->column, error));
    TRY(weft__new(&it->memory, n + 1, sizeof *it->start, &it->start, error));
    TRY(weft__new(&it->memory, entries, sizeof *it->value, &it->value, error));
    TRY(weft__new(&it->memory, n, sizeof *it->root, &it->root, error));
    TRY(weft__new(&it->memory, n, sizeof *it->rest, &it->rest, error));
    TRY(weft__new(&it->memory, n, sizeof *it->diagonal, &it->diagonal, error));
done:
    return status;
}

/* Without rounding as many steps as there are vertices are enough: what takes so many more in a small
 * graph is rounding. */
static int64_t most_steps(int64_t count)
{
    int64_t enough = 400 + 20 * count;
    return enough < WEFT__ITERATIVE_STEPS ? enough : WEFT__ITERATIVE_STEPS;
}

weft_status weft__iterative_make(const weft__factor_plan *plan, weft__iterative *it, weft__ending *ending,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    int32_t *place = NULL;
    double *work = NULL;
    int64_t longest = 0;
    *it =
        (weft__iterative){.memory = plan->laplacian->memory, .plan = *plan, .count = plan->laplacian->count};
    TRY(reserve(it, error));
    TRY(weft__new(&it->memory, it->count, sizeof *place, &place, error));
    TRY(weft__new(&it->memory, (2 + WEFT__ITERATIVE_WORK) * it->count, sizeof *work, &work, error));
    order_vertices(plan, it->order, place);
    copy_rows(it, place, &longest);
    eliminate(it);
    it->tolerance = 2 * sqrt((double)longest + 1);
    it->stretch = bound_stretch(it, work);
    /* With a margin of four, so that later solves do not take too long. */
    it->steps = most_steps(it->count) / 4;
    weft__progress_begin(plan->progress, "the condition of a graph", 0);
    find_condition(it, work, ending);
    TRY(weft__progress_check(plan->progress, error));
    it->steps *= 4;
done:
    it->plan.progress = NULL;
    weft__delete(&it->memory, work);
    weft__delete(&it->memory, place);
    return status;
}

void weft__iterative_free(weft__iterative *it)
{
    void *owned[] = {it->order, it->column, it->start, it->value, it->root, it->rest, it->diagonal};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&it->memory, owned[k]);
    *it = (weft__iterative){.memory = it->memory};
}
