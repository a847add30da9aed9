/* SPDX-License-Identifier: MIT
 *
 * From sides and truth to the two numbers that all theorems are about, D and
 * gamma, and from those to settings.  What is not known stays unknown: gamma 0,
 * D infinite. */
#include "weft_theory.h"
#include <math.h>

#include "side/kinds/none.h"
#include "theory/partition.h"

/* m or n: the capacity, or what is listed. */
static int64_t capacity_of(const weft_side *side, int64_t capacity)
{
    return capacity > side->count ? capacity : side->count;
}

/* With K = I each id counts R_M / 1, whatever its class: D_gamma(U) = m + n. */
static double count_alone(const weft_side *side, int64_t capacity)
{
    return side->radius * (double)capacity_of(side, capacity);
}

/* One side of a two-sided problem: its number of classes and share of D_circ. */
typedef struct share {
    const weft_side *side;
    int64_t capacity;
    const int64_t *class_of;
    int64_t classes;
} share;

static weft_status measure_share(const share *input, int64_t *classes, double *value, weft_error *error)
{
    weft_side_term term = {.classes = input->classes, .value = INFINITY};
    weft_status status = WEFT_OK;
    if (input->class_of != NULL && input->side->count > 0)
        TRY(weft_theory_side(input->side, input->class_of, &term, error));
    *classes = term.classes;
    *value = weft__side_is_identity(input->side) ? count_alone(input->side, input->capacity) : term.value;
done:
    return status;
}

static weft_status check_truth(const weft_side *rows, const weft_side *columns, const weft_truth *truth,
                               weft_error *error)
{
    if (truth->row_classes < 0 || truth->column_classes < 0)
        return weft__fail(error, WEFT_ARGUMENT, "%lld x %lld classes: expected positive numbers, or 0",
                          (long long)truth->row_classes, (long long)truth->column_classes);
    if (columns == NULL || !truth->communities)
        return WEFT_OK;
    if ((truth->row_class == NULL) != (truth->column_class == NULL) || rows->count != columns->count)
        return weft__fail(error, WEFT_ARGUMENT, "communities: rows and columns must be the same ids");
    for (int64_t i = 0; truth->row_class != NULL && i < rows->count; i++)
        if (truth->row_class[i] != truth->column_class[i])
            return weft__fail_at(error, WEFT_ARGUMENT, i, -1,
                                 "communities: id %lld is in class %lld as a row and in %lld as a column",
                                 (long long)i, (long long)truth->row_class[i],
                                 (long long)truth->column_class[i]);
    if (truth->row_class == NULL && truth->row_classes != truth->column_classes)
        return weft__fail(error, WEFT_ARGUMENT, "communities: %lld classes of rows, but %lld of columns",
                          (long long)truth->row_classes, (long long)truth->column_classes);
    return WEFT_OK;
}

static weft_status measure_two_sides(const weft_side *rows, const weft_side *columns, const weft_truth *truth,
                                     const weft_settings *settings, weft_measure *measure, weft_error *error)
{
    share row = {rows, settings->rows, truth->row_class, truth->row_classes};
    share column = {columns, settings->columns, truth->column_class, truth->column_classes};
    weft_measure made = {.form = settings->form};
    weft_status status = WEFT_OK;
    TRY(measure_share(&row, &made.row_classes, &made.row_term, error));
    TRY(measure_share(&column, &made.column_classes, &made.column_term, error));
    if (__builtin_add_overflow(capacity_of(rows, settings->rows), capacity_of(columns, settings->columns),
                               &made.size))
        return weft__fail(error, WEFT_ARGUMENT, "rows + columns does not fit");
    made.dimension = fmax(1, made.row_term + made.column_term);
    made.gamma = truth->communities ? weft_theory_gamma_communities(made.row_classes)
                                    : weft_theory_gamma(made.row_classes, made.column_classes);
    *measure = made;
done:
    return status;
}

static weft_status count_classes(const weft_side *side, const int64_t *class_of, int64_t *classes,
                                 weft_error *error)
{
    weft__partition partition = {0};
    weft_status status = weft__partition_build(side->count, class_of, &side->memory, &partition, error);
    if (status != WEFT_OK)
        return status;
    *classes = partition.classes;
    weft__partition_clear(&partition);
    return WEFT_OK;
}

