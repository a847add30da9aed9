/* SPDX-License-Identifier: MIT
 * Labels that come late: every line of a stream is answered at once, and its label comes DELAY lines later.
 * At most LIMIT answers are kept open; the label of one that was dropped is answered anew.  With room for no
 * more ids than there are it is `weft run --delay` to the bit.
 *
 *     example-late votes.csv graph:friends.txt none 100 1000 [ROOM_FOR_ROWS ROOM_FOR_COLUMNS] */
#include "weft_advanced.h"

#include <stdio.h>
#include <stdlib.h>

/* What comes back from outside: which answer the label is for, and of which pair. */
typedef struct feedback {
    char id[24];
    int64_t pair[2];
    int label, said;
} feedback;

static int fail(const weft_error *error)
{
    return fprintf(stderr, "%s\n", error->message), weft_status_exit(error->status);
}

/* Answers, and keeps the answer open under its id. */
static weft_status ask(weft_player *player, weft_waiting *waiting, int64_t open, void *record,
                       feedback *later, weft_error *error)
{
    weft_open_answer kept = {.row = later->pair[0], .column = later->pair[1], .id = later->id};
    int64_t t = weft_player_counters(player).t + open;
    weft_status status = weft_player_predict_at(player, kept.row, kept.column, t, &kept.answer, error);
    if (status == WEFT_OK)
        status = weft_player_record(player, kept.row, kept.column, t, NULL, &kept.size, error);
    if (status == WEFT_OK)
        status = weft_player_record(player, kept.row, kept.column, t, record, &kept.size, error);
    kept.record = record;
    later->said = kept.answer.label;
    return status == WEFT_OK ? weft_waiting_add(waiting, &kept, error) : status;
}

static weft_status learn(weft_player *player, weft_waiting *waiting, const feedback *came, weft_error *error)
{
    weft_open_answer open;
    if (weft_waiting_take_id(waiting, came->id, &open))
        return weft_player_learn_late(player, open.record, open.size, came->label, NULL, error);
    return weft_player_learn_anew(player, came->pair[0], came->pair[1], came->label, NULL, error);
}

int main(int count, char **arguments)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_stream *stream = NULL;
    weft_player *player = NULL;
    weft_waiting *waiting = NULL;
    weft_event event;
    weft_error error;
    bool more = true;
    if (count != 6 && count != 8)
        return fprintf(stderr, "usage: example-late STREAM ROWS COLUMNS DELAY LIMIT [ROOM ROOM]\n"), 2;
    weft_player_options options = {.row_capacity = count == 8 ? atoll(arguments[6]) : 0,
                                   .column_capacity = count == 8 ? atoll(arguments[7]) : 0};
    int64_t delay = atoll(arguments[4]), asked = 0, learnt = 0, mistakes = 0;
    if (weft_roster_open(arguments[2], NULL, &rows, &error) != WEFT_OK ||
        weft_roster_open(arguments[3], NULL, &columns, &error) != WEFT_OK ||
        weft_stream_open((const char *const *)&arguments[1], 1, NULL, &stream, &error) != WEFT_OK ||
        weft_player_create(rows, columns, &options, &player, &error) != WEFT_OK ||
        weft_waiting_create(atoll(arguments[5]), NULL, &waiting, &error) != WEFT_OK)
        return fail(&error);
    size_t size = 0;
    feedback *later = calloc((size_t)delay + 1, sizeof *later); /* number k is in place k % (delay + 1) */
    if (weft_player_record(player, 0, 0, 0, NULL, &size, &error) != WEFT_OK || later == NULL)
        return 1;
    void *record = malloc(size);
    while (record != NULL) {
        if (weft_stream_next(stream, &event, &more, &error) != WEFT_OK)
            return fail(&error);
        if (more && event.label != 0) {
            feedback *line = &later[asked % (delay + 1)];
            snprintf(line->id, sizeof line->id, "%lld", (long long)asked);
            line->label = event.label;
            if (weft_player_pair(player, event.row, event.column, line->pair, &error) != WEFT_OK ||
                ask(player, waiting, asked - learnt, record, line, &error) != WEFT_OK)
                return fail(&error);
            asked++;
        }
        if (asked - learnt <= (more ? delay : 0) && more)
            continue;
        if (asked == learnt)
            break;
        const feedback *came = &later[learnt++ % (delay + 1)];
        mistakes += came->said != came->label;
        if (learn(player, waiting, came, &error) != WEFT_OK)
            return fail(&error);
    }
    printf("%lld mistakes as answered in %lld trials, %lld answered anew\n", (long long)mistakes,
           (long long)learnt, (long long)weft_player_counters(player).anew);
    weft_waiting_free(waiting);
    weft_player_free(player);
    weft_stream_free(stream);
    free(record);
    free(later);
    return 0;
}
