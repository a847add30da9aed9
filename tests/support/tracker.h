/* SPDX-License-Identifier: MIT
 *
 * Slow generations, from what src/committee/track.c says of them: who is believed, when somebody is born,
 * and when an alarm is given; by what the generations themselves say.  Include cmocka's headers before. */
#ifndef WEFT_TESTS_TRACKER_H
#define WEFT_TESTS_TRACKER_H

#include "committee/committee.h"
#include "support/panel.h"
#include "support/sharer.h"

/* ---- A small one ---- */

/* Who is born when: after 290 trials nobody, after 900 there are both. */
enum { TRACKER_IDS = 5, TRACKER_CHANGE = 300, TRACKER_NONE = 290, TRACKER_BOTH = 900 };

static inline void tracker_open(bool one_set, panel *p)
{
    panel_open(3, KNOWN_CLASSES, one_set, TRACKER_IDS, TRACKER_IDS, p);
    if (one_set)
        panel_add_learner(p, WEFT_ONE_SET, 1, p->none[0], NULL);
    else
        panel_add_learner(p, WEFT_BALANCED, 1, p->none[0], p->none[1]);
    panel_add_rival(p, WEFT_RIVAL_ROW_MAJORITY, 0, p->given[0], one_set ? NULL : p->given[1]);
}

/* A truth that turns round, and one trial in forty without a label. */
static inline panel_trial tracker_draw(int64_t t)
{
    dice d = {(uint64_t)t};
    panel_trial trial = {.row = dice_below(&d, TRACKER_IDS), .column = dice_below(&d, TRACKER_IDS)};
    int label = panel_label(PANEL_TRUE, &d, t, &trial, 0);
    trial.label = t % 40 == 0 ? 0 : t < TRACKER_CHANGE ? label : -label;
    return trial;
}

static inline void tracker_play(int64_t from, int64_t to, weft_player *committee)
{
    for (int64_t t = from; t < to; t++) {
        panel_trial at = tracker_draw(t);
        assert_int_equal(weft_player_learn(committee, at.row, at.column, at.label, NULL, NULL), WEFT_OK);
    }
}

/* ---- Slow ones ---- */

enum { TRACKER_ELDEST, TRACKER_ELDER, TRACKER_YOUNG, TRACKER_MIXTURE };

typedef struct tracker {
    sharer share;
    long double belief[WEFT_GENERATIONS], alarm, expected;
    int64_t t, trials, born[2], alarms, last, births, mistakes;
    bool made[2];
    /* Of the question. */
    long double says[WEFT_GENERATIONS], votes[WEFT_GENERATIONS], all;
    bool plus; /* what the mixture votes */
} tracker;

/* After so many trials, without younger generations. */
static inline tracker tracker_of(const weft_player *committee)
{
    static const double prior[WEFT__SHARERS] = {1. / 6, 1. / 6, 1. / 6, 0.5};
    weft_counters c = weft_player_counters(committee);
    tracker k = {.share = sharer_of(prior), .t = c.t, .trials = c.trials, .born = {c.trials, c.trials}};
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        k.belief[g] = 1.0L / WEFT_GENERATIONS;
    return k;
}

static inline weft_player *tracker_generation(weft_player *committee, int g)
{
    weft__committee *younger =
        g == TRACKER_ELDEST ? NULL : weft__committee_in(committee)->track->younger[g - 1];
    return younger != NULL ? &younger->player : committee;
}

/* After a prediction.  A tie is what the library makes of it. */
static inline void tracker_listen(tracker *k, weft_player *committee)
{
    double sum = 0;
    k->all = 0;
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        const weft_answer *v = &weft__committee_in(tracker_generation(committee, g))->question.answer;
        k->says[g] = (long double)v->probability;
        k->votes[g] = (long double)v->vote;
        k->all += k->belief[g] * k->says[g];
        sum += weft__committee_in(committee)->track->belief[g] * v->probability;
    }
    k->plus = fabsl(k->all - 0.5L) < 1e-9L ? sum >= 0.5 : k->all >= 0.5L;
}

/* The vote of all. */
static inline long double tracker_vote(const tracker *k)
{
    long double vote = k->share.weight[TRACKER_MIXTURE] * k->plus;
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        vote += k->share.weight[g] * k->votes[g];
    return vote;
}

