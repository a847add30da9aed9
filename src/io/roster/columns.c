/* SPDX-License-Identifier: MIT
 *
 * Tables: a header, then one id a line.
 *
 * Method     RFC 4180.  Every cell is taken for a number where it is one, for nothing where it is empty or
 *            blank, and else for a word; what a column is, is decided when all of it is there
 *            (settle_columns.c).  A column has room for numbers once it has one, and for words once it has
 *            one.
 * Cost       8 bytes a number and 4 a word while it is read, and every distinct word once. */
#include "io/roster/columns.h"

#include "io/roster/contents.h"
#include "io/text/hints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* More is no table that somebody made by hand or by a query, and ids are compared in all of them. */
enum { MOST_COLUMNS = 4096 };

void weft__column_drop_cells(weft__column *column, const weft_memory *memory)
{
    weft__delete(memory, column->numbers);
    weft__delete(memory, column->words);
    weft__delete(memory, column->tally.times);
    weft__delete(memory, column->tally.class_of);
    weft__delete(memory, column->tally.keys);
    weft__delete(memory, column->tally.came);
    weft_ids_free(column->spellings);
    column->numbers = NULL;
    column->words = NULL;
    column->spellings = NULL;
    column->tally = (weft__word_counts){0};
}

static void free_column(weft__column *column, const weft_memory *memory)
{
    weft__column_drop_cells(column, memory);
    weft__delete(memory, column->name);
    weft__delete(memory, column->example);
}

void weft__columns_free(weft__columns *columns)
{
    for (int64_t k = 0; k < columns->count; k++)
        free_column(&columns->list[k], &columns->memory);
    weft__delete(&columns->memory, columns->list);
    *columns = (weft__columns){.memory = columns->memory};
}

/* Which fields of a line are what.  Invariant: field has an element for every column. */
typedef struct layout {
    int64_t fields, id; /* how many, and which has the id */
    int64_t *field;     /* by column: ascending, without those that are left out */
    char *id_name;
} layout;

/* ---- The header ---- */

static bool is_blank(const char *cell)
{
    return cell[strspn(cell, " \t")] == 0;
}

/* Where the column of this name stands, but for place `other`; -1: nowhere. */
static int64_t find_name(const weft__text *header, const char *name, int64_t other)
{
    for (int64_t k = 0; k < header->count; k++)
        if (k != other && strcmp(header->fields[k].text, name) == 0)
            return k;
    return -1;
}

static weft_status find_id(const weft__text *header, const char *id, int64_t *place, weft_error *error)
{
    *place = id == NULL ? 0 : find_name(header, id, -1);
    if (*place < 0)
        return weft__text_fail(header, -1, error,
                               "found no column %s in the header, expected one (id=): %s%s",
                               weft__shown_briefly(id).text, "it begins with ",
                               weft__shown_briefly(header->fields[0].text).text);
    return WEFT_OK;
}

/* A header of numbers is the first line of a table that has none. */
static bool is_data(const weft__text *header, int64_t id)
{
    double value = 0;
    bool numbers = header->count > 1;
    for (int64_t k = 0; k < header->count && numbers; k++)
        numbers = k == id || weft__parse_number(header->fields[k].text, &value);
    return numbers;
}

static weft_status check_header(const weft__text *header, int64_t id, weft_error *error)
{
    weft__hint other = weft__hint_fields(header);
    if (header->count < 2)
        return weft__text_fail(header, -1, error,
                               "found %lld column, expected an id and at least one more in the header%s",
                               (long long)header->count, other.text);
    if (other.text[0] != 0 && strpbrk(header->fields[id].text, ";|") != NULL)
        return weft__text_fail(header, id, error, "found %s as name of the ids in the header, expected one%s",
                               weft__shown_briefly(header->fields[id].text).text, other.text);
    if (header->count - 1 > MOST_COLUMNS)
        return weft__text_fail(header, -1, error, "found %lld columns beside the id, expected at most %d",
                               (long long)header->count - 1, MOST_COLUMNS);
    if (is_data(header, id))
        return weft__text_fail(header, id == 0 ? 1 : 0, error,
                               "found %s in the first line, expected a header with the names of the columns "
                               "(features:FILE reads numbers without one)",
                               weft__shown_briefly(header->fields[id == 0 ? 1 : 0].text).text);
    for (int64_t k = 0; k < header->count; k++) {
        const char *name = header->fields[k].text;
        int64_t twin = *name == 0 ? -1 : find_name(header, name, k);
        if (twin >= 0 && twin < k)
            return weft__text_fail(header, k, error,
                                   "found the name %s a second time in the header, expected every name once",
                                   weft__shown_briefly(name).text);
    }
    return WEFT_OK;
}

/* A column without a name is called by its place, from 1. */
static weft_status name_column(weft__column *column, const char *name, int64_t place,
                               const weft_memory *memory, weft_error *error)
{
    char number[40];
    snprintf(number, sizeof number, "column %lld", (long long)place + 1);
    weft_status status = weft__new_text(memory, is_blank(name) ? number : name, &column->name, error);
    column->facts.name = column->name;
    return status;
}

