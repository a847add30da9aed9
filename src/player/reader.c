/* SPDX-License-Identifier: MIT
 *
 * A copy that only predicts, for another thread than the one that learns.
 *
 * Method  State is a function of the labels learnt, in their order.  So a reader has a replica of its own,
 *         and a thread, the follower, that teaches it every label the player has learnt (feed.c, follower.c).
 *         The replica begins as a copy that is made in slices while the player learns on.
 * Cost    As much memory as the player, and for every label as much time again, on another processor. */
#include "player/feed.h"

static void unlist(weft_reader *reader)
{
    weft_reader **at = &reader->feed->first;
    while (*at != NULL && *at != reader)
        at = &(*at)->after;
    if (*at != NULL)
        *at = reader->after;
}

/* From then on the reader is shared; its follower comes into the monitor afterwards. */
static weft_status start(weft_reader *reader, weft_error *error)
{
    weft__feed *feed = reader->feed;
    weft__monitor_enter(feed->monitor);
    weft_status status =
        weft__thread_start(weft__reader_follow, reader, &feed->memory, &reader->follower, error);
    if (status == WEFT_OK) {
        feed->references++;
        reader->after = feed->first;
        feed->first = reader;
    }
    weft__monitor_leave(feed->monitor);
    return status;
}

/* The sides are shared with the player and do not change while a reader lives. */
weft_status weft_reader_create(weft_player *player, weft_reader **reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_reader *made = NULL;
    NEED(player);
    NEED(reader);
    TRY(weft__need_sides(player, error));
    if (player->looked_at)
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "the model was opened only to look: it learns nothing that a reader could follow");
    TRY(weft__feed_create(player, error));
    TRY(weft__new(&player->memory, 1, sizeof *made, &made, error));
    *made = (weft_reader){.feed = player->feed, .player = player, .stage = WEFT__LOST, .event = -1};
    TRY(start(made, error));
    *reader = made;
    made = NULL;
done:
    if (made != NULL)
        weft__delete(&player->memory, made);
    return status;
}

int64_t weft_reader_event(const weft_reader *reader)
{
    if (reader == NULL)
        return 0;
    weft__monitor_enter(reader->feed->monitor);
    int64_t event = reader->event;
    weft__monitor_leave(reader->feed->monitor);
    return event;
}

static void free_labels(weft_reader *reader, weft__kept_label *labels)
{
    for (weft__kept_label *kept = labels, *next; kept != NULL; kept = next) {
        next = kept->next;
        weft__delete(&reader->feed->memory, kept->bytes);
        weft__delete(&reader->feed->memory, kept);
    }
}

/* Who is in the middle of an answer finishes it. */
void weft__reader_stop(weft_reader *reader)
{
    weft__feed *feed = reader->feed;
    weft__monitor_enter(feed->monitor);
    reader->leaving = true;
    weft__monitor_notify(feed->monitor);
    weft__monitor_leave(feed->monitor);
    weft__thread_join(reader->follower);
    reader->follower = NULL;
    weft__monitor_enter(feed->monitor);
    while (reader->busy)
        weft__monitor_wait(feed->monitor);
    reader->stage = WEFT__ENDED;
    weft_player *replica = reader->replica;
    weft__kept_label *labels[2] = {reader->first, reader->spare};
    reader->replica = NULL;
    reader->first = reader->last = reader->spare = NULL;
    reader->count = reader->spares = 0;
    weft__monitor_notify(feed->monitor);
    weft__monitor_leave(feed->monitor);
    free_labels(reader, labels[0]);
    free_labels(reader, labels[1]);
    weft_player_free(replica);
}

void weft_reader_free(weft_reader *reader)
{
    if (reader == NULL)
        return;
    weft__feed *feed = reader->feed;
    weft_memory memory = feed->memory;
    weft__monitor_enter(feed->monitor);
    unlist(reader);
    while (reader->closing)
        weft__monitor_wait(feed->monitor);
    weft__monitor_leave(feed->monitor);
    weft__reader_stop(reader);
    weft__delete(&memory, reader);
    weft__feed_drop(feed);
}
