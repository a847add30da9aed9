/* SPDX-License-Identifier: MIT
 *
 * What a perceptron has learnt as bytes: for the rows and then the columns (one set:
 * none) the number of ids, and every id in the order of its slot; then
 *
 *     sum      the sum of the labels of every slot, rows first
 *     others   the number of coefficients; row slot, column slot and sum of labels of
 *              each, by row slot and then column slot (one set: row slot <= column slot)
 *
 * The order of the slots is that of every sum, hence of every bit. */
#include "rival/perceptron.h"

#include <math.h>

/* ---- Writing ---- */

/* Whether entry (s, t) of S stands for itself and not for its mirror image. */
static bool stands(const weft__rival *rival, int64_t s, int64_t t)
{
    return rival->player.columns != NULL || s <= t;
}

/* The sum of the labels that S(s,t) stands for. */
static int64_t labels_of(const weft__rival *rival, int64_t s, const weft__coefficient *c)
{
    return (int64_t)(rival->player.columns == NULL && s == c->place ? c->value / 2 : c->value);
}

static int64_t count_coefficients(const weft__perceptron *self)
{
    int64_t count = 0;
    for (int64_t s = 0; s < self->touched[0].count; s++)
        for (int64_t k = 0; k < self->lines[0].lines[s].count; k++)
            count += stands(&self->base, s, self->lines[0].lines[s].entries[k].place);
    return count;
}

static void put_coefficients(const weft__perceptron *self, weft__encoder *writer)
{
    weft__put_integer(writer, count_coefficients(self));
    for (int64_t s = 0; s < self->touched[0].count; s++)
        for (int64_t k = 0; k < self->lines[0].lines[s].count; k++) {
            const weft__coefficient *c = &self->lines[0].lines[s].entries[k];
            if (!stands(&self->base, s, c->place))
                continue;
            weft__put_integer(writer, s);
            weft__put_integer(writer, c->place);
            weft__put_integer(writer, labels_of(&self->base, s, c));
        }
}

void weft__perceptron_write(const weft__rival *rival, weft__encoder *writer)
{
    const weft__perceptron *self = (const weft__perceptron *)rival;
    for (int set = 0; set < 2; set++) {
        weft__put_integer(writer, self->touched[set].count);
        for (int64_t s = 0; s < self->touched[set].count; s++)
            weft__put_integer(writer, self->touched[set].ids[s]);
    }
    if (rival->settings.kind != WEFT_RIVAL_SUM) {
        put_coefficients(self, writer);
        return;
    }
    for (int set = 0; set < 2; set++)
        for (int64_t s = 0; s < self->touched[set].count; s++)
            weft__put_integer(writer, (int64_t)self->touched[set].sum[s]);
}

/* ---- Reading ---- */

static weft_status get_ids(weft__perceptron *self, int set, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__touched *touched = &self->touched[set];
    bool used = set == 0 || self->base.player.columns != NULL;
    int64_t count = weft__get_count(reader, used ? weft__side_most(touched->side) : 0, sizeof(int64_t));
    if (reader->failed)
        return weft__rival_damaged(error, "its number of ids is out of its range");
    for (int64_t s = 0; s < count; s++) {
        int64_t id = weft__get_integer(reader);
        if (!weft__side_has(touched->side, id) || weft__touched_slot(touched, id) >= 0)
            return weft__rival_damaged(error, "an id is unknown or listed twice");
        TRY(weft__touched_reserve(touched, 1, id, error));
        weft__touched_touch(touched, id);
    }
done:
    return status;
}

static bool is_sum(int64_t value)
{
    return value >= -WEFT__MOST_COUNT && value <= WEFT__MOST_COUNT;
}

/* The sum of the sums of one set, or NAN. */
static double get_sums(weft__perceptron *self, int set, weft__decoder *reader)
{
    double total = 0;
    for (int64_t s = 0; s < self->touched[set].count; s++) {
        int64_t sum = weft__get_integer(reader);
        if (!is_sum(sum))
            return NAN;
        self->touched[set].sum[s] = (double)sum;
        total += (double)sum;
    }
    return total;
}

