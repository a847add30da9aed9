/* SPDX-License-Identifier: MIT
 *
 * Files from inside: what weft_roster_open, weft_stream_open and weft_player_open of weft.h are made of.
 *
 *   1  rosters and streams        before and after they are made, kinds of streams, estimates
 *   2  models                     a file and its parts
 *   3  in memory                  what files would say: events in arrays, side information as text */
#ifndef WEFT_FILES_H
#define WEFT_FILES_H

#include "weft_advanced.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------
 * 1  Rosters and streams
 * ---------------------------------------------------------------------- */

WEFT_API weft_status weft_ids_create(const weft_memory *memory, weft_ids **ids, weft_error *error);
/* *number of `name`, which is added where it is new.  O(1) on average. */
WEFT_API weft_status weft_ids_add(weft_ids *ids, const char *name, int64_t *number, weft_error *error);
WEFT_API void weft_ids_free(weft_ids *ids);

/* What a line of a stream holds. */
typedef enum weft_stream_kind {
    WEFT_LABELLED, /* row, column, label: as above */
    WEFT_PAIRS,    /* row, column; other fields are ignored */
    WEFT_COUNTS,   /* row, column, count, a whole number from -2^53 to 2^53 */
    WEFT_IDS       /* one id, the whole line: the event's row, its column is NULL.  No header, no JSON */
} weft_stream_kind;

WEFT_API weft_status weft_stream_open_as(weft_stream_kind kind, const char *const *paths, int64_t count,
                                         const weft_file_options *options, weft_stream **stream,
                                         weft_error *error);

/* The fields of a line: row and column, what the kind of stream has third (label or count), and what a line
 * may have besides. */
typedef enum weft_stream_field {
    WEFT_FIELD_ROW,
    WEFT_FIELD_COLUMN,
    WEFT_FIELD_THIRD,
    WEFT_FIELD_TIME, /* a number, or ISO 8601 */
    WEFT_FIELD_ID,   /* of the event: event.id */
    WEFT_STREAM_FIELDS
} weft_stream_field;

/* What is not said is 0.  Texts are borrowed for the life of the stream. */
typedef struct weft_stream_options {
    weft_stream_kind kind;
    /* The names of fields in the header, or in the objects of JSON lines, byte for byte.  NULL: `row`,
     * `column`, `label`, `count`, or a usual name for them such as user_id, item, clicked, ts. */
    const char *fields[WEFT_STREAM_FIELDS];
    const char *positive; /* labels are words: this one, in any case, is +1, the only other one -1 */
    double threshold;     /* labels are numbers, of which those from the threshold on are +1, */
    bool rated;           /* where this is so */
} weft_stream_options;

/* weft_stream_open_as, where files say things in their own words.  With a time that was asked for by its
 * name an event that is earlier than the one before it is an error; with a usual name it is counted. */
WEFT_API weft_status weft_stream_open_with(const weft_stream_options *how, const char *const *paths,
                                           int64_t count, const weft_file_options *options,
                                           weft_stream **stream, weft_error *error);

/* Before the first event: these fields are the context of the events, by their names in the header or in
 * JSON, byte for byte.  A field that is empty, null or left out says nothing; a string, a number as it is
 * written, true and false are words.  weft_stream_next then is WEFT_INPUT for delimited text without a
 * header or with one that lacks a name, and for a name that the row, the column or the label has.  A usual
 * name for a time or an id is a context where it is named here.  WEFT_ARGUMENT for names that are none, for
 * those of weft_stream_options, and for counts and lists of ids, which have no context. */
WEFT_API weft_status weft_stream_set_context(weft_stream *stream, const weft_context_fields *fields,
                                             weft_error *error);
WEFT_API weft_context_fields weft_stream_context(const weft_stream *stream);
/* How many values of field k have come so far, up to WEFT_STREAM_VALUES, which are then as many or more. */
WEFT_API int64_t weft_stream_context_values(const weft_stream *stream, int64_t k);
#define WEFT_STREAM_VALUES 65536
/* A bound of how many different contexts have come so far: values of each field, and, of several fields,
 * values of all of an event together.  0: none, or no bound, for there are too many. */
