/* SPDX-License-Identifier: MIT
 * The online logistic regression: against a filter in information form that solves for everything anew
 * (long double), on ill-natured streams, and what it is for. */
#include "test_stack_support.h"

/* ---- the filter in information form ---- */

/* precision = inverse of the covariance; what rests is left out by `used`. */
typedef struct judge {
    int n;
    bool used[MOST];
    long double mean[MOST], precision[MOST][MOST];
} judge;

static void judge_start(judge *j, int count)
{
    *j = (judge){.n = count + 1};
    for (int i = 0; i <= count; i++) {
        j->used[i] = true;
        j->mean[i] = i < count ? 1 / (long double)count : 0;
        j->precision[i][i] = i < count ? (long double)count / 4 : 0.25L;
    }
}

/* solution: precision * solution = right, by elimination. */
static void judge_solve(const judge *j, const long double *right, long double *solution)
{
    static long double a[MOST][MOST + 1];
    for (int i = 0; i < j->n; i++) {
        for (int k = 0; k < j->n; k++)
            a[i][k] = j->used[i] && j->used[k] ? j->precision[i][k] : i == k;
        a[i][j->n] = j->used[i] ? right[i] : 0;
    }
    for (int p = 0; p < j->n; p++)
        for (int i = p + 1; i < j->n; i++) {
            long double factor = a[i][p] / a[p][p];
            for (int k = p; k <= j->n; k++)
                a[i][k] -= factor * a[p][k];
        }
    for (int i = j->n - 1; i >= 0; i--) {
        solution[i] = a[i][j->n];
        for (int k = i + 1; k < j->n; k++)
            solution[i] -= a[i][k] * solution[k];
        solution[i] /= a[i][i];
    }
}

/* precision += v x x', mean += precision^-1 x ([y = +1] - p); answers p. */
static long double judge_learn(judge *j, const double *x, int label)
{
    long double z = 0, right[MOST], step[MOST];
    for (int i = 0; i < j->n; i++)
        z += j->mean[i] * (long double)x[i];
    long double p = 1 / (1 + expl(-fminl(fmaxl(z, -15), 15))), v = fmaxl(p * (1 - p), 1e-4L);
    for (int i = 0; i < j->n; i++) {
        right[i] = ((label > 0) - p) * (long double)x[i];
        for (int k = 0; k < j->n; k++)
            j->precision[i][k] += v * (long double)x[i] * (long double)x[k];
    }
    judge_solve(j, right, step);
    for (int i = 0; i < j->n; i++)
        j->mean[i] += step[i];
    return p;
}

static long double judge_variance(const judge *j, int i)
{
    long double right[MOST] = {0}, column[MOST];
    right[i] = 1;
    judge_solve(j, right, column);
    return column[i];
}

/* mean of the others given w_k = 0: it solves their part of precision (w - mean) = 0. */
static void judge_drop(judge *j, int k)
{
    long double right[MOST], step[MOST];
    for (int i = 0; i < j->n; i++)
        right[i] = j->precision[i][k] * j->mean[k];
    j->used[k] = false;
    judge_solve(j, right, step);
    for (int i = 0; i < j->n; i++)
        j->mean[i] += step[i];
    j->mean[k] = 0;
}

static void judge_admit(judge *j, int k)
{
    for (int i = 0; i < j->n; i++)
        j->precision[i][k] = j->precision[k][i] = 0;
    j->precision[k][k] = (long double)(j->n - 1) / 4;
    j->used[k] = true;
}

static void compare(const weft__stack *stack, const judge *j, double tolerance)
{
    for (int i = 0; i < j->n; i++) {
        double variance = j->used[i] ? (double)judge_variance(j, i) : 0;
        assert_near(stack->steady.mean[i], (double)j->mean[i], tolerance);
        assert_near(variance_of(stack, i), variance, tolerance * variance);
        double wald = variance > 0 ? (double)(j->mean[i] * j->mean[i]) / variance : 0;
        assert_near(weft__stack_wald(stack, i), wald, 10 * tolerance * (1 + wald));
    }
}

