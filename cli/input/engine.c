/* SPDX-License-Identifier: MIT */
#include "cli/input/engine.h"

#include "cli/command/words.h"
#include "cli/input/spec.h"
#include "program/fail.h"
#include "program/new.h"
#include "weft_files.h"

#include <stdlib.h>
#include <string.h>

const char *engine_name(weft_engine engine)
{
    return engine_words[engine];
}

static bool is_mapped(const weft_roster *roster)
{
    return roster != NULL && weft_roster_report(roster).mapped;
}

static bool is_hashed(const weft_roster *roster)
{
    return roster != NULL && weft_roster_report(roster).hashed;
}

weft_status engine_choose(engine_choice *choice, const weft_roster *rows, const weft_roster *columns,
                          weft_error *error)
{
    bool mapped = is_mapped(rows) || is_mapped(columns);
    if (!choice->given)
        choice->engine = mapped ? WEFT_COMPACT : WEFT_KRYLOV;
    choice->reason = !choice->given                             ? mapped ? "a SPEC has map=" : "default"
                     : mapped && choice->engine != WEFT_COMPACT ? "given: the kernel itself, map= is not used"
                                                                : "given";
    if ((is_hashed(rows) || is_hashed(columns)) && choice->engine != WEFT_COMPACT)
        return fail(error, WEFT_ARGUMENT,
                    "names=hashed keeps no list of ids, which --engine %s needs: expected --engine compact",
                    engine_name(choice->engine));
    return WEFT_OK;
}

/* What to add to a SPEC for it to have finite features. */
static const char *advice(const weft_roster *roster)
{
    const char *kind = weft_side_kind(weft_roster_side(roster)), *spec = weft_roster_spec(roster);
    bool features = strcmp(kind, "features") == 0;
    if (weft_side_graph(weft_roster_side(roster)).no_kernel)
        return "take none,map=hash:64 in its place";
    if (weft_roster_part_count(roster) > 1)
        return "give one kind of side information alone";
    if (strcmp(kind, "none") == 0)
        return "add ,map=hash:64";
    if (strcmp(kind, "classes") == 0 || (features && spec_has(spec, "kernel=linear")))
        return "add ,map=hash:64, or take epsilon=0";
    if (features && spec_has(spec, "kernel=gaussian"))
        return "add ,map=fourier:128";
    return "add ,map=eigen:32";
}

/* The first id that its file does not list stands for all of them: the features have room for it, or for
 * none of them. */
static weft_status check_room(const char *option, const weft_roster *roster, weft_error *error)
{
    weft_roster_facts facts = weft_roster_report(roster);
    const weft_side *side = weft_roster_side(roster);
    if (facts.let_in == 0 || !facts.alone)
        return WEFT_OK;
    double *features = new_array(weft_side_dimension(side), sizeof *features);
    weft_status status = weft_side_features(side, facts.listed, features, NULL);
    free(features);
    if (status != WEFT_UNSUPPORTED)
        return WEFT_OK;
    return fail(error, WEFT_INPUT,
                "%s %.200s: '%s' is not in the file, and an id that is alone has no features there: add "
                "%shash:64",
                option, weft_roster_spec(roster), weft_ids_name(weft_roster_ids(roster), facts.listed),
                facts.mapped ? "+" : ",map=");
}

static weft_status check_side(const char *option, const weft_roster *roster, weft_error *error)
{
    if (weft_side_dimension(weft_roster_side(roster)) > 0)
        return check_room(option, roster, error);
    return fail(error, WEFT_ARGUMENT, "%s %.200s: the compact engine needs finite features, found none (%s)",
                option, weft_roster_spec(roster), advice(roster));
}

weft_status engine_check(const engine_choice *choice, const weft_roster *rows, const weft_roster *columns,
                         weft_error *error)
{
    weft_status status = WEFT_OK;
    if (choice->engine != WEFT_COMPACT)
        return WEFT_OK;
    TRY(check_side(columns == NULL ? "--both" : "--rows", rows, error));
    if (columns != NULL)
        TRY(check_side("--columns", columns, error));
done:
    return status;
}

/* Classes and linear features without epsilon have features without being asked, and those are exact. */
bool engine_approximates(weft_engine engine, const weft_roster *rows, const weft_roster *columns)
{
    return engine == WEFT_COMPACT && (is_mapped(rows) || is_mapped(columns));
}
