/* SPDX-License-Identifier: MIT */
#ifndef WEFT_LEARNER_LEARNER_H
#define WEFT_LEARNER_LEARNER_H

#include "learner/compact.h"
#include "learner/form.h"
#include "learner/space.h"

/* The pair that the engine is working on. */
typedef struct weft__pending {
    bool valid; /* its sequences belong to the evidence as it is now */
    int64_t pair[2];
    weft__embedding embedding;
    weft__start start[2];
    weft__bound bound;      /* the learner's, or a new one where that was wrong */
    int64_t extra_products; /* spent on a new bound */
    bool redone;
} weft__pending;

/* Invariants: the sides are borrowed; ground, bound, counters and settings are
 * the state (weft_learner_write); engine, image and pending are workspace that
 * nothing depends on but speed. */
struct weft_learner {
    weft_memory memory;
    const weft_side *rows, *columns; /* columns NULL for one set */
    weft_settings settings;
    const weft__form_kind *form;
    int64_t dimensions; /* m + n, or n for one set */
    double log_kappa;
    weft__ground *ground; /* one of the next two; the other is NULL */
    weft__space *space;
    weft__compact *compact;
    weft__bound bound;
    weft_counters counters;
    int64_t revision; /* rises when the evidence changes: for those who keep what follows from it */
    weft__engine *engine;
    double *image[2];
    double *work;           /* 3 vectors */
    int64_t image_capacity; /* elements of one image */
    bool fitted;            /* image, work and engine belong to the ground as it is */
    weft__pending pending;
};

/* WEFT_ARGUMENT names the setting that is out of its range. */
weft_status weft__settings_check(const weft_settings *settings, weft_error *error);

/* Fits the workspaces to the ground; called whenever that has moved.  What was
 * pending is no longer.  Where it fails they are fitted before their next use. */
weft_status weft__learner_prepare(weft_learner *learner, weft_error *error);

/* Touches ids that the reference engine, which works on all ids, lacks, and fits
 * the workspaces where that is still to be done. */
weft_status weft__learner_admit(weft_learner *learner, weft_error *error);

/* weft_learner_create for sides that may have grown past the capacities since:
 * ids beyond these are refused when they are used. */
weft_status weft__learner_make(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                               const weft_memory *memory, weft_learner **learner, weft_error *error);

/* A learner with the settings and sides of this one and nothing learnt. */
weft_status weft__learner_sibling(const weft_learner *learner, weft_learner **sibling, weft_error *error);

/* Adds counts to the evidence; the bound and weft__learner_prepare are left to
 * the caller.  On failure some may have been added. */
weft_status weft__learner_replay(weft_learner *learner, const weft_evidence_entry *entries, int64_t count,
                                 weft_error *error);

/* Room for more ids, never for fewer; kappa becomes smaller. */
void weft__learner_enlarge(weft_learner *learner, int64_t rows, int64_t columns);

/* WEFT_UNSUPPORTED where no evidence is kept; `what` asks for it. */
weft_status weft__learner_need_evidence(const weft_learner *learner, const char *what, weft_error *error);

/* Makes room for the pair. */
weft_status weft__learner_reserve(weft_learner *learner, int64_t row, int64_t column, weft_error *error);

/* The bound from the evidence as it is. */
void weft__learner_rebound(weft_learner *learner);

/* The coordinates of the features that a state was learnt over: rows, columns (0 for one set); both
 * 0 where it has none. */
void weft__state_dimensions(const void *buffer, size_t size, int64_t dimensions[2]);

/* Error unless the ids are known and within the capacities. */
weft_status weft__learner_check_row(const weft_learner *learner, int64_t row, weft_error *error);
weft_status weft__learner_check_column(const weft_learner *learner, int64_t column, weft_error *error);
weft_status weft__learner_check(const weft_learner *learner, int64_t row, int64_t column, weft_error *error);

/* Error unless the kernel answers properly for ids that are about to join the
 * touched ones: a callback is looked at as it is met. */
weft_status weft__learner_check_new(const weft_learner *learner, int64_t row, int64_t column,
                                    weft_error *error);

#endif
