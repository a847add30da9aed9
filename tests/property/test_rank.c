/* SPDX-License-Identifier: MIT
 *
 * Rankings on random problems of every kind: what weft_player_rank answers is what
 * sorting the margins of all candidates gives (rank.h), each of them worked out by
 * the judge (support/naive.c) from the evidence that the learner shows at that
 * moment.  One ranker lives through a whole stream, so that what it keeps must be
 * dropped whenever the learner learns, merges, forgets or gets room.
 *
 * WEFT_SEEDS=FIRST:COUNT plays other problems than those of the test. */
#include "rank.h"

#include "learner/learner.h"
#include "support/effort.h"
#include "support/problem.h"

enum { QUERIES = 4, STAGES = 6 };

typedef struct tally {
    int64_t questions, listed, pairs, ties, pruned;
    char where[512];
} tally;

typedef struct scene {
    problem what;
    players who;
    naive *judge;
    dice d;
    tally *sum;
} scene;

/* ---- questions ---- */

/* The evidence as the learner shows it, decomposed. */
static naive *judge_of(const scene *s)
{
    bool one_set = s->what.settings.form == WEFT_ONE_SET;
    weft_settings settings = weft_learner_settings(s->who.learner);
    int64_t capacity = settings.rows + (one_set ? 0 : settings.columns);
    const known *rows = &s->what.rows, *columns = &s->what.columns;
    naive_setup setup = {
        .form = settings.form,
        .algorithm = 1,
        .rows = {rows->count, s->who.row_kernel, rows->radius - (one_set ? rows->constant : 0)},
        .columns = {columns->count, s->who.column_kernel, columns->radius},
        .eta = settings.eta,
        .kappa = settings.dimension / (double)capacity};
    naive *judge = naive_create(&setup);
    for (int64_t k = 0; k < weft_player_evidence_count(s->who.learner); k++) {
        weft_evidence_entry entry = weft_player_evidence(s->who.learner, k);
        naive_update(judge, entry.row, entry.column, (double)entry.count);
    }
    return judge;
}

/* The margin of a candidate, by the judge and by the library one at a time. */
static void judge_candidate(scene *s, question *q, int64_t c)
{
    weft_error error = {0};
    weft_answer single;
    int64_t row = q->query.column ? q->candidates[c] : q->query.id;
    int64_t column = q->query.column ? q->query.id : q->candidates[c];
    if (weft_player_evaluate(s->who.learner, row, column, q->query.tolerance, &single, &error) != WEFT_OK)
        fail_msg("%s: %s", s->sum->where, error.message);
    question_judge(q, c, naive_margin(s->judge, row, column), &single);
}

/* All in order, all shuffled, or some of them shuffled: what an exclusion leaves. */
static void draw_candidates(dice *d, question *q)
{
    if (dice_chance(d, 0.4))
        return;
    shuffle_candidates(d, q);
    if (dice_chance(d, 0.5))
        q->query.candidate_count = dice_below(d, q->query.candidate_count + 1);
}

static void ask(scene *s)
{
    static const double tolerances[] = {0.3, 0.02, 1e-3, 1e-5, 1e-7, 1e-9};
    bool one_set = s->what.settings.form == WEFT_ONE_SET, column = dice_chance(&s->d, 0.5);
    const weft_side *of = column && !one_set ? s->who.columns : s->who.rows;
    const weft_side *others = column || one_set ? s->who.rows : s->who.columns;
    question q = question_begin(s->sum->where, s->what.settings.gamma, weft_side_count(others));
    draw_candidates(&s->d, &q);
    q.query.column = column;
    q.query.id = dice_below(&s->d, weft_side_count(of));
    q.query.most = 1 + dice_below(&s->d, dice_chance(&s->d, 0.5) ? 3 : q.query.candidate_count + 2);
    q.query.tolerance = tolerances[dice_below(&s->d, (int64_t)(sizeof tolerances / sizeof *tolerances))];
    for (int64_t c = 0; c < q.query.candidate_count; c++)
        judge_candidate(s, &q, c);
    question_ask(s->who.learner, &q);
    s->sum->questions++;
    s->sum->listed += q.found;
    s->sum->pruned += q.found < q.query.candidate_count;
    s->sum->pairs += q.pairs;
    s->sum->ties += q.ties;
    question_end(&q);
}

/* ---- a life ---- */

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

/* Some questions, perhaps with the whole diagonal; the learner is as it was. */
static void ask_now(scene *s)
{
    weft_error error = {0};
    bool one_set = s->what.settings.form == WEFT_ONE_SET;
    int64_t all = weft_side_count(s->who.rows) + (one_set ? 0 : weft_side_count(s->who.columns));
    uint64_t before = digest_of(s->who.learner);
    s->judge = judge_of(s);
    for (int k = 0; k < QUERIES; k++) {
        if (dice_chance(&s->d, 0.2)) {
            assert_int_equal(weft_learner_fill_diagonal(s->who.learner, &error), WEFT_OK);
            if (s->what.settings.form != WEFT_BALANCED)
                assert_int_equal(weft_learner_kept_diagonal(s->who.learner), all);
        }
        ask(s);
    }
    assert_true(weft_learner_kept_diagonal(s->who.learner) <= all);
    assert_true(digest_of(s->who.learner) == before);
    naive_free(s->judge);
}

/* A part of the stream; what was kept is dropped with the first update. */
static void learn_some(scene *s, int64_t from, int64_t to)
{
    weft_error error = {0};
    for (int64_t t = from; t < to; t++) {
        weft_answer outcome;
        players_admit(&s->what, t, &s->who);
        assert_int_equal(weft_player_learn(s->who.learner, s->what.row[t], s->what.column[t],
                                           s->what.label[t], &outcome, &error),
                         WEFT_OK);
        if (outcome.updated)
            assert_int_equal(weft_learner_kept_diagonal(s->who.learner), 0);
    }
}

