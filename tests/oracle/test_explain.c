/* SPDX-License-Identifier: MIT
 *
 * Explanations against two judges in extended precision, on random problems.
 *
 * Central differences: the naive judge takes real counts, so that
 *
 *     d margin / d count  =  (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h + O(h^4)
 *
 * with f the margin when a pair's count is moved.  Measured in units of eta h =
 * 1/500 the remainder is 1e-12 and the rounding of long double 1e-16 of the
 * quadratic form.
 *
 * The derivative itself, by the divided differences of all eigenvalues (dense.h),
 * and from the same numbers the identity sum_s c_s d/dc_s = kappa x' A exp(A) x.
 *
 * WEFT_SEEDS=FIRST:COUNT plays other problems than those of the test. */

#include "support/test.h"

#include "dense.h"
#include "support/effort.h"

enum { QUERIES = 5, MOVED = 6 };

/* What both judges and the library may be wrong by, as a part of eta times the
 * quadratic form that the derivative is a part of. */
#define SLACK 1e-11L

/* ---- central differences ---- */

/* f with the count of the pair moved by h; the judge is as before. */
static long double moved(naive *judge, const weft_evidence_entry *entry, double h, int64_t row,
                         int64_t column)
{
    naive_update(judge, entry->row, entry->column, h);
    long double margin = naive_margin(judge, row, column);
    naive_update(judge, entry->row, entry->column, -h);
    return margin;
}

static long double central_difference(naive *judge, const weft_evidence_entry *entry, double eta, int64_t row,
                                      int64_t column)
{
    double h = ldexp(1, -9 - ilogb(eta));
    long double near = moved(judge, entry, h, row, column) - moved(judge, entry, -h, row, column);
    long double far = moved(judge, entry, 2 * h, row, column) - moved(judge, entry, -2 * h, row, column);
    return (8 * near - far) / (12 * (long double)h);
}

/* ---- a problem ---- */

typedef struct tally {
    int64_t queries, derivatives, differences, strange, limited;
    long double worst, worst_difference, most_used, worst_identity;
    char where[512];
} tally;

/* A query, what the library says of it, and what it is measured by. */
typedef struct inquiry {
    int64_t row, column, count;
    double tolerance, eta;
    weft_explanation said;
    weft_influence *influences;
    sums right;
    long double largest; /* of the derivatives */
} inquiry;

static void complain(const tally *sum, const inquiry *q, const char *what, long double a, long double b)
{
    fail_msg("%s\n  (%lld, %lld) tolerance %g, largest derivative %.6Lg, error %g: %s: %.17Lg, %.17Lg",
             sum->where, (long long)q->row, (long long)q->column, q->tolerance, q->largest, q->said.error,
             what, a, b);
}

static void check_derivative(tally *sum, const inquiry *q, int64_t k, long double exact)
{
    const weft_influence *got = &q->influences[k];
    long double slack = SLACK * q->eta * q->right.size, off = fabsl(got->derivative - exact);
    if (!(off <= q->said.error + slack))
        complain(sum, q, "a derivative beyond its error", got->derivative, exact);
    if (!(off <= 1e-6L * q->largest + slack) && q->tolerance <= 1e-6)
        complain(sum, q, "a derivative beyond 1e-6 of the largest", got->derivative, exact);
    if (got->influence != (double)got->count * got->derivative)
        complain(sum, q, "influence, count * derivative", got->influence,
                 (double)got->count * got->derivative);
    if (off > slack)
        sum->most_used = fmaxl(sum->most_used, off / q->said.error);
    if (q->tolerance <= 1e-6 && off > slack)
        sum->worst = fmaxl(sum->worst, off / q->largest);
    sum->derivatives++;
}

/* A few pairs once more, by central differences. */
static void check_differences(tally *sum, const inquiry *q, naive *judge, dice *d)
{
    for (int64_t n = 0; n < MOVED && q->count > 0; n++) {
        const weft_influence *got = &q->influences[dice_below(d, q->count)];
        weft_evidence_entry entry = {got->row, got->column, got->count};
        long double difference = central_difference(judge, &entry, q->eta, q->row, q->column);
        long double slack = 1e-10L * q->eta * q->right.size, off = fabsl(got->derivative - difference);
        if (!(off <= fmaxl(1e-6L * q->largest, q->said.error) + slack))
            complain(sum, q, "a derivative, by central differences", got->derivative, difference);
        if (q->tolerance <= 1e-6 && off > slack)
            sum->worst_difference = fmaxl(sum->worst_difference, off / q->largest);
        sum->differences++;
    }
}

