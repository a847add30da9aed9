/* SPDX-License-Identifier: MIT
 * Adding another committee of the same members. */
#include "committee/knowledge.h"
#include "learner/learner.h"

#include <math.h>
#include <string.h>

static bool are_alike(const weft__member *a, const weft__member *b)
{
    if (strcmp(a->given.name, b->given.name) != 0 || (a->rival == NULL) != (b->rival == NULL) ||
        a->given.uses != b->given.uses || (a->given.columns == NULL) != (b->given.columns == NULL))
        return false;
    if (a->rival != NULL) {
        weft_rival_settings s = weft_rival_settings_of(a->rival), t = weft_rival_settings_of(b->rival);
        return s.kind == t.kind && s.rate == t.rate && s.factors == t.factors && s.bits == t.bits &&
               s.seed == t.seed;
    }
    weft_settings s = weft_learner_settings(a->learner), t = weft_learner_settings(b->learner);
    return s.form == t.form && s.updates == t.updates && s.engine == t.engine && s.eta == t.eta &&
           s.gamma == t.gamma;
}

static weft_status check_members(const weft_committee *a, const weft_committee *b, weft_error *error)
{
    if ((a->track == NULL) != (b->track == NULL))
        return weft__fail(
            error, WEFT_ARGUMENT,
            "one of the committees follows changes and the other does not; they cannot be merged");
    if (a->count != b->count)
        return weft__fail(error, WEFT_ARGUMENT,
                          "committees of %lld and %lld members cannot be merged, expected the same members",
                          (long long)a->count, (long long)b->count);
    for (int64_t k = 0; k < a->count; k++)
        if (!are_alike(&a->members[k], &b->members[k]))
            return weft__fail(
                error, WEFT_ARGUMENT,
                "member %lld of the committees is %s and %s; they cannot be merged unless it has "
                "the same name and settings in both",
                (long long)k, a->members[k].given.name, b->members[k].given.name);
    return WEFT_OK;
}

static weft_status add_evidence(const weft_learner *own, const weft_learner *other, weft_learner **sum,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_learner *copy = NULL;
    weft_evidence_entry *entries = NULL;
    int64_t count = weft_learner_evidence_count(other);
    weft_counters more = weft_learner_counters(other);
    TRY(weft__new(&own->memory, count, sizeof *entries, &entries, error));
    for (int64_t k = 0; k < count; k++)
        entries[k] = weft_learner_evidence(other, k);
    TRY(weft_learner_clone(own, &copy, error));
    TRY(weft_learner_merge(copy, entries, count, error));
    TRY(weft_learner_count_more(copy, &more, error));
    *sum = copy;
    copy = NULL;
done:
    weft_learner_free(copy);
    weft__delete(&own->memory, entries);
    return status;
}

/* The rival of the one that has seen more, over the sides of the first: those of the other may go. */
static weft_status choose_rival(const weft__member *own, const weft__member *other, weft_rival **chosen,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_rival *from = other->seen > own->seen ? other->rival : own->rival;
    unsigned char *bytes = NULL;
    size_t size = 0;
    TRY(weft_rival_write(from, NULL, &size, error));
    TRY(weft__new(&own->memory, (int64_t)size, 1, &bytes, error));
    TRY(weft_rival_write(from, bytes, &size, error));
    status = weft_rival_read(own->given.rows, own->given.columns, bytes, size, &own->memory, chosen, error);
    if (status == WEFT_MODEL)
        status = weft__fail(error, WEFT_ARGUMENT,
                            "%s: what it has learnt in one committee does not fit the ids of the other",
                            own->given.name);
done:
    weft__delete(&own->memory, bytes);
    return status;
}

/* Adds the counters of the other one.  Counts are exact up to 2^53. */
static weft_status add_counters(weft_committee_counters *c, const weft_committee_counters *more,
                                weft_error *error)
{
    static const int64_t most = INT64_C(1) << 53;
    if (more->t > most - c->t)
        return weft__fail(error, WEFT_ARGUMENT,
                          "the committees have %lld and %lld trials, expected a sum up to 2^53",
                          (long long)c->t, (long long)more->t);
    c->t += more->t;
    c->trials += more->trials;
    c->mistakes += more->mistakes;
    c->expected_mistakes += more->expected_mistakes;
    return WEFT_OK;
}

/* The schedule of rest.c goes by all labels so far, and the new stack has to see some first: at least as
 * many as there are before the first checkpoint of all. */
