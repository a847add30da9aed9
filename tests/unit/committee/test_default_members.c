/* SPDX-License-Identifier: MIT
 * The members that a committee has where nobody chooses. */
#include "support/dice.h"
#include "test_default_members_support.h"

#include <math.h>

/* ---- What the lists are ---- */

#define RIVALS_WITHOUT_SIDES                                                                       \
    "constant|row majority|column majority|row + column bias rate 0.1|row + column bias rate 0.3|" \
    "row + column bias rate 1|"
#define RIVALS_OF_ONE_SET \
    "constant|row majority|row + column bias rate 0.1|row + column bias rate 0.3|row + column bias rate 1|"
#define FACTORS "matrix factorisation rate 0.1|matrix factorisation rate 0.2|matrix factorisation rate 0.4|"
#define AT_RATES(name, view) name " rate 0.2, " view "|" name " rate 0.6, " view "|" name " rate 2, " view "|"
#define AT_MARGINS(name, view) \
    name " margin 0.1, " view "|" name " margin 1, " view "|" name " margin 3, " view "|"
#define HYBRID(rest) "hybrid factorisation rate " rest "|"
#define HYBRIDS_AT_RATES(view) HYBRID("0.1, " view) HYBRID("0.3, " view) HYBRID("1, " view)
#define RIVALS_ON(first, view)                                                          \
    first AT_RATES("hashed logistic", view)                                             \
    FACTORS AT_MARGINS("perceptron, sum", view) AT_MARGINS("perceptron, product", view) \
        AT_MARGINS("perceptron, square", view) HYBRIDS_AT_RATES(view) AT_RATES("crossed logistic", view)
#define RIVALS_ON_NONE AT_MARGINS("perceptron, product", "none")
#define RIVALS_ON_DIFFUSIONS \
    AT_MARGINS("perceptron, product", "diffusion 5") AT_MARGINS("perceptron, product", "diffusion 20")
#define RIVALS_ON_COMMUNITIES \
    AT_MARGINS("perceptron, product", "communities") AT_RATES("crossed logistic", "communities")
#define HYBRIDS_ON(view)             \
    HYBRID("0.2 replay 1, " view)    \
    HYBRID("0.6 replay 1, " view)    \
    HYBRID("1 shrink 0.01, " view)   \
    HYBRID("0.25 window 100, " view) \
    HYBRID("0.5 window 100, " view)  \
    HYBRID("0.3 window 500 shrink 0.05, " view) HYBRID("0.3 window 1000 shrink 0.05, " view)
#define HYBRIDS_ON_NONE             \
    HYBRID("0.3 shrink 0.05, none") \
    HYBRID("1, none") HYBRID("1 shrink 0.01, none") HYBRID("0.5 window 100, none")
#define HYBRIDS HYBRIDS_ON("given") HYBRIDS_ON_NONE
/* Over a graph without a kernel: whom edges mean something plays it, the others nothing. */
#define RIVALS_ON_EDGES(first, kernels)                                                       \
    first AT_RATES("hashed logistic", "given") FACTORS AT_MARGINS("perceptron, sum", kernels) \
        AT_MARGINS("perceptron, product", kernels) AT_MARGINS("perceptron, square", kernels)  \
            HYBRIDS_AT_RATES("given") AT_RATES("crossed logistic", "given")
/* Two of them are there already. */
#define HYBRIDS_WITHOUT_SIDES HYBRIDS_ON("none") HYBRID("0.3 shrink 0.05, none")
#define HYBRIDS_ON_DIFFUSIONS  \
    HYBRID("0.1, diffusion 5") \
    HYBRID("0.3, diffusion 5") HYBRID("0.1, diffusion 20") HYBRID("0.3, diffusion 20")
#define HYBRIDS_ON_COMMUNITIES HYBRID("0.1, communities") HYBRID("0.3, communities")
#define RIVALS_ON_GRAPHS RIVALS_ON_NONE RIVALS_ON_DIFFUSIONS RIVALS_ON_COMMUNITIES
/* Of one side alone, where both are known. */
#define ONE_SIDED(view) "perceptron, product margin 1, " view "|" HYBRID("0.2 replay 1, " view)
#define ONE_SIDED_BOTH ONE_SIDED("rows only") ONE_SIDED("columns only")
#define ONE_SIDED_EDGES HYBRID("0.2 replay 1, rows only") HYBRID("0.2 replay 1, columns only")
#define ROW_COMMUNITIES HYBRID("0.3, row communities only")
#define COLUMN_COMMUNITIES HYBRID("0.3, column communities only")
#define HYBRIDS_ON_GRAPHS HYBRIDS HYBRIDS_ON_DIFFUSIONS HYBRIDS_ON_COMMUNITIES

