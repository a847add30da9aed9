/* SPDX-License-Identifier: MIT
 *
 * The room of a view: for every id that the side knows, for the slots of touched ids, and, where the
 * kernel has no structure, for their Gram matrix.  That one is the largest thing that a learner has; it
 * keeps to a budget, grows where it is, and takes what the allocator still has. */
#include "base/vector.h"
#include "side/learnt/strips.h"
#include "side/learnt/working_set.h"

#include <math.h>
#include <string.h>

/* The workspace that the side wants, which grows with what it lists: exact at first, then doubling. */
static weft_status reserve_work(weft__working_set *view, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (weft__side_work(view->side) <= view->work_size)
        return WEFT_OK;
    int64_t count = view->side->count, room = view->known_capacity;
    int64_t size = view->side->ops->vectors * (room == 0 ? count : weft__grown(room, count));
    TRY(weft__resize(&view->memory, &view->work, 0, size, sizeof *view->work, error));
    view->work_size = size;
done:
    return status;
}

/* What grows with the number of ids that there are. */
static weft_status reserve_known(weft__working_set *view, int64_t last, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t known = view->side->count > last ? view->side->count : last + 1, room = view->known_capacity;
    TRY(reserve_work(view, error));
    if (known > room) {
        /* As many as there are at first, then doubling: ids may come one by one. */
        room = room == 0 ? known : weft__grown(room, known);
        TRY(weft__resize(&view->memory, &view->slot_of, view->known, room, sizeof *view->slot_of, error));
        view->known_capacity = room;
    }
    for (; view->known < known; view->known++)
        view->slot_of[view->known] = -1;
done:
    return status;
}

/* Bytes of one value of the Gram matrix. */
static int64_t bytes_of_value(const weft__working_set *view)
{
    return (int64_t)sizeof(double) + (view->mixed ? (int64_t)sizeof(float) : 0);
}

static double bytes_of_gram(const weft__working_set *view, int64_t capacity)
{
    return (double)capacity * (double)capacity * (double)bytes_of_value(view);
}

/* The largest capacity within the budget of the side. */
static int64_t capacity_within(const weft__working_set *view)
{
    double root = sqrt((double)view->side->budget / (double)bytes_of_value(view));
    int64_t capacity = (int64_t)root / WEFT__LANES * WEFT__LANES;
    return bytes_of_gram(view, capacity) > (double)view->side->budget ? capacity - WEFT__LANES : capacity;
}

/* Rows of `old` elements of `size` bytes become rows of `wide`, with zeros behind `count`; the last row is
 * the first to move. */
static void spread_rows(void *array, size_t size, int64_t count, int64_t old, int64_t wide)
{
    char *at = array;
    size_t from = (size_t)old * size, to = (size_t)wide * size, filled = (size_t)count * size;
    for (size_t s = (size_t)count; s-- > 1;)
        memmove(at + s * to, at + s * from, filled);
    for (size_t s = 0; s < (size_t)count; s++)
        memset(at + s * to + filled, 0, to - filled);
}

/* The Gram matrix with another capacity.  A second one beside it would halve what memory can hold: it
 * grows where it is, and its rows move afterwards. */
static weft_status grow_gram(weft__working_set *view, int64_t capacity, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &view->memory;
    int64_t old = view->capacity * view->capacity, cells = 0;
    TRY(weft__checked_product(capacity, capacity, &cells, error));
    TRY(weft__extend(memory, &view->full, old, cells, sizeof *view->full, error));
    if (view->mixed)
        status = weft__extend(memory, &view->single, old, cells, sizeof *view->single, error);
    if (status != WEFT_OK) {
        weft__extend(memory, &view->full, old, old, sizeof *view->full, NULL);
        return status;
    }
    spread_rows(view->full, sizeof *view->full, view->count, view->capacity, capacity);
    if (view->mixed)
        spread_rows(view->single, sizeof *view->single, view->count, view->capacity, capacity);
done:
    return status;
}

