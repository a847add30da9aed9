/* SPDX-License-Identifier: MIT
 * How every fallible function fails: a status, and the facts beside it. */
#ifndef WEFT_BASE_STATUS_H
#define WEFT_BASE_STATUS_H

#include "weft_advanced.h"

/* Leaves the facts in *error (may be NULL) and returns `status`. */
__attribute__((format(printf, 3, 4))) weft_status weft__fail(weft_error *error, weft_status status,
                                                             const char *format, ...);

/* The same for entry (i, j); j is -1 where there is only one index. */
__attribute__((format(printf, 5, 6))) weft_status
weft__fail_at(weft_error *error, weft_status status, int64_t i, int64_t j, const char *format, ...);

/* The one shape of a fallible function: NULL-initialised locals, `weft_status
 * status = WEFT_OK`, steps in TRY, one exit at `done`. */
#define TRY(step)              \
    do {                       \
        status = (step);       \
        if (status != WEFT_OK) \
            goto done;         \
    } while (0)

/* WEFT_ARGUMENT that names a pointer that is NULL; NEED is the step. */
weft_status weft__need(const void *pointer, const char *name, weft_error *error);
#define NEED(pointer) TRY(weft__need(pointer, #pointer, error))

#endif
