/* SPDX-License-Identifier: MIT
 * What is told of the side information. */
#ifndef WEFT_CLI_REPORT_SIDE_H
#define WEFT_CLI_REPORT_SIDE_H

#include "weft_advanced.h"

#include <jansson.h>

/* Sides that are made, for people, on standard error; `columns` is NULL for one set of ids. */
void side_tell_both(const weft_roster *rows, const weft_roster *columns);
/* The same for programs, put into the object as "rows" and "columns", or as "both"; `features` also tells the
 * coordinates of finite features.  Not 0 when there is no memory. */
int side_add_both(json_t *object, const weft_roster *rows, const weft_roster *columns, bool features);

#endif
