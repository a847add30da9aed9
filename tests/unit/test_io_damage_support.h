/* SPDX-License-Identifier: MIT
 * Models that were damaged, or signed by somebody who lies, and models when memory runs out. */
#ifndef WEFT_TESTS_UNIT_TEST_IO_DAMAGE_SUPPORT_H
#define WEFT_TESTS_UNIT_TEST_IO_DAMAGE_SUPPORT_H

#include "unit/test_io_model_support.h"

/* The bytes are refused with these words, and nothing is made of them. */
static inline void assert_told(test_bytes bytes, const char *words)
{
    weft_model model = {0};
    weft_error error = {0};
    assert_int_equal(rebuild(bytes, NULL, &model, &error), WEFT_MODEL);
    assert_int_equal(error.status, WEFT_MODEL);
    assert_true(strlen(error.message) > 20);
    if (strncmp(error.message, "m: ", 3) != 0 || strstr(error.message, words) == NULL)
        fail_msg("found %s, expected m: ... %s", error.message, words);
    assert_null(model.rows);
    assert_null(model.player);
}

/* The first `size` bytes, in a block of this size, so that a sanitizer sees a step beyond it. */
static inline void refuse_cut(test_bytes bytes, size_t size)
{
    test_bytes part = {malloc(size + (size == 0)), size};
    assert_non_null(part.at);
    memcpy(part.at, bytes.at, size);
    assert_told(part, "");
    free(part.at);
}

/* Every bit of every byte, and every length. */
static inline void refuse_all_damage(test_bytes bytes)
{
    for (size_t at = 0; at < bytes.size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes.at[at] ^= (unsigned char)(1u << bit);
            assert_told(bytes, "");
            bytes.at[at] ^= (unsigned char)(1u << bit);
        }
        refuse_cut(bytes, at);
    }
}

/* Place number `which` of `word`, which is there. */
static inline unsigned char *find(test_bytes bytes, const char *word, int which)
{
    for (size_t at = 0; at + strlen(word) <= bytes.size; at++)
        if (memcmp(bytes.at + at, word, strlen(word)) == 0 && which-- == 0)
            return bytes.at + at;
    fail_msg("%s is not there", word);
    return NULL;
}

/* One byte is another one, `offset` behind the beginning of such a place, and the checksum is right. */
static inline void refuse_lie(const weft_model *model, const char *word, int which, int64_t offset, char byte,
                              const char *words)
{
    test_bytes bytes = bytes_of(model);
    find(bytes, word, which)[offset] = (unsigned char)byte;
    mend(bytes);
    assert_told(bytes, words);
    free(bytes.at);
}

/* A model that was read out of these bytes becomes them again. */
static inline void assert_same_bytes(const weft_model *opened, test_bytes bytes)
{
    test_bytes again = bytes_of(opened);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.at, bytes.at, bytes.size);
    free(again.at);
}

/* As a whole and to look, with every request of memory refused once. */
static inline void rebuild_without_memory(test_bytes bytes, const weft_model *expected)
{
    for (int look = 0; look < 2; look++)
        for (int64_t k = 0;; k++) {
            test_alloc alloc;
            weft_memory memory = test_alloc_begin(&alloc, k);
            weft_model_options options = {.look = look != 0, .files = {.memory = &memory}};
            weft_model opened = {0};
            weft_status status = rebuild(bytes, &options, &opened, NULL);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            if (status == WEFT_OK)
                assert_same_model(&opened, expected);
            weft_model_close(&opened);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
            if (!alloc.failed)
                break;
        }
}

#endif
