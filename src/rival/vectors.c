/* SPDX-License-Identifier: MIT
 *
 * Method     x += rate d / sqrt(s), s += d^2 first, s from 1, d the gradient less shrink x: a rate for
 *            every number that falls as it is learnt.  Values are held within a limit that no sensible run
 *            reaches, so that no sum overflows. Element by element, and sums over four lanes that are
 *            folded in one order: the same bits from every compiler and width of vectors.
 * Cost       8 width bytes a line that was learnt; a root and a division a number and step.
 * Reference  Duchi, Hazan and Singer, Adaptive subgradient methods for online learning and stochastic
 *            optimization, JMLR 12 (2011). */
#include "rival/vectors.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

enum { LANES = 4, BLOCK = 16 };

static const float LIMIT = 64, SQUARES_FIRST = 1, SQUARES_MAX = 1e30F;

weft__vectors weft__vectors_of(int64_t numbers, uint64_t seed, weft__space space, const weft_memory *memory)
{
    int64_t width = (numbers + LANES - 1) / LANES * LANES;
    return (weft__vectors){.table = weft__table_of(2 * width * (int64_t)sizeof(float), memory),
                           .numbers = numbers,
                           .width = width,
                           .seed = seed,
                           .space = space};
}

void weft__vectors_free(weft__vectors *vectors)
{
    weft__table_free(&vectors->table);
}

/* ---- A line that nobody has learnt ---- */

static float first_value(const weft__vectors *vectors, uint64_t key, int64_t k)
{
    if (k == 0 || k >= vectors->numbers)
        return 0;
    double uniform = ((double)(weft__hash(key ^ (uint64_t)k) >> 11) + 0.5) * 0x1p-53;
    return (float)((2 * uniform - 1) / (double)vectors->numbers);
}

void weft__vectors_first(const weft__vectors *vectors, int64_t line, float *fresh)
{
    uint64_t key = weft__hash_key(vectors->seed, vectors->space, line);
    for (int64_t k = 0; k < vectors->width; k++)
        fresh[k] = first_value(vectors, key, k);
}

weft_status weft__vectors_make_room(weft__vectors *vectors, int64_t line, weft_error *error)
{
    return weft__table_reserve(&vectors->table, line, error);
}

weft_status weft__vectors_reserve(weft__vectors *vectors, int64_t line, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (weft__table_line(&vectors->table, line) != NULL)
        return WEFT_OK;
    /* What was asked for before is used from now on. */
    vectors->table.wanted = 0;
    TRY(weft__table_reserve(&vectors->table, line, error));
    float *at = weft__table_add(&vectors->table, line);
    weft__vectors_first(vectors, line, at);
    for (int64_t k = 0; k < vectors->width; k++)
        at[vectors->width + k] = SQUARES_FIRST;
done:
    return status;
}

/* ---- The inner loops ---- */

/* BLOCK numbers at a time, so that their sums stay in registers, then what is left of the width. */
CLONED static void sum_parts(const weft__part *restrict parts, int64_t count, int64_t width,
                             float *restrict sum)
{
    int64_t from = 0;
    for (; from + BLOCK <= width; from += BLOCK) {
        float s[BLOCK] = {0};
        for (int64_t p = 0; p < count; p++) {
            const float *restrict x = parts[p].values + from;
            float a = parts[p].weight;
            for (int l = 0; l < BLOCK; l++)
                s[l] += a * x[l];
        }
        memcpy(sum + from, s, sizeof s);
    }
    for (int64_t k = from; k < width; k++)
        sum[k] = 0;
    for (int64_t p = 0; p < count; p++)
        for (int64_t k = from; k < width; k++)
            sum[k] += parts[p].weight * parts[p].values[k];
}

INLINED void step_one(float d, weft__pace pace, float *value, float *squares)
{
    float s = *squares + d * d;
    float x = *value + pace.rate * d / sqrtf(s);
    x = x < LIMIT ? x : LIMIT;
    *value = x > -LIMIT ? x : -LIMIT;
    *squares = s < SQUARES_MAX ? s : SQUARES_MAX;
}

