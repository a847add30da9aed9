/* SPDX-License-Identifier: MIT
 * What the side information is worth, for people and as JSON. */
#include "cli/run/committee.h"

#include <inttypes.h>
#include <math.h>

/* What is told of: of one set of ids WEFT_ROWS is all there is. */
typedef struct part {
    int which;
    const char *name;
} part;

static const part two_sides[] = {{WEFT_ROWS, "rows"}, {WEFT_COLUMNS, "columns"}, {WEFT_BOTH, "both"}};
static const part one_set[] = {{WEFT_ROWS, "ids"}};

static int64_t parts_of(bool sides, const part **parts)
{
    *parts = sides ? two_sides : one_set;
    return sides ? (int64_t)(sizeof two_sides / sizeof *two_sides) : 1;
}

/* Rounded, and never -0. */
static double whole(double value)
{
    return round(value) + 0.0;
}

static void tell_part(const weft_worth *worth, const char *name, FILE *out)
{
    if (worth->low > 0)
        fprintf(out, "%s: saves %.0f of %" PRId64 " mistakes (95 %%: %.0f to %.0f)\n", name,
                whole(worth->saved), worth->mistakes, whole(worth->low), whole(worth->high));
    else if (worth->high < 0)
        fprintf(out, "%s: worth nothing, costs the stack %.0f mistakes (95 %%: %.0f to %.0f): leave it out\n",
                name, whole(-worth->saved), whole(-worth->high), whole(-worth->low));
    else
        fprintf(out,
                "%s: worth nothing beyond chance, saves %.0f of %" PRId64 " mistakes (95 %%: %.0f to %.0f)\n",
                name, whole(worth->saved), worth->mistakes, whole(worth->low), whole(worth->high));
}

void committee_tell_worth(const weft_player *committee, bool sides, int indent, FILE *out)
{
    const part *parts = NULL;
    int64_t count = parts_of(sides, &parts);
    bool told = false;
    for (int64_t i = 0; i < count; i++) {
        weft_worth worth = weft_committee_worth(committee, parts[i].which);
        /* Both are one of them where of the other nothing is known. */
        bool all = parts[i].which != WEFT_BOTH || (weft_committee_worth(committee, WEFT_ROWS).members > 0 &&
                                                   weft_committee_worth(committee, WEFT_COLUMNS).members > 0);
        if (worth.members == 0 || !all)
            continue;
        fprintf(out, "%-*s", indent, told ? "" : "side information");
        tell_part(&worth, parts[i].name, out);
        told = true;
    }
}

static json_t *describe(const weft_worth *worth)
{
    if (worth->members == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:I}", "saved", worth->saved, "low", worth->low, "high", worth->high,
                     "mistakes_without", (json_int_t)worth->mistakes);
}

json_t *committee_worth_json(const weft_player *committee, bool sides)
{
    const part *parts = NULL;
    int64_t count = parts_of(sides, &parts);
    json_t *object = json_object();
    int failed = object == NULL;
    for (int64_t i = 0; i < count; i++) {
        weft_worth worth = weft_committee_worth(committee, parts[i].which);
        failed |= json_object_set_new(object, parts[i].name, describe(&worth));
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}
