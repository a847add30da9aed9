/* SPDX-License-Identifier: MIT
 *
 * Rankings in the compact engine on random problems with every feature map: what
 * weft_player_rank answers is what sorting the margins of all candidates gives (rank.h).  These come
 * from a decomposition of A in extended precision, which single evaluations must agree with, and stand
 * in for where even that is not sharp.  One ranker lives through a whole stream, so that what it
 * keeps must be dropped whenever the learner learns or its evidence fades.  Matrices are learnt, or drawn
 * with spectra that no stream makes.
 *
 * WEFT_SEEDS=FIRST:COUNT plays other problems than those of the test. */
#include "compact.h"
#include "rank.h"
#include "support/effort.h"

#include "learner/rank/ranker.h"

enum { STAGES = 3, QUERIES = 4, COORDINATES = 24, MOST_IDS = 60 };

typedef struct tally {
    int64_t questions, dropped, missed, pairs, ties;
    weft__effort effort;
    char where[512];
} tally;

typedef struct scene {
    dice d;
    mapped rows, columns;
    weft_settings settings;
    weft_player *learner;
    referee judge;
    long double *values, *vectors; /* of A */
    tally *sum;
} scene;

/* ---- questions ---- */

static const mapped *side_of(const scene *s, bool column)
{
    return column && s->settings.form != WEFT_ONE_SET ? &s->columns : &s->rows;
}

/* A as it is, decomposed. */
static void decompose(scene *s)
{
    referee *r = &s->judge;
    const weft__compact *compact = weft__learner_in(s->learner)->compact;
    long double *copy = naive_new(r->d * r->d, sizeof *copy);
    for (int64_t i = 0; i < r->d; i++)
        for (int64_t j = 0; j < r->d; j++)
            copy[i * r->d + j] =
                (long double)compact->factor * weft__compact_entry(compact, i < j ? i : j, i < j ? j : i);
    naive_eigen(r->d, copy, s->values, s->vectors);
    free(copy);
}

/* The margin, and the unit that rounding is relative to. */
static verdict margin_of(scene *s, int64_t row, int64_t column)
{
    referee *r = &s->judge;
    bool balanced = r->form == WEFT_BALANCED;
    long double sum = 0, top = 0;
    referee_place(r, row, column);
    for (int64_t k = 0; k < r->d; k++) {
        const long double *v = s->vectors + k * r->d;
        long double weight = r->kappa * expl(s->values[k]);
        sum += weight * inner(r->d, v, balanced ? r->u : r->x) * inner(r->d, v, balanced ? r->v : r->x);
        top = fmaxl(top, weight);
    }
    return (verdict){balanced ? 2 * sum : r->form == WEFT_ONE_SET ? 1 - sum : sum - 1, top};
}

static int64_t place_of(const mapped *side, int64_t id)
{
    int64_t k = 0;
    while (mapped_id(side, k) != id)
        k++;
    return k;
}

/* False where nobody knows the margin well enough, or the single evaluation, which a ranking leans on, is
 * itself beyond its allowance: that is a model of rounding, and tells of every bracket but a few. */
static bool judge_candidate(scene *s, question *q, int64_t c)
{
    weft_error error = {0};
    weft_answer tight;
    int64_t row = q->query.column ? q->candidates[c] : q->query.id;
    int64_t column = q->query.column ? q->query.id : q->candidates[c];
    verdict v = margin_of(s, place_of(side_of(s, false), row), place_of(side_of(s, true), column));
    if (weft_player_evaluate(s->learner, row, column, 1e-13, &tight, &error) != WEFT_OK)
        fail_msg("%s: %s", s->sum->where, error.message);
    long double exact = fmaxl(-WEFT_MARGIN_LIMIT, fminl(WEFT_MARGIN_LIMIT, v.margin));
    long double slack = SLACK * scale_of(exact), doubt = 1e-17L * v.scale;
    long double off = fmaxl(tight.lower - exact, exact - tight.upper) - slack - doubt;
    if (!(off <= 1e-13L * v.scale))
        fail_msg("%s: the margin %.12Lg is not in [%.12g, %.12g], top %Lg", s->sum->where, exact, tight.lower,
                 tight.upper, v.scale);
    s->sum->missed += off > 0;
    if (doubt > slack / 4)
        exact = tight.margin;
    question_judge(q, c, exact, &tight);
    return off <= 0 && (doubt <= slack / 4 || tight.upper - tight.lower <= (double)slack);
}

