/* SPDX-License-Identifier: MIT
 *
 * A learner as a member.  Its probability 1/2 + margin / (2 gamma) has, at 1/2, log-odds of slope
 * 2 / gamma: that is the scale of its score.  The sign of a margin counts for something however small it is:
 * where all that joins two ids is a long chain of others, the margin is tiny, but its sign is the product of
 * all the labels on the way. */
#include "committee/member.h"
#include "learner/learner.h"

#include <math.h>

static weft_settings settings_of(const weft_member *given)
{
    weft_settings settings = given->learner;
    settings.deterministic = true;
    return settings;
}

static weft_status create(weft__member *member, weft_error *error)
{
    weft_settings settings = settings_of(&member->given);
    return weft_learner_create(member->given.rows, member->given.columns, &settings, &member->memory,
                               &member->learner, error);
}

static double score_of(const weft__member *member, double margin)
{
    static const double sign = 0.25;
    return weft__compress(2 / member->given.learner.gamma, margin) + sign * ((margin > 0) - (margin < 0));
}

static weft_status predict(weft__member *member, const int64_t pair[2], weft__voice *voice, weft_error *error)
{
    weft_prediction prediction = {0};
    weft_status status = WEFT_OK;
    TRY(weft_learner_predict(member->learner, pair[0], pair[1], &prediction, error));
    *voice = (weft__voice){.vote = prediction.label, .score = score_of(member, prediction.margin)};
done:
    return status;
}

static weft_status learn(weft__member *member, const int64_t pair[2], int label, weft_error *error)
{
    return weft_learner_learn(member->learner, pair[0], pair[1], label, NULL, error);
}

/* A product goes through the evidence in both directions and through both kernels, which without
 * structure are matrices over the ids that carry evidence; a step has some work of its own. */
static double size_of(const weft_learner *learner)
{
    enum { STEP = 1000, PAIR = 4, SLOT = 16 };
    const weft__space *space = learner->space;
    if (space == NULL)
        return STEP + (double)learner->compact->d * (double)learner->compact->d / 2;
    double size = STEP + PAIR * (double)space->evidence.count;
    for (int k = 0; k < (learner->columns == NULL ? 1 : 2); k++) {
        double slots = (double)space->view[k].count;
        bool structured = space->view[k].side->kind->product != NULL;
        size += SLOT * slots + (structured ? 0 : slots * slots / 2);
    }
    return size;
}

static double price(weft__member *member)
{
    int64_t products = weft_learner_counters(member->learner).products;
    double fresh = (double)(products - member->products);
    member->products = products;
    return fresh * size_of(member->learner);
}

static weft_status write(const weft__member *member, void *buffer, size_t *size, weft_error *error)
{
    return weft_learner_write(member->learner, buffer, size, error);
}

static weft_status read(weft__member *member, const void *buffer, size_t size, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft_learner_read(member->given.rows, member->given.columns, buffer, size, &member->memory,
                          &member->learner, error));
    member->products = weft_learner_counters(member->learner).products;
done:
    return status;
}

static void release(weft__member *member)
{
    weft_learner_free(member->learner);
    member->learner = NULL;
}

/* Where there is a Gram matrix, it has the columns of all ids that are not new. */
static bool share(weft__member *member, int which, weft__sheet *sheet)
{
    weft__space *space = member->learner->space;
    if (space == NULL)
        return false;
    weft__view *view = which == 0 ? &space->view[0] : weft__space_columns(space);
    view->sheet = sheet;
    for (int64_t s = 0; s < view->count; s++)
        weft__sheet_meet(sheet, view->ids[s]);
    return view->side->kind->product != NULL;
}

const weft__member_kind weft__member_learner = {create, predict, learn, price, write, read, release, share};
