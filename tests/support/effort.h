/* SPDX-License-Identifier: MIT
 * How many random problems a test plays.  The usual number draws every kind of problem a few times, which
 * finds a fault in one of them; the large one, for WEFT_LONG=yes (scripts/test --long), looks for what is
 * rare. */
#ifndef WEFT_TESTS_EFFORT_H
#define WEFT_TESTS_EFFORT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int64_t effort(int64_t usual, int64_t large)
{
    const char *asked = getenv("WEFT_LONG");
    return asked != NULL && strcmp(asked, "yes") == 0 ? large : usual;
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
