/* SPDX-License-Identifier: MIT
 *
 * What a player of weft.h is made of, for those who choose themselves.
 *
 *   1  text for people            ids and names of files without harm; the BLAS in use
 *   2  sides                      kernels and feature maps of the ids of one side
 *   3  more of a player           thresholds, late labels, evidence, raw states
 *   4  learners and rivals        one method with settings of your own
 *   5  committees                 members, views, standings, what side information is worth
 *
 * weft_files.h has rosters, streams and models from inside. */
#ifndef WEFT_ADVANCED_H
#define WEFT_ADVANCED_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------
 * 1  Text for people
 * ---------------------------------------------------------------------- */

/* Text from elsewhere, such as an id or the name of a file, for people to read, as error.message has it:
 * control characters, what is no UTF-8, and characters that are not seen or turn the direction of writing
 * become escapes (\x1b, \n, \u202e), so that no id can speak to a terminal or forge a line of a report.
 * Longer text is cut and ends in "...".  Showing what is shown already changes nothing. */
typedef struct weft_shown {
    char text[512];
} weft_shown;
WEFT_API weft_shown weft_show(const char *text);

/* The processor kind whose kernels the linked BLAS, which the reference engine calls, has chosen, such as
 * "Haswell"; "unknown" where it does not tell (only OpenBLAS does).  A constant. */
WEFT_API const char *weft_blas_core(void);

/* -------------------------------------------------------------------------
 * 2  Side information
 *
 * A weft_side is a positive semidefinite kernel K over the ids 0..count-1 of one side, with its squared
 * radius R >= max_i K(i,i).  It is immutable but for weft_side_append, which adds ids and changes no earlier
 * entry.  Learners borrow it: it must outlive them.  One side may serve many learners, and rows and columns
 * at once.
 *
 * What the constructors answer: WEFT_ARGUMENT for a parameter out of its range, WEFT_INPUT for values that
 * make no kernel, WEFT_MEMORY.  `options` NULL means {0}.  Where nothing else is said error.at is the entry
 * {i, j} of the matrix.
 * ---------------------------------------------------------------------- */

typedef struct weft_side weft_side;

/* Finite features phi_i in place of a kernel, <phi_i, phi_j> = K(i,j) or nearly so, for the compact engine
 * (section 4), which sees nothing else.  The other engines do not look at them.  What a kind can have:
 *
 *     none               hash:    K = I in expectation, an entry is off by about 1/sqrt(hash); exactly
 *                        between ids whose numbers agree in all but the last bits, hash = 2^bits: up to
 *                        that many ids are an identity
 *     classes            one coordinate a class, exactly; hash for its epsilon
 *     features, linear   the vector itself, exactly; hash for its epsilon
 *     features, Gaussian fourier: an entry is off by about 1/sqrt(fourier).  With hash an identity as
 *                        large as the kernel is added and both are halved
 *     graph, kernel, matrix, features, callback
 *                        eigen: the largest eigenvectors of K over the ids listed, exactly; what they
 *                        leave out is left out.  With hash what is left of K(i,i) is put back
 *
 * An id that is alone is hashed, with K(i,i) = R.  Classes and linear features with epsilon 0 have their map
 * without being asked. */
typedef struct weft_map {
    int64_t fourier; /* coordinates, an even number */
    int64_t eigen;   /* coordinates, at most the ids listed */
    int64_t hash;    /* coordinates: signs, a function of seed and number of the id alone (linear
                        features: of the vector) */
    uint64_t seed;
} weft_map;

typedef enum weft_graph_path {
    WEFT_GRAPH_BY_SIZE, /* dense up to 4000 vertices */
    WEFT_GRAPH_DENSE,   /* K is stored */
    WEFT_GRAPH_SPARSE   /* by a sparse factor, iteration or a polynomial */
} weft_graph_path;

typedef struct weft_side_options {
    const weft_memory *memory; /* NULL: the C library's allocator */
    /* The squared radius R.  0: the largest diagonal entry.  A diagonal entry above it is an error, now and
     * at every append.  It must lie within 1e-307 and 1e307: scale a kernel that is outside.  A learner
     * over one set of ids takes a given R as that of the kernel without its constant part (a PDLaplacian:
     * of L^+). */
    double radius;
    /* R is the supremum of the kernel over its whole domain (none 1, classes 1 + epsilon, Gaussian 1, min
     * r^d, regularised and diffusion 1): for ids still to come.  Other kinds need `radius` for that. */
    bool inductive;
    /* NULL: what is finite by itself.  WEFT_ARGUMENT where the kind has no such map. */
    const weft_map *map;
    /* None with a hash map only: every number >= 0 is an id, however large, and none is listed.  For the
     * compact engine, whose capacities must then be given: they make kappa, and no id is held against
     * them. */
    bool endless;
    /* Every number from `count` on is an id too, similar to nothing, so that ids may come without being
     * appended and without an end.  Players keep arrays by number: leave no large gaps. */
    bool open;
    /* Bytes that one learner may take for kernel values between the ids of this side that it has learnt, 12
     * a pair (8 without mixed precision); 0: 2^32.  Only for kernels without structure: not none, classes,
     * large graphs, nor the compact engine.  An id beyond it is WEFT_MEMORY when it would be learnt. */
    int64_t budget;
    /* Graphs: how products by K are made, and bytes that the factor of a large one may take while it is
     * made, before it is solved by iteration; 0: 2^30. */
    weft_graph_path graph_path;
    int64_t graph_budget;
    weft_progress progress; /* who is told while the side is made, and may stop it */
} weft_side_options;

/* Nothing is known: K = I.  `count` may be 0, and any number of ids may be appended.  O(1); a learner keeps
 * 16 bytes for every id that is listed. */
WEFT_API weft_status weft_side_none(int64_t count, const weft_side_options *options, weft_side **side,
                                    weft_error *error);

/* K(i,j) = [class_of[i] = class_of[j]] + epsilon [i = j], the paper's partition kernel.  Classes are any
 * integers; epsilon >= 0 and finite.  With epsilon 0 ids of one class cannot be told apart.  O(count), also
 * for a product by K. */
