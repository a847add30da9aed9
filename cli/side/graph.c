/* SPDX-License-Identifier: MIT
 * weft graph: which vectors are near each other, as a list of edges that graph:FILE
 * reads.  Data goes to standard output or a file, what it is to standard error. */
#include "cli/command/command.h"
#include "cli/command/commands.h"
#include "cli/command/long_call.h"
#include "cli/command/words.h"
#include "cli/input/limits.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"
#include "weft_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_NEIGHBOURS = 10 };

typedef struct graph_options {
    limit_options limits; /* first: limits_table */
    const char *features;
    const char *out; /* NULL: standard output */
    weft_neighbours how;
    bool given; /* k was */
} graph_options;

static const option_row option_rows[] = {
    HEADING("Which edges:"),
    {"FEATURES", NULL, NULL, TAKES_FILE(graph_options, features, FILE_READ)},
    {"--neighbours", "K", "nearest ones of every id (10)", TAKES_COUNT(graph_options, how.k, 1),
     MARKS_GIVEN(graph_options, given), .letter = 'k'},
    {"--metric", NULL, "what near means (cosine)", TAKES_WORD(graph_options, how.metric, metric_words)},
    {"--mutual", NULL, "only where each is among the nearest of the other",
     TAKES_FLAG(graph_options, how.mutual)},
    {"--weighted", NULL, "write a weight a line; else all edges weigh 1",
     TAKES_FLAG(graph_options, how.weighted)},
    HEADING("What to write:"),
    {"--out", "FILE", "the edges go there instead of to standard output",
     TAKES_FILE(graph_options, out, FILE_WRITTEN)},
    {0},
};

static const option_rule rules[] = {
    NEEDED("FEATURES", "a file of FEATURES is needed"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 1, .next = &limits_table};

static const char documentation[] =
    "Makes a graph of features: an edge between ids whose vectors are near.\v"
    "FEATURES is what features:FILE reads: an id and its numbers, or id index:value ..., a line; - is "
    "standard input.  The numbers are taken as they are: bring them to one scale before.\n\n"
    "The definition, for vectors x_1, ..., x_n in the order of the file: N(i) are the K ids j other than i "
    "with the largest cosine <x_i,x_j> / (|x_i||x_j|), or the smallest distance |x_i - x_j|; of equally near "
    "ones (equal to the last of 16 digits) the earlier in the file.  There is an edge between i and j where "
    "j is in N(i) or i in N(j); with --mutual where both hold.  All pairs are compared: nothing is "
    "approximate.\n\n"
    "Weights with --weighted: cosine (1 + c) / 2, c the cosine; Euclidean exp(-d^2 / (2 s^2)), d the "
    "distance and s the mean over all ids of the distance to the K-th neighbour.  An edge of weight 0 is "
    "left out.\n\n"
    "Edges are written as id,id or id,id,weight, each once, in the order of the file, ids in quotes where "
    "they need them: graph:FILE reads that.  An id without an edge is not in the list; it is named on "
    "standard error, with the numbers of vertices, edges and components.\n\n"
    "Examples:\n"
    "  weft graph iris.csv -k 5 --metric euclidean --out near.csv\n"
    "  weft run labels.csv --rows graph:near.csv --columns none\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 130 interrupted, 1 anything else.";

static const command_line line = {.table = &table,
                                  .arguments = "FEATURES",
                                  .documentation = documentation,
                                  .expected = "one file of FEATURES"};

/* ---- The edges ---- */

typedef struct made_graph {
    weft_table *table;
    weft_edges *edges;
} made_graph;

static const char *name_of(const made_graph *made, int64_t id)
{
    return weft_ids_name(weft_table_ids(made->table), id);
}

static const char *shown_path(const graph_options *options)
{
    return strcmp(options->features, "-") == 0 ? "standard input" : options->features;
}

/* A failure of the library, with the name of the file and of the id. */
static weft_status explain(const graph_options *options, const made_graph *made, weft_status status,
                           weft_error *error)
{
    weft_error inner = *error;
    if (status != WEFT_INPUT || inner.at[0] < 0)
        return status;
    return fail(error, status,
                "%s: id '%.64s': all its numbers are 0, which has no direction, expected another number "
                "(or --metric euclidean)",
                shown_path(options), name_of(made, inner.at[0]));
}

static weft_status check_neighbours(const graph_options *options, int64_t count, weft_error *error)
{
    if (count < 2)
        return fail(error, WEFT_INPUT, "%s: found 1 id, expected at least 2", shown_path(options));
    if (options->how.k < count)
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT, "--neighbours: found %lld%s, but %s lists %lld ids, expected 1 to %lld",
                (long long)options->how.k, options->given ? "" : " (when it is not given)",
                shown_path(options), (long long)count, (long long)count - 1);
}

static weft_status make_graph(const graph_options *options, made_graph *made, weft_error *error)
{
    weft_file_options files = limits_files(&options->limits, 0);
    weft_status status = WEFT_OK;
    TRY(weft_table_read(options->features, &files, &made->table, error));
    weft_features features = weft_table_features(made->table);
    TRY(check_neighbours(options, features.count, error));
    weft_neighbours how = options->how;
    how.progress = files.progress;
    status = weft_edges_nearest(&features, &how, limits_memory(&options->limits), &made->edges, error);
    TRY(explain(options, made, status, error));
done:
    return status;
}

