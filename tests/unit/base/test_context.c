/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "base/context.h"

#include <string.h>

static void values_are_words_of_their_field(void **state)
{
    uint64_t phone = weft_context_digest("device", "phone");
    assert_true(phone != 0);
    assert_true(phone == weft_context_digest("device", "phone"));
    assert_true(phone != weft_context_digest("device", "Phone"));
    assert_true(phone != weft_context_digest("screen", "phone"));
    assert_true(weft_context_digest("a", "b") != weft_context_digest("b", "a"));
    assert_true(weft_context_digest("hour", "7") != weft_context_digest("hour", "07"));
    assert_true(weft_context_digest("hour", "") == 0 && weft_context_digest("hour", NULL) == 0);
    assert_true(weft_context_digest(NULL, "7") == 0);
}

static weft__context context_of(int64_t count, uint64_t a, uint64_t b, uint64_t c)
{
    weft__context made = {0};
    const uint64_t digests[] = {a, b, c};
    assert_int_equal(weft__context_take(&made, digests, count, NULL), WEFT_OK);
    return made;
}

static void what_is_not_known_says_nothing(void **state)
{
    uint64_t values[WEFT_CONTEXT_LIMIT + 1], again[WEFT_CONTEXT_LIMIT + 1];
    weft__context none = context_of(0, 0, 0, 0), empty = context_of(3, 0, 0, 0);
    weft__context two = context_of(3, 5, 0, 7), longer = context_of(3, 5, 7, 0), one = context_of(1, 5, 0, 0);
    assert_false(weft__context_known(&none) || weft__context_known(&empty));
    assert_true(weft__context_known(&two) && weft__context_equal(&none, &empty));
    assert_false(weft__context_equal(&two, &longer));
    assert_int_equal(weft__context_values(&none, values), 0);
    assert_int_equal(weft__context_values(&empty, values), 0);
    assert_int_equal(weft__context_values(&one, values), 1);
    assert_int_equal(weft__context_values(&two, values), 3);
    assert_int_equal(weft__context_values(&longer, again), 3);
    assert_memory_equal(values, again, 3 * sizeof *values);
    assert_true(values[0] == 5 && values[1] == 7 && values[2] != 5 && values[2] != 7);
    weft__context swapped = context_of(2, 7, 5, 0);
    assert_int_equal(weft__context_values(&swapped, again), 3);
    assert_true(values[2] != again[2]);
}

static void too_many_are_refused(void **state)
{
    uint64_t digests[WEFT_CONTEXT_LIMIT + 1] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    weft__context kept = context_of(1, 4, 0, 0);
    weft_error error = {0};
    assert_int_equal(weft__context_take(&kept, digests, WEFT_CONTEXT_LIMIT + 1, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "a context of 9 fields, expected 0 to 8");
    assert_int_equal(weft__context_take(&kept, digests, -1, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft__context_take(&kept, NULL, 1, NULL), WEFT_ARGUMENT);
    assert_true(kept.count == 1 && kept.of[0] == 4);
    assert_int_equal(weft__context_take(&kept, digests, WEFT_CONTEXT_LIMIT, NULL), WEFT_OK);
    assert_int_equal(weft__context_take(&kept, NULL, 0, NULL), WEFT_OK);
    assert_true(kept.count == 0 && kept.of[0] == 0 && kept.of[7] == 0);
}

static void bytes_and_back(void **state)
{
    unsigned char bytes[8 * (2 + WEFT_CONTEXT_LIMIT)];
    for (int64_t count = 0; count <= 3; count++) {
        weft__context put = context_of(count, 1, 0, UINT64_MAX), got;
        weft__encoder w = {bytes, 0};
        weft__context_put(&put, &w);
        assert_int_equal(w.size, 8 * (1 + count));
        weft__decoder r = {bytes, w.size, false}, cut = {bytes, w.size - 1, false};
        assert_true(weft__context_get(&got, &r) && r.left == 0);
        assert_memory_equal(&put, &got, sizeof put);
        assert_false(weft__context_get(&got, &cut));
    }
    for (int64_t count = -1; count <= WEFT_CONTEXT_LIMIT + 1; count += WEFT_CONTEXT_LIMIT + 2) {
        weft__context got;
        weft__encoder w = {bytes, 0};
        weft__put_integer(&w, count);
        weft__decoder r = {bytes, sizeof bytes, false};
        assert_false(weft__context_get(&got, &r));
    }
}

static void names_are_looked_at(void **state)
{
    weft_context_fields fields = {.count = 2, .name = {"device", "hour"}}, other = fields;
    weft_error error = {0};
    assert_int_equal(weft__context_check_fields(&fields, NULL), WEFT_OK);
    assert_true(weft__context_fields_equal(&fields, &other));
    other.count = 1;
    assert_false(weft__context_fields_equal(&fields, &other));
    other = (weft_context_fields){.count = 2, .name = {"hour", "device"}};
    assert_false(weft__context_fields_equal(&fields, &other));
    strcpy(fields.name[1], "device");
    assert_int_equal(weft__context_check_fields(&fields, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "the context has the field 'device' twice");
    fields.name[1][0] = 0;
    assert_int_equal(weft__context_check_fields(&fields, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "field 2 of the context has no name of 1 to 63 bytes");
    memset(fields.name[1], 'x', sizeof fields.name[1]);
    assert_int_equal(weft__context_check_fields(&fields, NULL), WEFT_ARGUMENT);
    fields.count = WEFT_CONTEXT_LIMIT + 1;
    assert_int_equal(weft__context_check_fields(&fields, NULL), WEFT_ARGUMENT);
    fields.count = -1;
    assert_int_equal(weft__context_check_fields(&fields, NULL), WEFT_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_words_of_their_field),
        cmocka_unit_test(what_is_not_known_says_nothing),
        cmocka_unit_test(too_many_are_refused),
        cmocka_unit_test(bytes_and_back),
        cmocka_unit_test(names_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
