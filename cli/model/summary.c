/* SPDX-License-Identifier: MIT */
#include "cli/model/summary.h"

#include "program/new.h"

#include <stdlib.h>

/* Entries with the place that they had, for ties. */
typedef struct numbered_entry {
    weft_evidence_entry entry;
    int64_t place;
} numbered_entry;

static int by_weight(const void *left, const void *right)
{
    const numbered_entry *a = left, *b = right;
    int64_t heavy = llabs(a->entry.count), other = llabs(b->entry.count);
    if (heavy != other)
        return heavy > other ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static int by_id_weight(const void *left, const void *right)
{
    const id_weight *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void count_id(id_weight *ids, int64_t id, int64_t count)
{
    ids[id].pairs++;
    ids[id].weight += llabs(count);
}

/* Keeps the ids that carry evidence, heaviest first. */
static void rank_ids(id_weight *ids, int64_t count, int64_t most, int64_t *touched, int64_t *kept)
{
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++)
        if (ids[i].pairs > 0)
            ids[found++] = ids[i];
    qsort(ids, (size_t)found, sizeof *ids, by_id_weight);
    *touched = found;
    *kept = smaller(found, most);
}

static void weigh_ids(const weft_model *model, const weft_player *learner, int64_t most, summary *made)
{
    const weft_roster *rosters[2] = {model->rows, model->columns};
    bool one_set = model->columns == NULL;
    int64_t count[2] = {0, 0};
    for (int side = 0; side < 2 && rosters[side] != NULL; side++) {
        count[side] = weft_ids_count(weft_roster_ids(rosters[side]));
        made->ids[side] = new_array(count[side], sizeof(id_weight));
        for (int64_t i = 0; i < count[side]; i++)
            made->ids[side][i].id = i;
    }
    for (int64_t k = 0; k < made->pairs; k++) {
        weft_evidence_entry entry = weft_player_evidence(learner, k);
        if (entry.count == 0)
            continue;
        count_id(made->ids[0], entry.row, entry.count);
        if (!one_set || entry.row != entry.column)
            count_id(made->ids[one_set ? 0 : 1], entry.column, entry.count);
    }
    for (int side = 0; side < 2 && rosters[side] != NULL; side++)
        rank_ids(made->ids[side], count[side], most, &made->touched[side], &made->ids_count[side]);
}

/* The entries that are not 0, heaviest first; `entries` has room for all. */
static void sort_entries(const weft_player *learner, numbered_entry *entries, summary *made)
{
    for (int64_t k = 0; k < made->pairs; k++) {
        weft_evidence_entry entry = weft_player_evidence(learner, k);
        made->weight += llabs(entry.count);
        made->balance += entry.count;
        if (entry.count != 0)
            entries[made->nonzero++] = (numbered_entry){entry, k};
    }
    qsort(entries, (size_t)made->nonzero, sizeof *entries, by_weight);
}

static void rank_pairs(const weft_player *learner, int64_t most, summary *made)
{
    numbered_entry *entries = new_array(made->pairs, sizeof *entries);
    sort_entries(learner, entries, made);
    made->heaviest_count = smaller(made->nonzero, most);
    made->heaviest = new_array(made->heaviest_count, sizeof *made->heaviest);
    for (int64_t k = 0; k < made->heaviest_count; k++)
        made->heaviest[k] = entries[k].entry;
    free(entries);
}

summary summary_make(const weft_model *model, const weft_player *learner, int64_t most)
{
    summary made = {.pairs = weft_player_evidence_count(learner)};
    rank_pairs(learner, most, &made);
    weigh_ids(model, learner, most, &made);
    return made;
}

void summary_free(summary *made)
{
    free(made->heaviest);
    free(made->ids[0]);
    free(made->ids[1]);
    *made = (summary){0};
}
