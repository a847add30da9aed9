/* SPDX-License-Identifier: MIT
 * Pictures: the files are what they say, hold the names, are the same every time,
 * and nothing is left behind where they cannot be drawn; and the parts that decide
 * what a picture looks like. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "figure/curve.h"
#include "support/dice.h"
#include "unit/test_figure_support.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void the_parser_can_fail(void **state)
{
    assert_true(is_well_formed("<?xml version=\"1.0\"?><a><b x=\"1\"/><c>&lt;</c></a>"));
    assert_false(is_well_formed("<a><b></a></b>"));
    assert_false(is_well_formed("<a>"));
    assert_false(is_well_formed("<a/><b/>"));
    assert_false(is_well_formed("<a>1 & 2</a>"));
    assert_false(is_well_formed("<a>1 < 2</a>"));
    assert_false(is_well_formed("<aa></a>"));
    assert_false(is_well_formed(""));
}

/* ---- Charts and bars ---- */

static const double ramp[] = {1, 2, 3, 4, 5}, falling[] = {0.5, 0.25, 0.2, 0.17, 0.16};

static figure_curve curve_of(const char *name, const double *x, const double *y, int64_t count, bool strong)
{
    return (figure_curve){.name = name, .x = x, .y = y, .count = count, .strong = strong};
}

static figure_chart simple_chart(const figure_curve *curves, int count)
{
    return (figure_chart){.title = "Running error",
                          .note = "A note of several words.",
                          .x = {.name = "trials"},
                          .y = {.name = "mistakes", .percent = true},
                          .curves = curves,
                          .count = count};
}

static char *draw_svg(const figure_chart *chart)
{
    figure_error error = {{0}};
    size_t size = 0;
    if (!figure_draw_chart(place_of("a.svg"), chart, &error))
        fail_msg("%s", error.message);
    char *text = take_file(place_of("a.svg"), &size);
    assert_int_equal(strlen(text), size);
    assert_true(is_well_formed(text));
    return text;
}

static void a_chart_holds_its_names(void **state)
{
    const figure_curve curves[] = {curve_of("first & <best>", ramp, falling, 5, true),
                                   curve_of("Zo\xc3\xab \xe6\x9d\xb1", ramp, falling, 3, false),
                                   curve_of("bad \xff\xc0\x80 bytes\n", ramp, falling, 4, false)};
    figure_chart chart = simple_chart(curves, 3);
    char *text = draw_svg(&chart);
    assert_holds(text, "<title>Running error</title>");
    assert_holds(text, "mistakes against trials: first &amp; &lt;best&gt;; Zo\xc3\xab \xe6\x9d\xb1; "
                       "bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd bytes </desc>");
    assert_null(strstr(text, "href=\"http"));
    free(text);
}

