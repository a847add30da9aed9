/* SPDX-License-Identifier: MIT
 * The file of predictions of a run. */
#ifndef WEFT_CLI_RUN_PREDICTIONS_H
#define WEFT_CLI_RUN_PREDICTIONS_H

#include "program/output.h"
#include "weft.h"

/* The header, of which `columns` are those behind the prediction; with `answers` one more is last. */
void predictions_begin(output *file, const char *columns, bool answers);
/* The columns that every kind of player has, and a comma. */
void predictions_write(output *file, int64_t t, const weft_event *event, const weft_answer *answer);
/* The last one: the word of the input for what was predicted; NULL: not known yet. */
void predictions_write_answer(output *file, const char *word);

#endif
