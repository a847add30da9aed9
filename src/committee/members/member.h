/* SPDX-License-Identifier: MIT
 * A member of a committee: a player, and what the committee keeps of it. */
#ifndef WEFT_COMMITTEE_MEMBERS_MEMBER_H
#define WEFT_COMMITTEE_MEMBERS_MEMBER_H

#include "base/bytes.h"
#include "player/player.h"

typedef struct weft__committee weft__committee;

typedef struct weft__member_state {
    weft_member given;
    weft_player *player;
    int64_t since;                /* the trial at which it was woken or put to rest */
    int64_t trials, mistakes;     /* while it was awake */
    int64_t seen;                 /* labels that it has learnt and not forgotten */
    double price;                 /* work of a trial, averaged over the last ones (schedule.c) */
    double paid;                  /* work of all trials, out of its account there */
    int products;                 /* by C, of the label that it has just learnt */
    weft__column_cache *cache[2]; /* that it reads in every trial, of its row and its column; NULL: none */
} weft__member_state;

/* The player that is described, with nothing learnt; and one from a state in its place. */
weft_status weft__member_create(const weft_member *given, const weft_memory *memory, weft_player **player,
                                weft_error *error);
weft_status weft__member_read(const weft_member *given, const void *buffer, size_t size, weft__making making,
                              weft_player **player, weft_error *error);

/* And from pieces, as player/player.h says. */
weft_status weft__member_join(const weft_member *given, const weft__decoder *entries, int64_t count,
                              weft__decoder rest, const weft_memory *memory, weft_player **player,
                              weft_error *error);

/* Whether the player, which was read, is the member that was asked for. */
bool weft__member_fits(const weft__member_state *member);

/* Whether members of two committees have the same name and settings. */
bool weft__members_agree(const weft__member_state *a, const weft__member_state *b);

#endif
