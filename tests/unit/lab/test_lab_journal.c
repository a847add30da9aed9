/* SPDX-License-Identifier: MIT
 * The journal: cut anywhere it goes on as if nothing had happened, changed anywhere it
 * is refused and left as it is, and it belongs to one program and one experiment. */
#define _DEFAULT_SOURCE /* mkdtemp, syscall */
#include "unit/test_core_support.h"

#include "lab/runs/journal.h"

#include <errno.h>
#include <float.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[32];
static char path[64];

/* In memory where that can be: bringing a line to a disk takes milliseconds. */
static int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "/dev/shm/weft-journal-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        snprintf(folder, sizeof folder, "/tmp/weft-journal-XXXXXX");
        if (mkdtemp(folder) == NULL)
            return 1;
    }
    snprintf(path, sizeof path, "%s/work.journal", folder);
    return 0;
}

static int remove_folder(void **state)
{
    unlink(path);
    return rmdir(folder);
}

/* ---- A system that fails ---- */

/* Errors of the next calls; 0: the system decides. */
static int lock_errors[2], cut_error;

int flock(int file, int operation)
{
    int error = lock_errors[0];
    lock_errors[0] = lock_errors[1];
    lock_errors[1] = 0;
    errno = error;
    return error != 0 ? -1 : (int)syscall(SYS_flock, file, operation);
}

int ftruncate(int file, off_t length)
{
    errno = cut_error;
    return cut_error != 0 ? -1 : (int)syscall(SYS_ftruncate, file, length);
}

