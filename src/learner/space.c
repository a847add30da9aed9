/* SPDX-License-Identifier: MIT */
#include "learner/space.h"

#include "base/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void multiply_evidence(void *self, bool single, const double *x, double *y)
{
    weft__space *space = self;
    weft__evidence_multiply(&space->evidence, &space->exponent, single, x, y);
}

static double multiply_kernel(void *self, bool single, const double *x, double *y)
{
    weft__space *space = self;
    int64_t offset = space->exponent.offset;
    memset(y, 0, (size_t)space->exponent.n * sizeof *y);
    double square = weft__working_set_multiply(&space->view[0], single, x, y);
    if (!space->one_set)
        square += weft__working_set_multiply(&space->view[1], single, x + offset, y + offset);
    return square;
}

weft__working_set *weft__space_columns(weft__space *space)
{
    return &space->view[space->one_set ? 0 : 1];
}

/* weight and diagonal of one slot: sum_j C_ij^2 = eta^2 (sum_j G_ij^2 + d^2 degree_i^2) */
static void describe(weft__space *space, int side, int64_t slot)
{
    int64_t at = (side == 0 ? 0 : space->exponent.offset) + slot;
    double eta = space->exponent.eta, d = space->exponent.diagonal;
    space->weight[at] = 0;
    space->diagonal[at] = space->view[side].diagonal[slot];
    if (slot < space->evidence.places[side]) {
        double degree = d * space->evidence.degree[side][slot];
        space->weight[at] = eta * eta * (fmax(space->evidence.square[side][slot], 0) + degree * degree);
    }
}

static void describe_all(weft__space *space)
{
    memset(space->weight, 0, (size_t)space->capacity * sizeof *space->weight);
    memset(space->diagonal, 0, (size_t)space->capacity * sizeof *space->diagonal);
    for (int side = 0; side < (space->one_set ? 1 : 2); side++)
        for (int64_t slot = 0; slot < space->view[side].count; slot++)
            describe(space, side, slot);
}

/* The operators keep weight and diagonal as they are where this fails. */
static weft_status grow(weft__space *space, int64_t n, weft_error *error)
{
    weft_status status = WEFT_OK;
    double *fresh[3] = {NULL, NULL, NULL};
    double **place[3] = {&space->weight, &space->diagonal, &space->work};
    for (int k = 0; k < 3; k++)
        TRY(weft__new(&space->backend.memory, n, sizeof(double), &fresh[k], error));
    for (int k = 0; k < 3; k++) {
        double *old = *place[k];
        *place[k] = fresh[k];
        fresh[k] = old;
    }
    space->capacity = n;
done:
    for (int k = 0; k < 3; k++)
        weft__delete(&space->backend.memory, fresh[k]);
    return status;
}

/* Follows the capacities of the views. */
static weft_status lay_out(weft__space *space, bool *moved, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t offset = space->one_set ? 0 : space->view[0].capacity;
    int64_t n = offset + weft__space_columns(space)->capacity;
    *moved = offset != space->exponent.offset || n != space->exponent.n;
    if (!*moved)
        return WEFT_OK;
    if (n > space->capacity)
        TRY(grow(space, n, error));
    space->exponent.offset = offset;
    space->exponent.n = n;
    space->backend.operators.n = n;
    space->backend.operators.weight = space->weight;
    space->backend.operators.diagonal = space->diagonal;
    describe_all(space);
done:
    return status;
}

/* The scale of K: 1/(2R) a side, 1/(4R) for one set, where the constant part of
 * the kernel cancels and R is that of what is left. */
static void scale_views(weft__space *space, const weft__space_plan *plan)
{
    const weft_side *sides[2] = {plan->rows, plan->columns};
    for (int side = 0; side < 2 && sides[side] != NULL; side++) {
        double radius = sides[side]->radius, constant = sides[side]->constant;
        if (space->one_set && !sides[side]->radius_given)
            radius -= constant;
        space->view[side].scale = 1 / ((space->one_set ? 4 : 2) * radius);
        bool cancels = space->one_set && !plan->keep_constant;
        space->view[side].added = cancels ? 0 : space->view[side].scale * constant;
    }
}

