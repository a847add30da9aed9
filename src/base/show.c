/* SPDX-License-Identifier: MIT
 *
 * A terminal obeys control characters, and a reader is misled by characters that have no width
 * or turn the direction of writing.  Both are written as escapes; everything else stays. */
#include "base/show.h"

#include <stdio.h>
#include <string.h>

/* The longest escape is that of a character beyond the first plane, \U000e0001. */
enum { LONGEST_ESCAPE = 10 };

bool weft__decode(const char *text, size_t *length, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* by length: shorter forms must be used */
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0];
    size_t count = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t value = count == 1 ? first : first & (0xFFU >> (count + 1));
    if (count == 0 || first >= 0xF8)
        return false;
    for (size_t k = 1; k < count; k++) {
        if ((bytes[k] & 0xC0) != 0x80) /* a terminating 0 too ends the loop */
            return false;
        value = value << 6 | (bytes[k] & 0x3F);
    }
    if (value < least[count] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return false;
    *length = count;
    *point = value;
    return true;
}

/* Control characters, and what Unicode says is not seen or changes how others are seen: soft hyphen, marks
 * and overrides of direction, separators and joiners without width, byte-order mark, annotations, tags. */
static bool is_unsafe(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},      {0x61C, 0x61C},
                  {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F},
                  {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (point >= ranges[k].first && point <= ranges[k].last)
            return true;
    return false;
}

/* The character or byte at `text` as it is shown; the bytes it takes are left in *taken. */
static size_t show_one(const char *text, size_t *taken, char one[LONGEST_ESCAPE + 1])
{
    uint32_t point = 0;
    if (!weft__decode(text, taken, &point)) {
        *taken = 1;
        return (size_t)snprintf(one, LONGEST_ESCAPE + 1, "\\x%02x", (unsigned char)*text);
    }
    if (!is_unsafe(point)) {
        memcpy(one, text, *taken);
        one[*taken] = 0;
        return *taken;
    }
    const char *format = point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x";
    const char *letter = point == '\n' ? "\\n" : point == '\r' ? "\\r" : point == '\t' ? "\\t" : NULL;
    return (size_t)(letter != NULL ? snprintf(one, LONGEST_ESCAPE + 1, "%s", letter)
                                   : snprintf(one, LONGEST_ESCAPE + 1, format, (unsigned)point));
}

void weft__show_into(const char *text, size_t size, char *shown)
{
    static const char dots[] = "...";
    char one[LONGEST_ESCAPE + 1];
    size_t length = 0, taken = 0, cut = 0; /* cut: the last end behind which the dots fit */
    while (*text != 0) {
        size_t more = show_one(text, &taken, one);
        if (length + more >= size) {
            memcpy(shown + cut, dots, sizeof dots);
            return;
        }
        memcpy(shown + length, one, more);
        length += more;
        text += taken;
        if (length + sizeof dots <= size)
            cut = length;
    }
    shown[length] = 0;
}

weft_shown weft_show(const char *text)
{
    weft_shown shown;
    weft__show_into(text != NULL ? text : "", sizeof shown.text, shown.text);
    return shown;
}
