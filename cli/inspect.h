/* SPDX-License-Identifier: MIT
 * What `weft inspect` tells, and its two languages. */
#ifndef WEFT_CLI_INSPECT_H
#define WEFT_CLI_INSPECT_H

#include "summary.h"
#include "weft.h"

#include <jansson.h>
#include <stdio.h>

typedef struct inspection {
    const char *path;
    weft_model model;
    const weft_player *leader; /* whose evidence is told: of a committee the learner that leads, or NULL */
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
/* "3 rows, 5 columns" or "8 ids" */
void inspect_capacity(const inspection *seen, FILE *out);
void inspect_disturbed(const inspection *seen, FILE *out);

/* inspect_json.c: one line. */
weft_status inspect_json(const inspection *seen, FILE *out, weft_error *error);

/* inspect_committee.c: settings, counters, guarantee and members of a committee, for people; its settings and
 * counters, and the rest of what is told of it put into the object, which may be NULL, for programs. */
void inspect_committee(const inspection *seen, FILE *out);
json_t *inspect_committee_settings(const inspection *seen);
json_t *inspect_committee_counters(const inspection *seen);
int inspect_committee_members(const inspection *seen, json_t *object);

#endif
