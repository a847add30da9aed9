/* SPDX-License-Identifier: MIT
 *
 * weft: predict the entries of a binary matrix one at a time, learn from each
 * answer, and use what is known about the rows and the columns.
 *
 * The header reads in the order of the data:
 *
 *     side information ----+
 *                          v
 *     (row, column) --> player --> answer --> label --+
 *                          ^--------------------------+
 *
 *   1  status, errors, memory      every fallible call answers with a status
 *   2  side information            what is known about rows or columns
 *   3  players                     predict, learn, rank, explain, and what was learnt
 *   4  learners and rivals         the method of the paper, and what people would use instead
 *   5  committees                  many of both at once, and whom to believe
 *   6  theory                      what the theorems promise
 *   7  files                       ids, streams and side information from files
 *   8  models                      a player with its ids and side information as one file
 *   9  drafts                      files that are written whole or are not there
 *
 * Conventions.  Rows and columns are integers from 0.  A function that can fail
 * returns a weft_status, 0 or negative, and, if `error` is not NULL, leaves the
 * facts there; on failure its outputs are untouched and the object is as it was
 * before the call.  Outputs come last, the error very last.  Arrays that are
 * passed in are copied unless it says "borrowed".  What a _create, _open, _from_
 * or other constructor hands out is the caller's, who frees it with the _free of
 * its type; every _free takes NULL.  Pointers that are not said to be optional
 * must not be NULL; functions of players and models name one that is, WEFT_ARGUMENT.
 * `error` and `memory` may always be NULL.
 *
 * Nothing is printed, nothing exits, and there is no global state: distinct
 * objects may be used by distinct threads at once, one object by one thread at a
 * time.  Learners on several threads may share sides that nobody appends to.
 *
 * A first program of under 30 lines is examples/first.c, shown in the README.
 */
#ifndef WEFT_H
#define WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define WEFT_API
#else
#define WEFT_API __attribute__((visibility("default")))
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

/* The version of the library that is linked, "0.1.0". */
WEFT_API const char *weft_version(void);

/* -------------------------------------------------------------------------
 * 1  Status, errors, memory
 * ---------------------------------------------------------------------- */

/* XX(name, value, meaning, exit status of a program that ends with it) */
#define WEFT_STATUS_MAP(XX)                                                             \
    XX(OK, 0, "done", 0)                                                                \
    XX(MEMORY, -1, "out of memory", 1)                                                  \
    XX(INTERNAL, -2, "a numerical library failed", 1)                                   \
    XX(WRITE, -3, "a file could not be written", 1)                                     \
    XX(ARGUMENT, -4, "an argument is out of its range", 2)                              \
    XX(INPUT, -5, "the input is malformed", 3)                                          \
    XX(FILE, -6, "a file could not be read", 3)                                         \
    XX(UNKNOWN_ID, -7, "an id is not known", 3)                                         \
    XX(CAPACITY, -8, "there is no room for another id", 3)                              \
    XX(UNSUPPORTED, -9, "this kind of side information or of player cannot do that", 3) \
    XX(MODEL, -10, "the stored state is damaged or does not fit", 4)

typedef enum weft_status {
#define XX(name, value, meaning, exit) WEFT_##name = (value),
    WEFT_STATUS_MAP(XX)
#undef XX
} weft_status;

/* For WEFT_INPUT: "WEFT_INPUT", "the input is malformed" and 3.  For a number
 * that is no status: "WEFT_UNKNOWN", "not a status of this library" and 1.  The
 * strings are constants. */
WEFT_API const char *weft_status_name(weft_status status);
WEFT_API const char *weft_status_meaning(weft_status status);
WEFT_API int weft_status_exit(weft_status status);

/* The facts of a failure, written by the call that failed and left alone by one
 * that succeeds; it needs no initialisation.  `at` is the offending entry where
 * there is one (for a vector only at[0]), else -1, so that a program can say it
 * with the names that its user knows; each constructor below says what it
 * counts. */
typedef struct weft_error {
    weft_status status;
    int64_t at[2];
    char message[512]; /* one sentence for people, without a newline, as weft_show leaves it */
} weft_error;

/* Text from elsewhere, such as an id or the name of a file, for people to read: control characters, what
 * is no UTF-8, and characters that are not seen or turn the direction of writing become escapes (\x1b, \n,
 * \u202e), so that no id can speak to a terminal or forge a line of a report.  Text that is longer is cut
 * and ends in "...".  Showing what is shown already changes nothing.  Output for programs (CSV, JSON) keeps
 * the bytes instead. */
typedef struct weft_shown {
    char text[512];
} weft_shown;
WEFT_API weft_shown weft_show(const char *text);

/* The one allocator hook.  Resizes `pointer` (NULL: a new block) from old_size
 * to new_size bytes and returns it, or NULL with the old block intact, which the
 * caller sees as WEFT_MEMORY; new_size 0 frees and returns NULL.  Any alignment
 * will do.  NULL for a weft_memory * everywhere means the C
 * library's allocator.  The struct is copied; `user` must outlive every object
 * made with it.  (CHOLMOD, the C library and, for the reference
 * engine, LAPACK may allocate beside it.) */
typedef void *weft_allocate(void *user, void *pointer, size_t old_size, size_t new_size);

typedef struct weft_memory {
    weft_allocate *allocate;
    void *user;
} weft_memory;

/* The processor kind whose kernels the linked BLAS, which the reference engine calls, has chosen, such as
 * "Haswell"; "unknown" where it does not tell (only OpenBLAS does).  A constant. */
WEFT_API const char *weft_blas_core(void);

/* -------------------------------------------------------------------------
 * 2  Side information
 *
 * A weft_side is a positive semidefinite kernel K over the ids 0..count-1 of
 * one side, with its squared radius R >= max_i K(i,i).  It is immutable but
 * for weft_side_append, which adds ids and changes no earlier entry.  Learners
 * borrow it: it must outlive them.  One side may serve many learners, and rows
 * and columns at once.
 *
 * What the constructors answer: WEFT_ARGUMENT for a parameter out of its range,
 * WEFT_INPUT for values that make no kernel, WEFT_MEMORY.  `options` NULL means
 * {0}.  Where nothing else is said error.at is the entry {i, j} of the matrix.
 * ---------------------------------------------------------------------- */

typedef struct weft_side weft_side;

/* Finite features phi_i in place of a kernel, <phi_i, phi_j> = K(i,j) or nearly so, for the
 * compact engine (section 4), which sees nothing else.  The other engines do not look at them.
 * What a kind can have:
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
 * An id that is alone is hashed, with K(i,i) = R.  Classes and linear features with epsilon 0 have
 * their map without being asked. */
typedef struct weft_map {
    int64_t fourier; /* coordinates, an even number */
    int64_t eigen;   /* coordinates, at most the ids listed */
    int64_t hash;    /* coordinates: signs, a function of seed and number of the id alone (linear
                        features: of the vector) */
    uint64_t seed;
} weft_map;

/* Zero-initialise it: {0} means the defaults. */
typedef struct weft_side_options {
    const weft_memory *memory; /* NULL: the C library's allocator */
    /* The squared radius R.  0: the largest diagonal entry.  A diagonal entry
     * above it is an error, now and at every append.  Given or found, it must lie
     * within 1e-307 and 1e307: scale a kernel that is outside.  A learner over one
     * set of ids takes a given R as that of the kernel without its constant part
     * (a PDLaplacian: of L^+). */
    double radius;
    /* True: R is the supremum of the kernel over its whole domain instead of
     * the largest diagonal (none 1, classes 1 + epsilon, Gaussian 1, min
     * r^d, regularised and diffusion 1): for ids still to come.  Other kinds need
     * `radius` for that. */
    bool inductive;
    /* NULL: what is finite by itself.  WEFT_ARGUMENT where the kind has no such map. */
    const weft_map *map;
    /* None with a hash map only: every number >= 0 is an id, however large (the hash of a name, say), and
     * none is listed; weft_side_count is 0.  For the compact engine, whose capacities must then
     * be given: they make kappa, and no id is held against them. */
    bool endless;
    /* Bytes that one learner may take for kernel values between the ids of this side that it has
     * learnt, 12 a pair of ids (8 without mixed precision); 0: 2^32.  Only for kernels
     * without structure: not none, classes, large graphs, nor the compact engine.  An id beyond
     * it is WEFT_MEMORY when it would be learnt, and the learner stays as it was. */
    int64_t budget;
} weft_side_options;

/* Nothing is known: K = I.  `count` may be 0, and any number of ids may be
 * appended.  O(1); a learner keeps 16 bytes for every id that is listed. */
WEFT_API weft_status weft_side_none(int64_t count, const weft_side_options *options, weft_side **side,
                                    weft_error *error);

/* K(i,j) = [class_of[i] = class_of[j]] + epsilon [i = j], the paper's
 * partition kernel.  Classes are any integers; epsilon >= 0 and finite.  With
 * epsilon 0 ids of one class cannot be told apart.  O(count), also for a product
 * by K. */
WEFT_API weft_status weft_side_from_classes(int64_t count, const int64_t *class_of, double epsilon,
                                            const weft_side_options *options, weft_side **side,
                                            weft_error *error);

/* K given, count x count, row by row (copied).  Must be finite, symmetric up
 * to 1e-9 and semidefinite up to 1e-10 of its largest entry, and not all
 * zero.  It is symmetrised within that tolerance.  O(count^2) memory, and
 * O(count^3) time once, for the eigenvalues that prove it semidefinite. */
WEFT_API weft_status weft_side_from_kernel(int64_t count, const double *kernel,
                                           const weft_side_options *options, weft_side **side,
                                           weft_error *error);

/* M given, count x count, row by row (copied), K = M^-1.  Must be finite,
 * symmetric up to 1e-9 of its largest entry, and positive definite to working
 * precision: where it is not, error.at is {i, i}, the first leading block of
 * i + 1 ids that fails.  O(count^2) memory, O(count^3) time, once. */
WEFT_API weft_status weft_side_from_matrix(int64_t count, const double *matrix,
                                           const weft_side_options *options, weft_side **side,
                                           weft_error *error);

