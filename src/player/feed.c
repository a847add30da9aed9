/* SPDX-License-Identifier: MIT
 *
 * The side of the thread that learns: what it tells its readers, and when it waits for them.
 *
 * How far a reader may be behind.  An answer is given by a replica that lacks at most 1,000 labels, none of
 * them older than 100 ms; else the answer waits.  So that it need not wait for ever, learning waits too:
 * where a replica lacks 1,000 labels, or one of 50 ms ago, each label first lets it learn two.  That is the
 * time of about two trials, and the replica comes nearer with every label. */
#include "player/feed.h"
#include "player/turn.h"

#include "player/profile.h"

enum { MOST_BEHIND = 1000, MOST_WHILE_COPIED = 1 << 14, MOST_SPARE = 1024, STEP = 2 };
static const double MOST_SECONDS = 0.05;

int64_t weft__player_event(const weft_player *player)
{
    return player->ops->kind == WEFT_RIVAL ? player->learnt : player->ops->counters(player).t;
}

/* ---- Making and freeing ---- */

weft_status weft__feed_create(weft_player *player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__feed *feed = NULL;
    if (player->feed != NULL)
        return WEFT_OK;
    TRY(weft__new(&player->memory, 1, sizeof *feed, &feed, error));
    *feed = (weft__feed){.memory = player->memory, .references = 1, .alive = true};
    TRY(weft__monitor_create(&feed->memory, &feed->monitor, error));
    player->feed = feed;
    feed = NULL;
done:
    weft__delete(&player->memory, feed);
    return status;
}

void weft__feed_drop(weft__feed *feed)
{
    weft__monitor_enter(feed->monitor);
    bool last = --feed->references == 0;
    weft__monitor_leave(feed->monitor);
    if (!last)
        return;
    weft_memory memory = feed->memory;
    weft__monitor_free(feed->monitor);
    weft__delete(&memory, feed);
}

/* ---- Tickets ---- */

void weft__feed_enter(weft__feed *feed)
{
    int64_t ticket = feed->next++;
    while (feed->serving != ticket)
        weft__monitor_wait(feed->monitor);
}

void weft__feed_leave(weft__feed *feed)
{
    feed->serving++;
    weft__monitor_notify(feed->monitor);
}

void weft__feed_hold(weft_player *player)
{
    weft__feed *feed = player->feed;
    if (feed == NULL)
        return;
    weft__monitor_enter(feed->monitor);
    weft__feed_enter(feed);
    weft__monitor_leave(feed->monitor);
}

bool weft__feed_has_readers(const weft_player *player)
{
    weft__feed *feed = player->feed;
    if (feed == NULL)
        return false;
    weft__monitor_enter(feed->monitor);
    bool any = feed->first != NULL;
    weft__monitor_leave(feed->monitor);
    return any;
}

void weft__feed_let_go(weft_player *player)
{
    weft__feed *feed = player->feed;
    if (feed == NULL)
        return;
    weft__monitor_enter(feed->monitor);
    weft__feed_leave(feed);
    weft__monitor_leave(feed->monitor);
}

/* ---- Waiting for readers ---- */

bool weft__reader_is_recent(const weft_reader *reader, double seconds)
{
    return reader->first == NULL ||
           (reader->count <= MOST_BEHIND && weft__clock() - reader->first->time <= seconds);
}

/* Whether learning has to wait for this one. */
static bool holds_back(const weft_reader *reader)
{
    if (reader->stage == WEFT__COPYING || reader->stage == WEFT__JOINING)
        return reader->count >= MOST_WHILE_COPIED;
    return reader->stage == WEFT__WHOLE && reader->applied < reader->awaited &&
           (reader->count >= MOST_BEHIND || !weft__reader_is_recent(reader, MOST_SECONDS));
}

static bool is_held_back(const weft__feed *feed)
{
    for (const weft_reader *r = feed->first; r != NULL; r = r->after)
        if (holds_back(r))
            return true;
    return false;
}

