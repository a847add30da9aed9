/* SPDX-License-Identifier: MIT
 * The words of a SPEC that ask for finite features: map= and seed=. */
#ifndef WEFT_IO_ROSTER_SPEC_MAP_H
#define WEFT_IO_ROSTER_SPEC_MAP_H

#include "io/roster/spec.h"

/* WEFT_ARGUMENT names the word that was not understood. */
weft_status weft__spec_set_map(const char *value, weft__spec *spec, weft_error *error);
weft_status weft__spec_set_seed(const char *value, weft__spec *spec, weft_error *error);

/* When all words are read: whether the kernel, `kind` in words, can have the map; and whether
 * there is one where seed= (`seeded`) or names=hashed are given. */
weft_status weft__spec_check_map(const weft__spec *spec, const char *kind, bool seeded, weft_error *error);

#endif
