/* SPDX-License-Identifier: MIT
 *
 * Method. Learners and perceptrons know an id that they have not met by its kernel alone. Ids of one group
 * of a side (weft__side_group: a class, or all that are alone) have the same entries with every other id,
 * so the answer about one of them, which they had not met either, is the answer about all, to the bit. A
 * ranking asks about many: what was said of a group is kept while it lasts, in a table that a newer group
 * overwrites.
 *
 * Of one set of ids the order of a pair is that of its numbers, and so is the order of sums: ids below the
 * one that is asked for and ids above it are different groups, and the pair of an id with itself is none.
 *
 * Cost One look at the id for every such member in place of an answer, which takes a column over the ids
 * learnt; GROUPS answers a member. */
#include "committee/members/strangers.h"

#include "base/hash.h"
#include "committee/committee.h"

/* Groups that a member has room for, and places where one of them may be. */
enum { GROUPS = 1024, WAYS = 4 };

weft_status weft__strangers_create(const weft__committee *committee, int place, weft__strangers *strangers,
                                   weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &committee->player.memory;
    weft__strangers made = {.place = place};
    TRY(weft__new(memory, committee->count * GROUPS, sizeof *made.key, &made.key, error));
    TRY(weft__new(memory, committee->count * GROUPS, sizeof *made.said, &made.said, error));
    TRY(weft__new(memory, committee->count, sizeof *made.slot, &made.slot, error));
    TRY(weft__new(memory, committee->count, sizeof *made.known, &made.known, error));
    *strangers = made;
    made = (weft__strangers){0};
done:
    weft__strangers_free(committee, &made);
    return status;
}

void weft__strangers_free(const weft__committee *committee, weft__strangers *strangers)
{
    const weft_memory *memory = &committee->player.memory;
    weft__delete(memory, strangers->key);
    weft__delete(memory, strangers->said);
    weft__delete(memory, strangers->slot);
    weft__delete(memory, strangers->known);
    *strangers = (weft__strangers){0};
}

/* What stands for all ids that this one is like, to this member; 0: it is like no other. */
static int64_t find_key(const weft__member_state *member, const int64_t pair[2], int place)
{
    const weft_player *player = member->player;
    int64_t id = pair[place], other = pair[1 - place];
    bool one_set = member->given.columns == NULL;
    if (player->ops->is_stranger == NULL || (one_set && id == other) ||
        player->ops->check(player, pair, NULL) != WEFT_OK || !player->ops->is_stranger(player, place, id))
        return 0;
    const weft_side *side = place == 0 || one_set ? member->given.rows : member->given.columns;
    int64_t group = weft__side_group(side, id);
    return group < 0 ? 0 : 1 + 2 * group + (id > other);
}

/* Where the key is, or is to be: in an empty place, or in the first one. */
static int64_t find_slot(const int64_t *keys, int64_t key)
{
    int64_t first = (int64_t)(weft__hash((uint64_t)key) % (GROUPS - WAYS)), slot = first;
    while (slot < first + WAYS && keys[slot] != 0 && keys[slot] != key)
        slot++;
    return slot < first + WAYS ? slot : first;
}

bool weft__strangers_look(const weft__committee *committee, weft__strangers *strangers, const bool *left_out)
{
    bool all = true;
    for (int64_t k = 0; k < committee->count; k++) {
        if (left_out[k] || !committee->awake[k])
            continue;
        int64_t key = find_key(&committee->members[k], committee->question.pair, strangers->place);
        int64_t slot = k * GROUPS + find_slot(strangers->key + k * GROUPS, key);
        strangers->slot[k] = key != 0 ? slot : -1;
        strangers->known[k] = key != 0 && strangers->key[slot] == key;
        all = all && strangers->known[k];
        if (key != 0)
            strangers->key[slot] = key;
    }
    return all;
}

bool weft__strangers_answer(const weft__strangers *strangers, int64_t k, weft_answer *answer)
{
    if (!strangers->known[k])
        return false;
    *answer = strangers->said[strangers->slot[k]];
    return true;
}

void weft__strangers_keep(weft__strangers *strangers, int64_t k, const weft_answer *answer)
{
    if (strangers->slot[k] >= 0)
        strangers->said[strangers->slot[k]] = *answer;
}
