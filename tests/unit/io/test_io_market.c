/* SPDX-License-Identifier: MIT
 * Matrix Market files and their ids. */
#define _POSIX_C_SOURCE 200809L

#include "base/status.h"
#include "support/side_checks.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

/* A roster of kind:F,ids=I with these contents; messages name the files F and I. */
static weft_status make(const char *kind, const char *contents, const char *names, const weft_memory *memory,
                        weft_roster **roster, weft_error *error)
{
    char spec[512];
    test_file file = file_of(contents), ids = file_of(names);
    weft_file_options options = {.memory = memory, .id_limit = 8};
    weft_status status = WEFT_OK;
    const char *comma = strchr(kind, ',');
    int length = comma != NULL ? (int)(comma - kind) : (int)strlen(kind);
    snprintf(spec, sizeof spec, "%.*s:%s,ids=%s%s", length, kind, file.path, ids.path, kind + length);
    TRY(weft_roster_open(spec, &options, roster, error));
    TRY(weft_roster_build(*roster, error));
done:
    if (status != WEFT_OK && status != WEFT_MEMORY) {
        message_without(error, file.path);
        char *at = strstr(error->message, ids.path);
        if (at != NULL) {
            at[0] = 'I';
            memmove(at + 1, at + strlen(ids.path), strlen(at + strlen(ids.path)) + 1);
        }
    }
    unlink(file.path);
    unlink(ids.path);
    return status;
}