/* Whether the name is a line of the list, which may be NULL. */
static bool is_line(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = list; line != NULL;
         line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, name, length) == 0 && (line[length] == 0 || line[length] == '\n'))
            return true;
    return false;
}

/* Every name that is to be left out must be that of a column. */
static weft_status check_skipped(const weft__text *header, int64_t id, const char *skipped, weft_error *error)
{
    char name[64];
    for (const char *line = skipped; line != NULL;) {
        size_t length = strcspn(line, "\n");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), line);
        bool found = false;
        for (int64_t k = 0; k < header->count; k++)
            found = found || (k != id && strlen(header->fields[k].text) == length &&
                              strncmp(header->fields[k].text, line, length) == 0);
        if (!found)
            return weft__text_fail(
                header, -1, error,
                "found no column %s beside the ids in the header, expected one to leave out "
                "(skip=)",
                weft__shown_briefly(name).text);
        line = line[length] == 0 ? NULL : line + length + 1;
    }
    return WEFT_OK;
}

static weft_status take_header(const weft__text *header, const char *skipped, layout *l,
                               weft__columns *columns, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_skipped(header, l->id, skipped, error));
    TRY(weft__new(&columns->memory, header->count - 1, sizeof *columns->list, &columns->list, error));
    TRY(weft__new(&columns->memory, header->count - 1, sizeof *l->field, &l->field, error));
    TRY(weft__new_text(&columns->memory, header->fields[l->id].text, &l->id_name, error));
    l->fields = header->count;
    for (int64_t k = 0; k < header->count; k++) {
        if (k == l->id || is_line(skipped, header->fields[k].text))
            continue;
        int64_t at = columns->count++;
        l->field[at] = k;
        TRY(name_column(&columns->list[at], header->fields[k].text, k, &columns->memory, error));
    }
    if (columns->count == 0)
        TRY(weft__text_fail(header, -1, error, "found no column that is not left out (skip=), expected one"));
done:
    return status;
}

/* ---- Cells ---- */

/* Room for one more row in all arrays that are there. */
static weft_status reserve_row(weft__columns *columns, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t old = columns->capacity, capacity = weft__grown(old, columns->rows + 1);
    if (columns->rows < old)
        return WEFT_OK;
    for (int64_t k = 0; k < columns->count; k++) {
        weft__column *c = &columns->list[k];
        if (c->numbers != NULL)
            TRY(weft__resize(&columns->memory, &c->numbers, old, capacity, sizeof *c->numbers, error));
        if (c->words != NULL)
            TRY(weft__resize(&columns->memory, &c->words, old, capacity, sizeof *c->words, error));
    }
    columns->capacity = capacity;
done:
    return status;
}

static weft_status begin_numbers(const weft__columns *columns, weft__column *column, weft_error *error)
{
    weft_status status =
        weft__new(&columns->memory, columns->capacity, sizeof *column->numbers, &column->numbers, error);
    for (int64_t i = 0; i < columns->rows && status == WEFT_OK; i++)
        column->numbers[i] = NAN;
    return status;
}

weft_status weft__column_begin_words(const weft__columns *columns, weft__column *column, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft_ids_create(&columns->memory, &column->spellings, error));
    TRY(weft__new(&columns->memory, columns->capacity, sizeof *column->words, &column->words, error));
    for (int64_t i = 0; i < columns->capacity; i++)
        column->words[i] = -1;
done:
    return status;
}

static weft_status take_word(const weft__columns *columns, weft__column *column, const char *cell,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t number = 0;
    if (column->words == NULL)
        TRY(weft__column_begin_words(columns, column, error));
    TRY(weft_ids_add(column->spellings, cell, &number, error));
    if (number > INT32_MAX)
        return weft__fail(error, WEFT_CAPACITY, "found more than %d words in one column", INT32_MAX);
    column->words[columns->rows] = (int32_t)number;
    column->facts.words++;
done:
    return status;
}

static weft_status take_cell(const weft__columns *columns, weft__column *column, const char *cell,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    double value = NAN;
    bool empty = *cell == 0 || is_blank(cell), number = !empty && weft__parse_number(cell, &value);
    if (number && column->numbers == NULL)
        TRY(begin_numbers(columns, column, error));
    if (!number && !empty)
        TRY(take_word(columns, column, cell, error));
    else if (column->words != NULL)
        column->words[columns->rows] = -1;
    if (column->numbers != NULL)
        column->numbers[columns->rows] = number ? value + 0.0 : NAN; /* -0 is 0 */
    column->facts.numbers += number;
    column->facts.empty += empty;
done:
    return status;
}

/* Why a line may be longer or shorter than the header. */
static const char *length_hint(const weft__text *text, int64_t expected)
{
    if (text->delimiter == ',' && text->count > expected)
        return " (a comma inside a cell needs quotes)";
    return text->delimiter == ' ' ? ", in which blanks stand between fields" : "";
}

