/* SPDX-License-Identifier: MIT
 *
 * Method.  Members that have learnt one truth have to unlearn it when another one comes; one that begins then
 * is better off.  So three generations of the same members play.  The eldest has heard everything.  The young
 * one is born anew
 *
 *     - when an alarm says that the truth has changed,
 *     - when it is half as old as the elder one, but not younger than CHILDHOOD;
 *
 * and the elder is who of elder and young was believed more when that happened.  Where nothing changes the
 * births are at trials 512, 1,024, 2,048, ...; where the truth drifts, the ages stay as long as what was
 * learnt then is good for something.
 *
 * Alarm.  P being the probability that all together gave to the label, log(1/2 / P) is added up (never below
 * 0, at most SURPRISE a trial: one label proves nothing).  As long as P is right, exp of such a sum is a
 * supermartingale, so that it reaches t once in t trials at the most (Page's test, with Ville's inequality
 * for its level): the alarm is given above log t + 1, and false ones add up to about log T.  A false alarm
 * costs little: the elder and the eldest go on.
 *
 * Belief.  P = sum of belief_g p_g over the generations' probabilities; a label multiplies belief_g by
 * p_g(label) / P(label), then the part alpha is shared out, 1/(t+1) or after an alarm 1/2: P is never
 * worse than the best sequence of generations by more than the logarithms of what sharing leaves it.  The
 * same is done to the votes, for the guarantee in mistakes (fixed_share.c): experts are the generations, each
 * with the weight that its own members give to a label, and the mixture, +1 iff P >= 1/2.  A generation
 * carries its weight from the young one's place to the elder's; a new one takes what the old one in its
 * place has left.
 *
 * Cost: three committees; the younger leave out members that rest in the eldest.
 * References: fixed_share.c; Page, Continuous inspection schemes, Biometrika 41 (1954); Daniely, Gonen and
 * Shalev-Shwartz, Strongly adaptive online learning, ICML 2015, for many generations in place of three. */
#include "base/elementary.h"
#include "committee/committee.h"

#include <math.h>

enum { ELDEST, ELDER, YOUNG, MIXTURE };
/* Labels: the least age of a young one that makes room for another; and how long an alarm is followed by
 * none, as the new one has to learn first. */
enum { CHILDHOOD = 512, QUIET = 100 };
/* The most that one label adds to the alarm. */
static const double SURPRISE = 3;

weft_status weft__track_create(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__new(&committee->player.memory, 1, sizeof *committee->track, &committee->track, error));
    weft__track_restart(committee);
done:
    return status;
}

void weft__track_free(weft__committee *committee)
{
    if (committee->track == NULL)
        return;
    for (int g = 0; g < 2; g++)
        weft__committee_free(committee->track->younger[g]);
    weft__delete(&committee->player.memory, committee->track);
    committee->track = NULL;
}

void weft__track_restart(weft__committee *committee)
{
    static const double prior[WEFT__SHARERS] = {1. / 6, 1. / 6, 1. / 6, 0.5};
    weft__track *track = committee->track;
    for (int g = 0; g < 2; g++) {
        weft__committee_free(track->younger[g]);
        track->younger[g] = NULL;
        track->born[g] = committee->counters.trials;
    }
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        track->belief[g] = 1. / WEFT_GENERATIONS;
    track->fixed_share = weft__fixed_share_create(prior);
    track->alarm = track->drift = 0;
}

static const weft__committee *generation(const weft__committee *committee, int g)
{
    const weft__committee *younger = g == ELDEST ? NULL : committee->track->younger[g - 1];
    return younger != NULL ? younger : committee;
}

/* ---- Asking ---- */

/* P(+1) */
static double mix(const weft__committee *committee)
{
    double probability = 0;
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        probability += committee->track->belief[g] * generation(committee, g)->question.answer.probability;
    return probability;
}

