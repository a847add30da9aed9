/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "program/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void remember(int signal)
{
    (void)signal;
    came = 1;
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
#ifdef SIGXFSZ
    sigaction(SIGXFSZ, &ignore, NULL);
#endif
}

bool interrupt_came(void)
{
    return came != 0;
}
