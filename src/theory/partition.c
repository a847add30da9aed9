/* SPDX-License-Identifier: MIT
 *
 * Method     Classes are any numbers >= 0: sort them, number them from 0.
 * Algorithm  One sort of the distinct values, one binary search for each id.
 * Cost       O(count log count).
 */
#include "theory/partition.h"
#include "weft_theory.h"

#include <stdlib.h>

static int compare_numbers(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Sorts `values` and drops repetitions; returns how many are left. */
static int64_t distinct(int64_t *values, int64_t count)
{
    int64_t kept = 0;
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    for (int64_t k = 0; k < count; k++)
        if (kept == 0 || values[kept - 1] != values[k])
            values[kept++] = values[k];
    return kept;
}

/* The ids with a class, and their classes as given; returns how many. */
static int64_t collect(int64_t count, const int64_t *class_of, weft__partition *partition)
{
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        if (class_of[i] < 0)
            continue;
        partition->ids[used] = i;
        partition->class_of[used] = class_of[i];
        partition->sizes[used++] = class_of[i];
    }
    return used;
}

/* Replaces each class by its place among the sorted distinct `values`. */
static void renumber(weft__partition *partition, const int64_t *values)
{
    for (int64_t k = 0; k < partition->count; k++) {
        const int64_t *found = bsearch(&partition->class_of[k], values, (size_t)partition->classes,
                                       sizeof *values, compare_numbers);
        partition->class_of[k] = found - values;
    }
}

static void count_sizes(weft__partition *partition)
{
    for (int64_t r = 0; r < partition->classes; r++)
        partition->sizes[r] = 0;
    for (int64_t k = 0; k < partition->count; k++)
        partition->sizes[partition->class_of[k]]++;
}

weft_status weft__partition_build(int64_t count, const int64_t *class_of, const weft_memory *memory,
                                  weft__partition *partition, weft_error *error)
{
    weft__partition built = {.memory = weft__memory_or_default(memory)};
    weft_status status = WEFT_OK;

    TRY(weft__new(&built.memory, count, sizeof(int64_t), &built.ids, error));
    TRY(weft__new(&built.memory, count, sizeof(int64_t), &built.class_of, error));
    TRY(weft__new(&built.memory, count, sizeof(int64_t), &built.sizes, error));
    built.count = collect(count, class_of, &built);
    if (built.count == 0)
        TRY(weft__fail(error, WEFT_ARGUMENT, "no id has a class: all %lld are negative", (long long)count));
    built.classes = distinct(built.sizes, built.count);
    renumber(&built, built.sizes);
    count_sizes(&built);
    *partition = built;
    return WEFT_OK;
done:
    weft__partition_clear(&built);
    return status;
}

void weft__partition_clear(weft__partition *partition)
{
    weft__delete(&partition->memory, partition->ids);
    weft__delete(&partition->memory, partition->class_of);
    weft__delete(&partition->memory, partition->sizes);
    *partition = (weft__partition){0};
}
