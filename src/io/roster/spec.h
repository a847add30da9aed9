/* SPDX-License-Identifier: MIT
 * The words in which side information is asked for (see weft_roster). */
#ifndef WEFT_IO_ROSTER_SPEC_H
#define WEFT_IO_ROSTER_SPEC_H

#include "base/memory.h"
#include "base/status.h"

typedef enum weft__source_kind {
    WEFT__NONE,
    WEFT__CLASSES,
    WEFT__GRAPH,
    WEFT__KERNEL,
    WEFT__MATRIX,
    WEFT__FEATURES,
    WEFT__TABLE,
    WEFT__SEVERAL /* of a roster that is made of others: no word */
} weft__source_kind;

typedef enum weft__missing { WEFT__MISSING_ERROR, WEFT__MISSING_ALONE, WEFT__MISSING_JOIN } weft__missing;
typedef enum weft__repair { WEFT__REPAIR_ERROR, WEFT__REPAIR_CLIP, WEFT__REPAIR_SHIFT } weft__repair;

typedef struct weft__spec {
    weft__source_kind source;
    char *path;                   /* NULL for none */
    char *ids_path;               /* ids of a Matrix Market file, or NULL */
    char *id_column;              /* the name of the column of ids of a table, or NULL: the first */
    char *skipped;                /* names of columns of a table that are left out, a line each, or NULL */
    int missing;                  /* weft__missing */
    int repair;                   /* weft__repair */
    int connect;                  /* 1: star, 0: error */
    int graph_kernel;             /* weft_graph_kernel */
    bool kernel_is_open;          /* of a graph: nothing is said of it, but for what joins components */
    int normalised, unit;         /* of a graph */
    double sigma, time;           /* of a graph; 0 where not given */
    int kernel;                   /* weft_kernel, or -1 before it is named */
    double epsilon, width, range; /* 0 where not given, but epsilon of classes */
    double radius;                /* 0: the largest diagonal */
    weft_map map;                 /* no coordinates where map= was not given */
    int hashed;                   /* of none: names=hashed */
} weft__spec;

/* WEFT_ARGUMENT names the word that was not understood.  Free afterwards with
 * the same memory. */
weft_status weft__spec_parse(const char *text, const weft_memory *memory, weft__spec *spec,
                             weft_error *error);
/* Several SPECs stand in one text with ",+" between, which no single one can have: how many, and a copy of
 * number k. */
int64_t weft__spec_count(const char *text);
weft_status weft__spec_part(const char *text, int64_t k, const weft_memory *memory, char **part,
                            weft_error *error);
#define WEFT__SPEC_BETWEEN ",+"

/* Whether a SPEC comes before another of the same side: spec_order.c. */
bool weft__spec_before(const char *a, const char *b);
/* Copies of SPECs in one text: in that order; and those that are given for the ones a model has stored in the
 * order of these, as far as kind, words and then names of files tell which is for which. */
weft_status weft__spec_sort(const char *text, const weft_memory *memory, char **sorted, weft_error *error);
weft_status weft__spec_arrange(const char *given, const char *stored, const weft_memory *memory,
                               char **arranged, weft_error *error);

/* Whether it is played as a table: one, or features without a kernel. */
bool weft__spec_is_table(const weft__spec *spec);
/* The word before the colon. */
const char *weft__spec_kind_name(const weft__spec *spec);
/* Whether map= was given. */
bool weft__spec_is_mapped(const weft__spec *spec);
/* Whether the two say the same but for the places of their files. */
bool weft__spec_agrees(const weft__spec *a, const weft__spec *b);
void weft__spec_free(weft__spec *spec, const weft_memory *memory);

#endif
