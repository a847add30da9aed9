/* SPDX-License-Identifier: MIT */
#include "cli/run/profile.h"

#include "cli/command/json_text.h"
#include "cli/report/committee.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"
#include "weft_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {
#define XX(name, key, words) key,
    PROFILE_PARTS(XX)
#undef XX
};

static const char *const words[] = {
#define XX(name, key, words) words,
    PROFILE_PARTS(XX)
#undef XX
};

/* ---- While it plays ---- */

void profile_begin(profile_clock *clock)
{
    *clock = (profile_clock){.on = true, .begin = seconds_now()};
    clock->last = clock->begin;
}

void profile_lap_now(profile_clock *clock, profile_part part)
{
    double now = seconds_now();
    clock->seconds[part] += now - clock->last;
    clock->last = now;
}

void profile_move(profile_clock *clock, profile_part from, profile_part to, double seconds)
{
    clock->seconds[from] -= seconds;
    clock->seconds[to] += seconds;
}

void profile_split(profile_clock *clock, profile_part from, const weft_roster *roster)
{
    weft_roster_times times = weft_roster_seconds(roster);
    if (!clock->on)
        return;
    profile_move(clock, from, PROFILE_FILES, times.reading);
    profile_move(clock, from, PROFILE_KERNELS, times.kernel);
    profile_move(clock, from, PROFILE_DIFFUSIONS, times.diffusions);
    profile_move(clock, from, PROFILE_COMMUNITIES, times.communities);
}

/* ---- Found once ---- */

/* Those of equal time in the order of their work, then of their names. */
static int by_falling_seconds(const void *left, const void *right)
{
    const profile_row *a = left, *b = right;
    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    if (a->of.work != b->of.work)
        return a->of.work > b->of.work ? -1 : 1;
    return strcmp(a->of.name, b->of.name);
}

static weft_status gather_rows(const weft_player *player, profile_facts *facts, weft_error *error)
{
    weft_profile_row *found = NULL;
    weft_status status = WEFT_OK;
    TRY(weft_player_profile(player, NULL, &facts->count, error));
    found = new_array(facts->count, sizeof *found);
    facts->rows = new_array(facts->count, sizeof *facts->rows);
    TRY(weft_player_profile(player, found, &facts->count, error));
    for (int64_t k = 0; k < facts->count; k++) {
        bool many = weft_player_kind(player) == WEFT_COMMITTEE, last = k + 1 == facts->count;
        facts->rows[k] = (profile_row){.of = found[k],
                                       .is_whole = many && last,
                                       .in_reserve = many && weft_committee_standing(player, k).in_reserve,
                                       .seconds = found[k].ask_seconds + found[k].learn_seconds};
        facts->in_rows += facts->rows[k].seconds;
    }
    qsort(facts->rows, (size_t)facts->count, sizeof *facts->rows, by_falling_seconds);
done:
    free(found);
    return status;
}

weft_status profile_gather(const profile_clock *clock, const weft_player *player, profile_facts *facts,
                           weft_error *error)
{
    weft_status status = WEFT_OK;
    facts->known = clock->on;
    if (!clock->on)
        return WEFT_OK;
    for (int part = 0; part < PROFILE_COUNT; part++) {
        facts->seconds[part] = clock->seconds[part] > 0 ? clock->seconds[part] : 0;
        facts->all += facts->seconds[part];
        if (facts->seconds[part] > facts->seconds[facts->most])
            facts->most = (profile_part)part;
    }
    TRY(gather_rows(player, facts, error));
done:
    return status;
}

/* ---- For people ---- */

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void tell_parts(const profile_facts *facts, FILE *out)
{
    fprintf(out, "\n%-36s %10s %7s\n", "where the time went", "seconds", "share");
    for (int part = 0; part < PROFILE_COUNT; part++)
        if (facts->seconds[part] > 0)
            fprintf(out, "%-36s %10.4f %5.1f %%\n", words[part], facts->seconds[part],
                    percent(facts->seconds[part], facts->all));
    fprintf(out, "%-36s %10.4f\n", "in all", facts->all);
}

static const char *name_of(const profile_row *row)
{
    return row->is_whole ? "the committee itself: columns for all, stack, weights" : row->of.name;
}

static awake_text when_awake(const profile_row *row)
{
    const weft_standing standing = {
        .is_awake = row->of.is_awake, .in_reserve = row->in_reserve, .since = row->of.since};
    return committee_awake(&standing);
}

static void tell_rows(const profile_facts *facts, FILE *out)
{
    int64_t idle = 0;
    fprintf(out, "\n%10s %10s %7s %12s %9s  %-18s %s\n", "asking", "learning", "share", "work", "trials",
            "awake", "player");
    for (int64_t k = 0; k < facts->count; k++) {
        const profile_row *row = &facts->rows[k];
        bool played = row->of.trials > 0 || row->seconds > 0;
        idle += !played;
        if (played)
            fprintf(out, "%10.4f %10.4f %5.1f %% %12.4g %9" PRId64 "  %-18s %s\n", row->of.ask_seconds,
                    row->of.learn_seconds, percent(row->seconds, facts->in_rows), row->of.work,
                    row->of.trials, when_awake(row).text, name_of(row));
    }
    if (idle > 0)
        fprintf(out, "%" PRId64 " member%s took nothing: at rest, or in reserve, all along\n", idle,
                output_plural(idle));
}

/* The last line, for who reads no other. */
static void tell_most(const profile_facts *facts, FILE *out)
{
    fprintf(out, "%-18s%s, %.0f %% of %.3g s", "most time", words[facts->most],
            percent(facts->seconds[facts->most], facts->all), facts->all);
    if (facts->count > 1 && (facts->most == PROFILE_ASKING || facts->most == PROFILE_LEARNING))
        fprintf(out, "; of this and %s most goes to %s, %.0f %%",
                words[facts->most == PROFILE_ASKING ? PROFILE_LEARNING : PROFILE_ASKING],
                name_of(&facts->rows[0]), percent(facts->rows[0].seconds, facts->in_rows));
    fprintf(out, "\n");
}

void profile_tell(const profile_facts *facts, FILE *out)
{
    if (!facts->known)
        return;
    tell_parts(facts, out);
    tell_rows(facts, out);
    tell_most(facts, out);
}

/* ---- For programs ---- */

static json_t *describe_row(const profile_row *row)
{
    return json_pack("{s:o, s:f, s:f, s:f, s:I, s:b, s:I}", "name", json_name(row->of.name), "work",
                     row->of.work, "asking", row->of.ask_seconds, "learning", row->of.learn_seconds, "trials",
                     (json_int_t)row->of.trials, "awake", (int)row->of.is_awake, "since",
                     (json_int_t)row->of.since);
}

json_t *profile_json(const profile_facts *facts)
{
    json_t *object = json_object(), *set_up = json_object(), *rows = json_array();
    int failed = object == NULL;
    for (int part = 0; part < PROFILE_COUNT; part++)
        failed |= json_object_set_new(part <= PROFILE_MODEL ? set_up : object, keys[part],
                                      json_real(facts->seconds[part]));
    for (int64_t k = 0; k < facts->count; k++)
        failed |= json_array_append_new(rows, describe_row(&facts->rows[k]));
    failed |= json_object_set_new(object, "set_up", set_up);
    failed |= json_object_set_new(object, "all", json_real(facts->all));
    failed |= json_object_set_new(object, "most", json_string(keys[facts->most]));
    failed |= json_object_set_new(object, "players", rows);
    return json_whole(object, failed);
}
