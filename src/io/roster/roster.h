/* SPDX-License-Identifier: MIT
 * Rosters from inside, and as models need them. */
#ifndef WEFT_IO_ROSTER_ROSTER_H
#define WEFT_IO_ROSTER_ROSTER_H

#include "io/roster/contents.h"
#include "io/roster/growth/settled.h"
#include "io/text/sources.h"
#include "side/map/map.h"

/* The views of a committee beside the side itself (views.c): one of every kind at most, but WEFT_PARTS of
 * parts, which have names; of these WEFT__PART_VIEWS are columns of words. */
enum { WEFT__PART_VIEWS = 4, WEFT__VIEWS = WEFT_VIEW_PART + WEFT_PARTS, WEFT__VIEW_NAME = 24 };

typedef struct weft__roster_views {
    int64_t count;
    weft_view_kind kind[WEFT__VIEWS];
    char name[WEFT__VIEWS][WEFT__VIEW_NAME]; /* of parts, as it is shown */
    weft_side *side[WEFT__VIEWS];
    double spread; /* the usual distance between ids of a table; 0: it was not asked for */
    double diffusion_seconds, community_seconds; /* that making them took */
} weft__roster_views;

/* Invariant: ids 0..listed-1 are those of the file, in its order; the rest was
 * let in.  Where settled.moved is true that is so of places, and settled.number says which ids they are.
 * Once `side` is there, it and its views list the ids that were there then: none where names are hashed.
 * Where they are open, ids that come later need nothing of them. */
struct weft_roster {
    weft_memory memory;
    weft__input input;
    weft_roster_options options;
    char *text; /* the SPEC as typed */
    weft__spec spec;
    weft__sources sources;
    weft_ids *ids;
    weft__contents contents; /* freed by build */
    weft__columns columns;   /* of a table, without their cells */
    weft__map_table table;   /* stored features that build takes, or that a look keeps; else empty */
    weft_side *side;
    weft__roster_views views; /* empty unless the options ask for them */
    weft_roster_facts facts;
    bool mended;               /* contents of a kernel were repaired, */
    weft_roster_facts mending; /* and what there is to tell of it once the side is made */
    weft_roster_times times;   /* without those of the views */
    bool owned;                /* by a player, or by a roster that it is a part of, which frees it */
    bool beside;               /* it is one of several kinds, */
    int64_t first_file;        /* whose files begin there in input.sources */
    bool asked;                /* questions alone come, in which every name may stand */
    /* Of several kinds together (combine.c): a roster each, whose files are taken down in `sources` where
     * they were opened together; else NULL.  Then spec.source is WEFT__SEVERAL, spec.missing is alone where
     * it is so in all of them, and the side is a sum over theirs. */
    weft_roster **parts;
    int64_t part_count;
    weft__settled settled; /* what growth must know; complete once the side is made */
    bool *lists;           /* by number, of the ids that were there when files had grown; or NULL */
    int64_t lists_size;
    bool grew; /* its files have, and the player that is to be made does not know yet */
};

/* A roster of nothing yet, which has this text. */
weft_status weft__roster_begin(const char *spec, const weft_file_options *options, weft_roster **roster,
                               weft_error *error);

/* weft_roster_open where the files may come from elsewhere: with `stored` not NULL
 * they are read from there, and it is exchanged for something that may be freed. */
weft_status weft__roster_open_stored(const char *spec, const weft_file_options *options,
                                     weft__sources *stored, weft_roster **roster, weft_error *error);

/* Its two halves: what the files say, whose ids are in the order of the file; and what is made of it once
 * they stand in the order in which they came. */
weft_status weft__roster_read(const char *spec, const weft_file_options *options, weft__sources *stored,
                              weft_roster **roster, weft_error *error);
weft_status weft__roster_settle(weft_roster *roster, weft_error *error);

/* How many files a SPEC names, where those of part k begin among those of all, and those of the roster
 * itself, borrowed. */
int64_t weft__roster_file_count(const weft_roster *roster);
int64_t weft__roster_first_file(const weft_roster *roster, int64_t k);
weft__sources weft__roster_files(const weft_roster *roster);

/* ---- Several kinds together (combine.c) ---- */

