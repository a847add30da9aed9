/* SPDX-License-Identifier: MIT
 * Bytes behind gzip: any number of members one after the other. */
#ifndef WEFT_IO_TEXT_GZIP_H
#define WEFT_IO_TEXT_GZIP_H

#include "io/text/lines.h"

/* Whether bytes begin as gzip does; no text begins so. */
bool weft__is_gzip(const char *bytes, int64_t size);

/* From now on `lines` reads through gzip; `size` raw bytes were read before.  On
 * failure the lines are as before. */
weft_status weft__gzip_begin(weft__lines *lines, const char *bytes, int64_t size, weft_error *error);

/* Takes NULL. */
void weft__gzip_free(weft__gzip *gzip);

#endif
