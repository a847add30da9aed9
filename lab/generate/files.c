/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "lab/generate/generate.h"
#include "lab/report/frame.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- The folder ---- */

weft_status lab_set_begin(const char *folder, lab_set *set, weft_error *error)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (length == 0)
        return fail(error, WEFT_ARGUMENT, "--out: found '', expected a directory");
    /* A name that looks like an option could not stand in a command. */
    set->folder = new_text("%s%.*s", folder[0] == '-' ? "./" : "", (int)length, folder);
    return lab_place_make(set->folder, error);
}

void lab_set_free(lab_set *set)
{
    for (int k = 0; k < set->count; k++) {
        output_free(set->files[k].file);
        free(set->files[k].path);
        free(set->files[k].note);
    }
    free(set->folder);
    *set = (lab_set){0};
}

/* ---- Its files ---- */

static weft_status add(lab_set *set, const char *name, const char *ending, FILE **out, weft_error *error)
{
    lab_set_file *next = &set->files[set->count];
    if (interrupt_came())
        return fail(error, WEFT_FILE, "interrupted: nothing was written");
    char *path = new_text("%s/%s.%s", set->folder, name, ending);
    weft_status status = output_open(path, &next->file, error);
    if (status != WEFT_OK) {
        free(path);
        return status;
    }
    next->path = path;
    set->count++;
    *out = output_stream(next->file);
    return WEFT_OK;
}

/* What the last file holds. */
static void describe(lab_set *set, char *note)
{
    set->files[set->count - 1].note = note;
}

static void describe_stream(lab_set *set, const lab_stream *stream)
{
    describe(set, new_text("%" PRId64 " trials, %" PRId64 " of their labels turned over", stream->count,
                           stream->turned));
}

weft_status lab_set_stream(lab_set *set, const lab_stream *stream, const char *rows, const char *columns,
                           weft_error *error)
{
    FILE *out = NULL;
    weft_status status = add(set, "stream", "csv", &out, error);
    if (status != WEFT_OK)
        return status;
    fputs("row,column,label\n", out);
    for (int64_t t = 0; t < stream->count; t++)
        fprintf(out, "%s%" PRId64 ",%s%" PRId64 ",%d\n", rows, stream->trials[t].row + 1, columns,
                stream->trials[t].column + 1, stream->trials[t].label);
    describe_stream(set, stream);
    return WEFT_OK;
}

weft_status lab_set_moments(lab_set *set, const lab_stream *stream, const lab_moment *moments,
                            weft_error *error)
{
    FILE *out = NULL;
    weft_status status = add(set, "stream", "csv", &out, error);
    if (status != WEFT_OK)
        return status;
    fputs("row,column,device,hour,label\n", out);
    for (int64_t t = 0; t < stream->count; t++)
        fprintf(out, "r%" PRId64 ",c%" PRId64 ",d%" PRId64 ",%" PRId64 ",%d\n", stream->trials[t].row + 1,
                stream->trials[t].column + 1, moments[t].device + 1, moments[t].hour,
                stream->trials[t].label);
    describe_stream(set, stream);
    return WEFT_OK;
}

weft_status lab_set_truth(lab_set *set, const lab_side *rows, const lab_side *columns,
                          const double *probability, weft_error *error)
{
    FILE *out = NULL;
    weft_status status = add(set, "truth", "csv", &out, error);
    if (status != WEFT_OK)
        return status;
    fputs("row,column,probability\n", out);
    for (int64_t i = 0; i < rows->count; i++)
        for (int64_t j = 0; j < columns->count; j++)
            fprintf(out, "%s%" PRId64 ",%s%" PRId64 ",%.17g\n", rows->letter, i + 1, columns->letter, j + 1,
                    probability[i * columns->count + j]);
    describe(
        set,
        new_text("the truth: of every pair the probability that an event of the row is with the column"));
    return WEFT_OK;
}