WEFT_API weft_status weft_side_from_classes(int64_t count, const int64_t *class_of, double epsilon,
                                            const weft_side_options *options, weft_side **side,
                                            weft_error *error);

/* K given, count x count, row by row (copied).  Must be finite, symmetric up to 1e-9 and semidefinite up to
 * 1e-10 of its largest entry, and not all zero.  It is symmetrised within that tolerance.  O(count^2)
 * memory, and O(count^3) time once, for the eigenvalues that prove it semidefinite. */
WEFT_API weft_status weft_side_from_kernel(int64_t count, const double *kernel,
                                           const weft_side_options *options, weft_side **side,
                                           weft_error *error);

/* M given, count x count, row by row (copied), K = M^-1.  Must be finite, symmetric up to 1e-9 of its
 * largest entry, and positive definite to working precision: where it is not, error.at is {i, i}, the first
 * leading block of i + 1 ids that fails.  O(count^2) memory, O(count^3) time, once. */
WEFT_API weft_status weft_side_from_matrix(int64_t count, const double *matrix,
                                           const weft_side_options *options, weft_side **side,
                                           weft_error *error);

/* A kernel of a graph.  R is the largest diagonal entry: 2 R_L for the PDLaplacian, at most 1 for the others
 * (which is what `inductive` takes), 1 with `unit`.
 *
 * Dense: O(vertices^2) memory, O(vertices^3) time, once.  Sparse: no matrix of that size is ever made.
 * PDLaplacian and regularised kernel have a Cholesky factor, and a product, column or entry is one solve
 * with it; above the budget a solve is some tens to hundreds of steps of preconditioned conjugate gradients
 * in memory proportional to the edges, and all diagonal entries take vertices / 8 such solves, once.
 * WEFT_INPUT where 5,000 steps are not enough.  Diffusion: a product is some tens to hundreds of products
 * with the graph, and without `unit` R takes one for every vertex, once.  What solving rounds off or stops
 * short of is in the brackets of the margins.  weft_side_entry takes 6 numbers a vertex from the allocator
 * for the time of the call, and is NAN where that is refused.
 *
 * error.at[0] is the number of the edge that is wrong, at[1] -1, or an earlier edge of another weight; of a
 * graph that is not connected (also: not to working precision) at is two vertices.  WEFT_ARGUMENT where
 * sigma or time is so large that nothing would be left of working precision; WEFT_INPUT, error.at {vertex,
 * vertex}, where a diffusion leaves so little of a vertex that it cannot be scaled to 1. */
WEFT_API weft_status weft_side_from_graph(const weft_graph *graph, const weft_side_options *options,
                                          weft_side **side, weft_error *error);

/* What became of a graph, to be told to people; all zeros for other kinds. */
typedef struct weft_graph_facts {
    int64_t joined, loops, components; /* edges that `connect` added, self-loops ignored; as it was given */
    bool no_kernel;                    /* its ids are known by their edges alone */
    bool iterative;                    /* its factor would be above the budget: it is solved by iteration */
    bool is_paper;                     /* K is the paper's PDLaplacian, of the plain Laplacian */
} weft_graph_facts;
WEFT_API weft_graph_facts weft_side_graph(const weft_side *side);

/* The kernel that the graph of a roster is given.  With views (for committees), and where the SPEC says
 * nothing of it, graphs of more than 4,000 vertices have none: a few products by one would take all the work
 * that a member may (docs/committee.md).  connect=error still refuses a graph of several components. */
WEFT_API weft_graph_kernel weft_roster_graph_kernel(const weft_roster *roster);

/* No Gram matrix is stored here: an entry costs O(dimension), and a learner keeps those of the ids it has
 * learnt.  Of linear features it keeps none where dimension <= 64 or 8 dimension <= count: it multiplies by
 * the vectors themselves.  Values must be finite, and within [-r, r] for the min kernel; error.at is {id,
 * coordinate}.  features.count may be 0 with a radius, or `inductive`. */
WEFT_API weft_status weft_side_from_features(const weft_features *features, const weft_side_options *options,
                                             weft_side **side, weft_error *error);

typedef double weft_kernel_function(void *user, int64_t i, int64_t j);

/* The user's own kernel: must be symmetric, finite, positive semidefinite, always give the same answer, and
 * know every id below `count`, also those appended later.  It and `user`, which may be NULL, must outlive the
 * learners.
 *
 * What is checked: every diagonal entry when its id arrives; symmetry and |K(i,j)|^2 <= K(i,i) K(j,j)
 * against a few other ids then, and against all that were learnt when the id is about to be.  A value that is
 * not finite counts as 0 in predictions and is WEFT_INPUT, error.at {i, j}, when its id would be learnt. */
WEFT_API weft_status weft_side_from_callback(int64_t count, weft_kernel_function *function, void *user,
                                             const weft_side_options *options, weft_side **side,
                                             weft_error *error);

/* K + weight I over another side, whatever its kind: what is known of the ids, and weight > 0 for each of
 * them alone.  R is that of `side` and the weight.  Borrows `side`, which must outlive it and takes a new id
 * first; weft_side_append then makes the same id known here and looks at no item.  Of the options only
 * memory and budget may be given.  WEFT_ARGUMENT where the ids of `side` are endless; WEFT_INPUT where R is
 * out of its range.  O(count), and the cost of `side` afterwards. */
WEFT_API weft_status weft_side_with_identity(const weft_side *side, double weight,
                                             const weft_side_options *options, weft_side **made,
                                             weft_error *error);

/* What is known of one new id, borrowed for the call.  {0} is the class 0. */
typedef struct weft_item {
    bool alone;           /* every kind: similar to nothing but itself, K(i,i) = R
                             (none: an ordinary id, K(i,i) = 1) */
    int64_t class_of;     /* classes */
    const double *values; /* features: the vector; kernel: the count + 1 entries
                             K(new, 0), ..., K(new, new) */
    int64_t length;       /* of values */
} weft_item;