/* The answer of all; every generation has its own. */
static weft_answer conclude(weft__committee *committee)
{
    weft__track *track = committee->track;
    double vote = 0, probability = track->mixture = mix(committee);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        vote += track->fixed_share.weight[g] * generation(committee, g)->question.answer.vote;
    vote += track->fixed_share.weight[MIXTURE] * (probability >= 0.5);
    /* Weights sum to 1, and may round to more. */
    weft_answer all = weft__committee_decide(committee, fmin(vote, 1), probability);
    for (int g = 0; g < 2; g++)
        all.asked += track->younger[g] != NULL ? track->younger[g]->counters.awake : 0;
    return all;
}

weft_status weft__track_ask(weft__committee *committee, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__track *track = committee->track;
    const int64_t *pair = committee->question.pair;
    for (int g = 0; g < 2; g++)
        if (track->younger[g] != NULL) {
            track->younger[g]->pool = committee->pool;
            track->younger[g]->player.profile = committee->player.profile;
            status = weft__committee_turn(track->younger[g], pair[0], pair[1], error);
            track->younger[g]->pool = NULL;
            TRY(status);
        }
    track->answer = conclude(committee);
done:
    return status;
}

/* ---- Learning ---- */

static weft_status tell(weft__committee *committee, int label, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__track *track = committee->track;
    TRY(weft__committee_tell(committee, label, error));
    for (int g = 0; g < 2; g++)
        if (track->younger[g] != NULL) {
            track->younger[g]->pool = committee->pool;
            status = weft__committee_tell(track->younger[g], label, error);
            track->younger[g]->pool = NULL;
            TRY(status);
        }
done:
    return status;
}

static double given_to(double probability, int label)
{
    return label > 0 ? probability : 1 - probability;
}

/* The alarm with this label, which is the t-th. */
static double listen(weft__committee *committee, int label, int64_t t)
{
    const weft__track *track = committee->track;
    if (track->alarms > 0 && t <= track->last + QUIET)
        return 0;
    double surprise = weft__log(0.5 / given_to(track->mixture, label));
    return fmax(track->alarm + fmin(surprise, SURPRISE), 0);
}

static bool is_alarm(double alarm, int64_t t)
{
    return alarm > weft__log((double)t) + 1;
}

static bool has_grown_up(const weft__track *track, int64_t t)
{
    int64_t age = t - track->born[1];
    return age >= CHILDHOOD && 2 * age >= t - track->born[0];
}

/* A generation that knows nothing yet. */
static weft_status bear(const weft__committee *committee, weft__committee **child, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft_member *list = NULL;
    weft__committee *made = NULL;
    weft_committee_settings settings = {.restless = committee->settings.restless};
    TRY(weft__committee_given(committee, &list, error));
    TRY(weft__committee_begin(list, committee->count, &settings, &committee->player.memory, &made, error));
    made->apart = committee->apart;
    made->room = committee->room;
    *child = made;
done:
    weft__delete(&committee->player.memory, list);
    return status;
}

/* The child is the young one, after t labels, and leaves out who rests by now; the elder is who is
 * believed more. */
static void succeed(weft__committee *committee, weft__committee *child, int64_t t)
{
    weft__track *track = committee->track;
    double *belief = track->belief;
    if (belief[YOUNG] > belief[ELDER]) {
        weft__committee *old = track->younger[0];
        double left = belief[ELDER];
        track->younger[0] = track->younger[1];
        track->younger[1] = old;
        track->born[0] = track->born[1];
        belief[ELDER] = belief[YOUNG];
        belief[YOUNG] = left;
        weft__fixed_share_exchange(&track->fixed_share, ELDER, YOUNG);
    }
    weft__committee_free(track->younger[1]);
    weft__committee_follow(child, committee);
    track->younger[1] = child;
    track->born[1] = t;
}

static void find_losses(const weft__committee *committee, int label, double loss[WEFT__SHARERS])
{
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        loss[g] = 1 - given_to(generation(committee, g)->question.answer.vote, label);
    loss[MIXTURE] = (committee->track->mixture >= 0.5 ? 1 : -1) != label;
}