/* Both kinds, twice: cairo counts what a process draws, which must not show. */
static void equal_pictures_are_equal_bytes(void **state)
{
    const figure_curve curves[] = {curve_of("one", ramp, falling, 5, true),
                                   curve_of("two", falling, ramp, 5, false)};
    figure_chart chart = simple_chart(curves, 2);
    for (int kind = 0; kind < 2; kind++) {
        size_t sizes[2];
        char *bytes[2];
        for (int k = 0; k < 2; k++) {
            const char *path = place_of(kind == 0 ? "a.svg" : "a.png");
            assert_true(figure_draw_chart(path, &chart, NULL));
            bytes[k] = take_file(path, &sizes[k]);
        }
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

/* Two pixels a point: a PNG is twice as wide and high as the SVG says. */
static void both_kinds_are_one_drawing(void **state)
{
    const figure_curve curves[] = {curve_of("a curve", ramp, falling, 5, false)};
    figure_chart chart = simple_chart(curves, 1);
    uint32_t pixels[2];
    char wanted[64];
    size_t size = 0;
    char *text = draw_svg(&chart);
    assert_true(figure_draw_chart(place_of("a.png"), &chart, NULL));
    char *bytes = take_file(place_of("a.png"), &size);
    read_png(bytes, size, pixels);
    snprintf(wanted, sizeof wanted, "width=\"%upt\" height=\"%upt\"", pixels[0] / 2, pixels[1] / 2);
    assert_holds(text, wanted);
    assert_true(pixels[0] % 2 == 0 && pixels[0] > 1000 && pixels[1] > 600);
    free(bytes);
    free(text);
}

/* One point, a constant, one x, one value far out, both axes logarithmic, numbers
 * at the ends of their range, forty curves, a long name, no words at all. */
static void odd_charts_are_drawn(void **state)
{
    static const double ones[] = {1, 1, 1, 1, 1}, far[] = {-1e300, 1e300, 0, 1e-300, 1},
                        tiny[] = {1e-300, 1e300};
    static const double close[] = {1, 1 + 1e-15, 1, 1, 1}, narrow[] = {2100, 4900, 2500, 3000, 4000};
    static const char name[] =
        "a very long name that goes on and on until there is no room left for it at all";
    const figure_curve odd[] = {
        curve_of("one point", ramp, falling, 1, false), curve_of("constant", ramp, ones, 5, true),
        curve_of("one x", ones, ramp, 5, false),        curve_of("one place", ones, ones, 5, false),
        curve_of("far", ramp, far, 5, false),           curve_of("tiny", tiny, tiny, 2, false),
        curve_of("close", close, close, 5, false),      curve_of("narrow", narrow, narrow, 5, false),
        curve_of(name, ramp, falling, 5, true),
    };
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
            figure_chart chart = simple_chart(&odd[k], 1);
            chart.x.logarithmic = chart.y.logarithmic = logarithmic == 1 && odd[k].y != far;
            char *text = draw_svg(&chart);
            assert_holds(text, odd[k].name);
            assert_null(strstr(text, "nan"));
            assert_null(strstr(text, "inf"));
            free(text);
        }
    figure_curve forty[40];
    for (int k = 0; k < 40; k++)
        forty[k] = curve_of(k % 2 == 0 ? "even" : "odd", ramp, falling, 5, k < 3);
    figure_chart chart = simple_chart(forty, 40);
    chart.title = chart.note = chart.x.name = chart.y.name = NULL;
    free(draw_svg(&chart));
}

/* A million points: what would not show is not in the file. */
static void long_curves_make_small_files(void **state)
{
    enum { POINTS = 1000000 };
    double *x = calloc(POINTS, sizeof *x), *y = calloc(POINTS, sizeof *y);
    assert_true(x != NULL && y != NULL);
    for (int k = 0; k < POINTS; k++) {
        x[k] = k + 1;
        y[k] = 0.1 + 0.4 / sqrt(k + 1);
    }
    const figure_curve short_curve = curve_of("long", x, y, 100, false);
    const figure_curve curve = curve_of("long", x, y, POINTS, false);
    figure_chart chart = simple_chart(&curve, 1);
    char *text = draw_svg(&chart);
    chart.curves = &short_curve;
    char *short_text = draw_svg(&chart);
    assert_true(strlen(text) < strlen(short_text) + 50000);
    free(short_text);
    free(text);
    free(x);
    free(y);
}

static void bars_hold_their_names_and_values(void **state)
{
    const figure_bar items[] = {{"Zo\xc3\xab", 0.25, 0}, {"a<b", -1.5, 0.5}, {"none", 0, 0}};
    figure_bars bars = {"Why", "A note.", "margin", items, 3};
    figure_error error = {{0}};
    uint32_t pixels[2];
    size_t size = 0;
    assert_true(figure_draw_bars(place_of("b.svg"), &bars, &error));
    char *text = take_file(place_of("b.svg"), &size);
    assert_true(is_well_formed(text));
    assert_holds(text, "<title>Why</title>\n<desc>margin: Zo\xc3\xab 0.25; a&lt;b -1.5; none 0</desc>");
    free(text);
    assert_true(figure_draw_bars(place_of("b.png"), &bars, &error));
    text = take_file(place_of("b.png"), &size);
    read_png(text, size, pixels);
    free(text);
    const figure_bar zeros[] = {{"a", 0, 0}, {"b", 0, 0}}, below[] = {{"a", -1e300, 0}, {"b", -1e-300, 0}};
    bars = (figure_bars){NULL, NULL, NULL, zeros, 2};
    assert_true(figure_draw_bars(place_of("b.svg"), &bars, &error));
    free(take_file(place_of("b.svg"), &size));
    bars.bars = below;
    assert_true(figure_draw_bars(place_of("b.svg"), &bars, &error));
    free(take_file(place_of("b.svg"), &size));
}

/* An uncertainty is drawn, and the frame makes room for it. */
static void bars_show_how_sure_they_are(void **state)
{
    figure_bar bar = {.name = "a", .value = 1};
    const figure_bars bars = {.title = "T", .bars = &bar, .count = 1};
    figure_error error = {{0}};
    size_t sizes[3];
    char *texts[3];
    for (int k = 0; k < 3; k++) {
        bar.value = k < 2 ? 1 : -1;
        bar.doubt = k < 1 ? 0 : 7;
        assert_true(figure_draw_bars(place_of("b.svg"), &bars, &error));
        texts[k] = take_file(place_of("b.svg"), &sizes[k]);
        assert_true(is_well_formed(texts[k]));
    }
    /* Three lines more. */
    assert_true(sizes[1] > sizes[0] && sizes[2] > sizes[0]);
    for (int k = 0; k < 3; k++)
        free(texts[k]);
}

/* ---- Failures ---- */

static void assert_refused(const char *path, const figure_chart *chart, const char *message)
{
    figure_error error = {{0}};
    assert_false(figure_draw_chart(path, chart, &error));
    assert_false(figure_draw_chart(path, chart, NULL));
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, message);
    assert_int_equal(count_files(), 0);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    static const double hole[] = {0.5, NAN, 0.2, 0.1, 0}, endless[] = {1, 2, INFINITY, 4, 5};
    const figure_curve good = curve_of("good", ramp, falling, 5, false);
    figure_curve bad = good, crowd[41];
    figure_chart chart = simple_chart(&bad, 1), none = simple_chart(&bad, 0), many = simple_chart(crowd, 41);
    for (int k = 0; k < 41; k++)
        crowd[k] = good;
    assert_refused(place_of("a.svg"), &none, "found 0 curves, expected 1 to 40");
    assert_refused(place_of("a.svg"), &many, "found 41 curves");
    assert_refused(place_of("a.pdf"), &chart, "expected a name that ends in .svg or .png");
    assert_refused(place_of("svg"), &chart, "expected a name that ends in .svg or .png");
    assert_refused(place_of("no/such/folder/a.svg"), &chart, "no/such/folder/a.svg: cannot be written: ");
    assert_refused(place_of("no/such/folder/a.png"), &chart, "no/such/folder/a.png: cannot be written: ");
    bad.y = hole;
    assert_refused(place_of("a.svg"), &chart, "curve 'good': found nan at point 2, expected finite numbers");
    bad.y = falling;
    bad.x = endless;
    assert_refused(place_of("a.svg"), &chart, "curve 'good': found inf at point 3");
    bad = good;
    bad.count = 0;
    assert_refused(place_of("a.svg"), &chart, "curve 'good': found no points");
    bad.count = 5;
    bad.name = NULL;
    assert_refused(place_of("a.svg"), &chart, "a curve without a name");
    bad.name = "zero";
    bad.y = (const double[]){1, 1, 0, 1, 1};
    chart.y.logarithmic = true;
    assert_refused(place_of("a.svg"), &chart, "expected positive numbers on a logarithmic axis");
}

