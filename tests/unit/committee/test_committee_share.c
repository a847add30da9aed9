/* SPDX-License-Identifier: MIT
 * Committees whose members share what they can against committees whose members do not: the same to the bit,
 * with newcomers, threads, states read back, ids forgotten and committees merged; and how much is shared. */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "committee/members/sharing.h"
#include "support/panel.h"

enum { IDS = 14, LISTED = 9, TRIALS = 90 };

static const weft_committee_settings SHARED = {0}, THREADS = {.threads = 3};

static void open_panel(uint64_t seed, known_kind kind, bool one_set, int64_t listed, panel *p)
{
    panel_open_all(seed, kind, one_set, listed, IDS, p);
}

static weft_player *apart_committee(const panel *p)
{
    weft_player *committee = panel_committee(p, &SHARED, NULL);
    weft__committee_set_apart(committee);
    return committee;
}

/* The same trial for all. */
static void play_all(weft_player **list, int count, const panel *p, dice *d)
{
    int64_t row = dice_below(d, weft_side_count(p->given[0]));
    int64_t column = dice_below(d, weft_side_count(p->given[p->one_set ? 0 : 1]));
    int label = dice_chance(d, 0.5) ? 1 : -1;
    weft_answer first = {0};
    for (int k = 0; k < count; k++) {
        weft_answer ruling = {0};
        assert_int_equal(weft_player_learn(list[k], row, column, label, &ruling, NULL), WEFT_OK);
        if (k == 0)
            first = ruling;
        assert_true(ruling.vote == first.vote && ruling.probability == first.probability);
    }
}

static void check_same(known_kind kind, bool one_set)
{
    panel p;
    dice d = {(uint64_t)kind + 3};
    open_panel(d.state, kind, one_set, LISTED, &p);
    weft_player *list[3] = {apart_committee(&p), panel_committee(&p, &SHARED, NULL),
                            panel_committee(&p, &THREADS, NULL)};
    for (int64_t t = 0; t < TRIALS; t++) {
        if (t % 12 == 11)
            panel_grow(&p);
        play_all(list, 3, &p, &d);
    }
    for (int k = 1; k < 3; k++)
        panel_assert_same(list[0], list[k]);
    weft__sharing apart = weft__committee_sharing(list[0]), shared = weft__committee_sharing(list[1]),
                  threads = weft__committee_sharing(list[2]);
    assert_true(apart.asked == 0 && apart.made == 0);
    assert_true(shared.made > 0 && shared.asked > 2 * shared.made);
    assert_true(threads.asked == shared.asked && threads.made == shared.made);
    for (int k = 0; k < 3; k++)
        weft_player_free(list[k]);
    panel_close(&p);
}

static void the_same_for_every_kind(void **state)
{
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            check_same((known_kind)kind, one_set);
}

/* Columns that were not there, of kernels that have more than one reader. */
static int64_t lacking(const weft_player *committee)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < weft__committee_in(committee)->cache_count; k++)
        sum += weft__committee_in(committee)->caches[k].made > 0
                   ? weft__committee_in(committee)->caches[k].lacking
                   : 0;
    return sum;
}

static weft_player *read_back(const panel *p, weft_player *committee)
{
    weft_player *again = NULL;
    panel_state s = panel_write(committee);
    assert_int_equal(weft_committee_read(p->members, p->count, s.bytes, s.size, NULL, &again, NULL), WEFT_OK);
    free(s.bytes);
    weft_player_free(committee);
    return again;
}

/* Members that were read, have forgotten or were merged know ids that nobody has been asked about since:
 * they are handed what is shared, and find these. */
