/* SPDX-License-Identifier: MIT
 * The seam of the committee: one that votes, learns, and can be written down, whatever it is. */
#ifndef WEFT_COMMITTEE_MEMBER_H
#define WEFT_COMMITTEE_MEMBER_H

#include "base/bytes.h"
#include "base/memory.h"
#include "side/sheet.h"

/* What a member says of a pair. */
typedef struct weft__voice {
    int vote;     /* +1 or -1 */
    double score; /* larger means rather +1; log-odds, compressed, by the member's own lights */
} weft__voice;

typedef struct weft__member weft__member;

typedef struct weft__member_kind {
    weft_status (*create)(weft__member *member, weft_error *error);
    /* Changes nothing that can be seen. */
    weft_status (*predict)(weft__member *member, const int64_t pair[2], weft__voice *voice,
                           weft_error *error);
    /* On failure nothing was learnt. */
    weft_status (*learn)(weft__member *member, const int64_t pair[2], int label, weft_error *error);
    /* About how many multiplications the trial took that was just learnt: a count, never a clock. */
    double (*price)(weft__member *member);
    weft_status (*write)(const weft__member *member, void *buffer, size_t *size, weft_error *error);
    /* In place of create. */
    weft_status (*read)(weft__member *member, const void *buffer, size_t size, weft_error *error);
    void (*release)(weft__member *member);
    /* As that of a rival (rival/rival.h). */
    bool (*share)(weft__member *member, int which, weft__sheet *sheet);
} weft__member_kind;

/* Invariant: exactly one of learner and rival is there, once it is created. */
struct weft__member {
    const weft__member_kind *kind;
    weft_memory memory;
    weft_member given;
    weft_learner *learner;
    weft_rival *rival;
    int64_t since;            /* the trial at which it was woken or put to rest */
    int64_t trials, mistakes; /* while it was awake, since the last merge */
    int64_t seen;             /* labels that it has learnt and not forgotten */
    double work;              /* prices since the last checkpoint, or since it was woken */
    int64_t products;         /* of a learner: those that are paid */
    weft__sheet *sheet[2];    /* that it reads in every trial, of its row and its column; NULL: none */
    double promise; /* of a sleeper: its Wald statistic when it was put to rest, less with every return */
    int64_t until;  /* of one that has returned: the end of its probation; else 0 */
};

extern const weft__member_kind weft__member_learner;
extern const weft__member_kind weft__member_rival;

/* asinh(slope score), a score compressed so that no trial outshouts a thousand others. */
double weft__compress(double slope, double score);

#endif
