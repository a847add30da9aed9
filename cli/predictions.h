/* SPDX-License-Identifier: MIT
 * The file of predictions: whole or not there. */
#ifndef WEFT_CLI_PREDICTIONS_H
#define WEFT_CLI_PREDICTIONS_H

#include "weft.h"

typedef struct predictions predictions;

/* Lines go to a temporary file beside `path`; "-" and what is not a regular
 * file (a pipe, a device) are written directly. */
weft_status predictions_open(const char *path, predictions **file, weft_error *error);
weft_status predictions_write(predictions *file, int64_t t, const weft_event *event,
                              const weft_outcome *outcome, weft_error *error);
/* Gives the file its name.  After a failure, or without this, nothing is left. */
weft_status predictions_commit(predictions *file, weft_error *error);
/* Takes NULL; drops what was not committed. */
void predictions_free(predictions *file);

#endif
