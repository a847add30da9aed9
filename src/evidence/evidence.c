/* SPDX-License-Identifier: MIT
 *
 * The store: a list of cells in order of first update, an index over it, the
 * degrees, and a dense block while the pairs fill enough of their rectangle
 * (products.c multiplies by either).  The two add in different orders, so which
 * one is in use belongs to a saved state. */
#include "evidence/evidence.h"

#include "base/vector.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* A listed pair costs about as much as 20 cells of the block; the block is
     * made below 16 cells a pair and dropped above 32, so that a count near one
     * limit does not make and drop it again and again.  Both are halved for a block
     * beyond the cache, whose cells cost three times as much. */
    CELLS_TO_ENTER = 16,
    CELLS_TO_STAY = 32,
    SMALL_BLOCK = 4096,
    CACHED_BLOCK = 1 << 20,
    LARGEST_BLOCK = 1 << 24
};

void weft__evidence_create(weft__evidence *evidence, bool one_set, const weft_memory *memory)
{
    *evidence = (weft__evidence){.one_set = one_set, .memory = weft__memory_or_default(memory)};
}

void weft__evidence_free(weft__evidence *evidence)
{
    void *owned[] = {evidence->cells,     evidence->table,     evidence->degree[0], evidence->degree[1],
                     evidence->square[0], evidence->square[1], evidence->block,     evidence->x_single,
                     evidence->y_single,  evidence->y_double,  evidence->partial};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&evidence->memory, owned[k]);
    weft__arrangement_free(&evidence->arrangement, &evidence->memory);
    weft__evidence_create(evidence, evidence->one_set, &evidence->memory);
}

/* The mixing step of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static const uint32_t EMPTY = UINT32_MAX;

/* Where (a,b) is in the table, or the empty place where it belongs. */
static int64_t locate(const weft__evidence *evidence, int64_t a, int64_t b)
{
    uint64_t mask = (uint64_t)evidence->table_size - 1;
    uint64_t at = mixed((uint64_t)a * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)b) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t k = evidence->table[at];
        if (k == EMPTY || (evidence->cells[k].a == a && evidence->cells[k].b == b))
            return (int64_t)at;
    }
}

static void index_cells(weft__evidence *evidence)
{
    for (int64_t s = 0; s < evidence->table_size; s++)
        evidence->table[s] = EMPTY;
    for (int64_t k = 0; k < evidence->count; k++)
        evidence->table[locate(evidence, evidence->cells[k].a, evidence->cells[k].b)] = (uint32_t)k;
}

/* Doubles while that is little, then by a quarter: the slack of ten million pairs is memory too. */
static int64_t next_capacity(int64_t capacity, int64_t needed)
{
    enum { LITTLE = 1 << 16 };
    int64_t next = capacity < LITTLE ? weft__grown(capacity, needed) : capacity + capacity / 4;
    return weft__padded(next < needed ? needed : next);
}

static weft_status reserve_cells(weft__evidence *evidence, int64_t needed, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (needed <= evidence->capacity)
        return WEFT_OK;
    if (needed >= EMPTY)
        return weft__fail(error, WEFT_MEMORY, "%lld pairs with evidence do not fit, expected below 2^32 - 1",
                          (long long)needed);
    int64_t capacity = next_capacity(evidence->capacity, needed), size = 32;
    while (size < 2 * capacity)
        size *= 2;
    TRY(weft__resize(&evidence->memory, &evidence->cells, evidence->count, capacity, sizeof *evidence->cells,
                     error));
    TRY(weft__arrangement_reserve(&evidence->arrangement, &evidence->memory, capacity, error));
    if (size > evidence->table_size)
        TRY(weft__resize(&evidence->memory, &evidence->table, 0, size, sizeof *evidence->table, error));
    evidence->capacity = capacity;
    if (size == evidence->table_size)
        return WEFT_OK;
    evidence->table_size = size;
    index_cells(evidence);
done:
    return status;
}

