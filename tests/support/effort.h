/* SPDX-License-Identifier: MIT
 * How many random problems a test plays.  The usual number draws every kind of problem a few times, which
 * finds a fault in one of them; the large one, for WEFT_LONG=yes (scripts/test --long), looks for what is
 * rare. */
#ifndef WEFT_TESTS_EFFORT_H
#define WEFT_TESTS_EFFORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int64_t effort(int64_t usual, int64_t large)
{
    const char *asked = getenv("WEFT_LONG");
    return asked != NULL && strcmp(asked, "yes") == 0 ? large : usual;
}

static inline bool is_long(void)
{
    return effort(0, 1) == 1;
}

/* Whether the release build judges this: scripts/test says so with WEFT_ONCE=no to the builds that come after
 * it, unless it is asked for every test in its long form. */
static inline bool is_judged_elsewhere(void)
{
    const char *once = getenv("WEFT_ONCE");
    return once != NULL && strcmp(once, "no") == 0 && !is_long();
}

/* The first line of a case that is long for the sake of its numbers, which are the same in every build, while
 * shorter cases run the same code. */
#define ONCE_IN_RELEASE()          \
    do {                           \
        if (is_judged_elsewhere()) \
            skip();                \
    } while (0)

/* For k = 0, 1, ... of `count` things that are much alike: the next of which to try after k, so that about
 * `usual` are tried, the first and the last few among them; all in the long form. */
static inline int64_t after(int64_t k, int64_t count, int64_t usual)
{
    int64_t stride = is_long() ? 1 : (count + usual - 1) / usual;
    return k < 2 || k + 3 >= count || stride < 2 ? k + 1 : k + stride < count - 2 ? k + stride : count - 2;
}

/* Where every access is checked a trial takes five to ten times as long: `checked` of them are enough to
 * run the same code there, as the numbers are the same in every build. */
static inline int64_t fewer(int64_t usual, int64_t checked)
{
#ifdef __SANITIZE_ADDRESS__
    return effort(checked, usual);
#else
    (void)checked;
    return usual;
#endif
}

#endif
