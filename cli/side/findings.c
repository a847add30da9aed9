/* SPDX-License-Identifier: MIT */
#include "cli/side/findings.h"

#include "cli/command/json_text.h"
#include "cli/input/fields.h"
#include "cli/side/columns.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/output.h"
#include "weft_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Counting ---- */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_pairs(const void *a, const void *b)
{
    const told_pair *x = a, *y = b;
    int order = compare_numbers(x->row, y->row);
    return order != 0 ? order : compare_numbers(x->column, y->column);
}

/* Equal pairs stand together once they are sorted. */
static void count_pairs(findings *found)
{
    int64_t next = 0;
    if (found->lines > 0)
        qsort(found->pairs, (size_t)found->lines, sizeof *found->pairs, compare_pairs);
    for (int64_t k = 0; k < found->lines; k = next) {
        bool minus = false, plus = false;
        for (next = k; next < found->lines && compare_pairs(&found->pairs[k], &found->pairs[next]) == 0;
             next++) {
            minus = minus || found->pairs[next].label < 0;
            plus = plus || found->pairs[next].label > 0;
        }
        found->distinct++;
        found->repeated += next - k - 1;
        found->disputed += minus && plus;
    }
}

int64_t findings_ids(const weft_roster *roster)
{
    weft_roster_facts facts = weft_roster_report(roster);
    return facts.listed + facts.let_in;
}

/* The ids of a roster that no line names as a row (as a column); one that keeps no ids has only those that
 * were named. */
static bool *find_used(const findings *found, const weft_roster *roster, bool rows, bool columns)
{
    bool *used = new_array(weft_ids_count(weft_roster_ids(roster)), sizeof *used);
    for (int64_t k = 0; k < found->lines && !weft_roster_report(roster).hashed; k++) {
        if (rows)
            used[found->pairs[k].row] = true;
        if (columns)
            used[found->pairs[k].column] = true;
    }
    return used;
}

/* `used` are ids of `whole`, of which `roster` is all or a part. */
static void count_unused(const weft_roster *whole, const weft_roster *roster, const bool *used,
                         side_finding *side)
{
    const weft_ids *ids = weft_roster_ids(whole), *own = weft_roster_ids(roster);
    int64_t listed = weft_roster_report(roster).listed;
    if (weft_roster_report(whole).hashed) {
        side->others = weft_roster_report(whole).let_in;
        return;
    }
    /* Down, so that the last that others is set to is the first; a part has numbers of its own. */
    for (int64_t i = weft_ids_count(ids) - 1; i >= 0; i--) {
        int64_t number = whole == roster ? i : weft_ids_find(own, weft_ids_name(ids, i));
        bool lists = number >= 0 && number < listed;
        if (lists && !used[i]) {
            side->first = side->unused == 0 || number < side->first ? number : side->first;
            side->unused++;
        } else if (!lists && (used[i] || whole == roster)) {
            side->others++;
            side->other = weft_ids_name(ids, i);
        }
    }
}

static void count_side(const findings *found, const weft_roster *roster, bool rows, bool columns,
                       side_findings *side)
{
    bool *used = find_used(found, roster, rows, columns);
    count_unused(roster, roster, used, &side->all);
    for (int64_t k = 0; k < weft_roster_part_count(roster) && weft_roster_part_count(roster) > 1; k++)
        count_unused(roster, weft_roster_part(roster, k), used, &side->part[k]);
    free(used);
}

/* The spectrum is worth its price where the matrix was typed in by someone. */
static weft_status look_at_spectrum(const weft_roster *roster, side_finding *side, weft_error *error)
{
    const char *kind = weft_side_kind(weft_roster_side(roster));
    side->spectrum = strcmp(kind, "kernel") == 0 || strcmp(kind, "matrix") == 0;
    return side->spectrum ? weft_roster_least_eigenvalue(roster, &side->least, error) : WEFT_OK;
}

static weft_status look_at_spectra(const weft_roster *roster, side_findings *side, weft_error *error)
{
    int64_t parts = weft_roster_part_count(roster);
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < parts && status == WEFT_OK; k++)
        status =
            look_at_spectrum(weft_roster_part(roster, k), parts > 1 ? &side->part[k] : &side->all, error);
    return status;
}

weft_status findings_count(findings *found, weft_error *error)
{
    weft_status status = WEFT_OK;
    count_pairs(found);
    count_side(found, found->rows, true, found->columns == NULL, &found->row);
    if (found->columns != NULL)
        count_side(found, found->columns, false, true, &found->column);
    TRY(look_at_spectra(found->rows, &found->row, error));
    if (found->columns != NULL)
        TRY(look_at_spectra(found->columns, &found->column, error));
done:
    return status;
}

void findings_free(findings *found)
{
    free(found->pairs);
    weft_roster_free(found->columns);
    weft_roster_free(found->rows);
    weft_stream_free(found->stream);
}

