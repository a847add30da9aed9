/* SPDX-License-Identifier: MIT
 * Command lines, and what is said of wrong ones. */
#ifndef WEFT_CLI_COMMAND_USAGE_H
#define WEFT_CLI_COMMAND_USAGE_H

#include <argp.h>

/* argp_parse into *input.  Wrong usage is told, with control characters as escapes, and ends the program with
 * status 2. */
void usage_parse(const struct argp *parser, int count, char **arguments, void *input);

#endif
