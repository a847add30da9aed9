/* SPDX-License-Identifier: MIT
 * The page grows in memory as HTML; a table is held back as plain text until it ends,
 * since only then it is known which columns are numbers. */
#include "lab/report/page.h"

#include "lab/report/page_bytes.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 64 };

struct lab_page {
    char *title;
    lab_bytes body;
    lab_bytes table;    /* heads and rows: cells end with a tab or, the last of a row, a newline */
    int columns;        /* of the table that is open; 0: none */
    int tables;         /* so far */
    weft_error error;   /* the first failure */
    weft_error unheard; /* any further one */
};

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#c9d1d9;--sheet:#fff;--tint:#f3f5f8;"
    "--accent:#0b5cad}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#a3adb8;--line:#424a54;"
    "--sheet:#15191e;--tint:#20262d;--accent:#79b8ff}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--sheet);color:var(--ink);"
    "font:17px/1.55 system-ui,-apple-system,\"Segoe UI\",\"DejaVu Sans\",Helvetica,Arial,sans-serif}\n"
    "main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}\n"
    "h1{font-size:1.75rem;line-height:1.25;margin:0 0 1.25rem}\n"
    "h2{font-size:1.2rem;line-height:1.3;margin:2.4rem 0 .6rem;padding-bottom:.25rem;"
    "border-bottom:1px solid var(--line)}\n"
    "p,.finding,figcaption{max-width:46rem;overflow-wrap:break-word}\n"
    "p{margin:.7rem 0}\n"
    ".finding{margin:1rem 0;padding:.7rem 1rem;border-left:4px solid var(--accent);background:var(--tint);"
    "font-weight:600}\n"
    "pre{margin:.8rem 0;padding:.7rem 1rem;background:var(--tint);border:1px solid var(--line);"
    "border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font:.85rem/1.5 ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace}\n"
    ".wide{overflow-x:auto;margin:1rem 0}\n"
    "table{border-collapse:collapse;font-size:.88rem;line-height:1.35;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.28rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
    "th{vertical-align:bottom;border-bottom:2px solid var(--soft);font-weight:600}\n"
    "tbody tr:nth-child(even){background:var(--tint)}\n"
    ".n{text-align:right;white-space:nowrap}\n"
    "th.n{white-space:normal}\n"
    ".faint{color:var(--soft)}\n"
    "figure{margin:1.4rem 0}\n"
    "img{display:block;max-width:100%;height:auto;background:#fff;border:1px solid var(--line);"
    "border-radius:4px}\n"
    "figcaption{margin-top:.5rem;font-size:.88rem;color:var(--soft)}\n"
    "@media print{@page{margin:18mm 16mm}body{font-size:10.5pt}main{max-width:none;padding:0}"
    "p,.finding,figcaption{max-width:none}.wide{overflow:visible}table{font-size:8.5pt}"
    "th,td{padding:1.5pt 5pt}h2{break-after:avoid}tr,figure,.finding,pre{break-inside:avoid}"
    "thead{display:table-header-group}img{border:0}"
    ".finding,pre,tr{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";

