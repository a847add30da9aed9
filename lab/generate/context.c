/* SPDX-License-Identifier: MIT
 * The generator of events with a context.  Beside its row and its column an event has a device and an hour,
 * drawn each alike, and its label is
 *
 *     sign of B(i,j) + H(class of row i, hour) + D(class of column j, device),
 *
 * every one of these -1 or +1 by a fair coin, turned over with the probability of the label noise.  Who does
 * not see the context can know B at best, and is right about three entries of four. */
#include "lab/generate/generate.h"
#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>

enum { HOURS = 24, DEVICES = 4 };

typedef struct shop {
    lab_blocks blocks;
    signed char *by_hour, *by_device; /* row classes x HOURS, column classes x DEVICES */
    lab_stream stream;
    lab_moment *moments; /* one a trial */
} shop;

static void free_shop(shop *made)
{
    lab_stream_free(&made->stream);
    lab_blocks_free(&made->blocks);
    free(made->by_hour);
    free(made->by_device);
    free(made->moments);
}

static signed char *draw_signs(int64_t count, lab_random *random)
{
    signed char *signs = new_array(count, sizeof *signs);
    for (int64_t k = 0; k < count; k++)
        signs[k] = (signed char)lab_sign(random);
    return signs;
}

/* The label of an event without noise. */
static int label_of(const shop *made, const lab_trial *trial, const lab_moment *moment)
{
    const lab_blocks *blocks = &made->blocks;
    int sum = lab_blocks_entry(blocks, trial->row, trial->column) +
              made->by_hour[blocks->row_class[trial->row] * HOURS + moment->hour] +
              made->by_device[blocks->column_class[trial->column] * DEVICES + moment->device];
    return sum > 0 ? 1 : -1;
}

static void draw_events(shop *made, const lab_recipe *recipe, lab_random *random)
{
    lab_stream *stream = &made->stream;
    stream->count = recipe->trials;
    stream->trials = new_array(stream->count, sizeof *stream->trials);
    made->moments = new_array(stream->count, sizeof *made->moments);
    for (int64_t t = 0; t < stream->count; t++) {
        lab_trial *trial = &stream->trials[t];
        trial->row = lab_below(random, recipe->rows);
        trial->column = lab_below(random, recipe->columns);
        made->moments[t].hour = lab_below(random, HOURS);
        made->moments[t].device = lab_below(random, DEVICES);
        bool turned = lab_event(random, recipe->label_noise);
        trial->label = label_of(made, trial, &made->moments[t]) * (turned ? -1 : 1);
        stream->turned += turned;
    }
}

static shop draw_shop(const lab_recipe *recipe)
{
    int64_t m = recipe->rows, n = recipe->columns;
    lab_random matrix = lab_random_begin(recipe->seed, "generated context", m, n),
               events = lab_random_begin(recipe->seed, "generated events", m, n);
    shop made = {.blocks =
                     lab_blocks_draw(m, n, recipe->row_classes, recipe->column_classes, LAB_SEEDED, &matrix)};
    made.by_hour = draw_signs(recipe->row_classes * HOURS, &matrix);
    made.by_device = draw_signs(recipe->column_classes * DEVICES, &matrix);
    draw_events(&made, recipe, &events);
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
    TRY(lab_set_moments(&set, &made->stream, made->moments, error));
    TRY(lab_set_classes(&set, &rows, error));
    TRY(lab_set_classes(&set, &columns, error));
    TRY(lab_set_commit(&set, report, error));
    lab_set_command(&set, report, "weft run %1 --rows classes:%2 --columns classes:%3 --context device,hour");
done:
    lab_set_free(&set);
    return status;
}

weft_status lab_make_context(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    enum { TRIALS = 40000 };
    const lab_usual usual = {200, 100, 4, 5, 0.05, 0};
    lab_recipe filled = lab_recipe_fill(recipe, &usual);
    shop made = {.stream = {0}};
    weft_status status = WEFT_OK;
    if (filled.trials == 0)
        filled.trials = TRIALS;
    TRY(lab_recipe_check(&filled, LAB_MOST_IDS, error));
    made = draw_shop(&filled);
    TRY(write_shop(&filled, &made, report, error));
done:
    free_shop(&made);
    return status;
}
