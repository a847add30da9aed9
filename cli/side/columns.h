/* SPDX-License-Identifier: MIT
 * What weft check says of the columns of tables. */
#ifndef WEFT_CLI_SIDE_COLUMNS_H
#define WEFT_CLI_SIDE_COLUMNS_H

#include "weft_files.h"

#include <jansson.h>

/* A line for each on standard output, indented; nothing where there is no table. */
void columns_tell(const weft_roster *roster);
/* An array; null where there is no table. */
json_t *columns_describe(const weft_roster *roster);

#endif
