/* SPDX-License-Identifier: MIT
 * How models and reports are written: whoever looks under the name of the file finds what was there before or
 * all of the new, also after a crash.
 *
 *     create --descriptor, write--> publish --> free
 *
 * Until it is published a draft is for its owner alone.  Then it has the mode, the access list and, where
 * that is permitted, the owner and the group of the file that it replaces; other extended attributes are
 * not kept.  A symbolic link is replaced, not followed.  Also for programs. */
#ifndef WEFT_IO_TEXT_DRAFT_H
#define WEFT_IO_TEXT_DRAFT_H

#include "weft.h"

typedef struct weft__draft weft__draft;

typedef struct weft__draft_options {
    bool owner_only; /* a file that is new has the mode 0600 in place of 0666, both without the umask */
    bool named;      /* as on a file system that has no files without a name */
} weft__draft_options;

/* Whether a draft can take the name: a regular file is there, or nothing.  False for a directory, a device,
 * a pipe, a file that is a mount point or immutable, and names of descriptors such as /dev/stdout. */
bool weft__draft_possible(const char *path);
/* `options` and `memory` may be NULL.  WEFT_WRITE where the directory cannot be written to or the name cannot
 * be taken. */
weft_status weft__draft_create(const char *path, const weft__draft_options *options,
                               const weft_memory *memory, weft__draft **draft, weft_error *error);
/* To write to; it belongs to the draft, which closes it. */
int weft__draft_descriptor(const weft__draft *draft);
/* Brings it to the disk and gives it its name, once.  WEFT_WRITE where that fails. */
weft_status weft__draft_publish(weft__draft *draft, weft_error *error);
/* Drops what was not published; takes NULL. */
void weft__draft_free(weft__draft *draft);

#endif