/* ---- For people ---- */

static void tell_kind(const weft_roster *roster, weft_roster_facts facts)
{
    const weft_side *side = weft_roster_side(roster);
    if (facts.classes > 0)
        printf(", %" PRId64 " classes", facts.classes);
    if (facts.dimension > 0)
        printf(", dimension %" PRId64, facts.dimension);
    if (weft_side_dimension(side) > 0)
        printf(", %" PRId64 " finite feature%s", weft_side_dimension(side),
               output_plural(weft_side_dimension(side)));
    if (strcmp(weft_side_kind(side), "graph") == 0)
        printf(", %" PRId64 " edge%s, %" PRId64 " component%s%s", facts.edges - weft_side_graph(side).loops,
               output_plural(facts.edges - weft_side_graph(side).loops), weft_side_graph(side).components,
               output_plural(weft_side_graph(side).components),
               weft_side_graph(side).joined > 0 ? ", which are joined" : "");
    putchar('\n');
}

static void tell_repair(weft_roster_facts facts)
{
    if (!facts.repaired)
        return;
    printf("%-11srepaired: it was asymmetric by %.6g, its least eigenvalue was %.6g", "", facts.asymmetry,
           facts.least_eigenvalue);
    if (facts.moved > 0)
        printf(facts.clipped ? "; negative eigenvalues of %.6g in all were dropped"
                             : "; %.6g was added to the diagonal",
               facts.moved);
    putchar('\n');
}

/* Where a header would be taken for an id. */
static bool may_have_header(const weft_side *side)
{
    return strcmp(weft_side_kind(side), "classes") == 0 || strcmp(weft_side_kind(side), "graph") == 0;
}

/* Ids of the file and of the stream. */
static void tell_ids(const weft_roster *roster, side_finding own)
{
    weft_roster_facts facts = weft_roster_report(roster);
    if (facts.listed == 0)
        return;
    printf("%-11s%" PRId64 " of the file%s are in the stream, %" PRId64 " are not; %" PRId64
           " of the stream are not in %s%s",
           "", facts.listed - own.unused, weft_roster_part_count(roster) > 1 ? "s" : "", own.unused,
           own.others, weft_roster_part_count(roster) > 1 ? "any" : "the file",
           own.others == 0 ? ""
           : facts.alone   ? " (alone)"
                           : " (joined)");
    if (own.other != NULL)
        printf(", first '%s'%s", weft_show(own.other).text, weft_roster_hint(roster, own.other).text);
    putchar('\n');
}

static void tell_kind_of(const char *name, const weft_roster *roster, side_finding own)
{
    const weft_side *side = weft_roster_side(roster);
    weft_roster_facts facts = weft_roster_report(roster);
    int64_t count = findings_ids(roster);
    printf("%-11s%s: %" PRId64 " id%s%s, squared radius %.6g", name, weft_show(weft_roster_spec(roster)).text,
           count, output_plural(count), facts.hashed ? ", which are not kept" : "", weft_side_radius(side));
    tell_kind(roster, facts);
    columns_tell(roster);
    tell_ids(roster, own);
    if (facts.listed > 0 && own.unused == facts.listed)
        printf(
            "%-11sno id of the file is in the stream: is it the file of the other side, or are ids written "
            "otherwise%s?\n",
            "", strcmp(weft_side_kind(side), "table") == 0 ? ", or in another column (id=)" : "");
    else if (facts.listed > 0 && own.unused > 0)
        printf("%-11sthe first that is not is '%s'%s\n", "",
               weft_show(weft_ids_name(weft_roster_ids(roster), own.first)).text,
               own.first == 0 && may_have_header(side) ? ": if that is a header, take it away" : "");
    if (own.spectrum)
        printf("%-11sleast eigenvalue of the kernel %.6g\n", "", own.least);
    tell_repair(facts);
    if (weft_side_graph(side).loops > 0)
        printf("%-11s%" PRId64 " self-loop%s ignored\n", "", weft_side_graph(side).loops,
               weft_side_graph(side).loops == 1 ? " is" : "s are");
    if (weft_side_graph(side).no_kernel)
        printf("%-11sno kernel: ids are known by their edges\n", "");
    if (weft_side_graph(side).iterative)
        printf("%-11sits factor would be above the memory budget: solved by iteration\n", "");
    if (facts.zeros > 0)
        printf("%-11s%" PRId64 " id%s K(i,i) = 0, so that nothing can be learnt of %s, first '%s' "
               "(features: epsilon above 0 helps)\n",
               "", facts.zeros, facts.zeros == 1 ? " has" : "s have", facts.zeros == 1 ? "it" : "them",
               weft_show(weft_ids_name(weft_roster_ids(roster), facts.first_zero)).text);
}

