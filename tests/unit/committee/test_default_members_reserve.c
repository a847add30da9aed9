/* SPDX-License-Identifier: MIT
 * Those beyond the edges of the grid: who they are, and when they play. */
#include "support/dice.h"
#include "test_default_members_support.h"

#include <math.h>
#include <stdlib.h>

/* ---- Who they are ---- */

static double rate_of(const weft_member *member)
{
    return member->is_rival ? member->rival.rate : member->learner.eta;
}

/* Beyond the edge by a factor of three, and else the same. */
static void check_reserve(const weft_member *members, int64_t starters, const weft_member *member)
{
    const weft_member *edge = &members[member->beyond - 1];
    double ratio = rate_of(member) / rate_of(edge);
    assert_ptr_equal(member->rows, edge->rows);
    assert_ptr_equal(member->columns, edge->columns);
    assert_true(fabs(ratio - 3) < 1e-12 || fabs(ratio - 1. / 3) < 1e-12);
    assert_int_equal(member->is_rival, edge->is_rival);
    assert_int_equal(member->uses, edge->uses);
    assert_int_equal(member->rival.kind, edge->rival.kind);
    assert_int_equal(member->rival.window, edge->rival.window);
    assert_int_equal(member->rival.replay, edge->rival.replay);
    assert_true(member->rival.shrink == edge->rival.shrink);
    assert_int_equal(member->learner.form, edge->learner.form);
    for (int64_t k = 0; k < starters; k++) {
        const weft_member *other = &members[k];
        bool kin = other->rows == edge->rows && other->columns == edge->columns &&
                   other->is_rival == edge->is_rival && other->rival.kind == edge->rival.kind &&
                   other->rival.window == edge->rival.window && other->rival.shrink == edge->rival.shrink &&
                   other->rival.replay == edge->rival.replay && other->learner.form == edge->learner.form;
        assert_true(!kin || (ratio > 1 ? rate_of(other) <= rate_of(edge) : rate_of(other) >= rate_of(edge)));
    }
}

#define BEYOND(name, low, high, view) name " " low view "|" name " " high view "|"
#define RIVALS_BEYOND_BOTH(view, kernels)                                                    \
    BEYOND("row + column bias rate", "0.0333333", "3", "")                                   \
    BEYOND("hashed logistic rate", "0.0666667", "6", ", " view)                              \
    BEYOND("matrix factorisation rate", "0.0333333", "1.2", "")                              \
    BEYOND("perceptron, sum margin", "0.0333333", "9", ", " kernels)                         \
    BEYOND("perceptron, product margin", "0.0333333", "9", ", " kernels)                     \
    BEYOND("perceptron, square margin", "0.0333333", "9", ", " kernels)                      \
    BEYOND("hybrid factorisation rate", "0.0833333 window 100", "1.5 window 100", ", " view) \
    BEYOND("hybrid factorisation rate", "0.0333333", "3", ", " view)                         \
    BEYOND("hybrid factorisation rate", "0.0666667 replay 1", "1.8 replay 1", ", " view)     \
    BEYOND("crossed logistic rate", "0.0666667", "6", ", " view)
#define RIVALS_BEYOND(view) RIVALS_BEYOND_BOTH(view, view)

static const struct {
    const char *rows, *columns; /* columns NULL: one set of ids */
    int starters;
    const char *names;
} reserves[] = {
    {"classes gni", "none n", 45,
     BEYOND("balanced eta", "0.333333", "3", ", given") BEYOND("balanced eta", "0.333333", "3", ", none")
         BEYOND("paper eta", "0.333333", "3", ", given") RIVALS_BEYOND("given")},
    {"none n", "none n", 37,
     BEYOND("balanced eta", "0.333333", "3", ", none") BEYOND("paper eta", "0.333333", "3", ", none")
         RIVALS_BEYOND("none")},
    {"edges gn", "none n", 40,
     BEYOND("balanced eta", "0.333333", "3", ", none") BEYOND("paper eta", "0.333333", "3", ", none")
         RIVALS_BEYOND_BOTH("given", "none")},
    {"edges gn", "classes gni", 47,
     BEYOND("balanced eta", "0.333333", "3", ", given") BEYOND("balanced eta", "0.333333", "3", ", none")
         BEYOND("paper eta", "0.333333", "3", ", given") RIVALS_BEYOND("given")},
    {"edges gn", NULL, 40,
     "one set eta 0.333333, none|one set eta 9, none|" BEYOND("balanced eta", "0.333333", "3", ", none")
         RIVALS_BEYOND_BOTH("given", "none")},
    {"classes gni", NULL, 48,
     "one set eta 0.333333, given|one set eta 0.333333, none|one set eta 9, given|one set eta 9, "
     "none|" BEYOND("balanced eta", "0.333333", "3", ", given")
         BEYOND("balanced eta", "0.333333", "3", ", none") RIVALS_BEYOND("given")},
};