/* Adds one id, number weft_side_count() before the call; `item` NULL means {0}.  Learners of the side know it
 * from then on, within their capacities.  WEFT_UNSUPPORTED for matrices and graphs unless `alone`: their
 * kernel depends on all ids at once.  WEFT_INPUT where K(new,new) is above R.  Of a row added to a kernel
 * only |K(new,j)|^2 <= K(new,new) K(j,j) is checked.  Amortised O(1) for none and classes, O(dimension) for
 * features, O(count) for the others.  Not while another thread uses the side or its learners. */
WEFT_API weft_status weft_side_append(weft_side *side, const weft_item *item, weft_error *error);

/* The number of ids that are listed, those appended included; 0 where every number is one (endless). */
WEFT_API int64_t weft_side_count(const weft_side *side);
/* R, fixed when the side is made. */
WEFT_API double weft_side_radius(const weft_side *side);
/* "none", "classes", "kernel", "matrix", "graph", "features", "table", "callback", "identity" */
WEFT_API const char *weft_side_kind(const weft_side *side);
/* K(i,j); 0 for ids out of range. */
WEFT_API double weft_side_entry(const weft_side *side, int64_t i, int64_t j);
/* The coordinates of its feature map; 0: it has none.  At most WEFT_MAP_LIMIT. */
#define WEFT_MAP_LIMIT 4096
WEFT_API int64_t weft_side_dimension(const weft_side *side);
/* phi of an id, weft_side_dimension() numbers with |phi|^2 <= R.  WEFT_UNKNOWN_ID; WEFT_UNSUPPORTED for a
 * side without a map, and for an id that the map has no room for: one that is alone where nothing is hashed,
 * or of a class that came later. */
WEFT_API weft_status weft_side_features(const weft_side *side, int64_t id, double *features,
                                        weft_error *error);
/* After the learners that borrow it. */
WEFT_API void weft_side_free(weft_side *side);

/* ---- A graph from features ---- */

typedef enum weft_metric {
    WEFT_COSINE,   /* largest <x,t> / (|x||t|) first; an all-zero vector is an error */
    WEFT_EUCLIDEAN /* smallest |x - t| first */
} weft_metric;

typedef struct weft_neighbours {
    int64_t k; /* 1 <= k < count */
    weft_metric metric;
    bool mutual;   /* an edge where each is among the nearest of the other; else where one is */
    bool weighted; /* cosine: (1 + cosine) / 2; Euclidean: exp(-d^2 / (2 s^2)), s the mean distance of
                      the k-th neighbours; else all 1 */
    weft_progress progress; /* who is told, and may stop it */
} weft_neighbours;

typedef struct weft_edge {
    int64_t from, to; /* from < to */
    double weight;    /* > 0 */
} weft_edge;

typedef struct weft_edges weft_edges;

/* The k nearest neighbours of every vector, exactly: distances and cosines are right to the last digit of a
 * double, and where these are equal the earlier id is nearer.  Kernel and parameter of `features` are not
 * looked at.  Edges are in the order of `from`, then `to`, each once; one whose weight is 0 to working
 * precision is left out.  WEFT_ARGUMENT for k; WEFT_INPUT for a value that is not finite, error.at {id,
 * coordinate}, and a vector that is zero, error.at {id, -1}.  O(count^2 dimension) time, O(count (k +
 * dimension)) memory. */
WEFT_API weft_status weft_edges_nearest(const weft_features *features, const weft_neighbours *how,
                                        const weft_memory *memory, weft_edges **edges, weft_error *error);
WEFT_API int64_t weft_edges_count(const weft_edges *edges);
/* Edge 0 <= k < count; all zeros out of range. */
WEFT_API weft_edge weft_edges_at(const weft_edges *edges, int64_t k);
/* The s of Euclidean weights; 0 for others, and where all k-th neighbours are at distance 0 (the weights are
 * 1 then). */
WEFT_API double weft_edges_scale(const weft_edges *edges);
WEFT_API void weft_edges_free(weft_edges *edges);

/* -------------------------------------------------------------------------
 * 3  More of a player
 * ---------------------------------------------------------------------- */

typedef enum weft_kind { WEFT_LEARNER, WEFT_RIVAL, WEFT_COMMITTEE } weft_kind;

WEFT_API weft_kind weft_player_kind(const weft_player *player);
/* "learner", "rival", "committee"; NULL for a number that is no kind. */
WEFT_API const char *weft_kind_name(weft_kind kind);

/* Margins whose quadratic form exceeds this are reported as this: they never become infinite or NaN.
 * (Decisions are taken in logarithms and are not affected.) */
#define WEFT_MARGIN_LIMIT 1e300

/* Predicts without drawing anything, whatever the settings say: a learner has threshold 0, a committee 1/2.
 * The bracket of a learner reaches `tolerance` (as in weft_settings, here for this call; the others do not
 * look at it).  The answer depends on the state and the pair alone, never on what was asked before, so that
 * copies on several threads agree to the bit.  A prediction that was pending is no longer.  WEFT_ARGUMENT
 * for a tolerance that is negative or not finite. */
WEFT_API weft_status weft_player_evaluate(weft_player *player, int64_t row, int64_t column, double tolerance,
                                          weft_answer *answer, weft_error *error);

/* weft_player_predict with the threshold of trial `t`, counted from 0: for predictions that are made while
 * earlier trials still wait for their labels.  (weft_player_predict is the one of trial counters.t.)
 * WEFT_ARGUMENT for t < 0. */
WEFT_API weft_status weft_player_predict_at(weft_player *player, int64_t row, int64_t column, int64_t t,
                                            weft_answer *answer, weft_error *error);

/* ---- Context: what is known of an event alone, such as the device or the hour ----
 *
 *     uint64_t context[] = {weft_context_digest("device", "phone"), weft_context_digest("hour", "18")};
 *     weft_player_set_context(player, context, 2, &error);
 *     weft_player_predict(player, row, column, &answer, &error);
 *     weft_player_learn(player, row, column, +1, NULL, &error);
 *
 * Members of a committee that can use it (crossed logistic regression, hybrid factorisation) look at it by
 * itself, and beside the ids and what is known of them; all others do not see it.  docs/context.md. */
