/* SPDX-License-Identifier: MIT
 * Curves that say how sure they are, single points, lines without marks. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "figure/curve.h"
#include "unit/test_figure_support.h"

#include <math.h>

enum { MANY = 100 };

static const double x[] = {1, 2, 3, 4, 5}, y[] = {0.5, 0.4, 0.3, 0.25, 0.2};
static const double low[] = {0.4, 0.3, 0.25, 0.2, 0.18}, high[] = {0.6, 0.5, 0.35, 0.3, 0.22};

static figure_chart chart_of(const figure_curve *curves, int count)
{
    return (figure_chart){
        .title = "A chart", .x = {.name = "n"}, .y = {.name = "mistakes"}, .curves = curves, .count = count};
}

static char *draw(const figure_chart *chart)
{
    figure_error error = {{0}};
    size_t size = 0;
    if (!figure_draw_chart(place_of("a.svg"), chart, &error))
        fail_msg("%s", error.message);
    char *text = take_file(place_of("a.svg"), &size);
    assert_int_equal(strlen(text), size);
    assert_true(is_well_formed(text));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

static int count_in(const char *text, const char *words)
{
    int count = 0;
    for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words))
        count++;
    return count;
}

static int count_drawn(const figure_curve *curves, int count, const char *words)
{
    figure_chart chart = chart_of(curves, count);
    char *text = draw(&chart);
    int found = count_in(text, words);
    free(text);
    return found;
}

/* A bar and two caps at each of five points and in the sample before the name; the line
 * keeps the axes as they are. */
static void few_points_have_bars(void **state)
{
    static const double frame_x[] = {0, 6}, frame_y[] = {0, 1};
    figure_curve curves[] = {{.name = "measured", .x = x, .y = y, .count = 5, .points = true},
                             {.name = "frame", .x = frame_x, .y = frame_y, .count = 2, .line = true}};
    int without = count_drawn(curves, 2, "<path");
    curves[0].low = low;
    curves[0].high = high;
    assert_int_equal(count_drawn(curves, 2, "<path"), without + 3 * 6);
    assert_int_equal(count_drawn(curves, 2, "fill-opacity:0.2"), 0);
    curves[0].points = false;
    assert_int_equal(count_drawn(curves, 2, "fill-opacity:0.2"), 0);
    assert_int_equal(count_drawn(curves, 2, "measured, with its uncertainty; frame</desc>"), 1);
}

/* One shape along the curve and one before its name. */
static void many_points_have_a_band(void **state)
{
    double long_x[MANY], middle[MANY], below[MANY], above[MANY];
    for (int k = 0; k < MANY; k++) {
        long_x[k] = k + 1;
        middle[k] = 1.0 / (k + 1);
        below[k] = middle[k] - 0.1;
        above[k] = middle[k] + 0.1;
    }
    figure_curve curve = {
        .name = "long", .x = long_x, .y = middle, .count = MANY, .low = below, .high = above};
    assert_int_equal(count_drawn(&curve, 1, "fill-opacity:0.2"), 2);
    curve.points = true;
    assert_int_equal(count_drawn(&curve, 1, "fill-opacity:0.2"), 0);
    curve.points = false;
    curve.low = curve.high = NULL;
    assert_int_equal(count_drawn(&curve, 1, "fill-opacity:0.2"), 0);
}

/* A line is one path in the frame and one before its name; points are marks alone, all
 * of them. */
static void lines_have_no_marks_and_points_no_line(void **state)
{
    static const char blue[] = "rgb(0%,44.7%,69.8%)";
    figure_curve curve = {.name = "a", .x = x, .y = y, .count = 5, .line = true};
    assert_int_equal(count_drawn(&curve, 1, blue), 2);
    curve.line = false;
    curve.points = true;
    assert_int_equal(count_drawn(&curve, 1, blue), 6);
}

/* Look 5 would have the dashes of look 0: the second line takes look 6, in sky blue and
 * not in black. */