static const struct {
    const char *rows, *columns; /* columns NULL: one set of ids */
    int count, plain;
    const char *names; /* of all, with a bar behind each */
} lists[] = {
    {"classes gni", "classes gni", 6 + 45, 8,
     "balanced eta 1, given|balanced eta 1, given + identity|balanced eta 1, none|balanced eta 1, rows only|"
     "balanced eta 1, columns only|paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given")
         RIVALS_ON_NONE HYBRIDS ONE_SIDED_BOTH},
    {"classes gni", "none n", 4 + 41, 8,
     "balanced eta 1, given|balanced eta 1, given + identity|balanced eta 1, none|"
     "paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given") RIVALS_ON_NONE HYBRIDS},
    {"none n", "classes gni", 4 + 41, 8,
     "balanced eta 1, given|balanced eta 1, given + identity|balanced eta 1, none|"
     "paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given") RIVALS_ON_NONE HYBRIDS},
    {"none n", "none n", 2 + 35, 37,
     "balanced eta 1, none|paper eta 1, none|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "none") HYBRIDS_WITHOUT_SIDES},
    {"none gn", "none g", 2 + 35, 37,
     "balanced eta 1, none|paper eta 1, none|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "none") HYBRIDS_WITHOUT_SIDES},
    {"graph gntfc", "graph gntfc", 8 + 65, 8,
     "balanced eta 1, given|balanced eta 1, none|balanced eta 1, rows only|balanced eta 1, columns only|"
     "balanced eta 1, diffusion 5|balanced eta 1, diffusion 20|balanced eta 1, communities|"
     "paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given")
         RIVALS_ON_GRAPHS HYBRIDS_ON_GRAPHS ONE_SIDED("rows only") ROW_COMMUNITIES ONE_SIDED("columns only")
             COLUMN_COMMUNITIES},
    {"graph gntfc", "classes gni", 9 + 64, 8,
     "balanced eta 1, given|balanced eta 1, given + identity|balanced eta 1, none|balanced eta 1, rows only|"
     "balanced eta 1, columns only|balanced eta 1, diffusion 5|balanced eta 1, diffusion 20|"
     "balanced eta 1, communities|paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given")
         RIVALS_ON_GRAPHS HYBRIDS_ON_GRAPHS ONE_SIDED("rows only") ROW_COMMUNITIES ONE_SIDED("columns only")},
    {"classes g", "classes g", 2 + 34, 0,
     "balanced eta 1, given|paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given")
         HYBRIDS_ON("given")},
    {"graph gntfc", NULL, 10 + 5 + 58, 10,
     "one set eta 1, given|one set eta 1, none|one set eta 1, diffusion 5|one set eta 1, diffusion 20|"
     "one set eta 1, communities|"
     "one set eta 3, given|one set eta 3, none|one set eta 3, diffusion 5|one set eta 3, diffusion 20|"
     "one set eta 3, communities|"
     "balanced eta 1, given|balanced eta 1, none|balanced eta 1, diffusion 5|balanced eta 1, diffusion 20|"
     "balanced eta 1, communities|" RIVALS_ON(RIVALS_OF_ONE_SET, "given") RIVALS_ON_GRAPHS HYBRIDS_ON_GRAPHS},
    {"classes gni", NULL, 6 + 2 + 40, 10,
     "one set eta 1, given|one set eta 1, none|one set eta 1, given + identity|"
     "one set eta 3, given|one set eta 3, none|one set eta 3, given + identity|"
     "balanced eta 1, given|balanced eta 1, none|" RIVALS_ON(RIVALS_OF_ONE_SET, "given")
         RIVALS_ON_NONE HYBRIDS},
    {"edges gn", "none n", 2 + 38, 2 + 9 + 4,
     "balanced eta 1, none|paper eta 1, none|" RIVALS_ON_EDGES(RIVALS_WITHOUT_SIDES, "none") HYBRIDS},
    {"edges gn", "edges gn", 2 + 40, 2 + 9 + 4,
     "balanced eta 1, none|paper eta 1, none|" RIVALS_ON_EDGES(RIVALS_WITHOUT_SIDES, "none")
         HYBRIDS ONE_SIDED_EDGES},
    {"edges gn", "classes gni", 4 + 43, 8,
     "balanced eta 1, given|balanced eta 1, given + identity|balanced eta 1, none|"
     "paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given") RIVALS_ON_NONE HYBRIDS ONE_SIDED_EDGES},
    {"edges gn", "graph gntf", 5 + 53, 8,
     "balanced eta 1, given|balanced eta 1, none|balanced eta 1, diffusion 5|balanced eta 1, diffusion 20|"
     "paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given")
         RIVALS_ON_NONE RIVALS_ON_DIFFUSIONS HYBRIDS HYBRIDS_ON_DIFFUSIONS ONE_SIDED_EDGES},
    {"edges g", "none n", 2 + 34, 0,
     "balanced eta 1, given|paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given")
         HYBRIDS_ON("given")},
    {"edges gn", NULL, 2 + 1 + 37, 3 + 9 + 4,
     "one set eta 1, none|one set eta 3, none|balanced eta 1, none|" RIVALS_ON_EDGES(RIVALS_OF_ONE_SET,
                                                                                     "none") HYBRIDS},
    {"none n", NULL, 2 + 1 + 34, 37,
     "one set eta 1, none|one set eta 3, none|balanced eta 1, none|" RIVALS_ON(RIVALS_OF_ONE_SET, "none")
         HYBRIDS_WITHOUT_SIDES},
    /* Rows of which no communities are known. */
    {"graph gntf", "graph gntfc", 8 + 64, 8,
     "balanced eta 1, given|balanced eta 1, none|balanced eta 1, rows only|balanced eta 1, columns only|"
     "balanced eta 1, diffusion 5|balanced eta 1, diffusion 20|balanced eta 1, communities|"
     "paper eta 1, given|" RIVALS_ON(RIVALS_WITHOUT_SIDES, "given")
         RIVALS_ON_GRAPHS HYBRIDS_ON_GRAPHS ONE_SIDED_BOTH COLUMN_COMMUNITIES},
    {"graph gntf", NULL, 8 + 4 + 50, 10,
     "one set eta 1, given|one set eta 1, none|one set eta 1, diffusion 5|one set eta 1, diffusion 20|"
     "one set eta 3, given|one set eta 3, none|one set eta 3, diffusion 5|one set eta 3, diffusion 20|"
     "balanced eta 1, given|balanced eta 1, none|balanced eta 1, diffusion 5|balanced eta 1, diffusion "
     "20|" RIVALS_ON(RIVALS_OF_ONE_SET, "given")
         RIVALS_ON_NONE RIVALS_ON_DIFFUSIONS HYBRIDS HYBRIDS_ON_DIFFUSIONS},
};

