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
 *   2  the player                 create, predict, learn, rank, explain, forget, merge, save, open
 *   3  what is known              rosters: ids and side information, from arrays or from files
 *   4  streams                    events from files; positives alone
 *
 * weft_advanced.h has what the player is made of: kernels and feature maps, one learner with settings of
 * your own, rivals, committees from inside, raw states.  weft_files.h has rosters, streams and models from
 * inside, weft_theory.h what the theorems promise.
 *
 * Conventions.  Rows and columns are integers from 0.  A function that can fail returns a weft_status, 0 or
 * negative, and, if `error` is not NULL, leaves the facts there; on failure its outputs are untouched and
 * the object is as it was before the call.  Outputs come last, the error very last.  Arrays that are passed
 * in are copied unless it says "borrowed".  What a _create, _open, _from_ or other constructor hands out is
 * the caller's, who frees it with the _free of its type; every _free takes NULL.  Pointers that are not said
 * to be optional must not be NULL: WEFT_ARGUMENT; functions without a status then answer zeros.  Options are
 * zero-initialised: {0} means the defaults, and so does NULL in their place.
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
    XX(MODEL, -10, "the stored state is damaged or does not fit", 4)                    \
    XX(INTERRUPTED, -11, "the caller has stopped it", 130)

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
    char message[512]; /* one sentence for people, without a newline or control characters */
} weft_error;

/* The one allocator hook.  Resizes `pointer` (NULL: a new block) from old_size to new_size bytes and returns
 * it, or NULL with the old block intact, which the caller sees as WEFT_MEMORY; new_size 0 frees and returns
 * NULL.  Any alignment will do.  NULL for a weft_memory * everywhere, and {0}, mean the C library's
 * allocator.  The struct is copied; `user` must outlive every object made with it.  (CHOLMOD, the C library
 * and, for the reference engine, LAPACK may allocate beside it.) */
typedef void *weft_allocate(void *user, void *pointer, size_t old_size, size_t new_size);

typedef struct weft_memory {
    weft_allocate *allocate;
    void *user;
} weft_memory;

/* Whoever wants to hear of a call that lasts, and to be able to stop it.  `tell` is called with what is being
 * done, a few words of a constant, and how much of that is done: 0 to 1, or NAN where it is not known.  It
 * answers true to go on.  Where it answers false the call fails with WEFT_INTERRUPTED, and everything is as
 * before the call: nothing half made is left (weft_player_learn_many has learnt *learnt).
 *
 * It is called on the thread that made the call, after about `every` multiplications, which are counted; no
 * clock is asked, and no result depends on it to the bit.  0: 2^26, which take 20 to 100 milliseconds.  Short
 * calls never call it, nor does a single trial.  It must not use the objects of the call.  (Two things cannot
 * be stopped inside: the factor that CHOLMOD makes of a large graph, before and after which it is called, and
 * one product by the kernel of such a graph.)
 *
 * {0}, and NULL for a weft_progress *: nobody.  The struct is copied; `context` must outlive what is made
 * with it.  Given in weft_file_options it holds for what is read, for rosters and for players made of them;
 * weft_advanced.h has it for sides, weft_theory.h hears of it through them. */
typedef bool weft_tell(void *context, const char *what, double done);

typedef struct weft_progress {
    weft_tell *tell;
    void *context;
    double every;
} weft_progress;

/* -------------------------------------------------------------------------
 * 2  The player
 *
 * One object predicts the entries of the matrix and learns from their labels.  weft_player_create makes a
 * committee, which plays many methods at once and learns which to believe.  weft_advanced.h makes the others,
 * a single learner and rivals; everything here is the same for all of them.  What a kind cannot do is
 * WEFT_UNSUPPORTED, with the reason, or all zeros where the function has no status.
 * ---------------------------------------------------------------------- */

typedef struct weft_player weft_player;
typedef struct weft_roster weft_roster; /* section 3 */

/* Whose ids, and whose side information; one set of ids: WEFT_ROWS. */
enum { WEFT_ROWS = 1, WEFT_COLUMNS = 2, WEFT_BOTH = 3 };

typedef struct weft_player_options {
    bool randomised; /* +1 with the probability that the weights give it, instead of iff that is >= 1/2 */
    uint64_t seed;   /* of what is drawn; 0: 1 */
    int threads;     /* that members are asked by, 0 to WEFT_THREAD_LIMIT: speed alone */
} weft_player_options;
#define WEFT_THREAD_LIMIT 256

