/* SPDX-License-Identifier: MIT
 * The bytes of a page. */
#ifndef WEFT_LAB_REPORT_PAGE_BYTES_H
#define WEFT_LAB_REPORT_PAGE_BYTES_H

#include <stddef.h>

/* Begins as zero; a 0 stands behind what was added.  `at` is to be freed. */
typedef struct lab_bytes {
    char *at;
    size_t count, capacity;
} lab_bytes;

void lab_bytes_add(lab_bytes *bytes, const void *more, size_t count);
void lab_bytes_add_text(lab_bytes *bytes, const char *text);
/* Text that HTML shows as it is, also within quotes: what is not UTF-8 becomes U+FFFD,
 * control characters other than newlines become blanks. */
void lab_bytes_add_escaped(lab_bytes *bytes, const char *text);
void lab_bytes_add_base64(lab_bytes *bytes, const void *more, size_t count);

#endif
