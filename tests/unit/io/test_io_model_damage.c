/* SPDX-License-Identifier: MIT
 * Models that were cut, changed, or signed by somebody who lies; and models when
 * memory runs out. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_damage_support.h"

static void cut_everywhere(const test_sides *sides, bool one_set, bool embed)
{
    weft_model model = model_begin(sides, one_set, embed, 20);
    test_bytes whole = bytes_of(&model);
    for (size_t size = 0; size < whole.size; size++)
        refuse_cut(whole, size);
    free(whole.at);
    weft_model_close(&model);
}

static void a_cut_model_is_refused(void **state)
{
    test_sides sides = sides_begin();
    cut_everywhere(&sides, false, false);
    cut_everywhere(&sides, true, true);
    sides_end(&sides);
}

/* Every bit of every byte, and longer than it says. */
static void a_changed_model_is_refused(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    for (size_t at = 0; at < bytes.size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes.at[at] ^= (unsigned char)(1u << bit);
            assert_told(bytes, "");
            bytes.at[at] ^= (unsigned char)(1u << bit);
        }
        bytes.at[at] ^= 0xFF;
        assert_told(bytes, "");
        bytes.at[at] ^= 0xFF;
    }
    weft_model opened = {0};
    assert_int_equal(rebuild(bytes, NULL, &opened, NULL), WEFT_OK);
    weft_model_close(&opened);
    unsigned char *longer = calloc(bytes.size + 1, 1);
    assert_non_null(longer);
    memcpy(longer, bytes.at, bytes.size);
    assert_told((test_bytes){longer, bytes.size + 1}, "");
    free(longer);
    free(bytes.at);
    weft_model_close(&model);
    sides_end(&sides);
}

/* The same on the disk, where the command meets it. */
static void a_damaged_file_is_refused(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, false, 20), opened = {0};
    weft_error error = {0};
    test_bytes bytes = bytes_of(&model);
    for (size_t at = 0; at < bytes.size; at += 7) {
        bytes.at[at] ^= 0x10;
        test_file changed = file_of_bytes((const char *)bytes.at, bytes.size);
        bytes.at[at] ^= 0x10;
        test_file cut = file_of_bytes((const char *)bytes.at, at);
        assert_int_equal(weft_model_open(changed.path, NULL, &opened, &error), WEFT_MODEL);
        assert_int_equal(weft_model_open(cut.path, NULL, &opened, &error), WEFT_MODEL);
        unlink(changed.path);
        unlink(cut.path);
    }
    free(bytes.at);
    weft_model_close(&model);
    sides_end(&sides);
}

/* With the checksum mended a change may be one that means something (another
 * seed), but whatever opens can be used and written, and says what it was told. */
static void a_signed_lie_does_no_harm(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    int64_t opened_count = 0, refused = 0;
    dice d = {11};
    for (size_t at = 0; at + 16 < bytes.size; at++) {
        unsigned char before = bytes.at[at];
        bytes.at[at] = (unsigned char)(before ^ (1 + dice_below(&d, 255)));
        mend(bytes);
        weft_model opened = {0};
        weft_error error = {0};
        weft_status status = rebuild(bytes, NULL, &opened, &error);
        if (status == WEFT_OK) {
            assert_same_bytes(&opened, bytes);
            opened_count++;
        } else {
            assert_int_equal(status, WEFT_MODEL);
            assert_true(error.message[0] != 0);
            refused++;
        }
        weft_model_close(&opened);
        bytes.at[at] = before;
    }
    assert_true(opened_count > 20 && refused > 200);
    free(bytes.at);
    weft_model_close(&model);
    sides_end(&sides);
}

/* Lies that are seen only where they are looked for. */
static void a_signed_lie_is_seen(void **state)
{
    enum { CAPACITY = 8 * 9 };
    static const struct {
        const char *word;
        int64_t offset;
        char byte;
        const char *message;
    } lies[] = {
        {"r1 b\nr2", 3, 'a', "an embedded file has another digest"},
        {"r:", 1, '3', "an id is empty or listed twice"},
        {"r:", 0, 0, "an id is empty or listed twice"},
        {"r:", 2, 'x', "do not end where they should"},
        {"weftstat", CAPACITY, 0, "the state of the learner contradicts itself"},
        {"weftstat", CAPACITY, 2, "the state is damaged"},
        {"weftstat", -8, 1, "its length is not that of its learner"},
        {"weftmodl", 24, 3, "its head is out of range"},
        {"weftmodl", 39, -1, "its head is out of range"},
        {"classes:", 2, 0, "or has a zero byte"},
        {"classes:", 0, 'k', "does not fit"},
    };
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, true, 20);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++)
        refuse_lie(&model, lies[k].word, 0, lies[k].offset, lies[k].byte, lies[k].message);
    weft_model_close(&model);
    sides_end(&sides);
}