/* A player over all that the rosters know, which has learnt nothing.  columns NULL: one set of ids, +1 means
 * "together".  From then on the rosters belong to the player; where it fails they stay the caller's.
 * `options` NULL means {0}.  WEFT_INPUT where values make no side information; WEFT_UNSUPPORTED for a SPEC
 * that only a learner can play (map=). */
WEFT_API weft_status weft_player_create(weft_roster *rows, weft_roster *columns,
                                        const weft_player_options *options, weft_player **player,
                                        weft_error *error);

/* With the rosters that belong to it; before sides that it borrows. */
WEFT_API void weft_player_free(weft_player *player);

/* ---- Predict and learn ---- */

/* What a player says of a pair. */
typedef struct weft_answer {
    int label;          /* the prediction, -1 or +1 */
    double probability; /* of the label +1, in [0, 1], as the player sees it (section 4: drawn labels) */
    double score;       /* larger means rather +1, finite; pairs are ranked by it.  A learner: the margin;
                           a committee: the probability */
    /* The probability that a drawn prediction is +1: guarantees speak of it.  A committee: the weight of the
     * members that say +1.  0 or 1 where a learner or a rival draws nothing. */
    double vote;
    /* A learner predicts +1 iff margin >= threshold, a rival iff score >= threshold, a committee iff vote >=
     * threshold.  It is drawn from (seed, t), or 0; of a committee that draws nothing 1/2. */
    double threshold;
    /* Learners: [lower, upper] contains the exact margin, rounding included by a statistical model with a
     * wide safety factor; `margin` is its middle.  The others have NAN, -INFINITY and INFINITY. */
    double margin, lower, upper;
    /* Learners: the bracket excludes the threshold.  False for a tie below the rounding allowance, which is
     * decided by the middle.  The others: true. */
    bool certified;
    int products;  /* learners: multiplications by the evidence that it took; else 0 */
    int64_t asked; /* committees: members that were asked; else 1 */
    int64_t t;     /* the trial that it is the answer of, counted from 0; rivals, which do not count: 0 */
    /* From here on what learning a label adds; predictions have false and 0. */
    bool mistake;             /* `label` is not the label that came */
    bool updated;             /* learners: the evidence has changed (unless the pair embeds as zero) */
    bool update_certified;    /* learners: the bracket excludes what the update was decided by */
    double error_probability; /* that a drawn prediction is wrong */
    bool anew;                /* the answer was lost before its label came, and this is that of now */
} weft_answer;

/* Predicts entry (row, column).  The state stays the same to the byte; only a workspace remembers what was
 * computed, so that learning the same pair next need not start again.  For one set of ids the order of the
 * two does not matter.  WEFT_UNKNOWN_ID for an id that its side does not list, WEFT_CAPACITY for one beyond
 * the capacity; error.at[0] is the id.  Allocates nothing once warmed up. */
WEFT_API weft_status weft_player_predict(weft_player *player, int64_t row, int64_t column,
                                         weft_answer *answer, weft_error *error);

/* Ends trial t with the label of (row, column): -1 or +1, or 0 when no label came, which is a prediction and
 * changes nothing.  Without a pending prediction of the same pair it predicts first; weft_advanced.h has more
 * for labels that come late.  `answer`, which may be NULL, is the prediction and what became of it.  Fails
 * as predict does; WEFT_ARGUMENT for any other label; WEFT_MEMORY; then nothing was learnt and t is as
 * before.  But where a committee fails, members that have learnt the label will not learn it again when the
 * next call repeats this one: do that, or free the committee. */
WEFT_API weft_status weft_player_learn(weft_player *player, int64_t row, int64_t column, int label,
                                       weft_answer *answer, weft_error *error);

/* Many pairs in one call: row and column of each, 2 * count numbers.  The answers are those of
 * weft_player_predict where nothing is drawn; they depend on the state and the pair alone, so that the number
 * of threads, 0 to WEFT_THREAD_LIMIT, changes no bit.  The margin of a learner is known to `tolerance`, or 0:
 * as far as the label needs.  Every thread but the first asks a copy of the player, which is kept until the
 * player changes; the memory hook and kernels of the caller are then called from all threads.  A prediction
 * that was pending is no longer.  A failure is that of the first pair that fails; the answers are then
 * unspecified. */
WEFT_API weft_status weft_player_predict_many(weft_player *player, int64_t count, const int64_t *pairs,
                                              double tolerance, int threads, weft_answer *answers,
                                              weft_error *error);
/* weft_player_learn of each, in their order; answers may be NULL.  On failure the first *learnt are learnt
 * (learnt may be NULL). */
