/* SPDX-License-Identifier: MIT
 *
 * What the parts of a learner ask for, added up.  The rules by which arrays grow are those of
 * side/learnt/working_set.c (slots and Gram matrix), evidence/evidence.c (pairs), spectral/sequence.h
 * (vectors) and learner/compact/compact.h; tests/unit/player/test_estimate.c holds the sums against what an
 * allocator counts. */
#include "learner/estimate.h"

#include "base/memory.h"
#include "base/vector.h"
#include "learner/compact/compact.h"
#include "spectral/sequence.h"

#include <math.h>

enum {
    /* Numbers of 8 bytes for every coordinate of the operators: two sequences; two images, workspace,
     * weight, diagonal; slots with their vectors; degrees and workspaces of the evidence, which double. */
    SEQUENCE_NUMBERS = 2 * (2 * WEFT__VECTORS + 4),
    OTHER_NUMBERS = 5 + 3 + 4 + 12,
    /* A pair, with its share of the index and what doubling copies. */
    BYTES_A_PAIR = 48,
    /* evidence.c: a block is kept up to so many cells, and up to so many for every pair. */
    LARGEST_BLOCK = 1 << 24,
    BLOCK_CELLS_A_PAIR = 32
};

/* The next multiple of 16. */
static double padded(double count)
{
    return WEFT__LANES * ceil(count / WEFT__LANES);
}

double weft__doubled(double count)
{
    int exponent;
    double fraction = frexp(fmax(count, 16), &exponent);
    return ldexp(1, fraction > 0.5 ? exponent : exponent - 1);
}

/* Slots for so many touched ids: a Gram matrix has a quarter more within its budget, others double;
 * neither has more than there are ids. */
static double slots_of(const weft__outline *side, double touched, double bytes_a_value)
{
    double within = WEFT__LANES * floor(sqrt(side->budget / bytes_a_value) / WEFT__LANES);
    double slots = side->structured ? weft__doubled(touched) : fmin(padded(1.25 * touched), within);
    return fmax(fmin(slots, padded(side->ids)), WEFT__LANES);
}

/* The numbers of every id that is listed: its slot, and the workspace of a solve. */
static double bytes_of_ids(const weft__outline *side, double ids)
{
    return sizeof(double) * (1 + side->vectors) * ids;
}

static double bytes_of_block(const double touched[2], double pairs)
{
    double cells = padded(touched[0]) * padded(touched[1]);
    if (cells <= fmin(LARGEST_BLOCK, BLOCK_CELLS_A_PAIR * pairs))
        return sizeof(float) * weft__doubled(touched[0]) * weft__doubled(touched[1]);
    /* There was one while there were fewer ids, or none. */
    return sizeof(float) * fmin(LARGEST_BLOCK, BLOCK_CELLS_A_PAIR * pairs);
}

/* Everything that follows the touched ids and pairs, after so many trials. */
static double bytes_touched(const weft__outline *side[2], const weft_settings *settings, double trials)
{
    bool one_set = side[1] == NULL, reference = settings->engine == WEFT_REFERENCE;
    bool solves = side[0]->solves || (!one_set && side[1]->solves);
    bool mixed = settings->precision == WEFT_MIXED && !reference && !solves;
    double value = sizeof(double) + (mixed ? sizeof(float) : 0), bytes = 0, n = 0, touched[2];
    for (int k = 0; k < (one_set ? 1 : 2); k++) {
        double all = trials > 0 ? side[k]->ids : side[k]->listed;
        touched[k] = reference ? all : fmin(all, (one_set ? 2 : 1) * trials);
        double slots = slots_of(side[k], touched[k], value);
        bytes += side[k]->structured ? 0 : value * slots * slots;
        n += slots;
    }
    touched[1] = touched[one_set ? 0 : 1];
    double pairs = fmin(trials, touched[0] * touched[1] / (one_set ? 2 : 1));
    /* The largest array of a sequence is there twice while it grows. */
    double engine = reference ? 7 * n * n : (SEQUENCE_NUMBERS + (trials > 0 ? WEFT__VECTORS : 0)) * n;
    return bytes + sizeof(double) * (engine + OTHER_NUMBERS * n) + BYTES_A_PAIR * weft__doubled(pairs) +
           bytes_of_block(touched, pairs);
}

/* A in both precisions and once more to be worked on, and the vectors; nothing grows. */
static double bytes_of_compact(const weft__outline *side[2], bool floor)
{
    double n = padded(side[0]->dimension + (side[1] != NULL ? side[1]->dimension : 0));
    double vectors = SEQUENCE_NUMBERS + 12, room = (double)weft__compact_room((int64_t)n, floor);
    return (2 * sizeof(double) + sizeof(float)) * n * n + sizeof(double) * (vectors * n + room);
}

/* Touched ids and pairs after so many trials. */
static double touch(const weft__outline *side[2], double trials, double touched[2])
{
    bool one_set = side[1] == NULL;
    touched[0] = fmin(side[0]->ids, (one_set ? 2 : 1) * trials);
    touched[1] = one_set ? touched[0] : fmin(side[1]->ids, trials);
    return fmin(trials, touched[0] * touched[1] / (one_set ? 2 : 1));
}

/* As learner/player.c counts a product, and so many of them in a trial: measured, 2 to 20. */
static double work_after(const weft__outline *side[2], const weft_settings *settings, double trials)
{
    enum { PRODUCTS = 3, STEP = 1000, PAIR = 4, SLOT = 16 };
    double touched[2], d = side[0]->dimension + (side[1] != NULL ? side[1]->dimension : 0);
    double pairs = touch(side, trials, touched), work = STEP + PAIR * pairs;
    if (settings->engine == WEFT_COMPACT)
        return PRODUCTS * (STEP + d * d / 2);
    for (int k = 0; k < (side[1] != NULL ? 2 : 1); k++)
        work += SLOT * touched[k] + (side[k]->structured ? 0 : touched[k] * touched[k] / 2) +
                (side[k]->solves ? WEFT__SOLVE_AN_ID * side[k]->listed : 0);
    double n = touched[0] + (side[1] != NULL ? touched[1] : 0);
    /* One eigendecomposition an update. */
    return PRODUCTS * work + (settings->engine == WEFT_REFERENCE ? 5 * n * n * n : 0);
}

weft__amount weft__learner_work(const weft__outline *rows, const weft__outline *columns,
                                const weft_settings *settings, double trials)
{
    const weft__outline *side[2] = {rows, columns};
    return (weft__amount){work_after(side, settings, 1), work_after(side, settings, trials)};
}

weft__amount weft__learner_estimate(const weft__outline *rows, const weft__outline *columns,
                                    const weft_settings *settings, double trials)
{
    const weft__outline *side[2] = {rows, columns};
    /* What there is whatever the sides. */
    double fixed = 2 * sizeof(weft__sequence) + 4096;
    weft__amount amount = {fixed, fixed};
    if (settings->engine == WEFT_COMPACT) {
        amount.least = amount.most = fixed + bytes_of_compact(side, settings->floor > 0);
        return amount;
    }
    for (int k = 0; k < (columns == NULL ? 1 : 2); k++) {
        amount.least += bytes_of_ids(side[k], side[k]->listed);
        amount.most += bytes_of_ids(side[k], side[k]->ids);
    }
    amount.least += bytes_touched(side, settings, 0);
    amount.most += bytes_touched(side, settings, trials);
    return amount;
}
