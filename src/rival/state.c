/* SPDX-License-Identifier: MIT
 *
 * The state of a rival as bytes: 8-byte little-endian fields, in this order:
 *
 *     magic, version (4 only where a hybrid factorisation has met a context)
 *     settings   kind rate factors bits seed replay window shrink, 1 for one set of ids else 0
 *     what the kind has learnt, to the end
 *
 * Side information is not part of it. */
#include "rival/rival.h"

/* "weftriva", read as a little-endian number. */
static const int64_t MAGIC = INT64_C(0x6176697274666577);

enum { VERSION = 3, VERSION_CONTEXT = 4 };

weft_status weft__rival_damaged(weft_error *error, const char *what)
{
    return weft__fail(error, WEFT_MODEL, "the state of the rival is damaged: %s", what);
}

int64_t weft__get_count(weft__decoder *reader, int64_t most, size_t bytes)
{
    int64_t count = weft__get_integer(reader);
    if (reader->failed || count < 0 || count > most || (uint64_t)count > reader->left / bytes) {
        reader->failed = true;
        return 0;
    }
    return count;
}

void weft__rival_put_head(const weft__rival *rival, weft__encoder *w)
{
    weft__put_integer(w, MAGIC);
    weft__put_integer(w, rival->met_context ? VERSION_CONTEXT : VERSION);
    weft__put_integer(w, rival->settings.kind);
    weft__put_double(w, rival->settings.rate);
    weft__put_integer(w, rival->settings.factors);
    weft__put_integer(w, rival->settings.bits);
    weft__put_integer(w, (int64_t)rival->settings.seed);
    weft__put_integer(w, rival->settings.replay);
    weft__put_integer(w, rival->settings.window);
    weft__put_double(w, rival->settings.shrink);
    weft__put_integer(w, rival->player.columns == NULL);
}

static size_t put_all(const weft__rival *rival, unsigned char *buffer)
{
    weft__encoder w = {buffer, 0};
    weft__rival_put_head(rival, &w);
    rival->ops->write(rival, &w);
    return w.size;
}

weft_status weft__rival_write(const weft__rival *rival, void *buffer, size_t *size, weft_error *error)
{
    size_t needed = put_all(rival, NULL);
    if (buffer != NULL && *size < needed)
        return weft__fail(error, WEFT_ARGUMENT, "the buffer has %zu bytes, expected %zu", *size, needed);
    if (buffer != NULL)
        put_all(rival, buffer);
    *size = needed;
    return WEFT_OK;
}

static weft_status get_settings(weft__decoder *r, bool one_set, weft_rival_settings *settings,
                                bool *met_context, weft_error *error)
{
    if (weft__get_integer(r) != MAGIC)
        return weft__fail(error, WEFT_MODEL, "these bytes are not the state of a rival");
    int64_t version = weft__get_integer(r);
    if (version != VERSION && version != VERSION_CONTEXT)
        return weft__fail(error, WEFT_MODEL,
                          "the state of the rival is of version %lld, expected %d or %d: run its stream "
                          "again to make a new one",
                          (long long)version, VERSION, VERSION_CONTEXT);
    *met_context = version == VERSION_CONTEXT;
    int64_t kind = weft__get_integer(r);
    double rate = weft__get_double(r);
    int64_t factors = weft__get_integer(r), bits = weft__get_integer(r), seed = weft__get_integer(r);
    int64_t replay = weft__get_integer(r), window = weft__get_integer(r);
    double shrink = weft__get_double(r);
    int64_t set = weft__get_integer(r);
    if (r->failed)
        return weft__rival_damaged(error, "it is cut short");
    if (kind < 0 || kind >= WEFT_RIVALS || bits < 1 || bits > INT32_MAX || factors < 1 || seed == 0 ||
        replay == 0 || replay < -1 || replay > INT32_MAX || window < 1 ||
        (*met_context && kind != WEFT_RIVAL_HYBRID))
        return weft__rival_damaged(error, "a setting is out of its range");
    if (set != one_set)
        return weft__rival_damaged(error, "it is of one set of ids where two are given, or of two");
    *settings = (weft_rival_settings){(weft_rival_kind)kind, rate,        factors, (int)bits,
                                      (uint64_t)seed,        (int)replay, window,  shrink};
    return WEFT_OK;
}

weft_status weft__rival_from_head(const weft_side *rows, const weft_side *columns, weft__decoder *r,
                                  const weft_memory *memory, weft__rival **rival, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__rival *fresh = NULL;
    weft_rival_settings settings = {0};
    bool met_context = false;
    TRY(get_settings(r, columns == NULL, &settings, &met_context, error));
    status = weft__rival_begin(rows, columns, &settings, memory, &fresh, error);
    /* A rate of 0 was filled in before it was written. */
    if (status == WEFT_ARGUMENT || (status == WEFT_OK && fresh->settings.rate != settings.rate))
        status = weft__rival_damaged(error, "a setting is out of its range");
    if (status != WEFT_OK)
        goto done;
    fresh->met_context = met_context;
    *rival = fresh;
    fresh = NULL;
done:
    weft__rival_free(fresh);
    return status;
}

weft_status weft__rival_restore(const weft_side *rows, const weft_side *columns, const void *buffer,
                                size_t size, const weft_memory *memory, weft__rival **rival,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__rival *fresh = NULL;
    weft__decoder r = {buffer, size, false};
    TRY(weft__rival_from_head(rows, columns, &r, memory, &fresh, error));
    TRY(fresh->ops->read(fresh, &r, error));
    if (r.failed || r.left != 0) {
        status = weft__rival_damaged(error, "its length is not that of what it holds");
        goto done;
    }
    *rival = fresh;
    fresh = NULL;
done:
    weft__rival_free(fresh);
    return status;
}

weft_status weft__rival_clone(const weft__rival *rival, weft__rival **copy, weft_error *error)
{
    weft_status status = WEFT_OK;
    unsigned char *bytes = NULL;
    size_t size = put_all(rival, NULL);
    TRY(weft__new(&rival->player.memory, (int64_t)size, 1, &bytes, error));
    put_all(rival, bytes);
    TRY(weft__rival_restore(rival->player.rows, rival->player.columns, bytes, size, &rival->player.memory,
                            copy, error));
done:
    weft__delete(&rival->player.memory, bytes);
    return status;
}
