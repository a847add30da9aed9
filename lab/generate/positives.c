/* SPDX-License-Identifier: MIT
 * The generator of positives alone: rows that come to columns again and again, and nobody says no.  An event
 * is a row, drawn by how active it is, and a column of it, drawn with the probabilities
 *
 *     p(j | i) = w_j exp(B(i,j)) / sum over j' of the same,
 *
 * where B is a matrix of blocks, -1 or +1, and w_j how popular the column is: exp of a number in [-1.5, 1.5].
 * Which row is next says nothing of its columns.  The probabilities are the truth that is written. */
#include "lab/generate/generate.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <stdlib.h>

static const double popularity = 1.5, activity = 1; /* at most so far from 0 are their logarithms */

typedef struct shop {
    lab_blocks blocks;
    double *activity;    /* sums of it up to every row, that included */
    double *probability; /* rows x columns */
    lab_stream stream;
} shop;

static void free_shop(shop *made)
{
    lab_stream_free(&made->stream);
    lab_blocks_free(&made->blocks);
    free(made->activity);
    free(made->probability);
}

/* Weights e^x, with x within -most and most. */
static double *draw_weights(int64_t count, double most, lab_random *random)
{
    double *weights = new_array(count, sizeof *weights);
    for (int64_t k = 0; k < count; k++)
        weights[k] = weft__exp(lab_between(random, -most, most));
    return weights;
}

static void fill_probabilities(shop *made, const double *popular)
{
    const lab_blocks *blocks = &made->blocks;
    made->probability = new_array(blocks->rows * blocks->columns, sizeof *made->probability);
    for (int64_t i = 0; i < blocks->rows; i++) {
        double *row = made->probability + i * blocks->columns, sum = 0;
        for (int64_t j = 0; j < blocks->columns; j++)
            sum += row[j] = popular[j] * weft__exp(lab_blocks_entry(blocks, i, j));
        for (int64_t j = 0; j < blocks->columns; j++)
            row[j] /= sum;
    }
}

/* The first whose sum is above a draw. */
static int64_t draw_by_sums(const double *sums, int64_t count, lab_random *random)
{
    double at = lab_uniform(random) * sums[count - 1];
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int64_t draw_column(const double *probability, int64_t count, lab_random *random)
{
    double left = lab_uniform(random);
    int64_t j = 0;
    while (j < count - 1 && left >= probability[j])
        left -= probability[j++];
    return j;
}

static lab_stream draw_events(const shop *made, int64_t count, lab_random *random)
{
    const lab_blocks *blocks = &made->blocks;
    lab_stream stream = {.count = count, .trials = new_array(count, sizeof *stream.trials)};
    for (int64_t t = 0; t < count; t++) {
        int64_t i = draw_by_sums(made->activity, blocks->rows, random);
        int64_t j = draw_column(made->probability + i * blocks->columns, blocks->columns, random);
        stream.trials[t] = (lab_trial){i, j, 1};
    }
    return stream;
}

static shop draw_shop(const lab_recipe *recipe)
{
    int64_t m = recipe->rows, n = recipe->columns;
    lab_random matrix = lab_random_begin(recipe->seed, "generated shop", m, n),
               events = lab_random_begin(recipe->seed, "generated events", m, n);
    shop made = {.blocks =
                     lab_blocks_draw(m, n, recipe->row_classes, recipe->column_classes, LAB_SEEDED, &matrix)};
    double *popular = draw_weights(n, popularity, &matrix);
    made.activity = draw_weights(m, activity, &matrix);
    for (int64_t i = 1; i < m; i++)
        made.activity[i] += made.activity[i - 1];
    fill_probabilities(&made, popular);
    made.stream = draw_events(&made, recipe->trials, &events);
    free(popular);
    return made;
}

static weft_status write_shop(const lab_recipe *recipe, const shop *made, FILE *report, weft_error *error)
{
    const lab_blocks *blocks = &made->blocks;
    lab_side rows = {"rows", "r", blocks->rows, blocks->k, blocks->row_class};
    lab_side columns = {"columns", "c", blocks->columns, blocks->l, blocks->column_class};
    lab_set set = {0};
    weft_status status = WEFT_OK;
    TRY(lab_set_begin(recipe->out, &set, error));
    TRY(lab_set_stream(&set, &made->stream, "r", "c", error));
    TRY(lab_set_truth(&set, &rows, &columns, made->probability, error));
    TRY(lab_set_classes(&set, &rows, error));
    TRY(lab_set_classes(&set, &columns, error));
    TRY(lab_set_commit(&set, report, error));
    lab_set_command(&set, report, "weft run %1 --rows none --columns none --negatives 4");
done:
    lab_set_free(&set);
    return status;
}

weft_status lab_make_positives(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    enum { TRIALS = 20000 };
    const lab_usual usual = {200, 100, 4, 5, 0, 0};
    lab_recipe filled = lab_recipe_fill(recipe, &usual);
    shop made = {.stream = {0}};
    weft_status status = WEFT_OK;
    if (filled.trials == 0)
        filled.trials = TRIALS;
    TRY(lab_recipe_check(&filled, LAB_MOST_IDS, error));
    if (filled.rows > LAB_MOST_LINES / filled.columns)
        return fail(error, WEFT_ARGUMENT,
                    "--rows: %lld rows and %lld columns have more than %d pairs, of which a truth is written",
                    (long long)filled.rows, (long long)filled.columns, LAB_MOST_LINES);
    made = draw_shop(&filled);
    TRY(write_shop(&filled, &made, report, error));
done:
    free_shop(&made);
    return status;
}