weft_status lab_set_classes(lab_set *set, const lab_side *side, weft_error *error)
{
    FILE *out = NULL;
    weft_status status = add(set, side->name, "classes", &out, error);
    if (status != WEFT_OK)
        return status;
    for (int64_t i = 0; i < side->count; i++)
        fprintf(out, "%s%" PRId64 " %" PRId64 "\n", side->letter, i + 1, side->class_of[i] + 1);
    describe(set, new_text("the truth: %" PRId64 " ids in %" PRId64 " class%s", side->count, side->classes,
                           side->classes == 1 ? "" : "es"));
    return WEFT_OK;
}

weft_status lab_set_graph(lab_set *set, const lab_side *side, const lab_graph *graph, weft_error *error)
{
    FILE *out = NULL;
    int64_t n = graph->vertices;
    weft_status status = add(set, side->name, "edges", &out, error);
    if (status != WEFT_OK)
        return status;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            if (graph->edge[i * n + j] != 0)
                fprintf(out, "%s%" PRId64 " %s%" PRId64 "\n", side->letter, i + 1, side->letter, j + 1);
    int64_t edges = lab_graph_edges(graph);
    describe(set, new_text("a graph of %" PRId64 " vertices and %" PRId64 " edge%s, %" PRId64
                           " of them between classes",
                           n, edges, output_plural(edges), lab_graph_cut(graph, side->class_of)));
    return WEFT_OK;
}

weft_status lab_set_features(lab_set *set, const lab_side *side, int64_t dimension, const double *values,
                             weft_error *error)
{
    FILE *out = NULL;
    weft_status status = add(set, side->name, "features", &out, error);
    if (status != WEFT_OK)
        return status;
    for (int64_t i = 0; i < side->count; i++) {
        fprintf(out, "%s%" PRId64, side->letter, i + 1);
        for (int64_t a = 0; a < dimension; a++)
            fprintf(out, ",%.17g", values[i * dimension + a]);
        putc('\n', out);
    }
    describe(set,
             new_text("%" PRId64 " points of %" PRId64 " number%s, in %" PRId64 " box%s", side->count,
                      dimension, output_plural(dimension), side->classes, side->classes == 1 ? "" : "es"));
    return WEFT_OK;
}

/* Nothing gets its name before everything is on its way to the disk. */
weft_status lab_set_commit(lab_set *set, FILE *report, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int k = 0; k < set->count; k++)
        TRY(output_flush(set->files[k].file, error));
    if (interrupt_came())
        TRY(fail(error, WEFT_FILE, "interrupted: nothing was written"));
    for (int k = 0; k < set->count; k++)
        TRY(output_commit(set->files[k].file, error));
    for (int k = 0; k < set->count; k++)
        fprintf(report, "wrote %s: %s\n", set->files[k].path, set->files[k].note);
done:
    return status;
}

/* ---- The command ---- */

/* Blanks and the like would end a word: it goes into single quotes. */
static bool is_plain(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+@%-";
    return strspn(text, plain) == strlen(text);
}

/* In a SPEC a comma or a backslash has another before it. */
static void put_path(FILE *report, const char *path, bool spec)
{
    bool quoted = !is_plain(path);
    if (quoted)
        putc('\'', report);
    for (const char *c = path; *c != '\0'; c++) {
        if (spec && (*c == ',' || *c == '\\'))
            putc('\\', report);
        if (*c == '\'')
            fputs("'\\''", report);
        else
            putc(*c, report);
    }
    if (quoted)
        putc('\'', report);
}

void lab_set_command(const lab_set *set, FILE *report, const char *command)
{
    fputs("play it with\n  ", report);
    for (const char *c = command; *c != '\0'; c++) {
        bool spec = c > command && c[-1] == ':';
        if (*c == '%' && c[1] >= '1' && c[1] < '1' + set->count)
            put_path(report, set->files[*++c - '1'].path, spec);
        else
            putc(*c, report);
    }
    putc('\n', report);
}
