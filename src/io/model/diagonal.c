/* SPDX-License-Identifier: MIT
 *
 * The layout, all numbers 8 bytes little-endian:
 *
 *     head       magic, version, size of the file
 *     of what    XXH3-128 of the bytes of the model, XXH3-128 of the state of its learner
 *     sizes      ids of the first side and of the second (one set of ids: 0)
 *     entries    lower and upper end of log F_jj of every id, side by side
 *     checksum   XXH3-128 of everything before
 *
 * The bytes of the model stand for its side information as well, whose digests are
 * in them; the state stands for the learner that was asked, in case the model was
 * replaced between its opening and the writing.  The checksum is looked at first, so
 * that damage is told as such and a file of another model is not taken for damaged. */
#define _POSIX_C_SOURCE 200809L

#include "io/model/diagonal.h"

#include "base/bytes.h"
#include "io/text/load.h"
#include "io/text/publish.h"
#include "weft_files.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* "weftdiag", read as a little-endian number. */
static const int64_t MAGIC = INT64_C(0x6761696474666577);

enum {
    VERSION = 1,
    HEAD_BYTES = 24,
    CHECKSUM_BYTES = 16,
    ENTRY_BYTES = 16,
    BARE_BYTES = HEAD_BYTES + 32 + 16 + CHECKSUM_BYTES /* without entries */
};

static const int64_t SIZE_LIMIT = INT64_C(1) << 36;

/* A diagonal as it stands in a file. */
typedef struct stored_diagonal {
    weft__owner of;
    int64_t size[2];
    const unsigned char *entries; /* inside the bytes */
} stored_diagonal;

/* ---- Whose ---- */

static weft_status digest_model(const char *path, const weft_memory *memory, weft__digest *digest,
                                weft_error *error)
{
    unsigned char *bytes = NULL;
    int64_t size = 0;
    weft_status status =
        weft__load(path, "a model", SIZE_LIMIT, (weft__making){memory, NULL}, &bytes, &size, error);
    if (status == WEFT_OK)
        *digest = weft__digest_of(bytes, (size_t)size);
    weft__delete(memory, bytes);
    return status;
}

static weft_status digest_state(const weft__learner *learner, const weft_memory *memory, weft__digest *digest,
                                weft_error *error)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    weft_status status = WEFT_OK;
    TRY(weft__learner_write(learner, NULL, &size, error));
    TRY(weft__new(memory, (int64_t)size, 1, &bytes, error));
    TRY(weft__learner_write(learner, bytes, &size, error));
    *digest = weft__digest_of(bytes, size);
done:
    weft__delete(memory, bytes);
    return status;
}

static weft_status find_owner(const char *path, const weft__ranker *ranker, weft__owner *of,
                              weft_error *error)
{
    weft_status status = digest_model(path, &ranker->memory, &of->model, error);
    return status != WEFT_OK ? status
                             : digest_state(ranker->snapshot.learner, &ranker->memory, &of->state, error);
}

/* `path`.diagonal, to be deleted. */
static weft_status name_file(const char *path, const weft_memory *memory, char **name, weft_error *error)
{
    static const char ending[] = ".diagonal";
    size_t length = strlen(path);
    weft_status status = weft__new(memory, (int64_t)(length + sizeof ending), 1, name, error);
    if (status != WEFT_OK)
        return status;
    memcpy(*name, path, length);
    memcpy(*name + length, ending, sizeof ending);
    return WEFT_OK;
}

/* ---- Out ---- */

/* How many entries of a side are written: all, or for the balanced form none. */
static int64_t count_entries(const weft__ranker *ranker, int side)
{
    bool none = ranker->snapshot.learner->settings.form == WEFT_BALANCED;
    return none ? 0 : weft__ranker_size(ranker, side);
}

static weft_status put_entries(weft__encoder *w, const weft__ranker *ranker, weft_error *error)
{
    for (int side = 0; side < 2; side++)
        for (int64_t id = 0; id < count_entries(ranker, side); id++) {
            double log_bracket[2] = {0, 0};
            if (!weft__ranker_get(ranker, side, id, log_bracket))
                return weft__fail(error, WEFT_INTERNAL, "entry %lld of the diagonal was not found",
                                  (long long)id);
            weft__put_double(w, log_bracket[0]);
            weft__put_double(w, log_bracket[1]);
        }
    return WEFT_OK;
}

