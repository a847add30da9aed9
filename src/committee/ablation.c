/* SPDX-License-Identifier: MIT
 *
 * Method.  A second stack over the members that do not see the side information in question learns on the
 * same trials.  Where the two predict alike nothing is learnt about their difference; of the trials in
 * which exactly one of them is wrong, a of the one without and b of the one with, a - b mistakes are
 * saved, and if neither were better a would be binomial with 1/2: a standard deviation of sqrt(a + b).
 *
 * Reference: McNemar, Note on the sampling error of the difference between correlated proportions or
 * percentages, Psychometrika 12 (1947). */
#include "committee/ablation.h"

weft_status weft__ablation_create(const weft_memory *memory, int64_t members, const int *uses, int without,
                                  weft__ablation *worth, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ablation made = {.count = 0};
    TRY(weft__new(memory, members, sizeof *made.member, &made.member, error));
    for (int64_t k = 0; k < members; k++)
        if ((uses[k] & without) == 0)
            made.member[made.count++] = k;
    if (made.count > 0)
        TRY(weft__stack_create(memory, made.count, &made.stack, error));
    *worth = made;
    return WEFT_OK;
done:
    weft__ablation_release(&made, memory);
    return status;
}

void weft__ablation_release(weft__ablation *worth, const weft_memory *memory)
{
    weft__delete(memory, worth->member);
    weft__stack_release(&worth->stack, memory);
    *worth = (weft__ablation){0};
}

double weft__ablation_predict(weft__ablation *worth, const double *score)
{
    for (int64_t i = 0; i < worth->count; i++)
        worth->stack.score[i] = score[worth->member[i]];
    return weft__stack_predict(&worth->stack);
}

void weft__ablation_learn(weft__ablation *worth, int label, bool right, bool other)
{
    worth->mistakes += !right;
    worth->only_it += !right && other;
    worth->only_other += right && !other;
    weft__stack_learn(&worth->stack, label);
}

/* Its place among those that are heard, or -1. */
static int64_t place_of(const weft__ablation *worth, int64_t k)
{
    for (int64_t i = 0; i < worth->count; i++)
        if (worth->member[i] == k)
            return i;
    return -1;
}

void weft__ablation_drop(weft__ablation *worth, int64_t k)
{
    int64_t place = place_of(worth, k);
    if (place >= 0)
        weft__stack_drop(&worth->stack, place);
}

void weft__ablation_admit(weft__ablation *worth, int64_t k)
{
    int64_t place = place_of(worth, k);
    if (place >= 0)
        weft__stack_admit(&worth->stack, place);
}

void weft__ablation_write(const weft__ablation *worth, weft__writer *writer)
{
    weft__put_integer(writer, worth->mistakes);
    weft__put_integer(writer, worth->only_it);
    weft__put_integer(writer, worth->only_other);
    if (worth->count > 0)
        weft__stack_write(&worth->stack, writer);
}

bool weft__ablation_read(weft__ablation *worth, int64_t trials, weft__reader *reader)
{
    worth->mistakes = weft__get_integer(reader);
    worth->only_it = weft__get_integer(reader);
    worth->only_other = weft__get_integer(reader);
    bool good = worth->only_it >= 0 && worth->only_it <= worth->mistakes && worth->mistakes <= trials &&
                worth->only_other >= 0 && worth->only_other <= trials - worth->mistakes;
    if (worth->count == 0 && (worth->mistakes != 0 || worth->only_other != 0))
        return false; /* nobody, and no mistakes */
    return good && (worth->count == 0 || weft__stack_read(&worth->stack, reader)) && !reader->failed;
}
