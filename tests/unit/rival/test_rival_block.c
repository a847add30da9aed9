/* SPDX-License-Identifier: MIT
 * Candidates scored many at a time say what they say one by one, with room for what members share and
 * without. */
#include "test_rival_support.h"

#include "rival/block.h"
#include "rival/rival.h"

enum { IDS = 24, DIMENSION = 3 };

static weft_side *features(void)
{
    double values[IDS * DIMENSION];
    dice d = {5};
    for (int k = 0; k < IDS * DIMENSION; k++)
        values[k] = dice_between(&d, -1, 1);
    const weft_features of = {.count = IDS, .dimension = DIMENSION, .values = values, .parameter = 1};
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_features(&of, NULL, &side, NULL), WEFT_OK);
    return side;
}

/* As many keys, or kinds of traits, as a block has room for. */
static void fill_kept(weft__block *block)
{
    block->kept_count = WEFT__BLOCK_KEPT;
}

static void fill_traits(weft__block *block, const weft__traits *others)
{
    for (; block->alike_count < WEFT__BLOCK_ALIKE; block->alike_count++)
        block->traits[block->alike_count].by = others;
}

typedef enum room { ROOM, NOTHING_KEPT, TOO_MANY_TRAITS, ROOMS } room;

/* All candidates at one place beside id 3; each twice from one block, which keeps what it has found. */
static void assert_same_scores(weft_player *player, int place, room what)
{
    weft__rival *rival = (weft__rival *)player;
    const weft_memory memory = weft__memory_or_default(NULL);
    const weft__traits others = {.id = -1};
    weft__block block = weft__block_of(place, 3, &memory);
    int64_t ids[IDS];
    double score[IDS], one = 0;
    for (int64_t k = 0; k < IDS; k++)
        ids[k] = IDS - 1 - k;
    if (what == NOTHING_KEPT)
        fill_kept(&block);
    if (what == TOO_MANY_TRAITS)
        fill_traits(&block, &others);
    weft__block_turn(&block, ids, IDS);
    for (int again = 0; again < 2; again++) {
        for (int64_t k = 0; k < IDS; k++)
            score[k] = NAN;
        assert_int_equal(rival->ops->score_many(rival, &block, score, NULL), WEFT_OK);
        for (int64_t k = 0; k < IDS; k++) {
            int64_t pair[2] = {3, 3};
            pair[place] = ids[k];
            if (player->columns == NULL && pair[0] > pair[1])
                continue;
            assert_int_equal(rival->ops->score(rival, pair, &one, NULL), WEFT_OK);
            if (!(score[k] == one))
                fail_msg("place %d, room %d, id %d: %.17g, expected %.17g", place, (int)what, (int)ids[k],
                         score[k], one);
        }
    }
    weft__block_free(&block);
}

static void one_by_one_and_many(void **state)
{
    static const weft_rival_kind kinds[] = {WEFT_RIVAL_LOGISTIC, WEFT_RIVAL_CROSSED, WEFT_RIVAL_HYBRID};
    weft_side *rows = features(), *columns = features();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int one_set = 0; one_set < 2; one_set++) {
            const weft_rival_settings settings = {.kind = kinds[k], .bits = 12, .factors = 3};
            weft_player *player = NULL;
            weft_error error = {0};
            if (weft_rival_create(rows, one_set ? NULL : columns, &settings, NULL, &player, &error) !=
                WEFT_OK)
                fail_msg("%s", error.message);
            for (int64_t t = 0; t < 60; t++)
                assert_int_equal(
                    weft_player_learn(player, t * 7 % IDS, t * 5 % IDS, t % 3 ? 1 : -1, NULL, NULL), WEFT_OK);
            for (int place = 0; place < 2; place++)
                for (int what = ROOM; what < ROOMS; what++)
                    assert_same_scores(player, place, (room)what);
            weft_player_free(player);
        }
    weft_side_free(columns);
    weft_side_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_by_one_and_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
