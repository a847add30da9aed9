/* SPDX-License-Identifier: MIT
 *
 * Method.  P(+1) = 1 / (1 + exp(-w'x)), x the scores.  What is known of w is kept as a normal distribution; a
 * label changes it by one Newton step (an extended Kalman filter): with p the probability at the mean,
 * v = p (1 - p), g = S x and s = x'g,
 *
 *     S -= v / (1 + v s) g g',      mean += ([y = +1] - p) / (1 + v s) g
 *
 * Before the first label all that are heard count alike: mean 1/voices each, their sum being 1 with a
 * deviation of 2.
 * There is no rate to choose, and members may be as alike as they like: what matters is their span.
 *
 * Certainty ends at w'x = +-15, odds of 3 million to one: a stream has seldom more labels than that to
 * warrant them, p is a number in (0, 1) with digits to spare on both sides, and no label costs more than 15
 * nats.  v is at least 1e-4 (|w'x| = 9.2): else labels that were as good as certain would leave S as wide as
 * it was, and the surprise that ends them would move w'x by s, however far that is; so it moves by less than
 * 1/v.  On eleven streams floors of 0, 1e-4 and 1e-2, and the mode of the posterior in place of the Newton
 * step, were all within five mistakes of each other (of 49 to 1516); Jaakkola and Jordan's bound in place of
 * v was worse on eight of them.
 *
 * Rounding.  S is narrowed by h h', h = sqrt(v / (1 + v s)) g, whose entries are the same bits on both sides
 * of the diagonal.  An entry of it rounds by at most a few DBL_EPSILON sqrt(S_ii S_jj); ROUNDING n S_ii more
 * on the diagonal outweighs n of them in a row (Gershgorin, scaled), so that S stays positive.  Errors that
 * are left to themselves would grow: a direction of variance -e < 0 runs away as -1 / (1/e - v x'x t).
 * (That g = S x rounds as little wants sum |x_j| sqrt(S_jj) not too large; tests go to scores of 10^8.)
 * In 10^6 labels the allowance comes to 10^-7 of a variance; taken for a drift of the weights, it lets the
 * filter forget what is some 10^6 labels old, which is no loss.
 *
 * Cost: n multiplications a prediction; with m of the n members heard 2 m n of them and m n stores a label,
 * some 8 microseconds for 100 members.
 * References: Hazan, Agarwal and Kale, Logarithmic regret algorithms for online convex optimization, Machine
 * Learning 69 (2007); Ollivier, Online natural gradient as a Kalman filter, EJS 12 (2018). */
#include "committee/vote/stack.h"

#include "base/elementary.h"
#include "base/vector.h"

#include <math.h>

/* Of the sum of all members, and of the constant. */
static const double VARIANCE = 4;
/* The largest w'x that counts. */
static const double SUREST = 15;
static const double LEAST_CURVATURE = 1e-4;
/* What a variance gains with every label, relative to it and for each dimension: 8 DBL_EPSILON. */
static const double ROUNDING = 0x1p-49;
/* A mean changes by sqrt(S_ii s) / (1 + v s) <= sqrt(S_ii / v) / 2 <= 100 a label, of which there are fewer
 * than 2^53. */
static const double LARGEST_MEAN = 0x1p60;

/* What a variance is at first, which it never exceeds but by rounding. */
static double first_variance(const weft__stack *stack, int64_t i)
{
    return i < stack->count ? VARIANCE / (double)stack->voices : VARIANCE;
}

weft_status weft__stack_create(const weft_memory *memory, int64_t count, weft__stack *stack,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = weft__padded(count + 1);
    weft__stack made = {.count = count, .n = n, .voices = count};
    TRY(weft__new(memory, n, sizeof(double), &made.mean, error));
    TRY(weft__new(memory, n * n, sizeof(double), &made.covariance, error));
    TRY(weft__new(memory, n, sizeof(double), &made.score, error));
    TRY(weft__new(memory, n, sizeof(double), &made.image, error));
    for (int64_t i = 0; i <= count; i++)
        made.covariance[i * n + i] = first_variance(&made, i);
    for (int64_t i = 0; i < count; i++)
        made.mean[i] = 1 / (double)count;
    made.score[count] = 1;
    *stack = made;
    return WEFT_OK;
done:
    weft__stack_release(&made, memory);
    return status;
}

/* What is admitted later has the variance of those that were heard at the very first, so that it does not
 * depend on whether a state was read since: more may be heard at another start, never fewer. */
void weft__stack_start(weft__stack *stack, const bool *heard, const int64_t *member)
{
    int64_t voices = 0;
    for (int64_t i = 0; i < stack->count; i++)
        voices += heard[member != NULL ? member[i] : i];
    for (int64_t i = 0; i < stack->count; i++) {
        bool is_heard = heard[member != NULL ? member[i] : i];
        stack->mean[i] = is_heard ? 1 / (double)voices : 0;
        stack->covariance[i * stack->n + i] = is_heard ? VARIANCE / (double)voices : 0;
    }
    if (voices < stack->voices)
        stack->voices = voices > 0 ? voices : 1;
}

