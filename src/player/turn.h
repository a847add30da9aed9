/* SPDX-License-Identifier: MIT
 * Whose turn it is to use a player that has readers (feed.c): the calls that the public functions stand
 * between.  A player without readers pays nothing for them. */
#ifndef WEFT_PLAYER_TURN_H
#define WEFT_PLAYER_TURN_H

#include "player/label_event.h"

/* The player is the caller's until it lets go: for a question that changes workspaces, or any change. */
void weft__feed_hold(weft_player *player);
/* Whether somebody follows it. */
bool weft__feed_has_readers(const weft_player *player);
void weft__feed_let_go(weft_player *player);

/* A question to the player: it is held, and timed. */
void weft__player_begin_question(weft_player *player);
void weft__player_end_question(weft_player *player);

/* Before a label is learnt, and after it; before any other change the player is held, and end_change is
 * called after it.  Both ends let go and answer the status. */
void weft__player_begin_label(weft_player *player);
weft_status weft__player_end_label(weft_player *player, const weft__label_event *learnt, weft_status status);
weft_status weft__player_end_change(weft_player *player, weft_status status);

/* Before the player is freed: its readers end. */
void weft__feed_end(weft_player *player);

/* The number of the last label that a player has learnt. */
int64_t weft__player_event(const weft_player *player);

#endif
