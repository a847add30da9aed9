/* SPDX-License-Identifier: MIT
 *
 * How many bytes side information takes while it is made and once it is, from what its file said.  Sums are
 * in double, where nothing overflows.
 *
 * In numbers of 8 bytes, n ids of which all were listed, E edges, d coordinates:
 *
 *     kernel     n^2 kept and n^2 for the check; a repair 3 n^2 before that
 *     matrix     n^2, inverted where it stands
 *     graph      dense n^2, diffusion by eigenvectors 3 n^2 more; sparse the Laplacian and a factor
 *     features   n d; linear ones with products n (d + 1), and with epsilon n and a table of equal vectors
 *
 * Kernels, matrices and dense graphs are factored, with workspace for blocks beside (linalg/cholesky.h).
 * Ids that are let in alone make a dense kernel grow by quarters, old and new at once. */
#include "io/roster/estimate.h"

#include "base/vector.h"
#include "linalg/cholesky.h"
#include "linalg/eigen.h"
#include "linalg/multiply.h"
#include "side/graph/graph.h"
#include "side/graph/links.h"
#include "side/kinds/linear.h"

#include <math.h>

typedef weft__phases phases;

static const double NUMBER = sizeof(double);

static weft__amount exactly(double bytes)
{
    return (weft__amount){bytes, bytes};
}

weft__amount weft__amount_sum(weft__amount a, weft__amount b)
{
    return (weft__amount){a.least + b.least, a.most + b.most};
}

weft__amount weft__amount_larger(weft__amount a, weft__amount b)
{
    return (weft__amount){fmax(a.least, b.least), fmax(a.most, b.most)};
}

/* Vertices of the graph: ids that join it are. */
static double vertices_of(const weft_roster *roster)
{
    bool joins = roster->spec.missing == WEFT__MISSING_JOIN;
    return (double)(joins ? weft_ids_count(roster->ids) : roster->facts.listed);
}

/* The parts of which this is so. */
static int64_t count_parts(const weft_roster *roster, bool views,
                           bool (*is_so)(const weft_roster *roster, bool views))
{
    int64_t count = 0;
    for (int64_t k = 0; k < roster->part_count; k++)
        count += is_so(roster->parts[k], views);
    return count;
}

weft_graph_kernel weft__roster_kernel_of(const weft_roster *roster, const weft__spec *spec, bool views)
{
    /* Beside other kinds a kernel is worth its O(n^3) in smaller graphs alone. */
    const double limit = (roster->beside ? 0.5 : 1) * WEFT__GRAPH_DENSE_LIMIT;
    bool large = vertices_of(roster) > limit;
    if (roster->settled.moved && spec->kernel_is_open)
        return (weft_graph_kernel)roster->settled.graph_kernel;
    return large && spec->kernel_is_open && views ? WEFT_NO_KERNEL : (weft_graph_kernel)spec->graph_kernel;
}

weft_graph_kernel weft_roster_graph_kernel(const weft_roster *roster)
{
    if (roster == NULL)
        return WEFT_PDLAPLACIAN;
    return weft__roster_kernel_of(roster, &roster->spec, weft__roster_views_wanted(roster));
}

bool weft__roster_is_bare(const weft_roster *roster, bool views)
{
    if (roster->part_count > 0)
        return count_parts(roster, views, weft__roster_is_bare) == roster->part_count;
    return roster->spec.source == WEFT__GRAPH &&
           weft__roster_kernel_of(roster, &roster->spec, views) == WEFT_NO_KERNEL;
}

bool weft__roster_is_sparse(const weft_roster *roster, bool views)
{
    if (roster->part_count > 0)
        return count_parts(roster, views, weft__roster_is_sparse) > 0;
    return roster->spec.source == WEFT__GRAPH && vertices_of(roster) > WEFT__GRAPH_DENSE_LIMIT &&
           !weft__roster_is_bare(roster, views);
}

/* A dense kernel of `listed` ids that grows to `ids` (dense.c), made with `work` numbers beside it. */
static phases outline_dense(double listed, double ids, weft__amount work)
{
    double stride = listed, copied = 0;
    while (stride < ids) {
        copied = stride * stride;
        stride = 8 * floor((stride + floor(stride / 4) + 16) / 8);
    }
    weft__amount made = weft__amount_sum(exactly(NUMBER * listed * listed), work);
    weft__amount grown = exactly(NUMBER * (copied + stride * stride));
    return (phases){weft__amount_larger(made, grown), exactly(NUMBER * stride * stride)};
}

/* A copy of a matrix that becomes its eigenvectors, and what that takes. */
static double bytes_of_eigenvectors(double n)
{
    double padded = (double)weft__padded((int64_t)n);
    return NUMBER * (n * n + padded * padded + (double)weft__eigen_room((int64_t)n, true));
}

