/* SPDX-License-Identifier: MIT
 * Feature maps and hashed names: the words that ask for them, and the sides that they become. */
#define _POSIX_C_SOURCE 200809L

#include "base/digest.h"
#include "io/roster/spec.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

#include <math.h>

/* ---- Words ---- */

static void words_and_maps(void **state)
{
    static const struct {
        const char *text;
        weft_map map;
        int hashed;
    } known[] = {
        {"none", {0}, 0},
        {"none,map=hash:64", {.hash = 64}, 0},
        {"none,seed=9,map=hash:64,names=hashed", {.hash = 64, .seed = 9}, 1},
        {"none,map=hash:1,names=kept", {.hash = 1}, 0},
        {"classes:c,map=hash:4096", {.hash = 4096}, 0},
        {"features:f,map=hash:2,kernel=linear,epsilon=1", {.hash = 2}, 0},
        {"features:f,kernel=linear,epsilon=1,map=eigen:2", {.eigen = 2}, 0},
        {"features:f,kernel=gaussian,width=2,map=fourier:128", {.fourier = 128}, 0},
        {"features:f,kernel=gaussian,width=2,map=hash:8+fourier:128", {.fourier = 128, .hash = 8}, 0},
        {"features:f,kernel=min,range=2,map=eigen:3+hash:5,seed=1", {.eigen = 3, .hash = 5, .seed = 1}, 0},
        {"graph:g,map=eigen:32,kernel=diffusion,time=1", {.eigen = 32}, 0},
        {"kernel:k,map=eigen:2", {.eigen = 2}, 0},
        {"matrix:k,map=eigen:2,seed=4611686018427387904",
         {.eigen = 2, .seed = UINT64_C(4611686018427387904)},
         0},
    };
    weft_memory memory = weft__memory_or_default(NULL);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        weft__spec spec = {0};
        weft_error error = {0};
        if (weft__spec_parse(known[k].text, &memory, &spec, &error) != WEFT_OK)
            fail_msg("%s: %s", known[k].text, error.message);
        assert_memory_equal(&spec.map, &known[k].map, sizeof spec.map);
        assert_int_equal(spec.hashed, known[k].hashed);
        assert_int_equal(weft__spec_is_mapped(&spec), k > 0);
        weft__spec_free(&spec, &memory);
    }
}

static void refused_words(void **state)
{
    static const struct {
        const char *text, *words;
    } refused[] = {
        {"none,map=", "map=: found '', expected hash:N, fourier:N or eigen:N"},
        {"none,map=hash", "map=: found 'hash', expected hash:N"},
        {"none,map=hashed:3", "map=: found 'hashed:3', expected hash:N"},
        {"none,map=hash:", "map=hash:N: found '', expected a whole number from 1 to 4096"},
        {"none,map=hash:0", "found '0', expected a whole number from 1 to 4096"},
        {"none,map=hash:4097", "found '4097', expected a whole number from 1 to 4096"},
        {"none,map=hash:8x", "found '8x', expected a whole number"},
        {"none,map=hash: 8", "found ' 8', expected a whole number"},
        {"none,map=hash:8+hash:8", "map=: hash: is given twice"},
        {"none,map=+hash:8", "map=: found ''"},
        {"none,map=hash:8+", "map=: found ''"},
        {"none,map=hash:8,map=hash:8", "map= is given twice"},
        {"none,map=eigen:8", "map=eigen:8: none does not have that map, expected hash:N"},
        {"none,map=fourier:8+hash:8", "map=fourier:8: none does not have that map"},
        {"classes:c,map=eigen:8", "classes does not have that map, expected hash:N"},
        {"graph:g,map=hash:8", "map=hash:8: hash alone does not stand for graph, expected eigen:N"},
        {"kernel:k,map=hash:8", "hash alone does not stand for kernel"},
        {"matrix:k,map=fourier:8", "matrix does not have that map, expected eigen:N or eigen:N+hash:N"},
        {"features:f,kernel=linear,epsilon=0,map=fourier:8",
         "kernel=linear does not have that map, expected hash:N, eigen:N or eigen:N+hash:N"},
        {"features:f,kernel=min,range=2,map=hash:8", "hash alone does not stand for kernel=min"},
        {"features:f,kernel=gaussian,width=1,map=hash:8",
         "hash alone does not stand for kernel=gaussian, expected fourier:N or eigen:N, each with +hash:N"},
        {"features:f,kernel=gaussian,width=1,map=fourier:9", "found '9', expected an even number from 2"},
        {"features:f,kernel=gaussian,width=1,map=fourier:8+eigen:8", "found fourier and eigen"},
        {"features:f,kernel=gaussian,width=1,map=fourier:4096+hash:2",
         "found 4098 coordinates, expected at most 4096"},
        {"features:f,map=hash:8",
         "features without a kernel, which are played as a table, take missing= alone"},
        {"none,seed=1", "seed= is that of a map, expected map= too"},
        {"none,seed=0", "seed= is that of a map, expected map= too"},
        {"none,map=hash:8,seed=-1", "seed=: found '-1', expected a whole number of at least 0"},
        {"none,map=hash:8,seed=", "seed=: found ''"},
        {"none,names=hashed", "names=hashed needs map=hash:N"},
        {"none,map=hash:8,names=lost", "found 'lost', expected kept, hashed"},
        {"classes:c,map=hash:8,names=hashed", "found 'names', which is not an option of classes"},
    };
    weft_memory memory = weft__memory_or_default(NULL);
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_error error = {0};
        weft__spec spec = {0};
        assert_int_equal(weft__spec_parse(refused[k].text, &memory, &spec, &error), WEFT_ARGUMENT);
        if (strstr(error.message, refused[k].words) == NULL)
            fail_msg("%s: %s", refused[k].text, error.message);
    }
}

