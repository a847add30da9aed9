/* SPDX-License-Identifier: MIT */
#include "base/context.h"

#include "base/digest.h"
#include "base/hash.h"

#include <string.h>

bool weft__context_known(const weft__context *context)
{
    for (int64_t k = 0; k < context->count; k++)
        if (context->of[k] != 0)
            return true;
    return false;
}

bool weft__context_equal(const weft__context *a, const weft__context *b)
{
    return memcmp(a->of, b->of, sizeof a->of) == 0;
}

int weft__context_values(const weft__context *context, uint64_t values[WEFT_CONTEXT_LIMIT + 1])
{
    uint64_t joint = 0;
    int count = 0;
    for (int64_t k = 0; k < context->count; k++) {
        if (context->of[k] == 0)
            continue;
        joint = weft__hash(joint ^ context->of[k]);
        values[count++] = context->of[k];
    }
    if (count > 1)
        values[count++] = joint;
    return count;
}

void weft__context_put(const weft__context *context, weft__encoder *writer)
{
    weft__put_integer(writer, context->count);
    for (int64_t k = 0; k < context->count; k++)
        weft__put_integer(writer, (int64_t)context->of[k]);
}

bool weft__context_get(weft__context *context, weft__decoder *reader)
{
    int64_t count = weft__get_integer(reader);
    *context = (weft__context){.count = 0};
    if (reader->failed || count < 0 || count > WEFT_CONTEXT_LIMIT)
        return false;
    for (int64_t k = 0; k < count; k++)
        context->of[k] = (uint64_t)weft__get_integer(reader);
    context->count = count;
    return !reader->failed;
}

weft_status weft__context_take(weft__context *context, const uint64_t *digests, int64_t count,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    if (count < 0 || count > WEFT_CONTEXT_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "a context of %lld fields, expected 0 to %d",
                          (long long)count, WEFT_CONTEXT_LIMIT);
    if (count > 0)
        NEED(digests);
    *context = (weft__context){.count = count};
    for (int64_t k = 0; k < count; k++)
        context->of[k] = digests[k];
done:
    return status;
}

uint64_t weft_context_digest(const char *field, const char *value)
{
    if (field == NULL || value == NULL || *value == 0)
        return 0;
    uint64_t name = weft__digest_of(field, strlen(field)).half[0];
    uint64_t digest = weft__hash(weft__hash(name) ^ weft__digest_of(value, strlen(value)).half[0]);
    return digest != 0 ? digest : 1;
}

/* ---- Names ---- */

weft_status weft__context_check_fields(const weft_context_fields *fields, weft_error *error)
{
    if (fields->count < 0 || fields->count > WEFT_CONTEXT_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "a context of %lld fields, expected 0 to %d",
                          (long long)fields->count, WEFT_CONTEXT_LIMIT);
    for (int64_t k = 0; k < fields->count; k++) {
        const char *name = fields->name[k];
        if (name[0] == 0 || memchr(name, 0, sizeof fields->name[k]) == NULL)
            return weft__fail(error, WEFT_ARGUMENT, "field %lld of the context has no name of 1 to %zu bytes",
                              (long long)k + 1, sizeof fields->name[k] - 1);
        for (int64_t j = 0; j < k; j++)
            if (strcmp(fields->name[j], name) == 0)
                return weft__fail(error, WEFT_ARGUMENT, "the context has the field '%s' twice", name);
    }
    return WEFT_OK;
}

bool weft__context_fields_equal(const weft_context_fields *a, const weft_context_fields *b)
{
    bool equal = a->count == b->count;
    for (int64_t k = 0; k < a->count && equal; k++)
        equal = strcmp(a->name[k], b->name[k]) == 0;
    return equal;
}
