/* SPDX-License-Identifier: MIT
 * The constant and the majorities against counting. */
#include "test_rival_support.h"

typedef struct counter {
    weft_rival_kind kind;
    int64_t all[2], row[STAGE_ROWS][2], column[STAGE_ROWS][2];
} counter;

/* One set: every trial counts for both of its ids, and both are asked. */
static double count_score(void *judge, const stage *s, int64_t i, int64_t j)
{
    const counter *c = judge;
    double g = ((double)c->all[1] + 1) / ((double)(c->all[0] + c->all[1]) + 2);
    int64_t p = 0, q = 0;
    if (c->kind == WEFT_RIVAL_CONSTANT)
        return 2 * g - 1;
    if (s->columns == NULL) {
        p = c->row[i][1] + c->row[j][1];
        q = c->row[i][0] + c->row[j][0];
    } else {
        const int64_t *of = c->kind == WEFT_RIVAL_ROW_MAJORITY ? c->row[i] : c->column[j];
        p = of[1];
        q = of[0];
    }
    return 2 * ((double)p + g) / ((double)(p + q) + 1) - 1;
}

static void count_learn(void *judge, const stage *s, int64_t i, int64_t j, int label)
{
    counter *c = judge;
    c->all[label > 0]++;
    c->row[i][label > 0]++;
    if (s->columns == NULL)
        c->row[j][label > 0]++;
    else
        c->column[j][label > 0]++;
}

static void scores_are_shares(void **state)
{
    static const judge_kind kind = {count_score, count_learn};
    for (int k = WEFT_RIVAL_CONSTANT; k <= WEFT_RIVAL_COLUMN_MAJORITY; k++)
        for (int one_set = 0; one_set < 2; one_set++) {
            counter c = {.kind = (weft_rival_kind)k};
            stage s;
            stage_open(11, KNOWN_NONE, KNOWN_CLASSES, one_set, &s);
            assert_agrees(&s, &(weft_rival_settings){.kind = (weft_rival_kind)k}, &kind, &c);
            stage_close(&s);
        }
}

/* The label is that of the majority, a tie and a new id go by the constant. */
static void labels_are_majorities(void **state)
{
    stage s;
    stage_open(3, KNOWN_NONE, KNOWN_NONE, false, &s);
    weft_player *rival = rival_of(&s, &(weft_rival_settings){.kind = WEFT_RIVAL_ROW_MAJORITY});
    assert_int_equal(ask(rival, 0, 0).label, 1);
    assert_true(ask(rival, 0, 0).score == 0 && ask(rival, 0, 0).probability == 0.5);
    for (int k = 0; k < 50; k++)
        teach(rival, 0, 0, -1);
    teach(rival, 1, 0, 1);
    assert_int_equal(ask(rival, 1, 2).label, 1);
    assert_int_equal(ask(rival, 2, 2).label, -1);
    teach(rival, 1, 0, -1);
    assert_int_equal(ask(rival, 1, 2).label, -1);
    teach(rival, 1, 0, 1);
    assert_int_equal(ask(rival, 1, 2).label, 1);
    assert_int_equal(ask(rival, 0, 2).label, -1);
    weft_player_free(rival);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_shares),
        cmocka_unit_test(labels_are_majorities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
