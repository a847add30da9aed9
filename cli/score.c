/* SPDX-License-Identifier: MIT */
#include "score.h"

#include <stdlib.h>

bool scores_add(score_list *scores, double margin, int label)
{
    if (scores->count == scores->capacity) {
        int64_t capacity = scores->capacity == 0 ? 1024 : 2 * scores->capacity;
        scored *items = realloc(scores->items, (size_t)capacity * sizeof *items);
        if (items == NULL)
            return false;
        scores->items = items;
        scores->capacity = capacity;
    }
    scores->items[scores->count++] = (scored){margin, label};
    scores->positive += label > 0;
    return true;
}

static int by_falling_margin(const void *a, const void *b)
{
    double x = ((const scored *)a)->margin, y = ((const scored *)b)->margin;
    return (x < y) - (x > y);
}

/* One pass from the highest margin down, one group of equal margins at a time:
 * with p and q the labels +1 and -1 above it and dp, dq those in it,
 *     auc * P * Q += dp * ((Q - q - dq) + dq / 2)
 *     average precision += dp / P * (p + dp) / (p + dp + q + dq). */
ranking scores_rank(score_list *scores)
{
    ranking result = {0};
    double P = (double)scores->positive, Q = (double)(scores->count - scores->positive);
    double p = 0, q = 0;
    if (P == 0 || Q == 0)
        return result;
    qsort(scores->items, (size_t)scores->count, sizeof *scores->items, by_falling_margin);
    for (int64_t k = 0; k < scores->count;) {
        double margin = scores->items[k].margin, dp = 0, dq = 0;
        for (; k < scores->count && scores->items[k].margin == margin; k++)
            *(scores->items[k].label > 0 ? &dp : &dq) += 1;
        result.auc += dp * (Q - q - dq / 2);
        p += dp;
        q += dq;
        result.average_precision += dp / P * (p / (p + q));
    }
    result.auc /= P * Q;
    result.defined = true;
    return result;
}

void scores_free(score_list *scores)
{
    free(scores->items);
    scores->items = NULL;
}
