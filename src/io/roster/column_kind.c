/* SPDX-License-Identifier: MIT
 * Whether a column is one of numbers, and what may be wrong with it where it is not. */
#include "io/roster/columns.h"

#include "io/text/hints.h"

/* At least so many numbers for every word: then words are taken for empty cells. */
enum { NUMBERS_A_WORD = 9 };

/* Of the cells with words, how many have one for which `is_so`; mostly no word is. */
static int64_t count_words(const weft__columns *columns, const weft__column *column,
                           bool (*is_so)(const char *word))
{
    int64_t count = 0;
    bool any = false;
    for (int64_t k = 0; column->words != NULL && k < weft_ids_count(column->spellings) && !any; k++)
        any = is_so(weft_ids_name(column->spellings, k));
    for (int64_t i = 0; i < columns->rows && any; i++)
        count += column->words[i] >= 0 && is_so(weft_ids_name(column->spellings, column->words[i]));
    return count;
}

bool weft__column_is_of_numbers(const weft__columns *columns, const weft__column *column)
{
    const weft_column *facts = &column->facts;
    if (facts->numbers >= NUMBERS_A_WORD * facts->words)
        return true;
    int64_t missing = facts->numbers > 0 ? count_words(columns, column, weft__is_missing) : 0;
    return facts->numbers > 0 && facts->numbers >= NUMBERS_A_WORD * (facts->words - missing);
}

weft_status weft__column_note_commas(const weft__columns *columns, weft__column *column, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_column *facts = &column->facts;
    int64_t commas = count_words(columns, column, weft__has_commas), first = 0;
    int64_t others = facts->words - commas - count_words(columns, column, weft__is_missing);
    if (commas == 0 || facts->numbers + commas < NUMBERS_A_WORD * others)
        return WEFT_OK;
    while (!weft__has_commas(weft_ids_name(column->spellings, first)))
        first++;
    TRY(weft__new_text(&columns->memory, weft_ids_name(column->spellings, first), &column->example, error));
    facts->example = column->example;
    facts->commas = true;
done:
    return status;
}