static void take_effort(scene *s)
{
    const weft__effort *e = &weft__learner_in(s->learner)->ranker->spectrum->effort;
    s->sum->effort.candidates += e->candidates;
    s->sum->effort.skipped += e->skipped;
    s->sum->effort.blocks += e->blocks;
    s->sum->effort.evaluated += e->evaluated;
}

static void ask(scene *s)
{
    static const double tolerances[] = {0.3, 0.02, 1e-3, 1e-5, 1e-7, 1e-9};
    bool column = dice_chance(&s->d, 0.5);
    const mapped *of = side_of(s, column), *others = side_of(s, !column);
    question q = question_begin(s->sum->where, s->settings.gamma, others->count);
    for (int64_t k = 0; k < others->count; k++)
        q.candidates[k] = mapped_id(others, k);
    if (dice_chance(&s->d, 0.6))
        shuffle_candidates(&s->d, &q);
    if (dice_chance(&s->d, 0.3))
        q.query.candidate_count = dice_below(&s->d, q.query.candidate_count + 1);
    q.query.column = column;
    q.query.id = mapped_id(of, dice_below(&s->d, of->count));
    q.query.most = 1 + dice_below(&s->d, dice_chance(&s->d, 0.6) ? 4 : q.query.candidate_count + 2);
    q.query.tolerance = tolerances[dice_below(&s->d, (int64_t)(sizeof tolerances / sizeof *tolerances))];
    bool judged = true;
    for (int64_t c = 0; c < q.query.candidate_count; c++)
        judged = judge_candidate(s, &q, c) && judged;
    if (judged) {
        question_ask(s->learner, &q);
        take_effort(s);
    }
    s->sum->dropped += !judged;
    s->sum->questions += judged;
    s->sum->pairs += q.pairs;
    s->sum->ties += q.ties;
    question_end(&q);
}

/* ---- a life ---- */

static void draw_side(dice *d, mapped *it)
{
    int64_t count = 3 + dice_below(d, MOST_IDS);
    *it = (mapped){0};
    known_draw(d, (known_kind)dice_below(d, KNOWN_KINDS), count, count, &it->what);
    mapped_draw_map(d, COORDINATES, it);
    mapped_make(d, it);
    /* Candidates are distinct. */
    for (int64_t k = 2; k < MAPPED_POOL; k++)
        it->pool[k] = (it->pool[k] & ~INT64_C(15)) | k;
}

static void draw_settings(scene *s)
{
    static const weft_form forms[] = {WEFT_PAPER, WEFT_BALANCED, WEFT_ONE_SET};
    s->settings = (weft_settings){.form = forms[dice_below(&s->d, 3)],
                                  .engine = WEFT_COMPACT,
                                  .precision = dice_chance(&s->d, 0.5) ? WEFT_MIXED : WEFT_DOUBLE,
                                  .eta = dice_log_between(&s->d, 0.05, dice_chance(&s->d, 0.2) ? 3000 : 3),
                                  .gamma = dice_between(&s->d, 0.1, 1),
                                  .dimension = dice_log_between(&s->d, 1, 300),
                                  .rows = 80,
                                  .columns = 80,
                                  .tolerance = 0.02,
                                  .half_life = dice_chance(&s->d, 0.3) ? 5 : 0};
}

static void learn_some(scene *s)
{
    weft_error error = {0};
    const mapped *rows = side_of(s, false), *columns = side_of(s, true);
    double positive = dice_chance(&s->d, 0.3) ? 0 : dice_uniform(&s->d);
    for (int64_t t = dice_below(&s->d, 60); t > 0; t--)
        if (weft_player_learn(s->learner, mapped_id(rows, dice_below(&s->d, rows->count)),
                              mapped_id(columns, dice_below(&s->d, columns->count)),
                              dice_chance(&s->d, positive) ? 1 : -1, NULL, &error) != WEFT_OK)
            fail_msg("%s: %s", s->sum->where, error.message);
}

/* A symmetric matrix of any sign and size; or one of modest size but for one coordinate, which many
 * ids do not have: rounding relative to the largest eigenvalue is then large for them. */
static void plant_matrix(scene *s)
{
    weft__compact *compact = weft__learner_in(s->learner)->compact;
    bool heavy = dice_chance(&s->d, 0.5);
    double size = dice_log_between(&s->d, 1e-3, heavy ? 1 : 2000), shift = dice_between(&s->d, -2, 1) * size;
    for (int64_t i = 0; i < compact->d; i++)
        for (int64_t j = i; j < compact->d; j++)
            weft__compact_set(compact, i, j,
                              size * dice_normal(&s->d) / sqrt((double)compact->d) + (i == j ? shift : 0));
    int64_t at = dice_below(&s->d, compact->d);
    if (heavy)
        weft__compact_set(compact, at, at, dice_between(&s->d, 10, 30));
    weft__compact_settle(compact, 1, 0);
    weft__learner_rebound(weft__learner_in(s->learner));
    weft__learner_in(s->learner)->revision++;
}

