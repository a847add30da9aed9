/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_SIDE_CHECK_H
#define WEFT_CLI_SIDE_CHECK_H

/* `weft check`: validates a stream and its side information, learns nothing. */
int check_command(int count, char **arguments);

#endif
