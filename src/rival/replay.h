/* SPDX-License-Identifier: MIT
 * The last events that a rival has learnt, from which it draws some to learn them again. */
#ifndef WEFT_RIVAL_REPLAY_H
#define WEFT_RIVAL_REPLAY_H

#include "rival/rival.h"

typedef struct weft__event {
    int64_t pair[2];
    int label;
} weft__event;

/* An event, and its context. */
typedef struct weft__lesson {
    weft__event event;
    weft__context context;
} weft__lesson;

/* Invariants: event number t (from 0) is list[t % window] as long as it is among the last `window` of
 * `learnt` ones; there is room for the first `capacity` places of the ring, and as many contexts, or NULL
 * where none was ever met. */
typedef struct weft__replay {
    weft_memory memory;
    weft__event *list;
    weft__context *contexts;
    int64_t window, capacity, learnt;
} weft__replay;

/* A zeroed struct with memory and window set is empty. */
void weft__replay_free(weft__replay *replay);

/* Makes room for one more, so that adding it cannot fail; and room for contexts. */
weft_status weft__replay_reserve(weft__replay *replay, weft_error *error);
weft_status weft__replay_reserve_contexts(weft__replay *replay, weft_error *error);
/* Its context is left out where there is no room for contexts. */
void weft__replay_add(weft__replay *replay, const weft__lesson *lesson);

/* How many are kept, and number k of these; the oldest is number 0. */
int64_t weft__replay_kept(const weft__replay *replay);
const weft__event *weft__replay_event(const weft__replay *replay, int64_t k);
weft__context weft__replay_context(const weft__replay *replay, int64_t k);
/* Those to be learnt again after the next label, `count` of any: the same for the same seed and number of
 * labels. */
void weft__replay_draw(const weft__replay *replay, uint64_t seed, int64_t count, weft__lesson *lessons);

/* These will be drawn next, and lie anywhere: they are on their way until then. */
void weft__replay_fetch(const weft__replay *replay, uint64_t seed, int64_t count);

/* The event at place `number` of the ring, in pieces (player/pieces.h). */
void weft__replay_put(const weft__replay *replay, int64_t number, weft__encoder *writer);
weft_status weft__replay_take(weft__replay *replay, int64_t number, const weft__rival *rival,
                              weft__decoder *reader, weft_error *error);

/* With contexts or without, as the rival that reads it has met some or none. */
void weft__replay_write(const weft__replay *replay, bool contexts, weft__encoder *writer);
/* WEFT_MODEL for what that does not write, or ids that the sides of the rival do not have. */
weft_status weft__replay_read(weft__replay *replay, const weft__rival *rival, weft__decoder *reader,
                              weft_error *error);

/* Ids get other numbers. */
weft_status weft__replay_renumber(weft__replay *replay, bool one_set, const weft__numbers *numbers,
                                  weft_error *error);

#endif
