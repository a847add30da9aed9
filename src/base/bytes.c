/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"

#include <string.h>

void weft__put_integer(weft__encoder *writer, int64_t value)
{
    uint64_t bits = (uint64_t)value;
    if (writer->at != NULL)
        for (int k = 0; k < 8; k++)
            writer->at[writer->size + (size_t)k] = (unsigned char)(bits >> (8 * k));
    writer->size += 8;
}

void weft__put_double(weft__encoder *writer, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    weft__put_integer(writer, bits);
}

int64_t weft__get_integer(weft__decoder *reader)
{
    uint64_t bits = 0;
    if (reader->failed || reader->left < 8) {
        reader->failed = true;
        return 0;
    }
    for (int k = 0; k < 8; k++)
        bits |= (uint64_t)reader->at[k] << (8 * k);
    reader->at += 8;
    reader->left -= 8;
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double weft__get_double(weft__decoder *reader)
{
    int64_t bits = weft__get_integer(reader);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void weft__put_bytes(weft__encoder *writer, const void *bytes, size_t count)
{
    if (writer->at != NULL && count > 0)
        memcpy(writer->at + writer->size, bytes, count);
    writer->size += count;
}

const unsigned char *weft__get_bytes(weft__decoder *reader, int64_t count)
{
    if (reader->failed || count < 0 || (uint64_t)count > reader->left) {
        reader->failed = true;
        return NULL;
    }
    const unsigned char *bytes = reader->at;
    reader->at += count;
    reader->left -= (size_t)count;
    return bytes;
}

int weft__get_choice(weft__decoder *reader, int choices)
{
    int64_t value = weft__get_integer(reader);
    reader->failed = reader->failed || value < 0 || value >= choices;
    return reader->failed ? 0 : (int)value;
}
