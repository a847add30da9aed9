/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "cli/run/waiting.h"

#include <stdlib.h>
#include <string.h>

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
    waiting_trial *items = malloc((size_t)capacity * sizeof *items);
    if (items == NULL)
        return false;
    for (int64_t k = 0; k < waiting->count; k++)
        items[k] = waiting->items[place_of(waiting, k)];
    free(waiting->items);
    *waiting = (waiting_list){.items = items, .count = waiting->count, .capacity = capacity};
    return true;
}

bool waiting_add(waiting_list *waiting, const weft_late *late, const weft_event *names)
{
    waiting_trial trial = {.late = *late};
    if (waiting->count == waiting->capacity && !grow(waiting))
        return false;
    if (names != NULL) {
        trial.row = strdup(names->row);
        trial.column = strdup(names->column);
    }
    if (names != NULL && (trial.row == NULL || trial.column == NULL)) {
        waiting_release(&trial);
        return false;
    }
    waiting->items[place_of(waiting, waiting->count++)] = trial;
    return true;
}

void waiting_release(waiting_trial *trial)
{
    free(trial->row);
    free(trial->column);
    trial->row = trial->column = NULL;
}

waiting_trial waiting_take(waiting_list *waiting)
{
    waiting_trial trial = waiting->items[waiting->first];
    waiting->first = place_of(waiting, 1);
    waiting->count--;
    return trial;
}

void waiting_free(waiting_list *waiting)
{
    for (int64_t k = 0; k < waiting->count; k++)
        waiting_release(&waiting->items[place_of(waiting, k)]);
    free(waiting->items);
    *waiting = (waiting_list){0};
}
