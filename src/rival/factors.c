/* SPDX-License-Identifier: MIT
 *
 * Online matrix factorisation with biases.
 *
 * Method     f = a + b_i + c_j + <p_i, q_j>; a gradient step of the logistic loss, with
 *            a rate for every number, and the factors drawn to zero a little.
 * Algorithm  An id is a line of 1 + k weights: its bias, then its factors.  Factors
 *            start from small numbers that are hashes of (seed, side, id, place), so an
 *            id that nobody has learnt needs no line.
 * Cost       O(k) a trial, 16 (1 + k) bytes an id that was learnt.
 * Reference  Koren, Bell and Volinsky, Matrix factorization techniques for recommender
 *            systems, Computer 42 (2009); rates as in rival/weights.c. */
#include "rival/block.h"
#include "rival/hash.h"
#include "rival/table.h"
#include "rival/weights.h"

#include <string.h>

/* By measurement; see docs/rivals.md. */
static const double FIRST = 0.1, SHRINK = 0.02;

typedef struct factors {
    weft__rival base;
    weft__weight constant;
    weft__table tables[2]; /* rows, columns; one set: the first */
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
    int64_t bytes = width_of(rival) * (int64_t)sizeof(weft__weight);
    for (int which = 0; which < 2; which++)
        self->tables[which] = weft__table_of(bytes, &rival->player.memory);
    for (int which = 0; which < 2; which++)
        TRY(weft__new(&rival->player.memory, bytes, 1, &self->work[which], error));
done:
    return status;
}

static void release(weft__rival *rival)
{
    factors *self = (factors *)rival;
    for (int which = 0; which < 2; which++) {
        weft__table_free(&self->tables[which]);
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
    const weft__table *table = &self->tables[table_of(&self->base, which)];
    const weft__weight *line = weft__table_line(table, id);
    weft__weight *work = self->work[which];
    if (line != NULL)
        memcpy(work, line, (size_t)table->line_bytes);
    else
        fill_first(&self->base, which, id, work);
    return work;
}

/* The line of an id that is about to be learnt, for which there is room. */
static weft__weight *touch_line(factors *self, int which, int64_t id)
{
    weft__table *table = &self->tables[table_of(&self->base, which)];
    weft__weight *line = weft__table_line(table, id);
    if (line == NULL) {
        line = weft__table_add(table, id);
        fill_first(&self->base, which, id, line);
    }
    return line;
}

/* ---- Predicting and learning ---- */

static double score_lines(const factors *self, const weft__weight *p, const weft__weight *q)
{
    double sum = 0;
    for (int64_t k = 1; k < width_of(&self->base); k++)
        sum += p[k].value * q[k].value;
    return self->constant.value + p[0].value + q[0].value + sum;
}

static weft_status score(weft__rival *rival, const int64_t pair[2], double *out, weft_error *error)
{
    factors *self = (factors *)rival;
    const weft__weight *p = copy_line(self, 0, pair[0]), *q = copy_line(self, 1, pair[1]);
    (void)error;
    *out = score_lines(self, p, q);
    return WEFT_OK;
}

/* The first lines of all candidates, which those have in common that differ by their rates; NULL: of each its
 * own. */
static weft_status find_first_lines(const weft__rival *rival, weft__block *block, weft__weight **lines,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t width = width_of(rival), size = 0;
    weft__block_key key = {.what = &weft__rival_factors,
                           .alike = {-1, -1},
                           .seed = rival->settings.seed,
                           .number = rival->settings.factors};
    bool fresh = false;
    TRY(weft__checked_product(block->count * (int64_t)sizeof(weft__weight), width, &size, error));
    TRY(weft__block_keep(block, &key, size, lines, &fresh, error));
    for (int64_t b = 0; b < block->count && fresh; b++)
        fill_first(rival, block->place, block->ids[b], *lines + b * width);
done:
    return status;
}

static weft_status score_many(weft__rival *rival, weft__block *block, double *out, weft_error *error)
{
    factors *self = (factors *)rival;
    weft_status status = WEFT_OK;
    int place = block->place;
    const weft__table *table = &self->tables[table_of(rival, place)];
    const weft__weight *own = copy_line(self, 1 - place, block->id);
    weft__weight *first = NULL;
    for (int64_t b = 0; b < block->count; b++)
        weft__table_fetch(table, block->ids[b]);
    for (int64_t b = 0; b < block->count; b++) {
        const weft__weight *line = weft__table_line(table, block->ids[b]);
        if (line == NULL && first == NULL)
            TRY(find_first_lines(rival, block, &first, error));
        if (line == NULL)
            line = first != NULL ? first + b * width_of(rival) : copy_line(self, place, block->ids[b]);
        /* For one set of ids the smaller one is the first. */
        bool before = rival->player.columns == NULL ? block->ids[b] < block->id : place == 0;
        out[b] = before ? score_lines(self, line, own) : score_lines(self, own, line);
    }
done:
    return status;
}

/* `own` and `other` are the lines of the two ids before the label. */
static void step_line(const weft__rival *rival, const weft__weight *own, const weft__weight *other, double g,
                      weft__weight *line)
{
    double rate = rival->settings.rate;
    weft__weight_step(&line[0], g, rate, 0);
    for (int64_t k = 1; k < width_of(rival); k++)
        weft__weight_step(&line[k], g * other[k].value - SHRINK * own[k].value, rate, 0);
}

static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    factors *self = (factors *)rival;
    weft_status status = WEFT_OK;
    double f = 0;
    for (int which = 0; which < 2; which++)
        TRY(weft__table_reserve(&self->tables[table_of(rival, which)], pair[which], error));
    TRY(score(rival, pair, &f, error));
    double g = label * weft__sigmoid(-label * f);
    weft__weight_step(&self->constant, g, rival->settings.rate, 0);
    for (int which = 0; which < 2; which++)
        step_line(rival, self->work[which], self->work[1 - which], g, touch_line(self, which, pair[which]));
done:
    return status;
}

