/* SPDX-License-Identifier: MIT
 *
 * The state as bytes: 8-byte little-endian fields, in this order:
 *
 *     magic, version
 *     settings   form updates engine precision eta gamma D m n tolerance seed deterministic
 *     counters   t trials mistakes updates products expected_mistakes
 *     bound      log_trace weyl
 *     evidence   largest dense count, then row, column, count for every cell
 *
 * The order of the cells tells the order of the touched ids, hence of every sum.
 * Version 2 is the compact engine's, which keeps no evidence: settings end in half_life and floor, and in
 * place of the evidence there is
 *
 *     matrix     d_R d_C factor drift, then the upper triangle of a, row by row
 *
 * Side information is not part of it. */
#include "base/bytes.h"
#include "learner/learner.h"

#include <math.h>

/* "weftstat", read as a little-endian number. */
static const int64_t MAGIC = INT64_C(0x7461747374666577);

enum { VERSION_EVIDENCE = 1, VERSION_MATRIX = 2 };

static void put_settings(weft__encoder *w, const weft_settings *s)
{
    weft__put_integer(w, s->form);
    weft__put_integer(w, s->updates);
    weft__put_integer(w, s->engine);
    weft__put_integer(w, s->precision);
    weft__put_double(w, s->eta);
    weft__put_double(w, s->gamma);
    weft__put_double(w, s->dimension);
    weft__put_integer(w, s->rows);
    weft__put_integer(w, s->columns);
    weft__put_double(w, s->tolerance);
    weft__put_integer(w, (int64_t)s->seed);
    weft__put_integer(w, s->deterministic);
    if (s->engine == WEFT_COMPACT) {
        weft__put_double(w, s->half_life);
        weft__put_double(w, s->floor);
    }
}

static weft_settings get_settings(weft__decoder *r, int64_t version)
{
    weft_settings s = {.form = WEFT_PAPER};
    s.form = (weft_form)weft__get_choice(r, 3);
    s.updates = (weft_updates)weft__get_choice(r, 2);
    s.engine = (weft_engine)weft__get_choice(r, 3);
    r->failed = r->failed || (version == VERSION_MATRIX) != (s.engine == WEFT_COMPACT);
    s.precision = (weft_precision)weft__get_choice(r, 2);
    s.eta = weft__get_double(r);
    s.gamma = weft__get_double(r);
    s.dimension = weft__get_double(r);
    s.rows = weft__get_integer(r);
    s.columns = weft__get_integer(r);
    s.tolerance = weft__get_double(r);
    s.seed = (uint64_t)weft__get_integer(r);
    s.deterministic = weft__get_choice(r, 2) != 0;
    if (version == VERSION_MATRIX) {
        s.half_life = weft__get_double(r);
        s.floor = weft__get_double(r);
    }
    return s;
}

static void put_counters(weft__encoder *w, const weft_counters *c)
{
    weft__put_integer(w, c->t);
    weft__put_integer(w, c->trials);
    weft__put_integer(w, c->mistakes);
    weft__put_integer(w, c->updates);
    weft__put_integer(w, c->products);
    weft__put_double(w, c->expected_mistakes);
}

static weft_counters get_counters(weft__decoder *r)
{
    weft_counters c = {0};
    c.t = weft__get_integer(r);
    c.trials = weft__get_integer(r);
    c.mistakes = weft__get_integer(r);
    c.updates = weft__get_integer(r);
    c.products = weft__get_integer(r);
    c.expected_mistakes = weft__get_double(r);
    return c;
}

void weft__learner_put_cell(const weft__learner *learner, int64_t k, weft__encoder *w)
{
    weft_evidence_entry entry = weft__learner_evidence(learner, k);
    weft__put_integer(w, entry.row);
    weft__put_integer(w, entry.column);
    weft__put_integer(w, entry.count);
}

static void put_matrix(weft__encoder *w, const weft__compact *compact)
{
    weft__put_integer(w, compact->side[0]->map.dimension);
    weft__put_integer(w, compact->one_set ? 0 : compact->side[1]->map.dimension);
    weft__put_double(w, compact->factor);
    weft__put_double(w, compact->drift);
    for (int64_t i = 0; i < compact->d; i++)
        for (int64_t j = i; j < compact->d; j++)
            weft__put_double(w, weft__compact_entry(compact, i, j));
}

