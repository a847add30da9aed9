/* SPDX-License-Identifier: MIT
 * Is it more than noise?
 *
 * Method.  Two contestants played the same trials, so they are compared trial by
 * trial.  For the error d_t = [first wrong] - [second wrong], and they are compared as
 * weft_paired_difference does it: z = sum_b S_b / sqrt(sum_b S_b^2), S_b the sums of the
 * d_t over blocks of trials that follow each other (src/player/paired.c).
 *
 * The area under the ROC curve and average precision are no sums over trials: there
 * the pseudo-values of the jackknife that leaves out one block of sqrt(T) trials at a time
 * stand for the sums over blocks.  With g the difference, v_b that without block b, B blocks,
 *
 *     S_b = g + (B-1) (mean v - v_b),   mean S = g,
 *     sum_b S_b^2 = B g^2 + (B-1)^2 sum_b (v_b - mean v)^2.
 *
 * So here, too, |z| is at most sqrt(B).  It is t sqrt(B / (B-1 + t^2)), t the ratio of g
 * to the jackknife's standard error: near t for many blocks, and never large because
 * the few blocks that there are happen to agree.
 *
 * The table shows the best of several runs in hindsight, but whoever was chosen by the
 * d_t cannot be tested by them.  So for the error the two that are compared follow, at every
 * trial, the run of their group with the fewest mistakes so far: their predictions
 * depend on the past alone, as the test wants it.  For the other measures the best in
 * hindsight are compared, and p is multiplied by the number of pairs of runs that the choice
 * was made from (Bonferroni), which holds whatever the choice.  In both cases p is
 * also multiplied by the number of verdicts on side information in the sentence;
 * below WEFT_LEVEL it is called a difference.
 *
 * Cost: O(T) for the error, O(T^(3/2)) for the others.
 *
 * Reference: Q. McNemar, Psychometrika 12 (1947); P. Hall, C. C. Heyde, Martingale
 * Limit Theory and its Application (1980), section 3.2; A. P. Dawid, Statistical
 * Theory: the Prequential Approach, JRSS A 147 (1984), for following; J. W. Tukey, Bias
 * and Confidence in Not-quite Large Samples, Annals of Mathematical Statistics 29 (1958),
 * for pseudo-values; H. R. Kuensch, The Jackknife and the Bootstrap for General
 * Stationary Observations, Annals of Statistics 17 (1989), for blocks. */
#include "cli/compare/compare.h"
#include "cli/report/score.h"
#include "src/base/elementary.h"

#include <math.h>

double compare_value(compare_measure measure, const metric_figures *figures)
{
    double value = measure == BY_ERROR ? -figures->error
                   : measure == BY_AUC ? figures->auc
                                       : figures->average_precision;
    return isnan(value) ? -INFINITY : value;
}

static int64_t block_length(int64_t trials)
{
    return (int64_t)ceil(sqrt((double)trials));
}

static double z_of_errors(const metric_course *course, const bool *first, const bool *second)
{
    weft_paired paired = {0};
    for (int64_t t = 0; t < course->count; t++)
        weft_paired_add(&paired, second[t], first[t]);
    return weft_paired_difference(&paired, 1).z;
}

/* ---- The jackknife ---- */

static void list_scores(const metric_course *course, const double *scores, score_list *list)
{
    for (int64_t t = 0; t < course->count; t++)
        scores_add(list, scores[t], course->trials[t].label);
    scores_rank(list);
}

static double value_without(compare_measure measure, const score_list *sorted, int64_t first, int64_t last)
{
    ranking ranked = scores_rank_without(sorted, first, last);
    return measure == BY_AUC ? ranked.auc : ranked.average_precision;
}

/* One pass with Welford's recurrence, whose `squares` are those about the mean.  A gain
 * that may be rounding is none. */
