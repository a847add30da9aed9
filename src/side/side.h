/* SPDX-License-Identifier: MIT
 * What is known about one side: a kernel over ids, one file a kind behind one
 * table of functions. */
#ifndef WEFT_SIDE_SIDE_H
#define WEFT_SIDE_SIDE_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/status.h"

/* What a feature map must know of a kind. */
typedef struct weft__nature {
    int64_t classes; /* numbered from 0 by `item`; 0: there are none */
    int64_t numbers; /* of the vector that `item` gives; 0: there is none */
    bool linear;     /* K is the inner product of the vectors, beside `own` */
    double width;    /* of a Gaussian of the vectors; 0: it is none */
    double own;      /* what K(i,i) has beside classes or vectors: epsilon, 1 where nothing is known */
} weft__nature;

/* One thing that describes an id, for models that are linear in what they are told. */
typedef struct weft__trait {
    int64_t number;
    double value; /* not 0 */
    bool is_id;   /* the number is that of another id, and not of a trait */
} weft__trait;

/* One of several kinds of side information of the same ids (side/kinds/sum.h).  Ids from `ids` on are not in
 * it. */
typedef struct weft__side_part {
    const weft_side *side;
    int64_t *number_of; /* by id: its number there, or -1 */
    int64_t ids;
    int64_t *id_of; /* by number: the id */
} weft__side_part;

/* Finite features in place of K, see side/map/map.h.  Invariant: dimension = exact + how.hash, or 0. */
typedef struct weft__feature_map {
    weft_map how;
    int64_t dimension, exact;
    /* Frequencies, one a row; or an id a row, the eigenvectors times root eigenvalue, and behind all rows,
     * where ids are hashed too, what the eigenvectors leave of K(i,i), one number an id. */
    double *table;
    int64_t listed; /* eigen: ids that have a row */
} weft__feature_map;

/* The seam.  All ids are in range (weft__side_has) and distinct where a list is given; those from
 * side->count on are alone, and nothing is stored for them; entries are finite.  A kind answers them all
 * but three: `product` is NULL where the kernel has no structure, and the caller then keeps the Gram
 * matrix of the ids it uses (side/learnt/working_set.h); `absolute` is NULL where that is so, or no entry
 * is negative (beside what side->blur leaves open); `item` is NULL where nothing but the kernel is known.
 * K(i,j), K(j,i) and `diagonal` agree to the bit, and so does `column`, but where side->blur is not 0: K
 * is then never formed, and what is said of it agrees up to rounding.
 *
 * `work` is workspace of weft__side_work(side) elements of any content.  `entry` and `column` of a side
 * without blur do not look at it. */
typedef struct weft__side_ops {
    const char *name;
    int vectors; /* of workspace, each of side->count elements */
    /* K(i,j) */
    double (*entry)(const weft_side *side, int64_t i, int64_t j, double *work);
    /* K(i,i) */
    double (*diagonal)(const weft_side *side, int64_t i);
    /* out[k] = K(ids[k], i) */
    void (*column)(const weft_side *side, int64_t i, const int64_t *ids, int64_t count, double *out,
                   double *work);
    /* y = (K - constant 11')[ids,ids] x, without a matrix.  Returns S >= 0: x'y is wrong by about u S
     * beyond what adding `count` terms makes; 0 where K is known entry by entry and the product adds
     * its entries. */
    double (*product)(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work);
    /* y >= |K|[ids,ids] x for x >= 0, entry by entry, as near as structure allows. */
    void (*absolute)(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                     double *work);
    /* What is known of id i beside its kernel, in a zeroed *item: whether it is alone,
     * its class numbered from 0, or its vector as it is stored (borrowed). */
    void (*item)(const weft_side *side, int64_t i, weft_item *item);
    /* All that describes id i, which is not its class, its vector or its links alone, in `list`, with room
     * for side->most_traits; how many.  NULL: `item`, links or the kernel say it.  Then `item` tells only
     * whether an id is alone. */
    int64_t (*traits)(const weft_side *side, int64_t i, weft__trait *list);
    /* NULL: nothing that a map could use beside K. */
    weft__nature (*nature)(const weft_side *side);
    /* Adds id number side->count; the caller raises side->count afterwards. */
    weft_status (*append)(weft_side *side, const weft_item *item, weft_error *error);
    /* Frees what the kind owns, not the struct. */
    void (*release)(weft_side *side);
} weft__side_ops;

/* Every kind's struct begins with this one (`struct graph_side { weft_side
 * base; ... }`).  Invariants: WEFT__RADIUS_MIN <= radius <= WEFT__RADIUS_MAX;
 * 0 <= K(i,i) <= radius for all i < count; K - constant 11' is positive
 * semidefinite on vectors that sum to zero, and on all vectors as long as no
 * id of a graph is alone. */
