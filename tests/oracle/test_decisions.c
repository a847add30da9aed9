/* SPDX-License-Identifier: MIT
 *
 * Every decision of the learner against the paper's algorithms run word for
 * word (support/naive.c), on random problems of every kind.  The judge follows
 * the learner's own trajectory and recomputes everything else: the margin must
 * lie in the bracket, the prediction and the update must be those that the
 * exact margin makes, and b must bound the spectrum, at every trial.
 *
 * WEFT_SEEDS=FIRST:COUNT plays other problems than those of the test. */

#include "support/test.h"

#include "support/effort.h"
#include "support/problem.h"

/* Differences below this, relative to max(1, |margin|), are rounding. */
#define SLACK 1e-9L

typedef struct tally {
    int64_t problems, trials, updates, certified, algorithm_2;
    int64_t wrong, outside, wide, loose, odd; /* decisions, margins, widths, bounds, anything else */
    long double worst;   /* |middle - exact| / max(1, |exact|) where a tolerance is set */
    long double used;    /* |middle - exact| / half the width */
    long double nearest; /* b - lambda_max */
    char where[512];     /* the problem at hand */
    int64_t here;        /* complaints about it */
} tally;

/* What one trial is about. */
typedef struct trial {
    const problem *what;
    int64_t t;
    int64_t count; /* trials ended before */
    long double exact;
    int label;
} trial;

static void complain(tally *sum, const trial *now, int64_t *counter, const char *text, double a, double b)
{
    enum { MOST = 2 };
    if (sum->here++ < MOST)
        printf("%s\n  trial %lld (%lld, %lld), exact margin %.12Lg: %s: %.17g, %.17g\n", sum->where,
               (long long)now->t, (long long)now->what->row[now->t], (long long)now->what->column[now->t],
               now->exact, text, a, b);
    ++*counter;
}

static long double scale_of(long double exact)
{
    return fmaxl(1, fabsl(exact));
}

/* ---- one prediction ---- */

static void check_bracket(tally *sum, const trial *now, const weft_answer *got)
{
    long double exact = now->exact, slack = SLACK * scale_of(exact);
    bool ordered = isfinite(got->lower) && isfinite(got->upper) && got->lower <= got->margin &&
                   got->margin <= got->upper;
    if (!ordered)
        complain(sum, now, &sum->odd, "bracket not finite and ordered", got->lower, got->upper);
    if (!(got->lower - slack <= exact && exact <= got->upper + slack))
        complain(sum, now, &sum->outside, "margin outside the bracket", got->lower, got->upper);
    const weft_settings *settings = &now->what->settings;
    double allowed = settings->tolerance * fmax(settings->gamma, fabs(got->margin));
    if (settings->tolerance > 0 && !(got->upper - got->lower <= allowed + slack))
        complain(sum, now, &sum->wide, "bracket wider than", got->upper - got->lower, allowed);
    long double difference = fabsl(got->margin - exact);
    if (settings->tolerance > 0)
        sum->worst = fmaxl(sum->worst, difference / scale_of(exact));
    if (got->upper - got->lower > 4 * slack)
        sum->used = fmaxl(sum->used, 2 * difference / ((long double)got->upper - got->lower));
}

static void check_prediction(tally *sum, const trial *now, const weft_answer *got)
{
    const weft_settings *settings = &now->what->settings;
    bool drawn = settings->updates == WEFT_MARGIN_UPDATES && !settings->deterministic;
    check_bracket(sum, now, got);
    if (drawn ? !(fabs(got->threshold) < settings->gamma) : got->threshold != 0)
        complain(sum, now, &sum->odd, "threshold, gamma", got->threshold, settings->gamma);
    int expected = now->exact >= got->threshold ? 1 : -1;
    if (got->label != expected && fabsl(now->exact - got->threshold) >= SLACK)
        complain(sum, now, &sum->wrong, "prediction, threshold", got->label, got->threshold);
    double probability = fmin(1, fmax(0, 0.5 + got->margin / (2 * settings->gamma)));
    if (fabs(got->probability - probability) > 1e-12)
        complain(sum, now, &sum->odd, "probability, from the margin", got->probability, probability);
    sum->certified += got->certified;
}

/* ---- the label ---- */

static void check_outcome(tally *sum, const trial *now, const weft_answer *got)
{
    const weft_settings *settings = &now->what->settings;
    check_prediction(sum, now, got);
    bool mistake = now->label != 0 && got->label != now->label, expected = mistake;
    long double along = now->label * now->exact;
    if (settings->updates == WEFT_MARGIN_UPDATES && now->label != 0)
        expected = along < settings->gamma;
    bool close = settings->updates == WEFT_MARGIN_UPDATES && fabsl(along - settings->gamma) < SLACK;
    if (got->mistake != mistake)
        complain(sum, now, &sum->odd, "mistake, expected", got->mistake, mistake);
    if (got->updated != expected && !(close && now->label != 0))
        complain(sum, now, &sum->wrong, "updated, label", got->updated, now->label);
    double p = got->probability, wrong = now->label > 0 ? 1 - p : p;
    if (now->label != 0 && fabs(got->error_probability - wrong) > 1e-12 &&
        settings->updates == WEFT_MARGIN_UPDATES && !settings->deterministic)
        complain(sum, now, &sum->odd, "error probability, expected", got->error_probability, wrong);
}

static void check_bound(tally *sum, const trial *now, players *who)
{
    long double top = naive_top(who->judge);
    double bound = weft_learner_spectral_bound(who->learner);
    if (!(top <= bound + SLACK * scale_of(top)))
        complain(sum, now, &sum->loose, "lambda_max, b", (double)top, bound);
    sum->nearest = fminl(sum->nearest, bound - top);
}

