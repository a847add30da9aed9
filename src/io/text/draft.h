/* SPDX-License-Identifier: MIT
 * Drafts from inside (see weft_draft). */
#ifndef WEFT_IO_TEXT_DRAFT_H
#define WEFT_IO_TEXT_DRAFT_H

#include "base/memory.h"
#include "base/status.h"

typedef struct weft__draft_options {
    bool owner_only; /* a file that is new is for its owner alone */
    bool named;      /* as on a file system that has no files without a name */
} weft__draft_options;

/* weft_draft_create with the options and a memory. */
weft_status weft__draft_begin(const char *path, const weft__draft_options *options, const weft_memory *memory,
                              weft_draft **draft, weft_error *error);

#endif
