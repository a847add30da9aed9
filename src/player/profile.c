/* SPDX-License-Identifier: MIT
 *
 * Method. A look at the clock takes some 20 to 200 ns, and the quickest of some forty members answers in no
 * more. So the first calls are all timed, and after that one in EACH, drawn by a hash of its number: of
 * these every member is timed, and what they took counts EACH times. No member can be in step with such a
 * choice, so the sums are right on average; and a call that is not timed takes a branch for every member.
 * Which calls are timed depends on their number alone, never on what the clock said. */
#include "player/profile.h"

#include "base/hash.h"
#include "player/turn.h"

enum { FIRST = 128, EACH = 16 };

static double weight_of(int64_t call)
{
    if (call < FIRST)
        return 1;
    return weft__hash((uint64_t)call) % EACH == 0 ? EACH : 0;
}

void weft__player_begin_call(weft_player *player, int call)
{
    weft__profile *profile = player->profile;
    if (profile == NULL || !profile->on)
        return;
    profile->call = call;
    profile->weight = weight_of(profile->calls[call]++);
    profile->products = call == WEFT__LEARNING ? player->ops->counters(player).products : 0;
    profile->since = weft__profile_start(profile);
}

/* A player without members is its own row. */
static void count_own(weft_player *player)
{
    weft__profile *profile = player->profile;
    weft_counters now = player->ops->counters(player);
    int products = (int)(now.products - profile->products);
    int64_t seen = now.trials > 0 ? now.trials : player->learnt; /* rivals count nothing */
    weft__profile_count(profile, 0, player->ops->price(player, products, seen));
}

void weft__player_end_call(weft_player *player, bool learnt)
{
    weft__profile *profile = player->profile;
    if (profile == NULL || !profile->on)
        return;
    if (profile->since > 0)
        weft__profile_stop(profile, profile->since, &profile->whole[profile->call]);
    profile->weight = 0;
    if (learnt && player->ops->member_count == NULL)
        count_own(player);
}

void weft__profile_free(weft_player *player)
{
    if (player->profile == NULL)
        return;
    weft__delete(&player->memory, player->profile->rows);
    weft__delete(&player->memory, player->profile);
}

/* ---- Public ---- */

static weft_status make_profile(const weft_player *player, weft__profile **profile, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__profile *made = NULL;
    TRY(weft__new(&player->memory, 1, sizeof *made, &made, error));
    made->count = weft_player_member_count(player);
    TRY(weft__new(&player->memory, made->count, sizeof *made->rows, &made->rows, error));
    *profile = made;
    made = NULL;
done:
    weft__delete(&player->memory, made);
    return status;
}

/* What is there is kept until the player is freed. */
weft_status weft_player_set_profile(weft_player *player, bool on, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    TRY(weft__need_sides(player, error));
    weft__feed_hold(player);
    if (on && player->profile == NULL)
        status = make_profile(player, &player->profile, error);
    if (player->profile != NULL)
        player->profile->on = on;
    weft__feed_let_go(player);
done:
    return status;
}

static double positive(double seconds)
{
    return seconds > 0 ? seconds : 0;
}

static weft_profile_row row_of(const weft_player *player, int64_t k)
{
    const weft__profile *profile = player->profile;
    const weft__profile_share *share = &profile->rows[k];
    weft_profile_row row = {.name = weft_kind_name(player->ops->kind), .is_awake = true};
    bool alone = player->ops->member_count == NULL;
    const double *seconds = alone ? profile->whole : share->seconds;
    row.work = share->work;
    row.trials = share->trials;
    row.ask_seconds = seconds[WEFT__ASKING];
    row.learn_seconds = seconds[WEFT__LEARNING];
    if (!alone)
        player->ops->name_row(player, k, &row);
    return row;
}

/* What the calls took beside the members. */
static weft_profile_row row_of_rest(const weft_player *player)
{
    const weft__profile *profile = player->profile;
    weft_profile_row row = {.name = weft_kind_name(player->ops->kind), .is_awake = true};
    row.trials = profile->calls[WEFT__LEARNING];
    row.ask_seconds = positive(profile->whole[WEFT__ASKING] - profile->in_members[WEFT__ASKING]);
    row.learn_seconds = positive(profile->whole[WEFT__LEARNING] - profile->in_members[WEFT__LEARNING]);
    return row;
}

weft_status weft_player_profile(const weft_player *player, weft_profile_row *rows, int64_t *count,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(count);
    if (player->profile == NULL)
        return weft__player_refuse(player, "tell where its time went",
                                   "nothing was timed (weft_player_set_profile)", error);
    int64_t members = player->profile->count, all = members + (player->ops->member_count != NULL);
    if (rows != NULL && *count < all)
        return weft__fail(error, WEFT_ARGUMENT, "there is room for %lld rows, expected %lld",
                          (long long)*count, (long long)all);
    for (int64_t k = 0; rows != NULL && k < all; k++)
        rows[k] = k < members ? row_of(player, k) : row_of_rest(player);
    *count = all;
done:
    return status;
}
