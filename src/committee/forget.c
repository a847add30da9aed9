/* SPDX-License-Identifier: MIT
 * Taking one id out of a committee. */
#include "committee/knowledge.h"
#include "committee/room.h"
#include "learner/learner.h"

/* Which sides of a member have the id that is to go. */
typedef struct target {
    int64_t id;
    bool row, column;
} target;

static weft_status forget_id(const weft_learner *learner, const target *what, weft_learner **without,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_learner *copy = NULL;
    TRY(weft_learner_clone(learner, &copy, error));
    if (what->row)
        TRY(weft_learner_forget_row(copy, what->id, error));
    if (what->column && learner->columns != NULL)
        TRY(weft_learner_forget_column(copy, what->id, error));
    *without = copy;
    copy = NULL;
done:
    weft_learner_free(copy);
    return status;
}

static weft_status start_anew(const weft__member *member, const target *what, weft_rival **fresh,
                              weft_error *error)
{
    weft_rival_settings settings = weft_rival_settings_of(member->rival);
    const weft_side *side = what->row ? member->given.rows : member->given.columns;
    if (what->id < 0 || what->id >= weft_side_count(side))
        return weft__fail_at(error, WEFT_UNKNOWN_ID, what->id, -1, "%s %lld is not known: there are %lld",
                             what->row ? "row" : "column", (long long)what->id,
                             (long long)weft_side_count(side));
    return weft_rival_create(member->given.rows, member->given.columns, &settings, &member->memory, fresh,
                             error);
}

/* What the stacks know of a member that is another one now. */
static void doubt(weft_committee *committee, int64_t k)
{
    weft__stack_drop(&committee->stack, k);
    weft__stack_admit(&committee->stack, k);
    for (int i = 0; i < 3; i++) {
        weft__worth_drop(&committee->worth[i], k);
        weft__worth_admit(&committee->worth[i], k);
    }
}

/* What the members of one generation are to know. */
static weft_status without(const weft_committee *committee, const target *what, weft__knowledge **made,
                           weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__knowledge *list = NULL;
    int64_t count = committee->count;
    TRY(weft__new(&committee->memory, count, sizeof *list, &list, error));
    for (int64_t k = 0; k < count; k++) {
        const weft__member *member = &committee->members[k];
        if (member->rival != NULL)
            TRY(start_anew(member, what, &list[k].rival, error));
        else
            TRY(forget_id(member->learner, what, &list[k].learner, error));
    }
    *made = list;
    list = NULL;
done:
    weft__knowledge_release(&committee->memory, list, count);
    return status;
}

static void take_over(weft_committee *committee, weft__knowledge *list)
{
    weft__knowledge_exchange(committee, list);
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->members[k].rival != NULL) {
            committee->members[k].seen = 0;
            if (committee->awake[k])
                doubt(committee, k);
        }
}

static weft_status forget(weft_committee *committee, const target *what, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_committee *generation[WEFT_GENERATIONS] = {committee};
    weft__knowledge *list[WEFT_GENERATIONS] = {0};
    for (int g = 1; g < WEFT_GENERATIONS && committee->track != NULL; g++)
        generation[g] = committee->track->younger[g - 1];
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        if (generation[g] != NULL)
            TRY(without(generation[g], what, &list[g], error));
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        if (generation[g] != NULL)
            take_over(generation[g], list[g]);
done:
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        weft__knowledge_release(&committee->memory, list[g], committee->count);
    return status;
}

weft_status weft_committee_forget_row(weft_committee *committee, int64_t row, weft_error *error)
{
    target what = {row, true, weft__committee_one_set(committee)};
    return forget(committee, &what, error);
}

weft_status weft_committee_forget_column(weft_committee *committee, int64_t column, weft_error *error)
{
    target what = {column, weft__committee_one_set(committee), true};
    return forget(committee, &what, error);
}
