/* SPDX-License-Identifier: MIT
 *
 * What a learner is made with: the defaults, and what is out of range. */
#include "base/elementary.h"
#include "learner/learner.h"

#include <math.h>

weft_settings weft_settings_default(int64_t rows, int64_t columns, int64_t horizon)
{
    double dimensions = (double)rows + (double)columns;
    double trials = horizon > 0 ? (double)horizon : 1;
    return (weft_settings){.form = columns == 0 ? WEFT_ONE_SET : WEFT_PAPER,
                           .updates = WEFT_MARGIN_UPDATES,
                           .engine = WEFT_KRYLOV,
                           .precision = WEFT_MIXED,
                           .eta = sqrt(dimensions * weft__log(dimensions) / (2 * trials)),
                           .gamma = 1.0 / 3,
                           .dimension = dimensions,
                           .rows = rows,
                           .columns = columns,
                           .tolerance = 0.02,
                           .floor = 64,
                           .seed = 1};
}

/* Its square, and that times counts, must stay a number. */
static const double LARGEST_ETA = 1e100;

/* Below that A would hardly be let fall at all. */
static const double LEAST_FLOOR = 1;

static weft_status check_enums(const weft_settings *s, weft_error *error)
{
    if (weft__form_find(s->form) == NULL)
        return weft__fail(error, WEFT_ARGUMENT, "form is %d, not a weft_form", (int)s->form);
    if (s->updates != WEFT_MARGIN_UPDATES && s->updates != WEFT_MISTAKE_UPDATES)
        return weft__fail(error, WEFT_ARGUMENT, "updates is %d, not a weft_updates", (int)s->updates);
    if (s->engine != WEFT_KRYLOV && s->engine != WEFT_REFERENCE && s->engine != WEFT_COMPACT)
        return weft__fail(error, WEFT_ARGUMENT, "engine is %d, not a weft_engine", (int)s->engine);
    if (s->precision != WEFT_MIXED && s->precision != WEFT_DOUBLE)
        return weft__fail(error, WEFT_ARGUMENT, "precision is %d, not a weft_precision", (int)s->precision);
    return WEFT_OK;
}

static weft_status check_numbers(const weft_settings *s, weft_error *error)
{
    if (!(s->eta > 0 && s->eta <= LARGEST_ETA))
        return weft__fail(error, WEFT_ARGUMENT, "eta is %g, expected a number > 0 (at most %g)", s->eta,
                          LARGEST_ETA);
    if (!(s->gamma > 0 && s->gamma <= 1))
        return weft__fail(error, WEFT_ARGUMENT, "gamma is %g, expected a number in (0, 1]", s->gamma);
    if (s->dimension != 0 && (!(s->dimension >= 1) || !isfinite(s->dimension)))
        return weft__fail(error, WEFT_ARGUMENT, "dimension is %g, expected 0 or a number >= 1", s->dimension);
    if (s->dimension == 0 && (s->rows != 0 || s->columns != 0))
        return weft__fail(
            error, WEFT_ARGUMENT,
            "rows and columns are %lld and %lld, expected 0: with dimension 0 ids have no bound",
            (long long)s->rows, (long long)s->columns);
    if (!(s->tolerance >= 0) || !isfinite(s->tolerance))
        return weft__fail(error, WEFT_ARGUMENT, "tolerance is %g, expected a number >= 0", s->tolerance);
    if (!(s->half_life >= 0) || !isfinite(s->half_life))
        return weft__fail(error, WEFT_ARGUMENT, "half_life is %g, expected a number >= 0", s->half_life);
    if (s->engine == WEFT_COMPACT && s->floor != 0 && (!(s->floor >= LEAST_FLOOR) || !isfinite(s->floor)))
        return weft__fail(error, WEFT_ARGUMENT, "floor is %g, expected 0 or a number >= %g", s->floor,
                          LEAST_FLOOR);
    if (s->threads < 0 || s->threads > WEFT_THREAD_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "threads is %d, expected 0 to %d", s->threads,
                          WEFT_THREAD_LIMIT);
    if (s->half_life > 0 && s->engine != WEFT_COMPACT)
        return weft__fail(error, WEFT_ARGUMENT,
                          "half_life is %g, expected 0: evidence can only fade in the compact engine",
                          s->half_life);
    return WEFT_OK;
}

weft_status weft__settings_check(const weft_settings *settings, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_enums(settings, error));
    TRY(check_numbers(settings, error));
done:
    return status;
}