#define WEFT_CONTEXT_LIMIT 8 /* as many as weft_event has */

/* A word for a value of a field: values are words, and numbers are words too, of which none is near another.
 * 0, nothing is known, for NULL and "". */
WEFT_API uint64_t weft_context_digest(const char *field, const char *value);

/* The context of what is asked and learnt from now on, until it is set again: of predict, evaluate, learn,
 * predict_many, learn_many, rank and weft_player_record; a label that is learnt late has that of its record.
 * count 0: none, as it is at first.  0 among the digests: nothing is known of that field.  No part of the
 * state.  A player that was never given any plays, and writes, as if there were none.  WEFT_ARGUMENT for
 * more than WEFT_CONTEXT_LIMIT digests. */
WEFT_API weft_status weft_player_set_context(weft_player *player, const uint64_t *digests, int64_t count,
                                             weft_error *error);

/* The names of fields, in the order of the digests: texts of at most 63 bytes, none empty, none twice. */
typedef struct weft_context_fields {
    int64_t count;
    char name[WEFT_CONTEXT_LIMIT][64];
} weft_context_fields;

/* A player that knows its ids by name keeps these with its model, {0} before: what the digests stand for
 * that it was given.  WEFT_ARGUMENT for names that are none. */
WEFT_API weft_status weft_player_set_context_fields(weft_player *player, const weft_context_fields *fields,
                                                    weft_error *error);
WEFT_API weft_context_fields weft_player_context_fields(const weft_player *player);

/* As weft_player_set_context, of what this reader is asked; none at first. */
WEFT_API weft_status weft_reader_set_context(weft_reader *reader, const uint64_t *digests, int64_t count,
                                             weft_error *error);

/* Late labels.  The record of an answer is what must be known of it to learn its label later: bytes, to be
 * kept or logged, that know the pair, the answer and, of a committee, what every member said.
 *
 *     weft_player_predict_at(player, row, column, t, &answer, &error);   t: counters.t + answers open already
 *     weft_player_record(player, row, column, t, record, &size, &error);
 *     weft_player_learn_late(player, record, size, +1, NULL, &error);    when the label comes
 *
 * It is the record of what weft_player_predict_at answers, which is not computed again where that was the
 * last call.  With record NULL only *size is set; otherwise *size is that of the buffer before and of the
 * record after, and a buffer that is too small is WEFT_ARGUMENT.  All records of a player
 * have one size, or one for each number of fields of context; the context of the question is in them.  The
 * format is the same on every machine; a record is for the player that made it, also after it was written
 * and read. */
WEFT_API weft_status weft_player_record(weft_player *player, int64_t row, int64_t column, int64_t t,
                                        void *record, size_t *size, weft_error *error);

/* The record becomes one of this pair: for names that had no numbers yet when they were asked for
 * (weft_player_find) and have them by now (weft_player_pair).  WEFT_INPUT for bytes that are no record. */
WEFT_API weft_status weft_record_set_pair(void *record, size_t size, int64_t row, int64_t column,
                                          weft_error *error);

/* Learns the label, -1 or +1, of such an answer, which counts as it was given: its label says whether it was
 * a mistake (and with mistake updates of a learner whether to update), its vote is the expected mistake.  The
 * members of a committee are weighed by what they said.  What is learnt is the pair as it is now: whether y *
 * margin < gamma is asked of the margin that the label finds, whose bracket is in *answer (which may be
 * NULL), and its products are added to those of the answer.  Where no label has come in between it is
 * weft_player_learn to the bit.  The state is a function of the records learnt, in their order, alone.  A
 * record that a committee made before a weft_player_forget or _merge is learnt as weft_player_learn_anew
 * does, and answer.anew says so: its members do not stand by what they said then.  One of a forgotten id
 * teaches the id again.  A model of a learner is disturbed from then on.  WEFT_INPUT for bytes that are no
 * record, WEFT_ARGUMENT for that of a player of another kind, or of a committee whose members have other
 * names or settings; else as weft_player_learn. */
WEFT_API weft_status weft_player_learn_late(weft_player *player, const void *record, size_t size, int label,
                                            weft_answer *answer, weft_error *error);

/* What weft_player_learn_event draws for the event `pair`, the t-th trial: pairs[2k], pairs[2k + 1] for k
 * below *drawn, to be learnt with the label -1.  A pair that was an event before may be among them.  `pairs`
 * has room for 2 * how->count numbers.  O(count^2). */
WEFT_API weft_status weft_negatives_draw(const weft_negatives *how, int64_t t, const int64_t pair[2],
                                         int64_t *pairs, int64_t *drawn, weft_error *error);
/* weft_player_learn_event of an event whose answer was given before, by its record. */
WEFT_API weft_status weft_player_learn_event_late(weft_player *player, const weft_negatives *how,
                                                  const void *record, size_t size, weft_answer *answer,
                                                  weft_drawn *drawn, weft_error *error);

/* Learns the label, -1 or +1, of an answer whose record is lost: weft_player_learn, which answers anew.  Says
 * so in answer.anew, and a committee counts it (counters.anew). */
WEFT_API weft_status weft_player_learn_anew(weft_player *player, int64_t row, int64_t column, int label,
                                            weft_answer *answer, weft_error *error);

/* Answers that wait for their labels, first in, first out; no more than a limit. */
typedef struct weft_waiting weft_waiting;

typedef struct weft_open_answer {
    int64_t row, column;
    const char *id; /* of the caller, to find it by; may be NULL */
    weft_answer answer;
    const void *record;
    size_t size; /* of the record */
} weft_open_answer;

/* Room for `limit` answers, at least 1. */
WEFT_API weft_status weft_waiting_create(int64_t limit, const weft_memory *memory, weft_waiting **waiting,
                                         weft_error *error);
/* Keeps a copy.  Where there is no room the oldest is dropped, and counted. */
WEFT_API weft_status weft_waiting_add(weft_waiting *waiting, const weft_open_answer *open, weft_error *error);
/* Takes out the oldest of all, of a pair, or with an id; false where there is none.  Record and id are valid
 * until the next call.  O(1) on average, times the answers that wait under the same pair or id. */
