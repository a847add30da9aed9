/* SPDX-License-Identifier: MIT
 * Lines by id: what is put is found, memory grows with the ids that were learnt alone, and numbers that no
 * table can have are refused. */
#include "test_rival_support.h"

#include "rival/table.h"
#include "support/meter.h"

enum { IDS = 5000, FAR = 1000003 };

/* Ids in no order, of which many share a page and chunks follow the first one. */
static int64_t id_of(int64_t k)
{
    return (k * 7919 + 13) % FAR;
}

static void put_line(weft__table *table, int64_t id, int64_t value)
{
    assert_null(weft__table_line(table, id));
    assert_int_equal(weft__table_reserve(table, id, NULL), WEFT_OK);
    int64_t *line = weft__table_add(table, id);
    assert_true(line[0] == 0 && line[2] == 0);
    line[0] = line[2] = value;
}

static void assert_line(const weft__table *table, int64_t id, int64_t value)
{
    const int64_t *line = weft__table_line(table, id);
    assert_non_null(line);
    assert_true(line[0] == value && line[1] == 0 && line[2] == value);
}

static void lines_stay_what_they_are(void **state)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__table table = weft__table_of(3 * sizeof(int64_t), &memory);
    assert_int_equal(weft__slots_next(&table.slots, 0), -1);
    for (int64_t k = 0; k < IDS; k++)
        put_line(&table, id_of(k), k + 1);
    for (int64_t k = 0; k < IDS; k++)
        assert_line(&table, id_of(k), k + 1);
    assert_null(weft__table_line(&table, id_of(IDS)));
    int64_t found = 0, last = -1;
    for (int64_t id = weft__slots_next(&table.slots, 0); id >= 0; found++) {
        assert_true(id > last);
        last = id;
        id = weft__slots_next(&table.slots, id + 1);
    }
    assert_int_equal(found, IDS);
    assert_true(weft__table_bytes(&table) == IDS * 28.0);
    weft__table_free(&table);
    assert_null(weft__table_line(&table, id_of(0)));
    assert_true(weft__table_bytes(&table) == 0);
    put_line(&table, 3, 9);
    assert_line(&table, 3, 9);
    weft__table_free(&table);
}

/* Room that was made for several lines at once is there for all of them. */
static void room_adds_up(void **state)
{
    meter own = {0};
    weft_memory memory = meter_hook(&own);
    weft__table table = weft__table_of(3 * sizeof(int64_t), &memory);
    for (int64_t k = 0; k < IDS; k++)
        assert_int_equal(weft__table_reserve(&table, id_of(k), NULL), WEFT_OK);
    int64_t used = own.used;
    for (int64_t k = 0; k < IDS; k++)
        weft__table_add(&table, id_of(k));
    assert_int_equal(own.used, used);
    weft__table_free(&table);
    assert_int_equal(own.used, 0);
}

static void ids_get_other_numbers(void **state)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__table table = weft__table_of(3 * sizeof(int64_t), &memory);
    int64_t *to = malloc(FAR * sizeof *to);
    assert_non_null(to);
    for (int64_t i = 0; i < FAR; i++)
        to[i] = FAR - 1 - i;
    weft__numbers numbers = {{to, to}, {FAR, FAR}};
    for (int64_t k = 0; k < IDS; k++)
        put_line(&table, id_of(k), k + 1);
    assert_int_equal(weft__table_renumber(&table, 0, &numbers, NULL), WEFT_OK);
    for (int64_t k = 0; k < IDS; k++)
        assert_line(&table, FAR - 1 - id_of(k), k + 1);
    assert_int_equal(table.slots.count, IDS);
    put_line(&table, FAR, 1);
    weft_error error = {0};
    assert_fails(weft__table_renumber(&table, 0, &numbers, &error), WEFT_ARGUMENT, "has no number");
    assert_line(&table, FAR, 1);
    weft__table_free(&table);
    free(to);
}

static void numbers_without_room(void **state)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft_error error = {0};
    weft__table table = weft__table_of(8, &memory);
    assert_fails(weft__table_reserve(&table, WEFT__SLOTS_IDS, &error), WEFT_MEMORY, "id 4294967296");
    assert_int_equal(weft__table_reserve(&table, 1, &error), WEFT_OK);
    table.wanted = INT32_MAX;
    assert_fails(weft__table_reserve(&table, 2, &error), WEFT_MEMORY, "has room for");
    weft__table_free(&table);
}

/* One label about the last of a million ids: neither memory nor state know of the others. */
static void others_cost_nothing(void **state)
{
    static const weft_rival_kind kinds[] = {WEFT_RIVAL_ROW_MAJORITY, WEFT_RIVAL_BIAS,    WEFT_RIVAL_FACTORS,
                                            WEFT_RIVAL_SUM,          WEFT_RIVAL_PRODUCT, WEFT_RIVAL_HYBRID};
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(FAR, NULL, &side, NULL), WEFT_OK);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        meter own = {0};
        weft_memory memory = meter_hook(&own);
        weft_player *rival = NULL;
        size_t size = 0;
        assert_int_equal(
            weft_rival_create(side, side, &(weft_rival_settings){.kind = kinds[k]}, &memory, &rival, NULL),
            WEFT_OK);
        teach(rival, FAR - 1, FAR - 1, 1);
        assert_int_equal(weft_player_write(rival, NULL, &size, NULL), WEFT_OK);
        assert_true(size < 1024);
        assert_true(own.used < FAR / 2);
        weft_player_free(rival);
        assert_int_equal(own.used, 0);
    }
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_stay_what_they_are), cmocka_unit_test(room_adds_up),
        cmocka_unit_test(ids_get_other_numbers),    cmocka_unit_test(numbers_without_room),
        cmocka_unit_test(others_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
