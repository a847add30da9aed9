/* SPDX-License-Identifier: MIT
 *
 * Rosters of side information that is in memory.
 *
 * Method     The arrays are written as the file that would have said the same, and that is read.  So there is
 *            one way to side information and not two: what is refused, what is stored in a model and what a
 *            model makes of it again are those of files.  Numbers are written with 17 digits, which are read
 *            as the same numbers.
 * Cost       Some 25 bytes a number for as long as the roster lives: it is what a model embeds. */
#include "io/roster/roster.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A file that is being written. */
typedef struct page {
    weft__sources *sources;
    weft__source_file *file;
} page;

static const char matrix_name[] = "memory.mtx", ids_name[] = "memory.ids", table_name[] = "memory.csv";

static weft_status begin_page(weft__sources *sources, const char *name, page *made, weft_error *error)
{
    made->sources = sources;
    return weft__sources_begin(sources, name, &made->file, error);
}

__attribute__((format(printf, 3, 4))) static weft_status put(page *to, weft_error *error, const char *format,
                                                             ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return weft__sources_add(to->sources, to->file, text, length, error);
}

/* In the quotes of RFC 4180; "0", "1", ... where no names are given. */
static weft_status put_name(page *to, const char *const *names, int64_t k, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (names == NULL)
        return put(to, error, "%" PRId64, k);
    TRY(put(to, error, "\""));
    for (const char *part = names[k]; *part != 0;) {
        size_t length = strcspn(part, "\"");
        TRY(weft__sources_add(to->sources, to->file, part, (int64_t)length, error));
        part += length;
        if (*part == '"') {
            TRY(put(to, error, "\"\""));
            part++;
        }
    }
    TRY(put(to, error, "\""));
done:
    return status;
}

static weft_status put_ids(weft__sources *sources, int64_t count, const char *const *names, weft_error *error)
{
    page to = {0};
    weft_status status = WEFT_OK;
    TRY(begin_page(sources, ids_name, &to, error));
    for (int64_t k = 0; k < count; k++) {
        TRY(put_name(&to, names, k, error));
        TRY(put(&to, error, "\n"));
    }
done:
    return status;
}

/* ---- Reading it again ---- */

static weft_status check_names(const weft_roster *roster, int64_t count, const char *const *names,
                               weft_error *error)
{
    for (int64_t k = 0; names != NULL && k < count; k++) {
        const char *found = weft_ids_name(roster->ids, k);
        if (found == NULL || strcmp(found, names[k]) != 0)
            return weft__fail_at(error, WEFT_ARGUMENT, k, -1,
                                 "found name %s of id %lld, expected an id of a file",
                                 weft__shown_briefly(names[k]).text, (long long)k);
    }
    return WEFT_OK;
}

/* What the pages say, as `spec` and the words of the options read them. */
static weft_status open_pages(weft__sources *sources, const char *spec, int64_t count,
                              const char *const *names, const weft_file_options *options,
                              weft_roster **roster, weft_error *error)
{
    const char *words = options != NULL && options->roster != NULL ? options->roster->words : NULL;
    weft_roster *made = NULL;
    char *whole = NULL;
    weft_status status = WEFT_OK;
    sources->stored = true;
    if (words != NULL) {
        size_t size = strlen(spec) + strlen(words) + 2;
        TRY(weft__new(&sources->memory, (int64_t)size, 1, &whole, error));
        snprintf(whole, size, "%s,%s", spec, words);
    }
    TRY(weft__roster_open_stored(whole != NULL ? whole : spec, options, sources, &made, error));
    TRY(check_names(made, count, names, error));
    *roster = made;
    made = NULL;
done:
    weft__delete(&sources->memory, whole);
    weft_roster_free(made);
    return status;
}

static weft__sources no_pages(const weft_file_options *options)
{
    return (weft__sources){.memory = weft__memory_or_default(options != NULL ? options->memory : NULL),
                           .keep = true};
}

static weft_status check_count(int64_t count, const char *const *names, weft_error *error)
{
    if (count < 1)
        return weft__fail(error, WEFT_ARGUMENT, "found %lld ids, expected at least 1", (long long)count);
    for (int64_t k = 0; names != NULL && k < count; k++)
        if (names[k] == NULL || names[k][0] == 0)
            return weft__fail_at(error, WEFT_ARGUMENT, k, -1, "found no name of id %lld, expected one",
                                 (long long)k);
    return WEFT_OK;
}

/* ---- Kinds ---- */

