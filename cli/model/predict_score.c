/* SPDX-License-Identifier: MIT */
#include "cli/model/predict_score.h"

#include "cli/command/json_text.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM, COLD_ROWS, COLD_COLUMNS, COLD_BOTH, GROUPS };

static const char *const group_names[GROUPS] = {
    [WARM] = "warm", [COLD_ROWS] = "cold_rows", [COLD_COLUMNS] = "cold_columns", [COLD_BOTH] = "cold_both"};

/* 64 bits of a name (Fowler, Noll, Vo): new ids have no numbers of their own. */
static int64_t number_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != 0; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return (int64_t)(hash >> 1);
}

void score_sheet_add(score_sheet *sheet, const scored_answer *said, int label)
{
    if (label == 0) {
        sheet->unlabelled++;
        return;
    }
    sheet->pairs = new_room(sheet->pairs, sheet->count, &sheet->capacity, sizeof *sheet->pairs);
    sheet->pairs[sheet->count++] =
        (held_out_pair){.row = number_name(said->row),
                        .score = said->answer->score,
                        .probability = said->probability,
                        .label = label,
                        .wrong = said->answer->label != label,
                        .group = (said->warm[0] ? 0 : COLD_ROWS) | (said->warm[1] ? 0 : COLD_COLUMNS)};
}

void score_sheet_free(score_sheet *sheet)
{
    free(sheet->pairs);
    sheet->pairs = NULL;
}

/* ---- In words ---- */

/* most 0: it is no matter of the first of a row. */
static void tell_figure(const char *name, int64_t most, const held_out_figure *figure)
{
    enum { WIDTH = 26 };
    char words[64];
    snprintf(words, sizeof words, most > 0 ? "%s of the first %" PRId64 : "%s", name, most);
    if (isnan(figure->value))
        printf("  %-*s -\n", WIDTH, words);
    else if (isnan(figure->low))
        printf("  %-*s %.4f\n", WIDTH, words, figure->value);
    else
        printf("  %-*s %.4f (95 %%: %.4f to %.4f)\n", WIDTH, words, figure->value, figure->low, figure->high);
}

static void tell_group(const score_sheet *sheet, const char *name, const held_out_figures *found)
{
    static const char *const words[HELD_OUT_MEASURES] = {
        "error", "log loss", "Brier score", "AUC", "average precision", "nDCG", "recall"};
    printf("%s: %" PRId64 " pair%s, %" PRId64 " labelled +1; %" PRId64 " row%s with more than %" PRId64
           " of both labels\n",
           name, found->pairs, output_plural(found->pairs), found->positive, found->lists,
           output_plural(found->lists), sheet->most);
    for (int m = 0; m < HELD_OUT_MEASURES; m++)
        tell_figure(words[m], m >= HELD_OUT_NDCG ? sheet->most : 0, &found->of[m]);
}

/* ---- For programs ---- */

static json_t *describe_figure(const held_out_figure *figure)
{
    if (isnan(figure->value))
        return json_null();
    return json_pack("{s:f, s:o, s:o}", "value", figure->value, "low", json_real_or_null(figure->low), "high",
                     json_real_or_null(figure->high));
}

static json_t *describe_group(const held_out_figures *found)
{
    json_t *object = json_pack("{s:I, s:I, s:I}", "pairs", (json_int_t)found->pairs, "positive",
                               (json_int_t)found->positive, "lists", (json_int_t)found->lists);
    int failed = object == NULL;
    for (int m = 0; m < HELD_OUT_MEASURES; m++)
        failed |= json_object_set_new(object, held_out_names[m], describe_figure(&found->of[m]));
    return json_whole(object, failed);
}

static weft_status tell_json(score_sheet *sheet, const held_out_figures *groups, weft_error *error)
{
    json_t *object = json_pack("{s:I, s:I, s:o}", "unlabelled", (json_int_t)sheet->unlabelled, "first",
                               (json_int_t)sheet->most, "all", describe_group(&groups[GROUPS]));
    int failed = object == NULL;
    for (int group = 0; group < GROUPS && sheet->apart; group++)
        failed |= json_object_set_new(object, group_names[group], describe_group(&groups[group]));
    return json_print(json_whole(object, failed), error);
}

/* ---- All ---- */

weft_status score_sheet_tell(score_sheet *sheet, bool json, weft_error *error)
{
    static const char *const words[GROUPS] = {"row and column warm", "row cold", "column cold", "both cold"};
    held_out_figures groups[GROUPS + 1];
    if (sheet->count == 0)
        return fail(error, WEFT_INPUT, "--score: found no line with a label, expected row, column, label");
    for (int group = 0; group <= GROUPS; group++)
        groups[group] =
            held_out_measure(sheet->pairs, sheet->count, group < GROUPS ? group : -1, sheet->most);
    if (json)
        return tell_json(sheet, groups, error);
    tell_group(sheet, "all", &groups[GROUPS]);
    for (int group = 0; group < GROUPS && sheet->apart; group++)
        if (groups[group].pairs > 0 && groups[group].pairs < sheet->count)
            tell_group(sheet, words[group], &groups[group]);
    if (sheet->unlabelled > 0)
        printf("%" PRId64 " line%s without a label: not scored\n", sheet->unlabelled,
               output_plural(sheet->unlabelled));
    return output_finish(error);
}
