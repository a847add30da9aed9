/* SPDX-License-Identifier: MIT
 * Numbers as little-endian bytes, the same on every machine. */
#ifndef WEFT_BASE_BYTES_H
#define WEFT_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No count of trials, labels or ids is beyond: doubles hold all of them exactly, and from there no sum
 * overflows. */
#define WEFT__MOST_COUNT (INT64_C(1) << 53)

/* A sink; with `at` NULL it only counts. */
typedef struct weft__encoder {
    unsigned char *at;
    size_t size;
} weft__encoder;

/* A source; once it is short of bytes it answers zeros and `failed` stays. */
typedef struct weft__decoder {
    const unsigned char *at;
    size_t left;
    bool failed;
} weft__decoder;

void weft__put_integer(weft__encoder *writer, int64_t value);
void weft__put_double(weft__encoder *writer, double value);
void weft__put_bytes(weft__encoder *writer, const void *bytes, size_t count);
int64_t weft__get_integer(weft__decoder *reader);
double weft__get_double(weft__decoder *reader);
/* One of 0 to choices - 1; anything else has failed, and is 0. */
int weft__get_choice(weft__decoder *reader, int choices);
/* Where `count` bytes begin, or NULL where there are fewer (then it has failed). */
const unsigned char *weft__get_bytes(weft__decoder *reader, int64_t count);

#endif
