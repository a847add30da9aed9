/* SPDX-License-Identifier: MIT
 * A binary heap with its least number on top; O(log most) a number. */
#include "learner/rank/top_k.h"

#include <math.h>

static void exchange(double *a, double *b)
{
    double c = *a;
    *a = *b;
    *b = c;
}

static void sift_down(weft__top_k *least)
{
    for (int64_t at = 0;;) {
        int64_t lower = at;
        for (int64_t child = 2 * at + 1; child <= 2 * at + 2 && child < least->count; child++)
            if (least->at[child] < least->at[lower])
                lower = child;
        if (lower == at)
            return;
        exchange(&least->at[at], &least->at[lower]);
        at = lower;
    }
}

static void sift_up(weft__top_k *least, int64_t at)
{
    for (; at > 0 && least->at[at] < least->at[(at - 1) / 2]; at = (at - 1) / 2)
        exchange(&least->at[at], &least->at[(at - 1) / 2]);
}

void weft__top_k_add(weft__top_k *least, double number)
{
    if (least->count < least->most) {
        least->at[least->count] = number;
        sift_up(least, least->count++);
    } else if (least->most > 0 && number > least->at[0]) {
        least->at[0] = number;
        sift_down(least);
    }
}

double weft__top_k_least(const weft__top_k *least)
{
    return least->count < least->most || least->most == 0 ? -INFINITY : least->at[0];
}
