/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "program/descriptors.h"

#include <fcntl.h>
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
