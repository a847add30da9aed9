/* SPDX-License-Identifier: MIT
 * The views of a committee that rosters make beside their sides. */
#define _POSIX_C_SOURCE 200809L

#include "side/side.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

static const char SQUARE[] = ",a,b,c\na,2,1,0\nb,1,2,0.5\nc,0,0.5,1\n";
static const char VECTORS[] = "a,1,2\nb,0,1\nc,2,0\n";
static const char EDGES[] = "a b\nb c 2\nc d\nd a\n";
static const char PEOPLE[] = "id,city,age,sex\na,P,20,f\nb,P,30,m\nc,R,25,f\nd,R,47,m\ne,Q,,f\n";
static const char TRIANGLES[] = "a b\nb c\na c\nd e\ne f\nf d\nc d\n";

/* A SPEC whose file stands for %s; what follows are ids that the file lacks. */
typedef struct situation {
    const char *spec, *text;
    const char
        *views; /* a letter each: given, none, identity, near (t), far, communities, narrow (N), wide, part */
} situation;

static const situation situations[] = {
    {"none", NULL, "n"},
    {"classes:%s", "a x\nb y\nc x\n", "gni"},
    {"classes:%s,epsilon=0,missing=alone,radius=3", "a x\nb y\nc x\n", "gni"},
    {"kernel:%s,missing=alone", SQUARE, "gni"},
    {"kernel:%s,repair=shift", ",a,b\na,1,3\nb,3,1\n", "gni"},
    {"matrix:%s,missing=alone", SQUARE, "gnic"}, /* the first and the last are alike */
    {"features:%s,kernel=linear,epsilon=0.5,missing=alone", VECTORS, "gni"},
    {"features:%s,kernel=gaussian,width=2", VECTORS, "gni"},
    {"features:%s,kernel=min,range=2,missing=alone", VECTORS, "gni"},
    {"graph:%s", EDGES, "gntfc"},
    {"graph:%s,missing=alone", EDGES, "gntfc"},
    {"graph:%s,kernel=regularised,sigma=2,missing=alone", EDGES, "gntfc"},
    {"graph:%s,kernel=diffusion,time=5", EDGES, "gntfc"},
    {"graph:%s,kernel=diffusion,time=5,laplacian=normalised", EDGES, "gntfc"},
    {"graph:%s,kernel=diffusion,time=5,laplacian=normalised,scale=unit", EDGES, "gnfc"},
    {"graph:%s,kernel=diffusion,time=20,laplacian=normalised,scale=unit,missing=alone", EDGES, "gntc"},
    {"graph:%s,kernel=diffusion,time=20,laplacian=normalised,scale=unit,radius=2", EDGES, "gntfc"},
    {"graph:%s", TRIANGLES, "gntfc"},
    {"graph:%s", "a a\nb b\n", "gntf"}, /* everyone for himself */
    {"table:%s", PEOPLE, "gniNwppc"},
    {"table:%s", "id,c\na,x\nb,y\nc,x\nd,y\n", "gnic"}, /* its one column is the side itself */
    {"features:%s", "a,1,7\nb,2,5\nc,3,9\nd,5,8\n", "gniNwc"},
    {"graph:%s,map=eigen:2", EDGES, ""},
    {"none,map=hash:8", NULL, ""},
    {"none,map=hash:8,names=hashed", NULL, ""},
    {"classes:%s,map=hash:8", "a x\nb y\nc x\n", ""},
    {"kernel:%s,map=eigen:2", SQUARE, ""},
};

enum { SITUATIONS = sizeof situations / sizeof *situations };

static const char letters[] = "gnitfcNwp"; /* in the order of weft_view_kind */