WEFT_API int64_t weft_stream_contexts(const weft_stream *stream);

/* What an error of a stream asks for. */
typedef enum weft_stream_need {
    WEFT_NEEDS_NOTHING,
    WEFT_NEEDS_FIELDS,    /* weft_stream_options.fields: it is not clear which field is which, */
    WEFT_NEEDS_LABELS,    /* the same, or how labels are written: the first line is neither header nor data */
    WEFT_NEEDS_POSITIVE,  /* which word is +1, */
    WEFT_NEEDS_THRESHOLD, /* from which number on a label is +1 */
    WEFT_NEEDS_NO_ORDER,  /* that the order of times is not asked for */
    WEFT_NEEDS_LABEL      /* the field of the label alone, or weft_stream_expect_positives */
} weft_stream_need;

/* What was found so far.  Texts are valid until the next call on the stream. */
typedef struct weft_stream_facts {
    /* The names of those taken in the file being read; NULL: none, or it stands in the place of its kind. */
    const char *fields[WEFT_STREAM_FIELDS];
    bool named;            /* a header or JSON gives the names */
    bool objects;          /* JSON lines */
    const char *words[2];  /* for -1 and +1 where labels are words, NULL what is not known */
    int64_t timed, early;  /* events with a time, and of these earlier than the one before, */
    int64_t first_early;   /* the line of the first; 0: none */
    weft_stream_need need; /* of the last error */
    bool passed;           /* it was about one line, and weft_stream_next goes on behind that; */
    bool swallowed;        /* but that has a quote without an end, and is the rest of its file */
} weft_stream_facts;

WEFT_API weft_stream_facts weft_stream_report(weft_stream *stream);

/* The language of labels, what +1 and -1 are called: a stream has one. */
typedef enum weft_labels {
    WEFT_LABELS_UNKNOWN, /* no label was seen, or 1 alone */
    WEFT_LABELS_SIGNED,  /* -1/+1 */
    WEFT_LABELS_BITS,    /* 0/1 */
    WEFT_LABELS_TRUE,    /* true/false, */
    WEFT_LABELS_YES,     /* yes/no, */
    WEFT_LABELS_LETTER,  /* y/n, all in any case */
    WEFT_LABELS_WORDS,   /* two other words, by weft_stream_options.positive */
    WEFT_LABELS_RATINGS  /* numbers, by weft_stream_options.threshold */
} weft_labels;

#define WEFT_LABEL_LIMIT 256 /* bytes of a word for a label, with the 0 behind it */

typedef struct weft_language {
    weft_labels labels;
    /* Of WORDS, in any case, "" until it was seen; else "". */
    char positive[WEFT_LABEL_LIMIT], negative[WEFT_LABEL_LIMIT];
    double threshold; /* of RATINGS, else 0 */
} weft_language;
typedef struct weft_language_text {
    char text[160];
} weft_language_text;
WEFT_API weft_language_text weft_language_show(const weft_language *language);
/* *both of what was learnt in `a` and in `b`, for merging: where one is not known the other, and UNKNOWN for
 * two of the pairs that need no option.  WEFT_ARGUMENT where a label may mean something else in each. */
WEFT_API weft_status weft_language_unite(const weft_language *a, const weft_language *b, weft_language *both,
                                         weft_error *error);

/* What was seen since the stream was opened, rewound, or told by `expect`. */
WEFT_API weft_language weft_stream_language(const weft_stream *stream);
/* Before the first event: an earlier stream, which this one continues, had this language.  Any other is an
 * error from now on, also after a rewind; words and threshold of the earlier one need not be given again.
 * WEFT_ARGUMENT where those of weft_stream_options are others. */
WEFT_API weft_status weft_stream_expect(weft_stream *stream, const weft_language *earlier, weft_error *error);
/* Before the first event: where a header, or JSON lines, name row and column and no name is that of a label,
 * every event is a +1 (weft_negatives); one further name is not taken for the label then. */
WEFT_API void weft_stream_expect_positives(weft_stream *stream);

