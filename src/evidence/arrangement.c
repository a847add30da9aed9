/* SPDX-License-Identifier: MIT
 *
 * Method: a counting sort by block of columns and group of rows; a product goes through the buckets
 * in order.  A block is as narrow as lets every row have about one pair in it: wider ones leave
 * the cache, narrower ones go through the rows more often than there are pairs to show for it.
 * Cost: O(settled) to arrange; a product reads 8 bytes a pair and, once a block, the rows.
 * Reference: Nishtala, Vuduc, Demmel and Yelick, When cache blocking of sparse matrix vector
 * multiply works and why (2007). */
#include "evidence/arrangement.h"

#include <string.h>

enum {
    SHORTEST = 8192,       /* 128 KB of pairs: a list that fits the second-level cache by itself */
    LONGEST = 1 << 27,     /* so far the buckets are few enough, as below */
    PAIRS_A_BUCKET = 16,   /* on average, at least: buckets cost a quarter of a byte a pair */
    PAIRS_A_ROW = 2,       /* in a block, about */
    LEAST_BLOCK_BITS = 9,  /* 512 columns, 8 KB */
    LEAST_GROUP_BITS = 6,  /* 64 rows, 1 KB: pairs of one row rarely follow each other */
    STEPS_A_DOUBLING = 16, /* so that less than a sixteenth of the pairs is not settled */
    FAR_BLOCK_BITS = 15,   /* 512 KB of columns */
    AHEAD = 32
};

int64_t weft__arrangement_due(int64_t count)
{
    if (count < SHORTEST || count > LONGEST)
        return 0;
    int64_t step = SHORTEST / STEPS_A_DOUBLING;
    while (2 * STEPS_A_DOUBLING * step <= count)
        step *= 2;
    return count / step * step;
}

weft_status weft__arrangement_reserve(weft__arrangement *arrangement, const weft_memory *memory,
                                      int64_t capacity, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t settled = arrangement->settled;
    if (capacity <= arrangement->capacity ||
        weft__arrangement_due(capacity < LONGEST ? capacity : LONGEST) == 0)
        return WEFT_OK;
    int64_t old_buckets = settled > 0 ? arrangement->blocks * arrangement->groups : 0;
    TRY(weft__resize(memory, &arrangement->placed, settled, capacity + AHEAD, sizeof *arrangement->placed,
                     error));
    TRY(weft__resize(memory, &arrangement->place, settled, capacity, sizeof *arrangement->place, error));
    TRY(weft__resize(memory, &arrangement->end, old_buckets, capacity / PAIRS_A_BUCKET,
                     sizeof *arrangement->end, error));
    arrangement->capacity = capacity;
done:
    return status;
}

void weft__arrangement_free(weft__arrangement *arrangement, const weft_memory *memory)
{
    weft__delete(memory, arrangement->placed);
    weft__delete(memory, arrangement->place);
    weft__delete(memory, arrangement->end);
    *arrangement = (weft__arrangement){0};
}

static int64_t parts_of(int64_t count, int bits)
{
    return (count + ((int64_t)1 << bits) - 1) >> bits;
}

/* Blocks and groups for `count` cells.  There are at most count / 16 buckets: with blocks * rows <= count
 * that holds at once, as there are no more columns than cells; otherwise a block has 2^18 columns,
 * and with tiles of 2^14 rows it holds up to 2^27 cells. */
static void choose_shape(weft__arrangement *arrangement, const weft__cell *cells, int64_t count)
{
    int64_t rows = 1, columns = 1;
    for (int64_t k = 0; k < count; k++) {
        rows = cells[k].a >= rows ? cells[k].a + 1 : rows;
        columns = cells[k].b >= columns ? cells[k].b + 1 : columns;
    }
    int block = LEAST_BLOCK_BITS, group = LEAST_GROUP_BITS;
    while (block < WEFT__COLUMN_BITS && parts_of(columns, block) > count / rows / PAIRS_A_ROW)
        block++;
    int64_t blocks = parts_of(columns, block);
    while (group < WEFT__ROW_BITS && parts_of(rows, group) > count / PAIRS_A_BUCKET / blocks)
        group++;
    arrangement->block_bits = block;
    arrangement->group_bits = group;
    arrangement->blocks = blocks;
    arrangement->groups = parts_of(rows, group);
}

static int64_t bucket_of(const weft__arrangement *arrangement, const weft__cell *cell)
{
    return (cell->b >> arrangement->block_bits) * arrangement->groups + (cell->a >> arrangement->group_bits);
}

