/* SPDX-License-Identifier: MIT
 *
 * bench-evidence [--quick]
 *
 * The time of one product by the evidence, y = C x in both directions, against the number of its
 * pairs, 10^3 to 10^7 (--quick: to 10^6), and of one insertion.  Pairs are drawn at random, hence
 * in the worst order for a cache, over shapes that grow with them, twenty (or eight) pairs for every
 * row and column, and over one of 5,000 x 5,000, which is too large for a dense block however full it
 * is.  Another, of 2,000 x 2,000, becomes a block on the way; it and the one of eight are told for
 * comparison.
 *
 * The exponent of the time against the pairs is that of a least-squares line through the logarithms,
 * two points a decade.  A time is the least of its repetitions.  Bytes a second: those that a product cannot
 * do without, the pairs as they are stored for it, x read and y cleared, read and written, beside what
 * memcpy does with as many bytes in the same run.  The last column is what the store holds.  Fails where
 * an exponent that is judged is not within 0.1 of one.
 *
 * This benchmark sees the inside of the library: a trial has far more to do than one product.
 *
 * Output.  Standard error: tables.  Standard output: one JSON object, the last line. */
#define _POSIX_C_SOURCE 200809L

#include "src/evidence/evidence.h"
#include "draw.h"
#include "measure.h"

#include <math.h>

/* Two sizes a decade, 10^(k/2). */
enum { FIRST_SIZE = 6, LAST_SIZE = 14, QUICK_SIZE = 12, REPETITIONS = 9 };

/* Of a side, or of as many pairs for each of its places. */
typedef struct shape {
    const char *name;
    int64_t side, pairs_a_place;
    bool one_set, judged;
} shape;

static const shape shapes[] = {
    {"20 pairs a place", 0, 20, false, true}, {"20 pairs a place, one set", 0, 20, true, true},
    {"5000 x 5000", 5000, 0, false, true},    {"8 pairs a place", 0, 8, false, false},
    {"2000 x 2000", 2000, 0, false, false},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* What one number of pairs took. */
typedef struct finding {
    double insertion, product[2]; /* seconds: one pair; double, single precision */
    double bytes, copy;           /* of a product; bytes a second of memcpy */
    double held;                  /* bytes a pair that the store holds */
    bool dense;
} finding;

/* The allocator that counts what is held. */
static void *count_bytes(void *user, void *pointer, size_t old_size, size_t new_size)
{
    int64_t *held = user;
    void *fresh = new_size == 0 ? (free(pointer), NULL) : realloc(pointer, new_size);
    if (fresh != NULL || new_size == 0)
        *held += (int64_t)new_size - (int64_t)old_size;
    return fresh;
}

/* The slot of an id: slots are given in order of first use, as a learner gives them. */
static int64_t slot_of(int64_t *slots, int64_t *used, int64_t id)
{
    if (slots[id] == 0)
        slots[id] = ++*used;
    return slots[id] - 1;
}

/* Inserts `pairs` distinct pairs; answers the seconds, less those of drawing them. */
static double fill(weft__evidence *evidence, int64_t side, int64_t pairs)
{
    weft_error error = {0};
    uint64_t state = 5;
    int64_t *slots[2] = {allocate(side, sizeof **slots), allocate(side, sizeof **slots)}, used[2] = {0, 0};
    int other = evidence->one_set ? 0 : 1;
    enum { BATCH = 1024 };
    struct {
        int64_t a, b, rows, columns;
    } drawn[BATCH];
    double seconds = 0;
    while (evidence->count < pairs) {
        int64_t left = pairs - evidence->count, batch = left < BATCH ? left : BATCH;
        for (int64_t k = 0; k < batch; k++) {
            drawn[k].a = slot_of(slots[0], &used[0], below(&state, side));
            drawn[k].b = slot_of(slots[other], &used[other], below(&state, side));
            drawn[k].rows = used[0];
            drawn[k].columns = used[1];
        }
        double start = processor_seconds();
        for (int64_t k = 0; k < batch; k++) {
            require(weft__evidence_reserve(evidence, drawn[k].rows, drawn[k].columns, &error), &error);
            weft__evidence_add(evidence, drawn[k].a, drawn[k].b, k % 3 == 0 ? -1 : 1);
        }
        seconds += processor_seconds() - start;
    }
    free(slots[0]);
    free(slots[1]);
    return seconds;
}

/* The least time of a product. */
static double time_product(weft__evidence *evidence, const weft__exponent *exponent, bool single)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft_error error = {0};
    double *x = NULL, *y = NULL;
    double least = INFINITY;
    int64_t passes = 1 + 500000 / (evidence->count + 1);
    require(weft__new(&memory, exponent->n, sizeof *x, &x, &error), &error);
    require(weft__new(&memory, exponent->n, sizeof *y, &y, &error), &error);
    for (int64_t i = 0; i < exponent->n; i++)
        x[i] = 1.0 / (double)(i % 97 + 1);
    weft__evidence_multiply(evidence, exponent, single, x, y);
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        double start = processor_seconds();
        for (int64_t pass = 0; pass < passes; pass++)
            weft__evidence_multiply(evidence, exponent, single, x, y);
        least = fmin(least, (processor_seconds() - start) / (double)passes);
    }
    weft__delete(&memory, x);
    weft__delete(&memory, y);
    return least;
}

