/* SPDX-License-Identifier: MIT */
#include "program/new.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void *require(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "weft: out of memory\n");
        exit(1);
    }
    return memory;
}

/* A product of counts that overflowed is negative, or too large for any memory. */
void *new_array(int64_t count, size_t size)
{
    size_t each = size > 0 ? size : 1;
    bool possible = count >= 0 && (uint64_t)count <= (uint64_t)PTRDIFF_MAX / each;
    return require(possible ? calloc(count > 0 ? (size_t)count : 1, each) : NULL);
}

void *new_room(void *items, int64_t count, int64_t *capacity, size_t size)
{
    enum { FIRST = 64 };
    if (count < *capacity)
        return items;
    *capacity = *capacity > 0 ? 2 * *capacity : FIRST;
    return require(realloc(items, (size_t)*capacity * size));
}

char *new_text(const char *format, ...)
{
    va_list facts;
    va_start(facts, format);
    int length = vsnprintf(NULL, 0, format, facts);
    va_end(facts);
    char *text = new_array((int64_t)length + 1, 1);
    va_start(facts, format);
    vsnprintf(text, (size_t)length + 1, format, facts);
    va_end(facts);
    return text;
}
