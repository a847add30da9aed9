/* SPDX-License-Identifier: MIT
 *
 * A rival as a member.  Most have log-odds for scores; those of a majority are a share of labels, in
 * [-1, 1], whose log-odds have slope 2 at 0. */
#include "committee/member.h"
#include "rival/perceptron.h"

#include <math.h>

static weft_status create(weft__member *member, weft_error *error)
{
    return weft_rival_create(member->given.rows, member->given.columns, &member->given.rival, &member->memory,
                             &member->rival, error);
}

static bool is_majority(weft_rival_kind kind)
{
    return kind == WEFT_RIVAL_CONSTANT || kind == WEFT_RIVAL_ROW_MAJORITY ||
           kind == WEFT_RIVAL_COLUMN_MAJORITY;
}

static weft_status predict(weft__member *member, const int64_t pair[2], weft__voice *voice, weft_error *error)
{
    weft_opinion opinion = {0};
    weft_status status = WEFT_OK;
    TRY(weft_rival_predict(member->rival, pair[0], pair[1], &opinion, error));
    *voice =
        (weft__voice){.vote = opinion.label,
                      .score = weft__compress(is_majority(member->given.rival.kind) ? 2 : 1, opinion.score)};
done:
    return status;
}

static weft_status learn(weft__member *member, const int64_t pair[2], int label, weft_error *error)
{
    return weft_rival_learn(member->rival, pair[0], pair[1], label, error);
}

/* Kernel values with all ids learnt, and a pass over the pairs, which are scattered. */
static double price_of_perceptron(const weft__member *member)
{
    enum { ID = 8, PAIR = 4 };
    const weft__perceptron *rival = (const weft__perceptron *)member->rival;
    bool one_set = member->given.columns == NULL;
    double ids = 0, pairs = (double)rival->touched[0].count * (double)rival->touched[one_set ? 0 : 1].count;
    for (int which = 0; which < 2; which++)
        ids += (double)rival->touched[one_set ? 0 : which].count;
    pairs = member->given.rival.kind == WEFT_RIVAL_SUM ? 0 : fmin(pairs, (double)member->seen);
    return ID * ids + PAIR * pairs;
}

static double price(weft__member *member)
{
    /* Of a few weights; of factors; of all products of some ten traits a side. */
    enum { FEW = 50, FACTORS = 200, PRODUCTS = 1000 };
    switch (member->given.rival.kind) {
    case WEFT_RIVAL_LOGISTIC:
        return PRODUCTS;
    case WEFT_RIVAL_FACTORS:
        return FACTORS;
    case WEFT_RIVAL_SUM:
    case WEFT_RIVAL_PRODUCT:
    case WEFT_RIVAL_SQUARE:
        return price_of_perceptron(member);
    default:
        return FEW;
    }
}

static weft_status write(const weft__member *member, void *buffer, size_t *size, weft_error *error)
{
    return weft_rival_write(member->rival, buffer, size, error);
}

static weft_status read(weft__member *member, const void *buffer, size_t size, weft_error *error)
{
    return weft_rival_read(member->given.rows, member->given.columns, buffer, size, &member->memory,
                           &member->rival, error);
}

static void release(weft__member *member)
{
    weft_rival_free(member->rival);
    member->rival = NULL;
}

static bool share(weft__member *member, int which, weft__sheet *sheet)
{
    weft_rival *rival = member->rival;
    return rival->kind->share != NULL && rival->kind->share(rival, which, sheet);
}

const weft__member_kind weft__member_rival = {create, predict, learn, price, write, read, release, share};