/* The steady weights are, but for the allowance of rounding, which is seen where scores are large. */
static void it_is_the_filter_in_information_form(void **state)
{
    static judge j;
    static const double scales[] = {0.1, 1, 10};
    for (int run = 0; run < 9; run++) {
        int count = 1 + 4 * run;
        weft__stack stack = make(count);
        dice d = {(uint64_t)run + 5};
        judge_start(&j, count);
        for (int t = 0; t < 600; t++) {
            int k = (int)dice_below(&d, count), label = draw_trial(&stack, scales[run % 3], &d);
            if (t % 100 == 50 && j.used[k]) {
                weft__stack_drop(&stack, k);
                judge_drop(&j, k);
            } else if (t % 100 == 80 && !j.used[k]) {
                weft__stack_admit(&stack, k);
                judge_admit(&j, k);
            }
            stack.belief = 0;
            double x[MOST] = {0}, p = weft__stack_predict(&stack);
            for (int i = 0; i <= count; i++)
                x[i] = j.used[i] ? stack.score[i] : 0;
            weft__stack_learn(&stack, label);
            assert_near(p, (double)judge_learn(&j, x, label), run % 3 < 2 ? 1e-9 : 1e-6);
            if (t % 60 == 0)
                compare(&stack, &j, 1e-6);
        }
        drop(&stack);
    }
}

/* No score makes a probability of 0 or 1, and nothing else than a number. */
static void probabilities_are_inside(void **state)
{
    static const double scores[] = {0, 1e-300, 1, -1, 40, -40, 1e3, -1e3, 1e15, -1e15};
    weft__stack stack = make(3);
    dice d = {8};
    for (int t = 0; t < 2000; t++) {
        for (int k = 0; k < 3; k++)
            stack.score[k] = scores[dice_below(&d, 10)];
        double p = weft__stack_predict(&stack);
        assert_true(p >= 3e-7 && p <= 1 - 3e-7);
        weft__stack_learn(&stack, dice_chance(&d, 0.5) ? 1 : -1);
    }
    drop(&stack);
}

/* ---- what it is for ---- */

/* Mistakes in the second half of 4000 trials: one member tells the label up to `noise`, the others guess. */
static int mistakes_with(int64_t count, double noise, int informed, bool *stands_out)
{
    weft__stack stack = make(count);
    dice d = {21};
    int wrong = 0;
    for (int t = 0; t < 4000; t++) {
        int label = dice_chance(&d, 0.5) ? 1 : -1;
        for (int k = 0; k < count; k++)
            stack.score[k] = dice_normal(&d);
        if (informed >= 0)
            stack.score[informed] = dice_chance(&d, noise) ? -label : label;
        wrong += t >= 2000 && (weft__stack_predict(&stack) >= 0.5) != (label > 0);
        weft__stack_learn(&stack, label);
    }
    *stands_out = true;
    for (int k = 0; k < count && informed >= 0; k++)
        if (k != informed && weft__stack_wald(&stack, k) > 0.1 * weft__stack_wald(&stack, informed))
            *stands_out = false;
    drop(&stack);
    return wrong;
}

/* Those that are heard at first start as a stack of them alone, and one admitted later as they did. */
static void the_heard_start_as_if_alone(void **state)
{
    enum { ALL = 5, HEARD = 2 };
    static const bool heard[] = {true, false, false, true, false, true};
    static const int64_t member[] = {3, 1, 2, 5, 4};
    weft__stack plain = make(ALL), chosen = make(ALL), alone = make(HEARD);
    weft__stack_start(&plain, heard, NULL);
    weft__stack_start(&chosen, heard, member);
    for (int64_t i = 0; i < ALL; i++) {
        bool is_heard = i == 0 || i == 3; /* by their own numbers, and by those of the list */
        assert_true(plain.steady.mean[i] == (is_heard ? alone.steady.mean[0] : 0));
        assert_true(variance_of(&plain, i) == (is_heard ? variance_of(&alone, 0) : 0));
        assert_true(chosen.steady.mean[i] == plain.steady.mean[i] &&
                    variance_of(&chosen, i) == variance_of(&plain, i));
        assert_true(plain.moving.mean[i] == plain.steady.mean[i] &&
                    chosen.moving.mean[i] == plain.steady.mean[i]);
    }
    weft__stack_admit(&plain, 1);
    assert_true(variance_of(&plain, 1) == variance_of(&alone, 0));
    assert_true(variance_of(&plain, ALL) == variance_of(&alone, HEARD));
    drop(&plain);
    drop(&chosen);
    drop(&alone);
}

