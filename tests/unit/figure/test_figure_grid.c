/* SPDX-License-Identifier: MIT
 * Matrices as coloured cells: the pixels are those of the values, the colours tell the
 * values apart without being seen as colours, the files are whole and the same every
 * time. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "figure/shade.h"
#include "unit/test_figure_support.h"

#include <math.h>

static const double four[] = {1, -1, 1, 1};

static figure_panel panel_of(const double *values, int64_t rows, int64_t columns)
{
    return (figure_panel){.title = "a panel",
                          .rows = rows,
                          .columns = columns,
                          .values = values,
                          .x = {"column", 0, (double)columns},
                          .y = {"row", 0, (double)rows}};
}

static void draw_to(const char *path, const figure_grid *grid)
{
    figure_error error = {{0}};
    if (!figure_draw_grid(path, grid, &error))
        fail_msg("%s", error.message);
}

static char *draw(const figure_grid *grid)
{
    size_t size = 0;
    draw_to(place_of("g.svg"), grid);
    char *text = take_file(place_of("g.svg"), &size);
    assert_int_equal(strlen(text), size);
    assert_true(is_well_formed(text));
    assert_null(strstr(text, "nan"));
    return text;
}

/* ---- Pixels ---- */

/* How many pixels have a colour, and the middle of them. */
typedef struct spot {
    int64_t count;
    double x, y;
} spot;

static spot find_colour(const figure_grid *grid, figure__colour colour)
{
    uint32_t wanted = (uint32_t)lround(255 * colour.red) << 16 | (uint32_t)lround(255 * colour.green) << 8 |
                      (uint32_t)lround(255 * colour.blue);
    spot found = {0, 0, 0};
    draw_to(place_of("g.png"), grid);
    cairo_surface_t *image = cairo_image_surface_create_from_png(place_of("g.png"));
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    const unsigned char *data = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (int y = 0; y < cairo_image_surface_get_height(image); y++)
        for (int x = 0; x < cairo_image_surface_get_width(image); x++) {
            uint32_t pixel = 0;
            memcpy(&pixel, data + (ptrdiff_t)y * stride + (ptrdiff_t)4 * x, 4);
            if ((pixel & 0xFFFFFF) != wanted)
                continue;
            found.count++;
            found.x += x;
            found.y += y;
        }
    cairo_surface_destroy(image);
    assert_int_equal(unlink(place_of("g.png")), 0);
    found.x /= (double)(found.count > 0 ? found.count : 1);
    found.y /= (double)(found.count > 0 ? found.count : 1);
    return found;
}

/* Three cells and one of 150 points, so 90,000 pixels each; frame and legend take and
 * give a little.  The one is at the right in the first row, so its middle is 150 pixels
 * right of and above the middle of all, which is 50 from the middle of the other three. */
static void cells_have_their_colours_and_places(void **state)
{
    figure_panel panel = panel_of(four, 2, 2);
    figure_grid grid = {.panels = &panel, .count = 1, .minus = "no", .plus = "yes"};
    spot plus = find_colour(&grid, figure__plus), minus = find_colour(&grid, figure__minus);
    assert_true(llabs(plus.count - 270000) < 3000);
    assert_true(llabs(minus.count - 90000) < 3000);
    assert_true(fabs(minus.x - plus.x - 200) < 5 && fabs(plus.y - minus.y - 200) < 5);
}

/* The corners of a ramp are the ends of the scale; a scale that is given moves them. */
static void values_have_their_shades(void **state)
{
    static const double ramp[] = {0, 1, 2, 3};
    figure_panel panel = panel_of(ramp, 2, 2);
    figure_grid grid = {.panels = &panel, .count = 1, .unit = "value"};
    assert_true(find_colour(&grid, figure__shade_of(0)).count > 80000);
    assert_true(find_colour(&grid, figure__shade_of(FIGURE__SHADES - 1)).count > 80000);
    grid.low = -10;
    grid.high = 1;
    assert_true(find_colour(&grid, figure__shade_of(0)).count < 1000);
    assert_true(find_colour(&grid, figure__shade_of(FIGURE__SHADES - 1)).count > 260000);
}