static bool agree(const char *a, const char *b)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__spec x = {0}, y = {0};
    assert_int_equal(weft__spec_parse(a, &memory, &x, NULL), WEFT_OK);
    assert_int_equal(weft__spec_parse(b, &memory, &y, NULL), WEFT_OK);
    bool same = weft__spec_agrees(&x, &y);
    weft__spec_free(&x, &memory);
    weft__spec_free(&y, &memory);
    return same;
}

static void agreement(void **state)
{
    assert_true(agree("none,map=hash:8", "none,seed=0,names=kept,map=hash:8"));
    assert_true(agree("graph:a,map=eigen:3+hash:2", "graph:b,map=hash:2+eigen:3"));
    assert_false(agree("none,map=hash:8", "none"));
    assert_false(agree("none,map=hash:8", "none,map=hash:9"));
    assert_false(agree("none,map=hash:8", "none,map=hash:8,seed=1"));
    assert_false(agree("none,map=hash:8", "none,map=hash:8,names=hashed"));
    assert_false(agree("graph:a,map=eigen:3+hash:2", "graph:a,map=eigen:3"));
}

/* ---- Sides ---- */

static weft_roster *open_roster(const char *spec)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    if (weft_roster_open(spec, NULL, &roster, &error) != WEFT_OK)
        fail_msg("%s: %s", spec, error.message);
    return roster;
}

static int64_t admit(weft_roster *roster, const char *name)
{
    int64_t number = -1;
    weft_error error = {0};
    if (weft_roster_admit(roster, name, NULL, &number, &error) != WEFT_OK)
        fail_msg("%s: %s", name, error.message);
    return number;
}

static void a_map_reaches_its_side(void **state)
{
    test_file file = file_of("a one\nb two\nc one\n");
    char spec[160];
    double phi[6] = {0};
    snprintf(spec, sizeof spec, "classes:%s,epsilon=0.5,map=hash:4,seed=3", file.path);
    weft_roster *roster = open_roster(spec);
    assert_true(weft_roster_report(roster).mapped && !weft_roster_report(roster).hashed);
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    const weft_side *side = weft_roster_side(roster);
    assert_int_equal(weft_side_dimension(side), 6);
    assert_int_equal(weft_side_features(side, 1, phi, NULL), WEFT_OK);
    assert_true(phi[0] == 0 && phi[1] == 1 && fabs(fabs(phi[2]) - sqrt(0.5 / 4)) < 1e-15);
    /* The same by hand. */
    const weft_map map = {.hash = 4, .seed = 3};
    weft_side *plain = NULL;
    double same[6] = {0};
    weft_side_options options = {.map = &map};
    assert_int_equal(weft_side_from_classes(3, (int64_t[]){0, 1, 0}, 0.5, &options, &plain, NULL), WEFT_OK);
    assert_int_equal(weft_side_features(plain, 1, same, NULL), WEFT_OK);
    assert_memory_equal(phi, same, sizeof phi);
    weft_side_free(plain);
    weft_roster_free(roster);
    /* Without being asked, and none. */
    snprintf(spec, sizeof spec, "classes:%s,epsilon=0", file.path);
    roster = open_roster(spec);
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    assert_false(weft_roster_report(roster).mapped);
    assert_int_equal(weft_side_dimension(weft_roster_side(roster)), 2);
    weft_roster_free(roster);
    unlink(file.path);
}

