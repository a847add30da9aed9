/* SPDX-License-Identifier: MIT
 *
 * Method     Two ids of a class C are alike by one number a, so over the ids that were learnt the
 *            similarities with i are z = (1 - a) e_i + a 1_C; of an id that is alone, z = e_i. Hence with
 *            b, D those of j
 *
 *                z'Sw = (1-a)(1-b) S(i,j) + (1-a) b S(i,D) + a (1-b) S(C,j) + a b S(C,D),
 *
 *            where a class stands for the sum over its ids.
 * Cost       A few look-ups in sorted lines, each of as many entries as an id has coefficients at most. */
#include "rival/class_sums.h"

#include "side/learnt/similarity.h"

bool weft__is_classed(const weft_side *side)
{
    return side->ops->item != NULL && side->ops->nature != NULL && side->ops->nature(side).numbers == 0;
}

weft__classed weft__classed_id(const weft_side *side, int64_t i, int64_t slot)
{
    int64_t class_of = weft__side_group(side, i) - 1;
    double scale = class_of < 0 ? 0 : weft__similarity_scale(side, i);
    /* The kernel between two ids of a class is 1. */
    return (weft__classed){slot, class_of, class_of < 0 ? 0 : weft__similarity(side, 1, scale, scale)};
}

void weft__class_sums_free(weft__class_sums *sums)
{
    for (int k = 0; k < 2; k++) {
        weft__lines_free(&sums->mixed[k]);
        weft__delete(&sums->memory, sums->of[k]);
        sums->of[k] = NULL;
        sums->classes[k] = 0;
    }
    weft__lines_free(&sums->both);
}

/* Which of `mixed` and `of` belongs to id k of a pair. */
static int set_of(const weft__class_sums *sums, int k)
{
    return sums->one_set ? 0 : k;
}

/* ---- Adding ---- */

static weft_status reserve_class(weft__class_sums *sums, int set, int64_t class_of, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (class_of < sums->classes[set])
        return WEFT_OK;
    int64_t classes = weft__grown(sums->classes[set], class_of + 1);
    TRY(weft__resize(&sums->memory, &sums->of[set], sums->classes[set], classes, sizeof(double), error));
    sums->classes[set] = classes;
done:
    return status;
}

weft_status weft__class_sums_reserve(weft__class_sums *sums, const weft__classed pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int k = 0; k < 2; k++) {
        const weft__classed *own = &pair[k], *other = &pair[1 - k];
        weft__lines *mixed = &sums->mixed[set_of(sums, k)];
        mixed->memory = sums->both.memory = sums->memory;
        if (own->class_of >= 0)
            TRY(reserve_class(sums, set_of(sums, k), own->class_of, error));
        if (sums->pairs && other->class_of >= 0)
            TRY(weft__lines_reserve(mixed, own->slot + 1, own->slot, error));
        if (sums->pairs && own->class_of >= 0 && other->class_of >= 0 && (k == 0 || sums->one_set))
            TRY(weft__lines_reserve(&sums->both, own->class_of + 1, own->class_of, error));
    }
done:
    return status;
}

void weft__class_sums_add(weft__class_sums *sums, const weft__classed pair[2], double count)
{
    for (int k = 0; k < 2; k++) {
        const weft__classed *own = &pair[k], *other = &pair[1 - k];
        if (own->class_of >= 0)
            sums->of[set_of(sums, k)][own->class_of] += count;
        if (sums->pairs && other->class_of >= 0)
            weft__lines_add(&sums->mixed[set_of(sums, k)], own->slot, other->class_of, count);
        if (sums->pairs && own->class_of >= 0 && other->class_of >= 0 && (k == 0 || sums->one_set))
            weft__lines_add(&sums->both, own->class_of, other->class_of, count);
    }
}

weft_status weft__class_sums_put(weft__class_sums *sums, int k, weft__classed id, double sum,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    if (id.class_of < 0)
        return WEFT_OK;
    TRY(reserve_class(sums, set_of(sums, k), id.class_of, error));
    sums->of[set_of(sums, k)][id.class_of] += sum;
done:
    return status;
}

/* ---- Reading ---- */

/* An entry; 0 where one of the two is none, or there is no such entry. */
static double entry(const weft__lines *lines, int64_t line, int64_t place)
{
    if (line < 0 || place < 0 || line >= lines->capacity)
        return 0;
    const weft__coefficient *c = weft__line_at(&lines->lines[line], place);
    return c != NULL ? c->value : 0;
}

double weft__class_sum(const weft__class_sums *sums, int k, weft__classed id)
{
    int set = set_of(sums, k);
    return id.class_of >= 0 && id.class_of < sums->classes[set] ? sums->of[set][id.class_of] : 0;
}

double weft__class_bilinear(const weft__class_sums *sums, const weft__lines *lines, weft__classed a,
                            weft__classed b)
{
    double own = entry(lines, a.slot, b.slot), right = entry(&sums->mixed[0], a.slot, b.class_of);
    double left = entry(&sums->mixed[set_of(sums, 1)], b.slot, a.class_of);
    double both = entry(&sums->both, a.class_of, b.class_of);
    return (1 - a.alike) * ((1 - b.alike) * own + b.alike * right) +
           a.alike * ((1 - b.alike) * left + b.alike * both);
}
