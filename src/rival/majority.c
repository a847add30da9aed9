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
 * Cost       O(1) a trial, 16 bytes an id.
 *
 * Invariants: of[k] is zero for k >= known; the last known id has a label. */
#include "rival/rival.h"

typedef struct tally {
    int64_t plus, minus;
} tally;

typedef struct majority {
    weft__rival base;
    tally all;
    tally *of; /* by id of the side that counts */
    int64_t known, capacity;
} majority;

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
    for (int which = first; which < last; which++)
        if (pair[which] < self->known) {
            plus += (double)self->of[pair[which]].plus;
            minus += (double)self->of[pair[which]].minus;
        }
    double g = ((double)self->all.plus + 1) / ((double)self->all.plus + (double)self->all.minus + 2);
    double probability = first < last ? (plus + g) / (plus + minus + 1) : g;
    *out = 2 * probability - 1;
    return WEFT_OK;
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

static weft_status reserve(majority *self, int64_t ids, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (ids > self->capacity) {
        int64_t capacity = weft__grown(self->capacity, ids);
        TRY(weft__resize(&self->base.player.memory, &self->of, self->capacity, capacity, sizeof *self->of,
                         error));
        self->capacity = capacity;
    }
done:
    return status;
}

static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    majority *self = (majority *)rival;
    weft_status status = WEFT_OK;
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    for (int which = first; which < last; which++)
        TRY(reserve(self, pair[which] + 1, error));
    for (int which = first; which < last; which++) {
        count(&self->of[pair[which]], label);
        if (pair[which] >= self->known)
            self->known = pair[which] + 1;
    }
    count(&self->all, label);
done:
    return status;
}

/* ---- State: both totals, the number of ids, both counts of each ---- */

static void write(const weft__rival *rival, weft__encoder *writer)
{
    const majority *self = (const majority *)rival;
    weft__put_integer(writer, self->all.plus);
    weft__put_integer(writer, self->all.minus);
    weft__put_integer(writer, self->known);
    for (int64_t k = 0; k < self->known; k++) {
        weft__put_integer(writer, self->of[k].plus);
        weft__put_integer(writer, self->of[k].minus);
    }
}

static bool is_tally(const tally *t)
{
    return t->plus >= 0 && t->plus <= WEFT__MOST_COUNT && t->minus >= 0 && t->minus <= WEFT__MOST_COUNT;
}

/* The counts of the ids, which must add up to those of the trials. */
static bool get_ids(majority *self, weft__decoder *reader, int64_t ids, int each)
{
    tally left = {each * self->all.plus, each * self->all.minus};
    for (int64_t k = 0; k < ids; k++) {
        tally t = {.plus = weft__get_integer(reader)};
        t.minus = weft__get_integer(reader);
        if (!is_tally(&t) || t.plus > left.plus || t.minus > left.minus)
            return false;
        left.plus -= t.plus;
        left.minus -= t.minus;
        self->of[k] = t;
    }
    return left.plus == 0 && left.minus == 0 &&
           (ids == 0 || self->of[ids - 1].plus + self->of[ids - 1].minus > 0);
}

static weft_status read(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    majority *self = (majority *)rival;
    weft_status status = WEFT_OK;
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    self->all.plus = weft__get_integer(reader);
    self->all.minus = weft__get_integer(reader);
    const weft_side *side = weft__rival_side(rival, first);
    int64_t ids = weft__get_count(reader, first < last ? weft__side_most(side) : 0, sizeof(tally));
    if (reader->failed || !is_tally(&self->all))
        return weft__rival_damaged(error, "its counts are out of their range");
    TRY(reserve(self, ids, error));
    self->known = ids;
    if (!get_ids(self, reader, ids, last - first))
        return weft__rival_damaged(error, "its counts contradict each other");
done:
    return status;
}

/* ---- In pieces: an entry is an id and its counts; the rest, both totals ---- */

static void put_entry(const majority *self, int64_t id, weft__encoder *writer)
{
    weft__put_integer(writer, id);
    weft__put_integer(writer, self->of[id].plus);
    weft__put_integer(writer, self->of[id].minus);
}

static bool put_entries(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    const majority *self = (const majority *)rival;
    for (size_t end = writer->size + bytes; at[0] < self->known && writer->size < end; at[0]++)
        put_entry(self, at[0], writer);
    return at[0] < self->known;
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
        TRY(reserve(self, id + 1, error));
        self->of[id].plus = weft__get_integer(reader);
        self->of[id].minus = weft__get_integer(reader);
        self->known = id >= self->known ? id + 1 : self->known;
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
    majority *self = (majority *)rival;
    weft_status status = WEFT_OK;
    tally *old = self->of;
    int64_t known = self->known, number = 0;
    int first = 0, last = 0;
    range_of(rival, &first, &last);
    self->of = NULL;
    self->known = self->capacity = 0;
    for (int64_t k = 0; k < known; k++) {
        if (old[k].plus + old[k].minus == 0)
            continue;
        TRY(weft__renumbered(numbers, first, k, &number, error));
        TRY(reserve(self, number + 1, error));
        self->of[number] = old[k];
        self->known = number >= self->known ? number + 1 : self->known;
    }
done:
    weft__delete(&rival->player.memory, old);
    return status;
}

static void release(weft__rival *rival)
{
    weft__delete(&rival->player.memory, ((majority *)rival)->of);
}

/* Of a few counts. */
static double price(const weft__rival *rival, int64_t seen)
{
    (void)rival;
    (void)seen;
    return 50;
}

const weft__rival_ops weft__rival_majority = {
    .size = sizeof(majority),
    .score = score,
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
};
