/* SPDX-License-Identifier: MIT
 * A call that is stopped the k-th time that it tells how far it is, for k = 0, 1, 2, ... until it tells no
 * more (some of them, in the long form all).  Each time the status is WEFT_INTERRUPTED, nothing leaks,
 * outputs are untouched, the object is as before, and the same call made again gives to the bit what one
 * gives that nobody listens to. */
#ifndef WEFT_TESTS_SUPPORT_STOPPER_H
#define WEFT_TESTS_SUPPORT_STOPPER_H

#include "support/test.h"

#include "support/alloc.h"
#include "support/effort.h"
#include "weft_advanced.h"

#include <pthread.h>

enum { STOPPER_NEVER = -1 };

/* Who listens: it is called on the thread of the test alone, with a text and a share, and never again once it
 * has said stop. */
typedef struct stopper {
    pthread_t thread;
    int64_t calls, stop_at;
    bool stopped;
} stopper;

static inline bool stopper_tell(void *context, const char *what, double done)
{
    stopper *s = context;
    if (!pthread_equal(s->thread, pthread_self()) || s->stopped)
        abort(); /* cmocka knows one thread */
    assert_true(what != NULL && what[0] != 0);
    assert_true(isnan(done) || (done >= 0 && done <= 1));
    s->stopped = s->calls++ == s->stop_at;
    return !s->stopped;
}

static inline void stopper_arm(stopper *s, int64_t stop_at)
{
    *s = (stopper){.thread = pthread_self(), .stop_at = stop_at};
}

/* One call over a scene of its own. */
typedef struct stopper_case {
    const char *name;
    double every; /* multiplications between two calls, few enough that there are some */
    /* Makes what the call works on, which will tell `progress`. */
    void (*open)(void *scene, const weft_memory *memory, weft_progress progress);
    weft_status (*act)(void *scene, weft_error *error);
    uint64_t (*look)(void *scene);  /* a digest of all that can be seen of the object */
    uint64_t (*given)(void *scene); /* of the outputs; 0 where they are untouched */
    void (*close)(void *scene);
    int64_t least; /* times that it must tell */
} stopper_case;

typedef struct stopper_outcome {
    uint64_t look, given;
    int64_t calls;
} stopper_outcome;

/* FNV-1a, continued from `digest`. */
static inline uint64_t stopper_digest(uint64_t digest, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k++)
        digest = (digest ^ at[k]) * UINT64_C(0x100000001b3);
    return digest;
}

/* To its end, with somebody who listens or nobody. */
static inline stopper_outcome stopper_undisturbed(const stopper_case *what, void *scene, bool heard)
{
    test_alloc alloc;
    stopper s;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_progress progress = {heard ? stopper_tell : NULL, &s, what->every};
    stopper_arm(&s, STOPPER_NEVER);
    what->open(scene, &memory, progress);
    stopper_arm(&s, STOPPER_NEVER);
    if (what->act(scene, &error) != WEFT_OK)
        fail_msg("%s: %s", what->name, error.message);
    int64_t calls = s.calls;
    stopper_outcome outcome = {what->look(scene), what->given(scene), calls};
    what->close(scene);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return outcome;
}

static inline void stopper_stop(const stopper_case *what, void *scene, int64_t k,
                                const stopper_outcome *expected)
{
    test_alloc alloc;
    stopper s;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    stopper_arm(&s, STOPPER_NEVER);
    what->open(scene, &memory, (weft_progress){stopper_tell, &s, what->every});
    uint64_t before = what->look(scene);
    stopper_arm(&s, k);
    weft_status status = what->act(scene, &error);
    if (status != WEFT_INTERRUPTED || error.status != WEFT_INTERRUPTED)
        fail_msg("%s: stopped at call %lld of %lld it gives %s", what->name, (long long)k,
                 (long long)expected->calls, weft_status_name(status));
    assert_int_equal(s.calls, k + 1);
    stopper_arm(&s, STOPPER_NEVER);
    assert_true(what->given(scene) == 0);
    assert_true(what->look(scene) == before);
    stopper_arm(&s, STOPPER_NEVER);
    assert_int_equal(what->act(scene, &error), WEFT_OK);
    assert_true(what->look(scene) == expected->look);
    assert_true(what->given(scene) == expected->given);
    what->close(scene);
    if (test_alloc_blocks(&alloc) != 0)
        fail_msg("%s: stopped at call %lld it leaks", what->name, (long long)k);
}

static inline void stopper_play(const stopper_case *what, void *scene)
{
    stopper_outcome unheard = stopper_undisturbed(what, scene, false);
    stopper_outcome heard = stopper_undisturbed(what, scene, true);
    if (heard.look != unheard.look || heard.given != unheard.given)
        fail_msg("%s: it gives something else where somebody listens", what->name);
    if (heard.calls < what->least)
        fail_msg("%s: %lld calls, expected at least %lld", what->name, (long long)heard.calls,
                 (long long)what->least);
    for (int64_t k = 0; k < heard.calls; k = after(k, heard.calls, fewer(8, 4)))
        stopper_stop(what, scene, k, &heard);
}

#endif
