/* SPDX-License-Identifier: MIT
 * What the tests of the core share.  Include it first: cmocka wants these
 * headers before its own. */
#ifndef WEFT_TESTS_CORE_SUPPORT_H
#define WEFT_TESTS_CORE_SUPPORT_H

#include "support/test.h"

#include "weft_advanced.h"

static inline void near_at(double found, double expected, double tolerance, const char *file, int line)
{
    if (found == expected || fabs(found - expected) <= tolerance)
        return;
    print_error("%.17g, expected %.17g up to %g\n", found, expected, tolerance);
    _fail(file, line);
}

/* |found - expected| <= tolerance; a NaN never is. */
#define assert_near(found, expected, tolerance) near_at((found), (expected), (tolerance), __FILE__, __LINE__)

/* The call fails with this status, and its message contains these words. */
#define assert_fails(call, expected_status, words)                      \
    do {                                                                \
        assert_int_equal((call), (expected_status));                    \
        assert_int_equal(error.status, (expected_status));              \
        if (strstr(error.message, (words)) == NULL)                     \
            fail_msg("'%s' does not say '%s'", error.message, (words)); \
    } while (0)

/* The state of a learner; free() it. */
static inline unsigned char *state_bytes(const weft_player *learner, size_t *size)
{
    assert_int_equal(weft_player_write(learner, NULL, size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_write(learner, bytes, size, NULL), WEFT_OK);
    return bytes;
}

static inline void assert_same_state(const weft_player *a, const weft_player *b)
{
    size_t size_a = 0, size_b = 0;
    unsigned char *bytes_a = state_bytes(a, &size_a), *bytes_b = state_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    free(bytes_a);
    free(bytes_b);
}

#endif
