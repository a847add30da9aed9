/* SPDX-License-Identifier: MIT
 * Ctrl-C asks a run to finish its trial and to report what it has.
 *
 * Whoever has something to finish watches from then on, and looks often whether an interruption came.
 * Before that, a signal ends the program at once, as it does by default: nothing is lost, and what is written
 * has no name yet (weft__draft). */
#ifndef WEFT_PROGRAM_INTERRUPT_H
#define WEFT_PROGRAM_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP, unless nohup ignores it, are remembered, reads that wait are broken
 * off, and writes are spared as below.  A second signal, but for one that comes at once after the first,
 * kills. */
void interrupt_watch(void);
bool interrupt_came(void);

/* From now on writing to a closed pipe or beyond the limit of a file is an error, not a death. */
void interrupt_spare_writes(void);

enum { EXIT_INTERRUPTED = 130 };

#endif
