/* SPDX-License-Identifier: MIT
 * A line of text that is put together piece by piece. */
#ifndef WEFT_LAB_REPORT_LINE_H
#define WEFT_LAB_REPORT_LINE_H

#include <stddef.h>

typedef struct lab_line {
    char text[4000]; /* what does not fit is left out */
    size_t length;
} lab_line;

__attribute__((format(printf, 2, 3))) void lab_line_add(lab_line *line, const char *format, ...);

/* The shortest text that is read as the same number. */
typedef struct lab_number_text {
    char text[32];
} lab_number_text;

lab_number_text lab_number(double value);

#endif
