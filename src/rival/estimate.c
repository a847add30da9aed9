/* SPDX-License-Identifier: MIT
 *
 * What the parts of a rival ask for, added up.  Tables have a line for every id that was learnt, in chunks,
 * and an index of these ids in pages (table.c, slots.c): majorities, factors, and of hybrid factorisation
 * single-precision vectors of ids and traits (vectors.c), beside the last events (replay.c).  Weights come in
 * pages of 256 where they are first learnt (weights.c), a perceptron has slots for the ids that it was wrong
 * about and lines of coefficients between them (touched.c, coefficients.c), also by class (class_sums.c).
 * Of contexts hybrid factorisation has a vector for every value and keeps them beside its events, crossed
 * logistic regression has weights for their products with the names of ids (pair_features.c). */
#include "rival/estimate.h"

#include "base/context.h"
#include "base/elementary.h"
#include "rival/hybrid.h"
#include "rival/pair_features.h"
#include "rival/table.h"

#include <math.h>

enum {
    FIXED = 800,          /* the struct, and the headers of its blocks; */
    FIXED_HASHED = 1250,  /* of one that hashes */
    FIXED_HYBRID = 3700,  /* and of one with replay */
    BYTES_OF_WEIGHT = 16, /* a value, and the squares of its gradients */
    PAGE = 256,
    BYTES_OF_ENTRY = sizeof(weft__page), /* of the index of pages */
    HEADER = 128,                        /* of a block: aligned, and its size */
    LISTS = 1400,                        /* of the chunks and pages of a table */
    BYTES_OF_TALLY = 16,
    BYTES_OF_SLOT = 3 * 8 + 8, /* id, scale, sum; a similarity */
    BYTES_OF_LINE = 24,
    BYTES_OF_COEFFICIENT = 16,
    LEAST_LINE = 16, /* coefficients of a line that has one */
    BYTES_OF_EVENT = 24,
    BYTES_OF_CONTEXT = sizeof(weft__context),
    BYTES_OF_NUMBER = 8, /* single precision: a value, and the squares of its gradients */
    BYTES_OF_NEAREST = 160,
    USUAL_FACTORS = 10,
    USUAL_HYBRID = 15,
    USUAL_WINDOW = 1 << 14,
    USUAL_REPLAY = 9,
    USUAL_BITS = 20
};

/* A pair of sides, and the ids of each that so many trials can bring. */
typedef struct field {
    const weft__outline *side[2]; /* the second NULL: one set of ids */
    double trials;
    double touched[2]; /* of one set only the first */
    double contexts;   /* fields of the context of an event, */
    double values;     /* and how many values of them the trials can bring, joint ones among them */
} field;

static field field_of(const weft__outline *rows, const weft__outline *columns,
                      const weft__stream_outline *stream, double trials)
{
    field f = {.side = {rows, columns}, .trials = trials, .contexts = stream->fields};
    f.values = stream->fields > 0 ? fmin(stream->values, (stream->fields + 1) * trials) : 0;
    f.touched[0] = fmin(rows->ids, (columns == NULL ? 2 : 1) * trials);
    f.touched[1] = columns != NULL ? fmin(columns->ids, trials) : 0;
    return f;
}

static int sides_of(const field *f)
{
    return f->side[1] != NULL ? 2 : 1;
}

/* An array by id or slot, which doubles, and is there twice while it grows. */
static double bytes_by_id(double ids, double size)
{
    return ids > 0 ? 1.5 * size * weft__doubled(ids) + HEADER : 0;
}

/* Ids of a side up to the last that may have been learnt. */
static double numbers_of(const field *f, int k)
{
    return f->trials > 0 ? f->side[k]->ids : 0;
}

/* Pages of the index of so many learnt ids, which may be any. */
static double bytes_of_slots(double ids, double learnt)
{
    double pages = fmin(ceil(ids / WEFT__SLOTS_PAGE), learnt);
    return pages > 0 ? pages * (WEFT__SLOTS_PAGE * sizeof(int32_t) + HEADER) : 0;
}

