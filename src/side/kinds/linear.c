/* SPDX-License-Identifier: MIT
 *
 * Method: with the rows x_i of X, and ids that are alone apart,
 *
 *     y = K w = X z + epsilon g,  z = X'w,  g_i = sum of w over the ids with a vector equal to x_i
 *
 * Rounding.  In terms of the vectors f_i = (x_i, sqrt(epsilon) e_group(i)), K_ij = <f_i, f_j>, and
 * z = sum_i w_i f_i has |z|^2 = w'Kw.  Its coordinate c is a sum of terms w_i f_ic and wrong by about
 * u sqrt(m sum_i w_i^2 f_ic^2), m its longest chain of additions (spectral/sequence.c), so
 *
 *     |error of z|     = u sqrt(m S),      S = sum_i K_ii w_i^2
 *     |error of w'y|  <= u |z| sqrt(m S)   by Cauchy-Schwarz, w'y being <z, z + error>
 *
 * and the inner products <x_i, z>, of chains of d/4 + 2, add as much with m = d/4 + 2.  The allowance
 * L S + l w'Kw of that file is at least 2 sqrt(L l) |z| sqrt(S), which would do for w'y up to millions of
 * ids, but with less and less to spare.  It would not do for later steps: they take the error of z as it
 * is beside |z|, u sqrt(m S) / |z|, where the allowance has S / |z|^2, which is less where S < |z|^2.  So
 * `product` answers sqrt(m) |z| sqrt(S): a share of w'Kw where all vectors are alike, |z|^2 being n S
 * then, and as much as L allows anyway where w is in no particular direction.  A later alpha or beta
 * meets the error of z in the inner product with another such vector, as that file says of solves.
 *
 * z is summed in blocks of BLOCK ids: m = BLOCK + n / BLOCK.  The sums of groups are plain, with chains
 * no longer than the number of ids that are not the first of their group, and one.
 *
 * Cost: 2 count dimension multiplications. */
#include "side/kinds/linear.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 };

bool weft__linear_has_product(int64_t dimension, int64_t count)
{
    return dimension <= WEFT__LINEAR_FEW || dimension <= count / WEFT__LINEAR_RATIO;
}

/* What is multiplied; |X| in place of X where `absolute`. */
typedef struct task {
    const weft__linear *linear;
    const int64_t *ids;
    int64_t count;
    const double *x;
    bool absolute;
} task;

static bool is_alone(const task *t, int64_t k)
{
    return weft__side_is_alone(t->linear->side, t->ids[k]);
}

static const double *row_of(const task *t, int64_t k)
{
    return t->linear->rows.values + t->ids[k] * t->linear->rows.dimension;
}

/* sum += a row, or a |row| */
static void add_row(int64_t d, double a, const double *row, bool absolute, double *sum)
{
    if (absolute)
        for (int64_t c = 0; c < d; c++)
            sum[c] += a * fabs(row[c]);
    else
        for (int64_t c = 0; c < d; c++)
            sum[c] += a * row[c];
}