static void lines_differ_in_dashes(void **state)
{
    figure_curve curves[6];
    for (int k = 0; k < 6; k++)
        curves[k] = (figure_curve){.name = "a", .x = x, .y = y, .count = 5, .line = k == 0 || k == 5};
    assert_true(count_drawn(curves, 6, "rgb(33.7%,70.6%,91.4%)") > 0);
    assert_int_equal(count_drawn(curves, 6, "stroke:rgb(0%,0%,0%)"), 0);
    curves[5].line = false;
    assert_int_equal(count_drawn(curves, 6, "rgb(33.7%,70.6%,91.4%)"), 0);
    assert_true(count_drawn(curves, 6, "stroke:rgb(0%,0%,0%)") > 0);
}

/* Rings of the other's colour, one a point and none beside the name; dashes for a line. */
static void what_belongs_to_a_curve_has_its_colour(void **state)
{
    static const char vermilion[] = "stroke:rgb(83.5%,36.9%,0%)";
    figure_curve curves[] = {{.name = "a", .x = x, .y = y, .count = 5, .line = true},
                             {.name = "b", .x = x, .y = low, .count = 5, .line = true},
                             {.like = 2, .x = x, .y = high, .count = 5, .points = true}};
    int alone = count_drawn(curves, 2, vermilion);
    assert_int_equal(count_drawn(curves, 3, vermilion), alone + 5);
    assert_int_equal(count_drawn(curves, 3, "mistakes against n: a; b</desc>"), 1);
    curves[2].points = false;
    curves[2].line = true;
    assert_int_equal(count_drawn(curves, 3, vermilion), alone + 1);
    assert_int_equal(count_drawn(curves, 3, "stroke-dasharray:3,3,3,3"), 1);
    const figure_curve turned[] = {{.like = 2, .x = x, .y = high, .count = 5, .points = true},
                                   {.name = "b", .x = x, .y = low, .count = 5, .line = true}};
    assert_int_equal(count_drawn(turned, 2, "mistakes against n: b</desc>"), 1);
}

/* More curves of a kind than there are dashes or marks still can be drawn. */
static void forty_of_a_kind_are_drawn(void **state)
{
    figure_curve curves[40];
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < 40; k++)
            curves[k] = (figure_curve){
                .name = "a", .x = x, .y = y, .count = 5, .line = kind == 0, .points = kind == 1};
        assert_true(count_drawn(curves, 40, "<path") > 80);
    }
}

/* The lowest place of straight lines with these words in their style that are at least
 * `width` wide. */
static double lowest_line(const char *text, const char *words, double width)
{
    double lowest = -1;
    for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words)) {
        double place[4];
        const char *path = strstr(at, " d=\"");
        if (path == NULL ||
            sscanf(path, " d=\"M %lf %lf L %lf %lf \"", &place[0], &place[1], &place[2], &place[3]) != 4)
            continue;
        if (fabs(place[2] - place[0]) >= width)
            lowest = fmax(lowest, fmax(place[1], place[3]));
    }
    return lowest;
}

/* Bars in blue go down to the axis in ink, and not where zero would be. */
static void a_bar_to_zero_ends_at_the_axis(void **state)
{
    static const double two[] = {1, 10}, below[] = {-1, 9}, above[] = {2, 11};
    const figure_curve curve = {
        .name = "a", .x = two, .y = two, .count = 2, .points = true, .low = below, .high = above};
    figure_chart chart = chart_of(&curve, 1);
    chart.y.logarithmic = true;
    char *text = draw(&chart);
    double bar = lowest_line(text, "stroke:rgb(0%,44.7%,69.8%)", 0);
    double axis = lowest_line(text, "stroke:rgb(13%,13%,13%)", 400);
    assert_true(axis > 300 && fabs(bar - axis) < 0.01);
    free(text);
}

