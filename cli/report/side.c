/* SPDX-License-Identifier: MIT */
#include "cli/report/side.h"

#include "program/output.h"
#include "weft_files.h"

#include <inttypes.h>
#include <stdio.h>

/* Ids that the file lacks, the first of them by name, and why it may lack that. */
static void tell_others(const weft_roster *roster, const char *who)
{
    weft_roster_facts facts = weft_roster_report(roster);
    const weft_ids *ids = weft_roster_ids(roster);
    int64_t first = 0;
    while (weft_roster_lists(roster, first))
        first++;
    const char *name = weft_ids_name(ids, first);
    fprintf(stderr, "%-11s%" PRId64 " id%s%s %s %s: added, %s", "", facts.let_in, output_plural(facts.let_in),
            who, facts.let_in == 1 ? "is" : "are",
            weft_roster_part_count(roster) > 1 ? "in no file" : "not in the file",
            facts.alone ? "similar to nothing else" : "as vertices of the graph");
    if (name != NULL)
        fprintf(stderr, "; first '%s'%s", weft_show(name).text, weft_roster_hint(roster, name).text);
    putc('\n', stderr);
}

/* What files have that grew since the model was saved. */
static void tell_growth(const weft_roster *roster)
{
    weft_roster_facts facts = weft_roster_report(roster);
    if (facts.grown > 0 || facts.new_edges > 0)
        fprintf(stderr, "%-11sgrown: %" PRId64 " id%s more in the file", "", facts.grown,
                output_plural(facts.grown));
    if (facts.listed_later > 0)
        fprintf(stderr, ", %" PRId64 " of them let in before", facts.listed_later);
    if (facts.new_edges > 0)
        fprintf(stderr, ", %" PRId64 " edge%s more", facts.new_edges, output_plural(facts.new_edges));
    if (facts.grown > 0 || facts.new_edges > 0)
        putc('\n', stderr);
    if (facts.beyond > 0)
        fprintf(stderr, "%-11s%" PRId64 " number%s of new ids beyond the settled scales: cut off\n", "",
                facts.beyond, output_plural(facts.beyond));
    if (facts.shortened > 0)
        fprintf(stderr,
                "%-11s%" PRId64 " id%s with K(i,i) above the settled squared radius: brought down to it\n",
                "", facts.shortened, output_plural(facts.shortened));
}

static json_t *describe_growth(const weft_roster *roster)
{
    weft_roster_facts facts = weft_roster_report(roster);
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "ids", (json_int_t)facts.grown, "let_in_before",
                     (json_int_t)facts.listed_later, "edges", (json_int_t)facts.new_edges, "cut_off",
                     (json_int_t)facts.beyond, "shortened", (json_int_t)facts.shortened);
}

/* The first line of a roster, or of all parts of one. */
static void tell_count(const char *name, const char *what, const weft_roster *roster)
{
    const weft_side *side = weft_roster_side(roster);
    weft_roster_facts facts = weft_roster_report(roster);
    int64_t count = facts.listed + facts.let_in;
    fprintf(stderr, "%-11s%s: ", name, what);
    if (count == 0 && !facts.hashed)
        fprintf(stderr, "ids are counted as they come, squared radius %.6g\n", weft_side_radius(side));
    else if (facts.hashed)
        fprintf(stderr, "no ids are kept, squared radius %.6g\n", weft_side_radius(side));
    else
        fprintf(stderr, "%" PRId64 " id%s, squared radius %.6g\n", count, output_plural(count),
                weft_side_radius(side));
}

