/* SPDX-License-Identifier: MIT
 *
 * Signs for ids: N of them, a function of (seed, id) alone.
 *
 * Method.  For N = 2^p: id i has row i mod N of the Hadamard matrix H_N, H(r,c) = (-1)^popcount(r & c),
 * each column times a random sign of its own that is drawn anew for every N ids:
 *
 *     s_i(c) = H(i mod N, c) g_q(c),   q = i div N.
 *
 * Rows of H are orthogonal, so any two of the ids qN, ..., qN + N - 1 are so exactly: up to N ids have
 * an identity that is no approximation.  Ids of two different q have independent signs, and
 * <s_i, s_j> / N has mean 0 and variance 1/N, as random signs have.  Any other N is a sum of powers of
 * two, and the signs of such pieces side by side.
 *
 * Cost.  64 signs are one word: the exclusive or of at most six constants, one for each of the low
 * bits of the row, of random bits (a block of Philox for every 256), and all ones where the high bits
 * of row and column have an odd number in common.
 *
 * Reference.  F. X. Yu, A. T. Suresh, K. Choromanski, D. Holtmann-Rice, S. Kumar, Orthogonal random
 * features, NIPS 2016 (why orthogonal signs err less than independent ones). */
#include "base/random.h"
#include "side/map/parts.h"

#include <math.h>
#include <string.h>

/* Bit c of low[b] is bit b of c. */
static const uint64_t low[6] = {UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
                                UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00),
                                UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};

static bool is_odd(uint64_t bits)
{
    for (int shift = 32; shift > 0; shift /= 2)
        bits ^= bits >> shift;
    return (bits & 1) != 0;
}

/* Word w of row r: bit c is set where popcount(r & (64 w + c)) is odd. */
static uint64_t hadamard_word(uint64_t row, uint64_t w)
{
    uint64_t word = is_odd(row >> 6 & w) ? ~UINT64_C(0) : 0;
    for (int b = 0; b < 6; b++)
        if ((row >> b & 1) != 0)
            word ^= low[b];
    return word;
}

/* Four signs at a time: nibbles[n] is a times those that the bits of n stand for. */
static void fill_nibbles(double a, double nibbles[16][4])
{
    for (unsigned n = 0; n < 16; n++)
        for (unsigned b = 0; b < 4; b++)
            nibbles[n][b] = (n >> b & 1) != 0 ? -a : a;
}

/* The first `count` signs of a word. */
static void spread(uint64_t word, int64_t count, double nibbles[16][4], double *phi)
{
    for (int64_t k = 0; k < count; k += 4) {
        const double *four = nibbles[word >> k & 15];
        memcpy(phi + k, four, (size_t)(count - k < 4 ? count - k : 4) * sizeof *phi);
    }
}

/* The 2^p signs of one piece. */
static void fill_piece(const weft_map *how, const uint64_t of[2], int p, double nibbles[16][4], double *phi)
{
    int64_t size = INT64_C(1) << p;
    uint64_t row = of[0] & (uint64_t)(size - 1), block = of[0] >> p, bits[4] = {0};
    for (int64_t w = 0; 64 * w < size; w++) {
        if (w % 4 == 0)
            weft__random_bits(how->seed, (const uint64_t[]){block, (uint64_t)w / 4, of[1] + 2 * (uint64_t)p},
                              bits);
        spread(bits[w % 4] ^ hadamard_word(row, (uint64_t)w), size - 64 * w < 64 ? size - 64 * w : 64,
               nibbles, phi + 64 * w);
    }
}

void weft__map_hash(const weft_map *how, const uint64_t of[2], double square, double *phi)
{
    double nibbles[16][4];
    fill_nibbles(sqrt(square / (double)how->hash), nibbles);
    for (int p = 62; p >= 0; p--)
        if ((how->hash >> p & 1) != 0) {
            fill_piece(how, of, p, nibbles, phi);
            phi += INT64_C(1) << p;
        }
}
