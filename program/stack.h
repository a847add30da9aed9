/* SPDX-License-Identifier: MIT
 * Room on the stack, before anything needs it. */
#ifndef WEFT_PROGRAM_STACK_H
#define WEFT_PROGRAM_STACK_H

#include <stdbool.h>

/* Where the limit of the stack (ulimit -s) is too low for the libraries that are used, raises it as far as is
 * allowed and starts the program again; false, after a message, where it stays too low. */
bool stack_ensure(char **arguments);

#endif
