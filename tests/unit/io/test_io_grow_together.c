/* SPDX-License-Identifier: MIT
 * Side information of several kinds that has grown: every part by its own rules, and them together. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include "support/test.h"

#include "support/alloc.h"
#include "support/stopper.h"
#include "test_io_grow_support.h"

/* A table and a graph, or a table and classes. */
static weft_roster *two(const char *kind, const char *words, const char *text, const char *table)
{
    weft_roster *parts[2] = {open_text("table", "", table), open_text(kind, words, text)}, *both = NULL;
    weft_error error = {0};
    if (weft_roster_combine(parts, 2, &both, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return both;
}

static weft_player *play(weft_roster *roster)
{
    weft_player *player = NULL;
    weft_error error = {0};
    if (weft_player_create(roster, NULL, NULL, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

static const weft_roster *roster_of(const weft_player *player)
{
    return weft_player_roster(player, WEFT_ROWS);
}

/* K(a,b) of the side, and of one of its parts; 0 where the part knows not both. */
static double entry(const weft_roster *roster, const char *a, const char *b)
{
    const weft_ids *ids = weft_roster_ids(roster);
    int64_t i = weft_ids_find(ids, a), j = weft_ids_find(ids, b);
    if (i < 0 || j < 0)
        return strcmp(a, b) == 0 ? weft_side_radius(weft_roster_side(roster)) : 0;
    return weft_side_entry(weft_roster_side(roster), i, j);
}

static const char *const table = "id,age,town\na,20,P\nb,30,Q\nc,40,P\nd,50,Q\ne,60,P\n";
static const char *const grown = "id,age,town\nnew,35,P\nd,50,Q\nx,900,Q\na,20,P\nb,30,Q\nc,40,P\ne,60,P\n";
static const char *const graph = "a b\nb c\nc a\nx y\ny z\nz x\n";
static const char *const longer = "a b\nb c\nc a\nx y\ny z\nz x\nd a\nnew x\nnew y\nstranger z\nx x\n";

/* The sum is that of its parts over the squared radii that were settled, under names. */
static void check_sum(const weft_player *player, const double radius[2])
{
    const weft_roster *both = roster_of(player);
    for (int64_t i = 0; i < weft_ids_count(weft_roster_ids(both)); i++)
        for (int64_t j = 0; j < weft_ids_count(weft_roster_ids(both)); j++) {
            const char *a = weft_ids_name(weft_roster_ids(both), i);
            const char *b = weft_ids_name(weft_roster_ids(both), j);
            double sum = 0;
            for (int k = 0; k < 2; k++)
                sum += entry(weft_roster_part(both, k), a, b) / radius[k] / 2;
            assert_true(fabs(entry(both, a, b) - sum) < 1e-12);
        }
}

static void radii_of(const weft_player *player, double radius[2])
{
    for (int k = 0; k < 2; k++)
        radius[k] = weft_side_radius(weft_roster_side(weft_roster_part(roster_of(player), k)));
}

static void each_part_grows(void **state)
{
    double first[2], now[2];
    weft_player *player = play(two("graph", ",kernel=diffusion,time=1,scale=unit", graph, table));
    learn(player, "a", "stranger", 1);
    learn(player, "x", "nobody", -1);
    int64_t stranger = number_of(player, "stranger");
    radii_of(player, first);
    grow(player, two("graph", ",kernel=diffusion,time=1,scale=unit", longer, grown));
    radii_of(player, now);
    assert_true(now[0] == first[0] && now[1] == first[1]);
    check_sum(player, first);
    /* Numbers: those that were there keep theirs, whoever lists them now. */
    assert_int_equal(number_of(player, "x"), 5);
    assert_int_equal(number_of(player, "stranger"), stranger);
    assert_int_equal(number_of(player, "new"), stranger + 2);
    weft_roster_facts all = facts_of(player);
    weft_roster_facts of[2] = {weft_roster_report(weft_roster_part(roster_of(player), 0)),
                               weft_roster_report(weft_roster_part(roster_of(player), 1))};
    /* x and new in the table; d, new and stranger in the graph, where the loop is no edge. */
    assert_int_equal(of[0].grown, 2);
    assert_int_equal(of[0].beyond, 1);
    assert_int_equal(of[1].grown, 3);
    assert_int_equal(of[1].new_edges, 4);
    assert_int_equal(of[1].listed_later, 1);
    assert_int_equal(all.grown, 4);
    assert_int_equal(all.listed_later, 1);
    assert_int_equal(all.new_edges, 4);
    assert_int_equal(all.beyond, 1);
    assert_int_equal(all.listed, 10);
    assert_int_equal(all.let_in, 1);
    assert_true(weft_roster_lists(roster_of(player), stranger));
    assert_false(weft_roster_lists(roster_of(player), number_of(player, "nobody")));
    weft_player_free(player);
}

/* K(i,i) beyond the settled squared radius of one part is brought down to it, and its scale in the sum
 * stays; that of a graph is divided by what it is now. */
static void scales_in_the_sum(void **state)
{
    const char *const words = ",kernel=linear,epsilon=1";
    double first[2], now[2];
    weft_player *player = play(two("features", words, "a 1 1\nb 0 1\nf 1 0\n", table));
    radii_of(player, first);
    assert_true(first[1] == 3);
    grow(player, two("features", words, "a 1 1\nb 0 1\nf 1 0\nlong 8 6\n", grown));
    radii_of(player, now);
    assert_true(now[0] == first[0] && now[1] == first[1]);
    assert_int_equal(facts_of(player).shortened, 1);
    assert_true(entry(weft_roster_part(roster_of(player), 1), "long", "long") <= 3);
    assert_true(entry(weft_roster_part(roster_of(player), 1), "long", "b") < 6);
    check_sum(player, first);
    weft_player_free(player);
    player = play(two("graph", ",kernel=regularised,sigma=1", "a b\nb c\nc a\n", table));
    radii_of(player, first);
    grow(player, two("graph", ",kernel=regularised,sigma=1", "a b\nb c\nc a\nd e\n", grown));
    radii_of(player, now);
    assert_true(now[1] > first[1]);
    check_sum(player, now);
    weft_player_free(player);
}

/* ---- Numbers of classes ---- */

/* The class of an id in the view of the part that is called so. */
static int64_t class_of(const weft_player *player, const char *part, const char *name)
{
    const weft_roster *roster = roster_of(player);
    for (int64_t k = 0; k < weft_roster_view_count(roster); k++) {
        weft_view view = weft_roster_view(roster, k);
        weft_item item = {0};
        if (view.kind != WEFT_VIEW_PART || strcmp(view.name, part) != 0)
            continue;
        view.side->ops->item(view.side, number_of(player, name), &item);
        return item.alone ? -1 : item.class_of;
    }
    fail_msg("no view %s", part);
    return -1;
}

/* What members have learnt under the number of a class is not told of another: neither where classes come,
 * nor where ids leave one of their own, nor where they get one. */
static void classes_keep_their_numbers(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "g"};
    const char *const text[] = {"a one\nb two\ng two\n", "c three\na one\nb two\ng two\nd two\n",
                                "a one\nb two\ng two\nc three\nd two\nh four\nnew three\nx one\n"};
    const char *const rows[] = {table, grown, grown};
    int64_t of[3][6];
    weft_player *player = play(two("classes", "", text[0], rows[0]));
    learn(player, "a", "nobody", 1);
    learn(player, "a", "x", 1);
    for (int day = 0; day < 3; day++) {
        if (day > 0)
            grow(player, two("classes", "", text[day], rows[day]));
        for (int k = 0; k < 6; k++)
            of[day][k] = class_of(player, "classes", names[k]);
    }
    for (int day = 1; day < 3; day++)
        for (int k = 0; k < 6; k++)
            if (k < 2 || k > 3)
                assert_int_equal(of[day][k], of[0][k]);
    assert_true(of[0][1] == of[0][5] && of[1][3] == of[0][1] && of[2][3] == of[0][1]);
    assert_true(of[0][3] != of[0][1]);
    /* A class that came keeps its number from then on, and is nobody else's. */
    assert_int_equal(of[2][2], of[1][2]);
    assert_int_equal(class_of(player, "classes", "new"), of[2][2]);
    assert_int_equal(class_of(player, "classes", "x"), of[0][0]);
    for (int k = 0; k < 6; k++)
        assert_true(k == 2 || of[2][k] != of[2][2]);
    assert_true(class_of(player, "classes", "h") != of[2][2]);
    assert_int_equal(class_of(player, "town", "new"), class_of(player, "town", "a"));
    weft_player_free(player);
}

/* Without a graph communities are those of all kinds together: nobody who was there moves, whoever comes. */
static void communities_of_all(void **state)
{
    const char *const words = ",kernel=gaussian,width=1";
    char vectors[400] = "", clubs[400] = "", more[500];
    for (int k = 0; k < 12; k++) {
        snprintf(vectors + strlen(vectors), sizeof vectors - strlen(vectors), "p%d %g\n", k,
                 (k % 2 ? 8 : 0) + 0.01 * k);
        snprintf(clubs + strlen(clubs), sizeof clubs - strlen(clubs), "p%d,%d\n", k, k % 2 ? 20 + k : 60 + k);
    }
    int64_t of[12];
    char table_of[450];
    snprintf(table_of, sizeof table_of, "id,age\n%s", clubs);
    weft_player *player = play(two("features", words, vectors, table_of));
    for (int k = 0; k < 12; k++) {
        char name[8];
        snprintf(name, sizeof name, "p%d", k);
        of[k] = community_of(player, name);
    }
    assert_true(of[0] != of[1]);
    learn(player, "p1", "stranger", 1);
    learn(player, "p1", "late", 1);
    snprintf(more, sizeof more, "late 8\nnew 0\n%s", vectors);
    grow(player, two("features", words, more, table_of));
    for (int k = 0; k < 12; k++) {
        char name[8];
        snprintf(name, sizeof name, "p%d", k);
        assert_int_equal(community_of(player, name), of[k]);
    }
    bool odd = false, even = false;
    for (int k = 0; k < 12; k++) {
        odd = odd || (k % 2 == 1 && community_of(player, "late") == of[k]);
        even = even || (k % 2 == 0 && community_of(player, "new") == of[k]);
    }
    assert_true(odd && even);
    weft_player_free(player);
}

/* ---- What does not grow ---- */

static void what_was_there_must_stay(void **state)
{
    const char *const changed = "id,age,town\na,20,P\nb,31,Q\nc,40,P\nd,50,Q\ne,60,P\n";
    weft_player *player = play(two("graph", "", graph, table));
    refuse(player, two("graph", "", longer, changed), WEFT_MODEL,
           "id 'b': found b,31,Q, expected what it said when");
    refuse(player, two("graph", "", "a b\nb c\nc a\nx y\ny z\n", grown), WEFT_MODEL,
           "found no edge 'x' 'z', expected it with weight 1");
    refuse(player, two("classes", "", "a one\nb two\n", grown), WEFT_ARGUMENT, "contradicts the player");
    refuse(player, open_text("table", "", grown), WEFT_ARGUMENT, "contradicts the player");
    grow(player, two("graph", "", longer, grown));
    refuse(player, two("graph", "", longer, table), WEFT_MODEL, "found no id 'new'");
    weft_player_free(player);
}

/* A graph takes in what other parts list, as vertices. */
static void vertices_of_other_parts(void **state)
{
    weft_player *player = play(two("graph", ",missing=join", graph, table));
    const weft_roster *part = weft_roster_part(roster_of(player), 1);
    assert_int_equal(weft_side_count(weft_roster_side(part)), 8);
    for (int day = 0; day < 2; day++) {
        grow(player, two("graph", ",missing=join", day == 0 ? graph : longer, grown));
        part = weft_roster_part(roster_of(player), 1);
        assert_int_equal(weft_side_count(weft_roster_side(part)), day == 0 ? 9 : 10);
        double radius[2];
        radii_of(player, radius);
        check_sum(player, radius);
    }
    assert_int_equal(facts_of(player).listed, 10);
    weft_player_free(player);
}

/* One that grew is merged with one that grew alike. */
static void merging(void **state)
{
    weft_player *a = play(two("classes", "", "a one\nb two\n", table));
    weft_player *b = play(two("classes", "", "a one\nb two\n", table));
    weft_player *other = play(two("classes", "", "a one\nb two\nx one\n", grown));
    weft_error error = {0};
    for (int k = 0; k < 2; k++)
        grow(k == 0 ? a : b, two("classes", "", "a one\nb two\nx one\n", grown));
    learn(b, "x", "a", 1);
    learn(other, "x", "a", 1);
    assert_int_equal(weft_player_merge(a, b, &error), WEFT_OK);
    assert_int_equal(weft_player_merge(a, other, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "settled otherwise"));
    weft_player_free(a);
    weft_player_free(b);
    weft_player_free(other);
}

/* ---- Stopping ---- */

typedef struct stopped_scene {
    weft_player *player;
    weft_roster *grown; /* NULL once the player has taken it */
} stopped_scene;

static weft_roster *open_heard(const char *kind, const char *text, const weft_memory *memory,
                               const weft_progress *progress)
{
    test_file file = file_of(text);
    char spec[160];
    weft_roster *roster = NULL;
    weft_error error = {0};
    const weft_roster_options keep = {.keep = true};
    weft_file_options options = {.memory = memory, .roster = &keep};
    if (progress != NULL)
        options.progress = *progress;
    snprintf(spec, sizeof spec, "%s:%s", kind, file.path);
    if (weft_roster_open(spec, &options, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    unlink(file.path);
    return roster;
}

static weft_roster *open_both(const char *rows, const char *edges, const weft_memory *memory,
                              const weft_progress *progress)
{
    weft_roster *parts[2] = {open_heard("table", rows, memory, progress),
                             open_heard("graph", edges, memory, progress)};
    weft_roster *both = NULL;
    assert_int_equal(weft_roster_combine(parts, 2, &both, NULL), WEFT_OK);
    return both;
}

static void open_scene(void *scene, const weft_memory *memory, weft_progress progress)
{
    stopped_scene *s = scene;
    s->player = play(open_both(table, graph, memory, NULL));
    learn(s->player, "a", "stranger", 1);
    s->grown = open_both(grown, longer, memory, &progress);
}

static weft_status take_in(void *scene, weft_error *error)
{
    stopped_scene *s = scene;
    weft_status status = weft_player_grow(s->player, WEFT_ROWS, s->grown, error);
    if (status == WEFT_OK)
        s->grown = NULL;
    return status;
}

static uint64_t look_at(void *scene)
{
    uint64_t digest[2];
    const stopped_scene *s = scene;
    assert_int_equal(weft_player_digest(s->player, digest, NULL), WEFT_OK);
    weft_roster_facts facts = facts_of(s->player);
    return stopper_digest(digest[0] ^ digest[1], &facts.grown, sizeof facts.grown);
}

static uint64_t nothing_else(void *scene)
{
    return 0;
}

static void close_scene(void *scene)
{
    stopped_scene *s = scene;
    weft_player_free(s->player);
    weft_roster_free(s->grown);
}

static void it_can_be_stopped(void **state)
{
    stopped_scene scene;
    const stopper_case growing = {"growing", 60, open_scene, take_in, look_at, nothing_else, close_scene, 8};
    stopper_play(&growing, &scene);
}

/* Each allocation that growing makes is refused in turn. */
static void memory_is_refused(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    stopped_scene scene;
    weft_error error = {0};
    uint64_t before = 0;
    int64_t refused = 0;
    open_scene(&scene, &memory, (weft_progress){0});
    before = look_at(&scene);
    for (int64_t k = 0;; k += k < 500 ? 1 : 101, refused++) {
        test_alloc_arm(&alloc, k);
        weft_status status = take_in(&scene, &error);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        if (status == WEFT_OK)
            break;
        assert_int_equal(status, WEFT_MEMORY);
        assert_true(look_at(&scene) == before);
    }
    assert_true(refused > 100);
    close_scene(&scene);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_grows),
        cmocka_unit_test(scales_in_the_sum),
        cmocka_unit_test(classes_keep_their_numbers),
        cmocka_unit_test(communities_of_all),
        cmocka_unit_test(what_was_there_must_stay),
        cmocka_unit_test(vertices_of_other_parts),
        cmocka_unit_test(merging),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