/* A block a kind, and what they are together. */
static void tell_side(const char *name, const weft_roster *roster, const side_findings *own)
{
    int64_t parts = weft_roster_part_count(roster), count = findings_ids(roster);
    if (parts == 1) {
        tell_kind_of(name, roster, own->all);
        return;
    }
    for (int64_t k = 0; k < parts; k++)
        tell_kind_of(k == 0 ? name : "", weft_roster_part(roster, k), own->part[k]);
    printf("%-11stogether: %" PRId64 " id%s, squared radius %.6g\n", "", count, output_plural(count),
           weft_side_radius(weft_roster_side(roster)));
    tell_ids(roster, own->all);
}

weft_status findings_tell(const check_options *options, const findings *found, weft_error *error)
{
    printf("%-11s%" PRId64 " line%s in %" PRId64 " file%s: %" PRId64 " labelled +1, %" PRId64
           " labelled -1, %" PRId64 " without a label\n",
           "stream", found->lines, found->lines == 1 ? "" : "s", options->from.stream_count,
           options->from.stream_count == 1 ? "" : "s", found->labels[2], found->labels[0], found->labels[1]);
    stream_tell(found->stream, &options->from.how, stdout);
    stream_tell_label((const int64_t[]){found->labels[0], found->labels[2]}, stdout);
    printf("%-11s%" PRId64 " distinct, %" PRId64 " lines repeat one, %" PRId64 " have both labels\n", "pairs",
           found->distinct, found->repeated, found->disputed);
    tell_side(found->columns == NULL ? "both" : "rows", found->rows, &found->row);
    if (found->columns != NULL)
        tell_side("columns", found->columns, &found->column);
    return output_finish(error);
}

/* ---- For programs ---- */

static json_t *describe_repair(weft_roster_facts facts)
{
    if (!facts.repaired)
        return json_null();
    return json_pack("{s:f, s:f, s:f}", "asymmetry", facts.asymmetry, "least_eigenvalue",
                     facts.least_eigenvalue, "moved", facts.moved);
}

static json_t *describe_kind(const weft_roster *roster, side_finding own)
{
    const weft_side *side = weft_roster_side(roster);
    weft_roster_facts facts = weft_roster_report(roster);
    bool graph = strcmp(weft_side_kind(side), "graph") == 0;
    int64_t features = weft_side_dimension(side);
    return json_pack("{s:s, s:I, s:f, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}",
                     "kind", weft_side_kind(side), "count", (json_int_t)findings_ids(roster), "radius",
                     weft_side_radius(side), "listed", (json_int_t)facts.listed, "not_listed",
                     (json_int_t)own.others, "not_in_stream", (json_int_t)own.unused, "zeros",
                     (json_int_t)facts.zeros, "classes", json_integer_if(facts.classes > 0, facts.classes),
                     "dimension", json_integer_if(facts.dimension > 0, facts.dimension), "edges",
                     json_integer_if(graph, facts.edges - weft_side_graph(side).loops), "components",
                     json_integer_if(graph, weft_side_graph(side).components), "loops",
                     (json_int_t)weft_side_graph(side).loops, "least_eigenvalue",
                     json_real_if(own.spectrum, own.least), "repaired", describe_repair(facts), "features",
                     json_integer_if(features > 0, features), "table", columns_describe(roster));
}

static json_t *describe_side(const weft_roster *roster, const side_findings *own)
{
    json_t *object = describe_kind(roster, own->all);
    int64_t count = weft_roster_part_count(roster);
    json_t *parts = count > 1 ? json_array() : NULL;
    for (int64_t k = 0; parts != NULL && k < count; k++)
        json_array_append_new(parts, describe_kind(weft_roster_part(roster, k), own->part[k]));
    if (parts != NULL)
        json_object_set_new(object, "parts", parts);
    return object;
}

static json_t *describe(const check_options *options, const findings *found)
{
    json_t *object = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "files", (json_int_t)options->from.stream_count,
        "lines", (json_int_t)found->lines, "positive", (json_int_t)found->labels[2], "negative",
        (json_int_t)found->labels[0], "unlabelled", (json_int_t)found->labels[1], "pairs",
        (json_int_t)found->distinct, "repeated", (json_int_t)found->repeated, "disputed",
        (json_int_t)found->disputed, "fields", stream_describe(found->stream));
    int failed = object == NULL;
    const char *first = found->columns != NULL ? "rows" : "both";
    int label = stream_label((const int64_t[]){found->labels[0], found->labels[2]});
    if (failed == 0 && label != 0)
        failed |= json_object_set_new(object, "only_label", json_integer(label));
    if (failed == 0)
        failed |= json_object_set_new(object, first, describe_side(found->rows, &found->row));
    if (failed == 0 && found->columns != NULL)
        failed |= json_object_set_new(object, "columns", describe_side(found->columns, &found->column));
    return json_whole(object, failed);
}

weft_status findings_json(const check_options *options, const findings *found, weft_error *error)
{
    return json_print(describe(options, found), error);
}
