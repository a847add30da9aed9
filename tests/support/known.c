/* SPDX-License-Identifier: MIT
 *
 * Method.  Each kind draws its raw data, then its kernel by the definition in
 * the paper; matrices and graphs, which need an inverse, in known_inverse.c. */
#include "support/known.h"

#include <stdlib.h>
#include <string.h>

#include "support/naive.h"

/* ---- kernels by definition ---- */

/* An entry over the ids before `alone` is looked at. */
typedef double entry_of(const known *what, int64_t i, int64_t j);

static double entry_none(const known *what, int64_t i, int64_t j)
{
    (void)what;
    return i == j;
}

static double entry_classes(const known *what, int64_t i, int64_t j)
{
    return (what->class_of[i] == what->class_of[j]) + (i == j ? what->parameter : 0);
}

static double entry_linear(const known *what, int64_t i, int64_t j)
{
    const double *x = what->values + i * what->dimension, *t = what->values + j * what->dimension;
    double sum = 0;
    bool same = true;
    for (int64_t k = 0; k < what->dimension; k++) {
        sum += x[k] * t[k];
        same = same && x[k] == t[k];
    }
    return sum + (same ? what->parameter : 0);
}

static double entry_gaussian(const known *what, int64_t i, int64_t j)
{
    const double *x = what->values + i * what->dimension, *t = what->values + j * what->dimension;
    double distance = 0;
    for (int64_t k = 0; k < what->dimension; k++)
        distance += (x[k] - t[k]) * (x[k] - t[k]);
    return exp(-distance / (2 * what->parameter * what->parameter));
}

static double entry_min(const known *what, int64_t i, int64_t j)
{
    const double *x = what->values + i * what->dimension, *t = what->values + j * what->dimension;
    double r = what->parameter, product = 1;
    for (int64_t k = 0; k < what->dimension; k++)
        product *= (r - 1) * fmin(x[k], t[k]) / (2 * r) + (r + 1) / 2;
    return product;
}

/* BB', where `values` holds B: kernels and callbacks. */
static double entry_product(const known *what, int64_t i, int64_t j)
{
    const double *x = what->values + (i < j ? i : j) * what->dimension;
    const double *t = what->values + (i < j ? j : i) * what->dimension;
    double sum = 0;
    for (int64_t k = 0; k < what->dimension; k++)
        sum += x[k] * t[k];
    return sum;
}

static void fill(known *what, int64_t count, entry_of *entry)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            what->kernel[i * what->count + j] = entry(what, i, j);
}

/* ---- raw data ---- */

static void draw_vectors(dice *d, known *what)
{
    double reach = what->kind == KNOWN_MIN ? what->parameter : 0;
    what->values = naive_new(what->count * what->dimension, sizeof *what->values);
    for (int64_t k = 0; k < what->count * what->dimension; k++)
        what->values[k] = reach > 0 ? dice_between(d, -reach, reach) : dice_normal(d);
    if (what->count > 1 && dice_chance(d, 0.3)) /* the same vector twice */
        memcpy(what->values + what->dimension * dice_below(d, what->count - 1),
               what->values + what->dimension * (what->count - 1),
               (size_t)what->dimension * sizeof *what->values);
}

static void draw_classes(dice *d, known *what)
{
    int64_t classes = 1 + dice_below(d, 4);
    what->parameter = dice_chance(d, 0.3) ? 0 : dice_between(d, 0.01, 0.5);
    what->class_of = naive_new(what->count, sizeof *what->class_of);
    for (int64_t i = 0; i < what->count; i++)
        what->class_of[i] = 7 - 3 * dice_below(d, classes);
    fill(what, what->count, entry_classes);
}

static void draw_factors(dice *d, known *what)
{
    what->flaw = dice_chance(d, 0.4) ? FLAW_NONE : (known_flaw)(1 + dice_below(d, FLAW_KINDS - 1));
    int64_t rank = what->flaw == FLAW_RANK_ONE ? 1 : what->flaw == FLAW_LOW_RANK ? 2 : what->count + 2;
    what->dimension = rank;
    what->values = naive_new(what->count * rank, sizeof *what->values);
    for (int64_t k = 0; k < what->count * rank; k++)
        what->values[k] = dice_normal(d);
    double *last = what->values + (what->count - 1) * rank;
    if (what->count > 1 && what->flaw == FLAW_DUPLICATE)
        memcpy(last, what->values, (size_t)rank * sizeof *last);
    if (what->count > 1 && what->flaw == FLAW_ZERO_ROW)
        memset(last, 0, (size_t)rank * sizeof *last);
    fill(what, what->count, entry_product);
}

