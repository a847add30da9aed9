/* SPDX-License-Identifier: MIT
 *
 * Making, copying and asking a learner; the protocol is in trial.c. */
#include "base/elementary.h"
#include "learner/rank/ranker.h"

#include <math.h>

/* A capacity, where one is given, has room for what is listed. */
static weft_status check_capacity(const char *name, const weft_side *side, int64_t capacity,
                                  weft_error *error)
{
    if (side != NULL && capacity != 0 && capacity < side->count)
        return weft__fail(error, WEFT_CAPACITY, "%s is %lld, but the side information lists %lld ids", name,
                          (long long)capacity, (long long)side->count);
    return WEFT_OK;
}

static int64_t filled_in(int64_t capacity, const weft_side *side)
{
    return capacity != 0 ? capacity : side->count;
}

/* Ids that nobody lists need an engine that lists none either, and somebody who says how many, unless it
 * does not matter. */
static weft_status check_endless(const weft_side *side, const weft_settings *settings, int64_t capacity,
                                 weft_error *error)
{
    if (side->endless && settings->engine != WEFT_COMPACT)
        return weft__fail(error, WEFT_ARGUMENT,
                          "endless ids need the compact engine: others list what they learn");
    bool listed = !side->endless && !(side->open && side->count == 0);
    if (!listed && capacity == 0 && settings->dimension != 0)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s ids list none: the capacities must be given, or dimension 0",
                          side->endless ? "endless" : "open");
    return WEFT_OK;
}

/* m and n, and their sum. */
static weft_status choose_capacities(weft__learner *learner, weft_error *error)
{
    weft_settings *s = &learner->settings;
    bool one_set = learner->player.columns == NULL;
    s->rows = filled_in(s->rows, learner->player.rows);
    s->columns = one_set ? 0 : filled_in(s->columns, learner->player.columns);
    if (s->rows < 0 || s->columns < 0 || s->rows > INT64_MAX - s->columns)
        return weft__fail(error, WEFT_ARGUMENT, "rows + columns does not fit");
    learner->dimensions = s->rows + s->columns;
    if (learner->dimensions < 3)
        return weft__fail(error, WEFT_ARGUMENT, "%s is %lld, expected at least 3",
                          one_set ? "rows" : "rows + columns", (long long)learner->dimensions);
    learner->log_kappa = weft__log(s->dimension / (double)learner->dimensions);
    return WEFT_OK;
}

static weft_status check_sides(weft__learner *learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_settings *s = &learner->settings;
    bool one_set = learner->player.columns == NULL;
    if (s->form == WEFT_ONE_SET && !one_set)
        return weft__fail(error, WEFT_ARGUMENT, "one set of ids takes no side information for columns");
    TRY(check_endless(learner->player.rows, s, s->rows, error));
    if (!one_set)
        TRY(check_endless(learner->player.columns, s, s->columns, error));
    if (s->dimension != 0)
        TRY(choose_capacities(learner, error));
done:
    return status;
}

static weft_status reserve_images(weft__learner *learner, int64_t n, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (n <= learner->image_capacity)
        return WEFT_OK;
    for (int v = 0; v < 2; v++)
        TRY(weft__resize(&learner->player.memory, &learner->image[v], 0, n, sizeof(double), error));
    TRY(weft__resize(&learner->player.memory, &learner->work, 0, 3 * n, sizeof(double), error));
    learner->image_capacity = n;
done:
    return status;
}

weft_status weft__learner_prepare(weft__learner *learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    learner->pending.valid = learner->fitted = false;
    TRY(reserve_images(learner, learner->backend->operators.n, error));
    TRY(learner->engine->ops->prepare(learner->engine, &learner->backend->operators, error));
    learner->fitted = true;
done:
    return status;
}

weft_status weft__learner_reserve(weft__learner *learner, int64_t row, int64_t column, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool moved = false;
    TRY(learner->backend->ops->reserve(learner->backend, (const int64_t[]){row, column}, &moved, error));
    if (moved || !learner->fitted)
        TRY(weft__learner_prepare(learner, error));
done:
    return status;
}

void weft__learner_rebound(weft__learner *learner)
{
    int64_t products = 0;
    learner->bound =
        learner->backend->ops->bound(learner->backend, learner->form->raising, learner->work, &products);
}

