/* SPDX-License-Identifier: MIT
 *
 * Online matrix factorisation with biases.
 *
 * Method     f = a + b_i + c_j + <p_i, q_j>; a gradient step of the logistic loss, with
 *            a rate for every number, and the factors drawn to zero a little.
 * Algorithm  An id is a line of 1 + k weights: its bias, then its factors.  Factors
 *            start from small numbers that are hashes of (seed, side, id, place), so an
 *            id that nobody has learnt needs no line.
 * Cost       O(k) a trial, 16 (1 + k) bytes an id.
 * Reference  Koren, Bell and Volinsky, Matrix factorization techniques for recommender
 *            systems, Computer 42 (2009); rates as in rival/weights.c. */
#include "rival/hash.h"
#include "rival/rival.h"
#include "rival/weights.h"

#include <string.h>

/* By measurement; see docs/rivals.md. */
static const double FIRST = 0.1, SHRINK = 0.02;

/* Invariant: the first `known` ids have lines; the last of them was learnt. */
typedef struct table {
    weft__weight *lines;
    int64_t known, capacity;
} table;

typedef struct factors {
    weft__rival base;
    weft__weight constant;
    table tables[2];       /* rows, columns; one set: the first */
    weft__weight *work[2]; /* a line each: both ids as they were before a label */
} factors;

static int table_of(const weft__rival *rival, int which)
{
    return rival->player.columns == NULL ? 0 : which;
}

static int64_t width_of(const weft__rival *rival)
{
    return 1 + rival->settings.factors;
}

static weft_status create(weft__rival *rival, weft_error *error)
{
    factors *self = (factors *)rival;
    weft_status status = WEFT_OK;
    for (int which = 0; which < 2; which++)
        TRY(weft__new(&rival->player.memory, width_of(rival), sizeof(weft__weight), &self->work[which],
                      error));
done:
    return status;
}

static void release(weft__rival *rival)
{
    factors *self = (factors *)rival;
    for (int which = 0; which < 2; which++) {
        weft__delete(&rival->player.memory, self->tables[which].lines);
        weft__delete(&rival->player.memory, self->work[which]);
    }
}

/* ---- Lines ---- */

/* The line of an id that was never learnt. */
static void fill_first(const weft__rival *rival, int which, int64_t id, weft__weight *line)
{
    weft__space space = table_of(rival, which) == 0 ? WEFT__SPACE_ROW_FACTOR : WEFT__SPACE_COLUMN_FACTOR;
    uint64_t key = weft__hash_key(rival->settings.seed, space, id);
    line[0] = (weft__weight){0, 0};
    for (int64_t t = 0; t < rival->settings.factors; t++) {
        uint64_t z = weft__hash(key ^ (uint64_t)t);
        double uniform = ((double)(z >> 11) + 0.5) * 0x1p-53;
        line[1 + t] = (weft__weight){FIRST * (2 * uniform - 1), 0};
    }
}

/* The line of id `which` of a pair as it is now, copied to the workspace. */
static weft__weight *copy_line(factors *self, int which, int64_t id)
{
    const weft__rival *rival = &self->base;
    const table *t = &self->tables[table_of(rival, which)];
    int64_t width = width_of(rival);
    weft__weight *work = self->work[which];
    if (id >= t->known)
        fill_first(rival, which, id, work);
    for (int64_t k = 0; k < width && id < t->known; k++)
        work[k] = t->lines[id * width + k];
    return work;
}

static weft_status reserve(factors *self, int which, int64_t ids, weft_error *error)
{
    weft_status status = WEFT_OK;
    table *t = &self->tables[which];
    int64_t width = width_of(&self->base), capacity = weft__grown(t->capacity, ids), size = 0;
    if (ids <= t->capacity)
        return WEFT_OK;
    TRY(weft__checked_product(capacity, width, &size, error));
    TRY(weft__resize(&self->base.player.memory, &t->lines, t->known * width, size, sizeof *t->lines, error));
    t->capacity = capacity;
done:
    return status;
}

/* The line of an id that is about to be learnt, for which there is room. */
static weft__weight *touch_line(factors *self, int which, int64_t id)
{
    table *t = &self->tables[table_of(&self->base, which)];
    int64_t width = width_of(&self->base);
    for (; t->known <= id; t->known++)
        fill_first(&self->base, which, t->known, t->lines + t->known * width);
    return t->lines + id * width;
}

/* ---- Predicting and learning ---- */

static weft_status score(weft__rival *rival, const int64_t pair[2], double *out, weft_error *error)
{
    factors *self = (factors *)rival;
    const weft__weight *p = copy_line(self, 0, pair[0]), *q = copy_line(self, 1, pair[1]);
    double sum = 0;
    (void)error;
    for (int64_t k = 1; k < width_of(rival); k++)
        sum += p[k].value * q[k].value;
    *out = self->constant.value + p[0].value + q[0].value + sum;
    return WEFT_OK;
}

/* `own` and `other` are the lines of the two ids before the label. */
static void step_line(const weft__rival *rival, const weft__weight *own, const weft__weight *other, double g,
                      weft__weight *line)
{
    double rate = rival->settings.rate;
    weft__weight_step(&line[0], g, rate);
    for (int64_t k = 1; k < width_of(rival); k++)
        weft__weight_step(&line[k], g * other[k].value - SHRINK * own[k].value, rate);
}