WEFT_API weft_status weft_player_learn_many(weft_player *player, int64_t count, const int64_t *pairs,
                                            const int *labels, weft_answer *answers, int64_t *learnt,
                                            weft_error *error);

/* ---- A copy that only predicts, for another thread than the one that learns ----
 *
 *     weft_reader_create(player, &reader, &error);                              on the thread that learns
 *     weft_reader_predict(reader, 0, 2, 0, &answer, &event, &error);            on another, at any time
 *     weft_reader_free(reader);                                                 on either
 *
 * A reader has a replica of the player, and a thread that teaches it every label which the player has learnt,
 * in order.  One thread at a time may use a reader; a player may have any number of them.  With them it waits
 * now and then for about a trial or two of its own, and while it is copied every label takes about twice as
 * long, but at most 0.2 ms more.  New ids may come meanwhile. */
typedef struct weft_reader weft_reader;

/* Returns at once.  The player is copied while it is used, a slice of its state with every label; while
 * nobody learns, the thread of the reader does that, and a call waits for one slice at most.  The memory hook
 * and kernels of the caller are then called from other threads too.  WEFT_MEMORY, also where the system
 * refuses a thread; WEFT_UNSUPPORTED for a player whose model was opened only to look. */
WEFT_API weft_status weft_reader_create(weft_player *player, weft_reader **reader, weft_error *error);

/* Predicts entry (row, column) without drawing anything, as a copy of the player made after label number
 * *event would, to the bit; `tolerance` as in weft_player_predict_many.  When the answer is begun, the player
 * has learnt at most 1,000 labels more, and the first of those at most 100 ms ago; where it must, it waits
 * for that, and the first one waits for the copy.  *event, which may be NULL, is counters.t of the player at
 * that time; rivals, which do not count: the labels learnt since they were made or read.  After
 * weft_player_forget, _merge, _reset and the like the player is copied anew, and no answer is of before.
 * Fails as weft_player_predict does; WEFT_MEMORY where there was none for the replica: the next call tries
 * again; WEFT_UNSUPPORTED while a committee has learnt a label only in part (weft_player_learn has failed);
 * WEFT_ARGUMENT after the player was freed. */
WEFT_API weft_status weft_reader_predict(weft_reader *reader, int64_t row, int64_t column, double tolerance,
                                         weft_answer *answer, int64_t *event, weft_error *error);

/* What the replica knows by now, as *event above; -1 before it is there. */
WEFT_API int64_t weft_reader_event(const weft_reader *reader);

/* Before or after the player: one that is freed first ends its readers, which are then still to be freed. */
WEFT_API void weft_reader_free(weft_reader *reader);

/* What was played; a rival counts nothing. */
typedef struct weft_counters {
    int64_t t;      /* the number of the next trial: a trial ends with its label */
    int64_t trials; /* labels that were learnt */
    int64_t mistakes;
    int64_t updates;          /* learners */
    int64_t products;         /* learners: multiplications by the evidence */
    double expected_mistakes; /* sum of error probabilities */
    int64_t awake;            /* committees: members that are */
    int64_t anew;             /* committees: labels of answers that were lost */
} weft_counters;
WEFT_API weft_counters weft_player_counters(const weft_player *player);

/* The threads of a player that is there already, one that was opened for instance: 0 to WEFT_THREAD_LIMIT,
 * speed alone.  A rival starts none. */
WEFT_API weft_status weft_player_set_threads(weft_player *player, int threads, weft_error *error);

/* Who is told of the long calls of this player from now on: predict_many, learn_many, rank, explain, forget,
 * merge, add_evidence, clone, save; NULL: nobody.  A player made of rosters begins with that of the rows. */
WEFT_API weft_status weft_player_set_progress(weft_player *player, const weft_progress *progress,
                                              weft_error *error);

/* ---- Names: of players that weft_player_create and weft_player_open made ---- */

/* The numbers of two ids, a row and a column.  New ones are let in as section 3 says. */
WEFT_API weft_status weft_player_pair(weft_player *player, const char *row, const char *column,
                                      int64_t pair[2], weft_error *error);
/* The same for a prediction: nothing is let in, so that the state of a player is that of the labels it has
 * learnt.  A name that is not known gets the number of the next one, good for this prediction alone. */
WEFT_API weft_status weft_player_find(const weft_player *player, const char *row, const char *column,
                                      int64_t pair[2], weft_error *error);
