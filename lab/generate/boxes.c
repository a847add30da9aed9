/* SPDX-License-Identifier: MIT
 * Generators for the inductive setting: rows and columns are points in boxes (section 5.1),
 * all there from the first trial on, or arriving one after the other. */
#include "lab/generate/generate.h"
#include "lab/problem/box.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* What is written. */
typedef struct inductive {
    lab_blocks blocks;
    double *row_points, *column_points;
    lab_stream stream;
} inductive;

static void free_inductive(inductive *made)
{
    free(made->row_points);
    free(made->column_points);
    lab_stream_free(&made->stream);
    lab_blocks_free(&made->blocks);
}

static lab_recipe fill(const lab_recipe *recipe)
{
    static const lab_usual usual = {.rows = 40, .columns = 40, .row_classes = 3, .column_classes = 3};
    lab_recipe filled = lab_recipe_fill(recipe, &usual);
    filled.range = recipe->range > 0 ? recipe->range : 2;
    filled.separation = recipe->separation > 0 ? recipe->separation : 1;
    filled.dimension = recipe->dimension > 0 ? recipe->dimension : 2;
    return filled;
}

/* Entries of the min kernel are up to range^dimension, which the bound multiplies by more; and a
 * separation must not be lost among the roundings of coordinates. */
static weft_status check_points(const lab_recipe *recipe, int64_t most, weft_error *error)
{
    static const double most_entry = 1e100, least_share = 1e-9;
    double dimension = (double)recipe->dimension;
    if (recipe->range < 2)
        return fail(error, WEFT_ARGUMENT, "--range: found %g, expected at least 2, for the min kernel",
                    recipe->range);
    if (!(weft__pow(recipe->range, dimension) <= most_entry))
        return fail(error, WEFT_ARGUMENT,
                    "--range: found %g, expected at most %g in %lld dimensions: the min kernel has entries "
                    "up to its power of them",
                    recipe->range, weft__pow(most_entry, 1 / dimension), (long long)recipe->dimension);
    if (recipe->separation < least_share * recipe->range)
        return fail(error, WEFT_ARGUMENT, "--separation: found %g, expected at least %g in a range of %g",
                    recipe->separation, least_share * recipe->range, recipe->range);
    if (most > LAB_MOST_LINES / recipe->dimension)
        return fail(error, WEFT_ARGUMENT, "--dimension: found %lld for %lld ids, expected at most %d numbers",
                    (long long)recipe->dimension, (long long)most, LAB_MOST_LINES);
    return WEFT_OK;
}

static weft_status check(const lab_recipe *recipe, weft_error *error)
{
    enum { MOST_BOXES = 10000, MOST_DIMENSIONS = 100 };
    weft_status status = WEFT_OK;
    TRY(lab_recipe_count("classes-rows", recipe->row_classes, 1, MOST_BOXES, error));
    TRY(lab_recipe_count("classes-columns", recipe->column_classes, 1, MOST_BOXES, error));
    TRY(lab_recipe_count("dimension", recipe->dimension, 1, MOST_DIMENSIONS, error));
    TRY(lab_recipe_check(recipe, LAB_MOST_IDS, error));
    TRY(check_points(recipe, recipe->rows > recipe->columns ? recipe->rows : recipe->columns, error));
done:
    return status;
}

/* One point for each id of a side, in the box of its class. */
static weft_status draw_points(const lab_recipe *recipe, const lab_side *side, double **points,
                               weft_error *error)
{
    lab_random random = lab_random_begin(recipe->seed, side->name, side->count, side->classes);
    lab_boxes boxes = {0};
    weft_status status = lab_boxes_draw(side->classes, recipe->dimension, recipe->range, recipe->separation,
                                        &random, &boxes, error);
    if (status != WEFT_OK) {
        weft_error inner = *error;
        return fail(error, status, "--separation: %.400s", inner.message);
    }
    *points = lab_boxes_points(&boxes, side->count, side->class_of, &random);
    lab_boxes_free(&boxes);
    return WEFT_OK;
}

static weft_status write_set(const lab_recipe *recipe, const inductive *made, const lab_side sides[2],
                             lab_set *set, FILE *report, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(lab_set_begin(recipe->out, set, error));
    TRY(lab_set_stream(set, &made->stream, "r", "c", error));
    TRY(lab_set_features(set, &sides[0], recipe->dimension, made->row_points, error));
    TRY(lab_set_features(set, &sides[1], recipe->dimension, made->column_points, error));
    TRY(lab_set_classes(set, &sides[0], error));
    TRY(lab_set_classes(set, &sides[1], error));
    TRY(lab_set_commit(set, report, error));
    fprintf(report, "the boxes lie in [-%g,%g]^%" PRId64 ", at least %g apart in the maximum norm\n",
            recipe->range, recipe->range, recipe->dimension, recipe->separation);
done:
    return status;
}

