/* SPDX-License-Identifier: MIT
 *
 * The best block matrix U* in hindsight: with classes fixed, every block takes
 * the label it had more often.  k x l blocks, two counts each; the regret of
 * thm:base is against U = R U* C'. */
#include "base/memory.h"
#include "weft_theory.h"

typedef struct block {
    int64_t minus, plus;
} block;

struct weft_comparator {
    weft_memory memory;
    int64_t k, l;
    block *blocks; /* k x l, row by row */
};

weft_status weft_comparator_create(int64_t k, int64_t l, const weft_memory *memory,
                                   weft_comparator **comparator, weft_error *error)
{
    weft_comparator *made = NULL;
    weft_memory hook = weft__memory_or_default(memory);
    int64_t cells = 0;
    weft_status status = WEFT_OK;
    NEED(comparator);

    if (k < 1 || l < 1)
        return weft__fail(error, WEFT_ARGUMENT, "%lld x %lld classes: expected at least 1 x 1", (long long)k,
                          (long long)l);
    TRY(weft__checked_product(k, l, &cells, error));
    TRY(weft__new(&hook, 1, sizeof *made, &made, error));
    *made = (weft_comparator){.memory = hook, .k = k, .l = l};
    TRY(weft__new(&hook, cells, sizeof *made->blocks, &made->blocks, error));
    *comparator = made;
    made = NULL;
done:
    weft_comparator_free(made);
    return status;
}

void weft_comparator_free(weft_comparator *comparator)
{
    if (comparator == NULL)
        return;
    weft_memory hook = comparator->memory;
    weft__delete(&hook, comparator->blocks);
    weft__delete(&hook, comparator);
}

weft_status weft_comparator_add(weft_comparator *comparator, int64_t r, int64_t c, int label,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(comparator);
    if (r < 0 || r >= comparator->k || c < 0 || c >= comparator->l)
        return weft__fail_at(error, WEFT_ARGUMENT, r, c, "classes (%lld, %lld) of %lld x %lld", (long long)r,
                             (long long)c, (long long)comparator->k, (long long)comparator->l);
    if (label != -1 && label != 1)
        return weft__fail_at(error, WEFT_ARGUMENT, r, c, "label %d: expected -1 or 1", label);
    block *cell = &comparator->blocks[r * comparator->l + c];
    if (label > 0)
        cell->plus++;
    else
        cell->minus++;
done:
    return status;
}

int64_t weft_comparator_errors(const weft_comparator *comparator, bool communities)
{
    int64_t errors = 0;
    for (int64_t r = 0; comparator != NULL && r < comparator->k; r++)
        for (int64_t c = 0; c < comparator->l; c++) {
            const block *cell = &comparator->blocks[r * comparator->l + c];
            if (communities)
                errors += r == c ? cell->minus : cell->plus;
            else
                errors += cell->minus < cell->plus ? cell->minus : cell->plus;
        }
    return errors;
}
