/* SPDX-License-Identifier: MIT
 * Reports: what is said is in them and nothing else takes effect; pictures of the
 * laboratory; means and powers against values worked out by hand. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "lab/report/fit.h"
#include "lab/report/page.h"
#include "lab/report/picture.h"
#include "unit/test_figure_support.h"

#include <cairo.h>
#include <math.h>
#include <sys/stat.h>

/* ---- Pages ---- */

/* The page is freed. */
static char *write_page(lab_page *page)
{
    weft_error error = {WEFT_OK, {0, 0}, ""};
    size_t size = 0;
    if (lab_page_write(page, place_of("a.html"), &error) != WEFT_OK)
        fail_msg("%s", error.message);
    lab_page_free(page);
    char *text = take_file(place_of("a.html"), &size);
    assert_int_equal(strlen(text), size);
    return text;
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* The page without the elements that HTML does not close, which is XML then. */
static bool is_balanced(const char *text)
{
    char *copy = calloc(strlen(text) + 1, 1), *to = copy;
    assert_non_null(copy);
    for (const char *at = text; *at != 0; at++) {
        bool open = strncmp(at, "<!", 2) == 0 || strncmp(at, "<meta", 5) == 0 || strncmp(at, "<img", 4) == 0;
        if (open)
            at = strchr(at, '>');
        else
            *to++ = *at;
    }
    bool balanced = is_well_formed(copy);
    free(copy);
    return balanced;
}

static void a_page_says_what_was_said(void **state)
{
    lab_page *page = lab_page_create("Title <&>");
    lab_page_heading(page, "Part %d", 1);
    lab_page_text(page, "a < b && c > \"d\" </p><script>alert(1)</script> %s", "100%");
    lab_page_finding(page, "It holds.");
    lab_page_code(page, "weft run <file>\n  --seed %d", 7);
    char *text = write_page(page);
    assert_true(strncmp(text, "<!DOCTYPE html>\n<html lang=\"en\">", 32) == 0);
    assert_holds(text, "<meta charset=\"utf-8\">");
    assert_holds(text, "<title>Title &lt;&amp;&gt;</title>");
    assert_holds(text, "<h1>Title &lt;&amp;&gt;</h1>");
    assert_holds(text, "<h2>Part 1</h2>");
    assert_holds(text, "<p>a &lt; b &amp;&amp; c &gt; &quot;d&quot; &lt;/p&gt;&lt;script&gt;alert(1)"
                       "&lt;/script&gt; 100%</p>");
    assert_holds(text, "<p class=\"finding\">It holds.</p>");
    assert_holds(text, "<pre><code>weft run &lt;file&gt;\n  --seed 7</code></pre>");
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "http"));
    assert_true(is_balanced(text));
    free(text);
}

/* Bytes that are no UTF-8, cut short, too long a form, a surrogate, and controls. */
static void text_is_valid_whatever_was_said(void **state)
{
    lab_page *page = lab_page_create("Zo\xc3\xab \xe6\x9d\xb1 \xf0\x9f\x98\x80");
    lab_page_text(page, "%s", "[\xff|\xc0\x80|\xe0\x80\x80|\xed\xa0\x80|\x01\x7f\r|\xc3");
    char *text = write_page(page);
    assert_holds(text, "<h1>Zo\xc3\xab \xe6\x9d\xb1 \xf0\x9f\x98\x80</h1>");
    assert_holds(text, "<p>[\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|"
                       "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|   |\xef\xbf\xbd</p>");
    free(text);
}

