/* SPDX-License-Identifier: MIT
 * The same from files: plays a stream of `row,column,label` lines and saves what was learnt.
 *
 *     example-stream votes.csv graph:friends.txt none votes.weft */
#include "weft.h"

#include <stdio.h>

static int fail(const weft_error *error)
{
    return fprintf(stderr, "%s\n", error->message), weft_status_exit(error->status);
}

int main(int count, char **arguments)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_stream *stream = NULL;
    weft_player *player = NULL;
    weft_event event;
    weft_answer answer;
    weft_error error;
    bool more = true;
    int64_t pair[2];
    if (count != 5)
        return fprintf(stderr, "usage: example-stream STREAM ROWS COLUMNS MODEL\n"), 2;
    if (weft_roster_open(arguments[2], NULL, &rows, &error) != WEFT_OK ||
        weft_roster_open(arguments[3], NULL, &columns, &error) != WEFT_OK ||
        weft_stream_open((const char *const *)&arguments[1], 1, NULL, &stream, &error) != WEFT_OK ||
        weft_player_create(rows, columns, NULL, &player, &error) != WEFT_OK)
        return fail(&error);
    while (weft_stream_next(stream, &event, &more, &error) == WEFT_OK && more)
        if (weft_player_pair(player, event.row, event.column, pair, &error) != WEFT_OK ||
            weft_player_predict(player, pair[0], pair[1], &answer, &error) != WEFT_OK ||
            weft_player_learn(player, pair[0], pair[1], event.label, NULL, &error) != WEFT_OK)
            return fail(&error);
    if (more || weft_player_save(player, arguments[4], &error) != WEFT_OK)
        return fail(&error);
    weft_counters counters = weft_player_counters(player);
    printf("%lld mistakes in %lld trials\n", (long long)counters.mistakes, (long long)counters.trials);
    weft_player_free(player);
    weft_stream_free(stream);
    return 0;
}
