/* SPDX-License-Identifier: MIT
 *
 * What files say of every id, as digests of 64 bits: two different lines agree in one of 2^64 pairs.
 *
 * Method     Classes: the name of the class.  Features: the coordinates that are not 0, so that a larger
 *            dimension of others changes nothing.  Tables: number, word or nothing of every cell.  Squares:
 *            the entries with the places up to its own, in both triangles. */
#include "base/hash.h"
#include "io/roster/growth/growth.h"

#include <math.h>
#include <string.h>

static uint64_t add_number(uint64_t z, double value)
{
    uint64_t bits = 0;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return weft__hash(z ^ bits);
}

static uint64_t add_word(uint64_t z, const char *word)
{
    return weft__hash(z ^ weft__digest_of(word, strlen(word)).half[0] ^ 1);
}

static uint64_t say_vector(const weft__contents *contents, int64_t i)
{
    uint64_t z = 0;
    for (int64_t d = 0; d < contents->dimension; d++) {
        double value = contents->values[i * contents->dimension + d];
        if (value != 0)
            z = add_number(weft__hash(z ^ (uint64_t)d), value);
    }
    return z;
}

static uint64_t say_square(const weft__contents *contents, int64_t i)
{
    const double *values = contents->values;
    int64_t n = contents->dimension;
    uint64_t z = 0;
    for (int64_t j = 0; j <= i; j++)
        z = add_number(add_number(z, values[i * n + j]), values[j * n + i]);
    return z;
}

static uint64_t say_row(const weft__columns *columns, int64_t i)
{
    uint64_t z = 0;
    for (int64_t k = 0; k < columns->count; k++) {
        const weft__column *column = &columns->list[k];
        if (column->numbers != NULL && !isnan(column->numbers[i]))
            z = add_number(z, column->numbers[i]);
        else if (column->words != NULL && column->words[i] >= 0)
            z = add_word(z, weft_ids_name(column->spellings, column->words[i]));
        else
            z = weft__hash(z ^ 2);
    }
    return z;
}

static uint64_t say(const weft_roster *roster, int64_t i)
{
    const weft__contents *contents = &roster->contents;
    switch (roster->spec.source) {
    case WEFT__CLASSES:
        return add_word(0, weft_ids_name(contents->class_names, contents->class_of[i]));
    case WEFT__FEATURES:
        return say_vector(contents, i);
    case WEFT__TABLE:
        return say_row(&contents->columns, i);
    case WEFT__KERNEL:
    case WEFT__MATRIX:
        return say_square(contents, i);
    case WEFT__NONE:
    case WEFT__SEVERAL:
    case WEFT__GRAPH:
        break;
    }
    return 0;
}

/* Multiplications, about, of what is said of one id. */
static double work_of(const weft_roster *roster)
{
    enum { A_VALUE = 8 };
    return A_VALUE * (1 + (double)roster->contents.dimension + (double)roster->contents.columns.count);
}

weft_status weft__growth_say(const weft_roster *roster, uint64_t **said, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = roster->facts.listed;
    weft__progress progress = weft__progress_of(&roster->input.limits.progress);
    double work = work_of(roster);
    if (roster->spec.source == WEFT__GRAPH || roster->spec.source == WEFT__SEVERAL)
        return WEFT_OK;
    TRY(weft__new(&roster->memory, count, sizeof **said, said, error));
    weft__progress_begin(&progress, "what files say of ids", work * (double)count);
    for (int64_t i = 0; i < count; i++) {
        (*said)[i] = say(roster, i);
        TRY(weft__progress_step(&progress, work, error));
    }
done:
    return status;
}
