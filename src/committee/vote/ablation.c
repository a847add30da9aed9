/* SPDX-License-Identifier: MIT
 *
 * Method.  A second stack over the members that do not see the side information in question learns on the
 * same trials.  Members that play one side alone are there for it (members/default_members.c): they are what
 * a run without the other side would play, so that this stack comes near to that run.  What both stacks lose
 * is compared trial by trial, by log loss and by mistakes (player/paired.c). */
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

void weft__ablation_learn(weft__ablation *ablation, int label, bool mistake, weft__lost with)
{
    double log_loss = weft__stack_learn(&ablation->stack, label);
    if (ablation->log_loss.count >= WEFT__TOLD)
        return;
    weft_paired_add(&ablation->log_loss, with.log_loss, log_loss);
    weft_paired_add(&ablation->mistakes, with.mistake, mistake);
}

void weft__ablation_append(weft__ablation *ablation, const weft__ablation *other)
{
    weft__paired_append(&ablation->log_loss, &other->log_loss);
    weft__paired_append(&ablation->mistakes, &other->mistakes);
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
    if (ablation->count == 0)
        return;
    weft__paired_write(&ablation->log_loss, writer);
    weft__paired_write(&ablation->mistakes, writer);
    weft__stack_write(&ablation->stack, writer);
}

bool weft__ablation_read(weft__ablation *ablation, int64_t trials, weft__decoder *reader)
{
    if (ablation->count == 0)
        return true; /* nothing is written of it */
    return weft__paired_read(&ablation->log_loss, reader) && weft__paired_read(&ablation->mistakes, reader) &&
           ablation->log_loss.count <= trials && ablation->mistakes.count == ablation->log_loss.count &&
           weft__stack_read(&ablation->stack, reader) && !reader->failed;
}
