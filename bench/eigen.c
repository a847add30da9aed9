/* SPDX-License-Identifier: MIT
 *
 * Question.  How much longer do eigenvalues and eigenvectors take in a fixed order of operations
 * (src/linalg/eigen.h) than with the divide and conquer of the LAPACK in OpenBLAS on one thread?
 *
 * Method.  A random symmetric matrix, whose eigenvalues are all different: LAPACK then has nothing to
 * leave out.  The least processor time of several rounds, both in turn; the results are compared.
 *
 * Output.  Standard error: a report for people.  Standard output: one JSON object a size.  Exit status 1
 * where vectors take more than 4 times as long as those of OpenBLAS. */
#define _POSIX_C_SOURCE 200809L

#include "src/linalg/eigen.h"
#include "measure.h"
#include "src/base/memory.h"

#include <cblas.h>
#include <math.h>

enum { ROUNDS = 5, MOST = 10000 };

static const double limit = 4, agreement = 1e-12;

/* The least seconds of one of the two. */
typedef struct figures {
    double values, vectors;
} figures;

static double run_own(const eigenproblem *p, double *values, bool with_vectors)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft_error error = {0};
    memcpy(p->vectors, p->matrix, (size_t)p->n * (size_t)p->n * sizeof *p->vectors);
    double start = processor_seconds();
    require(weft__eigen_symmetric(&memory, p->n, p->vectors, p->n, values, with_vectors, &error), &error);
    return processor_seconds() - start;
}

/* dsyevd without vectors; p->values become the eigenvalues. */
static double run_lapack(const eigenproblem *p)
{
    memcpy(p->vectors, p->matrix, (size_t)p->n * (size_t)p->n * sizeof *p->vectors);
    double start = processor_seconds();
    lapack_int failed = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'N', 'L', p->n, p->vectors, p->n, p->values,
                                            p->work, p->work_count, p->integers, p->integer_count);
    require(failed == 0 ? WEFT_OK : WEFT_INTERNAL, &(weft_error){.message = "dsyevd failed"});
    return processor_seconds() - start;
}

/* The largest difference of eigenvalues over the largest of them. */
static double compare(int64_t n, const double *own, const double *lapack)
{
    double difference = 0;
    for (int64_t i = 0; i < n; i++)
        difference = fmax(difference, fabs(own[i] - lapack[i]));
    return difference / fmax(fabs(lapack[0]), fabs(lapack[n - 1]));
}

static double measure(int64_t n, figures *own, figures *lapack)
{
    eigenproblem p = eigenproblem_create(n);
    double *values = allocate(n, sizeof *values), difference = 0;
    for (int k = 0; k < ROUNDS; k++) {
        own->values = fmin(own->values, run_own(&p, values, false));
        lapack->values = fmin(lapack->values, run_lapack(&p));
        own->vectors = fmin(own->vectors, run_own(&p, values, true));
        lapack->vectors = fmin(lapack->vectors, eigenproblem_time(&p));
        difference = fmax(difference, compare(n, values, p.values));
    }
    free(values);
    eigenproblem_free(&p);
    return difference;
}

/* Whether one size is as it should be. */
static bool report(int64_t n)
{
    figures own = {INFINITY, INFINITY}, lapack = own;
    double difference = measure(n, &own, &lapack), ratio = own.vectors / lapack.vectors;
    fprintf(stderr,
            "n = %lld: values %.4f s, OpenBLAS %.4f s (%.2f times); with vectors %.4f s, OpenBLAS %.4f s "
            "(%.2f times)\n",
            (long long)n, own.values, lapack.values, own.values / lapack.values, own.vectors, lapack.vectors,
            ratio);
    printf("{\"bench\":\"eigen\",\"n\":%lld,\"openblas\":\"%s\",\"values\":%.5f,\"vectors\":%.5f,"
           "\"openblas_values\":%.5f,\"openblas_vectors\":%.5f,\"ratio\":%.2f,\"difference\":%.1e}\n",
           (long long)n, openblas_get_corename(), own.values, own.vectors, lapack.values, lapack.vectors,
           ratio, difference);
    return ratio <= limit && difference <= agreement;
}

int main(int count, char **words)
{
    static const int64_t usual[] = {64, 256, 512, 1000, 2000};
    bool given = count == 3 && strcmp(words[1], "--n") == 0, well = true;
    int64_t n = given ? strtoll(words[2], NULL, 10) : 1;
    if ((count != 1 && !given) || n < 1 || n > MOST) {
        fprintf(stderr, "usage: bench-eigen [--n N], N from 1 to %d\n", MOST);
        return 2;
    }
    if (given)
        return report(n) ? 0 : 1;
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        well = report(usual[k]) && well;
    return well ? 0 : 1;
}
