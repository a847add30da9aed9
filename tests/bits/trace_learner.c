/* SPDX-License-Identifier: MIT
 *
 * Prints what the krylov engine computes, to the bit: every bracket of seeded
 * runs over all forms, both precisions and several kinds of side information,
 * and every byte of the state that they end with.  scripts/test compares the
 * output of builds by both compilers, -O2 and -O3, and every vector width. */
#include "support/dice.h"
#include "weft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 37, COLUMNS = 23, DIMENSION = 5, TRIALS = 400 };

static void demand(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK) {
        fprintf(stderr, "%s: %s\n", weft_status_name(status), error->message);
        exit(1);
    }
}

static weft_side *make_none(int64_t count)
{
    weft_error error;
    weft_side *side = NULL;
    demand(weft_side_none(count, NULL, &side, &error), &error);
    return side;
}

static weft_side *make_classes(int64_t count)
{
    int64_t class_of[ROWS];
    weft_error error;
    weft_side *side = NULL;
    for (int64_t i = 0; i < count; i++)
        class_of[i] = i % 3;
    demand(weft_side_from_classes(count, class_of, 0.1, NULL, &side, &error), &error);
    return side;
}

static weft_side *make_features(int64_t count, weft_kernel kernel, double parameter)
{
    double values[ROWS * DIMENSION];
    dice d = {7};
    weft_error error;
    weft_side *side = NULL;
    for (int64_t k = 0; k < count * DIMENSION; k++)
        values[k] = dice_between(&d, -1, 1);
    weft_features features = {count, DIMENSION, values, kernel, parameter};
    demand(weft_side_from_features(&features, NULL, &side, &error), &error);
    return side;
}

static weft_side *make_linear(int64_t count)
{
    return make_features(count, WEFT_LINEAR, 0.5);
}

static weft_side *make_gaussian(int64_t count)
{
    return make_features(count, WEFT_GAUSSIAN, 1.5);
}

static weft_side *make_min(int64_t count)
{
    return make_features(count, WEFT_MIN, 2);
}

static void print_state(const weft_learner *learner)
{
    size_t size = 0;
    weft_error error;
    demand(weft_learner_write(learner, NULL, &size, &error), &error);
    unsigned char *bytes = malloc(size);
    if (bytes == NULL)
        exit(1);
    demand(weft_learner_write(learner, bytes, &size, &error), &error);
    for (size_t k = 0; k < size; k++)
        printf("%02x%s", (unsigned)bytes[k], k % 32 == 31 || k + 1 == size ? "\n" : "");
    free(bytes);
}

/* Labels depend on the classes modulo 3, but for one in eight. */
static int label_of(int64_t row, int64_t column, dice *d)
{
    int label = row % 3 == column % 3 ? 1 : -1;
    return dice_below(d, 8) == 0 ? -label : label;
}

static void play(weft_learner *learner, int64_t columns)
{
    dice d = {11};
    for (int t = 0; t < TRIALS; t++) {
        int64_t row = dice_below(&d, ROWS);
        int64_t column = dice_below(&d, columns);
        weft_outcome outcome;
        weft_error error;
        demand(weft_learner_learn(learner, row, column, label_of(row, column, &d), &outcome, &error), &error);
        printf("%a %a %a %d %d %d\n", outcome.prediction.lower, outcome.prediction.upper,
               outcome.prediction.threshold, outcome.prediction.label, outcome.updated,
               outcome.prediction.products);
    }
}

static void trace(weft_form form, weft_precision precision, weft_side *(*make)(int64_t count))
{
    weft_error error;
    weft_learner *learner = NULL;
    weft_side *rows = make(ROWS);
    weft_side *columns = form == WEFT_ONE_SET ? NULL : make(COLUMNS);
    weft_settings settings = weft_settings_default(ROWS, columns != NULL ? COLUMNS : 0, TRIALS);
    settings.form = form;
    settings.precision = precision;
    demand(weft_learner_create(rows, columns, &settings, NULL, &learner, &error), &error);
    printf("form %d, precision %d, %s\n", (int)form, (int)precision, weft_side_kind(rows));
    play(learner, columns != NULL ? COLUMNS : ROWS);
    print_state(learner);
    weft_learner_free(learner);
    weft_side_free(columns);
    weft_side_free(rows);
}

int main(void)
{
    weft_side *(*const makers[])(int64_t) = {make_none, make_classes, make_linear, make_gaussian, make_min};
    const weft_form forms[] = {WEFT_PAPER, WEFT_BALANCED, WEFT_ONE_SET};
    for (size_t m = 0; m < sizeof makers / sizeof *makers; m++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            trace(forms[f], WEFT_MIXED, makers[m]);
            trace(forms[f], WEFT_DOUBLE, makers[m]);
        }
    return 0;
}
