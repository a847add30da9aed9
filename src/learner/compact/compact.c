/* SPDX-License-Identifier: MIT
 *
 * Method.  x'exp(A)x by Lanczos sequences, as everywhere: here K = I, and C is A itself, so that
 * time and memory of a trial depend on d alone.  A is kept in double precision and, for
 * the first steps of a sequence, in single.
 *
 * Evidence that fades multiplies A by a factor a trial.  The factor is kept apart and new
 * evidence divided by it; it is multiplied in, which costs d^2, when it has become small.
 *
 * Cost: d^2 / 2 multiplications a product; the same, and as many stores, an update; 20 d^2 bytes,
 * with a floor 36. */
#include "learner/compact/compact.h"

#include "base/elementary.h"
#include "base/vector.h"
#include "linalg/eigen.h"
#include "side/map/map.h"
#include "spectral/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Smaller factors are multiplied in. */
static const double SMALLEST_FACTOR = 0x1p-30;

static weft__compact *view_of(weft__backend *backend)
{
    return (weft__compact *)backend;
}

/* ---- Products ---- */

static void multiply_single(const weft__compact *compact, const double *x, double *y)
{
    int64_t n = compact->backend.operators.n;
    double unit = weft__magnitude(n, x);
    weft__narrow(n, 1 / unit, x, compact->narrow_x);
    weft__multiply_symmetric_single((weft__block_single){compact->single, n, n, n}, compact->narrow_x,
                                    compact->narrow_y);
    memset(y, 0, (size_t)n * sizeof *y);
    weft__widen(n, unit * compact->factor, compact->narrow_y, y);
}

/* y = A x */
static void multiply(void *self, bool single, const double *x, double *y)
{
    const weft__compact *compact = self;
    int64_t n = compact->backend.operators.n;
    if (single) {
        multiply_single(compact, x, y);
        return;
    }
    weft__multiply_symmetric_double((weft__block_double){compact->a, n, n, n}, x, y);
    if (compact->factor != 1)
        weft__scale_vector(n, compact->factor, y, y);
}

/* y = I x */
static double keep(void *self, bool single, const double *x, double *y)
{
    (void)single;
    memcpy(y, x, (size_t)((weft__compact *)self)->backend.operators.n * sizeof *y);
    return 0;
}

/* ---- Pairs as vectors ---- */

static const char *name_of(const weft__compact *compact, int k)
{
    return compact->one_set ? "id" : k == 0 ? "row" : "column";
}

static weft_status check(const weft__backend *backend, const int64_t pair[2], weft_error *error)
{
    const weft__compact *compact = (const weft__compact *)backend;
    for (int k = 0; k < 2; k++)
        if (!weft__map_fits(compact->side[k], pair[k]))
            return weft__map_fail(compact->side[k], name_of(compact, k), pair[k], error);
    return WEFT_OK;
}

/* Features were looked at when the side was made. */
static weft_status check_new(const weft__backend *backend, const int64_t pair[2], weft_error *error)
{
    (void)backend;
    (void)pair;
    (void)error;
    return WEFT_OK;
}

static weft_status reserve(weft__backend *backend, const int64_t pair[2], bool *moved, weft_error *error)
{
    (void)backend;
    (void)pair;
    (void)error;
    *moved = false;
    return WEFT_OK;
}

/* The features of a pair, unless they are those that are there. */
static void load(weft__compact *compact, const int64_t pair[2])
{
    for (int k = 0; k < 2; k++) {
        double *phi = compact->feature[k], square = 0;
        int64_t dimension = compact->side[k]->map.dimension;
        if (compact->pair[k] == pair[k])
            continue;
        weft__map_features(compact->side[k], pair[k], phi);
        for (int64_t i = 0; i < dimension; i++) {
            phi[i] *= compact->scale[k];
            square += phi[i] * phi[i];
        }
        compact->norm[k] = square;
        compact->pair[k] = pair[k];
    }
}

static void squares(weft__backend *backend, const int64_t pair[2], double square[2])
{
    weft__compact *compact = view_of(backend);
    load(compact, pair);
    square[0] = compact->norm[0];
    square[1] = compact->norm[1];
}

/* K = I: the image of a vector is the vector. */
static weft__start embed(weft__backend *backend, const int64_t pair[2], const double value[2], double *image)
{
    weft__compact *compact = view_of(backend);
    int64_t n = backend->operators.n;
    double whole = 0;
    load(compact, pair);
    memset(image, 0, (size_t)n * sizeof *image);
    for (int k = 0; k < 2; k++) {
        double *own = image + (k == 0 ? 0 : compact->offset);
        for (int64_t i = 0; i < compact->side[k]->map.dimension; i++)
            own[i] += value[k] * compact->feature[k][i];
        whole += value[k] * value[k] * compact->norm[k];
    }
    double square = weft__dot(n, image, image);
    /* Rounding moves x by delta |x|, delta about 2 eps sqrt(whole / square), and log |x|^2 by twice
     * log(1 + delta). */
    double delta = square > 0 ? 2 * DBL_EPSILON * sqrt(whole / square) : 0;
    return (weft__start){.image = image,
                         .square = square,
                         .cancellation = fmax(weft__log1p(delta) / (2 * DBL_EPSILON), 1),
                         .inside = true,
                         .vector = image};
}