/* ---- As the protocol sees it ---- */

static weft__space *view_of(weft__backend *backend)
{
    return (weft__space *)backend;
}

static weft_status check(const weft__backend *backend, const int64_t pair[2], weft_error *error)
{
    (void)backend;
    (void)pair;
    (void)error;
    return WEFT_OK;
}

static weft_status check_column(const weft__working_set *view, int64_t id, weft_error *error)
{
    if (weft__working_set_slot(view, id) >= 0)
        return WEFT_OK;
    return weft__side_check_column(view->side, id, view->ids, view->count, error);
}

static weft_status check_new(const weft__backend *backend, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__space *space = (const weft__space *)backend;
    TRY(check_column(&space->view[0], pair[0], error));
    TRY(check_column(&space->view[space->one_set ? 0 : 1], pair[1], error));
    /* One set: neither may be touched yet, and then they have not met. */
    if (space->one_set)
        TRY(weft__side_check_column(space->view[0].side, pair[1], &pair[0], 1, error));
done:
    return status;
}

static weft_status reserve(weft__backend *backend, const int64_t pair[2], bool *moved, weft_error *error)
{
    return weft__space_reserve(view_of(backend), pair[0], pair[1], moved, error);
}

static void squares(weft__backend *backend, const int64_t pair[2], double square[2])
{
    weft__space *space = view_of(backend);
    square[0] = weft__working_set_diagonal(&space->view[0], pair[0]);
    square[1] = weft__working_set_diagonal(weft__space_columns(space), pair[1]);
}

static weft__start embed(weft__backend *backend, const int64_t pair[2], const double value[2], double *image)
{
    return weft__space_embed(view_of(backend), pair, value, image);
}

static int64_t is_new(const weft__working_set *view, int64_t id)
{
    return id >= 0 && weft__working_set_slot(view, id) < 0;
}

static int64_t count_new(const weft__backend *backend, const int64_t pair[2])
{
    const weft__space *space = (const weft__space *)backend;
    if (!space->unbounded || (space->one_set && pair[0] == pair[1]))
        return 0;
    return is_new(&space->view[0], pair[0]) + is_new(&space->view[space->one_set ? 0 : 1], pair[1]);
}

/* G(row, column) += label */
static void tell(weft__backend *backend, const weft__telling *telling)
{
    weft__space_add(view_of(backend), telling->pair[0], telling->pair[1], telling->label);
}

/* The evidence knows of nothing sharper than its updates. */
static void tighten(weft__backend *backend, int64_t updates, weft__spectral_bound *bound)
{
    (void)backend;
    (void)updates;
    (void)bound;
}

static weft__spectral_bound bound(weft__backend *backend, int raising, double *work, int64_t *products)
{
    return weft__space_bound(view_of(backend), raising, work, products);
}

static void release(weft__backend *backend)
{
    weft__space_free(view_of(backend));
}

static const weft__backend_ops table = {check, check_new, reserve, squares, embed,  count_new,
                                        tell,  tighten,   NULL,    bound,   release};

/* ---- Making one ---- */

/* Memory for two Lanczos sequences over all slots, and for the array of their vectors, which is there twice
 * while it grows: as many vectors as trials take. */
static void leave_memory(weft__working_set *view)
{
    enum { NEW_SLOT_BYTES = 1536, SLOT_BYTES = 512 };
    view->new_slot_bytes = NEW_SLOT_BYTES;
    view->slot_bytes = SLOT_BYTES;
}

