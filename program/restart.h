/* SPDX-License-Identifier: MIT
 * The same program once more, in place of this one. */
#ifndef WEFT_PROGRAM_RESTART_H
#define WEFT_PROGRAM_RESTART_H

/* Starts the program again with these arguments, and with the limits and the environment as they are now.
 * Returns where that is not possible. */
void restart(char **arguments);

#endif
