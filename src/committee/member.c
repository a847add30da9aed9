/* SPDX-License-Identifier: MIT
 * From the description of a member to a player and back: the one place of the committee that knows which
 * kinds there are. */
#include "committee/committee.h"

weft_status weft__member_create(const weft_member *given, const weft_memory *memory, weft_player **player,
                                weft_error *error)
{
    weft_settings settings = given->learner;
    settings.deterministic = true;
    return given->is_rival
               ? weft_rival_create(given->rows, given->columns, &given->rival, memory, player, error)
               : weft_learner_create(given->rows, given->columns, &settings, memory, player, error);
}

weft_status weft__member_read(const weft_member *given, const void *buffer, size_t size,
                              const weft_memory *memory, weft_player **player, weft_error *error)
{
    return (given->is_rival ? weft_rival_read : weft_learner_read)(given->rows, given->columns, buffer, size,
                                                                   memory, player, error);
}

weft_status weft__committee_given(const weft__committee *committee, weft_member **list, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&committee->player.memory, committee->count, sizeof **list, list, error));
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__seat *member = &committee->members[k];
        (*list)[k] = member->given;
        if (member->given.is_rival)
            (*list)[k].rival = weft_rival_settings_of(member->player);
        else
            (*list)[k].learner = weft_learner_settings(member->player);
    }
done:
    return status;
}