/* Whether they can be played together: WEFT_ARGUMENT. */
weft_status weft__roster_check_parts(const weft_roster *roster, weft_error *error);
/* The ids of all parts, whose files were read; parts that say the same are refused. */
weft_status weft__roster_join(weft_roster *roster, weft_error *error);
/* The sides of the parts, and their sum. */
weft_status weft__roster_sum(weft_roster *roster, const weft_side_options *options, weft_side **side,
                             weft_error *error);
/* A side over the ids of `roster` that knows of them what `side`, over those of its part k, does. */
weft_status weft__roster_lift(const weft_roster *roster, int64_t k, const weft_side *side,
                              const weft_side_options *options, weft_side **lifted, weft_error *error);
/* The name of a kind of side information, "graph"; where parts are of one kind that of its file. */
const char *weft__roster_part_name(const weft_roster *roster, int64_t k);

/* weft_roster_admit of a name that a model has, so that what its parts lack was not refused. */
weft_status weft__roster_admit_again(weft_roster *roster, const char *name, int64_t *number,
                                     weft_error *error);

/* What a model knows of a side without its files. */
typedef struct weft__known_ids {
    weft__sources sources;
    weft_ids *ids;
    int64_t listed; /* of these */
    weft__settled settled;
    weft__map_table table; /* of eigen coordinates, owned; or empty */
    bool needs_table;      /* if the SPEC has such; version 1 has none, and pairs do without */
    int64_t features;      /* coordinates of a side that is only looked at, as the state tells; else 0 */
} weft__known_ids;

/* A roster that reads no file: its side is that of `none`, with features if there are
 * some.  On success it takes over what is in *known. */
weft_status weft__roster_look(const char *spec, const weft_file_options *options, weft__known_ids *known,
                              weft_roster **roster, weft_error *error);

/* weft_roster_build will take these features in place of computing eigenvectors.  They belong to the roster
 * then, and *table is empty.  Before the side is made; values are of the memory of the roster's options. */
void weft__roster_keep_table(weft_roster *roster, weft__map_table *table);
/* Those of the side, or kept by a look; borrowed.  Empty where the SPEC has no eigen coordinates. */
weft__map_table weft__roster_table(const weft_roster *roster);

/* The kernel that this SPEC would give the graph of the roster, with the views of a committee or without. */
weft_graph_kernel weft__roster_kernel_of(const weft_roster *roster, const weft__spec *spec, bool views);

/* The graph of a SPEC graph:, borrowed from the contents of the roster. */
weft_graph weft__roster_graph(const weft_roster *roster);

/* Whether the roster has views, and hence the side itself as the first of them. */
bool weft__roster_views_wanted(const weft_roster *roster);
/* The views beside `side`, which has all ids that the roster lists.  A view that is refused for what this
 * side information is, is left out; WEFT_MEMORY is a failure. */
weft_status weft__roster_views_make(const weft_roster *roster, const weft_side *side,
                                    weft__roster_views *views, weft_error *error);
/* Brings every view to `count` ids, which the side has already; new ones are alone.  After a failure some
 * have them, and it may be called again. */
weft_status weft__roster_views_extend(weft__roster_views *views, int64_t count, weft_error *error);
void weft__roster_views_free(weft__roster_views *views);

/* weft_roster_build, but ids that come later are refused until weft__roster_let_in: a state that is read may
 * speak of no others. */
weft_status weft__roster_make(weft_roster *roster, weft_error *error);
/* Where the SPEC lets others in, every number that the side does not list is an id from now on, and alone. */
void weft__roster_let_in(weft_roster *roster);

/* What letting names in changes, to take it back: names that came since are gone again. */
typedef struct weft__roster_mark {
    int64_t count;
    weft_roster_facts facts;
} weft__roster_mark;
weft__roster_mark weft__roster_mark_of(const weft_roster *roster);
void weft__roster_return(weft_roster *roster, const weft__roster_mark *mark);
/* Names from number `count` on are gone again. */
void weft__ids_shorten(weft_ids *ids, int64_t count);

/* From now on there is room for `capacity` ids. */
void weft__roster_limit(weft_roster *roster, int64_t capacity);

#endif
