/* SPDX-License-Identifier: MIT
 * A line of bytes for every id, or trait, that a rival has learnt. */
#ifndef WEFT_RIVAL_TABLE_H
#define WEFT_RIVAL_TABLE_H

#include "rival/rival.h"
#include "rival/slots.h"

enum { WEFT__TABLE_BITS = 11, WEFT__TABLE_CHUNK = 1 << WEFT__TABLE_BITS };

/* Invariants: the line of slot s is number s % CHUNK of chunks[s / CHUNK], aligned as line_bytes are a
 * multiple of; `capacity` lines have room, and all of them from slots.count on are zero.  All chunks but the
 * first have CHUNK lines; the first grows, and the table is never copied beyond it.  A zeroed struct with
 * line_bytes and both memories set is empty. */
typedef struct weft__table {
    weft_memory memory;
    int64_t line_bytes;
    weft__slots slots;
    unsigned char **chunks;
    int64_t chunk_count, capacity;
    int64_t wanted; /* lines that room was made for since one was added */
} weft__table;

weft__table weft__table_of(int64_t line_bytes, const weft_memory *memory);

/* Leaves it empty. */
void weft__table_free(weft__table *table);

static inline unsigned char *weft__table_at(const weft__table *table, int64_t slot)
{
    return table->chunks[slot >> WEFT__TABLE_BITS] + (slot & (WEFT__TABLE_CHUNK - 1)) * table->line_bytes;
}

/* The line of `id`; NULL: there is none. */
static inline void *weft__table_line(const weft__table *table, int64_t id)
{
    int64_t slot = weft__slots_find(&table->slots, id);
    return slot < 0 ? NULL : weft__table_at(table, slot);
}

/* Asks for the line of `id`, if there is one, so that it is near when it is read. */
static inline void weft__table_fetch(const weft__table *table, int64_t id)
{
    enum { CACHE_LINE = 64 };
    const unsigned char *line = weft__table_line(table, id);
    for (int64_t k = 0; line != NULL && k < table->line_bytes; k += CACHE_LINE)
        __builtin_prefetch(line + k);
}

/* Makes room for the line of `id`, beside those of all that were asked for since a line was added, so that
 * adding them cannot fail.  May move lines. */
weft_status weft__table_reserve(weft__table *table, int64_t id, weft_error *error);

/* A line of zeros for an id that has none. */
void *weft__table_add(weft__table *table, int64_t id);

/* What it holds, by lines alone: the same wherever as many were learnt. */
double weft__table_bytes(const weft__table *table);

/* Ids get other numbers; `which` is their side.  Lines stay where they are. */
weft_status weft__table_renumber(weft__table *table, int which, const weft__numbers *numbers,
                                 weft_error *error);

#endif