static weft_status encode(const weft__ranker *ranker, const weft__owner *of, unsigned char *bytes,
                          size_t size, weft_error *error)
{
    weft__encoder w = {bytes, 0};
    weft__put_integer(&w, MAGIC);
    weft__put_integer(&w, VERSION);
    weft__put_integer(&w, (int64_t)size);
    weft__put_digest(&w, of->model);
    weft__put_digest(&w, of->state);
    weft__put_integer(&w, count_entries(ranker, 0));
    weft__put_integer(&w, count_entries(ranker, 1));
    weft_status status = put_entries(&w, ranker, error);
    if (status == WEFT_OK)
        weft__put_digest(&w, weft__digest_of(bytes, w.size));
    return status;
}

/* The ranker of the learner that a player must be. */
static weft_status find_ranker(const char *path, weft_player *player, weft__ranker **ranker,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *learner = weft__learner_in(player);
    NEED(path);
    NEED(player);
    if (learner == NULL)
        return weft__fail(error, WEFT_UNSUPPORTED, "%s: a %s has no diagonal: only a learner has margins",
                          path, weft_kind_name(weft_player_kind(player)));
    TRY(weft__learner_ranker(learner, ranker, error));
done:
    return status;
}

static weft_status write_diagonal(const char *path, weft__ranker *ranker, weft_error *error)
{
    const weft_memory *memory = &ranker->memory;
    unsigned char *bytes = NULL;
    char *name = NULL;
    weft__owner of = {0};
    int64_t entries = 0;
    weft_status status = WEFT_OK;
    weft__progress progress = weft__progress_of(&ranker->snapshot.learner->player.progress);
    TRY(weft__ranker_fill(ranker, &progress, error));
    TRY(find_owner(path, ranker, &of, error));
    TRY(name_file(path, memory, &name, error));
    int64_t count = count_entries(ranker, 0) + count_entries(ranker, 1);
    TRY(weft__checked_product(count, ENTRY_BYTES, &entries, error));
    size_t size = (size_t)entries + BARE_BYTES;
    TRY(weft__new(memory, (int64_t)size, 1, &bytes, error));
    TRY(encode(ranker, &of, bytes, size, error));
    TRY(weft__publish(name, bytes, size, (weft__making){memory, NULL}, error));
done:
    weft__delete(memory, name);
    weft__delete(memory, bytes);
    return status;
}

weft_status weft_diagonal_write(const char *path, weft_player *player, weft_error *error)
{
    weft__ranker *ranker = NULL;
    weft_status status = find_ranker(path, player, &ranker, error);
    return status != WEFT_OK ? status : write_diagonal(path, ranker, error);
}

/* ---- In ---- */

static weft_status damaged(const char *name, const char *what, weft_error *error)
{
    return weft__fail(error, WEFT_MODEL, "%s: the diagonal is damaged: %s (it may be removed and made again)",
                      name, what);
}

/* Magic, version, size and checksum; what is between them goes to *r. */
static weft_status get_head(const char *name, const unsigned char *bytes, int64_t size, weft__decoder *r,
                            weft_error *error)
{
    weft__decoder head = {bytes, (size_t)size, false};
    if (weft__get_integer(&head) != MAGIC)
        return damaged(name, "it does not begin as one", error);
    if (weft__get_integer(&head) != VERSION)
        return damaged(name, "it is of another version", error);
    if (weft__get_integer(&head) != size || size < BARE_BYTES)
        return damaged(name, "its length is not what it says", error);
    weft__decoder tail = {bytes + size - CHECKSUM_BYTES, CHECKSUM_BYTES, false};
    if (!weft__digest_equal(weft__get_digest(&tail), weft__digest_of(bytes, (size_t)size - CHECKSUM_BYTES)))
        return damaged(name, "its checksum is another", error);
    *r = (weft__decoder){head.at, head.left - CHECKSUM_BYTES, false};
    return WEFT_OK;
}