/* The name of an id, WEFT_ROWS or WEFT_COLUMNS, valid as long as the player; NULL where there is none. */
WEFT_API const char *weft_player_name(const weft_player *player, int which, int64_t id);
/* The roster of the rows or the columns (one set of ids: the same), owned by the player; NULL: none. */
WEFT_API const weft_roster *weft_player_roster(const weft_player *player, int which);

/* ---- Ranking: one id with many ---- */

typedef struct weft_query {
    bool column;               /* `id` is a column and rows are ranked; else the other way round */
    int64_t id;                /* whose pairs */
    int64_t most;              /* of the answer, at least 1 */
    const int64_t *candidates; /* distinct ids of the other side, borrowed for the call */
    int64_t candidate_count;   /* 0, with NULL before it: all that the other side lists */
    double tolerance;          /* learners: how wide the bracket of a margin may be; 0: 0.02 */
} weft_query;

typedef struct weft_ranked {
    int64_t id;
    weft_answer answer; /* nothing is drawn for it; of a learner without `products` */
} weft_ranked;

/* The `most` candidates of the largest scores, largest first, in ranked[0..*found), *found the smaller of
 * most and candidate_count.  Scores that agree (of a learner: within the tolerance with the largest one of
 * their group) are in the order of the candidates.  Exact: what sorting all scores gives (of a learner it is
 * open which of those within the tolerance of the last place are answered).  A prediction that was pending
 * is no longer.  Ids as for predict; WEFT_ARGUMENT for `most` or the tolerance out of range; WEFT_MEMORY.
 *
 * A learner takes one action of the exponential, one column of the kernel a candidate, and a quadratic form
 * for every candidate that is not kept and cannot be left out earlier (src/learner/rank/rank.c).  Others are
 * asked for every candidate; of a committee, learners and perceptrons once for all ids of a class, or alone,
 * that they have not met (src/committee/members/strangers.c). */
WEFT_API weft_status weft_player_rank(weft_player *player, const weft_query *query, weft_ranked *ranked,
                                      int64_t *found, weft_error *error);

/* ---- What was learnt ---- */

/* The evidence of a learner, of a committee that of the learner that leads it: pairs that were ever updated,
 * in order of first update, those whose count is 0 again included. */
typedef struct weft_evidence_entry {
    int64_t row, column;
    int64_t count; /* signed: labels +1 less labels -1 */
} weft_evidence_entry;
WEFT_API int64_t weft_player_evidence_count(const weft_player *player);
/* Entry 0 <= k < count; all zeros for k out of range. */
WEFT_API weft_evidence_entry weft_player_evidence(const weft_player *player, int64_t k);

/* What a margin rests on: one pair that carries evidence. */
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
    int products;                /* multiplications by the evidence */
} weft_explanation;

/* Explains the margin of (row, column): influences[k] belongs to weft_player_evidence(player, k), for all
 * weft_player_evidence_count of them; it may be NULL where there are none.  The derivatives are of the
 * margin as a function of real counts, narrowed until `error` is at most `tolerance` (> 0) times the largest
 * of them, or rounding allows no more.  WEFT_UNSUPPORTED where only rivals of a committee are awake.  Fails
 * as predict does. */
WEFT_API weft_status weft_player_explain(weft_player *player, int64_t row, int64_t column, double tolerance,
                                         weft_explanation *explanation, weft_influence *influences,
                                         weft_error *error);

/* Takes out again what is known of one id, a row (WEFT_ROWS) or a column (WEFT_COLUMNS); for one set of ids
 * either takes out all pairs of the id.  A learner loses all evidence of the id: that does not undo what the
 * evidence did to later decisions whether to update.  In a committee all learners do that, awake or not;
 * rivals, whose weights cannot be taken apart, start anew, and those awake learn the last labels again that
 * are kept (16384 at most), but for those of the id.  Counters and the standings of the others stay.
 * Rebuilds the player: O(evidence), and in a committee the work of as many labels. */
WEFT_API weft_status weft_player_forget(weft_player *player, int which, int64_t id, weft_error *error);

/* Adds what another player of the same kind and settings, over the same ids, has learnt, and its counters;
 * `other` does not change.  Two players that know their ids by name are matched by name, and ids that only
 * the other has are let in; else a number means the same in both.  Learners add their evidence, with the
 * compact engine their matrices (numbers must be the same).  Committees must have the same members: the
 * evidence of learners, standings and regrets are added, of the stack and of every rival the one that has
 * seen more stays (a hashed logistic of other numbers never does), and all members wake.  Adding evidence
 * changes the scale of margins but in the balanced form: such a learner alone may predict worse than before,
 * in a committee it must prove itself again.  WEFT_ARGUMENT where the two do not go together. */
