/* SPDX-License-Identifier: MIT */
#include "lab/problem/problem.h"

#include "program/new.h"

#include <stdlib.h>
#include <string.h>

/* ---- Classes ---- */

static bool every_class_occurs(int64_t count, int64_t k, const int64_t *class_of)
{
    bool *occurs = new_array(k, sizeof *occurs), every = true;
    for (int64_t i = 0; i < count; i++)
        occurs[class_of[i]] = true;
    for (int64_t c = 0; c < k; c++)
        every = every && occurs[c];
    free(occurs);
    return every;
}

static void draw_any(int64_t first, int64_t count, int64_t k, int64_t *class_of, lab_random *random)
{
    for (int64_t i = first; i < count; i++)
        class_of[i] = lab_below(random, k);
}

static void deal_equally(int64_t count, int64_t k, int64_t *class_of, lab_random *random)
{
    int64_t *order = lab_permutation(random, count);
    for (int64_t i = 0; i < count; i++)
        class_of[order[i]] = i % k;
    free(order);
}

int64_t *lab_classes(int64_t count, int64_t k, lab_sizes sizes, lab_random *random)
{
    int64_t *class_of = new_array(count, sizeof *class_of), seeded = count < k ? count : k;
    switch (sizes) {
    case LAB_SEEDED:
        for (int64_t i = 0; i < seeded; i++)
            class_of[i] = i;
        draw_any(seeded, count, k, class_of, random);
        break;
    case LAB_RESAMPLED:
        do
            draw_any(0, count, k, class_of, random);
        while (count >= k && !every_class_occurs(count, k, class_of));
        break;
    case LAB_ANY:
        draw_any(0, count, k, class_of, random);
        break;
    case LAB_EQUAL:
        deal_equally(count, k, class_of, random);
        break;
    }
    return class_of;
}

/* ---- Matrices ---- */

lab_blocks lab_blocks_draw(int64_t rows, int64_t columns, int64_t k, int64_t l, lab_sizes sizes,
                           lab_random *random)
{
    lab_blocks blocks = {.rows = rows, .columns = columns, .k = k, .l = l};
    blocks.row_class = lab_classes(rows, k, sizes, random);
    blocks.column_class = lab_classes(columns, l, sizes, random);
    blocks.block = new_array(k * l, 1);
    for (int64_t b = 0; b < k * l; b++)
        blocks.block[b] = (signed char)lab_sign(random);
    return blocks;
}

static int64_t *copy_classes(int64_t count, const int64_t *class_of)
{
    int64_t *copy = new_array(count, sizeof *copy);
    memcpy(copy, class_of, (size_t)count * sizeof *copy);
    return copy;
}

lab_blocks lab_blocks_community(int64_t count, int64_t k, const int64_t *class_of)
{
    lab_blocks blocks = {.rows = count, .columns = count, .k = k, .l = k};
    blocks.row_class = copy_classes(count, class_of);
    blocks.column_class = copy_classes(count, class_of);
    blocks.block = new_array(k * k, 1);
    for (int64_t r = 0; r < k; r++)
        for (int64_t c = 0; c < k; c++)
            blocks.block[r * k + c] = r == c ? 1 : -1;
    return blocks;
}

void lab_blocks_free(lab_blocks *blocks)
{
    free(blocks->row_class);
    free(blocks->column_class);
    free(blocks->block);
    *blocks = (lab_blocks){0};
}

int lab_blocks_entry(const lab_blocks *blocks, int64_t row, int64_t column)
{
    return blocks->block[blocks->row_class[row] * blocks->l + blocks->column_class[column]];
}

/* ---- Streams ---- */

static void put(lab_stream *stream, int64_t t, lab_trial trial, double noise, lab_random *random)
{
    bool turned = lab_event(random, noise);
    if (turned)
        trial.label = -trial.label;
    stream->turned += turned;
    stream->trials[t] = trial;
}

lab_stream lab_stream_all(const lab_blocks *blocks, double noise, lab_random *random)
{
    lab_stream stream = {.count = blocks->rows * blocks->columns};
    int64_t *order = lab_permutation(random, stream.count);
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    for (int64_t t = 0; t < stream.count; t++) {
        int64_t i = order[t] / blocks->columns, j = order[t] % blocks->columns;
        put(&stream, t, (lab_trial){i, j, lab_blocks_entry(blocks, i, j)}, noise, random);
    }
    free(order);
    return stream;
}

lab_stream lab_stream_drawn(const lab_blocks *blocks, int64_t count, double noise, bool distinct,
                            lab_random *random)
{
    lab_stream stream = {.count = count, .trials = new_array(count, sizeof *stream.trials)};
    for (int64_t t = 0; t < count; t++) {
        int64_t i, j;
        do {
            i = lab_below(random, blocks->rows);
            j = lab_below(random, blocks->columns);
        } while (distinct && i == j);
        put(&stream, t, (lab_trial){i, j, lab_blocks_entry(blocks, i, j)}, noise, random);
    }
    return stream;
}

void lab_stream_free(lab_stream *stream)
{
    free(stream->trials);
    *stream = (lab_stream){0};
}