typedef enum weft_graph_kernel {
    WEFT_PDLAPLACIAN, /* K = L^+ + R_L 11', R_L = max_i L^+(i,i): the paper's */
    WEFT_REGULARISED, /* K = (I + parameter L)^-1, parameter = sigma > 0 */
    WEFT_DIFFUSION    /* K = exp(-parameter L), parameter = time > 0 */
} weft_graph_kernel;

typedef enum weft_graph_path {
    WEFT_GRAPH_BY_SIZE, /* dense up to 4000 vertices */
    WEFT_GRAPH_DENSE,   /* K is stored */
    WEFT_GRAPH_SPARSE   /* products with K by a sparse factor, iteration or a polynomial */
} weft_graph_path;

/* An undirected graph, borrowed for the call.  Weights are positive and finite;
 * weight NULL means all 1.  An edge may be given twice, in either direction, with
 * the same weight; self-loops are ignored.  What is zero is the default. */
typedef struct weft_graph {
    int64_t vertices; /* at least 1; PDLaplacian: at least 2 */
    int64_t edges;
    const int64_t *from; /* 0 <= from[k], to[k] < vertices */
    const int64_t *to;
    const double *weight;
    /* PDLaplacian of a disconnected graph: joined as a star, the first vertex of
     * every other component to the first vertex of the first one with weight 1
     * (true), or an error that names two vertices with no path between them
     * (false).  The other kernels need no connected graph, join nothing and do not
     * look at it: components are not similar, a vertex without edges is similar to
     * itself alone. */
    bool connect;
    weft_graph_kernel kernel;
    double parameter; /* sigma or time; not looked at for the PDLaplacian */
    /* L = D^-1/2 (D - A) D^-1/2 in place of D - A, where A are the weights and D the
     * degrees; the row and column of a vertex without edges are zero. */
    bool normalised;
    /* K(i,j) / sqrt(K(i,i) K(j,j)) in place of K: a diagonal of ones.  Nothing of the
     * constant part of a PDLaplacian is then told apart, nor cancels for one set. */
    bool unit;
    weft_graph_path path;
    /* Bytes that the factor of a large graph may take while it is made, before it is solved by iteration;
     * 0: 2^30. */
    int64_t budget;
} weft_graph;

/* A kernel of a graph.  R is the largest diagonal entry: 2 R_L for the PDLaplacian, at
 * most 1 for the others (which is what `inductive` takes), 1 with `unit`.  Which to take:
 * docs/graphs.md.
 *
 * Dense: O(vertices^2) memory, O(vertices^3) time, once.  Sparse: no matrix of that size is ever
 * made.  PDLaplacian and regularised kernel have a Cholesky factor, made once, and a product, column
 * or entry is one solve with it.  Where the factor would be above the budget (a random graph fills in
 * with the square of its size) it is not made, and a solve is some tens to hundreds of steps of
 * preconditioned conjugate gradients, in memory proportional to the edges: weft_side_iterative tells.
 * All diagonal entries then take vertices / 8 such runs, once (a minute for 20,000 vertices of degree
 * 10); with `unit` a regularised kernel takes them when an id is first met.  WEFT_INPUT where 5,000
 * steps are not enough.  Diffusion needs no factor: a product is some tens to hundreds of products with
 * the graph (error below 2^-53 of the vector), and without `unit` the squared radius takes one such
 * product for every vertex, once.  What solving rounds off or stops short of is in the brackets of the
 * margins.  weft_side_entry takes 6 numbers a vertex from the allocator for the time of the call, and
 * is NAN where that is refused.
 *
 * Here error.at[0] is the number of the edge that is wrong and at[1] is -1; for
 * an edge repeated with another weight at is {edge, earlier edge}; for a graph
 * that is not connected (also: not to working precision) it is two vertices.
 * WEFT_ARGUMENT where sigma or time is so large that nothing would be left of
 * working precision; WEFT_INPUT, error.at {vertex, vertex}, where a diffusion leaves so little
 * of a vertex that it cannot be scaled to 1. */
WEFT_API weft_status weft_side_from_graph(const weft_graph *graph, const weft_side_options *options,
                                          weft_side **side, weft_error *error);

/* Edges that `connect` added, self-loops ignored, and the components of the graph as
 * given, to be told to the user; 0 for other kinds. */
WEFT_API int64_t weft_side_joined(const weft_side *side);
WEFT_API int64_t weft_side_loops(const weft_side *side);
WEFT_API int64_t weft_side_components(const weft_side *side);

/* Whether a graph is solved by iteration, because its factor would have been above the budget. */
WEFT_API bool weft_side_iterative(const weft_side *side);

typedef enum weft_kernel {
    WEFT_LINEAR,   /* <x,t> + parameter [x = t], parameter = epsilon >= 0 */
    WEFT_GAUSSIAN, /* exp(-|x-t|^2 / (2 parameter^2)), parameter = width > 0 */
    WEFT_MIN       /* prod_i min(s(x_i), s(t_i)), s(x) = (r-1)x/(2r) + (r+1)/2,
                      on [-r,r]^d, parameter = r >= 2 */
} weft_kernel;

/* One vector an id, and a kernel between vectors. */
typedef struct weft_features {
    int64_t count;        /* 0 only with a radius, or `inductive` */
    int64_t dimension;    /* at least 1 */
    const double *values; /* count x dimension, row by row (copied) */
    weft_kernel kernel;
    double parameter;
} weft_features;

/* The Gram matrix is not stored here: an entry costs O(dimension), and a learner
 * keeps those of the ids it has learnt.  Of linear features it keeps none where
 * dimension <= 64 or 8 dimension <= count, which is settled here: it multiplies by the
 * vectors themselves, in O(ids learnt * dimension) time a product and no memory, where the
 * matrix takes the square of the ids.  With more coordinates than that the matrix is the
 * smaller of the two until many ids were learnt.  Values must be finite, and within
 * [-r, r] for the min kernel; error.at is {id, coordinate}. */
WEFT_API weft_status weft_side_from_features(const weft_features *features, const weft_side_options *options,
                                             weft_side **side, weft_error *error);

/* The user's own kernel: must be symmetric, finite, positive semidefinite,
 * always give the same answer, and know every id below `count`, also those
 * appended later.
 *
 * What is checked: every diagonal entry when its id arrives; symmetry and
 * |K(i,j)|^2 <= K(i,i) K(j,j) against a few other ids then, and against all that
 * were learnt when the id is about to be.  Semidefiniteness as a whole is the
 * user's word.  A value that is not finite counts as 0 in predictions and is an
 * error (WEFT_INPUT, error.at {i, j}) when its id would be learnt. */
typedef double weft_kernel_function(void *user, int64_t i, int64_t j);

/* `function` is called from this and from the calls of every learner that uses
 * the side; it and `user` must outlive them. */
WEFT_API weft_status weft_side_from_callback(int64_t count, weft_kernel_function *function, void *user,
                                             const weft_side_options *options, weft_side **side,
                                             weft_error *error);

/* K + weight I over another side, whatever its kind: what is known of the ids, and weight > 0 for each of
 * them alone.  R is that of `side` and the weight.  Borrows `side`, which must outlive it and takes a
 * new id first; weft_side_append then makes the same id known here and looks at no item.  Of the options
 * only memory and budget may be given.  WEFT_ARGUMENT where the ids of `side` are endless; WEFT_INPUT where
 * R is out of its range.  O(count), and the cost of `side` afterwards. */
WEFT_API weft_status weft_side_with_identity(const weft_side *side, double weight,
                                             const weft_side_options *options, weft_side **made,
                                             weft_error *error);

/* What is known of one new id, borrowed for the call; a callback needs nothing
 * and `none` looks at nothing.  {0} is the class 0. */
typedef struct weft_item {
    bool alone;           /* every kind: similar to nothing but itself, K(i,i) = R
                             (none: an ordinary id, K(i,i) = 1) */
    int64_t class_of;     /* classes */
    const double *values; /* features: the vector; kernel: the count + 1 entries
                             K(new, 0), ..., K(new, new) */
    int64_t length;       /* of values */
} weft_item;

/* Adds one id, number weft_side_count() before the call.  Learners of the side
 * know it from then on, within their capacities.  WEFT_UNSUPPORTED for matrices
 * and graphs unless `alone`: their kernel depends on all ids at once.  WEFT_INPUT
 * where K(new,new) is above R.  Of a row added to a kernel only the 2 x 2 minors
 * are checked, |K(new,j)|^2 <= K(new,new) K(j,j): that catches a wrong scale or a
 * wrong row, not every matrix that is not semidefinite.  Amortised O(1) for none
 * and classes, O(dimension) for features, O(count) for the others.  Not to be
 * called while another thread uses the side or its learners. */
WEFT_API weft_status weft_side_append(weft_side *side, const weft_item *item, weft_error *error);

/* The number of ids, those appended included; 0 where every number is one (endless). */
WEFT_API int64_t weft_side_count(const weft_side *side);
/* R, fixed when the side is made. */
WEFT_API double weft_side_radius(const weft_side *side);
/* "none", "classes", "kernel", "matrix", "graph", "features", "callback", "identity" */
WEFT_API const char *weft_side_kind(const weft_side *side);
/* K(i,j); 0 for ids out of range. */
WEFT_API double weft_side_entry(const weft_side *side, int64_t i, int64_t j);
/* The coordinates of its feature map; 0: it has none.  At most WEFT_MAP_LIMIT. */
#define WEFT_MAP_LIMIT 4096
WEFT_API int64_t weft_side_dimension(const weft_side *side);
/* phi of an id, weft_side_dimension() numbers with |phi|^2 <= R.  WEFT_UNKNOWN_ID; WEFT_UNSUPPORTED
 * for a side without a map, and for an id that the map has no room for: one that is alone where
 * nothing is hashed, or of a class that came later. */
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
} weft_neighbours;

typedef struct weft_edge {
    int64_t from, to; /* from < to */
    double weight;    /* > 0 */
} weft_edge;

