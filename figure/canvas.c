/* SPDX-License-Identifier: MIT
 * Where cairo is met: surfaces, fonts, text, and what becomes of the bytes. */
#include "figure/canvas.h"

#include <cairo-svg.h>
#include <ctype.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pixels of a PNG for one point: sharp at twice the size. */
enum { PIXELS = 2 };

const figure__colour figure__ink = {0.13, 0.13, 0.13};
const figure__colour figure__soft = {0.45, 0.45, 0.45};
const figure__colour figure__faint = {0.88, 0.88, 0.88};

/* ---- Opening and closing ---- */

static figure__kind kind_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL || dot == path || strchr(dot, '/') != NULL)
        return FIGURE__NONE;
    if (strcmp(dot, ".svg") == 0)
        return FIGURE__SVG;
    return strcmp(dot, ".png") == 0 ? FIGURE__PNG : FIGURE__NONE;
}

bool figure_kind_known(const char *path)
{
    return kind_of(path) != FIGURE__NONE;
}

/* Measures must not depend on the surface, so that both kinds are one drawing:
 * no hinting, neither of shapes nor of widths. */
static void set_quality(cairo_t *cairo)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
}

static bool check_status(const figure__canvas *canvas, figure_error *error)
{
    cairo_status_t status = cairo_status(canvas->cairo);
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    return figure__fail(error, "%s: cannot be drawn: %s", canvas->path, cairo_status_to_string(status));
}

/* The context takes over the surface. */
static bool draw_on(figure__canvas *canvas, cairo_surface_t *surface, figure_error *error)
{
    cairo_destroy(canvas->cairo);
    canvas->cairo = cairo_create(surface);
    cairo_surface_destroy(surface);
    set_quality(canvas->cairo);
    return check_status(canvas, error);
}

bool figure__canvas_open(figure__canvas *canvas, const char *path, figure_error *error)
{
    *canvas = (figure__canvas){.path = path, .kind = kind_of(path)};
    if (canvas->kind == FIGURE__NONE)
        return figure__fail(error, "found '%.160s', expected a name that ends in .svg or .png", path);
    if (!draw_on(canvas, cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), error))
        return false;
    figure__font_use(canvas, (figure__font){10, false});
    /* Where fontconfig finds no font, cairo draws with strokes of its own, which
     * are a font of the kind "user" and know ASCII alone. */
    canvas->plain = cairo_scaled_font_get_type(cairo_get_scaled_font(canvas->cairo)) == CAIRO_FONT_TYPE_USER;
    return check_status(canvas, error);
}

static cairo_status_t take_bytes(void *closure, const unsigned char *data, unsigned int length)
{
    return figure__bytes_add(closure, data, length) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

bool figure__canvas_begin(figure__canvas *canvas, double width, double height, figure_error *error)
{
    cairo_surface_t *surface = NULL;
    canvas->width = ceil(width);
    canvas->height = ceil(height);
    if (canvas->kind == FIGURE__SVG) {
        surface =
            cairo_svg_surface_create_for_stream(take_bytes, &canvas->bytes, canvas->width, canvas->height);
    } else {
        surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)canvas->width * PIXELS,
                                             (int)canvas->height * PIXELS);
        cairo_surface_set_device_scale(surface, PIXELS, PIXELS);
    }
    if (!draw_on(canvas, surface, error))
        return false;
    cairo_set_source_rgb(canvas->cairo, 1, 1, 1);
    cairo_paint(canvas->cairo);
    return check_status(canvas, error);
}

/* cairo and fontconfig keep fonts and tables for the next picture, which at the end of
 * a program are memory that nobody freed.  They are let go: nobody else in the
 * program uses them, and to load them again takes milliseconds. */
void figure__canvas_close(figure__canvas *canvas)
{
    cairo_destroy(canvas->cairo);
    cairo_debug_reset_static_data();
    FcFini();
    free(canvas->words.at);
    free(canvas->bytes.at);
    *canvas = (figure__canvas){0};
}

