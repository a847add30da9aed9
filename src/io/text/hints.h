/* SPDX-License-Identifier: MIT
 * The likely cause of a failure, where the files give it away. */
#ifndef WEFT_IO_TEXT_HINTS_H
#define WEFT_IO_TEXT_HINTS_H

#include "io/text/text.h"

#include "weft_files.h"

enum { WEFT__HINT = sizeof(weft_hint) };
typedef weft_hint weft__hint;

/* Why `name` may not be among the first `listed` of `ids`: another case, blanks
 * around it, one letter too many, too few or wrong, or counting from 0 where they
 * count from 1 and the other way round.  O(listed). */
weft__hint weft__hint_id(const weft_ids *ids, int64_t listed, const char *name);

/* Why the current record may have too few fields: semicolons or vertical bars between them. */
weft__hint weft__hint_fields(const weft__text *text);

/* Whether the cell would be a number without its commas: 1,5 or 1,000,000. */
bool weft__has_commas(const char *cell);
/* Why it is none: its commas. */
weft__hint weft__hint_number(const char *cell);

#endif