/* Columns of numbers stand to the right, with their heads, whatever single cells hold. */
static void tables_know_their_numbers(void **state)
{
    lab_page *page = lab_page_create("T");
    lab_page_table(page, "name\tn\tdifference\tword");
    lab_page_row(page, "a<b\t%d\t%+.2f\t*yes", 20, 0.5);
    lab_page_row(page, "*c\t~%d\t\xe2\x88\x92%.2f\t1 of a long sentence that says something", 40, 0.25);
    lab_page_row(page, "\tnone\t<0.01\t~no");
    lab_page_table_end(page);
    lab_page_table(page, "empty");
    lab_page_text(page, "after");
    char *text = write_page(page);
    assert_holds(text, "<tr><th scope=\"col\">name</th><th scope=\"col\" class=\"n\">n</th>"
                       "<th scope=\"col\" class=\"n\">difference</th><th scope=\"col\">word</th></tr>");
    assert_holds(text, "<tr><td>a&lt;b</td><td class=\"n\">20</td><td class=\"n\">+0.50</td>"
                       "<td><strong>yes</strong></td></tr>");
    assert_holds(text, "<tr><td><strong>c</strong></td><td class=\"n faint\">40</td>"
                       "<td class=\"n\">\xe2\x88\x92"
                       "0.25</td><td>1 of a long");
    assert_holds(text, "<tr><td></td><td class=\"n\">none</td><td class=\"n\">&lt;0.01</td>"
                       "<td class=\"faint\">no</td></tr>");
    assert_holds(text, "aria-label=\"Table 2\"><table>\n<thead>\n<tr><th scope=\"col\">empty</th></tr>\n"
                       "</thead>\n<tbody>\n</tbody>\n</table></div>\n<p>after</p>");
    assert_true(is_balanced(text));
    free(text);
}

/* RFC 4648 has these three: f, fo, foo end with two, one and no sign of equality. */
static void figures_are_part_of_the_page(void **state)
{
    lab_page *page = lab_page_create("T");
    char path[128];
    snprintf(path, sizeof path, "%s", place_of("f.svg"));
    write_file(path, "<svg/>f");
    lab_page_figure(page, path, "A \"caption\" & more");
    write_file(path, "<svg/>fo");
    lab_page_figure(page, path, "two");
    write_file(path, "<svg/>foo");
    lab_page_figure(page, path, "three");
    assert_int_equal(unlink(path), 0);
    char *text = write_page(page);
    assert_holds(text, "<figure><img alt=\"A &quot;caption&quot; &amp; more\" "
                       "src=\"data:image/svg+xml;base64,PHN2Zy8+Zg==\">\n"
                       "<figcaption>A &quot;caption&quot; &amp; more</figcaption></figure>");
    assert_holds(text, "base64,PHN2Zy8+Zm8=\"");
    assert_holds(text, "base64,PHN2Zy8+Zm9v\"");
    assert_true(is_balanced(text));
    free(text);
}

/* The page is freed. */
static void assert_fails(lab_page *page, const char *path, weft_status wanted, const char *message)
{
    weft_error error = {WEFT_OK, {0, 0}, ""};
    assert_int_equal(lab_page_write(page, path, &error), wanted);
    assert_int_equal(error.status, wanted);
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, message);
    lab_page_free(page);
    assert_int_equal(count_files(), 0);
}

static void what_fails_is_told_at_the_end(void **state)
{
    lab_page *page = lab_page_create("T");
    lab_page_figure(page, place_of("missing.svg"), "none");
    lab_page_row(page, "a second failure");
    assert_fails(page, place_of("a.html"), WEFT_FILE, "missing.svg: cannot be read: No such file");
    page = lab_page_create("T");
    lab_page_row(page, "a\tb");
    assert_fails(page, place_of("a.html"), WEFT_ARGUMENT, "a row without a table: 'a\\tb'");
    page = lab_page_create("T");
    lab_page_table(page, "one\ttwo");
    lab_page_row(page, "1");
    lab_page_row(page, "1\t2\t3");
    assert_fails(page, place_of("a.html"), WEFT_ARGUMENT, "a row has 1 cell, its table 2 columns: '1'");
    page = lab_page_create("T");
    assert_fails(page, place_of("no/such/a.html"), WEFT_WRITE, "no/such/a.html: cannot be written: ");
    page = lab_page_create("T");
    assert_int_equal(symlink("/dev/full", place_of("full.html")), 0);
    weft_error error = {WEFT_OK, {0, 0}, ""};
    assert_int_equal(lab_page_write(page, place_of("full.html"), &error), WEFT_WRITE);
    assert_int_equal(unlink(place_of("full.html")), 0);
    lab_page_free(page);
    lab_page_free(NULL);
}

static void a_figure_must_be_one(void **state)
{
    static const char *const wrong[] = {"\x89PNG\r\n\x1a\n", ""};
    for (int k = 0; k < 2; k++) {
        lab_page *page = lab_page_create("T");
        write_file(place_of("f.svg"), wrong[k]);
        lab_page_figure(page, place_of("f.svg"), "none");
        assert_int_equal(unlink(place_of("f.svg")), 0);
        assert_fails(page, place_of("a.html"), WEFT_FILE, "f.svg: expected an SVG picture");
    }
}