/* What weft_file_options.roster points to. */
typedef struct weft_roster_options {
    bool keep;             /* the bytes of the files, for a model that embeds them */
    bool views;            /* weft_roster_build makes the views of a committee too */
    int64_t graph_budget;  /* as in weft_side_options */
    int64_t kernel_budget; /* weft_side_options.budget */
    /* weft_roster_from_kernel and the others from arrays but names: more words of the SPEC that they make,
     * such as "repair=clip" or "radius=2", borrowed for the call; NULL: none. */
    const char *words;
} weft_roster_options;

/* A SPEC of weft_roster_open may also end in a map for the compact engine:
 *
 *     ,map=hash:N                            none, classes, features with kernel=linear
 *     ,map=fourier:N[+hash:N]                features with kernel=gaussian
 *     ,map=eigen:N[+hash:N]                  graph, kernel, matrix, features
 *     ,seed=S                                of the map, a whole number (0)
 *     ,names=kept|hashed                     none with map=hash:N
 *
 * With names=hashed no names are kept: the number of an id is 63 bits of the digest (XXH3) of its name, the
 * side is endless and the list of ids empty.  What is admitted before the roster is built is counted
 * (facts.let_in), by a list that is then freed.
 *
 * Use: open; admit the ids of the stream if they can be known beforehand; build; from then on admit gives
 * the numbers that learners want. */

/* *number of the id `name`, which is let in as its SPEC says.  `event` is where it stands, for messages; it,
 * or its file, may be NULL.  After weft_roster_build new ids are alone, or refused. */
WEFT_API weft_status weft_roster_admit(weft_roster *roster, const char *name, const weft_event *event,
                                       int64_t *number, weft_error *error);
/* Both ids of an event: pair[0] of the row, pair[1] of the column.  `columns` is NULL for one set of ids.  A
 * failure tells where the rows seem to be swapped with the columns; the row may then have been let in. */
WEFT_API weft_status weft_roster_admit_pair(weft_roster *rows, weft_roster *columns, const weft_event *event,
                                            int64_t pair[2], weft_error *error);
/* The same without letting anybody in: a name that is not known has the number that it would get next. */
WEFT_API weft_status weft_roster_find_pair(const weft_roster *rows, const weft_roster *columns,
                                           const weft_event *event, int64_t pair[2], weft_error *error);
/* For a roster that is built, and a player that will only be asked: from now on weft_roster_find_pair gives
 * every name a number.  Those that the SPEC or a capacity would refuse are similar to nothing else, and the
 * player answers about them as such; it must learn nothing any more. */
WEFT_API void weft_roster_ask_anyone(weft_roster *roster);

/* Why a name may not be among the ids that are listed: another case, blanks around it, one letter too many,
 * too few or wrong, or counting from 0 where they count from 1 and the other way round. */
typedef struct weft_hint {
    char text[224]; /* "" or ": ..." to follow a message */
} weft_hint;
WEFT_API weft_hint weft_roster_hint(const weft_roster *roster, const char *name);
/* Makes the side of the ids listed and admitted so far; to be called once. */
WEFT_API weft_status weft_roster_build(weft_roster *roster, weft_error *error);
/* Owned by the roster; NULL before weft_roster_build. */
WEFT_API const weft_side *weft_roster_side(const weft_roster *roster);

/* The views that a committee plays, where the options ask for them: the side itself first, then those that
 * its kind of side information has; of `none` only itself, as WEFT_VIEW_NONE.  They take new ids as the side
 * does.  None before weft_roster_build, and none where the SPEC has map=.  All zeros out of range. */
WEFT_API int64_t weft_roster_view_count(const weft_roster *roster);
WEFT_API weft_view weft_roster_view(const weft_roster *roster, int64_t k);

/* Of several kinds together the roster of each, which it owns and which has a SPEC, files, ids and a side of
 * its own, in their order of kind and SPEC; and of one kind itself: at least 1.  NULL out of range. */
WEFT_API int64_t weft_roster_part_count(const weft_roster *roster);
WEFT_API const weft_roster *weft_roster_part(const weft_roster *roster, int64_t k);

/* The SPEC as it was given; valid as long as the roster. */
WEFT_API const char *weft_roster_spec(const weft_roster *roster);
/* Whether two SPECs say the same but for the places of their files. */
WEFT_API bool weft_roster_agrees(const weft_roster *a, const weft_roster *b);
/* WEFT_ARGUMENT, by `what`, such as "rows", of which of two `owners`, unless what was learnt over both can be
 * merged: by SPECs, bytes and growth of files, and vertices that a graph has taken in. */