static weft_status reserve_places(weft__evidence *evidence, int side, int64_t needed, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t old = evidence->place_capacity[side];
    if (needed > INT32_MAX)
        return weft__fail(error, WEFT_MEMORY, "%lld ids with evidence do not fit, expected below 2^31",
                          (long long)needed);
    if (needed > old) {
        int64_t capacity = weft__grown(old, needed);
        TRY(weft__resize(&evidence->memory, &evidence->degree[side], old, capacity, sizeof(double), error));
        TRY(weft__resize(&evidence->memory, &evidence->square[side], old, capacity, sizeof(double), error));
        evidence->place_capacity[side] = capacity;
    }
done:
    return status;
}

static weft_status reserve_work(weft__evidence *evidence, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &evidence->memory;
    int64_t needed = evidence->place_capacity[0] > evidence->place_capacity[1] ? evidence->place_capacity[0]
                                                                               : evidence->place_capacity[1];
    if (needed <= evidence->work_count)
        return WEFT_OK;
    /* Two vectors each: one for the rows, one for the columns. */
    TRY(weft__resize(memory, &evidence->x_single, 0, 2 * needed, sizeof(float), error));
    TRY(weft__resize(memory, &evidence->y_single, 0, 2 * needed, sizeof(float), error));
    TRY(weft__resize(memory, &evidence->y_double, 0, 2 * needed, sizeof(double), error));
    evidence->work_count = needed;
done:
    return status;
}

/* Rows for the parts of a product by many pairs, but the first. */
static weft_status reserve_partial(weft__evidence *evidence, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t rows = evidence->place_capacity[0];
    if (evidence->capacity < WEFT__MANY_PAIRS || rows <= evidence->partial_count)
        return WEFT_OK;
    TRY(weft__resize(&evidence->memory, &evidence->partial, 0, (WEFT__PARTS - 1) * rows, sizeof(double),
                     error));
    evidence->partial_count = rows;
done:
    return status;
}

/* Cells of a block over the places in use, or more than any where that overflows. */
static int64_t cells_of_block(const weft__evidence *evidence)
{
    int64_t cells = 0, columns = evidence->places[evidence->one_set ? 0 : 1];
    bool wrapped = __builtin_mul_overflow(weft__padded(evidence->places[0]), weft__padded(columns), &cells);
    return wrapped ? INT64_MAX : cells;
}

static bool may_be_dense(const weft__evidence *evidence, int64_t largest)
{
    return largest < WEFT__EXACT_COUNT && cells_of_block(evidence) <= LARGEST_BLOCK;
}

/* Are `pairs` pairs over the places in use worth a block? */
static bool worth_a_block(const weft__evidence *evidence, int64_t pairs)
{
    int64_t cells = cells_of_block(evidence);
    int64_t cells_per_pair =
        (evidence->dense ? CELLS_TO_STAY : CELLS_TO_ENTER) / (cells > CACHED_BLOCK ? 2 : 1);
    return may_be_dense(evidence, evidence->largest) &&
           (cells <= SMALL_BLOCK || pairs >= cells / cells_per_pair);
}

/* A block for the places reserved now, filled from the cells. */
static weft_status build_block(weft__evidence *evidence, weft_error *error)
{
    weft_status status = WEFT_OK;
    float *block = NULL;
    int64_t rows = evidence->place_capacity[0];
    int64_t stride = evidence->place_capacity[evidence->one_set ? 0 : 1], cells = 0;
    TRY(weft__checked_product(rows, stride, &cells, error));
    TRY(weft__new(&evidence->memory, cells, sizeof *block, &block, error));
    for (int64_t k = 0; k < evidence->count; k++)
        block[evidence->cells[k].a * stride + evidence->cells[k].b] = (float)evidence->cells[k].count;
    weft__delete(&evidence->memory, evidence->block);
    evidence->block = block;
    evidence->block_rows = rows;
    evidence->stride = stride;
done:
    return status;
}

static void drop_block(weft__evidence *evidence)
{
    weft__delete(&evidence->memory, evidence->block);
    evidence->block = NULL;
    evidence->block_rows = evidence->stride = 0;
}