/* ---- Pictures ---- */

/* Classes that alternate: in the first panel the colour changes at every row and column,
 * in the second once. */
static lab_blocks checkered(int64_t count)
{
    lab_blocks blocks = {.rows = count, .columns = count, .k = 3, .l = 2};
    blocks.row_class = calloc((size_t)count, sizeof *blocks.row_class);
    blocks.column_class = calloc((size_t)count, sizeof *blocks.column_class);
    blocks.block = calloc(6, 1);
    assert_true(blocks.row_class != NULL && blocks.column_class != NULL && blocks.block != NULL);
    memcpy(blocks.block, "\x01\xff\xff\x01\x01\x01", 6);
    for (int64_t k = 0; k < count; k++)
        blocks.row_class[k] = blocks.column_class[k] = k % 2;
    return blocks;
}

/* From dark to light or back, along `count` pixels that are `step` bytes apart; others, as
 * of outlines, aside. */
static int count_changes(const unsigned char *pixel, int count, ptrdiff_t step)
{
    int changes = 0, last = -1;
    for (; count > 0; count--, pixel += step) {
        bool dark = pixel[0] == 134 && pixel[1] == 75 && pixel[2] == 16;
        bool light = pixel[0] == 145 && pixel[1] == 214 && pixel[2] == 249;
        if (!dark && !light)
            continue;
        changes += last >= 0 && last != dark;
        last = dark;
    }
    return changes;
}

static void blocks_are_drawn_before_and_after(void **state)
{
    lab_blocks blocks = checkered(10);
    weft_error error = {WEFT_OK, {0, 0}, ""};
    size_t size = 0;
    assert_int_equal(lab_picture_blocks(&blocks, place_of("b"), &error), WEFT_OK);
    cairo_surface_t *image = cairo_image_surface_create_from_png(place_of("b.png"));
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    int width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);
    ptrdiff_t stride = cairo_image_surface_get_stride(image), half = (ptrdiff_t)2 * width;
    const unsigned char *data = cairo_image_surface_get_data(image), *line = data + height / 4 * stride;
    assert_int_equal(count_changes(line, width / 2, 4), 9);
    assert_int_equal(count_changes(line + half, width / 2, 4), 1);
    /* Without the legend, which is at the bottom. */
    assert_int_equal(count_changes(data + half / 2, height * 3 / 4, stride), 9);
    assert_int_equal(count_changes(data + half + half / 2, height * 3 / 4, stride), 1);
    cairo_surface_destroy(image);
    assert_int_equal(unlink(place_of("b.png")), 0);
    char *text = take_file(place_of("b.svg"), &size);
    assert_true(is_well_formed(text));
    assert_holds(text, "<title>A (3,2)-biclustered 10 \xc3\x97 10 binary matrix</title>");
    free(text);
    lab_blocks_free(&blocks);
}

static void pictures_fail_like_the_rest(void **state)
{
    static const double one[] = {1};
    const figure_curve curve = {.name = "a", .x = one, .y = one, .count = 1};
    const figure_chart chart = {.curves = &curve, .count = 1};
    const figure_grid none = {.count = 0};
    weft_error error = {WEFT_OK, {0, 0}, ""};
    assert_int_equal(lab_picture_chart(place_of("no/such/c"), &chart, &error), WEFT_WRITE);
    assert_non_null(strstr(error.message, "no/such/c.svg: cannot be written"));
    assert_int_equal(lab_picture_grid(place_of("g"), &none, &error), WEFT_WRITE);
    assert_non_null(strstr(error.message, "found 0 panels"));
    const figure_bars nothing = {.count = 0};
    assert_int_equal(lab_picture_bars(place_of("b"), &nothing, &error), WEFT_WRITE);
    assert_non_null(strstr(error.message, "found 0 bars"));
    assert_int_equal(count_files(), 0);
    assert_int_equal(lab_picture_chart(place_of("c"), &chart, &error), WEFT_OK);
    assert_int_equal(unlink(place_of("c.svg")), 0);
    assert_int_equal(unlink(place_of("c.png")), 0);
}

/* ---- Fits ---- */

