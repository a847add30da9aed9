/* SPDX-License-Identifier: MIT
 * What people are shown of text that somebody else wrote. */
#include "unit/test_core_support.h"

#include "base/show.h"
#include "base/status.h"

static void what_can_be_read_stays(void **state)
{
    static const char *const texts[] = {
        "", "a b", "\\x1b", "caf\xC3\xA9", "\xE6\x97\xA5\xE6\x9C\xAC", "\xF0\x9F\x98\x80", "'\"`$"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        assert_string_equal(weft_show(texts[k]).text, texts[k]);
}

static void what_a_terminal_would_obey_is_escaped(void **state)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"\x1B[2J", "\\x1b[2J"},
        {"a\nb\r\tc", "a\\nb\\r\\tc"},
        {"\x01\x7F", "\\x01\\x7f"},
        {"\xC2\x9B"
         "31m",
         "\\x9b31m"}, /* C1, as UTF-8 */
        {"\x9B"
         "31m",
         "\\x9b31m"}, /* and as a byte */
        {"\xE2\x80\xAE"
         "abc",
         "\\u202eabc"}, /* turns the direction */
        {"a\xE2\x80\x8B"
         "b\xEF\xBB\xBF",
         "a\\u200bb\\ufeff"},                         /* no width */
        {"\xF3\xA0\x81\x81", "\\U000e0041"},          /* a tag */
        {"caf\xE9", "caf\\xe9"},                      /* Latin-1 */
        {"\xC0\xAF", "\\xc0\\xaf"},                   /* too long a form of '/' */
        {"\xED\xA0\x80", "\\xed\\xa0\\x80"},          /* half of a pair of UTF-16 */
        {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
        {"\xF8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
        {"\xE6\x97", "\\xe6\\x97"}, /* cut short */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        weft_shown once = weft_show(cases[k].text);
        assert_string_equal(once.text, cases[k].shown);
        assert_string_equal(weft_show(once.text).text, cases[k].shown);
    }
}

/* Whatever the size, the result fits, ends in dots where it was cut, and has no part of a character. */
static void long_text_is_cut_at_a_character(void **state)
{
    static const char text[] = "ab\xC3\xA9\x1B"
                               "c\xE2\x80\xAE"
                               "d\xF0\x9F\x98\x80"
                               "efghijklmnopqrstuvwxyz";
    char whole[100], shown[100];
    weft__show_into(text, sizeof whole, whole);
    for (size_t size = 16; size < sizeof shown; size++) {
        memset(shown, '!', sizeof shown);
        weft__show_into(text, size, shown);
        size_t length = strlen(shown), width = 0;
        assert_true(length < size);
        if (size > strlen(whole)) {
            assert_string_equal(shown, whole);
            continue;
        }
        assert_string_equal(shown + length - 3, "...");
        assert_memory_equal(shown, whole, length - 3);
        uint32_t point = 0;
        for (size_t at = 0; at < length; at += width)
            assert_true(weft__decode(shown + at, &width, &point));
    }
}

static void messages_are_shown_that_way(void **state)
{
    weft_error error = {0};
    weft__fail(&error, WEFT_INPUT, "%s:1: found '%s'", "a\nb", "\x1B[2J");
    assert_string_equal(error.message, "a\\nb:1: found '\\x1b[2J'");
    char name[2000];
    memset(name, '\x1B', sizeof name);
    name[sizeof name - 1] = 0;
    weft__fail(&error, WEFT_INPUT, "%s", name);
    assert_true(strlen(error.message) < sizeof error.message);
    assert_int_equal(strspn(error.message, "\\x1b."), strlen(error.message));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_read_stays),
        cmocka_unit_test(what_a_terminal_would_obey_is_escaped),
        cmocka_unit_test(long_text_is_cut_at_a_character),
        cmocka_unit_test(messages_are_shown_that_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