/* Margin, total and error. */
static void check_whole(tally *sum, const inquiry *q, weft_form form)
{
    long double margin = form == WEFT_PAPER     ? q->right.plain - 1
                         : form == WEFT_ONE_SET ? 1 + q->right.plain
                                                : q->right.plain;
    long double slack = 1e-9L * fmaxl(1, fabsl(margin)), total = 0, weights = 0;
    if (!(q->said.lower - slack <= margin && margin <= q->said.upper + slack &&
          q->said.lower <= q->said.margin && q->said.margin <= q->said.upper))
        complain(sum, q, "margin, its bracket", margin, q->said.margin);
    for (int64_t k = 0; k < q->count; k++) {
        total += q->influences[k].influence;
        weights += llabs(q->influences[k].count);
    }
    if (fabsl(q->said.total - total) > 1e-12L * weights * q->largest + 1e-300L)
        complain(sum, q, "total, sum of the influences", q->said.total, total);
    /* sum_s c_s d margin / d c_s = kappa x' A exp(A) x */
    long double off = fabsl(q->said.total - q->right.weighted);
    if (!(off <= weights * (q->said.error + SLACK * q->eta * q->right.size)))
        complain(sum, q, "total, kappa e'K CK exp(CK) e", q->said.total, q->right.weighted);
    if (q->tolerance <= 1e-6 && weights > 0)
        sum->worst_identity = fmaxl(sum->worst_identity, off / (weights * q->eta * q->right.size));
    /* Rounding may leave more than was asked for, but seldom. */
    if (!(q->said.error >= 0 && isfinite(q->said.error)))
        complain(sum, q, "error, not finite", q->said.error, 0);
    sum->limited += q->said.error > 1.0001L * q->tolerance * q->largest + SLACK * q->eta * q->right.size;
}

static void explain(const tally *sum, weft_player *learner, inquiry *q)
{
    weft_error error = {0};
    q->count = weft_player_evidence_count(learner);
    q->influences = naive_new(q->count, sizeof *q->influences);
    if (weft_player_explain(learner, q->row, q->column, q->tolerance, &q->said, q->influences, &error) !=
        WEFT_OK)
        complain(sum, q, error.message, 0, 0);
    for (int64_t k = 0; k < q->count; k++) {
        weft_evidence_entry entry = weft_player_evidence(learner, k);
        if (entry.row != q->influences[k].row || entry.column != q->influences[k].column ||
            entry.count != q->influences[k].count)
            complain(sum, q, "an influence of another pair", k, entry.row);
        if (!isfinite(q->influences[k].derivative))
            complain(sum, q, "a derivative is not finite", k, entry.row);
    }
}

static void ask(tally *sum, const problem *what, players *who, dense *judge, inquiry *q)
{
    dice d = {what->seed * 31 + (uint64_t)q->row};
    place(judge, q->row, q->column, true, judge->left, judge->right);
    q->right = dense_sums(judge);
    q->eta = what->settings.eta;
    explain(sum, who->learner, q);
    if (fabsl(q->right.size) < 1e290L) {
        long double *exact = naive_new(q->count, sizeof *exact);
        for (int64_t k = 0; k < q->count; k++) {
            weft_evidence_entry entry = weft_player_evidence(who->learner, k);
            exact[k] = dense_derivative(judge, &entry);
            q->largest = fmaxl(q->largest, fabsl(exact[k]));
        }
        for (int64_t k = 0; k < q->count; k++)
            check_derivative(sum, q, k, exact[k]);
        check_whole(sum, q, what->settings.form);
        check_differences(sum, q, who->judge, &d);
        free(exact);
    } else {
        sum->strange++;
    }
    sum->queries++;
    free(q->influences);
}

/* All that are still to come are appended in the end, so that some are new. */
static void play(const problem *what, players *who)
{
    weft_error error = {0};
    for (int64_t t = 0; t < what->trials; t++) {
        weft_answer outcome;
        players_admit(what, t, who);
        assert_int_equal(
            weft_player_learn(who->learner, what->row[t], what->column[t], what->label[t], &outcome, &error),
            WEFT_OK);
        if (outcome.updated)
            naive_update(who->judge, what->row[t], what->column[t], what->label[t]);
    }
    while (weft_side_count(who->rows) < what->rows.count)
        assert_int_equal(known_append(&what->rows, who->rows, &error), WEFT_OK);
    while (who->columns && weft_side_count(who->columns) < what->columns.count)
        assert_int_equal(known_append(&what->columns, who->columns, &error), WEFT_OK);
}