WEFT_API weft_status weft_roster_check_alike(const weft_roster *a, const weft_roster *b, const char *what,
                                             const char *const owners[2], weft_error *error);

/* One file behind a roster, by what was read from it (after decompression).  The strings are valid as long
 * as the roster. */
typedef struct weft_source {
    const char *path;
    int64_t size;              /* bytes */
    uint64_t digest[2];        /* XXH3, 128 bits: high half first */
    const unsigned char *kept; /* the bytes, or NULL where they were not kept */
} weft_source;

/* All zeros out of range. */
WEFT_API int64_t weft_roster_source_count(const weft_roster *roster);
WEFT_API weft_source weft_roster_source(const weft_roster *roster, int64_t k);

/* What was done to the side information, to be told to people. */
typedef struct weft_roster_facts {
    int64_t listed;          /* ids of the file */
    int64_t let_in;          /* ids of the stream that it lacked */
    int64_t met;             /* how often an id was admitted that it lists */
    bool alone;              /* which were let in alone; false: joined */
    bool mapped, hashed;     /* the SPEC has map=, names=hashed */
    bool repaired;           /* by repair=clip or repair=shift, and of these */
    double asymmetry;        /* the largest |K(i,j) - K(j,i)| before, and */
    double least_eigenvalue; /* the least eigenvalue of (K + K')/2 */
    bool clipped;            /* by clip, which dropped negative eigenvalues of this sum, */
    double moved;            /* or by shift, which added this to the diagonal; 0 or above */
    int64_t classes;         /* classes: distinct ones */
    int64_t edges;           /* graph: lines, or entries */
    char header[64];         /* classes, graph: the first id, if it is a usual name of a field; else "" */
    int64_t dimension;       /* features: numbers of an id */
    int64_t zeros;           /* ids with K(i,i) = 0, of which nothing can be learnt (features
                                that are all zero, with epsilon=0), */
    int64_t first_zero;      /* and the first of them */
    /* Of files that have grown since a model was saved, or a player made: */
    int64_t grown;        /* ids that they list by now and did not then, */
    int64_t listed_later; /* of these, that had been let in before */
    int64_t new_edges;    /* edges between two vertices that are new, or ways */
    int64_t beyond;       /* numbers of new ids that are beyond the settled scales, and cut off; */
    int64_t shortened; /* ids whose K(i,i) was above the settled squared radius, and was brought down to it */
} weft_roster_facts;

WEFT_API weft_roster_facts weft_roster_report(const weft_roster *roster);
/* Whether the file lists id `number`, or has by now where it has grown; others were let in.  O(1). */
WEFT_API bool weft_roster_lists(const weft_roster *roster, int64_t number);

/* What is made of a column of a table. */
typedef enum weft_column_use {
    WEFT_COLUMN_NUMBERS,  /* numbers, less `centre`, over `scale`, cut off at -3 and 3 */
    WEFT_COLUMN_WORDS,    /* a class for every word that stands twice or more often */
    WEFT_COLUMN_EMPTY,    /* left out: no cell says anything, */
    WEFT_COLUMN_CONSTANT, /* all that do say the same, */
    WEFT_COLUMN_TWIN,     /* it says what the earlier column `twin` does, */
    WEFT_COLUMN_SERIAL,   /* its numbers count the lines, */
    WEFT_COLUMN_NAMES     /* or hardly any of its words stands twice */
} weft_column_use;

typedef struct weft_column {
    const char *name; /* of the header; "column 3" where that has none */
    weft_column_use use;
    int64_t numbers, words, empty; /* cells */
    int64_t classes;               /* of words; empty cells are one of them */
    double centre, scale;          /* of numbers */
    int64_t clipped;               /* numbers that were cut off */
    const char *twin;              /* or NULL */
    const char *example;           /* the first of the words among numbers, which count as empty; or NULL */
    bool commas;                   /* `example` is the first of words that are numbers but for their commas */
    bool dates;                    /* `example` is the first of words that are dates */
} weft_column;

