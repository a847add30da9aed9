/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "base/digest.h"

/* Values that other implementations of XXH3-128 publish. */
static void known_digests(void **state)
{
    weft__digest nothing = weft__digest_of("", 0);
    weft__digest text = weft__digest_of("abc", 3);
    assert_true(nothing.half[0] == UINT64_C(0x99aa06d3014798d8));
    assert_true(nothing.half[1] == UINT64_C(0x6001c324468d497f));
    assert_true(text.half[0] == UINT64_C(0x06b05ab6733a6185));
    assert_true(text.half[1] == UINT64_C(0x78af5f94892f3950));
    assert_false(weft__digest_equal(nothing, text));
}

static void pieces_make_the_whole(void **state)
{
    unsigned char bytes[3000];
    weft_memory memory = weft__memory_or_default(NULL);
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k * k / 7);
    for (size_t size = 0; size <= sizeof bytes; size += 37) {
        weft__digester *digester = NULL;
        assert_int_equal(weft__digester_create(&memory, &digester, NULL), WEFT_OK);
        for (size_t at = 0; at < size;) {
            size_t piece = at % 300 + 1 < size - at ? at % 300 + 1 : size - at;
            weft__digester_add(digester, bytes + at, piece);
            at += piece;
        }
        assert_true(weft__digest_equal(weft__digester_value(digester), weft__digest_of(bytes, size)));
        weft__digester_free(digester, &memory);
    }
    weft__digester_free(NULL, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_digests),
        cmocka_unit_test(pieces_make_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
