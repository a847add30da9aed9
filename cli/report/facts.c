/* SPDX-License-Identifier: MIT */
#include "cli/report/facts.h"

#include <math.h>

player_facts player_facts_of(const weft_player *player, bool one_set)
{
    weft_counters counters = weft_player_counters(player);
    player_facts facts = {.is_committee = weft_player_kind(player) == WEFT_COMMITTEE,
                          .counters = counters,
                          .error = counters.trials > 0 ? (double)counters.mistakes / (double)counters.trials
                                                       : NAN};
    weft_player_room(player, &facts.room[0], &facts.room[1]);
    if (one_set)
        facts.room[1] = facts.room[0];
    if (!facts.is_committee) {
        facts.settings = weft_learner_settings(player);
        return facts;
    }
    facts.rules = weft_committee_settings_of(player);
    facts.members = committee_players(player);
    facts.learners = committee_learners(player);
    facts.guarantee = committee_guarantee(player);
    facts.worth = committee_worth(player, !one_set);
    return facts;
}