WEFT_API weft_status weft_player_merge(weft_player *player, const weft_player *other, weft_error *error);

/* An independent copy, which continues bit for bit as the original does.  Of a player that weft_player_create
 * or weft_player_open made it has rosters of its own, with all names, made again as weft_player_open would,
 * and fails as that and weft_player_save do.  Others, and one that was opened only to look, share their sides
 * with the copy, which borrows them. */
WEFT_API weft_status weft_player_clone(const weft_player *player, weft_player **copy, weft_error *error);

/* ---- Models: a player as a file ---- */

/* Everything as one file, a model: player, ids and side information.  Files of side information are named in
 * it and read again; what was in memory, or was kept, is in the model itself.  It is written whole or not at
 * all, WEFT_WRITE.  WEFT_ARGUMENT where one side was in memory and a file of the other was not kept. */
WEFT_API weft_status weft_player_save(const weft_player *player, const char *path, weft_error *error);

/* How files are read. */
typedef struct weft_file_options {
    const weft_memory *memory;
    int64_t line_limit;                       /* bytes of a line, at least 80; 0: 2^24 */
    int64_t field_limit;                      /* fields of a line, at least 3; 0: 2^20 */
    int64_t id_limit;                         /* ids of one side; 0: as many as memory takes */
    int64_t byte_limit;                       /* bytes that gzip makes of one file; 0: 2^34 */
    const struct weft_roster_options *roster; /* weft_files.h, borrowed for the call; NULL: defaults */
    weft_progress progress;                   /* who is told, and may stop it */
} weft_file_options;

typedef struct weft_model_options {
    weft_file_options files; /* memory of everything; limits of side files */
    /* Where side information is to be read instead of where the model says (or of what it embeds): a SPEC
     * with the same words but for its files, which must have the digests that the model has; NULL: as
     * stored.  One set: `rows`. */
    const char *rows, *columns;
    /* A model of one learner: room for more ids, at least what it has; 0: what it has.  More room means a
     * smaller kappa, so predictions change.  Ids of a committee have no bound: WEFT_ARGUMENT. */
    int64_t row_capacity, column_capacity;
    int64_t size_limit; /* bytes of the model; 0: 2^36 */
    /* Only to look, at ids, counters and evidence: the side files of a learner are not read, and what needs
     * them, such as predict and learn, is WEFT_UNSUPPORTED; nor can it be saved.  A committee is opened
     * whole. */
    bool look;
} weft_model_options;

/* The player of a model, which continues to the bit.  `options` NULL means {0}.
 *
 *   WEFT_FILE      the model or a side file cannot be read
 *   WEFT_MODEL     the file is no model, of another version, cut short, changed in any byte, contradicts
 *                  itself, or does not fit: a side file has another digest (both are told) or no longer says
 *                  the same
 *   WEFT_ARGUMENT  `rows` or `columns` are no SPEC, of another kind than the stored one or have other words;
 *                  a capacity below the stored one
 *   WEFT_MEMORY */
WEFT_API weft_status weft_player_open(const char *path, const weft_model_options *options,
                                      weft_player **player, weft_error *error);

/* The bytes of that file, to and from memory.  *size is the room in `buffer` and becomes the number of bytes;
 * buffer NULL asks for that alone.  WEFT_ARGUMENT where the room is too small. */
WEFT_API weft_status weft_player_to_bytes(const weft_player *player, void *buffer, size_t *size,
                                          weft_error *error);
WEFT_API weft_status weft_player_from_bytes(const void *bytes, size_t size, const weft_model_options *options,
                                            weft_player **player, weft_error *error);

/* What equal states mean: a digest (XXH3, 128 bits, high half first) of what was learnt and of the ids in
 * their order, without SPECs, paths and embedded files.  O(size of the state). */
WEFT_API weft_status weft_player_digest(const weft_player *player, uint64_t digest[2], weft_error *error);

/* -------------------------------------------------------------------------
 * 3  What is known: rosters
 *
 * A roster is the ids of one side and what is known about them, from arrays or from a file.  Ids are strings
 * in files and integers in the library.
 * ---------------------------------------------------------------------- */

/* ---- From arrays ---- */

/* Ids of which nothing is known.  names[k] is the name of id k; NULL: "0", "1", ...  Ids that come later are
 * let in alone.  A model embeds what is in memory, so that it can be opened anywhere.
 *
 * Of all that follow: arrays are read in the call; `options` NULL means {0}.  WEFT_ARGUMENT for a name that
 * no file can have (an empty one) and for ids out of range, WEFT_INPUT for a name that stands twice.  Values
 * that make no kernel are WEFT_INPUT, here or when the player is made.  Messages name lines of the
 * text that the arrays are kept as, memory.csv and the like. */