/* The columns of the tables of a roster but for their ids, in their order; all zeros out of range.  The
 * strings are valid as long as the roster. */
WEFT_API int64_t weft_roster_column_count(const weft_roster *roster);
WEFT_API weft_column weft_roster_column(const weft_roster *roster, int64_t k);
/* What is made of it in a few words: "numbers", "words", "left out: constant", ...; NULL for no use. */
WEFT_API const char *weft_column_use_name(weft_column_use use);

/* Seconds that it took: its file; its side; and for the views of a committee the diffusions and the
 * communities.  By a clock: no part of anything that is compared or written. */
typedef struct weft_roster_times {
    double reading, kernel, diffusions, communities;
} weft_roster_times;
WEFT_API weft_roster_times weft_roster_seconds(const weft_roster *roster);
/* The least eigenvalue of K over all ids, once it is built: O(n^3) time, O(n^2) memory. */
WEFT_API weft_status weft_roster_least_eigenvalue(const weft_roster *roster, double *value,
                                                  weft_error *error);

/* Bytes of memory: what is needed for certain, and what at most. */
typedef struct weft_bytes {
    int64_t least, most;
} weft_bytes;

/* What is to be made of two rosters: one of the first three, the others NULL; all NULL: their sides alone. */
typedef struct weft_plan {
    const weft_settings *learner;
    const weft_rival_settings *rival;
    const weft_player_options *committee; /* what weft_player_create makes with these */
    int64_t rows, columns;  /* ids of a committee; 0: those of the rosters, of which none: any */
    int64_t trials;         /* labels that it will learn; 0: any number */
    int64_t context_fields; /* of the context of an event; 0: none */
    int64_t context_values; /* weft_stream_contexts; 0: any number */
} weft_plan;

typedef struct weft_estimate {
    weft_bytes rows, columns; /* the peak of making their side information; 0 where it is made */
    weft_bytes player;        /* least: before its first trial; most: after `trials` */
    weft_bytes all;           /* at once, beyond what the rosters hold now */
    /* Multiplications of a trial, the first ones and after `trials` (0: INFINITY).  As a player counts them
     * itself: a learner takes about 3 products by its evidence and the kernels of the ids that it has
     * touched, which is right to a factor of 3 for most streams; a committee pays for all members at first,
     * and after some thousand labels for a few learners. */
    double first_work, last_work;
} weft_estimate;

/* What will be asked of the allocator to make the sides of two rosters (columns NULL: one set of ids) and a
 * player over them, and for it to learn `trials` labels that touch as many ids and pairs as they can; and how
 * much work a trial is.  Ids that are not listed yet count where a capacity is given, or none is listed.
 * `plan` NULL means {0}; all is 0 where a count of it is negative, or there are too many fields.  `most` is
 * enough for trials that touch all that; where matrices are most of it, it is at most a quarter more than
 * they take, and otherwise up to twice that, with many values of a context three times; of the factor of a
 * large graph it is the budget.  O(1), a committee O(members). */
WEFT_API weft_estimate weft_estimate_run(const weft_roster *rows, const weft_roster *columns,
                                         const weft_plan *plan);

/* Features from a file, as `features:` reads them: one vector an id. */
typedef struct weft_table weft_table;

WEFT_API weft_status weft_table_read(const char *path, const weft_file_options *options, weft_table **table,
                                     weft_error *error);
/* Owned by the table: its ids, and its vectors with kernel and parameter 0. */
WEFT_API const weft_ids *weft_table_ids(const weft_table *table);
WEFT_API weft_features weft_table_features(const weft_table *table);
WEFT_API void weft_table_free(weft_table *table);

/* Reads true classes, `id class` a line: class_of[i], numbered from 0, for each of weft_ids_count(ids) ids,
 * and how many classes these have.  An id without a class is an error, one of the file that is not among
 * `ids` is ignored. */
WEFT_API weft_status weft_classes_read(const char *path, const weft_ids *ids,
                                       const weft_file_options *options, int64_t *class_of, int64_t *classes,
                                       weft_error *error);

