/* SPDX-License-Identifier: MIT
 * What was settled when side information was first set up, and what its files said: what a roster must know
 * of its past to take in files that have grown.
 *
 * A place is the number of an id in the order in which ids came to be listed; its number is that of the
 * roster, which an id that was let in before it was listed had already. */
#ifndef WEFT_IO_ROSTER_GROWTH_SETTLED_H
#define WEFT_IO_ROSTER_GROWTH_SETTLED_H

#include "base/bytes.h"
#include "base/memory.h"
#include "weft_files.h"

/* An edge, by two places, the smaller first. */
typedef struct weft__settled_edge {
    int64_t from, to;
    double weight;
} weft__settled_edge;

/* More views than a side has. */
enum { WEFT__SETTLED_VIEWS = 16 };

typedef struct weft__settled {
    weft_memory memory;
    bool known; /* false: nothing is, and the files must not change */
    bool moved; /* they have grown since the first set-up: what follows holds, and is not found anew */
    int64_t first, listed; /* places at the first set-up, and now */
    int64_t *number;       /* by place; NULL: they are the same */
    uint64_t *said;        /* digests of what the files say of an id, by place; NULL: of edges alone */
    weft__settled_edge *edge;
    int64_t edges;
    double radius, spread;
    int64_t graph_kernel;
    int64_t dimension; /* of features */
    char **column;     /* names of a table */
    int64_t columns;
    int64_t view[WEFT__SETTLED_VIEWS]; /* kinds that are played, but what is given itself */
    int64_t views;
    int64_t *community; /* by place; NULL: there are none */
    int64_t before;     /* places when the files were last read: not kept */
    /* Of several kinds, while they are not in the rosters of the parts: one each, whose numbers are those of
     * the whole.  Else NULL, and 0. */
    struct weft__settled *part;
    int64_t parts;
} weft__settled;

/* Leaves nothing known. */
void weft__settled_free(weft__settled *settled);
weft_status weft__settled_copy(const weft__settled *from, weft__settled *to, weft_error *error);

int64_t weft__settled_number(const weft__settled *settled, int64_t place);
bool weft__settled_has_view(const weft__settled *settled, weft_view_kind kind);

/* As bytes, of a model (docs/model-format.md); and back, of a side with `count` ids: WEFT_MODEL for what is
 * never written. */
void weft__settled_write(const weft__settled *settled, weft__encoder *writer);
weft_status weft__settled_read(weft__settled *settled, int64_t count, const weft_memory *memory,
                               weft__decoder *reader, weft_error *error);
/* The same with other numbers, which are those of the whole where it is a part; and of `parts` of them, where
 * the whole is known. */
void weft__settled_write_part(const weft__settled *settled, const int64_t *number, weft__encoder *writer);
weft_status weft__settled_read_parts(weft__settled *settled, int64_t parts, int64_t count,
                                     weft__decoder *reader, weft_error *error);
/* Those that are left of what is known of the parts. */
void weft__settled_free_parts(weft__settled *settled);

#endif
