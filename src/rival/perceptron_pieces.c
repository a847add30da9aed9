/* SPDX-License-Identifier: MIT
 *
 * The state of a perceptron in pieces (player/pieces.h).
 *
 * Method  Entries are of three sorts, in this order: the slots of the rows and those of the columns, each
 *         with its id and its sum; then the coefficients of lines[0], which are sorted.  A label touches the
 *         slots of its pair, and their coefficient.  The rest is the total.
 *         Slots are put in order, and new ones come in order, so taking them touches ids as learning did. */
#include "rival/perceptron.h"

enum { ROW_SLOT, COLUMN_SLOT, COEFFICIENT };

static void put_slot(const weft__perceptron *self, int set, int64_t slot, weft__encoder *writer)
{
    weft__put_integer(writer, set);
    weft__put_integer(writer, self->touched[set].ids[slot]);
    weft__put_double(writer, self->touched[set].sum[slot]);
}

static void put_coefficient(int64_t line, const weft__coefficient *c, weft__encoder *writer)
{
    weft__put_integer(writer, COEFFICIENT);
    weft__put_integer(writer, line);
    weft__put_integer(writer, c->place);
    weft__put_double(writer, c->value);
}

static bool has_lines(const weft__rival *rival)
{
    return rival->settings.kind != WEFT_RIVAL_SUM;
}

/* Of one line from `place` on, where the key goes on. */
static bool put_line(const weft__line *line, int64_t s, int64_t *place, size_t end, weft__encoder *writer)
{
    int64_t k = weft__line_from(line, *place);
    for (; k < line->count && writer->size < end; k++) {
        put_coefficient(s, &line->entries[k], writer);
        *place = line->entries[k].place + 1;
    }
    return k == line->count;
}

/* at[0] is the sort while that is slots, and of the coefficients COEFFICIENT + their line; at[1] the slot or
 * the place. */
bool weft__perceptron_put_entries(const weft__rival *rival, int64_t at[2], size_t bytes,
                                  weft__encoder *writer)
{
    const weft__perceptron *self = (const weft__perceptron *)rival;
    size_t end = writer->size + bytes;
    for (; at[0] < COEFFICIENT; at[0]++, at[1] = 0) {
        for (; at[1] < self->touched[at[0]].count && writer->size < end; at[1]++)
            put_slot(self, (int)at[0], at[1], writer);
        if (at[1] < self->touched[at[0]].count)
            return true;
    }
    int64_t last = has_lines(rival) ? COEFFICIENT + self->touched[0].count : COEFFICIENT;
    for (; at[0] < last; at[0]++, at[1] = 0)
        if (!put_line(&self->lines[0].lines[at[0] - COEFFICIENT], at[0] - COEFFICIENT, &at[1], end, writer))
            return true;
    return false;
}

void weft__perceptron_put_changed(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer)
{
    const weft__perceptron *self = (const weft__perceptron *)rival;
    int64_t slot[2];
    for (int which = 0; which < 2; which++)
        slot[which] = weft__touched_slot(&self->touched[weft__perceptron_set(rival, which)], pair[which]);
    /* In the order of the slots: of two new ones of one set the first comes first. */
    for (int which = 0; which < 2; which++)
        if (slot[which] >= 0)
            put_slot(self, weft__perceptron_set(rival, which), slot[which], writer);
    bool one_set = rival->player.columns == NULL;
    for (int which = 0; which < (one_set ? 2 : 1) && has_lines(rival) && slot[0] >= 0 && slot[1] >= 0;
         which++) {
        const weft__coefficient *c = weft__line_at(&self->lines[0].lines[slot[which]], slot[1 - which]);
        if (c != NULL)
            put_coefficient(slot[which], c, writer);
    }
}

void weft__perceptron_put_rest(const weft__rival *rival, weft__encoder *writer)
{
    weft__put_double(writer, ((const weft__perceptron *)rival)->total);
}

static weft_status take_slot(weft__perceptron *self, int set, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t id = weft__get_integer(reader);
    TRY(weft__touched_reserve(&self->touched[set], 1, id, error));
    self->touched[set].sum[weft__touched_touch(&self->touched[set], id)] = weft__get_double(reader);
done:
    return status;
}

static weft_status take_coefficient(weft__perceptron *self, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t s = weft__get_integer(reader), t = weft__get_integer(reader);
    double value = weft__get_double(reader);
    TRY(weft__lines_reserve(&self->lines[0], s + 1, s, error));
    weft__lines_set(&self->lines[0], s, t, value);
    if (self->base.player.columns != NULL) {
        TRY(weft__lines_reserve(&self->lines[1], t + 1, t, error));
        weft__lines_set(&self->lines[1], t, s, value);
    }
done:
    return status;
}

weft_status weft__perceptron_take(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__perceptron *self = (weft__perceptron *)rival;
    while (reader->left > 0) {
        int sort = (int)weft__get_integer(reader);
        if (sort == COEFFICIENT)
            TRY(take_coefficient(self, reader, error));
        else
            TRY(take_slot(self, sort, reader, error));
    }
done:
    return status;
}

weft_status weft__perceptron_take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    weft_status status = WEFT_OK;
    self->total = weft__get_double(reader);
    TRY(weft__perceptron_sum_classes(self, error));
    TRY(weft__perceptron_fit(self, error));
done:
    return status;
}
