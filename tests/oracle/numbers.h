/* SPDX-License-Identifier: MIT
 * Problems from standard input, as numbers separated by blanks; what is wrong ends the program. */
#ifndef WEFT_TESTS_ORACLE_NUMBERS_H
#define WEFT_TESTS_ORACLE_NUMBERS_H

#include "weft_advanced.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static inline void give_up(const char *what)
{
    fprintf(stderr, "driver: %s\n", what);
    exit(1);
}

static inline void demand(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK) {
        fprintf(stderr, "%s: ", weft_status_name(status));
        give_up(error->message);
    }
}

static inline int64_t read_count(void)
{
    int64_t value;
    if (scanf("%" SCNd64, &value) != 1)
        give_up("an integer was expected");
    return value;
}

static inline double read_number(void)
{
    double value;
    if (scanf("%lf", &value) != 1)
        give_up("a number was expected");
    return value;
}

/* Zeros; count may be 0. */
static inline void *allocate(int64_t count, size_t size)
{
    void *block = calloc((size_t)count + 1, size);
    if (!block)
        give_up("out of memory");
    return block;
}

static inline double *read_numbers(int64_t count)
{
    double *values = allocate(count, sizeof *values);
    for (int64_t k = 0; k < count; k++)
        values[k] = read_number();
    return values;
}

#endif
