/* SPDX-License-Identifier: MIT
 *
 * Method: the paper word for word, on LAPACK, which
 * nothing else of the library calls.  log W = A + log kappa I is kept dense and
 * W is taken from its full eigendecomposition after every update.
 *
 * Algorithm: with K = S S (S the positive square root, from the
 * eigendecomposition of K, once),
 *
 *     x = S e ;  A += c x x' ;  A = V diag(lambda) V' ;  Q(e) = sum_i exp(lambda_i) (V'x)_i^2
 *
 * Cost: one dsyevd, O(n^3), an update; O(n^2) a prediction.  The judge of the
 * other engines, not for work.
 * Reference: Herbster, Pasteris, Tse, Algorithm 1. */
#include "base/elementary.h"
#include "spectral/engine.h"

#include "base/vector.h"
#include "spectral/blas.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

typedef struct reference {
    weft__spectral_engine base;
    int64_t n;
    bool ready;              /* LAPACK has its buffer */
    double *root;            /* S, n x n */
    double *exponent, *next; /* A, and A after the update that is being tried */
    double *vectors, *next_vectors;
    double *values, *next_values;
    double *x[2]; /* of the forms begun last */
    double *y;
    double *work;
    lapack_int *integers;
    int64_t work_count, integer_count;
    weft__bracket bracket[2];
} reference;

static void release(weft__spectral_engine *engine)
{
    reference *self = (reference *)engine;
    void *owned[] = {self->root,        self->exponent, self->next, self->vectors, self->next_vectors,
                     self->values,      self->x[0],     self->x[1], self->y,       self->work,
                     self->next_values, self->integers};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&engine->memory, owned[k]);
}

static weft_status reserve(reference *self, int64_t n, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &self->base.memory;
    double **square[] = {&self->root, &self->exponent, &self->next, &self->vectors, &self->next_vectors};
    double **line[] = {&self->values, &self->next_values, &self->x[0], &self->x[1], &self->y};
    int64_t cells = 0;
    if (n > 30000)
        return weft__fail(error, WEFT_ARGUMENT, "the reference engine takes up to 30000 ids, not %lld",
                          (long long)n);
    TRY(weft__checked_product(n, n, &cells, error));
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        TRY(weft__resize(memory, square[k], 0, cells, sizeof(double), error));
    for (size_t k = 0; k < sizeof line / sizeof *line; k++)
        TRY(weft__resize(memory, line[k], 0, n, sizeof(double), error));
    self->work_count = 1 + 6 * n + 2 * cells;
    self->integer_count = 3 + 5 * n;
    TRY(weft__resize(memory, &self->work, 0, self->work_count, sizeof(double), error));
    TRY(weft__resize(memory, &self->integers, 0, self->integer_count, sizeof(lapack_int), error));
    self->n = n;
done:
    return status;
}

/* vectors, values = eigensystem of `matrix` */
static weft_status decompose(reference *self, const double *matrix, double *vectors, double *values,
                             weft_error *error)
{
    lapack_int n = (lapack_int)self->n;
    memcpy(vectors, matrix, (size_t)(self->n * self->n) * sizeof *vectors);
    lapack_int info =
        LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, vectors, n, values, self->work,
                            (lapack_int)self->work_count, self->integers, (lapack_int)self->integer_count);
    if (info != 0)
        return weft__fail(error, WEFT_INTERNAL, "dsyevd failed with info %lld", (long long)info);
    return WEFT_OK;
}

/* out = the columns of C (or of K), one unit vector after the other */
static void materialise(const weft__operators *o, bool kernel, double *unit, double *out)
{
    memset(unit, 0, (size_t)o->n * sizeof *unit);
    for (int64_t j = 0; j < o->n; j++) {
        unit[j] = 1;
        if (kernel)
            o->kernel(o->self, false, unit, out + j * o->n);
        else
            o->evidence(o->self, false, unit, out + j * o->n);
        unit[j] = 0;
    }
}

