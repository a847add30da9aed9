/* SPDX-License-Identifier: MIT
 * A run that begins where a model ends, and ends with a model. */
#define _POSIX_C_SOURCE 200809L

#include "cli/command/words.h"
#include "cli/model/model.h"
#include "cli/run/negatives.h"
#include "program/fail.h"
#include "src/io/text/draft.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Options against the model ---- */

static weft_status check_word(const char *option, bool given, const char *found, const char *expected,
                              weft_error *error)
{
    if (!given || found == expected)
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT, "--%s %s contradicts the model, which has %s (leave it out)", option,
                found, expected);
}

static weft_status check_number(const char *option, bool given, double found, double expected,
                                weft_error *error)
{
    if (!given || found == expected)
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT, "--%s %.17g contradicts the model, which has %.17g (leave it out)",
                option, found, expected);
}

static weft_status check_words(const run_options *options, const weft_settings *settings, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(check_word("form", options->form_given, form_phrase(options->form), form_phrase(settings->form),
                   error));
    TRY(check_word("updates", options->updates_given, updates_words[options->updates],
                   updates_words[settings->updates], error));
    TRY(check_word("engine", options->engine.given, engine_name(options->engine.engine),
                   engine_name(settings->engine), error));
    TRY(check_word("precision", options->precision_given, precision_words[options->precision],
                   precision_words[settings->precision], error));
    if (options->deterministic && !settings->deterministic)
        return fail(error, WEFT_ARGUMENT,
                    "--deterministic contradicts the model, which draws its thresholds (leave it out)");
done:
    return status;
}

static weft_status check_seed(const run_options *options, uint64_t seed, weft_error *error)
{
    if (!options->seed_given || options->seed == seed)
        return WEFT_OK;
    return fail(error, WEFT_ARGUMENT,
                "--seed %" PRIu64 " contradicts the model, which has %" PRIu64 " (leave it out)",
                options->seed, seed);
}

static weft_status check_numbers(const run_options *options, const weft_model *model, weft_error *error)
{
    weft_settings settings = weft_learner_settings(model->player);
    weft_status status = WEFT_OK;
    TRY(check_number("eta", options->eta > 0, options->eta, settings.eta, error));
    TRY(check_number("gamma", options->gamma > 0, options->gamma, settings.gamma, error));
    TRY(check_number("dimension", options->dimension > 0, options->dimension, settings.dimension, error));
    TRY(check_number("tolerance", options->tolerance_given, options->tolerance, settings.tolerance, error));
    TRY(check_number("half-life", options->half_life > 0, options->half_life, settings.half_life, error));
    TRY(check_number("floor", options->floor_given, options->floor, settings.floor, error));
    TRY(check_number("horizon", options->horizon > 0, (double)options->horizon, (double)model->horizon,
                     error));
    TRY(check_seed(options, settings.seed, error));
done:
    return status;
}

weft_status resume_check_learner(const run_options *options, const weft_model *model, weft_error *error)
{
    weft_settings settings = weft_learner_settings(model->player);
    weft_status status = WEFT_OK;
    const char *option = options->committee ? "--committee" : options_many(options);
    if (option != NULL)
        return fail(error, WEFT_ARGUMENT, "%s contradicts the model, which is one learner's (leave it out)",
                    option);
    TRY(check_words(options, &settings, error));
    TRY(check_numbers(options, model, error));
done:
    return status;
}

weft_status resume_check_committee(const run_options *options, const weft_model *model, weft_error *error)
{
    weft_committee_settings settings = weft_committee_settings_of(model->player);
    const char *single = options_single(options);
    if (options->single)
        return fail(error, WEFT_ARGUMENT,
                    "--single contradicts the model, which is a committee's (leave it out)");
    if (single != NULL)
        return fail(error, WEFT_ARGUMENT,
                    "%s speaks of one learner, but the model is a committee's (leave it out)", single);
    if (options->randomised && !settings.randomised)
        return fail(error, WEFT_ARGUMENT,
                    "--randomised contradicts the model, which goes by its majority (leave it out)");
    if (options->deterministic && settings.randomised)
        return fail(error, WEFT_ARGUMENT,
                    "--deterministic contradicts the model, which draws its predictions (leave it out)");
    if (options->restless && !settings.restless)
        return fail(error, WEFT_ARGUMENT,
                    "--restless contradicts the model, which puts members to rest (leave it out)");
    return check_seed(options, settings.seed, error);
}

/* One set of ids or two, in the options and in the model. */
static weft_status check_sides(const run_options *options, const weft_model *model, weft_error *error)
{
    bool one_set = model->columns == NULL;
    if (one_set && (options->from.rows != NULL || options->from.columns != NULL))
        return fail(error, WEFT_ARGUMENT,
                    "--rows and --columns contradict the model, which has one set of ids (--both)");
    if (!one_set && options->from.both != NULL)
        return fail(error, WEFT_ARGUMENT, "--both contradicts the model, which has --rows and --columns");
    if (options->row_capacity > 0 && one_set == (options->column_capacity > 0))
        return fail(error, WEFT_ARGUMENT, "--capacity: expected %s", one_set ? "one number" : "ROWSxCOLUMNS");
    return WEFT_OK;
}

/* ---- Resuming ---- */

static const run_ops *ops_of(const weft_model *model)
{
    return weft_player_kind(model->player) == WEFT_COMMITTEE ? &committee_ops : &learner_ops;
}