typedef struct weft_edges weft_edges;

/* The k nearest neighbours of every vector, exactly: distances and cosines are right
 * to the last digit of a double, and where these are equal the earlier id is nearer.
 * Kernel and parameter of `features` are not looked at.  Edges are in the order of
 * `from`, then `to`, each once; one whose weight is 0 to working precision is left
 * out.  WEFT_ARGUMENT for k; WEFT_INPUT for a value that is not finite, error.at {id,
 * coordinate}, and a vector that is zero, error.at {id, -1}.  O(count^2 dimension)
 * time, O(count (k + dimension)) memory. */
WEFT_API weft_status weft_edges_nearest(const weft_features *features, const weft_neighbours *how,
                                        const weft_memory *memory, weft_edges **edges, weft_error *error);
WEFT_API int64_t weft_edges_count(const weft_edges *edges);
/* Edge 0 <= k < count; all zeros out of range. */
WEFT_API weft_edge weft_edges_at(const weft_edges *edges, int64_t k);
/* The s of Euclidean weights; 0 for others, and where all k-th neighbours are at
 * distance 0 (the weights are 1 then). */
WEFT_API double weft_edges_scale(const weft_edges *edges);
WEFT_API void weft_edges_free(weft_edges *edges);

/* -------------------------------------------------------------------------
 * 3  Players
 *
 * One object predicts the entries of the matrix and learns from their labels:
 *
 *     (row, column) --predict--> answer,  label --learn--> answer
 *
 * There are three kinds.  A learner is the method of the paper, a rival is what
 * people would use instead, a committee plays many of both at once.  Each kind has
 * a constructor of its own (sections 4 and 5); everything after that is the same
 * for all of them.  What a kind cannot do is WEFT_UNSUPPORTED, with the reason.
 *
 * Functions that answer with a value instead of a status take NULL, and answer all
 * zeros where the kind does not have what was asked for.
 * ---------------------------------------------------------------------- */

typedef struct weft_player weft_player;

typedef enum weft_kind { WEFT_LEARNER, WEFT_RIVAL, WEFT_COMMITTEE } weft_kind;

WEFT_API weft_kind weft_player_kind(const weft_player *player);
/* "learner", "rival", "committee"; NULL for a number that is no kind. */
WEFT_API const char *weft_kind_name(weft_kind kind);

/* Before the sides that it borrows. */
WEFT_API void weft_player_free(weft_player *player);

/* ---- Trials: predict and learn ---- */

/* Margins whose quadratic form exceeds this are reported as this: they never become infinite or NaN.
 * (Decisions are taken in logarithms and are not affected.) */
#define WEFT_MARGIN_LIMIT 1e300

/* What a player says of a pair. */
typedef struct weft_answer {
    int label;          /* the prediction, -1 or +1 */
    double probability; /* of the label +1, in [0, 1], as the player sees it */
    double score;       /* larger means rather +1, finite; pairs are ranked by it.  A learner: the margin;
                           a committee: the probability */
    /* The probability that a drawn prediction is +1: guarantees speak of it.  A committee: the weight of
     * the members that say +1.  0 or 1 where a learner or a rival draws nothing. */
    double vote;
    /* A learner predicts +1 iff margin >= threshold, a rival iff score >= threshold, a committee iff vote
     * >= threshold.  It is drawn from (seed, t), or 0; of a committee that draws nothing 1/2. */
    double threshold;
    /* Learners: [lower, upper] contains the exact margin; rounding is included by a statistical model
     * with a wide safety factor (src/spectral/sequence.c).  `margin` is its middle.  The others have
     * none: NAN, -INFINITY and INFINITY. */
    double margin, lower, upper;
    /* Learners: the bracket excludes the threshold.  False for a tie below the rounding allowance, which
     * is decided by the middle.  The others: true. */
    bool certified;
    int products;  /* learners: multiplications by C that it took; else 0 */
    int64_t asked; /* committees: members that were asked; else 1 */
    int64_t t;     /* the trial that it is the answer of, counted from 0; rivals, which do not count: 0 */
    /* From here on what learning a label adds; predictions have false and 0. */
    bool mistake;             /* `label` is not the label that came */
    bool updated;             /* learners: the evidence has changed (unless the pair embeds as zero) */
    bool update_certified;    /* learners: the bracket excludes what the update was decided by */
    double error_probability; /* that a drawn prediction is wrong */
} weft_answer;

/* Predicts entry (row, column).  Changes nothing that can be seen: the state is the same to the byte;
 * only a workspace remembers what was computed, so that learning the same pair next need not start
 * again.  For one set of ids the order of the two does not matter.  WEFT_UNKNOWN_ID for an id that its
 * side does not list, WEFT_CAPACITY for one beyond the capacity; error.at[0] is the id.  A learner takes
 * `products` multiplications by C, and about as many by K, over the ids learnt so far; allocates nothing
 * once warmed up. */
WEFT_API weft_status weft_player_predict(weft_player *player, int64_t row, int64_t column,
                                         weft_answer *answer, weft_error *error);

/* The same without drawing anything, whatever the settings say: a learner has threshold 0, a committee
 * 1/2.  The bracket of a learner reaches `tolerance` (as in weft_settings, here for this call; the others
 * do not look at it).  The answer depends on the state and the pair alone, never on what was asked
 * before, so that copies on several threads agree to the bit.  A prediction that was pending is no
 * longer.  WEFT_ARGUMENT for a tolerance that is negative or not finite. */
WEFT_API weft_status weft_player_evaluate(weft_player *player, int64_t row, int64_t column, double tolerance,
                                          weft_answer *answer, weft_error *error);

/* weft_player_predict with the threshold of trial `t`, counted from 0: for predictions that are made
 * while earlier trials still wait for their labels.  (weft_player_predict is the one of trial counters.t.)
 * WEFT_ARGUMENT for t < 0. */
WEFT_API weft_status weft_player_predict_at(weft_player *player, int64_t row, int64_t column, int64_t t,
                                            weft_answer *answer, weft_error *error);

/* Ends trial t with the label of (row, column): -1 or +1, or 0 when no label came (nothing is learnt, t
 * goes on).  Without a pending prediction of the same pair it predicts first, so labels may come late and
 * in any order.  `answer`, which may be NULL, is the prediction, of a learner with the final bracket, and
 * what became of it.  Fails as predict does; WEFT_ARGUMENT for any other label; WEFT_MEMORY; then nothing
 * was learnt and t is as before.  But where a committee fails, members that have learnt the label will
 * not learn it again when the next call repeats this one: do that, or free the committee. */
WEFT_API weft_status weft_player_learn(weft_player *player, int64_t row, int64_t column, int label,
                                       weft_answer *answer, weft_error *error);

/* A trial whose label has come late, and the prediction that was made of it. */
typedef struct weft_late {
    int64_t row, column;
    int label; /* -1, 0 or +1 */
    weft_answer answer;
} weft_late;

/* Ends such a trial, of a learner.  The prediction as it was made counts: its label says whether it was a
 * mistake (and with mistake updates whether to update), its probability is the expected mistake, its
 * products are added to those of learning.  Whether y * margin < gamma is asked of the margin as it is
 * now, and *answer has that bracket; label, threshold and probability there are those of the prediction.
 * `answer` may be NULL. WEFT_ARGUMENT for what cannot be a prediction; else as weft_player_learn. */
WEFT_API weft_status weft_player_learn_late(weft_player *player, const weft_late *trial, weft_answer *answer,
                                            weft_error *error);

typedef struct weft_counters {
    int64_t t;      /* trials ended, with or without a label */
    int64_t trials; /* with a label */
    int64_t mistakes;
    int64_t updates;          /* learners */
    int64_t products;         /* learners: multiplications by C */
    double expected_mistakes; /* sum of error probabilities */
    int64_t awake;            /* committees: members that are */
} weft_counters;

/* A rival counts nothing. */
WEFT_API weft_counters weft_player_counters(const weft_player *player);
/* Room for rows and columns, as in weft_settings; columns 0 for one set of ids.  A rival: all that its
 * sides list. */
WEFT_API void weft_player_room(const weft_player *player, int64_t *rows, int64_t *columns);
/* settings.threads of a player that is there already, one that was read from a model for instance; 0 to
 * WEFT_THREAD_LIMIT.  Speed alone.  A rival starts none. */
WEFT_API weft_status weft_player_set_threads(weft_player *player, int threads, weft_error *error);
#define WEFT_THREAD_LIMIT 256

/* ---- Evidence: what was learnt ---- */

/* The evidence of a learner: pairs that were ever updated, in order of first update, those whose count is
 * 0 again included. */
typedef struct weft_evidence_entry {
    int64_t row, column;
    int64_t count; /* signed: labels +1 less labels -1 */
} weft_evidence_entry;

/* The number of these pairs.  A committee: of the learner that leads it (weft_committee_leader). */
WEFT_API int64_t weft_player_evidence_count(const weft_player *player);
/* Entry 0 <= k < count; all zeros for k out of range. */
WEFT_API weft_evidence_entry weft_player_evidence(const weft_player *player, int64_t k);

/* Adds counts to the evidence of a learner as if they had been learnt (another log, an import).  The
 * bound b is recomputed; counters do not change.  Ids as for predict; WEFT_ARGUMENT (error.at the pair)
 * for a sum beyond 2^53.  `entries` may be NULL where count is 0.  Rebuilds the learner: O(evidence). */
WEFT_API weft_status weft_player_add_evidence(weft_player *player, const weft_evidence_entry *entries,
                                              int64_t count, weft_error *error);

/* Adds the counters of another learner to this one's, as is due when its evidence was added.  t is a sum
 * too: thresholds that are still to be drawn were in neither.  WEFT_ARGUMENT for a negative counter, or a
 * sum that does not fit. */
WEFT_API weft_status weft_player_count_more(weft_player *player, const weft_counters *more,
                                            weft_error *error);

/* Adds what another player of the same kind and settings, over the same ids, has learnt, and its
 * counters; `other` does not change.  Learners add their evidence.  Committees must have the same
 * members: the evidence of learners is added, of every rival the one that has seen more trials stays,
 * weights and stack start anew, as do the standings, and everybody wakes.  WEFT_ARGUMENT where the two do
 * not go together. */
