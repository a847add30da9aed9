/* SPDX-License-Identifier: MIT
 * Rankings by a committee against the loop that asks about every candidate: the same answers to the bit,
 * in the order of their scores; and ids that nobody has met are asked for once a group. */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "committee/members/sharing.h"
#include "support/panel.h"

/* MANY: more than two blocks (rival/block.h). */
enum { IDS = 24, MET = 7, TRIALS = 60, MANY = 1100 };

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
static int64_t rank_of(const weft_answer *all, int64_t count, int64_t id)
{
    int64_t before = 0;
    for (int64_t j = 0; j < count; j++)
        before += all[j].score > all[id].score || (all[j].score == all[id].score && j < id);
    return before;
}

/* The best of the first `count` ids, at most MANY. */
static void check_row(weft_player *committee, bool column, int64_t id, int64_t count, int64_t most)
{
    static weft_answer all[MANY];
    static weft_ranked ranked[MANY];
    weft_query query = {.column = column, .id = id, .most = most, .tolerance = 0.02};
    int64_t found = 0, candidates[MANY];
    for (int64_t j = 0; j < count; j++) {
        candidates[j] = j;
        assert_int_equal(
            weft_player_evaluate(committee, column ? j : id, column ? id : j, 0.02, &all[j], NULL), WEFT_OK);
    }
    query.candidates = candidates;
    query.candidate_count = count;
    assert_int_equal(weft_player_rank(committee, &query, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, most);
    for (int64_t k = 0; k < found; k++) {
        assert_int_equal(rank_of(all, count, ranked[k].id), k);
        assert_true(same_answer(&ranked[k].answer, &all[ranked[k].id]));
    }
}

static void check_kind(known_kind kind, bool one_set, const weft_committee_settings *settings)
{
    panel p;
    dice d = {(uint64_t)kind + 11};
    panel_open_all(d.state, kind, one_set, IDS, IDS, &p);
    weft_player *committee = panel_committee(&p, settings, NULL);
    teach(committee, &d);
    for (int column = 0; column < 2; column++)
        for (int64_t id = 2; id < IDS; id += 9) {
            check_row(committee, column, id, IDS, IDS);
            check_row(committee, column, id, IDS, 5);
        }
    weft_player_free(committee);
    panel_close(&p);
}

static void it_is_the_loop(void **state)
{
    static const weft_committee_settings plain = {0}, threads = {.threads = 3};
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

/* The committee of the default over `rows` of which nothing is known and `columns` in three classes; rows 0:
 * one set of ids in these classes. */
static weft_player *make_default(int64_t rows, int64_t columns, const weft_committee_settings *settings,
                                 weft_side *sides[2])
{
    enum { CLASSES = 3, MEMBERS = 200 };
    weft_player *committee = NULL;
    int64_t class_of[MANY], count = MEMBERS;
    weft_member members[MEMBERS];
    for (int64_t j = 0; j < columns; j++)
        class_of[j] = j % CLASSES;
    if (rows > 0)
        assert_int_equal(weft_side_none(rows, NULL, &sides[0], NULL), WEFT_OK);
    assert_int_equal(weft_side_from_classes(columns, class_of, 0.1, NULL, &sides[1], NULL), WEFT_OK);
    weft_view views[2] = {{.kind = WEFT_VIEW_NONE, .side = sides[0]},
                          {.kind = WEFT_VIEW_GIVEN, .side = sides[1]}};
    const weft_views lists[2] = {{&views[0], 1}, {&views[1], 1}};
    assert_int_equal(weft_committee_members(rows > 0 ? &lists[0] : &lists[1], rows > 0 ? &lists[1] : NULL,
                                            members, &count, NULL),
                     WEFT_OK);
    assert_int_equal(weft_committee_create(members, count, settings, NULL, &committee, NULL), WEFT_OK);
    return committee;
}

static void blocks_are_the_loop(void **state)
{
    dice d = {3};
    (void)state;
    for (int one_set = 0; one_set < 2; one_set++) {
        weft_side *sides[2] = {NULL, NULL};
        weft_player *committee = make_default(one_set ? 0 : IDS, MANY, &(weft_committee_settings){0}, sides);
        teach(committee, &d);
        assert_int_equal(weft_player_learn(committee, 3, WEFT__BLOCK + 5, 1, NULL, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(committee, 3, MANY - 1, 1, NULL, NULL), WEFT_OK);
        check_row(committee, false, 3, MANY, MANY);
        check_row(committee, true, WEFT__BLOCK + 5, IDS, IDS);
        weft_player_free(committee);
        weft_side_free(sides[0]);
        weft_side_free(sides[1]);
    }
}

/* What a member said of a candidate is no answer that a label could be learnt with. */
static void a_ranking_changes_no_trial(void **state)
{
    weft_side *sides[2] = {NULL, NULL}, *others[2] = {NULL, NULL};
    weft_player *committee = make_default(IDS, IDS, &(weft_committee_settings){0}, sides);
    weft_player *other = make_default(IDS, IDS, &(weft_committee_settings){0}, others);
    dice d = {3}, same = {3};
    (void)state;
    teach(committee, &d);
    teach(other, &same);
    for (int64_t t = 0; t < TRIALS; t++) {
        weft_answer ours, theirs;
        check_row(committee, false, t % MET, t % IDS + 1, 1);
        assert_int_equal(weft_player_learn(committee, t % MET, t % IDS, 1, &ours, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(other, t % MET, t % IDS, 1, &theirs, NULL), WEFT_OK);
        assert_true(same_answer(&ours, &theirs));
    }
    weft_player_free(committee);
    weft_player_free(other);
    for (int which = 0; which < 2; which++) {
        weft_side_free(sides[which]);
        weft_side_free(others[which]);
    }
}

/* 610 columns of three classes, of which the first 7 are met. */
static void strangers_are_asked_once(void **state)
{
    enum { COLUMNS = 610, CLASSES = 3 };
    weft_side *sides[2] = {NULL, NULL};
    weft_player *committee = make_default(MET, COLUMNS, &(weft_committee_settings){0}, sides);
    dice d = {5};
    (void)state;
    teach(committee, &d);
    columns_made(committee, 0, 1); /* that of the row */
    int64_t few = columns_made(committee, 9, CLASSES), many = columns_made(committee, 9, 600);
    assert_true(few >= CLASSES && many <= few);
    weft_player_free(committee);
    weft_side_free(sides[0]);
    weft_side_free(sides[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_loop),
        cmocka_unit_test(blocks_are_the_loop),
        cmocka_unit_test(a_ranking_changes_no_trial),
        cmocka_unit_test(strangers_are_asked_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