WEFT_API weft_status weft_roster_from_names(int64_t count, const char *const *names,
                                            const weft_file_options *options, weft_roster **roster,
                                            weft_error *error);

/* K(i,j) = [class_of[i] = class_of[j]] + epsilon [i = j].  Classes are any integers; epsilon >= 0. */
WEFT_API weft_status weft_roster_from_classes(int64_t count, const int64_t *class_of, double epsilon,
                                              const char *const *names, const weft_file_options *options,
                                              weft_roster **roster, weft_error *error);

typedef enum weft_kernel {
    WEFT_LINEAR,   /* <x,t> + parameter [x = t], parameter = epsilon >= 0 */
    WEFT_GAUSSIAN, /* exp(-|x-t|^2 / (2 parameter^2)), parameter = width > 0 */
    WEFT_MIN       /* prod_i min(s(x_i), s(t_i)), s(x) = (r-1)x/(2r) + (r+1)/2,
                      on [-r,r]^d, parameter = r >= 2 */
} weft_kernel;

/* One vector an id, and a kernel between vectors. */
typedef struct weft_features {
    int64_t count;
    int64_t dimension;    /* at least 1 */
    const double *values; /* count x dimension, row by row */
    weft_kernel kernel;
    double parameter;
} weft_features;
WEFT_API weft_status weft_roster_from_features(const weft_features *features, const char *const *names,
                                               const weft_file_options *options, weft_roster **roster,
                                               weft_error *error);

typedef enum weft_graph_kernel {
    WEFT_PDLAPLACIAN, /* K = L^+ + R_L 11', R_L = max_i L^+(i,i): the paper's */
    WEFT_REGULARISED, /* K = (I + parameter L)^-1, parameter = sigma > 0 */
    WEFT_DIFFUSION,   /* K = exp(-parameter L), parameter = time > 0 */
    WEFT_NO_KERNEL    /* K = I: an id is known by its edges, to the members that use these */
} weft_graph_kernel;

/* An undirected graph, borrowed for the call.  Weights are positive and finite; weight NULL means all 1.  An
 * edge may be given twice, in either direction, with the same weight; self-loops are ignored.  What is zero
 * is the default.  Which kernel to take: docs/graphs.md. */
typedef struct weft_graph {
    int64_t vertices; /* at least 1; PDLaplacian: at least 2 */
    int64_t edges;
    const int64_t *from; /* 0 <= from[k], to[k] < vertices */
    const int64_t *to;
    const double *weight;
    /* PDLaplacian of a disconnected graph: joined as a star, the first vertex of every other component to
     * the first vertex of the first one with weight 1 (true), or an error that names two vertices with no
     * path between them (false).  The other kernels do not look at it: components are not similar, a vertex
     * without edges is similar to itself alone. */
    bool connect;
    weft_graph_kernel kernel;
    double parameter; /* sigma or time; not looked at for the PDLaplacian */
    /* L = D^-1/2 (D - A) D^-1/2 in place of D - A, where A are the weights and D the degrees; the row and
     * column of a vertex without edges are zero. */
    bool normalised;
    /* K(i,j) / sqrt(K(i,i) K(j,j)) in place of K: a diagonal of ones.  Nothing of the constant part of a
     * PDLaplacian is then told apart, nor cancels for one set. */
    bool unit;
} weft_graph;
WEFT_API weft_status weft_roster_from_graph(const weft_graph *graph, const char *const *names,
                                            const weft_file_options *options, weft_roster **roster,
                                            weft_error *error);

/* K, or M = K^-1, count x count, row by row. */
WEFT_API weft_status weft_roster_from_kernel(int64_t count, const double *kernel, const char *const *names,
                                             const weft_file_options *options, weft_roster **roster,
                                             weft_error *error);
WEFT_API weft_status weft_roster_from_matrix(int64_t count, const double *matrix, const char *const *names,
                                             const weft_file_options *options, weft_roster **roster,
                                             weft_error *error);

/* ---- From files ---- */