weft_status weft_roster_from_names(int64_t count, const char *const *names, const weft_file_options *options,
                                   weft_roster **roster, weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    char digits[24];
    NEED(roster);
    TRY(check_count(count, names, error));
    TRY(weft_roster_open("none", options, &made, error));
    for (int64_t k = 0, number = 0; k < count; k++) {
        snprintf(digits, sizeof digits, "%" PRId64, k);
        TRY(weft_roster_admit(made, names != NULL ? names[k] : digits, NULL, &number, error));
    }
    TRY(check_names(made, count, names, error));
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

weft_status weft_roster_from_classes(int64_t count, const int64_t *class_of, double epsilon,
                                     const char *const *names, const weft_file_options *options,
                                     weft_roster **roster, weft_error *error)
{
    char spec[120];
    weft__sources pages = no_pages(options);
    page to = {0};
    weft_status status = WEFT_OK;
    NEED(class_of);
    NEED(roster);
    TRY(check_count(count, names, error));
    TRY(begin_page(&pages, table_name, &to, error));
    for (int64_t k = 0; k < count; k++) {
        TRY(put_name(&to, names, k, error));
        TRY(put(&to, error, ",%" PRId64 "\n", class_of[k]));
    }
    snprintf(spec, sizeof spec, "classes:%s,epsilon=%.17g,missing=alone", table_name, epsilon);
    TRY(open_pages(&pages, spec, count, names, options, roster, error));
done:
    weft__sources_free(&pages);
    return status;
}

weft_status weft_roster_from_features(const weft_features *features, const char *const *names,
                                      const weft_file_options *options, weft_roster **roster,
                                      weft_error *error)
{
    static const char *const kernels[] = {[WEFT_LINEAR] = "kernel=linear,epsilon",
                                          [WEFT_GAUSSIAN] = "kernel=gaussian,width",
                                          [WEFT_MIN] = "kernel=min,range"};
    char spec[160];
    weft__sources pages = no_pages(options);
    page to = {0};
    weft_status status = WEFT_OK;
    NEED(features);
    NEED(features->values);
    NEED(roster);
    TRY(check_count(features->count, names, error));
    if (features->dimension < 1 || (int)features->kernel < WEFT_LINEAR || features->kernel > WEFT_MIN)
        TRY(weft__fail(error, WEFT_ARGUMENT,
                       "found dimension %lld and kernel %d, expected 1 or more, and a kernel",
                       (long long)features->dimension, (int)features->kernel));
    TRY(begin_page(&pages, table_name, &to, error));
    for (int64_t k = 0; k < features->count; k++) {
        TRY(put_name(&to, names, k, error));
        for (int64_t d = 0; d < features->dimension; d++)
            TRY(put(&to, error, ",%.17g", features->values[k * features->dimension + d]));
        TRY(put(&to, error, "\n"));
    }
    snprintf(spec, sizeof spec, "features:%s,%s=%.17g,missing=alone", table_name, kernels[features->kernel],
             features->parameter);
    TRY(open_pages(&pages, spec, features->count, names, options, roster, error));
done:
    weft__sources_free(&pages);
    return status;
}

static weft_status from_square(const char *kind, int64_t count, const double *values,
                               const char *const *names, const weft_file_options *options,
                               weft_roster **roster, weft_error *error)
{
    char spec[120];
    weft__sources pages = no_pages(options);
    page to = {0};
    weft_status status = WEFT_OK;
    TRY(weft__need(values, kind, error));
    NEED(roster);
    TRY(check_count(count, names, error));
    TRY(begin_page(&pages, matrix_name, &to, error));
    TRY(put(&to, error, "%%%%MatrixMarket matrix array real general\n%" PRId64 " %" PRId64 "\n", count,
            count));
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < count; i++)
            TRY(put(&to, error, "%.17g\n", values[i * count + j]));
    TRY(put_ids(&pages, count, names, error));
    snprintf(spec, sizeof spec, "%s:%s,ids=%s,missing=alone", kind, matrix_name, ids_name);
    TRY(open_pages(&pages, spec, count, names, options, roster, error));
done:
    weft__sources_free(&pages);
    return status;
}

weft_status weft_roster_from_kernel(int64_t count, const double *kernel, const char *const *names,
                                    const weft_file_options *options, weft_roster **roster, weft_error *error)
{
    return from_square("kernel", count, kernel, names, options, roster, error);
}

weft_status weft_roster_from_matrix(int64_t count, const double *matrix, const char *const *names,
                                    const weft_file_options *options, weft_roster **roster, weft_error *error)
{
    return from_square("matrix", count, matrix, names, options, roster, error);
}

/* ---- Graphs ---- */

