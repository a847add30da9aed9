/* SPDX-License-Identifier: MIT
 *
 * Best constant, row majority and column majority.
 *
 * Method     the share of +1 among the labels so far: of all, or of those of an id,
 *            with one more label that is divided as all of them are
 *
 *                g = (P + 1) / (P + Q + 2),   probability = (p + g) / (p + q + 1)
 *
 *            so that the sign is that of p - q, and a tie goes by the constant.
 * Cost       O(1) a trial, 16 bytes an id that was learnt. */
#include "rival/block.h"
#include "rival/table.h"

typedef struct tally {
    int64_t plus, minus;
} tally;

typedef struct majority {
    weft__rival base;
    tally all;
    weft__table of; /* a tally by id of the side that counts; each has a label */
} majority;

static weft_status create(weft__rival *rival, weft_error *error)
{
    (void)error;
    ((majority *)rival)->of = weft__table_of(sizeof(tally), &rival->player.memory);
    return WEFT_OK;
}

/* Which ids of a pair count: `first` <= which < `last`. */
static void range_of(const weft__rival *rival, int *first, int *last)
{
    bool constant = rival->settings.kind == WEFT_RIVAL_CONSTANT;
    bool column = rival->settings.kind == WEFT_RIVAL_COLUMN_MAJORITY;
    bool both = rival->player.columns == NULL;
    *first = both || !column ? 0 : 1;
    *last = constant ? *first : (both || column ? 2 : 1);
}

static weft_status score(weft__rival *rival, const int64_t pair[2], double *out, weft_error *error)
{
    const majority *self = (const majority *)rival;
    int first = 0, last = 0;
    double plus = 0, minus = 0;
    (void)error;
    range_of(rival, &first, &last);
    for (int which = first; which < last; which++) {
        const tally *t = weft__table_line(&self->of, pair[which]);
        plus += t != NULL ? (double)t->plus : 0;
        minus += t != NULL ? (double)t->minus : 0;
    }
    double g = ((double)self->all.plus + 1) / ((double)self->all.plus + (double)self->all.minus + 2);
    double probability = first < last ? (plus + g) / (plus + minus + 1) : g;
    *out = 2 * probability - 1;
    return WEFT_OK;
}

/* A few counts a pair. */
static weft_status score_many(weft__rival *rival, weft__block *block, double *out, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t b = 0; b < block->count; b++) {
        int64_t pair[2] = {block->id, block->id};
        pair[block->place] = block->ids[b];
        TRY(score(rival, pair, &out[b], error));
    }
done:
    return status;
}

static double probability_of(double score_of_it)
{
    return (score_of_it + 1) / 2;
}

static void count(tally *t, int label)
{
    t->plus += label > 0;
    t->minus += label < 0;
}

/* That of an id for which there is room. */
static tally *tally_of(majority *self, int64_t id)
{
    tally *t = weft__table_line(&self->of, id);
    return t != NULL ? t : weft__table_add(&self->of, id);
}

static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    majority *self = (majority *)rival;
    weft_status status = WEFT_OK;
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    for (int which = first; which < last; which++)
        TRY(weft__table_reserve(&self->of, pair[which], error));
    for (int which = first; which < last; which++)
        count(tally_of(self, pair[which]), label);
    count(&self->all, label);
done:
    return status;
}

/* ---- State: both totals, the number of ids with a label, and each with both of its counts ---- */

static void put_entry(const majority *self, int64_t id, weft__encoder *writer)
{
    const tally *t = weft__table_line(&self->of, id);
    weft__put_integer(writer, id);
    weft__put_integer(writer, t->plus);
    weft__put_integer(writer, t->minus);
}

static void write(const weft__rival *rival, weft__encoder *writer)
{
    const majority *self = (const majority *)rival;
    const weft__slots *slots = &self->of.slots;
    weft__put_integer(writer, self->all.plus);
    weft__put_integer(writer, self->all.minus);
    weft__put_integer(writer, slots->count);
    for (int64_t id = weft__slots_next(slots, 0); id >= 0; id = weft__slots_next(slots, id + 1))
        put_entry(self, id, writer);
}

static bool is_tally(const tally *t)
{
    return t->plus >= 0 && t->plus <= WEFT__MOST_COUNT && t->minus >= 0 && t->minus <= WEFT__MOST_COUNT;
}

