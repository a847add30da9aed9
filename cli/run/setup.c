/* SPDX-License-Identifier: MIT
 * From the command line to a learner that is ready: side information, a first
 * look at the stream, true classes, parameters. */
#define _POSIX_C_SOURCE 200809L

#include "cli/input/fields.h"
#include "cli/input/memory.h"
#include "cli/run/negatives.h"
#include "program/fail.h"
#include "weft_theory.h"

#include <stdlib.h>
#include <string.h>

const weft_roster *run_columns(const run_state *run)
{
    return run->columns != NULL ? run->columns : run->rows;
}

static weft_status open_files(run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    source_needs needs = {.row_capacity = options->row_capacity,
                          .column_capacity = options->column_capacity,
                          .keep = options->embed,
                          .views = options->player.committee};
    return source_open_rosters(&options->from, &needs, &run->rows, &run->columns, error);
}

/* Who is known before the first line. */
static void begin_ids(run_state *run)
{
    run->met[0] = weft_ids_count(weft_roster_ids(run->rows));
    run->met[1] = weft_ids_count(weft_roster_ids(run_columns(run)));
}

/* What the stream was taken for is known at its end, and told before it is played. */
static weft_status keep_understood(run_state *run, weft_error *error)
{
    FILE *out = open_memstream(&run->understood, &run->understood_size);
    if (out != NULL)
        stream_tell(run->stream, &run->options->from.how, out);
    return out != NULL && fclose(out) == 0 ? WEFT_OK : fail(error, WEFT_MEMORY, "out of memory");
}

/* Reads the stream once: all its ids are let in and all its errors found
 * before anything is learnt. */
static weft_status scan(run_state *run, weft_error *error)
{
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t pair[2] = {0, 0}, lines = 0;
    for (;;) {
        run->broken = true;
        TRY(source_next(run->stream, &event, &more, error));
        if (!more)
            break;
        TRY(negatives_meet(run, &event, error));
        TRY(run_admit(run, &event, pair, error));
        run->broken = false;
        run->labelled += event.label != 0;
        lines++;
    }
    if (lines == 0)
        return fail(error, WEFT_INPUT, "%s: found no lines, expected row, column, label",
                    run->options->from.streams[0]);
    run->broken = false;
    TRY(source_check_met(run->rows, run->columns, error));
    TRY(keep_understood(run, error));
    TRY(weft_stream_rewind(run->stream, error));
    profile_lap(&run->clock, PROFILE_STREAM);
    run->scanned = true;
    run->lines = lines;
done:
    return status;
}

/* What a first look at the stream would have told must be given. */
static weft_status check_pipe(const run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    bool unlisted =
        weft_roster_report(run->rows).listed == 0 || weft_roster_report(run_columns(run)).listed == 0;
    bool tuned = options->player.committee || options->eta > 0 || options->horizon > 0 ||
                 options->updates == WEFT_MISTAKE_UPDATES;
    if (unlisted && options->row_capacity == 0 && !options->player.committee)
        return fail(error, WEFT_ARGUMENT,
                    "the stream is not a regular file and cannot be read twice: 'none' needs --capacity %s, "
                    "for the rate of one learner depends on how many ids there are",
                    options->from.both != NULL ? "IDS" : "ROWSxCOLUMNS");
    if (!tuned)
        return fail(error, WEFT_ARGUMENT,
                    "the stream is not a regular file and cannot be read twice: --horizon T or --eta X is "
                    "needed");
    if (options->truth.row_truth != NULL || options->truth.column_truth != NULL)
        return fail(error, WEFT_ARGUMENT,
                    "the stream is not a regular file and cannot be read twice: --truth-rows and "
                    "--truth-columns need one");
    return WEFT_OK;
}

