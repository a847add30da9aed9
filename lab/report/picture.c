/* SPDX-License-Identifier: MIT */
#include "lab/report/picture.h"

#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>

/* One of them is given. */
typedef struct subject {
    const figure_chart *chart;
    const figure_bars *bars;
    const figure_grid *grid;
} subject;

static bool draw(const char *path, subject what, figure_error *reason)
{
    if (what.chart != NULL)
        return figure_draw_chart(path, what.chart, reason);
    return what.bars != NULL ? figure_draw_bars(path, what.bars, reason)
                             : figure_draw_grid(path, what.grid, reason);
}

static weft_status draw_both_kinds(const char *stem, subject what, weft_error *error)
{
    static const char *const endings[] = {".svg", ".png"};
    weft_status status = WEFT_OK;
    for (int k = 0; k < 2 && status == WEFT_OK; k++) {
        figure_error reason = {{0}};
        char *path = new_text("%s%s", stem, endings[k]);
        if (!draw(path, what, &reason))
            status = fail(error, WEFT_WRITE, "%s", reason.message);
        free(path);
    }
    return status;
}

weft_status lab_picture_chart(const char *stem, const figure_chart *chart, weft_error *error)
{
    return draw_both_kinds(stem, (subject){.chart = chart}, error);
}

weft_status lab_picture_bars(const char *stem, const figure_bars *bars, weft_error *error)
{
    return draw_both_kinds(stem, (subject){.bars = bars}, error);
}

weft_status lab_picture_grid(const char *stem, const figure_grid *grid, weft_error *error)
{
    return draw_both_kinds(stem, (subject){.grid = grid}, error);
}

/* ---- Latent blocks ---- */

/* Ids by class, those of one class in their own order; class c is from begin[c] up to
 * begin[c + 1] of them. */
static int64_t *order_by_class(const int64_t *class_of, int64_t count, int64_t k, int64_t *begin)
{
    int64_t *order = new_array(count, sizeof *order), at = 0;
    for (int64_t c = 0; c < k; c++) {
        begin[c] = at;
        for (int64_t i = 0; i < count; i++)
            if (class_of[i] == c)
                order[at++] = i;
    }
    begin[k] = at;
    return order;
}

/* Outlines of the blocks of classes that are not empty. */
static int outline_blocks(const int64_t *row_begin, int64_t k, const int64_t *column_begin, int64_t l,
                          figure_box *boxes)
{
    int count = 0;
    for (int64_t r = 0; r < k; r++)
        for (int64_t c = 0; c < l; c++)
            if (row_begin[r] < row_begin[r + 1] && column_begin[c] < column_begin[c + 1])
                boxes[count++] = (figure_box){
                    .x = {(double)column_begin[c], (double)column_begin[c + 1]},
                    .y = {(double)row_begin[r], (double)row_begin[r + 1]},
                };
    return count;
}

static double *entries_of(const lab_blocks *blocks, const int64_t *rows, const int64_t *columns)
{
    double *values = new_array(blocks->rows * blocks->columns, sizeof *values);
    for (int64_t i = 0; i < blocks->rows; i++)
        for (int64_t j = 0; j < blocks->columns; j++)
            values[i * blocks->columns + j] =
                lab_blocks_entry(blocks, rows != NULL ? rows[i] : i, columns != NULL ? columns[j] : j);
    return values;
}

static weft_status draw_blocks(const lab_blocks *blocks, const figure_panel panels[2], const char *stem,
                               weft_error *error)
{
    char *title = new_text("A (%lld,%lld)-biclustered %lld \xC3\x97 %lld binary matrix", (long long)blocks->k,
                           (long long)blocks->l, (long long)blocks->rows, (long long)blocks->columns);
    figure_grid grid = {
        .title = title,
        .note =
            "The same matrix twice: its rows and columns as they come, and reordered so that those of one "
            "class are side by side. Lines separate the latent blocks, in which all entries are equal.",
        .panels = panels,
        .count = 2,
        .minus = "\xE2\x88\x92"
                 "1",
        .plus = "+1",
    };
    weft_status status = lab_picture_grid(stem, &grid, error);
    free(title);
    return status;
}

weft_status lab_picture_blocks(const lab_blocks *blocks, const char *stem, weft_error *error)
{
    int64_t *row_begin = new_array(blocks->k + 1, sizeof *row_begin);
    int64_t *column_begin = new_array(blocks->l + 1, sizeof *column_begin);
    int64_t *rows = order_by_class(blocks->row_class, blocks->rows, blocks->k, row_begin);
    int64_t *columns = order_by_class(blocks->column_class, blocks->columns, blocks->l, column_begin);
    figure_box *boxes = new_array(blocks->k * blocks->l, sizeof *boxes);
    double *before = entries_of(blocks, NULL, NULL), *after = entries_of(blocks, rows, columns);
    figure_panel panels[2] = {{.title = "as it comes",
                               .rows = blocks->rows,
                               .columns = blocks->columns,
                               .values = before,
                               .x = {"column", 0, (double)blocks->columns},
                               .y = {"row", 0, (double)blocks->rows}}};
    panels[1] = panels[0];
    panels[1].title = "permuted into latent blocks";
    panels[1].values = after;
    panels[1].boxes = boxes;
    panels[1].box_count = outline_blocks(row_begin, blocks->k, column_begin, blocks->l, boxes);
    weft_status status = draw_blocks(blocks, panels, stem, error);
    free(row_begin);
    free(column_begin);
    free(rows);
    free(columns);
    free(boxes);
    free(before);
    free(after);
    return status;
}
