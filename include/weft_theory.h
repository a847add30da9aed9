/* SPDX-License-Identifier: MIT
 *
 * What the theorems promise of one learner (weft_advanced.h). */
#ifndef WEFT_THEORY_H
#define WEFT_THEORY_H

#include "weft_advanced.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each function says the statement that it comes from, by its label in the paper's source.  Three steps:
 *
 *     truth + sides --measure--> D, gamma --tune--> settings
 *                                   +--- settings, what happened --judge--> bound
 *
 * Logarithms are natural.  `size` is m + n, for one set of ids n. */

/* What is known of the matrix: the classes of its rows and columns, or only how many there are.  {0}:
 * nothing.  Borrowed for the call. */
typedef struct weft_truth {
    const int64_t *row_class; /* one class for each id that the side lists, or NULL; < 0: it never occurs */
    const int64_t *column_class; /* one set of ids: not used */
    /* k and l where only they are known (their arrays are NULL); 0: unknown. */
    int64_t row_classes, column_classes;
    /* Two sides over the same ids with the label +1 iff the classes are equal (section 4.2); both arrays or
     * both numbers must agree.  One set of ids always means this. */
    bool communities;
} weft_truth;

/* One side's share of D_circ (thm:bndpdim), for the partition matrix R of the classes and M = K^-1.
 * Infinite where K is singular and R is not in its range. */
typedef struct weft_side_term {
    int64_t classes;  /* k: distinct classes that occur */
    double trace;     /* R_M tr(R'MR), as it stands in the paper */
    double general;   /* k R_M tr(R'MR): any positive definite M */
    double laplacian; /* 2 R_M tr(R'MR) + 2k: plain PDLaplacians, else infinite */
    double sharp;     /* R_M sum_rs |(R'MR)_rs|: the rows of P* are unit vectors */
    double value;     /* the smallest of them */
    double cut;       /* tr(R'LR), twice the weight of the edges between classes,
                         where the side is a plain PDLaplacian and all ids have a class; else -1 */
} weft_side_term;

/* Measures one side against given classes (as in weft_truth, not NULL).  O(count) for none, O(count *
 * groups) for classes, else dense: O(count^2) memory and O(count^3) time. */
WEFT_API weft_status weft_theory_side(const weft_side *side, const int64_t *class_of, weft_side_term *term,
                                      weft_error *error);

/* D = 4 R tr(R'MR) of one set of ids (similarity prediction after Gentile, Herbster and Pasteris, 2013;
 * section 4.2 generalises it), for M = K_S^+, K_S the kernel without its constant; a plain PDLaplacian: 4
 * R_L tr(R'LR).  Cost as above. */
WEFT_API weft_status weft_theory_one_set(const weft_side *side, const int64_t *class_of, double *dimension,
                                         weft_error *error);

/* The largest margin known to be valid: 1/sqrt(min(k,l)) for a (k,l)-biclustered matrix (eq:mclbl; 0 stands
 * for an unknown number, both 0 give 0), and 1/(3 - 4/k) for communities (section 4.2, its decomposition
 * with the mean taken out; 1 for k = 1). */
WEFT_API double weft_theory_gamma(int64_t k, int64_t l);
WEFT_API double weft_theory_gamma_communities(int64_t k);

/* The numbers that every bound is made of. */
typedef struct weft_scale {
    double dimension; /* the estimate D that the learner uses */
    double gamma;
    int64_t size;    /* m + n; one set: n */
    int64_t horizon; /* T */
} weft_scale;

/* eta = sqrt(D log(size) / (2T)) of thm:base, regret.  (Realizable: gamma.) */
WEFT_API double weft_theory_eta(weft_scale scale);
/* thm:base, expected regret: 4 sqrt(2 D/gamma^2 log(size) T). */
WEFT_API double weft_theory_regret(weft_scale scale);
/* thm:base_bef_alg (appendix): (2/gamma) sqrt(2 D log(size) T) + (2/gamma) D log(size); infinite unless T >=
 * 2 D log(size). */
WEFT_API double weft_theory_regret_sharp(weft_scale scale);
/* theorem1part1, the hinge-loss lemma of the appendix, for deterministic predictions with margin updates, as
 * a bound on mistakes: 2 errors + (4/gamma) sqrt(2 D log(size) T) + (4/gamma) D log(size); infinite unless T
 * >= 2 D log(size). */
WEFT_API double weft_theory_hinge(weft_scale scale, int64_t errors);
/* thm:base, realizable: 3.6 D/gamma^2 log(size) mistakes. */
WEFT_API double weft_theory_realizable(weft_scale scale);
/* lem:base behind it, for any estimate D of the true quasi-dimension `dim`: 3.6/gamma^2 (dim (log(size) +
 * log(dim/D)) + D - dim). */
