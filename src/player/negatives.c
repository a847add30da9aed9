/* SPDX-License-Identifier: MIT
 *
 * Others that are drawn beside the events of a stream of positives alone.
 *
 * Method     An event says that its row came to this column.  Of the M other columns that are known, d =
 *            min(N, M) distinct ones are drawn, each subset as likely as any other, and learnt with the label
 *            -1.  Let the next event of a row be with column i with the probability p_i.  An event teaches +1
 *            of i with the probability p_i, and -1 with the probability (1 - p_i) d / M, so whoever learns
 *            these labels well comes to the odds
 *
 *                o = p_i / ((1 - p_i) d / M).
 *
 *            A drawn label stands for M / d others: o d / M are the odds p_i / (1 - p_i), for every i alike.
 *            That holds because known positives of the row may be drawn too: left out, a column that the row
 *            once came to would never be contradicted, and its odds be infinite, however seldom it comes
 *            back.
 * One set    An event joins two ids, and by a fair coin one of them is kept.  With events at the rates l_a
 *            and l_b at two ids and r between them, their pair is learnt with +1 at the rate r and with -1 at
 *            the rate of about (l_a + l_b) / 2 d / M: the odds are those that of one end of the next event
 *            the other is the other end.
 * Algorithm  Floyd's: for j = M - d, ..., M - 1 one of 0 ... j is drawn, and j is taken where that one was
 *            taken before.  The numbers are those of a generator that counts, by (seed, t): nothing is
 *            remembered, so that a run which goes on draws what the whole one would have drawn.
 * Cost       O(d^2), in a loop of 16 bytes a pair.
 * Reference  R. W. Floyd in J. Bentley, Programming pearls: a sample of brilliance, CACM 30 (1987). */
#include "base/random.h"
#include "player/player.h"

/* "negative", read as a little-endian number: no other draws have it in this place. */
static const uint64_t OWN_BITS = UINT64_C(0x657669746167656e);

/* Number `k` of what is drawn at event t. */
static uint64_t bits_of(const weft_negatives *how, int64_t t, int64_t k)
{
    enum { A_BLOCK = 4 };
    const uint64_t at[3] = {(uint64_t)t, (uint64_t)k / A_BLOCK, OWN_BITS};
    uint64_t bits[A_BLOCK];
    weft__random_bits(how->seed, at, bits);
    return bits[k % A_BLOCK];
}

/* Numbers behind all others: what is drawn does not depend on them. */
enum { COIN = WEFT_NEGATIVES_LIMIT, PLACE };

int64_t weft__negatives_before(const weft_negatives *how, int64_t t, int64_t drawn)
{
    return (int64_t)(bits_of(how, t, PLACE) % (uint64_t)(drawn + 1));
}

/* Those of the ids that are not of the event: two ends of one set, or its column. */
static int64_t count_others(const weft_negatives *how)
{
    int64_t others = how->ids - (how->one_set ? 2 : 1);
    return others > 0 ? others : 0;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Invariant: left_out[0] <= left_out[1], INT64_MAX where there is none. */
typedef struct other_ids {
    int64_t left_out[2];
    int64_t count; /* that are left */
} other_ids;

static other_ids others_of(const weft_negatives *how, const int64_t pair[2])
{
    other_ids others = {{pair[1], INT64_MAX}, how->ids};
    if (how->one_set && pair[0] != pair[1]) {
        others.left_out[0] = smaller(pair[0], pair[1]);
        others.left_out[1] = pair[0] + pair[1] - others.left_out[0];
    }
    others.count -= (others.left_out[0] < how->ids) + (others.left_out[1] < how->ids);
    return others;
}

/* The k-th id that is not left out. */
static int64_t nth_other(const other_ids *others, int64_t k)
{
    k += k >= others->left_out[0];
    return k + (k >= others->left_out[1]);
}

static bool is_drawn(const int64_t *pairs, int64_t drawn, int place, int64_t id)
{
    for (int64_t k = 0; k < drawn; k++)
        if (pairs[2 * k + place] == id)
            return true;
    return false;
}

weft_status weft__check_negatives(const weft_negatives *how, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__need(how, "how", error));
    if (how->count < 0 || how->count > WEFT_NEGATIVES_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "count is %lld, expected 0 to %d", (long long)how->count,
                          WEFT_NEGATIVES_LIMIT);
    if (how->ids < 0)
        return weft__fail(error, WEFT_ARGUMENT, "ids is %lld, expected at least 0", (long long)how->ids);
done:
    return status;
}

weft_status weft_negatives_draw(const weft_negatives *how, int64_t t, const int64_t pair[2], int64_t *pairs,
                                int64_t *drawn, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__check_negatives(how, error));
    NEED(pair);
    NEED(drawn);
    if (how->count > 0)
        NEED(pairs);
    if (t < 0 || pair[0] < 0 || pair[1] < 0)
        return weft__fail(error, WEFT_ARGUMENT, "found event %lld of %lld, %lld, expected at least 0",
                          (long long)t, (long long)pair[0], (long long)pair[1]);
    other_ids others = others_of(how, pair);
    int64_t count = smaller(how->count, others.count);
    int place = how->one_set && bits_of(how, t, COIN) % 2 == 1 ? 0 : 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t last = others.count - count + k;
        int64_t id = nth_other(&others, (int64_t)(bits_of(how, t, k) % (uint64_t)(last + 1)));
        if (is_drawn(pairs, k, place, id))
            id = nth_other(&others, last);
        pairs[2 * k + place] = id;
        pairs[2 * k + 1 - place] = pair[1 - place];
    }
    *drawn = count;
done:
    return status;
}

double weft_negatives_probability(const weft_negatives *how, double probability)
{
    int64_t others = how != NULL ? count_others(how) : 0;
    if (others == 0 || how->count <= 0 || how->count >= others)
        return probability;
    /* o d / M, where o = p / (1 - p) */
    double rate = (double)how->count / (double)others, odds = probability * rate;
    return odds / (odds + (1 - probability));
}