/* Any classes at all are served by gamma = 1, if the label means "together". */
static weft_status measure_one_set(const weft_side *side, const weft_truth *truth,
                                   const weft_settings *settings, weft_measure *measure, weft_error *error)
{
    weft_measure made = {.form = WEFT_ONE_SET, .dimension = INFINITY};
    int64_t classes = truth->row_classes;
    weft_status status = WEFT_OK;
    if (truth->row_class != NULL && side->count > 0) {
        TRY(count_classes(side, truth->row_class, &classes, error));
        TRY(weft_theory_one_set(side, truth->row_class, &made.dimension, error));
    }
    if (weft__side_is_identity(side))
        made.dimension = 4 * count_alone(side, settings->rows);
    made.size = capacity_of(side, settings->rows);
    made.row_classes = made.column_classes = classes;
    made.dimension = fmax(1, made.dimension);
    made.gamma = classes > 0 ? 1 : 0;
    *measure = made;
done:
    return status;
}

weft_status weft_theory_measure(const weft_side *rows, const weft_side *columns, const weft_truth *truth,
                                const weft_settings *settings, weft_measure *measure, weft_error *error)
{
    weft_truth nothing = {0};
    weft_status status = WEFT_OK;
    NEED(rows);
    NEED(settings);
    NEED(measure);
    if (truth == NULL)
        truth = &nothing;
    if (settings->form == WEFT_ONE_SET && columns != NULL)
        return weft__fail(error, WEFT_ARGUMENT, "one set of ids has one side, other forms have two");
    TRY(check_truth(rows, columns, truth, error));
    if (columns == NULL)
        TRY(measure_one_set(rows, truth, settings, measure, error));
    else
        TRY(measure_two_sides(rows, columns, truth, settings, measure, error));
done:
    return status;
}

/* ---- Tuning ---- */

static void tune_gamma(const weft_measure *measure, weft_settings *settings, weft_reasons *reasons)
{
    if (settings->gamma > 0) {
        reasons->gamma = "given";
    } else if (measure->gamma > 0) {
        settings->gamma = measure->gamma;
        reasons->gamma = measure->form == WEFT_ONE_SET ? "one set of ids has margin 1"
                                                       : "1 / the max-norm bound of the classes";
    } else {
        settings->gamma = 1.0 / 3;
        reasons->gamma = "nothing is known of the classes";
    }
}

static void tune_dimension(const weft_measure *measure, weft_settings *settings, weft_reasons *reasons)
{
    if (settings->dimension > 0) {
        reasons->dimension = "given";
    } else if (measure->gamma > 0 && isfinite(measure->dimension)) {
        settings->dimension = measure->dimension;
        reasons->dimension = measure->form == WEFT_ONE_SET ? "4 R tr(R'MR) of the classes"
                                                           : "the quasi-dimension bound of the classes";
    } else {
        settings->dimension = fmax(1, (double)measure->size);
        reasons->dimension = measure->gamma > 0
                                 ? "the quasi-dimension is unknown or infinite: the number of ids"
                                 : "nothing is known of the classes: the number of ids";
    }
}

static void tune_eta(const weft_measure *measure, int64_t horizon, weft_settings *settings,
                     weft_reasons *reasons)
{
    weft_scale scale = {settings->dimension, settings->gamma, measure->size, horizon > 0 ? horizon : 1};
    if (settings->eta > 0) {
        reasons->eta = "given";
    } else if (settings->updates == WEFT_MISTAKE_UPDATES) {
        settings->eta = settings->gamma;
        reasons->eta = "gamma, for mistake updates";
    } else {
        settings->eta = weft_theory_eta(scale);
        reasons->eta = "sqrt(D log(m+n) / (2T)), for margin updates";
    }
}

void weft_theory_tune(const weft_measure *measure, int64_t horizon, weft_settings *settings,
                      weft_reasons *reasons)
{
    weft_reasons ignored;
    if (reasons == NULL)
        reasons = &ignored;
    if (measure == NULL || settings == NULL)
        return;
    tune_gamma(measure, settings, reasons);
    tune_dimension(measure, settings, reasons);
    tune_eta(measure, horizon, settings, reasons);
}