/* -------------------------------------------------------------------------
 * 2  Models
 *
 * A model is a player with its ids and its side information as one file: versioned, little-endian,
 * checksummed (docs/model-format.md).  It holds both SPECs as typed, the digest of every side file (or the
 * files themselves), the ids in their order, the state of the player and what a run needs to continue.  It
 * holds no clock time and no name of a stream: equal runs write equal files.
 *
 * A run that is written, opened and continued equals the uninterrupted one to the bit.
 * ---------------------------------------------------------------------- */

/* What a model is made of: filled in by whoever writes one, filled in by weft_model_open, whose parts the
 * caller then owns (weft_model_close). */
typedef struct weft_model {
    weft_roster *rows, *columns; /* built; columns NULL for one set of ids */
    /* A learner over the sides of the rosters, or a committee of weft_committee_members over the views of the
     * rosters, which were opened with `views`; then horizon is 0.  No rival. */
    weft_player *player;
    int64_t horizon;        /* T for which eta was chosen; 0: not known */
    weft_language language; /* of the labels so far */
    bool embed;             /* the side files are inside (their rosters keep them) */
    bool disturbed; /* labels came late to a learner; or evidence of the player was merged, forgotten or
                           imported, which it knows itself: no bound holds */
    bool read_only; /* opened only to look: cannot be written */
    weft_negatives negatives;    /* drawn beside the events; {0}: none */
    weft_context_fields context; /* of the events; {0}: none */
} weft_model;

/* Writes the model; there is a whole one under `path` at every moment, the old one or the new one, also after
 * a crash.  A file that is new is for its owner alone; else mode, access list and, where that is permitted,
 * owner and group stay.  A symbolic link is replaced, not followed.  WEFT_WRITE where that fails (then
 * nothing is left behind) or where `path` is there and no regular file; WEFT_ARGUMENT for a model that is
 * read only, or `embed` where a roster did not keep its files.  O(size of the file). */
WEFT_API weft_status weft_model_write(const char *path, const weft_model *model, weft_error *error);
/* As weft_player_digest. */
WEFT_API weft_status weft_model_digest(const weft_model *model, uint64_t digest[2], weft_error *error);

/* Reads a model, its side files again, and makes the player as it was: weft_player_open with its parts.  The
 * model of options.look is read only, and the sides of its rosters are of kind none, whatever they were. */
WEFT_API weft_status weft_model_open(const char *path, const weft_model_options *options, weft_model *model,
                                     weft_error *error);
/* What a model says by itself: no side file is read, nothing is made of the state.  Of a committee this is
 * all that is known where its side files are gone; a learner can be opened with options.look. */
typedef struct weft_model_facts {
    weft_model model;   /* read only, its sides of kind none, without a player; the caller closes it */
    uint64_t digest[2]; /* weft_model_digest when it was written, whatever has become of its side files */
    int64_t members;    /* of a committee, those in reserve among them; 0: one learner */
    weft_committee_settings rules; /* of a committee; and of its counters t, trials, mistakes and anew */
    weft_counters counters;
} weft_model_facts;
WEFT_API weft_status weft_model_read_facts(const char *path, const weft_file_options *options,
                                           weft_model_facts *facts, weft_error *error);
/* Frees the parts of an opened model and leaves {0}; takes NULL and {0}. */
WEFT_API void weft_model_close(weft_model *model);

/* The diagonal that a learner keeps for rankings, beside its model in the file `path`.diagonal.  Write fills
 * it first (weft_learner_fill_diagonal).  Read: *found is false, and nothing happens, where there is no such
 * file or it belongs to another model; WEFT_MODEL where it is damaged.  The player must be that of the model,
 * as it was opened. */
WEFT_API weft_status weft_diagonal_write(const char *path, weft_player *player, weft_error *error);
WEFT_API weft_status weft_diagonal_read(const char *path, weft_player *player, bool *found,
                                        weft_error *error);