/* <row, z>, or <|row|, z> for z >= 0 */
static double multiply_row(int64_t d, const double *row, bool absolute, const double *z)
{
    double sum[4] = {0, 0, 0, 0};
    int64_t c = 0;
    for (; c + 4 <= d; c += 4)
        for (int64_t lane = 0; lane < 4; lane++)
            sum[lane] += (absolute ? fabs(row[c + lane]) : row[c + lane]) * z[c + lane];
    for (int64_t lane = 0; c < d; c++, lane++)
        sum[lane] += (absolute ? fabs(row[c]) : row[c]) * z[c];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* z = X'x; part has as many elements. */
static void sum_coordinates(const task *t, double *z, double *part)
{
    int64_t d = t->linear->rows.dimension;
    memset(z, 0, (size_t)d * sizeof *z);
    for (int64_t first = 0; first < t->count; first += BLOCK) {
        int64_t end = first + BLOCK < t->count ? first + BLOCK : t->count;
        memset(part, 0, (size_t)d * sizeof *part);
        for (int64_t k = first; k < end; k++)
            if (!is_alone(t, k))
                add_row(d, t->x[k], row_of(t, k), t->absolute, part);
        add_row(d, 1, part, false, z);
    }
}

/* sum[g] = sum of x over group g, for the groups of the ids */
static void sum_groups(const task *t, double *sum)
{
    const int64_t *of = t->linear->groups->of;
    for (int64_t k = 0; k < t->count; k++)
        if (!is_alone(t, k))
            sum[of[t->ids[k]]] = 0;
    for (int64_t k = 0; k < t->count; k++)
        if (!is_alone(t, k))
            sum[of[t->ids[k]]] += t->x[k];
}

static void expand(const task *t, const double *z, const double *sum, double *y)
{
    const weft__linear *l = t->linear;
    for (int64_t k = 0; k < t->count; k++) {
        if (is_alone(t, k)) {
            y[k] = l->side->radius * t->x[k];
            continue;
        }
        y[k] = multiply_row(l->rows.dimension, row_of(t, k), t->absolute, z);
        if (l->epsilon > 0)
            y[k] += l->epsilon * sum[l->groups->of[t->ids[k]]];
    }
}

/* sqrt(m) |z| sqrt(S), |z|^2 with the coordinates of groups. */
static double rounding_of(const task *t, const double *z, const double *sum)
{
    const weft__linear *l = t->linear;
    int64_t d = l->rows.dimension;
    double length = multiply_row(d, z, false, z), scale = 0;
    double chain = BLOCK + (double)t->count / BLOCK + (double)d / 4 + 2;
    for (int64_t k = 0; k < t->count; k++) {
        if (is_alone(t, k))
            continue;
        scale += (l->square[t->ids[k]] + l->epsilon) * t->x[k] * t->x[k];
        if (l->epsilon > 0)
            length += l->epsilon * t->x[k] * sum[l->groups->of[t->ids[k]]];
    }
    if (l->epsilon > 0)
        chain = fmax(chain, fmin((double)l->groups->repeated + 1, (double)t->count));
    return sqrt(chain) * sqrt(fmax(length, 0)) * sqrt(scale);
}

static double multiply(const task *t, double *y, double *work)
{
    double few[2 * WEFT__LINEAR_FEW];
    int64_t d = t->linear->rows.dimension;
    bool is_few = d <= WEFT__LINEAR_FEW;
    /* Else there are WEFT__LINEAR_RATIO d ids or more, and 2 d are less than a vector of workspace. */
    double *z = is_few ? few : work, *sum = is_few ? work : work + 2 * d;
    if (t->count == 0)
        return 0;
    sum_coordinates(t, z, z + d);
    if (t->linear->epsilon > 0)
        sum_groups(t, sum);
    expand(t, z, sum, y);
    return t->absolute ? 0 : rounding_of(t, z, sum);
}

double weft__linear_product(const weft__linear *linear, const int64_t *ids, int64_t count, const double *x,
                            double *y, double *work)
{
    return multiply(&(task){linear, ids, count, x, false}, y, work);
}

/* Below so many multiplications |K| is multiplied entry by entry: whoever wants |K| wants a bound, and
 * coordinates of both signs make the other one some times larger. */
static const double most_exactly = 0x1p30;

/* |K| between the k-th of the ids and the l-th, neither of them alone */
static double absolute_entry(const task *t, int64_t k, int64_t l)
{
    const weft__linear *linear = t->linear;
    double entry = multiply_row(linear->rows.dimension, row_of(t, k), false, row_of(t, l));
    if (linear->epsilon > 0 && linear->groups->of[t->ids[k]] == linear->groups->of[t->ids[l]])
        entry += linear->epsilon;
    return fabs(entry);
}

static void multiply_entries(const task *t, double *y)
{
    for (int64_t k = 0; k < t->count; k++) {
        bool alone = is_alone(t, k);
        double own = 0, x = t->x[k];
        for (int64_t l = 0; l < k && !alone; l++) {
            double entry = is_alone(t, l) ? 0 : absolute_entry(t, k, l);
            own += entry * t->x[l];
            y[l] += entry * x;
        }
        y[k] = own + (alone ? t->linear->side->radius : absolute_entry(t, k, k)) * x;
    }
}

void weft__linear_absolute(const weft__linear *linear, const int64_t *ids, int64_t count, const double *x,
                           double *y, double *work)
{
    task t = {linear, ids, count, x, true};
    if ((double)count * (double)count * (double)linear->rows.dimension <= most_exactly)
        multiply_entries(&t, y);
    else
        multiply(&t, y, work);
}
