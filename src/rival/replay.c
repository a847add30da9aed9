/* SPDX-License-Identifier: MIT
 *
 * Method     A ring.  What is drawn is a hash of the seed, the number of labels and the number of the draw,
 *            so that a state needs no generator.
 * Cost       O(1) a draw, 24 bytes an event, and 72 more where contexts were met. */
#include "rival/replay.h"

#include "rival/hash.h"

void weft__replay_free(weft__replay *replay)
{
    weft__delete(&replay->memory, replay->list);
    weft__delete(&replay->memory, replay->contexts);
    *replay = (weft__replay){.memory = replay->memory, .window = replay->window};
}

static weft_status make_room(weft__replay *replay, int64_t needed, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (needed <= replay->capacity)
        return WEFT_OK;
    int64_t capacity = weft__grown(replay->capacity, needed);
    capacity = capacity < replay->window ? capacity : replay->window;
    TRY(weft__resize(&replay->memory, &replay->list, replay->capacity, capacity, sizeof *replay->list,
                     error));
    if (replay->contexts != NULL)
        TRY(weft__resize(&replay->memory, &replay->contexts, replay->capacity, capacity,
                         sizeof *replay->contexts, error));
    replay->capacity = capacity;
done:
    return status;
}

weft_status weft__replay_reserve(weft__replay *replay, weft_error *error)
{
    return make_room(replay, replay->learnt < replay->window ? replay->learnt + 1 : replay->window, error);
}

weft_status weft__replay_reserve_contexts(weft__replay *replay, weft_error *error)
{
    if (replay->contexts != NULL || replay->capacity == 0)
        return WEFT_OK;
    return weft__new(&replay->memory, replay->capacity, sizeof *replay->contexts, &replay->contexts, error);
}

void weft__replay_add(weft__replay *replay, const weft__lesson *lesson)
{
    int64_t place = replay->learnt++ % replay->window;
    replay->list[place] = lesson->event;
    if (replay->contexts != NULL)
        replay->contexts[place] = lesson->context;
}

int64_t weft__replay_kept(const weft__replay *replay)
{
    return replay->learnt < replay->window ? replay->learnt : replay->window;
}

const weft__event *weft__replay_event(const weft__replay *replay, int64_t k)
{
    return &replay->list[(replay->learnt - weft__replay_kept(replay) + k) % replay->window];
}

weft__context weft__replay_context(const weft__replay *replay, int64_t k)
{
    if (replay->contexts == NULL)
        return (weft__context){.count = 0};
    return replay->contexts[(replay->learnt - weft__replay_kept(replay) + k) % replay->window];
}

static uint64_t draw(const weft__replay *replay, uint64_t key, int64_t k)
{
    /* The upper half times the number of those kept, which is below 2^32: any of them. */
    return (weft__hash(key ^ (uint64_t)k) >> 32) * (uint64_t)weft__replay_kept(replay) >> 32;
}

void weft__replay_draw(const weft__replay *replay, uint64_t seed, int64_t count, weft__lesson *lessons)
{
    uint64_t key = weft__hash_key(seed, WEFT__SPACE_REPLAY, replay->learnt);
    for (int64_t k = 0; k < count; k++) {
        uint64_t place = draw(replay, key, k);
        lessons[k].event = replay->list[place];
        lessons[k].context = replay->contexts != NULL ? replay->contexts[place] : (weft__context){.count = 0};
    }
}

void weft__replay_fetch(const weft__replay *replay, uint64_t seed, int64_t count)
{
    uint64_t key = weft__hash_key(seed, WEFT__SPACE_REPLAY, replay->learnt);
    for (int64_t k = 0; k < count; k++)
        __builtin_prefetch(&replay->list[draw(replay, key, k)]);
}

/* ---- State: how many were learnt, then those kept, oldest first: row, column, label, and where contexts
 *      were met the context ---- */

static void put_event(const weft__event *event, weft__encoder *writer)
{
    weft__put_integer(writer, event->pair[0]);
    weft__put_integer(writer, event->pair[1]);
    weft__put_integer(writer, event->label);
}

static void put_context(const weft__replay *replay, int64_t place, weft__encoder *writer)
{
    static const weft__context none = {0};
    weft__context_put(replay->contexts != NULL ? &replay->contexts[place] : &none, writer);
}

void weft__replay_put(const weft__replay *replay, int64_t number, weft__encoder *writer)
{
    put_event(&replay->list[number], writer);
    put_context(replay, number, writer);
}

void weft__replay_write(const weft__replay *replay, bool contexts, weft__encoder *writer)
{
    weft__put_integer(writer, replay->learnt);
    for (int64_t t = replay->learnt - weft__replay_kept(replay); t < replay->learnt; t++) {
        put_event(&replay->list[t % replay->window], writer);
        if (contexts)
            put_context(replay, t % replay->window, writer);
    }
}

static bool get_event(const weft__rival *rival, weft__decoder *reader, weft__event *event)
{
    event->pair[0] = weft__get_integer(reader);
    event->pair[1] = weft__get_integer(reader);
    int64_t label = weft__get_integer(reader);
    event->label = label == 1 ? 1 : -1;
    return !reader->failed && (label == 1 || label == -1) &&
           weft__side_has(weft__rival_side(rival, 0), event->pair[0]) &&
           weft__side_has(weft__rival_side(rival, 1), event->pair[1]) &&
           (rival->player.columns != NULL || event->pair[0] <= event->pair[1]);
}

weft_status weft__replay_read(weft__replay *replay, const weft__rival *rival, weft__decoder *reader,
                              weft_error *error)
{
    enum { EVENT_BYTES = 24 };
    weft_status status = WEFT_OK;
    int64_t learnt = weft__get_integer(reader);
    int64_t kept = learnt < replay->window ? learnt : replay->window;
    if (reader->failed || learnt < 0 || learnt > WEFT__MOST_COUNT ||
        (uint64_t)kept > reader->left / EVENT_BYTES)
        return weft__rival_damaged(error, "the number of its events is out of its range");
    for (replay->learnt = learnt - kept; replay->learnt < learnt;) {
        weft__lesson lesson = {0};
        if (!get_event(rival, reader, &lesson.event) ||
            (rival->met_context && !weft__context_get(&lesson.context, reader)))
            return weft__rival_damaged(error, "one of its events is out of its range");
        TRY(weft__replay_reserve(replay, error));
        if (rival->met_context)
            TRY(weft__replay_reserve_contexts(replay, error));
        weft__replay_add(replay, &lesson);
    }
done:
    return status;
}

weft_status weft__replay_take(weft__replay *replay, int64_t number, const weft__rival *rival,
                              weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__context context;
    TRY(make_room(replay, number + 1, error));
    get_event(rival, reader, &replay->list[number]);
    weft__context_get(&context, reader);
    if (context.count > 0)
        TRY(weft__replay_reserve_contexts(replay, error));
    if (replay->contexts != NULL)
        replay->contexts[number] = context;
done:
    return status;
}

weft_status weft__replay_renumber(weft__replay *replay, bool one_set, const weft__numbers *numbers,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < weft__replay_kept(replay); k++) {
        int64_t *pair = replay->list[k].pair;
        for (int which = 0; which < 2; which++)
            TRY(weft__renumbered(numbers, one_set ? 0 : which, pair[which], &pair[which], error));
        if (one_set && pair[0] > pair[1]) {
            int64_t larger = pair[0];
            pair[0] = pair[1];
            pair[1] = larger;
        }
    }
done:
    return status;
}
