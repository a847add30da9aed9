/* SPDX-License-Identifier: MIT
 * Where results go. */
#ifndef WEFT_LAB_REPORT_PLACE_H
#define WEFT_LAB_REPORT_PLACE_H

#include "weft.h"

/* Makes the directory, and those that it is in, where they are not there.  WEFT_WRITE. */
weft_status lab_place_make(const char *directory, weft_error *error);
/* DIRECTORY/NAMEending, to be freed. */
char *lab_place_file(const char *directory, const char *name, const char *ending);

#endif
