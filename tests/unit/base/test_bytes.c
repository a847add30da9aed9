/* SPDX-License-Identifier: MIT
 * Numbers there and back, and a source that runs dry. */
#include "unit/test_core_support.h"

#include "base/bytes.h"

static void integers_are_little_endian(void **state)
{
    unsigned char buffer[16] = {0};
    weft__encoder writer = {buffer, 0};
    weft__put_integer(&writer, INT64_C(0x0123456789abcdef));
    weft__put_integer(&writer, -2);
    static const unsigned char expected[16] = {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01,
                                               0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    assert_int_equal(writer.size, 16);
    assert_memory_equal(buffer, expected, 16);
}

static void numbers_come_back(void **state)
{
    static const int64_t integers[] = {0, 1, -1, INT64_MAX, INT64_MIN, 255, 256, -256};
    static const double doubles[] = {0.0, -0.0, 1.5, -1e308, 5e-324, INFINITY, 1.0 / 3};
    unsigned char buffer[256];
    weft__encoder writer = {buffer, 0};
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++)
        weft__put_integer(&writer, integers[k]);
    for (size_t k = 0; k < sizeof doubles / sizeof *doubles; k++)
        weft__put_double(&writer, doubles[k]);
    weft__decoder reader = {buffer, writer.size, false};
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++)
        assert_true(weft__get_integer(&reader) == integers[k]);
    for (size_t k = 0; k < sizeof doubles / sizeof *doubles; k++) {
        double back = weft__get_double(&reader);
        assert_memory_equal(&back, &doubles[k], sizeof back);
    }
    assert_int_equal(reader.left, 0);
    assert_false(reader.failed);
}

static void a_sink_without_a_buffer_counts(void **state)
{
    weft__encoder writer = {NULL, 0};
    for (int k = 0; k < 5; k++) {
        weft__put_integer(&writer, k);
        weft__put_double(&writer, k);
    }
    assert_int_equal(writer.size, 80);
}

static void a_dry_source_stays_failed(void **state)
{
    unsigned char buffer[24];
    memset(buffer, 0xff, sizeof buffer);
    for (size_t left = 0; left < 8; left++) {
        weft__decoder reader = {buffer, left, false};
        assert_true(weft__get_integer(&reader) == 0);
        assert_true(reader.failed);
        reader.left = sizeof buffer;
        assert_true(weft__get_double(&reader) == 0);
        assert_true(reader.failed);
    }
    weft__decoder reader = {buffer, 15, false};
    assert_true(weft__get_integer(&reader) == -1);
    assert_false(reader.failed);
    assert_true(weft__get_integer(&reader) == 0);
    assert_true(reader.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_little_endian),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(a_sink_without_a_buffer_counts),
        cmocka_unit_test(a_dry_source_stays_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
