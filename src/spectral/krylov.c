/* SPDX-License-Identifier: MIT
 *
 * The engine that evaluates quadratic forms by Lanczos sequences.  Its state is
 * the evidence itself, so an update costs nothing. */
#include "spectral/sequence.h"

typedef struct krylov {
    weft__spectral_engine base;
    const weft__operators *operators;
    weft__sequence sequence[2];
} krylov;

static weft_status prepare(weft__spectral_engine *engine, const weft__operators *operators, weft_error *error)
{
    krylov *self = (krylov *)engine;
    weft_status status = WEFT_OK;
    for (int which = 0; which < 2; which++)
        TRY(weft__sequence_reserve(&self->sequence[which], &engine->memory, operators->n, error));
    self->operators = operators;
done:
    return status;
}

static void begin(weft__spectral_engine *engine, int which, const weft__start *start, double b)
{
    krylov *self = (krylov *)engine;
    weft__sequence_begin(&self->sequence[which], self->operators, start, b);
}

static bool advance(weft__spectral_engine *engine, int which)
{
    return weft__sequence_advance(&((krylov *)engine)->sequence[which]);
}

static const weft__bracket *bracket(const weft__spectral_engine *engine, int which)
{
    return &((const krylov *)engine)->sequence[which].bracket;
}

static weft_status update(weft__spectral_engine *engine, int count, const double *coefficient,
                          weft_error *error)
{
    (void)engine;
    (void)count;
    (void)coefficient;
    (void)error;
    return WEFT_OK;
}

static void release(weft__spectral_engine *engine)
{
    krylov *self = (krylov *)engine;
    for (int which = 0; which < 2; which++)
        weft__sequence_release(&self->sequence[which], &engine->memory);
}

static const weft__engine_ops table = {"krylov", prepare, begin, advance, bracket, update, release};

weft_status weft__krylov_create(const weft_memory *memory, weft__spectral_engine **engine, weft_error *error)
{
    krylov *self = NULL;
    weft_status status = weft__new(memory, 1, sizeof *self, &self, error);
    if (status != WEFT_OK)
        return status;
    self->base = (weft__spectral_engine){&table, *memory};
    *engine = &self->base;
    return WEFT_OK;
}

void weft__spectral_engine_free(weft__spectral_engine *engine)
{
    if (engine == NULL)
        return;
    weft_memory memory = engine->memory;
    engine->ops->release(engine);
    weft__delete(&memory, engine);
}