static weft_status decode(const char *name, const unsigned char *bytes, int64_t size, stored_diagonal *stored,
                          weft_error *error)
{
    weft__decoder r = {NULL, 0, false};
    weft_status status = get_head(name, bytes, size, &r, error);
    if (status != WEFT_OK)
        return status;
    stored->of.model = weft__get_digest(&r);
    stored->of.state = weft__get_digest(&r);
    for (int side = 0; side < 2; side++)
        stored->size[side] = weft__get_integer(&r);
    int64_t most = (int64_t)r.left / ENTRY_BYTES;
    bool counts = stored->size[0] >= 0 && stored->size[0] <= most && stored->size[1] >= 0 &&
                  stored->size[1] <= most - stored->size[0];
    if (r.failed || !counts || (size_t)(stored->size[0] + stored->size[1]) * ENTRY_BYTES != r.left)
        return damaged(name, "its length is not that of its entries", error);
    stored->entries = r.at;
    return WEFT_OK;
}

/* Everything is looked at before anything is put. */
static weft_status check_entries(const char *name, const stored_diagonal *stored, const weft__ranker *ranker,
                                 weft_error *error)
{
    int64_t count = stored->size[0] + stored->size[1];
    weft__decoder r = {stored->entries, (size_t)count * ENTRY_BYTES, false};
    for (int side = 0; side < 2; side++)
        if (stored->size[side] > count_entries(ranker, side))
            return damaged(name, "it has more entries than the model has ids", error);
    for (int64_t k = 0; k < count; k++) {
        double lower = weft__get_double(&r), upper = weft__get_double(&r);
        if (!(lower <= upper) || upper == INFINITY)
            return damaged(name, "an entry is no bracket", error);
    }
    return WEFT_OK;
}

static weft_status put_all(const stored_diagonal *stored, weft__ranker *ranker, weft_error *error)
{
    int64_t count = stored->size[0] + stored->size[1];
    weft__decoder r = {stored->entries, (size_t)count * ENTRY_BYTES, false};
    weft_status status = WEFT_OK;
    for (int side = 0; side < 2; side++)
        for (int64_t id = 0; id < stored->size[side]; id++) {
            double log_bracket[2] = {0, 0};
            for (int end = 0; end < 2; end++)
                log_bracket[end] = weft__get_double(&r);
            TRY(weft__ranker_put(ranker, side, id, log_bracket, error));
        }
done:
    return status;
}

weft_status weft__diagonal_take(const char *name, const unsigned char *bytes, int64_t size,
                                const weft__owner *of, weft__ranker *ranker, bool *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    stored_diagonal stored = {0};
    TRY(decode(name, bytes, size, &stored, error));
    bool fits =
        weft__digest_equal(of->model, stored.of.model) && weft__digest_equal(of->state, stored.of.state);
    if (fits) {
        TRY(check_entries(name, &stored, ranker, error));
        TRY(put_all(&stored, ranker, error));
    }
    *found = fits;
done:
    return status;
}

static weft_status read_diagonal(const char *path, weft__ranker *ranker, bool *found, weft_error *error)
{
    const weft_memory *memory = &ranker->memory;
    unsigned char *bytes = NULL;
    char *name = NULL;
    int64_t size = 0;
    weft__owner of = {0};
    struct stat facts = {0};
    bool fits = false;
    weft_status status = WEFT_OK;
    TRY(name_file(path, memory, &name, error));
    if (stat(name, &facts) == 0) {
        TRY(weft__load(name, "the diagonal of a model", SIZE_LIMIT, (weft__making){memory, NULL}, &bytes,
                       &size, error));
        TRY(find_owner(path, ranker, &of, error));
        TRY(weft__diagonal_take(name, bytes, size, &of, ranker, &fits, error));
    }
    *found = fits;
done:
    weft__delete(memory, name);
    weft__delete(memory, bytes);
    return status;
}

weft_status weft_diagonal_read(const char *path, weft_player *player, bool *found, weft_error *error)
{
    weft__ranker *ranker = NULL;
    weft_status status = WEFT_OK;
    NEED(found);
    TRY(find_ranker(path, player, &ranker, error));
    TRY(read_diagonal(path, ranker, found, error));
done:
    return status;
}
