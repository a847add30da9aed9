/* SPDX-License-Identifier: MIT */
#include "cli/side/columns.h"

#include "cli/command/json_text.h"

#include <inttypes.h>
#include <stdio.h>

enum { INDENT = 11, WIDTH = 16 };

static void tell_numbers(weft_column column)
{
    printf("numbers, centre %.6g, scale %.6g", column.centre, column.scale);
    if (column.clipped > 0)
        printf(", %" PRId64 " beyond 3 scales cut off", column.clipped);
}

static void tell_column(weft_column column)
{
    printf("%-*s%-*s ", INDENT, "", WIDTH, weft_show(column.name).text);
    if (column.use == WEFT_COLUMN_NUMBERS)
        tell_numbers(column);
    else if (column.use == WEFT_COLUMN_WORDS)
        printf("words, %" PRId64 " that stand twice or more often", column.classes);
    else
        printf("%s", weft_column_use_name(column.use));
    if (column.twin != NULL)
        printf(" of %s", weft_show(column.twin).text);
    if (column.empty > 0)
        printf(", %" PRId64 " empty", column.empty);
    if (column.commas)
        printf(", words such as '%s' are no numbers: these have a decimal point and no commas",
               weft_show(column.example).text);
    else if (column.dates)
        printf(", dates such as '%s' taken as words: as numbers, such as of days, they would have an order",
               weft_show(column.example).text);
    else if (column.example != NULL)
        printf(", %" PRId64 " of words such as '%s' count as empty", column.words,
               weft_show(column.example).text);
    putchar('\n');
}

void columns_tell(const weft_roster *roster)
{
    for (int64_t k = 0; k < weft_roster_column_count(roster); k++)
        tell_column(weft_roster_column(roster, k));
}

static json_t *describe_column(weft_column column)
{
    json_t *object = json_pack("{s:o, s:s, s:I, s:I, s:I}", "name", json_name(column.name), "use",
                               weft_column_use_name(column.use), "numbers", (json_int_t)column.numbers,
                               "words", (json_int_t)column.words, "empty", (json_int_t)column.empty);
    if (column.use == WEFT_COLUMN_NUMBERS) {
        json_object_set_new(object, "centre", json_real(column.centre));
        json_object_set_new(object, "scale", json_real(column.scale));
        json_object_set_new(object, "clipped", json_integer(column.clipped));
    }
    if (column.use == WEFT_COLUMN_WORDS)
        json_object_set_new(object, "classes", json_integer(column.classes));
    if (column.dates)
        json_object_set_new(object, "dates", json_true());
    if (column.twin != NULL)
        json_object_set_new(object, "twin", json_name(column.twin));
    return object;
}

json_t *columns_describe(const weft_roster *roster)
{
    int64_t count = weft_roster_column_count(roster);
    json_t *array = count > 0 ? json_array() : json_null();
    for (int64_t k = 0; k < count; k++)
        json_array_append_new(array, describe_column(weft_roster_column(roster, k)));
    return array;
}
