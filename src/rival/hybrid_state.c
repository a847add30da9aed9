/* SPDX-License-Identifier: MIT
 * The state of hybrid factorisation as bytes, whole and in pieces, and under other numbers. */
#include "rival/hybrid.h"

#include <math.h>

/* ---- State: the scales of the traits, the constant, the events, then the vectors; where contexts were met,
 *      in a state of version 4, those of their values last ---- */

static void put_constant(const weft__hybrid *self, weft__encoder *writer)
{
    weft__put_double(writer, (double)self->constant);
    weft__put_double(writer, (double)self->squares);
}

void weft__hybrid_write(const weft__rival *rival, weft__encoder *writer)
{
    const weft__hybrid *self = (const weft__hybrid *)rival;
    put_constant(self, writer);
    weft__replay_write(&self->replay, rival->met_context, writer);
    for (int set = 0; set < weft__hybrid_sets(rival); set++) {
        weft__traits_write(&self->traits[set], writer);
        weft__vectors_write(&self->ids[set], writer);
        weft__vectors_write(&self->trait_vectors[set], writer);
    }
    if (rival->met_context)
        weft__vectors_write(&self->context_vectors, writer);
}

static bool get_constant(weft__decoder *reader, float *constant, float *squares)
{
    static const double most = 1e30;
    double value = weft__get_double(reader), sum = weft__get_double(reader);
    bool sound = !reader->failed && fabs(value) <= most && sum >= 1 && sum <= most;
    *constant = sound ? (float)value : 0;
    *squares = sound ? (float)sum : 1;
    return sound && (double)*constant == value && (double)*squares == sum;
}

weft_status weft__hybrid_read(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    bool sound = get_constant(reader, &self->constant, &self->squares);
    if (sound)
        TRY(weft__replay_read(&self->replay, rival, reader, error));
    for (int set = 0; set < weft__hybrid_sets(rival) && sound; set++) {
        const weft_side *side = weft__rival_side(rival, set);
        TRY(weft__traits_read(&self->traits[set], reader, error));
        sound = weft__vectors_read(&self->ids[set], weft__side_most(side), reader, &status, error) &&
                status == WEFT_OK &&
                weft__vectors_read(&self->trait_vectors[set], INT64_MAX, reader, &status, error);
        if (status != WEFT_OK)
            return status;
    }
    if (sound && rival->met_context)
        sound = self->replay.contexts != NULL &&
                weft__vectors_read(&self->context_vectors, WEFT__CONTEXT_LINES, reader, &status, error);
    TRY(status);
    if (!sound)
        return weft__rival_damaged(error, "a factor is out of its range, or it is cut short");
done:
    return status;
}

weft_status weft__hybrid_renumber(weft__rival *rival, const weft__numbers *numbers, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    self->own = 0;
    TRY(weft__replay_renumber(&self->replay, weft__hybrid_sets(rival) == 1, numbers, error));
    for (int set = 0; set < weft__hybrid_sets(rival); set++)
        TRY(weft__table_renumber(&self->ids[set].table, set, numbers, error));
done:
    return status;
}

/* ---- In pieces: an entry is a table, a number, and its vector or event; the rest, constant, scales and the
 *      number of labels ---- */

enum { IDS, TRAITS, CONTEXTS = 4, EVENTS };

/* Table 0 to 3: ids and traits of the rows, ids and traits of the columns; then values of contexts. */
static weft__vectors *vectors_in(weft__hybrid *self, int table)
{
    if (table == CONTEXTS)
        return &self->context_vectors;
    return table % 2 == IDS ? &self->ids[table / 2] : &self->trait_vectors[table / 2];
}

static void put_entry(weft__hybrid *self, int table, int64_t number, weft__encoder *writer)
{
    weft__put_integer(writer, table);
    weft__put_integer(writer, number);
    if (table == EVENTS)
        weft__replay_put(&self->replay, number, writer);
    else
        weft__vectors_write_line(vectors_in(self, table), number, writer);
}