WEFT_API bool weft_waiting_take(weft_waiting *waiting, weft_open_answer *open);
WEFT_API bool weft_waiting_take_pair(weft_waiting *waiting, int64_t row, int64_t column,
                                     weft_open_answer *open);
WEFT_API bool weft_waiting_take_id(weft_waiting *waiting, const char *id, weft_open_answer *open);
/* How many wait, and how many were dropped so far. */
WEFT_API int64_t weft_waiting_count(const weft_waiting *waiting);
WEFT_API int64_t weft_waiting_dropped(const weft_waiting *waiting);
WEFT_API void weft_waiting_free(weft_waiting *waiting);

/* weft_player_merge of a player that numbers its ids otherwise: rows[i] is the number here of its row i, for
 * as many as it has learnt anything of, columns the same (one set of ids: ignored).  WEFT_UNKNOWN_ID for a
 * number that is no id, WEFT_ARGUMENT for one that comes twice or an id without a number, WEFT_UNSUPPORTED
 * for the compact engine unless every id keeps its number. */
WEFT_API weft_status weft_player_merge_numbered(weft_player *player, const weft_player *other,
                                                const int64_t *rows, int64_t row_count,
                                                const int64_t *columns, int64_t column_count,
                                                weft_error *error);

/* The capacities of a learner, as in weft_settings; columns 0 for one set of ids.  Both 0: ids have no bound,
 * as for rivals and committees. */
WEFT_API void weft_player_room(const weft_player *player, int64_t *rows, int64_t *columns);

/* met[id] becomes true for every row (WEFT_ROWS) or column (WEFT_COLUMNS) below `count` of which the player
 * has learnt a label and still knows it; the others stay as they are.  A learner knows those with evidence:
 * of a label that was right by a margin it learns nothing.  Majorities, matrix factorisation and perceptrons
 * know whom they have learnt; other rivals, whose weights are hashed or those of neighbours too, cannot tell.
 * Of a committee it is all that any member knows, awake or not: in the default one row and column majorities
 * count every label.  Costs what was learnt. */
WEFT_API void weft_player_met(const weft_player *player, int which, int64_t count, bool *met);

/* Adds counts to the evidence of a learner as if they had been learnt (another log, an import).  The bound b
 * is recomputed; counters do not change.  Ids as for predict; WEFT_ARGUMENT (error.at the pair) for a sum
 * beyond 2^53.  `entries` may be NULL where count is 0.  Rebuilds the learner: O(evidence). */
WEFT_API weft_status weft_player_add_evidence(weft_player *player, const weft_evidence_entry *entries,
                                              int64_t count, weft_error *error);

/* Adds the counters of another learner to this one's, as is due when its evidence was added.  t is a sum
 * too: thresholds that are still to be drawn were in neither.  WEFT_ARGUMENT for a negative counter, or a
 * sum that does not fit. */
WEFT_API weft_status weft_player_count_more(weft_player *player, const weft_counters *more,
                                            weft_error *error);

/* Computes what is not kept yet of the diagonal that rankings use (weft_player_rank), of both sides: one
 * quadratic form an id.  Nothing to do for the balanced form and the compact engine. */
WEFT_API weft_status weft_learner_fill_diagonal(weft_player *player, weft_error *error);
/* The number of ids whose entry is kept, of both sides. */
WEFT_API int64_t weft_learner_kept_diagonal(const weft_player *player);

/* The whole state as bytes: a run that is written, read and continued equals the uninterrupted one bit for
 * bit (krylov).  With buffer NULL only *size is set; otherwise *size is that of the buffer before and of the
 * state after, and a buffer that is too small is WEFT_ARGUMENT.  The sides are not part of it: the same must
 * be given to weft_learner_read, weft_rival_read or weft_committee_read, which cannot tell others of the
 * same size apart.  The format is the same on every machine; VERSIONING.md says how long it is kept. */
WEFT_API weft_status weft_player_write(const weft_player *player, void *buffer, size_t *size,
                                       weft_error *error);

/* ---- Where time goes ---- */

/* What one member took, of a player that has none the player itself, since it was first timed. */
typedef struct weft_profile_row {
    const char *name;                  /* valid as long as the player */
    double work;                       /* multiplications, as its schedule counts them (docs/committee.md) */
    double ask_seconds, learn_seconds; /* of the thread that asks and tells it */
    int64_t trials;                    /* labels that it has learnt */
    bool is_awake;                     /* else it rests, or is in reserve, */
    int64_t since;                     /* from that trial on, as in weft_standing */
} weft_profile_row;

/* From now on the player finds out where the time of weft_player_predict, _predict_at, _evaluate and of
 * everything that learns goes; false: no longer, and what was found is kept. Answers, states and models are
 * the same. The first 128 calls of both kinds are timed, after that one in 16, which stands for them all:
 * so seconds are estimates, and it costs below 3 %. WEFT_UNSUPPORTED for a player whose model was opened
 * only to look. */
WEFT_API weft_status weft_player_set_profile(weft_player *player, bool on, weft_error *error);
/* The members in their order, then, of a committee, what it does itself: columns that they share, stack and
 * weights.  rows NULL: only *count, their number; else there is room for *count of them, and *count is their
 * number afterwards.  With threads the seconds of members are the sum of those of all threads, and that row
 * is what is left of the time of the calls.  WEFT_ARGUMENT where there is no room, WEFT_UNSUPPORTED for a
 * player that was never timed. */
WEFT_API weft_status weft_player_profile(const weft_player *player, weft_profile_row *rows, int64_t *count,
                                         weft_error *error);

/* Forgets everything learnt, keeps settings and memory. */
WEFT_API weft_status weft_player_reset(weft_player *player, weft_error *error);

/* -------------------------------------------------------------------------
 * 4  Learners and rivals
 * ---------------------------------------------------------------------- */

/* ---- Learners: their state is the evidence, a signed count for every pair that was ever updated ---- */

