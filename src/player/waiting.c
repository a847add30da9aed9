/* SPDX-License-Identifier: MIT
 *
 * Answers that wait for their labels.  A list in the order of arrival, and two hash tables with chains: by
 * pair and by id.  Each chain is in the order of arrival too, so that the oldest of a pair is met first,
 * however many of that pair wait, and the oldest of all is the head of its chains.
 *
 *     first <-> ... <-> last                                by arrival
 *     slot[BY_PAIR][hash]: head -> ... -> tail              all
 *     slot[BY_ID][hash]:   head -> ... -> tail              those with an id
 *
 * An entry owns one block: itself, its record, its id. */
#include "base/digest.h"
#include "player/player.h"

#include <string.h>

enum { BY_PAIR, BY_ID, WAYS, FIRST_SLOTS = 64 };

typedef struct entry {
    weft_open_answer open;
    struct entry *before, *after; /* by arrival */
    struct entry *next[WAYS];     /* in its chains */
    uint64_t hash[WAYS];
} entry;

typedef struct slot {
    entry *head, *tail;
} slot;

/* Invariants: count entries from first to last; slots is a power of two and at least half of count. */
struct weft_waiting {
    weft_memory memory;
    int64_t limit, count, dropped;
    entry *first, *last;
    slot *slot[WAYS];
    int64_t slots;
    entry *taken; /* what the caller still looks at */
};

/* ---- Hashes ---- */

static uint64_t hash_pair(int64_t row, int64_t column)
{
    const int64_t pair[2] = {row, column};
    return weft__digest_of(pair, sizeof pair).half[0];
}

static uint64_t hash_id(const char *id)
{
    return weft__digest_of(id, strlen(id)).half[0];
}

static slot *chain_of(const weft_waiting *waiting, int way, uint64_t hash)
{
    return &waiting->slot[way][hash & (uint64_t)(waiting->slots - 1)];
}

static bool is_in(const entry *e, int way)
{
    return way == BY_PAIR || e->open.id != NULL;
}

static void chain(weft_waiting *waiting, entry *e)
{
    for (int way = 0; way < WAYS; way++)
        if (is_in(e, way)) {
            slot *s = chain_of(waiting, way, e->hash[way]);
            *(s->tail != NULL ? &s->tail->next[way] : &s->head) = e;
            s->tail = e;
            e->next[way] = NULL;
        }
}

/* Tables of so many slots, with all entries in their order; where it fails they are as before. */
static weft_status rehash(weft_waiting *waiting, int64_t slots, weft_error *error)
{
    weft_status status = WEFT_OK;
    slot *fresh[WAYS] = {NULL, NULL};
    for (int way = 0; way < WAYS; way++)
        TRY(weft__new(&waiting->memory, slots, sizeof *fresh[way], &fresh[way], error));
    for (int way = 0; way < WAYS; way++) {
        slot *old = waiting->slot[way];
        waiting->slot[way] = fresh[way];
        fresh[way] = old;
    }
    waiting->slots = slots;
    for (entry *e = waiting->first; e != NULL; e = e->after)
        chain(waiting, e);
done:
    for (int way = 0; way < WAYS; way++)
        weft__delete(&waiting->memory, fresh[way]);
    return status;
}

/* ---- Entries ---- */

static weft_status make(const weft_memory *memory, const weft_open_answer *open, entry **made,
                        weft_error *error)
{
    weft_status status = WEFT_OK;
    entry *e = NULL;
    size_t name = open->id != NULL ? strlen(open->id) + 1 : 0;
    if (open->size > PTRDIFF_MAX - sizeof *e - name)
        return weft__fail(error, WEFT_MEMORY, "out of memory: a record of %zu bytes", open->size);
    TRY(weft__new(memory, (int64_t)(sizeof *e + open->size + name), 1, &e, error));
    unsigned char *behind = (unsigned char *)(e + 1);
    e->open = *open;
    e->open.record = memcpy(behind, open->size > 0 ? open->record : "", open->size);
    if (open->id != NULL)
        e->open.id = memcpy(behind + open->size, open->id, name);
    e->hash[BY_PAIR] = hash_pair(open->row, open->column);
    e->hash[BY_ID] = open->id != NULL ? hash_id(open->id) : 0;
    *made = e;
done:
    return status;
}

