/* SPDX-License-Identifier: MIT
 * The program fails in the way of the library: a status, and the facts. */
#ifndef WEFT_PROGRAM_FAIL_H
#define WEFT_PROGRAM_FAIL_H

#include "weft.h"

/* Leaves the facts in *error and returns `status`. */
__attribute__((format(printf, 3, 4))) weft_status fail(weft_error *error, weft_status status,
                                                       const char *format, ...);

#define TRY(step)              \
    do {                       \
        status = (step);       \
        if (status != WEFT_OK) \
            goto done;         \
    } while (0)

#endif
