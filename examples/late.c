/* SPDX-License-Identifier: MIT
 * Labels that come late: every line of a stream is answered at once, and its label comes DELAY lines later.
 * At most LIMIT answers are kept open; the label of one that was dropped is answered anew.  With room for no
 * more ids than there are it is `weft run --delay` to the bit.
 *
 *     example-late votes.csv graph:friends.txt none 100 1000 */
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

/* Lines of a stream, and labels that come later. */
typedef struct game {
    weft_player *player;
    weft_waiting *waiting;
    weft_stream *stream;
    int64_t delay, asked, learnt, mistakes;
    feedback *later; /* number k is in place k % (delay + 1) */
    void *record;
} game;

static weft_status answer(game *g, const weft_event *event, weft_error *error)
{
    feedback *line = &g->later[g->asked % (g->delay + 1)];
    snprintf(line->id, sizeof line->id, "%lld", (long long)g->asked);
    line->label = event->label;
    weft_status status = weft_player_pair(g->player, event->row, event->column, line->pair, error);
    if (status == WEFT_OK)
        status = ask(g->player, g->waiting, g->asked - g->learnt, g->record, line, error);
    g->asked += status == WEFT_OK;
    return status;
}

static weft_status play(game *g, weft_error *error)
{
    weft_event event;
    weft_status status = WEFT_OK;
    for (bool more = true; status == WEFT_OK && (more || g->asked > g->learnt);) {
        if (more)
            status = weft_stream_next(g->stream, &event, &more, error);
        if (status == WEFT_OK && more && event.label != 0)
            status = answer(g, &event, error);
        if (status != WEFT_OK || g->asked - g->learnt <= (more ? g->delay : 0))
            continue;
        const feedback *came = &g->later[g->learnt++ % (g->delay + 1)];
        g->mistakes += came->said != came->label;
        status = learn(g->player, g->waiting, came, error);
    }
    return status;
}

int main(int count, char **arguments)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_error error;
    size_t size = 0;
    if (count != 6)
        return fprintf(stderr, "usage: example-late STREAM ROWS COLUMNS DELAY LIMIT\n"), 2;
    game g = {.delay = atoll(arguments[4])};
    if (weft_roster_open(arguments[2], NULL, &rows, &error) != WEFT_OK ||
        weft_roster_open(arguments[3], NULL, &columns, &error) != WEFT_OK ||
        weft_stream_open((const char *const *)&arguments[1], 1, NULL, &g.stream, &error) != WEFT_OK ||
        weft_player_create(rows, columns, NULL, &g.player, &error) != WEFT_OK ||
        weft_waiting_create(atoll(arguments[5]), NULL, &g.waiting, &error) != WEFT_OK ||
        weft_player_record(g.player, 0, 0, 0, NULL, &size, &error) != WEFT_OK)
        return fail(&error);
    g.later = calloc((size_t)g.delay + 1, sizeof *g.later);
    g.record = malloc(size);
    weft_status status = g.later != NULL && g.record != NULL ? play(&g, &error) : WEFT_MEMORY;
    if (status == WEFT_OK)
        printf("%lld mistakes as answered in %lld trials, %lld answered anew\n", (long long)g.mistakes,
               (long long)g.learnt, (long long)weft_player_counters(g.player).anew);
    else
        fprintf(stderr, "%s\n", status == WEFT_MEMORY ? "out of memory" : error.message);
    weft_waiting_free(g.waiting);
    weft_player_free(g.player);
    weft_stream_free(g.stream);
    free(g.record);
    free(g.later);
    return weft_status_exit(status);
}
