/* SPDX-License-Identifier: MIT
 * From the command line to contestants that are ready: side information, the
 * stream in memory, who plays. */
#include "cli/command/long_call.h"
#include "cli/command/words.h"
#include "cli/compare/compare.h"
#include "cli/report/side.h"
#include "program/fail.h"
#include "program/new.h"
#include "weft_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The stream ---- */

/* Reads the stream up to --limit trials.  Lines without a label let their ids in,
 * as in a run, and are no trials. */
static weft_status read_stream(compare_state *state, weft_error *error)
{
    int64_t limit = state->options->limit;
    weft_event event = {0};
    weft_status status = WEFT_OK;
    bool more = true;
    while (limit == 0 || state->course.count < limit) {
        int64_t pair[2] = {0, 0};
        TRY(source_next(state->stream, &event, &more, error));
        if (!more)
            break;
        TRY(weft_roster_admit_pair(state->rows, state->columns, &event, pair, error));
        metric_trial trial = {pair[0], pair[1], event.label};
        if (event.label != 0)
            metric_add(&state->course, &trial, event.context);
    }
    TRY(source_check_met(state->rows, state->columns, error));
    if (state->course.count == 0)
        return fail(error, WEFT_INPUT, "%s: found no line with a label, expected row, column, label",
                    state->options->from.streams[0]);
done:
    return status;
}

/* What weft run would refuse before its first trial. */
static weft_status check_size(const metric_course *course, weft_error *error)
{
    int64_t size = course->rows + (course->one_set ? 0 : course->columns);
    if (size >= 3)
        return WEFT_OK;
    return fail(error, WEFT_INPUT, "found %lld ids, expected at least 3", (long long)size);
}

/* Nothing known of the same ids; for the compact engine in as many coordinates. */
static weft_status make_none(const compare_state *state, const weft_roster *roster, weft_side **side,
                             weft_error *error)
{
    const weft_side *given = weft_roster_side(roster);
    weft_map map = {.hash = weft_side_dimension(given), .seed = state->options->seed};
    weft_side_options none = {.memory = limits_memory(&state->options->from.limits)};
    if (state->engine.engine == WEFT_COMPACT)
        none.map = &map;
    return weft_side_none(weft_side_count(given), &none, side, error);
}

/* The trials are kept with their ids, whatever the engine keeps. */
static weft_status choose_engine(compare_state *state, weft_error *error)
{
    bool hashed = weft_roster_report(state->rows).hashed ||
                  (state->columns != NULL && weft_roster_report(state->columns).hashed);
    if (hashed)
        return fail(error, WEFT_ARGUMENT,
                    "names=hashed: the rivals keep all ids, leave it out where they are compared");
    state->engine = state->options->engine;
    return engine_choose(&state->engine, state->rows, state->columns, error);
}

static weft_status build_sides(compare_state *state, weft_error *error)
{
    metric_course *course = &state->course;
    weft_status status = WEFT_OK;
    TRY(weft_roster_build(state->rows, error));
    course->one_set = state->columns == NULL;
    course->rows = course->columns = weft_side_count(weft_roster_side(state->rows));
    if (!course->one_set) {
        TRY(weft_roster_build(state->columns, error));
        course->columns = weft_side_count(weft_roster_side(state->columns));
    }
    TRY(engine_check(&state->engine, state->rows, state->columns, error));
    TRY(make_none(state, state->rows, &state->no_rows, error));
    if (!course->one_set)
        TRY(make_none(state, state->columns, &state->no_columns, error));
    TRY(check_size(course, error));
    metric_prepare(course);
done:
    return status;
}

