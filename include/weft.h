/* SPDX-License-Identifier: MIT
 *
 * weft: predict the entries of a binary matrix one at a time, learn from each answer, and use what is known
 * about the rows and the columns.
 *
 *     what is known of rows ----+
 *     what is known of columns -+--> player
 *     (row, column) --predict--> answer, label --learn--> answer
 *
 * A whole program is examples/first.c, 29 lines, and in the README; examples/stream.c plays from files.  In
 * short, each call followed by a look at its status:
 *
 *     weft_roster_from_classes(4, group, 0.1, NULL, NULL, &readers, &error);    (or weft_roster_open: a file)
 *     weft_roster_from_names(3, NULL, NULL, &articles, &error);
 *     weft_player_create(readers, articles, NULL, &player, &error);
 *     weft_player_predict(player, 0, 2, &answer, &error);                       answer.probability
 *     weft_player_learn(player, 0, 2, +1, NULL, &error);
 *     weft_player_rank(player, &query, best, &found, &error);
 *     weft_player_save(player, "m.weft", &error);
 *     weft_player_open("m.weft", NULL, &player, &error);
 *     weft_player_free(player);
 *
 *   1  status, errors, memory     every call that can fail answers with a status
 *   2  what is known              rosters: ids and side information, from files or from memory
 *   3  the player                 create, predict, learn, rank, explain, forget, merge, save, open
 *   4  streams                    events from files
 *
 * weft_advanced.h has what the player is made of: kernels and feature maps, one learner with settings of
 * your own, rivals, committees from inside, raw states.  weft_theory.h has what the theorems promise.
 *
 * Conventions.  Rows and columns are integers from 0.  A function that can fail returns a weft_status, 0 or
 * negative, and, if `error` is not NULL, leaves the facts there; on failure its outputs are untouched and
 * the object is as it was before the call.  Outputs come last, the error very last.  Arrays that are passed
 * in are copied unless it says "borrowed".  What a _create, _open, _from_ or other constructor hands out is
 * the caller's, who frees it with the _free of its type; every _free takes NULL.  Pointers that are not said
 * to be optional must not be NULL.  Options are zero-initialised: {0}, or NULL in their place, means the
 * defaults.
 *
 * Nothing is printed, nothing exits, and there is no global state: distinct objects may be used by distinct
 * threads at once, one object by one thread at a time. */
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
#define WEFT_VERSION_MINOR 2
#define WEFT_VERSION_PATCH 0

/* The version of the library that is linked, "0.2.0". */
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

/* For WEFT_INPUT: "WEFT_INPUT", "the input is malformed" and 3.  For a number that is no status:
 * "WEFT_UNKNOWN", "not a status of this library" and 1.  The strings are constants. */
WEFT_API const char *weft_status_name(weft_status status);
WEFT_API const char *weft_status_meaning(weft_status status);
WEFT_API int weft_status_exit(weft_status status);

/* The facts of a failure, written by the call that failed and left alone by one that succeeds; it needs no
 * initialisation.  `at` is the offending entry where there is one (for a vector only at[0]), else -1, so
 * that a program can say it with the names that its user knows; each constructor below says what it
 * counts. */
typedef struct weft_error {
    weft_status status;
    int64_t at[2];
    char message[512]; /* one sentence for people, without a newline, as weft_show leaves it */
} weft_error;

/* The one allocator hook.  Resizes `pointer` (NULL: a new block) from old_size to new_size bytes and returns
 * it, or NULL with the old block intact, which the caller sees as WEFT_MEMORY; new_size 0 frees and returns
 * NULL.  Any alignment will do.  NULL for a weft_memory * everywhere means the C library's allocator.  The
 * struct is copied; `user` must outlive every object made with it.  (CHOLMOD, the C library and, for the
 * reference engine, LAPACK may allocate beside it.) */
typedef void *weft_allocate(void *user, void *pointer, size_t old_size, size_t new_size);

typedef struct weft_memory {
    weft_allocate *allocate;
    void *user;
} weft_memory;

