/* SPDX-License-Identifier: MIT */
#include "lab/report/line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void lab_line_add(lab_line *line, const char *format, ...)
{
    size_t room = sizeof line->text - line->length;
    va_list facts;
    va_start(facts, format);
    int length = vsnprintf(line->text + line->length, room, format, facts);
    va_end(facts);
    if (length > 0)
        line->length += (size_t)length < room ? (size_t)length : room - 1;
}

lab_number_text lab_number(double value)
{
    lab_number_text number;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
        if (strtod(number.text, NULL) == value)
            break;
    }
    return number;
}