/* ---- The file ---- */

/* cairo numbers the surfaces of a process, and the numbers stand in the file: the second
 * of two equal pictures would differ from the first.  The sheet is still the only one
 * without its number; images are counted anew in the order in which they appear. */
typedef struct names {
    unsigned long images[FIGURE_MOST_PANELS];
    int count;
} names;

static int count_image(names *known, unsigned long number)
{
    int k = 0;
    while (k < known->count && known->images[k] != number)
        k++;
    if (k == known->count && k < FIGURE_MOST_PANELS)
        known->images[known->count++] = number;
    return k;
}

/* The bytes of a name with a number that begins there, and what becomes of it; else 0. */
static size_t rename_part(const char *at, const char *end, names *known, char made[32])
{
    static const char *const prefixes[] = {"id=\"surface", "id=\"image", "\"#image"};
    for (int k = 0; k < 3; k++) {
        size_t length = strlen(prefixes[k]), digits = 0;
        if ((size_t)(end - at) < length || memcmp(at, prefixes[k], length) != 0)
            continue;
        unsigned long number = 0;
        for (; at + length + digits < end && isdigit((unsigned char)at[length + digits]); digits++)
            number = 10 * number + (unsigned long)(at[length + digits] - '0');
        if (digits == 0)
            return 0;
        if (k == 0)
            snprintf(made, 32, "%s", prefixes[k]);
        else
            snprintf(made, 32, "%s%d", prefixes[k], count_image(known, number));
        return length + digits;
    }
    return 0;
}

void figure__canvas_describe(figure__canvas *canvas, const char *words)
{
    figure__text text = figure__text_clean(words, false);
    canvas->lacking = !figure__bytes_add_escaped(&canvas->words, text.bytes) || canvas->lacking;
}

static bool add_string(figure__bytes *bytes, const char *string)
{
    return figure__bytes_add(bytes, string, strlen(string));
}

static bool add_elements(figure__bytes *bytes, const char *title, const figure__bytes *words)
{
    figure__text text = figure__text_clean(title, false);
    return add_string(bytes, "\n<title>") && figure__bytes_add_escaped(bytes, text.bytes) &&
           add_string(bytes, "</title>\n<desc>") && figure__bytes_add(bytes, words->at, words->count) &&
           add_string(bytes, "</desc>");
}

/* What cairo wrote, without numbers that differ, and with the words that it turned
 * into shapes, as <title> and <desc> behind the opening of <svg>. */
static bool add_words(figure__bytes *bytes, const char *title, const figure__bytes *words)
{
    figure__bytes made = {0};
    names known = {.count = 0};
    char name[32];
    const char *end = bytes->at + bytes->count;
    bool inside = false, placed = false, added = true;
    for (const char *at = bytes->at; added && at < end;) {
        size_t renamed = rename_part(at, end, &known, name);
        if (renamed > 0) {
            added = add_string(&made, name);
            at += renamed;
            continue;
        }
        inside = inside || ((size_t)(end - at) > 4 && memcmp(at, "<svg", 4) == 0);
        added = figure__bytes_add(&made, at, 1);
        if (added && inside && !placed && *at == '>') {
            placed = true;
            added = add_elements(&made, title, words);
        }
        at++;
    }
    free(bytes->at);
    *bytes = made;
    return added && placed;
}

