/* SPDX-License-Identifier: MIT
 *
 * Evidence is additive: another log can be merged in and one id's share taken
 * out.  Both build the changed learner beside the old one and then exchange
 * their insides, so that a failure changes nothing. */
#include "learner/learner.h"

#include <math.h>
#include <stdlib.h>

weft_status weft__learner_sibling(const weft__learner *learner, weft__learner **sibling, weft_error *error)
{
    return weft__learner_make(learner->player.rows, learner->player.columns, &learner->settings,
                              &learner->player.memory, sibling, error);
}

static weft_status check_count(const weft__learner *learner, const weft_evidence_entry *entry,
                               weft_error *error)
{
    weft__space *space = learner->space;
    int64_t a = weft__working_set_slot(&space->view[0], entry->row);
    int64_t b = weft__working_set_slot(weft__space_columns(space), entry->column);
    int64_t now = a >= 0 && b >= 0 ? weft__evidence_at(&space->evidence, a, b) : 0;
    if (entry->count > WEFT__MOST_COUNT || entry->count < -WEFT__MOST_COUNT ||
        llabs(now + entry->count) > WEFT__MOST_COUNT)
        return weft__fail_at(error, WEFT_ARGUMENT, entry->row, entry->column,
                             "the count of row %lld, column %lld is %lld, expected at most 2^53 in magnitude",
                             (long long)entry->row, (long long)entry->column, (long long)entry->count);
    return WEFT_OK;
}

/* Ids that carry evidence. */
static int64_t count_slots(const weft__learner *learner)
{
    const weft__space *space = learner->space;
    return space->view[0].count + (learner->player.columns != NULL ? space->view[1].count : 0);
}

/* Multiplications of an entry that is added: where it has brought ids, their kernel values with all others
 * are computed, unless the kernel has structure. */
static double work_of_entry(const weft__learner *learner, int64_t slots_before)
{
    enum { ENTRY = 256, KERNEL_VALUE = 64 };
    double slots = (double)count_slots(learner);
    return ENTRY + KERNEL_VALUE * slots * (slots - (double)slots_before);
}

weft_status weft__learner_replay(weft__learner *learner, const weft_evidence_entry *entries, int64_t count,
                                 weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool moved = false;
    /* C changes behind the engine's back. */
    learner->fitted = false;
    for (int64_t k = 0; k < count; k++) {
        TRY(weft__learner_check(learner, entries[k].row, entries[k].column, error));
        TRY(weft__learner_check_new(learner, entries[k].row, entries[k].column, error));
        TRY(check_count(learner, &entries[k], error));
        int64_t slots = count_slots(learner);
        TRY(weft__space_reserve(learner->space, entries[k].row, entries[k].column, &moved, error));
        weft__space_add(learner->space, entries[k].row, entries[k].column, entries[k].count);
        TRY(weft__progress_step(progress, work_of_entry(learner, slots), error));
    }
done:
    return status;
}

/* Everything that follows from the evidence changes hands. */
static void exchange(weft__learner *a, weft__learner *b)
{
    weft__learner c = *a;
    a->backend = b->backend;
    a->space = b->space;
    a->compact = b->compact;
    a->engine = b->engine;
    a->work = b->work;
    a->image[0] = b->image[0];
    a->image[1] = b->image[1];
    a->image_capacity = b->image_capacity;
    a->bound = b->bound;
    a->fitted = b->fitted;
    a->pending.valid = false;
    a->revision++;
    b->backend = c.backend;
    b->space = c.space;
    b->compact = c.compact;
    b->engine = c.engine;
    b->work = c.work;
    b->image[0] = c.image[0];
    b->image[1] = c.image[1];
    b->image_capacity = c.image_capacity;
}

/* Is the entry one of that id (side 0: a row, 1: a column, -1: no id)? */
static bool belongs_to(const weft__learner *learner, const weft_evidence_entry *entry, int side, int64_t id)
{
    bool one_set = learner->player.columns == NULL;
    bool at_row = entry->row == id && (one_set || side == 0);
    bool at_column = entry->column == id && (one_set || side == 1);
    return side >= 0 && (at_row || at_column);
}

/* Own cells, without those of one id. */
static weft_status replay_own(const weft__learner *learner, int side, int64_t id, weft__learner *into,
                              weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < weft__learner_evidence_count(learner); k++) {
        weft_evidence_entry entry = weft__learner_evidence(learner, k);
        if (!belongs_to(learner, &entry, side, id))
            TRY(weft__learner_replay(into, &entry, 1, progress, error));
    }
done:
    return status;
}

/* By how much a change of the count can raise lambda_max (Weyl): the positive
 * part of eta * count times the form's coefficients and squares. */
