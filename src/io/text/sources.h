/* SPDX-License-Identifier: MIT
 * The files behind a roster: what was read from them, by its digest, and on
 * demand the bytes, from which they can be read again without the files. */
#ifndef WEFT_IO_TEXT_SOURCES_H
#define WEFT_IO_TEXT_SOURCES_H

#include "base/digest.h"

typedef struct weft__source_file {
    char *path;
    int64_t size;
    weft__digest digest;
    unsigned char *bytes; /* NULL where they are not kept */
    int64_t capacity;     /* of bytes */
    weft__digester *digester;
} weft__source_file;

/* Invariant: items 0..count-1 are in the order in which they were opened.  With
 * `stored` they are complete and files are read from them, item `next` being the
 * one that is opened next; otherwise they are filled while files are read. */
typedef struct weft__sources {
    weft_memory memory;
    bool keep;
    bool stored;
    weft__source_file **items;
    int64_t count, capacity, next;
} weft__sources;

/* A new item for `path`, owned by `sources`. */
weft_status weft__sources_begin(weft__sources *sources, const char *path, weft__source_file **item,
                                weft_error *error);
/* Bytes that were read from its file. */
weft_status weft__sources_add(weft__sources *sources, weft__source_file *item, const void *bytes,
                              int64_t count, weft_error *error);
/* The stored item that is to be read next, which must be `path`. */
weft_status weft__sources_take(weft__sources *sources, const char *path, const weft__source_file **item,
                               weft_error *error);
void weft__sources_free(weft__sources *sources);

#endif
