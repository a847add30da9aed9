/* SPDX-License-Identifier: MIT
 * Scenes of one player, whatever its kind: a scene begins with an oom_player and adds what the player is made
 * over. */
#ifndef WEFT_TESTS_OOM_PLAYER_H
#define WEFT_TESTS_OOM_PLAYER_H

#include "oom.h"

typedef struct oom_player {
    weft_player *player, *other; /* that the call works on, and that it may merge */
    weft_player *made;           /* by the call */
    weft_answer answer;          /* of the call */
    unsigned char *bytes;        /* a state */
    size_t size;
} oom_player;

static inline void oom_player_begin(oom_player *s)
{
    *s = (oom_player){0};
    memset(&s->answer, OOM_UNTOUCHED, sizeof s->answer);
}

static inline void oom_player_end(oom_player *s)
{
    weft_player_free(s->made);
    weft_player_free(s->other);
    weft_player_free(s->player);
    free(s->bytes);
}

static inline void oom_player_keep_state(oom_player *s)
{
    assert_int_equal(weft_player_write(s->player, NULL, &s->size, NULL), WEFT_OK);
    s->bytes = malloc(s->size);
    assert_non_null(s->bytes);
    assert_int_equal(weft_player_write(s->player, s->bytes, &s->size, NULL), WEFT_OK);
}

/* ---- what is seen ---- */

static inline uint64_t oom_player_look(void *self)
{
    oom_player *s = self;
    return s->player != NULL ? oom_digest_of_player(s->player) : 0;
}

/* Without predictions, which would make the room that the call is to make. */
static inline uint64_t oom_player_look_at_state(void *self)
{
    oom_player *s = self;
    return s->player != NULL ? oom_digest_of_state(s->player) : 0;
}

static inline uint64_t oom_player_given(void *self)
{
    oom_player *s = self;
    if (s->made != NULL)
        return oom_digest_of_player(s->made);
    if (oom_untouched(&s->answer, sizeof s->answer))
        return 0;
    return oom_digest(2, &s->answer.score, sizeof(double));
}

/* ---- calls that are the same for all ---- */

static inline weft_status oom_player_clone(void *self, const weft_memory *memory, weft_error *error)
{
    oom_player *s = self;
    (void)memory;
    return weft_player_clone(s->player, &s->made, error);
}

static inline weft_status oom_player_reset(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_player_reset(((oom_player *)self)->player, error);
}

static inline weft_status oom_player_forget_row(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_player_forget(((oom_player *)self)->player, WEFT_ROWS, 3, error);
}

static inline weft_status oom_player_forget_column(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_player_forget(((oom_player *)self)->player, WEFT_COLUMNS, 3, error);
}

static inline weft_status oom_player_merge(void *self, const weft_memory *memory, weft_error *error)
{
    oom_player *s = self;
    (void)memory;
    return weft_player_merge(s->player, s->other, error);
}

/* Fits the room that is there. */
static inline weft_status oom_player_write(void *self, const weft_memory *memory, weft_error *error)
{
    oom_player *s = self;
    size_t size = s->size;
    (void)memory;
    return weft_player_write(s->player, s->bytes, &size, error);
}

/* A label with its first request refused, then the second, and so on, until it is learnt: how many were. */
static inline int64_t oom_player_refuse_trial(test_alloc *alloc, oom_player *s, int64_t i, int64_t j,
                                              int label)
{
    for (int64_t k = 0;; k++) {
        uint64_t before = oom_digest_of_player(s->player);
        weft_error error = {0};
        memset(&s->answer, OOM_UNTOUCHED, sizeof s->answer);
        test_alloc_arm(alloc, k);
        weft_status status = weft_player_learn(s->player, i, j, label, &s->answer, &error);
        bool failed = alloc->failed;
        test_alloc_arm(alloc, TEST_ALLOC_NEVER);
        if (!failed) {
            assert_int_equal(status, WEFT_OK);
            return k;
        }
        assert_int_equal(status, WEFT_MEMORY);
        assert_true(oom_untouched(&s->answer, sizeof s->answer));
        assert_true(oom_digest_of_player(s->player) == before);
    }
}

/* ---- sides ---- */

/* Neighbours in a row are alike; `map` may be NULL. */
static inline weft_side *oom_kernel(int64_t ids, const weft_map *map, const weft_memory *memory)
{
    enum { MOST = 32 };
    double kernel[MOST * MOST];
    weft_side *side = NULL;
    weft_side_options options = {.memory = memory, .map = map};
    assert_true(ids <= MOST);
    for (int64_t k = 0; k < ids * ids; k++)
        kernel[k] = exp(-fabs((double)(k / ids - k % ids)) / 4);
    assert_int_equal(weft_side_from_kernel(ids, kernel, &options, &side, NULL), WEFT_OK);
    return side;
}

#endif
