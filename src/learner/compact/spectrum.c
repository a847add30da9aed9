/* SPDX-License-Identifier: MIT
 *
 * Method: one decomposition of A and one of B for each side that is asked for.
 *
 * Rounding.  The computed eigensystem is that of A + E with |E| <= 4 d eps |A| (linalg/eigen.h); by
 * Duhamel's formula
 *
 *     |exp(A + E) - exp(A)| <= exp(lambda_max(A)) expm1(|E|)
 *
 * Its vectors are orthogonal to 4 d eps.  Of B, a matrix of norm at most 1, the same holds; taking it from
 * the vectors and projecting on its own are sums of d terms.  FORMING d eps is above the sum of these, and
 * both allowances are far above what rounding does on average.
 *
 * Cost: O(d^3) once a state; 8 (d^2 + d_side^2) bytes kept. */
#include "learner/compact/spectrum.h"

#include "base/elementary.h"
#include "linalg/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FORMING = 4 * WEFT__EIGEN_ERROR };

weft_status weft__spectrum_create(weft__learner *learner, weft__spectrum **spectrum, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__spectrum *self = NULL;
    TRY(weft__new(&learner->player.memory, 1, sizeof *self, &self, error));
    self->learner = learner;
    self->memory = learner->player.memory;
    self->revision = -1;
    *spectrum = self;
done:
    return status;
}

void weft__spectrum_free(weft__spectrum *spectrum)
{
    if (spectrum == NULL)
        return;
    weft_memory memory = spectrum->memory;
    weft__eigen_release(&spectrum->eigen, &memory);
    weft__delete(&memory, spectrum->weight);
    for (int k = 0; k < 2; k++) {
        weft__delete(&memory, spectrum->chart[k].vector);
        weft__delete(&memory, spectrum->chart[k].mu);
    }
    weft__delete(&memory, spectrum);
}

bool weft__spectrum_current(const weft__spectrum *spectrum)
{
    return spectrum->found && spectrum->revision == spectrum->learner->revision;
}

weft__chart *weft__spectrum_chart(weft__spectrum *spectrum, int side)
{
    return &spectrum->chart[spectrum->learner->compact->one_set ? 0 : side];
}

int64_t weft__spectrum_first(const weft__spectrum *spectrum, int side)
{
    return side == 0 ? 0 : spectrum->learner->compact->offset;
}

/* ---- A ---- */

/* The upper triangle of A. */
static void copy_matrix(const weft__compact *compact, weft__eigen *eigen)
{
    for (int64_t i = 0; i < eigen->n; i++)
        for (int64_t j = i; j < eigen->n; j++)
            eigen->vector[i * eigen->stride + j] = compact->factor * weft__compact_entry(compact, i, j);
}

static void weigh(weft__spectrum *spectrum)
{
    int64_t d = spectrum->eigen.n;
    const double *value = spectrum->eigen.value;
    double norm = fmax(fabs(value[0]), fabs(value[d - 1])), unit = (double)d * DBL_EPSILON;
    spectrum->top = value[d - 1];
    for (int64_t k = 0; k < d; k++)
        spectrum->weight[k] = weft__exp(value[k] - spectrum->top);
    double change = WEFT__EIGEN_ERROR * unit * norm + spectrum->learner->compact->drift;
    /* Finite, so that 0 times it is 0. */
    spectrum->error = fmin(weft__expm1(change) + FORMING * unit, DBL_MAX / 8);
}

/* Multiplications for the eigenvectors of a matrix of n rows. */
static double work_of(int64_t n)
{
    return 5 * (double)n * (double)n * (double)n;
}

