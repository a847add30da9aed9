/* SPDX-License-Identifier: MIT
 *
 * Method     boxes on a grid: distinct cells at random, each shrunk by half of the separation
 * Algorithm  g is the least whole number with g^d >= k; the cells are drawn coordinate by coordinate,
 *            and again where an earlier box has taken the same one, so that g^d is never enumerated
 * Cost       a draw O(k d); at most about k log k draws are expected (all cells taken)
 * Reference  section 5.1, lem:min_kernel_norm */
#include "lab/problem/box.h"

#include "program/fail.h"
#include "program/new.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether there are at least k cells, g along each of d axes. */
static bool has_room(int64_t g, int64_t dimension, int64_t k)
{
    int64_t cells = 1;
    for (int64_t a = 0; a < dimension && cells < k; a++) {
        if (g == 1)
            return false;
        cells = cells > k / g ? k : cells * g;
    }
    return cells >= k;
}

static weft_status check(int64_t k, int64_t dimension, double range, double separation, weft_error *error)
{
    if (k < 1 || dimension < 1)
        return fail(error, WEFT_ARGUMENT, "found %lld boxes in %lld dimensions, expected at least 1 in 1",
                    (long long)k, (long long)dimension);
    if (!(range > 0) || !isfinite(2 * range))
        return fail(error, WEFT_ARGUMENT, "found the range %g, expected a number above 0 and below 1e308",
                    range);
    if (!(separation >= 0))
        return fail(error, WEFT_ARGUMENT, "found the separation %g, expected at least 0", separation);
    return WEFT_OK;
}

static bool is_taken(const int64_t *cells, int64_t box, int64_t dimension)
{
    for (int64_t b = 0; b < box; b++)
        if (memcmp(cells + b * dimension, cells + box * dimension, (size_t)dimension * sizeof *cells) == 0)
            return true;
    return false;
}

/* k distinct cells: k x dimension coordinates in [0, g), to be freed. */
static int64_t *draw_cells(int64_t k, int64_t dimension, int64_t g, lab_random *random)
{
    int64_t *cells = new_array(k * dimension, sizeof *cells);
    for (int64_t box = 0; box < k; box++)
        do
            for (int64_t a = 0; a < dimension; a++)
                cells[box * dimension + a] = lab_below(random, g);
        while (is_taken(cells, box, dimension));
    return cells;
}

weft_status lab_boxes_draw(int64_t k, int64_t dimension, double range, double separation, lab_random *random,
                           lab_boxes *boxes, weft_error *error)
{
    weft_status status = check(k, dimension, range, separation, error);
    int64_t g = 1;
    if (status != WEFT_OK)
        return status;
    while (!has_room(g, dimension, k))
        g++;
    double width = 2 * range / (double)g;
    if (!(separation < width))
        return fail(error, WEFT_ARGUMENT,
                    "found the separation %g, but %lld boxes in [-%g,%g]^%lld are cells %g wide less the "
                    "separation, expected below %g",
                    separation, (long long)k, range, range, (long long)dimension, width, width);
    int64_t *cells = draw_cells(k, dimension, g, random);
    double *low = new_array(k * dimension, sizeof *low), *high = new_array(k * dimension, sizeof *high);
    for (int64_t b = 0; b < k * dimension; b++) {
        low[b] = -range + (double)cells[b] * width + separation / 2;
        high[b] = -range + (double)(cells[b] + 1) * width - separation / 2;
    }
    free(cells);
    *boxes = (lab_boxes){k, dimension, range, separation, low, high};
    return WEFT_OK;
}

void lab_boxes_free(lab_boxes *boxes)
{
    free(boxes->low);
    free(boxes->high);
    *boxes = (lab_boxes){0};
}

double *lab_boxes_points(const lab_boxes *boxes, int64_t count, const int64_t *class_of, lab_random *random)
{
    int64_t d = boxes->dimension;
    double *points = new_array(count * d, sizeof *points);
    for (int64_t i = 0; i < count; i++)
        for (int64_t a = 0; a < d; a++) {
            int64_t b = class_of[i] * d + a;
            points[i * d + a] = lab_between(random, boxes->low[b], boxes->high[b]);
        }
    return points;
}