static void judge_problem(uint64_t seed, tally *sum)
{
    static const double tolerances[] = {1e-7, 1e-7, 1e-2, 1e-4, 1e-7};
    problem what;
    players who;
    dice d = {seed};
    problem_draw(seed, 0, &what);
    problem_describe(&what, sizeof sum->where, sum->where);
    players_create(&what, 1, &who);
    play(&what, &who);
    dense judge = dense_create(&what, &who);
    int64_t m = what.rows.count, n = what.settings.form == WEFT_ONE_SET ? m : what.columns.count;
    for (int k = 0; k < QUERIES; k++) {
        int64_t t = dice_below(&d, what.trials);
        inquiry q = {.tolerance = tolerances[k]};
        q.row = k == 0 ? what.row[t] : k == 1 ? m - 1 : dice_below(&d, m);
        q.column = k == 0 ? what.column[t] : k == 1 ? n - 1 : dice_below(&d, n);
        ask(sum, &what, &who, &judge, &q);
    }
    dense_free(&judge);
    players_release(&who);
    problem_release(&what);
}

static void explanations_of_random_problems(void **state)
{
    unsigned long long first = 1, count = (unsigned long long)effort(60, 200);
    tally sum = {0};
    const char *asked = getenv("WEFT_SEEDS");
    if (asked)
        assert_int_equal(sscanf(asked, "%llu:%llu", &first, &count), 2);
    for (uint64_t seed = first; seed < first + count; seed++)
        judge_problem(seed, &sum);
    printf("problems %llu, queries %lld, derivatives %lld, by central differences %lld, beyond 1e290 %lld\n",
           count, (long long)sum.queries, (long long)sum.derivatives, (long long)sum.differences,
           (long long)sum.strange);
    printf("worst against the derivative %.3Lg, central differences %.3Lg, identity %.3Lg; most of an error "
           "used %.3Lg\n",
           sum.worst, sum.worst_difference, sum.worst_identity, sum.most_used);
    printf("errors that rounding kept above what was asked for: %lld\n", (long long)sum.limited);
    assert_true(sum.strange * 5 < sum.queries && sum.limited * 20 < sum.queries);
}

static uint64_t digest_of(const weft_player *learner)
{
    size_t size = 0;
    uint64_t digest = 1;
    assert_int_equal(weft_player_write(learner, NULL, &size, NULL), WEFT_OK);
    unsigned char *bytes = naive_new((int64_t)size, 1);
    assert_int_equal(weft_player_write(learner, bytes, &size, NULL), WEFT_OK);
    for (size_t k = 0; k < size; k++)
        digest = (digest ^ bytes[k]) * UINT64_C(0x100000001b3);
    free(bytes);
    return digest;
}

static void refuse(weft_player *learner, int64_t row, int64_t column, double tolerance, weft_status expected)
{
    weft_error error = {0};
    weft_explanation said = {.margin = 77};
    weft_influence influence = {.count = 77};
    assert_int_equal(weft_player_explain(learner, row, column, tolerance, &said, &influence, &error),
                     expected);
    assert_int_equal(error.status, expected);
    assert_true(said.margin == 77 && influence.count == 77);
}

/* Wrong arguments are refused, and neither they nor an answer change the learner. */
static void nothing_changes(void **state)
{
    weft_side *rows = NULL, *columns = NULL;
    weft_player *learner = NULL;
    weft_explanation said;
    weft_influence influence;
    weft_settings settings = weft_settings_default(4, 3, 100);
    assert_int_equal(weft_side_none(4, NULL, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(3, NULL, &columns, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(rows, columns, &settings, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(columns, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_player_explain(learner, 0, 0, 1e-6, &said, NULL, NULL), WEFT_OK);
    assert_true(said.total == 0 && fabs(said.margin) < 1e-12);
    assert_int_equal(weft_player_learn(learner, 1, 2, 1, NULL, NULL), WEFT_OK);
    uint64_t before = digest_of(learner);
    refuse(learner, 4, 0, 1e-6, WEFT_UNKNOWN_ID);
    refuse(learner, 0, -1, 1e-6, WEFT_UNKNOWN_ID);
    refuse(learner, 0, 3, 1e-6, WEFT_CAPACITY);
    refuse(learner, 0, 0, 0, WEFT_ARGUMENT);
    refuse(learner, 0, 0, -1, WEFT_ARGUMENT);
    refuse(learner, 0, 0, NAN, WEFT_ARGUMENT);
    assert_int_equal(weft_player_explain(learner, 1, 2, 1e-6, &said, &influence, NULL), WEFT_OK);
    assert_true(digest_of(learner) == before);
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(explanations_of_random_problems),
                                       cmocka_unit_test(nothing_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
