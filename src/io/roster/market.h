/* SPDX-License-Identifier: MIT
 * Matrix Market files: square matrices and graphs whose ids stand in a file of
 * their own. */
#ifndef WEFT_IO_ROSTER_MARKET_H
#define WEFT_IO_ROSTER_MARKET_H

#include "io/roster/contents.h"

/* Whether the current record, the first of its file, is a Matrix Market banner. */
bool weft__is_market(const weft__text *text);

/* Reads the rest of the file, of which the banner is the current record, and the
 * ids that `spec` names: into `values` for kernel and matrix, into edges for a
 * graph.  Other kinds refuse. */
weft_status weft__market_read(weft__text *text, const weft__spec *spec, const weft__input *input,
                              weft_ids *ids, weft__contents *contents, weft_error *error);

#endif