/* What changes the evidence, or kappa, all at once. */
static void disturb(scene *s)
{
    weft_error error = {0};
    weft_player *learner = s->who.learner;
    weft_settings now = weft_learner_settings(learner);
    int64_t row = dice_below(&s->d, weft_side_count(s->who.rows));
    int64_t column = dice_below(&s->d, weft_side_count(s->who.columns ? s->who.columns : s->who.rows));
    weft_evidence_entry entry = {row, column, 1 - 2 * dice_below(&s->d, 2)};
    switch (dice_below(&s->d, 6)) {
    case 0:
        assert_int_equal(weft_player_add_evidence(learner, &entry, 1, &error), WEFT_OK);
        break;
    case 1:
        assert_int_equal(weft_player_forget(learner, WEFT_ROWS, row, &error), WEFT_OK);
        break;
    case 2:
        assert_int_equal(weft_player_forget(learner, WEFT_COLUMNS, column, &error), WEFT_OK);
        break;
    case 3:
        weft__learner_enlarge(weft__learner_in(learner), now.rows + 3,
                              now.columns + (s->who.columns ? 2 : 0));
        break;
    case 4:
        assert_int_equal(weft_player_reset(learner, &error), WEFT_OK);
        break;
    default:
        return;
    }
}

static void live(uint64_t seed, int64_t largest, tally *sum)
{
    scene s = {.d = {seed + 77}, .sum = sum};
    problem_draw(seed, largest, &s.what);
    problem_describe(&s.what, sizeof sum->where, sum->where);
    players_create(&s.what, 1, &s.who);
    for (int64_t stage = 0; stage < STAGES; stage++) {
        ask_now(&s);
        learn_some(&s, stage * s.what.trials / STAGES, (stage + 1) * s.what.trials / STAGES);
        disturb(&s);
    }
    ask_now(&s);
    players_release(&s.who);
    problem_release(&s.what);
}

static void rankings_of_random_problems(void **state)
{
    unsigned long long first = 1, count = (unsigned long long)effort(100, 400);
    tally sum = {0};
    const char *asked = getenv("WEFT_SEEDS");
    if (asked)
        assert_int_equal(sscanf(asked, "%llu:%llu", &first, &count), 2);
    for (uint64_t seed = first; seed < first + count; seed++)
        live(seed, seed % 40 == 0 ? 20 : 0, &sum);
    printf("problems %llu, rankings %lld (not all listed: %lld), ids %lld, pairs %lld, ties %lld\n", count,
           (long long)sum.questions, (long long)sum.pruned, (long long)sum.listed, (long long)sum.pairs,
           (long long)sum.ties);
    assert_true(sum.ties > sum.questions && sum.pruned * 4 > sum.questions);
}

/* ---- what is refused ---- */

/* The answer is untouched and the error tells the id where there is one. */
static void refuse(weft_player *player, weft_query query, weft_status expected, int64_t at)
{
    weft_error error = {0};
    weft_ranked ranked[8], before[8];
    int64_t found = 77;
    memset(ranked, 0x5a, sizeof ranked);
    memcpy(before, ranked, sizeof ranked);
    assert_int_equal(weft_player_rank(player, &query, ranked, &found, &error), expected);
    assert_int_equal(error.status, expected);
    assert_true(error.message[0] != 0);
    if (at >= 0)
        assert_int_equal(error.at[0], at);
    assert_int_equal(found, 77);
    assert_memory_equal(ranked, before, sizeof ranked);
}

static void wrong_queries_are_refused(void **state)
{
    static const int64_t good[] = {3, 1, 0}, unknown[] = {3, 5, 0}, negative[] = {3, -1, 0}, full[] = {0, 4};
    weft_side *rows = NULL, *columns = NULL;
    weft_player *learner = NULL;
    weft_ranked ranked[3];
    int64_t found = 0;
    assert_int_equal(weft_side_none(6, NULL, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(4, NULL, &columns, NULL), WEFT_OK);
    weft_settings settings = weft_settings_default(6, 4, 100);
    assert_int_equal(weft_learner_create(rows, columns, &settings, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(columns, NULL, NULL), WEFT_OK);
    weft_query query = {.id = 5, .candidates = good, .candidate_count = 3, .most = 2, .tolerance = 0.01};
    weft_query wrong[] = {query, query, query, query, query, query, query, query, query};
    wrong[0].most = 0;
    wrong[1].tolerance = INFINITY;
    wrong[2].tolerance = -1;
    wrong[3].tolerance = NAN;
    for (int k = 0; k < 4; k++)
        refuse(learner, wrong[k], WEFT_ARGUMENT, -1);
    wrong[4].id = 6;
    refuse(learner, wrong[4], WEFT_UNKNOWN_ID, 6);
    wrong[5].id = -1;
    refuse(learner, wrong[5], WEFT_UNKNOWN_ID, -1);
    wrong[6].candidates = unknown;
    refuse(learner, wrong[6], WEFT_UNKNOWN_ID, 5);
    wrong[7].candidates = negative;
    refuse(learner, wrong[7], WEFT_UNKNOWN_ID, -1);
    wrong[8].candidates = full;
    wrong[8].candidate_count = 2;
    refuse(learner, wrong[8], WEFT_CAPACITY, 4);
    query.candidate_count = 0;
    assert_int_equal(weft_player_rank(learner, &query, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, 0);
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rankings_of_random_problems),
                                       cmocka_unit_test(wrong_queries_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