/* ---- State: the constant, then the number of ids that were learnt, each with its line, rows first ---- */

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
        const weft__table *table = &self->tables[which];
        weft__put_integer(writer, table->slots.count);
        for (int64_t id = weft__slots_next(&table->slots, 0); id >= 0;
             id = weft__slots_next(&table->slots, id + 1)) {
            weft__put_integer(writer, id);
            put_weights(writer, weft__table_line(table, id), width_of(rival));
        }
    }
}

/* False for what is no table over so many ids; *status where there was no memory. */
static bool read_table(factors *self, int which, int64_t most, weft__decoder *reader, weft_status *status,
                       weft_error *error)
{
    int64_t width = width_of(&self->base), last = -1;
    int64_t ids = weft__get_count(reader, most, sizeof last + (size_t)width * sizeof(weft__weight));
    bool sound = !reader->failed;
    for (int64_t k = 0; k < ids && sound; k++) {
        int64_t id = weft__get_integer(reader);
        sound = id > last && id < most;
        if (sound)
            *status = weft__table_reserve(&self->tables[which], id, error);
        if (*status != WEFT_OK)
            return true;
        sound = sound && get_weights(reader, touch_line(self, which, id), width);
        last = id;
    }
    return sound;
}

static weft_status read(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    factors *self = (factors *)rival;
    weft_status status = WEFT_OK;
    bool sound = get_weights(reader, &self->constant, 1);
    for (int which = 0; which < 2 && sound && status == WEFT_OK; which++) {
        bool used = which == 0 || rival->player.columns != NULL;
        int64_t most = used ? weft__side_most(weft__rival_side(rival, which)) : 0;
        sound =
            read_table(self, which, most < WEFT__SLOTS_IDS ? most : WEFT__SLOTS_IDS, reader, &status, error);
    }
    return sound ? status : weft__rival_damaged(error, "a factor is out of its range, or it is cut short");
}

/* ---- In pieces: an entry is a table, an id and its line; the rest, the constant ---- */

static void put_line(const factors *self, int which, int64_t id, weft__encoder *writer)
{
    weft__put_integer(writer, which);
    weft__put_integer(writer, id);
    put_weights(writer, weft__table_line(&self->tables[which], id), width_of(&self->base));
}

/* The key is the id, of the table at[1]. */
static bool put_entries(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    const factors *self = (const factors *)rival;
    size_t end = writer->size + bytes;
    for (; at[1] < 2; at[1]++, at[0] = 0) {
        const weft__slots *slots = &self->tables[at[1]].slots;
        int64_t id = weft__slots_next(slots, at[0]);
        for (; id >= 0 && writer->size < end; id = weft__slots_next(slots, at[0])) {
            put_line(self, (int)at[1], id, writer);
            at[0] = id + 1;
        }
        if (id >= 0)
            return true;
    }
    return false;
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
        TRY(weft__table_reserve(&self->tables[which], id, error));
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

static weft_status renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int which = 0; which < (rival->player.columns == NULL ? 1 : 2); which++)
        TRY(weft__table_renumber(&((factors *)rival)->tables[which], which, numbers, error));
done:
    return status;
}

static double price(const weft__rival *rival, int64_t seen)
{
    (void)rival;
    (void)seen;
    return 800;
}

static double bytes(const weft__rival *rival)
{
    const factors *self = (const factors *)rival;
    return weft__table_bytes(&self->tables[0]) + weft__table_bytes(&self->tables[1]);
}

static void empty(weft__rival *rival)
{
    factors *self = (factors *)rival;
    for (int which = 0; which < 2; which++)
        weft__table_free(&self->tables[which]);
    self->constant = (weft__weight){0, 0};
}

static const weft__slots *met(const weft__rival *rival, int which)
{
    return &((const factors *)rival)->tables[table_of(rival, which)].slots;
}

const weft__rival_ops weft__rival_factors = {
    .size = sizeof(factors),
    .create = create,
    .score = score,
    .score_many = score_many,
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
    .bytes = bytes,
    .empty = empty,
    .met = met,
};