/* The ids that a side lists, and those up to the ones of the pair. */
static weft_status touch_all(weft__learner *learner, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_side *sides[2] = {learner->player.rows, learner->player.columns};
    bool moved = false;
    int64_t last[2] = {pair[0], pair[1]};
    if (sides[1] == NULL && last[1] > last[0])
        last[0] = last[1];
    for (int side = 0; side < 2 && sides[side] != NULL; side++)
        for (int64_t id = learner->space->view[side].count; id < sides[side]->count || id <= last[side];
             id++) {
            learner->fitted = false;
            int64_t row = side == 0 ? id : -1, column = side == 0 ? -1 : id;
            TRY(weft__space_reserve(learner->space, row, column, &moved, error));
            weft__space_touch(learner->space, row, column);
        }
done:
    return status;
}

weft_status weft__learner_admit(weft__learner *learner, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    if (learner->settings.engine == WEFT_REFERENCE)
        TRY(touch_all(learner, pair, error));
    if (!learner->fitted)
        TRY(weft__learner_prepare(learner, error));
done:
    return status;
}

static weft_status create_engine(weft__learner *learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (learner->settings.engine == WEFT_REFERENCE)
        TRY(weft__reference_create(&learner->player.memory, &learner->engine, error));
    else
        TRY(weft__krylov_create(&learner->player.memory, &learner->engine, error));
done:
    return status;
}

static weft_status lay_space(weft__learner *learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_settings *s = &learner->settings;
    bool reference = s->engine == WEFT_REFERENCE;
    weft__space_plan plan = {.rows = learner->player.rows,
                             .columns = learner->player.columns,
                             .eta = s->eta,
                             .diagonal = learner->form->diagonal,
                             .dimensions = learner->dimensions,
                             .mixed = s->precision == WEFT_MIXED && !reference,
                             .keep_constant = reference};
    TRY(weft__space_create(&plan, &learner->player.memory, &learner->space, error));
    learner->backend = &learner->space->backend;
    TRY(weft__space_staff(learner->space, s->threads, error));
done:
    return status;
}

static weft_status lay_compact(weft__learner *learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__compact_plan plan = {.rows = learner->player.rows,
                               .columns = learner->player.columns,
                               .mixed = learner->settings.precision == WEFT_MIXED,
                               .floor = learner->settings.floor};
    TRY(weft__compact_create(&plan, &learner->player.memory, &learner->compact, error));
    learner->backend = &learner->compact->backend;
done:
    return status;
}

static weft_status furnish(weft__learner *learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (learner->settings.engine == WEFT_COMPACT)
        TRY(lay_compact(learner, error));
    else
        TRY(lay_space(learner, error));
    learner->bound = weft__spectral_bound_fresh(learner->backend->dimensions);
    TRY(create_engine(learner, error));
    TRY(weft__learner_admit(learner, (const int64_t[]){-1, -1}, error));
done:
    return status;
}

weft_status weft__learner_make(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                               const weft_memory *memory, weft__learner **learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *self = NULL;
    weft_memory hook = weft__memory_or_default(memory);
    TRY(weft__settings_check(settings, error));
    TRY(weft__new(&hook, 1, sizeof *self, &self, error));
    self->player.ops = &weft__learner_ops;
    self->player.memory = hook;
    self->player.rows = rows;
    self->player.columns = columns;
    self->settings = *settings;
    if (settings->engine != WEFT_COMPACT)
        self->settings.floor = 0;
    if (columns == NULL)
        self->settings.form = WEFT_ONE_SET;
    self->form = weft__form_find(self->settings.form);
    TRY(check_sides(self, error));
    TRY(furnish(self, error));
    *learner = self;
    return WEFT_OK;
done:
    weft__learner_free(self);
    return status;
}

weft_status weft__learner_begin(const weft_side *rows, const weft_side *columns,
                                const weft_settings *settings, const weft_memory *memory,
                                weft__learner **learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_capacity("rows", rows, settings->rows, error));
    TRY(check_capacity("columns", columns, settings->columns, error));
    TRY(weft__learner_make(rows, columns, settings, memory, learner, error));
