/* SPDX-License-Identifier: MIT
 * A model remembers what was drawn beside its events, so that probabilities are corrected as before. */
#define _POSIX_C_SOURCE 200809L

#include "base/digest.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

#include <stdlib.h>
#include <string.h>

/* Places of the version and of what was drawn: behind magic, version, size and five fields of the model. */
enum { VERSION_AT = 8, COUNT_AT = 64, IDS_AT = 80, CHECKSUM = 16 };

static const weft_negatives how = {.count = 4, .seed = UINT64_C(0xfedcba9876543210), .ids = 8};

static weft_player *player_of(bool one_set)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    assert_int_equal(weft_roster_from_names(9, NULL, NULL, &rows, NULL), WEFT_OK);
    if (!one_set)
        assert_int_equal(weft_roster_from_names(9, NULL, NULL, &columns, NULL), WEFT_OK);
    assert_int_equal(weft_player_create(rows, columns, NULL, &player, NULL), WEFT_OK);
    return player;
}

static unsigned char *bytes_of(const weft_player *player, size_t *size)
{
    *size = 0;
    assert_int_equal(weft_player_to_bytes(player, NULL, size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_to_bytes(player, bytes, size, NULL), WEFT_OK);
    return bytes;
}

static void assert_drawn(const weft_player *player, weft_negatives expected)
{
    weft_negatives found = weft_player_negatives(player);
    assert_true(found.count == expected.count && found.seed == expected.seed && found.ids == expected.ids &&
                found.one_set == expected.one_set);
}

static void kept_with_the_model(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++) {
        weft_player *player = player_of(one_set), *opened = NULL, *copy = NULL;
        weft_negatives mine = how;
        uint64_t plain[2], drawn[2];
        size_t size = 0;
        unsigned char *bytes = bytes_of(player, &size);
        assert_int_equal(bytes[VERSION_AT], 2);
        free(bytes);
        mine.one_set = one_set;
        assert_drawn(player, (weft_negatives){0});
        assert_int_equal(weft_player_digest(player, plain, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn_event(player, &mine, (const int64_t[]){1, 3}, NULL, NULL, NULL),
                         WEFT_OK);
        assert_int_equal(weft_player_set_negatives(player, &mine, NULL), WEFT_OK);
        assert_int_equal(weft_player_digest(player, drawn, NULL), WEFT_OK);
        bytes = bytes_of(player, &size);
        assert_int_equal(bytes[VERSION_AT], 3);
        assert_int_equal(weft_player_from_bytes(bytes, size, NULL, &opened, NULL), WEFT_OK);
        assert_drawn(opened, mine);
        assert_int_equal(weft_player_clone(opened, &copy, NULL), WEFT_OK);
        assert_drawn(copy, mine);
        assert_memory_not_equal(plain, drawn, sizeof plain);
        weft_player_free(copy);
        weft_player_free(opened);
        weft_player_free(player);
        free(bytes);
    }
}

/* Two that have learnt the same, but answer in other terms, are not the same. */
static void part_of_the_digest(void **state)
{
    weft_player *player = player_of(false);
    weft_negatives other = how;
    uint64_t digest[3][2];
    assert_int_equal(weft_player_digest(player, digest[0], NULL), WEFT_OK);
    assert_int_equal(weft_player_set_negatives(player, &how, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(player, digest[1], NULL), WEFT_OK);
    other.ids = 7;
    assert_int_equal(weft_player_set_negatives(player, &other, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(player, digest[2], NULL), WEFT_OK);
    assert_memory_not_equal(digest[0], digest[1], sizeof digest[0]);
    assert_memory_not_equal(digest[1], digest[2], sizeof digest[0]);
    weft_player_free(player);
}

static void refused(void **state)
{
    weft_player *player = player_of(false);
    weft_negatives odd = how;
    odd.one_set = true;
    assert_int_equal(weft_player_set_negatives(player, &odd, NULL), WEFT_ARGUMENT);
    odd = how;
    odd.ids = 10;
    assert_int_equal(weft_player_set_negatives(player, &odd, NULL), WEFT_ARGUMENT);
    odd = how;
    odd.count = WEFT_NEGATIVES_LIMIT + 1;
    assert_int_equal(weft_player_set_negatives(player, &odd, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_player_set_negatives(player, NULL, NULL), WEFT_ARGUMENT);
    assert_drawn(player, (weft_negatives){0});
    weft_player_free(player);
}

static void put(unsigned char *bytes, size_t size, size_t at, int64_t value)
{
    for (int k = 0; k < 8; k++)
        bytes[at + (size_t)k] = (unsigned char)((uint64_t)value >> (8 * k));
    weft__digest sum = weft__digest_of(bytes, size - CHECKSUM);
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < 8; k++)
            bytes[size - CHECKSUM + (size_t)(8 * half + k)] = (unsigned char)(sum.half[half] >> (8 * k));
}

/* Signed again by somebody. */
static void damaged(void **state)
{
    static const struct {
        size_t at;
        int64_t value;
    } odd[] = {
        {COUNT_AT, 0}, {COUNT_AT, -1}, {COUNT_AT, WEFT_NEGATIVES_LIMIT + 1}, {IDS_AT, -1}, {IDS_AT, 10}};
    weft_player *player = player_of(false), *opened = NULL;
    assert_int_equal(weft_player_set_negatives(player, &how, NULL), WEFT_OK);
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        size_t size = 0;
        unsigned char *bytes = bytes_of(player, &size);
        put(bytes, size, odd[k].at, odd[k].value);
        assert_int_equal(weft_player_from_bytes(bytes, size, NULL, &opened, NULL), WEFT_MODEL);
        put(bytes, size, odd[k].at, odd[k].at == COUNT_AT ? 5 : 9);
        assert_int_equal(weft_player_from_bytes(bytes, size, NULL, &opened, NULL), WEFT_OK);
        assert_int_equal(weft_player_negatives(opened).count, odd[k].at == COUNT_AT ? 5 : 4);
        weft_player_free(opened);
        free(bytes);
    }
    weft_player_free(player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_with_the_model),
        cmocka_unit_test(part_of_the_digest),
        cmocka_unit_test(refused),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
