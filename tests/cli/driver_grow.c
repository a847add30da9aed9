/* SPDX-License-Identifier: MIT
 *
 * Plays days in one process: driver_grow DAYS ROWS COLUMNS [MODEL].  Every day has a folder, day1, day2 and
 * on, in which the SPECs find their files and the events are; between two days the player is told what the
 * files say by then.  Prints its digest.  COLUMNS "-": one set of ids.  MODEL: the player is that of the
 * model, which has learnt the first day. */
#define _POSIX_C_SOURCE 200809L

#include "weft_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void must(weft_status status, const weft_error *error)
{
    if (status == WEFT_OK)
        return;
    fprintf(stderr, "driver_grow: %s\n", error->message);
    exit(weft_status_exit(status));
}

static weft_roster *open_roster(const char *spec)
{
    weft_roster *roster = NULL;
    weft_error error;
    must(weft_roster_open(spec, NULL, &roster, &error), &error);
    return roster;
}

static weft_player *begin(const char *rows, const char *columns)
{
    weft_player *player = NULL;
    weft_error error;
    must(weft_player_create(open_roster(rows), columns != NULL ? open_roster(columns) : NULL, NULL, &player,
                            &error),
         &error);
    return player;
}

static void grow(weft_player *player, int which, const char *spec)
{
    weft_error error;
    if (strcmp(spec, "none") != 0)
        must(weft_player_grow(player, which, open_roster(spec), &error), &error);
}

static void learn(weft_player *player)
{
    const char *const path = "events.csv";
    weft_stream *stream = NULL;
    weft_error error;
    weft_event event;
    bool more = true;
    must(weft_stream_open(&path, 1, NULL, &stream, &error), &error);
    for (;;) {
        int64_t pair[2];
        must(weft_stream_next(stream, &event, &more, &error), &error);
        if (!more)
            break;
        must(weft_player_pair(player, event.row, event.column, pair, &error), &error);
        must(weft_player_learn(player, pair[0], pair[1], event.label, NULL, &error), &error);
    }
    weft_stream_free(stream);
}

int main(int count, char **words)
{
    if (count != 4 && count != 5)
        return 2;
    const char *rows = words[2], *columns = strcmp(words[3], "-") == 0 ? NULL : words[3];
    weft_player *player = NULL;
    uint64_t digest[2];
    weft_error error;
    for (int day = 1; day <= atoi(words[1]); day++) {
        char folder[32];
        snprintf(folder, sizeof folder, "%sday%d", day > 1 ? "../" : "", day);
        if (chdir(folder) != 0)
            return 3;
        if (day == 1 && count == 5) {
            must(weft_player_open(words[4], NULL, &player, &error), &error);
            continue;
        }
        if (day == 1) {
            player = begin(rows, columns);
        } else {
            grow(player, WEFT_ROWS, rows);
            if (columns != NULL)
                grow(player, WEFT_COLUMNS, columns);
        }
        learn(player);
    }
    must(weft_player_digest(player, digest, &error), &error);
    printf("%016" PRIx64 "%016" PRIx64 "\n", digest[0], digest[1]);
    weft_player_free(player);
    return 0;
}
