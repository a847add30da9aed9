/* SPDX-License-Identifier: MIT
 * Memory that cannot be had ends the program with status 1; counts that are too large, or that
 * overflowed before, are no way round it. */
#define _POSIX_C_SOURCE 200809L
#include "unit/test_core_support.h"

#include "program/new.h"

#include <sys/wait.h>
#include <unistd.h>

/* What it says and how it ends, in a child. */
static int ask_apart(int64_t count, size_t size, char *words, size_t room)
{
    int ends[2], status = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        free(new_array(count, size));
        _exit(0);
    }
    close(ends[1]);
    ssize_t length = read(ends[0], words, room - 1);
    words[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void impossible_counts_are_out_of_memory(void **state)
{
    static const struct {
        int64_t count;
        size_t size;
    } impossible[] = {{-1, 1},         {-1, 136},          {INT64_MIN, 8},        {INT64_MAX, 2},
                      {INT64_MAX, 16}, {INT64_MAX / 8, 9}, {INT64_C(1) << 61, 8}, {INT64_C(1) << 60, 16}};
    for (int k = 0; k < 8; k++) {
        char words[100];
        assert_int_equal(ask_apart(impossible[k].count, impossible[k].size, words, sizeof words), 1);
        assert_string_equal(words, "weft: out of memory\n");
    }
}

static void what_can_be_had_is_zero(void **state)
{
    for (int64_t count = 0; count < 100; count += 33) {
        double *numbers = new_array(count, sizeof *numbers);
        assert_non_null(numbers);
        for (int64_t k = 0; k < count; k++)
            assert_true(numbers[k] == 0);
        free(numbers);
    }
    free(new_array(5, 0));
}

/* Room grows as things are added, and what is there stays. */
static void room_grows(void **state)
{
    int64_t *items = NULL, capacity = 0;
    for (int64_t k = 0; k < 1000; k++) {
        items = new_room(items, k, &capacity, sizeof *items);
        assert_true(capacity > k);
        items[k] = k * k;
    }
    for (int64_t k = 0; k < 1000; k++)
        assert_int_equal(items[k], k * k);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_counts_are_out_of_memory),
        cmocka_unit_test(what_can_be_had_is_zero),
        cmocka_unit_test(room_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
