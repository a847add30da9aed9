/* SPDX-License-Identifier: MIT */
#include "waiting.h"

#include <stdlib.h>

/* Where item k is, k <= count <= capacity. */
static int64_t place_of(const waiting_list *waiting, int64_t k)
{
    int64_t place = waiting->first + k;
    return place < waiting->capacity ? place : place - waiting->capacity;
}

/* Items go to a ring twice as large, the first one in front. */
static bool grow(waiting_list *waiting)
{
    int64_t capacity = waiting->capacity == 0 ? 64 : 2 * waiting->capacity;
    weft_late *items = malloc((size_t)capacity * sizeof *items);
    if (items == NULL)
        return false;
    for (int64_t k = 0; k < waiting->count; k++)
        items[k] = waiting->items[place_of(waiting, k)];
    free(waiting->items);
    *waiting = (waiting_list){.items = items, .count = waiting->count, .capacity = capacity};
    return true;
}

bool waiting_add(waiting_list *waiting, const weft_late *trial)
{
    if (waiting->count == waiting->capacity && !grow(waiting))
        return false;
    waiting->items[place_of(waiting, waiting->count++)] = *trial;
    return true;
}

weft_late waiting_take(waiting_list *waiting)
{
    weft_late trial = waiting->items[waiting->first];
    waiting->first = place_of(waiting, 1);
    waiting->count--;
    return trial;
}

void waiting_free(waiting_list *waiting)
{
    free(waiting->items);
    *waiting = (waiting_list){0};
}
