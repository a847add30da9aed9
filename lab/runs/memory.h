/* SPDX-License-Identifier: MIT
 * Memory of the laboratory.  Where there is none the program says so and ends with
 * status 1: what was found so far is in the journal. */
#ifndef WEFT_LAB_RUNS_MEMORY_H
#define WEFT_LAB_RUNS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* count things of that size, all zero, to be freed; never NULL.  There is no memory for a negative
 * count, nor for a product beyond PTRDIFF_MAX. */
void *lab_new(int64_t count, size_t size);
/* A string in the manner of printf, to be freed; never NULL. */
__attribute__((format(printf, 1, 2))) char *lab_text(const char *format, ...);

#endif