static void whoever_tells_the_label_is_found(void **state)
{
    bool found = false;
    assert_in_range(mistakes_with(30, 0, 17, &found), 0, 4);
    assert_true(found);
    /* Of 2000 labels 200 are told wrong; thirty that guess cost little more. */
    int alone = mistakes_with(1, 0.1, 0, &found), among = mistakes_with(30, 0.1, 29, &found);
    assert_true(found);
    assert_in_range(alone, 160, 240);
    assert_in_range(among, 160, 260);
    assert_in_range(mistakes_with(30, 0, -1, &found), 900, 1100);
}

/* ---- A truth that changes ---- */

/* The label is what one member says, with `noise`, and after half of the trials what another says. */
static int mistakes_after_a_change(bool moves, double *belief)
{
    enum { COUNT = 12, TRIALS = 6000 };
    weft__stack stack = make(COUNT);
    dice d = {33};
    int wrong = 0;
    for (int t = 0; t < TRIALS; t++) {
        int label = dice_chance(&d, 0.5) ? 1 : -1;
        for (int k = 0; k < COUNT; k++)
            stack.score[k] = dice_chance(&d, 0.5) ? 1 : -1;
        stack.score[t < TRIALS / 2 ? 3 : 7] = dice_chance(&d, 0.1) ? -label : label;
        if (!moves)
            stack.belief = 0;
        wrong += t >= TRIALS / 2 && (weft__stack_predict(&stack) >= 0.5) != (label > 0);
        weft__stack_learn(&stack, label);
    }
    *belief = stack.belief;
    drop(&stack);
    return wrong;
}

static void a_change_is_followed(void **state)
{
    double belief = 0;
    int steady = mistakes_after_a_change(false, &belief), both = mistakes_after_a_change(true, &belief);
    /* 300 of 3,000 are wrong by chance. */
    assert_in_range(both, 250, 500);
    assert_true(steady > 2 * both - 300 && belief > 0.5);
}

/* A variance grows where nothing is heard of it, to what it was at first and no further; it stays 0 of one
 * that rests. */
static void variances_come_back(void **state)
{
    weft__stack stack = make(2);
    double first = variance_of(&stack, 0), constant = variance_of(&stack, 2), kept;
    for (int t = 0; t < 3000; t++) {
        stack.score[0] = t / 2 % 2 ? 1 : -1;
        weft__stack_learn(&stack, t % 2 ? 1 : -1);
    }
    kept = variance_of(&stack, 0);
    double least = stack.moving.covariance[0];
    assert_true(kept < 0.1 * first && least > 2 * kept && least < first);
    weft__stack_drop(&stack, 1);
    stack.score[0] = 0;
    for (int t = 0; t < 6000; t++)
        weft__stack_learn(&stack, t % 2 ? 1 : -1);
    assert_near(stack.moving.covariance[0], first, 1e-9);
    assert_true(stack.moving.covariance[stack.n + 1] == 0 &&
                stack.moving.covariance[2 * stack.n + 2] < constant);
    drop(&stack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_filter_in_information_form),
        cmocka_unit_test(probabilities_are_inside),
        cmocka_unit_test(the_heard_start_as_if_alone),
        cmocka_unit_test(whoever_tells_the_label_is_found),
        cmocka_unit_test(a_change_is_followed),
        cmocka_unit_test(variances_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