/* What grows with the number of slots, for a capacity above the present one. */
static weft_status resize_slots(weft__working_set *view, int64_t capacity, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t old = view->capacity;
    const weft_memory *memory = &view->memory;
    TRY(weft__resize(memory, &view->ids, old, capacity, sizeof *view->ids, error));
    TRY(weft__resize(memory, &view->root, old, capacity, sizeof *view->root, error));
    TRY(weft__resize(memory, &view->diagonal, old, capacity, sizeof *view->diagonal, error));
    TRY(weft__resize(memory, &view->x_single, 0, capacity, sizeof *view->x_single, error));
    TRY(weft__resize(memory, &view->y_single, 0, capacity, sizeof *view->y_single, error));
    if (view->side->ops->product == NULL) {
        TRY(weft__resize(memory, &view->partial, 0, weft__strips_room(capacity), sizeof *view->partial,
                         error));
        TRY(grow_gram(view, capacity, error));
    }
    view->capacity = capacity;
done:
    return status;
}

static const char ways_out[] = "ways out: more memory, or finite features (a map) and the compact engine";

static weft_status fail_budget(const weft__working_set *view, int64_t needed, weft_error *error)
{
    return weft__fail(
        error, WEFT_MEMORY,
        "%s: the kernel between %lld ids that carry evidence takes %.1f MB, above the budget of "
        "%.1f MB; %s",
        view->side->ops->name, (long long)needed, bytes_of_gram(view, weft__padded(needed)) / 0x1p20,
        (double)view->side->budget / 0x1p20, ways_out);
}

static weft_status fail_refused(const weft__working_set *view, int64_t needed, weft_error *error)
{
    return weft__fail(error, WEFT_MEMORY,
                      "%s: out of memory: the kernel between %lld ids that carry evidence takes %.1f MB; %s",
                      view->side->ops->name, (long long)needed,
                      bytes_of_gram(view, weft__padded(needed)) / 0x1p20, ways_out);
}

/* Below this capacity the matrix is not worth a thought. */
enum { SMALL = 512 };

/* resize_slots that leaves as much memory as the owner of the view will ask for afterwards: the last bytes
 * are of no use to a matrix that cannot be multiplied. */
static weft_status resize_modestly(weft__working_set *view, int64_t capacity, weft_error *error)
{
    weft_status status = WEFT_OK;
    char *cushion = NULL;
    int64_t bytes = view->new_slot_bytes * (capacity - view->capacity) + view->slot_bytes * capacity;
    if (capacity >= SMALL && bytes > 0)
        TRY(weft__new(&view->memory, bytes, 1, &cushion, error));
    TRY(resize_slots(view, capacity, error));
done:
    weft__delete(&view->memory, cushion);
    return status;
}

/* A quarter more than is needed, within the budget; where that is not to be had, less and less more:
 * the last ids that memory can hold are worth it. */
static weft_status reserve_gram(weft__working_set *view, int64_t needed, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t least = weft__padded(needed), most = capacity_within(view), all = weft__padded(view->side->count);
    if (least > most)
        return fail_budget(view, needed, error);
    most = all >= least && all < most ? all : most;
    for (int64_t spare = view->capacity / 4;; spare /= 8) {
        int64_t capacity = weft__padded(least + spare);
        capacity = capacity < most ? capacity : most;
        status = resize_modestly(view, capacity, error);
        if (status != WEFT_MEMORY || capacity == least || capacity < SMALL)
            break;
    }
    return status == WEFT_MEMORY ? fail_refused(view, needed, error) : status;
}

static weft_status reserve_slots(weft__working_set *view, int64_t needed, weft_error *error)
{
    if (needed <= view->capacity)
        return WEFT_OK;
    if (view->side->ops->product == NULL)
        return reserve_gram(view, needed, error);
    /* Never more than the side lists, so that memory follows the ids. */
    int64_t capacity = weft__grown(view->capacity, needed), all = weft__padded(view->side->count);
    return resize_slots(view, capacity > all && all >= needed ? all : capacity, error);
}

weft_status weft__working_set_reserve(weft__working_set *view, int64_t more, int64_t last, weft_error *error)
{
    weft_status status = reserve_known(view, last, error);
    return status != WEFT_OK ? status : reserve_slots(view, view->count + more, error);
}