WEFT_API weft_status weft_player_merge(weft_player *player, const weft_player *other, weft_error *error);

/* Whose ids, and whose side information; one set of ids: WEFT_ROWS. */
enum { WEFT_ROWS = 1, WEFT_COLUMNS = 2, WEFT_BOTH = 3 };

/* Takes out again what is known of one id, a row (WEFT_ROWS) or a column (WEFT_COLUMNS); for one set of
 * ids either takes out all pairs of the id.  A learner loses all evidence of the id: that does not undo
 * what the evidence did to later decisions whether to update.  In a committee all learners do that, awake
 * or not; rivals, whose weights cannot be taken apart, start anew, and so does what the stack knows of
 * these.  Standings and counters stay.  Rebuilds the player: O(evidence). */
WEFT_API weft_status weft_player_forget(weft_player *player, int which, int64_t id, weft_error *error);

/* ---- Ranking: one id with many ---- */

/* Which pairs, and how many. */
typedef struct weft_query {
    bool column;               /* `id` is a column and rows are ranked; else the other way round */
    int64_t id;                /* whose pairs */
    int64_t most;              /* of the answer, at least 1 */
    const int64_t *candidates; /* distinct ids of the other side, borrowed for the call */
    int64_t candidate_count;   /* 0, with NULL before it: all that the other side lists */
    double tolerance;          /* as in weft_settings: reached as far as double precision goes; 0: 0.02 */
} weft_query;

typedef struct weft_ranked {
    int64_t id;
    weft_answer answer; /* as weft_player_evaluate has it; of a learner without `products` */
} weft_ranked;

/* The `most` candidates of the largest scores, largest first, in ranked[0..*found), *found the smaller of
 * most and candidate_count.  Scores that agree (of a learner: within the tolerance with the largest one
 * of their group) are in the order of the candidates.  Exact: what sorting the scores of
 * weft_player_evaluate gives (of a learner it is open which of those within the tolerance of the last
 * place are answered).  A prediction that was pending is no longer.  Ids as for predict; WEFT_ARGUMENT
 * for `most` or the tolerance out of range; WEFT_MEMORY.
 *
 * A learner takes one action of the exponential, one column of the kernel a candidate, and a quadratic
 * form for every candidate that is not kept and cannot be left out earlier: with F = K exp(CK) the
 * paper's margin is kappa (F_ii + 2 F_ij + F_jj) - 1 (one set of ids: 1 - kappa (F_ii - 2 F_ij + F_jj);
 * balanced: 2 kappa F_ij).  One action gives F_ij for all j; the diagonal F_jj is a property of the state
 * alone and is kept until the learner learns.  What is not kept yet is bracketed only as far as it takes
 * to leave a candidate out.  Others are asked for every candidate. */
WEFT_API weft_status weft_player_rank(weft_player *player, const weft_query *query, weft_ranked *ranked,
                                      int64_t *found, weft_error *error);

/* Computes what is not kept yet of that diagonal, of both sides: one quadratic form an id.  Nothing to do
 * for the balanced form, nor for the compact engine, which has every margin from one decomposition of its
 * matrix, in one pass over the candidates. */
WEFT_API weft_status weft_learner_fill_diagonal(weft_player *player, weft_error *error);
/* The number of ids whose entry is kept, of both sides. */
WEFT_API int64_t weft_learner_kept_diagonal(const weft_player *player);

/* ---- Explanation: what a margin rests on ---- */

/* One pair that carries evidence. */
typedef struct weft_influence {
    int64_t row, column;
    int64_t count;     /* its evidence */
    double derivative; /* d margin / d count, exact at the state as it is */
    double influence;  /* count * derivative: its share, to first order */
} weft_influence;

typedef struct weft_explanation {
    double margin, lower, upper; /* of the pair that is explained */
    double total;                /* sum of all influences */
    double error;                /* no derivative is off by more */
    int products;                /* multiplications by C */
} weft_explanation;

/* Explains the margin of (row, column): influences[k] belongs to weft_player_evidence(player, k), for all
 * weft_player_evidence_count of them; it may be NULL where there are none.  The derivatives are of the
 * margin as a function of real counts, by divided differences of exp in the Krylov space of the pair;
 * they converge at half the rate of the margin and are narrowed until `error` is at most `tolerance` (>
 * 0) times the largest of them, or rounding allows no more.  Of a committee the margin of the learner
 * that leads it (weft_committee_leader) is explained; WEFT_UNSUPPORTED where only rivals are awake.
 * Fails as predict does. */
WEFT_API weft_status weft_player_explain(weft_player *player, int64_t row, int64_t column, double tolerance,
                                         weft_explanation *explanation, weft_influence *influences,
                                         weft_error *error);

/* ---- The state ---- */

/* The whole state as bytes: a run that is written, read and continued equals the uninterrupted one bit
 * for bit (krylov).  With buffer NULL only *size is set; otherwise *size is that of the buffer before and
 * of the state after, and a buffer that is too small is WEFT_ARGUMENT.  The sides are not part of it: the
 * same must be given to weft_learner_read, weft_rival_read or weft_committee_read, which cannot tell
 * others of the same size apart.  The format is the same on every machine; VERSIONING.md says how long it
 * is kept. */
WEFT_API weft_status weft_player_write(const weft_player *player, void *buffer, size_t *size,
                                       weft_error *error);
/* An independent copy over the same sides; it continues bit for bit as the original does (krylov). */
WEFT_API weft_status weft_player_clone(const weft_player *player, weft_player **copy, weft_error *error);
/* Forgets everything learnt, keeps settings and memory. */
WEFT_API weft_status weft_player_reset(weft_player *player, weft_error *error);

/* -------------------------------------------------------------------------
 * 4  Learners and rivals
 *
 *     settings --create--> player
 *
 * The state of a learner is the evidence: a signed count for every pair that was ever updated
 * (and b, and counters).
 * ---------------------------------------------------------------------- */

/* ---- Learners ---- */

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
     * phi_j>.  No pair is kept: nothing of what needs the evidence (list, merge, forget, explain) can be
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
    double eta;       /* learning rate, > 0 */
    double gamma;     /* margin, in (0, 1] */
    double dimension; /* the quasi-dimension estimate D, >= 1 */
    /* Capacities m and n, at least what the sides list (one set: n = rows, columns is ignored).  They fix
     * kappa = D / (m + n).  0: what is listed. */
    int64_t rows, columns;
    /* Width that the bracket of a margin must reach, as a fraction of max(gamma, |margin|), or as near to
     * it as double precision comes (below about 1e-6, and with nearly singular kernels).  0: decisions
     * only, which is faster; `margin` and `probability` are then as rough as the decision allowed. */
    double tolerance;
    uint64_t seed;      /* of the drawn thresholds */
    bool deterministic; /* threshold 0 instead of a drawn one */
    /* Compact engine: evidence is worth half after so many labelled trials, that of its own included, for
     * truths that drift; > 0 and finite, or 0 for evidence that stays.  The theorems speak of the latter
     * only. */
    double half_life;
    /* Compact engine: where a margin cannot be met, eigenvalues of A fall without end and margins cost
     * more and more; every 8 d updates those below -floor are raised to it, so that a stream costs the
     * same for ever.  The theorems hold with D (1 + exp(-floor)) and gamma - kappa exp(-floor).  At least
     * 1; 0: never, and the engine is exact where its features are.  Other engines do not look at it. */
    double floor;
    /* Products by large kernels (from 2,048 ids that carry evidence) and large evidence (from 2^20 pairs)
     * are shared out among so many threads, 0 to 256, that the learner starts when it first needs them; 0
     * and 1: none is started.  Speed alone: no bit of any result depends on it, and it is no part of a
     * state or a model.  For many predictions at once, learners side by side (weft_player_clone) gain
     * more.  The compact engine does not look at it. */
    int threads;
} weft_settings;

/* Margin updates, gamma = 1/3, D = m + n, eta = sqrt(D log(m+n) / (2T)), seed 1, tolerance 0.02, floor
 * 64: what is used when nothing is known.  `horizon` T is the number of labelled trials to come, about.
 * For one set of ids pass columns = 0, and form is WEFT_ONE_SET.  Change any field before
 * weft_learner_create, which checks them all; weft_theory_tune (section 6) chooses better where the
 * classes are known. */
WEFT_API weft_settings weft_settings_default(int64_t rows, int64_t columns, int64_t horizon);

/* Borrows the sides; columns NULL: one set of ids, otherwise the two may be the same.  WEFT_ARGUMENT for
 * a setting out of its range, or m + n < 3 (one set: n < 3); WEFT_CAPACITY for a capacity below what a
 * side lists.  `memory` may be NULL. */
WEFT_API weft_status weft_learner_create(const weft_side *rows, const weft_side *columns,
                                         const weft_settings *settings, const weft_memory *memory,
                                         weft_player **player, weft_error *error);
/* A learner from the bytes of weft_player_write.  They may come from anywhere: WEFT_MODEL where they are
 * not a whole state of this version, contradict themselves or do not fit the sides. */
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
    XX(SQUARE, "perceptron, square", "margin")   /* kernel (K_R + K_C)^2 */

typedef enum weft_rival_kind {
#define XX(name, text, rate) WEFT_RIVAL_##name,
    WEFT_RIVAL_MAP(XX)
#undef XX
} weft_rival_kind;

enum { WEFT_RIVALS = WEFT_RIVAL_SQUARE + 1 };

/* "constant", ...; NULL for a number that is no kind. */
WEFT_API const char *weft_rival_name(weft_rival_kind kind);
/* "rate", "margin", or "" for a rival without one. */
WEFT_API const char *weft_rival_knob(weft_rival_kind kind);
/* Three rates (margins) worth trying, smallest first; 0 for a kind without. */
WEFT_API void weft_rival_rates(weft_rival_kind kind, double rates[3]);