static double bytes_of_table(double ids, double learnt, double size)
{
    double chunks = ceil(learnt / WEFT__TABLE_CHUNK);
    /* The first chunk is there twice while it grows. */
    double lines = chunks > 1 ? chunks * WEFT__TABLE_CHUNK : 1.5 * weft__doubled(learnt);
    return learnt > 0 ? LISTS + size * lines + HEADER * chunks + bytes_of_slots(ids, learnt) : 0;
}

/* Weights that are learnt anywhere in a table: so many of its pages are met. */
static double bytes_of_pages(double weights, double learnt)
{
    double all = ceil(weights / PAGE), pages = all * -weft__expm1(-learnt / all);
    /* The index is there twice while it grows. */
    return LISTS + pages * (PAGE * BYTES_OF_WEIGHT + HEADER) + 1.5 * BYTES_OF_ENTRY * all;
}

static double bytes_of_majority(const field *f, weft_rival_kind kind)
{
    if (kind == WEFT_RIVAL_CONSTANT)
        return 0;
    int counts = kind == WEFT_RIVAL_COLUMN_MAJORITY && sides_of(f) == 2 ? 1 : 0;
    return bytes_of_table(f->side[counts]->ids, f->touched[counts], BYTES_OF_TALLY);
}

/* Names of an id, and the traits that a hashed pair multiplies: all, or as many as are kept. */
static double products_of(const field *f, weft_rival_kind kind)
{
    double first = f->side[0]->traits, second = f->side[sides_of(f) - 1]->traits;
    if (kind == WEFT_RIVAL_CROSSED) {
        double most = WEFT__CROSSES, kept = fmin(first, most / (1 + fmin(second, WEFT__CROSSED_TRAITS)) - 1);
        second = fmin(second, most / (1 + fmin(first, WEFT__CROSSED_TRAITS)) - 1);
        first = kept;
    }
    return (2 + first) * (2 + second);
}

/* Names of all ids of a side and of their traits, which are ids or numbers. */
static double names_of(const weft__outline *side)
{
    return 2 * side->ids + side->traits;
}

/* Names of an id that stand beside every value of a context. */
static double crossed_names(const field *f, int which)
{
    return fmin(1 + f->side[which]->traits, ((WEFT__CONTEXT_CROSSES - 3) / fmax(f->contexts, 1) - 1) / 2);
}

/* The features of an event that are its context, and its products. */
static double context_features_of(const field *f, weft_rival_kind kind)
{
    double beside = crossed_names(f, 0) + crossed_names(f, sides_of(f) - 1);
    return f->contexts > 0 && kind == WEFT_RIVAL_CROSSED ? f->contexts * (1 + beside) + 3 : 0;
}

/* How many of these are different: values beside every name, or all that came. */
static double context_weights_of(const field *f, weft_rival_kind kind)
{
    double names = 1 + names_of(f->side[0]) + names_of(f->side[sides_of(f) - 1]);
    double of_event = context_features_of(f, kind);
    return of_event > 0 ? fmin(f->values * names, of_event * f->trials) : 0;
}

static double bytes_of_logistic(const field *f, const weft_rival_settings *settings)
{
    double weights = ldexp(1, settings->bits > 0 ? settings->bits : USUAL_BITS), bytes = 0;
    for (int k = 0; k < sides_of(f); k++)
        bytes += 8 * (4 + 4 * f->side[k]->traits) +
                 (f->side[k]->solves ? 8 * (2 + f->side[k]->vectors) * f->side[k]->ids : 0);
    /* Half of the products of a pair were met before; and there are no more than those of all names. */
    double products = products_of(f, settings->kind);
    double all = (1 + names_of(f->side[0])) * (1 + names_of(f->side[sides_of(f) - 1]));
    double met = fmin(all, f->touched[0] + f->touched[1] + products / 2 * f->trials);
    met += context_weights_of(f, settings->kind);
    products += f->contexts > 0 ? WEFT__CONTEXT_CROSSES : 0;
    return bytes + 16 * weft__doubled(products) + bytes_of_pages(weights, met);
}

/* Rows and columns by turns, in pages. */
static double bytes_of_biases(const field *f)
{
    double larger = fmax(numbers_of(f, 0), sides_of(f) == 2 ? numbers_of(f, 1) : 0);
    return bytes_of_pages(2 * larger + 1, f->touched[0] + f->touched[1] + 1);
}

