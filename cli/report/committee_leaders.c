/* SPDX-License-Identifier: MIT */
#include "cli/command/json_text.h"
#include "cli/report/committee.h"
#include "program/new.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Whether a leads b; equals stay in the order of the members, and those in reserve come behind all that have
 * played, of which some rest with no weight either. */
static bool leads(const weft_standing *a, const weft_standing *b)
{
    if (a->in_reserve != b->in_reserve)
        return b->in_reserve;
    if (a->weight != b->weight)
        return a->weight > b->weight;
    return fabs(a->certainty) > fabs(b->certainty);
}

/* The members that lead, at most `most`; answers how many.  Insertion into a short list, in one pass. */
static int64_t choose_leaders(const weft_player *committee, int64_t most, weft_standing *leaders)
{
    int64_t found = 0;
    for (int64_t k = 0; k < weft_player_member_count(committee); k++) {
        weft_standing standing = weft_committee_standing(committee, k);
        int64_t place = found;
        while (place > 0 && leads(&standing, &leaders[place - 1]))
            place--;
        if (place == most)
            continue;
        found += found < most;
        for (int64_t j = found - 1; j > place; j--)
            leaders[j] = leaders[j - 1];
        leaders[place] = standing;
    }
    return found;
}

bool committee_first(const weft_player *committee, weft_standing first[2])
{
    return choose_leaders(committee, 2, first) == 2;
}

awake_text committee_awake(const weft_standing *standing)
{
    awake_text when = {"all along"};
    if (standing->in_reserve)
        return (awake_text){"in reserve"};
    if (standing->since > 0 || !standing->is_awake)
        snprintf(when.text, sizeof when.text, "%s %" PRId64, standing->is_awake ? "since" : "rests since",
                 standing->since);
    return when;
}

static void tell_standing(const weft_standing *standing, bool has_share, FILE *out)
{
    char share[32] = "-";
    if (has_share)
        snprintf(share, sizeof share, "%.4f", standing->coefficient);
    double error = standing->trials > 0 ? (double)standing->mistakes / (double)standing->trials : 0;
    fprintf(out, "%9" PRId64 " %9" PRId64 " %8.6f %9.4g %9.4g %7.4f %8s  %-18s %s\n", standing->trials,
            standing->mistakes, error, standing->regret, standing->term, standing->weight, share,
            committee_awake(standing).text, standing->name);
}

/* All that are awake: without rows, without columns and without both only where some member sees these. */
static void tell_stacks(const weft_player *committee, FILE *out)
{
    int64_t count = weft_player_member_count(committee);
    for (int64_t k = count; k < count + WEFT_STACKS; k++) {
        weft_standing stack = weft_committee_standing(committee, k);
        if (stack.is_awake)
            tell_standing(&stack, false, out);
    }
}

weft_standing committee_best_stack(const weft_player *committee)
{
    int64_t count = weft_player_member_count(committee);
    weft_standing best = weft_committee_standing(committee, count);
    for (int64_t k = count + 1; k < count + WEFT_STACKS; k++) {
        weft_standing stack = weft_committee_standing(committee, k);
        if (stack.weight > best.weight)
            best = stack;
    }
    return best;
}

void committee_tell_leaders(const weft_player *committee, int64_t lines, FILE *out)
{
    int64_t players = committee_players(committee);
    int64_t most = lines > 0 && lines <= players ? lines - 1 : players;
    weft_standing *leaders = new_array(most, sizeof *leaders);
    int64_t found = choose_leaders(committee, most, leaders);
    fprintf(out, "\n%9s %9s %8s %9s %9s %7s %8s  %-18s %s\n", "trials", "mistakes", "error", "regret",
            "at most", "weight", "share", "awake", "member");
    tell_stacks(committee, out);
    for (int64_t k = 0; k < found; k++)
        tell_standing(&leaders[k], true, out);
    if (players > found)
        fprintf(out, "%9s %" PRId64 " more\n", "", players - found);
    free(leaders);
}

/* ---- For programs ---- */

static json_t *describe_standing(const weft_standing *standing)
{
    json_t *object =
        json_pack("{s:o, s:b, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "name", json_name(standing->name), "awake",
                  (int)standing->is_awake, "since", (json_int_t)standing->since, "trials",
                  (json_int_t)standing->trials, "mistakes", (json_int_t)standing->mistakes, "regret",
                  json_real_or_null(standing->regret), "term", json_real_or_null(standing->term), "weight",
                  json_real_or_null(standing->weight), "share", json_real_or_null(standing->coefficient));
    int failed = standing->in_reserve && json_object_set_new(object, "reserve", json_true()) != 0;
    if (standing->drift != 0)
        failed |= json_object_set_new(object, "drift", json_real(standing->drift));
    return json_whole(object, failed);
}

json_t *committee_members_json(const weft_player *committee)
{
    json_t *list = json_array();
    int failed = list == NULL;
    for (int64_t k = 0; k < weft_player_member_count(committee); k++) {
        weft_standing standing = weft_committee_standing(committee, k);
        failed |= json_array_append_new(list, describe_standing(&standing));
    }
    return json_whole(list, failed);
}

json_t *committee_stack_json(const weft_player *committee)
{
    weft_standing stack = weft_committee_standing(committee, weft_player_member_count(committee));
    return describe_standing(&stack);
}
