/* SPDX-License-Identifier: MIT
 * Many margins of one id at once.  ranker.c keeps the diagonal of F = K exp(CK),
 * rank.c answers a query.  Of a compact learner spectrum.c keeps decompositions instead, and
 * compact.c answers. */
#ifndef WEFT_LEARNER_RANKER_H
#define WEFT_LEARNER_RANKER_H

#include "learner/compact/spectrum.h"
#include "learner/rank/snapshot.h"

/* What is known of log F_jj. */
typedef struct weft__entry {
    double lower, upper;
    bool settled; /* as narrow as it is kept */
} weft__entry;

/* Invariants: kept[side][0..size[side]) belongs to the evidence of `revision`, and so
 * do the columns of the kernel across[side], where there are any: across[side] +
 * id * stride[side] is K(., id) on the touched ids of its side where has[side][id].
 * For one set of ids the second of each is unused.  Of a compact learner all of it is
 * unused but memory, spectrum and snapshot.learner. */
typedef struct weft__ranker {
    weft_memory memory;
    weft__snapshot snapshot;
    weft__spectrum *spectrum; /* NULL unless the learner is compact */
    int64_t revision;
    weft__entry *kept[2];
    int64_t size[2];
    double *across[2];
    bool *has[2];
    int64_t stride[2];
    weft__sequence whole, narrow; /* of the id that is asked for, and of a candidate */
    weft__action action;
    weft__operators swift;        /* those of `snapshot`, single precision to be had */
    weft__start start;            /* of `narrow` */
    double *x, *f, *image, *work; /* exp(CK) e, K exp(CK) e, K e and one more, n elements */
    int64_t capacity;             /* elements of these */
} weft__ranker;

/* Borrows the learner, which must outlive it and may go on learning. */
weft_status weft__ranker_create(weft__learner *learner, weft__ranker **ranker, weft_error *error);
void weft__ranker_free(weft__ranker *ranker); /* takes NULL */

/* The ranker of a learner, made when it is first asked for. */
weft_status weft__learner_ranker(weft__learner *learner, weft__ranker **ranker, weft_error *error);

/* As weft_player_rank, weft_learner_fill_diagonal and weft_learner_kept_diagonal say. */
weft_status weft__ranker_rank(weft__ranker *ranker, const weft_query *query, weft__progress *progress,
                              weft_ranked *ranked, int64_t *found, weft_error *error);
weft_status weft__ranker_fill(weft__ranker *ranker, weft__progress *progress, weft_error *error);
int64_t weft__ranker_kept(const weft__ranker *ranker);

/* weft__ranker_rank for compact learners. */
weft_status weft__rank_compact(weft__spectrum *spectrum, const weft_query *query, weft__progress *progress,
                               weft_ranked *ranked, int64_t *found, weft_error *error);

/* Follows the learner; what was kept is dropped where the evidence has changed. */
weft_status weft__ranker_fit(weft__ranker *ranker, weft_error *error);

/* Entries for these ids too, which nothing may have been learnt of. */
weft_status weft__ranker_stock(weft__ranker *ranker, int side, const int64_t *ids, int64_t count,
                               weft_error *error);

/* Where entries of a side (0 rows, 1 columns) are kept: one set has one. */
int weft__ranker_shelf(const weft__ranker *ranker, int side);

/* K(., id) on the touched ids of its side, padded with zeros; NULL where it is not
 * worth keeping, or too much.  Valid until the next fit. */
weft_status weft__ranker_column(weft__ranker *ranker, int side, int64_t id, const double **column,
                                weft_error *error);

/* Turns `narrow` to F_jj of an id; the bracket is in its entry.  `swift`: first in
 * single precision, for brackets that need not be narrow. */
void weft__ranker_begin(weft__ranker *ranker, int side, int64_t id, bool swift);
/* Narrows the entry of that id by a half step; *more as weft__snapshot_advance. */
weft_status weft__ranker_advance(weft__ranker *ranker, int side, int64_t id, bool *more, weft_error *error);

/* For files: the ids of a side, an entry that is settled (false where it is not),
 * and one put back.  For one set of ids side 1 has none. */
int64_t weft__ranker_size(const weft__ranker *ranker, int side);
bool weft__ranker_get(const weft__ranker *ranker, int side, int64_t id, double log_bracket[2]);
weft_status weft__ranker_put(weft__ranker *ranker, int side, int64_t id, const double log_bracket[2],
                             weft_error *error);

#endif
