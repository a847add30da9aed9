/* SPDX-License-Identifier: MIT */
#include "lab/line.h"

#include <stdarg.h>
#include <stdio.h>

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
