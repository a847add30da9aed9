/* SPDX-License-Identifier: MIT
 * What every experiment does in the same way: where its results go, its table, and the command that repeats
 * it. */
#ifndef WEFT_LAB_REPORT_FRAME_H
#define WEFT_LAB_REPORT_FRAME_H

#include "lab/lab.h"
#include "lab/report/page.h"

/* Makes the directory, and those that it is in, where they are not there.  WEFT_WRITE. */
weft_status lab_place_make(const char *directory, weft_error *error);
/* DIRECTORY/NAMEending, to be freed. */
char *lab_place_file(const char *directory, const char *name, const char *ending);

/* Writes the lines of a table. */
typedef void lab_table_lines(FILE *out, const void *results);

typedef struct lab_table {
    const char *name;  /* of the experiment */
    const char *heads; /* of the columns, commas between */
    lab_table_lines *lines;
} lab_table;

/* OUT/NAME.csv, whole or not at all. */
weft_status lab_table_write(const lab_table *table, const lab_request *request, const void *results,
                            weft_error *error);

/* How many runs with which seed, and the command; 0 runs: their number is not an option. */
void lab_tell_runs(lab_page *page, const lab_request *request, const char *name, int64_t runs);

#endif