/* The workspace of a factor and an inverse. */
static double factor_bytes(double n)
{
    return NUMBER * (double)weft__cholesky_work((int64_t)n, 1);
}

static phases outline_kernel(const weft_roster *roster, double ids)
{
    double n = (double)roster->facts.listed, square = NUMBER * n * n;
    phases all = outline_dense(n, ids, exactly(square + factor_bytes(n)));
    if (roster->spec.repair != WEFT__REPAIR_ERROR)
        all.making = weft__amount_larger(all.making, exactly(bytes_of_eigenvectors(n)));
    return all;
}

/* Of a graph with this kernel. */
static phases outline_graph(const weft_roster *roster, weft_graph_kernel kernel, double ids)
{
    double n = vertices_of(roster), edges = (double)roster->contents.edges;
    /* Rows of 12 bytes an end, once as they are sorted, and twice where they are joined. */
    weft__amount laplacian = {24 * edges + 32 * n, 112 * (edges + n) + 64 * n};
    if (kernel == WEFT_NO_KERNEL) {
        double links = NUMBER * (WEFT__LINKS + 1) * n;
        return (phases){{laplacian.least + links, laplacian.most + links}, exactly(links)};
    }
    if (n <= WEFT__GRAPH_DENSE_LIMIT) {
        bool vectors = kernel == WEFT_DIFFUSION;
        double own = vectors ? bytes_of_eigenvectors(n) : factor_bytes(n);
        weft__amount work = {laplacian.least, laplacian.most + own};
        return outline_dense(n, ids, work);
    }
    double budget =
        (double)(roster->options.graph_budget > 0 ? roster->options.graph_budget : WEFT__GRAPH_BUDGET);
    weft__amount factor = {12 * (edges + n), fmin(budget, 12 * n * n)};
    if (kernel == WEFT_DIFFUSION)
        factor = (weft__amount){NUMBER * n, 4 * 8 * NUMBER * n};
    weft__amount making = weft__amount_sum(laplacian, factor);
    return (phases){making, making};
}

/* Whether a side to be made multiplies by vectors. */
bool weft__roster_is_linear(const weft_roster *roster)
{
    if (weft__spec_is_table(&roster->spec))
        return true;
    return roster->spec.source == WEFT__FEATURES && roster->spec.kernel == WEFT_LINEAR &&
           weft__linear_has_product(roster->contents.dimension, roster->facts.listed);
}

static phases outline_features(const weft_roster *roster, double ids)
{
    double listed = (double)roster->facts.listed, d = (double)roster->contents.dimension;
    bool linear = weft__roster_is_linear(roster), groups = linear && roster->spec.epsilon > 0;
    double room = listed, slots = 32;
    while (room < ids)
        room = fmax(16, 2 * room);
    /* Two to four slots a vector, if no two are equal; they double. */
    while (groups && slots < 2 * listed)
        slots *= 2;
    weft__amount table = {0, groups ? NUMBER * slots : 0};
    weft__amount kept = weft__amount_sum(exactly(NUMBER * (d + linear + groups) * room), table);
    /* Old and new at once where ids were let in, or the table grew when the rows were there. */
    double copied = room > listed ? NUMBER * d * room / 2 : 0;
    weft__amount making = {kept.least + copied, kept.most + fmax(copied, table.most / 2)};
    return (phases){making, kept};
}

/* A table is copied, and there is a length for every id; with `others` as many more of it. */
static phases outline_table(const weft_roster *roster, int others)
{
    const weft__facts_table *table = &roster->contents.table;
    double n = (double)table->count;
    double one = NUMBER * n + weft__facts_table_bytes(n, (double)table->numbers, (double)table->words);
    return (phases){exactly((1 + others) * one), exactly((1 + others) * one)};
}

/* Of a roster whose side is to be made. */
static phases outline(const weft_roster *roster, bool views)
{
    double ids = (double)weft_ids_count(roster->ids);
    switch (roster->spec.source) {
    case WEFT__NONE:
        break;
    case WEFT__CLASSES:
        return (phases){{NUMBER * ids, 6 * NUMBER * ids}, {NUMBER * ids, 4 * NUMBER * ids}};
    case WEFT__GRAPH:
        return outline_graph(roster, weft__roster_kernel_of(roster, &roster->spec, views), ids);
    case WEFT__KERNEL:
        return outline_kernel(roster, ids);
    case WEFT__MATRIX:
        return outline_dense((double)roster->facts.listed, ids,
                             exactly(factor_bytes((double)roster->facts.listed)));
    case WEFT__FEATURES:
        return weft__spec_is_table(&roster->spec) ? outline_table(roster, 0) : outline_features(roster, ids);
    case WEFT__TABLE:
        return outline_table(roster, 0);
    case WEFT__SEVERAL:
        break; /* outline_parts */
    }
    return (phases){{0, 0}, {0, 0}};
}

