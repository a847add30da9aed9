/* SPDX-License-Identifier: MIT */
#include "cli/run/state.h"

#include <math.h>
#include <string.h>

static double share_of(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static bool is_number(const char *name)
{
    return *name != 0 && name[strspn(name, "0123456789")] == 0;
}

/* Ids that are on both sides; none for one set. */
static void count_common(const weft_roster *rows, const weft_roster *columns, run_facts *facts)
{
    const weft_ids *ids = weft_roster_ids(rows);
    for (int64_t k = 0; columns != NULL && k < weft_ids_count(ids); k++) {
        const char *name = weft_ids_name(ids, k);
        bool common = weft_ids_find(weft_roster_ids(columns), name) >= 0;
        facts->common_ids += common;
        facts->common_numbers += common && is_number(name);
    }
}

weft_status run_gather(run_state *run, weft_error *error)
{
    player_facts player = player_facts_of(run->player, run->columns == NULL);
    int64_t labelled = player.counters.trials - run->begin.trials, negative = labelled - run->positive;
    bool plus = run->positive >= negative;
    run_facts facts = {.player = player,
                       .labelled = labelled,
                       .constant = plus ? 1 : -1,
                       .constant_error = share_of(plus ? negative : run->positive, labelled),
                       .ranked = score_groups_rank(&run->scores),
                       .calibration = reliability_error(&run->reliability)};
    facts.player.worth.with = facts.ranked;
    for (int64_t i = 0; i < facts.player.worth.count; i++)
        facts.player.worth.parts[i].without = score_groups_rank(&run->without[i]);
    if (player.is_committee)
        count_common(run->rows, run->columns, &facts);
    else
        facts.bound = run_bound(run);
    run->facts = facts;
    return profile_gather(&run->clock, run->player, &run->facts.profile, error);
}
