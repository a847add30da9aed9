/* SPDX-License-Identifier: MIT */
#ifndef WEFT_IO_PUBLISH_H
#define WEFT_IO_PUBLISH_H

#include "base/memory.h"

/* Puts `size` bytes under the name `path`, all or nothing: whoever looks there
 * finds what was there before or all of this, also after a crash.  WEFT_WRITE
 * names what failed, and then nothing is left behind.  A link is replaced, not
 * followed. */
weft_status weft__publish(const char *path, const void *bytes, size_t size, const weft_memory *memory,
                          weft_error *error);

#endif