static void check_newly_handed(known_kind kind, bool one_set, bool rivals)
{
    panel p;
    dice d = {5};
    panel_open(21, kind, one_set, IDS, IDS, &p);
    if (rivals)
        panel_add_rivals(&p);
    else
        panel_add_learners(&p);
    weft_player *list[3] = {apart_committee(&p), panel_committee(&p, &SHARED, NULL),
                            panel_committee(&p, &SHARED, NULL)};
    for (int round = 0; round < 4; round++) {
        for (int64_t t = 0; t < TRIALS; t++)
            play_all(list, 2, &p, &d);
        play_all(&list[2], 1, &p, &d);
        if (round == 0)
            list[1] = read_back(&p, list[1]);
        for (int k = 0; k < 2 && round == 1; k++)
            assert_int_equal(weft_player_forget(list[k], WEFT_ROWS, 3, NULL), WEFT_OK);
        for (int k = 0; k < 2 && round == 2; k++)
            assert_int_equal(weft_player_merge(list[k], list[2], NULL), WEFT_OK);
        int64_t before = lacking(list[1]), asked = weft__committee_sharing(list[1]).asked;
        for (int64_t t = 0; t < 20; t++)
            play_all(list, 2, &p, &d);
        assert_int_equal(lacking(list[1]), before);
        assert_true(weft__committee_sharing(list[1]).asked >= asked + 20);
        panel_assert_same(list[0], list[1]);
    }
    for (int k = 0; k < 3; k++)
        weft_player_free(list[k]);
    panel_close(&p);
}

static void newly_handed(void **state)
{
    for (int k = 0; k < 4; k++) {
        /* Rivals of classes ask for no columns. */
        check_newly_handed(k / 2 ? KNOWN_GAUSSIAN : KNOWN_CLASSES, k % 2, k / 2);
        check_newly_handed(KNOWN_LINEAR, k % 2, k / 2);
    }
}

/* One column of every kernel for each id asked for, whoever reads it; and none for one reader alone. */
static void how_many(void **state)
{
    for (int rivals = 1; rivals <= 4; rivals++) {
        panel p;
        panel_open(4, KNOWN_KERNEL, false, IDS, IDS, &p);
        panel_add_learner(&p, WEFT_BALANCED, 1, p.given[0], p.given[1]);
        for (int k = 0; k < rivals; k++)
            panel_add_rival(&p, WEFT_RIVAL_PRODUCT, 0.1 * k, p.given[0], p.given[1]);
        weft_player *committee = panel_committee(&p, &SHARED, NULL);
        for (int64_t t = 0; t < 2 * IDS; t++)
            assert_int_equal(weft_player_learn(committee, t % IDS, t % IDS, 1, NULL, NULL), WEFT_OK);
        weft_answer verdict = {0};
        weft__sharing before = weft__committee_sharing(committee);
        assert_int_equal(weft_player_predict(committee, 3, 8, &verdict, NULL), WEFT_OK);
        weft__sharing after = weft__committee_sharing(committee);
        assert_int_equal(after.asked - before.asked, 2 * rivals);
        assert_int_equal(after.made - before.made, 2);
        /* The row is the same: its column is there. */
        assert_int_equal(weft_player_predict(committee, 3, 9, &verdict, NULL), WEFT_OK);
        weft__sharing again = weft__committee_sharing(committee);
        assert_int_equal(again.made - after.made, rivals == 1 ? 2 : 1);
        /* For an id that is not known nothing is. */
        assert_int_not_equal(weft_player_predict(committee, 3, IDS, &verdict, NULL), WEFT_OK);
        assert_int_equal(weft__committee_sharing(committee).made, again.made);
        weft_player_free(committee);
        panel_close(&p);
    }
}

/* The nearest of all ids, learnt or not, from the first trial on. */
static void whole_columns(void **state)
{
    panel p;
    panel_open(4, KNOWN_KERNEL, true, IDS, IDS, &p);
    for (int k = 1; k <= 3; k++)
        panel_add_rival(&p, WEFT_RIVAL_LOGISTIC, 0.1 * k, p.given[0], NULL);
    weft_player *committee = panel_committee(&p, &SHARED, NULL);
    assert_int_equal(weft_player_learn(committee, 2, 7, 1, NULL, NULL), WEFT_OK);
    assert_int_equal(lacking(committee), 0);
    assert_int_equal(weft__committee_sharing(committee).made, 2);
    weft_player_free(committee);
    panel_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_for_every_kind),
        cmocka_unit_test(newly_handed),
        cmocka_unit_test(how_many),
        cmocka_unit_test(whole_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
