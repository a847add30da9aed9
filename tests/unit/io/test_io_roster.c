/* SPDX-License-Identifier: MIT
 * Side information from files, for the ids of a stream. */
#define _POSIX_C_SOURCE 200809L

#include "base/status.h"
#include "side/side.h"
#include "support/side_checks.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

#include <math.h>

/* A roster of `kind`:FILE`options` after the ids of the stream, separated by
 * blanks, were admitted; the message of a failure without the path. */
static weft_status make(const char *kind, const char *contents, const char *options, const char *stream,
                        weft_roster **roster, weft_error *error)
{
    char spec[512], ids[256];
    test_file file = file_of(contents);
    weft_event event = {.file = "s.csv"};
    weft_status status = WEFT_OK;
    int64_t number = 0;
    snprintf(spec, sizeof spec, "%s:%s%s", kind, file.path, options);
    snprintf(ids, sizeof ids, "%s", stream);
    TRY(weft_roster_open(spec, NULL, roster, error));
    for (char *id = strtok(ids, " "); id != NULL; id = strtok(NULL, " ")) {
        event.line++;
        TRY(weft_roster_admit(*roster, id, &event, &number, error));
    }
    TRY(weft_roster_build(*roster, error));
done:
    if (status != WEFT_OK)
        message_without(error, file.path);
    unlink(file.path);
    return status;
}

