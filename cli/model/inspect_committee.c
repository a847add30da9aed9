/* SPDX-License-Identifier: MIT
 * What a committee is, for people and for programs. */
#include "cli/command/json_text.h"
#include "cli/model/inspect.h"

#include <inttypes.h>

enum { INDENT = 19 };

/* ---- For people ---- */

static void tell_rules(const inspection *seen, FILE *out)
{
    const weft_committee_settings *rules = &seen->facts.rules;
    fprintf(out, "%-19s%s\n", "prediction", rules->randomised ? "drawn by weight" : "by majority of weight");
    fprintf(out, "%-19s%s\n", "resting",
            rules->restless ? "none: every member plays every trial"
                            : "members that cost more than they add");
    fprintf(out, "%-19s%" PRIu64 "%s\n", "seed", rules->seed, rules->randomised ? "" : ", nothing is drawn");
    fprintf(out, "%-19s%s\n", "labels", weft_language_show(&seen->model.language).text);
}

static void tell_settings(const inspection *seen, FILE *out)
{
    const player_facts *facts = &seen->facts;
    fprintf(out, "%-19s%" PRId64 " members: %" PRId64 " learners, %" PRId64 " rivals\n", "committee",
            facts->members, facts->learners, facts->members - facts->learners);
    tell_rules(seen, out);
}

static void tell_course(const inspection *seen, FILE *out)
{
    inspect_counters(seen, out);
    fprintf(out, "%-19s%" PRId64 "\n", "members awake", seen->facts.counters.awake);
    inspect_disturbed(seen, out);
    committee_explain_guarantee(&seen->facts.guarantee, INDENT, out);
}

/* By weight, which decides: the stack, or a member; and of the members the first, and how far the next is. */
static void tell_vote(const weft_player *committee, FILE *out)
{
    weft_standing stack = committee_best_stack(committee), first[2];
    bool several = committee_first(committee, first), leads = stack.weight > first[0].weight;
    fprintf(out, "%-19s", "leads the vote");
    if (leads)
        fprintf(out, "the %s: weight %.4f; of the members ", stack.name, stack.weight);
    fprintf(out, "'%s', awake %s: weight %.4f", first[0].name, committee_awake(&first[0]).text,
            first[0].weight);
    if (several)
        fprintf(out, ", %.4f more than '%s'", first[0].weight - first[1].weight, first[1].name);
    if (!leads)
        fprintf(out, "; the %s has %.4f", stack.name, stack.weight);
    putc('\n', out);
}

/* By share, which makes the probability. */
static void tell_leader(const inspection *seen, FILE *out)
{
    const weft_player *committee = seen->model.player;
    int64_t leader = committee_leader(committee);
    if (leader < 0) {
        fprintf(out, "%-19s%s\n", "leading learner", "none: there are only rivals, which have no evidence");
        return;
    }
    weft_standing learner = weft_committee_standing(committee, leader);
    if (learner.is_awake)
        fprintf(out,
                "%-19s'%s', awake %s: share %.4f, the largest of the learners awake; its evidence is below\n",
                "leading learner", learner.name, committee_awake(&learner).text, learner.coefficient);
    else
        fprintf(out, "%-19s'%s', %s as all learners do, the best until then; its evidence is below\n",
                "leading learner", learner.name, committee_awake(&learner).text);
}

static void tell(const inspection *seen, FILE *out)
{
    tell_settings(seen, out);
    tell_course(seen, out);
    tell_vote(seen->model.player, out);
    tell_leader(seen, out);
    committee_tell_leaders(seen->model.player, 0, out);
    putc('\n', out);
}

/* ---- For programs ---- */

static json_t *describe_settings(const inspection *seen)
{
    const weft_committee_settings *rules = &seen->facts.rules;
    return json_pack("{s:b, s:b, s:b, s:I}", "committee", 1, "randomised", (int)rules->randomised, "restless",
                     (int)rules->restless, "seed", (json_int_t)rules->seed);
}

static json_t *describe_counters(const inspection *seen)
{
    const weft_counters *c = &seen->facts.counters;
    return json_pack("{s:I, s:I, s:I, s:f, s:I}", "t", (json_int_t)c->t, "trials", (json_int_t)c->trials,
                     "mistakes", (json_int_t)c->mistakes, "expected_mistakes", c->expected_mistakes, "awake",
                     (json_int_t)c->awake);
}

static int add_members(const inspection *seen, json_t *object)
{
    const weft_player *committee = seen->model.player;
    int64_t leader = committee_leader(committee);
    json_t *name = leader < 0 ? json_null() : json_name(weft_committee_standing(committee, leader).name);
    int failed = json_object_set_new(object, "members", committee_members_json(committee));
    failed |= json_object_set_new(object, "stack", committee_stack_json(committee));
    failed |= json_object_set_new(object, "guarantee", committee_guarantee_json(&seen->facts.guarantee));
    failed |= json_object_set_new(object, "leader", name);
    return failed;
}

/* ---- Alone ---- */

static void tell_alone(const inspection *seen, FILE *out)
{
    fprintf(out, "%-19s%" PRId64 " members, those in reserve among them\n", "committee", seen->facts.members);
    tell_rules(seen, out);
    inspect_counters(seen, out);
    inspect_disturbed(seen, out);
    fprintf(out, "%-19s%s\n", "not known",
            "its members, the guarantee and evidence: they are made again from the side information");
}

static json_t *describe_counters_alone(const inspection *seen)
{
    json_t *object = describe_counters(seen);
    return json_whole(object, object == NULL || json_object_set_new(object, "awake", json_null()) != 0);
}

static int add_nulls(const inspection *seen, json_t *object)
{
    static const char *const unknown[] = {"members", "stack", "guarantee", "leader"};
    int failed = 0;
    (void)seen;
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
        failed |= json_object_set_new(object, unknown[k], json_null());
    return failed;
}

const inspect_ops inspect_committee_alone = {
    .disturbed = "evidence was merged or forgotten",
    .tell = tell_alone,
    .settings = describe_settings,
    .counters = describe_counters_alone,
    .add_rest = add_nulls,
};

const inspect_ops inspect_committee = {
    .disturbed = "evidence was merged or forgotten",
    .tell = tell,
    .settings = describe_settings,
    .counters = describe_counters,
    .add_rest = add_members,
};