/* ---- What is learnt ---- */

static void weigh(weft__compact *compact)
{
    weft__scale_vector(compact->backend.operators.n, compact->factor * compact->factor, compact->square,
                       compact->weight);
    compact->backend.operators.drift = compact->drift;
}

/* Every entry of a has just been rounded, and before it what was added, c |x|^2 in norm. */
static void add_drift(weft__compact *compact, double added)
{
    double norm = sqrt(weft__sum(compact->backend.operators.n, compact->square));
    compact->drift += 2 * DBL_EPSILON * (compact->factor * norm + fabs(added));
}

static void tell(weft__backend *backend, const weft__telling *telling)
{
    weft__compact *compact = view_of(backend);
    for (int v = 0; v < telling->vectors; v++) {
        weft__update_symmetric(backend->operators.n, telling->coefficient[v] / compact->factor,
                               telling->start[v].image, compact->a, compact->single, compact->square);
        add_drift(compact, telling->coefficient[v] * telling->start[v].square);
    }
    weigh(compact);
}

/* Every entry that is kept of row i, from its block on the diagonal on. */
static int64_t first_of_row(int64_t i)
{
    return i / WEFT__LANES * WEFT__LANES;
}

/* `single` and `square` from a: what an update by nothing would leave. */
static void describe(weft__compact *compact)
{
    int64_t n = compact->backend.operators.n;
    memset(compact->feature[0], 0, (size_t)n * sizeof(double));
    compact->pair[0] = -1;
    weft__update_symmetric(n, 0, compact->feature[0], compact->a, compact->single, compact->square);
    weigh(compact);
}

void weft__compact_multiply_in(weft__compact *compact)
{
    int64_t n = compact->backend.operators.n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = first_of_row(i); j < n; j++)
            compact->a[i * n + j] *= compact->factor;
    compact->factor = 1;
    describe(compact);
    add_drift(compact, 0);
    weigh(compact);
}

static void shrink(weft__backend *backend, double factor)
{
    weft__compact *compact = view_of(backend);
    compact->factor *= factor;
    compact->drift *= factor;
    if (compact->factor < SMALLEST_FACTOR)
        weft__compact_multiply_in(compact);
    else
        weigh(compact);
}

void weft__compact_copy(const weft__compact *from, weft__compact *to)
{
    int64_t n = from->backend.operators.n;
    memcpy(to->a, from->a, (size_t)(n * n) * sizeof *to->a);
    weft__compact_settle(to, from->factor, from->drift);
}

/* compact->copy has room for more than two vectors of features. */
bool weft__compact_alike(weft__compact *a, const weft__compact *b)
{
    bool alike = a->one_set == b->one_set && a->d == b->d && a->offset == b->offset;
    for (int k = 0; k < 2 && alike; k++)
        alike = a->scale[k] == b->scale[k] && weft__map_equal(a->side[k], b->side[k], a->copy);
    return alike;
}

void weft__compact_add(weft__compact *compact, const weft__compact *other)
{
    weft__compact_multiply_in(compact);
    for (int64_t i = 0; i < compact->d; i++)
        for (int64_t j = i; j < compact->d; j++)
            weft__compact_set(compact, i, j,
                              weft__compact_entry(compact, i, j) +
                                  other->factor * weft__compact_entry(other, i, j));
    weft__compact_settle(compact, 1, compact->drift + other->drift);
    add_drift(compact, other->factor * sqrt(weft__sum(other->backend.operators.n, other->square)));
    weft__compact_hold(compact);
    weigh(compact);
}

double weft__compact_entry(const weft__compact *compact, int64_t i, int64_t j)
{
    return compact->a[i * compact->backend.operators.n + j];
}

void weft__compact_set(weft__compact *compact, int64_t i, int64_t j, double value)
{
    int64_t n = compact->backend.operators.n;
    compact->a[i * n + j] = value;
    if (j < first_of_row(i) + WEFT__LANES)
        compact->a[j * n + i] = value;
}

void weft__compact_settle(weft__compact *compact, double factor, double drift)
{
    compact->factor = factor;
    compact->drift = drift;
    describe(compact);
}

static weft__spectral_bound bound(weft__backend *backend, int raising, double *work, int64_t *products)
{
    (void)raising;
    (void)work;
    (void)products;
    return weft__compact_bound(view_of(backend));
}

