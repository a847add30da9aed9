/* SPDX-License-Identifier: MIT
 *
 * bench-linalg [--n N]
 *
 * The library's own Cholesky factor and inverse, which add in one fixed order, against those of OpenBLAS, in
 * one process on one core: an N x N matrix, N = 4,000 where nothing else is said.
 *
 * Method.  Rounds of both, one after the other, so that whatever else the machine does disturbs both alike; a
 * figure is the least processor time of its rounds.  The two inverses must agree up to rounding.
 *
 * Output.  Standard error: a report for people.  Standard output: one JSON object.  Exit status 1 where
 * factor and inverse take more than 3 times as long as those of OpenBLAS. */
#define _POSIX_C_SOURCE 200809L

#include "measure.h"
#include "src/base/memory.h"
#include "src/linalg/cholesky.h"

#include <cblas.h>
#include <math.h>

enum { ROUNDS = 5, USUAL = 4000, MOST = 20000 };

static const double limit = 3, agreement = 1e-10;

/* The least seconds of one of the two. */
typedef struct figures {
    double factor, inverse;
} figures;

/* Random entries in [0, 1), and a diagonal that makes the matrix definite. */
static double *draw(int64_t n)
{
    double *a = allocate(n * n, sizeof *a);
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            /* Knuth's linear congruential generator: its high bits suffice here. */
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            a[i * n + j] = a[j * n + i] = (double)(state >> 11) * 0x1p-53 + (i == j ? (double)n : 0);
        }
    return a;
}

static void expect(bool well, const char *what)
{
    if (!well) {
        fprintf(stderr, "bench: %s failed\n", what);
        exit(1);
    }
}

/* a becomes its inverse, the lower triangle in rows. */
static void run_own(int64_t n, double *a, double *work, figures *f)
{
    weft__triangle triangle = {n, a, n, NULL};
    double start = processor_seconds();
    expect(weft__cholesky_factor(triangle, 0, work) < 0, "the factor");
    double middle = processor_seconds();
    weft__cholesky_invert(triangle, work);
    f->factor = fmin(f->factor, middle - start);
    f->inverse = fmin(f->inverse, processor_seconds() - middle);
}

/* The same in columns. */
static void run_lapack(int64_t n, double *a, figures *f)
{
    lapack_int size = (lapack_int)n;
    double start = processor_seconds();
    expect(LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, a, size) == 0, "dpotrf");
    double middle = processor_seconds();
    expect(LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', size, a, size) == 0, "dpotri");
    f->factor = fmin(f->factor, middle - start);
    f->inverse = fmin(f->inverse, processor_seconds() - middle);
}

/* The largest difference of the two over the largest element. */
static double compare(int64_t n, const double *own, const double *lapack)
{
    double difference = 0, largest = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            difference = fmax(difference, fabs(own[i * n + j] - lapack[j * n + i]));
            largest = fmax(largest, fabs(own[i * n + j]));
        }
    return difference / largest;
}

static double measure(int64_t n, figures *own, figures *lapack)
{
    size_t bytes = (size_t)(n * n) * sizeof(double);
    weft_memory memory = weft__memory_or_default(NULL);
    weft_error error = {0};
    double *a = draw(n), *x = allocate(n * n, sizeof *x), *y = allocate(n * n, sizeof *y), *work = NULL;
    double difference = 0;
    require(weft__new(&memory, weft__cholesky_work(n, 1), sizeof *work, &work, &error), &error);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(x, a, bytes);
        memcpy(y, a, bytes);
        run_own(n, x, work, own);
        run_lapack(n, y, lapack);
        difference = compare(n, x, y);
        fprintf(stderr, "round %d of %d, least seconds: own %.3f and %.3f, OpenBLAS %.3f and %.3f\n",
                round + 1, ROUNDS, own->factor, own->inverse, lapack->factor, lapack->inverse);
    }
    weft__delete(&memory, work);
    free(y);
    free(x);
    free(a);
    return difference;
}

int main(int count, char **words)
{
    int64_t n = count == 3 && strcmp(words[1], "--n") == 0 ? strtoll(words[2], NULL, 10) : USUAL;
    figures own = {INFINITY, INFINITY}, lapack = own;
    if ((count != 1 && count != 3) || n < 1 || n > MOST) {
        fprintf(stderr, "usage: bench-linalg [--n N], N from 1 to %d\n", MOST);
        return 2;
    }
    double difference = measure(n, &own, &lapack);
    double ratio = (own.factor + own.inverse) / (lapack.factor + lapack.inverse);
    printf("{\"bench\":\"linalg\",\"n\":%lld,\"openblas\":\"%s\",\"factor\":%.3f,\"inverse\":%.3f,"
           "\"openblas_factor\":%.3f,\"openblas_inverse\":%.3f,\"ratio\":%.2f,\"difference\":%.1e}\n",
           (long long)n, openblas_get_corename(), own.factor, own.inverse, lapack.factor, lapack.inverse,
           ratio, difference);
    return ratio <= limit && difference <= agreement ? 0 : 1;
}
