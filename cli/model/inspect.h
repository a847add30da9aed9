/* SPDX-License-Identifier: MIT
 * What `weft inspect` tells, and its two languages. */
#ifndef WEFT_CLI_MODEL_INSPECT_H
#define WEFT_CLI_MODEL_INSPECT_H

#include "cli/model/summary.h"
#include "cli/report/facts.h"
#include "weft_files.h"

#include <jansson.h>
#include <stdio.h>

typedef struct inspection inspection;

/* How a kind of player is told. */
typedef struct inspect_ops {
    const char *disturbed; /* what may have happened to it */
    void (*tell)(const inspection *seen, FILE *out);
    /* For programs: its settings and its counters; and what else is told of it is put into the object, which
     * may be NULL.  Each is NULL, or not 0, when there is no memory. */
    json_t *(*settings)(const inspection *seen);
    json_t *(*counters)(const inspection *seen);
    int (*add_rest)(const inspection *seen, json_t *object);
} inspect_ops;

/* The last: of a committee whose side information was not read, so that there is no player. */
extern const inspect_ops inspect_learner, inspect_committee, inspect_committee_alone;

struct inspection {
    const char *path;
    weft_model model;
    player_facts facts;
    const inspect_ops *ops;
    const weft_player *leader; /* whose evidence is told: of a committee the learner that leads, or NULL */
    summary evidence;
    bool compact;       /* there is no evidence */
    bool sides;         /* the side information was read, so that its radius is known */
    const char *unread; /* why it was not */
};

/* "-1/+1", "0/1" or "unknown" */
/* Of a digest, in hexadecimal. */
typedef struct digest_text {
    char text[33];
} digest_text;
digest_text inspect_digest(const uint64_t half[2]);
/* Trials and mistakes. */
void inspect_counters(const inspection *seen, FILE *out);
void inspect_disturbed(const inspection *seen, FILE *out);

/* inspect_json.c: one line. */
weft_status inspect_json(const inspection *seen, FILE *out, weft_error *error);

/* Settings and counters of a learner, for programs. */
json_t *inspect_learner_settings(const inspection *seen);
json_t *inspect_learner_counters(const inspection *seen);

#endif
