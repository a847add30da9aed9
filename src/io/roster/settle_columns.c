/* SPDX-License-Identifier: MIT
 *
 * What is made of the columns of a table.
 *
 * Method     A column of which nine tenths of the cells that say something are numbers, at least, is one of
 *            numbers, and its words are taken for empty cells, as NA, NaN, null and their like always are
 *            beside numbers; any other is one of words, of which a number is one by its value.
 *
 *            Two different numbers are two words.  Others are standardised by the median m and s = 1.4826
 *            times the median of |x - m|, which is the standard deviation where they are normal.  Where more
 *            than half are equal s is 0: then by what lies between the 5th and the 95th of a hundred, (b - a)
 *            / 3.29; where that is 0 too, by the mean of |x - m|.  z = (x - m) / s is cut off at -3 and 3: so
 *            neither a typing error nor a time in milliseconds can drown the others.  An empty cell is 0, and
 *            told apart from the median by a word of its own, "empty".
 *
 *            Words that two ids or more have in common are classes; one that a single id has says no more
 *            than the id itself.  Empty cells are a class too.
 *
 *            Left out: what is empty, constant or the same as an earlier column, numbers that count the
 *            lines, and words of which hardly any stands twice.
 * Cost       O(rows) a column on average. */
#include "io/roster/columns.h"

#include "base/hash.h"
#include "base/select.h"
#include "io/text/hints.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CUT = 3;

enum {
    FEWEST_LINES = 20, /* fewer numbers that rise by one may say something */
    SHARED_PART = 10   /* of the cells of words, one in so many must have its word in common with another */
};

/* What is found of a column before the table is there. */
typedef struct finding {
    uint64_t digest; /* of what it says, and of where it is empty */
    uint64_t gaps;
} finding;

/* ---- Numbers ---- */

static int64_t gather(const weft__columns *columns, const weft__column *column, double *found)
{
    int64_t count = 0;
    for (int64_t i = 0; i < columns->rows; i++)
        if (!isnan(column->numbers[i]))
            found[count++] = column->numbers[i] / 2;
    return count;
}

/* s / 2 of halves, in which no difference overflows; 0 where all are equal. */
static double scale_of(double *halves, int64_t count, double middle)
{
    double low = weft__select(halves, count, count / 20), mean = 0;
    double high = weft__select(halves, count, count - 1 - count / 20);
    for (int64_t i = 0; i < count; i++) {
        halves[i] = fabs(halves[i] - middle);
        mean += halves[i] / (double)count;
    }
    double scale = 1.4826 * weft__select(halves, count, (count - 1) / 2);
    if (scale == 0)
        scale = high / 3.29 - low / 3.29;
    if (scale == 0)
        scale = mean;
    return fmin(scale, DBL_MAX);
}

static bool counts_lines(const weft__columns *columns, const weft__column *column)
{
    bool counts = columns->rows >= FEWEST_LINES;
    for (int64_t i = 1; i < columns->rows && counts; i++)
        counts = column->numbers[i] - column->numbers[i - 1] == 1;
    return counts;
}

/* Whether no third number stands in it. */
static bool has_two(const weft__columns *columns, const weft__column *column)
{
    double first = NAN, second = NAN;
    for (int64_t i = 0; i < columns->rows; i++) {
        double x = column->numbers[i];
        if (isnan(x) || x == first || x == second)
            continue;
        if (!isnan(second))
            return false;
        *(isnan(first) ? &first : &second) = x;
    }
    return !isnan(second);
}

double weft__column_standardised(const weft__column *column, double number, bool *clipped)
{
    double z = (number / 2 - column->middle) / column->scale;
    *clipped = fabs(z) > CUT;
    return isnan(z) ? NAN : (double)(float)fmin(fmax(z, -CUT), CUT);
}

/* The numbers become z, NAN where there is none. */
static void standardise(const weft__columns *columns, weft__column *column, double middle, double scale)
{
    bool clipped = false;
    column->middle = middle;
    column->scale = scale;
    for (int64_t i = 0; i < columns->rows; i++) {
        column->numbers[i] = weft__column_standardised(column, column->numbers[i], &clipped);
        column->facts.clipped += clipped;
    }
}

static weft_column_use settle_numbers(const weft__columns *columns, weft__column *column, double *room)
{
    int64_t count = gather(columns, column, room);
    bool serial = counts_lines(columns, column);
    double middle = weft__select(room, count, (count - 1) / 2), scale = scale_of(room, count, middle);
    column->facts.centre = 2 * middle;
    column->facts.scale = fmin(2 * scale, DBL_MAX);
    if (scale == 0)
        return WEFT_COLUMN_CONSTANT;
    if (serial)
        return WEFT_COLUMN_SERIAL;
    standardise(columns, column, middle, scale);
    return WEFT_COLUMN_NUMBERS;
}