static weft_roster *must_make(const char *kind, const char *contents, const char *options, const char *stream)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    if (make(kind, contents, options, stream, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

static void assert_names(const weft_roster *roster, const char *expected)
{
    char names[256] = "";
    const weft_ids *ids = weft_roster_ids(roster);
    for (int64_t k = 0; k < weft_ids_count(ids); k++) {
        strcat(names, k > 0 ? " " : "");
        strcat(names, weft_ids_name(ids, k));
    }
    assert_string_equal(names, expected);
    for (int64_t k = 0; k < weft_ids_count(ids); k++)
        assert_true(weft__side_has(weft_roster_side(roster), k));
}

static void none_takes_every_id(void **state)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    int64_t number = -1;
    assert_int_equal(weft_roster_open("none", NULL, &roster, &error), WEFT_OK);
    assert_null(weft_roster_side(roster));
    assert_int_equal(weft_roster_admit(roster, "b", NULL, &number, &error), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_admit(roster, "a", NULL, &number, &error), WEFT_OK);
    assert_int_equal(number, 1);
    assert_int_equal(weft_roster_admit(roster, "b", NULL, &number, &error), WEFT_OK);
    assert_int_equal(number, 0);
    assert_names(roster, "b a");
    assert_kernel(weft_roster_side(roster), (double[]){1, 0, 0, 1}, 0);
    assert_int_equal(weft_roster_report(roster).let_in, 2);
    weft_roster_free(roster);
    weft_roster_free(NULL);
}

static void classes_from_a_file(void **state)
{
    weft_roster *roster = must_make("classes", "b x\na y\nc x\n", ",epsilon=0.5,missing=alone", "a z");
    assert_names(roster, "b a c z");
    assert_kernel(weft_roster_side(roster),
                  (double[]){1.5, 0, 1, 0, 0, 1.5, 0, 0, 1, 0, 1.5, 0, 0, 0, 0, 1.5}, 0);
    weft_roster_facts facts = weft_roster_report(roster);
    assert_int_equal(facts.listed, 3);
    assert_int_equal(facts.let_in, 1);
    assert_true(facts.alone);
    weft_roster_free(roster);
}

/* The path a - b: L^+ = [1 -1; -1 1] / 4, R_L = 1/4. */
static void graph_from_a_file(void **state)
{
    weft_roster *roster = must_make("graph", "a,b,1\nb,a\nb,b\n", "", "b a");
    assert_names(roster, "a b");
    assert_kernel(weft_roster_side(roster), (double[]){.5, 0, 0, .5}, 1e-12);
    assert_int_equal(weft_side_graph(weft_roster_side(roster)).loops, 1);
    weft_roster_free(roster);
}

/* Ids that the graph lacks become vertices, here leaves of a star at `a`. */
static void graphs_are_joined_by_the_stream(void **state)
{
    weft_roster *joined = must_make("graph", "a b\n", ",missing=join", "c b d"),
                *whole = must_make("graph", "a b\na c\na d\n", "", "");
    weft_error error = {0};
    int64_t number = 0;
    double *expected = side_kernel(weft_roster_side(whole));
    assert_names(joined, "a b c d");
    assert_kernel(weft_roster_side(joined), expected, 1e-12);
    assert_int_equal(weft_side_graph(weft_roster_side(joined)).joined, 2);
    assert_int_equal(weft_roster_admit(joined, "e", NULL, &number, &error), WEFT_UNSUPPORTED);
    assert_names(joined, "a b c d");
    free(expected);
    weft_roster_free(joined);
    weft_roster_free(whole);
}

static const double square[] = {2, 1, 1, 2};

static void squares_with_and_without_a_corner(void **state)
{
    static const char *const texts[] = {"\ta\tb\na\t2\t1\nb\t1\t2\n", "ids,a,b\na,2,1\nb,1,2\n",
                                        " a b\na 2 1\nb 1 2\n", "a,b\na,2,1\nb,1,2\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        weft_roster *roster = must_make("kernel", texts[k], "", "b");
        assert_names(roster, "a b");
        assert_kernel(weft_roster_side(roster), square, 0);
        assert_false(weft_roster_report(roster).repaired);
        weft_roster_free(roster);
    }
    weft_roster *inverse = must_make("matrix", texts[0], ",missing=alone,radius=1", "b x");
    assert_names(inverse, "a b x");
    assert_kernel(weft_roster_side(inverse), (double[]){2. / 3, -1. / 3, 0, -1. / 3, 2. / 3, 0, 0, 0, 1},
                  1e-12);
    weft_roster_free(inverse);
}

/* Symmetrised: [1 2; 2 1], eigenvalues 3 and -1 for (1,1) and (1,-1). */
static void kernels_are_repaired(void **state)
{
    static const char text[] = ",a,b\na,1,1.5\nb,2.5,1\n";
    weft_roster *clipped = must_make("kernel", text, ",repair=clip", ""),
                *shifted = must_make("kernel", text, ",repair=shift", "");
    assert_kernel(weft_roster_side(clipped), (double[]){1.5, 1.5, 1.5, 1.5}, 1e-12);
    assert_kernel(weft_roster_side(shifted), (double[]){2, 2, 2, 2}, 1e-12);
    weft_roster_facts facts = weft_roster_report(clipped);
    assert_true(facts.repaired && facts.asymmetry == 1 && fabs(facts.least_eigenvalue + 1) < 1e-12);
    weft_roster_free(clipped);
    weft_roster_free(shifted);
    weft_roster *sound = must_make("kernel", ",a,b\na,2,1\nb,1,2\n", ",repair=clip", "");
    assert_kernel(weft_roster_side(sound), square, 0);
    assert_false(weft_roster_report(sound).repaired);
    weft_roster_free(sound);
    /* Definite once it is symmetric: nothing is clipped, and it was repaired all the same. */
    weft_roster *turned = must_make("kernel", ",a,b\na,2,0.5\nb,1.5,2\n", ",repair=clip", "");
    assert_kernel(weft_roster_side(turned), square, 0);
    facts = weft_roster_report(turned);
    assert_true(facts.repaired && facts.asymmetry == 1 && facts.moved == 0);
    weft_roster_free(turned);
}

static void features_from_a_file(void **state)
{
    weft_roster *linear = must_make("features", "a,1,2\nb,0,-1\n", ",kernel=linear,epsilon=1", "b");
    assert_kernel(weft_roster_side(linear), (double[]){6, -2, -2, 2}, 0);
    weft_roster *gauss = must_make("features", "a 0\nb 1\n", ",kernel=gaussian,width=0.5", "");
    assert_kernel(weft_roster_side(gauss), (double[]){1, exp(-2), exp(-2), 1}, 1e-15);
    weft_roster *min = must_make("features", "a 2\nb -2\n", ",kernel=min,range=2", "");
    assert_kernel(weft_roster_side(min), (double[]){2, 1, 1, 1}, 1e-15);
    weft_roster_free(linear);
    weft_roster_free(gauss);
    weft_roster_free(min);
}

static const struct {
    const char *kind, *contents, *options, *stream;
    weft_status status;
    const char *message;
} refused[] = {
    {"classes", "", "", "", WEFT_INPUT, "F: found no ids, expected at least one line"},
    {"classes", "a x\nb\n", "", "", WEFT_INPUT, "F:2: found 1 field, expected 2: an id and its class"},
    {"classes", "a x\na x\n", "", "", WEFT_INPUT,
     "F:2:1: found id 'a' a second time, expected every id once"},
    {"classes", "a,x\n,y\n", "", "", WEFT_INPUT, "F:2:1: found nothing, expected an id"},
    {"classes", "a x\n", ",missing=error", "a b", WEFT_UNKNOWN_ID,
     "s.csv:2: found id 'b', expected one of the 1 ids of F (missing=alone lets others in)"},
    {"classes", "a x\n", ",radius=1", "", WEFT_INPUT, "F: id 'a': "},
    {"graph", "a b c d\n", "", "", WEFT_INPUT,
     "F:1: found 4 fields, expected 2 or 3: an id, an id and a weight"},
    {"graph", "a b 0\n", "", "", WEFT_INPUT, "F:1:5: found weight 0, expected a positive one"},
    {"graph", "a b x\n", "", "", WEFT_INPUT, "F:1:5: found 'x', expected a finite number"},
    {"graph", "# e\na b 1\nb c\nb a 2\n", "", "", WEFT_INPUT,
     "F:4: found edge 'b' 'a' with weight 2, expected 1 as on line 2"},
    {"graph", "a b\nc d\n", ",connect=error", "", WEFT_INPUT,
     "F: id 'a' and id 'c': graph: there is no path"},
    {"graph", "a b\n", ",missing=error", "c", WEFT_UNKNOWN_ID,
     "s.csv:1: found id 'c', expected one of the 2"},
    {"kernel", ",a,b\n", "", "", WEFT_INPUT, "F:1: found no line after the ids, expected one for every id"},
    {"kernel", ",a,b\na,1\n", "", "", WEFT_INPUT, "F:1: found 3 fields, but 2 on the next line: expected"},
    {"kernel", ",a,b\na,1,0\n", "", "", WEFT_INPUT, "F: found 1 rows, expected as many as columns, 2"},
    {"kernel", ",a,b\na,1,0\nb,0,1\nc,0,0\n", "", "", WEFT_INPUT,
     "F:4: found row 3, expected only as many as columns, 2"},
    {"kernel", ",a,b\na,1,0\nb,0\n", "", "", WEFT_INPUT, "F:3: found 2 fields, expected an id and 2 values"},
    {"kernel", ",a,b\na,1,0\nc,0,1\n", "", "", WEFT_INPUT,
     "F:3:1: found id 'c', expected 'b' as in the first row"},
    {"kernel", ",a,a\na,1,0\na,0,1\n", "", "", WEFT_INPUT, "F:1:4: found id 'a' a second time"},
    {"kernel", ",a,b\na,1,x\nb,0,1\n", "", "", WEFT_INPUT, "F:2:5: found 'x', expected a finite number"},
    {"kernel", ",a,b\na,1,0\nb,1,1\n", "", "", WEFT_INPUT, "F: id 'a' and id 'b': K is not symmetric"},
    {"kernel", ",a,b\na,1,2\nb,2,1\n", "", "", WEFT_INPUT, "repair=clip or repair=shift"},
    {"matrix", ",a,b\na,1,2\nb,2,1\n", "", "", WEFT_INPUT, "not positive definite"},
    {"features", "a\n", ",kernel=linear,epsilon=0", "", WEFT_INPUT,
     "F:1: found 0 values after the id, expected 1"},
    {"features", "a 1 2\nb 1\n", ",kernel=linear,epsilon=0", "", WEFT_INPUT,
     "F:2: found 1 values after the id, expected 2"},
    {"features", "a 1 2\nb 1 x\n", ",kernel=linear,epsilon=0", "", WEFT_INPUT,
     "F:2:5: found 'x', expected a finite number"},
    {"features", "a 3\n", ",kernel=min,range=2", "", WEFT_INPUT,
     "F:1:3: found 3, expected a number from -2 to 2 (range=)"},
    {"features", "a 0\nb 0\n", ",kernel=linear,epsilon=0", "", WEFT_INPUT, "F: features: the kernel is zero"},
};

static void refusals(void **state)
{
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_error error = {0};
        weft_roster *roster = NULL;
        weft_status status = make(refused[k].kind, refused[k].contents, refused[k].options, refused[k].stream,
                                  &roster, &error);
        if (status != refused[k].status || strstr(error.message, refused[k].message) == NULL)
            fail_msg("case %d: status %d, %s", (int)k, (int)status, error.message);
        weft_roster_free(roster);
    }
}