/* -------------------------------------------------------------------------
 * 2  What is known: rosters
 *
 * A roster is the ids of one side and what is known about them, from a file or from arrays.  Ids are strings
 * in files and integers in the library.
 *
 * All files are delimited text: the content of the first line tells the delimiter (tab, else comma, else
 * blanks), `#` starts a comment line, quotes are those of RFC 4180, empty lines are skipped, lines end in LF
 * or CRLF (a CR alone is refused outside quotes), a byte-order mark is tolerated, and "-" is standard input.
 * Any of them may be behind gzip, which its first two bytes tell, not its name.  Errors say
 * file:line:column, what was found, what was expected, and the likely cause where the files give it away.
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
 * Features are sparse, as libsvm writes them, where the first line has a colon between an index and a value:
 * indices count from 1 and increase, the largest one is the dimension (at most the limit on fields).  A file
 * that begins with %%MatrixMarket is a square matrix (coordinate or array; real, integer or pattern; general
 * or symmetric), or for a graph a list of edges (coordinate); its ids are the lines of the file ids=, in the
 * order of its rows.
 *
 * A comma or backslash inside FILE is written \, or \\.  Use: open; admit the ids of the stream if they can
 * be known beforehand; build; from then on admit gives the numbers that learners want.
 *
 * The first ids are those of the file, in its order.  An id of the stream that it lacks joins the graph as a
 * vertex without edges (join, the default of graph), is similar to nothing but itself (alone), or is an
 * error that names it and its line (error, the default of the others); `none` lists nothing and takes every
 * id.
 *
 * With names=hashed no names are kept: the number of an id is 63 bits of the digest (XXH3) of its name, the
 * side is endless and the list of ids empty.  What is admitted before the roster is built is counted
 * (facts.let_in), by a list that is then freed. */
typedef struct weft_roster weft_roster;

/* Reads the SPEC (WEFT_ARGUMENT) and its file.  A list of ids above the limit of the options is
 * WEFT_CAPACITY. */
WEFT_API weft_status weft_roster_open(const char *spec, const weft_file_options *options,
                                      weft_roster **roster, weft_error *error);

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

/* An undirected graph, borrowed for the call.  Weights are positive and finite; weight NULL means all 1.  An
 * edge may be given twice, in either direction, with the same weight; self-loops are ignored.  What is zero
 * is the default. */
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

/* The same of side information that is in memory, as weft_side_from_classes and its like take it.  names[k]
 * is the name of id k; NULL: "0", "1", ...  Ids that come later are let in alone.  A model embeds what is in
 * memory, so that it can be opened anywhere.  WEFT_ARGUMENT for a NULL that is not said to be allowed, for a
 * name that no file can have (an empty one, one that stands twice), and for ids out of range; what these say
 * of values is told by these or by weft_roster_build.  Of a graph the path must be WEFT_GRAPH_BY_SIZE.  The
 * first is for ids of which nothing is known but their number. */
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

/* Not of a roster that belongs to a player. */
WEFT_API void weft_roster_free(weft_roster *roster);

/* Names numbered 0, 1, 2, ... in the order in which they were added, compared byte for byte. */
typedef struct weft_ids weft_ids;

/* The number of `name`, or -1. */
WEFT_API int64_t weft_ids_find(const weft_ids *ids, const char *name);
WEFT_API int64_t weft_ids_count(const weft_ids *ids);
/* The name, valid until the ids are freed; NULL for a number out of range. */
WEFT_API const char *weft_ids_name(const weft_ids *ids, int64_t number);
/* Of a roster, which owns them. */
WEFT_API const weft_ids *weft_roster_ids(const weft_roster *roster);

/* -------------------------------------------------------------------------
 * 3  The player
 *
 * One object predicts the entries of the matrix and learns from their labels:
 *
 *     (row, column) --predict--> answer,  label --learn--> answer
 *
 * weft_player_create makes one where nothing is chosen: a committee, which plays many methods at once and
 * learns which to believe.  weft_advanced.h makes the others, a single learner and rivals; everything here is
 * the same for all of them.  What a kind cannot do is WEFT_UNSUPPORTED, with the reason.
 *
 * Functions that answer with a value instead of a status take NULL, and answer all zeros where the kind does
 * not have what was asked for.
 * ---------------------------------------------------------------------- */

typedef struct weft_player weft_player;

/* Whose ids, and whose side information; one set of ids: WEFT_ROWS. */
enum { WEFT_ROWS = 1, WEFT_COLUMNS = 2, WEFT_BOTH = 3 };

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
 * then on the rosters belong to the player; where it fails they stay the caller's.  `options` NULL means
 * {0}.  WEFT_UNSUPPORTED for a SPEC with map= or names=hashed; what weft_roster_build fails with. */
WEFT_API weft_status weft_player_create(weft_roster *rows, weft_roster *columns,
                                        const weft_player_options *options, weft_player **player,
                                        weft_error *error);

/* With the rosters that belong to it; before sides that it borrows. */
WEFT_API void weft_player_free(weft_player *player);

/* ---- Trials: predict and learn ---- */

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
    bool anew;                /* the answer was lost, and is that of now (weft_player_learn_anew) */
} weft_answer;

