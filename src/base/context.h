/* SPDX-License-Identifier: MIT
 * The context of an event: what is known of this event alone, as a digest for every field (weft.h). */
#ifndef WEFT_BASE_CONTEXT_H
#define WEFT_BASE_CONTEXT_H

#include "base/bytes.h"
#include "base/status.h"

_Static_assert(sizeof((weft_event){0}.context) == WEFT_CONTEXT_LIMIT * sizeof(uint64_t),
               "an event has as many fields of context as a player takes");

/* Invariant: those from `count` on are 0.  0: of this field nothing is known. */
typedef struct weft__context {
    int64_t count;
    uint64_t of[WEFT_CONTEXT_LIMIT];
} weft__context;

/* Whether something is known. */
bool weft__context_known(const weft__context *context);

/* Whether the same is known. */
bool weft__context_equal(const weft__context *a, const weft__context *b);

/* The digests of what is known, and where that is more than one thing, a digest of all of it together last:
 * the joint context.  Answers how many there are. */
int weft__context_values(const weft__context *context, uint64_t values[WEFT_CONTEXT_LIMIT + 1]);

/* How many digests, and these; false for what that does not put. */
void weft__context_put(const weft__context *context, weft__encoder *writer);
bool weft__context_get(weft__context *context, weft__decoder *reader);

/* WEFT_ARGUMENT for more than the limit; *context is then as before. */
weft_status weft__context_take(weft__context *context, const uint64_t *digests, int64_t count,
                               weft_error *error);

/* WEFT_ARGUMENT for names that are none; and whether two have the same names in the same order. */
weft_status weft__context_check_fields(const weft_context_fields *fields, weft_error *error);
bool weft__context_fields_equal(const weft_context_fields *a, const weft_context_fields *b);

#endif