/* Zero-initialise it: {0} but for `kind` means the defaults. */
typedef struct weft_rival_settings {
    weft_rival_kind kind;
    double rate;     /* rate > 0 or margin >= 0; 0 for a rate: the middle of weft_rival_rates */
    int64_t factors; /* FACTORS: their number; 0: 10 */
    int bits;        /* LOGISTIC: 2^bits weights, at most 30; 0: 20 */
    uint64_t seed;   /* of the first factors and the hash; 0: 1 */
} weft_rival_settings;

/* Borrows the sides, as a learner does; columns NULL: one set of ids, where the order of a pair does not
 * matter.  WEFT_ARGUMENT for a setting out of its range.  `memory` may be NULL. */
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
 * Nobody knows beforehand which rate, margin and dimension suit a stream, nor what
 * its side information is worth.  A committee plays many settings at once, of
 * learners and of rivals, over several views of the sides, and learns whom to
 * believe:
 *
 *     members --create--> player
 *
 * Two things are learnt about the members: a regression over their scores, the
 * *stack*, which makes a probability; and weights over their votes and the
 * stack's, which make the prediction and carry the guarantee.  Over the trials
 * that member k was awake, for every k and every sequence of labels,
 *
 *     expected mistakes of the committee <= mistakes of member k + weft_standing.term
 *
 * There is neither a horizon nor a rate to choose.  Members that the stack can do
 * without are put to rest, so that a committee costs a few learners, not all.
 * ---------------------------------------------------------------------- */

/* One that plays.  All members of a committee number the ids alike. */
typedef struct weft_member {
    char name[64];                   /* for people */
    const weft_side *rows, *columns; /* borrowed; columns NULL: one set of ids */
    bool plain;                      /* knows nothing about the ids: the last of these never rests */
    int uses; /* WEFT_ROWS, WEFT_COLUMNS: whose side information it sees; 0: nobody's */
    /* Reserve: 0, or 1 + the number of a member at the edge of the grid, itself none, beyond which this
     * one is.  It sleeps until that one leads at a checkpoint. */
    int64_t beyond;
    bool is_rival;
    weft_settings learner;     /* of a learner; it predicts without drawing, whatever they say */
    weft_rival_settings rival; /* of a rival */
} weft_member;

/* Zero-initialise it: {0} means the defaults. */
typedef struct weft_committee_settings {
    bool randomised; /* +1 with the probability that the weights give it, instead of iff that is >= 1/2 */
    uint64_t seed;   /* of what is drawn */
    bool restless;   /* nobody is put to rest */
    bool tracking;   /* the truth may change: weft_tracking below; three times the cost */
    /* Every member makes for itself what they could share.  Slower, and else the same: for measuring what
     * sharing saves.  No part of a state. */
    bool apart;
    /* Members are asked and told by so many threads, 0 to 256; 0 and 1: by the caller alone.  Speed
     * alone: no bit of any result depends on it, and it is no part of a state.  The memory hook is then
     * called from all of them. */
    int threads;
} weft_committee_settings;

/* Copies the members, at least one.  WEFT_ARGUMENT where settings are out of their range or names are no
 * text.  `memory` may be NULL. */
WEFT_API weft_status weft_committee_create(const weft_member *members, int64_t count,
                                           const weft_committee_settings *settings, const weft_memory *memory,
                                           weft_player **player, weft_error *error);
/* A committee from the bytes of weft_player_write, as for a learner; it takes the members that it was
 * made of. */
WEFT_API weft_status weft_committee_read(const weft_member *members, int64_t count, const void *buffer,
                                         size_t size, const weft_memory *memory, weft_player **player,
                                         weft_error *error);
WEFT_API weft_committee_settings weft_committee_settings_of(const weft_player *player);

/* A view of the ids of one side, for the members of a committee. */
typedef enum weft_view_kind {
    WEFT_VIEW_GIVEN,    /* the side information as it was given */
    WEFT_VIEW_NONE,     /* nothing is known */
    WEFT_VIEW_IDENTITY, /* given, and as much again for every id alone: K + R I */
    WEFT_VIEW_NEAR,     /* graphs: diffusion over the normalised Laplacian, unit diagonal, time 5, */
    WEFT_VIEW_FAR       /* and 20 */
} weft_view_kind;

typedef struct weft_view {
    weft_view_kind kind;
    const weft_side *side;
} weft_view;

/* "given", "none", "given + identity", "diffusion 5", "diffusion 20"; NULL for a number that is no kind. */
WEFT_API const char *weft_view_name(weft_view_kind kind);

/* What a committee is told of one side: WEFT_VIEW_GIVEN first, or WEFT_VIEW_NONE alone, and of every kind
 * at most one. */
typedef struct weft_views {
    const weft_view *list; /* borrowed */
    int64_t count;
    int64_t capacity; /* ids, as in weft_settings; 0: what is listed */
} weft_views;

/* The members that are played where nobody chooses (docs/committee.md), over the views of the rows and of
 * the columns; columns NULL: one set of ids.  members NULL: only *count, their number; else there is room
 * for *count of them, and *count is their number afterwards.  WEFT_ARGUMENT for a list that is not as
 * said above, endless ids, fewer than 3 ids in all, and where there is no room; WEFT_CAPACITY. */
WEFT_API weft_status weft_committee_members(const weft_views *rows, const weft_views *columns,
                                            weft_member *members, int64_t *count, weft_error *error);

/* Columns of kernels since the committee was made or read: how many members asked for, and how many were
 * made for that.  Of a committee apart nothing is counted; with settings.tracking only what the eldest
 * generation asks for, the younger ones have columns of their own. */
typedef struct weft_sharing {
    int64_t asked, made;
} weft_sharing;
WEFT_API weft_sharing weft_committee_sharing(const weft_player *player);
/* Members, those in reserve among them, without the stack; a player that is no committee has one, itself. */
WEFT_API int64_t weft_player_member_count(const weft_player *player);
/* The player behind member 0 <= k < count, or NULL (with tracking: of the generation that is believed
 * most): to look, not to learn; valid until something is learnt, forgotten or merged. */
WEFT_API const weft_player *weft_player_member(const weft_player *player, int64_t k);
/* The learner with the largest share in the stack of those awake, to explain what the committee thinks;
 * NULL where only rivals are.  A learner leads itself. */
WEFT_API const weft_player *weft_committee_leader(const weft_player *player);

/* The stack, and those that do without something. */
enum { WEFT_STACKS = 4 };

/* Where a member stands, 0 <= k < count; k = count is the stack, which is always awake, count + 1 to
 * count + 3 are those that do without the side information of the rows, the columns, and both, asleep
 * where nobody sees that. */
typedef struct weft_standing {
    const char *name; /* valid as long as the committee */
    bool is_awake;
    bool in_reserve;  /* it is beyond the grid, and has never played */
    int64_t since;    /* the trial at which it was woken or put to rest; 0: from the start */
    int64_t trials;   /* that it was awake for */
    int64_t mistakes; /* of its own in these */
    double regret;    /* expected mistakes of the committee in these, less its own */
    double term;      /* the guarantee: regret is at most this */
    double weight;    /* in the next vote; 0 asleep */
    double share;     /* its coefficient in the stack, and */
    double certainty; /* how many standard deviations that is from 0 */
} weft_standing;

WEFT_API weft_standing weft_committee_standing(const weft_player *player, int64_t k);
/* What side information is worth so far: what the stack does, beside a stack over the members that do
 * without it. */
typedef struct weft_worth {
    int64_t members;   /* that do without; 0: nobody, and nothing is known */
    int64_t mistakes;  /* of their stack */
    int64_t different; /* trials in which exactly one of the two stacks was wrong */
    double saved;      /* mistakes that the side information saved: theirs, less those of the stack */
    double low, high;  /* 95 % of what it might be by chance: saved -+ 1.96 sqrt(different) */
} weft_worth;

/* `which` is WEFT_ROWS, WEFT_COLUMNS or WEFT_BOTH; anything else: all zeros. */
WEFT_API weft_worth weft_committee_worth(const weft_player *player, int which);

/* With settings.tracking three generations of the members play: the eldest, which has heard everything,
 * and two that are born anew when probabilities suddenly do not hold any more (an alarm), or in time.
 * Standings and worth are those of the eldest, which is the committee without tracking.  For every
 * sequence of generations that changes s times, and every sequence of labels,
 *
 *     expected mistakes of all <= expected mistakes of the sequence + term + s * change,
 *
 * all from the last merge on, which leaves the eldest alone. */
enum { WEFT_GENERATIONS = 3 };

typedef struct weft_tracking {
    bool on;                         /* else all is 0 */
    int64_t alarms, last;            /* how many there were, and after which labelled trial; 0: none */
    int64_t mistakes;                /* of the eldest alone: what would be without tracking */
    int64_t since[WEFT_GENERATIONS]; /* labelled trials before the first of each; 0: from the start */
    double belief[WEFT_GENERATIONS]; /* in what each says, of sum 1; where since is 0 in the eldest */
    double term, change;
} weft_tracking;

WEFT_API weft_tracking weft_committee_tracking(const weft_player *player);

/* -------------------------------------------------------------------------
 * 6  Theory
 *
 * What the theorems of the paper promise, each function with the statement it
 * comes from (its label in the paper's source).  Three steps:
 *
 *     truth + sides --measure--> D, gamma --tune--> settings
 *                                   +--- settings, what happened --judge--> bound
 *
 * Logarithms are natural.  `size` is m + n, for one set of ids n.
 * ---------------------------------------------------------------------- */

/* What is known of the matrix: the classes of its rows and columns, or only
 * how many there are.  {0}: nothing.  Borrowed for the call. */
typedef struct weft_truth {
    /* One class >= 0 for each id that the side lists, or NULL.  Negative: this
     * id never occurs in the stream. */
    const int64_t *row_class;
    const int64_t *column_class; /* one set of ids: not used */
    /* k and l where only they are known (their arrays are NULL); 0: unknown. */
    int64_t row_classes, column_classes;
    /* Two sides over the same ids with the label +1 iff the classes are equal
     * (section 4.2); both arrays or both numbers must agree.  One set of ids
     * always means this. */
    bool communities;
} weft_truth;

