/* SPDX-License-Identifier: MIT
 * Whether two rosters know the same, as those must that are merged. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "io/roster/roster.h"
#include "unit/test_io_support.h"

/* The roster of a SPEC with % in place of a file of this text. */
static weft_roster *roster_of(const char *how, const char *text)
{
    test_file file = file_of(text);
    weft_roster *roster = NULL;
    weft_error error = {0};
    char spec[200];
    const char *place = strchr(how, '%');
    if (place == NULL)
        snprintf(spec, sizeof spec, "%s", how);
    else
        snprintf(spec, sizeof spec, "%.*s%s%s", (int)(place - how), how, file.path, place + 1);
    if (weft_roster_open(spec, NULL, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    unlink(file.path);
    return roster;
}

/* Both ways round: alike, or refused with these words. */
static void assert_alike(const weft_roster *a, const weft_roster *b, const char *words)
{
    static const char *const owners[2] = {"one", "the other"};
    for (int k = 0; k < 2; k++) {
        weft_error error = {0};
        weft_status status = weft_roster_check_alike(k == 0 ? a : b, k == 0 ? b : a, "rows", owners, &error);
        assert_int_equal(status, words == NULL ? WEFT_OK : WEFT_ARGUMENT);
        if (words != NULL && strstr(error.message, words) == NULL)
            fail_msg("'%s', expected '%s'", error.message, words);
    }
}

static void the_same_bytes_are_alike(void **state)
{
    weft_roster *a = roster_of("classes:%", "a 1\nb 2\n"), *same = roster_of("classes:%", "a 1\nb 2\n");
    weft_roster *longer = roster_of("classes:%", "a 1\nb 2\nc 2\n");
    weft_roster *other = roster_of("classes:%", "a 1\nb 3\n"), *none = roster_of("none", "");
    weft_roster *wide = roster_of("classes:%,epsilon=3", "a 1\nb 2\n");
    assert_alike(a, same, NULL);
    assert_alike(a, longer, "was made with another");
    assert_alike(a, other, "was made with another");
    assert_alike(a, none, "the SPECs of the rows differ: one has");
    assert_alike(a, wide, "the SPECs of the rows differ: one has");
    weft_roster_free(a);
    weft_roster_free(same);
    weft_roster_free(longer);
    weft_roster_free(other);
    weft_roster_free(none);
    weft_roster_free(wide);
}

static void admit(weft_roster *roster, const char *name)
{
    const weft_event event = {.row = name, .column = name, .file = "s", .line = 1};
    int64_t pair[2];
    assert_int_equal(weft_roster_admit_pair(roster, NULL, &event, pair, NULL), WEFT_OK);
}

/* A graph that has taken in a vertex is another one; ids that are alone change nothing. */
static void vertices_of_the_stream_count(void **state)
{
    static const char *const joins[] = {"graph:%,missing=join", "graph:%,missing=alone"};
    for (int k = 0; k < 2; k++) {
        weft_roster *a = roster_of(joins[k], "a b\nb c\n"), *b = roster_of(joins[k], "a b\nb c\n");
        assert_alike(a, b, NULL);
        admit(a, "z");
        assert_alike(a, b, k == 0 ? " has the vertex 'z', " : NULL);
        admit(b, "z");
        assert_alike(a, b, NULL);
        weft_roster_free(a);
        weft_roster_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_are_alike),
        cmocka_unit_test(vertices_of_the_stream_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
