/* SPDX-License-Identifier: MIT
 * A label that a player has learnt, as it tells its readers of it (feed.h). */
#ifndef WEFT_PLAYER_LABEL_EVENT_H
#define WEFT_PLAYER_LABEL_EVENT_H

#include "player/player.h"

typedef enum weft__label_way { WEFT__BY_PAIR, WEFT__BY_RECORD, WEFT__BY_PAIR_ANEW } weft__label_way;

typedef struct weft__label_event {
    weft__label_way way;
    int64_t pair[2];
    int label;
    weft__context context; /* by pair */
    const void *record;    /* by record; else NULL */
    size_t size;
} weft__label_event;

/* The same, kept until the replica has learnt it. */
typedef struct weft__kept_label {
    struct weft__kept_label *next;
    weft__label_event learnt;
    int64_t event; /* the number that it has */
    double time;   /* seconds of a clock that never goes back */
    /* Owned: the record, and behind it so many bytes of put_told, where a staged copy may need them. */
    unsigned char *bytes;
    size_t room, told;
} weft__kept_label;

/* What was told beside the label. */
weft__decoder weft__kept_label_told(const weft__kept_label *kept);

/* The player learns it. */
weft_status weft__kept_label_learn(const weft__kept_label *kept, weft_player *player, weft_error *error);

#endif