bool figure__canvas_publish(figure__canvas *canvas, const char *title, figure_error *error)
{
    cairo_surface_t *surface = cairo_get_target(canvas->cairo);
    if (!check_status(canvas, error))
        return false;
    if (canvas->kind == FIGURE__PNG)
        cairo_surface_write_to_png_stream(surface, take_bytes, &canvas->bytes);
    cairo_surface_finish(surface);
    cairo_status_t status = cairo_surface_status(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        return figure__fail(error, "%s: cannot be drawn: %s", canvas->path, cairo_status_to_string(status));
    if (canvas->lacking || (canvas->kind == FIGURE__SVG && !add_words(&canvas->bytes, title, &canvas->words)))
        return figure__fail(error, "%s: cannot be drawn: out of memory", canvas->path);
    return figure__bytes_publish(&canvas->bytes, canvas->path, error);
}

/* ---- Drawing ---- */

void figure__colour_use(figure__canvas *canvas, figure__colour colour)
{
    cairo_set_source_rgb(canvas->cairo, colour.red, colour.green, colour.blue);
}

void figure__font_use(figure__canvas *canvas, figure__font font)
{
    cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(canvas->cairo, font.size);
}

double figure__text_width(figure__canvas *canvas, const figure__text *text)
{
    cairo_text_extents_t extents = {0};
    cairo_text_extents(canvas->cairo, text->bytes, &extents);
    return extents.x_advance;
}

figure__text figure__text_fit(figure__canvas *canvas, const char *given, double width)
{
    figure__text text = figure__text_clean(given, canvas->plain);
    if (figure__text_width(canvas, &text) <= width)
        return text;
    figure__text fitting = figure__text_cut(&text, 0, canvas->plain);
    for (size_t at = figure__text_next(&text, 0); text.bytes[at] != 0; at = figure__text_next(&text, at)) {
        figure__text longer = figure__text_cut(&text, at, canvas->plain);
        if (figure__text_width(canvas, &longer) > width)
            break;
        fitting = longer;
    }
    return fitting;
}

void figure__text_draw(figure__canvas *canvas, const figure__text *text, double x, double y, double align)
{
    cairo_move_to(canvas->cairo, x - align * figure__text_width(canvas, text), y);
    cairo_show_text(canvas->cairo, text->bytes);
    cairo_new_path(canvas->cairo);
}

void figure__text_draw_upright(figure__canvas *canvas, const figure__text *text, double x, double y)
{
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, x, y);
    cairo_rotate(canvas->cairo, -acos(-1.0) / 2);
    figure__text_draw(canvas, text, 0, 0, 0.5);
    cairo_restore(canvas->cairo);
}

/* The longest beginning of `text` that ends before a blank and fits, or all of it,
 * or, where one word is too wide, that word. */
static size_t line_length(figure__canvas *canvas, const figure__text *text, double width)
{
    size_t fits = 0;
    for (size_t at = 0;; at++) {
        if (text->bytes[at] != ' ' && text->bytes[at] != 0)
            continue;
        figure__text line = *text;
        line.bytes[at] = 0;
        if (fits > 0 && figure__text_width(canvas, &line) > width)
            return fits;
        fits = at;
        if (text->bytes[at] == 0)
            return fits;
    }
}

int figure__text_wrap(figure__canvas *canvas, const char *given, figure__column column, bool measure)
{
    figure__text rest = figure__text_clean(given, canvas->plain);
    int lines = 0;
    while (rest.bytes[0] != 0) {
        size_t length = line_length(canvas, &rest, column.width);
        figure__text line = rest;
        line.bytes[length] = 0;
        if (!measure)
            figure__text_draw(canvas, &line, column.x, column.y + lines * column.spacing, 0);
        lines++;
        while (rest.bytes[length] == ' ')
            length++;
        memmove(rest.bytes, rest.bytes + length, strlen(rest.bytes + length) + 1);
    }
    return lines;
}

void figure__line(figure__canvas *canvas, double x0, double y0, double x1, double y1)
{
    cairo_move_to(canvas->cairo, x0, y0);
    cairo_line_to(canvas->cairo, x1, y1);
    cairo_stroke(canvas->cairo);
}

bool figure__draw(const figure__ops *ops, const char *path, const void *picture, figure_error *error)
{
    figure__canvas canvas = {0};
    void *layout = calloc(1, ops->layout);
    bool drawn = layout != NULL ? ops->check(picture, error) && figure__canvas_open(&canvas, path, error) &&
                                      ops->draw(&canvas, picture, layout, error)
                                : figure__fail(error, "out of memory");
    figure__canvas_close(&canvas);
    free(layout);
    return drawn;
}
