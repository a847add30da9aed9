/* SPDX-License-Identifier: MIT
 * How much memory a command will take: told before it is taken, and refused where it cannot be had. */
#ifndef WEFT_CLI_INPUT_MEMORY_H
#define WEFT_CLI_INPUT_MEMORY_H

#include "cli/input/limits.h"
#include "weft_files.h"

/* What is about to be made. */
typedef struct memory_plan {
    const limit_options *limits;
    const weft_roster *rows, *columns; /* columns NULL: one set of ids */
    weft_plan player;                  /* that will be made of them; {0}: only the side information */
    bool quiet;
} memory_plan;

/* Tells on standard error what the side information and the learner will take, where that is much or --memory
 * is given; WEFT_INPUT where what is needed for certain is above the limit. */
weft_status memory_announce(const memory_plan *plan, weft_error *error);

#endif
