/* SPDX-License-Identifier: MIT
 *
 * Method     Every figure is a function of weights of the pairs, all 1.  Its derivative by the weight of pair
 *            k, d_k, is what that pair adds to it; the d_k add up to 0, and sum d_k^2 is the variance of the
 *            figure if the pairs are drawn by themselves (infinitesimal jackknife).  For the mean of x it is
 *            (x_k - mean) / n, for the area under the ROC curve it gives that of DeLong.  With P labels +1
 *            and N others, A_i of the first and B_i of all at or above the score of i, average precision is
 *            the sum over the +1 of A_i / B_i, by P, and
 *
 *                P d_k = [y_k = +1] (A_k / B_k - value + sum 1 / B_i) - sum A_i / B_i^2,
 *
 *            both sums over the +1 at or below the score of k.  Intervals of AUC and average precision are
 *            made for the log odds, so that they end within (0, 1); where all is in order, or nothing,
 *            3 / min(P, N) is the width (the rule of three).  That of the error is Wilson's.
 * Cost       O(n log n).
 * Reference  E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988); B. Efron, JRSS B 54
 *            (1992); E. B. Wilson, JASA 22 (1927). */
#include "cli/report/held_out.h"

#include "cli/report/score.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double NORMAL = 1.959963984540054;

const char *const held_out_names[HELD_OUT_MEASURES] = {
    [HELD_OUT_ERROR] = "error",  [HELD_OUT_LOG_LOSS] = "log_loss",           [HELD_OUT_BRIER] = "brier",
    [HELD_OUT_AUC] = "auc",      [HELD_OUT_PRECISION] = "average_precision", [HELD_OUT_NDCG] = "ndcg",
    [HELD_OUT_RECALL] = "recall"};

/* ---- Means ---- */

typedef struct moments {
    int64_t count;
    double mean, squares; /* squares about the mean (Welford) */
} moments;

static void add(moments *m, double value)
{
    double off = value - m->mean;
    m->count++;
    m->mean += off / (double)m->count;
    m->squares += off * (value - m->mean);
}

/* Of values from 0 to `most`. */
static held_out_figure mean_of(const moments *m, double most)
{
    double n = (double)m->count, reach = NORMAL * sqrt(m->squares / (n * (n - 1)));
    if (m->count == 0)
        return (held_out_figure){NAN, NAN, NAN};
    return (held_out_figure){m->mean, m->count > 1 ? fmax(m->mean - reach, 0) : NAN,
                             m->count > 1 ? fmin(m->mean + reach, most) : NAN};
}

static held_out_figure share_of(int64_t part, int64_t count)
{
    double n = (double)count, p = (double)part / n, z2 = NORMAL * NORMAL;
    if (count == 0)
        return (held_out_figure){NAN, NAN, NAN};
    double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
    double reach = NORMAL * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    return (held_out_figure){p, fmin(middle - reach, p), fmax(middle + reach, p)};
}

/* As scikit-learn takes it: no probability is nearer to 0 and 1 than DBL_EPSILON. */
static double log_loss(const held_out_pair *pair)
{
    double p = fmin(fmax(pair->probability, DBL_EPSILON), 1 - DBL_EPSILON);
    return -weft__log(pair->label > 0 ? p : 1 - p);
}

static void measure_losses(const held_out_pair *pairs, int64_t count, held_out_figures *found)
{
    moments log_losses = {0}, squares = {0};
    int64_t wrong = 0;
    for (int64_t k = 0; k < count; k++) {
        double off = pairs[k].probability - (pairs[k].label > 0);
        add(&log_losses, log_loss(&pairs[k]));
        add(&squares, off * off);
        wrong += pairs[k].wrong;
    }
    found->of[HELD_OUT_ERROR] = share_of(wrong, count);
    found->of[HELD_OUT_LOG_LOSS] = mean_of(&log_losses, INFINITY);
    found->of[HELD_OUT_BRIER] = mean_of(&squares, 1);
}

/* ---- Rankings ---- */

static held_out_figure between_0_and_1(double value, double variance, double plus, double minus)
{
    double odds = value * (1 - value), few = fmin(1, 3 / fmin(plus, minus));
    if (!(odds > 0) || !(variance > 0))
        return (held_out_figure){value, fmax(value - few, 0), fmin(value + few, 1)};
    double centre = weft__log(value / (1 - value)), reach = NORMAL * sqrt(variance) / odds;
    return (held_out_figure){value, 1 / (1 + weft__exp(reach - centre)),
                             1 / (1 + weft__exp(-centre - reach))};
}

/* A group of equal scores: labels in it, and at or above it. */
typedef struct tie {
    double plus, minus, all_plus, all_minus;
    int64_t end; /* of its pairs */
} tie;

static tie next_tie(const held_out_pair *pairs, int64_t count, int64_t start, const tie *above)
{
    tie group = {.all_plus = above->all_plus, .all_minus = above->all_minus, .end = start};
    for (; group.end < count && pairs[group.end].score == pairs[start].score; group.end++)
        *(pairs[group.end].label > 0 ? &group.plus : &group.minus) += 1;
    group.all_plus += group.plus;
    group.all_minus += group.minus;
    return group;
}

