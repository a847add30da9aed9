/* SPDX-License-Identifier: MIT
 * What was found so far: a file to which every answer is added as one line.
 *
 *     weft journal <tab> NAME <tab> version of NAME <tab> numbers a line <tab> version of weft <tab> checksum
 *     key <tab> number <tab> ... <tab> number <tab> checksum
 *
 * Numbers have 17 digits, so that they are read as they were.  A last line without its
 * end, which a program leaves that dies while it writes, is dropped. */
#ifndef WEFT_LAB_RUNS_JOURNAL_H
#define WEFT_LAB_RUNS_JOURNAL_H

#include "weft.h"

#include <stdbool.h>

typedef struct lab_journal lab_journal;

/* Whose journal it is. */
typedef struct lab_journal_owner {
    const char *name;
    int version;
    int answers; /* numbers a line */
} lab_journal_owner;

/* Opens or makes it, for this program alone.  WEFT_WRITE, also where another program has
 * it; WEFT_MODEL where it is damaged or not of this owner. */
weft_status lab_journal_open(const char *path, const lab_journal_owner *owner, lab_journal **journal,
                             weft_error *error);
void lab_journal_close(lab_journal *journal);
/* Whether there is an answer of that key, and it. */
bool lab_journal_find(const lab_journal *journal, const char *key, double *answer);
/* Adds one and brings it to the disk.  WEFT_WRITE: the file is as it was before, and every further
 * call fails too.  Once it is opened again it goes on. */
weft_status lab_journal_add(lab_journal *journal, const char *key, const double *answer, weft_error *error);

#endif
