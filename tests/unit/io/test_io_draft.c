/* SPDX-License-Identifier: MIT
 * Drafts: what others see while one is written, what a death leaves, and whose the file is afterwards. */
#define _GNU_SOURCE

#include "base/memory.h"
#include "io/text/draft.h"
#include "unit/test_io_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* A folder of its own, and a name in it. */
static char folder[40], path[64];

static int set_up(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/weft-draft-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.weft", folder);
    return 0;
}

/* rmdir() fails where something was left. */
static int tear_down(void **state)
{
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
    return 0;
}

static int count_files(void)
{
    DIR *open = opendir(folder);
    int count = -2; /* . and .. */
    assert_non_null(open);
    while (readdir(open) != NULL)
        count++;
    closedir(open);
    return count;
}

static void put(const char *name, const char *text)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool take_away(const char *name)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    return unlink(whole) == 0;
}

static mode_t mode_of(const char *name)
{
    struct stat facts = {0};
    assert_int_equal(stat(name, &facts), 0);
    return facts.st_mode & 07777;
}

static weft__draft *begin(bool owner_only, bool named)
{
    weft__draft_options options = {.owner_only = owner_only, .named = named};
    weft_memory memory = weft__memory_or_default(NULL);
    weft__draft *draft = NULL;
    weft_error error = {0};
    if (weft__draft_create(path, &options, &memory, &draft, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return draft;
}

static void write_whole(bool owner_only, bool named, const char *text)
{
    weft__draft *draft = begin(owner_only, named);
    weft_error error = {0};
    size_t length = strlen(text);
    assert_int_equal(write(weft__draft_descriptor(draft), text, length), (ssize_t)length);
    if (weft__draft_publish(draft, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    weft__draft_free(draft);
}

static void assert_holds(const char *expected)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    fclose(file);
    assert_string_equal(found, expected);
}

/* Whether the file system has files without a name at all. */
static bool has_nameless(void)
{
    int descriptor = open(folder, O_TMPFILE | O_WRONLY, 0600);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

static void a_new_file_has_the_mode_that_was_asked_for(void **state)
{
    mode_t mask = umask(027);
    for (int named = 0; named < 2; named++) {
        write_whole(true, named, "private");
        assert_holds("private");
        assert_int_equal(mode_of(path), 0600);
        unlink(path);
        write_whole(false, named, "shared");
        assert_int_equal(mode_of(path), 0640);
        unlink(path);
    }
    umask(0277);
    write_whole(true, false, "x");
    assert_int_equal(mode_of(path), 0400);
    umask(mask);
}

static void the_mode_of_the_old_file_is_kept(void **state)
{
    static const mode_t modes[] = {0600, 0644, 0640, 0606, 0755};
    put("m.weft", "old");
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        assert_int_equal(chmod(path, modes[k]), 0);
        write_whole(k % 2 == 0, k % 3 == 0, "new");
        assert_holds("new");
        assert_int_equal(mode_of(path), modes[k]);
    }
}

static void root_keeps_the_owner_and_the_group(void **state)
{
    struct stat facts = {0};
    if (geteuid() != 0)
        skip();
    put("m.weft", "old");
    assert_int_equal(chown(path, 1234, 5678), 0);
    assert_int_equal(chmod(path, 0640), 0);
    write_whole(true, false, "new");
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_uid, 1234);
    assert_int_equal(facts.st_gid, 5678);
    assert_int_equal(facts.st_mode & 07777, 0640);
}

/* Runs the rest of a test as somebody else, who may write in the folder; the child's exit status is 0 where
 * the mode of the file is `expected`. */
static void a_group_that_cannot_be_kept_loses_its_rights(void **state)
{
    if (geteuid() != 0)
        skip();
    put("m.weft", "old");
    assert_int_equal(chown(path, 1234, 5678), 0);
    assert_int_equal(chmod(path, 0664), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    pid_t child = fork();
    if (child == 0) {
        if (setresgid(4321, 4321, 4321) != 0 || setresuid(4321, 4321, 4321) != 0)
            _exit(2);
        write_whole(true, false, "new");
        _exit(mode_of(path) == 0644 ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void nothing_is_seen_until_it_is_published(void **state)
{
    put("m.weft", "old");
    weft__draft *draft = begin(true, false);
    assert_int_equal(write(weft__draft_descriptor(draft), "new", 3), 3);
    assert_holds("old");
    if (has_nameless())
        assert_int_equal(count_files(), 1);
    weft__draft_free(draft);
    assert_holds("old");
    assert_int_equal(count_files(), 1);
}

static void a_named_draft_is_for_its_owner_alone(void **state)
{
    struct stat facts = {0};
    mode_t mask = umask(0);
    weft__draft *draft = begin(false, true);
    umask(mask);
    assert_int_equal(count_files(), 1);
    assert_int_equal(fstat(weft__draft_descriptor(draft), &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0600);
    weft__draft_free(draft);
    assert_int_equal(count_files(), 0);
}

static void kill_in_the_middle(bool named)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        weft__draft *draft = begin(true, named);
        if (write(weft__draft_descriptor(draft), "half", 4) == 4)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void a_kill_leaves_nothing(void **state)
{
    if (!has_nameless())
        skip();
    kill_in_the_middle(false);
    assert_int_equal(count_files(), 0);
}

static void what_a_kill_leaves_is_removed_next_time(void **state)
{
    kill_in_the_middle(true);
    assert_int_equal(count_files(), 1);
    write_whole(true, false, "whole");
    assert_int_equal(count_files(), 1);
    assert_holds("whole");
}

static void nothing_else_is_removed(void **state)
{
    static const char *const others[] = {"m.weft.AbCdEf",       ".m.weft.weft-notes!", ".m.weft.weft-AbCdEfg",
                                         ".n.weft.weft-AbCdEf", "m.weft.weft-AbCdEf",  ".m.weft.weft-AbCdE"};
    enum { OTHERS = sizeof others / sizeof *others };
    weft__draft *live = begin(true, true);
    for (int k = 0; k < OTHERS; k++)
        put(others[k], "mine");
    put(".m.weft.weft-AbCdEf", "left by a program that is no more");
    assert_int_equal(count_files(), OTHERS + 2);
    write_whole(true, false, "whole");
    assert_int_equal(count_files(), OTHERS + 2);
    assert_false(take_away(".m.weft.weft-AbCdEf"));
    for (int k = 0; k < OTHERS; k++)
        assert_true(take_away(others[k]));
    weft_error error = {0};
    assert_int_equal(write(weft__draft_descriptor(live), "later", 5), 5);
    assert_int_equal(weft__draft_publish(live, &error), WEFT_OK);
    weft__draft_free(live);
    assert_holds("later");
}

static void a_link_is_replaced_and_its_target_stays(void **state)
{
    struct stat facts = {0};
    put("target", "kept");
    assert_int_equal(symlink("target", path), 0);
    write_whole(false, false, "new");
    assert_int_equal(lstat(path, &facts), 0);
    assert_true(S_ISREG(facts.st_mode));
    assert_holds("new");
    assert_true(take_away("target"));
}

static void long_names_have_drafts_too(void **state)
{
    char name[300];
    memset(name, 'n', 250);
    name[250] = 0;
    weft__draft *draft = NULL;
    weft_error error = {0};
    char whole[400];
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    assert_int_equal(weft__draft_create(whole, NULL, NULL, &draft, &error), WEFT_OK);
    assert_int_equal(weft__draft_publish(draft, &error), WEFT_OK);
    weft__draft_free(draft);
    assert_int_equal(unlink(whole), 0);
}

static void devices_pipes_and_folders_are_refused(void **state)
{
    static const char *const names[] = {"/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/tmp"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        weft__draft *draft = NULL;
        weft_error error = {0};
        assert_false(weft__draft_possible(names[k]));
        assert_int_equal(weft__draft_create(names[k], NULL, NULL, &draft, &error), WEFT_WRITE);
        assert_null(draft);
        assert_non_null(strstr(error.message, names[k]));
    }
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(weft__draft_possible(path));
    unlink(path);
    assert_true(weft__draft_possible(path));
    weft__draft *draft = NULL;
    weft_error error = {0};
    assert_int_equal(weft__draft_create("", NULL, NULL, &draft, &error), WEFT_WRITE);
    assert_int_equal(weft__draft_create("/tmp/no such folder/x", NULL, NULL, &draft, &error), WEFT_WRITE);
    weft__draft_free(NULL);
}

/* Where no file can be made, or none any longer, that is an error, and nothing is left of the draft. */
static void what_cannot_be_written(void **state)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__draft *draft = NULL;
    weft_error error = {0};
    char inner[80], name[100];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(name, sizeof name, "%s/m", inner);
    assert_int_equal(weft__draft_create(name, NULL, &memory, &draft, &error), WEFT_WRITE);
    assert_non_null(strstr(error.message, "cannot be written: No such file or directory"));
    snprintf(name, sizeof name, "%s/", inner);
    assert_int_equal(weft__draft_create(name, NULL, &memory, &draft, &error), WEFT_WRITE);
    assert_non_null(strstr(error.message, "found no name, expected that of a file"));
    snprintf(name, sizeof name, "%s/m", inner);
    for (int named = 0; named < 2; named++) {
        const weft__draft_options options = {.named = named != 0};
        assert_int_equal(mkdir(inner, 0700), 0);
        assert_int_equal(weft__draft_create(name, &options, &memory, &draft, &error), WEFT_OK);
        weft__draft *lost = draft;
        draft = NULL;
        char command[120];
        snprintf(command, sizeof command, "rm -r %s", inner);
        assert_int_equal(system(command), 0);
        assert_int_equal(weft__draft_publish(lost, &error), WEFT_WRITE);
        weft__draft_free(lost);
    }
    assert_null(draft);
    weft__draft_free(NULL);
}

/* A descriptor that somebody closed: for a new file, and in place of one. */
static void what_somebody_closed_is_not_published(void **state)
{
    for (int old = 0; old < 2; old++) {
        weft_error error = {0};
        weft__draft *draft = begin(false, true);
        if (old == 1)
            put("m.weft", "old");
        assert_int_equal(close(weft__draft_descriptor(draft)), 0);
        assert_int_equal(weft__draft_publish(draft, &error), WEFT_WRITE);
        weft__draft_free(draft);
        assert_int_equal(count_files(), old);
    }
    assert_holds("old");
}

static void refused_memory_leaves_nothing(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    for (int64_t k = 0, refused = 1; refused > 0; k++) {
        weft__draft *draft = NULL;
        test_alloc_arm(&alloc, k);
        weft_status status = weft__draft_create(path, NULL, &memory, &draft, NULL);
        refused = alloc.failed;
        assert_int_equal(status, refused ? WEFT_MEMORY : WEFT_OK);
        weft__draft_free(draft);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(count_files(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_file_has_the_mode_that_was_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_mode_of_the_old_file_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(root_keeps_the_owner_and_the_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_group_that_cannot_be_kept_loses_its_rights, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_seen_until_it_is_published, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_named_draft_is_for_its_owner_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_somebody_closed_is_not_published, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused_memory_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kill_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_kill_leaves_is_removed_next_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_else_is_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_is_replaced_and_its_target_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_names_have_drafts_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(devices_pipes_and_folders_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
