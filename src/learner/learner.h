/* SPDX-License-Identifier: MIT */
#ifndef WEFT_LEARNER_LEARNER_H
#define WEFT_LEARNER_LEARNER_H

#include "learner/compact/compact.h"
#include "learner/form.h"
#include "learner/space.h"
#include "player/player.h"

/* The pair that the engine is working on. */
typedef struct weft__pending {
    bool valid; /* its sequences belong to the evidence as it is now */
    int64_t pair[2];
    weft__embedding embedding;
    weft__start start[2];
    weft__spectral_bound bound; /* the learner's, or a new one where that was wrong */
    int64_t extra_products;     /* spent on a new bound */
    bool redone;
    double threshold; /* that it was compared with; NAN: none yet, INFINITY: several */
} weft__pending;

/* Invariants: the sides are borrowed; backend, bound, counters and settings are
 * the state (weft__learner_write); engine, image and pending are workspace that
 * nothing depends on but speed. */
typedef struct weft__learner {
    weft_player player;
    weft_settings settings;
    const weft__form_ops *form;
    int64_t dimensions; /* m + n, or n for one set; 0: ids have no bound */
    double log_kappa;
    weft__backend *backend; /* one of the next two; the other is NULL */
    weft__space *space;
    weft__compact *compact;
    weft__spectral_bound bound;
    weft_counters counters;
    int64_t revision; /* rises when the evidence changes: for those who keep what follows from it */
    weft__spectral_engine *engine;
    double *image[2];
    double *work;           /* 3 vectors */
    int64_t image_capacity; /* elements of one image */
    bool fitted;            /* image, work and engine belong to the backend as it is */
    weft__pending pending;
    struct weft__ranker *ranker; /* NULL until it is first asked for */
} weft__learner;

/* The learner behind a player; NULL for other kinds, and for NULL. */
weft__learner *weft__learner_in(const weft_player *player);

extern const weft__player_ops weft__learner_ops;

/* WEFT_ARGUMENT names the setting that is out of its range. */
weft_status weft__settings_check(const weft_settings *settings, weft_error *error);

/* Fits the workspaces to the backend; called whenever that has moved.  What was
 * pending is no longer.  Where it fails they are fitted before their next use. */
weft_status weft__learner_prepare(weft__learner *learner, weft_error *error);

/* Touches ids that the reference engine, which works on all ids, lacks, those of the pair (-1: of none)
 * among them, and fits the workspaces where that is still to be done. */
weft_status weft__learner_admit(weft__learner *learner, const int64_t pair[2], weft_error *error);

/* ---- learner.c ---- */

/* As the public functions say. */
weft_status weft__learner_begin(const weft_side *rows, const weft_side *columns,
                                const weft_settings *settings, const weft_memory *memory,
                                weft__learner **learner, weft_error *error);
void weft__learner_free(weft__learner *learner);
weft_status weft__learner_set_threads(weft__learner *learner, int threads, weft_error *error);
int64_t weft__learner_evidence_count(const weft__learner *learner);
weft_evidence_entry weft__learner_evidence(const weft__learner *learner, int64_t k);

/* weft__learner_begin for sides that may have grown past the capacities since:
 * ids beyond these are refused when they are used. */
weft_status weft__learner_make(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                               const weft_memory *memory, weft__learner **learner, weft_error *error);

/* A learner with the settings and sides of this one and nothing learnt. */
weft_status weft__learner_sibling(const weft__learner *learner, weft__learner **sibling, weft_error *error);

/* Adds counts to the evidence; the bound and weft__learner_prepare are left to
 * the caller.  On failure some may have been added. */
weft_status weft__learner_replay(weft__learner *learner, const weft_evidence_entry *entries, int64_t count,
                                 weft__progress *progress, weft_error *error);

/* About how many multiplications a product by the evidence and the kernels takes. */
double weft__learner_product_work(const weft__learner *learner);

/* Room for more ids, never for fewer; kappa becomes smaller.  Not where ids have no bound. */
void weft__learner_enlarge(weft__learner *learner, int64_t rows, int64_t columns);

/* ---- trial.c, merge.c, explain.c, state.c: as the public functions say ---- */

weft_status weft__learner_predict(weft__learner *learner, const int64_t pair[2], int64_t t,
                                  weft_answer *answer, weft_error *error);
