/* SPDX-License-Identifier: MIT
 * Several SPECs in one text.  Behind the comma that ends FILE or an option stands the name of an option, so
 * that no single SPEC has a plus there; a comma of FILE stands behind a backslash. */
#include "io/roster/spec.h"

#include <string.h>

/* Where the first SPEC of the text ends: at what stands between two, or at the end. */
static const char *end_of_first(const char *text)
{
    for (; *text != 0; text++) {
        if (strncmp(text, WEFT__SPEC_BETWEEN, strlen(WEFT__SPEC_BETWEEN)) == 0)
            return text;
        if (*text == '\\' && text[1] != 0)
            text++;
    }
    return text;
}

/* What stands behind the first SPEC; NULL where nothing does. */
static const char *next_of(const char *text)
{
    const char *end = end_of_first(text);
    return *end != 0 ? end + strlen(WEFT__SPEC_BETWEEN) : NULL;
}

int64_t weft__spec_count(const char *text)
{
    int64_t count = 0;
    for (; text != NULL; text = next_of(text))
        count++;
    return count;
}

weft_status weft__spec_part(const char *text, int64_t k, const weft_memory *memory, char **part,
                            weft_error *error)
{
    while (k-- > 0)
        text = next_of(text);
    size_t length = (size_t)(end_of_first(text) - text);
    weft_status status = weft__new(memory, (int64_t)length + 1, 1, part, error);
    if (status == WEFT_OK)
        memcpy(*part, text, length);
    return status;
}
