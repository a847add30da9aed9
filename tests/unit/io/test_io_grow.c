/* SPDX-License-Identifier: MIT
 * What becomes of side information that has grown: what stays, what is new, and what is refused. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include "support/test.h"

#include "learner/learner.h"
#include "test_io_grow_support.h"

static double entry(const weft_player *player, const char *a, const char *b)
{
    const weft_side *side = weft_roster_side(weft_player_roster(player, WEFT_ROWS));
    return weft_side_entry(side, number_of(player, a), number_of(player, b));
}

/* An id that was let in keeps its number, and is what the file says from then on. */
static void let_in_and_listed_later(void **state)
{
    weft_player *player = player_of("classes", "", "a one\nb two\n");
    learn(player, "a", "stranger", 1);
    assert_int_equal(number_of(player, "stranger"), 2);
    assert_true(entry(player, "a", "stranger") == 0);
    grow(player, open_text("classes", "", "new two\nstranger one\nb two\na one\n"));
    assert_int_equal(number_of(player, "a"), 0);
    assert_int_equal(number_of(player, "b"), 1);
    assert_int_equal(number_of(player, "stranger"), 2);
    assert_int_equal(number_of(player, "new"), 3);
    assert_true(entry(player, "a", "stranger") == 1 && entry(player, "a", "new") == 0);
    assert_true(entry(player, "b", "new") == 1 && entry(player, "new", "new") == 1.1);
    weft_roster_facts facts = facts_of(player);
    assert_int_equal(facts.grown, 2);
    assert_int_equal(facts.listed_later, 1);
    assert_int_equal(facts.listed, 4);
    assert_int_equal(facts.let_in, 0);
    learn(player, "another", "new", -1);
    const weft_roster *roster = weft_player_roster(player, WEFT_ROWS);
    assert_true(weft_roster_lists(roster, 2) && !weft_roster_lists(roster, 4));
    assert_false(weft_roster_lists(roster, -1));
    assert_int_equal(facts_of(player).let_in, 1);
    weft_player_free(player);
}

/* ---- Tables ---- */

static int64_t traits_of(const weft_player *player, const char *name, weft__trait list[16])
{
    const weft_side *side = weft_roster_side(weft_player_roster(player, WEFT_ROWS));
    assert_true(side->most_traits <= 16);
    return side->ops->traits(side, number_of(player, name), list);
}

static const char *const table = "id,age,town,kind\na,20,P,x\nb,30,Q,y\nc,40,P,x\nd,50,Q,y\ne,60,R,x\n";

static char *with_more(const char *more)
{
    static char text[512];
    snprintf(text, sizeof text, "%s%s", table, more);
    return text;
}

/* Words that come later move no trait, though their columns stand before others. */
static void traits_keep_their_numbers(void **state)
{
    weft_player *player = player_of("table", "", table);
    weft__trait before[16], now[16];
    int64_t count = traits_of(player, "a", before), last = 0;
    for (int64_t k = 0; k < count; k++)
        last = before[k].number > last ? before[k].number : last;
    traits_of(player, "b", before);
    count = traits_of(player, "d", before);
    for (int day = 0; day < 2; day++) {
        grow(player, open_text("table", "",
                               with_more(day == 0 ? "f,40,R,z\ng,40,S,z\n"
                                                  : "f,40,R,z\ng,40,S,z\nh,40,S,w\ni,40,T,w\n")));
        assert_int_equal(traits_of(player, "d", now), count);
        for (int64_t k = 0; k < count; k++)
            assert_true(now[k].number == before[k].number && now[k].value == before[k].value);
    }
    /* R has come first, in the row of f; then z, S, and w. */
    int64_t e = traits_of(player, "e", now), r = now[e - 2].number;
    int64_t h = traits_of(player, "h", now), s = now[h - 2].number, w = now[h - 1].number;
    int64_t g = traits_of(player, "g", now), z = now[g - 1].number;
    assert_int_equal(z, r + 1);
    assert_int_equal(s, r + 2);
    assert_int_equal(w, r + 3);
    assert_int_equal(now[g - 2].number, s);
    weft_player_free(player);
}

