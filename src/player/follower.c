/* SPDX-License-Identifier: MIT
 *
 * The follower of a reader: a thread that copies the player, slice by slice, and then learns what the player
 * has learnt.  It touches the player only while it holds it, one slice at a time. */
#include "player/feed.h"
#include "player/turn.h"

#include <math.h>

/* Labels that go before the next answer, so that neither those who ask nor the player wait for long. */
enum { LABELS_AN_ANSWER = 4 };
static const double MOST_SECONDS = 0.1;
/* How long a slice may take, in seconds, or rather when its last piece begins: as long as the last label took
 * to be learnt, within these.  A piece takes some microseconds. */
static const double SHORTEST = 0.00002, LONGEST = 0.0002;
enum { PIECE = 1 << 14 };
/* Without a label for so long, or without a slice, the follower copies for itself. */
static const double IDLE = 0.001, PATIENCE = 0.01;

/* ---- Copying ---- */

static bool can_copy(const weft_reader *reader)
{
    return reader->feed->alive && !reader->feed->spoilt && !reader->leaving;
}

/* With the player held, and outside of the monitor: the others look at the status. */
static weft_status copy_slice(weft__staged_copy **staged, const weft_player *player, const weft__slice *slice,
                              bool *whole, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (*staged == NULL && player->ops->stage_copy != NULL)
        TRY(player->ops->stage_copy(player, staged, error));
    if (*staged == NULL)
        TRY(weft__staged_copy_of_pieces(player, staged, error));
    TRY((*staged)->copy_slice(*staged, player, slice, whole, error));
done:
    return status;
}

/* What was told so far belongs to the copy. */
static void take_labels(weft_reader *reader)
{
    reader->copying.labels = reader->first;
    reader->copying.event = weft__player_event(reader->player);
    reader->first = reader->last = NULL;
    reader->count = 0;
    reader->stage = WEFT__JOINING;
}

void weft__reader_copy(weft_reader *reader)
{
    weft__feed *feed = reader->feed;
    weft__copying *copying = &reader->copying;
    if (!can_copy(reader) || reader->stage != WEFT__COPYING || copying->status != WEFT_OK)
        return;
    weft__slice slice = {reader->count, PIECE, fmin(fmax(feed->trial, SHORTEST), LONGEST)};
    weft_error error = {0};
    bool whole = false;
    copying->busy = true;
    weft__monitor_leave(feed->monitor);
    weft_status status = copy_slice(&copying->staged, reader->player, &slice, &whole, &error);
    weft__monitor_enter(feed->monitor);
    copying->busy = false;
    copying->status = status;
    copying->error = error;
    copying->time = weft__clock();
    if (whole)
        take_labels(reader);
    weft__monitor_notify(feed->monitor);
}

/* Whether nobody learns: the player is free and no label was told lately; or no slice was copied for long. */
static bool is_idle(const weft_reader *reader)
{
    const weft__feed *feed = reader->feed;
    double now = weft__clock();
    return !reader->copying.busy && ((feed->next == feed->serving && now - feed->told > IDLE) ||
                                     now - reader->copying.time > PATIENCE);
}

/* Called and left in the monitor; the stage is JOINING after the last slice. */
static void copy_slices(weft_reader *reader)
{
    weft__feed *feed = reader->feed;
    reader->copying = (weft__copying){.status = WEFT_OK, .time = weft__clock()};
    reader->stage = WEFT__COPYING;
    while (can_copy(reader) && reader->stage == WEFT__COPYING && reader->copying.status == WEFT_OK) {
        if (!is_idle(reader)) {
            weft__monitor_wait_for(feed->monitor, IDLE);
            continue;
        }
        weft__feed_enter(feed);
        weft__reader_copy(reader);
        weft__feed_leave(feed);
    }
    while (reader->copying.busy)
        weft__monitor_wait(feed->monitor);
}

static void wait_for_replica(weft_reader *reader)
{
    while (reader->busy)
        weft__monitor_wait(reader->feed->monitor);
}

static void fail(weft_reader *reader, const weft_error *error)
{
    weft__reader_recycle(reader, reader->first);
    reader->first = reader->last = NULL;
    reader->count = 0;
    reader->stage = WEFT__FAILED;
    reader->failure = *error;
}

/* What has become of the copy, in the monitor; unless it is lost again in the meantime.  *made becomes the
 * replica, and then is the old one. */
static void take_over(weft_reader *reader, weft_player **made)
{
    wait_for_replica(reader);
    if (reader->copying.status != WEFT_OK)
        fail(reader, &reader->copying.error);
    if (reader->stage != WEFT__JOINING)
        return;
    weft_player *old = reader->replica;
    reader->replica = *made;
    reader->event = reader->copying.event;
    reader->stage = WEFT__WHOLE;
    *made = old;
}

