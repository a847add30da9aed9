/* SPDX-License-Identifier: MIT
 *
 * Fuzzes the reader of models.  The size and the checksum are mended before the
 * reader sees the bytes, or it would look no further.  Models that embed their side
 * information are opened as a whole, the others only looked at, for they name
 * files of this machine; of these the models of committees are left alone, for a look would read the files.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-model -dict=fuzz/model.dict -max_total_time=60 WORK fuzz/seeds/model */
#include "fuzz.h"

#include "io/model/model.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION_AT = 8, SIZE_AT = 16, EMBED_AT = 48, HEAD = 64, CHECKSUM = 16 };

static void mend(unsigned char *bytes, size_t size)
{
    put_number(bytes + SIZE_AT, size);
    weft__digest sum = weft__digest_of(bytes, size - CHECKSUM);
    put_number(bytes + size - CHECKSUM, sum.half[0]);
    put_number(bytes + size - CHECKSUM / 2, sum.half[1]);
}

/* What was read says the same when it is written again, unless its version is earlier than that which is
 * written. */
static void check_bytes(const weft_model *model, const unsigned char *bytes, size_t size)
{
    size_t written = weft__model_encode(model, NULL);
    unsigned char *again = malloc(written);
    require(again != NULL && weft__model_encode(model, again) == written);
    require(again[VERSION_AT] >= bytes[VERSION_AT]);
    require(again[VERSION_AT] > bytes[VERSION_AT] || (written == size && memcmp(again, bytes, size) == 0));
    free(again);
}

/* Where names are hashed every number is an id. */
static int64_t count_ids(const weft_roster *roster)
{
    return weft_roster_report(roster).hashed ? INT64_MAX : weft_ids_count(weft_roster_ids(roster));
}

static void use_committee(weft_player *committee, int64_t m, int64_t n)
{
    weft_answer ruling = {0};
    weft_error error = {0};
    weft_status status = weft_player_learn(committee, m - 1, n - 1, 1, &ruling, &error);
    if (status == WEFT_OK)
        require(ruling.vote >= 0 && ruling.vote <= 1 && ruling.probability > 0 && ruling.probability < 1);
    else
        require(error.message[0] != 0);
    status = weft_player_forget(committee, WEFT_ROWS, m - 1, &error);
    require(status == WEFT_OK || error.message[0] != 0);
    status = weft_player_merge(committee, committee, &error);
    require(status == WEFT_OK || error.message[0] != 0);
    weft_committee_leader(committee);
}

/* Whatever was opened can be asked and taught. */
static void use(const weft_model *model)
{
    const weft_roster *columns = model->columns != NULL ? model->columns : model->rows;
    int64_t m = count_ids(model->rows), n = count_ids(columns);
    weft_answer prediction = {0};
    weft_answer outcome = {0};
    weft_error error = {0};
    if (m == 0 || n == 0)
        return;
    if (weft_player_kind(model->player) == WEFT_COMMITTEE) {
        use_committee(model->player, m, n);
        return;
    }
    weft_status status = weft_player_predict(model->player, m - 1, 0, &prediction, &error);
    if (status == WEFT_OK)
        require(prediction.lower <= prediction.upper && isfinite(prediction.margin));
    else
        require(error.message[0] != 0);
    status = weft_player_learn(model->player, 0, n - 1, 1, &outcome, &error);
    require(status == WEFT_OK || error.message[0] != 0);
}

static void open_model(const unsigned char *bytes, size_t size, bool look)
{
    weft_model_options options = {
        .look = look, .files = {.line_limit = 512, .field_limit = 24, .id_limit = 24, .byte_limit = 1 << 16}};
    weft_model model = {0};
    weft_error error = {0};
    weft_status status = weft__model_rebuild("model", bytes, size, &options, &model, &error);
    if (status == WEFT_OK) {
        check_bytes(&model, bytes, size);
        if (!look)
            use(&model);
    } else {
        require(status == WEFT_MODEL && error.status == status && error.message[0] != 0);
        require(model.rows == NULL && model.player == NULL);
    }
    weft_model_close(&model);
}

/* Whether a look would read files. */
static bool is_committee(const unsigned char *bytes, size_t size)
{
    weft__stored stored = {.memory = weft__memory_or_default(NULL)};
    weft_status status = weft__model_decode(bytes, size, &stored.memory, &stored, NULL);
    bool committee = status == WEFT_OK && stored.committee;
    weft__stored_free(&stored);
    return committee;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD + CHECKSUM)
        return 0;
    unsigned char *bytes = malloc(size);
    require(bytes != NULL);
    memcpy(bytes, data, size);
    mend(bytes, size);
    bool embedded = bytes[EMBED_AT] == 1;
    if (embedded || !is_committee(bytes, size))
        open_model(bytes, size, true);
    if (embedded)
        open_model(bytes, size, false);
    free(bytes);
    return 0;
}
