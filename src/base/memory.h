/* SPDX-License-Identifier: MIT
 * Memory through the one hook.  Every block is zeroed, 64-byte aligned and
 * knows its size, so that freeing needs only the pointer. */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include "base/status.h"

/* A copy of *memory, or the C library's allocator for NULL. */
weft_memory weft__memory_or_default(const weft_memory *memory);

/* *block = count * size zeroed bytes (count 0 gives a valid block too).
 * `block` is the address of a pointer to any object type. */
weft_status weft__new(const weft_memory *memory, int64_t count, size_t size, void *block, weft_error *error);
/* The same, of any content: for what is large and is written before it is read, as zeros for hundreds of
 * megabytes take longer than a caller may have to wait who wants to stop. */
weft_status weft__new_unset(const weft_memory *memory, int64_t count, size_t size, void *block,
                            weft_error *error);

/* *copy = the same text. */
weft_status weft__new_text(const weft_memory *memory, const char *text, char **copy, weft_error *error);

/* Resizes *block from old_count to new_count elements; what is new is zero.
 * On failure the block is as before. */
weft_status weft__resize(const weft_memory *memory, void *block, int64_t old_count, int64_t new_count,
                         size_t size, weft_error *error);

/* The same by the allocator's own resizing: the old block and the new one are there at
 * once only where the allocator has to move it.  For what is as large as the memory
 * allows.  A block may have more than old_count elements; also makes it smaller. */
weft_status weft__extend(const weft_memory *memory, void *block, int64_t old_count, int64_t new_count,
                         size_t size, weft_error *error);

/* Takes NULL. */
void weft__delete(const weft_memory *memory, void *block);

/* *product = a * b for counts >= 0, or WEFT_MEMORY where it does not fit. */
weft_status weft__checked_product(int64_t a, int64_t b, int64_t *product, weft_error *error);

/* The next capacity of an array that needs `needed` places: doubles, at least
 * 16, a multiple of 16. */
int64_t weft__grown(int64_t capacity, int64_t needed);

#endif