/* No file may grow beyond that; 0: as it was. */
static void limit_files(rlim_t size)
{
    static rlim_t before = RLIM_INFINITY;
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    if (size > 0)
        before = limit.rlim_cur;
    limit.rlim_cur = size > 0 ? size : before;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

typedef struct bytes {
    size_t size;
    char at[4000];
} bytes;

static bytes read_file(void)
{
    bytes content = {0};
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    content.size = fread(content.at, 1, sizeof content.at, in);
    assert_true(content.size < sizeof content.at);
    fclose(in);
    return content;
}

static void write_file(const char *at, size_t size)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(at, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* ---- A journal of three lines ---- */

enum { LINES = 3, ANSWERS = 2 };
static const lab_journal_owner owner = {.name = "sample", .version = 3, .answers = ANSWERS};
static const char *const keys[LINES] = {"text seed=1 n=40 beta=0.5 run=3", "b", "c c"};
static const double answers[LINES][ANSWERS] = {{1.0 / 3, -2.5e-300}, {0, 5}, {-0.0, 1e300}};

static lab_journal *open_journal(void)
{
    lab_journal *journal = NULL;
    weft_error error = {0};
    assert_int_equal(lab_journal_open(path, &owner, &journal, &error), WEFT_OK);
    return journal;
}

static void add(lab_journal *journal, int line)
{
    weft_error error = {0};
    assert_int_equal(lab_journal_add(journal, keys[line], answers[line], &error), WEFT_OK);
}

/* Whether it has that line; what it has is right to the bit. */
static bool has(const lab_journal *journal, int line)
{
    double found[ANSWERS] = {-1, -1};
    if (!lab_journal_find(journal, keys[line], found))
        return false;
    assert_memory_equal(found, answers[line], sizeof found);
    return true;
}

static bytes make_sample(void)
{
    unlink(path);
    lab_journal *journal = open_journal();
    for (int line = 0; line < LINES; line++)
        add(journal, line);
    lab_journal_close(journal);
    return read_file();
}

/* How many lines, the heading not counted, end before `size`. */
static int whole_lines(const bytes *content, size_t size)
{
    int lines = -1;
    for (size_t k = 0; k < size; k++)
        lines += content->at[k] == '\n';
    return lines;
}

/* ---- Answers come back ---- */

static void answers_come_back_to_the_bit(void **state)
{
    make_sample();
    lab_journal *journal = open_journal();
    for (int line = 0; line < LINES; line++)
        assert_true(has(journal, line));
    double found[ANSWERS] = {7, 8};
    assert_false(lab_journal_find(journal, "d", found));
    assert_false(lab_journal_find(journal, "text seed=1 n=40 beta=0.5 run=", found));
    assert_true(found[0] == 7 && found[1] == 8);
    lab_journal_close(journal);
}

static void the_longest_line_comes_back(void **state)
{
    enum { MOST = 64 };
    const lab_journal_owner wide = {.name = "wide", .version = 1, .answers = MOST};
    double given[MOST], found[MOST];
    char key[120];
    lab_journal *journal = NULL;
    weft_error error = {0};
    unlink(path);
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    for (int k = 0; k < MOST; k++)
        given[k] = k % 3 == 0 ? -DBL_MAX / (k + 1) : k % 3 == 1 ? DBL_TRUE_MIN * (k + 1) : -DBL_MIN / 7 * k;
    assert_int_equal(lab_journal_open(path, &wide, &journal, &error), WEFT_OK);
    assert_int_equal(lab_journal_add(journal, key, given, &error), WEFT_OK);
    lab_journal_close(journal);
    assert_int_equal(lab_journal_open(path, &wide, &journal, &error), WEFT_OK);
    assert_true(lab_journal_find(journal, key, found));
    assert_memory_equal(found, given, sizeof given);
    lab_journal_close(journal);
}

/* ---- Damage ---- */

/* Whatever is cut off, what was whole is there, what was not is not, and adding it again gives the
 * file as it was. */
static void cut_at_every_byte_it_goes_on(void **state)
{
    bytes whole = make_sample();
    for (size_t size = 0; size <= whole.size; size++) {
        write_file(whole.at, size);
        lab_journal *journal = open_journal();
        int kept = whole_lines(&whole, size);
        for (int line = 0; line < LINES; line++) {
            assert_true(has(journal, line) == (line < kept));
            if (line >= kept)
                add(journal, line);
        }
        lab_journal_close(journal);
        bytes after = read_file();
        assert_int_equal(after.size, whole.size);
        assert_memory_equal(after.at, whole.at, whole.size);
    }
}

/* The message names the file and the line. */
static void assert_refused(const bytes *content, int line)
{
    lab_journal *journal = NULL;
    weft_error error = {0};
    char place[100];
    snprintf(place, sizeof place, "%s:%d:", path, line);
    write_file(content->at, content->size);
    if (lab_journal_open(path, &owner, &journal, &error) == WEFT_OK) {
        lab_journal_close(journal);
        fail_msg("not noticed, line %d: '%s'", line, content->at);
    }
    assert_int_equal(error.status, WEFT_MODEL);
    if (strstr(error.message, place) == NULL)
        fail_msg("'%s' does not say '%s'", error.message, place);
    bytes after = read_file();
    assert_int_equal(after.size, content->size);
    assert_memory_equal(after.at, content->at, content->size);
}

/* The last byte is the newline of the last line: without it, the line was not whole. */
static void every_flipped_bit_is_noticed(void **state)
{
    bytes whole = make_sample();
    for (size_t k = 0; k + 1 < whole.size; k++)
        for (int bit = 0; bit < 8; bit++) {
            bytes wrong = whole;
            wrong.at[k] = (char)(wrong.at[k] ^ 1 << bit);
            assert_refused(&wrong, whole_lines(&whole, k) + 2);
        }
    for (int bit = 0; bit < 8; bit++) {
        bytes torn = whole;
        torn.at[torn.size - 1] = (char)(torn.at[torn.size - 1] ^ 1 << bit);
        write_file(torn.at, torn.size);
        lab_journal *journal = open_journal();
        for (int line = 0; line < LINES; line++)
            assert_true(has(journal, line) == (line < LINES - 1));
        lab_journal_close(journal);
    }
}

static void bytes_lost_or_added_are_noticed(void **state)
{
    bytes whole = make_sample();
    for (size_t k = 0; k + 1 < whole.size; k++) {
        bytes wrong = whole;
        memmove(wrong.at + k, wrong.at + k + 1, wrong.size - k - 1);
        wrong.size--;
        /* One of two equal bytes lost is the same as the other. */
        assert_refused(&wrong, whole_lines(&whole, k) + 2);
    }
    for (size_t k = 0; k + 1 < whole.size; k++)
        for (int added = 0; added < 2; added++) {
            bytes wrong = whole;
            memmove(wrong.at + k + 1, wrong.at + k, wrong.size - k);
            wrong.at[k] = added == 0 ? '\0' : ' ';
            wrong.size++;
            assert_refused(&wrong, whole_lines(&whole, k) + 2);
        }
}

static void other_files_are_refused(void **state)
{
    static const char *const texts[] = {"\n", "row,column,label\n", "\t\n", "a\t1\t2\tcbf29ce484222325\n"};
    for (int k = 0; k < 4; k++) {
        bytes content = {.size = strlen(texts[k])};
        memcpy(content.at, texts[k], content.size);
        assert_refused(&content, 1);
    }
}

/* ---- Lines that cannot be written ---- */

/* The disk is full after `room` bytes of the last line, then there is room again: nothing is added
 * any more, and the file can be opened and goes on.  *after is what was left in between. */
static void fill_disk(const bytes *whole, size_t kept, size_t room, bytes *after)
{
    weft_error error = {0};
    write_file(whole->at, kept);
    lab_journal *journal = open_journal();
    limit_files(kept + room);
    weft_status status = lab_journal_add(journal, keys[LINES - 1], answers[LINES - 1], &error);
    limit_files(0);
    assert_fails(status, WEFT_WRITE, path);
    assert_false(has(journal, LINES - 1));
    assert_fails(lab_journal_add(journal, "more", answers[0], &error), WEFT_WRITE, path);
    lab_journal_close(journal);
    *after = read_file();
    journal = open_journal();
    for (int line = 0; line < LINES; line++)
        assert_true(has(journal, line) == (line < LINES - 1));
    add(journal, LINES - 1);
    lab_journal_close(journal);
    bytes again = read_file();
    assert_int_equal(again.size, whole->size);
    assert_memory_equal(again.at, whole->at, whole->size);
}

static void a_line_without_room_is_taken_back(void **state)
{
    bytes whole = make_sample(), after;
    size_t kept = whole.size - 1;
    while (whole.at[kept - 1] != '\n')
        kept--;
    for (size_t room = 0; kept + room < whole.size; room++) {
        fill_disk(&whole, kept, room, &after);
        assert_int_equal(after.size, kept);
    }
}

/* It stays the last one, which is dropped. */
static void a_line_that_cannot_be_taken_back_stays_the_last(void **state)
{
    bytes whole = make_sample();
    size_t kept = whole.size - 1;
    weft_error error = {0};
    while (whole.at[kept - 1] != '\n')
        kept--;
    write_file(whole.at, kept);
    lab_journal *journal = open_journal();
    limit_files(kept + 5);
    cut_error = EIO;
    weft_status status = lab_journal_add(journal, keys[LINES - 1], answers[LINES - 1], &error);
    cut_error = 0;
    limit_files(0);
    assert_fails(status, WEFT_WRITE, path);
    assert_non_null(strstr(error.message, strerror(EIO)));
    assert_fails(lab_journal_add(journal, "more", answers[0], &error), WEFT_WRITE, path);
    lab_journal_close(journal);
    assert_int_equal(read_file().size, kept + 5);
    journal = open_journal();
    assert_false(has(journal, LINES - 1));
    lab_journal_close(journal);
    assert_int_equal(read_file().size, kept);
}

static void a_heading_without_room_is_taken_back(void **state)
{
    lab_journal *journal = NULL;
    weft_error error = {0};
    unlink(path);
    limit_files(10);
    weft_status status = lab_journal_open(path, &owner, &journal, &error);
    limit_files(0);
    assert_fails(status, WEFT_WRITE, path);
    assert_null(journal);
    assert_int_equal(read_file().size, 0);
    lab_journal_close(open_journal());
}

/* ---- Whose it is ---- */

static void a_lock_that_fails_is_told_as_what_it_is(void **state)
{
    lab_journal *journal = NULL;
    weft_error error = {0};
    make_sample();
    lock_errors[0] = ENOLCK;
    assert_fails(lab_journal_open(path, &owner, &journal, &error), WEFT_WRITE, strerror(ENOLCK));
    assert_null(strstr(error.message, "another program"));
    lock_errors[0] = EWOULDBLOCK;
    assert_fails(lab_journal_open(path, &owner, &journal, &error), WEFT_WRITE, "another program");
    /* A signal is no reason to give up. */
    lock_errors[0] = lock_errors[1] = EINTR;
    lab_journal_close(open_journal());
}

static void other_owners_are_refused(void **state)
{
    const lab_journal_owner others[] = {{"simple", 3, ANSWERS}, {"sample", 4, ANSWERS},
                                        {"sample", 2, ANSWERS}, {"sample", 3, 1},
                                        {"sample", 3, 3},       {"", 3, ANSWERS}};
    bytes whole = make_sample();
    for (int k = 0; k < 6; k++) {
        lab_journal *journal = NULL;
        weft_error error = {0};
        assert_fails(lab_journal_open(path, &others[k], &journal, &error), WEFT_MODEL, path);
        assert_null(journal);
    }
    bytes after = read_file();
    assert_int_equal(after.size, whole.size);
    assert_memory_equal(after.at, whole.at, whole.size);
}

static void a_second_opener_is_refused(void **state)
{
    make_sample();
    lab_journal *journal = open_journal(), *second = NULL;
    weft_error error = {0};
    assert_fails(lab_journal_open(path, &owner, &second, &error), WEFT_WRITE, path);
    assert_null(second);
    /* The first is not disturbed, and another process is refused as well. */
    double more[ANSWERS] = {1, 2};
    assert_int_equal(lab_journal_add(journal, "more", more, &error), WEFT_OK);
    pid_t child = fork();
    if (child == 0)
        _exit(lab_journal_open(path, &owner, &second, &error) == WEFT_WRITE ? 0 : 1);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    lab_journal_close(journal);
    journal = open_journal();
    assert_true(lab_journal_find(journal, "more", more));
    lab_journal_close(journal);
}

/* A program that died holds nothing back. */
static void the_dead_do_not_lock(void **state)
{
    make_sample();
    pid_t child = fork();
    if (child == 0) {
        lab_journal *journal = NULL;
        weft_error error = {0};
        _exit(lab_journal_open(path, &owner, &journal, &error) == WEFT_OK ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    lab_journal_close(open_journal());
}

static void places_that_cannot_be_written_are_named(void **state)
{
    lab_journal *journal = NULL;
    weft_error error = {0};
    char nowhere[100];
    snprintf(nowhere, sizeof nowhere, "%s/missing/work.journal", folder);
    assert_fails(lab_journal_open(nowhere, &owner, &journal, &error), WEFT_WRITE, nowhere);
    assert_fails(lab_journal_open(folder, &owner, &journal, &error), WEFT_WRITE, folder);
    assert_null(journal);
    lab_journal_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_come_back_to_the_bit),
        cmocka_unit_test(the_longest_line_comes_back),
        cmocka_unit_test(cut_at_every_byte_it_goes_on),
        cmocka_unit_test(every_flipped_bit_is_noticed),
        cmocka_unit_test(bytes_lost_or_added_are_noticed),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_line_without_room_is_taken_back),
        cmocka_unit_test(a_line_that_cannot_be_taken_back_stays_the_last),
        cmocka_unit_test(a_heading_without_room_is_taken_back),
        cmocka_unit_test(a_lock_that_fails_is_told_as_what_it_is),
        cmocka_unit_test(other_owners_are_refused),
        cmocka_unit_test(a_second_opener_is_refused),
        cmocka_unit_test(the_dead_do_not_lock),
        cmocka_unit_test(places_that_cannot_be_written_are_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
