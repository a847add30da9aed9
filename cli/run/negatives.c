/* SPDX-License-Identifier: MIT */
#include "cli/run/negatives.h"

#include "cli/input/fields.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>

/* ---- Before the first line ---- */

weft_status negatives_check_model(const run_options *options, const weft_model *model, weft_error *error)
{
    int64_t given = options->negatives, stored = model->negatives.count;
    if (stored > 0 && options->delay > 0)
        return fail(error, WEFT_ARGUMENT,
                    "--delay contradicts the model, which draws others beside every event: both come at once "
                    "(leave it out)");
    if (given == 0 || given == stored)
        return WEFT_OK;
    if (stored == 0)
        return fail(error, WEFT_ARGUMENT,
                    "--negatives %lld contradicts the model, which has learnt without (leave it out)",
                    (long long)given);
    return fail(error, WEFT_ARGUMENT, "--negatives %lld contradicts the model, which has %lld (leave it out)",
                (long long)given, (long long)stored);
}

weft_status negatives_begin(run_state *run, weft_error *error)
{
    bool one_set = run->columns == NULL;
    if (!run->resumed && run->options->negatives > 0)
        run->negatives = (weft_negatives){.count = run->options->negatives,
                                          .seed = run->options->seed,
                                          .ids = weft_ids_count(weft_roster_ids(run_columns(run))),
                                          .one_set = one_set};
    if (run->negatives.count == 0)
        return WEFT_OK;
    weft_stream_expect_positives(run->stream);
    if (weft_roster_report(run_columns(run)).hashed)
        return fail(error, WEFT_ARGUMENT,
                    "--negatives: others are drawn from the ids that are known, and names=hashed keeps none");
    run->beside.pairs = new_array(2 * run->negatives.count, sizeof *run->beside.pairs);
    run->beside.answers = new_array(run->negatives.count, sizeof *run->beside.answers);
    return WEFT_OK;
}

int64_t negatives_labels(const run_state *run)
{
    return 1 + run->negatives.count;
}

/* ---- The lines ---- */

/* A pipe need not end: what is clear is told while it is read.  So many labels of one kind are no accident
 * where one in a hundred is of the other kind. */
enum { CLEAR = 1000 };

weft_status negatives_meet(run_state *run, const weft_event *event, weft_error *error)
{
    if (event->label < 0 && run->negatives.count > 0)
        return fail(error, WEFT_INPUT,
                    "%s:%lld: found a label that says no, and %" PRId64
                    " others are drawn to say it: expected positives alone; leave out --negatives where a "
                    "stream has both labels",
                    event->file, (long long)event->line, run->negatives.count);
    run->came[0] += event->label < 0;
    run->came[1] += event->label > 0;
    if (!run->scanned && event->label != 0 && run->came[0] + run->came[1] == CLEAR && run->player != NULL) {
        progress_clear(&run->progress);
        run->noticed = true;
        negatives_notice(run);
    }
    return WEFT_OK;
}

/* Ids that have come by now: every one of a line with a label, and those that are listed. */
static void count_ids(run_state *run, const int64_t pair[2])
{
    for (int k = run->negatives.one_set ? 0 : 1; k < 2; k++)
        if (pair[k] >= run->negatives.ids)
            run->negatives.ids = pair[k] + 1;
}

weft_status negatives_learn(run_state *run, const int64_t pair[2], weft_answer *answer, weft_error *error)
{
    count_ids(run, pair);
    return weft_player_learn_event(run->player, &run->negatives, pair, answer, &run->beside, error);
}

weft_status negatives_learn_late(run_state *run, const int64_t pair[2], const void *record,
                                 weft_answer *answer, weft_error *error)
{
    count_ids(run, pair);
    return weft_player_learn_event_late(run->player, &run->negatives, record, run->record_size, answer,
                                        &run->beside, error);
}

weft_status negatives_take_down(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < run->beside.count; k++)
        TRY(run_count(run, run->beside.pairs + 2 * k, -1, &run->beside.answers[k], error));
    run->drawn += run->beside.count;
    run->beside.count = 0;
done:
    return status;
}

weft_answer negatives_correct(const run_state *run, const weft_answer *answer)
{
    weft_answer told = *answer;
    told.probability = weft_negatives_probability(&run->negatives, answer->probability);
    return told;
}

/* ---- What is told ---- */

void negatives_settings(const run_state *run)
{
    const weft_negatives *how = &run->negatives;
    if (how->count > 0)
        fprintf(stderr, "%-11s%" PRId64 " drawn beside every event, label -1, by seed %" PRIu64 " (%s)\n",
                "negatives", how->count, how->seed, run->resumed ? "the model's" : "given");
}

void negatives_summary(const run_state *run)
{
    enum { INDENT = 18 };
    const weft_negatives *how = &run->negatives;
    int64_t others = how->ids - (how->one_set ? 2 : 1);
    if (how->count == 0)
        return;
    fprintf(stderr,
            "%-*s%" PRId64 " drawn beside %" PRId64 " event%s: the figures are of telling these apart\n",
            INDENT, "negatives", run->drawn, run->came[1], run->came[1] == 1 ? "" : "s");
    if (others > how->count)
        fprintf(stderr,
                "%-*seach stands for %.4g of %" PRId64
                " others; probabilities that are written say how likely the\n"
                "%-*snext event of a%s is this one, not whether it would be liked (docs/positives.md)\n",
                INDENT, "", (double)others / (double)how->count, others, INDENT, "",
                how->one_set ? "n id" : " row");
}

void negatives_notice(const run_state *run)
{
    if (run->negatives.count == 0 && !run->resumed && !run->options->quiet)
        stream_tell_label(run->came, stderr);
}

int negatives_describe(const run_state *run, json_t *object)
{
    const weft_negatives *how = &run->negatives;
    int label = stream_label(run->came);
    int failed = 0;
    if (how->count > 0)
        failed |= json_object_set_new(object, "negatives",
                                      json_pack("{s:I, s:I, s:I, s:I}", "count", (json_int_t)how->count,
                                                "seed", (json_int_t)how->seed, "ids", (json_int_t)how->ids,
                                                "drawn", (json_int_t)run->drawn));
    else if (label != 0 && !run->resumed)
        failed |= json_object_set_new(object, "only_label", json_integer(label));
    return failed;
}