/* Outlines are black on cells that are not, and end at the frame. */
static void boxes_are_outlined(void **state)
{
    static const figure__colour black = {0, 0, 0};
    static const figure_box boxes[] = {{"S", {0.5, 1.5}, {1.5, 0.5}}, {NULL, {-5, -4}, {-5, -4}}};
    figure_panel panel = panel_of(four, 2, 2);
    figure_grid grid = {.panels = &panel, .count = 1, .minus = "no", .plus = "yes"};
    assert_int_equal(find_colour(&grid, black).count, 0);
    panel.boxes = boxes;
    panel.box_count = 2;
    /* Four sides of 300 pixels, one or two wide. */
    spot outline = find_colour(&grid, black);
    assert_true(outline.count > 1000 && outline.count < 2600);
}

/* ---- Colours ---- */

static double linear(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* L* of CIE 1976, from 0 to 100. */
static double lightness(figure__colour colour)
{
    double luminance =
        0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
    return luminance > 0.008856 ? 116 * cbrt(luminance) - 16 : 903.3 * luminance;
}

/* Without colours: dark to light in steps that differ little, and two values far apart. */
static void colours_can_be_told_in_grey(void **state)
{
    double least = INFINITY, most = 0;
    for (int k = 1; k < FIGURE__SHADES; k++) {
        double step = lightness(figure__shade_of(k)) - lightness(figure__shade_of(k - 1));
        least = fmin(least, step);
        most = fmax(most, step);
    }
    assert_true(least > 0 && most < 2 * least);
    assert_true(lightness(figure__shade_of(FIGURE__SHADES - 1)) - lightness(figure__shade_of(0)) > 70);
    assert_true(lightness(figure__minus) - lightness(figure__plus) > 45);
}

static void shades_are_numbered(void **state)
{
    assert_int_equal(figure__shade_number(0, 0, 1), 0);
    assert_int_equal(figure__shade_number(-5, 0, 1), 0);
    assert_int_equal(figure__shade_number(1, 0, 1), FIGURE__SHADES - 1);
    assert_int_equal(figure__shade_number(7, 0, 1), FIGURE__SHADES - 1);
    assert_int_equal(figure__shade_number(0.5, 0, 1), FIGURE__SHADES / 2);
    assert_int_equal(figure__shade_number(0, -1e300, 1e300), FIGURE__SHADES / 2);
}

/* ---- Files ---- */

static void a_grid_holds_its_words(void **state)
{
    static const figure_box boxes[] = {{"S<1>", {0, 1}, {0, 1}}, {NULL, {1, 2}, {0, 1}}};
    figure_panel panels[] = {panel_of(four, 2, 2), panel_of(four, 1, 4)};
    panels[0].boxes = boxes;
    panels[0].box_count = 2;
    panels[1].x.name = panels[1].y.name = NULL;
    figure_grid grid = {.title = "A & B", .panels = panels, .count = 2, .minus = "no", .plus = "yes"};
    char *text = draw(&grid);
    assert_holds(text, "<title>A &amp; B</title>");
    assert_holds(text, "<desc>no (light) and yes (dark): a panel (2 rows, 2 columns) over column and row, "
                       "S&lt;1&gt;; a panel (1 rows, 4 columns)</desc>");
    free(text);
    grid = (figure_grid){.panels = panels, .count = 1, .unit = "f"};
    text = draw(&grid);
    assert_holds(text, "<desc>f from -1 (dark) to 1 (light): a panel");
    free(text);
}

/* Both kinds, twice, with as many images as there can be. */
static void equal_grids_are_equal_bytes(void **state)
{
    static const double other[] = {-1, -1, 1, -1};
    figure_panel panels[] = {panel_of(four, 2, 2), panel_of(other, 2, 2), panel_of(four, 1, 4),
                             panel_of(other, 4, 1)};
    figure_grid grid = {.title = "Four", .panels = panels, .count = 4, .minus = "no", .plus = "yes"};
    for (int kind = 0; kind < 2; kind++) {
        size_t sizes[2];
        char *bytes[2];
        for (int k = 0; k < 2; k++) {
            const char *path = place_of(kind == 0 ? "g.svg" : "g.png");
            draw_to(path, &grid);
            bytes[k] = take_file(path, &sizes[k]);
        }
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        if (kind == 0) {
            assert_holds(bytes[0], "\"#image0\"");
            assert_holds(bytes[0], "id=\"image3\"");
        }
        free(bytes[0]);
        free(bytes[1]);
    }
}

/* One cell, a constant, threads, the largest, numbers at the ends of their range, axes that
 * go down, no words. */
static void odd_grids_are_drawn(void **state)
{
    enum { MOST = FIGURE_MOST_CELLS };
    static const double one[] = {3}, far[] = {-1e300, 1e300, 0, 1e-300};
    double *large = calloc((size_t)MOST * MOST, sizeof *large);
    assert_non_null(large);
    for (int k = 0; k < MOST * MOST; k++)
        large[k] = k * 7919LL % 30011 % 2 == 0 ? -1 : 1;
    figure_panel panels[] = {panel_of(one, 1, 1), panel_of(far, 2, 2), panel_of(large, 1, MOST),
                             panel_of(large, MOST, 1), panel_of(large, MOST, MOST)};
    for (size_t k = 0; k < sizeof panels / sizeof *panels; k++) {
        figure_grid grid = {.panels = &panels[k], .count = 1};
        char *text = draw(&grid);
        assert_true(strlen(text) < 300000);
        free(text);
        panels[k].x = (figure_span){.first = 1e300, .last = -1e300};
        panels[k].y = (figure_span){.first = 1, .last = 0};
        panels[k].title = NULL;
        free(draw(&grid));
    }
    free(large);
}

/* ---- Failures ---- */

static void assert_refused(const figure_grid *grid, const char *message)
{
    figure_error error = {{0}};
    assert_false(figure_draw_grid(place_of("g.svg"), grid, &error));
    assert_false(figure_draw_grid(place_of("g.svg"), grid, NULL));
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, message);
    assert_int_equal(count_files(), 0);
}