static double bytes_of_factors(const field *f, const weft_rival_settings *settings)
{
    double width = 1 + (double)(settings->factors > 0 ? settings->factors : USUAL_FACTORS);
    double bytes = 0;
    for (int k = 0; k < sides_of(f); k++)
        bytes += bytes_of_table(f->side[k]->ids, f->touched[k], BYTES_OF_WEIGHT * width);
    return bytes;
}

static double width_of_hybrid(const weft_rival_settings *settings)
{
    double numbers = 1 + (double)(settings->factors > 0 ? settings->factors : USUAL_HYBRID);
    return 4 * ceil(numbers / 4);
}

/* Vectors of the ids that were met, of their traits, which may be any ids, and of contexts; and the nearest
 * by a kernel. */
static double bytes_of_hybrid(const field *f, const weft_rival_settings *settings)
{
    double window = settings->window > 0 ? (double)settings->window : USUAL_WINDOW;
    double event = BYTES_OF_EVENT + (f->contexts > 0 ? BYTES_OF_CONTEXT : 0);
    double line = BYTES_OF_NUMBER * width_of_hybrid(settings);
    double contexts = fmin(f->values, WEFT__CONTEXT_LINES);
    double bytes =
        bytes_by_id(fmin(f->trials, window), event) + bytes_of_table(WEFT__CONTEXT_LINES, contexts, line);
    for (int k = 0; k < sides_of(f); k++) {
        const weft__outline *side = f->side[k];
        double learnt = fmin(side->ids, f->touched[k] * (side->traits > 1 ? 1 + side->traits : 1));
        bytes += bytes_of_table(side->ids, learnt, line) +
                 (learnt > 0 ? bytes_of_table(side->traits, side->traits, line) : 0) +
                 BYTES_OF_NEAREST * (f->trials > 0 && side->nearest ? side->listed : 0);
    }
    return bytes;
}

/* Whether ids are in classes, or alone (class_sums.h); all else has more traits, or no structure. */
static bool is_classed(const field *f)
{
    bool classed = true;
    for (int k = 0; k < sides_of(f); k++)
        classed = classed && f->side[k]->structured && !f->side[k]->solves && f->side[k]->traits <= 1;
    return classed;
}

/* Coefficients are kept from both sides, for all kinds but the sum, and where the other side has classes
 * added up over them. */
static double bytes_of_perceptron(const field *f, weft_rival_kind kind)
{
    double bytes = 0, pairs = kind == WEFT_RIVAL_SUM ? 0 : f->trials;
    for (int k = 0; k < sides_of(f); k++) {
        double slots = f->touched[k], a_line = slots > 0 ? (sides_of(f) == 1 ? 2 : 1) * pairs / slots : 0;
        const weft__outline *side = f->side[k], *other = f->side[sides_of(f) - 1 - k];
        bytes += bytes_by_id(slots, BYTES_OF_SLOT) + bytes_of_slots(side->ids, slots) +
                 (side->solves ? 8 * side->vectors * side->ids : 0);
        if (pairs > 0)
            bytes += bytes_by_id(slots, BYTES_OF_LINE) +
                     slots * (BYTES_OF_COEFFICIENT * weft__doubled(fmax(a_line, LEAST_LINE)) + HEADER);
        if (pairs > 0 && is_classed(f) && other->traits == 1)
            bytes += bytes_by_id(slots, BYTES_OF_LINE) + slots * (BYTES_OF_COEFFICIENT * LEAST_LINE + HEADER);
    }
    return bytes;
}

static double bytes_after(const field *f, const weft_rival_settings *settings)
{
    switch (settings->kind) {
    case WEFT_RIVAL_CONSTANT:
    case WEFT_RIVAL_ROW_MAJORITY:
    case WEFT_RIVAL_COLUMN_MAJORITY:
        return bytes_of_majority(f, settings->kind);
    case WEFT_RIVAL_BIAS:
        return bytes_of_biases(f);
    case WEFT_RIVAL_LOGISTIC:
    case WEFT_RIVAL_CROSSED:
        return bytes_of_logistic(f, settings);
    case WEFT_RIVAL_FACTORS:
        return bytes_of_factors(f, settings);
    case WEFT_RIVAL_SUM:
    case WEFT_RIVAL_PRODUCT:
    case WEFT_RIVAL_SQUARE:
        return bytes_of_perceptron(f, settings->kind);
    case WEFT_RIVAL_HYBRID:
        return bytes_of_hybrid(f, settings);
    }
    return 0;
}