/* In alphabetical order. */
static void sort(char *names)
{
    char *words[MOST], text[64 * MOST];
    int count = 0;
    strcpy(text, names);
    for (char *word = strtok(text, "|"); word != NULL; word = strtok(NULL, "|"))
        words[count++] = word;
    names[0] = 0;
    for (int written = 0; written < count; written++) {
        int first = -1;
        for (int k = 0; k < count; k++)
            if (words[k] != NULL && (first < 0 || strcmp(words[k], words[first]) < 0))
                first = k;
        strcat(strcat(names, words[first]), "|");
        words[first] = NULL;
    }
}

static int64_t list_members(const char *rows, const char *columns, scene s[2], weft_member *members)
{
    weft_error error = {0};
    int64_t count = MOST;
    open_scene(&s[0], rows, ROWS);
    s[1] = (scene){0};
    if (columns != NULL)
        open_scene(&s[1], columns, COLUMNS);
    if (weft_committee_members(&s[0].views, columns != NULL ? &s[1].views : NULL, members, &count, &error) !=
        WEFT_OK)
        fail_msg("%s", error.message);
    return count;
}

static void who_is_in_reserve(void **state)
{
    static weft_member members[MOST];
    static char found[64 * MOST], expected[64 * MOST];
    for (size_t r = 0; r < sizeof reserves / sizeof *reserves; r++) {
        scene s[2];
        int64_t starters = reserves[r].starters;
        int64_t count = list_members(reserves[r].rows, reserves[r].columns, s, members);
        found[0] = 0;
        for (int64_t k = 0; k < count; k++)
            assert_int_equal(members[k].beyond > 0, k >= starters);
        for (int64_t k = starters; k < count; k++) {
            check_reserve(members, starters, &members[k]);
            strcat(strcat(found, members[k].name), "|");
        }
        strcpy(expected, reserves[r].names);
        sort(found);
        sort(expected);
        assert_string_equal(found, expected);
        close_scene(&s[0]);
        if (reserves[r].columns != NULL)
            close_scene(&s[1]);
    }
}

/* ---- When it plays ---- */

/* Ids of two classes; the label says whether they are of the same one. */
enum { IDS = 8, MEMBERS = 4 };

typedef struct stage {
    weft_side *none, *classes;
    weft_member members[MEMBERS];
} stage;

/* Who knows the classes is right, the majority is not; both have somebody beyond. */
static stage set_up(void)
{
    static const int64_t class_of[IDS] = {0, 1, 0, 1, 0, 1, 0, 1};
    stage s = {0};
    assert_int_equal(weft_side_none(IDS, NULL, &s.none, NULL), WEFT_OK);
    assert_int_equal(weft_side_from_classes(IDS, class_of, 0.1, NULL, &s.classes, NULL), WEFT_OK);
    for (int k = 0; k < MEMBERS; k++) {
        bool knows = k % 2 == 0;
        s.members[k] = (weft_member){.rows = knows ? s.classes : s.none,
                                     .columns = knows ? s.classes : s.none,
                                     .uses = knows ? WEFT_BOTH : 0,
                                     .plain = !knows,
                                     .is_rival = true,
                                     .beyond = k < 2 ? 0 : k - 1};
        s.members[k].rival.kind = knows ? WEFT_RIVAL_PRODUCT : WEFT_RIVAL_BIAS;
        s.members[k].rival.rate = k < 2 ? 1 : 3;
        snprintf(s.members[k].name, sizeof s.members[k].name, "member %d", k);
    }
    return s;
}

static void take_down(stage *s)
{
    weft_side_free(s->none);
    weft_side_free(s->classes);
}

