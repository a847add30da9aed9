/* SPDX-License-Identifier: MIT
 * What members of a committee have in common, to be measured by benchmarks and tests. */
#ifndef WEFT_COMMITTEE_MEMBERS_SHARING_H
#define WEFT_COMMITTEE_MEMBERS_SHARING_H

#include "weft_advanced.h"

/* Columns of kernels since the committee was made or read: how many members asked for, and how many were
 * made for that.  Of a committee apart nothing is counted. */
typedef struct weft__sharing {
    int64_t asked, made;
} weft__sharing;
weft__sharing weft__committee_sharing(const weft_player *player);

/* From now on every member of a committee that was asked nothing yet makes for itself what they could share.
 * Slower, and else the same.  No part of a state. */
void weft__committee_set_apart(weft_player *player);

#endif
