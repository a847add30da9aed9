/* SPDX-License-Identifier: MIT
 *
 * Fuzzes the reader of the diagonals that are kept beside models.  Size, owner and
 * checksum are mended before the reader sees the bytes, or it would look no further;
 * the first byte of the input says whether the owner is.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-diagonal -dict=fuzz/diagonal.dict -max_total_time=60 WORK fuzz/seeds/diagonal */
#include "fuzz.h"

#include "io/model/diagonal.h"

#include <stdlib.h>
#include <string.h>

enum {
    IDS = 4,
    SIZE_AT = 16,
    OWNER_AT = 24,
    OWNER = 32,
    CHECKSUM = 16,
    LEAST = OWNER_AT + OWNER + 16 + CHECKSUM
};

static void put_digest(unsigned char *at, weft__digest digest)
{
    put_number(at, digest.half[0]);
    put_number(at + 8, digest.half[1]);
}

static void mend(unsigned char *bytes, size_t size, const weft__owner *of, bool own)
{
    put_number(bytes + SIZE_AT, size);
    if (own) {
        put_digest(bytes + OWNER_AT, of->model);
        put_digest(bytes + OWNER_AT + 16, of->state);
    }
    put_digest(bytes + size - CHECKSUM, weft__digest_of(bytes, size - CHECKSUM));
}

/* A learner of four rows and four columns that was told two labels. */
static weft_player *learner(void)
{
    static weft_player *made;
    static weft_side *side;
    weft_settings settings = weft_settings_default(IDS, IDS, 10);
    if (made == NULL) {
        require(weft_side_none(IDS, NULL, &side, NULL) == WEFT_OK);
        require(weft_learner_create(side, side, &settings, NULL, &made, NULL) == WEFT_OK);
        for (int64_t id = 0; id < 2; id++)
            require(weft_player_learn(made, id, id, 1, NULL, NULL) == WEFT_OK);
    }
    return made;
}

/* Whatever was taken can be ranked by. */
static void use(weft__ranker *ranker)
{
    static const int64_t candidates[IDS] = {0, 1, 2, 3};
    weft_query query = {.candidates = candidates, .candidate_count = IDS, .most = IDS, .tolerance = 1e-3};
    weft_ranked ranked[IDS] = {{0}};
    int64_t found = 0;
    require(weft__ranker_rank(ranker, &query, NULL, ranked, &found, NULL) == WEFT_OK && found == IDS);
    for (int k = 0; k < IDS; k++)
        require(isfinite(ranked[k].answer.margin) && ranked[k].answer.lower <= ranked[k].answer.upper);
}

static void take(const unsigned char *bytes, size_t size, const weft__owner *of)
{
    weft__ranker *ranker = NULL;
    weft_error error = {0};
    bool found = false;
    require(weft__ranker_create(weft__learner_in(learner()), &ranker, NULL) == WEFT_OK);
    weft_status status = weft__diagonal_take("diagonal", bytes, (int64_t)size, of, ranker, &found, &error);
    if (status == WEFT_OK && found)
        use(ranker);
    else
        require(weft__ranker_kept(ranker) == 0);
    if (status != WEFT_OK)
        require(status == WEFT_MODEL && error.status == status && error.message[0] != 0 && !found);
    weft__ranker_free(ranker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const weft__owner of = {{{1, 2}}, {{3, 4}}};
    if (size < 1 + LEAST)
        return 0;
    unsigned char *bytes = malloc(size - 1);
    require(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    mend(bytes, size - 1, &of, data[0] % 8 != 0);
    take(bytes, size - 1, &of);
    free(bytes);
    return 0;
}
