/* SPDX-License-Identifier: MIT */
#include "lab/generate/generate.h"

#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <math.h>
#include <string.h>

static const lab_generator generators[] = {
    {"biclustered", "a matrix of blocks with label noise, and a graph of either side",
     "rows columns classes-rows classes-columns trials label-noise graph-noise protocol",
     lab_make_biclustered},
    {"community", "one set of ids: pairs that belong together or not, and a graph",
     "rows classes-rows trials label-noise graph-noise protocol", lab_make_community},
    {"boxes", "a matrix of blocks whose rows and columns are points in boxes",
     "rows columns classes-rows classes-columns trials label-noise range separation dimension",
     lab_make_boxes},
    {"adversary", "one entry of every block, with labels that no learner can know",
     "rows columns classes-rows classes-columns", lab_make_adversary},
    {"drift", "a matrix of blocks that change every so many trials",
     "rows columns classes-rows classes-columns trials label-noise graph-noise protocol period",
     lab_make_drift},
    {"growing", "rows and columns that keep arriving, as points in boxes",
     "rows columns classes-rows classes-columns trials label-noise range separation dimension",
     lab_make_growing},
    {"context", "events with a device and an hour, on which their labels depend as well",
     "rows columns classes-rows classes-columns trials label-noise", lab_make_context},
    {"positives", "rows that come to columns, and nobody says no: positives alone, and their probabilities",
     "rows columns classes-rows classes-columns trials", lab_make_positives},
};

enum { GENERATORS = sizeof generators / sizeof *generators };

const lab_generator *lab_generator_at(int number)
{
    return number >= 0 && number < GENERATORS ? &generators[number] : NULL;
}

const lab_generator *lab_generator_find(const char *name)
{
    for (int k = 0; k < GENERATORS; k++)
        if (strcmp(generators[k].name, name) == 0)
            return &generators[k];
    return NULL;
}

/* ---- Recipes ---- */

static int64_t given_or(int64_t given, int64_t usual)
{
    return given > 0 ? given : usual;
}

lab_recipe lab_recipe_fill(const lab_recipe *recipe, const lab_usual *usual)
{
    lab_recipe filled = *recipe;
    filled.rows = given_or(recipe->rows, usual->rows);
    filled.columns = given_or(recipe->columns, usual->columns);
    filled.row_classes = given_or(recipe->row_classes, usual->row_classes);
    filled.column_classes = given_or(recipe->column_classes, usual->column_classes);
    filled.label_noise = recipe->label_noise >= 0 ? recipe->label_noise : usual->label_noise;
    filled.graph_noise = recipe->graph_noise >= 0 ? recipe->graph_noise : usual->graph_noise;
    return filled;
}

/* Authors' classes are drawn until none is empty: the expected number of empty ones,
 * about k exp(-count/k), must leave that some hope. */
static bool is_hopeless(const lab_recipe *recipe, int64_t count, int64_t classes)
{
    static const double most_empty = 4;
    double k = (double)classes;
    return recipe->protocol == LAB_AUTHORS && k * weft__exp(-(double)count / k) > most_empty;
}

weft_status lab_recipe_count(const char *option, int64_t found, int64_t least, int64_t most,
                             weft_error *error)
{
    if (found >= least && found <= most)
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT, "--%s: found %lld, expected %lld to %lld", option, (long long)found,
                (long long)least, (long long)most);
}

static weft_status check_side(const lab_recipe *recipe, const char *option, int64_t count, int64_t classes,
                              weft_error *error)
{
    if (count < classes)
        return fail(error, WEFT_ARGUMENT,
                    "--%s: found %lld, expected one for each of the %lld classes at least", option,
                    (long long)count, (long long)classes);
    if (is_hopeless(recipe, count, classes))
        return fail(
            error, WEFT_ARGUMENT,
            "--%s: found %lld for %lld classes, expected more: the authors' protocol draws the classes "
            "until none is empty, which would take too long",
            option, (long long)count, (long long)classes);
    return WEFT_OK;
}

static weft_status check_trials(const lab_recipe *recipe, weft_error *error)
{
    enum { MOST = LAB_MOST_LINES };
    weft_status status = WEFT_OK;
    TRY(lab_recipe_count("trials", recipe->trials, 0, MOST, error));
    if (recipe->row_classes > MOST / recipe->column_classes)
        return fail(error, WEFT_ARGUMENT,
                    "--classes-rows: found %lld, and %lld classes of columns, expected at most %d blocks",
                    (long long)recipe->row_classes, (long long)recipe->column_classes, MOST);
    if (recipe->trials == 0 && recipe->rows > MOST / recipe->columns)
        return fail(
            error, WEFT_ARGUMENT,
            "--trials: %lld rows and %lld columns have more than %d pairs, expected a number of trials",
            (long long)recipe->rows, (long long)recipe->columns, MOST);
done:
    return status;
}

weft_status lab_recipe_check(const lab_recipe *recipe, int64_t most, weft_error *error)
{
    enum { LEAST = 2 };
    weft_status status = WEFT_OK;
    TRY(lab_recipe_count("rows", recipe->rows, LEAST, most, error));
    TRY(lab_recipe_count("columns", recipe->columns, LEAST, most, error));
    TRY(check_side(recipe, "rows", recipe->rows, recipe->row_classes, error));
    TRY(check_side(recipe, "columns", recipe->columns, recipe->column_classes, error));
    TRY(check_trials(recipe, error));
done:
    return status;
}

lab_stream lab_recipe_stream(const lab_recipe *recipe, const lab_blocks *blocks, lab_random *random)
{
    if (recipe->trials == 0)
        return lab_stream_all(blocks, recipe->label_noise, random);
    return lab_stream_drawn(blocks, recipe->trials, recipe->label_noise, false, random);
}
