/* SPDX-License-Identifier: MIT
 * Files for the tests of readers: written, used, removed. */
#ifndef WEFT_TESTS_UNIT_TEST_IO_SUPPORT_H
#define WEFT_TESTS_UNIT_TEST_IO_SUPPORT_H

#include "support/test.h"

#include "support/alloc.h"
#include "weft.h"

#include <unistd.h>

typedef struct test_file {
    char path[64];
} test_file;

static inline test_file file_of_bytes(const char *bytes, size_t size)
{
    test_file file = {"weft-test-XXXXXX"};
    const char *folder = getenv("TMPDIR");
    char path[sizeof file.path];
    int length = snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "/tmp", file.path);
    assert_true(length > 0 && (size_t)length < sizeof path);
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, size), (ssize_t)size);
    assert_int_equal(close(descriptor), 0);
    memcpy(file.path, path, sizeof path);
    return file;
}

static inline test_file file_of(const char *text)
{
    return file_of_bytes(text, strlen(text));
}

/* The message of a failure with the path taken out, so that it can be compared. */
static inline const char *message_without(weft_error *error, const char *path)
{
    for (char *at = strstr(error->message, path); at != NULL; at = strstr(error->message, path)) {
        size_t length = strlen(path);
        at[0] = 'F';
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
    return error->message;
}

#endif