static weft_player *found_committee(const stage *s, bool restless)
{
    weft_player *committee = NULL;
    weft_error error = {0};
    const weft_committee_settings settings = {.restless = restless};
    if (weft_committee_create(s->members, MEMBERS, &settings, NULL, &committee, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return committee;
}

static void play(weft_player *committee, int64_t trials)
{
    for (int64_t k = 0; k < trials; k++) {
        dice d = {(uint64_t)weft_player_counters(committee).t};
        int64_t row = dice_below(&d, IDS), column = dice_below(&d, IDS);
        int label = (row + column) % 2 == 0 ? 1 : -1;
        if (dice_chance(&d, 0.05))
            label = -label;
        assert_int_equal(weft_player_learn(committee, row, column, label, NULL, NULL), WEFT_OK);
    }
}

static void assert_asleep(const weft_player *committee, int64_t k)
{
    weft_standing s = weft_committee_standing(committee, k);
    assert_false(s.is_awake);
    assert_int_equal(s.trials, 0);
    assert_true(s.weight == 0 && s.coefficient == 0 && s.certainty == 0);
}

static weft_player *read_back(const stage *s, const weft_player *committee)
{
    weft_player *copy = NULL;
    size_t size = 0;
    assert_int_equal(weft_player_write(committee, NULL, &size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_write(committee, bytes, &size, NULL), WEFT_OK);
    assert_int_equal(weft_committee_read(s->members, MEMBERS, bytes, size, NULL, &copy, NULL), WEFT_OK);
    free(bytes);
    return copy;
}

static void assert_same(const weft_player *a, const weft_player *b)
{
    size_t size = 0, other = 0;
    assert_int_equal(weft_player_write(a, NULL, &size, NULL), WEFT_OK);
    assert_int_equal(weft_player_write(b, NULL, &other, NULL), WEFT_OK);
    assert_int_equal(size, other);
    unsigned char *bytes[2] = {malloc(size), malloc(size)};
    assert_int_equal(weft_player_write(a, bytes[0], &size, NULL), WEFT_OK);
    assert_int_equal(weft_player_write(b, bytes[1], &size, NULL), WEFT_OK);
    assert_memory_equal(bytes[0], bytes[1], size);
    free(bytes[0]);
    free(bytes[1]);
}

/* Of two edges one leads: who is beyond it begins at the checkpoint, the other one never. */
static void it_plays_where_the_edge_leads(void **state)
{
    stage s = set_up();
    weft_player *committee = found_committee(&s, false), *copy;
    assert_int_equal(weft_player_counters(committee).awake, 2);
    assert_true(weft_committee_standing(committee, 0).coefficient == 0.5);
    play(committee, 1000);
    assert_asleep(committee, 2);
    assert_asleep(committee, 3);
    copy = read_back(&s, committee);
    play(committee, 500);
    play(copy, 500);
    assert_same(committee, copy);
    weft_standing woken = weft_committee_standing(committee, 2);
    assert_true(woken.is_awake && woken.since > 1000 && woken.trials == 1500 - woken.since);
    assert_true(weft_committee_standing(committee, 0).mistakes <
                weft_committee_standing(committee, 1).mistakes);
    assert_asleep(committee, 3);
    weft_player_free(copy);
    copy = read_back(&s, committee);
    play(committee, 100);
    play(copy, 100);
    assert_same(committee, copy);
    weft_player_free(copy);
    weft_player_free(committee);
    take_down(&s);
}

static void nobody_is_woken_where_nobody_rests(void **state)
{
    stage s = set_up();
    weft_player *committee = found_committee(&s, true);
    play(committee, 1500);
    assert_asleep(committee, 2);
    assert_asleep(committee, 3);
    weft_player_free(committee);
    take_down(&s);
}

/* Who has never played sleeps on. */
static void after_a_merge(void **state)
{
    stage s = set_up();
    weft_player *long_one = found_committee(&s, false), *short_one = found_committee(&s, false);
    play(long_one, 1500);
    play(short_one, 100);
    assert_int_equal(weft_player_merge(short_one, long_one, NULL), WEFT_OK);
    assert_true(weft_committee_standing(short_one, 2).is_awake);
    assert_asleep(short_one, 3);
    assert_int_equal(weft_player_counters(short_one).awake, 3);
    play(short_one, 10);
    /* Rivals that start anew are admitted with the variance of the beginning. */
    weft_player *copy = read_back(&s, short_one);
    assert_int_equal(weft_player_forget(short_one, WEFT_ROWS, 0, NULL), WEFT_OK);
    assert_int_equal(weft_player_forget(copy, WEFT_ROWS, 0, NULL), WEFT_OK);
    play(short_one, 10);
    play(copy, 10);
    assert_same(short_one, copy);
    weft_player_free(copy);
    weft_player_free(long_one);
    weft_player_free(short_one);
    take_down(&s);
}

/* Of those that do without the sides only one in reserve is there: that stack hears nobody until it plays. */
static void only_a_reserve_does_without(void **state)
{
    stage s = set_up();
    s.members[2].uses = 0;
    s.members[1].uses = s.members[3].uses = WEFT_BOTH;
    weft_player *committee = found_committee(&s, false), *copy;
    play(committee, 1500);
    assert_true(weft_committee_standing(committee, 2).is_awake);
    copy = read_back(&s, committee);
    assert_non_null(copy);
    play(committee, 10);
    play(copy, 10);
    assert_same(committee, copy);
    weft_player_free(copy);
    weft_player_free(committee);
    take_down(&s);
}

static void refusals(void **state)
{
    static const struct {
        int64_t of, beyond;
        const char *words;
    } bad[] = {{2, -1, "member 2 is beyond number -2, expected one that is not in reserve itself"},
               {2, MEMBERS + 1, "member 2 is beyond number 4"},
               {2, 4, "member 2 is beyond number 3"},
               {3, 4, "member 3 is beyond number 3"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        stage s = set_up();
        weft_player *committee = NULL;
        weft_error error = {0};
        const weft_committee_settings settings = {0};
        s.members[bad[k].of].beyond = bad[k].beyond;
        assert_int_equal(weft_committee_create(s.members, MEMBERS, &settings, NULL, &committee, &error),
                         WEFT_ARGUMENT);
        if (strstr(error.message, bad[k].words) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.message, bad[k].words);
        take_down(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_in_reserve),
        cmocka_unit_test(it_plays_where_the_edge_leads),
        cmocka_unit_test(nobody_is_woken_where_nobody_rests),
        cmocka_unit_test(after_a_merge),
        cmocka_unit_test(only_a_reserve_does_without),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