/* The stream goes on in the language of the model. */
static weft_status check_language(const run_options *options, const weft_model *model, weft_stream *stream,
                                  weft_error *error)
{
    const weft_stream_options *how = &options->from.how;
    weft_status status = weft_stream_expect(stream, &model->language, error);
    weft_language_text told = weft_language_show(&model->language);
    if (status != WEFT_ARGUMENT)
        return status;
    if (how->rated)
        return fail(error, status, "--threshold %.17g contradicts the labels of the model: %s (leave it out)",
                    how->threshold, told.text);
    return fail(error, status, "--positive %.48s contradicts the labels of the model: %s (leave it out)",
                weft_show(how->positive).text, told.text);
}

/* A first look, which reads no side files, so that a contradiction is told before
 * anything else is. */
static weft_status check_options(const run_options *options, weft_stream *stream, int64_t capacity[2],
                                 weft_error *error)
{
    const source_options *from = &options->from;
    weft_model_options look = {.look = true,
                               .files = limits_files(&from->limits, 0),
                               .rows = from->both != NULL ? from->both : from->rows,
                               .columns = from->columns};
    weft_roster_options roster = limits_roster(&from->limits);
    weft_model model = {0};
    weft_status status = WEFT_OK;
    look.files.roster = &roster;
    TRY(weft_model_open(options->resume, &look, &model, error));
    TRY(check_sides(options, &model, error));
    TRY(ops_of(&model)->check_model(options, &model, error));
    TRY(negatives_check_model(options, &model, error));
    TRY(context_check_model(&options->from.context, &model.context, error));
    TRY(check_language(options, &model, stream, error));
    capacity[0] = model_capacity(&model, 0);
    capacity[1] = model.columns != NULL ? model_capacity(&model, 1) : 0;
done:
    weft_model_close(&model);
    return status;
}

void resume_learner(run_state *run, const weft_model *model)
{
    run->settings = weft_learner_settings(model->player);
    run->engine = (engine_choice){.engine = run->settings.engine, .reason = "the model's"};
    run->reasons = (weft_reasons){"the model's", "the model's", "the model's"};
    run->measure = (weft_measure){.form = run->settings.form,
                                  .size = run->settings.rows + run->settings.columns,
                                  .dimension = INFINITY};
}

void resume_committee(run_state *run, const weft_model *model)
{
    (void)run;
    (void)model;
}

weft_status run_resume(run_state *run, weft_error *error)
{
    const run_options *options = run->options;
    weft_model_options how = {.rows = options->from.both != NULL ? options->from.both : options->from.rows,
                              .columns = options->from.columns,
                              .row_capacity = options->row_capacity,
                              .column_capacity = options->column_capacity,
                              .files = limits_files(&options->from.limits, 0)};
    weft_roster_options roster = limits_roster(&options->from.limits);
    weft_model model = {0};
    int64_t capacity[2] = {0, 0};
    weft_status status = WEFT_OK;
    roster.keep = options->embed;
    how.files.roster = &roster;
    TRY(check_options(options, run->stream, capacity, error));
    TRY(weft_model_open(options->resume, &how, &model, error));
    status = model_check_sides(&model, &run->files, error);
    run->rows = model.rows;
    run->columns = model.columns;
    run->player = model.player;
    run->horizon = model.horizon;
    run->embed = model.embed;
    run->disturbed = model.disturbed;
    TRY(status);
    TRY(weft_player_set_threads(run->player, run->options->threads, error));
    run->ops = ops_of(&model);
    run->ops->resume(run, &model);
    run->begin = run->told = weft_player_counters(run->player);
    run->checkpoint = run->begin.t;
    run->negatives = model.negatives;
    run->resumed = true;
    run->enlarged = capacity[0] != run->settings.rows || capacity[1] != run->settings.columns;
    TRY(weft_stream_set_context(run->stream, &model.context, error));
done:
    return status;
}

/* ---- Writing ---- */

/* What the place is comes before whether it may be written: that depends on who asks. */
weft_status run_check_place(const run_state *run, weft_error *error)
{
    static const weft__draft_options owners = {.owner_only = true};
    weft__draft *draft = NULL;
    if (run->options->model == NULL)
        return WEFT_OK;
    weft_status status = weft__draft_create(run->options->model, &owners, NULL, &draft, error);
    weft__draft_free(draft);
    return status;
}

weft_status run_save(const run_state *run, weft_error *error)
{
    weft_model model = {.rows = run->rows,
                        .columns = run->columns,
                        .player = run->player,
                        .horizon = run->horizon,
                        .language = weft_stream_language(run->stream),
                        .embed = run->embed,
                        .negatives = run->negatives,
                        .context = weft_stream_context(run->stream),
                        .disturbed = run->disturbed ||
                                     ((run->options->delay > 0 || run->late > 0) && run->ops->in_theory)};
    if (run->options->model == NULL)
        return WEFT_OK;
    return weft_model_write(run->options->model, &model, error);
}

weft_status run_checkpoint(run_state *run, weft_error *error)
{
    int64_t every = run->options->checkpoint, t = weft_player_counters(run->player).t;
    if (every == 0 || t / every == run->checkpoint / every)
        return WEFT_OK;
    run->checkpoint = t;
    return run_save(run, error);
}