struct weft_side {
    const weft__side_ops *ops;
    weft_memory memory;
    int64_t count;
    double radius;
    double constant; /* the constant part of K: R_L for a PDLaplacian that is not scaled, else 0 */
    /* K(i,j) - constant is wrong by about u blur sqrt((K(i,i) - constant) (K(j,j) - constant)),
     * u the unit roundoff.  0 where K is known entry by entry. */
    double blur;
    int64_t most_traits; /* of one id, where ops->traits tells them */
    double solve_work;   /* where K is never formed: multiplications of a product or a column; else 0 */
    int64_t budget;      /* bytes for the Gram matrix of one view, > 0 */
    bool radius_given;
    bool uniform;    /* K(i,i) is the same for all ids */
    double supremum; /* of the kernel over its domain, or 0 where there is none */
    /* Ids appended as similar to nothing (none, classes and graphs without a matrix
     * need no flag): alone[i] for i < alone_size, false beyond. */
    bool *alone;
    int64_t alone_size;
    bool endless; /* every number >= 0 is an id, and count is 0: numbers are digests of names */
    bool open;    /* numbers from `count` on are ids too, and alone */
    bool asked;   /* for questions alone: no capacity of a learner holds an id back */
    weft__progress telling, *progress; /* while it is made; afterwards progress is NULL */
    const weft_side *inner;       /* what an identity is added to (identity.c); NULL for the other kinds */
    const weft__side_part *parts; /* of a sum (sum.c), in the order in which they were given; else NULL */
    int64_t part_count;
    struct weft__graph_known *graph; /* owned; NULL for what is no graph */
    weft__feature_map map;
};

/* With these limits 4 R and 1 / (4 R) are normal numbers, and so are sums of
 * two kernel entries. */
#define WEFT__RADIUS_MIN 1e-307
#define WEFT__RADIUS_MAX 1e307

/* Numbers of an open side are below this, so that arithmetic with them never overflows. */
#define WEFT__OPEN_IDS WEFT__MOST_COUNT

/* Bytes for the kernel values between ids that a learner has learnt, unless its user says otherwise:
 * 18912 ids in both precisions. */
#define WEFT__KERNEL_BUDGET (INT64_C(1) << 32)

/* ---- For the kinds ---- */

/* The first step of every constructor: checks `count` and the options
 * (NULL: the defaults) and makes a zeroed struct of `size` bytes that begins
 * with a weft_side.  `side` is the address of a pointer to that struct; free
 * it with weft_side_free. */
weft_status weft__side_create(const weft__side_ops *ops, size_t size, int64_t count,
                              const weft_side_options *options, void *side, weft_error *error);

/* The last step: settles R (given, else the supremum if `inductive`, else the
 * largest diagonal) and checks every diagonal entry against it.  O(count). */
weft_status weft__side_settle(weft_side *side, const weft_side_options *options, weft_error *error);

/* Fails unless 0 <= value <= R for K(i,i) of a new id i. */
weft_status weft__side_check_diagonal(const weft_side *side, int64_t i, double value, weft_error *error);

/* Fails unless |value| <= sqrt(K_ii K_jj) up to 1e-9: two ids alone cannot be
 * semidefinite otherwise. */
weft_status weft__side_check_minor(int64_t i, int64_t j, double value, double diagonal_i, double diagonal_j,
                                   weft_error *error);

/* Fails unless the item has `length` values, all finite; `what` names them. */
weft_status weft__side_check_values(const weft_side *side, const weft_item *item, int64_t length,
                                    const char *what, weft_error *error);

/* Flags id number side->count as alone. */
weft_status weft__side_set_alone(weft_side *side, weft_error *error);
/* Whether the id was flagged, or is not listed. */
bool weft__side_is_alone(const weft_side *side, int64_t i);

/* `column` for kinds that have nothing better than `entry`. */
void weft__side_column_by_entry(const weft_side *side, int64_t i, const int64_t *ids, int64_t count,
                                double *out, double *work);

/* ---- For users of a side ---- */

/* Elements of the workspace that entry, column and product want. */
int64_t weft__side_work(const weft_side *side);

/* What an id has in common with all that agree with it in every entry with other ids, and in that with
 * itself: its class, or that it is alone. -1: it is like no other. */
int64_t weft__side_group(const weft_side *side, int64_t i);

/* What the side, or that which it adds an identity to, is a sum of; NULL, and 0, where it is none. */
const weft__side_part *weft__side_parts(const weft_side *side, int64_t *count);

/* Whether the number is an id of the side; and how many there can be. */
bool weft__side_has(const weft_side *side, int64_t i);
int64_t weft__side_most(const weft_side *side);

/* Fails unless K(ids[k], i) is finite, symmetric and within Cauchy-Schwarz for
 * all k.  For whoever keeps a column of a kernel that was never validated as a
 * whole; free of cost for all kinds but callbacks. */
weft_status weft__side_check_column(const weft_side *side, int64_t i, const int64_t *ids, int64_t count,
                                    weft_error *error);

#endif