/* Behind the SPEC of a side: the ids that it lists, and the number of its files. */
static void a_signed_lie_about_a_side_is_seen(void **state)
{
    enum { LISTED = 0, FILES = 8 };
    static const struct {
        int64_t offset;
        char byte;
        const char *message;
    } lies[] = {
        {LISTED, 6, "are not all there"},
        {LISTED + 7, -1, "are not all there"},
        {LISTED, 3, "does not fit: the side information lists 4 ids, expected 3"},
        {LISTED, 5, "does not fit: the side information lists 4 ids, expected 5"},
        {FILES, 17, "the number of files is out of range"},
        {FILES + 7, -1, "the number of files is out of range"},
    };
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, true, 20);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++)
        refuse_lie(&model, sides.row_spec, 0, (int64_t)strlen(sides.row_spec) + lies[k].offset, lies[k].byte,
                   lies[k].message);
    weft_model_close(&model);
    sides_end(&sides);
}

/* A model that has lost what it knew of a file: its path, size and digest. */
static void a_lost_file_is_seen(void **state)
{
    enum { SIZE = 16 };
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, false, 20), opened = {0};
    weft_error error = {0};
    test_bytes bytes = bytes_of(&model);
    unsigned char *files = find(bytes, sides.row_spec, 0) + strlen(sides.row_spec) + 8;
    size_t lost = 8 + strlen(sides.rows.path) + 8 + 16;
    files[0] = 0;
    memmove(files + 8, files + 8 + lost, bytes.size - (size_t)(files + 8 - bytes.at) - lost);
    bytes.size -= lost;
    for (size_t k = 0; k < 8; k++)
        bytes.at[SIZE + k] = (unsigned char)(bytes.size >> (8 * k));
    mend(bytes);
    assert_int_equal(rebuild(bytes, NULL, &opened, &error), WEFT_MODEL);
    assert_non_null(strstr(error.message, "found 1 side files, expected 0"));
    free(bytes.at);
    weft_model_close(&model);
    sides_end(&sides);
}

/* A size that is far too large is refused before memory is asked for it. */
static void sizes_are_checked_first(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, true, 20);
    test_bytes bytes = bytes_of(&model);
    for (size_t at = 24; at + 24 < bytes.size; at++) {
        unsigned char before[8];
        test_alloc alloc;
        memcpy(before, bytes.at + at, 8);
        memcpy(bytes.at + at, (unsigned char[8]){0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0}, 8);
        mend(bytes);
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft_model_options options = {.files = {.memory = &memory}};
        weft_model opened = {0};
        weft_status status = weft__model_rebuild("m", bytes.at, bytes.size, &options, &opened, NULL);
        assert_true(status == WEFT_OK || status == WEFT_MODEL);
        weft_model_close(&opened);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_true(alloc.peak < 4000000);
        memcpy(bytes.at + at, before, 8);
    }
    free(bytes.at);
    weft_model_close(&model);
    sides_end(&sides);
}

/* ---- Memory ---- */

static void open_without_memory(const char *path, weft_model_options options, const weft_model *expected)
{
    test_alloc alloc;
    for (int64_t k = 0;; k++) {
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_model opened = {0};
        options.files.memory = &memory;
        weft_status status = weft_model_open(path, &options, &opened, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (status == WEFT_OK && expected != NULL)
            assert_same_model(&opened, expected);
        weft_model_close(&opened);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!alloc.failed)
            break;
    }
}

static void opening_survives_a_lack_of_memory(void **state)
{
    test_sides sides = sides_begin();
    for (int embed = 0; embed < 2; embed++) {
        weft_model model = model_begin(&sides, false, embed != 0, 20);
        test_bytes bytes = bytes_of(&model);
        test_file file = file_of_bytes((const char *)bytes.at, bytes.size);
        open_without_memory(file.path, (weft_model_options){0}, &model);
        open_without_memory(file.path, (weft_model_options){.look = true}, NULL);
        open_without_memory(file.path, (weft_model_options){.rows = sides.row_spec}, &model);
        unlink(file.path);
        free(bytes.at);
        weft_model_close(&model);
    }
    sides_end(&sides);
}

static void writing_survives_a_lack_of_memory(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, true, false, 20);
    test_bytes bytes = bytes_of(&model);
    test_file from = file_of_bytes((const char *)bytes.at, bytes.size), to = file_of("old");
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_model_options options = {.files = {.memory = &memory}};
    weft_model opened = {0}, again = {0};
    assert_int_equal(weft_model_open(from.path, &options, &opened, NULL), WEFT_OK);
    for (int64_t k = 0;; k++) {
        test_alloc_arm(&alloc, k);
        weft_status status = weft_model_write(to.path, &opened, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            break;
    }
    assert_int_equal(weft_model_open(to.path, NULL, &again, NULL), WEFT_OK);
    assert_same_model(&again, &model);
    weft_model_close(&again);
    weft_model_close(&opened);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    unlink(from.path);
    unlink(to.path);
    free(bytes.at);
    weft_model_close(&model);
    sides_end(&sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_model_is_refused),
        cmocka_unit_test(a_changed_model_is_refused),
        cmocka_unit_test(a_damaged_file_is_refused),
        cmocka_unit_test(a_signed_lie_does_no_harm),
        cmocka_unit_test(a_signed_lie_is_seen),
        cmocka_unit_test(a_signed_lie_about_a_side_is_seen),
        cmocka_unit_test(a_lost_file_is_seen),
        cmocka_unit_test(sizes_are_checked_first),
        cmocka_unit_test(opening_survives_a_lack_of_memory),
        cmocka_unit_test(writing_survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