/* ---- Shuffled side information ---- */

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The numbers below `count` in random order, by Fisher and Yates. */
static int64_t *shuffle(int64_t count, uint64_t seed)
{
    int64_t *order = new_array(count, sizeof *order);
    for (int64_t i = 0; i < count; i++) {
        int64_t j = (int64_t)(draw(&seed) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/* One set of ids has one order. */
static void draw_orders(compare_state *state)
{
    uint64_t seed = state->options->seed;
    const metric_course *course = &state->course;
    state->shuffled_rows = shuffle(course->rows, seed);
    state->shuffled_columns = shuffle(course->columns, course->one_set ? seed : ~seed);
}

/* ---- Who plays ---- */

static bool is_none(const weft_roster *roster)
{
    return roster == NULL || source_is_blank(weft_roster_side(roster));
}

/* A side of which nothing is known is played with the map that was asked for. */
static bool keeps_map(const compare_state *state, const weft_roster *roster)
{
    return state->engine.engine == WEFT_COMPACT && is_none(roster);
}

static contestant *add_contestant(compare_state *state, contestant_kind kind)
{
    contestant *new = &state->contestants[state->count++];
    *new = (contestant){.kind = kind,
                        .knob = "",
                        .rate_count = 1,
                        .best = -1,
                        .rows = weft_roster_side(state->rows),
                        .columns = state->columns != NULL ? weft_roster_side(state->columns) : NULL};
    return new;
}

/* Around theory's learning rate, which is chosen for the worst case.  For one set of
 * ids it is small, since it does not know that gamma is 1 there, and real streams
 * reward more courage. */
static void add_weft(compare_state *state, weft_form form, int knows, bool shuffled)
{
    static const char *const known[] = {"none", "rows", "columns", "rows + columns"};
    static const double times[2][COMPARE_RATES] = {{0.25, 1, 4}, {1, 4, 16}};
    contestant *new = add_contestant(state, BY_WEFT);
    new->form = form;
    new->knows = knows;
    new->shuffled = shuffled;
    if ((knows & KNOWS_ROWS) == 0 && !keeps_map(state, state->rows))
        new->rows = state->no_rows;
    if ((knows & KNOWS_COLUMNS) == 0 && form != WEFT_ONE_SET && !keeps_map(state, state->columns))
        new->columns = state->no_columns;
    new->knob = "x eta";
    new->rate_count = COMPARE_RATES;
    memcpy(new->rates, times[form == WEFT_ONE_SET], sizeof new->rates);
    snprintf(new->name, sizeof new->name, "weft %s: %s%s", form_words[form],
             form == WEFT_ONE_SET && knows != 0 ? "side information" : known[knows],
             shuffled ? " shuffled" : "");
}

static void add_rival(compare_state *state, weft_rival_kind kind)
{
    contestant *new = add_contestant(state, BY_RIVAL);
    new->rival = kind;
    new->knob = weft_rival_knob(kind);
    new->rate_count = new->knob[0] == 0 ? 1 : COMPARE_RATES;
    weft_rival_rates(kind, new->rates);
    snprintf(new->name, sizeof new->name, "%s", weft_rival_name(kind));
}

static void add_form(compare_state *state, weft_form form)
{
    int given = (is_none(state->rows) ? 0 : KNOWS_ROWS) | (is_none(state->columns) ? 0 : KNOWS_COLUMNS);
    for (int knows = 0; knows <= (KNOWS_ROWS | KNOWS_COLUMNS); knows++)
        if ((knows & ~given) == 0)
            add_weft(state, form, knows, false);
    for (int knows = 1; knows <= (KNOWS_ROWS | KNOWS_COLUMNS); knows++)
        if ((knows & ~given) == 0)
            add_weft(state, form, knows, true);
}

static void add_forms(compare_state *state)
{
    const compare_options *options = state->options;
    if (state->columns == NULL) {
        add_form(state, WEFT_ONE_SET);
        return;
    }
    if (!options->form_given || options->form == WEFT_PAPER)
        add_form(state, WEFT_PAPER);
    if (!options->form_given || options->form == WEFT_BALANCED)
        add_form(state, WEFT_BALANCED);
}

static void add_committee(compare_state *state, int knows)
{
    static const char *const without[] = {"", " without rows", " without columns", " without both"};
    contestant *new = add_contestant(state, BY_COMMITTEE);
    bool one_set = state->columns == NULL;
    new->knows = knows;
    snprintf(new->name, sizeof new->name, "committee%s",
             one_set && knows != state->given ? " without side information" : without[state->given & ~knows]);
}

/* The longest runs last: they are begun first. */
static void add_contestants(compare_state *state)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        add_rival(state, (weft_rival_kind)kind);
    snprintf(add_contestant(state, BY_CONSTANT)->name, sizeof state->contestants->name, "%s",
             "best constant in hindsight");
    if (state->columns == NULL)
        snprintf(add_contestant(state, BY_DISTANCE)->name, sizeof state->contestants->name, "%s",
                 "kernel distance, best threshold");
    add_forms(state);
    for (int knows = 0; knows <= (KNOWS_ROWS | KNOWS_COLUMNS); knows++)
        if (state->members[knows].count > 0)
            add_committee(state, knows);
}

static void report(const compare_state *state)
{
    const metric_course *course = &state->course;
    if (state->options->quiet)
        return;
    long_call_clear();
    fprintf(stderr, "weft %s\n", weft_version());
    side_tell_both(state->rows, state->columns);
    fprintf(stderr, "%-11s%s (%s)\n", "engine", engine_name(state->engine.engine), state->engine.reason);
    fprintf(stderr, "%-11s%" PRId64 ", of which %" PRId64 " are labelled +1\n", "trials", course->count,
            course->positive);
}

weft_status compare_open(compare_state *state, weft_error *error)
{
    const source_needs needs = {.views = !state->options->no_committee};
    const source_options *from = &state->options->from;
    weft_status status = WEFT_OK;
    TRY(source_open_stream(from, &state->stream, error));
    state->course.fields = from->context.count;
    TRY(source_open_rosters(from, &needs, &state->rows, &state->columns, error));
    TRY(choose_engine(state, error));
    TRY(read_stream(state, error));
    TRY(build_sides(state, error));
    draw_orders(state);
    TRY(compare_list_members(state, error));
    add_contestants(state);
    report(state);
done:
    return status;
}

void compare_close(compare_state *state)
{
    for (int k = 0; k < state->count; k++) {
        contestant *who = &state->contestants[k];
        free(who->scores);
        for (int rate = 0; rate < COMPARE_RATES; rate++)
            free(who->wrong[rate]);
    }
    for (int knows = 0; knows <= (KNOWS_ROWS | KNOWS_COLUMNS); knows++)
        free(state->members[knows].members);
    free(state->shuffled_rows);
    free(state->shuffled_columns);
    metric_free(&state->course);
    weft_side_free(state->no_rows);
    weft_side_free(state->no_columns);
    weft_roster_free(state->columns);
    weft_roster_free(state->rows);
    weft_stream_free(state->stream);
}