/* The same from a SPEC:
 *
 *     none
 *     classes:FILE[,epsilon=0.1]                 `id class` a line
 *     graph:FILE[,connect=star|error]            `id id [weight]` a line; also
 *         ,kernel=pdlaplacian | kernel=regularised,sigma=S | kernel=diffusion,time=T | kernel=none
 *         ,laplacian=plain|normalised  ,scale=none|unit
 *     kernel:FILE[,repair=error|clip|shift]      square, ids in first row and column
 *     matrix:FILE                                the same for M = K^-1
 *     table:FILE[,id=NAME]                       a header, then an id, numbers, words and empty cells a line
 *     features:FILE                              id and numbers: a table of numbers
 *     features:FILE,kernel=linear,epsilon=E | kernel=gaussian,width=W | kernel=min,range=R
 *                                                id and numbers, or id index:value ...
 *     every one also: ,missing=error|alone (graph: join too)  ,radius=R (but tables)
 *     graph, kernel and matrix also: ,ids=FILE   where FILE is Matrix Market
 *     SPEC,+SPEC                                 several kinds together, see below
 *
 * A comma or backslash inside FILE or NAME is written \, or \\.  The first ids are those of the file, in its
 * order. An id of the stream that it lacks is similar to nothing but itself, whenever it comes (alone, the
 * default), joins the graph as a vertex without edges (join: all such ids must be known before the player is
 * made), or is an error that names it and its line (error); `none` lists nothing and takes every id.
 *
 * All files are delimited text: the content of the first line tells the delimiter (tab, else comma, else
 * blanks), `#` starts a comment line, quotes are those of RFC 4180, empty lines are skipped, lines end in LF
 * or CRLF (a CR alone is refused outside quotes), a byte-order mark is tolerated, and "-" is standard input.
 * Any of them may be behind gzip, which its first two bytes tell, not its name.  Errors say
 * file:line:column, what was found, what was expected, and the likely cause where the files give it away.
 *
 * Features are sparse, as libsvm writes them, where the first line has a colon between an index and a value:
 * indices count from 1 and increase, the largest one is the dimension (at most the limit on fields).  A file
 * that begins with %%MatrixMarket is a square matrix (coordinate or array; real, integer or pattern; general
 * or symmetric), or for a graph a list of edges (coordinate); its ids are the lines of the file ids=, in the
 * order of its rows.
 *
 * Of a table nothing need be chosen: docs/command.md says what is made of its columns, and weft_files.h has
 * what was.  It has no comments.
 *
 * WEFT_ARGUMENT for what is no SPEC; WEFT_CAPACITY for a list of ids above the limit of the options. */
WEFT_API weft_status weft_roster_open(const char *spec, const weft_file_options *options,
                                      weft_roster **roster, weft_error *error);

/* Several kinds together: a roster of `count` rosters, at most 8, that no ids were let into yet.
 * weft_roster_open makes one of SPECs with ",+" between: "table:users.csv,+graph:follows.csv".  All are
 * played alone and together.  The ids are those of the first part, then those that only the second lists, and
 * so on; one that a part lacks is alone, joins or is an error there, as its SPEC says.  The parts belong to
 * the roster then; where it fails they stay the caller's.  One part is handed out as it is.  WEFT_ARGUMENT
 * for a part that is `none`, has map=, is made of several, or is another one again. */
WEFT_API weft_status weft_roster_combine(weft_roster *const *parts, int64_t count, weft_roster **roster,
                                         weft_error *error);

/* Not of a roster that belongs to a player or to another roster. */
WEFT_API void weft_roster_free(weft_roster *roster);

/* Names numbered 0, 1, 2, ... in the order in which they were added, compared byte for byte. */
typedef struct weft_ids weft_ids;

/* Those of a roster, which owns them. */
WEFT_API const weft_ids *weft_roster_ids(const weft_roster *roster);
WEFT_API int64_t weft_ids_count(const weft_ids *ids);
/* The number of `name`; -1: there is none. */
WEFT_API int64_t weft_ids_find(const weft_ids *ids, const char *name);
/* The name, valid until the ids are freed; NULL for a number out of range. */
WEFT_API const char *weft_ids_name(const weft_ids *ids, int64_t number);

/* -------------------------------------------------------------------------
 * 4  Streams: events from files, `row,column,label` a line
 * ---------------------------------------------------------------------- */

/* One line; the strings are valid until the next call. */
typedef struct weft_event {
    const char *row, *column;
    int label; /* -1, +1, or 0 where there is none: predict only */
    const char *file;
    int64_t line;   /* from 1 */
    int64_t count;  /* of a stream of counts (weft_files.h), else 0 */
    const char *id; /* of the event, where there is such a field, else NULL */
    /* Digests of its context, of the fields that were named (weft_files.h), for weft_advanced.h. */
    int64_t context_count;
    uint64_t context[8];
} weft_event;

typedef struct weft_stream weft_stream;

