/* SPDX-License-Identifier: MIT
 * Whether two models mean the same by a count. */
#include "cli/command/words.h"
#include "cli/model/model.h"
#include "program/fail.h"

#include <string.h>

static weft_status check_form(const char *const paths[2], const weft_settings settings[2], weft_error *error)
{
    if (settings[0].form == settings[1].form)
        return WEFT_OK;
    return fail(error, WEFT_MODEL, "the forms differ: %s has %s, %s has %s", paths[0],
                form_words[settings[0].form], paths[1], form_words[settings[1].form]);
}

static weft_status check_engine(const char *const paths[2], const weft_settings settings[2],
                                weft_error *error)
{
    bool compact[2] = {settings[0].engine == WEFT_COMPACT, settings[1].engine == WEFT_COMPACT};
    if (compact[0] == compact[1])
        return WEFT_OK;
    return fail(error, WEFT_MODEL, "the engines differ: the compact engine of %s keeps no pairs, %s has them",
                paths[compact[1]], paths[compact[0]]);
}

static weft_status check_numbers(const char *const paths[2], const weft_settings settings[2],
                                 weft_error *error)
{
    const struct {
        const char *name;
        double value[2];
    } numbers[] = {{"eta", {settings[0].eta, settings[1].eta}},
                   {"gamma", {settings[0].gamma, settings[1].gamma}},
                   {"dimension", {settings[0].dimension, settings[1].dimension}},
                   {"floor", {settings[0].floor, settings[1].floor}},
                   {"half-life", {settings[0].half_life, settings[1].half_life}}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (numbers[k].value[0] != numbers[k].value[1])
            return fail(error, WEFT_MODEL, "%s differs: %s has %.17g, %s has %.17g", numbers[k].name,
                        paths[0], numbers[k].value[0], paths[1], numbers[k].value[1]);
    return WEFT_OK;
}

static weft_status check_side(const char *name, const char *const paths[2],
                              const weft_roster *const rosters[2], weft_error *error)
{
    weft_status status = weft_roster_check_alike(rosters[0], rosters[1], name, paths, error);
    return status == WEFT_ARGUMENT ? WEFT_MODEL : status;
}

/* One learner or a committee, and then one set of ids or two. */
static weft_status check_kind(const char *const paths[2], const weft_model models[2], weft_error *error)
{
    static const char *const kinds[] = {"one learner", "a committee"};
    static const char *const sets[] = {"rows and columns", "one set of ids"};
    bool committees[2] = {weft_player_kind(models[0].player) == WEFT_COMMITTEE,
                          weft_player_kind(models[1].player) == WEFT_COMMITTEE};
    bool one_set[2] = {models[0].columns == NULL, models[1].columns == NULL};
    if (committees[0] != committees[1])
        return fail(error, WEFT_MODEL, "the players differ: %s has %s, %s has %s", paths[0],
                    kinds[committees[0]], paths[1], kinds[committees[1]]);
    if (committees[0] && one_set[0] != one_set[1])
        return fail(error, WEFT_MODEL, "the sides differ: %s has %s, %s has %s", paths[0], sets[one_set[0]],
                    paths[1], sets[one_set[1]]);
    return WEFT_OK;
}

weft_status check_compatible(const char *const paths[2], const weft_model models[2], weft_error *error)
{
    bool committee = weft_player_kind(models[0].player) == WEFT_COMMITTEE;
    weft_settings settings[2] = {{0}, {0}};
    const weft_roster *const rows[2] = {models[0].rows, models[1].rows};
    const weft_roster *const columns[2] = {models[0].columns, models[1].columns};
    weft_status status = WEFT_OK;
    TRY(check_kind(paths, models, error));
    for (int k = 0; k < 2 && !committee; k++)
        settings[k] = weft_learner_settings(models[k].player);
    TRY(check_form(paths, settings, error));
    TRY(check_engine(paths, settings, error));
    TRY(check_side(columns[0] == NULL ? "ids" : "rows", paths, rows, error));
    if (columns[0] != NULL)
        TRY(check_side("columns", paths, columns, error));
    TRY(check_numbers(paths, settings, error));
    if (models[0].negatives.count != models[1].negatives.count)
        return fail(error, WEFT_MODEL,
                    "the negatives that are drawn beside an event differ: %s has %lld, %s has %lld", paths[0],
                    (long long)models[0].negatives.count, paths[1], (long long)models[1].negatives.count);
    context_text contexts[2] = {context_show(&models[0].context), context_show(&models[1].context)};
    if (strcmp(contexts[0].text, contexts[1].text) != 0)
        return fail(error, WEFT_MODEL,
                    "the contexts of events differ: %.100s has '%.80s', %.100s has '%.80s'", paths[0],
                    contexts[0].text, paths[1], contexts[1].text);
    weft_language both;
    if (weft_language_unite(&models[0].language, &models[1].language, &both, NULL) != WEFT_OK)
        return fail(error, WEFT_MODEL, "the labels differ: those of %.100s are %s, of %.100s %s", paths[0],
                    weft_language_show(&models[0].language).text, paths[1],
                    weft_language_show(&models[1].language).text);
done:
    return status;
}