double weft__track_error(const weft__committee *committee, int label)
{
    double loss[WEFT__SHARERS];
    find_losses(committee, label, loss);
    return weft__fixed_share_loss(&committee->track->fixed_share, loss);
}

/* What the label says of the generations, before they have learnt it. */
static double believe_anew(weft__committee *committee, int label, double alpha)
{
    weft__track *track = committee->track;
    double loss[WEFT__SHARERS], whole = 0;
    find_losses(committee, label, loss);
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        whole += track->belief[g] *= given_to(generation(committee, g)->question.answer.probability, label);
    /* Not by 1 - P: where P is nearly 1, that would make much of what rounding has left of the sum. */
    for (int g = 0; g < WEFT_GENERATIONS; g++)
        track->belief[g] = (1 - alpha) * track->belief[g] / whole + alpha / WEFT_GENERATIONS;
    return weft__fixed_share_learn(&track->fixed_share, loss, alpha);
}

static weft_answer judge(weft__committee *committee, int label, double alpha)
{
    weft__track *track = committee->track;
    weft_answer answer = track->answer;
    answer.mistake = answer.label != label;
    double h = believe_anew(committee, label, alpha);
    answer.error_probability = weft__is_recalled(committee->question.stage) ? track->error[label > 0] : h;
    track->drift += answer.error_probability - h;
    track->mistakes += answer.mistake;
    track->expected_mistakes += answer.error_probability;
    return answer;
}

static void apply_label(weft__committee *committee, int label)
{
    weft__track *track = committee->track;
    weft__committee_apply_label(committee, label);
    for (int g = 0; g < 2; g++)
        if (track->younger[g] != NULL)
            weft__committee_apply_label(track->younger[g], label);
}

weft_status weft__track_learn(weft__committee *committee, int label, weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__track *track = committee->track;
    weft__committee *child = NULL;
    int64_t t = committee->counters.trials + 1;
    double alarm = listen(committee, label, t);
    bool alarmed = is_alarm(alarm, t);
    TRY(tell(committee, label, error));
    if (alarmed || has_grown_up(track, t))
        TRY(bear(committee, &child, error));
    weft_answer result = judge(committee, label, alarmed ? 0.5 : 1 / (double)(t + 1));
    track->alarm = alarmed ? 0 : alarm;
    track->alarms += alarmed;
    track->last = alarmed ? t : track->last;
    apply_label(committee, label);
    if (child != NULL)
        succeed(committee, child, t);
    *answer = result;
done:
    return status;
}

/* ---- Telling ---- */

const weft__committee *weft__track_foremost(const weft__committee *committee)
{
    const weft__track *track = committee->track;
    const weft__committee *best = committee;
    double most = track->belief[ELDEST];
    for (int g = ELDER; g <= YOUNG; g++)
        most += track->younger[g - 1] == NULL ? track->belief[g] : 0;
    for (int g = ELDER; g <= YOUNG; g++)
        if (track->younger[g - 1] != NULL && track->belief[g] > most) {
            most = track->belief[g];
            best = track->younger[g - 1];
        }
    return best;
}

weft_tracking weft_committee_tracking(const weft_player *player)
{
    const weft__committee *committee = weft__committee_in(player);
    const weft__track *track = committee != NULL ? committee->track : NULL;
    if (track == NULL)
        return (weft_tracking){0};
    double least = 1 / (double)(committee->counters.trials + 1);
    weft_tracking tracking = {.on = true, .alarms = track->alarms, .last = track->last};
    tracking.mistakes = committee->counters.mistakes;
    tracking.drift = track->drift;
    tracking.term = weft__fixed_share_term(&track->fixed_share, 0, least);
    tracking.change = weft__fixed_share_term(&track->fixed_share, 1, least) - tracking.term;
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        tracking.since[g] = g == ELDEST || track->younger[g - 1] == NULL ? 0 : track->born[g - 1];
        tracking.belief[g] = track->belief[g];
    }
    return tracking;
}
