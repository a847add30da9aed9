/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_RUN_RUN_H
#define WEFT_CLI_RUN_RUN_H

/* `weft run ...`, arguments[0] being the name for messages; the exit status. */
int run_command(int count, char **arguments);

#endif