typedef enum weft_form {
    WEFT_PAPER,    /* two sides: margin = x'Wx - 1, as in the paper */
    WEFT_BALANCED, /* two sides: the cross term alone, margin = 2 phi'W psi */
    WEFT_ONE_SET   /* rows and columns are one set of ids, +1 means "together": what a learner without columns
                      has, whatever its settings say */
} weft_form;

typedef enum weft_updates {
    WEFT_MARGIN_UPDATES, /* update iff y * margin < gamma: the regret theorem */
    WEFT_MISTAKE_UPDATES /* update iff the prediction was wrong: realizable */
} weft_updates;

typedef enum weft_engine {
    WEFT_KRYLOV,    /* the evidence and certified quadratic forms: exact, fast */
    WEFT_REFERENCE, /* the paper word for word: one eigendecomposition an update */
    /* A = sum eta y x x' over the feature maps of both sides, d x d: time and memory of a trial do not
     * depend on how many ids and trials there were.  Decisions are certified for the kernel <phi_i,
     * phi_j>.  No pair is kept: nothing of what needs the evidence (list, add, forget, explain) can be
     * had, WEFT_UNSUPPORTED. */
    WEFT_COMPACT
} weft_engine;

typedef enum weft_precision {
    WEFT_MIXED, /* kernels also in single precision; double where that cannot decide */
    WEFT_DOUBLE
} weft_precision;

typedef struct weft_settings {
    weft_form form;
    weft_updates updates;
    weft_engine engine;
    weft_precision precision;
    double eta;   /* learning rate, > 0 */
    double gamma; /* margin, in (0, 1] */
    /* The quasi-dimension estimate D, >= 1.  Or 0: m + n of the ids so far, so that kappa is 1 and no
     * capacity is needed; rows and columns are then 0. */
    double dimension;
    /* Capacities m and n, at least what the sides list (one set: n = rows, columns is ignored).  They fix
     * kappa = D / (m + n), and an id beyond them is WEFT_CAPACITY.  0: what is listed. */
    int64_t rows, columns;
    /* Width that the bracket of a margin must reach, as a fraction of max(gamma, |margin|), or as near to
     * it as double precision comes (below about 1e-6, and with nearly singular kernels).  0: decisions
     * only, which is faster; `margin` and `probability` are then as rough as the decision allowed. */
    double tolerance;
    uint64_t seed;      /* of the drawn thresholds */
    bool deterministic; /* threshold 0 instead of a drawn one */
    /* Compact engine: evidence is worth half after so many labelled trials, that of its own included, for
     * truths that drift; 0: it stays, and of that alone the theorems speak. */
    double half_life;
    /* Compact engine: every 8 d updates eigenvalues of A below -floor are raised to it, so that a stream
     * costs the same for ever.  The theorems hold with D (1 + exp(-floor)) and gamma - kappa exp(-floor).
     * At least 1; 0: never, and the engine is exact where its features are. */
    double floor;
    /* Products by large kernels (from 2,048 ids that carry evidence) and large evidence (from 2^20 pairs)
     * are shared out among so many threads, 0 to WEFT_THREAD_LIMIT; 0 and 1: none is started.  Speed alone:
     * no bit of any result depends on it, and it is no part of a state or a model.  For many predictions at
     * once weft_player_predict_many gains more. */
    int threads;
} weft_settings;

/* Margin updates, gamma = 1/3, D = m + n, eta = sqrt(D log(m+n) / (2T)), seed 1, tolerance 0.02, floor 64:
 * what is used when nothing is known.  `horizon` T is the number of labelled trials to come, about.  For one
 * set of ids pass columns = 0, and form is WEFT_ONE_SET.  Change any field before weft_learner_create, which
 * checks them all; weft_theory_tune (weft_theory.h) chooses better where the classes are known. */
WEFT_API weft_settings weft_settings_default(int64_t rows, int64_t columns, int64_t horizon);

/* Borrows the sides; columns NULL: one set of ids, otherwise the two may be the same.  WEFT_ARGUMENT for a
 * setting out of its range, or m + n < 3 (one set: n < 3); WEFT_CAPACITY for a capacity below what a side
 * lists. */
WEFT_API weft_status weft_learner_create(const weft_side *rows, const weft_side *columns,
                                         const weft_settings *settings, const weft_memory *memory,
                                         weft_player **player, weft_error *error);
/* A learner from the bytes of weft_player_write.  They may come from anywhere: WEFT_MODEL where they are not
 * a whole state of this version, contradict themselves or do not fit the sides. */
WEFT_API weft_status weft_learner_read(const weft_side *rows, const weft_side *columns, const void *buffer,
                                       size_t size, const weft_memory *memory, weft_player **player,
                                       weft_error *error);
/* As given, with m and n filled in. */
WEFT_API weft_settings weft_learner_settings(const weft_player *player);
/* The bound b >= lambda_max of the exponent, for tests and the curious. */
WEFT_API double weft_learner_spectral_bound(const weft_player *player);

/* ---- Rivals: what people would use instead ---- */

/* XX(NAME, "name", what `rate` is or "" where there is nothing to choose) */
#define WEFT_RIVAL_MAP(XX)                                                                          \
    XX(CONSTANT, "constant", "")         /* the label that came more often so far */                \
    XX(ROW_MAJORITY, "row majority", "") /* the same for this row; a new one: as CONSTANT */        \
    XX(COLUMN_MAJORITY, "column majority", "")                                                      \
    XX(BIAS, "row + column bias", "rate")        /* logistic: constant + row + column */            \
    XX(LOGISTIC, "hashed logistic", "rate")      /* ids, side information and all their products */ \
    XX(FACTORS, "matrix factorisation", "rate")  /* logistic: biases + <p_i, q_j> */                \
    XX(SUM, "perceptron, sum", "margin")         /* over pairs, kernel K_R + K_C */                 \
    XX(PRODUCT, "perceptron, product", "margin") /* kernel K_R K_C */                               \
    XX(SQUARE, "perceptron, square", "margin")   /* kernel (K_R + K_C)^2 */                         \
    XX(HYBRID, "hybrid factorisation", "rate")   /* FACTORS of ids and what is known of them */     \
    XX(CROSSED, "crossed logistic", "rate")      /* LOGISTIC, at most 256 products, small steps */