done:
    return status;
}

void weft__learner_enlarge(weft__learner *learner, int64_t rows, int64_t columns)
{
    int64_t before = learner->dimensions;
    learner->settings.rows = rows;
    learner->settings.columns = columns;
    learner->dimensions = rows + columns;
    learner->log_kappa = weft__log(learner->settings.dimension / (double)learner->dimensions);
    if (learner->space != NULL) {
        learner->backend->dimensions = learner->dimensions;
        weft__spectral_bound_widen(&learner->bound, learner->dimensions - before);
    }
    learner->pending.valid = false;
}

void weft__learner_free(weft__learner *learner)
{
    if (learner == NULL)
        return;
    weft_memory memory = learner->player.memory;
    weft__ranker_free(learner->ranker);
    weft__spectral_engine_free(learner->engine);
    if (learner->backend != NULL)
        learner->backend->ops->release(learner->backend);
    weft__delete(&memory, learner->image[0]);
    weft__delete(&memory, learner->image[1]);
    weft__delete(&memory, learner->work);
    weft__delete(&memory, learner);
}

/* A capacity of 0 is no bound: every learner that has some has them above. */
static weft_status check_id(const char *name, const weft_side *side, int64_t capacity, int64_t id,
                            weft_error *error)
{
    if (!weft__side_has(side, id))
        return weft__fail_at(error, WEFT_UNKNOWN_ID, id, -1, "%s %lld is not known: there are %lld", name,
                             (long long)id, (long long)side->count);
    if (capacity > 0 && id >= capacity && !side->endless && !side->asked)
        return weft__fail_at(error, WEFT_CAPACITY, id, -1, "%s %lld is beyond the capacity of %lld", name,
                             (long long)id, (long long)capacity);
    return WEFT_OK;
}

weft_status weft__learner_check_row(const weft__learner *learner, int64_t row, weft_error *error)
{
    return check_id("row", learner->player.rows, learner->settings.rows, row, error);
}

weft_status weft__learner_check_column(const weft__learner *learner, int64_t column, weft_error *error)
{
    bool one_set = learner->player.columns == NULL;
    return check_id("column", one_set ? learner->player.rows : learner->player.columns,
                    one_set ? learner->settings.rows : learner->settings.columns, column, error);
}

weft_status weft__learner_check(const weft__learner *learner, int64_t row, int64_t column, weft_error *error)
{
    weft_status status = weft__learner_check_row(learner, row, error);
    if (status == WEFT_OK)
        status = weft__learner_check_column(learner, column, error);
    if (status == WEFT_OK)
        status = learner->backend->ops->check(learner->backend, (const int64_t[]){row, column}, error);
    return status;
}

weft_status weft__learner_check_new(const weft__learner *learner, int64_t row, int64_t column,
                                    weft_error *error)
{
    return learner->backend->ops->check_new(learner->backend, (const int64_t[]){row, column}, error);
}

weft_status weft__learner_need_evidence(const weft__learner *learner, const char *what, weft_error *error)
{
    if (learner->space != NULL)
        return WEFT_OK;
    return weft__fail(error, WEFT_UNSUPPORTED,
                      "%s needs the evidence, and the compact engine keeps none: no pair is stored", what);
}

weft_status weft__learner_set_threads(weft__learner *learner, int threads, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_settings settings = learner->settings;
    settings.threads = threads;
    TRY(weft__settings_check(&settings, error));
    if (learner->space != NULL)
        TRY(weft__space_staff(learner->space, threads, error));
    learner->settings = settings;
done:
    return status;
}

int64_t weft__learner_evidence_count(const weft__learner *learner)
{
    return learner->space != NULL ? learner->space->evidence.count : 0;
}

weft_evidence_entry weft__learner_evidence(const weft__learner *learner, int64_t k)
{
    const weft__space *space = learner->space;
    if (k < 0 || k >= weft__learner_evidence_count(learner))
        return (weft_evidence_entry){0};
    weft__cell cell = space->evidence.cells[k];
    const weft__working_set *columns = &space->view[space->one_set ? 0 : 1];
    return (weft_evidence_entry){space->view[0].ids[cell.a], columns->ids[cell.b], cell.count};
}