/* Predicts entry (row, column).  Changes nothing that can be seen: the state is the same to the byte; only a
 * workspace remembers what was computed, so that learning the same pair next need not start again.  For one
 * set of ids the order of the two does not matter.  WEFT_UNKNOWN_ID for an id that its side does not list,
 * WEFT_CAPACITY for one beyond the capacity; error.at[0] is the id.  A learner takes `products`
 * multiplications by C, and about as many by K, over the ids learnt so far; allocates nothing once warmed
 * up. */
WEFT_API weft_status weft_player_predict(weft_player *player, int64_t row, int64_t column,
                                         weft_answer *answer, weft_error *error);

/* Ends trial t with the label of (row, column): -1 or +1, or 0 when no label came, which is a prediction and
 * changes nothing.  Without a pending prediction of the same pair it predicts first; for labels that come
 * late see weft_player_record (weft_advanced.h).  `answer`, which may be NULL, is the prediction, of a
 * learner with the final bracket, and what became of it.  Fails as predict does; WEFT_ARGUMENT for any other
 * label; WEFT_MEMORY; then nothing was learnt and t is as before.  But where a committee fails, members that
 * have learnt the label will not learn it again when the next call repeats this one: do that, or free the
 * committee. */
WEFT_API weft_status weft_player_learn(weft_player *player, int64_t row, int64_t column, int label,
                                       weft_answer *answer, weft_error *error);

typedef struct weft_counters {
    int64_t t;      /* the number of the next trial: a trial ends with its label */
    int64_t trials; /* labels that were learnt */
    int64_t mistakes;
    int64_t updates;          /* learners */
    int64_t products;         /* learners: multiplications by C */
    double expected_mistakes; /* sum of error probabilities */
    int64_t awake;            /* committees: members that are */
    int64_t anew;             /* committees: labels of answers that were lost (weft_player_learn_anew) */
} weft_counters;

/* A rival counts nothing. */
WEFT_API weft_counters weft_player_counters(const weft_player *player);
/* settings.threads of a player that is there already, one that was read from a model for instance; 0 to
 * WEFT_THREAD_LIMIT.  Speed alone.  A rival starts none. */
WEFT_API weft_status weft_player_set_threads(weft_player *player, int threads, weft_error *error);
#define WEFT_THREAD_LIMIT 256

/* ---- Names ---- */

/* The numbers of two ids, which are let in as weft_roster_admit says: pair[0] of the row, pair[1] of the
 * column.  This and the next ones are for players of weft_player_create and weft_player_open. */
WEFT_API weft_status weft_player_pair(weft_player *player, const char *row, const char *column,
                                      int64_t pair[2], weft_error *error);
/* The name of an id, WEFT_ROWS or WEFT_COLUMNS, valid as long as the player; NULL where there is none. */
WEFT_API const char *weft_player_name(const weft_player *player, int which, int64_t id);
/* The roster of the rows or the columns (one set of ids: the same), owned by the player; NULL: none. */
WEFT_API const weft_roster *weft_player_roster(const weft_player *player, int which);

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
 * most and candidate_count.  Scores that agree (of a learner: within the tolerance with the largest one of
 * their group) are in the order of the candidates.  Exact: what sorting the scores of weft_player_evaluate
 * gives (of a learner it is open which of those within the tolerance of the last place are answered).  A
 * prediction that was pending is no longer.  Ids as for predict; WEFT_ARGUMENT for `most` or the tolerance
 * out of range; WEFT_MEMORY.
 *
 * A learner takes one action of the exponential, one column of the kernel a candidate, and a quadratic form
 * for every candidate that is not kept and cannot be left out earlier: with F = K exp(CK) the paper's margin
 * is kappa (F_ii + 2 F_ij + F_jj) - 1 (one set of ids: 1 - kappa (F_ii - 2 F_ij + F_jj); balanced: 2 kappa
 * F_ij).  One action gives F_ij for all j; the diagonal F_jj is a property of the state alone and is kept
 * until the learner learns.  What is not kept yet is bracketed only as far as it takes to leave a candidate
 * out.  Others are asked for every candidate. */
WEFT_API weft_status weft_player_rank(weft_player *player, const weft_query *query, weft_ranked *ranked,
                                      int64_t *found, weft_error *error);

/* ---- What was learnt ---- */

/* The evidence of a learner: pairs that were ever updated, in order of first update, those whose count is 0
 * again included. */
typedef struct weft_evidence_entry {
    int64_t row, column;
    int64_t count; /* signed: labels +1 less labels -1 */
} weft_evidence_entry;

