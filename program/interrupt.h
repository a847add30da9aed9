/* SPDX-License-Identifier: MIT
 * Ctrl-C asks a run to finish its trial and to report what it has. */
#ifndef WEFT_PROGRAM_INTERRUPT_H
#define WEFT_PROGRAM_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM are remembered (a second one kills), reads that
 * wait are broken off, and writing to a closed pipe or beyond the limit of a file
 * is an error, not a death. */
void interrupt_watch(void);
bool interrupt_came(void);

enum { EXIT_INTERRUPTED = 130 };

#endif