static double raise_of(const weft__learner *learner, int64_t row, int64_t column, int64_t count)
{
    weft__space *space = learner->space;
    int64_t pair[2] = {row, column};
    weft__embedding e = learner->form->embed(weft__working_set_diagonal(&space->view[0], row),
                                             weft__working_set_diagonal(weft__space_columns(space), column));
    double raise = 0;
    for (int v = 0; v < learner->form->vectors; v++)
        raise += fmax(0, learner->form->coefficient(v, count > 0 ? 1 : -1, e.s) *
                             weft__space_square(space, pair, e.value[v]));
    return raise * learner->settings.eta * fabs((double)count);
}

/* The better of two bounds: from the evidence alone, or the old one raised. */
static void rebound(weft__learner *changed, const weft__learner *before, double raise)
{
    weft__spectral_bound old = before->bound;
    weft__spectral_bound_widen(&old, changed->backend->dimensions - before->backend->dimensions);
    weft__spectral_bound_raise(&old, raise);
    weft__learner_rebound(changed);
    weft__spectral_bound_tighten(&changed->bound, &old);
}

weft_status weft__learner_add(weft__learner *learner, const weft_evidence_entry *entries, int64_t count,
                              weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *merged = NULL;
    double raise = 0;
    TRY(weft__learner_need_evidence(learner, "adding to it", error));
    TRY(weft__learner_sibling(learner, &merged, error));
    TRY(replay_own(learner, -1, -1, merged, progress, error));
    TRY(weft__learner_replay(merged, entries, count, progress, error));
    TRY(weft__learner_prepare(merged, error));
    for (int64_t k = 0; k < count; k++)
        raise += raise_of(learner, entries[k].row, entries[k].column, entries[k].count);
    rebound(merged, learner, raise);
    exchange(learner, merged);
done:
    weft__learner_free(merged);
    return status;
}

weft_status weft__learner_count_more(weft__learner *learner, const weft_counters *more, weft_error *error)
{
    weft_counters sum = learner->counters;
    const int64_t parts[] = {more->t, more->trials, more->mistakes, more->updates, more->products};
    int64_t *sums[] = {&sum.t, &sum.trials, &sum.mistakes, &sum.updates, &sum.products};
    for (int k = 0; k < 5; k++) {
        if (parts[k] < 0 || parts[k] > WEFT__MOST_COUNT - *sums[k])
            return weft__fail(error, WEFT_ARGUMENT,
                              "a counter is %lld and %lld more, expected a sum of counts",
                              (long long)*sums[k], (long long)parts[k]);
        *sums[k] += parts[k];
    }
    sum.expected_mistakes += more->expected_mistakes;
    if (!(more->expected_mistakes >= 0) || !isfinite(sum.expected_mistakes))
        return weft__fail(error, WEFT_ARGUMENT, "expected mistakes are %g, expected a number >= 0",
                          more->expected_mistakes);
    learner->counters = sum;
    return WEFT_OK;
}

/* D and the capacities may differ: they make kappa, which evidence knows nothing of. */
static weft_status check_alike(const weft__learner *a, const weft__learner *b, weft_error *error)
{
    const weft_settings *s = &a->settings, *t = &b->settings;
    if (s->form == t->form && s->eta == t->eta && s->gamma == t->gamma)
        return WEFT_OK;
    return weft__fail(error, WEFT_ARGUMENT,
                      "learners with eta %g and %g, gamma %g and %g cannot be merged unless these and their "
                      "forms are the same",
                      s->eta, t->eta, s->gamma, t->gamma);
}

static weft_status check_compact(const weft__learner *a, const weft__learner *b, weft_error *error)
{
    const weft_settings *s = &a->settings, *t = &b->settings;
    if (a->compact == NULL || b->compact == NULL)
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "a learner of the compact engine and one of another cannot be merged: one keeps a "
                          "matrix, the other pairs");
    if (!weft__compact_alike(a->compact, b->compact) || s->floor != t->floor || s->half_life != t->half_life)
        return weft__fail(error, WEFT_ARGUMENT,
                          "learners of the compact engine with floors %g and %g, half-lives %g and %g cannot "
                          "be merged unless these and their feature maps are the same",
                          s->floor, t->floor, s->half_life, t->half_life);
    return WEFT_OK;
}

