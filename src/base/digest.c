/* SPDX-License-Identifier: MIT
 * The functions of xxHash are compiled in, so that there is nothing to link. */
#include "base/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* weft__new() aligns blocks to 64 bytes, which is what the state asks for. */
struct weft__digester {
    XXH3_state_t state;
};

static weft__digest halves_of(XXH128_hash_t hash)
{
    return (weft__digest){{hash.high64, hash.low64}};
}

weft__digest weft__digest_of(const void *bytes, size_t size)
{
    return halves_of(XXH3_128bits(bytes, size));
}

bool weft__digest_equal(weft__digest a, weft__digest b)
{
    return a.half[0] == b.half[0] && a.half[1] == b.half[1];
}

void weft__put_digest(weft__encoder *writer, weft__digest digest)
{
    weft__put_integer(writer, (int64_t)digest.half[0]);
    weft__put_integer(writer, (int64_t)digest.half[1]);
}

weft__digest weft__get_digest(weft__decoder *reader)
{
    uint64_t high = (uint64_t)weft__get_integer(reader);
    uint64_t low = (uint64_t)weft__get_integer(reader);
    return (weft__digest){{high, low}};
}

weft_status weft__digester_create(const weft_memory *memory, weft__digester **digester, weft_error *error)
{
    weft__digester *made = NULL;
    weft_status status = weft__new(memory, 1, sizeof *made, &made, error);
    if (status != WEFT_OK)
        return status;
    XXH3_128bits_reset(&made->state);
    *digester = made;
    return WEFT_OK;
}

void weft__digester_add(weft__digester *digester, const void *bytes, size_t size)
{
    XXH3_128bits_update(&digester->state, bytes, size);
}

weft__digest weft__digester_value(const weft__digester *digester)
{
    return halves_of(XXH3_128bits_digest(&digester->state));
}

void weft__digester_free(weft__digester *digester, const weft_memory *memory)
{
    weft__delete(memory, digester);
}
