/* SPDX-License-Identifier: MIT
 *
 * The table of settled columns.
 *
 * Columns of words come first, in their order, then the empty cells of columns of numbers.  Traits are
 * numbered alike; those of words that came after the columns were settled follow all others, in the order in
 * which they came, so that none ever gets another number. */
#include "io/roster/columns.h"

static bool is_of_words(const weft__column *column)
{
    return column->facts.use == WEFT_COLUMN_WORDS;
}

static void count_table(const weft__columns *columns, weft__facts_table *table)
{
    table->count = columns->rows;
    for (int64_t k = 0; k < columns->count; k++) {
        const weft__column *column = &columns->list[k];
        table->numbers += column->facts.use == WEFT_COLUMN_NUMBERS;
        table->words += is_of_words(column) + column->says_empty;
    }
}

static void fill_numbers(const weft__columns *columns, weft__facts_table *table)
{
    int64_t number = 0, n = table->numbers;
    for (int64_t k = 0; k < columns->count; k++) {
        const weft__column *column = &columns->list[k];
        if (column->facts.use != WEFT_COLUMN_NUMBERS)
            continue;
        for (int64_t i = 0; i < columns->rows; i++)
            table->values[i * n + number] = weft__column_is_gap(column, i) ? 0 : (float)column->numbers[i];
        number++;
    }
}

static void fill_words(const weft__columns *columns, weft__facts_table *table)
{
    int64_t word = 0, w = table->words;
    for (int64_t k = 0; k < columns->count; k++) {
        const weft__column *column = &columns->list[k];
        if (!is_of_words(column))
            continue;
        for (int64_t i = 0; i < columns->rows; i++)
            table->word_of[i * w + word] = column->words[i];
        table->word_kinds[word++] = column->facts.classes;
    }
    for (int64_t k = 0; k < columns->count; k++) {
        if (!columns->list[k].says_empty)
            continue;
        for (int64_t i = 0; i < columns->rows; i++)
            table->word_of[i * w + word] = weft__column_is_gap(&columns->list[k], i) ? 0 : -1;
        table->word_kinds[word++] = 1;
    }
}

/* Where words came later: those of the first rows are numbered as if there were no others. */
static void number_traits(const weft__columns *columns, weft__facts_table *table)
{
    int64_t place = 0, trait = table->numbers;
    int64_t last = weft__facts_table_traits(table) - columns->later;
    for (int64_t k = 0; k < columns->count; k++) {
        const weft__column *column = &columns->list[k];
        for (int64_t c = 0; is_of_words(column) && c < column->facts.classes; c++) {
            bool settled = c < column->tally.settled;
            table->trait_of[place++] =
                settled ? trait++ : last + column->tally.came[c - column->tally.settled];
        }
    }
    while (trait < last)
        table->trait_of[place++] = trait++;
}

weft_status weft__columns_fill(const weft__columns *columns, weft__facts_table *made, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &columns->memory;
    int64_t values = 0, words = 0;
    count_table(columns, made);
    TRY(weft__checked_product(made->count, made->numbers, &values, error));
    TRY(weft__checked_product(made->count, made->words, &words, error));
    TRY(weft__new(memory, values, sizeof *made->values, &made->values, error));
    TRY(weft__new(memory, words, sizeof *made->word_of, &made->word_of, error));
    TRY(weft__new(memory, made->words, sizeof *made->word_kinds, &made->word_kinds, error));
    fill_numbers(columns, made);
    fill_words(columns, made);
    if (columns->later > 0) {
        int64_t kinds = weft__facts_table_traits(made) - made->numbers;
        TRY(weft__new(memory, kinds, sizeof *made->trait_of, &made->trait_of, error));
        number_traits(columns, made);
    }
done:
    return status;
}
