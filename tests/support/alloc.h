/* SPDX-License-Identifier: MIT
 * An allocator hook for tests: counts what is alive and what was asked for,
 * and can refuse the k-th request.
 *
 *     test_alloc alloc;
 *     for (int64_t k = 0;; k++) {
 *         weft_memory memory = test_alloc_begin(&alloc, k);
 *         status = ... everything with &memory ...
 *         assert_int_equal(test_alloc_blocks(&alloc), 0);
 *         if (!alloc.failed)
 *             break;                      // k was beyond the last request
 *     }
 */
#ifndef WEFT_TESTS_SUPPORT_ALLOC_H
#define WEFT_TESTS_SUPPORT_ALLOC_H

#include "weft.h"

typedef struct test_alloc {
    int64_t requests; /* new or resized blocks asked for, refused ones included */
    int64_t blocks;   /* alive now */
    int64_t bytes;    /* alive now */
    int64_t peak;     /* most bytes alive at once */
    int64_t fail_at;  /* this request is refused; negative: none */
    bool failed;      /* a request was refused */
    bool corrupt;     /* a block came back with another size than it was made with */
} test_alloc;

enum { TEST_ALLOC_NEVER = -1 };

/* Starts counting from zero; request number fail_at (from 0) will be refused.
 * The result holds `alloc`, which must outlive everything made with it. */
weft_memory test_alloc_begin(test_alloc *alloc, int64_t fail_at);

/* From now on refuses the fail_at-th request to come, for objects that were
 * made before with the same hook. */
void test_alloc_arm(test_alloc *alloc, int64_t fail_at);

/* Blocks alive, or -1 if any block came back with a wrong size. */
int64_t test_alloc_blocks(const test_alloc *alloc);

#endif
