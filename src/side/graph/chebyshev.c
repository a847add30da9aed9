/* SPDX-License-Identifier: MIT
 *
 * Method.  With b >= lambda_max, z = tb/2 and Y = 2L/b - I, whose spectrum is in
 * [-1,1],
 *
 *     exp(-tL) = e^-z [ I_0(z) + 2 sum_k (-1)^k I_k(z) T_k(Y) ],
 *
 * I_k the modified Bessel functions, T_k the Chebyshev polynomials.  |T_k| <= 1, so
 * that what is dropped after degree m has a norm of at most 2 e^-z sum_{k>m} I_k(z): m is
 * the least for which that is 2^-53 or less, about sqrt(74 z) for large z.
 *
 * Algorithm.  Ratios r_k = I_k / I_{k-1} = 1 / (2k/z + r_{k+1}) from above, where all
 * is positive and nothing can overflow; I_0 + 2 sum I_k = e^z gives the scale.  Then
 * v_{k+1} = 2 Y v_k - v_{k-1}, and the sum of c_k v_k.
 *
 * Rounding.  A step perturbs v_{k+1} by a few u |v|, and what it becomes later is at most
 * that times U_j(Y), |U_j| <= j + 1 (Chebyshev, second kind): the sum is wrong by no more than
 * about u sum_k |c_k| k^2 / 2 <= u (z + 1), since sum |c_k| k^2 = z; in the mean much less.
 *
 * Cost.  m products with L, O(m edges); three vectors.
 *
 * Reference.  Druskin and Knizhnerman, Two polynomial methods of calculating
 * functions of symmetric matrices, USSR Comput. Math. Math. Phys. 29 (1989); Gautschi,
 * Computational aspects of three-term recurrence relations, SIAM Rev. 9 (1967). */
#include "side/graph/chebyshev.h"

#include "base/clones.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double longest = 1e6;

/* e^-z I_k(z) < 2^-64 beyond this k, for all z: it is below exp(-k^2 / (2z)) up to k = z, and
 * falls faster from there. */
static int64_t beyond(double z)
{
    return (int64_t)ceil(sqrt(90 * z)) + 50;
}

/* coefficient[k] = (2 - [k = 0]) (-1)^k e^-z I_k(z) for k <= last. */
static void fill_coefficients(double z, int64_t last, double *coefficient)
{
    double ratio = 0, product = 1, sum = 1;
    for (int64_t k = last; k > 0; k--)
        coefficient[k] = ratio = 1 / (2 * (double)k / z + ratio);
    for (int64_t k = 1; k <= last; k++) {
        product *= coefficient[k];
        coefficient[k] = 2 * product;
        sum += coefficient[k];
    }
    coefficient[0] = 1 / sum;
    for (int64_t k = 1; k <= last; k++)
        coefficient[k] *= (k % 2 == 0 ? 1 : -1) / sum;
}

static int64_t choose_degree(const double *coefficient, int64_t last)
{
    double rest = 0;
    while (last > 1 && rest + fabs(coefficient[last]) <= DBL_EPSILON / 2)
        rest += fabs(coefficient[last--]);
    return last;
}

weft_status weft__chebyshev_plan(const weft__laplacian *laplacian, double t, weft__chebyshev *plan,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    *plan = (weft__chebyshev){.memory = laplacian->memory, .bound = weft__laplacian_bound(laplacian)};
    double reach = ldexp(t, laplacian->exponent) * plan->bound;
    if (laplacian->start[laplacian->count] == 0)
        reach = 0;
    if (!(reach <= longest))
        return weft__fail(
            error, WEFT_ARGUMENT,
            "graph: time %g is too long: time * largest eigenvalue may be %.3g; expected at most "
            "%g",
            t, reach, longest);
    plan->reach = 1 + reach / 2;
    /* A time that underflows leaves the identity. */
    double z = fmax(reach / 2, DBL_MIN);
    int64_t last = beyond(z);
    TRY(weft__new(&plan->memory, last + 1, sizeof *plan->coefficient, &plan->coefficient, error));
    fill_coefficients(z, last, plan->coefficient);
    plan->degree = choose_degree(plan->coefficient, last);
done:
    return status;
}

void weft__chebyshev_free(weft__chebyshev *plan)
{
    weft__delete(&plan->memory, plan->coefficient);
    *plan = (weft__chebyshev){.memory = plan->memory};
}