/* One side's share of D_circ (thm:bndpdim), for the partition matrix R of the
 * classes and M = K^-1.  Infinite where K is singular and R is not in its
 * range. */
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

/* Measures one side against given classes (as in weft_truth, not NULL).
 * O(count) for none, O(count * groups) for classes, else dense: O(count^2)
 * memory and O(count^3) time. */
WEFT_API weft_status weft_theory_side(const weft_side *side, const int64_t *class_of, weft_side_term *term,
                                      weft_error *error);

/* D = 4 R tr(R'MR) of one set of ids (similarity prediction after Gentile,
 * Herbster and Pasteris, 2013; section 4.2 generalises it), for M = K_S^+, K_S the
 * kernel without its constant; a plain PDLaplacian: 4 R_L tr(R'LR).  Cost as above. */
WEFT_API weft_status weft_theory_one_set(const weft_side *side, const int64_t *class_of, double *dimension,
                                         weft_error *error);

/* The largest margin known to be valid: 1/sqrt(min(k,l)) for a (k,l)-biclustered
 * matrix (eq:mclbl; 0 stands for an unknown number, both 0 give 0), and
 * 1/(3 - 4/k) for communities (section 4.2, its decomposition with the
 * mean taken out; 1 for k = 1). */
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
WEFT_API double weft_theory_eta(const weft_scale *scale);
/* thm:base, expected regret: 4 sqrt(2 D/gamma^2 log(size) T). */
WEFT_API double weft_theory_regret(const weft_scale *scale);
/* thm:base_bef_alg (appendix): (2/gamma) sqrt(2 D log(size) T) + (2/gamma) D log(size);
 * infinite unless T >= 2 D log(size). */
WEFT_API double weft_theory_regret_sharp(const weft_scale *scale);
/* theorem1part1, the hinge-loss lemma of the appendix, for deterministic
 * predictions with margin updates, as a bound on mistakes: 2 errors + (4/gamma)
 * sqrt(2 D log(size) T) + (4/gamma) D log(size); infinite unless T >= 2 D
 * log(size). */
WEFT_API double weft_theory_hinge(const weft_scale *scale, int64_t errors);
/* thm:base, realizable: 3.6 D/gamma^2 log(size) mistakes. */
WEFT_API double weft_theory_realizable(const weft_scale *scale);
/* lem:base behind it, for any estimate D of the true quasi-dimension `dim`:
 * 3.6/gamma^2 (dim (log(size) + log(dim/D)) + D - dim). */
WEFT_API double weft_theory_estimate(const weft_scale *scale, double dim);
/* The same where only 1 <= dim <= limit is known: it is convex in dim, so the
 * larger of its values at 1 and at `limit`. */
WEFT_API double weft_theory_estimate_within(const weft_scale *scale, double limit);
/* lem:min_kernel_norm: tr(R'MR) <= k (4/delta*)^d for k boxes in [-r,r]^d under the
 * min kernel, `separation` their least distance in the maximum norm, delta* =
 * min(2, separation/4).  Times R_M <= r^d and k it is the side's term in the paper;
 * without the k it is one too, for R'MR has no eigenvalue above (4/delta*)^d
 * (docs/theory.md). */
WEFT_API double weft_theory_boxes(int64_t k, int64_t d, double separation);

/* What the truth says about a problem. */
typedef struct weft_measure {
    weft_form form;
    int64_t size;
    /* k and l; 0: unknown.  One set: both k. */
    int64_t row_classes, column_classes;
    /* The largest valid margin; 0: unknown. */
    double gamma;
    /* D_circ (one set: D), at least 1.  Infinite: unknown, or nothing in the
     * kernel's space fits the classes. */
    double dimension;
    /* Its shares; 0 for one set. */
    double row_term, column_term;
} weft_measure;

/* Measures sides and truth for the form and the capacities in `settings` (0:
 * what is listed).  A side of kind none needs no classes: its share is m (n).
 * `columns` is NULL for one set.  `truth` NULL means {0}. */
WEFT_API weft_status weft_theory_measure(const weft_side *rows, const weft_side *columns,
                                         const weft_truth *truth, const weft_settings *settings,
                                         weft_measure *measure, weft_error *error);

/* Why a parameter has its value, for people ("given" where it was given). */
typedef struct weft_reasons {
    const char *eta, *gamma, *dimension;
} weft_reasons;

/* Fills those of eta, gamma and dimension that are 0 in *settings, in the way
 * of the statement that belongs to its form and updates, for `horizon` >= 1
 * labelled trials; given ones stay.  What the truth does not tell is gamma =
 * 1/3 and D = m + n.  `reasons` may be NULL. */
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

/* The bound that applies to a run with exactly these settings (eta, gamma, D
 * filled), all conditions of its statement checked.  None for the balanced
 * form: nothing is proved of it. */
WEFT_API weft_bound weft_theory_judge(const weft_measure *measure, const weft_settings *settings,
                                      const weft_course *course);

/* The errors of the best comparator: labels counted by block (class of the row,
 * class of the column).  k l counts. */
typedef struct weft_comparator weft_comparator;

WEFT_API weft_status weft_comparator_create(int64_t k, int64_t l, const weft_memory *memory,
                                            weft_comparator **comparator, weft_error *error);
WEFT_API void weft_comparator_free(weft_comparator *comparator);
/* Counts a label, -1 or +1, of a pair of classes 0 <= r < k, 0 <= c < l. */
WEFT_API weft_status weft_comparator_add(weft_comparator *comparator, int64_t r, int64_t c, int label,
                                         weft_error *error);
/* sum_t [y_t != U*(r_t,c_t)] with the majority label in every block; for
 * `communities` (and one set of ids) with U*(r,c) = +1 iff r = c. */
WEFT_API int64_t weft_comparator_errors(const weft_comparator *comparator, bool communities);

/* -------------------------------------------------------------------------
 * 7  Files
 *
 * Ids are strings in files and integers in the library.  All files are
 * delimited text: the content of the first line tells the delimiter (tab,
 * else comma, else blanks), `#` starts a comment line, quotes are those of RFC
 * 4180, empty lines are skipped, lines end in LF or CRLF (a CR alone is refused
 * outside quotes), a byte-order mark is tolerated, and "-" is standard input.  Any
 * of them may be behind gzip, which its first two bytes
 * tell, not its name.  Errors say file:line:column, what was found, what was
 * expected, and the likely cause where the files give it away.
 * ---------------------------------------------------------------------- */

/* Zero-initialise it: {0} means the defaults. */
typedef struct weft_file_options {
    const weft_memory *memory;
    int64_t line_limit;  /* bytes of a line, at least 80; 0: 2^24 */
    int64_t field_limit; /* fields of a line, at least 3; 0: 2^20 */
    int64_t id_limit;    /* ids of one side: its capacity; 0: 10^7 */
    int64_t byte_limit;  /* bytes that gzip makes of one file; 0: 2^34 */
    /* Rosters: keep the bytes of the files, for a model that embeds them. */
    bool keep;
    int64_t graph_budget;  /* weft_graph.budget of the graphs; 0: its default */
    int64_t kernel_budget; /* weft_side_options.budget of every side; 0: its default */
    bool views;            /* weft_roster_build makes the views of a committee too */
} weft_file_options;

/* Names numbered 0, 1, 2, ... in the order in which they were added, compared
 * byte for byte. */
typedef struct weft_ids weft_ids;

WEFT_API weft_status weft_ids_create(const weft_memory *memory, weft_ids **ids, weft_error *error);
/* *number of `name`, which is added where it is new.  O(1) on average. */
WEFT_API weft_status weft_ids_add(weft_ids *ids, const char *name, int64_t *number, weft_error *error);
/* The number of `name`, or -1. */
WEFT_API int64_t weft_ids_find(const weft_ids *ids, const char *name);
WEFT_API int64_t weft_ids_count(const weft_ids *ids);
/* The name, valid until the ids are freed; NULL for a number out of range. */
WEFT_API const char *weft_ids_name(const weft_ids *ids, int64_t number);
WEFT_API void weft_ids_free(weft_ids *ids);

/* One line of a stream; the strings are valid until the next call. */
typedef struct weft_event {
    const char *row, *column;
    int label; /* -1, +1, or 0 where there is none: predict only */
    const char *file;
    int64_t line;  /* from 1 */
    int64_t count; /* of WEFT_COUNTS, else 0 */
} weft_event;

typedef struct weft_stream weft_stream;

/* Opens `count` files, which are read one after the other.  The first line of a
 * file is a header iff its third field is not a label; a header that names
 * row, column and label gives their places, otherwise the first three fields
 * count.  Labels are -1/+1 or 0/1, the same in the whole stream, or empty. */
WEFT_API weft_status weft_stream_open(const char *const *paths, int64_t count,
                                      const weft_file_options *options, weft_stream **stream,
                                      weft_error *error);
/* What a line of a stream holds.  Only the third field differs, and with it what
 * makes the first line a header. */
typedef enum weft_stream_kind {
    WEFT_LABELLED, /* row, column, label: as above */
    WEFT_PAIRS,    /* row, column; other fields are ignored.  A header names both */
    WEFT_COUNTS,   /* row, column, count, a whole number from -2^53 to 2^53.  A header
                      has something else there */
    WEFT_IDS       /* one id, the whole line: the event's row, its column is NULL.  No header */
} weft_stream_kind;

WEFT_API weft_status weft_stream_open_as(weft_stream_kind kind, const char *const *paths, int64_t count,
                                         const weft_file_options *options, weft_stream **stream,
                                         weft_error *error);
/* The next event; at the end *more is false and *event untouched.  A blocked
 * read that a signal handler interrupts is a failure, WEFT_FILE. */
WEFT_API weft_status weft_stream_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error);
/* Whether there is something to read at once; where not, the next event has to be
 * waited for: a good moment to answer what has come.  (Now and then false although a
 * line is there, between two files or behind gzip.) */
