/* SPDX-License-Identifier: MIT
 * What a program does before anything else: descriptors, room on the stack; and how it starts again. */
#ifndef WEFT_PROGRAM_START_H
#define WEFT_PROGRAM_START_H

#include <stdbool.h>

/* Standard input, output and error, which whoever starts a program may have closed.  Before anything else is
 * opened: a descriptor of these three that is closed is taken, or the next file would get its number and with
 * it what is written there.  Reading the one and writing the other then fails as on any closed descriptor;
 * what goes to standard error vanishes.  Where that is not possible the program ends with status 1. */
void descriptors_reserve(void);

/* Where the limit of the stack (ulimit -s) is too low for the libraries that are used, raises it as far as is
 * allowed and starts the program again; false, after a message, where it stays too low. */
bool stack_ensure(char **arguments);

/* Starts the program again with these arguments, and with the limits and the environment as they are now.
 * Returns where that is not possible. */
void restart(char **arguments);

#endif