static bool block_fits(const weft__evidence *evidence)
{
    int columns = evidence->one_set ? 0 : 1;
    return evidence->block != NULL && evidence->block_rows >= evidence->place_capacity[0] &&
           evidence->stride >= evidence->place_capacity[columns];
}

weft_status weft__evidence_reserve(weft__evidence *evidence, int64_t rows, int64_t columns, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(reserve_cells(evidence, evidence->count + 1, error));
    TRY(reserve_places(evidence, 0, rows, error));
    TRY(reserve_places(evidence, 1, evidence->one_set ? 0 : columns, error));
    TRY(reserve_work(evidence, error));
    TRY(reserve_partial(evidence, error));
    /* The block must be there before the pair can make it worth having. */
    if (!evidence->dense && !worth_a_block(evidence, evidence->count + 1))
        drop_block(evidence);
    else if (!block_fits(evidence))
        TRY(build_block(evidence, error));
done:
    return status;
}

weft_status weft__evidence_restore(weft__evidence *evidence, int64_t largest, bool dense, weft_error *error)
{
    if (dense && !may_be_dense(evidence, largest))
        return weft__fail(error, WEFT_MODEL, "the state is damaged: its evidence does not fit a block");
    if (dense && !block_fits(evidence)) {
        weft_status status = build_block(evidence, error);
        if (status != WEFT_OK)
            return status;
    }
    evidence->largest = largest;
    evidence->dense = dense;
    return WEFT_OK;
}

static void raise_places(weft__evidence *evidence, int side, int64_t a)
{
    if (a >= evidence->places[side])
        evidence->places[side] = a + 1;
}

static void change_degrees(weft__evidence *evidence, int side, int64_t a, int64_t change, double square)
{
    evidence->degree[side][a] += (double)change;
    evidence->square[side][a] += square;
}

/* The number of the pair in the list. */
static int64_t find_or_add(weft__evidence *evidence, int64_t a, int64_t b)
{
    int64_t at = locate(evidence, a, b);
    if (evidence->table[at] == EMPTY) {
        evidence->cells[evidence->count] = (weft__cell){(int32_t)a, (int32_t)b, 0};
        evidence->table[at] = (uint32_t)evidence->count++;
    }
    return evidence->table[at];
}

void weft__evidence_add(weft__evidence *evidence, int64_t a, int64_t b, int64_t count)
{
    int other = evidence->one_set ? 0 : 1;
    if (evidence->one_set && a == b)
        return;
    if (evidence->one_set && a > b) {
        int64_t c = a;
        a = b;
        b = c;
    }
    int64_t k = find_or_add(evidence, a, b);
    weft__cell *cell = &evidence->cells[k];
    /* (g + c)^2 - g^2 */
    double square = (double)count * (double)(2 * cell->count + count);
    cell->count += count;
    weft__arrangement_change(&evidence->arrangement, k, cell->count);
    if (llabs(cell->count) > evidence->largest)
        evidence->largest = llabs(cell->count);
    raise_places(evidence, 0, a);
    raise_places(evidence, other, b);
    change_degrees(evidence, 0, a, count, square);
    change_degrees(evidence, other, b, count, square);
    if (evidence->block != NULL)
        evidence->block[a * evidence->stride + b] = (float)cell->count;
    evidence->dense = worth_a_block(evidence, evidence->count);
}

int64_t weft__evidence_find(const weft__evidence *evidence, int64_t a, int64_t b)
{
    if (evidence->count == 0)
        return -1;
    bool turned = evidence->one_set && a > b;
    uint32_t k = evidence->table[turned ? locate(evidence, b, a) : locate(evidence, a, b)];
    return k == EMPTY ? -1 : (int64_t)k;
}

int64_t weft__evidence_at(const weft__evidence *evidence, int64_t a, int64_t b)
{
    int64_t k = weft__evidence_find(evidence, a, b);
    return k < 0 ? 0 : evidence->cells[k].count;
}