/* S = V diag(sqrt(max(lambda, 0))) V' */
static weft_status take_root(reference *self, const weft__operators *o, weft_error *error)
{
    int n = (int)self->n;
    materialise(o, true, self->x[0], self->next);
    weft_status status = decompose(self, self->next, self->vectors, self->values, error);
    if (status != WEFT_OK)
        return status;
    for (int64_t j = 0; j < self->n; j++)
        weft__scale_vector(self->n, sqrt(fmax(self->values[j], 0)), self->vectors + j * self->n,
                           self->next_vectors + j * self->n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, 1, self->next_vectors, n, self->vectors, n,
                0, self->root, n);
    return WEFT_OK;
}

/* A = S C S for whatever C is now. */
static weft_status prepare(weft__spectral_engine *engine, const weft__operators *o, weft_error *error)
{
    reference *self = (reference *)engine;
    weft_status status = WEFT_OK;
    int n = (int)o->n;
    if (!self->ready)
        TRY(weft__blas_prepare(error));
    self->ready = true;
    TRY(reserve(self, o->n, error));
    TRY(take_root(self, o, error));
    materialise(o, false, self->x[0], self->next);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, self->next, n, self->root, n, 0,
                self->vectors, n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, self->root, n, self->vectors, n, 0,
                self->exponent, n);
    TRY(decompose(self, self->exponent, self->vectors, self->values, error));
done:
    return status;
}

static void begin(weft__spectral_engine *engine, int which, const weft__start *start, double b)
{
    reference *self = (reference *)engine;
    int64_t n = self->n;
    double *x = self->x[which];
    (void)b;
    memset(x, 0, (size_t)n * sizeof *x);
    /* x = S e: the ids of a reference engine are all inside. */
    for (int i = 0; i < 2; i++)
        weft__add(n, start->value[i], self->root + start->at[i] * n, x);
    cblas_dgemv(CblasColMajor, CblasTrans, (int)n, (int)n, 1, self->vectors, (int)n, x, 1, 0, self->y, 1);
    double largest = self->values[n - 1], sum = 0, spread = 0;
    for (int64_t i = 0; i < n; i++) {
        double weight = self->y[i] * self->y[i], e = weft__exp(self->values[i] - largest);
        sum += weight * e;
        spread += weight * e * e;
    }
    /* The allowance of quadrature.c with the error of a dense eigensolver. */
    double size = fmax(fabs(largest), fabs(self->values[0])) + 1;
    double error = 4 * DBL_EPSILON * (double)n;
    double allowance =
        error * size * sqrt(spread * start->square) + error * sum + error * error * start->square;
    self->bracket[which] =
        (weft__bracket){largest + (sum > allowance ? weft__log(sum - allowance) : -INFINITY),
                        largest + weft__log(sum + allowance), largest + weft__log(sum), 0, false};
}

static bool advance(weft__spectral_engine *engine, int which)
{
    (void)engine;
    (void)which;
    return false;
}

static const weft__bracket *bracket(const weft__spectral_engine *engine, int which)
{
    return &((const reference *)engine)->bracket[which];
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

/* A += sum_i coefficient[i] x_i x_i' */
static weft_status update(weft__spectral_engine *engine, int count, const double *coefficient,
                          weft_error *error)
{
    reference *self = (reference *)engine;
    int64_t n = self->n;
    memcpy(self->next, self->exponent, (size_t)(n * n) * sizeof *self->next);
    for (int i = 0; i < count; i++)
        cblas_dsyr(CblasColMajor, CblasLower, (int)n, coefficient[i], self->x[i], 1, self->next, (int)n);
    weft_status status = decompose(self, self->next, self->next_vectors, self->next_values, error);
    if (status != WEFT_OK)
        return status;
    swap(&self->exponent, &self->next);
    swap(&self->vectors, &self->next_vectors);
    swap(&self->values, &self->next_values);
    return WEFT_OK;
}

static const weft__engine_ops table = {"reference", prepare, begin, advance, bracket, update, release};

weft_status weft__reference_create(const weft_memory *memory, weft__spectral_engine **engine,
                                   weft_error *error)
{
    reference *self = NULL;
    weft_status status = weft__new(memory, 1, sizeof *self, &self, error);
    if (status != WEFT_OK)
        return status;
    self->base = (weft__spectral_engine){&table, *memory};
    *engine = &self->base;
    return WEFT_OK;
}