CLONED static void step_parts(const weft__part *restrict parts, int64_t count, int64_t width,
                              const float *restrict gradient, weft__pace pace)
{
    for (int64_t p = 0; p < count; p++) {
        float *restrict value = parts[p].values, *restrict squares = value + width;
        float a = parts[p].weight;
        int64_t from = 0;
        for (; from + BLOCK <= width; from += BLOCK)
            for (int l = 0; l < BLOCK; l++)
                step_one(a * (gradient[from + l] - pace.shrink * value[from + l]), pace, &value[from + l],
                         &squares[from + l]);
        for (int64_t k = from; k < width; k++)
            step_one(a * (gradient[k] - pace.shrink * value[k]), pace, &value[k], &squares[k]);
    }
}

void weft__parts_sum(const weft__part *parts, int64_t count, int64_t width, float *sum)
{
    sum_parts(parts, count, width, sum);
}

void weft__parts_step(const weft__part *parts, int64_t count, int64_t width, const float *gradient,
                      weft__pace pace)
{
    step_parts(parts, count, width, gradient, pace);
}

float weft__vectors_dot(int64_t width, const float *x, const float *y)
{
    float s[LANES] = {0};
    for (int64_t k = 0; k < width; k += LANES)
        for (int l = 0; l < LANES; l++)
            s[l] += x[k + l] * y[k + l];
    return (s[0] + s[2]) + (s[1] + s[3]);
}

/* ---- State ---- */

static int64_t packed(float value, float squares)
{
    uint32_t bits[2];
    memcpy(&bits[0], &value, sizeof value);
    memcpy(&bits[1], &squares, sizeof squares);
    return (int64_t)((uint64_t)bits[1] << 32 | bits[0]);
}

static bool unpack(int64_t field, float *value, float *squares)
{
    uint32_t bits[2] = {(uint32_t)((uint64_t)field & UINT32_MAX), (uint32_t)((uint64_t)field >> 32)};
    memcpy(value, &bits[0], sizeof *value);
    memcpy(squares, &bits[1], sizeof *squares);
    return fabsf(*value) <= LIMIT && *squares >= SQUARES_FIRST && *squares <= SQUARES_MAX;
}

void weft__vectors_write_line(const weft__vectors *vectors, int64_t line, weft__encoder *writer)
{
    const float *at = weft__table_line(&vectors->table, line);
    for (int64_t k = 0; k < vectors->numbers; k++)
        weft__put_integer(writer, packed(at[k], at[vectors->width + k]));
}

bool weft__vectors_read_line(weft__vectors *vectors, int64_t line, weft__decoder *reader)
{
    float *at = weft__table_line(&vectors->table, line);
    bool sound = true;
    for (int64_t k = 0; k < vectors->numbers; k++)
        sound = unpack(weft__get_integer(reader), &at[k], &at[vectors->width + k]) && sound;
    return sound && !reader->failed;
}

void weft__vectors_write(const weft__vectors *vectors, weft__encoder *writer)
{
    const weft__slots *slots = &vectors->table.slots;
    weft__put_integer(writer, slots->count);
    for (int64_t line = weft__slots_next(slots, 0); line >= 0; line = weft__slots_next(slots, line + 1)) {
        weft__put_integer(writer, line);
        weft__vectors_write_line(vectors, line, writer);
    }
}

bool weft__vectors_read(weft__vectors *vectors, int64_t most, weft__decoder *reader, weft_status *status,
                        weft_error *error)
{
    int64_t last = -1, limit = most < WEFT__SLOTS_IDS ? most : WEFT__SLOTS_IDS;
    int64_t lines = weft__get_count(reader, limit, (size_t)(1 + vectors->numbers) * sizeof(int64_t));
    bool sound = !reader->failed;
    *status = WEFT_OK;
    for (int64_t k = 0; sound && k < lines; k++) {
        int64_t line = weft__get_integer(reader);
        sound = line > last && line < limit;
        if (sound)
            *status = weft__vectors_reserve(vectors, line, error);
        if (*status != WEFT_OK)
            return true;
        sound = sound && weft__vectors_read_line(vectors, line, reader);
        last = line;
    }
    return sound && !reader->failed;
}