/* A committee that reads a pipe may become as large as it comes: nothing is foreseen of it. */
static weft_status announce(const run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    weft_settings settings = {.form = options->form,
                              .engine = run->engine.engine,
                              .precision = options->precision,
                              .rows = options->row_capacity,
                              .columns = options->column_capacity};
    const weft_player_options committee = {0};
    memory_plan plan = {.limits = &options->from.limits,
                        .rows = run->rows,
                        .columns = run->columns,
                        .player = {.learner = options->player.committee ? NULL : &settings,
                                   .committee = options->player.committee && run->scanned ? &committee : NULL,
                                   .trials = run->labelled * negatives_labels(run),
                                   .context_fields = weft_stream_context(run->stream).count,
                                   .context_values = weft_stream_contexts(run->stream)},
                        .quiet = options->quiet};
    return memory_announce(&plan, error);
}

static weft_status build_rest(weft_roster *roster, weft_error *error)
{
    return roster == NULL || weft_roster_side(roster) != NULL ? WEFT_OK : weft_roster_build(roster, error);
}

/* The engine, which the SPECs tell where no option does.  Sides without a list of names, for which
 * there is a capacity, are made before the stream is looked at: their ids need not be counted. */
weft_status run_prepare(run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    weft_roster *const rosters[2] = {run->rows, run->columns};
    weft_status status = WEFT_OK;
    run->engine = options->engine;
    TRY(engine_choose(&run->engine, run->rows, run->columns, error));
    if (options->half_life > 0 && run->engine.engine != WEFT_COMPACT)
        return fail(error, WEFT_ARGUMENT,
                    "--half-life: evidence decays in the compact engine alone, found %s",
                    engine_name(run->engine.engine));
    if (options->floor_given && run->engine.engine != WEFT_COMPACT)
        return fail(error, WEFT_ARGUMENT, "--floor: the compact engine alone has one, found %s",
                    engine_name(run->engine.engine));
    for (int side = 0; side < 2; side++)
        if (rosters[side] != NULL && weft_roster_report(rosters[side]).hashed && options->row_capacity > 0)
            TRY(weft_roster_build(rosters[side], error));
done:
    return status;
}

static weft_status look_at_stream(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    begin_ids(run);
    TRY(negatives_begin(run, error));
    if (weft_stream_seekable(run->stream))
        TRY(scan(run, error));
    else
        TRY(check_pipe(run, error));
    run->horizon = run->options->horizon > 0 ? run->options->horizon : run->labelled * negatives_labels(run);
    TRY(announce(run, error));
    TRY(build_rest(run->rows, error));
    TRY(build_rest(run->columns, error));
done:
    return status;
}

/* ---- True classes ---- */

static weft_status read_truths(run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    truth_side *rows = &run->row_truth, *columns = &run->column_truth;
    weft_status status = WEFT_OK;
    TRY(truth_read(options->truth.row_truth, options->truth.row_classes, run->rows, &options->from.limits,
                   rows, error));
    if (run->columns != NULL)
        TRY(truth_read(options->truth.column_truth, options->truth.column_classes, run->columns,
                       &options->from.limits, columns, error));
    if (run->columns != NULL && rows->class_of != NULL)
        truth_separate(run->columns, columns);
    else if (columns->class_of != NULL)
        truth_separate(run->rows, rows);
    if (rows->class_of != NULL && run->columns == NULL)
        TRY(weft_comparator_create(rows->classes, rows->classes, NULL, &run->comparator, error));
    if (rows->class_of != NULL && columns->class_of != NULL)
        TRY(weft_comparator_create(rows->classes, columns->classes, NULL, &run->comparator, error));
done:
    return status;
}

/* ---- Parameters ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Those whose names are hashed were counted, if the stream was looked at. */
static int64_t count_ids(const weft_roster *roster)
{
    weft_roster_facts facts = weft_roster_report(roster);
    return facts.listed + facts.let_in;
}

static void make_room(run_state *run)
{
    const run_options *options = run->options;
    run->settings.rows = larger(options->row_capacity, count_ids(run->rows));
    run->settings.columns =
        run->columns == NULL ? 0 : larger(options->column_capacity, count_ids(run->columns));
}