static void unchain(weft_waiting *waiting, entry *e)
{
    for (int way = 0; way < WAYS; way++) {
        if (!is_in(e, way))
            continue;
        slot *s = chain_of(waiting, way, e->hash[way]);
        entry *before = NULL;
        for (entry *other = s->head; other != e; other = other->next[way])
            before = other;
        *(before != NULL ? &before->next[way] : &s->head) = e->next[way];
        if (s->tail == e)
            s->tail = before;
    }
}

/* Out of the list and the tables. */
static void unlink_entry(weft_waiting *waiting, entry *e)
{
    unchain(waiting, e);
    *(e->before != NULL ? &e->before->after : &waiting->first) = e->after;
    *(e->after != NULL ? &e->after->before : &waiting->last) = e->before;
    waiting->count--;
}

static void release_taken(weft_waiting *waiting)
{
    weft__delete(&waiting->memory, waiting->taken);
    waiting->taken = NULL;
}

static bool hand_out(weft_waiting *waiting, entry *e, weft_open_answer *open)
{
    release_taken(waiting);
    if (e == NULL)
        return false;
    unlink_entry(waiting, e);
    waiting->taken = e;
    *open = e->open;
    return true;
}

/* ---- Public ---- */

weft_status weft_waiting_create(int64_t limit, const weft_memory *memory, weft_waiting **waiting,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_waiting *made = NULL;
    weft_memory hook = weft__memory_or_default(memory);
    NEED(waiting);
    if (limit < 1)
        return weft__fail(error, WEFT_ARGUMENT, "limit is %lld, expected at least 1", (long long)limit);
    TRY(weft__new(&hook, 1, sizeof *made, &made, error));
    made->memory = hook;
    made->limit = limit;
    TRY(rehash(made, FIRST_SLOTS, error));
    *waiting = made;
    made = NULL;
done:
    weft_waiting_free(made);
    return status;
}

weft_status weft_waiting_add(weft_waiting *waiting, const weft_open_answer *open, weft_error *error)
{
    weft_status status = WEFT_OK;
    entry *e = NULL;
    NEED(waiting);
    NEED(open);
    if (open->size > 0)
        TRY(weft__need(open->record, "record", error));
    TRY(make(&waiting->memory, open, &e, error));
    if (waiting->count >= 2 * waiting->slots)
        TRY(rehash(waiting, 4 * waiting->slots, error));
    release_taken(waiting);
    if (waiting->count == waiting->limit) {
        entry *oldest = waiting->first;
        unlink_entry(waiting, oldest);
        weft__delete(&waiting->memory, oldest);
        waiting->dropped++;
    }
    e->before = waiting->last;
    *(waiting->last != NULL ? &waiting->last->after : &waiting->first) = e;
    waiting->last = e;
    waiting->count++;
    chain(waiting, e);
    e = NULL;
done:
    if (waiting != NULL)
        weft__delete(&waiting->memory, e);
    return status;
}

bool weft_waiting_take(weft_waiting *waiting, weft_open_answer *open)
{
    return waiting != NULL && open != NULL && hand_out(waiting, waiting->first, open);
}

bool weft_waiting_take_pair(weft_waiting *waiting, int64_t row, int64_t column, weft_open_answer *open)
{
    if (waiting == NULL || open == NULL)
        return false;
    entry *e = chain_of(waiting, BY_PAIR, hash_pair(row, column))->head;
    while (e != NULL && (e->open.row != row || e->open.column != column))
        e = e->next[BY_PAIR];
    return hand_out(waiting, e, open);
}

bool weft_waiting_take_id(weft_waiting *waiting, const char *id, weft_open_answer *open)
{
    if (waiting == NULL || open == NULL || id == NULL)
        return false;
    entry *e = chain_of(waiting, BY_ID, hash_id(id))->head;
    while (e != NULL && strcmp(e->open.id, id) != 0)
        e = e->next[BY_ID];
    return hand_out(waiting, e, open);
}

int64_t weft_waiting_count(const weft_waiting *waiting)
{
    return waiting != NULL ? waiting->count : 0;
}

int64_t weft_waiting_dropped(const weft_waiting *waiting)
{
    return waiting != NULL ? waiting->dropped : 0;
}

void weft_waiting_free(weft_waiting *waiting)
{
    if (waiting == NULL)
        return;
    weft_memory memory = waiting->memory;
    release_taken(waiting);
    for (entry *e = waiting->first, *after; e != NULL; e = after) {
        after = e->after;
        weft__delete(&memory, e);
    }
    for (int way = 0; way < WAYS; way++)
        weft__delete(&memory, waiting->slot[way]);
    weft__delete(&memory, waiting);
}