static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    factors *self = (factors *)rival;
    weft_status status = WEFT_OK;
    double f = 0;
    for (int which = 0; which < 2; which++)
        TRY(reserve(self, table_of(rival, which), pair[which] + 1, error));
    TRY(score(rival, pair, &f, error));
    double g = label * weft__sigmoid(-label * f);
    weft__weight_step(&self->constant, g, rival->settings.rate);
    for (int which = 0; which < 2; which++)
        step_line(rival, self->work[which], self->work[1 - which], g, touch_line(self, which, pair[which]));
done:
    return status;
}

/* ---- State: the constant, then the number of lines and the lines, rows first ---- */

static void put_weights(weft__encoder *writer, const weft__weight *weights, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        weft__put_double(writer, weights[k].value);
        weft__put_double(writer, weights[k].squares);
    }
}

static bool get_weights(weft__decoder *reader, weft__weight *weights, int64_t count)
{
    bool sound = true;
    for (int64_t k = 0; k < count; k++) {
        weights[k].value = weft__get_double(reader);
        weights[k].squares = weft__get_double(reader);
        sound = sound && weft__weight_sound(&weights[k]);
    }
    return sound && !reader->failed;
}

static void write(const weft__rival *rival, weft__encoder *writer)
{
    const factors *self = (const factors *)rival;
    put_weights(writer, &self->constant, 1);
    for (int which = 0; which < 2; which++) {
        weft__put_integer(writer, self->tables[which].known);
        put_weights(writer, self->tables[which].lines, self->tables[which].known * width_of(rival));
    }
}

static weft_status read(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    factors *self = (factors *)rival;
    weft_status status = WEFT_OK;
    int64_t width = width_of(rival);
    bool sound = get_weights(reader, &self->constant, 1);
    for (int which = 0; which < 2 && sound; which++) {
        bool used = which == 0 || rival->player.columns != NULL;
        int64_t most = used ? weft__side_most(weft__rival_side(rival, which)) : 0;
        int64_t ids = weft__get_count(reader, most, (size_t)width * sizeof(weft__weight));
        TRY(reserve(self, which, ids, error));
        self->tables[which].known = ids;
        sound = get_weights(reader, self->tables[which].lines, ids * width);
    }
    if (!sound)
        return weft__rival_damaged(error, "a factor is out of its range, or it is cut short");
done:
    return status;
}

/* ---- In pieces: an entry is a table, an id and its line; the rest, the constant ---- */

static void put_line(const factors *self, int which, int64_t id, weft__encoder *writer)
{
    int64_t width = width_of(&self->base);
    weft__put_integer(writer, which);
    weft__put_integer(writer, id);
    put_weights(writer, self->tables[which].lines + id * width, width);
}

/* The key is the id, then the table. */
static bool put_entries(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    const factors *self = (const factors *)rival;
    const table *t = self->tables;
    int64_t ids = t[0].known > t[1].known ? t[0].known : t[1].known;
    for (size_t end = writer->size + bytes; at[0] < ids && writer->size < end; at[0]++)
        for (int which = 0; which < 2; which++)
            if (at[0] < t[which].known)
                put_line(self, which, at[0], writer);
    return at[0] < ids;
}

static void put_changed(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer)
{
    for (int which = 0; which < 2; which++)
        put_line((const factors *)rival, table_of(rival, which), pair[which], writer);
}

static void put_rest(const weft__rival *rival, weft__encoder *writer)
{
    put_weights(writer, &((const factors *)rival)->constant, 1);
}

static weft_status take(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    factors *self = (factors *)rival;
    weft_status status = WEFT_OK;
    while (reader->left > 0) {
        int which = (int)weft__get_integer(reader);
        int64_t id = weft__get_integer(reader);
        TRY(reserve(self, which, id + 1, error));
        get_weights(reader, touch_line(self, which, id), width_of(rival));
    }
done:
    return status;
}

static weft_status take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    (void)error;
    get_weights(reader, &((factors *)rival)->constant, 1);
    return WEFT_OK;
}

static bool was_learnt(const weft__weight *line, int64_t width)
{
    for (int64_t k = 0; k < width; k++)
        if (line[k].squares > 0)
            return true;
    return false;
}

/* Lines that nobody has learnt are those of their numbers, and made anew. */
static weft_status renumber_table(factors *self, int which, const weft__numbers *numbers, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t width = width_of(&self->base), number = 0;
    table old = self->tables[which];
    self->tables[which] = (table){0};
    for (int64_t id = 0; id < old.known; id++) {
        const weft__weight *line = old.lines + id * width;
        if (!was_learnt(line, width))
            continue;
        TRY(weft__renumbered(numbers, which, id, &number, error));
        TRY(reserve(self, which, number + 1, error));
        memcpy(touch_line(self, which, number), line, (size_t)width * sizeof *line);
    }
done:
    weft__delete(&self->base.player.memory, old.lines);
    return status;
}

static weft_status renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int which = 0; which < (rival->player.columns == NULL ? 1 : 2); which++)
        TRY(renumber_table((factors *)rival, which, numbers, error));
done:
    return status;
}

static double price(const weft__rival *rival, int64_t seen)
{
    (void)rival;
    (void)seen;
    return 800;
}

const weft__rival_ops weft__rival_factors = {
    .size = sizeof(factors),
    .create = create,
    .score = score,
    .probability = weft__sigmoid,
    .learn = learn,
    .write = write,
    .read = read,
    .put_entries = put_entries,
    .put_changed = put_changed,
    .put_rest = put_rest,
    .take = take,
    .take_rest = take_rest,
    .renumber = renumber,
    .release = release,
    .price = price,
};
