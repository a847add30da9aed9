/* SPDX-License-Identifier: MIT
 *
 * Random Fourier features of a Gaussian.
 *
 * Method.  exp(-|x-t|^2 / (2 width^2)) = E cos w'(x-t) for w ~ N(0, I / width^2).  With M/2 frequencies
 *
 *     phi(x) = sqrt(2/M) [cos w_k'x, sin w_k'x],   |phi| = 1,
 *
 * <phi(x), phi(t)> is the mean of M/2 such cosines, off by at most sqrt(1/M) in standard
 * deviation.  The frequencies are drawn by counter (seed, k, block of 4 numbers) and Box-Muller: the same
 * wherever and in whatever order.
 *
 * Cost.  M/2 (numbers + a sine and a cosine) a vector; a table of M/2 x numbers.
 *
 * Reference.  A. Rahimi, B. Recht, Random features for large-scale kernel machines, NIPS 2007. */
#include "base/elementary.h"
#include "base/random.h"
#include "side/map/parts.h"

#include <math.h>

/* The third number of a block of random bits: no block is one of signs (map.c). */
enum { OF_FREQUENCY = 1 << 16 };

/* Four normal numbers from 256 bits: sqrt(-2 log u) (cos, sin)(2 pi v), twice. */
static void draw_normals(const uint64_t bits[4], double normal[4])
{
    static const double two_pi = 6.28318530717958647692;
    for (int p = 0; p < 4; p += 2) {
        double length = sqrt(-2 * weft__log(weft__uniform_of(bits[p])));
        double angle = two_pi * weft__uniform_of(bits[p + 1]);
        double sine, cosine;
        weft__sin_cos(angle, &sine, &cosine);
        normal[p] = length * cosine;
        normal[p + 1] = length * sine;
    }
}

weft_status weft__map_draw_frequencies(const weft_side *side, weft__nature nature, weft__feature_map *map,
                                       weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t size = 0, frequencies = map->how.fourier / 2, numbers = nature.numbers;
    double *table = NULL, normal[4] = {0};
    uint64_t bits[4] = {0};
    TRY(weft__checked_product(frequencies, numbers, &size, error));
    TRY(weft__new(&side->memory, size, sizeof *table, &table, error));
    for (int64_t k = 0; k < frequencies; k++)
        for (int64_t i = 0; i < numbers; i++) {
            if (i % 4 == 0) {
                const uint64_t at[] = {(uint64_t)k, (uint64_t)i / 4, OF_FREQUENCY};
                weft__random_bits(map->how.seed, at, bits);
                draw_normals(bits, normal);
            }
            table[k * numbers + i] = normal[i % 4] / nature.width;
        }
    map->table = table;
done:
    return status;
}

/* Where w'x is not finite: terms beyond 1e150 count as that.  Such a vector is similar to nothing either
 * way, and equal ones stay equal. */
static double far_phase(const double *w, const double *x, int64_t numbers)
{
    const double far = 1e150;
    double sum = 0;
    for (int64_t i = 0; i < numbers; i++)
        sum += fmax(fmin(w[i] * x[i], far), -far);
    return sum;
}

/* w'x */
static double phase(const double *w, const double *x, int64_t numbers)
{
    double sum[4] = {0, 0, 0, 0};
    int64_t i = 0;
    for (; i + 4 <= numbers; i += 4)
        for (int64_t lane = 0; lane < 4; lane++)
            sum[lane] += w[i + lane] * x[i + lane];
    for (int64_t lane = 0; i < numbers; i++, lane++)
        sum[lane] += w[i] * x[i];
    double whole = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return isfinite(whole) ? whole : far_phase(w, x, numbers);
}

void weft__map_fourier(const weft__feature_map *map, const weft_item *item, double a, double *phi)
{
    int64_t frequencies = map->how.fourier / 2;
    for (int64_t k = 0; k < frequencies; k++) {
        double z = phase(map->table + k * item->length, item->values, item->length);
        double sine, cosine;
        weft__sin_cos(z, &sine, &cosine);
        phi[k] = a * cosine;
        phi[frequencies + k] = a * sine;
    }
}