static void bars_that_cannot_be_drawn_are_refused(void **state)
{
    static const figure_bar items[] = {{"a", 1, 0}, {"b", NAN, 0}}, nameless[] = {{NULL, 1, 0}};
    static const figure_bar unsure[] = {{"a", 1, -1}}, unknown[] = {{"a", 1, NAN}};
    const figure_bars wrong[] = {{.bars = items, .count = 0},  {.bars = items, .count = 501},
                                 {.bars = items, .count = 2},  {.bars = nameless, .count = 1},
                                 {.bars = unsure, .count = 1}, {.bars = unknown, .count = 1}};
    static const char *const messages[] = {"found 0 bars",
                                           "found 501 bars, expected 1 to 500",
                                           "bar 'b': found nan, expected a finite number",
                                           "a bar without a name",
                                           "found an uncertainty of -1",
                                           "found an uncertainty of nan"};
    for (int k = 0; k < 6; k++) {
        figure_error error = {{0}};
        assert_false(figure_draw_bars(place_of("b.svg"), &wrong[k], &error));
        assert_non_null(strstr(error.message, messages[k]));
    }
    assert_int_equal(count_files(), 0);
}

/* The disk is full, or the name is that of a folder: nothing is left, and a picture
 * that was there before still is. */
static void a_failure_leaves_what_was_there(void **state)
{
    const figure_curve curve = curve_of("a", ramp, falling, 5, false);
    figure_chart chart = simple_chart(&curve, 1);
    figure_error error = {{0}};
    assert_int_equal(mkdir(place_of("a.svg"), 0777), 0);
    assert_false(figure_draw_chart(place_of("a.svg"), &chart, &error));
    assert_non_null(strstr(error.message, "cannot be written"));
    assert_int_equal(rmdir(place_of("a.svg")), 0);
    assert_int_equal(symlink("/dev/full", place_of("full.png")), 0);
    assert_false(figure_draw_chart(place_of("full.png"), &chart, &error));
    assert_non_null(strstr(error.message, "cannot be written"));
    assert_int_equal(unlink(place_of("full.png")), 0);
    assert_int_equal(count_files(), 0);
}

