/* SPDX-License-Identifier: MIT
 * What the answer of weft_player_rank must be, given the exact margin of every
 * candidate.
 *
 * A margin is known up to its bracket, which is as narrow as the tolerance, or as
 * that of a single evaluation where rounding keeps this one wider; and those within
 * the tolerance of the largest one of their group stand in the order of the
 * candidates.  So with u = the width that a bracket may have, and a before b (or b
 * left out),
 *
 *     exact(b) - exact(a) > 2u     never;
 *                          > u     only where a stands before b among the candidates;
 *     exact(a) = exact(b), nobody else within 2u: in the order of the candidates. */
#ifndef WEFT_TESTS_PROPERTY_RANK_H
#define WEFT_TESTS_PROPERTY_RANK_H

#include "support/test.h"

#include "support/dice.h"
#include "support/naive.h"

/* Differences below this, relative to max(1, |margin|), are rounding of the judge
 * and of a closed bracket; below the second they are none at all. */
#define SLACK 1e-9L
#define EQUAL 1e-14L

/* A query, its answer, and what is right. */
typedef struct question {
    weft_query query;
    const char *where; /* the problem, for people */
    double gamma;
    int64_t *candidates;
    long double *exact; /* of each candidate */
    long double *fuzzy; /* u of each */
    bool *clear;        /* nobody but equals is near */
    weft_ranked *ranked;
    int64_t found;
    int64_t *place;      /* in the answer: where candidate c stands; found for one left out */
    int64_t pairs, ties; /* looked at */
} question;

static inline question question_begin(const char *where, double gamma, int64_t count)
{
    question q = {.where = where, .gamma = gamma};
    q.candidates = naive_new(count, sizeof *q.candidates);
    q.exact = naive_new(count, sizeof *q.exact);
    q.fuzzy = naive_new(count, sizeof *q.fuzzy);
    q.clear = naive_new(count, sizeof *q.clear);
    q.ranked = naive_new(count, sizeof *q.ranked);
    q.place = naive_new(count, sizeof *q.place);
    for (int64_t k = 0; k < count; k++)
        q.candidates[k] = k;
    q.query.candidates = q.candidates;
    q.query.candidate_count = count;
    return q;
}

static inline void question_end(question *q)
{
    void *owned[] = {q->candidates, q->exact, q->fuzzy, q->clear, q->ranked, q->place};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        free(owned[k]);
}

static inline void shuffle_candidates(dice *d, question *q)
{
    for (int64_t k = q->query.candidate_count - 1; k > 0; k--) {
        int64_t other = dice_below(d, k + 1), held = q->candidates[k];
        q->candidates[k] = q->candidates[other];
        q->candidates[other] = held;
    }
}

static inline long double scale_of(long double margin)
{
    return fmaxl(1, fabsl(margin));
}

/* The margin of candidate c is `exact`; one at a time it comes in `single`. */
static inline void question_judge(question *q, int64_t c, long double exact, const weft_answer *single)
{
    long double width = (long double)single->upper - single->lower, tolerance = q->query.tolerance;
    q->exact[c] = fmaxl(-WEFT_MARGIN_LIMIT, fminl(WEFT_MARGIN_LIMIT, exact));
    long double allowed = tolerance * (1 + tolerance) * fmaxl(q->gamma, fabsl(q->exact[c]));
    q->fuzzy[c] = fmaxl(allowed, width) + SLACK * scale_of(q->exact[c]);
}

static inline void question_fail(const question *q, const char *what, int64_t a, int64_t b)
{
    enum { MOST = 40 };
    for (int64_t k = 0; k < q->query.candidate_count && k < MOST; k++)
        printf("  candidate %lld id %lld exact %.15Lg u %.3Lg place %lld width %.3g\n", (long long)k,
               (long long)q->candidates[k], q->exact[k], q->fuzzy[k], (long long)q->place[k],
               q->place[k] < q->found
                   ? q->ranked[q->place[k]].answer.upper - q->ranked[q->place[k]].answer.lower
                   : 0);
    fail_msg("%s\n  %s of %lld, most %lld, tolerance %g: %s: candidates %lld, %lld", q->where,
             q->query.column ? "rows of column" : "columns of row", (long long)q->query.id,
             (long long)q->query.most, q->query.tolerance, what, (long long)a, (long long)b);
}

/* Each of the answer is a candidate, once; place[] says where. */
static inline void check_ids(question *q)
{
    int64_t count = q->query.candidate_count;
    for (int64_t c = 0; c < count; c++)
        q->place[c] = q->found;
    if (q->found != (q->query.most < count ? q->query.most : count))
        question_fail(q, "the number found", q->found, -1);
    for (int64_t k = 0; k < q->found; k++) {
        int64_t c = 0;
        while (c < count && q->candidates[c] != q->ranked[k].id)
            c++;
        if (c == count || q->place[c] != q->found)
            question_fail(q, "no candidate, or twice", k, c);
        q->place[c] = k;
    }
}

