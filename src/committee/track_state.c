/* SPDX-License-Identifier: MIT
 *
 * What follows the state of a committee that follows changes (state.c):
 *
 *     alarm, alarms, last, mistakes, expected_mistakes, drift, born of the elder and the young one
 *     belief, fixed share
 *     elder and young: size of its state (0: as the eldest), its state */
#include "base/elementary.h"
#include "committee/committee.h"

#include <math.h>

static weft_status put_generation(weft__encoder *w, const weft__committee *younger, bool bare,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_status (*write)(const weft__committee *, void *, size_t *, weft_error *) =
        bare ? weft__committee_write_bare : weft__committee_write;
    size_t size = 0;
    if (younger != NULL)
        TRY(write(younger, NULL, &size, error));
    weft__put_integer(w, (int64_t)size);
    if (younger != NULL && w->at != NULL)
        TRY(write(younger, w->at + w->size, &size, error));
    w->size += size;
done:
    return status;
}

weft_status weft__track_write(const weft__committee *committee, bool bare, weft__encoder *w,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__track *track = committee->track;
    weft__put_double(w, track->alarm);
    weft__put_integer(w, track->alarms);
    weft__put_integer(w, track->last);
    weft__put_integer(w, track->mistakes);
    weft__put_double(w, track->expected_mistakes);
    weft__put_double(w, track->drift);
    for (int g = 0; g < 2; g++)
        weft__put_integer(w, track->born[g]);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        weft__put_double(w, track->belief[g]);
    weft__fixed_share_write(&track->fixed_share, w);
    for (int g = 0; g < 2; g++)
        TRY(put_generation(w, track->younger[g], bare, error));
done:
    return status;
}

/* A sum of beliefs that is much more than 1 would make probabilities of more. */
static bool is_possible(const weft__track *track, int64_t trials)
{
    double sum = 0;
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        if (!(track->belief[g] > 0))
            return false;
        sum += track->belief[g];
    }
    return fabs(sum - 1) <= 0x1p-40 && track->alarm >= 0 &&
           track->alarm <= weft__log((double)trials + 1) + 1 && track->alarms >= 0 &&
           track->alarms <= trials && track->last >= 0 && track->last <= trials && track->mistakes >= 0 &&
           track->mistakes <= trials && track->expected_mistakes >= 0 &&
           track->expected_mistakes <= (double)trials && fabs(track->drift) <= (double)trials &&
           track->born[0] >= 0 && track->born[0] <= track->born[1] && track->born[1] <= trials;
}

/* With the settings and the room that track.c gives it. */
static bool is_child(const weft__committee *younger, const weft__committee *committee)
{
    const weft_committee_settings *s = &younger->settings;
    if (s->randomised || s->restless != committee->settings.restless)
        return false;
    for (int64_t k = 0; k < committee->count; k++) {
        weft_settings a = weft_learner_settings(younger->members[k].player);
        weft_settings b = weft_learner_settings(committee->members[k].player);
        if (a.rows != b.rows || a.columns != b.columns)
            return false;
    }
    return true;
}

/* Of the same members, and following nothing itself. */
static weft_status get_generation(weft__decoder *r, weft__committee *committee, int g, weft_player **players,
                                  weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__track *track = committee->track;
    weft_member *list = NULL;
    int64_t size = weft__get_integer(r);
    const unsigned char *bytes = weft__get_bytes(r, size);
    if (r->failed)
        return weft__committee_damaged(error, "a generation is cut short");
    if (size == 0)
        return WEFT_OK;
    TRY(weft__committee_given(committee, &list, error));
    weft__committee_bytes from = {.buffer = bytes, .size = (size_t)size, .plain = true, .players = players};
    TRY(weft__committee_read_from(list, committee->count, &from,
                                  (weft__making){&committee->player.memory, progress}, &track->younger[g],
                                  error));
    if (track->younger[g]->counters.trials != committee->counters.trials - track->born[g])
        status = weft__committee_damaged(error, "a generation is as old as it cannot be");
    else if (!is_child(track->younger[g], committee))
        status = weft__committee_damaged(error, "a generation has other settings than the eldest");
done:
    weft__delete(&committee->player.memory, list);
    return status;
}

weft_status weft__track_read(weft__committee *committee, weft__decoder *r, weft_player **players,
                             weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__track *track = committee->track;
    track->alarm = weft__get_double(r);
    track->alarms = weft__get_integer(r);
    track->last = weft__get_integer(r);
    track->mistakes = weft__get_integer(r);
    track->expected_mistakes = weft__get_double(r);
    track->drift = weft__get_double(r);
    for (int g = 0; g < 2; g++)
        track->born[g] = weft__get_integer(r);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        track->belief[g] = weft__get_double(r);
    if (!weft__fixed_share_read(&track->fixed_share, r) || !is_possible(track, committee->counters.trials))
        return weft__committee_damaged(error, "its generations are cut short or contradict themselves");
    for (int g = 0; g < 2; g++)
        TRY(get_generation(r, committee, g, players != NULL ? players + g * committee->count : NULL, progress,
                           error));
    /* The young one is born first. */
    if (track->younger[1] == NULL && (track->younger[0] != NULL || track->born[0] != track->born[1]))
        status = weft__committee_damaged(error, "an elder generation has no young one behind it");
done:
    return status;
}