/* The file may not grow beyond 100 bytes: the temporary one was there by then. */
static void a_picture_that_is_cut_short_is_not_left(void **state)
{
    const figure_curve curve = curve_of("a", ramp, falling, 5, false);
    figure_chart chart = simple_chart(&curve, 1);
    figure_error error = {{0}};
    struct rlimit before, small;
    size_t size = 0;
    FILE *out = fopen(place_of("a.svg"), "w");
    assert_non_null(out);
    fputs("before", out);
    fclose(out);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool drawn = figure_draw_chart(place_of("a.svg"), &chart, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(drawn);
    assert_non_null(strstr(error.message, "a.svg: cannot be written: "));
    char *text = take_file(place_of("a.svg"), &size);
    assert_string_equal(text, "before");
    free(text);
}

static void kinds_are_known_by_their_ending(void **state)
{
    assert_true(figure_kind_known("a.svg"));
    assert_true(figure_kind_known("folder.x/a.b.png"));
    assert_false(figure_kind_known("a.SVG"));
    assert_false(figure_kind_known("a.png/"));
    assert_false(figure_kind_known("a.png/b"));
    assert_false(figure_kind_known(".png"));
    assert_false(figure_kind_known("png"));
    assert_false(figure_kind_known(""));
}

/* ---- The parts ---- */

static double cost_of(const double *given, const double *placed, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += (given[k] - placed[k]) * (given[k] - placed[k]);
    return sum;
}

static bool are_apart(const double *places, int count, double gap, double low, double high)
{
    for (int k = 0; k < count; k++) {
        if (places[k] < low - 1e-9 || places[k] > high + 1e-9)
            return false;
        for (int other = 0; other < k; other++)
            if (fabs(places[k] - places[other]) < gap - 1e-9)
                return false;
    }
    return true;
}

/* Apart, inside, and no random placement that is apart and inside is better. */
static void names_do_not_overlap(void **state)
{
    dice d = {5};
    for (int round = 0; round < 300; round++) {
        double given[12], placed[12];
        int count = 1 + (int)dice_below(&d, 12);
        for (int k = 0; k < count; k++)
            given[k] = placed[k] = dice_chance(&d, 0.3) ? 50 : dice_between(&d, 0, 200);
        figure__spread(placed, count, 15, 0, 200);
        assert_true(are_apart(placed, count, 15, 0, 200));
        for (int attempt = 0; attempt < 200; attempt++) {
            double other[12];
            for (int k = 0; k < count; k++)
                other[k] = placed[k] + dice_between(&d, -1, 1) * (attempt % 2 == 0 ? 1 : 15);
            if (are_apart(other, count, 15, 0, 200) &&
                cost_of(given, other, count) < cost_of(given, placed, count) - 1e-9) {
                bool same_order = true;
                for (int k = 0; k < count; k++)
                    for (int j = 0; j < k; j++)
                        same_order = same_order && (other[k] < other[j]) == (placed[k] < placed[j]);
                assert_false(same_order);
            }
        }
    }
}

static void assert_ticks(double low, double high, bool logarithmic, bool percent, const char *expected)
{
    char found[512] = "";
    figure__scale scale = {.low = low, .high = high, .from = 0, .to = 1, .logarithmic = logarithmic};
    figure__ticks ticks;
    figure__scale_ticks(&scale, percent, true, &ticks);
    for (int k = 0; k < ticks.count; k++) {
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%s", k > 0 ? " " : "", ticks.label[k].bytes);
        double place = figure__scale_place(&scale, ticks.at[k]);
        assert_true(place > -1e-6 && place < 1 + 1e-6);
    }
    assert_string_equal(found, expected);
}

static void ticks_are_round_numbers(void **state)
{
    assert_ticks(0, 0.5, false, true, "0% 10% 20% 30% 40% 50%");
    assert_ticks(0, 0.024, false, true, "0% 0.5% 1.0% 1.5% 2.0%");
    assert_ticks(-1, 1, false, false, "-1.0 -0.5 0 0.5 1.0");
    assert_ticks(50, 5000, false, false, "1000 2000 3000 4000 5000");
    assert_ticks(0, 60000, false, false, "0 10,000 20,000 30,000 40,000 50,000 60,000");
    assert_ticks(0, 5e8, false, false, "0 1e8 2e8 3e8 4e8 5e8");
    assert_ticks(0, 5e-8, false, false, "0 1e-8 2e-8 3e-8 4e-8 5e-8");
    assert_ticks(50, 5000, true, false, "50 100 200 500 1000 2000 5000");
    assert_ticks(1, 1e6, true, false, "1 10 100 1000 10,000 100,000 1,000,000");
    assert_ticks(0.001, 0.1, true, true, "0.1% 0.2% 0.5% 1% 2% 5% 10%");
    assert_ticks(2100, 4900, true, false, "2500 3000 3500 4000 4500");
}

/* One value, or several that differ only in their last digits, stand in the middle. */
static void one_value_gets_room(void **state)
{
    static const double values[] = {0, 1, -3, 1e-300, 1e300, 12345};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
            double value = values[k];
            if (logarithmic == 1 && value <= 0)
                continue;
            figure__scale scale = {.low = value,
                                   .high = nextafter(value, 2 * value),
                                   .from = 0,
                                   .to = 1,
                                   .logarithmic = logarithmic == 1};
            figure__scale_widen(&scale);
            assert_true(scale.low < value && value < scale.high);
            assert_true(fabs(figure__scale_place(&scale, value) - 0.5) < 0.01);
            figure__ticks ticks;
            figure__scale_ticks(&scale, false, true, &ticks);
            assert_true(ticks.count > 1);
        }
}

