/* SPDX-License-Identifier: MIT */
#include "cli/input/memory.h"

#include "cli/command/long_call.h"
#include "cli/input/spec.h"
#include "weft_files.h"

#include <stdio.h>

/* Less than this is told only where --memory is given: 128 MB. */
static const int64_t WORTH_TELLING = INT64_C(1) << 27;

/* A size in the units of --memory, such as "1.2 GB". */
typedef struct shown_size {
    char text[24];
} shown_size;

static shown_size show(int64_t bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
    enum { LAST = 5 };
    double value = (double)bytes;
    shown_size shown = {{0}};
    int unit = 0;
    while (value >= 1000 && unit < LAST) {
        value /= 1024;
        unit++;
    }
    snprintf(shown.text, sizeof shown.text, "%.*f %s", unit > 0 && value < 100 ? 1 : 0, value, units[unit]);
    return shown;
}

/* "files 0.1 GB, rows 0.9 GB, columns 0.1 GB, committee 0.2 GB" */
typedef struct shown_parts {
    char text[160];
} shown_parts;

static shown_parts show_parts(const memory_plan *plan, const int64_t bytes[4])
{
    bool one_set = plan->columns == NULL;
    const char *const names[] = {"files", one_set ? "ids" : "rows", "columns",
                                 plan->player.committee != NULL ? "committee" : "learner"};
    shown_parts shown = {{0}};
    int at = 0;
    for (int k = 0; k < 4; k++)
        if (bytes[k] > 0)
            at += snprintf(shown.text + at, sizeof shown.text - (size_t)at, "%s%s %s", at > 0 ? ", " : "",
                           names[k], show(bytes[k]).text);
    return shown;
}

/* Graphs from this many vertices on may take minutes before the first trial. */
static const int64_t LONG_GRAPH = 20000;

static void tell_of_graph(const weft_roster *roster)
{
    for (int64_t k = 0; weft_roster_part_count(roster) > 1 && k < weft_roster_part_count(roster); k++)
        tell_of_graph(weft_roster_part(roster, k));
    const char *spec = weft_roster_spec(roster);
    long long vertices = (long long)weft_ids_count(weft_roster_ids(roster));
    bool unit = spec_has(spec, "scale=unit") && spec_has(spec, "kernel=");
    bool graph = weft_roster_part_count(roster) == 1 && spec_is(spec, "graph");
    if (graph && vertices >= LONG_GRAPH && !unit && weft_roster_graph_kernel(roster) != WEFT_NO_KERNEL)
        fprintf(stderr,
                "%-11s%lld vertices: where a factor does not fit (or for diffusion) the diagonal of the "
                "kernel is "
                "found\n%-11svertex by vertex, which takes minutes; kernel=regularised or diffusion with "
                "scale=unit finds what it needs\n",
                "graph", vertices, "");
}

static void tell(const memory_plan *plan, const weft_estimate *estimate, int64_t held)
{
    const int64_t parts[] = {held, estimate->rows.most, estimate->columns.most, estimate->player.most};
    int64_t most = held + estimate->all.most, limit = limits_most(plan->limits);
    fprintf(stderr, "%-11sat most %s (%s)\n", "memory", show(most).text, show_parts(plan, parts).text);
    if (most > limit)
        fprintf(stderr, "%-11smore than %s, %s: where that is used up the run ends\n", "", show(limit).text,
                limits_source(plan->limits));
}

weft_status memory_announce(const memory_plan *plan, weft_error *error)
{
    weft_estimate estimate = weft_estimate_run(plan->rows, plan->columns, &plan->player);
    int64_t held = limits_held();
    const int64_t parts[] = {held, estimate.rows.least, estimate.columns.least, estimate.player.least};
    bool tells = plan->limits->memory > 0 || held + estimate.all.most >= WORTH_TELLING;
    if (held + estimate.all.least > limits_most(plan->limits)) {
        char why[256];
        snprintf(why, sizeof why, "at least %s: %s", show(held + estimate.all.least).text,
                 show_parts(plan, parts).text);
        return limits_refuse(plan->limits, why, error);
    }
    long_call_clear();
    if (tells && !plan->quiet)
        tell(plan, &estimate, held);
    if (!plan->quiet)
        tell_of_graph(plan->rows);
    if (!plan->quiet && plan->columns != NULL)
        tell_of_graph(plan->columns);
    return WEFT_OK;
}