static void assert_near(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-12 * fmax(1, fabs(wanted))))
        fail_msg("found %.17g, expected %.17g", found, wanted);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32, so the deviation is sqrt(32/7). */
static void means_are_those_by_hand(void **state)
{
    static const double values[] = {2, -1, 4, -1, 4, -1, 4, -1, 5, -1, 5, -1, 7, -1, 9, -1};
    lab_mean mean = lab_mean_of(values, 8, 2);
    assert_int_equal(mean.count, 8);
    assert_near(mean.mean, 5);
    assert_near(mean.deviation, sqrt(32.0 / 7));
    assert_near(mean.error, sqrt(32.0 / 7 / 8));
    mean = lab_mean_of(values, 1, 1);
    assert_near(mean.mean, 2);
    assert_near(mean.deviation, 0);
    assert_near(mean.error, 0);
    /* Far from zero the squares themselves would lose the digits. */
    static const double far[] = {1e9 + 1, 1e9 + 2, 1e9 + 3};
    assert_near(lab_mean_of(far, 3, 1).deviation, 1);
}

/* 3 x^2 exactly; then, in logarithms of base 2, (0,0), (1,2), (2,1): slope 1/2, mean 1,
 * residuals -1/2, 1, -1/2, so the error is sqrt(1.5 / 1 / 2). */
static void powers_are_those_by_hand(void **state)
{
    static const double x[] = {1, 2, 4}, square[] = {3, 12, 48}, bent[] = {1, 4, 2};
    lab_power fit = lab_power_fit(x, square, 3);
    assert_near(fit.exponent, 2);
    assert_near(fit.factor, 3);
    assert_near(fit.error, 0);
    fit = lab_power_fit(x, bent, 3);
    assert_near(fit.exponent, 0.5);
    assert_near(fit.factor, sqrt(2));
    assert_near(fit.error, sqrt(0.75));
    fit = lab_power_fit(x, bent, 2);
    assert_near(fit.exponent, 2);
    assert_true(fit.error < 0);
}

/* What is not known is not said: the error of a mean of one, of a line through two points. */
static void doubts_are_said_where_they_are_known(void **state)
{
    static const double values[] = {1, 3, 1, 3};
    lab_mean four = lab_mean_of(values, 4, 1), one = lab_mean_of(values, 1, 1);
    lab_range range = {0};
    for (int k = 0; k < 4; k++)
        lab_range_add(&range, -values[k]);
    assert_near(range.least, -3);
    assert_near(range.largest, -1);
    lab_power straight = lab_power_fit(values, values, 2), exact = {.exponent = 1, .error = 0};
    assert_near(lab_average(values, 2, 2), 1);
    assert_string_equal(lab_value(-1.25, 0.125, 3).text, "-1.250 ± 0.125");
    assert_string_equal(lab_value(2, -1, 0).text, "2");
    assert_string_equal(lab_value(0.4861, 0.0021, 2).text, "0.486 ± 0.002");
    assert_string_equal(lab_value(0.4861, 1e-9, 2).text, "0.49 ± 0.00");
    assert_string_equal(lab_mean_and_deviation(&four, 2).text, "2.00 ± 1.15");
    assert_string_equal(lab_mean_and_error(&four, 2).text, "2.00 ± 0.58");
    assert_string_equal(lab_mean_and_deviation(&one, 1).text, "1.0");
    assert_string_equal(lab_mean_and_error(&one, 1).text, "1.0");
    assert_string_equal(lab_exponent(&straight, 2).text, "1.00");
    assert_string_equal(lab_exponent(&exact, 2).text, "1.00 ± 0.00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_says_what_was_said),
        cmocka_unit_test(text_is_valid_whatever_was_said),
        cmocka_unit_test(tables_know_their_numbers),
        cmocka_unit_test(figures_are_part_of_the_page),
        cmocka_unit_test(what_fails_is_told_at_the_end),
        cmocka_unit_test(a_figure_must_be_one),
        cmocka_unit_test(blocks_are_drawn_before_and_after),
        cmocka_unit_test(pictures_fail_like_the_rest),
        cmocka_unit_test(means_are_those_by_hand),
        cmocka_unit_test(powers_are_those_by_hand),
        cmocka_unit_test(doubts_are_said_where_they_are_known),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