/* Opens `count` files, which are read one after the other.  A file is delimited text or, where its first
 * byte is {, JSON lines.  The first line of delimited text is a header where it names row and column, or
 * where its third field is no label.  Fields are known by `row`, `column` and `label` or by usual names for
 * them (user_id, item, clicked ...), in any order; a header that leaves it unclear which is which is an
 * error.  Without a header the first three fields are row, column and label.  Labels are -1/1, 0/1 (also
 * 1.0/0.0), true/false, yes/no or y/n in any case, one pair in the whole stream, or empty (in JSON null, or
 * left out).  `options` NULL means {0}. */
WEFT_API weft_status weft_stream_open(const char *const *paths, int64_t count,
                                      const weft_file_options *options, weft_stream **stream,
                                      weft_error *error);

/* The next event; at the end *more is false and *event untouched.  A blocked read that a signal handler
 * interrupts is a failure, WEFT_FILE. */
WEFT_API weft_status weft_stream_next(weft_stream *stream, weft_event *event, bool *more, weft_error *error);
/* Whether there is something to read at once; where not, it is a good moment to answer what has come.  (Now
 * and then false although a line is there, between two files or behind gzip.) */
WEFT_API bool weft_stream_ready(const weft_stream *stream);
/* Whether every file is a regular one, so that it can be read again. */
WEFT_API bool weft_stream_seekable(const weft_stream *stream);
/* Back to the first event; WEFT_FILE where a file is not a regular one.  Once all was read to its end, every
 * other reading must meet the same bytes: weft_stream_next is WEFT_INPUT where a file has changed. */
WEFT_API weft_status weft_stream_rewind(weft_stream *stream, weft_error *error);
WEFT_API void weft_stream_free(weft_stream *stream);

/* ---- Positives alone: clicks, purchases, links, where nobody says no ----
 *
 *     weft_negatives how = {.count = 4, .seed = 1};
 *     how.ids = weft_ids_count(weft_roster_ids(weft_player_roster(player, WEFT_COLUMNS)));      as ids come
 *     weft_player_learn_event(player, &how, pair, &answer, NULL, &error);
 *     weft_negatives_probability(&how, answer.probability);
 *     weft_player_set_negatives(player, &how, &error);                          before the player is saved
 *
 * A player that meets one label alone learns to say it always.  So others are drawn beside every event,
 * columns that its row did not come to this time, and learnt with the label -1.  What a player then answers
 * speaks of drawn labels.  They stand for all others, and weft_negatives_probability says what that makes of
 * a probability: of the next event of this row, that it is with this column.  It is small, and not the
 * probability that a row would like a column: docs/positives.md.  Rankings stay as they are. */
typedef struct weft_negatives {
    int64_t count; /* that are drawn beside an event, at most WEFT_NEGATIVES_LIMIT; 0: none */
    uint64_t seed;
    int64_t ids;  /* columns 0 to ids - 1 are known by now, and drawn from; of one set the ids */
    bool one_set; /* rows and columns are one set: of an event either end may be kept */
} weft_negatives;
#define WEFT_NEGATIVES_LIMIT 1024

/* What is drawn beside an event: arrays of the caller, with room for how->count. */
typedef struct weft_drawn {
    int64_t *pairs;       /* row and column of each */
    weft_answer *answers; /* to them; none knew the label of another */
    int64_t count;
} weft_drawn;

/* Learns an event, and what is drawn beside it: 1 + drawn->count trials of the player, of which the first is
 * that of `answer`.  Distinct others are drawn, fewer where fewer are known, each as likely as any but those
 * of the event itself; the same by (seed, t).  All are asked before any is learnt: one by one their labels
 * would come in a pattern that a player learns, and that means nothing.  `answer` and `drawn` may be NULL.
 * Fails as weft_player_learn does, and labels before the failure are learnt (counters.t says how many).  No
 * bound holds for a learner: labels come late. */
WEFT_API weft_status weft_player_learn_event(weft_player *player, const weft_negatives *how,
                                             const int64_t pair[2], weft_answer *answer, weft_drawn *drawn,
                                             weft_error *error);

/* What the probability of an answer is where labels -1 were drawn; the same where none were. */
WEFT_API double weft_negatives_probability(const weft_negatives *how, double probability);

/* A player that knows its ids by name keeps this with its model, {0} before; `ids` is at most the names. */
WEFT_API weft_status weft_player_set_negatives(weft_player *player, const weft_negatives *how,
                                               weft_error *error);
WEFT_API weft_negatives weft_player_negatives(const weft_player *player);

#ifdef __cplusplus
}
#endif

#endif
