/* SPDX-License-Identifier: MIT
 *
 * /proc is not mounted everywhere (chroot); the name under which the program was started is known
 * without it. */
#define _POSIX_C_SOURCE 200809L

#include "program/restart.h"

#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

void restart(char **arguments)
{
    const char *name = NULL;
    unsigned long address = getauxval(AT_EXECFN);
    memcpy(&name, &address, sizeof name);
    execv("/proc/self/exe", arguments);
    if (name != NULL)
        execv(name, arguments);
}