static void open_scene(scene *s)
{
    weft_error error = {0};
    char rows[160], columns[160];
    draw_side(&s->d, &s->rows);
    draw_side(&s->d, &s->columns);
    draw_settings(s);
    mapped_describe(&s->rows, sizeof rows, rows);
    mapped_describe(&s->columns, sizeof columns, columns);
    snprintf(s->sum->where, sizeof s->sum->where, "form %d eta %g D %g: %s | %s", (int)s->settings.form,
             s->settings.eta, s->settings.dimension, rows, columns);
    const weft_side *other = s->settings.form == WEFT_ONE_SET ? NULL : s->columns.side;
    if (weft_learner_create(s->rows.side, other, &s->settings, NULL, &s->learner, &error) != WEFT_OK || false)
        fail_msg("%s: %s", s->sum->where, error.message);
    s->judge = referee_create(&s->rows, &s->columns, &s->settings);
    s->values = naive_new(s->judge.d, sizeof *s->values);
    s->vectors = naive_new(s->judge.d * s->judge.d, sizeof *s->vectors);
}

static void close_scene(scene *s)
{
    referee_release(&s->judge);
    free(s->values);
    free(s->vectors);
    weft_player_free(s->learner);
    mapped_release(&s->rows);
    mapped_release(&s->columns);
}

static void live(uint64_t seed, tally *sum)
{
    scene s = {.d = {seed}, .sum = sum};
    open_scene(&s);
    for (int stage = 0; stage <= STAGES; stage++) {
        decompose(&s);
        for (int k = 0; k < QUERIES; k++)
            ask(&s);
        assert_int_equal(weft_learner_fill_diagonal(s.learner, NULL), WEFT_OK);
        assert_int_equal(weft_learner_kept_diagonal(s.learner), 0);
        if (dice_chance(&s.d, 0.4))
            plant_matrix(&s);
        else
            learn_some(&s);
    }
    close_scene(&s);
}

static void rankings_of_random_problems(void **state)
{
    unsigned long long first = 1, count = (unsigned long long)effort(16, 40);
    tally sum = {0};
    const char *asked = getenv("WEFT_SEEDS");
    if (asked)
        assert_int_equal(sscanf(asked, "%llu:%llu", &first, &count), 2);
    for (uint64_t seed = first; seed < first + count; seed++)
        live(seed, &sum);
    printf("problems %llu, rankings %lld (unknown %lld, missed %lld), pairs %lld, ties %lld; candidates "
           "%lld, skipped %lld, projected on "
           "%lld blocks, evaluated %lld\n",
           count, (long long)sum.questions, (long long)sum.dropped, (long long)sum.missed,
           (long long)sum.pairs, (long long)sum.ties, (long long)sum.effort.candidates,
           (long long)sum.effort.skipped, (long long)sum.effort.blocks, (long long)sum.effort.evaluated);
    assert_true(sum.dropped * 5 < sum.questions && sum.missed * 1000 < sum.questions);
    assert_true(sum.ties > sum.questions && sum.effort.skipped > sum.questions &&
                sum.effort.evaluated > sum.questions);
}

/* ---- many candidates ---- */

enum { CLASSES = 6, MANY = 20000 };