static void capacity_is_a_limit(void **state)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    char spec[128];
    int64_t number = -1;
    test_file file = file_of("a x\nb x\n");
    weft_file_options options = {.id_limit = 1};
    snprintf(spec, sizeof spec, "classes:%s", file.path);
    assert_int_equal(weft_roster_open(spec, &options, &roster, &error), WEFT_CAPACITY);
    assert_string_equal(message_without(&error, file.path),
                        "F:2: found id 'b', but there is room for only 1 ids");
    unlink(file.path);
    assert_int_equal(weft_roster_open("none", &options, &roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_admit(roster, "a", NULL, &number, &error), WEFT_OK);
    assert_int_equal(weft_roster_admit(roster, "b", NULL, &number, &error), WEFT_CAPACITY);
    assert_int_equal(weft_roster_admit(roster, "a", NULL, &number, &error), WEFT_OK);
    assert_int_equal(weft_ids_count(weft_roster_ids(roster)), 1);
    weft_roster_free(roster);
}

static void true_classes(void **state)
{
    weft_ids *ids = NULL;
    weft_error error = {0};
    int64_t number = 0, class_of[2] = {-7, -7}, classes = -7;
    test_file file = file_of("x unused\nb two\na one\n"), partial = file_of("a one\n");
    assert_int_equal(weft_ids_create(NULL, &ids, NULL), WEFT_OK);
    assert_int_equal(weft_ids_add(ids, "a", &number, NULL), WEFT_OK);
    assert_int_equal(weft_ids_add(ids, "b", &number, NULL), WEFT_OK);
    assert_int_equal(weft_classes_read(partial.path, ids, NULL, class_of, &classes, &error), WEFT_INPUT);
    assert_string_equal(message_without(&error, partial.path), "F: found no class of id 'b', expected one");
    assert_int_equal(class_of[0], -7);
    assert_int_equal(classes, -7);
    assert_int_equal(weft_classes_read(file.path, ids, NULL, class_of, &classes, &error), WEFT_OK);
    assert_int_equal(class_of[0], 0);
    assert_int_equal(class_of[1], 1);
    assert_int_equal(classes, 2);
    weft_ids_free(ids);
    unlink(file.path);
    unlink(partial.path);
}

