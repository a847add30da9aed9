/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "program/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* GNU timeout sends its signal to the program and then to its process group, so that one wish comes as two
 * signals microseconds apart.  Nobody asks twice that fast: what follows within this time is the same
 * wish. */
static const int64_t SAME_WISH = 200 * 1000 * 1000; /* nanoseconds */

static _Atomic int64_t came_at; /* nanoseconds of a clock that has run for some time; 0: nothing came */

static int64_t read_clock(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec + 1;
}

/* The signal is blocked here, and takes the program along as soon as this returns. */
static void die_of(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    raise(number);
}

/* Only what a handler may call, on whichever thread it runs. */
static void remember(int number)
{
    int64_t now = read_clock(), first = 0;
    if (!atomic_compare_exchange_strong(&came_at, &first, now) && now - first > SAME_WISH)
        die_of(number);
}

static void ignore(int number)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void interrupt_spare_writes(void)
{
    ignore(SIGPIPE);
#ifdef SIGXFSZ
    ignore(SIGXFSZ);
#endif
}

/* nohup, which asks to live on when the terminal goes, ignores SIGHUP. */
static bool is_ignored(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = remember};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!is_ignored(SIGHUP))
        sigaction(SIGHUP, &action, NULL);
    interrupt_spare_writes();
}

bool interrupt_came(void)
{
    return atomic_load(&came_at) != 0;
}