static bool is_hashed(weft_rival_kind kind)
{
    return kind == WEFT_RIVAL_LOGISTIC || kind == WEFT_RIVAL_CROSSED;
}

weft__amount weft__rival_estimate(const weft__outline *rows, const weft__outline *columns,
                                  const weft_rival_settings *settings, const weft__stream_outline *stream)
{
    field after = field_of(rows, columns, stream, stream->trials);
    double fixed = is_hashed(settings->kind) ? FIXED_HASHED : FIXED;
    if (settings->kind == WEFT_RIVAL_HYBRID)
        fixed = FIXED_HYBRID;
    return (weft__amount){fixed, fixed + bytes_after(&after, settings)};
}

/* As hybrid.c counts it. */
static double work_of_hybrid(const field *f, const weft_rival_settings *settings)
{
    double around = f->contexts + (f->contexts > 1);
    double parts = 2 + around + f->side[0]->traits + f->side[sides_of(f) - 1]->traits;
    double replay = settings->replay < 0 ? 0 : settings->replay > 0 ? settings->replay : USUAL_REPLAY;
    double events = 1 + fmin(fmin(replay, f->trials - 1), floor(WEFT__HYBRID_PARTS / parts));
    return WEFT__HYBRID_EVENT * events + WEFT__HYBRID_NUMBER * events * parts * width_of_hybrid(settings);
}

/* Coefficients that a perceptron visits: of ids of which nothing is known those of the id itself, with
 * classes those of a class, taken as a tenth, else all. */
static double coefficients_of(const field *f)
{
    double pairs = fmin(f->trials, f->touched[0] * f->touched[sides_of(f) - 1]), least = pairs;
    for (int k = 0; k < sides_of(f); k++) {
        double part = f->side[k]->traits == 0   ? 1 / fmax(f->touched[k], 1)
                      : f->side[k]->traits == 1 ? 0.1
                                                : 1;
        least = fmin(least, part * pairs);
    }
    return least;
}

/* Two, where a column is a solve. */
static double work_of_columns(const field *f)
{
    double work = 0;
    for (int k = 0; k < 2; k++) {
        const weft__outline *side = f->side[sides_of(f) == 2 ? k : 0];
        work += side->solves ? WEFT__SOLVE_AN_ID * side->listed : 0;
    }
    return work;
}

/* The prices of rival.h, foreseen. */
static double work_after(const field *f, const weft_rival_settings *settings)
{
    enum { COUNTS = 50, TABLE = 300, HASHED = 500, FEATURE = 12, FACTORS = 800, ID = 4, COEFFICIENT = 8 };
    double ids = f->touched[0] + (sides_of(f) == 2 ? f->touched[1] : f->touched[0]);
    double kernel = is_classed(f) ? 0 : ID * ids + work_of_columns(f);
    switch (settings->kind) {
    case WEFT_RIVAL_CONSTANT:
    case WEFT_RIVAL_ROW_MAJORITY:
    case WEFT_RIVAL_COLUMN_MAJORITY:
        return COUNTS;
    case WEFT_RIVAL_LOGISTIC:
    case WEFT_RIVAL_CROSSED:
        return HASHED + FEATURE * (products_of(f, settings->kind) + context_features_of(f, settings->kind));
    case WEFT_RIVAL_FACTORS:
        return FACTORS;
    case WEFT_RIVAL_HYBRID:
        return work_of_hybrid(f, settings);
    case WEFT_RIVAL_SUM:
        return TABLE + kernel;
    case WEFT_RIVAL_PRODUCT:
    case WEFT_RIVAL_SQUARE:
        return TABLE + kernel + (is_classed(f) ? 0 : COEFFICIENT * coefficients_of(f));
    default:
        return TABLE;
    }
}

weft__amount weft__rival_work(const weft__outline *rows, const weft__outline *columns,
                              const weft_rival_settings *settings, const weft__stream_outline *stream)
{
    field first = field_of(rows, columns, stream, 1);
    field last = field_of(rows, columns, stream, stream->trials);
    return (weft__amount){work_after(&first, settings), work_after(&last, settings)};
}