static void tell_command(const lab_recipe *recipe, const lab_set *set, FILE *report)
{
    char *command = new_text("weft run %%1 --rows features:%%2,kernel=min,range=%.17g --columns "
                             "features:%%3,kernel=min,range=%.17g --truth-rows %%4 --truth-columns %%5",
                             recipe->range, recipe->range);
    lab_set_command(set, report, command);
    free(command);
}

/* How the stream is made of the matrix. */
typedef lab_stream make_stream(const lab_recipe *recipe, const lab_blocks *blocks, lab_random *random);

static weft_status make(const lab_recipe *recipe, make_stream *stream, const char *remark, FILE *report,
                        weft_error *error)
{
    lab_random matrix = lab_random_begin(recipe->seed, "generated boxes", recipe->rows, recipe->columns),
               order = lab_random_begin(recipe->seed, "generated stream", recipe->rows, recipe->columns);
    inductive made = {.blocks = lab_blocks_draw(recipe->rows, recipe->columns, recipe->row_classes,
                                                recipe->column_classes, LAB_SEEDED, &matrix)};
    const lab_side sides[2] = {
        {"rows", "r", recipe->rows, recipe->row_classes, made.blocks.row_class},
        {"columns", "c", recipe->columns, recipe->column_classes, made.blocks.column_class},
    };
    lab_set set = {0};
    weft_status status = WEFT_OK;
    TRY(draw_points(recipe, &sides[0], &made.row_points, error));
    TRY(draw_points(recipe, &sides[1], &made.column_points, error));
    made.stream = stream(recipe, &made.blocks, &order);
    TRY(write_set(recipe, &made, sides, &set, report, error));
    fputs(remark, report);
    tell_command(recipe, &set, report);
done:
    lab_set_free(&set);
    free_inductive(&made);
    return status;
}

weft_status lab_make_boxes(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    lab_recipe filled = fill(recipe);
    weft_status status = check(&filled, error);
    return status == WEFT_OK ? make(&filled, lab_recipe_stream, "", report, error) : status;
}

/* ---- growing ---- */

/* Id number s arrives at trial floor(s trials / count): how many have by trial t. */
static int64_t count_arrived(int64_t t, int64_t trials, int64_t count)
{
    int64_t arrived = ((t + 1) * count + trials - 1) / trials;
    return arrived < count ? arrived : count;
}

/* The id that arrives with trial t, else any that has; trials >= count.  `early` moves
 * arrivals by that many trials. */
static int64_t draw_arrived(const lab_stream *stream, int64_t t, int64_t early, int64_t count,
                            lab_random *random)
{
    int64_t arrived = count_arrived(t + early, stream->count, count);
    bool fresh = t == 0 || arrived > count_arrived(t + early - 1, stream->count, count);
    return fresh ? arrived - 1 : lab_below(random, arrived);
}

/* Columns come half of their time between two earlier, so that a new row meets columns
 * that are known and the other way round. */
static lab_stream grow(const lab_recipe *recipe, const lab_blocks *blocks, lab_random *random)
{
    lab_stream stream = {.count = recipe->trials};
    int64_t early = stream.count / (2 * blocks->columns);
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    for (int64_t t = 0; t < stream.count; t++) {
        int64_t i = draw_arrived(&stream, t, 0, blocks->rows, random);
        int64_t j = draw_arrived(&stream, t, early, blocks->columns, random);
        bool turned = lab_event(random, recipe->label_noise);
        int label = lab_blocks_entry(blocks, i, j);
        stream.trials[t] = (lab_trial){i, j, turned ? -label : label};
        stream.turned += turned;
    }
    return stream;
}

weft_status lab_make_growing(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    lab_recipe filled = fill(recipe);
    int64_t most = filled.rows > filled.columns ? filled.rows : filled.columns;
    weft_status status = check(&filled, error);
    if (status != WEFT_OK)
        return status;
    if (recipe->trials == 0)
        filled.trials = filled.rows * filled.columns;
    if (filled.trials < most)
        return fail(error, WEFT_ARGUMENT,
                    "--trials: found %lld, expected at least %lld, one for each that arrives",
                    (long long)filled.trials, (long long)most);
    return make(
        &filled, grow,
        "rows and columns keep arriving until the last trials; nothing is asked of one before it has\n",
        report, error);
}
