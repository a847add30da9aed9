/* SPDX-License-Identifier: MIT
 * Memory of the programs' own.  Where there is none the program says so and ends with status 1: what it
 * writes has no name before it is whole, and what the laboratory found so far is in the journal. */
#ifndef WEFT_PROGRAM_NEW_H
#define WEFT_PROGRAM_NEW_H

#include <stddef.h>
#include <stdint.h>

/* count things of that size, all zero, to be freed; never NULL.  There is no memory for a negative
 * count, nor for a product beyond PTRDIFF_MAX. */
void *new_array(int64_t count, size_t size);
/* `items`, which may have moved, with room for one more behind `count` of them; *capacity is their room, 0 of
 * NULL. */
void *new_room(void *items, int64_t count, int64_t *capacity, size_t size);
/* A string in the manner of printf, to be freed; never NULL. */
__attribute__((format(printf, 1, 2))) char *new_text(const char *format, ...);

#endif
