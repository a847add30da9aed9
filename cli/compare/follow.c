/* SPDX-License-Identifier: MIT
 * Followers: the result of a user who does not know beforehand which
 * rate (or form, or rival) is best and trusts the one that was best so far. */
#include "cli/compare/compare.h"
#include "program/new.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RUNS = COMPARE_MOST * COMPARE_RATES };

/* The runs of a group. */
typedef struct pool {
    const bool *wrong[MOST_RUNS];
    int64_t mistakes[MOST_RUNS];
    int count;
} pool;

static pool gather(const compare_state *state, int group)
{
    pool runs = {.count = 0};
    for (int k = 0; k < state->count; k++) {
        const contestant *who = &state->contestants[k];
        for (int rate = 0; rate < who->rate_count && compare_belongs(who, group); rate++)
            runs.wrong[runs.count++] = who->wrong[rate];
    }
    return runs;
}

/* The run with the fewest mistakes so far leads; then the trial is counted for all. */
static void follow(pool *runs, int64_t trials, bool *wrong)
{
    for (int64_t t = 0; t < trials; t++) {
        int leader = 0;
        for (int k = 1; k < runs->count; k++)
            if (runs->mistakes[k] < runs->mistakes[leader])
                leader = k;
        wrong[t] = runs->wrong[leader][t];
        for (int k = 0; k < runs->count; k++)
            runs->mistakes[k] += runs->wrong[k][t];
    }
}

static void add_follower(compare_state *state, int group)
{
    static const char *const names[GROUPS] = {"weft none",
                                              "weft rows",
                                              "weft columns",
                                              "weft rows + columns",
                                              "",
                                              "weft rows shuffled",
                                              "weft columns shuffled",
                                              "weft rows + columns shuffled",
                                              "weft",
                                              "rivals"};
    static const char *const one_set_names[GROUPS] = {[0] = "weft none",
                                                      [KNOWS_ROWS] = "weft side information",
                                                      [KNOWS_ROWS | SHUFFLED] =
                                                          "weft side information shuffled",
                                                      [KNOWS_ANYTHING] = "weft",
                                                      [RIVALS] = "rivals"};
    pool runs = gather(state, group);
    contestant *new = &state->contestants[state->count];
    if (runs.count == 0)
        return;
    bool *wrong = new_array(state->course.count, sizeof *wrong);
    follow(&runs, state->course.count, wrong);
    *new = (contestant){.kind = BY_FOLLOWING, .knows = group, .knob = "", .rate_count = 1, .wrong = {wrong}};
    snprintf(new->name, sizeof new->name, "%s", (state->course.one_set ? one_set_names : names)[group]);
    metric_errors(&state->course, wrong, &new->figures);
    state->count++;
}

void compare_follow(compare_state *state)
{
    for (int group = 0; group < GROUPS; group++)
        add_follower(state, group);
}

const contestant *compare_follower(const compare_state *state, int group)
{
    for (int k = 0; k < state->count; k++)
        if (state->contestants[k].kind == BY_FOLLOWING && state->contestants[k].knows == group)
            return &state->contestants[k];
    return NULL;
}
