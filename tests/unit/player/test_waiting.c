/* SPDX-License-Identifier: MIT
 * Answers that wait for their labels, against a slow list. */
#include "unit/test_core_support.h"

#include "support/alloc.h"
#include "support/dice.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4000 };

typedef struct slow {
    int64_t row[MOST], column[MOST], t[MOST];
    int id[MOST]; /* -1: none */
    int64_t count, dropped;
} slow;

static void slow_remove(slow *s, int64_t k)
{
    s->count--;
    for (; k < s->count; k++) {
        s->row[k] = s->row[k + 1];
        s->column[k] = s->column[k + 1];
        s->t[k] = s->t[k + 1];
        s->id[k] = s->id[k + 1];
    }
}

static const char *name_of(int id, char text[16])
{
    snprintf(text, 16, "id %d", id);
    return id < 0 ? NULL : text;
}

/* The record is the number of the trial, so many times as that says. */
static weft_open_answer open_of(int64_t row, int64_t column, int64_t t, const char *id, int64_t *record)
{
    size_t times = (size_t)(t % 5);
    for (size_t k = 0; k < times; k++)
        record[k] = t;
    return (weft_open_answer){.row = row,
                              .column = column,
                              .id = id,
                              .answer = {.t = t},
                              .record = times > 0 ? record : NULL,
                              .size = times * sizeof *record};
}

static void check_taken(const slow *s, int64_t k, const weft_open_answer *got)
{
    char text[16];
    const char *id = name_of(s->id[k], text);
    assert_true(got->row == s->row[k] && got->column == s->column[k] && got->answer.t == s->t[k]);
    assert_int_equal(got->size, (size_t)(s->t[k] % 5) * sizeof(int64_t));
    for (size_t i = 0; i < got->size / sizeof(int64_t); i++) {
        int64_t value;
        memcpy(&value, (const char *)got->record + i * sizeof value, sizeof value);
        assert_int_equal(value, s->t[k]);
    }
    assert_true((id == NULL) == (got->id == NULL));
    if (id != NULL)
        assert_string_equal(id, got->id);
}

/* Takes one out, by a way that the dice choose. */
static void take_one(weft_waiting *waiting, slow *s, dice *d, int64_t ids)
{
    weft_open_answer got = {.row = -7};
    char text[16];
    int64_t row = dice_below(d, ids), column = dice_below(d, 3), way = dice_below(d, 3), k = 0;
    int id = (int)dice_below(d, ids);
    if (way == 1)
        while (k < s->count && (s->row[k] != row || s->column[k] != column))
            k++;
    if (way == 2)
        while (k < s->count && s->id[k] != id)
            k++;
    bool there = k < s->count;
    bool found = way == 0   ? weft_waiting_take(waiting, &got)
                 : way == 1 ? weft_waiting_take_pair(waiting, row, column, &got)
                            : weft_waiting_take_id(waiting, name_of(id, text), &got);
    assert_int_equal(found, there);
    assert_true(there || got.row == -7);
    if (!there)
        return;
    check_taken(s, k, &got);
    slow_remove(s, k);
}

static void play(int64_t limit, int64_t ids, double adding, uint64_t seed)
{
    static slow s;
    dice d = {seed};
    weft_waiting *waiting = NULL;
    int64_t record[5];
    s.count = s.dropped = 0;
    assert_int_equal(weft_waiting_create(limit, NULL, &waiting, NULL), WEFT_OK);
    for (int64_t t = 0; t < MOST; t++) {
        char text[16];
        if (!dice_chance(&d, adding)) {
            take_one(waiting, &s, &d, ids);
            continue;
        }
        int id = dice_chance(&d, 0.5) ? (int)dice_below(&d, ids) : -1;
        if (s.count == limit) {
            slow_remove(&s, 0);
            s.dropped++;
        }
        int64_t k = s.count++;
        s.row[k] = dice_below(&d, ids);
        s.column[k] = dice_below(&d, 3);
        s.t[k] = t;
        s.id[k] = id;
        weft_open_answer open = open_of(s.row[k], s.column[k], t, name_of(id, text), record);
        assert_int_equal(weft_waiting_add(waiting, &open, NULL), WEFT_OK);
        assert_true(weft_waiting_count(waiting) == s.count && weft_waiting_dropped(waiting) == s.dropped);
    }
    weft_waiting_free(waiting);
}

static void it_is_the_slow_list(void **state)
{
    play(MOST, 1000, 0.9, 1);
    play(MOST, 2, 0.6, 2);
    play(50, 40, 0.7, 3);
    play(1, 3, 0.5, 4);
}

static void what_cannot_be_is_refused(void **state)
{
    weft_error error;
    weft_waiting *waiting = NULL;
    weft_open_answer open = {.size = 8};
    assert_fails(weft_waiting_create(0, NULL, &waiting, &error), WEFT_ARGUMENT, "limit is 0");
    assert_fails(weft_waiting_create(1, NULL, NULL, &error), WEFT_ARGUMENT, "waiting is NULL");
    assert_null(waiting);
    assert_int_equal(weft_waiting_create(2, NULL, &waiting, NULL), WEFT_OK);
    assert_fails(weft_waiting_add(waiting, &open, &error), WEFT_ARGUMENT, "record is NULL");
    assert_fails(weft_waiting_add(NULL, &open, &error), WEFT_ARGUMENT, "waiting is NULL");
    assert_fails(weft_waiting_add(waiting, NULL, &error), WEFT_ARGUMENT, "open is NULL");
    open.size = SIZE_MAX;
    open.record = "";
    assert_fails(weft_waiting_add(waiting, &open, &error), WEFT_MEMORY, "bytes");
    assert_int_equal(weft_waiting_count(waiting), 0);
    assert_false(weft_waiting_take(waiting, &open) || weft_waiting_take_id(waiting, NULL, &open) ||
                 weft_waiting_take(NULL, &open) || weft_waiting_take_pair(NULL, 0, 0, &open));
    assert_true(weft_waiting_count(NULL) == 0 && weft_waiting_dropped(NULL) == 0);
    weft_waiting_free(waiting);
    weft_waiting_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_slow_list),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
