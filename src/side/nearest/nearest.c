/* SPDX-License-Identifier: MIT
 *
 * Method     Of equals the smaller number; cosines are compared in units of 2^-30, so that rounding does not
 *            choose between ids that are equally near.
 * Cost       O(count^2) entries of the kernel. */
#include "side/nearest/nearest.h"

#include "side/learnt/similarity.h"

#include <math.h>

enum { NEAREST = 2 };

typedef struct comparison {
    const weft_side *side;
    int64_t count;
    double *scale, *work;
} comparison;

/* The same for (i, k) as for (k, i), to the bit. */
static double cosine(const comparison *c, int64_t i, int64_t k)
{
    double entry = c->side->ops->entry(c->side, i, k, c->work);
    double u = (entry - c->side->constant) * (c->scale[i] * c->scale[k]);
    return rint(fmin(u, 1) * 0x1p30) * 0x1p-30;
}

/* Puts k among the nearest, which are in falling order. */
static void insert(int64_t id[NEAREST], double u[NEAREST], int64_t k, double near)
{
    int at = NEAREST;
    while (at > 0 && near > u[at - 1])
        at--;
    if (at == NEAREST)
        return;
    for (int j = NEAREST - 1; j > at; j--) {
        id[j] = id[j - 1];
        u[j] = u[j - 1];
    }
    id[at] = k;
    u[at] = near;
}

/* The edges of id i behind the first so many; answers how many there are then. */
static int64_t join(const comparison *c, int64_t i, weft__nearest *nearest, int64_t edges)
{
    int64_t id[NEAREST] = {0};
    double u[NEAREST] = {0};
    for (int64_t k = 0; k < c->count; k++)
        if (k != i)
            insert(id, u, k, cosine(c, i, k));
    for (int j = 0; j < NEAREST && u[j] > 0; j++, edges++) {
        nearest->from[edges] = i;
        nearest->to[edges] = id[j];
        nearest->weight[edges] = u[j];
    }
    return edges;
}

weft_status weft__nearest_build(const weft_side *side, int64_t count, weft__progress *progress,
                                weft__nearest *nearest, weft_graph *graph, weft_error *error)
{
    enum { AN_ENTRY = 8 };
    weft_status status = WEFT_OK;
    const weft_memory *memory = &side->memory;
    comparison c = {.side = side, .count = count};
    int64_t edges = 0;
    *nearest = (weft__nearest){.memory = *memory};
    TRY(weft__new(memory, NEAREST * count, sizeof *nearest->from, &nearest->from, error));
    TRY(weft__new(memory, NEAREST * count, sizeof *nearest->to, &nearest->to, error));
    TRY(weft__new(memory, NEAREST * count, sizeof *nearest->weight, &nearest->weight, error));
    TRY(weft__new(memory, count, sizeof *c.scale, &c.scale, error));
    TRY(weft__new(memory, weft__side_work(side), sizeof *c.work, &c.work, error));
    weft__progress_begin(progress, "the nearest by a kernel", AN_ENTRY * (double)count * (double)count);
    for (int64_t i = 0; i < count; i++)
        c.scale[i] = weft__similarity_scale(side, i);
    for (int64_t i = 0; i < count; i++) {
        edges = join(&c, i, nearest, edges);
        TRY(weft__progress_step(progress, AN_ENTRY * (double)count, error));
    }
    *graph = (weft_graph){.vertices = count,
                          .edges = edges,
                          .from = nearest->from,
                          .to = nearest->to,
                          .weight = nearest->weight};
done:
    weft__delete(memory, c.scale);
    weft__delete(memory, c.work);
    return status;
}

void weft__nearest_free(weft__nearest *nearest)
{
    weft__delete(&nearest->memory, nearest->from);
    weft__delete(&nearest->memory, nearest->to);
    weft__delete(&nearest->memory, nearest->weight);
}
