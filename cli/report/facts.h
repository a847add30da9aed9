/* SPDX-License-Identifier: MIT
 * What a player is and has come to: found once, and told by weft run and weft inspect as text and as JSON. */
#ifndef WEFT_CLI_REPORT_FACTS_H
#define WEFT_CLI_REPORT_FACTS_H

#include "cli/report/committee.h"

typedef struct player_facts {
    bool is_committee;
    weft_counters counters; /* of all trials, with those of a model that was resumed */
    double error;           /* mistakes a trial; NaN where no label came */
    int64_t room[2];        /* for rows and columns; one set of ids: both are that of the set */
    /* One learner: */
    weft_settings settings;
    /* A committee: */
    weft_committee_settings rules;
    int64_t members, learners; /* without those in reserve; the other members are rivals */
    guarantee guarantee;
    worth_list worth;
} player_facts;

/* `one_set`: rows and columns are one set of ids. */
player_facts player_facts_of(const weft_player *player, bool one_set);

#endif
