/* SPDX-License-Identifier: MIT
 * Text that can be drawn: valid UTF-8 on one line, whatever was given. */
#ifndef WEFT_FIGURE_TEXT_H
#define WEFT_FIGURE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { FIGURE__TEXT = 768 };

typedef struct figure__text {
    char bytes[FIGURE__TEXT];
} figure__text;

/* What is not UTF-8 or not a character of XML becomes U+FFFD, control characters
 * become blanks, NULL becomes empty, and what is too long is cut.  With `plain`
 * everything beyond ASCII becomes a question mark. */
figure__text figure__text_clean(const char *given, bool plain);

/* The place behind the character that begins at `at` of a clean text. */
size_t figure__text_next(const figure__text *text, size_t at);

/* The first `length` bytes, and an ellipsis. */
figure__text figure__text_cut(const figure__text *text, size_t length, bool plain);

#endif
