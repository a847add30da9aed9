/* SPDX-License-Identifier: MIT */
#ifndef WEFT_IO_TEXT_LOAD_H
#define WEFT_IO_TEXT_LOAD_H

#include "base/progress.h"

/* All bytes of the regular file `path`, to be deleted.  `what` is what it should be,
 * for messages: "a model".  WEFT_FILE where it cannot be read, WEFT_MODEL where it
 * has more bytes than `limit` or gets shorter meanwhile. */
weft_status weft__load(const char *path, const char *what, int64_t limit, weft__making making,
                       unsigned char **bytes, int64_t *size, weft_error *error);

#endif
