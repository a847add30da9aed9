/* SPDX-License-Identifier: MIT
 *
 * Labels that come late.  A record keeps what every expert said when the committee was asked; when the label
 * comes, that is what counts, as if nothing had been learnt in between:
 *
 *     hedge      losses are the labels as they were said, of the experts that were awake then; the weights
 *                are those of now, taken anew over just these experts
 *     stacks     learn from the scores as they were
 *     members    those that are awake now learn the pair
 *     counters   mistakes and errors are those of the answer
 *
 * What is guaranteed.  The hedge knows nothing of delays: over the trials that expert i was awake for, the
 * sum of h is at most its losses + term, h being the loss under the weights that the label finds.  The answer
 * was given under older weights and lost e.  So
 *
 *     sum of e <= losses of i as it answered + term + drift,   drift = sum of (e - h),
 *
 * which is 0 where no label has come between answer and label.  The weights move slowly, so that drift is
 * about the number of trials by how far they move in one delay, and of either sign.
 *
 * The player's context is that of the record while its label is learnt (player/record.c).
 *
 * What a record has behind its answer:
 *
 *     fingerprint of the members, epoch, 0
 *     vote, probability, error about -1 and about +1
 *     members   label said (0: asleep), products, score
 *     stacks    label said (0: asleep)
 *
 * Where an id was forgotten or another committee merged since, which is another epoch, members do not stand
 * by what they said before: all are asked anew, and the answer says so.  Other members have another
 * fingerprint.
 *
 * Reference: Joulani, Gyorgy and Szepesvari, Online learning under delayed feedback, ICML 2013. */
#include "committee/committee.h"

#include <limits.h>
#include <math.h>

/* Scores are compressed: asinh of whatever is finite. */
static const double LARGEST_SCORE = 2000;
/* Stacks are never as sure as that. */
static const double LEAST_PROBABILITY = 1e-7;

/* ---- Writing ---- */

/* The losses of an answer with that label. */
static double error_of(const weft__committee *committee, int label)
{
    const weft__question *q = &committee->question;
    for (int64_t k = 0; k < committee->count + WEFT_STACKS; k++)
        committee->loss[k] = committee->awake[k] && q->said[k].label != label;
    return weft__hedge_loss(&committee->hedge, committee->awake, committee->loss);
}

void weft__committee_put_record(const weft__committee *committee, weft__encoder *w)
{
    const weft__question *q = &committee->question;
    weft__put_integer(w, w->at != NULL ? (int64_t)weft__committee_fingerprint(committee) : 0);
    weft__put_integer(w, committee->epoch);
    weft__put_integer(w, 0);
    weft__put_double(w, q->answer.vote);
    weft__put_double(w, q->answer.probability);
    weft__put_double(w, error_of(committee, -1));
    weft__put_double(w, error_of(committee, +1));
    for (int64_t k = 0; k < committee->count; k++) {
        bool awake = committee->awake[k];
        weft__put_integer(w, awake ? q->said[k].label : 0);
        weft__put_integer(w, awake ? q->said[k].products : 0);
        weft__put_double(w, committee->stack.score[k]);
    }
    for (int64_t k = committee->count; k < committee->count + WEFT_STACKS; k++)
        weft__put_integer(w, committee->awake[k] ? q->said[k].label : 0);
}

/* ---- Reading ---- */

/* All that a record has behind the fingerprint, looked through. */
typedef struct record {
    int64_t epoch;
    double vote, probability, error[2];
    weft__decoder said;
} record;

static bool is_share(double value)
{
    return value >= 0 && value <= 1;
}

static bool is_probability(double value)
{
    return value >= LEAST_PROBABILITY && value <= 1 - LEAST_PROBABILITY;
}

/* What a member says, and its score. */
static weft_answer get_said(weft__decoder *r, double *score)
{
    int64_t label = weft__get_integer(r), products = weft__get_integer(r);
    *score = weft__get_double(r);
    r->failed = r->failed || label < -1 || label > 1 || products < 0 || products > WEFT__MOST_PRODUCTS ||
                !(fabs(*score) <= LARGEST_SCORE) || (label == 0 && (products != 0 || *score != 0));
    return (weft_answer){.label = (int)label, .probability = 0.5, .products = r->failed ? 0 : (int)products};
}