static weft_status furnish(weft__space *space, const weft__space_plan *plan, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool moved = false;
    /* A solve is in double and takes far longer than anything else: none is for trying. */
    bool solves = plan->rows->blur > 0 || (plan->columns != NULL && plan->columns->blur > 0);
    bool mixed = plan->mixed && !solves;
    space->view[0].memory = space->view[1].memory = space->backend.memory;
    weft__evidence_create(&space->evidence, space->one_set, &space->backend.memory);
    space->exponent = (weft__exponent){.eta = plan->eta, .diagonal = plan->diagonal, .offset = -1};
    space->backend.operators = (weft__operators){
        .self = space, .evidence = multiply_evidence, .kernel = multiply_kernel, .mixed = mixed};
    TRY(weft__working_set_create(&space->view[0], plan->rows, mixed, &space->backend.memory, error));
    if (!space->one_set)
        TRY(weft__working_set_create(&space->view[1], plan->columns, mixed, &space->backend.memory, error));
    scale_views(space, plan);
    leave_memory(&space->view[0]);
    leave_memory(&space->view[1]);
    TRY(weft__evidence_reserve(&space->evidence, 1, 1, error));
    TRY(lay_out(space, &moved, error));
done:
    return status;
}

weft_status weft__space_create(const weft__space_plan *plan, const weft_memory *memory, weft__space **space,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__space *self = NULL;
    weft_memory hook = weft__memory_or_default(memory);
    TRY(weft__new(&hook, 1, sizeof *self, &self, error));
    self->backend.ops = &table;
    self->backend.memory = hook;
    self->backend.dimensions = plan->dimensions > 0 ? plan->dimensions : 1;
    self->unbounded = plan->dimensions == 0;
    self->one_set = plan->columns == NULL;
    TRY(furnish(self, plan, error));
    *space = self;
    return WEFT_OK;
done:
    weft__space_free(self);
    return status;
}

void weft__space_free(weft__space *space)
{
    if (space == NULL)
        return;
    weft_memory memory = space->backend.memory;
    space->view[0].memory = space->view[1].memory = space->evidence.memory = memory;
    weft__working_set_free(&space->view[0]);
    weft__working_set_free(&space->view[1]);
    weft__evidence_free(&space->evidence);
    weft__thread_pool_free(space->pool);
    weft__delete(&memory, space->weight);
    weft__delete(&memory, space->diagonal);
    weft__delete(&memory, space->work);
    weft__delete(&memory, space);
}

weft_status weft__space_staff(weft__space *space, int threads, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__thread_pool *pool = NULL;
    if (threads > 1)
        TRY(weft__thread_pool_create(threads, &space->backend.memory, &pool, error));
    weft__thread_pool_free(space->pool);
    space->pool = space->evidence.pool = space->view[0].pool = space->view[1].pool = pool;
done:
    return status;
}

weft_status weft__space_reserve(weft__space *space, int64_t row, int64_t column, bool *moved,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__working_set *rows = &space->view[0], *columns = weft__space_columns(space);
    int64_t more[2] = {is_new(rows, row), is_new(columns, column)};
    /* One set: a pair may touch two ids of the one view. */
    if (space->one_set)
        more[0] = more[1] = more[0] + more[1];
    TRY(weft__working_set_reserve(rows, more[0], row, error));
    TRY(weft__working_set_reserve(columns, more[1], column, error));
    TRY(weft__evidence_reserve(&space->evidence, rows->count + more[0], columns->count + more[1], error));
    TRY(lay_out(space, moved, error));
done:
    return status;
}

static int64_t touch(weft__space *space, int side, int64_t id)
{
    int64_t slot = weft__working_set_touch(&space->view[side], id);
    describe(space, side, slot);
    space->backend.operators.coordinates = space->view[0].count + space->view[1].count;
    if (space->unbounded)
        space->backend.dimensions = space->backend.operators.coordinates + 1;
    return slot;
}

