/* SPDX-License-Identifier: MIT
 * What `weft inspect` tells, and its two languages. */
#ifndef WEFT_CLI_INSPECT_H
#define WEFT_CLI_INSPECT_H

#include "summary.h"
#include "weft.h"

#include <stdio.h>

typedef struct inspection {
    const char *path;
    weft_model model;
    summary evidence;
    bool compact;       /* there is no evidence */
    bool sides;         /* the side information was read, so that its radius is known */
    const char *unread; /* why it was not */
} inspection;

/* "-1/+1", "0/1" or "unknown" */
const char *inspect_labels(const inspection *seen);
/* Of a digest, in hexadecimal. */
typedef struct digest_text {
    char text[33];
} digest_text;
digest_text inspect_digest(const weft_source *source);
/* The word before the colon of a SPEC. */
typedef struct kind_text {
    char text[16];
} kind_text;
kind_text inspect_kind(const weft_roster *roster);

/* inspect_json.c: one line. */
weft_status inspect_json(const inspection *seen, FILE *out, weft_error *error);

#endif
