/* SPDX-License-Identifier: MIT */
#include "figure/text.h"

#include <stdint.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
static const char ellipsis[] = "\xE2\x80\xA6";    /* U+2026 */

/* The bytes of the character that the lead byte announces; 0: it is none. */
static size_t announced_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/* Shortest forms only, no surrogates, nothing beyond U+10FFFF, and not the two
 * that XML forbids. */
static bool is_allowed(uint32_t code, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= least[length] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF) &&
           code != 0xFFFE && code != 0xFFFF;
}

/* The bytes of the character at `given`; 0 where there is no valid one. */
static size_t character_length(const char *given)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t length = announced_length(bytes[0]);
    if (length <= 1)
        return length;
    uint32_t code = bytes[0] & (0xFFU >> (length + 1));
    for (size_t k = 1; k < length; k++) {
        if ((bytes[k] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (bytes[k] & 0x3F);
    }
    return is_allowed(code, length) ? length : 0;
}

/* A control character, of ASCII or of the block from U+0080 to U+009F. */
static bool is_control(const char *at, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)at;
    if (length == 1)
        return bytes[0] < 0x20 || bytes[0] == 0x7F;
    return length == 2 && bytes[0] == 0xC2 && bytes[1] < 0xA0;
}

figure__text figure__text_clean(const char *given, bool plain)
{
    figure__text text = {{0}};
    size_t used = 0;
    for (const char *at = given != NULL ? given : ""; *at != 0;) {
        size_t length = character_length(at);
        size_t step = length > 0 ? length : 1;
        const char *shown = length > 0 ? at : replacement;
        size_t size = length > 0 ? length : strlen(replacement);
        if (length > 0 && is_control(at, length)) {
            shown = " ";
            size = 1;
        } else if (plain && size > 1) {
            shown = "?";
            size = 1;
        }
        if (used + size >= sizeof text.bytes)
            break;
        memcpy(text.bytes + used, shown, size);
        used += size;
        at += step;
    }
    return text;
}

size_t figure__text_next(const figure__text *text, size_t at)
{
    size_t length = announced_length((unsigned char)text->bytes[at]);
    return text->bytes[at] == 0 ? at : at + (length > 0 ? length : 1);
}

figure__text figure__text_cut(const figure__text *text, size_t length, bool plain)
{
    const char *mark = plain ? "..." : ellipsis;
    figure__text cut = {{0}};
    while (length > 0 && (text->bytes[length - 1] == ' ' || length + strlen(mark) >= sizeof cut.bytes))
        length--;
    memcpy(cut.bytes, text->bytes, length);
    memcpy(cut.bytes + length, mark, strlen(mark));
    return cut;
}