static weft_status decompose(weft__spectrum *spectrum, weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__compact *compact = spectrum->learner->compact;
    spectrum->found = spectrum->chart[0].made = spectrum->chart[1].made = false;
    if (spectrum->eigen.vector == NULL)
        TRY(weft__eigen_create(&spectrum->memory, compact->d, &spectrum->eigen, error));
    if (spectrum->weight == NULL)
        TRY(weft__new(&spectrum->memory, compact->d, sizeof(double), &spectrum->weight, error));
    copy_matrix(compact, &spectrum->eigen);
    weft__progress_begin(progress, "decomposing what was learnt", work_of(compact->d));
    spectrum->eigen.progress = progress;
    status = weft__eigen_find(&spectrum->eigen, &spectrum->memory, &spectrum->found, error);
    spectrum->eigen.progress = NULL;
    if (status != WEFT_OK)
        goto done;
    if (spectrum->found)
        weigh(spectrum);
    spectrum->revision = spectrum->learner->revision;
done:
    return status;
}

/* ---- B ---- */

static weft_status furnish(const weft__spectrum *spectrum, int64_t size, weft__chart *chart,
                           weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t width = weft__padded(size);
    if (chart->vector == NULL)
        TRY(weft__new(&spectrum->memory, width * width, sizeof(double), &chart->vector, error));
    if (chart->mu == NULL)
        TRY(weft__new(&spectrum->memory, width + 1, sizeof(double), &chart->mu, error));
    chart->size = size;
    chart->width = width;
    chart->blocks = width / WEFT__LANES;
done:
    return status;
}

/* From eigenvalues that rise to mu that fall, 16 vectors side by side. */
static void draw(const weft__eigen *eigen, const double *value, weft__chart *chart)
{
    int64_t n = eigen->n;
    for (int64_t k = 0; k < n; k++) {
        const double *vector = eigen->vector + (n - 1 - k) * eigen->stride;
        double *to = chart->vector + k / WEFT__LANES * chart->width * WEFT__LANES + k % WEFT__LANES;
        chart->mu[k] = fmax(value[n - 1 - k], 0);
        for (int64_t i = 0; i < n; i++)
            to[i * WEFT__LANES] = vector[i];
    }
    chart->least = chart->mu[n - 1];
    chart->made = true;
}

/* B of one of two sides; of one set of ids it is all of F. */
static weft_status draw_part(weft__spectrum *spectrum, int side, weft__chart *chart, weft__progress *progress,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__eigen part = {0};
    TRY(weft__eigen_create(&spectrum->memory, chart->size, &part, error));
    weft__progress_begin(progress, "decomposing one side", work_of(chart->size));
    part.progress = progress;
    TRY(weft__eigen_compose(&spectrum->eigen, spectrum->weight, weft__spectrum_first(spectrum, side),
                            &spectrum->memory, &part, error));
    TRY(weft__eigen_find(&part, &spectrum->memory, &spectrum->found, error));
    if (spectrum->found)
        draw(&part, part.value, chart);
done:
    weft__eigen_release(&part, &spectrum->memory);
    return status;
}

weft_status weft__spectrum_fit(weft__spectrum *spectrum, int side, bool with_chart, weft__progress *progress,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__compact *compact = spectrum->learner->compact;
    weft__chart *chart = weft__spectrum_chart(spectrum, side);
    if (spectrum->revision != spectrum->learner->revision)
        TRY(decompose(spectrum, progress, error));
    TRY(furnish(spectrum, compact->side[side]->map.dimension, chart, error));
    if (!spectrum->found || !with_chart || chart->made)
        return WEFT_OK;
    if (compact->one_set)
        draw(&spectrum->eigen, spectrum->weight, chart);
    else
        TRY(draw_part(spectrum, side, chart, progress, error));
done:
    return status;
}

double weft__spectrum_act(const weft__spectrum *spectrum, const double *x, double *y)
{
    const weft__eigen *eigen = &spectrum->eigen;
    double form = 0;
    memset(y, 0, (size_t)eigen->stride * sizeof *y);
    for (int64_t k = 0; k < eigen->n; k++) {
        const double *v = eigen->vector + k * eigen->stride;
        double along = weft__dot(eigen->stride, v, x), weighted = spectrum->weight[k] * along;
        weft__add(eigen->stride, weighted, v, y);
        form += weighted * along;
    }
    return form;
}