typedef enum weft_rival_kind {
#define XX(name, text, rate) WEFT_RIVAL_##name,
    WEFT_RIVAL_MAP(XX)
#undef XX
} weft_rival_kind;

enum { WEFT_RIVALS = WEFT_RIVAL_CROSSED + 1 };

/* "constant", ...; NULL for a number that is no kind. */
WEFT_API const char *weft_rival_name(weft_rival_kind kind);
/* "rate", "margin", or "" for a rival without one. */
WEFT_API const char *weft_rival_knob(weft_rival_kind kind);
/* Three rates (margins) worth trying, smallest first; 0 for a kind without. */
WEFT_API void weft_rival_rates(weft_rival_kind kind, double rates[3]);

typedef struct weft_rival_settings {
    weft_rival_kind kind;
    double rate;     /* rate > 0 or margin >= 0; 0 for a rate: the middle of weft_rival_rates */
    int64_t factors; /* FACTORS, HYBRID: their number; 0: 10, 15 */
    int bits;        /* LOGISTIC, CROSSED: 2^bits weights, at most 30; 0: 20 */
    uint64_t seed;   /* of the first factors and the hash; 0: 1 */
    int replay;      /* HYBRID: earlier events that are learnt again after each; 0: 9, -1: none */
    int64_t window;  /* HYBRID: of the last so many; 0: 16,384 */
    double shrink;   /* HYBRID: how much a step draws every number to zero, 0 to 1 */
} weft_rival_settings;

/* Borrows the sides, as a learner does; columns NULL: one set of ids, where the order of a pair does not
 * matter.  WEFT_ARGUMENT for a setting out of its range. */
WEFT_API weft_status weft_rival_create(const weft_side *rows, const weft_side *columns,
                                       const weft_rival_settings *settings, const weft_memory *memory,
                                       weft_player **player, weft_error *error);
/* From the bytes of weft_player_write, as for a learner. */
WEFT_API weft_status weft_rival_read(const weft_side *rows, const weft_side *columns, const void *buffer,
                                     size_t size, const weft_memory *memory, weft_player **player,
                                     weft_error *error);
/* As given, with the defaults filled in. */
WEFT_API weft_rival_settings weft_rival_settings_of(const weft_player *player);

/* -------------------------------------------------------------------------
 * 5  Committees
 *
 * Nobody knows beforehand which rate, margin and dimension suit a stream, nor what its side information is
 * worth.  A committee plays many settings at once, of learners and of rivals, over several views of the
 * sides, and learns which to believe.
 *
 * Two things are learnt about the members: a regression over their scores, the *stack*, which makes a
 * probability; and weights over their votes and the stack's, which make the prediction and carry the
 * guarantee.  Over the trials that member k was awake, for every k that has not begun anew (a rival where an
 * id was forgotten, learners where committees were merged) and every sequence of labels,
 *
 *     expected mistakes of the committee <= mistakes of member k + weft_standing.term + weft_standing.drift
 *
 * where drift is 0 unless labels came late.
 * There is neither a horizon nor a rate to choose.  Members that the stack can do without are put to rest,
 * so that a committee costs a few learners, not all.
 * ---------------------------------------------------------------------- */

/* One that plays.  All members of a committee number the ids alike. */
typedef struct weft_member {
    char name[64];                   /* for people */
    const weft_side *rows, *columns; /* borrowed; columns NULL: one set of ids */
    bool plain;                      /* knows nothing about the ids: the last of these never rests */
    int uses;                        /* WEFT_ROWS, WEFT_COLUMNS: whose side information it sees; 0: none */
    /* Reserve: 0, or 1 + the number of a member at the edge of the grid, itself none, beyond which this
     * one is.  It sleeps until that one leads at a checkpoint. */
    int64_t beyond;
    bool is_rival;
    weft_settings learner;     /* of a learner; it predicts without drawing, whatever they say */
    weft_rival_settings rival; /* of a rival */
} weft_member;

/* As weft_player_options, but for the seed, which is taken as it is; and: */
typedef struct weft_committee_settings {
    bool randomised;
    uint64_t seed;
    bool restless; /* no member is put to rest */
    int threads;   /* of which each then calls the memory hook; no part of a state */
} weft_committee_settings;

/* Copies the members, at least one.  WEFT_ARGUMENT where settings are out of their range or names are no
 * text. */
WEFT_API weft_status weft_committee_create(const weft_member *members, int64_t count,
                                           const weft_committee_settings *settings, const weft_memory *memory,
                                           weft_player **player, weft_error *error);
/* A committee from the bytes of weft_player_write, as for a learner; it takes the members that it was made
 * of. */
WEFT_API weft_status weft_committee_read(const weft_member *members, int64_t count, const void *buffer,
                                         size_t size, const weft_memory *memory, weft_player **player,
                                         weft_error *error);
WEFT_API weft_committee_settings weft_committee_settings_of(const weft_player *player);

/* A view of the ids of one side, for the members of a committee. */
typedef enum weft_view_kind {
    WEFT_VIEW_GIVEN,       /* the side information as it was given */
    WEFT_VIEW_NONE,        /* nothing is known */
    WEFT_VIEW_IDENTITY,    /* given, and as much again for every id alone: K + R I */
    WEFT_VIEW_NEAR,        /* graphs: diffusion over the normalised Laplacian, unit diagonal, time 5, */
    WEFT_VIEW_FAR,         /* and 20 */
    WEFT_VIEW_COMMUNITIES, /* classes found in a graph, or in that of the nearest ids by a kernel */
    WEFT_VIEW_NARROW,      /* tables: a Gaussian whose width is .25 of the usual distance between ids, */
    WEFT_VIEW_WIDE,        /* and .6 */
    WEFT_VIEW_PART         /* some of what was given: the classes of a column, or one of several kinds */
} weft_view_kind;