/* ---- Every allocation fails once ---- */

static weft_status make_with(const weft_memory *memory, const char *spec, const char *const *stream,
                             weft_error *error)
{
    weft_file_options options = {.memory = memory};
    weft_roster *roster = NULL;
    weft_status status = WEFT_OK;
    int64_t number = 0, classes = 0, class_of[8];
    TRY(weft_roster_open(spec, &options, &roster, error));
    for (int k = 0; stream[k] != NULL; k++)
        TRY(weft_roster_admit(roster, stream[k], NULL, &number, error));
    TRY(weft_roster_build(roster, error));
    if (strncmp(spec, "classes:", 8) == 0) {
        status = weft_roster_admit(roster, "late", NULL, &number, error);
        if (status != WEFT_OK) {
            assert_int_equal(weft_ids_find(weft_roster_ids(roster), "late"), -1);
            goto done;
        }
        assert_true(weft_side_count(weft_roster_side(roster)) == number &&
                    weft_side_entry(weft_roster_side(roster), number, number) > 0);
        TRY(weft_classes_read(spec + 8, weft_roster_ids(roster), &options, class_of, &classes, error) ==
                    WEFT_MEMORY
                ? WEFT_MEMORY
                : WEFT_OK);
    }
done:
    weft_roster_free(roster);
    return status;
}