/* The labels of all updates count for both ids of their pairs. */
static weft_status get_both_sums(weft__perceptron *self, weft__decoder *reader, weft_error *error)
{
    double rows = get_sums(self, 0, reader), columns = get_sums(self, 1, reader);
    bool one_set = self->base.player.columns == NULL;
    self->total = one_set ? rows / 2 : rows;
    if (reader->failed || !(fabs(self->total) <= (double)WEFT__MOST_COUNT) ||
        (one_set ? self->total != floor(self->total) : rows != columns))
        return weft__rival_damaged(error, "its sums contradict each other");
    return WEFT_OK;
}

static weft_status get_coefficients(weft__perceptron *self, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    enum { COEFFICIENT_BYTES = 24 };
    int second = weft__perceptron_set(&self->base, 1);
    int64_t m = self->touched[0].count, n = self->touched[second].count, last[2] = {0, -1};
    int64_t count = weft__get_count(reader, INT64_MAX, COEFFICIENT_BYTES);
    for (int64_t k = 0; k < count; k++) {
        int64_t s = weft__get_integer(reader), t = weft__get_integer(reader),
                labels = weft__get_integer(reader);
        bool later = s > last[0] || (s == last[0] && t > last[1]);
        if (!later || s >= m || t < 0 || t >= n || !stands(&self->base, s, t) || !is_sum(labels))
            return weft__rival_damaged(error, "a coefficient is out of its range or its order");
        int64_t pair[2] = {self->touched[0].ids[s], self->touched[second].ids[t]};
        TRY(weft__perceptron_reserve(self, pair, error));
        weft__perceptron_add(self, pair, (double)labels);
        last[0] = s;
        last[1] = t;
    }
done:
    return status;
}

/* An id is touched by an update, which leaves a coefficient, and sums that a run can
 * have. */
static bool are_lines_sound(const weft__perceptron *self)
{
    for (int set = 0; set < 2; set++)
        for (int64_t s = 0; s < self->touched[set].count; s++)
            if (s >= self->lines[set].capacity || self->lines[set].lines[s].count == 0 ||
                fabs(self->touched[set].sum[s]) > (double)WEFT__MOST_COUNT)
                return false;
    return fabs(self->total) <= (double)WEFT__MOST_COUNT;
}

weft_status weft__perceptron_read(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    weft_status status = WEFT_OK;
    for (int set = 0; set < 2; set++)
        TRY(get_ids(self, set, reader, error));
    if (rival->settings.kind == WEFT_RIVAL_SUM) {
        TRY(get_both_sums(self, reader, error));
        TRY(weft__perceptron_sum_classes(self, error));
        return weft__perceptron_fit(self, error);
    }
    TRY(get_coefficients(self, reader, error));
    if (!are_lines_sound(self))
        return weft__rival_damaged(error, "an id has no coefficients");
done:
    return status;
}

/* ---- Other numbers ---- */

static weft_status renumber_set(weft__perceptron *self, int set, const weft__numbers *numbers,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__touched *touched = &self->touched[set];
    int64_t *ids = NULL;
    TRY(weft__new(&touched->memory, touched->count, sizeof *ids, &ids, error));
    for (int64_t s = 0; s < touched->count; s++)
        TRY(weft__renumbered(numbers, set, touched->ids[s], &ids[s], error));
    TRY(weft__touched_renumber(touched, ids, error));
done:
    weft__delete(&touched->memory, ids);
    return status;
}

weft_status weft__perceptron_renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error)
{
    weft__perceptron *self = (weft__perceptron *)rival;
    weft_status status = WEFT_OK;
    self->pending = false;
    for (int set = 0; set < (rival->player.columns == NULL ? 1 : 2); set++)
        TRY(renumber_set(self, set, numbers, error));
    TRY(weft__perceptron_sum_classes(self, error));
done:
    return status;
}
