/* SPDX-License-Identifier: MIT */
#include "learner/rank/snapshot.h"

#include "base/vector.h"

#include <string.h>

static void multiply_evidence(void *self, bool single, const double *x, double *y)
{
    const weft__operators *o = &((weft__snapshot *)self)->learner->space->backend.operators;
    o->evidence(o->self, single, x, y);
}

/* y = (K + constant 11') x on the coordinates in use */
static double multiply_kernel(void *self, bool single, const double *x, double *y)
{
    const weft__snapshot *snapshot = self;
    const weft__operators *o = &snapshot->learner->space->backend.operators;
    double square = o->kernel(o->self, single, x, y);
    if (snapshot->constant != 0) {
        double sum = snapshot->constant * weft__sum(o->n, x);
        for (int64_t s = 0; s < snapshot->learner->space->view[0].count; s++)
            y[s] += sum;
    }
    return square;
}

weft_status weft__snapshot_fit(weft__snapshot *snapshot, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *learner = snapshot->learner;
    TRY(weft__learner_admit(learner, (const int64_t[]){-1, -1}, error));
    const weft__space *space = learner->space;
    const weft__working_set *view = &space->view[0];
    int64_t n = space->backend.operators.n;
    if (n > snapshot->capacity) {
        TRY(weft__resize(&learner->player.memory, &snapshot->image, 0, n, sizeof(double), error));
        snapshot->capacity = n;
    }
    snapshot->operators = space->backend.operators;
    snapshot->operators.self = snapshot;
    snapshot->operators.evidence = multiply_evidence;
    snapshot->operators.kernel = multiply_kernel;
    snapshot->operators.mixed = false;
    snapshot->constant = space->one_set ? view->scale * view->constant - view->added : 0;
    snapshot->b = weft__spectral_bound_value(&learner->bound);
done:
    return status;
}

void weft__snapshot_release(weft__snapshot *snapshot)
{
    weft__delete(&snapshot->learner->player.memory, snapshot->image);
}

weft__working_set *weft__snapshot_view(const weft__snapshot *snapshot, int side)
{
    weft__space *space = snapshot->learner->space;
    return side == 0 ? &space->view[0] : weft__space_columns(space);
}

double weft__snapshot_diagonal(const weft__snapshot *snapshot, int side, int64_t id)
{
    return weft__working_set_diagonal(weft__snapshot_view(snapshot, side), id) + snapshot->constant;
}

int64_t weft__snapshot_offset(const weft__snapshot *snapshot, int side)
{
    return side == 0 ? 0 : snapshot->learner->space->exponent.offset;
}

int64_t weft__snapshot_place(const weft__snapshot *snapshot, int side, int64_t id)
{
    int64_t slot = weft__working_set_slot(weft__snapshot_view(snapshot, side), id);
    return slot < 0 ? -1 : weft__snapshot_offset(snapshot, side) + slot;
}

void weft__snapshot_column(const weft__snapshot *snapshot, int side, int64_t id, double *out)
{
    weft__space *space = snapshot->learner->space;
    const weft__working_set *view = weft__snapshot_view(snapshot, side);
    double *own = out + weft__snapshot_offset(snapshot, side);
    memset(out, 0, (size_t)space->backend.operators.n * sizeof *out);
    weft__working_set_add_column(view, 1, id, space->work, own);
    if (snapshot->constant != 0)
        for (int64_t s = 0; s < view->count; s++)
            own[s] += snapshot->constant;
}

weft__start weft__snapshot_embed(weft__snapshot *snapshot, int side, int64_t id)
{
    int64_t place = weft__snapshot_place(snapshot, side, id);
    weft__snapshot_column(snapshot, side, id, snapshot->image);
    return (weft__start){.image = snapshot->image,
                         .square = weft__snapshot_diagonal(snapshot, side, id),
                         .cancellation = 1 + weft__snapshot_view(snapshot, side)->side->blur,
                         .inside = place >= 0,
                         .at = {place, place},
                         .value = {1, 0}};
}

void weft__snapshot_mend(weft__snapshot *snapshot)
{
    weft__learner *learner = snapshot->learner;
    int64_t products = 0;
    weft__spectral_bound bound =
        weft__space_bound(learner->space, learner->form->raising, learner->work, &products);
    snapshot->b = weft__spectral_bound_value(&bound);
}

weft_status weft__snapshot_advance(weft__snapshot *snapshot, weft__sequence *sequence,
                                   const weft__start *start, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (sequence->whole)
        TRY(weft__sequence_widen(sequence, &snapshot->learner->player.memory, error));
    *more = weft__sequence_advance(sequence);
    if (sequence->bracket.contradiction && sequence->b == snapshot->b) {
        weft__snapshot_mend(snapshot);
        if (sequence->b != snapshot->b) {
            weft__sequence_begin(sequence, &snapshot->operators, start, snapshot->b);
            *more = true;
        }
    } else if (sequence->bracket.contradiction) {
        *more = false;
    }
done:
    return status;
}
