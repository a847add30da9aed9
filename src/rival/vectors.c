/* SPDX-License-Identifier: MIT
 *
 * Method     x += rate d / sqrt(s), s += d^2 first, s from 1, d the gradient less shrink x: a rate for
 *            every number that falls as it is learnt.  Values are held within a limit that no sensible run
 *            reaches, so that no sum overflows. Element by element, and sums over four lanes that are
 *            folded in one order: the same bits from every compiler and width of vectors.
 * Cost       8 width bytes a line; a root and a division a number and step.
 * Reference  Duchi, Hazan and Singer, Adaptive subgradient methods for online learning and stochastic
 *            optimization, JMLR 12 (2011). */
#include "rival/vectors.h"

#include "base/clones.h"
#include "rival/rival.h"

#include <math.h>
#include <string.h>

enum { LANES = 4 };

static const float LIMIT = 64, SQUARES_FIRST = 1, SQUARES_MAX = 1e30F;

void weft__vectors_free(weft__vectors *vectors)
{
    weft__delete(&vectors->memory, vectors->at);
}

static int64_t stride_of(const weft__vectors *vectors)
{
    return 2 * vectors->width;
}

/* ---- A line that nobody has learnt ---- */

static float first_value(const weft__vectors *vectors, uint64_t key, int64_t k)
{
    if (k == 0 || k >= vectors->numbers)
        return 0;
    double uniform = ((double)(weft__hash(key ^ (uint64_t)k) >> 11) + 0.5) * 0x1p-53;
    return (float)((2 * uniform - 1) / (double)vectors->numbers);
}

static void fill_first(const weft__vectors *vectors, int64_t line, float *at)
{
    uint64_t key = weft__hash_key(vectors->seed, vectors->space, line);
    for (int64_t k = 0; k < vectors->width; k++) {
        at[k] = first_value(vectors, key, k);
        at[vectors->width + k] = SQUARES_FIRST;
    }
}

weft_status weft__vectors_make_room(weft__vectors *vectors, int64_t line, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t lines = line + 1;
    int64_t capacity = weft__grown(vectors->capacity, lines), size = 0, stride = stride_of(vectors);
    if (lines <= vectors->capacity)
        return WEFT_OK;
    TRY(weft__checked_product(capacity, stride, &size, error));
    TRY(weft__extend(&vectors->memory, &vectors->at, vectors->known * stride, size, sizeof *vectors->at,
                     error));
    vectors->capacity = capacity;
done:
    return status;
}

weft_status weft__vectors_reserve(weft__vectors *vectors, int64_t line, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__vectors_make_room(vectors, line, error));
    for (; vectors->known <= line; vectors->known++)
        fill_first(vectors, vectors->known, vectors->at + vectors->known * stride_of(vectors));
done:
    return status;
}

const float *weft__vectors_values(const weft__vectors *vectors, int64_t line, float *fresh)
{
    if (line < vectors->known)
        return vectors->at + line * stride_of(vectors);
    uint64_t key = weft__hash_key(vectors->seed, vectors->space, line);
    for (int64_t k = 0; k < vectors->width; k++)
        fresh[k] = first_value(vectors, key, k);
    return fresh;
}

/* ---- The inner loops ---- */

CLONED static void sum_parts(const weft__part *restrict parts, int64_t count, int64_t width,
                             float *restrict sum)
{
    for (int64_t k = 0; k < width; k++)
        sum[k] = parts[0].weight * parts[0].values[k];
    for (int64_t p = 1; p < count; p++) {
        const float *restrict x = parts[p].values;
        float a = parts[p].weight;
        for (int64_t k = 0; k < width; k++)
            sum[k] += a * x[k];
    }
}

CLONED static void step_parts(const weft__part *restrict parts, int64_t count, int64_t width,
                              const float *restrict gradient, weft__pace pace)
{
    for (int64_t p = 0; p < count; p++) {
        float *restrict value = parts[p].values, *restrict squares = value + width;
        float a = parts[p].weight;
        for (int64_t k = 0; k < width; k++) {
            float d = a * (gradient[k] - pace.shrink * value[k]);
            float s = squares[k] + d * d;
            float x = value[k] + pace.rate * d / sqrtf(s);
            x = x < LIMIT ? x : LIMIT;
            value[k] = x > -LIMIT ? x : -LIMIT;
            squares[k] = s < SQUARES_MAX ? s : SQUARES_MAX;
        }
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

bool weft__vectors_learnt(const weft__vectors *vectors, int64_t line)
{
    const float *squares = vectors->at + line * stride_of(vectors) + vectors->width;
    for (int64_t k = 0; k < vectors->numbers; k++)
        if (squares[k] > SQUARES_FIRST)
            return true;
    return false;
}

void weft__vectors_copy(const weft__vectors *from, int64_t line, weft__vectors *to, int64_t place)
{
    int64_t stride = stride_of(from);
    memcpy(to->at + place * stride, from->at + line * stride, (size_t)stride * sizeof *from->at);
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
    const float *at = vectors->at + line * stride_of(vectors);
    for (int64_t k = 0; k < vectors->numbers; k++)
        weft__put_integer(writer, packed(at[k], at[vectors->width + k]));
}

bool weft__vectors_read_line(weft__vectors *vectors, int64_t line, weft__decoder *reader)
{
    float *at = vectors->at + line * stride_of(vectors);
    bool sound = true;
    for (int64_t k = 0; k < vectors->numbers; k++)
        sound = unpack(weft__get_integer(reader), &at[k], &at[vectors->width + k]) && sound;
    return sound && !reader->failed;
}

void weft__vectors_write(const weft__vectors *vectors, weft__encoder *writer)
{
    weft__put_integer(writer, vectors->known);
    for (int64_t line = 0; line < vectors->known; line++)
        weft__vectors_write_line(vectors, line, writer);
}

bool weft__vectors_read(weft__vectors *vectors, int64_t most, weft__decoder *reader, weft_status *status,
                        weft_error *error)
{
    int64_t lines = weft__get_count(reader, most, (size_t)vectors->numbers * sizeof(int64_t));
    bool sound = !reader->failed;
    *status = sound && lines > 0 ? weft__vectors_reserve(vectors, lines - 1, error) : WEFT_OK;
    for (int64_t line = 0; sound && *status == WEFT_OK && line < lines; line++)
        sound = weft__vectors_read_line(vectors, line, reader);
    return sound && !reader->failed;
}
