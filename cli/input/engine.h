/* SPDX-License-Identifier: MIT
 * Which engine computes the margins, and why. */
#ifndef WEFT_CLI_INPUT_ENGINE_H
#define WEFT_CLI_INPUT_ENGINE_H

#include "weft_advanced.h"

/* {0} before anything is said. */
typedef struct engine_choice {
    weft_engine engine;
    bool given;
    const char *reason; /* once it is chosen */
} engine_choice;

/* "krylov", ... */
const char *engine_name(weft_engine engine);

/* What was given; else compact where a SPEC has map=, krylov otherwise.  `columns` is NULL for one set of
 * ids.  WEFT_ARGUMENT where names are hashed and the engine has to list them. */
weft_status engine_choose(engine_choice *choice, const weft_roster *rows, const weft_roster *columns,
                          weft_error *error);

/* Fails where compact was chosen and a side, which is made by now, has no finite features. */
weft_status engine_check(const engine_choice *choice, const weft_roster *rows, const weft_roster *columns,
                         weft_error *error);

/* Whether a feature map stands for a kernel that it does not equal. */
bool engine_approximates(weft_engine engine, const weft_roster *rows, const weft_roster *columns);

#endif
