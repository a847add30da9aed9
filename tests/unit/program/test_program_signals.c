/* SPDX-License-Identifier: MIT
 * Interruptions that are remembered, signals that kill, and descriptors that were closed: each in a process
 * of its own, whose end is looked at. */
#define _POSIX_C_SOURCE 200809L

#include "support/test.h"

#include "program/interrupt.h"
#include "program/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void wait_a_while(void)
{
    struct timespec while_ = {.tv_nsec = 300 * 1000 * 1000};
    nanosleep(&while_, NULL);
}

/* The status of a process that does this and, where it is still there, exits with what is answered. */
static int status_of(int (*deed)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(deed());
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void assert_killed_by(int (*deed)(void), int number)
{
    int status = status_of(deed);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), number);
}

/* On a machine that is busy two signals in a row may be a second apart, and then the second one kills. */
static void assert_fine_at_last(int (*deed)(void))
{
    bool fine = false;
    for (int k = 0; k < 20 && !fine; k++)
        fine = status_of(deed) == 0;
    assert_true(fine);
}

static void assert_fine(int (*deed)(void))
{
    int status = status_of(deed);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int raise_once(void)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    interrupt_watch();
    if (interrupt_came())
        return 1;
    for (int k = 0; k < 3; k++) /* at once: one wish */
        raise(asking[k]);
    raise(SIGTERM);
    raise(SIGPIPE);
    raise(SIGXFSZ);
    return interrupt_came() ? 0 : 2;
}

static int raise_before(void)
{
    interrupt_spare_writes();
    raise(SIGPIPE);
    raise(SIGTERM);
    return 0;
}

static int raise_twice(void)
{
    interrupt_watch();
    raise(SIGINT);
    wait_a_while();
    raise(SIGHUP);
    return 0;
}

static int raise_ignored(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGHUP, &ignore, NULL);
    interrupt_watch();
    raise(SIGHUP);
    wait_a_while();
    raise(SIGHUP);
    return interrupt_came();
}

static void signals_are_remembered_and_then_kill(void **state)
{
    assert_fine_at_last(raise_once);
    assert_killed_by(raise_before, SIGTERM);
    assert_killed_by(raise_twice, SIGHUP);
    assert_fine(raise_ignored);
}

static int open_closed(void)
{
    char letter = 0;
    for (int k = 0; k < 3; k++)
        close(k);
    descriptors_reserve();
    int file = open("/dev/null", O_RDWR);
    bool refused = read(0, &letter, 1) < 0 && errno == EBADF && write(1, "x", 1) < 0 && errno == EBADF;
    return file > 2 && refused && write(2, "x", 1) == 1 ? 0 : 1;
}

static int open_all(void)
{
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[0], 0) != 0 || dup2(ends[1], 1) != 1 || close(2) != 0)
        return 1;
    descriptors_reserve();
    char letter = 0;
    return write(1, "x", 1) == 1 && read(0, &letter, 1) == 1 && letter == 'x' && write(2, "x", 1) == 1 ? 0
                                                                                                       : 1;
}

static void descriptors_that_are_closed_are_taken(void **state)
{
    assert_fine(open_closed);
    assert_fine(open_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_remembered_and_then_kill),
        cmocka_unit_test(descriptors_that_are_closed_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
