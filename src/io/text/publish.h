/* SPDX-License-Identifier: MIT */
#ifndef WEFT_IO_TEXT_PUBLISH_H
#define WEFT_IO_TEXT_PUBLISH_H

#include "base/progress.h"

/* Puts `size` bytes under the name `path`, all or nothing, as a draft that is for its owner alone
 * where it is new. */
weft_status weft__publish(const char *path, const void *bytes, size_t size, weft__making making,
                          weft_error *error);

#endif