/* Before it is held: until no reader is far behind. */
static void await(weft_player *player)
{
    weft__feed *feed = player->feed;
    if (feed == NULL)
        return;
    weft__monitor_enter(feed->monitor);
    for (weft_reader *r = feed->first; r != NULL; r = r->after)
        r->awaited = r->applied + STEP;
    while (is_held_back(feed))
        weft__monitor_wait(feed->monitor);
    weft__monitor_leave(feed->monitor);
}

/* ---- Telling ---- */

void weft__reader_recycle(weft_reader *reader, weft__kept_label *labels)
{
    for (weft__kept_label *kept = labels, *next; kept != NULL; kept = next) {
        next = kept->next;
        if (reader->spares == MOST_SPARE) {
            weft__delete(&reader->feed->memory, kept->bytes);
            weft__delete(&reader->feed->memory, kept);
            continue;
        }
        kept->next = reader->spare;
        reader->spare = kept;
        reader->spares++;
    }
}

/* What the replica has, or was to become, is of no use any more. */
static void lose(weft_reader *reader)
{
    weft__reader_recycle(reader, reader->first);
    reader->first = reader->last = NULL;
    reader->count = 0;
    if (reader->stage != WEFT__FAILED)
        reader->stage = WEFT__LOST;
}

static weft_status take_spare(weft_reader *reader, weft__kept_label **kept)
{
    if (reader->spare == NULL)
        return weft__new(&reader->feed->memory, 1, sizeof **kept, kept, NULL);
    *kept = reader->spare;
    reader->spare = (*kept)->next;
    reader->spares--;
    return WEFT_OK;
}

/* The bytes that go with it. */
static weft_status fill(weft__kept_label *kept, const weft_reader *reader, const weft__label_event *learnt)
{
    weft_status status = WEFT_OK;
    const weft_player *player = reader->player;
    const weft_memory *memory = &reader->feed->memory;
    bool by_slices = reader->stage == WEFT__COPYING;
    void (*put)(const weft_player *, const int64_t *, weft__encoder *) =
        player->ops->put_told != NULL ? player->ops->put_told : player->ops->put_changed;
    weft__encoder counting = {NULL, learnt->size};
    if (by_slices)
        put(player, learnt->pair, &counting);
    if (kept->room < counting.size) {
        weft__delete(memory, kept->bytes);
        kept->bytes = NULL;
        kept->room = 0;
        TRY(weft__new(memory, (int64_t)counting.size, 1, &kept->bytes, NULL));
        kept->room = counting.size;
    }
    weft__encoder writing = {kept->bytes, 0};
    if (learnt->size > 0)
        weft__put_bytes(&writing, learnt->record, learnt->size);
    if (by_slices)
        put(player, learnt->pair, &writing);
    kept->learnt = *learnt;
    kept->learnt.record = kept->bytes;
    kept->told = counting.size - learnt->size;
done:
    return status;
}

/* Where there is no memory for it, the reader copies the player again. */
static void hear(weft_reader *reader, const weft__label_event *learnt, double now)
{
    weft__kept_label *kept = NULL;
    if (take_spare(reader, &kept) != WEFT_OK) {
        lose(reader);
        return;
    }
    kept->next = NULL;
    if (fill(kept, reader, learnt) != WEFT_OK) {
        weft__reader_recycle(reader, kept);
        lose(reader);
        return;
    }
    kept->event = weft__player_event(reader->player);
    kept->time = now;
    *(reader->last != NULL ? &reader->last->next : &reader->first) = kept;
    reader->last = kept;
    reader->count++;
}

static bool listens(const weft_reader *reader)
{
    return reader->stage == WEFT__COPYING || reader->stage == WEFT__JOINING || reader->stage == WEFT__WHOLE;
}

/* One slice a label, however many readers are being made: they come one after the other. */
static void copy_slice(weft__feed *feed)
{
    for (weft_reader *r = feed->first; r != NULL; r = r->after)
        if (r->stage == WEFT__COPYING && r->copying.status == WEFT_OK) {
            weft__reader_copy(r);
            return;
        }
}

