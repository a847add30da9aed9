/* SPDX-License-Identifier: MIT
 * Where the time of a run went (--profile): taken while it plays, found once, told as text and as JSON. */
#ifndef WEFT_CLI_RUN_PROFILE_H
#define WEFT_CLI_RUN_PROFILE_H

#include "cli/report/progress.h"
#include "weft_advanced.h"

#include <jansson.h>
#include <stdio.h>

/* XX(NAME, key of JSON, words): those up to MODEL are the set-up, OTHER is what none of them has. */
#define PROFILE_PARTS(XX)                                       \
    XX(FILES, "side_files", "set-up: reading side information") \
    XX(KERNELS, "kernels", "set-up: kernels")                   \
    XX(DIFFUSIONS, "diffusions", "set-up: diffusions")          \
    XX(COMMUNITIES, "communities", "set-up: communities")       \
    XX(PLAYERS, "players", "set-up: making the player")         \
    XX(MODEL, "model", "set-up: reading the model")             \
    XX(STREAM, "stream", "reading the stream")                  \
    XX(ASKING, "asking", "asking")                              \
    XX(LEARNING, "learning", "learning")                        \
    XX(WRITING, "writing", "writing")                           \
    XX(OTHER, "other", "anything else")

typedef enum profile_part {
#define XX(name, key, words) PROFILE_##name,
    PROFILE_PARTS(XX)
#undef XX
        PROFILE_COUNT
} profile_part;

/* A clock that tells what every part took, one look for the end of one and the beginning of the next.  {0}
 * is off. */
typedef struct profile_clock {
    bool on;
    double begin, last;
    double seconds[PROFILE_COUNT];
} profile_clock;

void profile_begin(profile_clock *clock);
void profile_lap_now(profile_clock *clock, profile_part part);
/* What went on since the last lap was this part. */
static inline void profile_lap(profile_clock *clock, profile_part part)
{
    if (clock->on)
        profile_lap_now(clock, part);
}
/* Of what was called `from` so much was something else. */
void profile_move(profile_clock *clock, profile_part from, profile_part to, double seconds);
/* What the library found out of a roster, which may be NULL: its file was read and its side made in `from`.
 * */
void profile_split(profile_clock *clock, profile_part from, const weft_roster *roster);

typedef struct profile_row {
    weft_profile_row of;
    bool is_whole;   /* the committee beside its members */
    bool in_reserve; /* it has never played */
    double seconds;  /* of asking and learning */
} profile_row;

typedef struct profile_facts {
    bool known; /* --profile */
    double seconds[PROFILE_COUNT], all;
    profile_part most; /* that took most */
    profile_row *rows; /* dearest first; to be freed */
    int64_t count;
    double in_rows; /* the sum of theirs */
} profile_facts;

weft_status profile_gather(const profile_clock *clock, const weft_player *player, profile_facts *facts,
                           weft_error *error);
void profile_tell(const profile_facts *facts, FILE *out);
/* NULL when there is no memory. */
json_t *profile_json(const profile_facts *facts);

#endif