/* Tomorrow's ids.  `roster` knows what the player's own roster of `which`, WEFT_ROWS or WEFT_COLUMNS, did,
 * and more: it was made from grown arrays, or opened from a grown file with a SPEC that says the same.  What
 * was there must be the same, in any order, else WEFT_MODEL names what is not.  New ids get numbers behind
 * all that are known; one that was let in before keeps its number, and is no longer alone.  What was settled
 * at first stays: what the columns of a table are, their centres and scales, widths, squared radii (but of a
 * graph whose kernel is beyond it by now), and communities, of which a new id joins that of most of its
 * neighbours.  What is beyond is cut off, and counted (weft_roster_report of weft_player_roster).  Kernels of
 * graphs and matrices are made anew.  Of several kinds (weft_roster_combine) each grows so, at the scale that
 * it had among them, whether all have grown or one.  Evidence stays, and its bound is found again.  The state
 * is a function of the labels and of this, in their order, and weft_player_open does the same for a model
 * whose files have grown since it was saved.
 *
 * On success `roster` is gone, and so are the sides that the player had; weft_player_roster says what it has
 * by now.  Where it fails nothing has changed and the roster stays the caller's.  WEFT_UNSUPPORTED for a SPEC
 * `none` or with map=, standard input that was not kept, and a player with readers. */
WEFT_API weft_status weft_player_grow(weft_player *player, int which, weft_roster *roster, weft_error *error);

/* -------------------------------------------------------------------------
 * 3  In memory: for programs that have arrays and text where others have files
 * ---------------------------------------------------------------------- */

/* Events by name.  Ids are places in lists of names, so that each name stands once however often it comes.
 * All is borrowed for the call. */
typedef struct weft_events {
    int64_t count;
    const int64_t *rows, *columns; /* of each event the places of its two names */
    const signed char *labels;     /* -1, +1, or 0 where none is known: predict only */
    const char *const *row_names, *const *column_names;
    int64_t row_count, column_count; /* of names; one set of ids: columns are in the list of the rows too */
    /* Digests of the context of each event, context_count after context_count (weft_player_set_context); the
     * player has none afterwards.  0: that which the player was given is that of all. */
    const uint64_t *contexts;
    int64_t context_count;
} weft_events;

/* Plays events as `weft run` plays the lines of a file, to the bit: each is predicted, then its label is
 * learnt.  One without a label is asked about, and that is all: a label that comes later is another event.
 * A name comes to be known with its first label, and has the number of the next one before; lists may hold
 * names that no event has.  answers[k], of weft_player_learn, is of event k; it may be NULL.  The first
 * *played are over, also on failure (it may be NULL), and a name that only the event has which failed is not
 * known.  Fails as weft_player_pair, _find and _learn do; WEFT_ARGUMENT for a place out of range or another
 * label.  Beside the trials it takes two searches for a name an event. */
WEFT_API weft_status weft_player_play(weft_player *player, const weft_events *events, weft_answer *answers,
                                      int64_t *played, weft_error *error);

/* The field of a labelled stream that a name of a header stands for: its own word or a usual name for it,
 * such as user_id; WEFT_STREAM_FIELDS: none. */
WEFT_API weft_stream_field weft_stream_usual_field(const char *name);

/* A file that is in memory. */
typedef struct weft_text {
    const char *name; /* that the SPEC gives it */
    const void *bytes;
    size_t size;
} weft_text;

/* weft_roster_open of files that are in memory, in the order in which the SPEC names them; as for arrays the
 * text is copied, and embedded in models.  WEFT_MODEL where the SPEC reads other files. */
WEFT_API weft_status weft_roster_from_text(const char *spec, const weft_text *files, int64_t count,
                                           const weft_file_options *options, weft_roster **roster,
                                           weft_error *error);

/* The language of the labels that a player was told so far, which is kept with its model: who continues it
 * in another one is refused by weft_stream_expect.  WEFT_LABELS_UNKNOWN for a player without names.
 * WEFT_ARGUMENT for words or a threshold that are none. */
WEFT_API weft_status weft_player_set_language(weft_player *player, const weft_language *language,
                                              weft_error *error);
WEFT_API weft_language weft_player_language(const weft_player *player);

/* weft_player_save, but files that were kept are named in the model and not inside, unless they must be:
 * where a side was in memory, or the model that was opened had them. */
WEFT_API weft_status weft_player_save_named(const weft_player *player, const char *path, weft_error *error);

#ifdef __cplusplus
}
#endif

#endif