/* Called and left in the monitor. */
static void make_copy(weft_reader *reader)
{
    weft__feed *feed = reader->feed;
    weft__copying *copying = &reader->copying;
    weft_player *made = NULL;
    copy_slices(reader);
    weft__staged_copy *staged = copying->staged;
    if (copying->status == WEFT_OK && reader->stage == WEFT__JOINING) {
        weft_error error = {0};
        weft__monitor_leave(feed->monitor);
        weft_status status = staged->join(staged, copying->labels, &made, &error);
        weft__monitor_enter(feed->monitor);
        copying->status = status;
        copying->error = error;
    }
    take_over(reader, &made);
    weft__reader_recycle(reader, copying->labels);
    weft__monitor_notify(feed->monitor);
    weft__monitor_leave(feed->monitor);
    if (staged != NULL)
        staged->release(staged);
    weft_player_free(made);
    weft__monitor_enter(feed->monitor);
}

/* ---- Following ---- */

static bool can_answer(const weft_reader *reader)
{
    return reader->stage == WEFT__WHOLE && !reader->busy && weft__reader_is_recent(reader, MOST_SECONDS) &&
           (reader->first == NULL || reader->labels_owed <= 0);
}

/* One that asks goes before, if it may. */
static bool can_learn(const weft_reader *reader)
{
    return reader->stage == WEFT__WHOLE && !reader->busy && reader->first != NULL &&
           !(reader->asking && can_answer(reader));
}

static weft__kept_label *next_label(weft_reader *reader)
{
    weft__kept_label *kept = reader->first;
    reader->first = kept->next;
    kept->next = NULL;
    if (reader->first == NULL)
        reader->last = NULL;
    reader->count--;
    return kept;
}

/* Called and left in the monitor. */
static void learn_one(weft_reader *reader)
{
    weft__feed *feed = reader->feed;
    weft_error error = {0};
    weft__kept_label *kept = next_label(reader);
    reader->busy = true;
    weft__monitor_leave(feed->monitor);
    weft_status status = weft__kept_label_learn(kept, reader->replica, &error);
    weft__monitor_enter(feed->monitor);
    reader->busy = false;
    reader->applied++;
    reader->labels_owed -= reader->labels_owed > 0;
    if (status == WEFT_OK)
        reader->event = kept->event;
    else
        fail(reader, &error);
    weft__reader_recycle(reader, kept);
    weft__monitor_notify(feed->monitor);
}

void weft__reader_follow(void *argument)
{
    weft_reader *reader = argument;
    weft__feed *feed = reader->feed;
    weft__monitor_enter(feed->monitor);
    while (!reader->leaving) {
        if (reader->stage == WEFT__LOST && can_copy(reader))
            make_copy(reader);
        else if (can_learn(reader))
            learn_one(reader);
        else
            weft__monitor_wait(feed->monitor);
    }
    weft__monitor_leave(feed->monitor);
}

/* ---- Asking ---- */

static weft_status freed(weft_error *error)
{
    return weft__fail(error, WEFT_ARGUMENT, "the player of the reader was freed");
}

static weft_status in_part(weft_error *error)
{
    return weft__fail(error, WEFT_UNSUPPORTED,
                      "the player cannot be copied: it has learnt a label in part, and that call is to be "
                      "repeated");
}

/* Whether there is an answer, a failure among them. */
static bool is_ready(const weft_reader *reader)
{
    bool never = reader->stage == WEFT__FAILED || reader->stage == WEFT__ENDED ||
                 (reader->stage == WEFT__LOST && reader->feed->spoilt);
    return never || can_answer(reader);
}

/* In the monitor; the replica is the caller's, or it is told why not. */
static weft_status take_replica(weft_reader *reader, weft_error *error)
{
    reader->asking = true;
    while (!is_ready(reader)) {
        /* The follower may have gone to sleep when the replica was still recent. */
        weft__monitor_notify(reader->feed->monitor);
        weft__monitor_wait(reader->feed->monitor);
    }
    reader->asking = false;
    switch (reader->stage) {
    case WEFT__FAILED:
        /* The next question finds it tried again. */
        reader->stage = WEFT__LOST;
        weft__monitor_notify(reader->feed->monitor);
        if (error != NULL)
            *error = reader->failure;
        return reader->failure.status;
    case WEFT__ENDED:
        return freed(error);
    case WEFT__LOST:
        return in_part(error);
    default:
        reader->busy = true;
        return WEFT_OK;
    }
}

weft_status weft_reader_predict(weft_reader *reader, int64_t row, int64_t column, double tolerance,
                                weft_answer *answer, int64_t *event, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(reader);
    NEED(answer);
    TRY(weft__check_tolerance(tolerance, true, error));
    weft__feed *feed = reader->feed;
    weft__monitor_enter(feed->monitor);
    status = take_replica(reader, error);
    weft__monitor_leave(feed->monitor);
    TRY(status);
    reader->replica->context = reader->context;
    status = weft_player_evaluate(reader->replica, row, column, tolerance, answer, error);
    weft__monitor_enter(feed->monitor);
    reader->busy = false;
    reader->labels_owed = LABELS_AN_ANSWER;
    if (status == WEFT_OK && event != NULL)
        *event = reader->event;
    weft__monitor_notify(feed->monitor);
    weft__monitor_leave(feed->monitor);
done:
    return status;
}
