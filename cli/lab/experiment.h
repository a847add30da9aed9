/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_LAB_EXPERIMENT_H
#define WEFT_CLI_LAB_EXPERIMENT_H

/* `weft experiment`: what the paper claims, shown by running it. */
int experiment_command(int count, char **arguments);

#endif