static void tighten(weft__backend *backend, int64_t updates, weft__spectral_bound *bound)
{
    weft__compact_tighten(view_of(backend), updates, bound);
}

/* ---- Making one ---- */

static void release(weft__backend *backend)
{
    weft__compact *compact = view_of(backend);
    weft_memory memory = backend->memory;
    void *owned[] = {compact->a,          compact->single,   compact->square,   compact->weight,
                     compact->diagonal,   compact->narrow_x, compact->narrow_y, compact->feature[0],
                     compact->feature[1], compact->copy,     compact->value,    compact->room};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&memory, owned[k]);
    weft__delete(&memory, compact);
}

static const weft__backend_ops table = {check, check_new, reserve, squares, embed,  NULL,
                                        tell,  tighten,   shrink,  bound,   release};

static weft_status check_dimensions(const weft__compact_plan *plan, weft_error *error)
{
    const weft_side *side[2] = {plan->rows, plan->columns};
    int64_t d = 0;
    for (int k = 0; k < 2 && side[k] != NULL; k++) {
        if (side[k]->map.dimension == 0)
            return weft__fail(
                error, WEFT_ARGUMENT,
                "the compact engine needs finite features of the %s, and %s has none: give it a "
                "map",
                plan->columns == NULL ? "ids"
                : k == 0              ? "rows"
                                      : "columns",
                side[k]->ops->name);
        d += side[k]->map.dimension;
    }
    if (d > WEFT_MAP_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT,
                          "the features of rows and columns have %lld coordinates, expected at most %d",
                          (long long)d, WEFT_MAP_LIMIT);
    return WEFT_OK;
}

/* The scale of K: 1/(2R) a side, 1/(4R) for one set, where a constant part cancels. */
static void scale_features(weft__compact *compact)
{
    for (int k = 0; k < 2; k++) {
        const weft_side *side = compact->side[k];
        double radius = side->radius;
        if (compact->one_set && !side->radius_given)
            radius -= side->constant;
        compact->scale[k] = sqrt(1 / ((compact->one_set ? 4 : 2) * radius));
        compact->pair[k] = -1;
    }
}

int64_t weft__compact_room(int64_t d, bool floor)
{
    int64_t eigen = weft__eigen_room(d, floor), squares = d * weft__padded(d) + weft__eigen_squares_work(d);
    return floor && squares > eigen ? squares : eigen;
}

static weft_status furnish(weft__compact *compact, bool mixed, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &compact->backend.memory;
    int64_t n = weft__padded(compact->d);
    double **vectors[] = {&compact->square, &compact->weight,     &compact->diagonal,
                          &compact->value,  &compact->feature[0], &compact->feature[1]};
    TRY(weft__new(memory, n * n, sizeof(double), &compact->a, error));
    TRY(weft__new(memory, n * n, sizeof(float), &compact->single, error));
    TRY(weft__new(memory, n * n, sizeof(double), &compact->copy, error));
    TRY(weft__new(memory, weft__compact_room(compact->d, compact->floor > 0), sizeof(double), &compact->room,
                  error));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        TRY(weft__new(memory, n, sizeof(double), vectors[k], error));
    TRY(weft__new(memory, n, sizeof(float), &compact->narrow_x, error));
    TRY(weft__new(memory, n, sizeof(float), &compact->narrow_y, error));
    for (int64_t i = 0; i < compact->d; i++)
        compact->diagonal[i] = 1;
    compact->factor = 1;
    compact->backend.dimensions = compact->d;
    compact->backend.operators = (weft__operators){.n = n,
                                                   .coordinates = compact->d,
                                                   .self = compact,
                                                   .evidence = multiply,
                                                   .kernel = keep,
                                                   .weight = compact->weight,
                                                   .diagonal = compact->diagonal,
                                                   .mixed = mixed};
done:
    return status;
}

weft_status weft__compact_create(const weft__compact_plan *plan, const weft_memory *memory,
                                 weft__compact **compact, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__compact *self = NULL;
    TRY(check_dimensions(plan, error));
    TRY(weft__new(memory, 1, sizeof *self, &self, error));
    self->backend = (weft__backend){.ops = &table, .memory = *memory};
    self->one_set = plan->columns == NULL;
    self->side[0] = plan->rows;
    self->side[1] = self->one_set ? plan->rows : plan->columns;
    self->offset = self->one_set ? 0 : plan->rows->map.dimension;
    self->d = self->offset + self->side[1]->map.dimension;
    self->floor = plan->floor;
    scale_features(self);
    TRY(furnish(self, plan->mixed, error));
    *compact = self;
    self = NULL;
done:
    if (self != NULL)
        release(&self->backend);
    return status;
}