static double z_of_rankings(compare_measure measure, int64_t trials, const score_list lists[2])
{
    const double rounding = 1e-12;
    int64_t length = block_length(trials);
    double gain = value_without(measure, &lists[1], 0, 0) - value_without(measure, &lists[0], 0, 0);
    double mean = 0, squares = 0, blocks = 0;
    for (int64_t begin = 0; begin < trials; begin += length) {
        int64_t end = begin + length;
        double v =
            value_without(measure, &lists[1], begin, end) - value_without(measure, &lists[0], begin, end);
        double off = v - mean;
        blocks += 1;
        mean += off / blocks;
        squares += off * (v - mean);
    }
    /* z = sum S / sqrt(sum S^2) = B g / sqrt(B g^2 + (B-1)^2 squares) */
    if (fabs(gain) < rounding)
        return 0;
    return blocks * gain / sqrt(blocks * gain * gain + (blocks - 1) * (blocks - 1) * squares);
}

static double find_z(const compare_state *state, const comparison *pair)
{
    const contestant *first = pair->first, *second = pair->second;
    compare_measure measure = state->options->best;
    score_list lists[2] = {0};
    if (measure == BY_ERROR)
        return z_of_errors(&state->course, first->wrong[first->best], second->wrong[second->best]);
    list_scores(&state->course, first->scores, &lists[0]);
    list_scores(&state->course, second->scores, &lists[1]);
    double z = z_of_rankings(measure, state->course.count, lists);
    scores_free(&lists[0]);
    scores_free(&lists[1]);
    return z;
}

static void test(const compare_state *state, comparison *pair)
{
    compare_measure measure = state->options->best;
    const contestant *first = pair->first, *second = pair->second;
    paired_test *result = &pair->test;
    result->z = find_z(state, pair);
    double gain = compare_value(measure, &second->figures) - compare_value(measure, &first->figures);
    result->gain = isfinite(gain) ? gain : 0;
    /* 2 (1 - Phi(|z|)) = erfc(|z| / sqrt 2) */
    result->p = fmin(1, result->looked * weft__erfc(fabs(result->z) / sqrt(2)));
    result->word = result->p >= WEFT_LEVEL ? 0 : result->z > 0 ? 1 : -1;
}

/* ---- Who is compared with whom ---- */

bool compare_belongs(const contestant *who, int group)
{
    if (group == RIVALS)
        return who->kind == BY_RIVAL;
    if (group == KNOWS_ANYTHING)
        return who->kind == BY_WEFT && !who->shuffled;
    return who->kind == BY_WEFT && (who->knows | (who->shuffled ? SHUFFLED : 0)) == group;
}

const contestant *compare_best(const compare_state *state, int group, int *runs)
{
    compare_measure measure = state->options->best;
    const contestant *best = NULL;
    *runs = 0;
    for (int k = 0; k < state->count; k++) {
        const contestant *who = &state->contestants[k];
        if (!compare_belongs(who, group))
            continue;
        *runs += who->rate_count;
        if (best == NULL || compare_value(measure, &who->figures) > compare_value(measure, &best->figures))
            best = who;
    }
    return best;
}

/* The contestant that stands for a group; for the error none is chosen in hindsight. */
static const contestant *represent(const compare_state *state, int group, int *runs)
{
    const contestant *best = compare_best(state, group, runs);
    if (state->options->best != BY_ERROR)
        return best;
    *runs = 1;
    return compare_follower(state, group);
}

/* `chances` is the number of such comparisons in one sentence, each of which may be wrong. */
static void compare_groups(const compare_state *state, const int groups[2], int chances, comparison *pair)
{
    int first_runs = 0, second_runs = 0;
    pair->first = represent(state, groups[0], &first_runs);
    pair->second = represent(state, groups[1], &second_runs);
    pair->test.looked = chances * first_runs * second_runs;
    test(state, pair);
}

void compare_judge(compare_state *state)
{
    int chances = 0, runs = 0;
    for (int knows = 1; knows <= VERDICTS; knows++)
        chances += compare_best(state, knows, &runs) != NULL;
    for (int knows = 1; knows <= VERDICTS; knows++) {
        verdict *about = &state->verdicts[state->verdict_count];
        if (compare_best(state, knows, &runs) == NULL)
            continue;
        about->knows = knows;
        about->shuffled = represent(state, knows | SHUFFLED, &runs);
        compare_groups(state, (const int[2]){0, knows}, chances, &about->without);
        state->verdict_count++;
    }
    compare_groups(state, (const int[2]){RIVALS, KNOWS_ANYTHING}, 1, &state->rival);
}