static weft_status write_edges(const graph_options *options, const made_graph *made, weft_error *error)
{
    output *file = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(options->out != NULL ? options->out : "-", &file, error));
    FILE *out = output_stream(file);
    for (int64_t k = 0; k < weft_edges_count(made->edges); k++) {
        weft_edge edge = weft_edges_at(made->edges, k);
        output_id(out, name_of(made, edge.from));
        putc(',', out);
        output_id(out, name_of(made, edge.to));
        if (options->how.weighted)
            fprintf(out, ",%.17g", edge.weight);
        putc('\n', out);
    }
    TRY(output_commit(file, error));
done:
    output_free(file);
    return status;
}

/* ---- What it is, for people ---- */

/* What is known of the vertices: edges each, and a forest of components by pointers
 * to an earlier vertex of the same one. */
typedef struct vertices {
    int64_t count, components, alone;
    int64_t *degree, *parent;
    double least, most; /* weights */
} vertices;

static int64_t root_of(int64_t *parent, int64_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static void count_edges(const made_graph *made, vertices *all)
{
    for (int64_t v = 0; v < all->count; v++)
        all->parent[v] = v;
    for (int64_t k = 0; k < weft_edges_count(made->edges); k++) {
        weft_edge edge = weft_edges_at(made->edges, k);
        int64_t a = root_of(all->parent, edge.from), b = root_of(all->parent, edge.to);
        all->parent[a > b ? a : b] = a > b ? b : a;
        all->degree[edge.from]++;
        all->degree[edge.to]++;
        all->least = k == 0 ? edge.weight : fmin(all->least, edge.weight);
        all->most = fmax(all->most, edge.weight);
    }
    for (int64_t v = 0; v < all->count; v++) {
        all->alone += all->degree[v] == 0;
        all->components += all->degree[v] > 0 && all->parent[v] == v;
    }
}

static void tell_weights(const graph_options *options, const made_graph *made, const vertices *all)
{
    const weft_neighbours *how = &options->how;
    double scale = weft_edges_scale(made->edges);
    if (!how->weighted)
        fprintf(stderr, "weights    1\n");
    else if (how->metric == WEFT_COSINE)
        fprintf(stderr, "weights    (1 + cosine) / 2, from %.6g to %.6g\n", all->least, all->most);
    else
        fprintf(stderr,
                "weights    exp(-d^2 / (2 s^2)), from %.6g to %.6g; s = %.6g, the mean distance of neighbour "
                "%" PRId64 "\n",
                all->least, all->most, scale, how->k);
}

static void tell_alone(const made_graph *made, const vertices *all)
{
    enum { NAMED = 20 };
    int64_t named = 0;
    if (all->alone == 0)
        return;
    fprintf(stderr, "alone      %" PRId64 " %s no edge and %s not in the list:", all->alone,
            all->alone == 1 ? "id has" : "ids have", all->alone == 1 ? "is" : "are");
    for (int64_t v = 0; v < all->count && named < NAMED; v++)
        if (all->degree[v] == 0)
            fprintf(stderr, "%s '%s'", named++ > 0 ? "," : "", weft_show(name_of(made, v)).text);
    if (all->alone > named)
        fprintf(stderr, " and %" PRId64 " more", all->alone - named);
    fputc('\n', stderr);
}

static void tell_all(const graph_options *options, const made_graph *made, const vertices *all)
{
    const weft_neighbours *how = &options->how;
    weft_features features = weft_table_features(made->table);
    fprintf(stderr, "vertices   %" PRId64 " ids of %s, %" PRId64 " number%s each\n", features.count,
            weft_show(shown_path(options)).text, features.dimension, features.dimension == 1 ? "" : "s");
    fprintf(stderr, "edges      %" PRId64 ": %s among the %" PRId64 " nearest of the other, by %s\n",
            weft_edges_count(made->edges), how->mutual ? "each is" : "one or both are", how->k,
            how->metric == WEFT_COSINE ? "cosine" : "Euclidean distance");
    tell_weights(options, made, all);
    fprintf(stderr, "components %" PRId64 "%s\n", all->components,
            all->components > 1 ? ", which graph: joins as a star (connect=star)" : "");
    tell_alone(made, all);
}

static void tell(const graph_options *options, const made_graph *made)
{
    vertices all = {.count = weft_table_features(made->table).count};
    all.degree = new_array(all.count, sizeof *all.degree);
    all.parent = new_array(all.count, sizeof *all.parent);
    count_edges(made, &all);
    tell_all(options, made, &all);
    free(all.degree);
    free(all.parent);
}

static weft_status work(const graph_options *options, made_graph *made, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(command_check_files(&line, options, error));
    TRY(make_graph(options, made, error));
    long_call_clear();
    TRY(write_edges(options, made, error));
    tell(options, made);
done:
    return status;
}

int graph_command(int count, char **arguments)
{
    graph_options options = {.how = {.k = USUAL_NEIGHBOURS, .metric = WEFT_COSINE}};
    made_graph made = {0};
    weft_error error = {0};
    command_parse(&line, count, arguments, &options);
    long_call_watch(true);
    int code = limits_finish(&options.limits, work(&options, &made, &error), MORE_IDS, &error);
    weft_edges_free(made.edges);
    weft_table_free(made.table);
    return code;
}
