/* SPDX-License-Identifier: MIT
 * A call with its k-th allocation refused, for k = 0, 1, 2, ... until there are no
 * more to refuse (after LAGraph's brutal tests).  Each time the status is
 * WEFT_MEMORY, nothing leaks, outputs are untouched, and the object is as before:
 * it looks the same, and the same call with memory to be had does what it would
 * have done undisturbed. */
#ifndef WEFT_TESTS_OOM_H
#define WEFT_TESTS_OOM_H

#include "support/test.h"

#include "support/alloc.h"
#include "weft_advanced.h"

#include <stdlib.h>

enum { OOM_UNTOUCHED = 0x5a };

/* One call over a scene of its own. */
typedef struct oom_case {
    const char *name;
    /* Makes what the call works on; nothing is refused. */
    void (*open)(void *scene, const weft_memory *memory);
    /* The call.  What it gives goes into the scene. */
    weft_status (*act)(void *scene, const weft_memory *memory, weft_error *error);
    /* A digest of everything that can be seen of the object. */
    uint64_t (*look)(void *scene);
    /* A digest of the outputs; 0 where they are untouched. */
    uint64_t (*given)(void *scene);
    void (*close)(void *scene);
    int64_t least; /* allocations that there must be */
} oom_case;

/* FNV-1a, continued from `digest`. */
static inline uint64_t oom_digest(uint64_t digest, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k++)
        digest = (digest ^ at[k]) * UINT64_C(0x100000001b3);
    return digest;
}

/* Whether a scene's output is as it was filled. */
static inline bool oom_untouched(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k++)
        if (at[k] != OOM_UNTOUCHED)
            return false;
    return true;
}

/* What a player has learnt. */
static inline uint64_t oom_digest_of_state(const weft_player *player)
{
    size_t size = 0;
    assert_int_equal(weft_player_write(player, NULL, &size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_write(player, bytes, &size, NULL), WEFT_OK);
    uint64_t digest = oom_digest(1, bytes, size);
    free(bytes);
    return digest;
}

/* With answers, which show that the workspaces are fit for use. */
static inline uint64_t oom_digest_of_player(weft_player *player)
{
    uint64_t digest = oom_digest_of_state(player);
    for (int64_t k = 0; k < 3; k++) {
        weft_answer a = {0};
        assert_int_equal(weft_player_predict(player, 2 * k, (3 * k + 1) % 5, &a, NULL), WEFT_OK);
        const double said[] = {a.score, a.vote, a.probability, a.lower, a.upper};
        digest = oom_digest(digest, said, sizeof said);
    }
    return digest;
}

/* What an undisturbed call leaves. */
typedef struct oom_outcome {
    uint64_t look, given;
} oom_outcome;

static inline oom_outcome oom_undisturbed(const oom_case *what, void *scene)
{
    test_alloc alloc;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    what->open(scene, &memory);
    if (what->act(scene, &memory, &error) != WEFT_OK)
        fail_msg("%s: %s", what->name, error.message);
    oom_outcome outcome = {what->look(scene), what->given(scene)};
    what->close(scene);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return outcome;
}

/* With request k refused; false where there are fewer. */
static inline bool oom_refuse(const oom_case *what, void *scene, int64_t k, const oom_outcome *expected)
{
    test_alloc alloc;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    what->open(scene, &memory);
    uint64_t before = what->look(scene);
    test_alloc_arm(&alloc, k);
    weft_status status = what->act(scene, &memory, &error);
    bool failed = alloc.failed;
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    if (failed) {
        if (status != WEFT_MEMORY)
            fail_msg("%s: allocation %lld refused gives %s", what->name, (long long)k,
                     weft_status_name(status));
        assert_int_equal(error.status, WEFT_MEMORY);
        assert_true(what->given(scene) == 0);
        assert_true(what->look(scene) == before);
        status = what->act(scene, &memory, &error);
    }
    assert_int_equal(status, WEFT_OK);
    assert_true(what->look(scene) == expected->look);
    assert_true(what->given(scene) == expected->given);
    what->close(scene);
    if (test_alloc_blocks(&alloc) != 0)
        fail_msg("%s: allocation %lld refused leaks", what->name, (long long)k);
    return failed;
}

static inline void oom_play(const oom_case *what, void *scene)
{
    oom_outcome expected = oom_undisturbed(what, scene);
    int64_t k = 0;
    while (oom_refuse(what, scene, k, &expected))
        k++;
    if (k < what->least)
        fail_msg("%s: %lld allocations, expected at least %lld", what->name, (long long)k,
                 (long long)what->least);
}

#endif
