/* SPDX-License-Identifier: MIT
 * The online logistic regression on long streams: its covariance stays what a covariance is. */
#include "test_stack_support.h"

/* The covariance is symmetric to the bit, and positive: scaled to ones on the diagonal, every pivot of its
 * elimination is. */
static void check_positive(const weft__stack *stack, const weft__filter *filter, const char *where)
{
    static long double a[MOST][MOST];
    int n = (int)stack->count + 1;
    const double *S = filter->covariance;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            assert_true(S[i * stack->n + k] == S[k * stack->n + i] && isfinite(filter->mean[i]));
            a[i][k] = S[i * stack->n + k];
            double own = S[i * stack->n + i], other = S[k * stack->n + k];
            bool rests = !(own > 0 && other > 0);
            a[i][k] = rests ? i == k : a[i][k] / sqrtl((long double)own * other);
        }
    for (int p = 0; p < n; p++) {
        if (!(a[p][p] > 0 && a[p][p] <= 1 + 1e-9L))
            fail_msg("%s: pivot %d is %Lg", where, p, a[p][p]);
        for (int i = p + 1; i < n; i++) {
            long double factor = a[i][p] / a[p][p];
            for (int k = p; k < n; k++)
                a[i][k] -= factor * a[p][k];
        }
    }
}

/* Answers the mean logarithmic loss. */
static double play_long(int64_t count, int64_t trials, double scale)
{
    char where[64];
    double loss = 0;
    dice d = {3};
    weft__stack stack = make(count);
    for (int64_t t = 1; t <= trials; t++) {
        int label = draw_trial(&stack, scale, &d);
        double p = weft__stack_predict(&stack);
        assert_true(p > 0 && p < 1);
        loss -= log(label > 0 ? p : 1 - p);
        weft__stack_learn(&stack, label);
        if (t == trials / 4)
            weft__stack_drop(&stack, 0);
        if (t == trials / 2)
            weft__stack_admit(&stack, 0);
        snprintf(where, sizeof where, "%d members, scores of %g, trial %d", (int)count, scale, (int)t);
        if ((t & (t - 1)) != 0 && t % (trials / 10) != 0)
            continue;
        check_positive(&stack, &stack.steady, where);
        check_positive(&stack, &stack.moving, where);
    }
    drop(&stack);
    return loss / (double)trials;
}

static void long_streams_keep_it_positive(void **state)
{
    /* The labels' own entropy is .582. */
    assert_near(play_long(20, 1000000, 1), 0.582, 0.003);
    assert_near(play_long(20, 200000, 1e3), 0.582, 0.02);
    play_long(100, 20000, 1);
    play_long(100, 20000, 1e3);
    play_long(20, 100000, 1e8);
    play_long(100, 10000, 1e8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_streams_keep_it_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
