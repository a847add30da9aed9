/* SPDX-License-Identifier: MIT
 *
 * Method     two maps of the plane: functions of the min kernel's space that are 1 on the points of
 *            one box and 0 on those of the others; and the margins that a learner has learnt
 * Algorithm  the function of the proof is a product of tents; the smallest one through the points is
 *            sum_i a_i K(x_i, .) with K a = u, by Cholesky's factorisation; the margins are those of
 *            rows that arrive after the stream, one for every cell of the map
 * Cost       O(points^3), one prediction a cell
 * Reference  lem:norm_f_bound and the figure beside it; lem:min_kernel_normsingle */
#include "lab/boxes/boxes.h"
#include "lab/report/frame.h"
#include "lab/report/picture.h"
#include "program/fail.h"
#include "program/new.h"
#include "weft_theory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BOXES = 3, FINE = 96, COARSE = 48, POINTS = 60, PLANE = 2 };

static const double range = 8, separation = 2.4;

/* The middle of cell (i, j) of a map of side x side cells, the first row at the top. */
static void locate(int64_t i, int64_t j, int64_t side, double point[PLANE])
{
    point[0] = -range + 2 * range * ((double)j + 0.5) / (double)side;
    point[1] = range - 2 * range * ((double)i + 0.5) / (double)side;
}

static figure_panel panel_of(const char *title, int64_t side, const double *values,
                             const figure_box *outlines)
{
    return (figure_panel){
        .title = title,
        .rows = side,
        .columns = side,
        .values = values,
        .x = {"x₁", -range, range},
        .y = {"x₂", range, -range},
        .boxes = outlines,
        .box_count = BOXES,
    };
}

static void outline(const lab_boxes *boxes, const char *const *names, figure_box *outlines)
{
    for (int b = 0; b < BOXES; b++) {
        const double *low = boxes->low + b * PLANE, *high = boxes->high + b * PLANE;
        outlines[b] = (figure_box){names[b], {low[0], high[0]}, {low[1], high[1]}};
    }
}

static weft_status publish(lab_page *page, const lab_request *request, const char *name,
                           const figure_grid *grid, const char *caption, weft_error *error)
{
    char *stem = lab_place_file(request->out, name, ""), *svg = lab_place_file(request->out, name, ".svg");
    weft_status status = lab_picture_grid(stem, grid, error);
    if (status == WEFT_OK)
        lab_page_figure(page, svg, caption);
    free(stem);
    free(svg);
    return status;
}

/* ---- The function over boxes ---- */

/* s(x) = (r-1)x/(2r) + (r+1)/2 takes [-r,r] to [1,r]. */
static double shift(double x)
{
    return (range - 1) * x / (2 * range) + (range + 1) / 2;
}

static double kernel(const double *x, const double *t)
{
    double product = 1;
    for (int a = 0; a < PLANE; a++)
        product *= fmin(shift(x[a]), shift(t[a]));
    return product;
}

/* 1 on [low, high], down to 0 within half of delta* on either side, after the shift. */
static double tent(double x, double low, double high)
{
    double ramp = fmin(2, separation / 4) / 2, at = shift(x);
    double outside = fmax(shift(low) - at, at - shift(high));
    return fmin(1, fmax(0, 1 - outside / ramp));
}

static void map_tents(const lab_boxes *boxes, double *values)
{
    for (int64_t c = 0; c < FINE * FINE; c++) {
        double point[PLANE];
        locate(c / FINE, c % FINE, FINE, point);
        values[c] = 1;
        for (int a = 0; a < PLANE; a++)
            values[c] *= tent(point[a], boxes->low[a], boxes->high[a]);
    }
}

/* matrix = L L' in its lower half; then vector = matrix^-1 vector. */
static void solve(double *matrix, int64_t n, double *vector)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = matrix[i * n + j];
            for (int64_t s = 0; s < j; s++)
                sum -= matrix[i * n + s] * matrix[j * n + s];
            matrix[i * n + j] = i == j ? sqrt(sum) : sum / matrix[j * n + j];
        }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t s = 0; s < i; s++)
            vector[i] -= matrix[i * n + s] * vector[s];
        vector[i] /= matrix[i * n + i];
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t s = i + 1; s < n; s++)
            vector[i] -= matrix[s * n + i] * vector[s];
        vector[i] /= matrix[i * n + i];
    }
}

/* The smallest function that is 1 on the points of the first box and 0 on the others; returns its
 * squared norm u'K^-1 u = u'a. */
static double map_smallest(const double *points, const int64_t *class_of, double *values)
{
    double *gram = new_array(POINTS * POINTS, sizeof *gram), *weight = new_array(POINTS, sizeof *weight);
    double norm = 0;
    for (int64_t i = 0; i < POINTS; i++) {
        weight[i] = class_of[i] == 0;
        for (int64_t j = 0; j < POINTS; j++)
            gram[i * POINTS + j] = kernel(points + i * PLANE, points + j * PLANE);
    }
    solve(gram, POINTS, weight);
    for (int64_t i = 0; i < POINTS; i++)
        norm += class_of[i] == 0 ? weight[i] : 0;
    for (int64_t c = 0; c < FINE * FINE; c++) {
        double point[PLANE];
        locate(c / FINE, c % FINE, FINE, point);
        values[c] = 0;
        for (int64_t i = 0; i < POINTS; i++)
            values[c] += weight[i] * kernel(points + i * PLANE, point);
    }
    free(gram);
    free(weight);
    return norm;
}

