/* SPDX-License-Identifier: MIT
 *
 * Up to 5,000 candidates: a ranking equals sorting 5,000 single evaluations (rank.h), of
 * which most are untouched, and with nothing known most are equal.  The first call
 * leaves out what it can, later ones have the diagonal. */
#include "rank.h"

enum { ROWS = 40, DIMENSION = 4, CLASSES = 6, TRIALS = 200 };

typedef struct wide {
    const char *name;
    weft_form form;
    bool known; /* classes and linear features; else nothing */
    int64_t columns;
} wide;

static weft_side *side_of_classes(dice *d, int64_t count)
{
    weft_side *side = NULL;
    int64_t *class_of = naive_new(count, sizeof *class_of);
    for (int64_t i = 0; i < count; i++)
        class_of[i] = dice_below(d, CLASSES);
    assert_int_equal(weft_side_from_classes(count, class_of, 0.1, NULL, &side, NULL), WEFT_OK);
    free(class_of);
    return side;
}

static weft_side *side_of_features(dice *d, int64_t count)
{
    weft_side *side = NULL;
    double *values = naive_new(count * DIMENSION, sizeof *values);
    for (int64_t k = 0; k < count * DIMENSION; k++)
        values[k] = dice_normal(d);
    weft_features features = {count, DIMENSION, values, WEFT_LINEAR, 0.5};
    assert_int_equal(weft_side_from_features(&features, NULL, &side, NULL), WEFT_OK);
    free(values);
    return side;
}

static weft_side *side_of_nothing(int64_t count)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(count, NULL, &side, NULL), WEFT_OK);
    return side;
}

/* By the protocol, which keeps b sharp; most columns stay untouched. */
static void teach(dice *d, const wide *what, weft_player *learner)
{
    weft_error error = {0};
    int64_t rows = what->form == WEFT_ONE_SET ? what->columns : ROWS;
    for (int64_t k = 0; k < TRIALS; k++)
        if (weft_player_learn(learner, dice_below(d, rows), dice_below(d, what->columns),
                              dice_chance(d, 0.5) ? 1 : -1, NULL, &error) != WEFT_OK)
            fail_msg("%s", error.message);
}

/* Single evaluations as narrow as they become take the place of exact margins. */
static void judge_all(weft_player *learner, question *q)
{
    for (int64_t c = 0; c < q->query.candidate_count; c++) {
        weft_answer single;
        assert_int_equal(weft_player_evaluate(learner, q->query.id, q->candidates[c], 1e-9, &single, NULL),
                         WEFT_OK);
        question_judge(q, c, single.margin, &single);
        assert_true(single.upper - single.lower < 1e-6);
    }
}

static void ask_with(weft_player *player, question *q, int64_t most)
{
    q->query.most = most;
    question_ask(player, q);
}

static void rank_widely(const wide *what, double tolerance)
{
    dice d = {5};
    weft_player *learner = NULL;
    weft_error error = {0};
    bool one_set = what->form == WEFT_ONE_SET;
    weft_side *columns = what->known ? side_of_features(&d, what->columns) : side_of_nothing(what->columns);
    weft_side *rows = one_set ? columns : what->known ? side_of_classes(&d, ROWS) : side_of_nothing(ROWS);
    weft_settings settings =
        weft_settings_default(weft_side_count(rows), one_set ? 0 : what->columns, TRIALS);
    settings.form = what->form;
    settings.eta = 0.3;
    assert_int_equal(weft_learner_create(rows, one_set ? NULL : columns, &settings, NULL, &learner, &error),
                     WEFT_OK);
    teach(&d, what, learner);
    question q = question_begin(what->name, settings.gamma, what->columns);
    shuffle_candidates(&d, &q);
    q.query.id = 3;
    q.query.tolerance = tolerance;
    judge_all(learner, &q);
    ask_with(learner, &q, 10);
    int64_t kept = weft_learner_kept_diagonal(learner);
    assert_int_equal(weft_learner_fill_diagonal(learner, &error), WEFT_OK);
    ask_with(learner, &q, 10);
    ask_with(learner, &q, what->columns);
    printf("%s, tolerance %g: pairs %lld, equal %lld; kept after the first call %lld\n", what->name,
           tolerance, (long long)q.pairs, (long long)q.ties, (long long)kept);
    question_end(&q);
    weft_player_free(learner);
    weft_side_free(columns);
    if (!one_set)
        weft_side_free(rows);
}

static void five_thousand_columns(void **state)
{
    static const wide cases[] = {{"classes and features", WEFT_PAPER, true, 5000},
                                 {"nothing known", WEFT_PAPER, false, 5000},
                                 {"balanced", WEFT_BALANCED, true, 2000},
                                 {"one set", WEFT_ONE_SET, true, 1000}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        rank_widely(&cases[k], k % 2 == 0 ? 1e-6 : 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(five_thousand_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