weft_status weft__learner_evaluate(weft__learner *learner, const int64_t pair[2], double tolerance,
                                   weft_answer *answer, weft_error *error);
weft_status weft__learner_learn(weft__learner *learner, const int64_t pair[2], int label, weft_answer *answer,
                                weft_error *error);
weft_status weft__learner_learn_late(weft__learner *learner, const weft__late *trial, weft_answer *answer,
                                     weft_error *error);
/* The probability that a drawn prediction is +1. */
double weft__learner_vote(const weft__learner *learner, int label, double probability);

weft_status weft__learner_add(weft__learner *learner, const weft_evidence_entry *entries, int64_t count,
                              weft__progress *progress, weft_error *error);
weft_status weft__learner_count_more(weft__learner *learner, const weft_counters *more, weft_error *error);
weft_status weft__learner_merge(weft__learner *learner, const weft__learner *other,
                                const weft__numbers *numbers, weft__progress *progress, weft_error *error);
weft_status weft__learner_forget(weft__learner *learner, int which, int64_t id, weft__progress *progress,
                                 weft_error *error);
weft_status weft__learner_clone(const weft__learner *learner, weft__progress *progress, weft__learner **copy,
                                weft_error *error);
weft_status weft__learner_reset(weft__learner *learner, weft_error *error);

weft_status weft__learner_explain(weft__learner *learner, const int64_t pair[2], double tolerance,
                                  weft__progress *progress, weft_explanation *explanation,
                                  weft_influence *influences, weft_error *error);

weft_status weft__learner_write(const weft__learner *learner, void *buffer, size_t *size, weft_error *error);
weft_status weft__learner_restore(const weft_side *rows, const weft_side *columns, const void *buffer,
                                  size_t size, weft__making making, weft__learner **learner,
                                  weft_error *error);
/* The same where the sides may list more ids than the state has room for. */
typedef struct weft__learner_bytes {
    const void *buffer;
    size_t size;
    bool grown;
} weft__learner_bytes;
weft_status weft__learner_restore_from(const weft_side *rows, const weft_side *columns,
                                       const weft__learner_bytes *from, weft__making making,
                                       weft__learner **learner, weft_error *error);

/* The state before its cells, all of it for the compact engine; and one cell. */
enum { WEFT__CELL_BYTES = 24 };
void weft__learner_put_head(const weft__learner *learner, weft__encoder *writer);
void weft__learner_put_cell(const weft__learner *learner, int64_t k, weft__encoder *writer);

/* ---- pieces.c: as player/player.h says ---- */

bool weft__learner_put_entries(const weft_player *player, int64_t at[2], size_t bytes, weft__encoder *writer);
void weft__learner_put_changed(const weft_player *player, const int64_t pair[2], weft__encoder *writer);
void weft__learner_put_rest(const weft_player *player, weft__encoder *writer);
weft_status weft__learner_join(const weft_side *const sides[2], const weft__decoder *entries, int64_t count,
                               weft__decoder rest, const weft_memory *memory, weft_player **player,
                               weft_error *error);

/* ---- What these share ---- */

/* WEFT_UNSUPPORTED where no evidence is kept; `what` asks for it. */
weft_status weft__learner_need_evidence(const weft__learner *learner, const char *what, weft_error *error);

/* Makes room for the pair. */
weft_status weft__learner_reserve(weft__learner *learner, int64_t row, int64_t column, weft_error *error);

/* The bound from the evidence as it is. */
void weft__learner_rebound(weft__learner *learner);

/* The coordinates of the features that a state was learnt over: rows, columns (0 for one set); both
 * 0 where it has none. */
void weft__state_dimensions(const void *buffer, size_t size, int64_t dimensions[2]);

/* Error unless the ids are known and within the capacities. */
weft_status weft__learner_check_row(const weft__learner *learner, int64_t row, weft_error *error);
weft_status weft__learner_check_column(const weft__learner *learner, int64_t column, weft_error *error);
weft_status weft__learner_check(const weft__learner *learner, int64_t row, int64_t column, weft_error *error);

/* Error unless the kernel answers properly for ids that are about to join the
 * touched ones: a callback is looked at as it is met. */
weft_status weft__learner_check_new(const weft__learner *learner, int64_t row, int64_t column,
                                    weft_error *error);

#endif
