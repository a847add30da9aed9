/* SPDX-License-Identifier: MIT
 * The eigenvectors that a model keeps: taken as they stand, checked, damaged, missing, without memory. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_damage_support.h"

/* A ring, whose eigenvalues repeat: 3 coordinates and 2 signs, so that an id has 4 stored numbers. */
enum { LISTED = 6, EXACT = 3, WIDTH = EXACT + 1, VERSION_AT = 8, SIZE_AT = 16 };

typedef struct ring {
    test_file file;
    char spec[160];
} ring;

/* The last row is in no file. */
static const test_names names = {LISTED + 1, LISTED, "r"};

static ring ring_begin(void)
{
    ring made = {.file = file_of("r0 r1\nr1 r2\nr2 r3\nr3 r4\nr4 r5\nr5 r0\n")};
    snprintf(made.spec, sizeof made.spec, "graph:%s,missing=alone,map=eigen:%d+hash:2", made.file.path,
             EXACT);
    return made;
}

static weft_model ring_model(const ring *of, weft_engine engine, bool one_set, bool embed, int64_t trials)
{
    weft_model model = {.horizon = 50, .language = {.labels = WEFT_LABELS_SIGNED}, .embed = embed};
    weft_error error = {0};
    model.rows = built(of->spec, embed);
    if (!one_set)
        model.columns = built("none,map=hash:4", embed);
    weft_settings settings = weft_settings_default(LISTED + 1, one_set ? 0 : LISTED, 50);
    settings.engine = engine;
    if (weft_learner_create(weft_roster_side(model.rows), one_set ? NULL : weft_roster_side(model.columns),
                            &settings, NULL, &model.player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    play_names(&model, &names, trials);
    return model;
}

/* Where the sizes of the first table stand; the numbers follow. */
static unsigned char *find_table(test_bytes bytes)
{
    const unsigned char sizes[16] = {LISTED, 0, 0, 0, 0, 0, 0, 0, WIDTH};
    for (size_t at = 0; at + sizeof sizes <= bytes.size; at++)
        if (memcmp(bytes.at + at, sizes, sizeof sizes) == 0)
            return bytes.at + at;
    fail_msg("there is no table");
    return NULL;
}

static void put(unsigned char *at, uint64_t value)
{
    for (int k = 0; k < 8; k++)
        at[k] = (unsigned char)(value >> (8 * k));
}

static void put_number(unsigned char *table, int64_t place, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put(table + 16 + 8 * place, bits);
}

/* Takes `count` bytes away from `at` on, and makes size and checksum right. */
static void cut_out(test_bytes *bytes, unsigned char *at, size_t count)
{
    memmove(at, at + count, bytes->size - (size_t)(at - bytes->at) - count);
    bytes->size -= count;
    put(bytes->at + SIZE_AT, bytes->size);
    mend(*bytes);
}

/* The model as version 1 had it: no sizes of tables, and no table. */
static void make_old(test_bytes *bytes, bool one_set)
{
    unsigned char *table = find_table(*bytes);
    put(bytes->at + VERSION_AT, 1);
    cut_out(bytes, table, 16 + 8 * LISTED * WIDTH);
    if (one_set)
        return;
    /* Behind the last of the names of the columns. */
    for (unsigned char *at = bytes->at + bytes->size - 8; at > bytes->at; at--)
        if (memcmp(at, "weftstat", 8) == 0) {
            cut_out(bytes, at - 8 - 16, 16);
            return;
        }
    fail_msg("there is no state");
}

static void it_continues_to_the_bit(void **state)
{
    ring of = ring_begin();
    for (int k = 0; k < 8; k++) {
        weft_engine engine = k / 4 != 0 ? WEFT_KRYLOV : WEFT_COMPACT;
        bool one_set = k % 2 != 0, embed = k / 2 % 2 != 0;
        weft_model whole = ring_model(&of, engine, one_set, embed, 60), opened = {0};
        weft_model part = ring_model(&of, engine, one_set, embed, 23);
        weft_error error = {0};
        test_bytes bytes = bytes_of(&part);
        if (rebuild(bytes, NULL, &opened, &error) != WEFT_OK)
            fail_msg("%s", error.message);
        assert_same_model(&opened, &part);
        play_names(&opened, &names, 37);
        assert_same_model(&opened, &whole);
        free(bytes.at);
        weft_model_close(&whole);
        weft_model_close(&part);
        weft_model_close(&opened);
    }
    unlink(of.file.path);
}

/* Another basis of the same eigenspaces, as another machine finds it: the model's is taken, not its own. */
static void the_basis_of_the_model_is_taken(void **state)
{
    ring of = ring_begin();
    weft_model model = ring_model(&of, WEFT_COMPACT, false, false, 20), opened = {0};
    test_bytes bytes = bytes_of(&model);
    unsigned char *table = find_table(bytes);
    double before[EXACT + 2], after[EXACT + 2];
    for (int64_t i = 0; i < LISTED; i++) {
        assert_int_equal(weft_side_features(weft_roster_side(model.rows), i, before, NULL), WEFT_OK);
        put_number(table, i * EXACT + 1, -before[2]);
        put_number(table, i * EXACT + 2, before[1]);
    }
    mend(bytes);
    assert_int_equal(rebuild(bytes, NULL, &opened, NULL), WEFT_OK);
    for (int64_t i = 0; i < LISTED; i++) {
        assert_int_equal(weft_side_features(weft_roster_side(model.rows), i, before, NULL), WEFT_OK);
        assert_int_equal(weft_side_features(weft_roster_side(opened.rows), i, after, NULL), WEFT_OK);
        assert_true(after[0] == before[0] && after[1] == -before[2] && after[2] == before[1]);
        assert_true(after[3] == before[3] && after[4] == before[4]);
    }
    assert_same_bytes(&opened, bytes);
    free(bytes.at);
    weft_model_close(&opened);
    weft_model_close(&model);
    unlink(of.file.path);
}

/* Numbers that no kernel has, in a model whose checksum is right. */
static void a_wrong_number_is_seen(void **state)
{
    static const struct {
        int64_t place;
        double value;
        const char *message;
    } lies[] = {
        {0, NAN, "a feature is no finite number"},
        {LISTED * WIDTH - 1, INFINITY, "a feature is no finite number"},
        {4, 30, "graph: the stored features of id 1 have the square 900"},
        {4, 1e200, "graph: the stored features of id 1 have the square inf"},
        {LISTED * EXACT + 2, -1e-9, "graph: the stored features of id 2"},
        {LISTED * EXACT + 5, 30, "graph: the stored features of id 5"},
    };
    ring of = ring_begin();
    weft_model model = ring_model(&of, WEFT_COMPACT, false, true, 20);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        test_bytes bytes = bytes_of(&model);
        put_number(find_table(bytes), lies[k].place, lies[k].value);
        mend(bytes);
        assert_told(bytes, lies[k].message);
        free(bytes.at);
    }
    weft_model_close(&model);
    unlink(of.file.path);
}

static void a_wrong_size_is_seen(void **state)
{
    static const struct {
        uint64_t ids, width;
        const char *message;
    } lies[] = {
        {WIDTH, LISTED, "are 4 ids x 6 numbers; expected 6 x 4"},
        {LISTED * WIDTH, 1, "are 24 ids x 1 numbers; expected 6 x 4"},
        {0, WIDTH, "longer than the file, or has no numbers"},
        {LISTED, 0, "longer than the file, or has no numbers"},
        {LISTED, UINT64_MAX, "longer than the file, or has no numbers"},
        {UINT64_MAX, WIDTH, "longer than the file, or has no numbers"},
        {UINT64_C(1) << 62, WIDTH, "longer than the file, or has no numbers"},
        {LISTED, UINT64_C(1) << 62, "longer than the file, or has no numbers"},
        {1000, WIDTH, "longer than the file, or has no numbers"},
    };
    ring of = ring_begin();
    weft_model model = ring_model(&of, WEFT_COMPACT, false, true, 20);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        test_bytes bytes = bytes_of(&model);
        unsigned char *table = find_table(bytes);
        put(table, lies[k].ids);
        put(table + 8, lies[k].width);
        mend(bytes);
        assert_told(bytes, lies[k].message);
        free(bytes.at);
    }
    weft_model_close(&model);
    unlink(of.file.path);
}

