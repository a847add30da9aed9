/* SPDX-License-Identifier: MIT
 * Digests of bytes: XXH3, 128 bits, the same on every machine.  They find damage
 * and exchanged files; they are no defence against somebody who forges them. */
#ifndef WEFT_BASE_DIGEST_H
#define WEFT_BASE_DIGEST_H

#include "base/bytes.h"
#include "base/memory.h"

/* The high half first, as it is written in hexadecimal. */
typedef struct weft__digest {
    uint64_t half[2];
} weft__digest;

weft__digest weft__digest_of(const void *bytes, size_t size);
bool weft__digest_equal(weft__digest a, weft__digest b);
void weft__put_digest(weft__encoder *writer, weft__digest digest);
weft__digest weft__get_digest(weft__decoder *reader);

/* A digest in the making, over bytes that come piece by piece. */
typedef struct weft__digester weft__digester;

weft_status weft__digester_create(const weft_memory *memory, weft__digester **digester, weft_error *error);
void weft__digester_add(weft__digester *digester, const void *bytes, size_t size);
/* Of all that was added so far. */
weft__digest weft__digester_value(const weft__digester *digester);
/* Takes NULL. */
void weft__digester_free(weft__digester *digester, const weft_memory *memory);

#endif