WEFT_API bool weft_stream_ready(const weft_stream *stream);
/* Whether every file is a regular one, so that it can be read again. */
WEFT_API bool weft_stream_seekable(const weft_stream *stream);
/* The line that was taken for a header although its third field is a number (but
 * no label), in the file that is being read; 0 where that did not happen. */
WEFT_API int64_t weft_stream_doubtful_header(const weft_stream *stream);
/* Back to the first event; WEFT_FILE where a file is not a regular one.  Once all was
 * read to its end, every other reading must meet the same bytes: weft_stream_next is
 * WEFT_INPUT where a file has changed. */
WEFT_API weft_status weft_stream_rewind(weft_stream *stream, weft_error *error);
WEFT_API void weft_stream_free(weft_stream *stream);

/* The two languages of labels; a stream speaks one. */
typedef enum weft_labels {
    WEFT_LABELS_UNKNOWN, /* neither a -1 nor a 0 was seen */
    WEFT_LABELS_SIGNED,  /* -1/+1 */
    WEFT_LABELS_BITS     /* 0/1 */
} weft_labels;

/* What was seen since the stream was opened, rewound, or told by `expect`. */
WEFT_API weft_labels weft_stream_labels(const weft_stream *stream);
/* An earlier stream, which this one continues, spoke `labels`: the other language
 * is an error from now on, also after a rewind. */
WEFT_API void weft_stream_expect(weft_stream *stream, weft_labels labels);

/* The ids of one side and what is known about them, from a SPEC:
 *
 *     none
 *     classes:FILE[,epsilon=0.1]                 `id class` a line
 *     graph:FILE[,connect=star|error]            `id id [weight]` a line; also
 *         ,kernel=pdlaplacian | kernel=regularised,sigma=S | kernel=diffusion,time=T
 *         ,laplacian=plain|normalised  ,scale=none|unit
 *     kernel:FILE[,repair=error|clip|shift]      square, ids in first row and column
 *     matrix:FILE                                the same for M = K^-1
 *     features:FILE,kernel=linear,epsilon=E | kernel=gaussian,width=W | kernel=min,range=R
 *                                                id and numbers, or id index:value ...
 *     every one also: ,missing=error|alone (graph: join too)  ,radius=R
 *     graph, kernel and matrix also: ,ids=FILE   where FILE is Matrix Market
 *     for the compact engine (weft_map) also:
 *         ,map=hash:N                            none, classes, features with kernel=linear
 *         ,map=fourier:N[+hash:N]                features with kernel=gaussian
 *         ,map=eigen:N[+hash:N]                  graph, kernel, matrix, features
 *         ,seed=S                                of the map, a whole number (0)
 *         ,names=kept|hashed                     none with map=hash:N
 *
 * Features are sparse, as libsvm writes them, where the first line has a colon
 * between an index and a value: indices count from 1 and increase, the largest
 * one is the dimension (at most the limit on fields).  A file that begins with
 * %%MatrixMarket is a square matrix (coordinate or array; real, integer or pattern;
 * general or symmetric), or for a graph a list of edges (coordinate); its ids are
 * the lines of the file ids=, in the order of its rows.
 *
 * A comma or backslash inside FILE is written \, or \\.  Use: open; admit the
 * ids of the stream if they can be known beforehand; build; from then on admit
 * gives the numbers that learners want.
 *
 * The first ids are those of the file, in its order.  An id of the stream that
 * it lacks joins the graph as a vertex without edges (join, the default of
 * graph), is similar to nothing but itself (alone), or is an error that names
 * it and its line (error, the default of the others); `none` lists nothing and
 * takes every id.
 *
 * With names=hashed no names are kept: the number of an id is 63 bits of the digest (XXH3) of its
 * name, the side is endless and the list of ids empty.  What is admitted before the roster is built is
 * counted (facts.let_in), by a list that is then freed. */
typedef struct weft_roster weft_roster;

/* Reads the SPEC (WEFT_ARGUMENT) and its file.  A list of ids above the limit
 * of the options is WEFT_CAPACITY. */
WEFT_API weft_status weft_roster_open(const char *spec, const weft_file_options *options,
                                      weft_roster **roster, weft_error *error);

/* The same of side information that is in memory, as the constructors of section 2 take it.  names[k] is the
 * name of id k; NULL: "0", "1", ...  Ids that come later are let in alone.  A model embeds what is in
 * memory, so that it can be opened anywhere.  WEFT_ARGUMENT for a NULL that is not said to be allowed, for
 * a name that no file can have (an empty one, one that stands twice), and for ids out of range; what section
 * 2 says of values is told by these or by weft_roster_build.  Of a graph the path must be
 * WEFT_GRAPH_BY_SIZE.  The first is for ids of which nothing is known but their number. */
WEFT_API weft_status weft_roster_from_names(int64_t count, const char *const *names,
                                            const weft_file_options *options, weft_roster **roster,
                                            weft_error *error);
WEFT_API weft_status weft_roster_from_classes(int64_t count, const int64_t *class_of, double epsilon,
                                              const char *const *names, const weft_file_options *options,
                                              weft_roster **roster, weft_error *error);
WEFT_API weft_status weft_roster_from_features(const weft_features *features, const char *const *names,
                                               const weft_file_options *options, weft_roster **roster,
                                               weft_error *error);
WEFT_API weft_status weft_roster_from_graph(const weft_graph *graph, const char *const *names,
                                            const weft_file_options *options, weft_roster **roster,
                                            weft_error *error);
WEFT_API weft_status weft_roster_from_kernel(int64_t count, const double *kernel, const char *const *names,
                                             const weft_file_options *options, weft_roster **roster,
                                             weft_error *error);
WEFT_API weft_status weft_roster_from_matrix(int64_t count, const double *matrix, const char *const *names,
                                             const weft_file_options *options, weft_roster **roster,
                                             weft_error *error);

/* *number of the id `name`, which is let in as said above.  `event` is where it
 * stands, for messages; it, or its file, may be NULL.  After weft_roster_build a graph cannot
 * take new ids except alone. */
WEFT_API weft_status weft_roster_admit(weft_roster *roster, const char *name, const weft_event *event,
                                       int64_t *number, weft_error *error);
/* Both ids of an event: pair[0] of the row, pair[1] of the column.  `columns` is
 * NULL for one set of ids.  A failure tells where the rows seem to be swapped with
 * the columns; the row may then have been let in. */
WEFT_API weft_status weft_roster_admit_pair(weft_roster *rows, weft_roster *columns, const weft_event *event,
                                            int64_t pair[2], weft_error *error);
/* Makes the side of the ids listed and admitted so far; to be called once. */
WEFT_API weft_status weft_roster_build(weft_roster *roster, weft_error *error);
/* Owned by the roster; the side is NULL before weft_roster_build. */
WEFT_API const weft_side *weft_roster_side(const weft_roster *roster);
WEFT_API const weft_ids *weft_roster_ids(const weft_roster *roster);

/* The views that a committee plays, where the options ask for them: the side itself first, then
 * those that its kind of side information has; of `none` only itself, as WEFT_VIEW_NONE.  They take new
 * ids as the side does.  None before weft_roster_build, and none where the SPEC has map=.
 * All zeros out of range. */
WEFT_API int64_t weft_roster_view_count(const weft_roster *roster);
WEFT_API weft_view weft_roster_view(const weft_roster *roster, int64_t k);

/* The SPEC as it was given; valid as long as the roster. */
WEFT_API const char *weft_roster_spec(const weft_roster *roster);
/* Whether two SPECs say the same but for the places of their files. */
WEFT_API bool weft_roster_agrees(const weft_roster *a, const weft_roster *b);

/* One file behind a roster, by what was read from it (after decompression).  The
 * strings are valid as long as the roster. */
typedef struct weft_source {
    const char *path;
    int64_t size;              /* bytes */
    uint64_t digest[2];        /* XXH3, 128 bits: high half first */
    const unsigned char *kept; /* the bytes, or NULL where they were not kept */
} weft_source;

/* The number of files (none: 0), and file 0 <= k < count; all zeros out of range. */
WEFT_API int64_t weft_roster_source_count(const weft_roster *roster);
WEFT_API weft_source weft_roster_source(const weft_roster *roster, int64_t k);

/* What was done to the side information, to be told to people. */
typedef struct weft_roster_facts {
    int64_t listed;          /* ids of the file */
    int64_t let_in;          /* ids of the stream that it lacked */
    bool alone;              /* which were let in alone; false: joined */
    bool mapped, hashed;     /* the SPEC has map=, names=hashed */
    bool repaired;           /* by repair=clip or repair=shift, and of these */
    double asymmetry;        /* the largest |K(i,j) - K(j,i)| before, and */
    double least_eigenvalue; /* the least eigenvalue of (K + K')/2 */
    bool clipped;            /* by clip, which dropped negative eigenvalues of this sum, */
    double moved;            /* or by shift, which added this to the diagonal; 0 or above */
    int64_t classes;         /* classes: distinct ones */
    int64_t edges;           /* graph: lines, or entries */
    int64_t dimension;       /* features: numbers of an id */
    int64_t zeros;           /* ids with K(i,i) = 0, of which nothing can be learnt (features
                                that are all zero, with epsilon=0), */
    int64_t first_zero;      /* and the first of them */
} weft_roster_facts;

WEFT_API weft_roster_facts weft_roster_report(const weft_roster *roster);
/* The least eigenvalue of K over all ids, once it is built: O(n^3) time, O(n^2)
 * memory. */
WEFT_API weft_status weft_roster_least_eigenvalue(const weft_roster *roster, double *value,
                                                  weft_error *error);
WEFT_API void weft_roster_free(weft_roster *roster);

/* Bytes of memory: what is needed for certain, and what at most. */
typedef struct weft_bytes {
    int64_t least, most;
} weft_bytes;

typedef struct weft_estimate {
    weft_bytes rows, columns; /* to make their side information; 0 where it is made */
    weft_bytes learner;       /* least: before its first trial */
    weft_bytes all;           /* at once, beyond what the rosters hold now */
} weft_estimate;

