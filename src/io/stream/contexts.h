/* SPDX-License-Identifier: MIT
 * The fields of a record that are the context of its event: which they are, what they say, and how much. */
#ifndef WEFT_IO_STREAM_CONTEXTS_H
#define WEFT_IO_STREAM_CONTEXTS_H

#include "base/memory.h"
#include "io/text/text.h"
#include "weft_files.h"

/* Values that have come, by their digests: a hash table of `room` places, of which 0 is an empty one. */
typedef struct weft__values {
    int64_t count, room;
    uint64_t *list;
} weft__values;

/* A zeroed struct with its memory set has no fields. */
typedef struct weft__contexts {
    weft_memory memory;
    weft_context_fields fields;
    int64_t place[WEFT_CONTEXT_LIMIT]; /* in the current record; -1: it lacks */
    weft__values values[WEFT_CONTEXT_LIMIT];
} weft__contexts;

void weft__contexts_free(weft__contexts *contexts);

/* Whether this is the name of one. */
bool weft__contexts_have(const weft__contexts *contexts, const char *name);

/* By the names of a header or of an object, `taken` being the places of row, column and so on.  WEFT_INPUT
 * for a name that stands twice, or is taken, and for a header that lacks one. */
weft_status weft__contexts_find(weft__contexts *contexts, const weft__text *text,
                                const int64_t taken[WEFT_STREAM_FIELDS], weft_error *error);
/* WEFT_INPUT where there are fields but no header. */
weft_status weft__contexts_without(const weft__contexts *contexts, const weft__text *text, weft_error *error);

/* What field k of the record says; 0: nothing. */
weft_status weft__contexts_read(const weft__contexts *contexts, const weft__text *text, int64_t k,
                                uint64_t *digest, weft_error *error);
/* It has come. */
weft_status weft__contexts_count(weft__contexts *contexts, int64_t k, uint64_t digest, weft_error *error);

#endif