static weft_player *teach_many(weft_form form, const weft_side *rows, const weft_side *columns)
{
    weft_player *learner = NULL;
    weft_settings settings =
        weft_settings_default(weft_side_count(rows), columns ? weft_side_count(columns) : 0, 1000);
    dice d = {3};
    settings.form = form;
    settings.engine = WEFT_COMPACT;
    settings.eta = 0.2;
    assert_int_equal(weft_learner_create(rows, columns, &settings, NULL, &learner, NULL), WEFT_OK);
    for (int t = 0; t < 600; t++)
        assert_int_equal(weft_player_learn(learner, dice_below(&d, 50), dice_below(&d, 50),
                                           dice_chance(&d, 0.6) ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    return learner;
}

static weft__effort rank_many(weft_player *learner, const int64_t *candidates, double tolerance,
                              weft_ranked *ranked)
{
    int64_t found = 0;
    weft_query query = {
        .id = 3, .candidates = candidates, .candidate_count = MANY, .most = 10, .tolerance = tolerance};
    assert_int_equal(weft_player_rank(learner, &query, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, 10);
    weft__effort effort = weft__learner_in(learner)->ranker->spectrum->effort;
    return effort;
}

/* Classes alone: a sixth of all candidates ties for the first place, and neither is each of them
 * projected to the end, nor evaluated where the tolerance is beyond the dense path. */
static void whole_classes_tie(void **state)
{
    weft_side *side = NULL;
    int64_t *class_of = naive_new(MANY, sizeof *class_of), *candidates = naive_new(MANY, sizeof *candidates);
    weft_ranked ranked[10];
    for (int64_t k = 0; k < MANY; k++) {
        class_of[k] = k % CLASSES;
        candidates[k] = MANY - 1 - k;
    }
    assert_int_equal(weft_side_from_classes(MANY, class_of, 0, NULL, &side, NULL), WEFT_OK);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int fine = 0; fine < 2; fine++) {
            weft_player *learner = teach_many((weft_form)form, side, form == WEFT_ONE_SET ? NULL : side);
            weft__effort effort = rank_many(learner, candidates, fine ? 1e-17 : 1e-6, ranked);
            int64_t best = class_of[ranked[0].id];
            for (int k = 0; k < 10; k++)
                assert_int_equal(ranked[k].id, MANY - 1 - ((MANY - 1 - best) % CLASSES + CLASSES * k));
            assert_true(effort.evaluated <= (fine ? CLASSES : 0));
            assert_true(fine || effort.skipped > MANY - 200);
            weft_player_free(learner);
        }
    weft_side_free(side);
    free(class_of);
    free(candidates);
}

/* Hashed ids: few are left, the brackets spare some projections, nothing is evaluated. */
static void most_are_skipped(void **state)
{
    weft_side *side = NULL;
    weft_map map = {.hash = 64, .seed = 5};
    int64_t *candidates = naive_new(MANY, sizeof *candidates);
    weft_ranked ranked[10];
    for (int64_t k = 0; k < MANY; k++)
        candidates[k] = k;
    assert_int_equal(weft_side_none(MANY, &(weft_side_options){.map = &map}, &side, NULL), WEFT_OK);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        weft_player *learner = teach_many((weft_form)form, side, form == WEFT_ONE_SET ? NULL : side);
        weft__effort effort = rank_many(learner, candidates, 1e-6, ranked);
        printf("form %d: of %d skipped %lld, projections a candidate %.1f of 64, evaluated %lld\n", form,
               MANY, (long long)effort.skipped, 16.0 * (double)effort.blocks / MANY,
               (long long)effort.evaluated);
        assert_true(effort.skipped > MANY - 400 && effort.evaluated == 0 && effort.blocks < 4 * MANY);
        weft_player_free(learner);
    }
    weft_side_free(side);
    free(candidates);
}

static int by_falling_margin(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* More are left than there is room for at first, best ones last: the answer has the largest margins. */
static void a_long_answer(void **state)
{
    ONCE_IN_RELEASE();
    enum { FEW = 6000, LONG = 3000 };
    weft_side *side = NULL;
    weft_map map = {.hash = 32, .seed = 5};
    int64_t candidates[FEW], found = 0;
    double margins[FEW];
    static weft_ranked ranked[FEW];
    assert_int_equal(weft_side_none(FEW, &(weft_side_options){.map = &map}, &side, NULL), WEFT_OK);
    weft_player *learner = teach_many(WEFT_PAPER, side, side);
    for (int64_t k = 0; k < FEW; k++) {
        weft_answer single;
        candidates[k] = k;
        assert_int_equal(weft_player_evaluate(learner, 3, k, 1e-9, &single, NULL), WEFT_OK);
        margins[k] = single.margin;
    }
    qsort(margins, FEW, sizeof *margins, by_falling_margin);
    weft_query query = {
        .id = 3, .candidates = candidates, .candidate_count = FEW, .most = FEW, .tolerance = 1e-6};
    assert_int_equal(weft_player_rank(learner, &query, ranked, &found, NULL), WEFT_OK);
    for (int64_t k = 0; k < FEW; k++)
        candidates[k] = ranked[FEW - 1 - k].id;
    for (query.most = 3; query.most <= LONG; query.most *= 10) {
        assert_int_equal(weft_player_rank(learner, &query, ranked, &found, NULL), WEFT_OK);
        assert_int_equal(found, query.most);
        for (int64_t k = 0; k < found; k++)
            assert_true(fabs(ranked[k].answer.margin - margins[k]) <= 4e-6 * fmax(1, fabs(margins[k])));
    }
    weft_player_free(learner);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rankings_of_random_problems),
                                       cmocka_unit_test(whole_classes_tie),
                                       cmocka_unit_test(most_are_skipped), cmocka_unit_test(a_long_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