static weft_roster *must_make(const char *kind, const char *contents, const char *names)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    if (make(kind, contents, names, NULL, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

#define BANNER "%%MatrixMarket matrix "

static void the_same_matrix_in_every_format(void **state)
{
    static const double expected[] = {2, 1, 0, 1, 2, 0, 0, 0, 3};
    static const char *const texts[] = {
        BANNER "coordinate real general\n3 3 5\n1 1 2\n2 2 2\n3 3 3\n1 2 1\n2 1 1\n",
        BANNER "coordinate real symmetric\n% a comment\n\n3 3 4\n1 1 2.0\n 2 1  1\n2 2 2\n%\n3 3 3\n",
        BANNER "coordinate integer symmetric\n3 3 4\n1 1 2\n1 2 1\n2 2 2\n3 3 3\n",
        BANNER "array real general\n3 3\n2\n1\n0\n1\n2\n0\n0\n0\n3\n",
        BANNER "array integer symmetric\n3 3\n2\n1\n0\n2\n0\n3\n",
        "%%MatrixMarket MATRIX Array Real Symmetric\r\n3\t3\r\n2\r\n1\r\n0\r\n2\r\n0\r\n3e0\r\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        weft_roster *roster = must_make("kernel", texts[k], "# ids\na\nb c\n\"d\"\n");
        assert_kernel(weft_roster_side(roster), expected, 0);
        assert_int_equal(weft_ids_find(weft_roster_ids(roster), "b c"), 1);
        assert_int_equal(weft_ids_find(weft_roster_ids(roster), "d"), 2);
        weft_roster_free(roster);
    }
}

static void patterns_matrices_and_repairs(void **state)
{
    weft_roster *pattern =
        must_make("kernel", BANNER "coordinate pattern general\n2 2 2\n1 1\n2 2\n", "a\nb\n");
    assert_kernel(weft_roster_side(pattern), (double[]){1, 0, 0, 1}, 0);
    weft_roster *matrix = must_make("matrix", BANNER "array real symmetric\n2 2\n2\n0\n4\n", "a\nb\n");
    assert_kernel(weft_roster_side(matrix), (double[]){.5, 0, 0, .25}, 1e-15);
    weft_roster *repaired = must_make(
        "kernel,repair=shift", BANNER "coordinate real general\n2 2 3\n1 1 1\n1 2 4\n2 2 1\n", "a\nb\n");
    assert_kernel(weft_roster_side(repaired), (double[]){2, 2, 2, 2}, 1e-12);
    weft_roster_facts facts = weft_roster_report(repaired);
    assert_true(facts.repaired && !facts.clipped && facts.asymmetry == 4 && facts.moved > 0.999 &&
                facts.moved < 1.001);
    double least = -1;
    assert_int_equal(weft_roster_least_eigenvalue(matrix, &least, NULL), WEFT_OK);
    assert_true(least > 0.2499 && least < 0.2501);
    weft_roster_free(pattern);
    weft_roster_free(matrix);
    weft_roster_free(repaired);
}

/* The path a - b: L^+ = [1 -1; -1 1] / 4. */
static void graphs_are_lists_of_edges(void **state)
{
    static const char *const texts[] = {
        BANNER "coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n",
        BANNER "coordinate real general\n2 2 3\n1 2 1\n2 1 1\n1 1 5\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        weft_roster *roster = must_make("graph", texts[k], "a\nb\n");
        assert_kernel(weft_roster_side(roster), (double[]){.5, 0, 0, .5}, 1e-12);
        assert_int_equal(weft_side_graph(weft_roster_side(roster)).loops, 1);
        weft_roster_free(roster);
    }
}

static const struct {
    const char *kind, *contents, *ids, *message;
} refused[] = {
    {"kernel", BANNER "coordinate complex general\n", "a\n",
     "F:1:34: found 'complex' in the banner, expected real or integer or pattern"},
    {"kernel", BANNER "coordinate real\n", "a\n",
     "F:1: found '' in the banner, expected general or symmetric"},
    {"kernel", BANNER "coordinate real hermitian\n", "a\n", "found 'hermitian' in the banner"},
    {"kernel", "%%MatrixMarket vector array real general\n", "a\n",
     "F:1:16: found 'vector' in the banner, expected matrix"},
    {"kernel", BANNER "list real general\n", "a\n",
     "F:1:23: found 'list' in the banner, expected coordinate or"},
    {"kernel", BANNER "array pattern general\n", "a\n", "found an array, expected coordinate: a pattern"},
    {"graph", BANNER "array real general\n2 2\n", "a\nb\n", "found an array, expected coordinate: a graph"},
    {"kernel", BANNER "array real general\n", "a\n", "F: found only a banner, expected the size"},
    {"kernel", BANNER "array real general\n1 1 1\n", "a\n",
     "F:2: found 3 fields, expected the size: rows, columns"},
    {"kernel", BANNER "coordinate real general\n1 1\n", "a\n",
     "F:2: found 2 fields, expected the size: rows, columns and entries"},
    {"kernel", BANNER "coordinate real general\n1 x 1\n", "a\n", "F:2:3: found 'x', expected a whole number"},
    {"kernel", BANNER "coordinate real general\n0 0 0\n", "a\n",
     "F:2:1: found '0', expected a whole number from 1 to 2147483648 (Matrix Market counts from 1)"},
    {"kernel", BANNER "coordinate real general\n2 2.5 1\n", "a\nb\n",
     "F:2:3: found '2.5', expected a whole number from 1 to 2147483648"},
    {"kernel", BANNER "array real general\n2 2\n1\nx\n", "a\nb\n", "F:4:1: found 'x', expected a"},
    {"kernel", BANNER "coordinate real symmetric\n2 2 2\n1 1 1\n1 1 1\n", "a\nb\n",
     "F:4: found entry 1 1 a second time, expected it once"},
    {"kernel", BANNER "coordinate real general\n2 3 1\n", "a\nb\n",
     "F:2:3: found 2 rows and 3 columns, expected a square matrix"},
    {"kernel", BANNER "coordinate real general\n2 2 1\n", "a\nb\nc\n",
     "F:2:1: found 2 rows, expected 3, as many as ids in I"},
    {"kernel", BANNER "coordinate real general\n2 2 5\n", "a\nb\n",
     "F:2:5: found '5', expected a whole number from 0 to 4"},
    {"kernel", BANNER "coordinate real general\n2 2 1\n3 1 1\n", "a\nb\n",
     "F:3:1: found '3', expected a whole number from 1 to 2"},
    {"kernel", BANNER "coordinate real general\n2 2 1\n1 0 1\n", "a\nb\n",
     "F:3:3: found '0', expected a whole number from 1 to 2 (Matrix Market counts from 1)"},
    {"kernel", BANNER "coordinate real general\n2 2 2\n1 1 1\n", "a\nb\n",
     "F: found 1 entries, expected 2, as line 2 says"},
    {"kernel", BANNER "coordinate real general\n2 2 1\n1 1 1\n2 2 1\n", "a\nb\n",
     "F:4: found entry 2, expected only 1, as line 2 says"},
    {"kernel", BANNER "coordinate real general\n2 2 2\n1 1 1\n1 1 1\n", "a\nb\n",
     "F:4: found entry 1 1 a second time, expected it once"},
    {"kernel", BANNER "coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n", "a\nb\n",
     "F:4: found entry 2 1 a second time, it or its mirror image, expected it once"},
    {"kernel", BANNER "coordinate real general\n2 2 1\n1 1\n", "a\nb\n",
     "F:3: found 2 fields, expected 3: row, column and value"},
    {"kernel", BANNER "coordinate pattern general\n2 2 1\n1 1 1\n", "a\nb\n",
     "F:3: found 3 fields, expected 2: row, column"},
    {"kernel", BANNER "coordinate integer general\n2 2 1\n1 1 1.5\n", "a\nb\n",
     "F:3:5: found '1.5', expected a whole number as the banner says"},
    {"kernel", BANNER "coordinate real general\n2 2 1\n1 1 nan\n", "a\nb\n",
     "F:3:5: found 'nan', expected a finite number"},
    {"kernel", BANNER "array real general\n2 2\n1 0\n", "a\nb\n",
     "F:3: found 2 fields, expected one value a line"},
    {"kernel", BANNER "array real general\n2 2\n1\n0\n0\n1\n1\n", "a\nb\n",
     "F:7: found entry 5, expected only 4"},
    {"kernel", BANNER "coordinate real general\n2 2 3\n1 1 1\n2 2 1\n1 2 .5\n", "a\nb\n",
     "F: id 'a' and id 'b': K is not symmetric"},
    {"kernel", BANNER "array real symmetric\n2 2\n1\n2\n1\n", "a\nb\n", "smallest eigenvalue is -1"},
    {"graph", BANNER "coordinate real symmetric\n2 2 1\n2 1 -1\n", "a\nb\n",
     "F:3:5: found weight -1, expected a positive one"},
    {"graph", BANNER "coordinate real general\n2 2 2\n2 1 1\n1 2 2\n", "a\nb\n",
     "F:4: found edge 'a' 'b' with weight 2, expected 1 as on line 3"},
    {"kernel", BANNER "array real general\n1 1\n1\n", "", "I: found no ids, expected at least one line"},
    {"kernel", BANNER "array real general\n1 1\n1\n", "a\na\n", "I:2:1: found id 'a' a second time"},
    {"kernel", ",a\na,1\n", "a\n", "F:1: found no %%MatrixMarket banner, expected one where ids= is given"},
};

static void refusals(void **state)
{
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_roster *roster = NULL;
        weft_error error = {0};
        weft_status status =
            make(refused[k].kind, refused[k].contents, refused[k].ids, NULL, &roster, &error);
        if (status != WEFT_INPUT || strstr(error.message, refused[k].message) == NULL)
            fail_msg("case %d: status %d, %s", (int)k, (int)status, error.message);
        weft_roster_free(roster);
    }
}

static void banners_need_ids_and_a_kind_that_takes_them(void **state)
{
    static const char *const cases[][2] = {
        {"kernel:%s", "F:1: found a Matrix Market file, which has no ids, expected ,ids=FILE"},
        {"classes:%s", "F:1: found a Matrix Market file, expected `id class' a line"},
        {"features:%s,kernel=linear,epsilon=1", "F:1: found a Matrix Market file, expected an id and its"},
    };
    test_file file = file_of(BANNER "array real general\n1 1\n1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char spec[128];
        weft_roster *roster = NULL;
        weft_error error = {0};
        const char *at = strchr(cases[k][0], '%');
        snprintf(spec, sizeof spec, "%.*s%s%s", (int)(at - cases[k][0]), cases[k][0], file.path, at + 2);
        assert_int_equal(weft_roster_open(spec, NULL, &roster, &error), WEFT_INPUT);
        message_without(&error, file.path);
        assert_non_null(strstr(error.message, cases[k][1]));
    }
    unlink(file.path);
}

static void ids_are_limited(void **state)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    assert_int_equal(make("kernel", BANNER "array real general\n9 9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", NULL,
                          &roster, &error),
                     WEFT_CAPACITY);
    assert_string_equal(error.message, "I:9: found id '9', but there is room for only 8 ids");
}

static void failed_allocations_leave_no_trace(void **state)
{
    static const char *const cases[][2] = {
        {"kernel", BANNER "coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n"},
        {"matrix", BANNER "array real symmetric\n2 2\n1\n0\n1\n"},
        {"graph", BANNER "coordinate pattern symmetric\n2 2 1\n1 2\n"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int64_t k = 0;; k++) {
            test_alloc alloc;
            weft_roster *roster = NULL;
            weft_error error = {0};
            weft_memory memory = test_alloc_begin(&alloc, k);
            weft_status status = make(cases[c][0], cases[c][1], "a\nb\n", &memory, &roster, &error);
            weft_roster_free(roster);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            if (!alloc.failed)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_matrix_in_every_format),
        cmocka_unit_test(patterns_matrices_and_repairs),
        cmocka_unit_test(graphs_are_lists_of_edges),
        cmocka_unit_test(refusals),
        cmocka_unit_test(banners_need_ids_and_a_kind_that_takes_them),
        cmocka_unit_test(ids_are_limited),
        cmocka_unit_test(failed_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