static uint32_t place_within(const weft__arrangement *arrangement, const weft__cell *cell)
{
    uint32_t row = (uint32_t)cell->a & ((1U << WEFT__ROW_BITS) - 1);
    uint32_t column = (uint32_t)cell->b & ((1U << arrangement->block_bits) - 1);
    return (row << WEFT__COLUMN_BITS) + column;
}

static int64_t start_of(const weft__arrangement *arrangement, int64_t bucket)
{
    return bucket == 0 ? 0 : arrangement->end[bucket - 1];
}

/* Parts of about as many pairs. */
static void cut_evenly(weft__arrangement *arrangement)
{
    int64_t block = 0;
    for (int part = 0; part < WEFT__PARTS; part++) {
        while (start_of(arrangement, block * arrangement->groups) < arrangement->settled / WEFT__PARTS * part)
            block++;
        arrangement->cut[part] = block;
    }
    arrangement->cut[WEFT__PARTS] = arrangement->blocks;
}

void weft__arrangement_settle(weft__arrangement *arrangement, const weft__cell *cells, int64_t count)
{
    choose_shape(arrangement, cells, count);
    int64_t buckets = arrangement->blocks * arrangement->groups;
    uint32_t *end = arrangement->end, sum = 0;
    memset(end, 0, (size_t)buckets * sizeof *end);
    for (int64_t k = 0; k < count; k++)
        end[bucket_of(arrangement, &cells[k])]++;
    for (int64_t t = 0; t < buckets; t++) {
        uint32_t size = end[t];
        end[t] = sum;
        sum += size;
    }
    /* Every bucket now starts at end[t], which moves to its end as it is filled. */
    for (int64_t k = 0; k < count; k++) {
        uint32_t place = end[bucket_of(arrangement, &cells[k])]++;
        arrangement->place[k] = place;
        arrangement->placed[place] =
            (weft__placed){place_within(arrangement, &cells[k]), (float)cells[k].count};
    }
    arrangement->settled = count;
    cut_evenly(arrangement);
}

static const uint32_t COLUMN_MASK = (1U << WEFT__COLUMN_BITS) - 1;

/* The pairs of one block and one tile; all three vectors start there. */
static void couple_near(const weft__placed *p, const weft__placed *end, const double *restrict x,
                        double *restrict y, double *restrict z)
{
    for (; p < end; p++) {
        uint32_t a = p->at >> WEFT__COLUMN_BITS, b = p->at & COLUMN_MASK;
        double count = (double)p->count;
        y[a] += count * z[2 * b];
        z[2 * b + 1] += count * x[a];
    }
}

/* The same for a block beyond the second-level cache: its columns are asked for ahead. */
static void couple_far(const weft__placed *p, const weft__placed *end, const double *restrict x,
                       double *restrict y, double *restrict z)
{
    for (; p < end; p++) {
        uint32_t a = p->at >> WEFT__COLUMN_BITS, b = p->at & COLUMN_MASK;
        double count = (double)p->count;
        __builtin_prefetch(&z[2 * (p[AHEAD].at & COLUMN_MASK)], 1);
        y[a] += count * z[2 * b];
        z[2 * b + 1] += count * x[a];
    }
}

/* One block, tile by tile. */
static void couple_block(const weft__arrangement *arrangement, int64_t block, const double *x, double *y,
                         double *z)
{
    int64_t groups_a_tile = (int64_t)1 << (WEFT__ROW_BITS - arrangement->group_bits);
    int64_t bucket = block * arrangement->groups;
    for (int64_t first = 0; first < arrangement->groups; first += groups_a_tile) {
        int64_t last = first + groups_a_tile, base = first << arrangement->group_bits;
        last = last < arrangement->groups ? last : arrangement->groups;
        (arrangement->block_bits >= FAR_BLOCK_BITS ? couple_far : couple_near)(
            arrangement->placed + start_of(arrangement, bucket + first),
            arrangement->placed + start_of(arrangement, bucket + last), x + base, y + base, z);
    }
}

void weft__arrangement_couple(const weft__arrangement *arrangement, const int64_t blocks[2], const double *x,
                              double *y, double *z)
{
    for (int64_t block = blocks[0]; block < blocks[1]; block++)
        couple_block(arrangement, block, x, y, z + 2 * (block << arrangement->block_bits));
}