static void tell(weft_player *player, const weft__label_event *learnt)
{
    weft__feed *feed = player->feed;
    if (feed == NULL)
        return;
    double now = weft__clock();
    weft__monitor_enter(feed->monitor);
    feed->told = now;
    feed->trial = now - feed->since;
    for (weft_reader *r = feed->first; r != NULL; r = r->after)
        if (feed->spoilt)
            lose(r);
        else if (listens(r))
            hear(r, learnt, now);
    feed->spoilt = false;
    copy_slice(feed);
    weft__monitor_notify(feed->monitor);
    weft__monitor_leave(feed->monitor);
}

/* Members of a committee may have learnt the label, and others not.  Replicas that are whole stay as they
 * are until it goes on. */
static void spoil(weft_player *player, weft_status status)
{
    weft__feed *feed = player->feed;
    bool unchanged = status == WEFT_ARGUMENT || status == WEFT_INPUT || status == WEFT_UNKNOWN_ID;
    if (feed == NULL || unchanged || player->ops->kind != WEFT_COMMITTEE)
        return;
    weft__monitor_enter(feed->monitor);
    feed->spoilt = true;
    for (weft_reader *r = feed->first; r != NULL; r = r->after)
        if (r->stage == WEFT__COPYING)
            lose(r);
    weft__monitor_notify(feed->monitor);
    weft__monitor_leave(feed->monitor);
}

static void renew(weft_player *player)
{
    weft__feed *feed = player->feed;
    if (feed == NULL)
        return;
    weft__monitor_enter(feed->monitor);
    for (weft_reader *r = feed->first; r != NULL; r = r->after)
        lose(r);
    feed->spoilt = false;
    weft__monitor_notify(feed->monitor);
    weft__monitor_leave(feed->monitor);
}

/* ---- Changes ---- */

void weft__player_begin_question(weft_player *player)
{
    weft__feed_hold(player);
    weft__player_begin_call(player, WEFT__ASKING);
}

void weft__player_end_question(weft_player *player)
{
    weft__player_end_call(player, false);
    weft__feed_let_go(player);
}

void weft__player_begin_label(weft_player *player)
{
    weft__drop_copies(player);
    await(player);
    weft__feed_hold(player);
    if (player->feed != NULL)
        player->feed->since = weft__clock();
    weft__player_begin_call(player, WEFT__LEARNING);
}

weft_status weft__player_end_label(weft_player *player, const weft__label_event *learnt, weft_status status)
{
    player->learnt += status == WEFT_OK;
    weft__player_end_call(player, status == WEFT_OK);
    if (status == WEFT_OK) {
        tell(player, learnt);
    } else {
        spoil(player, status);
    }
    weft__feed_let_go(player);
    return status;
}

/* A failure changes nothing. */
weft_status weft__player_end_change(weft_player *player, weft_status status)
{
    if (status == WEFT_OK)
        renew(player);
    weft__feed_let_go(player);
    return status;
}

/* ---- The end of the player ---- */

/* The next reader is out of the list and nobody else ends it; NULL: there is none. */
static weft_reader *take_reader(weft__feed *feed)
{
    weft__monitor_enter(feed->monitor);
    weft_reader *reader = feed->first;
    if (reader != NULL) {
        feed->first = reader->after;
        reader->closing = true;
    }
    weft__monitor_leave(feed->monitor);
    return reader;
}

void weft__feed_end(weft_player *player)
{
    weft__feed *feed = player->feed;
    if (feed == NULL)
        return;
    weft__monitor_enter(feed->monitor);
    weft__feed_enter(feed);
    feed->alive = false;
    weft__feed_leave(feed);
    weft__monitor_leave(feed->monitor);
    for (weft_reader *r = take_reader(feed); r != NULL; r = take_reader(feed)) {
        weft__reader_stop(r);
        weft__monitor_enter(feed->monitor);
        r->closing = false;
        weft__monitor_notify(feed->monitor);
        weft__monitor_leave(feed->monitor);
    }
    player->feed = NULL;
    weft__feed_drop(feed);
}
