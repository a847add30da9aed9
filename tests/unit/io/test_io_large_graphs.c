/* SPDX-License-Identifier: MIT
 * Graphs of more than 4,000 vertices whose SPEC names no kernel: which they have with views and without, and
 * what becomes of the players over them. */
#define _POSIX_C_SOURCE 200809L

#include "side/side.h"
#include "support/dice.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

enum { DENSE = 4000, LARGE = 4001, COLUMNS = 5, TRIALS = 60 };

static int64_t from[LARGE], to[LARGE];

/* A ring, all of it. */
static weft_graph ring(int64_t vertices)
{
    for (int64_t k = 0; k < vertices; k++) {
        from[k] = k;
        to[k] = (k + 1) % vertices;
    }
    return (weft_graph){.vertices = vertices, .edges = vertices, .from = from, .to = to};
}

static weft_roster *from_memory(const weft_graph *graph, bool views)
{
    const weft_file_options options = {.roster = &(weft_roster_options){.views = views}};
    weft_roster *roster = NULL;
    weft_error error = {0};
    if (weft_roster_from_graph(graph, NULL, &options, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

/* A file with the ring, without one edge if it is cut twice: then it has two components. */
static test_file file_of_ring(int64_t vertices, bool cut)
{
    static char text[32 * LARGE];
    char *at = text;
    for (int64_t k = 0; k < vertices; k++)
        if (!cut || (k != 10 && k != 2000))
            at += sprintf(at, "%d %d\n", (int)k, (int)((k + 1) % vertices));
    return file_of(text);
}

static weft_roster *from_file(const test_file *file, const char *words, bool views)
{
    char spec[160];
    const weft_file_options options = {.roster = &(weft_roster_options){.views = views}};
    weft_roster *roster = NULL;
    weft_error error = {0};
    snprintf(spec, sizeof spec, "graph:%s%s", file->path, words);
    if (weft_roster_open(spec, &options, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

static int64_t admit(weft_roster *roster, const char *name)
{
    int64_t number = -1;
    weft_error error = {0};
    if (weft_roster_admit(roster, name, NULL, &number, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return number;
}

static void build(weft_roster *roster)
{
    weft_error error = {0};
    if (weft_roster_build(roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

static void assert_views(const weft_roster *roster, const char *expected)
{
    char found[8] = "";
    for (int64_t k = 0; k < weft_roster_view_count(roster); k++)
        found[k] = "gnitf"[weft_roster_view(roster, k).kind];
    assert_string_equal(found, expected);
}

/* ---- Which kernel ---- */

static void from_memory_by_size_and_views(void **state)
{
    assert_int_equal(weft_roster_graph_kernel(NULL), WEFT_PDLAPLACIAN);
    for (int views = 0; views < 2; views++)
        for (int large = 0; large < 2; large++) {
            weft_graph graph = ring(large ? LARGE : DENSE);
            for (int kernel = WEFT_PDLAPLACIAN; kernel <= WEFT_NO_KERNEL; kernel++) {
                bool open = kernel == WEFT_PDLAPLACIAN;
                graph.kernel = (weft_graph_kernel)kernel;
                graph.parameter = 1;
                weft_roster *roster = from_memory(&graph, views);
                assert_int_equal(weft_roster_graph_kernel(roster),
                                 open && large && views ? (int)WEFT_NO_KERNEL : kernel);
                weft_roster_free(roster);
            }
        }
}

/* What is said of the kernel is what is made, at any size. */
static void from_memory_with_a_scale(void **state)
{
    weft_graph graph = ring(LARGE);
    for (int k = 1; k < 4; k++) {
        graph.normalised = (k & 1) != 0;
        graph.unit = (k & 2) != 0;
        for (int kernel = WEFT_PDLAPLACIAN; kernel <= WEFT_NO_KERNEL; kernel++) {
            graph.kernel = (weft_graph_kernel)kernel;
            graph.parameter = 1;
            weft_roster *roster = from_memory(&graph, true);
            assert_int_equal(weft_roster_graph_kernel(roster), kernel);
            weft_roster_free(roster);
        }
    }
}

static void from_files(void **state)
{
    static const struct {
        const char *words;
        int64_t vertices;
        weft_graph_kernel kernel;
    } list[] = {
        {"", DENSE, WEFT_PDLAPLACIAN},
        {"", LARGE, WEFT_NO_KERNEL},
        {",missing=error", LARGE, WEFT_NO_KERNEL},
        {",connect=star", LARGE, WEFT_NO_KERNEL},
        {",connect=error", LARGE, WEFT_NO_KERNEL},
        {",kernel=pdlaplacian", LARGE, WEFT_PDLAPLACIAN},
        {",kernel=diffusion,time=1", LARGE, WEFT_DIFFUSION},
        {",kernel=none", DENSE, WEFT_NO_KERNEL},
        {",scale=unit", LARGE, WEFT_PDLAPLACIAN},
        {",laplacian=plain", LARGE, WEFT_PDLAPLACIAN},
        {",radius=9", LARGE, WEFT_PDLAPLACIAN},
        {",map=eigen:2", LARGE, WEFT_PDLAPLACIAN},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        test_file file = file_of_ring(list[k].vertices, false);
        weft_roster *roster = from_file(&file, list[k].words, true);
        if (weft_roster_graph_kernel(roster) != list[k].kernel)
            fail_msg("%s", list[k].words);
        weft_roster_free(roster);
        roster = from_file(&file, list[k].words, false);
        bool named = strstr(list[k].words, "kernel=") != NULL;
        assert_int_equal(weft_roster_graph_kernel(roster), named ? list[k].kernel : WEFT_PDLAPLACIAN);
        weft_roster_free(roster);
        unlink(file.path);
    }
}

/* Vertices are those that join: one of them makes the graph large, and none that is alone does. */
static void ids_that_join(void **state)
{
    test_file file = file_of_ring(DENSE, false);
    weft_roster *joined = from_file(&file, ",missing=join", true),
                *alone = from_file(&file, ",missing=alone", true);
    assert_int_equal(weft_roster_graph_kernel(joined), WEFT_PDLAPLACIAN);
    admit(joined, "stranger");
    admit(alone, "stranger");
    assert_int_equal(weft_roster_graph_kernel(joined), WEFT_NO_KERNEL);
    assert_int_equal(weft_roster_graph_kernel(alone), WEFT_PDLAPLACIAN);
    build(joined);
    assert_views(joined, "gn");
    assert_true(weft_side_graph(weft_roster_side(joined)).no_kernel);
    assert_int_equal(weft_side_graph(weft_roster_side(joined)).components, 2);
    assert_int_equal(weft_side_graph(weft_roster_side(joined)).joined, 0);
    weft_roster_free(joined);
    weft_roster_free(alone);
    unlink(file.path);
}

static void views(void **state)
{
    test_file file = file_of_ring(LARGE, false);
    weft_roster *roster = from_file(&file, "", true);
    build(roster);
    assert_views(roster, "gn");
    assert_int_equal(admit(roster, "late"), LARGE);
    assert_int_equal(weft_roster_graph_kernel(roster), WEFT_NO_KERNEL);
    for (int64_t k = 0; k < 2; k++) {
        const weft_side *side = weft_roster_view(roster, k).side;
        assert_true(weft__side_has(side, LARGE) && weft_side_entry(side, 0, 1) == 0);
        assert_true(side->ops->diagonal(side, LARGE) == 1);
    }
    weft_roster_free(roster);
    roster = from_file(&file, ",kernel=none", false);
    build(roster);
    assert_views(roster, "");
    assert_true(weft_side_graph(weft_roster_side(roster)).no_kernel);
    weft_roster_free(roster);
    unlink(file.path);
}

/* Who asks for an error where the graph is not connected gets it, though no kernel is made that needs it. */
static void pieces_may_be_an_error(void **state)
{
    test_file file = file_of_ring(LARGE, true);
    static const char *const words[] = {",connect=error", "", ",connect=star", ",kernel=none"};
    for (int k = 0; k < 4; k++) {
        weft_roster *roster = from_file(&file, words[k], true);
        weft_error error = {0};
        assert_int_equal(weft_roster_build(roster, &error), k == 0 ? WEFT_INPUT : WEFT_OK);
        if (k == 0 && strstr(error.message, "id '0' and id '11': graph: there is no path") == NULL)
            fail_msg("%s", error.message);
        weft_roster_free(roster);
    }
    unlink(file.path);
    weft_graph graph = ring(LARGE);
    graph.edges -= 2;
    for (int connect = 0; connect < 2; connect++) {
        graph.connect = connect;
        weft_roster *roster = from_memory(&graph, true);
        assert_int_equal(weft_roster_build(roster, NULL), connect ? WEFT_OK : WEFT_INPUT);
        weft_roster_free(roster);
    }
}

/* Rosters agree where their kernels do. */
static void agreement(void **state)
{
    static const struct {
        const char *a, *b;
        bool views[2], agree;
    } list[] = {
        {"", "", {true, true}, true},
        {"", "", {false, false}, true},
        {"", "", {true, false}, false},
        {"", ",kernel=pdlaplacian", {true, true}, false},
        {"", ",kernel=pdlaplacian", {false, false}, true},
        {",connect=star", ",missing=alone", {true, true}, true},
    };
    test_file file = file_of_ring(LARGE, false), small = file_of_ring(9, false);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        weft_roster *a = from_file(&file, list[k].a, list[k].views[0]),
                    *b = from_file(&file, list[k].b, list[k].views[1]);
        assert_int_equal(weft_roster_agrees(a, b), list[k].agree);
        weft_roster_free(a);
        weft_roster_free(b);
    }
    weft_roster *a = from_file(&small, "", true), *b = from_file(&small, ",kernel=pdlaplacian", true);
    assert_true(weft_roster_agrees(a, b));
    weft_roster_free(a);
    weft_roster_free(b);
    unlink(file.path);
    unlink(small.path);
}

/* ---- Players ---- */

static weft_roster *some_columns(void)
{
    weft_roster *roster = NULL;
    assert_int_equal(weft_roster_from_names(COLUMNS, NULL, NULL, &roster, NULL), WEFT_OK);
    return roster;
}

static weft_player *committee_over(weft_roster *rows, bool one_set)
{
    weft_player *player = NULL;
    weft_error error = {0};
    if (weft_player_create(rows, one_set ? NULL : some_columns(), NULL, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

/* Trial t by names; from the tenth on some that are no vertices. */
static void play(weft_player *player, int t, bool one_set)
{
    char row[16], column[16];
    int64_t pair[2];
    weft_error error = {0};
    int i = t * 661 % LARGE, j = one_set ? (i + 1 + t % 3) % LARGE : t % COLUMNS;
    snprintf(row, sizeof row, "%s%d", t % 10 == 9 ? "late" : "", i);
    snprintf(column, sizeof column, "%d", j);
    if (weft_player_pair(player, row, column, pair, &error) != WEFT_OK ||
        weft_player_learn(player, pair[0], pair[1], (i > LARGE / 2) == (j % 2 == 0) ? 1 : -1, NULL, &error) !=
            WEFT_OK)
        fail_msg("%s", error.message);
}

static unsigned char *bytes_of(const weft_player *player, size_t *size)
{
    weft_error error = {0};
    *size = 0;
    if (weft_player_to_bytes(player, NULL, size, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(weft_player_to_bytes(player, bytes, size, &error), WEFT_OK);
    return bytes;
}

static weft_player *read_again(const weft_player *player)
{
    size_t size = 0;
    unsigned char *bytes = bytes_of(player, &size);
    weft_player *opened = NULL;
    weft_error error = {0};
    if (weft_player_from_bytes(bytes, size, NULL, &opened, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    free(bytes);
    return opened;
}

static void assert_same(const weft_player *a, const weft_player *b)
{
    size_t size[2];
    unsigned char *first = bytes_of(a, &size[0]), *second = bytes_of(b, &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(first, second, size[0]);
    free(first);
    free(second);
}

static void assert_same_digest(const weft_player *a, const weft_player *b)
{
    uint64_t first[2] = {0, 0}, second[2] = {1, 1};
    assert_int_equal(weft_player_digest(a, first, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(b, second, NULL), WEFT_OK);
    assert_true(first[0] == second[0] && first[1] == second[1]);
}

/* Cut, written and read at trial 25 it goes on to the bit, from memory, with ids that came late; and has the
 * members of a graph without a kernel. */
static void a_player_goes_on(void **state)
{
    weft_graph graph = ring(LARGE);
    for (int one_set = 0; one_set < 2; one_set++) {
        weft_player *whole = committee_over(from_memory(&graph, false), one_set),
                    *cut = committee_over(from_memory(&graph, false), one_set);
        for (int t = 0; t < TRIALS; t++)
            play(whole, t, one_set);
        for (int t = 0; t < 25; t++)
            play(cut, t, one_set);
        weft_player *opened = read_again(cut);
        weft_player_free(cut);
        for (int t = 25; t < TRIALS; t++)
            play(opened, t, one_set);
        assert_same(whole, opened);
        for (int64_t k = 0; k < weft_player_member_count(opened); k++)
            assert_null(strstr(weft_committee_standing(opened, k).name, "diffusion"));
        weft_player_free(whole);
        weft_player_free(opened);
    }
}

/* A model over a graph without a kernel is read with what says the same, and with nothing else. */
static void a_model_knows_its_kernel(void **state)
{
    static const struct {
        const char *words;
        weft_status status;
    } list[] = {{"", WEFT_OK},
                {",connect=star", WEFT_OK},
                {",kernel=pdlaplacian", WEFT_ARGUMENT},
                {",kernel=none", WEFT_ARGUMENT},
                {",kernel=regularised,sigma=1", WEFT_ARGUMENT}};
    test_file file = file_of_ring(LARGE, false), model = file_of("");
    weft_player *player = committee_over(from_file(&file, "", false), false);
    weft_error error = {0};
    for (int t = 0; t < 15; t++)
        play(player, t, false);
    assert_int_equal(weft_player_save(player, model.path, &error), WEFT_OK);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        char spec[160];
        weft_player *opened = NULL;
        snprintf(spec, sizeof spec, "graph:%s%s", file.path, list[k].words);
        const weft_model_options options = {.rows = spec};
        weft_status status = weft_player_open(model.path, &options, &opened, &error);
        if (status != list[k].status)
            fail_msg("%s: %s", list[k].words, error.message);
        if (status == WEFT_ARGUMENT)
            assert_non_null(strstr(error.message, "which contradicts the model"));
        else
            assert_same_digest(player, opened);
        weft_player_free(opened);
    }
    weft_player_free(player);
    unlink(file.path);
    unlink(model.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_memory_by_size_and_views),
        cmocka_unit_test(from_memory_with_a_scale),
        cmocka_unit_test(from_files),
        cmocka_unit_test(ids_that_join),
        cmocka_unit_test(views),
        cmocka_unit_test(pieces_may_be_an_error),
        cmocka_unit_test(agreement),
        cmocka_unit_test(a_player_goes_on),
        cmocka_unit_test(a_model_knows_its_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
