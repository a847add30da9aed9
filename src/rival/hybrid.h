/* SPDX-License-Identifier: MIT
 * Hybrid factorisation: hybrid.c predicts and learns, hybrid_state.c writes it down, whole and in pieces. */
#ifndef WEFT_RIVAL_HYBRID_H
#define WEFT_RIVAL_HYBRID_H

#include "rival/replay.h"
#include "rival/traits.h"
#include "rival/vectors.h"

/* Parts of ids that the events of one trial may have together before no more are learnt again. */
enum { WEFT__HYBRID_PARTS = 1024 };

/* An id of the pair in hand: its parts, and their sum. */
typedef struct weft__described {
    weft__part *parts;
    int64_t count, capacity;
    float *fresh; /* a line a part: of those that are not there */
    float *sum, *gradient;
} weft__described;

/* Values of contexts have so many lines, by the lowest bits of a hash. */
enum { WEFT__CONTEXT_LINES = 1 << 18 };

/* Vectors, constant and events are the state, and the scales of the traits; the rest is workspace. */
typedef struct weft__hybrid {
    weft__rival base;
    weft__vectors ids[2], trait_vectors[2]; /* rows, columns; one set: the first */
    weft__vectors context_vectors;
    float constant, squares;
    weft__replay replay;
    weft__traits traits[2]; /* one set: the first */
    weft__described end[2]; /* of the pair in hand */
    weft__described around; /* its context: no parts where nothing is known */
    int64_t own;            /* labels since it was made, read or renumbered, with these ids listed: */
    int64_t listed[2];
    /* The events of the last label, the new one first, and what they cost. */
    weft__lesson *events;
    int64_t event_count;
    double work;
} weft__hybrid;

/* The events that a hybrid factorisation keeps; NULL for other players. */
const weft__replay *weft__hybrid_replay(const weft_player *player);

/* The set that the ids at place `which` of a pair are of. */
static inline int weft__hybrid_set(const weft__rival *rival, int which)
{
    return rival->player.columns == NULL ? 0 : which;
}

/* Sets of ids: 1 or 2. */
int weft__hybrid_sets(const weft__rival *rival);

/* The vectors among which is that of a trait of ids of a set. */
weft__vectors *weft__hybrid_trait(weft__hybrid *self, int set, const weft__trait *trait);

/* ---- hybrid_parts.c ---- */

/* Room for a sum and its gradient, where there is none. */
weft_status weft__hybrid_make_sums(const weft__hybrid *self, weft__described *end, weft_error *error);
/* Room for so many parts of an id. */
weft_status weft__hybrid_reserve_parts(weft__hybrid *self, weft__described *end, int64_t count,
                                       weft_error *error);
/* The parts of id `which` of a pair, and their sum: self->end[which]. */
weft_status weft__hybrid_describe(weft__hybrid *self, int which, int64_t id, weft_error *error);
/* What surrounds an event, and its sum: self->around. */
weft_status weft__hybrid_surround(weft__hybrid *self, const weft__context *context, weft_error *error);
/* The line of a value. */
int64_t weft__hybrid_context_line(uint64_t value);
/* All three. */
weft_status weft__hybrid_describe_event(weft__hybrid *self, const int64_t pair[2],
                                        const weft__context *context, weft_error *error);
/* `make` for a line: room, or the line where there is room. */
typedef weft_status weft__make_line(weft__vectors *vectors, int64_t line, weft_error *error);
/* Room for the parts of an event, and each of its lines. */
weft_status weft__hybrid_make_lines(weft__hybrid *self, const weft__lesson *lesson, weft__make_line *make,
                                    weft_error *error);

/* ---- hybrid.c ---- */

/* The score of the sums. */
double weft__hybrid_score_sums(const weft__hybrid *self);

/* As rival.h says: hybrid_many.c. */
weft_status weft__hybrid_score_many(weft__rival *rival, weft__block *block, double *score, weft_error *error);

void weft__hybrid_write(const weft__rival *rival, weft__encoder *writer);
weft_status weft__hybrid_read(weft__rival *rival, weft__decoder *reader, weft_error *error);
weft_status weft__hybrid_renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error);

/* In pieces, as rival.h says. */
bool weft__hybrid_put_entries(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer);
void weft__hybrid_put_changed(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer);
void weft__hybrid_put_rest(const weft__rival *rival, weft__encoder *writer);
weft_status weft__hybrid_take(weft__rival *rival, weft__decoder *reader, weft_error *error);
weft_status weft__hybrid_take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error);

#endif
