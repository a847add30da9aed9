/* SPDX-License-Identifier: MIT
 * What the side information is worth, for people and as JSON. */
#include "cli/command/json_text.h"
#include "cli/report/committee.h"
#include "program/output.h"

#include <inttypes.h>
#include <math.h>

worth_list committee_worth(const weft_player *committee, bool sides)
{
    weft_worth rows = weft_committee_worth(committee, WEFT_ROWS);
    if (!sides)
        return (worth_list){.parts = {{"ids", rows}}, .count = 1};
    weft_worth columns = weft_committee_worth(committee, WEFT_COLUMNS);
    weft_worth both = weft_committee_worth(committee, WEFT_BOTH);
    return (worth_list){.parts = {{"rows", rows}, {"columns", columns}, {"both", both}}, .count = 3};
}

/* Rounded, and never -0. */
static double whole(double value)
{
    return round(value) + 0.0;
}

static void tell_part(const worth_part *part, FILE *out)
{
    const weft_worth *worth = &part->worth;
    double cost = whole(-worth->saved);
    if (worth->high < 0)
        fprintf(out, "%s: worth nothing, costs %.0f mistake%s (95 %%: %.0f to %.0f): leave it out\n",
                part->name, cost, output_plural((int64_t)cost), whole(-worth->high), whole(-worth->low));
    else
        fprintf(out, "%s: %ssaves %.0f of %" PRId64 " mistake%s (95 %%: %.0f to %.0f)\n", part->name,
                worth->low > 0 ? "" : "worth nothing beyond chance, ", whole(worth->saved), worth->mistakes,
                output_plural(worth->mistakes), whole(worth->low), whole(worth->high));
}

/* Both are one of them where of the other nothing is known. */
static bool is_told(const worth_list *list, int64_t part)
{
    enum { ROWS, COLUMNS, BOTH };
    bool known = list->parts[part].worth.members > 0;
    return part != BOTH
               ? known
               : known && list->parts[ROWS].worth.members > 0 && list->parts[COLUMNS].worth.members > 0;
}

void committee_tell_worth(const worth_list *list, int indent, FILE *out)
{
    const char *name = "side information";
    for (int64_t i = 0; i < list->count; i++) {
        if (!is_told(list, i))
            continue;
        fprintf(out, "%-*s", indent, name);
        tell_part(&list->parts[i], out);
        name = "";
    }
}

static json_t *describe(const weft_worth *worth)
{
    if (worth->members == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:I}", "saved", worth->saved, "low", worth->low, "high", worth->high,
                     "mistakes_without", (json_int_t)worth->mistakes);
}

json_t *committee_worth_json(const worth_list *list)
{
    json_t *object = json_object();
    int failed = object == NULL;
    for (int64_t i = 0; i < list->count; i++)
        failed |= json_object_set_new(object, list->parts[i].name, describe(&list->parts[i].worth));
    return json_whole(object, failed);
}