static int64_t next_checkpoint(const weft_committee *committee)
{
    const int64_t *labels = committee->labels;
    double rare = 2 * (double)(labels[0] < labels[1] ? labels[0] : labels[1]), scale = 1;
    int64_t number = 0;
    for (; rare + WEFT__FIRST_REST > WEFT__FIRST_REST * scale ||
           (double)committee->counters.trials + WEFT__LATEST_REST > WEFT__LATEST_REST * scale;
         scale *= 2)
        number++;
    return number;
}

static weft_status merge_members(const weft_committee *own, const weft_committee *other,
                                 weft__knowledge *list, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < own->count; k++) {
        const weft__member *a = &own->members[k], *b = &other->members[k];
        if (a->rival != NULL)
            TRY(choose_rival(a, b, &list[k].rival, error));
        else
            TRY(add_evidence(a->learner, b->learner, &list[k].learner, error));
    }
done:
    return status;
}

/* A committee of the same members that nobody has asked yet. */
static weft_status make_blank(const weft_committee *committee, weft_committee **blank, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_member *list = NULL;
    weft_committee_settings settings = committee->settings;
    settings.threads = 0;
    settings.tracking = false;
    TRY(weft__committee_given(committee, &list, error));
    TRY(weft__committee_make(list, committee->count, &settings, &committee->memory, blank, error));
done:
    weft__delete(&committee->memory, list);
    return status;
}

/* Takes hedge and stacks of the blank one, which is left with the old ones. */
static void take_weights(weft_committee *committee, weft_committee *blank)
{
    weft__hedge hedge = committee->hedge;
    weft__stack stack = committee->stack;
    committee->hedge = blank->hedge;
    committee->stack = blank->stack;
    blank->hedge = hedge;
    blank->stack = stack;
    for (int i = 0; i < 3; i++) {
        weft__stack old = committee->worth[i].stack;
        committee->worth[i].stack = blank->worth[i].stack;
        blank->worth[i].stack = old;
    }
}

/* The standings begin with this trial. */
static void wake_everybody(weft_committee *committee)
{
    for (int64_t k = 0; k < committee->count; k++) {
        weft__member *member = &committee->members[k];
        member->since = committee->counters.trials;
        member->trials = member->mistakes = member->until = 0;
        member->work = member->promise = 0;
    }
    weft__committee_start(committee);
    committee->since = committee->counters.trials;
    memset(committee->wrong, 0, sizeof committee->wrong);
    committee->seats = 0;
    committee->checkpoints = next_checkpoint(committee);
    weft__hedge_weigh(&committee->hedge, committee->awake);
}

/* What was counted of the stacks was true of both. */
static void add_mistakes(weft_committee *committee, const weft_committee *other)
{
    committee->stack_mistakes += other->stack_mistakes;
    for (int i = 0; i < 2; i++)
        committee->labels[i] += other->labels[i];
    for (int i = 0; i < 3; i++) {
        committee->worth[i].mistakes += other->worth[i].mistakes;
        committee->worth[i].only_it += other->worth[i].only_it;
        committee->worth[i].only_other += other->worth[i].only_other;
    }
}

/* Learners have the evidence of both, rivals that of one. */
static int64_t seen_by_both(const weft__member *own, const weft__member *other)
{
    if (own->rival == NULL)
        return own->seen + other->seen;
    return own->seen > other->seen ? own->seen : other->seen;
}

/* Generations that began at different times have no common successor. */
static void merge_tracks(weft_committee *committee, const weft_committee *other)
{
    weft__track *track = committee->track;
    track->mistakes += other->track->mistakes;
    track->expected_mistakes += other->track->expected_mistakes;
    track->alarms += other->track->alarms;
    track->last = 0;
    weft__track_restart(committee);
}

weft_status weft_committee_merge(weft_committee *committee, const weft_committee *other, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_committee *blank = NULL;
    weft__knowledge *list = NULL;
    weft_committee_counters counters = committee->counters;
    TRY(check_members(committee, other, error));
    TRY(add_counters(&counters, &other->counters, error));
    TRY(weft__new(&committee->memory, committee->count, sizeof *list, &list, error));
    TRY(merge_members(committee, other, list, error));
    TRY(make_blank(committee, &blank, error));
    weft__knowledge_exchange(committee, list);
    take_weights(committee, blank);
    add_mistakes(committee, other);
    for (int64_t k = 0; k < committee->count; k++)
        committee->members[k].seen = seen_by_both(&committee->members[k], &other->members[k]);
    committee->counters = counters;
    wake_everybody(committee);
    if (committee->track != NULL)
        merge_tracks(committee, other);
done:
    weft__knowledge_release(&committee->memory, list, committee->count);
    weft_committee_free(blank);
    return status;
}