/* The number of these pairs.  A committee: of the learner that leads it (weft_committee_leader). */
WEFT_API int64_t weft_player_evidence_count(const weft_player *player);
/* Entry 0 <= k < count; all zeros for k out of range. */
WEFT_API weft_evidence_entry weft_player_evidence(const weft_player *player, int64_t k);

/* Takes out again what is known of one id, a row (WEFT_ROWS) or a column (WEFT_COLUMNS); for one set of ids
 * either takes out all pairs of the id.  A learner loses all evidence of the id: that does not undo what the
 * evidence did to later decisions whether to update.  In a committee all learners do that, awake or not;
 * rivals, whose weights cannot be taken apart, start anew, and so does what the stack knows of these.
 * Standings and counters stay.  Rebuilds the player: O(evidence). */
WEFT_API weft_status weft_player_forget(weft_player *player, int which, int64_t id, weft_error *error);

/* Adds what another player of the same kind and settings, over the same ids, has learnt, and its counters;
 * `other` does not change.  Learners add their evidence.  Committees must have the same members: the
 * evidence of learners is added, of every rival the one that has seen more trials stays, weights and stack
 * start anew, as do the standings, and all members wake.  WEFT_ARGUMENT where the two do not go together. */
WEFT_API weft_status weft_player_merge(weft_player *player, const weft_player *other, weft_error *error);

/* An independent copy over the same sides; it continues bit for bit as the original does (krylov). */
WEFT_API weft_status weft_player_clone(const weft_player *player, weft_player **copy, weft_error *error);

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
 * margin as a function of real counts, by divided differences of exp in the Krylov space of the pair; they
 * converge at half the rate of the margin and are narrowed until `error` is at most `tolerance` (> 0) times
 * the largest of them, or rounding allows no more.  Of a committee the margin of the learner that leads it
 * (weft_committee_leader) is explained; WEFT_UNSUPPORTED where only rivals are awake.  Fails as predict
 * does. */
WEFT_API weft_status weft_player_explain(weft_player *player, int64_t row, int64_t column, double tolerance,
                                         weft_explanation *explanation, weft_influence *influences,
                                         weft_error *error);

/* ---- Models: a player as a file ---- */

/* Everything as one file, a model: player, ids and side information.  Files of side information are named in
 * it and read again; what was in memory, or was kept (weft_file_options.keep), is in the model itself.  It
 * is written whole or not at all, WEFT_WRITE.  WEFT_ARGUMENT where one side was in memory and a file of the
 * other was not kept. */
WEFT_API weft_status weft_player_save(const weft_player *player, const char *path, weft_error *error);

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

/* The player of a model, which continues to the bit.  `options` NULL means {0}.  Fails as weft_model_open. */
WEFT_API weft_status weft_player_open(const char *path, const weft_model_options *options,
                                      weft_player **player, weft_error *error);

/* -------------------------------------------------------------------------
 * 4  Streams
 *
 * Events from files, `row,column,label` a line.
 * ---------------------------------------------------------------------- */

/* One line of a stream; the strings are valid until the next call. */
typedef struct weft_event {
    const char *row, *column;
    int label; /* -1, +1, or 0 where there is none: predict only */
    const char *file;
    int64_t line;  /* from 1 */
    int64_t count; /* of WEFT_COUNTS, else 0 */
} weft_event;

typedef struct weft_stream weft_stream;

/* Opens `count` files, which are read one after the other.  The first line of a file is a header iff its
 * third field is not a label; a header that names row, column and label gives their places, otherwise the
 * first three fields count.  Labels are -1/+1 or 0/1, the same in the whole stream, or empty. */
WEFT_API weft_status weft_stream_open(const char *const *paths, int64_t count,
                                      const weft_file_options *options, weft_stream **stream,
                                      weft_error *error);

/* The next event; at the end *more is false and *event untouched.  A blocked read that a signal handler
 * interrupts is a failure, WEFT_FILE. */
WEFT_API weft_status weft_stream_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error);
/* Whether there is something to read at once; where not, the next event has to be waited for: a good moment
 * to answer what has come.  (Now and then false although a line is there, between two files or behind
 * gzip.) */
WEFT_API bool weft_stream_ready(const weft_stream *stream);
/* Whether every file is a regular one, so that it can be read again. */
WEFT_API bool weft_stream_seekable(const weft_stream *stream);
/* Back to the first event; WEFT_FILE where a file is not a regular one.  Once all was read to its end, every
 * other reading must meet the same bytes: weft_stream_next is WEFT_INPUT where a file has changed. */
WEFT_API weft_status weft_stream_rewind(weft_stream *stream, weft_error *error);
WEFT_API void weft_stream_free(weft_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
