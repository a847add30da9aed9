/* SPDX-License-Identifier: MIT
 * Whether a column is one of numbers, and what may be wrong with it where it is not. */
#include "io/roster/columns.h"

#include "io/stream/times.h"
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

static bool is_date(const char *word)
{
    double value = 0;
    return weft__parse_time(word, &value) == WEFT__TIME_DATE;
}

/* Whether nearly all cells that say something are so, or numbers; then the first that is so is told. */
static weft_status note_words(const weft__columns *columns, weft__column *column,
                              bool (*is_so)(const char *word), bool *noted, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_column *facts = &column->facts;
    int64_t these = count_words(columns, column, is_so), first = 0;
    int64_t others = facts->words - these - count_words(columns, column, weft__is_missing);
    if (these == 0 || facts->example != NULL || facts->numbers + these < NUMBERS_A_WORD * others)
        return WEFT_OK;
    while (!is_so(weft_ids_name(column->spellings, first)))
        first++;
    TRY(weft__new_text(&columns->memory, weft_ids_name(column->spellings, first), &column->example, error));
    facts->example = column->example;
    *noted = true;
done:
    return status;
}

weft_status weft__column_note_spelling(const weft__columns *columns, weft__column *column, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(note_words(columns, column, weft__has_commas, &column->facts.commas, error));
    TRY(note_words(columns, column, is_date, &column->facts.dates, error));
done:
    return status;
}