static inline long double tracker_given(long double probability, int label)
{
    return label > 0 ? probability : 1 - probability;
}

static inline bool tracker_alarmed(tracker *k, int label)
{
    long double t = k->trials, surprise = logl(0.5L / tracker_given(k->all, label));
    k->alarm = fmaxl(0, k->alarm + fminl(surprise, 3));
    if (k->alarms > 0 && k->trials <= k->last + 100)
        k->alarm = 0;
    if (!(k->alarm > logl(t) + 1))
        return false;
    k->alarm = 0;
    k->alarms++;
    k->last = k->trials;
    return true;
}

static inline void tracker_weigh(tracker *k, int label, double alpha)
{
    double loss[WEFT__SHARERS];
    long double whole = tracker_given(k->all, label);
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        loss[g] = (double)(1 - tracker_given(k->votes[g], label));
        k->belief[g] *= tracker_given(k->says[g], label) / whole;
        k->belief[g] = (1 - (long double)alpha) * k->belief[g] + (long double)alpha / WEFT_GENERATIONS;
    }
    loss[TRACKER_MIXTURE] = k->plus != (label > 0);
    k->expected += sharer_learn(&k->share, loss, alpha);
}

static inline void tracker_bear(tracker *k)
{
    if (k->belief[TRACKER_YOUNG] > k->belief[TRACKER_ELDER]) {
        long double kept = k->belief[TRACKER_YOUNG];
        k->belief[TRACKER_YOUNG] = k->belief[TRACKER_ELDER];
        k->belief[TRACKER_ELDER] = kept;
        sharer_exchange(&k->share, TRACKER_ELDER, TRACKER_YOUNG);
        k->born[0] = k->born[1];
        k->made[0] = k->made[1];
    }
    k->born[1] = k->trials;
    k->made[1] = true;
    k->births++;
}

/* What comes of the label, which may be 0; whether somebody is born. */
static inline bool tracker_learn(tracker *k, int label, bool mistake)
{
    k->t++;
    if (label == 0)
        return false;
    k->trials++;
    k->mistakes += mistake;
    bool alarmed = tracker_alarmed(k, label);
    tracker_weigh(k, label, alarmed ? 0.5 : 1 / (double)(k->trials + 1));
    double age = (double)(k->trials - k->born[1]), elder = (double)(k->trials - k->born[0]);
    bool birth = alarmed || (age >= 512 && age / elder >= 0.5);
    if (birth)
        tracker_bear(k);
    return birth;
}

/* The committee is as it should be. */
static inline void tracker_compare(const tracker *k, const weft_player *committee)
{
    const weft__track *track = weft__committee_in(committee)->track;
    double sum = 0;
    assert_true(track->alarms == k->alarms && track->last == k->last && track->mistakes == k->mistakes);
    assert_near(track->alarm, (double)k->alarm, 1e-7);
    assert_near(track->expected_mistakes, (double)k->expected, 1e-6);
    for (int g = 0; g < 2; g++) {
        assert_int_equal(track->born[g], k->born[g]);
        assert_true((track->younger[g] != NULL) == k->made[g]);
    }
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        assert_near(track->belief[g], (double)k->belief[g], 1e-7);
        sum += track->belief[g];
    }
    assert_near(sum, 1, 1e-13);
    for (int i = 0; i < WEFT__SHARERS; i++)
        assert_near(track->fixed_share.weight[i], (double)k->share.weight[i], 1e-6);
}

/* For every s: the best sequence of generations with s changes, whom a sequence may follow when they change
 * places. */
static inline void tracker_check_guarantee(const tracker *k, const weft_player *committee)
{
    weft_tracking tracking = weft_committee_tracking(committee);
    for (int n = 0; n < SHARER_CHANGES; n++) {
        long double best = sharer_least(k->share.best[n]);
        double most = (double)best + tracking.term + n * tracking.change;
        if (!((double)k->expected <= most + 1e-7))
            fail_msg("trial %d: %.17Lg is above the guarantee with %d changes, %.17g", (int)k->t, k->expected,
                     n, most);
    }
}

#endif
