/* SPDX-License-Identifier: MIT
 * Models of the compact engine: to the bit, looked at, with another map, damaged, without memory. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_damage_support.h"

typedef struct compact_sides {
    test_file rows;
    char rows_spec[160];
    const char *columns_spec;
} compact_sides;

static const test_names names = {5, 8, "column "};

static compact_sides compact_begin(void)
{
    compact_sides sides = {.rows = file_of("r0 a\nr1 b\nr2 a\nr3 b\n"),
                           .columns_spec = "none,map=hash:4,seed=5,names=hashed"};
    snprintf(sides.rows_spec, sizeof sides.rows_spec, "classes:%s,epsilon=0.25,missing=alone,map=hash:3",
             sides.rows.path);
    return sides;
}

static weft_model compact_model(const compact_sides *sides, bool one_set, bool embed, int64_t trials)
{
    weft_model model = {.horizon = 50, .language = {.labels = WEFT_LABELS_SIGNED}, .embed = embed};
    weft_error error = {0};
    model.rows = built(one_set ? sides->columns_spec : sides->rows_spec, embed);
    if (!one_set)
        model.columns = built(sides->columns_spec, embed);
    weft_settings settings = weft_settings_default(9, one_set ? 0 : 8, 50);
    settings.engine = WEFT_COMPACT;
    settings.half_life = embed ? 30 : 0;
    const weft_side *columns = one_set ? NULL : weft_roster_side(model.columns);
    if (weft_learner_create(weft_roster_side(model.rows), columns, &settings, NULL, &model.player, &error) !=
        WEFT_OK)
        fail_msg("%s", error.message);
    play_names(&model, &names, trials);
    return model;
}

static void it_continues_to_the_bit(void **state)
{
    compact_sides sides = compact_begin();
    for (int k = 0; k < 4; k++) {
        weft_model whole = compact_model(&sides, k % 2 != 0, k / 2 != 0, 60);
        weft_model part = compact_model(&sides, k % 2 != 0, k / 2 != 0, 23), opened = {0};
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
    unlink(sides.rows.path);
}

static void a_look_knows_the_dimensions(void **state)
{
    compact_sides sides = compact_begin();
    unlink(sides.rows.path);
    sides.rows = file_of("r0 a\nr1 b\nr2 a\nr3 b\n");
    snprintf(sides.rows_spec, sizeof sides.rows_spec, "classes:%s,missing=alone,map=hash:3", sides.rows.path);
    weft_model model = compact_model(&sides, false, false, 20), seen = {0};
    test_bytes bytes = bytes_of(&model);
    const weft_model_options look = {.look = true};
    unlink(sides.rows.path);
    assert_int_equal(rebuild(bytes, &look, &seen, NULL), WEFT_OK);
    assert_int_equal(weft_side_dimension(weft_roster_side(seen.rows)), 5);
    assert_int_equal(weft_side_dimension(weft_roster_side(seen.columns)), 4);
    assert_int_equal(weft_ids_count(weft_roster_ids(seen.rows)), 5);
    assert_int_equal(weft_ids_count(weft_roster_ids(seen.columns)), 0);
    assert_int_equal(weft_learner_settings(seen.player).engine, WEFT_COMPACT);
    assert_int_equal(weft_player_counters(seen.player).t, 20);
    assert_int_equal(rebuild(bytes, NULL, &seen, NULL), WEFT_FILE);
    weft_model_close(&seen);
    free(bytes.at);
    weft_model_close(&model);
}

static void another_map_is_refused(void **state)
{
    static const char *const others[] = {"none,map=hash:4,seed=5", "none,map=hash:4,names=hashed",
                                         "none,map=hash:5,seed=5,names=hashed", "none"};
    compact_sides sides = compact_begin();
    weft_model model = compact_model(&sides, false, false, 20), opened = {0};
    test_bytes bytes = bytes_of(&model);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        weft_model_options options = {.columns = others[k]};
        weft_error error = {0};
        assert_int_equal(rebuild(bytes, &options, &opened, &error), WEFT_ARGUMENT);
        assert_non_null(strstr(error.message, "which contradicts the model"));
    }
    weft_model_options same = {.columns = "none,seed=5,names=hashed,map=hash:4"};
    assert_int_equal(rebuild(bytes, &same, &opened, NULL), WEFT_OK);
    weft_model_close(&opened);
    free(bytes.at);
    weft_model_close(&model);
    unlink(sides.rows.path);
}

static void damage_is_refused(void **state)
{
    compact_sides sides = compact_begin();
    weft_model model = compact_model(&sides, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    refuse_all_damage(bytes);
    free(bytes.at);
    weft_model_close(&model);
    unlink(sides.rows.path);
}

/* With the checksum mended: refused, or it is what it says and can be used. */
static void a_signed_lie_does_no_harm(void **state)
{
    compact_sides sides = compact_begin();
    weft_model model = compact_model(&sides, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    int64_t opened_count = 0, refused = 0;
    dice d = {12};
    for (size_t at = 0; at + 16 < bytes.size; at++) {
        unsigned char before = bytes.at[at];
        weft_model opened = {0}, seen = {0};
        const weft_model_options look = {.look = true};
        bytes.at[at] = (unsigned char)(before ^ (1 + dice_below(&d, 255)));
        mend(bytes);
        weft_status status = rebuild(bytes, NULL, &opened, NULL);
        weft_status looked = rebuild(bytes, &look, &seen, NULL);
        assert_true(looked == WEFT_OK || looked == WEFT_MODEL);
        if (status == WEFT_OK) {
            weft_answer prediction = {0};
            assert_same_bytes(&opened, bytes);
            assert_int_equal(weft_player_predict(opened.player, 0, 7, &prediction, NULL), WEFT_OK);
            assert_true(prediction.lower <= prediction.upper);
            opened_count++;
        } else {
            assert_int_equal(status, WEFT_MODEL);
            refused++;
        }
        weft_model_close(&opened);
        weft_model_close(&seen);
        bytes.at[at] = before;
    }
    assert_true(opened_count > 100 && refused > 200);
    free(bytes.at);
    weft_model_close(&model);
    unlink(sides.rows.path);
}

/* A SPEC or a state that asks for a matrix far larger than the file is refused before memory is. */
static void sizes_are_checked_first(void **state)
{
    compact_sides sides = compact_begin();
    sides.columns_spec = "none,map=hash:4,seed=00000,names=hashed";
    weft_model model = compact_model(&sides, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    unsigned char *at = NULL;
    for (size_t k = 0; k + 13 < bytes.size && at == NULL; k++)
        if (memcmp(bytes.at + k, "4,seed=00000,", 13) == 0)
            at = bytes.at + k;
    assert_non_null(at);
    memcpy(at, "4000,seed=00,", 13);
    mend(bytes);
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_model_options options = {.files = {.memory = &memory}};
    weft_model opened = {0};
    weft_error error = {0};
    assert_int_equal(rebuild(bytes, &options, &opened, &error), WEFT_MODEL);
    assert_non_null(strstr(error.message, "its features are not those of the side information"));
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    assert_true(alloc.peak < 1000000);
    free(bytes.at);
    weft_model_close(&model);
    unlink(sides.rows.path);
}

static void a_lack_of_memory(void **state)
{
    compact_sides sides = compact_begin();
    weft_model model = compact_model(&sides, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    rebuild_without_memory(bytes, &model);
    free(bytes.at);
    weft_model_close(&model);
    unlink(sides.rows.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_continues_to_the_bit),   cmocka_unit_test(a_look_knows_the_dimensions),
        cmocka_unit_test(another_map_is_refused),    cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(a_signed_lie_does_no_harm), cmocka_unit_test(sizes_are_checked_first),
        cmocka_unit_test(a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