static weft_status add_functions(lab_page *page, const lab_request *request, weft_error *error)
{
    static const char *const names[BOXES] = {"S₁", "S₂", "S₃"};
    lab_random random = lab_random_begin(request->seed, "boxes function", BOXES, 0);
    int64_t *class_of = lab_classes(POINTS, BOXES, LAB_EQUAL, &random);
    double *tents = new_array(FINE * FINE, sizeof *tents),
           *smallest = new_array(FINE * FINE, sizeof *smallest);
    double *points = NULL;
    char *title = NULL, *other = NULL;
    figure_box outlines[BOXES];
    lab_boxes boxes = {0};
    weft_status status = WEFT_OK;
    TRY(lab_boxes_draw(BOXES, PLANE, range, separation, &random, &boxes, error));
    points = lab_boxes_points(&boxes, POINTS, class_of, &random);
    outline(&boxes, names, outlines);
    map_tents(&boxes, tents);
    title = new_text("of the proof: |f|² = %.1f", weft_theory_boxes(1, PLANE, separation));
    other = new_text("smallest through %d points: |f|² = %.2f", (int)POINTS,
                     map_smallest(points, class_of, smallest));
    figure_panel panels[] = {panel_of(title, FINE, tents, outlines),
                             panel_of(other, FINE, smallest, outlines)};
    figure_grid grid = {.title = "The function over boxes: 1 on S₁, 0 on S₂ and S₃",
                        .panels = panels,
                        .count = 2,
                        .unit = "f(x₁, x₂)"};
    TRY(publish(page, request, "boxes-function", &grid,
                "Left: the function f(x1,x2) of the proof of the proposition, the figure of the paper: a "
                "product of tents that is 1 on the box S1 and falls to 0 within δ*/2 around it.  Right: the "
                "smallest function of the min kernel's space that is 1 on the points of S1 and 0 on those of "
                "S2 and S3; its squared norm is what tr(R'K^-1R) sums.  Both norms stand above the panels. "
                "Rectangles are the boxes.",
                error));
done:
    lab_boxes_free(&boxes);
    free(class_of);
    free(tents);
    free(smallest);
    free(points);
    free(title);
    free(other);
    return status;
}

/* ---- What is learnt ---- */

/* Margins of the column over the plane, by rows that have arrived after the stream. */
static weft_status map_margins(boxes_played *played, const boxes_given *given, int64_t column, double *values,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t c = 0; c < COARSE * COARSE; c++) {
        weft_answer prediction;
        TRY(weft_player_evaluate(played->learner, given->count + c, column, 0.05, &prediction, error));
        values[c] = prediction.margin;
    }
done:
    return status;
}

static weft_status let_in_map(boxes_played *played, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t c = 0; c < COARSE * COARSE; c++) {
        double point[PLANE];
        locate(c / COARSE, c % COARSE, COARSE, point);
        weft_item item = {.values = point, .length = PLANE};
        TRY(weft_side_append(played->rows, &item, error));
    }
done:
    return status;
}

/* One panel for each class of columns: its first column. */
static weft_status fill_panels(const boxes_given *given, const boxes_problem *problem, boxes_played *played,
                               double *values, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(let_in_map(played, error));
    for (int64_t b = 0; b < BOXES; b++) {
        int64_t column = 0;
        while (problem->blocks.column_class[column] != b)
            column++;
        TRY(map_margins(played, given, column, values + b * COARSE * COARSE, error));
    }
done:
    return status;
}

static weft_status draw_learnt(lab_page *page, const lab_request *request, const boxes_problem *problem,
                               const double *values, weft_error *error)
{
    static const char *const titles[BOXES] = {"columns of box 1", "columns of box 2", "columns of box 3"};
    figure_panel panels[BOXES];
    figure_box outlines[BOXES][BOXES];
    for (int c = 0; c < BOXES; c++) {
        const char *names[BOXES];
        for (int b = 0; b < BOXES; b++)
            names[b] = problem->blocks.block[b * BOXES + c] > 0 ? "+1" : "−1";
        outline(&problem->row_boxes, names, outlines[c]);
        panels[c] = panel_of(titles[c], COARSE, values + c * COARSE * COARSE, outlines[c]);
    }
    figure_grid grid = {.title = "What was learnt: margins of new rows over the plane",
                        .panels = panels,
                        .count = BOXES,
                        .unit = "margin",
                        .low = -1,
                        .high = 1};
    return publish(page, request, "boxes-learnt", &grid,
                   "The margin that the learner has after the stream for a row that arrives at any point of "
                   "the plane, with a column of each of three boxes (d = 2, k = l = 3).  Rectangles are the "
                   "boxes of the rows, with their true labels.  The learner was never told where the boxes "
                   "are, nor how many.",
                   error);
}

static weft_status add_learnt(lab_page *page, const lab_request *request, weft_error *error)
{
    boxes_given given = {.seed = request->seed,
                         .count = 128,
                         .k = BOXES,
                         .l = BOXES,
                         .dimension = PLANE,
                         .range = range,
                         .separation = separation,
                         .trials = 8192,
                         .room = COARSE * COARSE};
    unsigned char *decisions = new_array(given.trials, 1);
    double *values = new_array(BOXES * COARSE * COARSE, sizeof *values);
    boxes_problem problem = {0};
    boxes_played played = {0};
    weft_status status = WEFT_OK;
    TRY(boxes_problem_draw(&given, &problem, error));
    TRY(boxes_play(&given, &problem, false, &played, decisions, error));
    TRY(fill_panels(&given, &problem, &played, values, error));
    TRY(draw_learnt(page, request, &problem, values, error));
done:
    boxes_played_free(&played);
    boxes_problem_free(&problem);
    free(values);
    free(decisions);
    return status;
}

weft_status boxes_add_maps(lab_page *page, const lab_request *request, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(add_functions(page, request, error));
    TRY(add_learnt(page, request, error));
done:
    return status;
}
