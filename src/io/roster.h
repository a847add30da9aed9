/* SPDX-License-Identifier: MIT
 * Rosters as models need them. */
#ifndef WEFT_IO_ROSTER_H
#define WEFT_IO_ROSTER_H

#include "io/sources.h"

/* weft_roster_open where the files may come from elsewhere: with `stored` not NULL
 * they are read from there, and it is exchanged for something that may be freed. */
weft_status weft__roster_open(const char *spec, const weft_file_options *options, weft__sources *stored,
                              weft_roster **roster, weft_error *error);

/* What a model knows of a side without its files. */
typedef struct weft__known_ids {
    weft__sources sources;
    weft_ids *ids;
    int64_t listed; /* of these */
} weft__known_ids;

/* A roster that reads no file: its side is that of `none`.  On success it takes
 * over what is in *known. */
weft_status weft__roster_look(const char *spec, const weft_file_options *options, weft__known_ids *known,
                              weft_roster **roster, weft_error *error);

/* From now on there is room for `capacity` ids. */
void weft__roster_limit(weft_roster *roster, int64_t capacity);

#endif