/* Two Gaussians, and 32 bytes an id for the classes of a column. */
static phases outline_table_views(const weft_roster *roster)
{
    const weft__facts_table *table = &roster->contents.table;
    double columns = fmin((double)table->words, WEFT__PART_VIEWS), n = (double)table->count;
    bool gaussians = weft__roster_has_gaussians(roster) && !roster->beside;
    phases all = outline_table(roster, gaussians ? 2 : 0);
    weft__amount classes = {NUMBER * columns * n, 4 * NUMBER * columns * n};
    return (phases){weft__amount_sum(all.making, classes), weft__amount_sum(all.kept, classes)};
}

/* With the views of a committee: of a graph two diffusions, made one after the other, of the other kinds
 * next to nothing. */
static phases outline_views(const weft_roster *roster, bool views)
{
    phases all = outline(roster, views);
    if (views && weft__spec_is_table(&roster->spec))
        return outline_table_views(roster);
    if (!views || roster->beside || roster->spec.source != WEFT__GRAPH || weft__roster_is_bare(roster, views))
        return all;
    phases one = outline_graph(roster, WEFT_DIFFUSION, (double)weft_ids_count(roster->ids));
    all.making =
        weft__amount_larger(all.making, weft__amount_sum(all.kept, weft__amount_sum(one.kept, one.making)));
    all.kept = weft__amount_sum(all.kept, weft__amount_sum(one.kept, one.kept));
    return all;
}

/* What Lanczos has beside its vectors: a projection and its eigenvectors, and blocks to multiply. */
static double iteration_numbers(double basis)
{
    return 3 * basis * basis + 256 * basis + (double)weft__multiply_work((int64_t)basis, 256, (int64_t)basis);
}

/* With what a feature map (side/map/map.h) adds: its table, and to find eigenvectors a matrix, or for a large
 * graph three times as many vectors and some. */
static phases phases_of_one(const weft_roster *roster, bool views)
{
    const weft_map *map = &roster->spec.map;
    double n = (double)weft_ids_count(roster->ids), eigen = (double)map->eigen;
    double table = n * eigen + (double)map->fourier / 2 * (double)roster->contents.dimension;
    double basis = eigen + fmin(fmax(eigen, 60), 200),
           iterated = n * (basis + eigen + 9) + iteration_numbers(basis),
           work = weft__roster_is_sparse(roster, views) ? NUMBER * iterated : bytes_of_eigenvectors(n);
    phases all = outline_views(roster, views);
    all.kept = weft__amount_sum(all.kept, exactly(NUMBER * table));
    if (map->eigen > 0)
        all.making =
            weft__amount_larger(all.making, weft__amount_sum(all.kept, exactly(NUMBER * n * eigen + work)));
    all.making = weft__amount_larger(all.making, all.kept);
    return all;
}

/* Parts are made one after the other, and kept; of every one, and of every view of it, there are two numbers
 * an id. */
weft__phases weft__roster_phases(const weft_roster *roster, bool views)
{
    phases all = {{0, 0}, {0, 0}};
    double ids = (double)weft_ids_count(roster->ids);
    if (roster->part_count == 0)
        return phases_of_one(roster, views);
    for (int64_t k = 0; k < roster->part_count; k++) {
        phases part = phases_of_one(roster->parts[k], views);
        weft__amount maps = exactly(2 * NUMBER * ids);
        all.making = weft__amount_larger(all.making, weft__amount_sum(all.kept, part.making));
        all.kept = weft__amount_sum(all.kept, weft__amount_sum(part.kept, maps));
        for (weft_view_kind kind = WEFT_VIEW_NONE; views && kind <= WEFT_VIEW_PART; kind++)
            all.kept.most += 4 * NUMBER * ids;
    }
    all.making = weft__amount_larger(all.making, all.kept);
    return all;
}

/* What the arrays of the file take, which are freed when the side is made. */
static double contents_bytes(const weft__contents *contents)
{
    const weft__facts_table *table = &contents->table;
    double of_table =
        table->values == NULL
            ? 0
            : weft__facts_table_bytes((double)table->count, (double)table->numbers, (double)table->words);
    const void *arrays[] = {contents->class_of, contents->values, contents->from,
                            contents->to,       contents->weight, contents->line};
    double count = 0;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        count += arrays[k] != NULL;
    return of_table + NUMBER * count * (double)contents->capacity;
}

double weft__roster_contents(const weft_roster *roster)
{
    double bytes = 0;
    for (int64_t k = 0; k < weft_roster_part_count(roster); k++)
        bytes += contents_bytes(&weft_roster_part(roster, k)->contents);
    return bytes;
}