/* Two words, or these and a weight, are an edge most likely where the first repeats. */
static bool may_be_edge(const weft__text *text)
{
    double value = 0;
    bool weight = text->count == 2 || (text->count == 3 && weft__parse_number(text->fields[2].text, &value));
    return weight && !weft__parse_number(text->fields[1].text, &value);
}

static weft_status take_id(const weft__text *text, int64_t id, const weft__input *input, weft_ids *ids,
                           weft_error *error)
{
    int64_t number = 0;
    const char *name = text->fields[id].text;
    if (*name != 0 && weft_ids_find(ids, name) >= 0)
        return weft__text_fail(
            text, id, error,
            "found id %s a second time, expected every id once (id= says which column has the ids%s)",
            weft__shown_briefly(name).text, may_be_edge(text) ? "; is it a graph? Then it is graph:" : "");
    return weft__contents_new_id(text, id, input, ids, &number, error);
}

/* Whether the line says what the header does, of files that were joined. */
static bool is_header(const weft__text *text, const layout *l, const weft__columns *columns)
{
    bool same = strcmp(text->fields[l->id].text, l->id_name) == 0;
    for (int64_t k = 0; k < columns->count && same; k++)
        same = strcmp(text->fields[l->field[k]].text, columns->list[k].name) == 0;
    return same;
}

static weft_status take_row(const weft__text *text, const layout *l, const weft__input *input, weft_ids *ids,
                            weft__columns *columns, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (text->count != l->fields)
        return weft__text_fail(text, -1, error, "found %lld field%s, expected %lld as in the header%s",
                               (long long)text->count, text->count == 1 ? "" : "s", (long long)l->fields,
                               length_hint(text, l->fields));
    if (is_header(text, l, columns))
        return weft__text_fail(text, -1, error,
                               "found the names of the header again, expected an id: is it a second header, "
                               "of files that were joined? Then take it away");
    TRY(take_id(text, l->id, input, ids, error));
    TRY(reserve_row(columns, error));
    for (int64_t k = 0; k < columns->count; k++)
        TRY(take_cell(columns, &columns->list[k], text->fields[l->field[k]].text, error));
    columns->rows++;
done:
    return status;
}

/* A name that is a number, above numbers, and one that stands again as a word of its column: a line of data.
 * Either alone may be a name, as of the year or of the one word that a column has. */
static weft_status check_names(const weft__columns *columns, const char *path, int64_t line,
                               weft_error *error)
{
    const weft__column *number = NULL, *word = NULL;
    double value = 0;
    for (int64_t k = 0; k < columns->count; k++) {
        const weft__column *c = &columns->list[k];
        if (number == NULL && c->facts.numbers > 0 && weft__parse_number(c->name, &value))
            number = c;
        if (word == NULL && c->words != NULL && weft_ids_find(c->spellings, c->name) >= 0)
            word = c;
    }
    if (number == NULL || word == NULL)
        return WEFT_OK;
    return weft__fail(error, WEFT_INPUT,
                      "%s:%lld: found %s and %s in the first line, as in lines below it, expected a header "
                      "with the names of the columns",
                      path, (long long)line, weft__shown_briefly(number->name).text,
                      weft__shown_briefly(word->name).text);
}

weft_status weft__columns_read(weft__text *text, const weft__spec *spec, const weft__input *input,
                               weft_ids *ids, weft__columns *columns, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t line = 0;
    layout l = {0};
    columns->memory = text->lines.memory;
    TRY(weft__text_next(text, &more, error));
    if (!more)
        return WEFT_OK;
    TRY(find_id(text, spec->id_column, &l.id, error));
    TRY(check_header(text, l.id, error));
    TRY(take_header(text, spec->skipped, &l, columns, error));
    line = text->number;
    for (;;) {
        TRY(weft__text_next(text, &more, error));
        if (!more)
            break;
        TRY(take_row(text, &l, input, ids, columns, error));
    }
    TRY(check_names(columns, text->lines.path, line, error));
done:
    weft__delete(&columns->memory, l.field);
    weft__delete(&columns->memory, l.id_name);
    return status;
}

weft_status weft__columns_from_values(const double *values, int64_t rows, int64_t count,
                                      const weft_memory *memory, weft__columns *columns, weft_error *error)
{
    weft_status status = WEFT_OK;
    *columns = (weft__columns){.memory = *memory};
    if (count > MOST_COLUMNS)
        return weft__fail(error, WEFT_INPUT,
                          "found %lld numbers of an id, expected at most %d where no kernel= is given",
                          (long long)count, MOST_COLUMNS);
    TRY(weft__new(memory, count, sizeof *columns->list, &columns->list, error));
    columns->count = count;
    for (int64_t k = 0; k < count; k++) {
        weft__column *column = &columns->list[k];
        TRY(name_column(column, "", k, memory, error));
        TRY(weft__new(memory, rows, sizeof *column->numbers, &column->numbers, error));
        for (int64_t i = 0; i < rows; i++)
            column->numbers[i] = values[i * count + k] + 0.0;
        column->facts.numbers = rows;
    }
    columns->rows = columns->capacity = rows;
done:
    return status;
}