/* The counts of the ids, which must add up to those of the trials. */
static bool get_ids(majority *self, weft__decoder *reader, int64_t ids, int64_t most, int each,
                    weft_status *status, weft_error *error)
{
    tally left = {each * self->all.plus, each * self->all.minus};
    int64_t last = -1;
    for (int64_t k = 0; k < ids; k++) {
        int64_t id = weft__get_integer(reader);
        tally t = {.plus = weft__get_integer(reader)};
        t.minus = weft__get_integer(reader);
        if (id <= last || id >= most || !is_tally(&t) || t.plus > left.plus || t.minus > left.minus ||
            t.plus + t.minus == 0)
            return false;
        left.plus -= t.plus;
        left.minus -= t.minus;
        *status = weft__table_reserve(&self->of, id, error);
        if (*status != WEFT_OK)
            return true;
        *tally_of(self, id) = t;
        last = id;
    }
    return left.plus == 0 && left.minus == 0;
}

static weft_status read(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    enum { ENTRY_BYTES = 24 };
    majority *self = (majority *)rival;
    weft_status status = WEFT_OK;
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    self->all.plus = weft__get_integer(reader);
    self->all.minus = weft__get_integer(reader);
    int64_t most = first < last ? weft__side_most(weft__rival_side(rival, first)) : 0;
    most = most < WEFT__SLOTS_IDS ? most : WEFT__SLOTS_IDS;
    int64_t ids = weft__get_count(reader, most, ENTRY_BYTES);
    if (reader->failed || !is_tally(&self->all))
        return weft__rival_damaged(error, "its counts are out of their range");
    if (!get_ids(self, reader, ids, most, last - first, &status, error))
        return weft__rival_damaged(error, "its counts contradict each other");
    return status;
}

/* ---- In pieces: an entry is an id and its counts; the rest, both totals ---- */

static bool put_entries(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    const majority *self = (const majority *)rival;
    size_t end = writer->size + bytes;
    int64_t id = weft__slots_next(&self->of.slots, at[0]);
    for (; id >= 0 && writer->size < end; id = weft__slots_next(&self->of.slots, at[0])) {
        put_entry(self, id, writer);
        at[0] = id + 1;
    }
    return id >= 0;
}

static void put_changed(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer)
{
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    for (int which = first; which < last; which++)
        put_entry((const majority *)rival, pair[which], writer);
}

static void put_rest(const weft__rival *rival, weft__encoder *writer)
{
    const majority *self = (const majority *)rival;
    weft__put_integer(writer, self->all.plus);
    weft__put_integer(writer, self->all.minus);
}

static weft_status take(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    majority *self = (majority *)rival;
    weft_status status = WEFT_OK;
    while (reader->left > 0) {
        int64_t id = weft__get_integer(reader);
        TRY(weft__table_reserve(&self->of, id, error));
        tally *t = tally_of(self, id);
        t->plus = weft__get_integer(reader);
        t->minus = weft__get_integer(reader);
    }
done:
    return status;
}

static weft_status take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    majority *self = (majority *)rival;
    (void)error;
    self->all.plus = weft__get_integer(reader);
    self->all.minus = weft__get_integer(reader);
    return WEFT_OK;
}

static weft_status renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error)
{
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    return weft__table_renumber(&((majority *)rival)->of, first, numbers, error);
}

static void release(weft__rival *rival)
{
    weft__table_free(&((majority *)rival)->of);
}

/* Of a few counts. */
static double price(const weft__rival *rival, int64_t seen)
{
    (void)rival;
    (void)seen;
    return 50;
}

static double bytes(const weft__rival *rival)
{
    return weft__table_bytes(&((const majority *)rival)->of);
}

static void empty(weft__rival *rival)
{
    release(rival);
    ((majority *)rival)->all = (tally){0, 0};
}

static const weft__slots *met(const weft__rival *rival, int which)
{
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    return first <= which && which < last ? &((const majority *)rival)->of.slots : NULL;
}

const weft__rival_ops weft__rival_majority = {
    .size = sizeof(majority),
    .create = create,
    .score = score,
    .score_many = score_many,
    .probability = probability_of,
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
