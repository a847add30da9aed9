/* SPDX-License-Identifier: MIT
 * How each kind of member is made from its description, read, described again and compared. */
#include "committee/committee.h"
#include "learner/learner.h"
#include "rival/rival.h"

#include <string.h>

weft_status weft__member_create(const weft_member *given, const weft_memory *memory, weft_player **player,
                                weft_error *error)
{
    weft_settings settings = given->learner;
    settings.deterministic = true;
    return given->is_rival
               ? weft_rival_create(given->rows, given->columns, &given->rival, memory, player, error)
               : weft_learner_create(given->rows, given->columns, &settings, memory, player, error);
}

weft_status weft__member_read(const weft_member *given, const void *buffer, size_t size, weft__making making,
                              weft_player **player, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *learner = NULL;
    TRY(weft__progress_step(making.progress, (double)size, error));
    if (given->is_rival)
        return weft_rival_read(given->rows, given->columns, buffer, size, making.memory, player, error);
    TRY(weft__learner_restore(given->rows, given->columns, buffer, size, making, &learner, error));
    *player = &learner->player;
done:
    return status;
}

weft_status weft__member_join(const weft_member *given, const weft__decoder *entries, int64_t count,
                              weft__decoder rest, const weft_memory *memory, weft_player **player,
                              weft_error *error)
{
    const weft_side *const sides[2] = {given->rows, given->columns};
    const weft__player_ops *ops = given->is_rival ? &weft__rival_player_ops : &weft__learner_ops;
    return ops->join(sides, entries, count, rest, memory, player, error);
}

weft_status weft__committee_given(const weft__committee *committee, weft_member **list, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&committee->player.memory, committee->count, sizeof **list, list, error));
    for (int64_t k = 0; k < committee->count; k++) {
        const weft__member_state *member = &committee->members[k];
        (*list)[k] = member->given;
        if (member->given.is_rival)
            (*list)[k].rival = weft_rival_settings_of(member->player);
        else
            (*list)[k].learner = weft_learner_settings(member->player);
    }
done:
    return status;
}

/* 0 asks for the default, which is filled in before it is written; but a margin of 0 is one. */
static bool is_alike_rival(const weft_rival_settings *wanted, const weft_rival_settings *found)
{
    bool margin = wanted->kind >= WEFT_RIVAL_SUM && wanted->kind <= WEFT_RIVAL_SQUARE;
    return found->kind == wanted->kind && (found->rate == wanted->rate || (wanted->rate == 0 && !margin)) &&
           (wanted->factors == 0 || found->factors == wanted->factors) &&
           (wanted->bits == 0 || found->bits == wanted->bits) &&
           (wanted->seed == 0 || found->seed == wanted->seed) &&
           (wanted->replay == 0 || found->replay == wanted->replay) &&
           (wanted->window == 0 || found->window == wanted->window) && found->shrink == wanted->shrink;
}

bool weft__member_fits(const weft__member_state *member)
{
    const weft_member *given = &member->given;
    if (given->is_rival) {
        weft_rival_settings found = weft_rival_settings_of(member->player);
        return is_alike_rival(&given->rival, &found);
    }
    weft_settings found = weft_learner_settings(member->player);
    const weft_settings *wanted = &given->learner;
    return found.form == wanted->form && found.updates == wanted->updates && found.engine == wanted->engine &&
           found.eta == wanted->eta && found.gamma == wanted->gamma && found.deterministic;
}

bool weft__members_agree(const weft__member_state *a, const weft__member_state *b)
{
    if (strcmp(a->given.name, b->given.name) != 0 || a->player->ops != b->player->ops ||
        a->given.uses != b->given.uses || (a->given.columns == NULL) != (b->given.columns == NULL))
        return false;
    if (a->given.is_rival) {
        weft_rival_settings s = weft_rival_settings_of(a->player), t = weft_rival_settings_of(b->player);
        return s.kind == t.kind && s.rate == t.rate && s.factors == t.factors && s.bits == t.bits &&
               s.seed == t.seed && s.replay == t.replay && s.window == t.window && s.shrink == t.shrink;
    }
    weft_settings s = weft_learner_settings(a->player), t = weft_learner_settings(b->player);
    return s.form == t.form && s.updates == t.updates && s.engine == t.engine && s.eta == t.eta &&
           s.gamma == t.gamma;
}

static void put_identity(weft__encoder *w, const weft__member_state *member)
{
    weft__put_integer(w, member->given.uses);
    weft__put_integer(w, member->player->columns == NULL);
    if (member->given.is_rival) {
        weft_rival_settings s = weft_rival_settings_of(member->player);
        weft__put_integer(w, s.kind);
        weft__put_double(w, s.rate);
        weft__put_integer(w, s.factors);
        weft__put_integer(w, s.bits);
        weft__put_integer(w, (int64_t)s.seed);
        weft__put_integer(w, s.replay);
        weft__put_integer(w, s.window);
        weft__put_double(w, s.shrink);
    } else {
        weft_settings s = weft_learner_settings(member->player);
        weft__put_integer(w, -1 - (int64_t)s.form);
        weft__put_integer(w, s.updates);
        weft__put_integer(w, s.engine);
        weft__put_double(w, s.eta);
        weft__put_double(w, s.gamma);
    }
}

/* FNV-1a. */
static uint64_t mix(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x100000001b3);
    return sum;
}

uint64_t weft__committee_fingerprint(const weft__committee *committee)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (int64_t k = 0; k < committee->count; k++) {
        unsigned char bytes[10 * 8];
        weft__encoder w = {bytes, 0};
        const char *name = committee->members[k].given.name;
        put_identity(&w, &committee->members[k]);
        sum = mix(mix(sum, name, strlen(name) + 1), bytes, w.size);
    }
    return sum;
}
