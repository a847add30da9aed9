/* SPDX-License-Identifier: MIT */
#include "cli/run/state.h"

#include <math.h>

static double share_of(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

/* Ids that are on both sides; 0 for one set. */
static int64_t count_common(const weft_roster *rows, const weft_roster *columns)
{
    const weft_ids *ids = weft_roster_ids(rows);
    int64_t common = 0;
    for (int64_t k = 0; columns != NULL && k < weft_ids_count(ids); k++)
        common += weft_ids_find(weft_roster_ids(columns), weft_ids_name(ids, k)) >= 0;
    return common;
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
        facts.common_ids = count_common(run->rows, run->columns);
    else
        facts.bound = run_bound(run);
    run->facts = facts;
    return profile_gather(&run->clock, run->player, &run->facts.profile, error);
}