/* Features: linear, Gaussian or min. */
static void draw_features(dice *d, known *what)
{
    what->dimension = 1 + dice_below(d, 3);
    if (what->kind == KNOWN_LINEAR)
        what->parameter = dice_chance(d, 0.4) ? 0 : dice_between(d, 0.01, 1);
    else if (what->kind == KNOWN_GAUSSIAN)
        what->parameter = dice_log_between(d, 0.3, 10);
    else
        what->parameter = dice_between(d, 2, 4);
    draw_vectors(d, what);
    fill(what, what->count,
         what->kind == KNOWN_LINEAR     ? entry_linear
         : what->kind == KNOWN_GAUSSIAN ? entry_gaussian
                                        : entry_min);
}

/* ---- radius and newcomers ---- */

static double largest_diagonal(const known *what, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, what->alone[i] ? 0 : what->kernel[i * what->count + i]);
    return largest;
}

static double supremum(const known *what)
{
    switch (what->kind) {
    case KNOWN_NONE:
    case KNOWN_GAUSSIAN:
    case KNOWN_REGULARISED:
    case KNOWN_DIFFUSION:
        return 1;
    case KNOWN_GRAPH:
        return what->unit ? 1 : 0;
    case KNOWN_CLASSES:
        return 1 + what->parameter;
    case KNOWN_MIN:
        return pow(what->parameter, (double)what->dimension);
    default:
        return 0;
    }
}

/* The largest diagonal, a given radius, or the supremum for ids to come. */
static void draw_radius(dice *d, known *what)
{
    double all = largest_diagonal(what, what->count), now = largest_diagonal(what, what->listed);
    if (supremum(what) > 0 && dice_chance(d, 0.4)) {
        what->options.inductive = true;
        what->radius = supremum(what);
    } else if (!known_is_graph(what->kind) && (all > now || dice_chance(d, 0.2))) {
        what->radius = what->options.radius = all * dice_between(d, 1.001, 2);
    } else {
        what->radius = now;
    }
}

/* Newcomers of matrices and graphs must be alone, others may be; where nothing
 * is known, everybody is. */
static void draw_newcomers(dice *d, known *what)
{
    bool must = what->kind == KNOWN_MATRIX || known_is_graph(what->kind);
    for (int64_t i = what->listed; i < what->count; i++)
        what->alone[i] = must || (what->kind != KNOWN_NONE && dice_chance(d, 0.15));
}

static void isolate(known *what)
{
    for (int64_t i = 0; i < what->count; i++)
        for (int64_t j = 0; j < what->count && what->alone[i]; j++) {
            double value = i == j ? what->radius : 0;
            what->kernel[i * what->count + j] = what->kernel[j * what->count + i] = value;
        }
}

/* ---- the interface ---- */

void known_draw(dice *d, known_kind kind, int64_t count, int64_t listed, known *what)
{
    *what = (known){.kind = kind, .count = count, .listed = listed};
    what->kernel = naive_new(count * count, sizeof *what->kernel);
    what->alone = naive_new(count, sizeof *what->alone);
    if (kind == KNOWN_NONE)
        fill(what, count, entry_none);
    else if (kind == KNOWN_CLASSES)
        draw_classes(d, what);
    else if (kind == KNOWN_KERNEL || kind == KNOWN_CALLBACK)
        draw_factors(d, what);
    else if (kind == KNOWN_MATRIX)
        known_draw_matrix(d, what);
    else if (known_is_graph(kind))
        known_draw_graph(d, what);
    else
        draw_features(d, what);
    draw_newcomers(d, what);
    draw_radius(d, what);
    isolate(what);
}

