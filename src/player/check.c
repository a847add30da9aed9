/* SPDX-License-Identifier: MIT
 * What the public functions of a player check before the kind is asked. */
#include "player/player.h"

#include <math.h>

weft_status weft__check_threads(int threads, weft_error *error)
{
    if (threads < 0 || threads > WEFT_THREAD_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "threads is %d, expected 0 to %d", threads,
                          WEFT_THREAD_LIMIT);
    return WEFT_OK;
}

static weft_status check_name(const weft_player *player, int which, int64_t id, weft_error *error)
{
    int64_t named = player->home->count(player->home, which);
    const weft_side *side = which == WEFT_ROWS || player->columns == NULL ? player->rows : player->columns;
    if (id < named || side->endless)
        return WEFT_OK;
    return weft__fail_at(error, WEFT_UNKNOWN_ID, id, -1, "%s %lld has no name: there are %lld of them",
                         which == WEFT_ROWS ? "row" : "column", (long long)id, (long long)named);
}

weft_status weft__check_named(const weft_player *player, int64_t row, int64_t column, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (player->home == NULL)
        return WEFT_OK;
    TRY(check_name(player, WEFT_ROWS, row, error));
    TRY(check_name(player, WEFT_COLUMNS, column, error));
done:
    return status;
}

weft_status weft__check_label(int label, bool or_zero, weft_error *error)
{
    if (label < -1 || label > 1 || (label == 0 && !or_zero))
        return weft__fail(error, WEFT_ARGUMENT, "the label is %d, expected -1%s or +1", label,
                          or_zero ? ", 0" : "");
    return WEFT_OK;
}

weft_status weft__check_tolerance(double tolerance, bool or_zero, weft_error *error)
{
    bool large_enough = or_zero ? tolerance >= 0 : tolerance > 0;
    if (!large_enough || !isfinite(tolerance))
        return weft__fail(error, WEFT_ARGUMENT, "tolerance is %g, expected a number %s 0", tolerance,
                          or_zero ? ">=" : ">");
    return WEFT_OK;
}

weft_status weft__player_refuse(const weft_player *player, const char *what, const char *reason,
                                weft_error *error)
{
    return weft__fail(error, WEFT_UNSUPPORTED, "a %s cannot %s: %s", weft_kind_name(player->ops->kind), what,
                      reason);
}

weft_status weft__need_sides(const weft_player *player, weft_error *error)
{
    if (!player->only_seen)
        return WEFT_OK;
    return weft__player_refuse(player, "be asked or taught",
                               "its model was opened only to look, without side information", error);
}
