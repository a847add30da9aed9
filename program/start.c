/* SPDX-License-Identifier: MIT
 *
 * The frames of this program are small, and the build keeps them so (-Wframe-larger-than); those of
 * cairo, CHOLMOD and LAPACK are not ours.  A stack that overflows is a segmentation fault and no message, so
 * there is a least size.  Threads take the size of their stacks from the limit that the program was started
 * with: a limit that was raised holds for all of them only after another start. */
#define _POSIX_C_SOURCE 200809L

#include "program/start.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

/* Each in the direction in which it is not used, but for standard error: a result that nobody can read is a
 * failure, a report is not.  The lowest number that is free is the one that open() takes. */
void descriptors_reserve(void)
{
    static const int direction[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int k = STDIN_FILENO; k <= STDERR_FILENO; k++)
        if (fcntl(k, F_GETFD) < 0 && open("/dev/null", direction[k]) != k)
            _exit(1);
}

static const rlim_t LEAST = 256 << 10, USUAL = 8 << 20;

static bool is_enough(rlim_t limit)
{
    return limit == RLIM_INFINITY || limit >= LEAST;
}

bool stack_ensure(char **arguments)
{
    struct rlimit found = {0};
    if (getrlimit(RLIMIT_STACK, &found) != 0 || is_enough(found.rlim_cur))
        return true;
    struct rlimit raised = {.rlim_cur =
                                is_enough(found.rlim_max) && found.rlim_max < USUAL ? found.rlim_max : USUAL,
                            .rlim_max = is_enough(found.rlim_max) ? found.rlim_max : USUAL};
    if (setrlimit(RLIMIT_STACK, &raised) == 0) {
        restart(arguments);
        return true; /* the main thread has its room; others do with what they have */
    }
    fprintf(stderr, "weft: the stack is limited to %llu KB, expected at least %llu KB (ulimit -s)\n",
            (unsigned long long)(found.rlim_cur >> 10), (unsigned long long)(LEAST >> 10));
    return false;
}

/* /proc is not mounted everywhere (chroot); the name under which the program was started is known
 * without it. */
void restart(char **arguments)
{
    const char *name = NULL;
    unsigned long address = getauxval(AT_EXECFN);
    memcpy(&name, &address, sizeof name);
    execv("/proc/self/exe", arguments);
    if (name != NULL)
        execv(name, arguments);
}
