/* SPDX-License-Identifier: MIT */
#include "cli/report/facts.h"

#include "cli/run/state.h"
#include "weft_advanced.h"

#include <math.h>

static double share_of(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

run_facts facts_gather(run_state *run)
{
    weft_counters counters = weft_player_counters(run->player);
    int64_t labelled = counters.trials - run->begin.trials, negative = labelled - run->positive;
    bool plus = run->positive >= negative;
    run_facts facts = {.counters = counters,
                       .error = share_of(counters.mistakes, counters.trials),
                       .labelled = labelled,
                       .constant = plus ? 1 : -1,
                       .constant_error = share_of(plus ? negative : run->positive, labelled),
                       .ranked = scores_rank(&run->scores),
                       .calibration = reliability_error(&run->reliability)};
    if (run->kind->in_theory) {
        facts.bound = run_bound(run);
    } else {
        facts.guarantee = committee_guarantee(run->player);
        facts.worth = committee_worth(run->player, run->columns != NULL);
        facts.tracking = weft_committee_tracking(run->player);
        facts.common_ids = committee_common(run);
    }
    return facts;
}