void weft__learner_put_head(const weft__learner *learner, weft__encoder *w)
{
    weft__put_integer(w, MAGIC);
    weft__put_integer(w, learner->compact != NULL ? VERSION_MATRIX : VERSION_EVIDENCE);
    put_settings(w, &learner->settings);
    put_counters(w, &learner->counters);
    weft__put_double(w, learner->bound.log_trace);
    weft__put_double(w, learner->bound.weyl);
    if (learner->compact != NULL) {
        put_matrix(w, learner->compact);
        return;
    }
    const weft__evidence *evidence = &learner->space->evidence;
    weft__put_integer(w, evidence->largest);
    weft__put_integer(w, evidence->dense);
    weft__put_integer(w, evidence->count);
}

static size_t put_all(const weft__learner *learner, unsigned char *buffer)
{
    weft__encoder w = {buffer, 0};
    weft__learner_put_head(learner, &w);
    for (int64_t k = 0; k < weft__learner_evidence_count(learner); k++)
        weft__learner_put_cell(learner, k, &w);
    return w.size;
}

weft_status weft__learner_write(const weft__learner *learner, void *buffer, size_t *size, weft_error *error)
{
    size_t needed = put_all(learner, NULL);
    if (buffer != NULL && *size < needed)
        return weft__fail(error, WEFT_ARGUMENT, "the buffer has %zu bytes, expected %zu", *size, needed);
    if (buffer != NULL)
        put_all(learner, buffer);
    *size = needed;
    return WEFT_OK;
}

static weft_status damaged(weft_error *error, const char *what)
{
    return weft__fail(error, WEFT_MODEL, "the state is damaged: %s", what);
}

static weft_status check_counters(const weft_counters *c, weft_error *error)
{
    if (c->t > WEFT__MOST_COUNT || c->products > WEFT__MOST_COUNT)
        return damaged(error, "a counter is beyond 2^53");
    bool ordered = c->t >= c->trials && c->trials >= c->mistakes && c->trials >= c->updates &&
                   c->mistakes >= 0 && c->updates >= 0 && c->products >= 0;
    if (!ordered || !(c->expected_mistakes >= 0 && c->expected_mistakes <= (double)c->trials))
        return damaged(error, "its counters contradict each other");
    return WEFT_OK;
}

static weft_status get_header(weft__decoder *r, int64_t *version, weft_error *error)
{
    if (weft__get_integer(r) != MAGIC)
        return weft__fail(error, WEFT_MODEL, "these bytes are not the state of a weft learner");
    *version = weft__get_integer(r);
    if (*version != VERSION_EVIDENCE && *version != VERSION_MATRIX)
        return weft__fail(error, WEFT_MODEL, "the state is of version %lld, expected %d or %d",
                          (long long)*version, VERSION_EVIDENCE, VERSION_MATRIX);
    return WEFT_OK;
}

/* The cells, one by one; a pair that comes twice is damage. */
static weft_status get_cells(weft__decoder *r, weft__learner *learner, weft__progress *progress,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    enum { CELL_BYTES = WEFT__CELL_BYTES };
    int64_t largest = weft__get_integer(r);
    bool dense = weft__get_choice(r, 2) != 0;
    int64_t count = weft__get_integer(r);
    if (r->failed || largest < 0 || count < 0 || r->left % CELL_BYTES != 0 ||
        (uint64_t)count != r->left / CELL_BYTES)
        return damaged(error, "its length is not that of its evidence");
    for (int64_t k = 0; k < count; k++) {
        weft_evidence_entry entry = {.row = weft__get_integer(r)};
        entry.column = weft__get_integer(r);
        entry.count = weft__get_integer(r);
        status = weft__learner_replay(learner, &entry, 1, progress, error);
        if (status != WEFT_OK)
            return status == WEFT_MEMORY || status == WEFT_INTERRUPTED
                       ? status
                       : damaged(error, "an entry does not fit its sides");
        if (learner->space->evidence.count != k + 1)
            return damaged(error, "a pair is listed twice");
    }
    if (learner->space->evidence.largest > largest)
        return damaged(error, "a count is larger than the largest");
    TRY(weft__evidence_restore(&learner->space->evidence, largest, dense, error));
    TRY(weft__learner_prepare(learner, error));
done:
    return status;
}

