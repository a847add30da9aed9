/* SPDX-License-Identifier: MIT
 *
 * Every block carries its size in front, so that a hook which is told another
 * old size notices.  A resized block always moves, and what was freed is
 * overwritten: a stale pointer shows even without a sanitizer. */
#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { FRONT = 16, STALE = 0xdb };

static char *front_of(void *pointer)
{
    return (char *)pointer - FRONT;
}

static void check_size(test_alloc *alloc, void *pointer, size_t told)
{
    size_t size = 0;
    memcpy(&size, front_of(pointer), sizeof size);
    if (size != told)
        alloc->corrupt = true;
}

static void release(test_alloc *alloc, void *pointer, size_t size)
{
    check_size(alloc, pointer, size);
    memset(pointer, STALE, size);
    free(front_of(pointer));
    alloc->blocks--;
    alloc->bytes -= (int64_t)size;
}

static void *obtain(test_alloc *alloc, size_t size)
{
    char *front = NULL;
    if (alloc->requests++ != alloc->fail_at)
        front = malloc(FRONT + size);
    if (front == NULL) {
        alloc->failed = true;
        return NULL;
    }
    memcpy(front, &size, sizeof size);
    memset(front + FRONT, STALE, size);
    alloc->blocks++;
    alloc->bytes += (int64_t)size;
    if (alloc->bytes > alloc->peak)
        alloc->peak = alloc->bytes;
    return front + FRONT;
}

static void *allocate(void *user, void *pointer, size_t old_size, size_t new_size)
{
    test_alloc *alloc = user;
    if (new_size == 0) {
        if (pointer != NULL)
            release(alloc, pointer, old_size);
        return NULL;
    }
    void *fresh = obtain(alloc, new_size);
    if (fresh != NULL && pointer != NULL) {
        memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
        release(alloc, pointer, old_size);
    }
    return fresh;
}

weft_memory test_alloc_begin(test_alloc *alloc, int64_t fail_at)
{
    memset(alloc, 0, sizeof *alloc);
    alloc->fail_at = fail_at;
    return (weft_memory){allocate, alloc};
}

void test_alloc_arm(test_alloc *alloc, int64_t fail_at)
{
    alloc->fail_at = fail_at < 0 ? TEST_ALLOC_NEVER : alloc->requests + fail_at;
    alloc->failed = false;
}

int64_t test_alloc_blocks(const test_alloc *alloc)
{
    return alloc->corrupt ? -1 : alloc->blocks;
}
