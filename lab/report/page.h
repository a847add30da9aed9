/* SPDX-License-Identifier: MIT
 * A report: one HTML file that needs nothing else, to be read and to be printed.
 *
 *     lab_page *page = lab_page_create("Table 1");
 *     lab_page_heading(page, "What was run");
 *     lab_page_text(page, "%d runs of ...", runs);
 *     lab_page_table(page, "n\tours\tpaper");        columns by tabs
 *     lab_page_row(page, "%d\t%.3f\t%.2f", ...);     as many as needed
 *     lab_page_table_end(page);
 *     lab_page_figure(page, "DIR/table1.svg", "What the picture shows.");
 *     status = lab_page_write(page, "DIR/table1.html", error);
 *     lab_page_free(page);
 *
 * Text is plain: what HTML would take for its own is escaped. */
#ifndef WEFT_LAB_REPORT_PAGE_H
#define WEFT_LAB_REPORT_PAGE_H

#include "weft.h"

typedef struct lab_page lab_page;

#define LAB_PRINTF __attribute__((format(printf, 2, 3)))

lab_page *lab_page_create(const char *title);
void lab_page_free(lab_page *page);
LAB_PRINTF void lab_page_heading(lab_page *page, const char *format, ...);
/* A paragraph. */
LAB_PRINTF void lab_page_text(lab_page *page, const char *format, ...);
/* The sentence that a reader who reads only one should read. */
LAB_PRINTF void lab_page_finding(lab_page *page, const char *format, ...);
/* A command, or another thing to be copied. */
LAB_PRINTF void lab_page_code(lab_page *page, const char *format, ...);
/* A cell that begins with '*' is emphasised, one that begins with '~' is faint. */
void lab_page_table(lab_page *page, const char *heads);
LAB_PRINTF void lab_page_row(lab_page *page, const char *format, ...);
void lab_page_table_end(lab_page *page);
/* The SVG file of that name becomes part of the page; `caption` is also what is read to
 * those who cannot see it. */
void lab_page_figure(lab_page *page, const char *path, const char *caption);
/* The first failure of the calls above, if any, or of writing; the file is written whole
 * or not at all. */
weft_status lab_page_write(lab_page *page, const char *path, weft_error *error);

#endif
