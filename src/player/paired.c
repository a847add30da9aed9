/* SPDX-License-Identifier: MIT
 *
 * Two that play the same trials: is one better than the other by more than chance, and by how much?
 *
 * Method     d_t, what the one without has lost more than the one with at trial t.  If neither is better, d_t
 *            is 0 in the mean whatever was seen before, the d_t are martingale differences, and
 *
 *                z = sum d_t / sqrt(sum d_t^2)
 *
 *            is standard normal for many trials.  In real streams luck comes in runs: whoever has a column
 *            right has it right for a while.  So the d_t are first summed over blocks of trials that follow
 *            each other, S_b for block b, which leaves room for dependence within one:
 *
 *                z = sum S_b / sqrt(sum S_b^2),      the interval  sum S_b -+ quantile sqrt(sum S_b^2).
 *
 *            T^(1/3) trials a block would be enough for dependence of a fixed length; sqrt(T) also covers
 *            streams that show one column after the other, whole, as long as that has fewer trials.
 *            The sums are not centred: learning makes the d_t of early trials larger than those of late ones,
 *            and a mean over all would take that for noise.  |z| is at most the root of the number of
 *            blocks, so that a few trials never prove anything.
 * Algorithm  Blocks of one length, a power of 2; it doubles, and neighbours are joined, when there are more
 *            blocks than trials in one, or WEFT_BLOCKS.
 * Cost       A handful of additions a trial, and memory that does not grow.
 * Reference  McNemar, Psychometrika 12 (1947); Hall and Heyde, Martingale Limit Theory and its Application
 *            (1980), section 3.2. */
#include "player/paired.h"

#include "base/elementary.h"

#include <math.h>

static void double_length(weft_paired *p)
{
    int64_t half = p->blocks / 2, odd = p->blocks % 2;
    double open = p->block[p->blocks] + (odd ? p->block[p->blocks - 1] : 0);
    for (int64_t b = 0; b < half; b++)
        p->block[b] = p->block[2 * b] + p->block[2 * b + 1];
    p->open += odd ? p->length : 0;
    p->block[half] = open;
    p->blocks = half;
    p->length *= 2;
}

/* The open block is full, or taken for full. */
static void close_block(weft_paired *p)
{
    p->block[++p->blocks] = 0;
    p->open = 0;
    while (p->blocks > p->length || p->blocks == WEFT_BLOCKS)
        double_length(p);
}

void weft_paired_add(weft_paired *paired, double with, double without)
{
    if (paired == NULL)
        return;
    paired->length += paired->length == 0;
    paired->count++;
    paired->with += with;
    paired->without += without;
    paired->block[paired->blocks] += without - with;
    if (++paired->open == paired->length)
        close_block(paired);
}

void weft__paired_append(weft_paired *paired, const weft_paired *other)
{
    weft_paired o = *other;
    if (paired->count == 0) {
        *paired = o;
        return;
    }
    if (o.count == 0)
        return;
    while (paired->length < o.length)
        double_length(paired);
    while (o.length < paired->length)
        double_length(&o);
    paired->count += o.count;
    paired->with += o.with;
    paired->without += o.without;
    for (int64_t b = 0; b <= o.blocks; b++) {
        paired->block[paired->blocks] += o.block[b];
        paired->open += b < o.blocks ? o.length : o.open;
        if (paired->open >= paired->length)
            close_block(paired);
    }
}

/* ---- What it says ---- */

/* z with P(|normal| > z) = p, by bisection: erfc falls. */
static double quantile(double p)
{
    enum { STEPS = 60 };
    double low = 0, high = 8;
    for (int k = 0; k < STEPS; k++) {
        double middle = (low + high) / 2;
        *(weft__erfc(middle / sqrt(2)) > p ? &low : &high) = middle;
    }
    return high;
}

weft_difference weft_paired_difference(const weft_paired *paired, int comparisons)
{
    double sum = 0, squares = 0;
    if (paired == NULL)
        return (weft_difference){.p = 1};
    for (int64_t b = 0; b <= paired->blocks; b++) {
        sum += paired->block[b];
        squares += paired->block[b] * paired->block[b];
    }
    double deviation = sqrt(squares), z = deviation > 0 ? sum / deviation : 0;
    double reach = deviation > 0 ? quantile(WEFT_LEVEL / comparisons) * deviation : 0;
    return (weft_difference){.with = paired->with,
                             .without = paired->without,
                             .saved = sum,
                             .low = sum - reach,
                             .high = sum + reach,
                             .z = z,
                             .p = fmin(1, comparisons * weft__erfc(fabs(z) / sqrt(2)))};
}

const char *weft_verdict_name(weft_verdict verdict)
{
    static const char *const names[] = {
        [WEFT_UNCLEAR] = "unclear", [WEFT_HELPS] = "helps", [WEFT_AT_MOST] = "at_most"};
    return (int)verdict >= 0 && (size_t)verdict < sizeof names / sizeof *names ? names[verdict] : NULL;
}

weft_verdict weft_verdict_of(const weft_difference *log_loss, int64_t rare)
{
    enum { ENOUGH = 100 };
    const double small = 0.01;
    if (log_loss == NULL)
        return WEFT_UNCLEAR;
    if (log_loss->low > 0)
        return WEFT_HELPS;
    return rare >= ENOUGH && log_loss->high <= small * log_loss->with ? WEFT_AT_MOST : WEFT_UNCLEAR;
}

/* ---- The state ---- */

void weft__paired_write(const weft_paired *paired, weft__encoder *writer)
{
    weft__put_integer(writer, paired->count);
    weft__put_double(writer, paired->with);
    weft__put_double(writer, paired->without);
    weft__put_integer(writer, paired->length);
    weft__put_integer(writer, paired->blocks);
    weft__put_integer(writer, paired->open);
    for (int64_t b = 0; b <= paired->blocks; b++)
        weft__put_double(writer, paired->block[b]);
}

static bool is_loss(double value)
{
    return value >= 0 && isfinite(value);
}

static bool is_possible(const weft_paired *p)
{
    bool sums = is_loss(p->with) && is_loss(p->without) && p->count >= 0 && p->count <= WEFT__MOST_COUNT;
    bool counts = p->blocks >= 0 && p->blocks < WEFT_BLOCKS && p->open >= 0 && p->open <= p->count;
    return sums && counts && p->blocks <= p->length && (p->length > 0 || p->count == 0) &&
           p->length <= WEFT__MOST_COUNT && (p->length & (p->length - 1)) == 0 && p->open <= p->length &&
           (p->open < p->length || p->length == 0);
}

bool weft__paired_read(weft_paired *paired, weft__decoder *reader)
{
    weft_paired p = {.count = weft__get_integer(reader)};
    p.with = weft__get_double(reader);
    p.without = weft__get_double(reader);
    p.length = weft__get_integer(reader);
    p.blocks = weft__get_integer(reader);
    p.open = weft__get_integer(reader);
    if (reader->failed || !is_possible(&p))
        return false;
    bool finite = true;
    for (int64_t b = 0; b <= p.blocks; b++) {
        p.block[b] = weft__get_double(reader);
        finite = finite && isfinite(p.block[b]);
    }
    *paired = p;
    return finite && !reader->failed;
}
