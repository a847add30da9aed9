/* SPDX-License-Identifier: MIT
 * Text from files, such as ids, as people may be shown it. */
#ifndef WEFT_BASE_SHOW_H
#define WEFT_BASE_SHOW_H

#include "weft_advanced.h"

/* Writes to `shown` what weft_show would, in fewer than `size` bytes and a terminating 0; what
 * does not fit is cut at a character and ends in "...".  size is at least 16. */
void weft__show_into(const char *text, size_t size, char *shown);

/* Whether the bytes at `text` begin with a character of UTF-8; its length is left in *length, and
 * what it is in *point. */
bool weft__decode(const char *text, size_t *length, uint32_t *point);

#endif