static inline void check_bracket(const question *q, int64_t c)
{
    const weft_ranked *got = &q->ranked[q->place[c]];
    long double exact = q->exact[c], slack = SLACK * scale_of(exact);
    if (!(isfinite(got->answer.lower) && isfinite(got->answer.upper) &&
          got->answer.lower <= got->answer.margin && got->answer.margin <= got->answer.upper))
        question_fail(q, "bracket not finite and ordered", c, -1);
    if (!(got->answer.lower - slack <= exact && exact <= got->answer.upper + slack))
        question_fail(q, "margin outside its bracket", c, -1);
    if (!((long double)got->answer.upper - got->answer.lower <= q->fuzzy[c]))
        question_fail(q, "bracket too wide", c, -1);
    double probability = fmin(1, fmax(0, 0.5 + got->answer.margin / (2 * q->gamma)));
    if (fabs(got->answer.probability - probability) > 1e-12)
        question_fail(q, "probability", c, -1);
}

static inline bool clear_of_others(const question *q, int64_t a)
{
    for (int64_t c = 0; c < q->query.candidate_count; c++) {
        long double gap = fabsl(q->exact[c] - q->exact[a]);
        if (gap > EQUAL * scale_of(q->exact[a]) && gap <= 2 * fmaxl(q->fuzzy[a], q->fuzzy[c]))
            return false;
    }
    return true;
}

/* a stands before b in the answer, or b was left out. */
static inline void check_pair(question *q, int64_t a, int64_t b)
{
    long double rise = q->exact[b] - q->exact[a], u = fmaxl(q->fuzzy[a], q->fuzzy[b]);
    bool tied = fabsl(rise) <= EQUAL * scale_of(q->exact[a]);
    if (rise > 2 * u)
        question_fail(q, "a smaller margin stands first", a, b);
    if (rise > u && a > b)
        question_fail(q, "a smaller margin and later candidate stands first", a, b);
    if (tied && q->clear[a] && a > b)
        question_fail(q, "equals are not in the order of the candidates", a, b);
    q->ties += tied;
    q->pairs++;
}

/* All pairs of up to 600 candidates; of more an even part. */
static inline void check_order(question *q)
{
    int64_t count = q->query.candidate_count, step = 1 + count / 600;
    for (int64_t a = 0; a < count; a += step)
        q->clear[a] = clear_of_others(q, a);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = a % step; b < count; b += step)
            if (q->place[a] < q->place[b])
                check_pair(q, a, b);
}

/* Where a group that begins at `first` ends, of[k] the candidate at place k: its
 * members are within the tolerance of the largest margin from there on, and in the
 * order of the candidates. */
static inline int64_t check_group(const question *q, const int64_t *of, int64_t first)
{
    double top = q->ranked[first].answer.margin;
    for (int64_t k = first; k < q->found; k++)
        top = fmax(top, q->ranked[k].answer.margin);
    double reach = q->query.tolerance * fmax(q->gamma, fabs(top));
    if (q->ranked[first].answer.margin < top - reach * (1 + 1e-9))
        question_fail(q, "a group begins with one that is not of it", of[first], -1);
    int64_t end = first + 1;
    while (end < q->found && q->ranked[end].answer.margin >= top - reach * (1 + 1e-9) &&
           of[end] > of[end - 1])
        end++;
    for (int64_t k = end; k < q->found; k++)
        if (q->ranked[k].answer.margin > top - reach * (1 - 1e-9))
            question_fail(q, "one of a group stands behind it", of[first], of[k]);
    return end;
}

/* Where all are listed their own margins tell the groups. */
static inline void check_groups(const question *q)
{
    if (q->found < q->query.candidate_count)
        return;
    int64_t *of = naive_new(q->found, sizeof *of);
    for (int64_t c = 0; c < q->found; c++)
        of[q->place[c]] = c;
    for (int64_t first = 0; first < q->found;)
        first = check_group(q, of, first);
    free(of);
}

/* Asks, and checks all of it. */
static inline void question_ask(weft_player *player, question *q)
{
    weft_error error = {0};
    if (weft_player_rank(player, &q->query, q->ranked, &q->found, &error) != WEFT_OK)
        fail_msg("%s: %s", q->where, error.message);
    check_ids(q);
    for (int64_t c = 0; c < q->query.candidate_count; c++)
        if (q->place[c] < q->found)
            check_bracket(q, c);
    check_order(q);
    check_groups(q);
}

#endif