/* A map that needs more ids than there are is told with its file. */
static void a_map_that_does_not_fit(void **state)
{
    test_file file = file_of("a b\nb c\n");
    char spec[160];
    weft_error error = {0};
    snprintf(spec, sizeof spec, "graph:%s,map=eigen:4", file.path);
    weft_roster *roster = open_roster(spec);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_ARGUMENT);
    message_without(&error, file.path);
    assert_non_null(strstr(error.message, "the map has 4 eigen coordinates; expected at most 3"));
    assert_null(weft_roster_side(roster));
    weft_roster_free(roster);
    unlink(file.path);
}

static void hashed_names_are_counted_and_forgotten(void **state)
{
    weft_roster *roster = open_roster("none,map=hash:8,names=hashed");
    assert_true(weft_roster_report(roster).hashed);
    int64_t first = admit(roster, "first"), second = admit(roster, "second");
    assert_true(first >= 0 && second >= 0 && first != second);
    assert_true(first == admit(roster, "first"));
    assert_true((uint64_t)first == weft__digest_of("first", 5).half[1] >> 1);
    assert_int_equal(weft_roster_report(roster).let_in, 2);
    assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
    assert_int_equal(weft_ids_count(weft_roster_ids(roster)), 0);
    assert_int_equal(weft_side_count(weft_roster_side(roster)), 0);
    assert_true(first == admit(roster, "first"));
    assert_true(admit(roster, "third") >= 0);
    assert_int_equal(weft_roster_report(roster).let_in, 2);
    assert_int_equal(weft_ids_count(weft_roster_ids(roster)), 0);
    double phi[8];
    assert_int_equal(weft_side_features(weft_roster_side(roster), first, phi, NULL), WEFT_OK);
    weft_roster_free(roster);
}

/* Room is asked for only while names are counted. */
static void capacity_is_no_limit_for_hashed_names(void **state)
{
    weft_file_options files = {.id_limit = 2};
    weft_error error = {0};
    for (int built = 0; built < 2; built++) {
        weft_roster *roster = NULL;
        int64_t number = -1;
        assert_int_equal(weft_roster_open("none,map=hash:8,names=hashed", &files, &roster, NULL), WEFT_OK);
        if (built != 0)
            assert_int_equal(weft_roster_build(roster, NULL), WEFT_OK);
        admit(roster, "a");
        admit(roster, "b");
        assert_int_equal(weft_roster_admit(roster, "c", NULL, &number, &error),
                         built != 0 ? WEFT_OK : WEFT_CAPACITY);
        weft_roster_free(roster);
    }
}

/* After it is built a roster takes no memory for names; while it is built none is lost. */
static void memory_of_hashed_names(void **state)
{
    test_alloc alloc;
    char name[32];
    for (int64_t k = 0;; k++) {
        weft_roster *roster = NULL;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_file_options files = {.memory = &memory};
        int64_t number = 0;
        weft_status status = weft_roster_open("none,map=hash:8,names=hashed", &files, &roster, NULL);
        if (status == WEFT_OK)
            status = weft_roster_admit(roster, "somebody", NULL, &number, NULL);
        if (status == WEFT_OK)
            status = weft_roster_build(roster, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        int64_t blocks = test_alloc_blocks(&alloc);
        for (int n = 0; n < 1000 && status == WEFT_OK; n++) {
            snprintf(name, sizeof name, "somebody else %d", n);
            assert_int_equal(weft_roster_admit(roster, name, NULL, &number, NULL), WEFT_OK);
        }
        assert_int_equal(test_alloc_blocks(&alloc), blocks);
        weft_roster_free(roster);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!alloc.failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_maps),
        cmocka_unit_test(refused_words),
        cmocka_unit_test(agreement),
        cmocka_unit_test(a_map_reaches_its_side),
        cmocka_unit_test(a_map_that_does_not_fit),
        cmocka_unit_test(hashed_names_are_counted_and_forgotten),
        cmocka_unit_test(capacity_is_no_limit_for_hashed_names),
        cmocka_unit_test(memory_of_hashed_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
