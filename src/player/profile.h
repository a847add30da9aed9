/* SPDX-License-Identifier: MIT
 * Where the time of a player goes. Workspace: no part of a state, of a model or of a copy, and nothing that
 * is decided looks at it.
 *
 * Who uses the player marks the call (weft__player_begin_call, weft__player_end_call); what is timed inside
 * of it is between weft__profile_start and weft__profile_stop. A row is written by the one thread that asks
 * or tells its member, everything else by the thread of the call; the thread pool is between the two. */
#ifndef WEFT_PLAYER_PROFILE_H
#define WEFT_PLAYER_PROFILE_H

#include "base/monitor.h"
#include "player/player.h"

enum { WEFT__ASKING, WEFT__LEARNING };

typedef struct weft__profile_share {
    double work, seconds[2]; /* of asking and learning */
    int64_t trials;
} weft__profile_share;

typedef struct weft__profile {
    bool on;
    double weight;        /* calls that the one under way stands for, if it is timed; else 0 */
    int call;             /* WEFT__ASKING or WEFT__LEARNING */
    double since;         /* when it began */
    int64_t calls[2];     /* so far */
    int64_t products;     /* of the player, before the label under way */
    double whole[2];      /* seconds of the calls, */
    double in_members[2]; /* and of these while members were asked or told */
    int64_t count;
    weft__profile_share *rows; /* of every member; of a player that has none, itself */
} weft__profile;

/* Both take a player that is not timed. */
void weft__player_begin_call(weft_player *player, int call);
void weft__player_end_call(weft_player *player, bool learnt);

/* When something begins that is to be timed, or 0; and its end, unless that was 0. */
static inline double weft__profile_start(const weft__profile *profile)
{
    return profile != NULL && profile->weight > 0 ? weft__clock() : 0;
}

static inline void weft__profile_stop(const weft__profile *profile, double start, double *seconds)
{
    *seconds += profile->weight * (weft__clock() - start);
}

/* What a label was worth in work, for the row of a member. */
static inline void weft__profile_count(weft__profile *profile, int64_t k, double work)
{
    if (profile == NULL || !profile->on)
        return;
    profile->rows[k].work += work;
    profile->rows[k].trials++;
}

#endif
