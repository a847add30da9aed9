/* SPDX-License-Identifier: MIT
 *
 * Method.  A second stack over the members that do not see the side information in question learns on the
 * same trials.  Where the two predict alike nothing is learnt about their difference; of the trials in
 * which exactly one of them is wrong, a of the one without and b of the one with, a - b mistakes are
 * saved, and if neither were better a would be binomial with 1/2: a standard deviation of sqrt(a + b).
 *
 * Reference: McNemar, Note on the sampling error of the difference between correlated proportions or
 * percentages, Psychometrika 12 (1947). */
#include "committee/vote/ablation.h"

weft_status weft__ablation_create(const weft_memory *memory, int64_t members, const int *uses, int without,
                                  weft__ablation *ablation, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ablation made = {.count = 0};
    TRY(weft__new(memory, members, sizeof *made.member, &made.member, error));
    for (int64_t k = 0; k < members; k++)
        if ((uses[k] & without) == 0)
            made.member[made.count++] = k;
    if (made.count > 0)
        TRY(weft__stack_create(memory, made.count, &made.stack, error));
    *ablation = made;
    return WEFT_OK;
done:
    weft__ablation_release(&made, memory);
    return status;
}

void weft__ablation_release(weft__ablation *ablation, const weft_memory *memory)
{
    weft__delete(memory, ablation->member);
    weft__stack_release(&ablation->stack, memory);
    *ablation = (weft__ablation){0};
}

void weft__ablation_hear(weft__ablation *ablation, const double *score)
{
    for (int64_t i = 0; i < ablation->count; i++)
        ablation->stack.score[i] = score[ablation->member[i]];
}

double weft__ablation_predict(weft__ablation *ablation, const double *score)
{
    weft__ablation_hear(ablation, score);
    return weft__stack_predict(&ablation->stack);
}

void weft__ablation_learn(weft__ablation *ablation, int label, bool right, bool other)
{
    ablation->mistakes += !right;
    ablation->only_it += !right && other;
    ablation->only_other += right && !other;
    weft__stack_learn(&ablation->stack, label);
}

/* Its place among those that are heard, or -1. */
static int64_t place_of(const weft__ablation *ablation, int64_t k)
{
    for (int64_t i = 0; i < ablation->count; i++)
        if (ablation->member[i] == k)
            return i;
    return -1;
}

void weft__ablation_drop(weft__ablation *ablation, int64_t k)
{
    int64_t place = place_of(ablation, k);
    if (place >= 0)
        weft__stack_drop(&ablation->stack, place);
}

void weft__ablation_admit(weft__ablation *ablation, int64_t k)
{
    int64_t place = place_of(ablation, k);
    if (place >= 0)
        weft__stack_admit(&ablation->stack, place);
}

void weft__ablation_write(const weft__ablation *ablation, weft__encoder *writer)
{
    weft__put_integer(writer, ablation->mistakes);
    weft__put_integer(writer, ablation->only_it);
    weft__put_integer(writer, ablation->only_other);
    if (ablation->count > 0)
        weft__stack_write(&ablation->stack, writer);
}

bool weft__ablation_read(weft__ablation *ablation, int64_t trials, weft__decoder *reader)
{
    ablation->mistakes = weft__get_integer(reader);
    ablation->only_it = weft__get_integer(reader);
    ablation->only_other = weft__get_integer(reader);
    bool good = ablation->only_it >= 0 && ablation->only_it <= ablation->mistakes &&
                ablation->mistakes <= trials && ablation->only_other >= 0 &&
                ablation->only_other <= trials - ablation->mistakes;
    if (ablation->count == 0 && (ablation->mistakes != 0 || ablation->only_other != 0))
        return false; /* no members, and no mistakes */
    return good && (ablation->count == 0 || weft__stack_read(&ablation->stack, reader)) && !reader->failed;
}
