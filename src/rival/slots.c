/* SPDX-License-Identifier: MIT
 *
 * Method  An index of two levels: pages of 1,024 ids that are made when one of them is first learnt.
 * Cost    4 bytes an id of such a page, 8 bytes for 1,024 others; two loads. */
#include "rival/slots.h"

enum { BITS = WEFT__SLOTS_BITS, PAGE = WEFT__SLOTS_PAGE };

void weft__slots_free(weft__slots *slots)
{
    for (int64_t k = 0; k < slots->page_count; k++)
        weft__delete(&slots->memory, slots->pages[k]);
    weft__delete(&slots->memory, slots->pages);
    *slots = (weft__slots){.memory = slots->memory};
}

weft_status weft__slots_reserve(weft__slots *slots, int64_t more, int64_t id, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t page = id >> BITS;
    if (id >= WEFT__SLOTS_IDS || more > INT32_MAX - slots->count)
        return weft__fail(error, WEFT_MEMORY,
                          "id %lld beside %lld others: a rival has room for %d, below %lld", (long long)id,
                          (long long)slots->count, INT32_MAX, (long long)WEFT__SLOTS_IDS);
    if (page >= slots->page_count) {
        int64_t pages = weft__grown(slots->page_count, page + 1);
        TRY(weft__resize(&slots->memory, &slots->pages, slots->page_count, pages, sizeof *slots->pages,
                         error));
        slots->page_count = pages;
    }
    if (slots->pages[page] == NULL)
        TRY(weft__new(&slots->memory, PAGE, sizeof(int32_t), &slots->pages[page], error));
done:
    return status;
}

int64_t weft__slots_add(weft__slots *slots, int64_t id)
{
    int64_t slot = slots->count++;
    slots->pages[id >> BITS][id & (PAGE - 1)] = (int32_t)(slot + 1);
    return slot;
}

int64_t weft__slots_next(const weft__slots *slots, int64_t id)
{
    for (int64_t page = id >> BITS; page < slots->page_count; page++, id = page << BITS)
        for (int64_t k = id & (PAGE - 1); k < PAGE && slots->pages[page] != NULL; k++)
            if (slots->pages[page][k] != 0)
                return (page << BITS) + k;
    return -1;
}

weft_status weft__slots_place(weft__slots *slots, int64_t id, int64_t slot, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__slots_reserve(slots, 1, id, error));
    slots->pages[id >> BITS][id & (PAGE - 1)] = (int32_t)(slot + 1);
    slots->count++;
done:
    return status;
}
