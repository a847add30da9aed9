/* SPDX-License-Identifier: MIT */
#include "learner/frozen.h"

#include "base/vector.h"

#include <string.h>

static void multiply_evidence(void *self, bool single, const double *x, double *y)
{
    const weft__operators *o = &((weft__frozen *)self)->learner->space->ground.operators;
    o->evidence(o->self, single, x, y);
}

/* y = (K + constant 11') x on the coordinates in use */
static double multiply_kernel(void *self, bool single, const double *x, double *y)
{
    const weft__frozen *frozen = self;
    const weft__operators *o = &frozen->learner->space->ground.operators;
    double square = o->kernel(o->self, single, x, y);
    if (frozen->constant != 0) {
        double sum = frozen->constant * weft__sum(o->n, x);
        for (int64_t s = 0; s < frozen->learner->space->view[0].count; s++)
            y[s] += sum;
    }
    return square;
}

weft_status weft__frozen_fit(weft__frozen *frozen, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *learner = frozen->learner;
    TRY(weft__learner_admit(learner, error));
    const weft__space *space = learner->space;
    const weft__view *view = &space->view[0];
    int64_t n = space->ground.operators.n;
    if (n > frozen->capacity) {
        TRY(weft__resize(&learner->player.memory, &frozen->image, 0, n, sizeof(double), error));
        frozen->capacity = n;
    }
    frozen->operators = space->ground.operators;
    frozen->operators.self = frozen;
    frozen->operators.evidence = multiply_evidence;
    frozen->operators.kernel = multiply_kernel;
    frozen->operators.mixed = false;
    frozen->constant = space->one_set ? view->scale * view->constant - view->added : 0;
    frozen->b = weft__bound_value(&learner->bound);
done:
    return status;
}

void weft__frozen_release(weft__frozen *frozen)
{
    weft__delete(&frozen->learner->player.memory, frozen->image);
}

weft__view *weft__frozen_view(const weft__frozen *frozen, int side)
{
    weft__space *space = frozen->learner->space;
    return side == 0 ? &space->view[0] : weft__space_columns(space);
}

double weft__frozen_diagonal(const weft__frozen *frozen, int side, int64_t id)
{
    return weft__view_diagonal(weft__frozen_view(frozen, side), id) + frozen->constant;
}

int64_t weft__frozen_offset(const weft__frozen *frozen, int side)
{
    return side == 0 ? 0 : frozen->learner->space->exponent.offset;
}

int64_t weft__frozen_place(const weft__frozen *frozen, int side, int64_t id)
{
    int64_t slot = weft__view_slot(weft__frozen_view(frozen, side), id);
    return slot < 0 ? -1 : weft__frozen_offset(frozen, side) + slot;
}

void weft__frozen_column(const weft__frozen *frozen, int side, int64_t id, double *out)
{
    weft__space *space = frozen->learner->space;
    const weft__view *view = weft__frozen_view(frozen, side);
    double *own = out + weft__frozen_offset(frozen, side);
    memset(out, 0, (size_t)space->ground.operators.n * sizeof *out);
    weft__view_add_column(view, 1, id, space->work, own);
    if (frozen->constant != 0)
        for (int64_t s = 0; s < view->count; s++)
            own[s] += frozen->constant;
}

weft__start weft__frozen_embed(weft__frozen *frozen, int side, int64_t id)
{
    int64_t place = weft__frozen_place(frozen, side, id);
    weft__frozen_column(frozen, side, id, frozen->image);
    return (weft__start){.image = frozen->image,
                         .square = weft__frozen_diagonal(frozen, side, id),
                         .cancellation = 1 + weft__frozen_view(frozen, side)->side->blur,
                         .inside = place >= 0,
                         .at = {place, place},
                         .value = {1, 0}};
}

void weft__frozen_mend(weft__frozen *frozen)
{
    weft__learner *learner = frozen->learner;
    int64_t products = 0;
    weft__bound bound = weft__space_bound(learner->space, learner->form->raising, learner->work, &products);
    frozen->b = weft__bound_value(&bound);
}

weft_status weft__frozen_advance(weft__frozen *frozen, weft__sequence *sequence, const weft__start *start,
                                 bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (sequence->whole)
        TRY(weft__sequence_widen(sequence, &frozen->learner->player.memory, error));
    *more = weft__sequence_advance(sequence);
    if (sequence->bracket.contradiction && sequence->b == frozen->b) {
        weft__frozen_mend(frozen);
        if (sequence->b != frozen->b) {
            weft__sequence_begin(sequence, &frozen->operators, start, frozen->b);
            *more = true;
        }
    } else if (sequence->bracket.contradiction) {
        *more = false;
    }
done:
    return status;
}