void weft__space_touch(weft__space *space, int64_t row, int64_t column)
{
    if (row >= 0)
        touch(space, 0, row);
    if (column >= 0)
        touch(space, space->one_set ? 0 : 1, column);
}

void weft__space_add(weft__space *space, int64_t row, int64_t column, int64_t count)
{
    int other = space->one_set ? 0 : 1;
    if (space->one_set && row == column)
        return;
    int64_t a = touch(space, 0, row), b = touch(space, other, column);
    weft__evidence_add(&space->evidence, a, b, count);
    describe(space, 0, a);
    describe(space, other, b);
}

/* e'Ke = v0^2 K_ii + v1^2 K_jj for two sides. */
static double square_of_sum(weft__space *space, const int64_t pair[2], const double value[2])
{
    return value[0] * value[0] * weft__working_set_diagonal(&space->view[0], pair[0]) +
           value[1] * value[1] * weft__working_set_diagonal(weft__space_columns(space), pair[1]);
}

/* For one set e = e_i - e_j, and e'Ke = (K_ii - K_ij) + (K_jj - K_ij) from the
 * kernel as it was given: nearly equal ids leave little, but that exactly.  *lost is what is not known of
 * it, in units of u, where the entry could not be found (side/graph/iterative.c). */
static double square_of_difference(weft__space *space, const int64_t pair[2], double *lost)
{
    const weft_side *side = space->view[0].side;
    double across = 0;
    bool made =
        side->blur > 0 && weft__column_cache_read_entry(space->view[0].cache, pair[0], pair[1], &across);
    if (!made)
        across = side->ops->entry(side, pair[0], pair[1], space->view[0].work);
    double own[2] = {side->ops->diagonal(side, pair[0]), side->ops->diagonal(side, pair[1])};
    bool found = !isnan(across);
    double rest = (own[0] - across) + (own[1] - across);
    /* As far apart as can be, and no digit of it is known. */
    if (!found)
        rest = 2 * (own[0] + own[1]);
    double square = pair[0] != pair[1] && rest > 0 ? space->view[0].scale * rest : 0;
    *lost = found ? 0 : 10 / DBL_EPSILON * square;
    return square;
}

/* What solving got wrong of e'K'e, in units of u: |e'E e| <= 2 sum_i value_i^2 S_i, S_i = blur K'_ii. */
static double blur_of(weft__space *space, const int64_t pair[2], const double value[2])
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const weft__working_set *view = k == 0 ? &space->view[0] : weft__space_columns(space);
        if (view->side->blur > 0)
            sum += 2 * value[k] * value[k] * view->side->blur *
                   (weft__working_set_diagonal(view, pair[k]) - view->added);
    }
    return sum;
}

double weft__space_square(weft__space *space, const int64_t pair[2], const double value[2])
{
    double lost = 0;
    return space->one_set ? square_of_difference(space, pair, &lost) : square_of_sum(space, pair, value);
}

weft__start weft__space_embed(weft__space *space, const int64_t pair[2], const double value[2], double *image)
{
    weft__working_set *columns = weft__space_columns(space);
    int64_t offset = space->exponent.offset;
    int64_t a = weft__working_set_slot(&space->view[0], pair[0]),
            b = weft__working_set_slot(columns, pair[1]);
    memset(image, 0, (size_t)space->exponent.n * sizeof *image);
    weft__working_set_add_column(&space->view[0], value[0], pair[0], space->work, image);
    weft__working_set_add_column(columns, value[1], pair[1], space->work, image + offset);
    double lost = 0, square = space->one_set ? square_of_difference(space, pair, &lost)
                                             : square_of_sum(space, pair, value);
    double left_of = square_of_sum(space, pair, value) + blur_of(space, pair, value) + lost;
    return (weft__start){.image = image,
                         .square = square,
                         .cancellation = square > 0 ? left_of / square : 1,
                         .inside = a >= 0 && b >= 0,
                         .at = {a, offset + b},
                         .value = {value[0], value[1]}};
}