/* A is the sum of what was learnt, from 0 on, so that two of them add. */
static weft_status merge_compact(weft__learner *learner, const weft__learner *other,
                                 const weft__numbers *numbers, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (!weft__numbers_alike(numbers))
        return weft__fail(
            error, WEFT_UNSUPPORTED,
            "learners of the compact engine can be merged only where ids have the same numbers: "
            "their hashed signs go by these");
    TRY(check_compact(learner, other, error));
    TRY(check_alike(learner, other, error));
    TRY(weft__learner_count_more(learner, &other->counters, error));
    weft__compact_add(learner->compact, other->compact);
    learner->bound = weft__compact_bound(learner->compact);
    learner->pending.valid = false;
    learner->fitted = false;
    learner->revision++;
done:
    return status;
}

/* The entry of the other one with the numbers that its ids have here. */
static weft_status renumber(const weft__numbers *numbers, weft_evidence_entry *entry, weft_error *error)
{
    int64_t *ids[2] = {&entry->row, &entry->column};
    for (int which = 0; numbers != NULL && which < 2; which++) {
        if (*ids[which] >= numbers->count[which])
            return weft__fail_at(error, WEFT_ARGUMENT, *ids[which], -1,
                                 "%s %lld of the other learner has no number, expected one for all %lld",
                                 which == 0 ? "row" : "column", (long long)*ids[which],
                                 (long long)numbers->count[which]);
        *ids[which] = numbers->of[which][*ids[which]];
    }
    return WEFT_OK;
}

weft_status weft__learner_merge(weft__learner *learner, const weft__learner *other,
                                const weft__numbers *numbers, weft__progress *progress, weft_error *error)
{
    if (learner->compact != NULL || other->compact != NULL)
        return merge_compact(learner, other, numbers, error);
    weft_status status = WEFT_OK;
    weft_evidence_entry *entries = NULL;
    weft_counters before = learner->counters;
    int64_t count = weft__learner_evidence_count(other);
    TRY(check_alike(learner, other, error));
    TRY(weft__new(&learner->player.memory, count, sizeof *entries, &entries, error));
    for (int64_t k = 0; k < count; k++) {
        entries[k] = weft__learner_evidence(other, k);
        TRY(renumber(numbers, &entries[k], error));
    }
    TRY(weft__learner_count_more(learner, &other->counters, error));
    status = weft__learner_add(learner, entries, count, progress, error);
    if (status != WEFT_OK)
        learner->counters = before;
done:
    weft__delete(&learner->player.memory, entries);
    return status;
}

static weft_status forget(weft__learner *learner, int side, int64_t id, weft__progress *progress,
                          weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *rest = NULL;
    double raise = 0;
    TRY(weft__learner_need_evidence(learner, "forgetting", error));
    TRY(weft__learner_sibling(learner, &rest, error));
    TRY(replay_own(learner, side, id, rest, progress, error));
    TRY(weft__learner_prepare(rest, error));
    for (int64_t k = 0; k < weft__learner_evidence_count(learner); k++) {
        weft_evidence_entry entry = weft__learner_evidence(learner, k);
        if (belongs_to(learner, &entry, side, id))
            raise += raise_of(learner, entry.row, entry.column, -entry.count);
    }
    rebound(rest, learner, raise);
    exchange(learner, rest);
done:
    weft__learner_free(rest);
    return status;
}

weft_status weft__learner_forget(weft__learner *learner, int which, int64_t id, weft__progress *progress,
                                 weft_error *error)
{
    bool row = which == WEFT_ROWS;
    weft_status status =
        row ? weft__learner_check_row(learner, id, error) : weft__learner_check_column(learner, id, error);
    return status != WEFT_OK ? status : forget(learner, row ? 0 : 1, id, progress, error);
}

static weft_status copy_evidence(const weft__learner *learner, weft__learner *into, weft__progress *progress,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__evidence *evidence = &learner->space->evidence;
    TRY(replay_own(learner, -1, -1, into, progress, error));
    TRY(weft__evidence_restore(&into->space->evidence, evidence->largest, evidence->dense, error));
    TRY(weft__learner_prepare(into, error));
done:
    return status;
}

weft_status weft__learner_clone(const weft__learner *learner, weft__progress *progress, weft__learner **copy,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *self = NULL;
    TRY(weft__learner_sibling(learner, &self, error));
    if (learner->compact != NULL)
        weft__compact_copy(learner->compact, self->compact);
    else
        TRY(copy_evidence(learner, self, progress, error));
    self->bound = learner->bound;
    self->counters = learner->counters;
    *copy = self;
    return WEFT_OK;
done:
    weft__learner_free(self);
    return status;
}

weft_status weft__learner_reset(weft__learner *learner, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *fresh = NULL;
    TRY(weft__learner_sibling(learner, &fresh, error));
    exchange(learner, fresh);
    learner->counters = (weft_counters){0};
done:
    weft__learner_free(fresh);
    return status;
}