static void grids_that_cannot_be_drawn_are_refused(void **state)
{
    static const double half[] = {1, -1, 0.5, 1}, hole[] = {1, 2, 3, NAN};
    static const figure_box endless[] = {{"S", {0, INFINITY}, {0, 1}}};
    figure_panel panel = panel_of(four, 2, 2);
    figure_grid grid = {.panels = &panel, .count = 0, .minus = "no", .plus = "yes"};
    assert_refused(&grid, "found 0 panels, expected 1 to 4");
    grid.count = 5;
    assert_refused(&grid, "found 5 panels");
    grid.count = 1;
    panel.values = half;
    assert_refused(&grid, "panel 1: found 0.5 at row 2, column 1, expected -1 or +1");
    grid.plus = NULL;
    assert_refused(&grid, "found a name for one of -1 and +1, expected both or neither");
    grid.minus = NULL;
    panel.values = hole;
    assert_refused(&grid, "panel 1: found nan at row 2, column 2, expected a finite number");
    panel.values = four;
    grid.low = 1;
    assert_refused(&grid, "found a scale from 1 to 0, expected two finite numbers in order");
    grid.low = 0;
    panel.rows = FIGURE_MOST_CELLS + 1;
    assert_refused(&grid, "panel 1: found 257 x 2 cells, expected 1 to 256 either way");
    panel = panel_of(four, 2, 2);
    panel.y.last = 0;
    assert_refused(&grid, "panel 1: found y from 0 to 0, expected two different finite numbers");
    panel = panel_of(four, 2, 2);
    panel.boxes = endless;
    panel.box_count = 1;
    assert_refused(&grid, "panel 1: found a box without finite ends");
    panel.box_count = FIGURE_MOST_BOXES + 1;
    assert_refused(&grid, "panel 1: found 1001 boxes, expected 0 to 1000");
}

static void grids_are_not_left_half_written(void **state)
{
    figure_panel panel = panel_of(four, 2, 2);
    figure_grid grid = {.panels = &panel, .count = 1};
    figure_error error = {{0}};
    assert_false(figure_draw_grid(place_of("no/such/g.svg"), &grid, &error));
    assert_non_null(strstr(error.message, "no/such/g.svg: cannot be written: "));
    assert_false(figure_draw_grid(place_of("g.pdf"), &grid, &error));
    assert_non_null(strstr(error.message, "expected a name that ends in .svg or .png"));
    assert_int_equal(symlink("/dev/full", place_of("full.png")), 0);
    assert_false(figure_draw_grid(place_of("full.png"), &grid, &error));
    assert_int_equal(unlink(place_of("full.png")), 0);
    assert_int_equal(count_files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_have_their_colours_and_places),
        cmocka_unit_test(values_have_their_shades),
        cmocka_unit_test(boxes_are_outlined),
        cmocka_unit_test(colours_can_be_told_in_grey),
        cmocka_unit_test(shades_are_numbered),
        cmocka_unit_test(a_grid_holds_its_words),
        cmocka_unit_test(equal_grids_are_equal_bytes),
        cmocka_unit_test(odd_grids_are_drawn),
        cmocka_unit_test(grids_that_cannot_be_drawn_are_refused),
        cmocka_unit_test(grids_are_not_left_half_written),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
