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
 *
 * Where the truth changes other members are right than before, and w has to move.  So there are two filters:
 * one whose weights stay, and one whose weights are taken for a random walk, so that before each label
 *
 *     S_ii = min(S_ii + MOTION S0_ii, S0_ii),      S0 what they were at first.
 *
 * P(+1) is the mixture of both, by how well each foretold the labels with a fixed share of 1/(t+1) at the
 * t-th of them: never worse than the better one, or than the best sequence of both, by more than the
 * logarithms of what sharing leaves.  Its standings are those of the steady weights.
 *
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
 * Cost: 2 n multiplications a prediction; with m of the n members heard 4 m n of them and 2 m n stores a
 * label, some 16 microseconds for 100 members.
 * References: Hazan, Agarwal and Kale, Logarithmic regret algorithms for online convex optimization, Machine
 * Learning 69 (2007); Ollivier, Online natural gradient as a Kalman filter, EJS 12 (2018); Herbster and
 * Warmuth, Tracking the best expert, Machine Learning 32 (1998). */
#include "committee/vote/stack.h"

#include "base/elementary.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

/* Of the sum of all members, and of the constant. */
static const double VARIANCE = 4;
/* What a moving weight gains with every label, relative to its first variance. */
static const double MOTION = 2e-4;
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

static weft_status create_filter(const weft_memory *memory, int64_t n, weft__filter *filter,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(memory, n, sizeof(double), &filter->mean, error));
    TRY(weft__new(memory, n * n, sizeof(double), &filter->covariance, error));
done:
    return status;
}

static void release_filter(const weft_memory *memory, weft__filter *filter)
{
    weft__delete(memory, filter->mean);
    weft__delete(memory, filter->covariance);
}

static void start_filter(const weft__stack *stack, weft__filter *filter, int64_t i, int64_t voices)
{
    filter->mean[i] = voices > 0 ? 1 / (double)voices : 0;
    filter->covariance[i * stack->n + i] = voices > 0 ? VARIANCE / (double)voices : 0;
}

weft_status weft__stack_create(const weft_memory *memory, int64_t count, weft__stack *stack,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = weft__padded(count + 1);
    weft__stack made = {.count = count, .n = n, .voices = count, .belief = 0.5};
    TRY(create_filter(memory, n, &made.steady, error));
    TRY(create_filter(memory, n, &made.moving, error));
    TRY(weft__new(memory, n, sizeof(double), &made.score, error));
    TRY(weft__new(memory, n, sizeof(double), &made.image, error));
    for (int64_t i = 0; i < count; i++) {
        start_filter(&made, &made.steady, i, count);
        start_filter(&made, &made.moving, i, count);
    }
    made.steady.covariance[count * n + count] = made.moving.covariance[count * n + count] = VARIANCE;
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
        start_filter(stack, &stack->steady, i, is_heard ? voices : 0);
        start_filter(stack, &stack->moving, i, is_heard ? voices : 0);
    }
    if (voices < stack->voices)
        stack->voices = voices > 0 ? voices : 1;
}

