/* SPDX-License-Identifier: MIT
 *
 * Method     Groups in no order.  When there are SCORE_GROUPS_MOST of them they are sorted, equal ones are
 *            joined, and if more than half are left, neighbours of one label are joined as long as a group
 *            has at most two of the half's equal shares of all labels; if more than half are still left,
 *            which takes many labels of both kinds, those of different labels too: then at most half are
 *            left, since two neighbours that stay apart have more than that together.  So where one label is
 *            rare it is never joined with the other, on which average precision would depend.
 * Cost       O(log SCORE_GROUPS_MOST) a score, 32 bytes a group. */
#include "cli/report/score_groups.h"

#include "program/new.h"

#include <stdlib.h>

enum { HALF = SCORE_GROUPS_MOST / 2 };

static int by_falling_score(const void *a, const void *b)
{
    const score_group *x = a, *y = b;
    int order = (x->most < y->most) - (x->most > y->most);
    return order != 0 ? order : (x->least < y->least) - (x->least > y->least);
}

static int64_t labels_of(const score_group *group)
{
    return group->plus + group->minus;
}

static bool is_pure(const score_group *a, const score_group *b)
{
    return (a->plus == 0 && b->plus == 0) || (a->minus == 0 && b->minus == 0);
}

/* Of sorted groups those that follow each other are joined: of the same score, or with at most `most`
 * labels, unless `mixed` all of one kind. */
static void join(score_groups *groups, int64_t most, bool mixed)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < groups->count; k++) {
        const score_group *next = &groups->items[k];
        score_group *last = kept > 0 ? &groups->items[kept - 1] : NULL;
        bool equal = last != NULL && last->least == next->most && last->most == next->least;
        bool few = last != NULL && labels_of(last) + labels_of(next) <= most;
        if (equal || (few && (mixed || is_pure(last, next)))) {
            last->least = next->least;
            last->plus += next->plus;
            last->minus += next->minus;
        } else {
            groups->items[kept++] = *next;
        }
    }
    groups->count = kept;
}

/* Sorted, and groups of one score joined. */
static void settle(score_groups *groups)
{
    if (groups->count > 0)
        qsort(groups->items, (size_t)groups->count, sizeof *groups->items, by_falling_score);
    join(groups, 0, true);
}

static int64_t count_labels(const score_groups *groups)
{
    int64_t labels = 0;
    for (int64_t k = 0; k < groups->count; k++)
        labels += labels_of(&groups->items[k]);
    return labels;
}

void score_groups_add(score_groups *groups, double score, int label)
{
    groups->items = new_room(groups->items, groups->count, &groups->capacity, sizeof *groups->items);
    groups->items[groups->count++] = (score_group){score, score, label > 0, label < 0};
    if (groups->count < SCORE_GROUPS_MOST)
        return;
    settle(groups);
    int64_t most = 2 * ((count_labels(groups) + HALF - 1) / HALF);
    for (int mixed = 0; mixed < 2 && groups->count > HALF; mixed++)
        join(groups, most, mixed > 0);
}

/* As scores_rank: with p and q the labels +1 and -1 above a group and dp, dq those in it. */
ranking score_groups_rank(score_groups *groups)
{
    ranking result = {0};
    double plus = 0, minus = 0, p = 0, q = 0;
    settle(groups);
    for (int64_t k = 0; k < groups->count; k++) {
        plus += (double)groups->items[k].plus;
        minus += (double)groups->items[k].minus;
    }
    if (plus == 0 || minus == 0)
        return result;
    for (int64_t k = 0; k < groups->count; k++) {
        double dp = (double)groups->items[k].plus, dq = (double)groups->items[k].minus;
        result.auc += dp * (minus - q - dq / 2);
        p += dp;
        q += dq;
        if (dp > 0)
            result.average_precision += dp / plus * (p / (p + q));
    }
    result.auc /= plus * minus;
    result.defined = true;
    return result;
}

void score_groups_free(score_groups *groups)
{
    free(groups->items);
    groups->items = NULL;
}
