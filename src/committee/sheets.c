/* SPDX-License-Identifier: MIT
 *
 * Members have the same sides in common, and all are asked for the same pair: its two columns of a kernel
 * are made once for all who read them. */
#include "committee/committee.h"

static const weft_side *side_of(const weft__seat *member, int which)
{
    return which == 0 || member->given.columns == NULL ? member->given.rows : member->given.columns;
}

static weft__sheet *find_sheet(weft__committee *committee, const weft_side *side)
{
    for (int64_t k = 0; k < committee->sheet_count; k++)
        if (committee->sheets[k].side == side)
            return &committee->sheets[k];
    return NULL;
}

/* A sheet for every side. */
static weft_status open_sheets(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&committee->player.memory, 2 * committee->count, sizeof *committee->sheets,
                  &committee->sheets, error));
    for (int64_t k = 0; k < 2 * committee->count; k++) {
        int which = (int)(k % 2);
        const weft_side *side = side_of(&committee->members[k / 2], which);
        if (side->endless)
            continue;
        if (find_sheet(committee, side) == NULL)
            weft__sheet_open(&committee->sheets[committee->sheet_count++], side, &committee->player.memory);
        find_sheet(committee, side)->place[which] = true;
    }
done:
    return status;
}

void weft__committee_close_sheets(weft__committee *committee)
{
    for (int64_t k = 0; k < committee->sheet_count; k++)
        weft__sheet_close(&committee->sheets[k]);
    weft__delete(&committee->player.memory, committee->sheets);
}

static void hand_out(weft__committee *committee)
{
    for (int64_t k = 0; k < 2 * committee->count; k++) {
        weft__seat *member = &committee->members[k / 2];
        int which = (int)(k % 2);
        weft__sheet *sheet = find_sheet(committee, side_of(member, which));
        bool reads = sheet != NULL && member->player->ops->share(member->player, which, sheet);
        member->sheet[which] = reads ? sheet : NULL;
    }
    committee->handed = true;
}

static weft_status reserve(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < committee->sheet_count; k++)
        TRY(weft__sheet_reserve(&committee->sheets[k], error));
done:
    return status;
}

/* How many of those awake read the column of row or column. */
static int64_t count_readers(const weft__committee *committee, const weft__sheet *sheet, int which)
{
    int64_t readers = 0;
    for (int64_t k = 0; k < committee->count; k++)
        readers += committee->awake[k] && committee->members[k].sheet[which] == sheet;
    return readers;
}

static void make(weft__committee *committee, weft__sheet *sheet)
{
    const int64_t *pair = committee->question.pair;
    bool wanted[2];
    for (int which = 0; which < 2; which++)
        wanted[which] =
            weft__side_has(sheet->side, pair[which]) && count_readers(committee, sheet, which) > 1;
    for (int which = 0; which < 2; which++)
        if (wanted[which])
            weft__sheet_make(sheet, which, pair[which], wanted[1 - which] ? pair[1 - which] : -1);
}

weft_status weft__committee_share(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (committee->settings.apart)
        return WEFT_OK;
    if (committee->sheets == NULL)
        TRY(open_sheets(committee, error));
    TRY(reserve(committee, error));
    if (!committee->handed) {
        hand_out(committee);
        TRY(reserve(committee, error));
    }
    for (int64_t k = 0; k < committee->sheet_count; k++)
        make(committee, &committee->sheets[k]);
done:
    return status;
}

void weft__committee_meet(weft__committee *committee)
{
    for (int64_t k = 0; k < committee->sheet_count; k++)
        for (int which = 0; which < 2; which++)
            if (committee->sheets[k].place[which])
                weft__sheet_meet(&committee->sheets[k], committee->question.pair[which]);
}

weft_sharing weft_committee_sharing(const weft_player *player)
{
    const weft__committee *committee = weft__committee_in(player);
    weft_sharing sharing = {0};
    for (int64_t k = 0; committee != NULL && k < committee->sheet_count; k++) {
        const weft__sheet *sheet = &committee->sheets[k];
        sharing.asked += atomic_load_explicit(&sheet->asked, memory_order_relaxed);
        sharing.made += sheet->made + atomic_load_explicit(&sheet->lacking, memory_order_relaxed);
    }
    return sharing;
}