static void numbers_are_short(void **state)
{
    assert_string_equal(figure__number_short(-0.00123, 3, true).bytes, "-0.00123");
    assert_string_equal(figure__number_short(-0.00123, 3, false).bytes, "\xe2\x88\x92"
                                                                        "0.00123");
    assert_string_equal(figure__number_short(12345.6, 3, true).bytes, "12,346");
    assert_string_equal(figure__number_short(1.5e-9, 3, true).bytes, "1.5e-9");
    assert_string_equal(figure__number_short(-2.5e20, 3, true).bytes, "-2.5e20");
    assert_string_equal(figure__number_short(0, 3, true).bytes, "0");
    assert_string_equal(figure__number(-0.0001, 2, true).bytes, "0.00");
}

static void looks_differ_without_colour(void **state)
{
    for (int a = 0; a < FIGURE__LOOKS; a++)
        for (int b = 0; b < a; b++) {
            figure__look one = figure__look_of(a, false), other = figure__look_of(b, false);
            assert_true(one.dash != other.dash || one.mark != other.mark);
        }
    assert_true(figure__look_of(0, true).width > figure__look_of(0, false).width);
}

static void text_is_made_clean(void **state)
{
    static const char *const pairs[][2] = {
        {"a\tb\x7f", "a b "},
        {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
        {"\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* U+FFFE */
        {"\xc3", "\xef\xbf\xbd"},                                 /* cut short */
        {"\xc2\x85|", " |"},                                      /* a control character */
        {NULL, ""},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        assert_string_equal(figure__text_clean(pairs[k][0], false).bytes, pairs[k][1]);
    assert_string_equal(figure__text_clean("\xc3\xa9t\xff", true).bytes, "?t?");
    char endless[4 * FIGURE__TEXT];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = 0;
    figure__text cut = figure__text_clean(endless, false);
    assert_int_equal(strlen(cut.bytes), FIGURE__TEXT - 1);
    cut = figure__text_cut(&cut, FIGURE__TEXT - 1, false);
    assert_true(strlen(cut.bytes) < FIGURE__TEXT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parser_can_fail),
        cmocka_unit_test(a_chart_holds_its_names),
        cmocka_unit_test(equal_pictures_are_equal_bytes),
        cmocka_unit_test(both_kinds_are_one_drawing),
        cmocka_unit_test(odd_charts_are_drawn),
        cmocka_unit_test(long_curves_make_small_files),
        cmocka_unit_test(bars_hold_their_names_and_values),
        cmocka_unit_test(bars_show_how_sure_they_are),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(bars_that_cannot_be_drawn_are_refused),
        cmocka_unit_test(a_failure_leaves_what_was_there),
        cmocka_unit_test(a_picture_that_is_cut_short_is_not_left),
        cmocka_unit_test(kinds_are_known_by_their_ending),
        cmocka_unit_test(names_do_not_overlap),
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(one_value_gets_room),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(looks_differ_without_colour),
        cmocka_unit_test(text_is_made_clean),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
