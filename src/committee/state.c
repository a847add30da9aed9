/* SPDX-License-Identifier: MIT
 *
 * The state of a committee as bytes: 8-byte little-endian fields, in this order:
 *
 *     magic, version
 *     settings   randomised seed restless, 0, number of members
 *     counters   t trials mistakes expected_mistakes anew, labels -1 and +1, stack_mistakes, checkpoints,
 *                opened, 0, mistakes of the four stacks
 *     hedge      gap, regrets; drifts
 *     stack      twice, of weights that stay and of those that move: mean, upper triangle of the covariance;
 *                belief in the latter, labels
 *     worth      without rows, columns, both, where there are members: log loss and mistakes, each trials,
 *                with, without, length, blocks, open and the sums of the blocks; and its stack
 *     members    awake since trials mistakes seen price paid, size of its state, its state
 *     epoch      where it is not 0
 *
 * Who the members are is not part of it, but their own states know their settings.  Where a 0 stands now,
 * committees that followed changes once had 1, and the trial of their last merge. */
#include "committee/committee.h"

#include <math.h>

/* "weftcomm", read as a little-endian number. */
static const int64_t MAGIC = INT64_C(0x6d6d6f6374666577);

enum { VERSION = 7 };

static void put_head(weft__encoder *w, const weft__committee *committee)
{
    const weft_committee_settings *s = &committee->settings;
    const weft_counters *c = &committee->counters;
    weft__put_integer(w, MAGIC);
    weft__put_integer(w, VERSION);
    weft__put_integer(w, s->randomised);
    weft__put_integer(w, (int64_t)s->seed);
    weft__put_integer(w, s->restless);
    weft__put_integer(w, 0);
    weft__put_integer(w, committee->count);
    weft__put_integer(w, c->t);
    weft__put_integer(w, c->trials);
    weft__put_integer(w, c->mistakes);
    weft__put_double(w, c->expected_mistakes);
    weft__put_integer(w, c->anew);
    weft__put_integer(w, committee->labels[0]);
    weft__put_integer(w, committee->labels[1]);
    weft__put_integer(w, committee->stack_mistakes);
    weft__put_integer(w, committee->checkpoints);
    weft__put_integer(w, committee->opened);
    weft__put_integer(w, 0);
    for (int i = 0; i < WEFT_STACKS; i++)
        weft__put_integer(w, committee->wrong[i]);
}

static weft_status put_member(weft__encoder *w, const weft__member_state *member, bool awake, bool bare,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    size_t size = 0;
    if (!bare)
        TRY(weft_player_write(member->player, NULL, &size, error));
    weft__put_integer(w, awake);
    weft__put_integer(w, member->since);
    weft__put_integer(w, member->trials);
    weft__put_integer(w, member->mistakes);
    weft__put_integer(w, member->seen);
    weft__put_double(w, member->price);
    weft__put_double(w, member->paid);
    weft__put_integer(w, (int64_t)size);
    if (w->at != NULL && !bare)
        TRY(weft_player_write(member->player, w->at + w->size, &size, error));
    w->size += size;
done:
    return status;
}

static weft_status put_all(const weft__committee *committee, bool bare, weft__encoder *w, weft_error *error)
{
    weft_status status = WEFT_OK;
    put_head(w, committee);
    weft__hedge_write(&committee->hedge, w);
    for (int64_t k = 0; k < committee->count + WEFT_STACKS; k++)
        weft__put_double(w, committee->drift[k]);
    weft__stack_write(&committee->stack, w);
    for (int i = 0; i < 3; i++)
        weft__ablation_write(&committee->ablation[i], w);
    for (int64_t k = 0; k < committee->count; k++)
        TRY(put_member(w, &committee->members[k], committee->awake[k], bare, error));
    if (committee->epoch > 0)
        weft__put_integer(w, committee->epoch);
done:
    return status;
}

static weft_status write_state(const weft__committee *committee, bool bare, void *buffer, size_t *size,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__encoder counting = {NULL, 0}, writing = {buffer, 0};
    TRY(put_all(committee, bare, &counting, error));
    if (buffer != NULL && *size < counting.size)
        return weft__fail(error, WEFT_ARGUMENT, "the buffer has %zu bytes, expected %zu", *size,
                          counting.size);
    if (buffer != NULL)
        TRY(put_all(committee, bare, &writing, error));
    *size = counting.size;
done:
    return status;
}

