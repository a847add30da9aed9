/* SPDX-License-Identifier: MIT
 *
 * Dense symmetric matrices, for a judge that has its own algebra (run_linalg.py).  Standard input is a series
 * of problems, each a line `eigen N' or `invert N' and N x N doubles in rows.  To each standard output
 * has a line and doubles:
 *
 *     eigen    the status; the values with vectors, those without, the vectors in rows
 *     invert   the first pivot that is too small, or -1; the inverse in rows, whatever it is
 *
 * Rows are handed over with a few numbers more at their end, which are no numbers and must stay so. */
#include "base/vector.h"
#include "linalg/eigen.h"
#include "side/kinds/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MORE = 3 };

static void expect(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "driver_linalg: %s\n", what);
    exit(1);
}

/* An n x n matrix in rows of n + MORE numbers. */
static double *read_matrix(int64_t n)
{
    double *a = malloc((size_t)(n * (n + MORE) + 1) * sizeof *a);
    expect(a != NULL, "no memory");
    for (int64_t i = 0; i < n; i++) {
        expect(fread(a + i * (n + MORE), sizeof *a, (size_t)n, stdin) == (size_t)n, "a matrix is cut off");
        for (int64_t j = n; j < n + MORE; j++)
            a[i * (n + MORE) + j] = NAN;
    }
    return a;
}

static void write_matrix(int64_t n, const double *a)
{
    for (int64_t i = 0; i < n; i++) {
        fwrite(a + i * (n + MORE), sizeof *a, (size_t)n, stdout);
        for (int64_t j = n; j < n + MORE; j++)
            expect(isnan(a[i * (n + MORE) + j]), "what is behind a row was written to");
    }
}

static void decompose(const weft_memory *memory, int64_t n, double *a)
{
    double *values = calloc((size_t)(2 * n + 1), sizeof *values);
    expect(values != NULL, "no memory");
    int status =
        weft__eigen_symmetric(memory, (weft__symmetric){n, a, n + MORE, NULL}, values + n, false, NULL);
    if (status == WEFT_OK)
        status = weft__eigen_symmetric(memory, (weft__symmetric){n, a, n + MORE, NULL}, values, true, NULL);
    printf("%d\n", status);
    fwrite(values, sizeof *values, (size_t)(2 * n), stdout);
    write_matrix(n, a);
    free(values);
}

static void invert(const weft_memory *memory, int64_t n, double *a)
{
    int64_t pivot = 0;
    expect(weft__dense_invert(memory, (weft__triangle){n, a, n + MORE, NULL}, &pivot, NULL) == WEFT_OK,
           "no memory");
    printf("%lld\n", (long long)pivot);
    write_matrix(n, a);
}

int main(void)
{
    weft_memory memory = weft__memory_or_default(NULL);
    char line[64], verb[16];
    long long n;
    while (fgets(line, sizeof line, stdin) != NULL) {
        expect(sscanf(line, "%15s %lld", verb, &n) == 2 && n >= 0 && n < 10000, "expected VERB N");
        double *a = read_matrix(n);
        if (strcmp(verb, "eigen") == 0)
            decompose(&memory, n, a);
        else
            invert(&memory, n, a);
        free(a);
    }
    return 0;
}