void weft__stack_release(weft__stack *stack, const weft_memory *memory)
{
    weft__delete(memory, stack->mean);
    weft__delete(memory, stack->covariance);
    weft__delete(memory, stack->score);
    weft__delete(memory, stack->image);
    *stack = (weft__stack){0};
}

/* In (0, 1) for every score. */
static double sigmoid(double x)
{
    double e = weft__exp(-fmin(fabs(x), SUREST));
    return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double weft__stack_predict(const weft__stack *stack)
{
    return sigmoid(weft__dot(stack->n, stack->mean, stack->score));
}

/* S -= h h', h the image, and what rounding may have taken besides.  The row of a member that is not heard is
 * 0, and stays so. */
static void narrow(weft__stack *stack)
{
    int64_t n = stack->n;
    const double *h = stack->image;
    for (int64_t i = 0; i < n; i++) {
        double *row = stack->covariance + i * n, allowance = ROUNDING * (double)n * row[i];
        if (row[i] == 0)
            continue;
        weft__add(n, -h[i], h, row);
        row[i] = fmax(row[i], 0) + allowance;
    }
}

void weft__stack_learn(weft__stack *stack, int label)
{
    int64_t n = stack->n;
    double *g = stack->image, p = weft__stack_predict(stack), v = fmax(p * (1 - p), LEAST_CURVATURE);
    for (int64_t i = 0; i < n; i++)
        g[i] = weft__stack_hears(stack, i) ? weft__dot(n, stack->covariance + i * n, stack->score) : 0;
    double s = fmax(weft__dot(n, stack->score, g), 0);
    weft__add(n, ((label > 0) - p) / (1 + v * s), g, stack->mean);
    weft__scale_vector(n, sqrt(v / (1 + v * s)), g, g);
    narrow(stack);
}

/* The row and the column of member k become 0, but for its variance. */
static void isolate(weft__stack *stack, int64_t k, double variance)
{
    int64_t n = stack->n;
    stack->mean[k] = 0;
    for (int64_t i = 0; i < n; i++)
        stack->covariance[i * n + k] = stack->covariance[k * n + i] = 0;
    stack->covariance[k * n + k] = variance;
}

/* mean -= S_k mean_k / S_kk, S -= S_k S_k' / S_kk: the distribution given that w_k = 0.  (Merely to take the
 * member's scores for 0 would leave the others as they were beside it.) */
void weft__stack_drop(weft__stack *stack, int64_t k)
{
    int64_t n = stack->n;
    const double *row = stack->covariance + k * n;
    double variance = row[k];
    if (variance > 0) {
        weft__add(n, -stack->mean[k] / variance, row, stack->mean);
        weft__scale_vector(n, 1 / sqrt(variance), row, stack->image);
        narrow(stack);
    }
    isolate(stack, k, 0);
}

void weft__stack_admit(weft__stack *stack, int64_t k)
{
    weft__stack_drop(stack, k);
    isolate(stack, k, first_variance(stack, k));
}

bool weft__stack_hears(const weft__stack *stack, int64_t k)
{
    return stack->covariance[k * stack->n + k] > 0;
}

double weft__stack_wald(const weft__stack *stack, int64_t k)
{
    double variance = stack->covariance[k * stack->n + k];
    return variance > 0 ? stack->mean[k] * stack->mean[k] / variance : 0;
}

void weft__stack_write(const weft__stack *stack, weft__encoder *writer)
{
    for (int64_t i = 0; i <= stack->count; i++)
        weft__put_double(writer, stack->mean[i]);
    for (int64_t i = 0; i <= stack->count; i++)
        for (int64_t j = i; j <= stack->count; j++)
            weft__put_double(writer, stack->covariance[i * stack->n + j]);
}

/* Of a positive S that has been narrowed, as far as pairs of entries tell. */
static bool is_possible(const weft__stack *stack, int64_t i, int64_t j)
{
    const double *S = stack->covariance;
    double own = S[i * stack->n + i], other = S[j * stack->n + j], both = S[i * stack->n + j];
    /* |S_ij| <= sqrt(S_ii S_jj), and somewhat more */
    return own >= 0 && own <= 2 * first_variance(stack, i) && fabs(both) <= (1 + 0x1p-20) * sqrt(own * other);
}

bool weft__stack_read(weft__stack *stack, weft__decoder *reader)
{
    bool good = true;
    int64_t n = stack->n;
    for (int64_t i = 0; i <= stack->count; i++) {
        stack->mean[i] = weft__get_double(reader);
        good = good && fabs(stack->mean[i]) <= LARGEST_MEAN;
    }
    for (int64_t i = 0; i <= stack->count; i++)
        for (int64_t j = i; j <= stack->count; j++)
            stack->covariance[i * n + j] = stack->covariance[j * n + i] = weft__get_double(reader);
    for (int64_t i = 0; i <= stack->count; i++)
        for (int64_t j = i; j <= stack->count; j++)
            good = good && is_possible(stack, i, j);
    return good && !reader->failed;
}