static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = new_array((int64_t)(length > 0 ? length : 0) + 1, 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

/* ---- The page ---- */

lab_page *lab_page_create(const char *title)
{
    lab_page *page = new_array(1, sizeof *page);
    page->title = new_text("%s", title);
    return page;
}

void lab_page_free(lab_page *page)
{
    if (page == NULL)
        return;
    free(page->title);
    free(page->body.at);
    free(page->table.at);
    free(page);
}

static void add_element(lab_page *page, const char *opening, const char *text, const char *closing)
{
    lab_page_table_end(page);
    lab_bytes_add_text(&page->body, opening);
    lab_bytes_add_escaped(&page->body, text);
    lab_bytes_add_text(&page->body, closing);
}

/* A function that puts a formatted text between two tags. */
#define ELEMENT(name, opening, closing)                \
    void name(lab_page *page, const char *format, ...) \
    {                                                  \
        va_list arguments;                             \
        va_start(arguments, format);                   \
        char *text = format_text(format, arguments);   \
        va_end(arguments);                             \
        add_element(page, opening, text, closing);     \
        free(text);                                    \
    }

ELEMENT(lab_page_heading, "<h2>", "</h2>\n")
ELEMENT(lab_page_text, "<p>", "</p>\n")
ELEMENT(lab_page_finding, "<p class=\"finding\">", "</p>\n")
ELEMENT(lab_page_code, "<pre><code>", "</code></pre>\n")

/* ---- Tables ---- */

/* Where to leave the facts: the first failure is the one that is told. */
static weft_error *failure_of(lab_page *page)
{
    return page->error.status == WEFT_OK ? &page->error : &page->unheard;
}

static int count_cells(const char *row)
{
    int count = 1;
    for (; *row != 0; row++)
        count += *row == '\t';
    return count;
}

/* A newline within a cell would end the row. */
static void keep_row(lab_page *page, const char *row)
{
    for (; *row != 0; row++)
        lab_bytes_add(&page->table, *row == '\n' ? " " : row, 1);
    lab_bytes_add_text(&page->table, "\n");
}

void lab_page_table(lab_page *page, const char *heads)
{
    lab_page_table_end(page);
    page->columns = count_cells(heads);
    if (page->columns > MOST_COLUMNS)
        fail(failure_of(page), WEFT_ARGUMENT, "a table has %d columns, expected at most %d", page->columns,
             MOST_COLUMNS);
    else
        keep_row(page, heads);
}

void lab_page_row(lab_page *page, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *row = format_text(format, arguments);
    va_end(arguments);
    int found = count_cells(row);
    if (page->columns == 0)
        fail(failure_of(page), WEFT_ARGUMENT, "a row without a table: '%.100s'", row);
    else if (found != page->columns)
        fail(failure_of(page), WEFT_ARGUMENT, "a row has %d cell%s, its table %d columns: '%.100s'", found,
             output_plural(found), page->columns, row);
    else
        keep_row(page, row);
    free(row);
}

/* A digit, after signs and the like, and not the beginning of a sentence. */
static bool is_number(const char *cell)
{
    enum { LONGEST = 28 };
    size_t length = strcspn(cell, "\t\n");
    size_t lead = strspn(cell, "*~+-<>=. \xE2\x88\x92\x89\xA4\xA5"); /* also minus, at most, at least */
    return lead < length && length < LONGEST && cell[lead] >= '0' && cell[lead] <= '9';
}

/* A column is numbers where more of its cells are than are not, those of the head and
 * empty ones aside. */
static void find_numbers(const char *row, int columns, bool *numbers)
{
    int balance[MOST_COLUMNS] = {0};
    for (row += strcspn(row, "\n") + 1; *row != 0;)
        for (int k = 0; k < columns; k++) {
            if (*row != '\t' && *row != '\n')
                balance[k] += is_number(row) ? 1 : -1;
            row += strcspn(row, "\t\n") + 1;
        }
    for (int k = 0; k < columns; k++)
        numbers[k] = balance[k] > 0;
}

static void add_cell(lab_bytes *to, const char *tag, const char *from, bool number)
{
    size_t length = strcspn(from, "\t\n");
    bool strong = *from == '*', faint = *from == '~';
    int mark = strong || faint;
    char *cell = new_text("%.*s", (int)length - mark, from + mark);
    lab_bytes_add_text(to, tag);
    lab_bytes_add_text(to, number && faint ? " class=\"n faint\""
                           : number        ? " class=\"n\""
                           : faint         ? " class=\"faint\""
                                           : "");
    lab_bytes_add_text(to, strong ? "><strong>" : ">");
    lab_bytes_add_escaped(to, cell);
    lab_bytes_add_text(to, strong ? "</strong>" : "");
    free(cell);
}

static const char *add_row(lab_bytes *to, const char *row, int columns, const bool *numbers, bool head)
{
    lab_bytes_add_text(to, "<tr>");
    for (int k = 0; k < columns; k++) {
        add_cell(to, head ? "<th scope=\"col\"" : "<td", row, numbers[k]);
        lab_bytes_add_text(to, head ? "</th>" : "</td>");
        row += strcspn(row, "\t\n") + 1;
    }
    lab_bytes_add_text(to, "</tr>\n");
    return row;
}

/* A table that is wider than the window can be moved, also by keys: hence the tabindex. */
static void add_table(lab_page *page)
{
    bool numbers[MOST_COLUMNS];
    char number[64];
    const char *row = page->table.at;
    find_numbers(row, page->columns, numbers);
    snprintf(number, sizeof number, "aria-label=\"Table %d\"><table>\n<thead>\n", ++page->tables);
    lab_bytes_add_text(&page->body, "<div class=\"wide\" role=\"region\" tabindex=\"0\" ");
    lab_bytes_add_text(&page->body, number);
    row = add_row(&page->body, row, page->columns, numbers, true);
    lab_bytes_add_text(&page->body, "</thead>\n<tbody>\n");
    while (*row != 0)
        row = add_row(&page->body, row, page->columns, numbers, false);
    lab_bytes_add_text(&page->body, "</tbody>\n</table></div>\n");
}

void lab_page_table_end(lab_page *page)
{
    if (page->table.count > 0)
        add_table(page);
    page->columns = 0;
    page->table.count = 0;
}

/* ---- Figures ---- */

static bool read_whole(const char *path, lab_bytes *file)
{
    FILE *in = fopen(path, "rb");
    char some[4096];
    if (in == NULL)
        return false;
    for (size_t got = fread(some, 1, sizeof some, in); got > 0; got = fread(some, 1, sizeof some, in))
        lab_bytes_add(file, some, got);
    bool whole = !ferror(in);
    int reason = errno;
    fclose(in);
    errno = reason;
    return whole;
}

/* As an image of its own: two pictures within one page would clash in the names of their parts. */
void lab_page_figure(lab_page *page, const char *path, const char *caption)
{
    lab_bytes file = {0};
    errno = 0;
    if (!read_whole(path, &file)) {
        fail(failure_of(page), WEFT_FILE, "%s: cannot be read: %s", path, strerror(errno));
    } else if (file.count == 0 || strstr(file.at, "<svg") == NULL) {
        fail(failure_of(page), WEFT_FILE, "%s: expected an SVG picture", path);
    } else {
        add_element(page, "<figure><img alt=\"", caption, "\" src=\"data:image/svg+xml;base64,");
        lab_bytes_add_base64(&page->body, file.at, file.count);
        add_element(page, "\">\n<figcaption>", caption, "</figcaption></figure>\n");
    }
    free(file.at);
}

/* ---- The file ---- */

weft_status lab_page_write(lab_page *page, const char *path, weft_error *error)
{
    output *file = NULL;
    weft_status status = WEFT_OK;
    lab_bytes whole = {0};
    lab_page_table_end(page);
    if (page->error.status != WEFT_OK) {
        *error = page->error;
        return error->status;
    }
    lab_bytes_add_text(&whole,
                       "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    lab_bytes_add_escaped(&whole, page->title);
    lab_bytes_add_text(&whole, "</title>\n<style>\n");
    lab_bytes_add_text(&whole, style);
    lab_bytes_add_text(&whole, "</style>\n</head>\n<body>\n<main>\n<h1>");
    lab_bytes_add_escaped(&whole, page->title);
    lab_bytes_add_text(&whole, "</h1>\n");
    lab_bytes_add(&whole, page->body.count > 0 ? page->body.at : "", page->body.count);
    lab_bytes_add_text(&whole, "</main>\n</body>\n</html>\n");
    TRY(output_open(path, &file, error));
    fwrite(whole.at, 1, whole.count, output_stream(file));
    TRY(output_commit(file, error));
done:
    output_free(file);
    free(whole.at);
    return status;
}
