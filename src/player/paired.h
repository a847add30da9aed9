/* SPDX-License-Identifier: MIT
 * Paired comparisons (weft_paired) from inside: joined, and as bytes. */
#ifndef WEFT_PLAYER_PAIRED_H
#define WEFT_PLAYER_PAIRED_H

#include "base/bytes.h"
#include "weft_advanced.h"

/* The trials of `other` behind those of `paired`. */
void weft__paired_append(weft_paired *paired, const weft_paired *other);

void weft__paired_write(const weft_paired *paired, weft__encoder *writer);
/* False where the bytes are not what `write` writes. */
bool weft__paired_read(weft_paired *paired, weft__decoder *reader);

#endif