/* Bytes that a product cannot do without. */
static double bytes_of(const weft__evidence *evidence, const weft__exponent *exponent)
{
    int64_t listed = evidence->count - evidence->arrangement.settled;
    double stored = evidence->dense ? (double)(evidence->places[0] * evidence->places[1]) * sizeof(float)
                                    : (double)listed * sizeof(weft__cell) +
                                          (double)evidence->arrangement.settled * sizeof(weft__placed);
    return stored + 4.0 * (double)exponent->n * sizeof(double);
}

static finding measure(const shape *s, int64_t pairs)
{
    int64_t held = 0, side = s->side > 0 ? s->side : pairs / s->pairs_a_place;
    weft_memory memory = {count_bytes, &held};
    weft__evidence evidence;
    finding f = {0};
    weft__evidence_create(&evidence, s->one_set, &memory);
    if (pairs > side * side / 2)
        return f;
    f.insertion = fill(&evidence, side, pairs) / (double)pairs;
    int64_t rows = (evidence.places[0] + 15) / 16 * 16, columns = (evidence.places[1] + 15) / 16 * 16;
    weft__exponent exponent = {0.5, 1, s->one_set ? 0 : rows, rows + columns};
    for (int single = 0; single < 2; single++)
        f.product[single] = time_product(&evidence, &exponent, single);
    f.dense = evidence.dense;
    f.held = (double)held / (double)pairs;
    f.bytes = bytes_of(&evidence, &exponent);
    f.copy = copy_bandwidth((size_t)f.bytes / 2);
    weft__evidence_free(&evidence);
    return f;
}

/* The slope of log(seconds) against log(pairs). */
static double exponent_of(int count, const double *pairs, const double *seconds)
{
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    for (int k = 0; k < count; k++) {
        mean_x += log(pairs[k]) / count;
        mean_y += log(seconds[k]) / count;
    }
    for (int k = 0; k < count; k++) {
        xy += (log(pairs[k]) - mean_x) * (log(seconds[k]) - mean_y);
        xx += (log(pairs[k]) - mean_x) * (log(pairs[k]) - mean_x);
    }
    return xy / xx;
}

static void tell(double n, const finding *f)
{
    double rate = f->bytes / f->product[0];
    fprintf(stderr, "%9.0f %6s %12.2f %10.3f %10.3f %10.1f %8.2f %8.2f %8.1f\n", n,
            f->dense ? "block" : "list", 1e6 * f->product[0], 1e9 * f->product[0] / n,
            1e9 * f->product[1] / n, 1e9 * f->insertion, rate * 1e-9, rate / f->copy, f->held);
}

/* One line a size; answers the exponent of the product in double precision. */
static double follow(const shape *s, int last, finding *largest)
{
    double pairs[LAST_SIZE + 1], seconds[LAST_SIZE + 1];
    int count = 0;
    fprintf(stderr, "\n%s\n%9s %6s %12s %10s %10s %10s %8s %8s %8s\n", s->name, "pairs", "mode", "product us",
            "ns a pair", "single ns", "insert ns", "GB/s", "of copy", "bytes");
    for (int size = FIRST_SIZE; size <= last; size++) {
        double n = round(pow(10, size / 2.0));
        finding f = measure(s, (int64_t)n);
        if (f.insertion == 0)
            break;
        tell(n, &f);
        pairs[count] = n;
        seconds[count++] = f.product[0];
        *largest = f;
    }
    double exponent = exponent_of(count, pairs, seconds);
    fprintf(stderr, "exponent %.3f\n", exponent);
    return exponent;
}

int main(int count, char **words)
{
    bool quick = read_flag(count, words, "evidence", "--quick");
    double worst = 1;
    finding largest = {0};
    for (int k = 0; k < SHAPES; k++) {
        finding f;
        double exponent = follow(&shapes[k], quick ? QUICK_SIZE : LAST_SIZE, &f);
        if (shapes[k].judged && fabs(exponent - 1) > fabs(worst - 1))
            worst = exponent;
        if (k == 0)
            largest = f;
    }
    double rate = largest.bytes / largest.product[0];
    printf("{\"bench\":\"evidence\",\"exponent\":%.3f,\"nanoseconds_a_pair\":%.3f,\"insertion_nanoseconds\":%"
           ".1f,"
           "\"gigabytes_a_second\":%.2f,\"of_copy\":%.3f,\"bytes_held_a_pair\":%.1f}\n",
           worst, 1e9 * largest.product[0] / pow(10, (quick ? QUICK_SIZE : LAST_SIZE) * 0.5),
           1e9 * largest.insertion, rate * 1e-9, rate / largest.copy, largest.held);
    return fabs(worst - 1) <= 0.1 ? 0 : 1;
}