/* The first word among numbers is told. */
static weft_status drop_words(weft__columns *columns, weft__column *column, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (column->words == NULL)
        return WEFT_OK;
    TRY(weft__new_text(&columns->memory, weft_ids_name(column->spellings, 0), &column->example, error));
    column->facts.example = column->example;
    weft__delete(&columns->memory, column->words);
    weft_ids_free(column->spellings);
    column->words = NULL;
    column->spellings = NULL;
done:
    return status;
}

/* ---- Words ---- */

weft_status weft__column_spell(weft__columns *columns, weft__column *column, int64_t from, int64_t to,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    char spelling[40];
    int64_t number = 0;
    if (column->words == NULL)
        TRY(weft__column_begin_words(columns, column, error));
    for (int64_t i = from; i < to && column->numbers != NULL; i++) {
        if (isnan(column->numbers[i]))
            continue;
        snprintf(spelling, sizeof spelling, "%.17g", column->numbers[i]);
        TRY(weft_ids_add(column->spellings, spelling, &number, error));
        if (number > INT32_MAX)
            return weft__fail(error, WEFT_CAPACITY, "found more than %d words in one column", INT32_MAX);
        column->words[i] = (int32_t)number;
    }
done:
    return status;
}

/* Words that stand once say nothing; the others, and the empty cell where there are two of them, become
 * classes in the order in which they first stand. */
static weft_status number_classes(weft__columns *columns, weft__column *column, int64_t *shared,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__word_counts *tally = &column->tally;
    tally->count = weft_ids_count(column->spellings) + 1;
    TRY(weft__new(&columns->memory, tally->count, sizeof *tally->times, &tally->times, error));
    TRY(weft__new(&columns->memory, tally->count, sizeof *tally->class_of, &tally->class_of, error));
    if (columns->more > 0)
        TRY(weft__new(&columns->memory, columns->rows + columns->more, sizeof *tally->keys, &tally->keys,
                      error));
    for (int64_t i = 0; i < columns->rows; i++)
        tally->times[column->words[i] + 1]++;
    *shared = 0;
    for (int64_t i = 0; i < columns->rows; i++) {
        int64_t word = column->words[i] + 1;
        if (tally->keys != NULL)
            tally->keys[i] = word;
        column->words[i] = -1;
        if (tally->times[word] < 2)
            continue;
        if (tally->class_of[word] == 0)
            tally->class_of[word] = ++column->facts.classes;
        column->words[i] = (int32_t)(tally->class_of[word] - 1);
        *shared += word > 0;
    }
    tally->settled = column->facts.classes;
done:
    return status;
}

/* Whether all rows have the same word. */
static bool has_one_word(const weft__columns *columns, const weft__column *column)
{
    bool one = column->facts.empty == 0;
    for (int64_t i = 1; i < columns->rows && one; i++)
        one = column->words[i] == column->words[0];
    return one;
}

static weft_status settle_words(weft__columns *columns, weft__column *column, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t cells = columns->rows - column->facts.empty, shared = 0;
    TRY(weft__column_spell(columns, column, 0, columns->rows, error));
    bool one = has_one_word(columns, column);
    TRY(number_classes(columns, column, &shared, error));
    column->facts.use = one && columns->rows > 1       ? WEFT_COLUMN_CONSTANT
                        : shared * SHARED_PART < cells ? WEFT_COLUMN_NAMES
                                                       : WEFT_COLUMN_WORDS;
done:
    return status;
}

/* ---- Columns ---- */

bool weft__column_is_gap(const weft__column *column, int64_t i)
{
    return column->numbers == NULL || isnan(column->numbers[i]);
}

static weft_status settle_column(weft__columns *columns, weft__column *column, double *room,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_column *facts = &column->facts;
    if (facts->numbers + facts->words == 0) {
        facts->use = WEFT_COLUMN_EMPTY;
    } else if (weft__column_is_of_numbers(columns, column)) {
        TRY(drop_words(columns, column, error));
        facts->use = WEFT_COLUMN_WORDS;
        if (has_two(columns, column))
            TRY(settle_words(columns, column, error));
        else
            facts->use = settle_numbers(columns, column, room);
    } else {
        TRY(weft__column_note_spelling(columns, column, error));
        TRY(settle_words(columns, column, error));
    }
done:
    return status;
}

