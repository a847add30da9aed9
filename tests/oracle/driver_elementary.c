/* SPDX-License-Identifier: MIT
 *
 * The elementary functions, for a judge that has its own (run_elementary.py).  Each line of standard
 * input is FUNCTION X, or pow X Y, with the bits of the numbers in hexadecimal; each makes one line of
 * results in the same form: one number, of sin_cos two. */
#include "base/elementary.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double (*function)(double);
} functions[] = {
    {"exp", weft__exp},     {"exp2", weft__exp2},   {"expm1", weft__expm1},
    {"log", weft__log},     {"log1p", weft__log1p}, {"log2", weft__log2},
    {"log10", weft__log10}, {"asinh", weft__asinh}, {"erfc", weft__erfc},
};

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void print(double x, const char *end)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf("%016" PRIx64 "%s", bits, end);
}

static int apply(const char *name, double x)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].name, name) == 0) {
            print(functions[k].function(x), "\n");
            return 0;
        }
    fprintf(stderr, "driver_elementary: there is no function %s\n", name);
    return 1;
}

int main(void)
{
    char name[16];
    uint64_t x, y;
    while (scanf("%15s %" SCNx64, name, &x) == 2) {
        if (strcmp(name, "sin_cos") == 0) {
            double sine, cosine;
            weft__sin_cos(double_of(x), &sine, &cosine);
            print(sine, " ");
            print(cosine, "\n");
        } else if (strcmp(name, "pow") == 0) {
            if (scanf("%" SCNx64, &y) != 1)
                return 1;
            print(weft__pow(double_of(x), double_of(y)), "\n");
        } else if (apply(name, double_of(x)) != 0) {
            return 1;
        }
    }
    return 0;
}
