/* SPDX-License-Identifier: MIT
 *
 * Members have the same sides in common, and all are asked for the same pair: its two columns of a kernel
 * are made once for all members. */
#include "committee/committee.h"
#include "committee/members/sharing.h"

static const weft_side *side_of(const weft__member_state *member, int which)
{
    return which == 0 || member->given.columns == NULL ? member->given.rows : member->given.columns;
}

static weft__column_cache *find_cache(weft__committee *committee, const weft_side *side)
{
    for (int64_t k = 0; k < committee->cache_count; k++)
        if (committee->caches[k].side == side)
            return &committee->caches[k];
    return NULL;
}

/* A cache for every side. */
static weft_status open_caches(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&committee->player.memory, 2 * committee->count, sizeof *committee->caches,
                  &committee->caches, error));
    for (int64_t k = 0; k < 2 * committee->count; k++) {
        int which = (int)(k % 2);
        const weft_side *side = side_of(&committee->members[k / 2], which);
        if (side->endless)
            continue;
        if (find_cache(committee, side) == NULL)
            weft__column_cache_open(&committee->caches[committee->cache_count++], side,
                                    &committee->player.memory);
        find_cache(committee, side)->place[which] = true;
    }
done:
    return status;
}

void weft__committee_close_caches(weft__committee *committee)
{
    for (int64_t k = 0; k < committee->cache_count; k++)
        weft__column_cache_close(&committee->caches[k]);
    weft__delete(&committee->player.memory, committee->caches);
}

static void hand_out(weft__committee *committee)
{
    for (int64_t k = 0; k < 2 * committee->count; k++) {
        weft__member_state *member = &committee->members[k / 2];
        int which = (int)(k % 2);
        weft__column_cache *cache = find_cache(committee, side_of(member, which));
        bool reads = cache != NULL && member->player->ops->share(member->player, which, cache);
        member->cache[which] = reads ? cache : NULL;
    }
    committee->handed = true;
}

static weft_status reserve(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < committee->cache_count; k++)
        TRY(weft__column_cache_reserve(&committee->caches[k], committee->question.pair, error));
done:
    return status;
}

/* Whether it will be asked. */
static bool is_asked(const weft__committee *committee, int64_t k)
{
    return committee->awake[k] &&
           (committee->candidates == NULL || !committee->candidates->strangers.known[k]);
}

/* How many of those that are asked read the column of row or column. */
static int64_t count_readers(const weft__committee *committee, const weft__column_cache *cache, int which)
{
    int64_t readers = 0;
    for (int64_t k = 0; k < committee->count; k++)
        readers += is_asked(committee, k) && committee->members[k].cache[which] == cache;
    return readers;
}

static void make(weft__committee *committee, weft__column_cache *cache)
{
    const int64_t *pair = committee->question.pair;
    bool wanted[2];
    for (int which = 0; which < 2; which++)
        wanted[which] =
            weft__side_has(cache->side, pair[which]) && count_readers(committee, cache, which) > 1;
    for (int which = 0; which < 2; which++)
        if (wanted[which])
            weft__column_cache_make(cache, which, pair[which], wanted[1 - which] ? pair[1 - which] : -1);
}

weft_status weft__committee_fill_caches(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (committee->apart)
        return WEFT_OK;
    if (committee->caches == NULL)
        TRY(open_caches(committee, error));
    TRY(reserve(committee, error));
    if (!committee->handed) {
        hand_out(committee);
        TRY(reserve(committee, error));
    }
    for (int64_t k = 0; k < committee->cache_count; k++)
        make(committee, &committee->caches[k]);
done:
    return status;
}

void weft__committee_add_learnt(weft__committee *committee)
{
    for (int64_t k = 0; k < committee->cache_count; k++)
        for (int which = 0; which < 2; which++)
            if (committee->caches[k].place[which])
                weft__column_cache_add_learnt(&committee->caches[k], committee->question.pair[which]);
}

weft__sharing weft__committee_sharing(const weft_player *player)
{
    const weft__committee *committee = weft__committee_in(player);
    weft__sharing sharing = {0};
    for (int64_t k = 0; committee != NULL && k < committee->cache_count; k++) {
        const weft__column_cache *cache = &committee->caches[k];
        sharing.asked += atomic_load_explicit(&cache->asked, memory_order_relaxed);
        sharing.made += cache->made + atomic_load_explicit(&cache->lacking, memory_order_relaxed);
    }
    return sharing;
}

void weft__committee_set_apart(weft_player *player)
{
    weft__committee_in(player)->apart = true;
}