/* Labels +1 and others of all. */
typedef struct totals {
    double plus, minus;
} totals;

static held_out_figure measure_auc(const tie *ties, int64_t count, totals all)
{
    double area = 0, of_plus = 0, of_minus = 0;
    for (int64_t k = 0; k < count; k++)
        area += ties[k].plus * (all.minus - ties[k].all_minus + ties[k].minus / 2);
    area /= all.plus * all.minus;
    for (int64_t k = 0; k < count; k++) {
        double below = (all.minus - ties[k].all_minus + ties[k].minus / 2) / all.minus - area;
        double above = (ties[k].all_plus - ties[k].plus / 2) / all.plus - area;
        of_plus += ties[k].plus * below * below;
        of_minus += ties[k].minus * above * above;
    }
    double variance =
        of_plus / (all.plus * fmax(all.plus - 1, 1)) + of_minus / (all.minus * fmax(all.minus - 1, 1));
    return between_0_and_1(area, variance, all.plus, all.minus);
}

/* From the lowest score up, so that the two sums are those at or below. */
static held_out_figure measure_precision(const tie *ties, int64_t count, totals all)
{
    double value = 0, inverse = 0, slope = 0, variance = 0;
    for (int64_t k = 0; k < count; k++)
        if (ties[k].plus > 0)
            value += ties[k].plus / all.plus * (ties[k].all_plus / (ties[k].all_plus + ties[k].all_minus));
    for (int64_t k = count - 1; k >= 0; k--) {
        double above = ties[k].all_plus + ties[k].all_minus, precision = ties[k].all_plus / above;
        inverse += ties[k].plus / above;
        slope += ties[k].plus * precision / above;
        double of_plus = (precision - value + inverse - slope) / all.plus, of_minus = slope / all.plus;
        variance += ties[k].plus * of_plus * of_plus + ties[k].minus * of_minus * of_minus;
    }
    return between_0_and_1(value, variance, all.plus, all.minus);
}

static int by_falling_score(const void *a, const void *b)
{
    double x = ((const held_out_pair *)a)->score, y = ((const held_out_pair *)b)->score;
    return (x < y) - (x > y);
}

static void measure_ranking(held_out_pair *pairs, int64_t count, held_out_figures *found)
{
    totals all = {(double)found->positive, (double)(count - found->positive)};
    tie above = {0}, *ties = new_array(count, sizeof *ties);
    int64_t groups = 0;
    qsort(pairs, (size_t)count, sizeof *pairs, by_falling_score);
    for (int64_t k = 0; k < count; k = above.end)
        ties[groups++] = above = next_tie(pairs, count, k, &above);
    found->of[HELD_OUT_AUC] = measure_auc(ties, groups, all);
    found->of[HELD_OUT_PRECISION] = measure_precision(ties, groups, all);
    free(ties);
}

/* ---- Lists of rows ---- */

static int by_row(const void *a, const void *b)
{
    int64_t x = ((const held_out_pair *)a)->row, y = ((const held_out_pair *)b)->row;
    return (x > y) - (x < y);
}

static void measure_lists(held_out_pair *pairs, int64_t count, int64_t most, held_out_figures *found)
{
    moments ndcg = {0}, recall = {0};
    score_list list = {0};
    if (count > 0)
        qsort(pairs, (size_t)count, sizeof *pairs, by_row);
    for (int64_t k = 0; k < count;) {
        int64_t row = pairs[k].row;
        scores_clear(&list);
        for (; k < count && pairs[k].row == row; k++)
            scores_add(&list, pairs[k].score, pairs[k].label);
        shortlist top = scores_shortlist(&list, most);
        if (top.defined) {
            add(&ndcg, top.ndcg);
            add(&recall, top.recall);
        }
    }
    found->lists = ndcg.count;
    found->of[HELD_OUT_NDCG] = mean_of(&ndcg, 1);
    found->of[HELD_OUT_RECALL] = mean_of(&recall, 1);
    scores_free(&list);
}

/* Those of the group first; their number. */
static int64_t gather(held_out_pair *pairs, int64_t count, int group)
{
    int64_t gathered = 0;
    for (int64_t k = 0; k < count; k++) {
        if (group >= 0 && pairs[k].group != group)
            continue;
        held_out_pair other = pairs[gathered];
        pairs[gathered++] = pairs[k];
        pairs[k] = other;
    }
    return gathered;
}

held_out_figures held_out_measure(held_out_pair *pairs, int64_t count, int group, int64_t most)
{
    held_out_figures found = {.pairs = gather(pairs, count, group)};
    for (int m = 0; m < HELD_OUT_MEASURES; m++)
        found.of[m] = (held_out_figure){NAN, NAN, NAN};
    for (int64_t k = 0; k < found.pairs; k++)
        found.positive += pairs[k].label > 0;
    measure_losses(pairs, found.pairs, &found);
    if (found.positive > 0 && found.positive < found.pairs)
        measure_ranking(pairs, found.pairs, &found);
    measure_lists(pairs, found.pairs, most, &found);
    return found;
}