/* Predict then learn; learn at once; or with another pair asked in between. */
static bool play_trial(tally *sum, const trial *now, players *who)
{
    weft_error error = {0};
    weft_answer first = {0}, other;
    weft_answer outcome;
    int64_t i = now->what->row[now->t], j = now->what->column[now->t];
    int64_t way = (now->t + (int64_t)now->what->seed) % 4;
    if (way != 1) {
        assert_int_equal(weft_player_predict(who->learner, i, j, &first, &error), WEFT_OK);
        check_prediction(sum, now, &first);
    }
    if (way == 2)
        assert_int_equal(
            weft_player_predict(who->learner, now->what->row[0], now->what->column[0], &other, &error),
            WEFT_OK);
    assert_int_equal(weft_player_learn(who->learner, i, j, now->label, &outcome, &error), WEFT_OK);
    check_outcome(sum, now, &outcome);
    /* The reference engine promises no bits, so a tie may fall either way. */
    bool tie = now->what->settings.engine == WEFT_REFERENCE && fabsl(now->exact - first.threshold) < SLACK;
    if (way != 1 && !tie && (first.label != outcome.label || first.threshold != outcome.threshold))
        complain(sum, now, &sum->odd, "predict and learn differ: labels", first.label, outcome.label);
    if (outcome.updated)
        naive_update(who->judge, i, j, now->label);
    sum->updates += outcome.updated;
    return outcome.updated;
}

/* ---- a whole problem ---- */

/* The counts that the updates made must be those that the learner shows. */
static void check_evidence(tally *sum, const trial *now, const players *who, const int64_t *counts, int64_t n)
{
    int64_t total = 0, shown = 0;
    for (int64_t k = 0; k < n * n; k++)
        total += llabs(counts[k]);
    for (int64_t k = 0; k < weft_player_evidence_count(who->learner); k++) {
        weft_evidence_entry entry = weft_player_evidence(who->learner, k);
        int64_t count = counts[entry.row * n + entry.column];
        if (now->what->settings.form == WEFT_ONE_SET && entry.row != entry.column)
            count += counts[entry.column * n + entry.row];
        if (entry.count != count)
            complain(sum, now, &sum->odd, "evidence, updates", (double)entry.count, (double)count);
        shown += llabs(count);
    }
    if (now->what->settings.form != WEFT_ONE_SET && total != shown)
        complain(sum, now, &sum->odd, "evidence in all, updates", (double)shown, (double)total);
}

static void play(uint64_t seed, int64_t largest, int algorithm, tally *sum)
{
    problem what;
    players who;
    problem_draw(seed, largest, &what);
    problem_describe(&what, sizeof sum->where, sum->where);
    sum->here = 0;
    players_create(&what, algorithm, &who);
    int64_t n = what.rows.count + what.columns.count, updates = 0, labels = 0;
    int64_t *counts = naive_new(n * n, sizeof *counts);
    trial now = {.what = &what};
    for (int64_t t = 0; t < what.trials; t++) {
        players_admit(&what, t, &who);
        long double exact = naive_margin(who.judge, what.row[t], what.column[t]);
        now = (trial){&what, t, t, fmaxl(-1e300L, fminl(1e300L, exact)), what.label[t]};
        check_bound(sum, &now, &who);
        labels += what.label[t] != 0;
        if (play_trial(sum, &now, &who)) {
            counts[what.row[t] * n + what.column[t]] += what.label[t];
            updates++;
        }
    }
    weft_counters counters = weft_player_counters(who.learner);
    if (counters.t != labels || counters.updates != updates)
        complain(sum, &now, &sum->odd, "counters t, updates", (double)counters.t, (double)counters.updates);
    check_evidence(sum, &now, &who, counts, n);
    sum->problems++;
    sum->trials += what.trials;
    sum->algorithm_2 += algorithm == 2;
    free(counts);
    players_release(&who);
    problem_release(&what);
}

static void report(const tally *sum)
{
    printf("problems %lld (Algorithm 2: %lld) trials %lld updates %lld certified %lld\n",
           (long long)sum->problems, (long long)sum->algorithm_2, (long long)sum->trials,
           (long long)sum->updates, (long long)sum->certified);
    printf("wrong decisions %lld, margins outside %lld, brackets too wide %lld, bounds too low %lld, other "
           "%lld\n",
           (long long)sum->wrong, (long long)sum->outside, (long long)sum->wide, (long long)sum->loose,
           (long long)sum->odd);
    printf("worst difference of a margin %.3Lg, most of a bracket used %.6Lg, least b - lambda_max %.3Lg\n",
           sum->worst, sum->used, sum->nearest);
}

static void judge_range(uint64_t first, uint64_t count, int64_t largest)
{
    tally sum = {.nearest = HUGE_VALL};
    for (uint64_t seed = first; seed < first + count; seed++)
        play(seed, largest, largest == 0 && seed % 4 == 0 ? 2 : 1, &sum);
    report(&sum);
    assert_int_equal(sum.wrong, 0);
    assert_int_equal(sum.outside, 0);
    assert_int_equal(sum.wide, 0);
    assert_int_equal(sum.loose, 0);
    assert_int_equal(sum.odd, 0);
    assert_true(sum.certified > sum.trials / 2);
}

static void test_small_problems(void **state)
{
    unsigned long long first = 1, count = (unsigned long long)effort(130, 400);
    const char *asked = getenv("WEFT_SEEDS");
    if (asked)
        assert_int_equal(sscanf(asked, "%llu:%llu", &first, &count), 2);
    judge_range(first, count, 0);
}

static void test_larger_problems(void **state)
{
    judge_range(900001, (uint64_t)effort(3, 6), 24);
    judge_range(910001, (uint64_t)effort(1, 3), 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_problems),
                                       cmocka_unit_test(test_larger_problems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
