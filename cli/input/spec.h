/* SPDX-License-Identifier: MIT
 * What the text of a SPEC says, where the library has not read it yet or does not tell. */
#ifndef WEFT_CLI_INPUT_SPEC_H
#define WEFT_CLI_INPUT_SPEC_H

#include <stdbool.h>

/* The word before the colon. */
typedef struct spec_word {
    char text[16];
} spec_word;

spec_word spec_kind(const char *spec);
bool spec_is(const char *spec, const char *kind);
/* Whether it has this text, such as "map=", behind a comma; false for NULL.  A comma that belongs to the name
 * of a file stands behind a backslash. */
bool spec_has(const char *spec, const char *setting);

#endif
