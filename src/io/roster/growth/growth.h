/* SPDX-License-Identifier: MIT
 * Taking in files that have grown: what was there must be the same, what is new is added. */
#ifndef WEFT_IO_ROSTER_GROWTH_GROWTH_H
#define WEFT_IO_ROSTER_GROWTH_GROWTH_H

#include "io/roster/roster.h"

/* Whether a SPEC lists ids in files that may grow: neither none, nor a map. */
bool weft__can_grow(const weft_roster *roster);

/* Whether these are digests of what a roster has read in the same order. */
bool weft__growth_is_said(const weft_roster *roster, const weft__settled *settled);
/* What was settled before takes the place of what a roster that has not grown has found again. */
void weft__growth_keep(weft_roster *roster, weft__settled *settled);
/* Whether a roster has read other bytes than these, or than another. */
bool weft__growth_differs(const weft_roster *roster, const weft__sources *sources);
bool weft__growth_differ(const weft_roster *a, const weft_roster *b);

/* Brings what a roster has read into the order in which ids came: those that are known first, then what is
 * new in the order of the file, as ids of numbers behind all that are known unless they have one.  The
 * roster takes over what is known, settled facts and all.  WEFT_MODEL names what lacks or differs from what
 * was there. */
weft_status weft__roster_arrange(weft_roster *roster, weft__known_ids *known, weft_error *error);
/* Whether there is an id or an edge more by now. */
bool weft__growth_is_new(const weft_roster *roster);

/* The same from the facts of a roster that is made: *known is a copy, to be freed, but its sources are
 * borrowed. */
weft_status weft__growth_known(const weft_roster *roster, weft__known_ids *known, weft_error *error);
void weft__growth_known_free(weft__known_ids *known);
/* Reads again what `given` has read, to be arranged: what was kept of it, else its files, which must not have
 * changed meanwhile. */
weft_status weft__growth_read(const weft_roster *given, const weft_roster *old, weft_roster **roster,
                              weft_error *error);

/* What growth must know of a roster that is made, as a model has it: a side and what its parts are. */
void weft__growth_write(const weft_roster *roster, weft__encoder *writer);
weft_status weft__growth_copy(const weft_roster *roster, weft__settled *settled, weft_error *error);

/* ---- arrange.c asks, and is asked ---- */

/* Where the roster is made of several kinds. */
weft_status weft__growth_arrange_parts(weft_roster *roster, weft__known_ids *known, weft_error *error);
/* The ids and the settled facts that are known become those of the roster. */
void weft__growth_take_over(weft_roster *roster, weft__known_ids *known);

/* A digest of what the contents say of every place; NULL for a graph, which says it by edges. */
weft_status weft__growth_say(const weft_roster *roster, uint64_t **said, weft_error *error);
/* Edges in the order in which they came, each once, by places; `place` is that of every id as it was read. */
weft_status weft__growth_arrange_edges(weft_roster *roster, const weft__known_ids *known,
                                       const int64_t *place, weft_error *error);

/* WEFT_MODEL: the file says something else of the id than it did; or nothing more, where `gone`. */
weft_status weft__growth_refuse_id(const weft_roster *roster, const weft__known_ids *known, int64_t place,
                                   bool gone, weft_error *error);

/* ---- build.c and views.c ask ---- */

/* Brings a side, which speaks of places, to the numbers and the radius that were settled; *side may become
 * another one. */
weft_status weft__growth_place(const weft_roster *roster, double radius, weft_side **side, int64_t *shortened,
                               weft_error *error);
/* weft__roster_lift of classes where files have grown. */
weft_status weft__growth_lift(const weft_roster *roster, int64_t k, const weft_side *side,
                              const weft_side_options *options, weft_side **lifted, weft_error *error);
/* The communities of all places: those that were settled, and for each that is new the one of most of its
 * neighbours in the graph, or of the nearest by the kernel of `side`, or its own. */
weft_status weft__growth_communities(weft_roster *roster, const weft_graph *graph, const weft_side *side,
                                     weft_error *error);
/* Notes what the contents say, before they are settled; */
weft_status weft__growth_begin(weft_roster *roster, weft_error *error);
/* and what was settled, once the side is made and before the contents go: what it says, its radius. */
weft_status weft__growth_note(weft_roster *roster, weft_error *error);
#endif
