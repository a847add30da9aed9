/* SPDX-License-Identifier: MIT
 * Calls of the library that last: a signal stops them (program/interrupt.h), and on a terminal a line says
 * what is being done.  The line is overwritten in place and leaves nothing behind. */
#ifndef WEFT_CLI_COMMAND_LONG_CALL_H
#define WEFT_CLI_COMMAND_LONG_CALL_H

#include "weft.h"

/* From now on signals are remembered instead of killing, and the line is drawn where it is wanted and
 * standard error is a terminal.  For commands all of whose long work is told, or looks for signals itself. */
void long_call_watch(bool line_wanted);

/* To be given to the library. */
weft_progress long_call_progress(void);

/* Makes room for other text; `hush` for good. */
void long_call_clear(void);
void long_call_hush(void);

#endif
