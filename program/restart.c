/* SPDX-License-Identifier: MIT
 *
 * /proc is not mounted everywhere (chroot); the name under which the program was started is known
 * without it. */
#define _POSIX_C_SOURCE 200809L

#include "program/restart.h"

#include <stddef.h>
#include <sys/auxv.h>
#include <unistd.h>

void restart(char **arguments)
{
    unsigned long name = getauxval(AT_EXECFN);
    execv("/proc/self/exe", arguments);
    if (name != 0)
        execv((const char *)name, arguments);
}