/* What a logarithmic axis has no place for: bars and bands to the edge, no cap there. */
static void uncertainty_below_zero_can_be_drawn(void **state)
{
    static const double below[] = {-1, 0, 0.25, 0.2, 0.18}, tiny[] = {1e-300, 1e300},
                        ends[] = {-1e300, 1e300};
    double wide_x[MANY], wide[MANY], under[MANY];
    figure_curve curve = {.name = "a", .x = x, .y = y, .count = 5, .low = below, .high = high};
    figure_chart chart = chart_of(&curve, 1);
    chart.y.logarithmic = chart.x.logarithmic = true;
    free(draw(&chart));
    for (int k = 0; k < MANY; k++) {
        wide_x[k] = wide[k] = k + 1;
        under[k] = -1;
    }
    curve = (figure_curve){.name = "a", .x = wide_x, .y = wide, .count = MANY, .low = under, .high = wide};
    free(draw(&chart));
    curve = (figure_curve){.name = "a", .x = tiny, .y = tiny, .count = 2, .low = ends, .high = tiny};
    free(draw(&chart));
    chart.y.logarithmic = chart.x.logarithmic = false;
    free(draw(&chart));
}

/* Marks upon marks are not drawn again. */
static void clouds_of_points_make_small_files(void **state)
{
    enum { POINTS = 300000 };
    double *a = calloc(POINTS, sizeof *a), *b = calloc(POINTS, sizeof *b);
    assert_true(a != NULL && b != NULL);
    for (int k = 0; k < POINTS; k++) {
        a[k] = (double)(k * 7919LL % 30011) / 30011;
        b[k] = (double)(k * 104729LL % 65537) / 65537;
    }
    const figure_curve curve = {.name = "cloud", .x = a, .y = b, .count = POINTS, .points = true};
    figure_chart chart = chart_of(&curve, 1);
    char *text = draw(&chart);
    assert_true(strlen(text) > 1000000 && strlen(text) < 8000000);
    free(text);
    free(a);
    free(b);
}

static void assert_refused(const figure_curve *curve, const char *message)
{
    figure_chart chart = chart_of(curve, 1);
    figure_error error = {{0}};
    assert_false(figure_draw_chart(place_of("a.svg"), &chart, &error));
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, message);
    assert_int_equal(count_files(), 0);
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const double hole[] = {0.4, NAN, 0.2, 0.1, 0.1};
    figure_curve curve = {.name = "a", .x = x, .y = y, .count = 5, .low = low};
    assert_refused(&curve, "curve 'a': found one end of its uncertainty, expected both or neither");
    curve.high = hole;
    assert_refused(&curve, "curve 'a': found nan at point 2, expected finite numbers");
    curve.high = low;
    curve.low = high;
    assert_refused(&curve, "curve 'a': found low 0.6 above high 0.4 at point 1");
    curve.low = curve.high = NULL;
    curve.points = curve.line = true;
    assert_refused(&curve, "curve 'a': found points and line, expected at most one of them");
    curve.line = false;
    for (curve.like = -1; curve.like < 3; curve.like += curve.like == -1 ? 2 : 1)
        assert_refused(&curve, "expected the number of another curve");
    const figure_curve pair[] = {{.name = "a", .x = x, .y = y, .count = 5},
                                 {.x = x, .y = y, .count = 5, .like = 1}};
    figure_chart chart = chart_of(pair, 2);
    figure_error error = {{0}};
    assert_false(figure_draw_chart(place_of("a.svg"), &chart, &error));
    assert_non_null(strstr(error.message, "like number 1, expected it to be points or a line"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_points_have_bars),
        cmocka_unit_test(many_points_have_a_band),
        cmocka_unit_test(lines_have_no_marks_and_points_no_line),
        cmocka_unit_test(lines_differ_in_dashes),
        cmocka_unit_test(what_belongs_to_a_curve_has_its_colour),
        cmocka_unit_test(forty_of_a_kind_are_drawn),
        cmocka_unit_test(a_bar_to_zero_ends_at_the_axis),
        cmocka_unit_test(uncertainty_below_zero_can_be_drawn),
        cmocka_unit_test(clouds_of_points_make_small_files),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