enum { LISTS = sizeof lists / sizeof *lists };

static int64_t list_all(int which, scene s[2], weft_member *members)
{
    weft_error error = {0};
    bool one_set = lists[which].columns == NULL;
    int64_t counted = -1, count = MOST;
    open_scene(&s[0], lists[which].rows, ROWS);
    s[1] = (scene){0};
    if (!one_set)
        open_scene(&s[1], lists[which].columns, COLUMNS);
    const weft_views *columns = one_set ? NULL : &s[1].views;
    if (weft_committee_members(&s[0].views, columns, NULL, &counted, &error) != WEFT_OK ||
        weft_committee_members(&s[0].views, columns, members, &count, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(counted, count);
    return count;
}

/* Of all members those that play from the start, which come first. */
static int64_t list_members(int which, scene s[2], weft_member *members)
{
    int64_t count = list_all(which, s, members), starters = 0;
    while (starters < count && members[starters].beyond == 0)
        starters++;
    for (int64_t k = starters; k < count; k++)
        assert_in_range(members[k].beyond, 1, starters);
    return starters;
}

static void close_scenes(scene s[2])
{
    close_scene(&s[0]);
    close_scene(&s[1]);
}

/* Whose side information a member sees follows from its name. */
static void check_uses(const weft_member *member)
{
    bool rows = strstr(member->name, "rows only") != NULL,
         columns = strstr(member->name, "columns only") != NULL;
    if (rows || columns)
        assert_int_equal(member->uses, rows ? WEFT_ROWS : WEFT_COLUMNS);
    if (!member->is_rival)
        assert_int_equal(member->uses == 0, member->plain);
    if (strstr(member->name, "majority") != NULL || strstr(member->name, "matrix factor") != NULL)
        assert_int_equal(member->uses, 0);
    if (member->columns == NULL)
        assert_true(member->uses == 0 || member->uses == WEFT_ROWS);
}

static void names_and_numbers(void **state)
{
    static weft_member members[MOST];
    for (int which = 0; which < LISTS; which++) {
        static char names[64 * MOST];
        scene s[2];
        int64_t count = list_members(which, s, members), plain = 0;
        names[0] = 0;
        for (int64_t k = 0; k < count; k++) {
            strcat(strcat(names, members[k].name), "|");
            plain += members[k].plain;
            check_uses(&members[k]);
        }
        assert_string_equal(names, lists[which].names);
        assert_int_equal(count, lists[which].count);
        assert_int_equal(plain, lists[which].plain);
        close_scenes(s);
    }
}

/* Two with one name are one, and so are two that would play the same. */
static void nobody_is_there_twice(void **state)
{
    static weft_member members[MOST];
    for (int which = 0; which < LISTS; which++) {
        scene s[2];
        int64_t count = list_all(which, s, members);
        for (int64_t j = 0; j < count; j++)
            for (int64_t k = 0; k < j; k++) {
                const weft_member *a = &members[j], *b = &members[k];
                assert_string_not_equal(a->name, b->name);
                bool same = a->rows == b->rows && a->columns == b->columns && a->is_rival == b->is_rival &&
                            a->learner.form == b->learner.form && a->learner.eta == b->learner.eta &&
                            a->rival.kind == b->rival.kind && a->rival.rate == b->rival.rate &&
                            a->rival.window == b->rival.window && a->rival.shrink == b->rival.shrink &&
                            a->rival.replay == b->rival.replay;
                assert_false(same);
            }
        close_scenes(s);
    }
}

static const weft_member *find(const weft_member *members, int64_t count, const char *name)
{
    for (int64_t k = 0; k < count; k++)
        if (strcmp(members[k].name, name) == 0)
            return &members[k];
    fail_msg("there is no member %s", name);
    return NULL;
}

static void assert_sides(const weft_member *member, const weft_side *rows, const weft_side *columns)
{
    assert_ptr_equal(member->rows, rows);
    assert_ptr_equal(member->columns, columns);
}

/* A view is played with the same view of the other side, and with what is given where that lacks it. */
static void sides(void **state)
{
    static weft_member members[MOST];
    enum { G, N, T, F, C, I = 2 };
    scene s[2];
    int64_t count = list_members(6, s, members);
    weft_side **rows = s[0].side, **columns = s[1].side;
    assert_sides(find(members, count, "balanced eta 1, given"), rows[G], columns[G]);
    assert_sides(find(members, count, "balanced eta 1, none"), rows[N], columns[N]);
    assert_sides(find(members, count, "balanced eta 1, rows only"), rows[G], columns[N]);
    assert_sides(find(members, count, "balanced eta 1, columns only"), rows[N], columns[G]);
    assert_sides(find(members, count, "balanced eta 1, given + identity"), rows[G], columns[I]);
    assert_sides(find(members, count, "balanced eta 1, diffusion 20"), rows[F], columns[G]);
    assert_sides(find(members, count, "perceptron, product margin 3, diffusion 5"), rows[T], columns[G]);
    assert_sides(find(members, count, "balanced eta 1, communities"), rows[C], columns[G]);
    assert_sides(find(members, count, "crossed logistic rate 2, communities"), rows[C], columns[G]);
    assert_sides(find(members, count, "hybrid factorisation rate 0.1, communities"), rows[C], columns[G]);
    assert_sides(find(members, count, "hybrid factorisation rate 1, none"), rows[N], columns[N]);
    close_scenes(s);
    count = list_members(8, s, members);
    assert_sides(find(members, count, "one set eta 3, diffusion 5"), s[0].side[T], NULL);
    assert_sides(find(members, count, "balanced eta 1, diffusion 5"), s[0].side[T], s[0].side[T]);
    assert_sides(find(members, count, "balanced eta 1, none"), s[0].side[N], s[0].side[N]);
    assert_sides(find(members, count, "perceptron, sum margin 1, given"), s[0].side[G], NULL);
    assert_sides(find(members, count, "one set eta 3, communities"), s[0].side[C], NULL);
    assert_sides(find(members, count, "balanced eta 1, communities"), s[0].side[C], s[0].side[C]);
    close_scenes(s);
    count = list_members(17, s, members);
    assert_sides(find(members, count, "balanced eta 1, communities"), s[0].side[G], s[1].side[C]);
    close_scenes(s);
}

static void assert_learner_settings(const weft_member *member)
{
    const weft_settings *l = &member->learner;
    assert_true(l->gamma == 1.0 / 3 && l->tolerance == 0.3 && l->deterministic);
    assert_true(l->updates == WEFT_MARGIN_UPDATES && l->engine == WEFT_KRYLOV && l->precision == WEFT_MIXED);
    assert_true(l->rows == 0 && l->columns == 0 && l->dimension == 0);
    assert_int_equal(l->form == WEFT_ONE_SET, member->columns == NULL);
}

static void settings(void **state)
{
    static weft_member members[MOST];
    for (int which = 0; which < LISTS; which++) {
        scene s[2];
        int64_t count = list_all(which, s, members);
        for (int64_t k = 0; k < count; k++)
            if (!members[k].is_rival)
                assert_learner_settings(&members[k]);
        close_scenes(s);
    }
}

/* ---- What they are good for ---- */

static void play_learner(dice *d, const weft_member *m, int64_t columns)
{
    weft_player *learner = NULL;
    weft_error error = {0};
    if (weft_learner_create(m->rows, m->columns, &m->learner, NULL, &learner, &error) != WEFT_OK)
        fail_msg("%s: %s", m->name, error.message);
    for (int t = 0; t < 10; t++)
        assert_int_equal(weft_player_learn(learner, dice_below(d, ROWS), dice_below(d, columns),
                                           dice_chance(d, 0.5) ? 1 : -1, NULL, &error),
                         WEFT_OK);
    assert_int_equal(weft_player_counters(learner).trials, 10);
    weft_player_free(learner);
}

static void play_rival(dice *d, const weft_member *m, int64_t columns)
{
    weft_player *rival = NULL;
    weft_error error = {0};
    weft_answer opinion = {0};
    if (weft_rival_create(m->rows, m->columns, &m->rival, NULL, &rival, &error) != WEFT_OK)
        fail_msg("%s: %s", m->name, error.message);
    for (int t = 0; t < 10; t++) {
        int64_t row = dice_below(d, ROWS), column = dice_below(d, columns);
        assert_int_equal(weft_player_predict(rival, row, column, &opinion, &error), WEFT_OK);
        assert_int_equal(weft_player_learn(rival, row, column, dice_chance(d, 0.5) ? 1 : -1, NULL, &error),
                         WEFT_OK);
    }
    assert_true(isfinite(opinion.score));
    weft_player_free(rival);
}

static void all_of_them_play(void **state)
{
    static weft_member members[MOST];
    dice d = {23};
    for (int which = 0; which < LISTS; which++) {
        scene s[2];
        int64_t count = list_all(which, s, members);
        int64_t columns = lists[which].columns != NULL ? COLUMNS : ROWS;
        for (int64_t k = 0; k < count; k++) {
            if (members[k].is_rival)
                play_rival(&d, &members[k], columns);
            else
                play_learner(&d, &members[k], columns);
        }
        close_scenes(s);
    }
}

/* ---- Refusals ---- */

static void assert_refused(const weft_views *rows, const weft_views *columns, weft_status status,
                           const char *words)
{
    weft_error error = {0};
    int64_t count = -7;
    assert_int_equal(weft_committee_members(rows, columns, NULL, &count, &error), status);
    assert_int_equal(count, -7);
    assert_int_equal(error.status, status);
    if (strstr(error.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

static void refusals(void **state)
{
    scene s, few;
    weft_side *endless = NULL;
    const weft_map map = {.hash = 8};
    const weft_side_options hashed = {.map = &map, .endless = true};
    open_scene(&s, "classes gni", ROWS);
    open_scene(&few, "none n", 1);
    assert_int_equal(weft_side_none(0, &hashed, &endless, NULL), WEFT_OK);
    const weft_view bad[][2] = {
        {{.kind = WEFT_VIEW_IDENTITY, .side = s.side[2]}, {.kind = WEFT_VIEW_GIVEN, .side = s.side[0]}},
        {{.kind = WEFT_VIEW_GIVEN, .side = s.side[0]}, {.kind = WEFT_VIEW_GIVEN, .side = s.side[1]}},
        {{.kind = WEFT_VIEW_GIVEN, .side = s.side[0]}, {.kind = WEFT_VIEW_NONE, .side = few.side[0]}},
        {{.kind = WEFT_VIEW_GIVEN, .side = s.side[0]},
         {.kind = (weft_view_kind)(WEFT_VIEW_PART + 1), .side = s.side[1]}},
        {{.kind = WEFT_VIEW_GIVEN, .side = NULL}, {.kind = WEFT_VIEW_NONE, .side = s.side[1]}},
        {{.kind = WEFT_VIEW_NONE, .side = endless}, {.kind = WEFT_VIEW_GIVEN, .side = s.side[1]}},
    };
    const char *const words[] = {"expected what is given first", "found a kind twice",
                                 "expected the same ids",        "without a kind or a side",
                                 "without a kind or a side",     "endless"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const weft_views views = {bad[k], 2};
        assert_refused(&views, NULL, WEFT_ARGUMENT, words[k]);
        assert_refused(&s.views, &views, WEFT_ARGUMENT, words[k]);
    }
    assert_refused(&(weft_views){NULL, 0}, NULL, WEFT_ARGUMENT, "there are none");
    weft_side_free(endless);
    close_scene(&few);
    close_scene(&s);
}

/* Without room for all of them nothing is written. */
static void there_must_be_room(void **state)
{
    static weft_member members[MOST];
    scene s;
    weft_error error = {0};
    open_scene(&s, "none n", ROWS);
    int64_t count = 31, all = 0;
    assert_int_equal(weft_committee_members(&s.views, NULL, NULL, &all, &error), WEFT_OK);
    assert_in_range(all, 32, MOST);
    memset(members, 0x5a, sizeof members);
    assert_int_equal(weft_committee_members(&s.views, NULL, members, &count, &error), WEFT_ARGUMENT);
    char expected[80];
    snprintf(expected, sizeof expected, "there is room for 31 members of a committee; it has %d", (int)all);
    assert_non_null(strstr(error.message, expected));
    assert_int_equal(count, 31);
    assert_int_equal(members[0].name[0], 0x5a);
    count = all;
    assert_int_equal(weft_committee_members(&s.views, NULL, members, &count, &error), WEFT_OK);
    assert_int_equal(members[all].name[0], 0x5a);
    close_scene(&s);
}

static void views_have_names(void **state)
{
    assert_string_equal(weft_view_name(WEFT_VIEW_GIVEN), "given");
    assert_string_equal(weft_view_name(WEFT_VIEW_NONE), "none");
    assert_string_equal(weft_view_name(WEFT_VIEW_IDENTITY), "given + identity");
    assert_string_equal(weft_view_name(WEFT_VIEW_NEAR), "diffusion 5");
    assert_string_equal(weft_view_name(WEFT_VIEW_FAR), "diffusion 20");
    assert_string_equal(weft_view_name(WEFT_VIEW_COMMUNITIES), "communities");
    assert_string_equal(weft_view_name(WEFT_VIEW_NARROW), "narrow");
    assert_string_equal(weft_view_name(WEFT_VIEW_WIDE), "wide");
    assert_string_equal(weft_view_name(WEFT_VIEW_PART), "part");
    assert_null(weft_view_name((weft_view_kind)(WEFT_VIEW_PART + 1)));
    assert_null(weft_view_name((weft_view_kind)-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_numbers),
        cmocka_unit_test(nobody_is_there_twice),
        cmocka_unit_test(sides),
        cmocka_unit_test(settings),
        cmocka_unit_test(all_of_them_play),
        cmocka_unit_test(refusals),
        cmocka_unit_test(there_must_be_room),
        cmocka_unit_test(views_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
