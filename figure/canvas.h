/* SPDX-License-Identifier: MIT
 * A white sheet that becomes a file: text can be measured before its size is
 * known, then it is drawn on, then it is published as SVG or PNG.
 *
 * Failures of cairo stay in its context until figure__canvas_publish tells them,
 * so that drawing reads without a test after every line. */
#ifndef WEFT_FIGURE_CANVAS_H
#define WEFT_FIGURE_CANVAS_H

#include "figure/figure.h"
#include "figure/text.h"

#include <cairo.h>

typedef enum figure__kind { FIGURE__NONE, FIGURE__SVG, FIGURE__PNG } figure__kind;

typedef struct figure__bytes {
    char *at;
    size_t count, capacity;
} figure__bytes;

typedef struct figure__canvas {
    const char *path;
    figure__kind kind;
    double width, height;
    cairo_t *cairo;      /* first a scratch to measure on, then the sheet */
    bool plain;          /* no font is installed: cairo's own strokes, ASCII alone */
    figure__bytes words; /* what is said in the picture, escaped for XML */
    figure__bytes bytes; /* what becomes the file */
    bool lacking;        /* memory, for one of the two */
} figure__canvas;

/* False where the name of `path` has no known ending.  To be closed either way. */
bool figure__canvas_open(figure__canvas *canvas, const char *path, figure_error *error);
/* Now the size is known: a white sheet of that many points. */
bool figure__canvas_begin(figure__canvas *canvas, double width, double height, figure_error *error);
/* Adds to the description that an SVG carries for those who cannot see it: cairo
 * turns words into shapes. */
void figure__canvas_describe(figure__canvas *canvas, const char *words);
/* Writes the file. */
bool figure__canvas_publish(figure__canvas *canvas, const char *title, figure_error *error);
void figure__canvas_close(figure__canvas *canvas);

/* Leaves the message, cut to fit, and is false. */
__attribute__((format(printf, 2, 3))) bool figure__fail(figure_error *error, const char *format, ...);

/* ---- Drawing ---- */

typedef struct figure__colour {
    double red, green, blue;
} figure__colour;

extern const figure__colour figure__ink, figure__soft, figure__faint;

void figure__colour_use(figure__canvas *canvas, figure__colour colour);

typedef struct figure__font {
    double size;
    bool bold;
} figure__font;

void figure__font_use(figure__canvas *canvas, figure__font font);
/* In points, with the font in use. */
double figure__text_width(figure__canvas *canvas, const figure__text *text);
/* The text, or its beginning and an ellipsis where it is wider than `width`. */
figure__text figure__text_fit(figure__canvas *canvas, const char *given, double width);
/* `align` 0 begins at x, 0.5 centres, 1 ends there; y is the base line. */
void figure__text_draw(figure__canvas *canvas, const figure__text *text, double x, double y, double align);
/* The same, upwards. */
void figure__text_draw_upright(figure__canvas *canvas, const figure__text *text, double x, double y);
/* Where lines of text stand: the base line of the first, and from line to line. */
typedef struct figure__column {
    double x, y, width, spacing;
} figure__column;

/* Words in lines that fit the column; how many lines that is.  With `measure`
 * nothing is drawn. */
int figure__text_wrap(figure__canvas *canvas, const char *given, figure__column column, bool measure);

/* A straight line in the colour and width in use. */
void figure__line(figure__canvas *canvas, double x0, double y0, double x1, double y1);

/* ---- The file ---- */

/* Grows as needed; false when memory is out. */
bool figure__bytes_add(figure__bytes *bytes, const void *more, size_t count);
/* The same, with what XML gives a meaning escaped. */
bool figure__bytes_add_escaped(figure__bytes *bytes, const char *text);
/* Puts the bytes under the name: all or nothing. */
bool figure__bytes_publish(const figure__bytes *bytes, const char *path, figure_error *error);

/* A kind of picture: whether it can be drawn, and how, with a layout of so many bytes, all zero, which is too
 * large for a small stack. */
typedef struct figure__ops {
    bool (*check)(const void *picture, figure_error *error);
    bool (*draw)(figure__canvas *canvas, const void *picture, void *layout, figure_error *error);
    size_t layout;
} figure__ops;

/* Checks the picture and draws it into the file. */
bool figure__draw(const figure__ops *ops, const char *path, const void *picture, figure_error *error);

#endif