weft_status weft__committee_write(const weft__committee *committee, void *buffer, size_t *size,
                                  weft_error *error)
{
    return write_state(committee, false, buffer, size, error);
}

weft_status weft__committee_write_bare(const weft__committee *committee, void *buffer, size_t *size,
                                       weft_error *error)
{
    return write_state(committee, true, buffer, size, error);
}

weft_status weft__committee_damaged(weft_error *error, const char *what)
{
    return weft__fail(error, WEFT_MODEL, "the state of the committee is damaged: %s", what);
}

static bool get_flag(weft__decoder *r)
{
    int64_t value = weft__get_integer(r);
    r->failed = r->failed || (value != 0 && value != 1);
    return value == 1;
}

/* A count from 0 to 2^53. */
static int64_t get_count(weft__decoder *r)
{
    int64_t value = weft__get_integer(r);
    r->failed = r->failed || value < 0 || value > WEFT__MOST_COUNT;
    return r->failed ? 0 : value;
}

static weft_status get_settings(weft__decoder *r, weft_committee_settings *settings, int64_t *members,
                                weft_error *error)
{
    if (weft__get_integer(r) != MAGIC)
        return weft__fail(error, WEFT_MODEL, "these bytes are not the state of a committee");
    int64_t version = weft__get_integer(r);
    if (version != VERSION)
        return weft__fail(
            error, WEFT_MODEL,
            "the state of the committee is of version %lld, expected %d: run its stream again to "
            "make a new one",
            (long long)version, VERSION);
    settings->randomised = get_flag(r);
    settings->seed = (uint64_t)weft__get_integer(r);
    settings->restless = get_flag(r);
    bool tracking = get_flag(r);
    *members = weft__get_integer(r);
    if (r->failed || *members < 1)
        return weft__committee_damaged(error, "it is cut short, or a setting is none of the choices");
    if (tracking)
        return weft__fail(
            error, WEFT_MODEL,
            "the committee has members that follow changes, which weft does not play any more: run its "
            "stream again to make a new one");
    return WEFT_OK;
}

static bool are_consistent(const weft__committee *committee)
{
    const weft_counters *c = &committee->counters;
    bool possible = committee->opened <= c->trials;
    for (int i = 0; i < WEFT_STACKS; i++)
        possible = possible && committee->wrong[i] <= c->trials;
    return possible && c->trials <= c->t && c->anew <= c->trials && c->mistakes <= c->trials &&
           committee->stack_mistakes <= c->trials &&
           committee->labels[0] + committee->labels[1] == c->trials && committee->checkpoints < 64 &&
           c->expected_mistakes >= 0 && c->expected_mistakes <= (double)c->trials;
}

static weft_status get_counters(weft__decoder *r, weft__committee *committee, weft_error *error)
{
    weft_counters *c = &committee->counters;
    c->t = get_count(r);
    c->trials = get_count(r);
    c->mistakes = get_count(r);
    c->expected_mistakes = weft__get_double(r);
    c->anew = get_count(r);
    committee->labels[0] = get_count(r);
    committee->labels[1] = get_count(r);
    committee->stack_mistakes = get_count(r);
    committee->checkpoints = get_count(r);
    committee->opened = get_count(r);
    r->failed = weft__get_integer(r) != 0 || r->failed;
    for (int i = 0; i < WEFT_STACKS; i++)
        committee->wrong[i] = get_count(r);
    if (r->failed || !are_consistent(committee))
        return weft__committee_damaged(error, "its counters contradict each other");
    return WEFT_OK;
}

