/* SPDX-License-Identifier: MIT
 *
 * A block as the hook sees it:
 *
 *     raw ... padding ... | header (64 bytes) | the caller's bytes ...
 *                                             ^ 64-byte aligned
 *
 * Invariant: the header holds the raw pointer and the raw size. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Under AddressSanitizer the bytes between a block's end and its raw end are
 * poisoned, so that an overrun is seen at its first byte.  gcc says so by a macro,
 * clang by a feature. */
#if defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#if defined(POISONS)
#include <sanitizer/asan_interface.h>
#define POISON(at, size) __asan_poison_memory_region(at, size)
#define UNPOISON(at, size) __asan_unpoison_memory_region(at, size)
#else
#define POISON(at, size) ((void)(at), (void)(size))
#define UNPOISON(at, size) ((void)(at), (void)(size))
#endif

enum { ALIGNMENT = 64 };

typedef struct header {
    void *raw;
    size_t raw_size;
} header;

static void *standard_allocate(void *user, void *pointer, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, new_size);
}

weft_memory weft__memory_or_default(const weft_memory *memory)
{
    weft_memory standard = {standard_allocate, NULL};
    return memory != NULL && memory->allocate != NULL ? *memory : standard;
}

static header *header_of(void *block)
{
    return (header *)(void *)((char *)block - ALIGNMENT);
}

static void **slot_of(void *block)
{
    return (void **)block;
}

weft_status weft__checked_product(int64_t a, int64_t b, int64_t *product, weft_error *error)
{
    int64_t c = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &c))
        return weft__fail(error, WEFT_MEMORY, "a size of %lld x %lld elements does not fit", (long long)a,
                          (long long)b);
    *product = c;
    return WEFT_OK;
}

static weft_status count_bytes(int64_t count, size_t size, int64_t *bytes, weft_error *error)
{
    weft_status status = weft__checked_product(count, (int64_t)size, bytes, error);
    if (status != WEFT_OK)
        return status;
    if ((uint64_t)*bytes > PTRDIFF_MAX - 2 * ALIGNMENT)
        return weft__fail(error, WEFT_MEMORY, "%lld bytes do not fit", (long long)*bytes);
    return WEFT_OK;
}

static weft_status refused(int64_t bytes, weft_error *error)
{
    return weft__fail(error, WEFT_MEMORY, "out of memory: %lld bytes were not to be had", (long long)bytes);
}

/* The first aligned place that leaves room for the header. */
static char *aligned_in(char *raw)
{
    uintptr_t start = ((uintptr_t)raw + 2 * ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    return raw + (start - (uintptr_t)raw);
}

/* What lies behind `bytes` is not the caller's. */
static void seal(char *aligned, header own, size_t bytes)
{
    *header_of(aligned) = own;
    POISON(aligned + bytes, (size_t)((char *)own.raw + own.raw_size - (aligned + bytes)));
}

weft_status weft__new_unset(const weft_memory *memory, int64_t count, size_t size, void *block,
                            weft_error *error)
{
    int64_t bytes = 0;
    weft_status status = count_bytes(count, size, &bytes, error);
    if (status != WEFT_OK)
        return status;
    size_t raw_size = (size_t)bytes + 2 * ALIGNMENT;
    char *raw = memory->allocate(memory->user, NULL, 0, raw_size);
    if (raw == NULL)
        return refused(bytes, error);
    char *aligned = aligned_in(raw);
    seal(aligned, (header){raw, raw_size}, (size_t)bytes);
    *slot_of(block) = aligned;
    return WEFT_OK;
}

weft_status weft__new(const weft_memory *memory, int64_t count, size_t size, void *block, weft_error *error)
{
    weft_status status = weft__new_unset(memory, count, size, block, error);
    if (status == WEFT_OK)
        memset(*slot_of(block), 0, (size_t)count * size);
    return status;
}

weft_status weft__extend(const weft_memory *memory, void *block, int64_t old_count, int64_t new_count,
                         size_t size, weft_error *error)
{
    char *old = *slot_of(block);
    int64_t bytes = 0;
    if (old == NULL)
        return weft__new(memory, new_count, size, block, error);
    weft_status status = count_bytes(new_count, size, &bytes, error);
    if (status != WEFT_OK)
        return status;
    header h = *header_of(old);
    size_t raw_size = (size_t)bytes + 2 * ALIGNMENT, offset = (size_t)(old - (char *)h.raw);
    size_t kept = (size_t)(old_count < new_count ? old_count : new_count) * size;
    UNPOISON(h.raw, h.raw_size);
    char *raw = memory->allocate(memory->user, h.raw, h.raw_size, raw_size);
    if (raw == NULL) {
        seal(old, h, (size_t)old_count * size);
        return refused(bytes, error);
    }
    /* The allocator keeps bytes where they are in the block, not how they are aligned. */
    char *aligned = aligned_in(raw);
    memmove(aligned, raw + offset, kept);
    memset(aligned + kept, 0, (size_t)bytes - kept);
    seal(aligned, (header){raw, raw_size}, (size_t)bytes);
    *slot_of(block) = aligned;
    return WEFT_OK;
}

weft_status weft__new_text(const weft_memory *memory, const char *text, char **copy, weft_error *error)
{
    size_t size = strlen(text) + 1;
    weft_status status = weft__new(memory, (int64_t)size, 1, copy, error);
    if (status == WEFT_OK)
        memcpy(*copy, text, size);
    return status;
}

weft_status weft__resize(const weft_memory *memory, void *block, int64_t old_count, int64_t new_count,
                         size_t size, weft_error *error)
{
    void *fresh = NULL;
    weft_status status = weft__new(memory, new_count, size, &fresh, error);
    if (status != WEFT_OK)
        return status;
    void *old = *slot_of(block);
    int64_t kept = old_count < new_count ? old_count : new_count;
    if (old != NULL && kept > 0)
        memcpy(fresh, old, (size_t)kept * size);
    weft__delete(memory, old);
    *slot_of(block) = fresh;
    return WEFT_OK;
}

void weft__delete(const weft_memory *memory, void *block)
{
    if (block == NULL)
        return;
    header h = *header_of(block);
    UNPOISON(h.raw, h.raw_size);
    memory->allocate(memory->user, h.raw, h.raw_size, 0);
}

int64_t weft__grown(int64_t capacity, int64_t needed)
{
    int64_t next = capacity < 16 ? 16 : capacity;
    while (next < needed)
        next *= 2;
    return next;
}
