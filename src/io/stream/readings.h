/* SPDX-License-Identifier: MIT
 * The files of a stream that is read more than once: what the first reading met is what every other one must
 * meet, or what was learnt of the stream beforehand is not true of what is played. */
#ifndef WEFT_IO_STREAM_READINGS_H
#define WEFT_IO_STREAM_READINGS_H

#include "io/text/lines.h"

/* Invariant: `first` has the digests of all files where `complete`; from the first rewind on `again` has
 * those of the reading that is under way. */
typedef struct weft__readings {
    weft__sources first, again;
    bool complete; /* the first reading came to its end */
    bool repeated; /* another one is under way */
} weft__readings;

/* Where the files that are opened now are taken down. */
weft__sources *weft__readings_current(weft__readings *readings);

/* The last file of this reading came to its end. */
void weft__readings_end(weft__readings *readings);

/* The files are read from their beginnings again. */
void weft__readings_rewind(weft__readings *readings);

/* After every record: WEFT_INPUT where the file that is read is longer than it was, or at its end not what it
 * was. */
weft_status weft__readings_check(const weft__readings *readings, const weft__lines *lines, weft_error *error);

void weft__readings_free(weft__readings *readings);

#endif