static void a_table_must_be_where_the_spec_asks_for_one(void **state)
{
    ring of = ring_begin();
    weft_model model = ring_model(&of, WEFT_KRYLOV, false, false, 20);
    test_bytes bytes = bytes_of(&model);
    unsigned char *table = find_table(bytes);
    put(table, 0);
    put(table + 8, 0);
    cut_out(&bytes, table + 16, 8 * LISTED * WIDTH);
    assert_told(bytes, "the model was written without the eigenvectors of map=eigen");
    free(bytes.at);
    bytes = bytes_of(&model);
    unsigned char *map = bytes.at;
    while (memcmp(map, ",map=eigen:3+hash:2", 19) != 0)
        map++;
    memcpy(map, ",radius=00000000009", 19);
    mend(bytes);
    assert_told(bytes, "it holds eigenvectors, but its SPEC has no map=eigen");
    free(bytes.at);
    weft_model_close(&model);
    unlink(of.file.path);
}

/* A state in coordinates that version 1 did not keep is refused; one of pairs needs none. */
static void an_old_model_is_read_where_it_can_be(void **state)
{
    ring of = ring_begin();
    for (int k = 0; k < 4; k++) {
        weft_engine engine = k / 2 != 0 ? WEFT_KRYLOV : WEFT_COMPACT;
        weft_model model = ring_model(&of, engine, k % 2 != 0, false, 20), opened = {0}, seen = {0};
        const weft_model_options look = {.look = true};
        test_bytes bytes = bytes_of(&model);
        make_old(&bytes, k % 2 != 0);
        assert_int_equal(rebuild(bytes, &look, &seen, NULL), WEFT_OK);
        assert_int_equal(weft_player_counters(seen.player).t, 20);
        if (engine == WEFT_COMPACT) {
            assert_told(bytes,
                        "m: the model was written without the eigenvectors of map=eigen, which cannot be "
                        "computed again to the same numbers: run its stream again");
        } else {
            assert_int_equal(rebuild(bytes, NULL, &opened, NULL), WEFT_OK);
            assert_same_model(&opened, &model);
        }
        free(bytes.at);
        weft_model_close(&seen);
        weft_model_close(&opened);
        weft_model_close(&model);
    }
    unlink(of.file.path);
}