void weft__stack_release(weft__stack *stack, const weft_memory *memory)
{
    release_filter(memory, &stack->steady);
    release_filter(memory, &stack->moving);
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

static double ask(const weft__stack *stack, const weft__filter *filter)
{
    return sigmoid(weft__dot(stack->n, filter->mean, stack->score));
}

double weft__stack_predict(const weft__stack *stack)
{
    return (1 - stack->belief) * ask(stack, &stack->steady) + stack->belief * ask(stack, &stack->moving);
}

/* S -= h h', h the image, and what rounding may have taken besides.  The row of a member that is not heard is
 * 0, and stays so. */
static void narrow(const weft__stack *stack, weft__filter *filter)
{
    int64_t n = stack->n;
    const double *h = stack->image;
    for (int64_t i = 0; i < n; i++) {
        double *row = filter->covariance + i * n, allowance = ROUNDING * (double)n * row[i];
        if (row[i] == 0)
            continue;
        weft__add(n, -h[i], h, row);
        row[i] = fmax(row[i], 0) + allowance;
    }
}

/* With p, the filter's own. */
static void learn(const weft__stack *stack, weft__filter *filter, double p, int label)
{
    int64_t n = stack->n;
    double *g = stack->image, v = fmax(p * (1 - p), LEAST_CURVATURE);
    for (int64_t i = 0; i < n; i++)
        g[i] = filter->covariance[i * n + i] > 0 ? weft__dot(n, filter->covariance + i * n, stack->score) : 0;
    double s = fmax(weft__dot(n, stack->score, g), 0);
    weft__add(n, ((label > 0) - p) / (1 + v * s), g, filter->mean);
    weft__scale_vector(n, sqrt(v / (1 + v * s)), g, g);
    narrow(stack, filter);
}

/* Of those that are heard. */
static void move(weft__stack *stack)
{
    for (int64_t i = 0; i <= stack->count; i++) {
        double *variance = &stack->moving.covariance[i * stack->n + i], first = first_variance(stack, i);
        if (*variance > 0 && *variance < first)
            *variance = fmin(*variance + MOTION * first, first);
    }
}

static double given_to(double probability, int label)
{
    return label > 0 ? probability : 1 - probability;
}

double weft__stack_learn(weft__stack *stack, int label)
{
    double p = ask(stack, &stack->steady), q = ask(stack, &stack->moving);
    double stays = (1 - stack->belief) * given_to(p, label), moves = stack->belief * given_to(q, label);
    double share = 1 / (double)(++stack->labels + 1);
    stack->belief = (1 - share) * moves / (stays + moves) + share / 2;
    move(stack);
    learn(stack, &stack->steady, p, label);
    learn(stack, &stack->moving, q, label);
    return -weft__log(stays + moves);
}

/* The row and the column of member k become 0, but for its variance. */
static void isolate(const weft__stack *stack, weft__filter *filter, int64_t k, double variance)
{
    int64_t n = stack->n;
    filter->mean[k] = 0;
    for (int64_t i = 0; i < n; i++)
        filter->covariance[i * n + k] = filter->covariance[k * n + i] = 0;
    filter->covariance[k * n + k] = variance;
}

/* mean -= S_k mean_k / S_kk, S -= S_k S_k' / S_kk: the distribution given that w_k = 0.  (Merely to take the
 * member's scores for 0 would leave the others as they were beside it.) */
static void drop(const weft__stack *stack, weft__filter *filter, int64_t k)
{
    int64_t n = stack->n;
    const double *row = filter->covariance + k * n;
    double variance = row[k];
    if (variance > 0) {
        weft__add(n, -filter->mean[k] / variance, row, filter->mean);
        weft__scale_vector(n, 1 / sqrt(variance), row, stack->image);
        narrow(stack, filter);
    }
    isolate(stack, filter, k, 0);
}

void weft__stack_drop(weft__stack *stack, int64_t k)
{
    drop(stack, &stack->steady, k);
    drop(stack, &stack->moving, k);
}

void weft__stack_admit(weft__stack *stack, int64_t k)
{
    weft__stack_drop(stack, k);
    isolate(stack, &stack->steady, k, first_variance(stack, k));
    isolate(stack, &stack->moving, k, first_variance(stack, k));
}

static void copy(int64_t n, const weft__filter *from, weft__filter *to)
{
    memcpy(to->mean, from->mean, (size_t)n * sizeof *to->mean);
    memcpy(to->covariance, from->covariance, (size_t)(n * n) * sizeof *to->covariance);
}

void weft__stack_copy(weft__stack *stack, const weft__stack *other)
{
    stack->voices = other->voices;
    stack->belief = other->belief;
    stack->labels = other->labels;
    copy(stack->n, &other->steady, &stack->steady);
    copy(stack->n, &other->moving, &stack->moving);
}

bool weft__stack_hears(const weft__stack *stack, int64_t k)
{
    return stack->steady.covariance[k * stack->n + k] > 0;
}

double weft__stack_wald(const weft__stack *stack, int64_t k)
{
    double variance = stack->steady.covariance[k * stack->n + k], mean = stack->steady.mean[k];
    return variance > 0 ? mean * mean / variance : 0;
}

/* ---- The state ---- */

static void write_filter(const weft__stack *stack, const weft__filter *filter, weft__encoder *writer)
{
    for (int64_t i = 0; i <= stack->count; i++)
        weft__put_double(writer, filter->mean[i]);
    for (int64_t i = 0; i <= stack->count; i++)
        for (int64_t j = i; j <= stack->count; j++)
            weft__put_double(writer, filter->covariance[i * stack->n + j]);
}

void weft__stack_write(const weft__stack *stack, weft__encoder *writer)
{
    write_filter(stack, &stack->steady, writer);
    write_filter(stack, &stack->moving, writer);
    weft__put_double(writer, stack->belief);
    weft__put_integer(writer, stack->labels);
}

/* Of a positive S that has been narrowed, as far as pairs of entries tell. */
static bool is_possible(const weft__stack *stack, const double *S, int64_t i, int64_t j)
{
    double own = S[i * stack->n + i], other = S[j * stack->n + j], both = S[i * stack->n + j];
    /* |S_ij| <= sqrt(S_ii S_jj), and somewhat more */
    return own >= 0 && own <= 2 * first_variance(stack, i) && fabs(both) <= (1 + 0x1p-20) * sqrt(own * other);
}

static bool read_filter(const weft__stack *stack, weft__filter *filter, weft__decoder *reader)
{
    bool good = true;
    int64_t n = stack->n;
    for (int64_t i = 0; i <= stack->count; i++) {
        filter->mean[i] = weft__get_double(reader);
        good = good && fabs(filter->mean[i]) <= LARGEST_MEAN;
    }
    for (int64_t i = 0; i <= stack->count; i++)
        for (int64_t j = i; j <= stack->count; j++)
            filter->covariance[i * n + j] = filter->covariance[j * n + i] = weft__get_double(reader);
    for (int64_t i = 0; i <= stack->count; i++)
        for (int64_t j = i; j <= stack->count; j++)
            good = good && is_possible(stack, filter->covariance, i, j);
    return good;
}

/* The same members are heard by both filters. */
bool weft__stack_read(weft__stack *stack, weft__decoder *reader)
{
    bool good = read_filter(stack, &stack->steady, reader);
    good = read_filter(stack, &stack->moving, reader) && good;
    for (int64_t i = 0; i <= stack->count; i++)
        good = good && (stack->steady.covariance[i * stack->n + i] > 0) ==
                           (stack->moving.covariance[i * stack->n + i] > 0);
    stack->belief = weft__get_double(reader);
    stack->labels = weft__get_integer(reader);
    good = good && stack->belief > 0 && stack->belief < 1;
    return good && stack->labels >= 0 && stack->labels <= WEFT__MOST_COUNT && !reader->failed;
}