static weft_status choose_settings(run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    const weft_side *rows = weft_roster_side(run->rows);
    const weft_side *columns = run->columns != NULL ? weft_roster_side(run->columns) : NULL;
    weft_truth truth = {.row_class = run->row_truth.class_of,
                        .column_class = run->column_truth.class_of,
                        .row_classes = run->row_truth.classes,
                        .column_classes = run->column_truth.classes};
    run->settings = (weft_settings){
        .form = options->form,
        .updates = options->updates,
        .engine = run->engine.engine,
        .precision = options->precision,
        .eta = options->eta,
        .gamma = options->gamma,
        .dimension = options->dimension,
        .tolerance = options->tolerance,
        .seed = options->seed,
        .deterministic = options->deterministic,
        .half_life = options->half_life,
        .floor = options->floor,
        .threads = options->threads,
    };
    make_room(run);
    weft_status status = weft_theory_measure(rows, columns, &truth, &run->settings, &run->measure, error);
    run->settings.form = run->measure.form;
    if (status == WEFT_OK)
        weft_theory_tune(&run->measure, larger(run->horizon, 1), &run->settings, &run->reasons);
    return status;
}

weft_status run_begin(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(engine_check(&run->engine, run->rows, run->columns, error));
    TRY(read_truths(run, error));
    TRY(choose_settings(run, error));
    TRY(source_check_size(run->settings.rows + run->settings.columns, error));
    TRY(weft_learner_create(weft_roster_side(run->rows),
                            run->columns != NULL ? weft_roster_side(run->columns) : NULL, &run->settings,
                            limits_memory(&run->options->from.limits), &run->player, error));
    run->embed = run->options->embed;
done:
    return status;
}

/* From the command line to a player that has learnt nothing yet. */
static weft_status begin_anew(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(open_files(run, error));
    TRY(run->ops->prepare(run, error));
    profile_lap(&run->clock, PROFILE_OTHER);
    TRY(look_at_stream(run, error));
    profile_lap(&run->clock, PROFILE_OTHER);
    profile_split(&run->clock, PROFILE_OTHER, run->rows);
    profile_split(&run->clock, PROFILE_OTHER, run->columns);
    TRY(run->ops->begin(run, error));
    profile_lap(&run->clock, PROFILE_PLAYERS);
done:
    return status;
}

static weft_status resume(run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(run_resume(run, error));
    profile_lap(&run->clock, PROFILE_MODEL);
    profile_split(&run->clock, PROFILE_MODEL, run->rows);
    profile_split(&run->clock, PROFILE_MODEL, run->columns);
    begin_ids(run);
    TRY(negatives_begin(run, error));
    if (weft_stream_seekable(run->stream))
        TRY(scan(run, error));
done:
    return status;
}

weft_status run_open(const run_options *options, run_state *run, weft_error *error)
{
    weft_status status = WEFT_OK;
    run->options = options;
    TRY(run_check_place(run, error));
    TRY(source_open_stream(&options->from, &run->stream, error));
    if (options->resume != NULL)
        TRY(resume(run, error));
    else
        TRY(begin_anew(run, error));
    TRY(committee_check_picture(run, error));
    if (options->predictions != NULL)
        TRY(output_open(options->predictions, &run->predictions, error));
done:
    return status;
}

void run_close(run_state *run)
{
    free(run->facts.profile.rows);
    output_free(run->predictions);
    weft_comparator_free(run->comparator);
    weft_player_free(run->player);
    truth_free(&run->row_truth);
    truth_free(&run->column_truth);
    weft_roster_free(run->columns);
    weft_roster_free(run->rows);
    weft_stream_free(run->stream);
    weft_waiting_free(run->waiting);
    free(run->beside.pairs);
    free(run->beside.answers);
    free(run->note);
    free(run->understood);
    free(run->key);
    score_groups_free(&run->scores);
    for (int i = 0; i < WORTH_PARTS; i++)
        score_groups_free(&run->without[i]);
    paths_free(&run->files);
}