void known_release(known *what)
{
    void *owned[] = {what->alone, what->values, what->class_of, what->from,
                     what->to,    what->weight, what->kernel};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        free(owned[k]);
    *what = (known){0};
}

static double call_back(void *user, int64_t i, int64_t j)
{
    const known *what = user;
    return what->kernel[i * what->count + j];
}

/* The leading listed x listed block, row by row (owned by the caller). */
static double *leading(const known *what)
{
    double *block = naive_new(what->listed * what->listed, sizeof *block);
    for (int64_t i = 0; i < what->listed; i++)
        memcpy(block + i * what->listed, what->kernel + i * what->count,
               (size_t)what->listed * sizeof *block);
    return block;
}

static weft_status make_features(const known *what, weft_side **side, weft_error *error)
{
    weft_features features = {.count = what->listed,
                              .dimension = what->dimension,
                              .values = what->values,
                              .kernel = what->kind == KNOWN_LINEAR     ? WEFT_LINEAR
                                        : what->kind == KNOWN_GAUSSIAN ? WEFT_GAUSSIAN
                                                                       : WEFT_MIN,
                              .parameter = what->parameter};
    return weft_side_from_features(&features, &what->options, side, error);
}

static weft_status make_graph(const known *what, weft_side **side, weft_error *error)
{
    weft_graph graph = {.vertices = what->listed,
                        .edges = what->edges,
                        .from = what->from,
                        .to = what->to,
                        .weight = what->weight,
                        .connect = what->kind == KNOWN_GRAPH,
                        .kernel = what->kind == KNOWN_GRAPH         ? WEFT_PDLAPLACIAN
                                  : what->kind == KNOWN_REGULARISED ? WEFT_REGULARISED
                                                                    : WEFT_DIFFUSION,
                        .parameter = what->parameter,
                        .normalised = what->normalised,
                        .unit = what->unit};
    weft_side_options options = what->options;
    options.graph_path = what->path;
    return weft_side_from_graph(&graph, &options, side, error);
}

weft_status known_side(known *what, weft_side **side, weft_error *error)
{
    const weft_side_options *options = &what->options;
    if (what->kind == KNOWN_NONE)
        return weft_side_none(what->listed, options, side, error);
    if (what->kind == KNOWN_CLASSES)
        return weft_side_from_classes(what->listed, what->class_of, what->parameter, options, side, error);
    if (what->kind == KNOWN_MATRIX)
        return weft_side_from_matrix(what->listed, what->values, options, side, error);
    if (known_is_graph(what->kind))
        return make_graph(what, side, error);
    if (what->kind == KNOWN_CALLBACK)
        return weft_side_from_callback(what->listed, call_back, what, options, side, error);
    if (what->kind != KNOWN_KERNEL)
        return make_features(what, side, error);
    double *block = leading(what);
    weft_status status = weft_side_from_kernel(what->listed, block, options, side, error);
    free(block);
    return status;
}

weft_status known_append(const known *what, weft_side *side, weft_error *error)
{
    int64_t id = weft_side_count(side);
    weft_item item = {.alone = what->alone[id]};
    if (what->kind == KNOWN_CLASSES) {
        item.class_of = what->class_of[id];
    } else if (what->kind == KNOWN_KERNEL) {
        item.values = what->kernel + id * what->count;
        item.length = id + 1;
    } else if (what->kind == KNOWN_LINEAR || what->kind == KNOWN_GAUSSIAN || what->kind == KNOWN_MIN) {
        item.values = what->values + id * what->dimension;
        item.length = what->dimension;
    }
    return weft_side_append(side, &item, error);
}

double known_difference(const known *what, const weft_side *side)
{
    double worst = 0;
    for (int64_t i = 0; i < weft_side_count(side); i++)
        for (int64_t j = 0; j < weft_side_count(side); j++)
            worst = fmax(worst, fabs(weft_side_entry(side, i, j) - what->kernel[i * what->count + j]));
    return worst / what->radius;
}

const char *known_name(known_kind kind)
{
    static const char *const names[KNOWN_KINDS] = {"none",     "classes",     "kernel",   "matrix",
                                                   "graph",    "linear",      "gaussian", "min",
                                                   "callback", "regularised", "diffusion"};
    return names[kind];
}
