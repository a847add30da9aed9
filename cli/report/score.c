/* SPDX-License-Identifier: MIT */
#include "cli/report/score.h"

#include "program/new.h"
#include "src/base/elementary.h"

#include <math.h>
#include <stdlib.h>

void scores_add(score_list *scores, double margin, int label)
{
    scores->items = new_room(scores->items, scores->count, &scores->capacity, sizeof *scores->items);
    scores->items[scores->count] = (scored){margin, label, scores->count};
    scores->count++;
    scores->positive += label > 0;
}

static int by_falling_margin(const void *a, const void *b)
{
    double x = ((const scored *)a)->margin, y = ((const scored *)b)->margin;
    return (x < y) - (x > y);
}

static void sort_scores(score_list *scores)
{
    if (scores->count > 0)
        qsort(scores->items, (size_t)scores->count, sizeof *scores->items, by_falling_margin);
}

/* Labels +1 and -1 among some scores. */
typedef struct tally {
    double plus, minus;
} tally;

static void count_label(tally *counts, const scored *item, int64_t first, int64_t last)
{
    if (item->place < first || item->place >= last)
        *(item->label > 0 ? &counts->plus : &counts->minus) += 1;
}

/* One pass from the highest margin down, one group of equal margins at a time:
 * with p and q the labels +1 and -1 above it and dp, dq those in it, of P and Q,
 *     auc * P * Q += dp * ((Q - q - dq) + dq / 2)
 *     average precision += dp / P * (p + dp) / (p + dp + q + dq). */
ranking scores_rank_without(const score_list *sorted, int64_t first, int64_t last)
{
    ranking result = {0};
    tally all = {0}, above = {0};
    for (int64_t k = 0; k < sorted->count; k++)
        count_label(&all, &sorted->items[k], first, last);
    if (all.plus == 0 || all.minus == 0)
        return result;
    for (int64_t k = 0; k < sorted->count;) {
        double margin = sorted->items[k].margin;
        tally group = {0};
        do
            count_label(&group, &sorted->items[k++], first, last);
        while (k < sorted->count && sorted->items[k].margin == margin);
        result.auc += group.plus * (all.minus - above.minus - group.minus / 2);
        above.plus += group.plus;
        above.minus += group.minus;
        if (group.plus > 0)
            result.average_precision += group.plus / all.plus * (above.plus / (above.plus + above.minus));
    }
    result.auc /= all.plus * all.minus;
    result.defined = true;
    return result;
}

ranking scores_rank(score_list *scores)
{
    sort_scores(scores);
    return scores_rank_without(scores, 0, 0);
}

/* sum of 1 / log2(k + 2) over the places first <= k < last, counted from 0. */
static double sum_discounts(int64_t first, int64_t last)
{
    double sum = 0;
    for (int64_t k = first; k < last; k++)
        sum += 1 / weft__log2((double)k + 2);
    return sum;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A group of g equal scores with dp labels +1 has on average dp / g of them in each
 * of its places (McSherry and Najork, 2008: measures in the presence of ties). */
shortlist scores_shortlist(score_list *scores, int64_t most)
{
    shortlist result = {0};
    double gain = 0, hits = 0;
    int64_t room = smaller(most, scores->positive);
    if (scores->positive == 0 || scores->positive == scores->count || scores->count <= most)
        return result;
    sort_scores(scores);
    for (int64_t k = 0, end = 0; k < most; k = end) {
        double plus = 0;
        for (end = k; end < scores->count && scores->items[end].margin == scores->items[k].margin; end++)
            plus += scores->items[end].label > 0;
        double share = plus / (double)(end - k);
        gain += share * sum_discounts(k, smaller(end, most));
        hits += share * (double)(smaller(end, most) - k);
    }
    result.ndcg = gain / sum_discounts(0, room);
    result.recall = hits / (double)room;
    result.defined = true;
    return result;
}

void scores_clear(score_list *scores)
{
    scores->count = scores->positive = 0;
}

void scores_free(score_list *scores)
{
    free(scores->items);
    scores->items = NULL;
}