static finding find(const weft__columns *columns, weft__column *column)
{
    finding found = {.digest = (uint64_t)column->facts.use};
    int64_t gaps = 0;
    bool numbers = column->facts.use == WEFT_COLUMN_NUMBERS || column->facts.use == WEFT_COLUMN_CONSTANT;
    for (int64_t i = 0; i < columns->rows && numbers && column->numbers != NULL; i++) {
        bool gap = weft__column_is_gap(column, i);
        uint64_t bits = 0;
        double value = gap ? 0 : column->numbers[i];
        memcpy(&bits, &value, sizeof bits);
        gaps += gap;
        found.gaps = weft__hash(found.gaps ^ (uint64_t)gap);
        found.digest = weft__hash(found.digest ^ bits ^ (uint64_t)gap);
    }
    for (int64_t i = 0; i < columns->rows && column->facts.use == WEFT_COLUMN_WORDS; i++)
        found.digest = weft__hash(found.digest ^ (uint64_t)(column->words[i] + 1));
    column->says_empty = gaps > 1 && gaps < columns->rows;
    return found;
}

static bool is_used(const weft__column *column)
{
    return column->facts.use == WEFT_COLUMN_NUMBERS || column->facts.use == WEFT_COLUMN_WORDS;
}

/* Digests of 64 bits stand for the columns: two that differ agree in one of 2^64 pairs. */
static void drop_twins(weft__columns *columns, const finding *found)
{
    for (int64_t k = 0; k < columns->count; k++)
        for (int64_t j = 0; j < k; j++) {
            weft__column *later = &columns->list[k], *earlier = &columns->list[j];
            bool twin = is_used(later) && is_used(earlier);
            if (later->says_empty && earlier->says_empty && found[k].gaps == found[j].gaps)
                later->says_empty = false;
            if (twin && found[k].digest == found[j].digest) {
                later->facts.use = WEFT_COLUMN_TWIN;
                later->facts.twin = earlier->name;
            }
        }
}

/* ---- All of them ---- */

static void drop_cells(weft__columns *columns)
{
    for (int64_t k = 0; k < columns->count; k++)
        weft__column_drop_cells(&columns->list[k], &columns->memory);
}

/* Without the table there is no report that could tell what was made of the columns. */
static weft_status refuse_all(const weft__columns *columns, const char *path, weft_error *error)
{
    enum { SHOWN = 3, ROOM = 320 };
    char list[ROOM] = "";
    size_t length = 0;
    for (int64_t k = 0; k < columns->count && k < SHOWN; k++) {
        const weft_column *facts = &columns->list[k].facts;
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s %s", k > 0 ? ", " : "",
                                   weft__shown_briefly(facts->name).text, weft_column_use_name(facts->use));
    }
    return weft__fail(error, WEFT_INPUT,
                      "%s: found no column that tells ids apart: %s%s; expected one with numbers that differ "
                      "or with words that ids have in common",
                      path, list, columns->count > SHOWN ? ", ..." : "");
}

/* By the rows that are there as if there were no others. */
static weft_status settle_first(weft__columns *columns, finding *found, double *room, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < columns->count; k++) {
        TRY(settle_column(columns, &columns->list[k], room, error));
        found[k] = find(columns, &columns->list[k]);
    }
    drop_twins(columns, found);
done:
    return status;
}

weft_status weft__columns_settle(weft__columns *columns, const char *path, weft__seniority rows,
                                 weft__facts_table *table, int64_t *clipped, weft_error *error)
{
    weft_status status = WEFT_OK;
    finding *found = NULL;
    double *room = NULL;
    int64_t all = columns->rows;
    *clipped = 0;
    TRY(weft__new(&columns->memory, columns->count, sizeof *found, &found, error));
    TRY(weft__new(&columns->memory, columns->rows, sizeof *room, &room, error));
    columns->more = all - rows.first;
    columns->rows = rows.first;
    if (columns->more > 0)
        weft__columns_count_first(columns, rows.first);
    TRY(settle_first(columns, found, room, error));
    columns->rows = all;
    if (columns->more > 0) {
        TRY(weft__columns_extend(columns, rows, clipped, error));
        weft__columns_count_all(columns);
    }
    TRY(weft__columns_fill(columns, table, error));
    if (table->numbers + table->words == 0)
        TRY(refuse_all(columns, path, error));
    drop_cells(columns);
done:
    columns->rows = all;
    weft__delete(&columns->memory, room);
    weft__delete(&columns->memory, found);
    return status;
}

const char *weft_column_use_name(weft_column_use use)
{
    static const char *const names[] = {
        [WEFT_COLUMN_NUMBERS] = "numbers",
        [WEFT_COLUMN_WORDS] = "words",
        [WEFT_COLUMN_EMPTY] = "left out: empty",
        [WEFT_COLUMN_CONSTANT] = "left out: constant",
        [WEFT_COLUMN_TWIN] = "left out: a copy",
        [WEFT_COLUMN_SERIAL] = "left out: it counts the lines",
        [WEFT_COLUMN_NAMES] = "left out: hardly any word stands twice",
    };
    return (int)use >= 0 && use <= WEFT_COLUMN_NAMES ? names[use] : NULL;
}