/* Stacks sleep for ever or never. */
static bool is_possible(const weft__committee *committee, const record *found)
{
    weft__decoder r = found->said;
    double score;
    bool possible = found->epoch >= 0 && is_share(found->vote) && is_probability(found->probability) &&
                    is_share(found->error[0]) && is_share(found->error[1]);
    for (int64_t k = 0; k < committee->count; k++)
        get_said(&r, &score);
    for (int i = 0; i < WEFT_STACKS; i++) {
        int64_t label = weft__get_integer(&r);
        possible =
            possible && label >= -1 && label <= 1 && (label != 0) == committee->awake[committee->count + i];
    }
    return possible && !r.failed;
}

static weft_status look_through(const weft__committee *committee, const weft__late *late, record *found,
                                weft_error *error)
{
    weft__decoder r = late->said;
    if ((uint64_t)weft__get_integer(&r) != weft__committee_fingerprint(committee))
        return weft__fail(error, WEFT_ARGUMENT,
                          "a committee of other members has made the answer: their fingerprint is another");
    found->epoch = weft__get_integer(&r);
    int64_t zero = weft__get_integer(&r);
    found->vote = weft__get_double(&r);
    found->probability = weft__get_double(&r);
    for (int i = 0; i < 2; i++)
        found->error[i] = weft__get_double(&r);
    found->said = r;
    if (zero != 0 || !is_possible(committee, found))
        return weft__fail(error, WEFT_INPUT,
                          "the record of the answer is damaged: its members say what none says");
    return WEFT_OK;
}

/* ---- Recalling ---- */

/* Whether a call that failed is repeated: members that have learnt the label will not do so again. */
static bool is_repeated(const weft__question *q, const weft__late *late, const weft__context *context)
{
    return weft__is_recalled(q->stage) && q->label == late->label && q->pair[0] == late->pair[0] &&
           q->pair[1] == late->pair[1] && q->answer.t == late->answer.t &&
           weft__context_equal(&q->context, context);
}

static void recall_experts(weft__committee *committee, weft__decoder r)
{
    weft__question *q = &committee->question;
    for (int64_t k = 0; k < committee->count; k++) {
        q->said[k] = get_said(&r, &committee->stack.score[k]);
        q->awake[k] = q->said[k].label != 0;
    }
    for (int64_t k = committee->count; k < committee->count + WEFT_STACKS; k++) {
        q->said[k].label = (int)weft__get_integer(&r);
        q->awake[k] = q->said[k].label != 0;
    }
    for (int i = 0; i < 3; i++)
        if (committee->ablation[i].count > 0)
            q->said[committee->count + 1 + i].probability =
                weft__ablation_predict(&committee->ablation[i], committee->stack.score);
}

/* The question is as it was when the answer was given. */
static weft_status recall(weft__committee *committee, const weft__late *late, const record *found,
                          weft_error *error)
{
    weft__question *q = &committee->question;
    if (!is_repeated(q, late, &committee->player.context))
        q->label = 0;
    q->context = committee->player.context;
    q->stage = late->labels != committee->counters.t ? WEFT__RECALLED_LATE : WEFT__RECALLED;
    q->answer = late->answer;
    q->answer.vote = found->vote;
    q->answer.probability = q->answer.score = found->probability;
    q->answer.label = found->vote >= late->answer.threshold ? 1 : -1;
    for (int i = 0; i < 2; i++) {
        q->pair[i] = late->pair[i];
        q->error[i] = found->error[i];
    }
    recall_experts(committee, found->said);
    return weft__committee_fill_caches(committee, error);
}

/* Before anybody learns: nobody is asked who would have noticed. */
static weft_status check_pair(const weft__committee *committee, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < committee->count; k++)
        if (committee->awake[k])
            TRY(committee->members[k].player->ops->check(committee->members[k].player, pair, error));
done:
    return status;
}

/* As weft_player_learn_anew: what members said does not count any more. */
static weft_status learn_anew(weft__committee *committee, const weft__late *late, weft_answer *answer,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__committee_learn(committee, late->pair, late->label, answer, error));
    committee->counters.anew++;
    answer->anew = true;
done:
    return status;
}

weft_status weft__committee_learn_late(weft__committee *committee, const weft__late *late,
                                       weft_answer *answer, weft_error *error)
{
    weft_status status = WEFT_OK;
    record found = {0};
    TRY(look_through(committee, late, &found, error));
    TRY(check_pair(committee, late->pair, error));
    if (found.epoch != committee->epoch)
        return learn_anew(committee, late, answer, error);
    TRY(recall(committee, late, &found, error));
    TRY(weft__committee_end(committee, late->label, answer, error));
done:
    return status;
}