/* What will be asked of the allocator to make the sides of two rosters (columns NULL: one set of ids)
 * and a learner over them, and for it to learn `trials` labels (0: any number) that touch as many ids and
 * pairs as they can.  Form, engine, precision and capacities of the settings count; NULL: the sides
 * alone.  Where matrices are most of it, `most` is right to a quarter for trials that do touch all that.
 * The factor of a large graph is known only once it is analysed: at most the budget of the graph.
 * O(1). */
WEFT_API weft_estimate weft_estimate_run(const weft_roster *rows, const weft_roster *columns,
                                         const weft_settings *settings, int64_t trials);

/* Features from a file, as `features:` reads them: one vector an id. */
typedef struct weft_table weft_table;

WEFT_API weft_status weft_table_read(const char *path, const weft_file_options *options, weft_table **table,
                                     weft_error *error);
/* Owned by the table: its ids, and its vectors with kernel and parameter 0. */
WEFT_API const weft_ids *weft_table_ids(const weft_table *table);
WEFT_API weft_features weft_table_features(const weft_table *table);
WEFT_API void weft_table_free(weft_table *table);

/* Reads true classes, `id class` a line: class_of[i], numbered from 0, for each
 * of weft_ids_count(ids) ids, and how many classes these have.  An id without
 * a class is an error, one of the file that is not among `ids` is ignored. */
WEFT_API weft_status weft_classes_read(const char *path, const weft_ids *ids,
                                       const weft_file_options *options, int64_t *class_of, int64_t *classes,
                                       weft_error *error);

/* -------------------------------------------------------------------------
 * 8  Models
 *
 * A model is a player with its ids and its side information as one file:
 * versioned, little-endian, checksummed (docs/model-format.md).  It holds both
 * SPECs as typed, the digest of every side file (or the files themselves), the
 * ids in their order, the state of the player and what a run needs to continue.
 * It holds no clock time and no name of a stream: equal runs write equal files.
 *
 *     rosters + player --write--> file --open--> rosters + player
 *
 * A run that is written, opened and continued equals the uninterrupted one to
 * the bit.
 * ---------------------------------------------------------------------- */

/* Zero-initialise it: {0} means the defaults. */
typedef struct weft_player_options {
    /* Room for so many ids; 0: the limit of the roster's options, 10^7.  The memory of a player follows
     * the ids that came. */
    int64_t row_capacity, column_capacity;
    bool randomised; /* +1 with the probability that the weights give it, instead of iff that is >= 1/2 */
    uint64_t seed;   /* of what is drawn */
    bool tracking;   /* the truth may change: three times the cost */
    int threads;     /* that members are asked by, 0 to 256: speed alone */
} weft_player_options;

/* A player where nothing is chosen: a committee over all that the rosters know, which has learnt nothing.
 * Side information that is not made yet is made.  columns NULL: one set of ids, +1 means "together".  From
 * then on the rosters belong to the player; where it fails they stay the caller's.  `options` NULL means {0}.
 * WEFT_UNSUPPORTED for a SPEC with map= or names=hashed; what weft_roster_build fails with. */
WEFT_API weft_status weft_player_create(weft_roster *rows, weft_roster *columns,
                                        const weft_player_options *options, weft_player **player,
                                        weft_error *error);

/* The numbers of two ids, which are let in as weft_roster_admit says: pair[0] of the row, pair[1] of the
 * column.  This and the next ones are for players of weft_player_create and weft_player_open. */
WEFT_API weft_status weft_player_pair(weft_player *player, const char *row, const char *column,
                                      int64_t pair[2], weft_error *error);
/* The name of an id, WEFT_ROWS or WEFT_COLUMNS, valid as long as the player; NULL where there is none. */
WEFT_API const char *weft_player_name(const weft_player *player, int which, int64_t id);
/* The roster of the rows or the columns (one set of ids: the same), owned by the player; NULL: none. */
WEFT_API const weft_roster *weft_player_roster(const weft_player *player, int which);

/* Everything as one file, a model: player, ids and side information.  Files of side information are named in
 * it and read again; what was in memory, or was kept (weft_file_options.keep), is in the model itself.  It is
 * written whole or not at all, WEFT_WRITE.  WEFT_ARGUMENT where one side was in memory and a file of the
 * other was not kept. */
WEFT_API weft_status weft_player_save(const weft_player *player, const char *path, weft_error *error);

/* What a model is made of: filled in by whoever writes one, filled in by
 * weft_model_open, whose parts the caller then owns (weft_model_close). */
typedef struct weft_model {
    weft_roster *rows;    /* built; for one set of ids the only one */
    weft_roster *columns; /* built; NULL for one set of ids */
    /* A learner over the sides of the rosters, or a committee of weft_committee_members over the views of the
     * rosters, which were opened with `views`; then horizon is 0.  No rival. */
    weft_player *player;
    int64_t horizon;    /* T for which eta was chosen; 0: not known */
    weft_labels labels; /* the language of the labels so far */
    bool embed;         /* the side files are inside (their rosters keep them) */
    /* Labels came late, or evidence was merged, forgotten or imported: no bound
     * holds from then on.  Whoever does that sets it. */
    bool disturbed;
    bool read_only; /* opened only to look: cannot be written */
} weft_model;

/* Writes the model as a draft (section 9) that is for its owner alone where it is
 * new, so that there is a whole model under `path` at every moment: the old one or
 * the new one.  WEFT_WRITE where that fails (then nothing is left behind) or where
 * `path` is there and no regular file;
 * WEFT_ARGUMENT for a model that is read only, or `embed` where a roster did not
 * keep its files.  O(size of the file). */
WEFT_API weft_status weft_model_write(const char *path, const weft_model *model, weft_error *error);

/* Zero-initialise it: {0} means the defaults. */
typedef struct weft_model_options {
    /* Only to look: the side files are not read.  Rosters tell SPECs, sources and
     * ids, the learner settings, counters and evidence; it must not be asked to
     * predict, learn, merge or forget, for its sides and those of the rosters are
     * of kind none, whatever they were.  The model is read only.  A committee is made of the views of its
     * sides, so that its model is opened as a whole, side files and all, and can be asked. */
    bool look;
    weft_file_options files; /* memory of everything; limits of side files; `keep` */
    /* Where side information is to be read instead of where the model says (or of
     * what it embeds): a SPEC with the same words but for its files, which must
     * have the digests that the model has; NULL: as stored.  One set: `rows`. */
    const char *rows, *columns;
    /* Room for more ids, at least what the model has; 0: what it has.  More room
     * means a smaller kappa, so predictions change. */
    int64_t row_capacity, column_capacity;
    int64_t size_limit; /* bytes of the model; 0: 2^36 */
} weft_model_options;

/* Reads a model, its side files again, and makes the learner as it was.
 * `options` NULL means {0}.
 *
 *   WEFT_FILE      the model or a side file cannot be read
 *   WEFT_MODEL     the file is no model, of another version, cut short, changed in
 *                  any byte, contradicts itself, or does not fit: a side file has
 *                  another digest (both are told) or no longer says the same
 *   WEFT_ARGUMENT  `rows` or `columns` are no SPEC, of another kind than the stored
 *                  one or have other words; a capacity below the stored one
 *   WEFT_MEMORY
 */
WEFT_API weft_status weft_model_open(const char *path, const weft_model_options *options, weft_model *model,
                                     weft_error *error);
/* The player of a model, which continues to the bit.  `options` NULL means {0}.  Fails as weft_model_open. */
WEFT_API weft_status weft_player_open(const char *path, const weft_model_options *options,
                                      weft_player **player, weft_error *error);
/* Frees the parts of an opened model and leaves {0}; takes NULL and {0}. */
WEFT_API void weft_model_close(weft_model *model);

/* The diagonal that a learner keeps for rankings beside its model, in the file `path`.diagonal, which
 * names the model by the digest of its bytes.  Write fills it first (weft_learner_fill_diagonal), and
 * writes as weft_model_write does.  Read: *found is false, and nothing happens, where
 * there is no such file or it belongs to another model; WEFT_MODEL where it is
 * damaged.  The player must be that of the model, as it was opened. */
WEFT_API weft_status weft_diagonal_write(const char *path, weft_player *player, weft_error *error);
WEFT_API weft_status weft_diagonal_read(const char *path, weft_player *player, bool *found,
                                        weft_error *error);

/* -------------------------------------------------------------------------
 * 9  Drafts
 *
 * How models are written, for other files: whoever looks under the name of the
 * file finds what was there before or all of the new, also after a crash.
 *
 *     create --descriptor, write--> publish --> free
 *
 * While it is written a draft has no name, and a program that dies leaves
 * nothing; on file systems that have no files without a name (NFS, FUSE, FAT) it
 * is called .NAME.weft-XXXXXX, and the next draft of NAME removes what a program
 * left there that is no more.  Until it is published it is for its owner alone.
 * Then it has the mode, the access list and, where that is permitted, the owner
 * and the group of the file that it replaces; other extended attributes are not
 * kept.  A symbolic link is replaced, not followed.
 * ---------------------------------------------------------------------- */

typedef struct weft_draft weft_draft;

/* Whether a draft can take the name: a regular file is there, or nothing.  False for
 * a directory, a device, a pipe, a file that is a mount point or immutable, and names of descriptors such
 * as /dev/stdout. */
WEFT_API bool weft_draft_possible(const char *path);
/* A file that is new will have the mode 0666 without the umask; where `owner_only`
 * is true, 0600 without it.  WEFT_WRITE where the directory cannot be written to or
 * the name cannot be taken. */
WEFT_API weft_status weft_draft_create(const char *path, bool owner_only, weft_draft **draft,
                                       weft_error *error);
/* To write to; it belongs to the draft, which closes it. */
WEFT_API int weft_draft_descriptor(const weft_draft *draft);
/* Brings it to the disk and gives it its name, once.  WEFT_WRITE where that fails. */
WEFT_API weft_status weft_draft_publish(weft_draft *draft, weft_error *error);
/* Drops what was not published. */
WEFT_API void weft_draft_free(weft_draft *draft);

#ifdef __cplusplus
}
#endif

#endif
