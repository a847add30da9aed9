/* SPDX-License-Identifier: MIT
 * The true classes of one side: for tuning and the bound, never learnt from. */
#ifndef WEFT_CLI_INPUT_TRUTH_H
#define WEFT_CLI_INPUT_TRUTH_H

#include "cli/input/limits.h"
#include "weft.h"

typedef struct truth_side {
    int64_t *class_of; /* by id, or NULL */
    int64_t classes;   /* 0: unknown */
} truth_side;

/* The classes of the file `path`; where it is NULL only their number, as given, 0 for
 * unknown. */
weft_status truth_read(const char *path, int64_t given, const weft_roster *roster,
                       const limit_options *limits, truth_side *truth, weft_error *error);
/* With `none` the share of a side does not depend on its classes, so that each id may be
 * a class of its own, which every matrix fits; where they are known nothing happens. */
void truth_separate(const weft_roster *roster, truth_side *truth);
void truth_free(truth_side *truth);

/* What --truth-rows, --truth-columns, --classes-rows and --classes-columns say; what was
 * not given is 0 or NULL. */
typedef struct truth_options {
    int64_t row_classes, column_classes;
    const char *row_truth, *column_truth;
} truth_options;

/* What must hold of them together, and with --both. */
#define TRUTH_RULES                                                                               \
    CLASH("--both", "--truth-columns --classes-columns",                                          \
          "with --both there is one set of ids: use --truth-rows and --classes-rows"),            \
        CLASH("--truth-rows", "--classes-rows",                                                   \
              "--truth-rows already tells how many classes there are: leave out --classes-rows"), \
        CLASH("--truth-columns", "--classes-columns",                                             \
              "--truth-columns already tells how many classes there are: leave out --classes-columns")

#endif
