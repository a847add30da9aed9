/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_LAB_GENERATE_H
#define WEFT_CLI_LAB_GENERATE_H

/* `weft generate`: seeded data of the laboratory as files that the other commands read. */
int generate_command(int count, char **arguments);

#endif
