/* SPDX-License-Identifier: MIT
 *
 * The state of a learner in pieces (player/pieces.h).
 *
 * Method  An entry is a cell of the evidence with its number, by which they are in order; a label changes at
 *         most the cell of its pair.  The rest is what the state has before its cells.  The compact engine
 *         changes its matrix as a whole with every update, which takes as long as to copy it: there the rest
 *         is all of the state. */
#include "learner/learner.h"

#include <string.h>

static void put_entry(const weft__learner *learner, int64_t k, weft__encoder *writer)
{
    weft__put_integer(writer, k);
    weft__learner_put_cell(learner, k, writer);
}

bool weft__learner_put_entries(const weft_player *player, int64_t at[2], size_t bytes, weft__encoder *writer)
{
    const weft__learner *learner = weft__learner_in(player);
    int64_t count = weft__learner_evidence_count(learner);
    for (size_t end = writer->size + bytes; at[0] < count && writer->size < end; at[0]++)
        put_entry(learner, at[0], writer);
    return at[0] < count;
}

void weft__learner_put_changed(const weft_player *player, const int64_t pair[2], weft__encoder *writer)
{
    const weft__space *space = weft__learner_in(player)->space;
    if (space == NULL)
        return;
    int64_t a = weft__working_set_slot(&space->view[0], pair[0]);
    int64_t b = weft__working_set_slot(&space->view[space->one_set ? 0 : 1], pair[1]);
    int64_t k = a >= 0 && b >= 0 ? weft__evidence_find(&space->evidence, a, b) : -1;
    if (k >= 0)
        put_entry(weft__learner_in(player), k, writer);
}

void weft__learner_put_rest(const weft_player *player, weft__encoder *writer)
{
    weft__learner_put_head(weft__learner_in(player), writer);
}

/* Cells at their places. */
static void place_cells(weft__decoder entries, unsigned char *cells)
{
    while (entries.left > 0) {
        int64_t k = weft__get_integer(&entries);
        memcpy(cells + k * WEFT__CELL_BYTES, weft__get_bytes(&entries, WEFT__CELL_BYTES), WEFT__CELL_BYTES);
    }
}

/* One more than the largest number of a cell. */
static int64_t count_cells(const weft__decoder *entries, int64_t count)
{
    int64_t cells = 0;
    for (int64_t i = 0; i < count; i++)
        for (weft__decoder r = entries[i]; r.left > 0; weft__get_bytes(&r, WEFT__CELL_BYTES)) {
            int64_t k = weft__get_integer(&r);
            cells = k >= cells ? k + 1 : cells;
        }
    return cells;
}

/* The state as it would have been written in one go. */
weft_status weft__learner_join(const weft_side *const sides[2], const weft__decoder *entries, int64_t count,
                               weft__decoder rest, const weft_memory *memory, weft_player **player,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *made = NULL;
    unsigned char *bytes = NULL;
    size_t size = rest.left + (size_t)count_cells(entries, count) * WEFT__CELL_BYTES;
    TRY(weft__new(memory, (int64_t)size, 1, &bytes, error));
    memcpy(bytes, rest.at, rest.left);
    for (int64_t i = 0; i < count; i++)
        place_cells(entries[i], bytes + rest.left);
    TRY(weft__learner_restore(sides[0], sides[1], bytes, size, (weft__making){memory, NULL}, &made, error));
    *player = &made->player;
done:
    weft__delete(memory, bytes);
    return status;
}
