/* SPDX-License-Identifier: MIT
 * The file of predictions of a run. */
#ifndef WEFT_CLI_RUN_PREDICTIONS_H
#define WEFT_CLI_RUN_PREDICTIONS_H

#include "program/output.h"
#include "weft.h"

/* An output that has its header, of which `columns` are those behind the prediction. */
weft_status predictions_open(const char *path, const char *columns, output **file, weft_error *error);
/* The columns that every kind of player has, and a comma. */
void predictions_write(output *file, int64_t t, const weft_event *event, const weft_answer *answer);

#endif
