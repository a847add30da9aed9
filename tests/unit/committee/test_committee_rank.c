/* SPDX-License-Identifier: MIT
 * Rankings by a committee against the loop that asks about every candidate: the same answers to the bit,
 * in the order of their scores; and ids that nobody has met are asked for once a group. */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "committee/members/sharing.h"
#include "support/panel.h"

enum { IDS = 24, MET = 7, TRIALS = 60 };

static void teach(weft_player *committee, dice *d)
{
    for (int64_t t = 0; t < TRIALS; t++)
        assert_int_equal(weft_player_learn(committee, dice_below(d, MET), dice_below(d, MET),
                                           dice_chance(d, 0.5) ? 1 : -1, NULL, NULL),
                         WEFT_OK);
}

static bool same_answer(const weft_answer *a, const weft_answer *b)
{
    return a->probability == b->probability && a->score == b->score && a->vote == b->vote &&
           a->label == b->label && a->asked == b->asked && a->t == b->t && a->threshold == b->threshold;
}

/* How many of all candidates stand before this one. */
static int64_t rank_of(const weft_answer *all, int64_t id)
{
    int64_t before = 0;
    for (int64_t j = 0; j < IDS; j++)
        before += all[j].score > all[id].score || (all[j].score == all[id].score && j < id);
    return before;
}

static void check_row(weft_player *committee, bool column, int64_t id, int64_t most)
{
    weft_answer all[IDS];
    weft_ranked ranked[IDS];
    weft_query query = {.column = column, .id = id, .most = most, .tolerance = 0.02};
    int64_t found = 0, candidates[IDS];
    for (int64_t j = 0; j < IDS; j++) {
        candidates[j] = j;
        assert_int_equal(
            weft_player_evaluate(committee, column ? j : id, column ? id : j, 0.02, &all[j], NULL), WEFT_OK);
    }
    query.candidates = candidates;
    query.candidate_count = IDS;
    assert_int_equal(weft_player_rank(committee, &query, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, most);
    for (int64_t k = 0; k < found; k++) {
        assert_int_equal(rank_of(all, ranked[k].id), k);
        assert_true(same_answer(&ranked[k].answer, &all[ranked[k].id]));
    }
}

static void check_kind(known_kind kind, bool one_set, const weft_committee_settings *settings)
{
    panel p;
    dice d = {(uint64_t)kind + 11};
    panel_open(d.state, kind, one_set, IDS, IDS, &p);
    panel_add_learners(&p);
    panel_add_rivals(&p);
    weft_player *committee = panel_committee(&p, settings, NULL);
    teach(committee, &d);
    for (int column = 0; column < 2; column++)
        for (int64_t id = 2; id < IDS; id += 9) {
            check_row(committee, column, id, IDS);
            check_row(committee, column, id, 5);
        }
    weft_player_free(committee);
    panel_close(&p);
}

static void it_is_the_loop(void **state)
{
    static const weft_committee_settings plain = {0}, threads = {.threads = 3, .tracking = true};
    (void)state;
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            check_kind((known_kind)kind, one_set, one_set ? &threads : &plain);
}

/* Columns of the kernel that a ranking of `count` ids from `first` on has made. */
static int64_t columns_made(weft_player *committee, int64_t first, int64_t count)
{
    int64_t candidates[600], found = 0, before = weft__committee_sharing(committee).made;
    weft_ranked ranked;
    weft_query query = {
        .id = 0, .most = 1, .candidates = candidates, .candidate_count = count, .tolerance = 0.02};
    for (int64_t k = 0; k < count; k++)
        candidates[k] = first + k;
    assert_int_equal(weft_player_rank(committee, &query, &ranked, &found, NULL), WEFT_OK);
    return weft__committee_sharing(committee).made - before;
}

/* 600 columns of three classes, of which the first 7 are met. */
static void strangers_are_asked_once(void **state)
{
    enum { COLUMNS = 610, CLASSES = 3 };
    weft_side *rows = NULL, *columns = NULL;
    weft_player *committee = NULL;
    int64_t class_of[COLUMNS];
    dice d = {5};
    (void)state;
    for (int64_t j = 0; j < COLUMNS; j++)
        class_of[j] = j % CLASSES;
    assert_int_equal(weft_side_none(MET, NULL, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_from_classes(COLUMNS, class_of, 0.1, NULL, &columns, NULL), WEFT_OK);
    weft_view views[2] = {{WEFT_VIEW_NONE, rows}, {WEFT_VIEW_GIVEN, columns}};
    const weft_views lists[2] = {{&views[0], 1}, {&views[1], 1}};
    weft_member members[200];
    int64_t count = 200;
    assert_int_equal(weft_committee_members(&lists[0], &lists[1], members, &count, NULL), WEFT_OK);
    assert_int_equal(
        weft_committee_create(members, count, &(weft_committee_settings){0}, NULL, &committee, NULL),
        WEFT_OK);
    teach(committee, &d);
    columns_made(committee, 0, 1); /* that of the row */
    int64_t few = columns_made(committee, 9, CLASSES), many = columns_made(committee, 9, 600);
    assert_true(few >= CLASSES && many <= few);
    weft_player_free(committee);
    weft_side_free(columns);
    weft_side_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_loop),
        cmocka_unit_test(strangers_are_asked_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