/* Centre and scale are those of the first rows, what is beyond them is cut off, and other columns stay
 * out. */
static void scales_stay(void **state)
{
    weft_player *player = player_of("table", "", table);
    weft_column before = weft_roster_column(weft_player_roster(player, WEFT_ROWS), 0);
    weft__trait old[16], now[16];
    traits_of(player, "a", old);
    grow(player, open_text("table", "", with_more("f,9000,P,x\ng,-9000,P,x\nh,,P,x\ni,word,Q,y\n")));
    weft_column column = weft_roster_column(weft_player_roster(player, WEFT_ROWS), 0);
    assert_true(column.centre == before.centre && column.scale == before.scale);
    assert_int_equal(column.use, WEFT_COLUMN_NUMBERS);
    assert_int_equal(column.numbers, 7);
    assert_int_equal(facts_of(player).beyond, 2);
    traits_of(player, "a", now);
    assert_true(now[0].value == old[0].value);
    traits_of(player, "f", now);
    assert_true(now[0].number == 0 && now[0].value == 3);
    traits_of(player, "g", now);
    assert_true(now[0].number == 0 && now[0].value == -3);
    traits_of(player, "h", now);
    assert_true(now[0].number != 0);
    /* Of two days only the later is told. */
    grow(player,
         open_text("table", "", with_more("f,9000,P,x\ng,-9000,P,x\nh,,P,x\ni,word,Q,y\nj,41,Q,y\n")));
    assert_int_equal(facts_of(player).beyond, 0);
    weft_player_free(player);
}