static weft_status check_graph(const weft_graph *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(graph);
    if (graph->edges > 0) {
        NEED(graph->from);
        NEED(graph->to);
    }
    if (graph->edges < 0 || (int)graph->kernel < WEFT_PDLAPLACIAN || graph->kernel > WEFT_NO_KERNEL)
        TRY(weft__fail(error, WEFT_ARGUMENT,
                       "found %lld edges and kernel %d, expected 0 or more, and a kernel",
                       (long long)graph->edges, (int)graph->kernel));
    for (int64_t k = 0; k < graph->edges; k++)
        if (graph->from[k] < 0 || graph->from[k] >= graph->vertices || graph->to[k] < 0 ||
            graph->to[k] >= graph->vertices)
            TRY(weft__fail_at(error, WEFT_ARGUMENT, k, -1,
                              "edge %lld joins %lld and %lld, expected 0 to %lld", (long long)k,
                              (long long)graph->from[k], (long long)graph->to[k],
                              (long long)graph->vertices - 1));
done:
    return status;
}

static weft_status put_edges(weft__sources *pages, const weft_graph *graph, weft_error *error)
{
    page to = {0};
    weft_status status = WEFT_OK;
    TRY(begin_page(pages, matrix_name, &to, error));
    TRY(put(&to, error,
            "%%%%MatrixMarket matrix coordinate real general\n%" PRId64 " %" PRId64 " %" PRId64 "\n",
            graph->vertices, graph->vertices, graph->edges));
    for (int64_t k = 0; k < graph->edges; k++)
        TRY(put(&to, error, "%" PRId64 " %" PRId64 " %.17g\n", graph->from[k] + 1, graph->to[k] + 1,
                graph->weight != NULL ? graph->weight[k] : 1));
done:
    return status;
}

weft_status weft_roster_from_graph(const weft_graph *graph, const char *const *names,
                                   const weft_file_options *options, weft_roster **roster, weft_error *error)
{
    static const char *const kernels[] = {[WEFT_PDLAPLACIAN] = "pdlaplacian",
                                          [WEFT_REGULARISED] = "regularised",
                                          [WEFT_DIFFUSION] = "diffusion",
                                          [WEFT_NO_KERNEL] = "none"};
    char spec[240], option[40] = "";
    weft__sources pages = no_pages(options);
    weft_status status = WEFT_OK;
    TRY(check_graph(graph, error));
    NEED(roster);
    TRY(check_count(graph->vertices, names, error));
    TRY(put_edges(&pages, graph, error));
    TRY(put_ids(&pages, graph->vertices, names, error));
    if (graph->kernel == WEFT_PDLAPLACIAN)
        snprintf(option, sizeof option, ",connect=%s", graph->connect ? "star" : "error");
    else if (graph->kernel != WEFT_NO_KERNEL)
        snprintf(option, sizeof option, ",%s=%.17g", graph->kernel == WEFT_REGULARISED ? "sigma" : "time",
                 graph->parameter);
    /* What is default is not named, so that the kernel stays open. */
    bool none = graph->kernel == WEFT_NO_KERNEL, scaled = !none && (graph->normalised || graph->unit);
    size_t used =
        (size_t)snprintf(spec, sizeof spec, "graph:%s,ids=%s,missing=alone%s", matrix_name, ids_name, option);
    if (graph->kernel != WEFT_PDLAPLACIAN || scaled)
        used += (size_t)snprintf(spec + used, sizeof spec - used, ",kernel=%s", kernels[graph->kernel]);
    if (scaled)
        snprintf(spec + used, sizeof spec - used, ",laplacian=%s,scale=%s",
                 graph->normalised ? "normalised" : "plain", graph->unit ? "unit" : "none");
    TRY(open_pages(&pages, spec, graph->vertices, names, options, roster, error));
done:
    weft__sources_free(&pages);
    return status;
}

/* ---- Text ---- */

weft_status weft_roster_from_text(const char *spec, const weft_text *files, int64_t count,
                                  const weft_file_options *options, weft_roster **roster, weft_error *error)
{
    weft__sources pages = no_pages(options);
    weft_status status = WEFT_OK;
    NEED(spec);
    NEED(roster);
    if (count < 1)
        TRY(weft__fail(error, WEFT_ARGUMENT, "found %lld texts, expected at least 1", (long long)count));
    NEED(files);
    for (int64_t k = 0; k < count; k++) {
        page to = {0};
        NEED(files[k].name);
        NEED(files[k].bytes);
        TRY(begin_page(&pages, files[k].name, &to, error));
        TRY(weft__sources_add(&pages, to.file, files[k].bytes, (int64_t)files[k].size, error));
    }
    pages.stored = true;
    TRY(weft__roster_open_stored(spec, options, &pages, roster, error));
done:
    weft__sources_free(&pages);
    return status;
}
