/* SPDX-License-Identifier: MIT
 * Files that are the same, however they are spelt, and what a command may do with them. */
#define _POSIX_C_SOURCE 200809L

#include "support/test.h"

#include "program/paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/weft-paths-XXXXXX";

static void put(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("a,b,1\n", file);
    fclose(file);
}

/* there, link -> there, hard = there, dangling -> new, far -> sub/new, sub/ */
static int set_up(void **state)
{
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    put("there");
    put("other");
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_int_equal(symlink("there", "link"), 0);
    assert_int_equal(link("there", "hard"), 0);
    assert_int_equal(symlink("new", "dangling"), 0);
    assert_int_equal(symlink("dangling", "twice"), 0);
    assert_int_equal(symlink("sub/new", "far"), 0);
    assert_int_equal(symlink("../new", "sub/up"), 0);
    assert_int_equal(symlink("sub", "folder"), 0);
    assert_int_equal(symlink("round", "round"), 0);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"there", "other", "link",   "hard",   "dangling",
                                        "twice", "far",   "sub/up", "folder", "round"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_int_equal(unlink(names[k]), 0);
    assert_int_equal(rmdir("sub"), 0);
    assert_int_equal(chdir("/"), 0);
    return rmdir(folder);
}

typedef void adder(paths_list *files, const char *option, const char *path);

static weft_status both(adder *first, const char *a, adder *second, const char *b, weft_error *error)
{
    paths_list files = {0};
    first(&files, "--one", a);
    second(&files, "--two", b);
    weft_status status = paths_check(&files, error);
    paths_free(&files);
    return status;
}

static const struct {
    const char *a, *b;
    bool same;
} pairs[] = {
    {"there", "there", true},     {"there", "./there", true},  {"there", "sub/../there", true},
    {"there", "link", true},      {"hard", "link", true},      {"there", "other", false},
    {"new", "./new", true},       {"new", "dangling", true},   {"new", "twice", true},
    {"dangling", "sub/up", true}, {"far", "folder/new", true}, {"sub/new", "folder/new", true},
    {"new", "sub/new", false},    {"new", "newer", false},     {"far", "new", false},
    {"no/folder/x", "x", false},  {"round", "round", true},    {"/dev/null", "/dev/null", false},
    {"sub", "sub", false},
};

static void files_are_known_by_what_they_are(void **state)
{
    char whole[64];
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        weft_error error = {0};
        weft_status expected = pairs[k].same ? WEFT_ARGUMENT : WEFT_OK;
        if (both(paths_read, pairs[k].a, paths_write, pairs[k].b, &error) != expected ||
            both(paths_write, pairs[k].b, paths_read, pairs[k].a, &error) != expected ||
            both(paths_write, pairs[k].a, paths_write, pairs[k].b, &error) != expected)
            fail_msg("%s and %s: %s", pairs[k].a, pairs[k].b, error.message);
        assert_int_equal(both(paths_read, pairs[k].a, paths_read, pairs[k].b, &error), WEFT_OK);
    }
    weft_error error = {0};
    snprintf(whole, sizeof whole, "%s/there", folder);
    assert_int_equal(both(paths_read, whole, paths_write, "link", &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "--two link is the same file as --one /"));
}

static void a_model_may_follow_a_model(void **state)
{
    weft_error error = {0};
    assert_int_equal(both(paths_read_model, "there", paths_write_model, "there", &error), WEFT_OK);
    assert_int_equal(both(paths_read_model, "there", paths_write, "there", &error), WEFT_ARGUMENT);
    assert_int_equal(both(paths_read, "there", paths_write_model, "there", &error), WEFT_ARGUMENT);
    assert_int_equal(both(paths_write_model, "there", paths_write_model, "there", &error), WEFT_ARGUMENT);
    assert_int_equal(both(paths_read_model, "there", paths_read_model, "there", &error), WEFT_OK);
}

static void every_file_of_a_spec_counts(void **state)
{
    static const char *const specs[] = {"graph:there", "graph:there,connect=star", "kernel:other,ids=there",
                                        "graph:other,connect=error,ids=link,radius=2"};
    static const char *const others[] = {"none", "none,map=hash:4", "graph:other", "classes:a\\,there", NULL};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        weft_error error = {0};
        assert_int_equal(both(paths_read_spec, specs[k], paths_write, "there", &error), WEFT_ARGUMENT);
        assert_non_null(strstr(error.message, "--one"));
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        weft_error error = {0};
        assert_int_equal(both(paths_read_spec, others[k], paths_write, "there", &error), WEFT_OK);
    }
    weft_error error = {0};
    assert_int_equal(both(paths_read_spec, "classes:a\\,b\\\\c", paths_write, "a,b\\c", &error),
                     WEFT_ARGUMENT);
}

static void a_name_must_be_one(void **state)
{
    weft_error error = {0};
    assert_int_equal(both(paths_read, "there", paths_write, "", &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "--two: found '', expected the name of a file");
    assert_int_equal(both(paths_read, "there", paths_write, "sub/", &error), WEFT_ARGUMENT);
    assert_int_equal(both(paths_read, "", paths_read, "sub/", &error), WEFT_OK);
    assert_int_equal(both(paths_read, NULL, paths_write, NULL, &error), WEFT_OK);
}

/* Standard output is put back at once: cmocka tells there what it finds. */
static void standard_output_is_written_too(void **state)
{
    weft_error error = {0};
    weft_status found[5];
    int kept = dup(STDOUT_FILENO), file = open("there", O_RDWR | O_APPEND);
    assert_true(kept >= 0 && file >= 0);
    fflush(stdout);
    assert_int_equal(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
    found[0] = both(paths_read, "other", paths_write, "link", &error);
    found[1] = both(paths_read, "hard", paths_write, "other", &error);
    found[2] = both(paths_read, "other", paths_write, "/dev/stdout", &error);
    found[3] = both(paths_read, "other", paths_write, "-", &error);
    found[4] = paths_check_standard("hard", &error);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    assert_int_equal(found[0], WEFT_ARGUMENT);
    assert_int_equal(found[1], WEFT_ARGUMENT);
    assert_int_equal(found[2], WEFT_OK);
    assert_int_equal(found[3], WEFT_OK);
    assert_int_equal(found[4], WEFT_ARGUMENT);
    assert_int_equal(paths_check_standard("hard", &error), WEFT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_known_by_what_they_are), cmocka_unit_test(a_model_may_follow_a_model),
        cmocka_unit_test(every_file_of_a_spec_counts),      cmocka_unit_test(a_name_must_be_one),
        cmocka_unit_test(standard_output_is_written_too),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