static void damage_is_refused(void **state)
{
    ring of = ring_begin();
    weft_model model = ring_model(&of, WEFT_COMPACT, true, true, 20);
    test_bytes bytes = bytes_of(&model);
    refuse_all_damage(bytes);
    free(bytes.at);
    weft_model_close(&model);
    unlink(of.file.path);
}

/* Cut in the table, size and checksum made right. */
static void a_cut_table_is_refused(void **state)
{
    ring of = ring_begin();
    weft_model model = ring_model(&of, WEFT_COMPACT, true, true, 20);
    for (size_t lost = 1; lost <= 8 * LISTED * WIDTH; lost++) {
        test_bytes bytes = bytes_of(&model);
        unsigned char *table = find_table(bytes);
        cut_out(&bytes, table + 16 + 8 * LISTED * WIDTH - lost, lost);
        assert_told(bytes, "m: the model is damaged: ");
        free(bytes.at);
    }
    weft_model_close(&model);
    unlink(of.file.path);
}

static void a_lack_of_memory(void **state)
{
    ring of = ring_begin();
    weft_model model = ring_model(&of, WEFT_COMPACT, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    rebuild_without_memory(bytes, &model);
    free(bytes.at);
    weft_model_close(&model);
    unlink(of.file.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_continues_to_the_bit),
        cmocka_unit_test(the_basis_of_the_model_is_taken),
        cmocka_unit_test(a_wrong_number_is_seen),
        cmocka_unit_test(a_wrong_size_is_seen),
        cmocka_unit_test(a_table_must_be_where_the_spec_asks_for_one),
        cmocka_unit_test(an_old_model_is_read_where_it_can_be),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(a_cut_table_is_refused),
        cmocka_unit_test(a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