/* next = factor Y v - next and sum += coefficient next, Y = 2L/b - I, for `width` vectors. */
INLINED void step(const weft__laplacian *laplacian, const double setting[3], const double *restrict v,
                  double *restrict next, double *restrict sum, const int width)
{
    double factor = setting[0], edge = factor * setting[1];
    for (int64_t i = 0; i < laplacian->count; i++) {
        double own = edge * laplacian->diagonal[i] - factor, total[WEFT__CHEBYSHEV_BLOCK] = {0};
        for (int64_t e = laplacian->start[i]; e < laplacian->start[i + 1]; e++) {
            const double *from = v + (int64_t)laplacian->to[e] * width;
            for (int c = 0; c < width; c++)
                total[c] += laplacian->weight[e] * from[c];
        }
        for (int c = 0; c < width; c++) {
            int64_t at = i * width + c;
            next[at] = own * v[at] - edge * total[c] - next[at];
            sum[at] += setting[2] * next[at];
        }
    }
}

static void step_one(const weft__laplacian *laplacian, const double setting[3], const double *v, double *next,
                     double *sum)
{
    step(laplacian, setting, v, next, sum, 1);
}

CLONED static void step_block(const weft__laplacian *laplacian, const double setting[3], const double *v,
                              double *next, double *sum)
{
    step(laplacian, setting, v, next, sum, WEFT__CHEBYSHEV_BLOCK);
}

typedef void stepper(const weft__laplacian *laplacian, const double setting[3], const double *v, double *next,
                     double *sum);

/* So many vectors at once, and how. */
typedef struct batch {
    stepper *forward;
    int64_t width;
    weft__progress *progress;
} batch;

/* Multiplications of one product with L by one vector. */
static double work_of_step(const weft__laplacian *laplacian)
{
    return (double)(laplacian->start[laplacian->count] + 3 * laplacian->count);
}

double weft__chebyshev_work(const weft__chebyshev *plan, const weft__laplacian *laplacian)
{
    return (double)plan->degree * work_of_step(laplacian);
}

static void multiply(const weft__chebyshev *plan, const weft__laplacian *laplacian, batch how, double *x,
                     double *work)
{
    int64_t size = laplacian->count * how.width;
    double step_work = work_of_step(laplacian) * (double)how.width;
    double *v = work, *next = work + size, *sum = work + 2 * size;
    memcpy(v, x, (size_t)size * sizeof *v);
    memset(next, 0, (size_t)size * sizeof *next);
    for (int64_t i = 0; i < size; i++)
        sum[i] = plan->coefficient[0] * x[i];
    for (int64_t k = 1; k <= plan->degree && weft__progress_add(how.progress, step_work); k++) {
        /* T_1 = Y T_0, then T_{k+1} = 2 Y T_k - T_{k-1}. */
        how.forward(laplacian, (const double[]){k == 1 ? 1 : 2, 2 / plan->bound, plan->coefficient[k]}, v,
                    next, sum);
        double *swap = v;
        v = next;
        next = swap;
    }
    memcpy(x, sum, (size_t)size * sizeof *x);
}

void weft__chebyshev_multiply(const weft__chebyshev *plan, const weft__laplacian *laplacian, double *x,
                              double *work)
{
    multiply(plan, laplacian, (batch){step_one, 1, NULL}, x, work);
}

void weft__chebyshev_block(const weft__chebyshev *plan, const weft__laplacian *laplacian, double *x,
                           double *work, weft__progress *progress)
{
    multiply(plan, laplacian, (batch){step_block, WEFT__CHEBYSHEV_BLOCK, progress}, x, work);
}

weft_status weft__chebyshev_squares(const weft__chebyshev *plan, const weft__laplacian *laplacian,
                                    double *out, weft__progress *progress, weft_error *error)
{
    enum { BLOCK = WEFT__CHEBYSHEV_BLOCK };
    double *x = NULL, *work = NULL;
    weft_status status = WEFT_OK;
    int64_t n = laplacian->count;
    TRY(weft__new(&plan->memory, BLOCK * n, sizeof *x, &x, error));
    TRY(weft__new(&plan->memory, 3 * BLOCK * n, sizeof *work, &work, error));
    weft__progress_begin(progress, "the diagonal of a diffusion",
                         weft__chebyshev_work(plan, laplacian) * (double)n);
    for (int64_t j = 0; j < n; j += BLOCK) {
        int64_t width = n - j < BLOCK ? n - j : BLOCK;
        memset(x, 0, (size_t)(BLOCK * n) * sizeof *x);
        for (int64_t c = 0; c < width; c++) {
            x[(j + c) * BLOCK + c] = 1;
            out[j + c] = 0;
        }
        weft__chebyshev_block(plan, laplacian, x, work, progress);
        TRY(weft__progress_check(progress, error));
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < width; c++)
                out[j + c] += x[i * BLOCK + c] * x[i * BLOCK + c];
    }
done:
    weft__delete(&plan->memory, work);
    weft__delete(&plan->memory, x);
    return status;
}
