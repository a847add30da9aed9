/* SPDX-License-Identifier: MIT
 * Adding what another player has learnt, by number or by name. */
#include "player/turn.h"

bool weft__numbers_alike(const weft__numbers *numbers)
{
    for (int which = 0; numbers != NULL && which < 2; which++)
        for (int64_t i = 0; i < numbers->count[which]; i++)
            if (numbers->of[which][i] != i)
                return false;
    return true;
}

static weft_status merge(weft_player *player, const weft_player *other, const weft__numbers *numbers,
                         weft_error *error)
{
    weft_status status = WEFT_OK;
    if (player->ops != other->ops)
        return weft__fail(error, WEFT_ARGUMENT, "a %s and a %s cannot be merged, expected the same kind",
                          weft_kind_name(player->ops->kind), weft_kind_name(other->ops->kind));
    if (player->ops->merge == NULL)
        return weft__player_refuse(player, "be merged", player->ops->no_evidence, error);
    TRY(weft__need_sides(player, error));
    weft__progress progress = weft__progress_of(&player->progress);
    weft__progress_begin(&progress, "merging", 0);
    weft__drop_copies(player);
    weft__feed_hold(player);
    status = player->ops->merge(player, other, numbers, &progress, error);
    TRY(weft__player_end_change(player, status));
    player->disturbed = true;
done:
    return status;
}

/* The numbers here of what the other calls rows or columns; *matched counts them as let in. */
static weft_status match(weft_player *player, const weft_player *other, int which, int64_t **numbers,
                         int *matched, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = other->home->count(other->home, which);
    TRY(weft__new(&player->memory, count, sizeof **numbers, numbers, error));
    *matched |= which;
    TRY(player->home->match(player->home, other->home, which, *numbers, error));
done:
    return status;
}

/* Two players that know their ids by name.  Where it fails, names that were let in for it go again. */
static weft_status merge_by_name(weft_player *player, const weft_player *other, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t rows = other->home->count(other->home, WEFT_ROWS), columns = rows;
    int64_t *of[2] = {NULL, NULL};
    int matched = 0;
    TRY(match(player, other, WEFT_ROWS, &of[0], &matched, error));
    if (other->columns != NULL) {
        columns = other->home->count(other->home, WEFT_COLUMNS);
        TRY(match(player, other, WEFT_COLUMNS, &of[1], &matched, error));
    }
    weft__numbers numbers = {{of[0], of[1] != NULL ? of[1] : of[0]}, {rows, columns}};
    TRY(merge(player, other, &numbers, error));
done:
    if (status != WEFT_OK && (matched & WEFT_ROWS) != 0)
        player->home->unmatch(player->home, WEFT_ROWS);
    if (status != WEFT_OK && (matched & WEFT_COLUMNS) != 0)
        player->home->unmatch(player->home, WEFT_COLUMNS);
    weft__delete(&player->memory, of[0]);
    weft__delete(&player->memory, of[1]);
    return status;
}

weft_status weft_player_merge(weft_player *player, const weft_player *other, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(other);
    bool named = player->home != NULL && other->home != NULL && player != other &&
                 (player->columns == NULL) == (other->columns == NULL);
    TRY((named ? merge_by_name(player, other, error) : merge(player, other, NULL, error)));
done:
    return status;
}

/* Numbers that are ids, and each of them once. */
static weft_status check_numbers(const weft_memory *memory, const weft_side *side, const int64_t *of,
                                 int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool *met = NULL;
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!weft__side_has(side, of[i]))
            TRY(weft__fail_at(error, WEFT_UNKNOWN_ID, of[i], i, "number %lld of the other's id %lld is no id",
                              (long long)of[i], (long long)i));
        most = of[i] >= most ? of[i] + 1 : most;
    }
    TRY(weft__new(memory, most, sizeof *met, &met, error));
    for (int64_t i = 0; i < count; i++) {
        if (met[of[i]])
            TRY(weft__fail_at(error, WEFT_ARGUMENT, of[i], i, "two of the other's ids have number %lld",
                              (long long)of[i]));
        met[of[i]] = true;
    }
done:
    weft__delete(memory, met);
    return status;
}

weft_status weft_player_merge_numbered(weft_player *player, const weft_player *other, const int64_t *rows,
                                       int64_t row_count, const int64_t *columns, int64_t column_count,
                                       weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(player);
    NEED(other);
    if (row_count < 0 || column_count < 0)
        return weft__fail(error, WEFT_ARGUMENT, "there are %lld rows and %lld columns, expected at least 0",
                          (long long)row_count, (long long)column_count);
    if (row_count > 0)
        NEED(rows);
    if (other->columns != NULL && column_count > 0)
        NEED(columns);
    bool one_set = other->columns == NULL || player->columns == NULL;
    weft__numbers numbers = {{rows, one_set ? rows : columns},
                             {row_count, one_set ? row_count : column_count}};
    TRY(check_numbers(&player->memory, player->rows, rows, row_count, error));
    if (!one_set)
        TRY(check_numbers(&player->memory, player->columns, columns, column_count, error));
    for (int64_t i = 0; i < numbers.count[0]; i++)
        TRY(weft__check_named(player, numbers.of[0][i], 0, error));
    for (int64_t i = 0; i < numbers.count[1]; i++)
        TRY(weft__check_named(player, 0, numbers.of[1][i], error));
    TRY(merge(player, other, &numbers, error));
done:
    return status;
}
