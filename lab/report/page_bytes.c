/* SPDX-License-Identifier: MIT */
#include "lab/report/page_bytes.h"

#include "program/new.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void lab_bytes_add(lab_bytes *bytes, const void *more, size_t count)
{
    if (count >= bytes->capacity - bytes->count) {
        size_t capacity = 2 * (bytes->capacity + count) + 1;
        char *at = new_array((int64_t)capacity, 1);
        if (bytes->count > 0)
            memcpy(at, bytes->at, bytes->count);
        free(bytes->at);
        bytes->at = at;
        bytes->capacity = capacity;
    }
    memcpy(bytes->at + bytes->count, more, count);
    bytes->count += count;
    bytes->at[bytes->count] = 0;
}

void lab_bytes_add_text(lab_bytes *bytes, const char *text)
{
    lab_bytes_add(bytes, text, strlen(text));
}

/* The bytes of the UTF-8 character that begins there; 0 where there is none. */
static size_t character_length(const unsigned char *at)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    if (length < 2)
        return length;
    unsigned long code = at[0] & (0xFFU >> (length + 1));
    for (size_t k = 1; k < length; k++) {
        if ((at[k] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (at[k] & 0x3F);
    }
    bool allowed = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return allowed ? length : 0;
}

static const char *entity_of(char byte)
{
    return byte == '<'   ? "&lt;"
           : byte == '>' ? "&gt;"
           : byte == '&' ? "&amp;"
           : byte == '"' ? "&quot;"
                         : NULL;
}

void lab_bytes_add_escaped(lab_bytes *bytes, const char *text)
{
    while (*text != 0) {
        size_t length = character_length((const unsigned char *)text);
        const char *entity = entity_of(*text);
        if (entity != NULL)
            lab_bytes_add_text(bytes, entity);
        else if (length == 0)
            lab_bytes_add_text(bytes, "\xEF\xBF\xBD");
        else if (((unsigned char)*text < 0x20 && *text != '\n') || *text == 0x7F)
            lab_bytes_add_text(bytes, " ");
        else
            lab_bytes_add(bytes, text, length);
        text += length > 0 ? length : 1;
    }
}

void lab_bytes_add_base64(lab_bytes *bytes, const void *more, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = more;
    for (size_t k = 0; k < count; k += 3) {
        size_t left = count - k;
        unsigned three = (unsigned)from[k] << 16 | (left > 1 ? (unsigned)from[k + 1] << 8 : 0) |
                         (left > 2 ? (unsigned)from[k + 2] : 0);
        char four[4] = {letters[three >> 18], letters[three >> 12 & 63],
                        left > 1 ? letters[three >> 6 & 63] : '=', left > 2 ? letters[three & 63] : '='};
        lab_bytes_add(bytes, four, sizeof four);
    }
}