/* `who` are ids that it took in. */
static void tell_kind(const char *name, const weft_roster *roster, const char *who)
{
    const weft_side *side = weft_roster_side(roster);
    weft_roster_facts facts = weft_roster_report(roster);
    tell_count(name, weft_show(weft_roster_spec(roster)).text, roster);
    if (facts.header[0] != 0)
        fprintf(stderr, "%-11sthe first id is '%s': if that is a header, take it away\n", "",
                weft_show(facts.header).text);
    tell_growth(roster);
    if (facts.let_in > 0 && facts.listed > 0)
        tell_others(roster, who);
    if (weft_side_graph(side).joined > 0)
        fprintf(stderr, "%-11sthe graph was not connected: %" PRId64 " edge%s added, as a star\n", "",
                weft_side_graph(side).joined, weft_side_graph(side).joined == 1 ? " was" : "s were");
    if (weft_side_graph(side).loops > 0)
        fprintf(stderr, "%-11s%" PRId64 " self-loop%s ignored\n", "", weft_side_graph(side).loops,
                weft_side_graph(side).loops == 1 ? " was" : "s were");
    if (weft_side_graph(side).no_kernel)
        fprintf(stderr, "%-11sno kernel: ids are known by their edges\n", "");
    if (weft_side_graph(side).iterative)
        fprintf(stderr, "%-11sits factor would be above the memory budget: solved by iteration\n", "");
    if (facts.repaired)
        fprintf(stderr, "%-11sthe kernel was repaired: asymmetric by %.6g, least eigenvalue %.6g\n", "",
                facts.asymmetry, facts.least_eigenvalue);
    if (facts.repaired && facts.moved > 0)
        fprintf(stderr,
                facts.clipped ? "%-11snegative eigenvalues of %.6g in all were dropped\n"
                              : "%-11s%.6g was added to the diagonal\n",
                "", facts.moved);
    if (facts.zeros > 0)
        fprintf(stderr, "%-11s%" PRId64 " id%s K(i,i) = 0: nothing can be learnt of %s, first '%s'\n", "",
                facts.zeros, facts.zeros == 1 ? " has" : "s have", facts.zeros == 1 ? "it" : "them",
                weft_show(weft_ids_name(weft_roster_ids(roster), facts.first_zero)).text);
}

/* Every kind, and what they are together. */
static void tell_side(const char *name, const weft_roster *roster)
{
    int64_t parts = weft_roster_part_count(roster);
    for (int64_t k = 0; k < parts; k++)
        tell_kind(k == 0 ? name : "", weft_roster_part(roster, k),
                  parts == 1 ? " of the stream" : " of the stream or of another file");
    if (parts == 1)
        return;
    tell_count("", "together", roster);
    if (weft_roster_report(roster).let_in > 0)
        tell_others(roster, " of the stream");
}

void side_tell_both(const weft_roster *rows, const weft_roster *columns)
{
    tell_side(columns == NULL ? "both" : "rows", rows);
    if (columns != NULL)
        tell_side("columns", columns);
}

static json_t *describe_side(const weft_roster *roster, bool features)
{
    const weft_side *side = weft_roster_side(roster);
    weft_roster_facts facts = weft_roster_report(roster);
    json_t *count = facts.hashed ? json_null() : json_integer(facts.listed + facts.let_in);
    json_t *object = json_pack("{s:s, s:o, s:f}", "kind", weft_side_kind(side), "count", count, "radius",
                               weft_side_radius(side));
    if (facts.grown > 0 || facts.new_edges > 0)
        json_object_set_new(object, "grown", describe_growth(roster));
    if (features)
        json_object_set_new(object, "features", json_integer(weft_side_dimension(side)));
    json_t *parts = weft_roster_part_count(roster) > 1 ? json_array() : NULL;
    for (int64_t k = 0; parts != NULL && k < weft_roster_part_count(roster); k++)
        json_array_append_new(parts, describe_side(weft_roster_part(roster, k), false));
    if (parts != NULL)
        json_object_set_new(object, "parts", parts);
    return object;
}

int side_add_both(json_t *object, const weft_roster *rows, const weft_roster *columns, bool features)
{
    int failed =
        json_object_set_new(object, columns == NULL ? "both" : "rows", describe_side(rows, features));
    if (columns != NULL)
        failed |= json_object_set_new(object, "columns", describe_side(columns, features));
    return failed;
}