/* A look ahead, before memory is asked for. */
static weft_status check_matrix(weft__decoder r, const weft_side *rows, const weft_side *columns,
                                weft_error *error)
{
    int64_t d_rows = weft__get_integer(&r), d_columns = weft__get_integer(&r);
    weft__get_double(&r);
    weft__get_double(&r);
    if (r.failed || d_rows != rows->map.dimension ||
        d_columns != (columns != NULL ? columns->map.dimension : 0))
        return damaged(error, "its features are not those of the side information");
    int64_t d = d_rows + d_columns;
    if (r.left != (size_t)(d * (d + 1) / 2) * sizeof(double))
        return damaged(error, "its length is not that of its matrix");
    return WEFT_OK;
}

/* What check_matrix has looked at. */
static weft_status get_matrix(weft__decoder *r, weft__compact *compact, weft_error *error)
{
    int64_t d = compact->d;
    weft__get_integer(r);
    weft__get_integer(r);
    double factor = weft__get_double(r), drift = weft__get_double(r);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++) {
            double entry = weft__get_double(r);
            if (!isfinite(entry))
                return damaged(error, "an entry of its matrix is not a number");
            weft__compact_set(compact, i, j, entry);
        }
    if (!(factor > 0 && factor <= 1))
        return damaged(error, "the factor of its matrix is not within 0 and 1");
    if (!(drift >= 0) || !isfinite(drift))
        return damaged(error, "the rounding of its matrix is not a number >= 0");
    weft__compact_settle(compact, factor, drift);
    return WEFT_OK;
}

static weft_status get_bound(weft__decoder *r, weft__spectral_bound *bound, weft_error *error)
{
    bound->log_trace = weft__get_double(r);
    bound->weyl = weft__get_double(r);
    if (!isfinite(bound->log_trace) || !(bound->weyl >= 0) || !isfinite(bound->weyl))
        return damaged(error, "its spectral bound is not a number");
    return WEFT_OK;
}

weft_status weft__learner_restore_from(const weft_side *rows, const weft_side *columns,
                                       const weft__learner_bytes *from, weft__making making,
                                       weft__learner **learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *self = NULL;
    weft__decoder r = {from->buffer, from->size, false};
    weft__spectral_bound bound = {0, 0};
    int64_t version = 0;
    TRY(get_header(&r, &version, error));
    weft_settings settings = get_settings(&r, version);
    weft_counters counters = get_counters(&r);
    TRY(get_bound(&r, &bound, error));
    if (r.failed) {
        status = damaged(error, "it is cut short, or a setting is none of the choices");
        goto done;
    }
    TRY(check_counters(&counters, error));
    if (version == VERSION_MATRIX)
        TRY(check_matrix(r, rows, columns, error));
    status = (from->grown ? weft__learner_make : weft__learner_begin)(rows, columns, &settings, making.memory,
                                                                      &self, error);
    bool other_form = status == WEFT_OK && self->settings.form != settings.form;
    if (status == WEFT_ARGUMENT || status == WEFT_CAPACITY || other_form)
        status = damaged(error, "its settings do not fit the side information");
    if (status != WEFT_OK)
        goto done;
    if (self->compact != NULL)
        TRY(get_matrix(&r, self->compact, error));
    else
        TRY(get_cells(&r, self, making.progress, error));
    self->counters = counters;
    self->bound = bound;
    *learner = self;
    return WEFT_OK;
done:
    weft__learner_free(self);
    return status;
}

weft_status weft__learner_restore(const weft_side *rows, const weft_side *columns, const void *buffer,
                                  size_t size, weft__making making, weft__learner **learner,
                                  weft_error *error)
{
    const weft__learner_bytes from = {.buffer = buffer, .size = size};
    return weft__learner_restore_from(rows, columns, &from, making, learner, error);
}

void weft__state_dimensions(const void *buffer, size_t size, int64_t dimensions[2])
{
    weft__decoder r = {buffer, size, false};
    weft__spectral_bound bound = {0, 0};
    int64_t version = 0;
    dimensions[0] = dimensions[1] = 0;
    if (get_header(&r, &version, NULL) != WEFT_OK || version != VERSION_MATRIX)
        return;
    get_settings(&r, version);
    get_counters(&r);
    if (get_bound(&r, &bound, NULL) != WEFT_OK)
        return;
    int64_t rows = weft__get_integer(&r), columns = weft__get_integer(&r);
    if (r.failed || rows < 1 || rows > WEFT_MAP_LIMIT || columns < 0 || columns > WEFT_MAP_LIMIT)
        return;
    dimensions[0] = rows;
    dimensions[1] = columns;
}