WEFT_API double weft_theory_estimate(weft_scale scale, double dim);
/* The same where only 1 <= dim <= limit is known: it is convex in dim, so the larger of its values at 1 and
 * at `limit`. */
WEFT_API double weft_theory_estimate_within(weft_scale scale, double limit);
/* lem:min_kernel_norm: tr(R'MR) <= k (4/delta*)^d for k boxes in [-r,r]^d under the min kernel, `separation`
 * their least distance in the maximum norm, delta* = min(2, separation/4).  Times R_M <= r^d and k it is the
 * side's term in the paper; without the k it is one too, for R'MR has no eigenvalue above (4/delta*)^d
 * (docs/theory.md). */
WEFT_API double weft_theory_boxes(int64_t k, int64_t d, double separation);

/* What the truth says about a problem. */
typedef struct weft_measure {
    weft_form form;
    int64_t size;
    int64_t row_classes, column_classes; /* k and l; 0: unknown.  One set: both k */
    double gamma;                        /* the largest valid margin; 0: unknown */
    /* D_circ (one set: D), at least 1, and its shares; 0 for one set.  Infinite: unknown, or nothing in the
     * kernel's space fits the classes. */
    double dimension;
    double row_term, column_term;
} weft_measure;

/* Measures sides and truth for the form and the capacities in `settings` (0: what is listed).  A side of
 * kind none needs no classes: its share is m (n).  `columns` is NULL for one set.  `truth` NULL means
 * {0}. */
WEFT_API weft_status weft_theory_measure(const weft_side *rows, const weft_side *columns,
                                         const weft_truth *truth, const weft_settings *settings,
                                         weft_measure *measure, weft_error *error);

/* Why a parameter has its value, for people ("given" where it was given). */
typedef struct weft_reasons {
    const char *eta, *gamma, *dimension;
} weft_reasons;

/* Fills those of eta, gamma and dimension that are 0 in *settings, in the way of the statement that belongs
 * to its form and updates, for `horizon` >= 1 labelled trials; given ones stay.  What the truth does not
 * tell is gamma = 1/3 and D = m + n.  `reasons` may be NULL. */
WEFT_API void weft_theory_tune(const weft_measure *measure, int64_t horizon, weft_settings *settings,
                               weft_reasons *reasons);

typedef enum weft_bound_kind {
    WEFT_NO_BOUND,
    WEFT_REGRET,     /* "regret": expected mistakes, thm:base or thm:base_bef_alg */
    WEFT_HINGE,      /* "hinge": mistakes of deterministic predictions */
    WEFT_REALIZABLE, /* "realizable": mistakes, thm:base */
    WEFT_ESTIMATE    /* "estimate": the same with D below what it should be, lem:base */
} weft_bound_kind;

/* "none", "regret", ... */
WEFT_API const char *weft_bound_kind_name(weft_bound_kind kind);

typedef struct weft_bound {
    weft_bound_kind kind;
    double value;          /* of (expected) mistakes: comparator errors + regret */
    bool vacuous;          /* value >= trials: says nothing */
    bool coin;             /* value > trials / 2: no better than a coin */
    const char *statement; /* where it comes from; for WEFT_NO_BOUND why there is none */
} weft_bound;

/* What happened, or is assumed (errors 0) before anything has. */
typedef struct weft_course {
    int64_t horizon; /* T for which eta was chosen */
    int64_t trials;  /* labelled ones, played or planned */
    int64_t errors;  /* comparator's: weft_comparator_errors; negative: unknown */
    bool disturbed;  /* labels came late, or evidence was merged or forgotten */
} weft_course;

/* The bound that applies to a run with exactly these settings (eta, gamma, D filled), all conditions of its
 * statement checked.  None for the balanced form: nothing is proved of it. */
WEFT_API weft_bound weft_theory_judge(const weft_measure *measure, const weft_settings *settings,
                                      const weft_course *course);

/* The errors of the best comparator: labels counted by block (class of the row, class of the column).  k l
 * counts. */
typedef struct weft_comparator weft_comparator;

WEFT_API weft_status weft_comparator_create(int64_t k, int64_t l, const weft_memory *memory,
                                            weft_comparator **comparator, weft_error *error);
WEFT_API void weft_comparator_free(weft_comparator *comparator);
/* Counts a label, -1 or +1, of a pair of classes 0 <= r < k, 0 <= c < l. */
WEFT_API weft_status weft_comparator_add(weft_comparator *comparator, int64_t r, int64_t c, int label,
                                         weft_error *error);
/* sum_t [y_t != U*(r_t,c_t)] with the majority label in every block; for `communities` (and one set of ids)
 * with U*(r,c) = +1 iff r = c. */
WEFT_API int64_t weft_comparator_errors(const weft_comparator *comparator, bool communities);

#ifdef __cplusplus
}
#endif

#endif
