/* SPDX-License-Identifier: MIT
 *
 * Method     stochastic gradient descent with a rate for every weight: the given one
 *            over the root of the sum of its squared gradients, and of what that begins with.
 * Cost       O(1) a feature; 4 KiB a page of 256 weights.
 * Reference  Duchi, Hazan and Singer, Adaptive subgradient methods for online learning
 *            and stochastic optimization, JMLR 12 (2011). */
#include "rival/weights.h"

#include "rival/rival.h"

#include <math.h>

enum { PAGE_BITS = WEFT__PAGE_BITS, PAGE = WEFT__PAGE };

void weft__weight_step(weft__weight *weight, double d, double rate, double first_squares)
{
    weight->squares += d * d;
    /* A gradient whose square underflows moves nothing. */
    if (weight->squares > 0)
        weight->value += rate * d / sqrt(first_squares + weight->squares);
}

bool weft__weight_sound(const weft__weight *weight)
{
    /* A weight moves by at most its rate, 10^6, in each of 2^53 trials; a gradient is at
     * most the largest weight. */
    const double value_max = 1e22, squares_max = 1e60;
    return fabs(weight->value) <= value_max && weight->squares >= 0 && weight->squares <= squares_max;
}

void weft__weights_free(weft__weights *weights)
{
    for (int64_t k = 0; k < weights->page_count; k++)
        weft__delete(&weights->memory, weights->pages[k].weights);
    weft__delete(&weights->memory, weights->pages);
    *weights = (weft__weights){.memory = weights->memory, .first_squares = weights->first_squares};
}

static weft__weight *find(const weft__weights *weights, int64_t index)
{
    int64_t page = index >> PAGE_BITS;
    if (page >= weights->page_count || weights->pages[page].weights == NULL)
        return NULL;
    return weights->pages[page].weights + (index & (PAGE - 1));
}

double weft__weights_dot(const weft__weights *weights, const weft__feature *features, int64_t count)
{
    return weft__weights_dot_more(weights, features, count, 0);
}

double weft__weights_dot_more(const weft__weights *weights, const weft__feature *features, int64_t count,
                              double sum)
{
    for (int64_t k = 0; k < count; k++) {
        const weft__weight *weight = find(weights, features[k].index);
        if (weight != NULL)
            sum += weight->value * features[k].value;
    }
    return sum;
}

static weft_status reserve_index(weft__weights *weights, int64_t index, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t page = index >> PAGE_BITS;
    if (page >= weights->page_count) {
        int64_t pages = weft__grown(weights->page_count, page + 1);
        TRY(weft__resize(&weights->memory, &weights->pages, weights->page_count, pages,
                         sizeof *weights->pages, error));
        weights->page_count = pages;
    }
    if (weights->pages[page].weights == NULL)
        TRY(weft__new(&weights->memory, PAGE, sizeof(weft__weight), &weights->pages[page].weights, error));
done:
    return status;
}

weft_status weft__weights_reserve(weft__weights *weights, const weft__feature *features, int64_t count,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < count; k++)
        TRY(reserve_index(weights, features[k].index, error));
done:
    return status;
}

static void mark(weft__weights *weights, int64_t index)
{
    int64_t place = index & (PAGE - 1);
    weights->pages[index >> PAGE_BITS].learnt[place / 64] |= UINT64_C(1) << place % 64;
    weights->learnt_count++;
}

void weft__weights_learn(weft__weights *weights, const weft__feature *features, int64_t count, double g,
                         double rate)
{
    for (int64_t k = 0; k < count; k++) {
        weft__weight *weight = find(weights, features[k].index);
        bool fresh = weight->squares == 0;
        weft__weight_step(weight, g * features[k].value, rate, weights->first_squares);
        if (fresh && weight->squares > 0)
            mark(weights, features[k].index);
    }
}

weft_status weft__weights_put(weft__weights *weights, int64_t index, const weft__weight *weight,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(reserve_index(weights, index, error));
    weft__weight *place = find(weights, index);
    bool fresh = place->squares == 0;
    *place = *weight;
    if (fresh && weight->squares > 0)
        mark(weights, index);
done:
    return status;
}

/* ---- State ---- */

const weft__weight *weft__weights_next(const weft__weights *weights, int64_t *index)
{
    int64_t limit = weights->page_count * PAGE;
    while (*index < limit) {
        const weft__weight *weight = find(weights, *index);
        int64_t end = (*index | (PAGE - 1)) + 1;
        for (; weight != NULL && *index < end; ++*index, weight++)
            if (weight->squares > 0)
                return weight;
        *index = end;
    }
    return NULL;
}

enum { WEIGHT_BYTES = 24 };

/* The learnt ones of one word of a page, from weight number `first` on. */
static void write_word(const weft__page *page, int word, int64_t first, weft__encoder *writer)
{
    for (uint64_t left = page->learnt[word]; left != 0; left &= left - 1) {
        int64_t place = 64 * word + __builtin_ctzll(left);
        weft__put_integer(writer, first + place);
        weft__put_double(writer, page->weights[place].value);
        weft__put_double(writer, page->weights[place].squares);
    }
}

void weft__weights_put_one(const weft__weights *weights, int64_t index, weft__encoder *writer)
{
    const weft__weight *weight = find(weights, index);
    if (weight == NULL || weight->squares == 0)
        return;
    weft__put_integer(writer, index);
    weft__put_double(writer, weight->value);
    weft__put_double(writer, weight->squares);
}

/* Where a page is empty, looking at it counts for something too: there may be millions. */
bool weft__weights_put_some(const weft__weights *weights, int64_t *index, size_t bytes, weft__encoder *writer)
{
    enum { LOOK = 8 };
    int64_t page = *index >> PAGE_BITS;
    size_t looked = 0, before = writer->size;
    for (; page < weights->page_count && writer->size - before + looked < bytes; page++, looked += LOOK)
        for (int word = 0; word < PAGE / 64; word++)
            write_word(&weights->pages[page], word, page * PAGE, writer);
    *index = page << PAGE_BITS;
    return page < weights->page_count;
}

weft_status weft__weights_take(weft__weights *weights, weft__decoder *reader, weft_error *error)
{
    weft_status status = WEFT_OK;
    while (reader->left > 0) {
        int64_t index = weft__get_integer(reader);
        weft__weight weight = {.value = weft__get_double(reader)};
        weight.squares = weft__get_double(reader);
        TRY(weft__weights_put(weights, index, &weight, error));
    }
done:
    return status;
}

void weft__weights_write(const weft__weights *weights, weft__encoder *writer)
{
    weft__put_integer(writer, weights->learnt_count);
    if (writer->at == NULL) {
        writer->size += (size_t)weights->learnt_count * WEIGHT_BYTES;
        return;
    }
    for (int64_t k = 0; k < weights->page_count; k++)
        for (int word = 0; word < PAGE / 64; word++)
            write_word(&weights->pages[k], word, k * PAGE, writer);
}

weft_status weft__weights_read(weft__weights *weights, int64_t limit, weft__decoder *reader,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t last = -1, count = weft__get_count(reader, limit, WEIGHT_BYTES);
    for (int64_t k = 0; k < count; k++) {
        int64_t index = weft__get_integer(reader);
        weft__weight weight = {.value = weft__get_double(reader)};
        weight.squares = weft__get_double(reader);
        if (index <= last || index >= limit || !weft__weight_sound(&weight) || weight.squares == 0)
            return weft__rival_damaged(error, "a weight is out of its range or its order");
        TRY(weft__weights_put(weights, index, &weight, error));
        last = index;
    }
done:
    return status;
}