typedef struct weft_view {
    weft_view_kind kind;
    const weft_side *side;
    const char *name; /* of a part, borrowed; the others have NULL */
} weft_view;

/* "given", "none", "given + identity", "diffusion 5", "diffusion 20", "communities", "narrow", "wide",
 * "part"; NULL for a number that is no kind. */
WEFT_API const char *weft_view_name(weft_view_kind kind);

/* What a committee is told of one side: WEFT_VIEW_GIVEN first, or WEFT_VIEW_NONE alone, and of every kind but
 * WEFT_VIEW_PART at most one, of that at most WEFT_PARTS. */
enum { WEFT_PARTS = 8 };

typedef struct weft_views {
    const weft_view *list; /* borrowed */
    int64_t count;
} weft_views;

/* The members that are played by default (docs/committee.md), over the views of the rows and of
 * the columns; columns NULL: one set of ids.  members NULL: only *count, their number; else there is room
 * for *count of them, and *count is their number afterwards.  WEFT_ARGUMENT for a list that is not as said
 * above, endless ids, fewer than 3 ids in all, and where there is no room; WEFT_CAPACITY. */
WEFT_API weft_status weft_committee_members(const weft_views *rows, const weft_views *columns,
                                            weft_member *members, int64_t *count, weft_error *error);

/* Members, those in reserve among them, without the stack; a player that is no committee has one, itself. */
WEFT_API int64_t weft_player_member_count(const weft_player *player);
/* The player behind member 0 <= k < count, or NULL: to look, not to learn; valid until something is learnt,
 * forgotten or merged. */
WEFT_API const weft_player *weft_player_member(const weft_player *player, int64_t k);
/* The learner with the largest coefficient in the stack of those awake, to explain what the committee thinks;
 * where all learners rest, the one that stood best; NULL where there is none.  A learner leads itself. */
WEFT_API const weft_player *weft_committee_leader(const weft_player *player);

/* The stack, and those that do without something. */
enum { WEFT_STACKS = 4 };

/* Where a member stands, 0 <= k < count; k = count is the stack, which is always awake, count + 1 to count +
 * 3 are those that do without the side information of the rows, the columns, and both, asleep where nobody
 * sees that. */
typedef struct weft_standing {
    const char *name; /* valid as long as the committee */
    bool is_awake;
    bool in_reserve;  /* it is beyond the grid, and has never played */
    int64_t since;    /* the trial at which it was woken or put to rest; 0: from the start */
    int64_t trials;   /* that it was awake for */
    int64_t mistakes; /* of its own in these */
    double regret;    /* expected mistakes of the committee in these, less its own; counted from below 0 where
                         it has begun anew */
    double term;      /* the guarantee: regret is at most this + drift */
    double drift;     /* late labels: losses of the answers, less those under the weights at the labels */
    double weight;    /* in the next vote; 0 asleep */
    double coefficient; /* of it in the stack, and */
    double certainty;   /* how many standard deviations that is from 0 */
} weft_standing;

WEFT_API weft_standing weft_committee_standing(const weft_player *player, int64_t k);
/* Two that played the same trials, one with something and one without, in sums over blocks of trials that
 * follow each other.  Starts as {0}. */
enum { WEFT_BLOCKS = 256 };

typedef struct weft_paired {
    int64_t count;                 /* trials */
    double with, without;          /* what each has lost in all */
    int64_t length, blocks, open;  /* trials in a full block; full blocks; trials in the one behind them */
    double block[WEFT_BLOCKS + 1]; /* losses without, less losses with; the last one is not full */
} weft_paired;

/* One more trial: what each has lost in it, both finite. */
WEFT_API void weft_paired_add(weft_paired *paired, double with, double without);

/* Of all comparisons that are told together, one in twenty series of trials in which nothing differs may have
 * one that says that something does. */
#define WEFT_LEVEL 0.05

/* The losses that were saved, and an interval about them for one of `comparisons` >= 1 that are told together
 * (Bonferroni), of probability 1 - WEFT_LEVEL / comparisons: a normal quantile times the root of the sum of
 * the squares of the blocks to either side. */
typedef struct weft_difference {
    double with, without;    /* losses */
    double saved, low, high; /* without - with */
    double z; /* saved, in standard deviations of chance; at most the root of the number of blocks */
    double p; /* of so much in either direction by chance, times `comparisons`, at most 1 */
} weft_difference;

WEFT_API weft_difference weft_paired_difference(const weft_paired *paired, int comparisons);

/* What can be said of side information. */
typedef enum weft_verdict {
    WEFT_UNCLEAR, /* it cannot be told yet */
    WEFT_HELPS,   /* log loss is saved: the interval is above 0 */
    WEFT_AT_MOST  /* it saves at most the upper end, which is a hundredth of the log loss or less */
} weft_verdict;

/* "unclear", "helps", "at_most"; NULL for a number that is none. */
WEFT_API const char *weft_verdict_name(weft_verdict verdict);

/* Of the log loss, in a stream with `rare` labels of the rarer kind: WEFT_AT_MOST wants a hundred of them. */
WEFT_API weft_verdict weft_verdict_of(const weft_difference *log_loss, int64_t rare);

/* What side information is worth so far: what the stack does, beside a stack over the members that do
 * without it. */
typedef struct weft_worth {
    int64_t members; /* that do without; 0: none, and nothing is known */
    int64_t trials;  /* of which it speaks: the first 16,384 at most (docs/committee.md) */
    weft_verdict verdict;
    /* Three comparisons are told where both sides are known, else one.  Logarithms are natural. */
    weft_difference log_loss, mistakes;
} weft_worth;

/* `which` is WEFT_ROWS, WEFT_COLUMNS or WEFT_BOTH; anything else: all zeros. */
WEFT_API weft_worth weft_committee_worth(const weft_player *player, int which);
/* The probability of +1 without that, for the pair that was predicted or learnt last; NaN where nobody does
 * without. */
WEFT_API double weft_committee_probability_without(const weft_player *player, int which);

#ifdef __cplusplus
}
#endif

#endif