/* From its state, or `ready`, which is taken over. */
static weft_status get_member(weft__decoder *r, weft__committee *committee, int64_t k, weft_player **ready,
                              weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__member_state *member = &committee->members[k];
    committee->awake[k] = get_flag(r);
    member->since = get_count(r);
    member->trials = get_count(r);
    member->mistakes = get_count(r);
    member->seen = get_count(r);
    member->price = weft__get_double(r);
    member->paid = weft__get_double(r);
    int64_t size = weft__get_integer(r);
    const unsigned char *bytes = weft__get_bytes(r, size);
    if (r->failed || member->trials > committee->counters.trials || member->mistakes > member->trials ||
        member->since > committee->counters.trials || member->seen > committee->counters.trials ||
        !(member->price >= 0) || !isfinite(member->price) || !(member->paid >= 0) || !isfinite(member->paid))
        return weft__committee_damaged(error, "a member is cut short or contradicts itself");
    if (ready == NULL)
        TRY(weft__member_read(&member->given, bytes, (size_t)size,
                              (weft__making){&committee->player.memory, progress}, &member->player, error));
    if (ready != NULL) {
        member->player = *ready;
        *ready = NULL;
    }
    if (!weft__member_fits(member))
        return weft__fail(error, WEFT_MODEL,
                          "member %lld of the committee was made with other settings than %s", (long long)k,
                          member->given.name);
    committee->counters.awake += committee->awake[k];
done:
    return status;
}

static bool get_drifts(weft__decoder *r, weft__committee *committee)
{
    bool possible = true;
    for (int64_t k = 0; k < committee->count + WEFT_STACKS; k++) {
        committee->drift[k] = weft__get_double(r);
        possible = possible && fabs(committee->drift[k]) <= (double)committee->counters.trials;
    }
    return possible && !r->failed;
}

static weft_status get_all(weft__decoder *r, weft__committee *committee, weft_player **players,
                           weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(get_counters(r, committee, error));
    committee->counters.awake = 0;
    if (!weft__hedge_read(&committee->hedge, r) || !get_drifts(r, committee) ||
        !weft__stack_read(&committee->stack, r))
        return weft__committee_damaged(error, "its weights are cut short, or no numbers");
    for (int i = 0; i < 3; i++)
        if (!weft__ablation_read(&committee->ablation[i], committee->counters.trials, r))
            return weft__committee_damaged(error,
                                           "what its side information is worth is cut short, or no number");
    for (int64_t k = 0; k < committee->count; k++)
        TRY(get_member(r, committee, k, players != NULL ? &players[k] : NULL, progress, error));
    if (r->left == sizeof(int64_t)) {
        committee->epoch = get_count(r);
        if (committee->epoch == 0)
            return weft__committee_damaged(error, "its epoch is none that is written");
    }
    if (r->left != 0)
        return weft__committee_damaged(error, "there are bytes behind its end");
    weft__hedge_weigh(&committee->hedge, committee->awake);
done:
    return status;
}

weft_status weft__committee_read_from(const weft_member *members, int64_t count,
                                      const weft__committee_bytes *from, weft__making making,
                                      weft__committee **committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__committee *self = NULL;
    weft_committee_settings settings = {0};
    weft__decoder r = {from->buffer, from->size, false};
    int64_t found = 0;
    TRY(get_settings(&r, &settings, &found, error));
    if (found != count)
        return weft__fail(error, WEFT_MODEL, "the committee has %lld members, expected %lld",
                          (long long)found, (long long)count);
    TRY(weft__committee_make(members, count, &settings, making.memory, &self, error));
    TRY(get_all(&r, self, from->players, making.progress, error));
    *committee = self;
    self = NULL;
done:
    weft__committee_free(self);
    return status;
}

weft_status weft__committee_read_head(const void *buffer, size_t size, weft_committee_settings *settings,
                                      int64_t *members, weft_counters *counters, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__committee head = {.count = 0};
    weft__decoder r = {buffer, size, false};
    TRY(get_settings(&r, settings, members, error));
    TRY(get_counters(&r, &head, error));
    *counters = head.counters;
done:
    return status;
}

weft_status weft__committee_restore(const weft_member *members, int64_t count, const void *buffer,
                                    size_t size, weft__making making, weft__committee **committee,
                                    weft_error *error)
{
    weft__committee_bytes from = {.buffer = buffer, .size = size};
    return weft__committee_read_from(members, count, &from, making, committee, error);
}