static weft_roster *open_with(const situation *what, const weft_file_options *options)
{
    test_file file = file_of(what->text != NULL ? what->text : "");
    const char *place = strstr(what->spec, "%s");
    char spec[256];
    weft_roster *roster = NULL;
    weft_error error = {0};
    snprintf(spec, sizeof spec, "%.*s%s%s", place != NULL ? (int)(place - what->spec) : 64, what->spec,
             place != NULL ? file.path : "", place != NULL ? place + 2 : "");
    if (weft_roster_open(spec, options, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    unlink(file.path);
    return roster;
}

static bool takes_others(const situation *what)
{
    return what->text == NULL || strstr(what->spec, "missing=alone") != NULL;
}

static void admit(weft_roster *roster, const char *name)
{
    int64_t number = -1;
    weft_error error = {0};
    if (weft_roster_admit(roster, name, NULL, &number, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

/* With two ids that the file lacks where it may; a graph takes those that join before it is built. */
static weft_roster *build(const situation *what)
{
    const weft_file_options options = {.roster = &(weft_roster_options){.views = true}};
    weft_roster *roster = open_with(what, &options);
    weft_error error = {0};
    bool joins = strncmp(what->spec, "graph", 5) == 0;
    for (int k = 0; k < 2 && (takes_others(what) || joins); k++)
        admit(roster, k == 0 ? "stranger" : "newcomer");
    assert_int_equal(weft_roster_view_count(roster), 0);
    if (weft_roster_build(roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

static void assert_views(const weft_roster *roster, const char *expected)
{
    char found[16] = "";
    int64_t count = weft_roster_view_count(roster);
    for (int64_t k = 0; k < count; k++)
        found[k] = letters[weft_roster_view(roster, k).kind];
    assert_string_equal(found, expected);
    assert_ptr_equal(weft_roster_view(roster, 0).side, count > 0 ? weft_roster_side(roster) : NULL);
    assert_null(weft_roster_view(roster, -1).side);
    assert_null(weft_roster_view(roster, count).side);
    for (int64_t k = 0; k < count; k++)
        for (int64_t id = 0; id < weft_ids_count(weft_roster_ids(roster)); id++)
            assert_true(weft__side_has(weft_roster_view(roster, k).side, id));
}

static const weft_side *view_of(const weft_roster *roster, weft_view_kind kind)
{
    for (int64_t k = 0; k < weft_roster_view_count(roster); k++)
        if (weft_roster_view(roster, k).kind == kind)
            return weft_roster_view(roster, k).side;
    return NULL;
}

static void assert_entries(const weft_roster *roster)
{
    const weft_side *side = weft_roster_side(roster), *none = view_of(roster, WEFT_VIEW_NONE),
                    *identity = view_of(roster, WEFT_VIEW_IDENTITY);
    double radius = weft_side_radius(side);
    for (int64_t i = 0; i < weft_side_count(side) && identity != NULL; i++)
        for (int64_t j = 0; j < weft_side_count(side); j++) {
            double k = weft_side_entry(side, i, j);
            assert_true(weft_side_entry(identity, i, j) == (i == j ? k + radius : k));
            assert_true(weft_side_entry(none, i, j) == (i == j));
        }
    if (identity != NULL)
        assert_true(weft_side_radius(identity) == 2 * radius);
}

static void every_spec_has_its_views(void **state)
{
    for (int s = 0; s < SITUATIONS; s++) {
        weft_roster *roster = build(&situations[s]);
        assert_views(roster, situations[s].views);
        assert_entries(roster);
        for (int k = 0; k < 3 && takes_others(&situations[s]); k++) {
            admit(roster, (const char *[]){"x", "y", "x"}[k]);
            assert_views(roster, situations[s].views);
        }
        assert_entries(roster);
        weft_roster_free(roster);
    }
}

static void there_are_none_that_nobody_asked_for(void **state)
{
    weft_roster *roster = open_with(&situations[1], NULL);
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    assert_int_equal(weft_roster_view_count(roster), 0);
    assert_null(weft_roster_view(roster, 0).side);
    weft_roster_free(roster);
}

/* The same graph through the constructor, ids that join it as vertices without edges. */
static weft_side *diffusion(double time, int64_t vertices)
{
    static const int64_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 0};
    static const double weight[] = {1, 2, 1, 1};
    weft_graph graph = {.vertices = vertices, .edges = 4, .from = from, .to = to, .weight = weight};
    weft_side *side = NULL;
    graph.kernel = WEFT_DIFFUSION;
    graph.parameter = time;
    graph.normalised = graph.unit = true;
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, NULL), WEFT_OK);
    return side;
}

/* Ids that join and ids that are alone are similar to nothing but themselves, with K(i,i) = 1. */
static void diffusions_are_those_of_the_graph(void **state)
{
    for (int s = 0; s < SITUATIONS; s++) {
        if (strncmp(situations[s].spec, "graph", 5) != 0 || situations[s].text != EDGES)
            continue;
        weft_roster *roster = build(&situations[s]);
        for (int kind = WEFT_VIEW_NEAR; kind <= WEFT_VIEW_FAR; kind++) {
            const weft_side *view = view_of(roster, (weft_view_kind)kind);
            weft_side *side = diffusion(kind == WEFT_VIEW_NEAR ? 5 : 20, 6);
            for (int64_t i = 0; i < 6 && view != NULL; i++)
                for (int64_t j = 0; j < 6; j++)
                    assert_true(fabs(weft_side_entry(view, i, j) - weft_side_entry(side, i, j)) < 1e-13);
            assert_true(view == NULL || weft_side_radius(view) == 1);
            weft_side_free(side);
        }
        weft_roster_free(roster);
    }
}

/* Two triangles that one edge joins, with the kernel of classes where SPECs say nothing of it: who joins and
 * who is alone has a community to himself. */
static void communities_are_classes(void **state)
{
    static const situation what[] = {{"graph:%s", TRIANGLES, "gntfc"},
                                     {"graph:%s,missing=alone", TRIANGLES, "gntfc"}};
    static const int64_t class_of[] = {0, 0, 0, 1, 1, 1, 2, 3};
    for (int k = 0; k < 2; k++) {
        weft_roster *roster = build(&what[k]);
        assert_views(roster, what[k].views);
        const weft_side *view = view_of(roster, WEFT_VIEW_COMMUNITIES);
        assert_int_equal(weft_side_count(view), 8);
        for (int64_t i = 0; i < 8; i++)
            for (int64_t j = 0; j < 8; j++) {
                double own = i == j ? 1.1 : class_of[i] == class_of[j];
                assert_true(fabs(weft_side_entry(view, i, j) - own) < 1e-12);
            }
        weft_roster_free(roster);
    }
}

/* Two and three ids that are alike, by a kernel and by points on a line; who is alone has nobody. */
static void a_kernel_has_communities(void **state)
{
    static const char kernel[] = ",a,b,c,d,e\na,1,.8,0,0,.1\nb,.8,1,0,.1,0\nc,0,0,1,.7,.6\n"
                                 "d,0,.1,.7,1,.9\ne,.1,0,.6,.9,1\n";
    static const char points[] = "a,0\nb,.1\nc,5\nd,5.1\ne,5.2\n";
    static const situation what[] = {
        {"kernel:%s,missing=alone", kernel, "gnic"},
        {"features:%s,kernel=gaussian,width=1,missing=alone", points, "gnic"},
    };
    static const int64_t class_of[] = {0, 0, 1, 1, 1, 2, 3};
    for (int k = 0; k < 2; k++) {
        weft_roster *roster = build(&what[k]);
        assert_views(roster, what[k].views);
        const weft_side *view = view_of(roster, WEFT_VIEW_COMMUNITIES);
        for (int64_t i = 0; i < 7; i++)
            for (int64_t j = 0; j < 7; j++)
                assert_int_equal(weft_side_entry(view, i, j) > 0.5, class_of[i] == class_of[j]);
        weft_roster_free(roster);
    }
}

static void one_community_is_no_view(void **state)
{
    const situation what = {"graph:%s,missing=alone", "a b\nb c\na c\na d\nb d\nc d\n", "gntf"};
    weft_roster *roster = build(&what);
    assert_views(roster, what.views);
    weft_roster_free(roster);
}

/* Refused allocation 0, 1, ... while the views are made: nothing is left, and the next time it is built. */
static void assert_survives_a_lack_of_memory(const situation *what)
{
    for (int64_t k = 0, refused = 1; refused > 0; k++) {
        test_alloc alloc;
        weft_error error = {0};
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        const weft_file_options options = {.memory = &memory,
                                           .roster = &(weft_roster_options){.views = true}};
        weft_roster *roster = open_with(what, &options);
        test_alloc_arm(&alloc, k);
        weft_status status = weft_roster_build(roster, &error);
        refused = alloc.failed;
        assert_int_equal(status, refused ? WEFT_MEMORY : WEFT_OK);
        assert_int_equal(error.status, status);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        if (refused)
            assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
        assert_views(roster, what->views);
        weft_roster_free(roster);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

static void communities_survive_a_lack_of_memory(void **state)
{
    const situation what = {"graph:%s", TRIANGLES, "gntfc"};
    assert_survives_a_lack_of_memory(&what);
}

static void parts_survive_a_lack_of_memory(void **state)
{
    const situation what = {"table:%s", PEOPLE, "gniNwppc"};
    assert_survives_a_lack_of_memory(&what);
}

/* R + R is out of range where R is not: the side is built, without that view, and nobody failed. */
static void a_view_that_is_refused_is_left_out(void **state)
{
    const situation what = {"kernel:%s,radius=6e306", SQUARE, "gn"};
    const weft_file_options options = {.roster = &(weft_roster_options){.views = true}};
    weft_roster *roster = open_with(&what, &options);
    weft_error error = {.status = WEFT_WRITE};
    assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
    assert_int_equal(error.status, WEFT_WRITE);
    assert_views(roster, "gn");
    weft_roster_free(roster);
}

/* Admission with allocation 0, 1, ... refused: the id is not there, and the next one is. */
static void admission_survives_a_lack_of_memory(void **state)
{
    for (int s = 0; s < SITUATIONS; s++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        const weft_file_options options = {.memory = &memory,
                                           .roster = &(weft_roster_options){.views = true}};
        if (!takes_others(&situations[s]) || situations[s].views[0] == 0)
            continue;
        weft_roster *roster = open_with(&situations[s], &options);
        assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
        int64_t refused = 0;
        for (int k = 0; k < 40; k++) {
            int64_t number = -1, listed = weft_ids_count(weft_roster_ids(roster));
            char name[2][8];
            snprintf(name[0], sizeof name[0], "x%d", k);
            snprintf(name[1], sizeof name[1], "y%d", k);
            test_alloc_arm(&alloc, k % 7);
            weft_status status = weft_roster_admit(roster, name[0], NULL, &number, NULL);
            test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
            refused += status != WEFT_OK;
            admit(roster, name[1]);
            assert_int_equal(weft_ids_count(weft_roster_ids(roster)), listed + 1 + (status == WEFT_OK));
            assert_views(roster, situations[s].views);
        }
        assert_true(refused > 0);
        assert_entries(roster);
        weft_roster_free(roster);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

/* Beyond 4000 vertices there is no matrix, and a view of a graph costs next to nothing until it is played. */
static void large_graphs(void **state)
{
    enum { N = 4200 };
    static char text[64 * N];
    char *at = text;
    for (int i = 0; i < N; i++)
        at += sprintf(at, "%d %d\n", i, (i + 1) % N);
    const situation what = {"graph:%s,kernel=regularised,sigma=1,missing=alone", text, "gntfc"};
    const weft_file_options options = {.roster = &(weft_roster_options){.views = true}};
    weft_roster *roster = open_with(&what, &options);
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    admit(roster, "late");
    assert_views(roster, "gntfc");
    const weft_side *near = view_of(roster, WEFT_VIEW_NEAR), *far = view_of(roster, WEFT_VIEW_FAR);
    assert_true(weft_side_entry(near, 0, 1) > 0.5 && weft_side_entry(near, 0, 1) < 1);
    assert_true(weft_side_entry(far, 0, 9) > weft_side_entry(near, 0, 9));
    assert_true(fabs(weft_side_entry(far, 5, N - 1)) > 0 && weft_side_entry(far, 5, N) == 0);
    weft_roster_free(roster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spec_has_its_views),
        cmocka_unit_test(there_are_none_that_nobody_asked_for),
        cmocka_unit_test(diffusions_are_those_of_the_graph),
        cmocka_unit_test(communities_are_classes),
        cmocka_unit_test(a_kernel_has_communities),
        cmocka_unit_test(one_community_is_no_view),
        cmocka_unit_test(communities_survive_a_lack_of_memory),
        cmocka_unit_test(parts_survive_a_lack_of_memory),
        cmocka_unit_test(a_view_that_is_refused_is_left_out),
        cmocka_unit_test(admission_survives_a_lack_of_memory),
        cmocka_unit_test(large_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
