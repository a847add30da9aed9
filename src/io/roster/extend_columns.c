/* SPDX-License-Identifier: MIT
 *
 * Rows that came after the columns of a table were settled, in the terms of those before.
 *
 * Method     Numbers by the centre and the scale that were settled.  A word that two ids have in common by
 *            now becomes a class, when the second of them comes: in the order of the rows, and within a row
 *            of the columns.  So what becomes of the first n rows follows from these alone, in however many
 *            pieces the others came.
 * Cost       O(rows) a column. */
#include "io/roster/columns.h"

#include <math.h>

void weft__columns_count_first(weft__columns *columns, int64_t rows)
{
    for (int64_t k = 0; k < columns->count; k++) {
        weft__column *column = &columns->list[k];
        weft_column *facts = &column->facts;
        column->cells[0] = facts->numbers;
        column->cells[1] = facts->words;
        column->cells[2] = facts->empty;
        facts->numbers = facts->words = 0;
        for (int64_t i = 0; i < rows; i++) {
            facts->numbers += !weft__column_is_gap(column, i);
            facts->words += column->words != NULL && column->words[i] >= 0;
        }
        facts->empty = rows - facts->numbers - facts->words;
    }
}

void weft__columns_count_all(weft__columns *columns)
{
    for (int64_t k = 0; k < columns->count; k++) {
        weft__column *column = &columns->list[k];
        column->facts.numbers = column->cells[0];
        column->facts.words = column->cells[1];
        column->facts.empty = column->cells[2];
    }
}

static void extend_numbers(const weft__columns *columns, weft__column *column, weft__seniority rows,
                           int64_t *clipped)
{
    for (int64_t i = rows.first; i < columns->rows; i++) {
        bool cut = false;
        column->numbers[i] = weft__column_standardised(column, column->numbers[i], &cut);
        column->facts.clipped += cut;
        *clipped += cut && i >= rows.before;
    }
}

/* The keys of the rows, and room to count their words. */
static weft_status begin_words(weft__columns *columns, weft__column *column, int64_t first, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &columns->memory;
    weft__word_counts *tally = &column->tally;
    TRY(weft__column_spell(columns, column, first, columns->rows, error));
    int64_t count = weft_ids_count(column->spellings) + 1;
    TRY(weft__resize(memory, &tally->times, tally->count, count, sizeof *tally->times, error));
    TRY(weft__resize(memory, &tally->class_of, tally->count, count, sizeof *tally->class_of, error));
    tally->count = count;
    TRY(weft__new(memory, count, sizeof *tally->came, &tally->came, error));
    for (int64_t i = first; i < columns->rows; i++)
        tally->keys[i] = column->words[i] + 1;
done:
    return status;
}

static void count_word(weft__columns *columns, weft__column *column, int64_t row)
{
    weft__word_counts *tally = &column->tally;
    int64_t key = tally->keys[row];
    if (++tally->times[key] < 2 || tally->class_of[key] != 0)
        return;
    tally->came[column->facts.classes - tally->settled] = columns->later++;
    tally->class_of[key] = ++column->facts.classes;
}

static void put_words(const weft__columns *columns, weft__column *column)
{
    for (int64_t i = 0; i < columns->rows; i++)
        column->words[i] = (int32_t)(column->tally.class_of[column->tally.keys[i]] - 1);
}

weft_status weft__columns_extend(weft__columns *columns, weft__seniority rows, int64_t *clipped,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < columns->count; k++) {
        weft__column *column = &columns->list[k];
        if (column->facts.use == WEFT_COLUMN_NUMBERS)
            extend_numbers(columns, column, rows, clipped);
        if (column->facts.use == WEFT_COLUMN_WORDS)
            TRY(begin_words(columns, column, rows.first, error));
    }
    for (int64_t i = rows.first; i < columns->rows; i++)
        for (int64_t k = 0; k < columns->count; k++)
            if (columns->list[k].facts.use == WEFT_COLUMN_WORDS)
                count_word(columns, &columns->list[k], i);
    for (int64_t k = 0; k < columns->count; k++)
        if (columns->list[k].facts.use == WEFT_COLUMN_WORDS)
            put_words(columns, &columns->list[k]);
done:
    return status;
}