/* Of all tables the smallest number of a line that is at least `from`; -1: there is none. */
static int64_t next_line(weft__hybrid *self, int64_t from)
{
    int64_t least = -1;
    for (int table = 0; table < EVENTS; table++) {
        int64_t line = weft__slots_next(&vectors_in(self, table)->table.slots, from);
        least = least < 0 || (line >= 0 && line < least) ? line : least;
    }
    return least;
}

/* Vectors by their numbers, then events from the last to the first: those to come are behind the place that
 * was reached, however few are put at a time.  The key is the number of a vector, then that of an event and
 * 1 (0: none was put). */
bool weft__hybrid_put_entries(const weft__rival *rival, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    size_t end = writer->size + bytes;
    int64_t line = next_line(self, at[0]);
    for (; line >= 0 && writer->size < end; line = next_line(self, at[0])) {
        for (int table = 0; table < EVENTS; table++)
            if (weft__table_line(&vectors_in(self, table)->table, line) != NULL)
                put_entry(self, table, line, writer);
        at[0] = line + 1;
    }
    if (line >= 0)
        return true;
    if (at[1] == 0)
        at[1] = 1 + weft__replay_kept(&self->replay);
    for (; at[1] > 1 && writer->size < end; at[1]--)
        put_entry(self, EVENTS, at[1] - 2, writer);
    return at[1] > 1;
}

/* The vectors of an id and of its traits, which were found before. */
static void put_id(weft__hybrid *self, int set, int64_t id, weft__encoder *writer)
{
    weft__traits *traits = &self->traits[set];
    put_entry(self, 2 * set + IDS, id, writer);
    if (weft__traits_find(traits, id, NULL) != WEFT_OK)
        return;
    for (int64_t k = 0; k < traits->count; k++)
        put_entry(self, 2 * set + (traits->list[k].is_id ? IDS : TRAITS), traits->list[k].number, writer);
}

static void put_context(weft__hybrid *self, const weft__context *context, weft__encoder *writer)
{
    uint64_t values[WEFT_CONTEXT_LIMIT + 1];
    int count = weft__context_values(context, values);
    for (int k = 0; k < count; k++)
        put_entry(self, CONTEXTS, weft__hybrid_context_line(values[k]), writer);
}

/* All events of the last label have changed what they are made of. */
void weft__hybrid_put_changed(const weft__rival *rival, const int64_t pair[2], weft__encoder *writer)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    (void)pair;
    for (int64_t k = 0; k < self->event_count; k++) {
        for (int which = 0; which < 2; which++)
            put_id(self, weft__hybrid_sets(rival) == 1 ? 0 : which, self->events[k].event.pair[which],
                   writer);
        put_context(self, &self->events[k].context, writer);
    }
    put_entry(self, EVENTS, (self->replay.learnt - 1) % self->replay.window, writer);
}

void weft__hybrid_put_rest(const weft__rival *rival, weft__encoder *writer)
{
    const weft__hybrid *self = (const weft__hybrid *)rival;
    put_constant(self, writer);
    weft__put_integer(writer, self->replay.learnt);
    for (int set = 0; set < weft__hybrid_sets(rival); set++)
        weft__traits_write(&self->traits[set], writer);
}

weft_status weft__hybrid_take(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    while (reader->left > 0) {
        int table = (int)weft__get_integer(reader);
        int64_t number = weft__get_integer(reader);
        if (table == EVENTS) {
            TRY(weft__replay_take(&self->replay, number, rival, reader, error));
            continue;
        }
        TRY(weft__vectors_reserve(vectors_in(self, table), number, error));
        weft__vectors_read_line(vectors_in(self, table), number, reader);
    }
done:
    return status;
}

weft_status weft__hybrid_take_rest(weft__rival *rival, weft__decoder *reader, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    get_constant(reader, &self->constant, &self->squares);
    self->replay.learnt = weft__get_integer(reader);
    for (int set = 0; set < weft__hybrid_sets(rival); set++)
        TRY(weft__traits_read(&self->traits[set], reader, error));
done:
    return status;
}