static void failed_allocations_leave_no_trace(void **state)
{
    static const char *const cases[][3] = {
        {"classes", "a x\nb y\n", ",missing=alone"},
        {"graph", "a b\nb c 2\n", ""},
        {"kernel", ",a,b\na,1,2\nb,2,1\n", ",repair=clip,missing=alone"},
        {"matrix", ",a,b\na,2,1\nb,1,2\n", ",missing=alone"},
        {"features", "a 1 2\nb 2 1\n", ",kernel=gaussian,width=1,missing=alone"},
    };
    static const char *const stream[] = {"b", "new", NULL};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char spec[128];
        test_alloc alloc;
        int64_t k = 0;
        test_file file = file_of(cases[c][1]);
        snprintf(spec, sizeof spec, "%s:%s%s", cases[c][0], file.path, cases[c][2]);
        for (;; k++) {
            weft_error error = {0};
            weft_memory memory = test_alloc_begin(&alloc, k);
            weft_status status = make_with(&memory, spec, stream, &error);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            if (!alloc.failed)
                break;
        }
        assert_true(k > 8);
        unlink(file.path);
    }
}

/* A first line of usual names of fields that no other line has. */
static void headers_are_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *contents;
        bool header;
    } cases[] = {
        {"graph", "user,item\na,b\nb,c\n", true},        {"graph", "user,item\n", false},
        {"graph", "user,b\na,b\nb,c\n", false},          {"graph", "a,item\na,b\nb,c\n", false},
        {"graph", "user,item\na,b\nuser,c\n", false},    {"graph", "user,item\na,b\nc,user\n", false},
        {"graph", "user,item\na,b\nitem,c\n", false},    {"graph", "user,item\na,b\nc,item\n", false},
        {"classes", "user,class\na,red\nb,red\n", true}, {"classes", "user,class\n", false},
        {"classes", "a,red\nuser,blue\n", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char spec[512];
        weft_roster *roster = NULL;
        test_file file = file_of(cases[k].contents);
        snprintf(spec, sizeof spec, "%s:%s", cases[k].kind, file.path);
        assert_int_equal(weft_roster_open(spec, NULL, &roster, NULL), WEFT_OK);
        if ((weft_roster_report(roster).header[0] != 0) != cases[k].header)
            fail_msg("%s", cases[k].contents);
        weft_roster_free(roster);
        unlink(file.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_takes_every_id),
        cmocka_unit_test(classes_from_a_file),
        cmocka_unit_test(graph_from_a_file),
        cmocka_unit_test(graphs_are_joined_by_the_stream),
        cmocka_unit_test(squares_with_and_without_a_corner),
        cmocka_unit_test(kernels_are_repaired),
        cmocka_unit_test(features_from_a_file),
        cmocka_unit_test(refusals),
        cmocka_unit_test(capacity_is_a_limit),
        cmocka_unit_test(true_classes),
        cmocka_unit_test(headers_are_noticed),
        cmocka_unit_test(failed_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
