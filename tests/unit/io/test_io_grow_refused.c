/* SPDX-License-Identifier: MIT
 * Files that have not grown but changed, that are read again or cannot be, and what is said of them. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include "support/test.h"

#include "test_io_grow_support.h"

/* ---- Files that are not kept ---- */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Of a file that stays where it is; `options` may be NULL. */
static weft_roster *open_path(const char *kind, const char *path, const char *words,
                              const weft_file_options *options)
{
    char spec[200];
    weft_roster *roster = NULL;
    weft_error error = {0};
    snprintf(spec, sizeof spec, "%s:%s%s", kind, path, words);
    if (weft_roster_open(spec, options, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

static weft_player *play(weft_roster *rows)
{
    weft_player *player = NULL;
    weft_error error = {0};
    if (weft_player_create(rows, NULL, NULL, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

/* Its own file is read a second time, and must be what it was when it was opened. */
static void files_are_read_again(void **state)
{
    test_file file = file_of("a one\nb two\n");
    weft_player *player = play(open_path("classes", file.path, "", NULL)), *copy = NULL;
    weft_error error = {0};
    write_text(file.path, "a one\nb two\nc two\n");
    grow(player, open_path("classes", file.path, "", NULL));
    assert_int_equal(number_of(player, "c"), 2);
    write_text(file.path, "a one\nb two\nc two\nd one\n");
    weft_roster *grown = open_path("classes", file.path, "", NULL);
    write_text(file.path, "a one\nb two\nc two\nd two\n");
    refuse(player, grown, WEFT_INPUT,
           "found other contents than when the roster was opened, expected the same");
    assert_int_equal(weft_player_clone(player, &copy, &error), WEFT_MODEL);
    assert_non_null(strstr(error.message, "found another digest of a file than when the player was made"));
    grown = open_path("classes", file.path, "", NULL);
    unlink(file.path);
    refuse(player, grown, WEFT_FILE, "cannot be opened");
    assert_int_equal(number_of(player, "d"), -1);
    weft_player_free(player);
}

/* What the model does not keep cannot be told. */
static void what_was_is_not_known(void **state)
{
    test_file file = file_of("a one\nb two\n");
    weft_player *player = play(open_path("classes", file.path, "", NULL));
    unlink(file.path);
    refuse(player, open_text("classes", "", "b one\na one\nc one\n"), WEFT_MODEL,
           ":1: id 'b': found b,one, expected what it said when the model was saved");
    refuse(player, open_text("classes", "", "b two\nc one\n"), WEFT_MODEL,
           "found no id 'a', expected what it said when the model was saved");
    write_text(file.path, "a one\nb one\nc two\n");
    weft_roster *grown = open_path("classes", file.path, "", NULL);
    refuse(player, grown, WEFT_MODEL, ":2: id 'b': found b,one, expected what it said");
    unlink(file.path);
    weft_player_free(player);
}

/* ---- Tables ---- */

static const char *const table = "age,name,town\n20,a,P\n30,b,Q\n40,c,P\n50,d,Q\n";

static void columns_stay(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"age,name,city\n20,a,P\n30,b,Q\n40,c,P\n50,d,Q\n60,e,P\n",
         "found 'city' behind the ids as column 2, expected 'town' as when the model was saved"},
        {"town,name,age\nP,a,20\nQ,b,30\nP,c,40\nQ,d,50\nQ,e,60\n",
         "found 'town' behind the ids as column 1, expected 'age'"},
        {"age,name,town,more\n20,a,P,1\n30,b,Q,2\n40,c,P,1\n50,d,Q,2\n",
         "found 'more' behind the ids as column 3, expected 'no more columns'"},
        {"age,name\n20,a\n30,b\n40,c\n50,d\n",
         "found 'no more columns' behind the ids as column 2, expected 'town'"},
        {"age,name,town\n20,a,P\n31,b,Q\n40,c,P\n50,d,Q\n60,e,Q\n",
         ":3: id 'b': found 31,b,Q, expected 30,b,Q: a file may grow"},
        {"age,name,town\n20,a,P\n30,b,\n40,c,P\n50,d,Q\n60,e,Q\n",
         ":3: id 'b': found 30,b,, expected 30,b,Q: a file may grow"},
    };
    weft_player *player = player_of("table", ",id=name", table);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        refuse(player, open_text("table", ",id=name", cases[k].text), WEFT_MODEL, cases[k].words);
    weft_player_free(player);
    player = player_of("features", "", "a 1 2\nb 2 1\nc 3 5\n");
    refuse(player, open_text("features", "", "a 1 2 0\nb 2 1 0\nc 3 5 1\n"), WEFT_MODEL,
           "found 3 numbers of an id, expected 2 as when the model was saved");
    weft_player_free(player);
}

/* Of a long line the beginning is shown. */
static void long_lines(void **state)
{
    char text[400], words[200];
    weft_player *player = player_of("classes", "", "a one\nb two\n");
    weft_error error = {0};
    memset(words, 'x', sizeof words);
    words[150] = 0;
    snprintf(text, sizeof text, "a one\nb %s\n", words);
    weft_roster *grown = open_text("classes", "", text);
    assert_int_equal(weft_player_grow(player, WEFT_ROWS, grown, &error), WEFT_MODEL);
    words[117] = 0;
    snprintf(text, sizeof text, "found b,%s, expected b,two", words);
    if (strstr(error.message, text) == NULL)
        fail_msg("%s", error.message);
    weft_roster_free(grown);
    weft_player_free(player);
}

/* ---- Ids in a file of their own ---- */

#define BANNER "%%MatrixMarket matrix coordinate real symmetric\n"

static weft_roster *market(const char *ids, const char *entries)
{
    test_file names = file_of(ids), file = file_of(entries);
    weft_roster_options keep = {.keep = true};
    char words[100];
    snprintf(words, sizeof words, ",ids=%s", names.path);
    weft_roster *roster = open_path("kernel", file.path, words, &(weft_file_options){.roster = &keep});
    unlink(names.path);
    unlink(file.path);
    return roster;
}

/* A line with numbers says nothing of whom it is. */
static void ids_beside(void **state)
{
    weft_player *player = play(market("a\nb\n", BANNER "2 2 3\n1 1 1\n2 2 1\n1 2 0.5\n"));
    refuse(player, market("a\nb\nc\n", BANNER "3 3 4\n1 1 1\n2 2 2\n3 3 1\n1 2 .5\n"), WEFT_MODEL,
           ": id 'b': found something else, expected what it said when the model was saved");
    refuse(player, market("a\nc\n", BANNER "2 2 3\n1 1 1\n2 2 1\n1 2 .5\n"), WEFT_MODEL,
           "found no id 'b', expected what it said when the model was saved");
    grow(player, market("c\nb\na\n", BANNER "3 3 5\n1 1 4\n2 2 1\n3 3 1\n3 2 .5\n2 1 .25\n"));
    assert_int_equal(number_of(player, "c"), 2);
    const weft_side *side = weft_roster_side(weft_player_roster(player, WEFT_ROWS));
    assert_true(weft_side_entry(side, 0, 1) == 0.5 && weft_side_entry(side, 1, 2) <= 0.25);
    assert_true(weft_side_entry(side, 0, 2) == 0);
    weft_player_free(player);
}

/* ---- Room ---- */

static void ids_are_limited(void **state)
{
    weft_roster_options keep = {.keep = true};
    const weft_file_options options = {.roster = &keep, .id_limit = 6};
    test_file file = file_of("a one\nb two\n");
    weft_player *player = play(open_path("classes", file.path, "", &options));
    learn(player, "s", "t", 1);
    learn(player, "u", "a", 1);
    write_text(file.path, "a one\nb two\nc one\nd one\n");
    weft_roster *grown = open_path("classes", file.path, "", &options);
    refuse(player, grown, WEFT_CAPACITY, "found 7 ids with those known before, but there is room for only 6");
    write_text(file.path, "a one\nb two\nt one\nd one\n");
    grow(player, open_path("classes", file.path, "", &options));
    assert_int_equal(number_of(player, "t"), 3);
    assert_int_equal(number_of(player, "d"), 5);
    unlink(file.path);
    weft_player_free(player);
}

/* ---- What cannot grow ---- */

/* A compact learner over the coordinates of a map. */
static weft_player *mapped_learner(weft_roster *rows)
{
    weft_model model = {.rows = rows, .embed = true};
    weft_settings settings = {.form = WEFT_ONE_SET, .eta = 0.9, .gamma = 0.9, .engine = WEFT_COMPACT};
    weft_player *player = NULL;
    test_file place = file_of("");
    assert_int_equal(weft_roster_build(rows, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(weft_roster_side(rows), NULL, &settings, NULL, &model.player, NULL),
                     WEFT_OK);
    assert_int_equal(weft_model_write(place.path, &model, NULL), WEFT_OK);
    weft_model_close(&model);
    assert_int_equal(weft_player_open(place.path, NULL, &player, NULL), WEFT_OK);
    unlink(place.path);
    return player;
}

static void maps(void **state)
{
    weft_player *player =
        mapped_learner(open_text("graph", ",map=eigen:3", "a b\nb c\nc d\nd e\ne f\nf a\n"));
    refuse(player, open_text("graph", ",map=eigen:3", "a b\nb c\nc d\nd e\ne f\nf a\na g\n"),
           WEFT_UNSUPPORTED, "it is played through a map of what was known at first, so that it cannot grow");
    weft_player_free(player);
}

/* ---- Edges ---- */

/* A path of many, with loops and both directions of an edge said again, by the numbers of the ids. */
static char *path_of(int count, const char *more)
{
    static char text[8000];
    size_t length = 0;
    for (int k = 0; k < count; k++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "v%d v%d\nv%d v%d\n", k, k + 1, k + 1, k);
    snprintf(text + length, sizeof text - length, "v0 v0\nv3 v3\n%s", more);
    return text;
}

static void edges_that_stand_again(void **state)
{
    weft_player *player = player_of("graph", "", path_of(100, ""));
    grow(player, open_text("graph", "", path_of(102, "new new\nnew v101\n")));
    assert_int_equal(facts_of(player).new_edges, 3);
    assert_int_equal(facts_of(player).grown, 3);
    assert_int_equal(number_of(player, "v102"), 102);
    int64_t own = community_of(player, "v101");
    assert_int_equal(community_of(player, "v100"), own);
    assert_int_equal(community_of(player, "new"), own);
    refuse(player, open_text("graph", "", path_of(102, "new v101\n")), WEFT_MODEL,
           "found no edge 'new' 'new', expected it with weight 1");
    grow(player, open_text("graph", "", path_of(102, "later v0\nnew new\nv101 new\n")));
    assert_int_equal(facts_of(player).new_edges, 1);
    weft_player_free(player);
}

/* ---- Communities ---- */

/* As many edges to either: of the community that was first. */
static void ties_go_to_the_first(void **state)
{
    const char *const first = "a b\nb c\nc a\nx y\ny z\nz x\nc x 0.1\n";
    for (int turned = 0; turned < 2; turned++) {
        char text[200];
        weft_player *player = player_of("graph", "", first);
        int64_t abc = community_of(player, "a"), xyz = community_of(player, "x");
        assert_true(abc != xyz);
        snprintf(text, sizeof text, "%s%s", first, turned ? "new y\nnew a\n" : "new a\nnew y\n");
        grow(player, open_text("graph", "", text));
        assert_int_equal(community_of(player, "new"), abc < xyz ? abc : xyz);
        weft_player_free(player);
    }
}

/* The ten nearest vote, wherever they stand: of twelve the last ten, of which the middle four have most. */
static void the_nearest_ten(void **state)
{
    char first[800] = "", text[900];
    size_t length = 0;
    for (int k = 0; k < 12; k++)
        length += (size_t)snprintf(first + length, sizeof first - length, "a%d %g 0\n", k, 0.01 * k);
    for (int k = 0; k < 12; k++)
        length += (size_t)snprintf(first + length, sizeof first - length, "b%d %g 0\n", k, 8 - 0.01 * k);
    weft_player *player = player_of("features", ",kernel=gaussian,width=1", first);
    int64_t far = community_of(player, "b4"), middle = community_of(player, "b5");
    assert_true(far != middle && community_of(player, "b0") == far && community_of(player, "b8") == middle);
    assert_true(community_of(player, "b9") != middle && community_of(player, "a11") != middle);
    snprintf(text, sizeof text, "%s%s", first, "near 5 0\n");
    grow(player, open_text("features", ",kernel=gaussian,width=1", text));
    assert_int_equal(community_of(player, "near"), middle);
    weft_player_free(player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_again),
        cmocka_unit_test(what_was_is_not_known),
        cmocka_unit_test(columns_stay),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(ids_beside),
        cmocka_unit_test(ids_are_limited),
        cmocka_unit_test(maps),
        cmocka_unit_test(edges_that_stand_again),
        cmocka_unit_test(ties_go_to_the_first),
        cmocka_unit_test(the_nearest_ten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