/* In pieces or at once, in the order in which it came. */
static void pieces_and_all_at_once(void **state)
{
    weft_player *pieces = player_of("table", "", table), *whole = player_of("table", "", table);
    uint64_t x[2], y[2];
    grow(pieces, open_text("table", "", with_more("f,70,R,z\n")));
    grow(pieces, open_text("table", "", with_more("f,70,R,z\ng,80,S,z\nh,90,S,x\n")));
    grow(whole, open_text("table", "", with_more("f,70,R,z\ng,80,S,z\nh,90,S,x\n")));
    for (int t = 0; t < 30; t++) {
        const char *row = (const char *[]){"a", "f", "h", "c", "g"}[t % 5];
        const char *column = (const char *[]){"b", "d", "g", "e"}[t % 4];
        learn(pieces, row, column, t % 3 ? 1 : -1);
        learn(whole, row, column, t % 3 ? 1 : -1);
    }
    assert_int_equal(weft_player_digest(pieces, x, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(whole, y, NULL), WEFT_OK);
    assert_memory_equal(x, y, sizeof x);
    weft_player_free(pieces);
    weft_player_free(whole);
}

/* ---- Graphs, kernels ---- */

/* Two triangles, and then one who knows most of the second, one who knows only that, and two by
 * themselves. */
static void communities_are_joined(void **state)
{
    const char *const first = "a b\nb c\nc a\nx y\ny z\nz x\nc x 0.1\n";
    char text[200];
    weft_player *player = player_of("graph", "", first);
    int64_t abc = community_of(player, "a"), xyz = community_of(player, "x");
    assert_true(abc != xyz && community_of(player, "c") == abc && community_of(player, "z") == xyz);
    snprintf(text, sizeof text, "%s%s", "friend new\nnew y\nnew z\nnew a\np q\n", first);
    grow(player, open_text("graph", "", text));
    assert_int_equal(community_of(player, "a"), abc);
    assert_int_equal(community_of(player, "z"), xyz);
    assert_int_equal(community_of(player, "new"), xyz);
    assert_int_equal(community_of(player, "friend"), xyz);
    int64_t own = community_of(player, "p");
    assert_true(own != abc && own != xyz && community_of(player, "q") == own);
    assert_int_equal(facts_of(player).new_edges, 5);
    weft_player_free(player);
}

static void communities_of_the_nearest(void **state)
{
    const char *const first = "a 0 0\nb 0.1 0\nc 0 0.1\nd 0.1 0.1\nx 5 5\ny 5.1 5\nz 5 5.1\nw 5.1 5.1\n";
    char text[200];
    weft_player *player = player_of("features", ",kernel=gaussian,width=1", first);
    int64_t xyz = community_of(player, "x");
    assert_true(community_of(player, "a") != xyz);
    snprintf(text, sizeof text, "%s%s", first, "new 5.05 5.05\nfar 90 90\n");
    grow(player, open_text("features", ",kernel=gaussian,width=1", text));
    assert_int_equal(community_of(player, "new"), xyz);
    assert_int_equal(community_of(player, "x"), xyz);
    int64_t own = community_of(player, "far");
    assert_true(own != xyz && own != community_of(player, "a"));
    weft_player_free(player);
}

/* R of features stays, and who is longer is shortened; that of a graph is what its kernel needs. */
static void squared_radii(void **state)
{
    weft_player *player = player_of("features", ",kernel=linear,epsilon=0.5", "a 1 0\nb 0 2\nc 1 1\n");
    const weft_side *side = weft_roster_side(weft_player_roster(player, WEFT_ROWS));
    assert_true(weft_side_radius(side) == 4.5);
    grow(player, open_text("features", ",kernel=linear,epsilon=0.5", "a 1 0\nb 0 2\nc 1 1\nd 30 40\n"));
    side = weft_roster_side(weft_player_roster(player, WEFT_ROWS));
    assert_true(weft_side_radius(side) == 4.5);
    assert_int_equal(facts_of(player).shortened, 1);
    assert_true(entry(player, "d", "d") <= 4.5 && entry(player, "d", "d") > 4.49);
    assert_true(entry(player, "b", "b") == 4.5);
    assert_true(fabs(entry(player, "a", "d") - 30 * sqrt(4.5 / 2500.5)) < 1e-12);
    weft_player_free(player);
    player = player_of("graph", "", "a b\nb c\n");
    double before = weft_side_radius(weft_roster_side(weft_player_roster(player, WEFT_ROWS)));
    grow(player, open_text("graph", "", "a b\nb c\nc d\nd e\ne f\nf g\n"));
    double now = weft_side_radius(weft_roster_side(weft_player_roster(player, WEFT_ROWS)));
    assert_true(now > 2 * before);
    assert_int_equal(facts_of(player).shortened, 0);
    weft_player_free(player);
}

/* The kernel of a graph that has grown is that of the graph as it is by now. */
static void kernels_are_made_anew(void **state)
{
    static const char *const words[] = {"", ",kernel=regularised,sigma=2", ",kernel=diffusion,time=2"};
    const char *const grown = "e d\na b\nb c\nc d\nd a 2\n";
    for (int k = 0; k < 3; k++) {
        weft_player *player = player_of("graph", words[k], "c b\na b\n");
        weft_player *fresh = player_of("graph", words[k], grown);
        learn(player, "a", "stranger", 1);
        grow(player, open_text("graph", words[k], grown));
        for (const char *a = "abcde"; *a != 0; a++)
            for (const char *b = "abcde"; *b != 0; b++) {
                char x[2] = {*a, 0}, y[2] = {*b, 0};
                assert_true(fabs(entry(player, x, y) - entry(fresh, x, y)) < 1e-9);
            }
        assert_true(entry(player, "stranger", "a") == 0);
        weft_player_free(player);
        weft_player_free(fresh);
    }
}

/* ---- One learner ---- */

static weft_player *learner_of(const char *text)
{
    weft_model model = {.rows = open_text("graph", "", text), .embed = true};
    weft_settings settings = {.form = WEFT_ONE_SET, .eta = 0.9, .gamma = 0.9};
    weft_player *player = NULL;
    test_file place = file_of("");
    assert_int_equal(weft_roster_build(model.rows, NULL), WEFT_OK);
    assert_int_equal(
        weft_learner_create(weft_roster_side(model.rows), NULL, &settings, NULL, &model.player, NULL),
        WEFT_OK);
    assert_int_equal(weft_model_write(place.path, &model, NULL), WEFT_OK);
    weft_model_close(&model);
    assert_int_equal(weft_player_open(place.path, NULL, &player, NULL), WEFT_OK);
    unlink(place.path);
    return player;
}

/* The evidence stays; its bound and its margins are those of a learner that has it over the new kernel. */
static void evidence_stays(void **state)
{
    weft_player *player = learner_of("a b\nb c\nc d\n"), *fresh = NULL;
    weft_evidence_entry entries[32];
    for (int t = 0; t < 40; t++)
        learn(player, (const char *[]){"a", "b", "c", "d", "late"}[t * 3 % 5],
              (const char *[]){"b", "d", "late", "a"}[t % 4], t % 3 ? 1 : -1);
    int64_t count = weft_player_evidence_count(player);
    assert_true(count > 4 && count <= 32);
    for (int64_t k = 0; k < count; k++)
        entries[k] = weft_player_evidence(player, k);
    grow(player, open_text("graph", "", "a b\nb c\nc d\nlate new 0.01\nnew d 0.01\nx y 0.01\n"));
    assert_int_equal(weft_player_evidence_count(player), count);
    const weft_side *side = weft_roster_side(weft_player_roster(player, WEFT_ROWS));
    weft_settings settings = weft_learner_settings(player);
    assert_int_equal(weft_learner_create(side, NULL, &settings, NULL, &fresh, NULL), WEFT_OK);
    assert_int_equal(weft_player_add_evidence(fresh, entries, count, NULL), WEFT_OK);
    weft__learner *grown = weft__learner_in(player), *anew = weft__learner_in(fresh);
    weft__learner_rebound(anew);
    assert_true(grown->bound.weyl == anew->bound.weyl && grown->bound.log_trace == anew->bound.log_trace);
    for (int64_t i = 0; i < 6; i++)
        for (int64_t j = 0; j < i; j++) {
            weft_answer x = {0}, y = {0};
            assert_int_equal(weft_player_evaluate(player, i, j, 1e-9, &x, NULL), WEFT_OK);
            assert_int_equal(weft_player_evaluate(fresh, i, j, 1e-9, &y, NULL), WEFT_OK);
            assert_true(x.lower <= y.upper && y.lower <= x.upper);
        }
    weft_player_free(fresh);
    weft_player_free(player);
}

/* ---- What is refused ---- */

static void what_was_there_must_stay(void **state)
{
    weft_player *player = player_of("classes", "", "a one\nb two\n");
    learn(player, "a", "b", 1);
    refuse(player, open_text("classes", "", "a one\nb one\nc two\n"), WEFT_MODEL,
           ":2: id 'b': found b,one, expected b,two");
    refuse(player, open_text("classes", "", "a one\nc two\n"), WEFT_MODEL, "found no id 'b', expected b,two");
    refuse(player, open_text("classes", ",epsilon=0.5", "a one\nb two\nc one\n"), WEFT_ARGUMENT,
           "contradicts the player");
    refuse(player, open_text("graph", "", "a b\n"), WEFT_ARGUMENT, "contradicts the player");
    weft_player_free(player);
    player = player_of("kernel", "", "x a b\na 1 .5\nb .5 1\n");
    refuse(player, open_text("kernel", "", "x b a\nb 1 .25\na .25 1\n"), WEFT_MODEL, ": id 'b': found b");
    grow(player, open_text("kernel", "", "x c b a\nc 2 0 .1\nb 0 1 .5\na .1 .5 1\n"));
    refuse(player, open_text("kernel", "", "x c b a\nc 2 .1 .1\nb .1 1 .5\na .1 .5 1\n"), WEFT_MODEL,
           ":2: id 'c': found c,2,.1,.1, expected c,2,0,.1");
    weft_player_free(player);
    player = player_of("graph", "", "a b\nb c 2\n");
    refuse(player, open_text("graph", "", "c b 3\na b\n"), WEFT_MODEL,
           ":1: found edge 'c' 'b' with weight 3, expected 2 as when");
    refuse(player, open_text("graph", "", "c b 2\nc d\n"), WEFT_MODEL, "found no edge 'a' 'b', expected it");
    refuse(player, open_text("graph", "", "c b 2\na b\nc d\nd c 4\n"), WEFT_MODEL,
           ":4: found edge 'd' 'c' with weight 4, expected 1 as on line 3");
    weft_player_free(player);
    player = player_of("features", ",kernel=min,range=5", "a 1 2\nb 2 1\n");
    refuse(player, open_text("features", ",kernel=min,range=5", "a 1 2 0\nb 2 1 0\n"), WEFT_MODEL,
           "found 3 numbers of an id, expected 2");
    weft_player_free(player);
}

static void arguments(void **state)
{
    weft_player *player = player_of("classes", "", "a one\nb two\n"),
                *other = player_of("classes", "", "a x\n");
    weft_roster *roster = open_text("classes", "", "a one\nb two\nc one\n"), *none = NULL;
    weft_reader *reader = NULL;
    weft_error error = {0};
    assert_int_equal(weft_player_grow(player, WEFT_BOTH, roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_grow(player, WEFT_ROWS, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_grow(NULL, WEFT_ROWS, roster, &error), WEFT_ARGUMENT);
    weft_roster *owned = (weft_roster *)weft_player_roster(other, WEFT_ROWS);
    assert_int_equal(weft_player_grow(player, WEFT_ROWS, owned, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_reader_create(player, &reader, &error), WEFT_OK);
    assert_int_equal(weft_player_grow(player, WEFT_ROWS, roster, &error), WEFT_UNSUPPORTED);
    assert_non_null(strstr(error.message, "readers"));
    weft_reader_free(reader);
    assert_int_equal(weft_player_grow(player, WEFT_ROWS, roster, &error), WEFT_OK);
    /* The same once more changes nothing. */
    grow(player, open_text("classes", "", "a one\nb two\nc one\n"));
    weft_player_free(player);
    weft_player_free(other);
    assert_int_equal(weft_roster_open("none", NULL, &none, NULL), WEFT_OK);
    assert_int_equal(weft_player_create(none, NULL, NULL, &player, NULL), WEFT_OK);
    assert_int_equal(weft_roster_open("none", NULL, &none, NULL), WEFT_OK);
    refuse(player, none, WEFT_UNSUPPORTED, "lists no ids");
    weft_player_free(player);
}

/* Two that were settled otherwise mean other things by the same traits. */
static void merging(void **state)
{
    weft_player *early = player_of("classes", "", "a one\nb two\n"), *late = NULL;
    weft_error error = {0};
    late = player_of("classes", "", "c one\na one\nb two\n");
    grow(early, open_text("classes", "", "c one\na one\nb two\n"));
    assert_int_equal(weft_player_merge(early, late, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "have grown"));
    weft_player_free(late);
    assert_int_equal(weft_player_clone(early, &late, &error), WEFT_OK);
    learn(late, "c", "b", 1);
    assert_int_equal(weft_player_merge(early, late, &error), WEFT_OK);
    weft_player_free(early);
    weft_player_free(late);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(let_in_and_listed_later),
        cmocka_unit_test(traits_keep_their_numbers),
        cmocka_unit_test(scales_stay),
        cmocka_unit_test(pieces_and_all_at_once),
        cmocka_unit_test(communities_are_joined),
        cmocka_unit_test(communities_of_the_nearest),
        cmocka_unit_test(squared_radii),
        cmocka_unit_test(kernels_are_made_anew),
        cmocka_unit_test(evidence_stays),
        cmocka_unit_test(what_was_there_must_stay),
        cmocka_unit_test(arguments),
        cmocka_unit_test(merging),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
