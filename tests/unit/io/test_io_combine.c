/* SPDX-License-Identifier: MIT
 * Rosters of several kinds of side information. */
#define _POSIX_C_SOURCE 200809L

#include "side/side.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

static const char *const people[] = {"ann", "bob", "cleo", "fred"};
static const char *const friends[] = {"bob", "dan", "ann"};
static const int64_t group[] = {0, 0, 1, 1}, from[] = {0, 1}, to[] = {1, 2};

static weft_roster *classes_of(const weft_file_options *options)
{
    weft_roster *roster = NULL;
    assert_int_equal(weft_roster_from_classes(4, group, 0.1, people, options, &roster, NULL), WEFT_OK);
    return roster;
}

static weft_roster *graph_of(const weft_file_options *options)
{
    const weft_graph graph = {.vertices = 3, .edges = 2, .from = from, .to = to, .connect = true};
    weft_roster *roster = NULL;
    assert_int_equal(weft_roster_from_graph(&graph, friends, options, &roster, NULL), WEFT_OK);
    return roster;
}

static weft_roster *together(weft_roster *first, weft_roster *second)
{
    weft_roster *parts[] = {first, second}, *roster = NULL;
    weft_error error = {0};
    if (weft_roster_combine(parts, 2, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

static void assert_ids(const weft_roster *roster, const char *const *names, int64_t count)
{
    assert_int_equal(weft_ids_count(weft_roster_ids(roster)), count);
    for (int64_t i = 0; i < count; i++)
        assert_string_equal(weft_ids_name(weft_roster_ids(roster), i), names[i]);
}

/* K is the mean of both at equal scale, whichever comes first. */
static double mean(const weft_roster *roster, int64_t i, int64_t j)
{
    const char *a = weft_ids_name(weft_roster_ids(roster), i), *b = weft_ids_name(weft_roster_ids(roster), j);
    double sum = 0;
    for (int64_t k = 0; k < weft_roster_part_count(roster); k++) {
        const weft_roster *part = weft_roster_part(roster, k);
        int64_t x = weft_ids_find(weft_roster_ids(part), a), y = weft_ids_find(weft_roster_ids(part), b);
        const weft_side *side = weft_roster_side(part);
        sum += x < 0 || y < 0 ? (double)(i == j) : weft_side_entry(side, x, y) / weft_side_radius(side);
    }
    return sum / (double)weft_roster_part_count(roster);
}

/* That of kinds, in whichever order they are given. */
static void order(void **state)
{
    static const char *const first[] = {"ann", "bob", "cleo", "fred", "dan"};
    for (int k = 0; k < 2; k++) {
        weft_roster *roster =
            k == 0 ? together(classes_of(NULL), graph_of(NULL)) : together(graph_of(NULL), classes_of(NULL));
        int64_t number = -1;
        assert_ids(roster, first, 5);
        assert_int_equal(weft_roster_admit(roster, "eve", NULL, &number, NULL), WEFT_OK);
        assert_int_equal(number, 5);
        assert_int_equal(weft_roster_report(roster).let_in, 1);
        assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
        const weft_side *side = weft_roster_side(roster);
        for (int64_t i = 0; i < 6; i++)
            for (int64_t j = 0; j < 6; j++)
                assert_true(weft_side_entry(side, i, j) == mean(roster, i, j));
        assert_true(weft_side_entry(side, 6, 6) == 1 && weft_side_entry(side, 6, 0) == 0);
        assert_string_equal(weft_side_kind(side), "sum");
        weft_roster_free(roster);
    }
}

/* What is known alone is a part with a name; of the kinds' own views those that are worth it. */
static void views(void **state)
{
    static const weft_view_kind expected[] = {WEFT_VIEW_GIVEN, WEFT_VIEW_NONE, WEFT_VIEW_IDENTITY,
                                              WEFT_VIEW_PART,  WEFT_VIEW_PART, WEFT_VIEW_COMMUNITIES};
    const weft_file_options options = {.roster = &(weft_roster_options){.views = true}};
    weft_roster *roster = together(classes_of(&options), graph_of(&options));
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    int64_t count = weft_roster_view_count(roster);
    assert_true(count >= 5 && count <= 6);
    for (int64_t k = 0; k < count; k++)
        assert_int_equal(weft_roster_view(roster, k).kind, expected[k]);
    assert_string_equal(weft_roster_view(roster, 3).name, "classes");
    assert_string_equal(weft_roster_view(roster, 4).name, "graph");
    const weft_side *classes = weft_roster_view(roster, 3).side, *graph = weft_roster_view(roster, 4).side;
    assert_true(weft_side_entry(classes, 0, 1) == 1 && weft_side_entry(classes, 0, 4) == 0);
    assert_true(weft_side_entry(graph, 0, 4) > 0 && weft_side_entry(graph, 0, 2) == 0);
    weft_roster_free(roster);
    weft_roster *same[] = {classes_of(&options), NULL};
    const int64_t other[] = {0, 1, 0, 1};
    assert_int_equal(weft_roster_from_classes(4, other, 0.1, people, &options, &same[1], NULL), WEFT_OK);
    roster = together(same[0], same[1]); /* one SPEC, but other classes */
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    assert_string_equal(weft_roster_view(roster, 3).name, "memory.csv");
    weft_roster_free(roster);
}

/* ---- What is refused, after which the parts are the caller's ---- */

static void assert_refused(weft_roster *const *parts, int64_t count, const char *words)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    assert_int_equal(weft_roster_combine(parts, count, &roster, &error), WEFT_ARGUMENT);
    assert_null(roster);
    assert_non_null(strstr(error.message, words));
}

static void refused(void **state)
{
    weft_roster *a = classes_of(NULL), *b = classes_of(NULL), *c = graph_of(NULL), *none = NULL;
    weft_roster *roster = NULL, *many[WEFT_PARTS + 1] = {NULL};
    weft_error error = {0};
    int64_t number = 0;
    assert_int_equal(weft_roster_from_names(2, NULL, NULL, &none, NULL), WEFT_OK);
    assert_refused((weft_roster *[]){a, b}, 2, "is given twice");
    assert_refused((weft_roster *[]){a, a}, 2, "part 1 is part 0 again");
    assert_refused((weft_roster *[]){a, NULL}, 2, "part 1 is NULL");
    assert_refused((weft_roster *[]){a}, 0, "count is 0");
    assert_refused((weft_roster *[]){a, none}, 2, "it says that nothing is known");
    assert_int_equal(weft_roster_combine((weft_roster *[]){a}, 1, &roster, NULL), WEFT_OK);
    assert_ptr_equal(roster, a);
    roster = together(a, c);
    assert_refused((weft_roster *[]){a, b}, 2, "belongs to another player or roster");
    assert_refused((weft_roster *[]){roster, b}, 2, "it is made of several already");
    assert_int_equal(weft_player_create(c, NULL, NULL, &(weft_player *){NULL}, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_admit(b, "eve", NULL, &number, NULL), WEFT_OK);
    c = graph_of(NULL);
    assert_refused((weft_roster *[]){c, b}, 2, "ids were let in already");
    for (int k = 0; k <= WEFT_PARTS; k++) {
        const int64_t class_of[] = {k, 0};
        assert_int_equal(weft_roster_from_classes(2, class_of, 0, NULL, NULL, &many[k], NULL), WEFT_OK);
    }
    assert_refused(many, WEFT_PARTS + 1, "found 9 kinds of side information, expected at most 8");
    for (int k = 0; k <= WEFT_PARTS; k++)
        weft_roster_free(many[k]);
    weft_roster_free(roster);
    weft_roster_free(b);
    weft_roster_free(c);
    weft_roster_free(none);
}

/* Maps, sides that are made already, and more ids together than there is room for. */
static void refused_too(void **state)
{
    const weft_file_options few = {.id_limit = 4};
    test_file file = file_of("a b\nb c\nc d\nd a\n");
    weft_roster *a = classes_of(&few), *b = graph_of(&few), *mapped = NULL, *roster = NULL;
    weft_error error = {0};
    char spec[128];
    snprintf(spec, sizeof spec, "graph:%s,map=eigen:2", file.path);
    assert_int_equal(weft_roster_open(spec, NULL, &mapped, NULL), WEFT_OK);
    assert_refused((weft_roster *[]){a, mapped}, 2, "map= is for one kind alone");
    assert_int_equal(weft_roster_combine((weft_roster *[]){a, b}, 2, &roster, &error), WEFT_CAPACITY);
    assert_non_null(strstr(error.message, "found id 'dan', but there is room for only 4 ids"));
    assert_int_equal(weft_roster_build(b, NULL), WEFT_OK);
    assert_refused((weft_roster *[]){a, b}, 2, "ids were let in already, or its side is made");
    weft_roster_free(mapped);
    weft_roster_free(a);
    weft_roster_free(b);
    unlink(file.path);
}

/* Two of one kind are told apart by their files. */
static void names_of_files(void **state)
{
    test_file one = file_of("ann x\nbob y\ncleo y\n"), two = file_of("ann x\nbob x\ncleo y\n");
    const weft_file_options options = {.roster = &(weft_roster_options){.views = true}};
    char spec[256];
    weft_roster *roster = NULL;
    snprintf(spec, sizeof spec, "classes:%s,+classes:%s", one.path, two.path);
    assert_int_equal(weft_roster_open(spec, &options, &roster, NULL), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    bool first = strcmp(one.path, two.path) < 0;
    assert_string_equal(weft_roster_view(roster, 3).name, strrchr(first ? one.path : two.path, '/') + 1);
    assert_string_equal(weft_roster_view(roster, 4).name, strrchr(first ? two.path : one.path, '/') + 1);
    weft_roster_free(roster);
    unlink(one.path);
    unlink(two.path);
}

/* ---- Ids that a part lacks ---- */

static void missing(void **state)
{
    test_file one = file_of("ann x\nbob y\n"), two = file_of("ann cleo\n");
    char spec[256];
    weft_roster *roster = NULL;
    weft_error error = {0};
    const weft_event event = {.row = "cleo", .column = "ann", .file = "s", .line = 7};
    int64_t number = 0, pair[2];
    snprintf(spec, sizeof spec, "classes:%s,missing=error,+graph:%s,missing=join", one.path, two.path);
    assert_int_equal(weft_roster_open(spec, NULL, &roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_admit(roster, "cleo", &event, &number, &error), WEFT_UNKNOWN_ID);
    assert_non_null(strstr(error.message, one.path));
    assert_non_null(strstr(error.message, "s:7: found id 'cleo', expected one of the 2 ids"));
    assert_int_equal(weft_roster_admit(roster, "bob", &event, &number, NULL), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_find_pair(roster, NULL, &event, pair, &error), WEFT_UNKNOWN_ID);
    /* Whom only the classes list is a vertex without edges: the graph joins it to the others. */
    assert_int_equal(weft_roster_report(weft_roster_part(roster, 1)).let_in, 1);
    assert_int_equal(weft_side_graph(weft_roster_side(weft_roster_part(roster, 1))).joined, 1);
    weft_roster_ask_anyone(roster);
    assert_int_equal(weft_roster_find_pair(roster, NULL, &event, pair, NULL), WEFT_OK);
    weft_roster_free(roster);
    unlink(one.path);
    unlink(two.path);
}

/* ---- Players ---- */

static void play(weft_player *player, int t)
{
    static const char *const rows[] = {"ann", "bob", "cleo", "dan", "eve", "fred"};
    int64_t pair[2];
    char column[] = {(char)('A' + t % 5), 0};
    assert_int_equal(weft_player_pair(player, rows[t % 6], column, pair, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(player, pair[0], pair[1], t * t % 7 < 3 ? 1 : -1, NULL, NULL),
                     WEFT_OK);
}

static weft_player *player_of(const weft_file_options *options, bool one_set)
{
    weft_roster *columns = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    if (!one_set)
        assert_int_equal(weft_roster_open("none", options, &columns, NULL), WEFT_OK);
    if (weft_player_create(together(classes_of(options), graph_of(options)), columns, NULL, &player,
                           &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

static void assert_equal_players(const weft_player *a, const weft_player *b)
{
    uint64_t one[2], two[2];
    assert_int_equal(weft_player_digest(a, one, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(b, two, NULL), WEFT_OK);
    assert_memory_equal(one, two, sizeof one);
}

/* Written, read and gone on with, it is the player that was never stopped; and so is a copy. */
static void models(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++) {
        weft_player *player = player_of(NULL, one_set), *half = player_of(NULL, one_set), *read = NULL;
        weft_player *copy = NULL;
        weft_error error = {0};
        size_t size = 0;
        for (int t = 0; t < 40; t++)
            play(player, t);
        for (int t = 0; t < 20; t++)
            play(half, t);
        assert_int_equal(weft_player_to_bytes(half, NULL, &size, NULL), WEFT_OK);
        unsigned char *bytes = malloc(size);
        assert_int_equal(weft_player_to_bytes(half, bytes, &size, NULL), WEFT_OK);
        if (weft_player_from_bytes(bytes, size, NULL, &read, &error) != WEFT_OK)
            fail_msg("%s", error.message);
        if (weft_player_clone(half, &copy, &error) != WEFT_OK)
            fail_msg("%s", error.message);
        for (int t = 20; t < 40; t++) {
            play(read, t);
            play(copy, t);
        }
        assert_equal_players(player, read);
        assert_equal_players(player, copy);
        free(bytes);
        weft_player_free(copy);
        weft_player_free(read);
        weft_player_free(half);
        weft_player_free(player);
    }
}

/* ---- Memory ---- */

/* A circle of 500, and classes of the same. */
static weft_roster *large(const weft_file_options *options)
{
    enum { LARGE = 500 };
    static int64_t at[LARGE], next[LARGE], class_of[LARGE];
    weft_roster *classes = NULL, *graph = NULL;
    for (int64_t k = 0; k < LARGE; k++) {
        at[k] = k;
        next[k] = (k + 1) % LARGE;
        class_of[k] = k / 10;
    }
    const weft_graph circle = {.vertices = LARGE, .edges = LARGE, .from = at, .to = next};
    assert_int_equal(weft_roster_from_classes(LARGE, class_of, 0.1, NULL, options, &classes, NULL), WEFT_OK);
    assert_int_equal(weft_roster_from_graph(&circle, NULL, options, &graph, NULL), WEFT_OK);
    return together(classes, graph);
}

/* What is foreseen is what is taken, to a factor of 2. */
static void estimates(void **state)
{
    for (int committee = 0; committee < 2; committee++) {
        test_alloc alloc;
        weft_memory hook = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        const weft_file_options options = {.memory = &hook};
        const weft_player_options none = {0};
        weft_roster *roster = large(&options);
        const weft_plan plan = {.committee = committee ? &none : NULL, .trials = 1};
        weft_estimate estimate = weft_estimate_run(roster, NULL, &plan);
        weft_player *player = NULL;
        int64_t held = alloc.bytes;
        alloc.peak = held;
        assert_int_equal(committee ? weft_player_create(roster, NULL, NULL, &player, NULL)
                                   : weft_roster_build(roster, NULL),
                         WEFT_OK);
        int64_t taken = alloc.peak - held;
        assert_true(estimate.all.least > taken / 4 && estimate.all.least <= taken);
        assert_true(estimate.all.most >= taken - taken / 8 && estimate.all.most <= 4 * taken);
        weft_player_free(player);
        if (!committee)
            weft_roster_free(roster);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

/* Whichever allocation is refused, nothing leaks, and the parts are the caller's again. */
static void memory(void **state)
{
    for (int64_t k = 0;; k++) {
        test_alloc alloc;
        weft_memory hook = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        const weft_file_options options = {.memory = &hook, .roster = &(weft_roster_options){.views = true}};
        weft_roster *parts[] = {classes_of(&options), graph_of(&options)}, *roster = NULL;
        test_alloc_arm(&alloc, k);
        weft_status status = weft_roster_combine(parts, 2, &roster, NULL);
        assert_int_equal(status == WEFT_OK, roster != NULL);
        if (status == WEFT_OK)
            status = weft_roster_build(roster, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        bool failed = status != WEFT_OK;
        if (roster == NULL)
            roster = together(parts[0], parts[1]);
        if (failed)
            assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
        weft_roster_free(roster);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),     cmocka_unit_test(views),       cmocka_unit_test(refused),
        cmocka_unit_test(missing),   cmocka_unit_test(models),      cmocka_unit_test(memory),
        cmocka_unit_test(estimates), cmocka_unit_test(refused_too), cmocka_unit_test(names_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
