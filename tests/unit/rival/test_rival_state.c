/* SPDX-License-Identifier: MIT
 * The state of a rival: to the byte, to the bit, and nothing but a state is read. */
#include "test_rival_support.h"

#include "support/alloc.h"

static weft_player *read_back(const stage *s, const unsigned char *bytes, size_t size)
{
    weft_player *rival = NULL;
    weft_error error = {0};
    if (weft_rival_read(s->rows, s->columns, bytes, size, NULL, &rival, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return rival;
}

static weft_player *reborn(const stage *s, weft_player *rival)
{
    size_t size = 0;
    unsigned char *bytes = rival_bytes(rival, &size);
    weft_player *copy = read_back(s, bytes, size);
    assert_same_rival(rival, copy);
    free(bytes);
    return copy;
}

/* One goes through the stream; one is written and read, one cloned, before every
 * tenth trial. */
static void play_on(weft_rival_kind kind, known_kind side, bool one_set)
{
    stage s;
    stage_open(400 + (uint64_t)side, side, (known_kind)((side + 2) % KNOWN_KINDS), one_set, &s);
    weft_rival_settings settings = {.kind = kind, .rate = 0.3, .bits = 10, .factors = 3};
    weft_player *whole = rival_of(&s, &settings), *cut = rival_of(&s, &settings);
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        stage_admit(&s, t);
        int64_t i = s.row[t], j = s.column[t];
        if (t % 10 == 0) {
            weft_player *next = NULL;
            if (t % 20 == 0)
                next = reborn(&s, cut);
            else
                assert_int_equal(weft_player_clone(cut, &next, NULL), WEFT_OK);
            weft_player_free(cut);
            cut = next;
        }
        assert_true(ask(whole, i, j).score == ask(cut, i, j).score);
        teach(whole, i, j, s.label[t]);
        teach(cut, i, j, s.label[t]);
    }
    assert_same_rival(whole, cut);
    weft_rival_settings after = weft_rival_settings_of(cut);
    assert_true(after.kind == kind && after.rate == 0.3 && after.bits == 10 && after.factors == 3);
    weft_player_free(whole);
    weft_player_free(cut);
    stage_close(&s);
}

static void a_run_in_pieces_is_the_whole_run(void **state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int side = 0; side < KNOWN_KINDS; side++)
            for (int one_set = 0; one_set < 2; one_set++)
                play_on((weft_rival_kind)kind, (known_kind)side, one_set);
}

/* ---- damage ---- */

static void open_taught(stage *s, weft_rival_kind kind, bool one_set, weft_player **rival)
{
    stage_open(12, KNOWN_GAUSSIAN, KNOWN_CLASSES, one_set, s);
    *rival = rival_of(s, &(weft_rival_settings){.kind = kind, .rate = 0.5, .bits = 6, .factors = 2});
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        stage_admit(s, t);
        if (t % 4 == 0)
            teach(*rival, s->row[t], s->column[t], s->label[t]);
    }
}

/* What is not refused is a state: it is written as it was read, and can be used. */
static void read_damaged(const stage *s, const unsigned char *bytes, size_t size, int64_t *refusals)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_error error = {0};
    weft_player *rival = NULL;
    weft_status status = weft_rival_read(s->rows, s->columns, bytes, size, &memory, &rival, &error);
    if (status != WEFT_OK) {
        assert_int_equal(status, WEFT_MODEL);
        assert_int_equal(error.status, WEFT_MODEL);
        assert_null(rival);
        *refusals += 1;
    } else {
        size_t after = 0;
        unsigned char *again = rival_bytes(rival, &after);
        assert_int_equal(size, after);
        assert_memory_equal(bytes, again, size);
        teach(rival, 1, 2, 1);
        free(again);
    }
    weft_player_free(rival);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void damage(weft_rival_kind kind, bool one_set)
{
    stage s;
    weft_player *rival = NULL;
    size_t size = 0;
    int64_t refusals = 0;
    open_taught(&s, kind, one_set, &rival);
    unsigned char *bytes = rival_bytes(rival, &size);
    for (size_t k = 0; k < size; k++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[k] ^= (unsigned char)(1 << bit);
            read_damaged(&s, bytes, size, &refusals);
            bytes[k] ^= (unsigned char)(1 << bit);
        }
    /* At least the magic number, the version, the kind, and that of the sets. */
    assert_true(refusals > 200);
    refusals = 0;
    for (size_t k = 0; k < size; k++)
        read_damaged(&s, bytes, k, &refusals);
    assert_int_equal(refusals, size);
    unsigned char *longer = calloc(size + 8, 1);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    read_damaged(&s, longer, size + 8, &refusals);
    assert_int_equal(refusals, size + 1);
    free(longer);
    free(bytes);
    weft_player_free(rival);
    stage_close(&s);
}

static void every_damage_is_noticed_or_harmless(void **state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            damage((weft_rival_kind)kind, one_set);
}

/* A state is of its sides: of their number, and of no fewer ids. */
static void other_sides_are_refused(void **state)
{
    for (int kind = WEFT_RIVAL_ROW_MAJORITY; kind < WEFT_RIVALS; kind++) {
        stage s;
        weft_player *rival = NULL, *none = NULL;
        weft_side *few = NULL;
        weft_error error = {0};
        size_t size = 0;
        open_taught(&s, (weft_rival_kind)kind, false, &rival);
        unsigned char *bytes = rival_bytes(rival, &size);
        assert_fails(weft_rival_read(s.rows, NULL, bytes, size, NULL, &none, &error), WEFT_MODEL,
                     "one set of ids");
        assert_int_equal(weft_side_none(1, NULL, &few, NULL), WEFT_OK);
        if (kind != WEFT_RIVAL_LOGISTIC && kind != WEFT_RIVAL_CROSSED)
            assert_fails(weft_rival_read(few, few, bytes, size, NULL, &none, &error), WEFT_MODEL, "damaged");
        else
            assert_fails(weft_rival_read(few, few, bytes, size, NULL, &none, &error), WEFT_MODEL,
                         "its features are not those");
        assert_null(none);
        weft_side_free(few);
        free(bytes);
        weft_player_free(rival);
        stage_close(&s);
    }
}

static void a_small_buffer_is_refused(void **state)
{
    stage s;
    weft_player *rival = NULL;
    weft_error error = {0};
    unsigned char byte = 7;
    size_t size = 1;
    open_taught(&s, WEFT_RIVAL_SQUARE, false, &rival);
    assert_fails(weft_player_write(rival, &byte, &size, &error), WEFT_ARGUMENT, "the buffer has 1 bytes");
    assert_int_equal(size, 1);
    assert_int_equal(byte, 7);
    weft_player_free(rival);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_in_pieces_is_the_whole_run),
        cmocka_unit_test(every_damage_is_noticed_or_harmless),
        cmocka_unit_test(other_sides_are_refused),
        cmocka_unit_test(a_small_buffer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
