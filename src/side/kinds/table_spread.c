/* SPDX-License-Identifier: MIT
 * How far ids are apart by what a table says of them. */
#include "base/hash.h"
#include "side/kinds/table.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

weft_status weft__facts_table_spread(const weft__facts_table *table, const weft_memory *memory,
                                     double *spread, weft_error *error)
{
    enum { PAIRS = 4096 };
    double *distance = NULL;
    int64_t found = 0;
    weft_status status = WEFT_OK;
    *spread = 0;
    if (table->count < 2)
        return WEFT_OK;
    TRY(weft__new(memory, PAIRS, sizeof *distance, &distance, error));
    for (uint64_t k = 0; k < PAIRS; k++) {
        int64_t i = (int64_t)(weft__hash(2 * k) % (uint64_t)table->count);
        int64_t j = (int64_t)(weft__hash(2 * k + 1) % (uint64_t)table->count);
        if (i != j)
            distance[found++] = weft__facts_table_distance(table, i, j);
    }
    if (found > 0) {
        qsort(distance, (size_t)found, sizeof *distance, compare_numbers);
        *spread = sqrt(distance[found / 2]);
    }
done:
    weft__delete(memory, distance);
    return status;
}
