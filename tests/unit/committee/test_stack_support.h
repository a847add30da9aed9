/* SPDX-License-Identifier: MIT
 * Stacks and streams for their tests. */
#ifndef WEFT_TESTS_STACK_SUPPORT_H
#define WEFT_TESTS_STACK_SUPPORT_H

#include "unit/test_core_support.h"

#include "committee/vote/stack.h"
#include "support/dice.h"

/* Scores, and one that is always there. */
enum { MOST = 101 };

static inline double variance_of(const weft__stack *stack, int64_t i)
{
    return stack->steady.covariance[i * stack->n + i];
}

static inline weft__stack make(int64_t count)
{
    weft_error error = {0};
    weft_memory memory = weft__memory_or_default(NULL);
    weft__stack stack;
    assert_int_equal(weft__stack_create(&memory, count, &stack, &error), WEFT_OK);
    return stack;
}

static inline void drop(weft__stack *stack)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__stack_release(stack, &memory);
}

/* Scores by kind of member: alike, sums of others, constant, nearly another, noise; labels by the first two
 * random numbers of a trial, whose logistic probability is 1 / (1 + exp(b/2 - a)). */
static inline int draw_trial(weft__stack *stack, double scale, dice *d)
{
    double a = dice_normal(d), b = dice_normal(d);
    for (int64_t k = 0; k < stack->count; k++) {
        double kinds[] = {a, a, 2 * a + b, 1, b + 1e-6 * dice_normal(d), dice_normal(d), 1e-3 * a};
        stack->score[k] = scale * kinds[k % 7];
    }
    return dice_chance(d, 1 / (1 + exp(b / 2 - a))) ? 1 : -1;
}

#endif
