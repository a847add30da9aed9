/* SPDX-License-Identifier: MIT
 * Which relation a stream has: between things of two kinds, or of one. */
#include "cli/run/committee.h"
#include "cli/run/state.h"
#include "program/output.h"

#include <inttypes.h>

int64_t committee_common(const run_state *run)
{
    const weft_ids *rows = weft_roster_ids(run->rows);
    int64_t common = 0;
    if (run->columns == NULL)
        return 0;
    for (int64_t k = 0; k < weft_ids_count(rows); k++)
        common += weft_ids_find(weft_roster_ids(run->columns), weft_ids_name(rows, k)) >= 0;
    return common;
}

void committee_tell_relation(const run_state *run, int indent, FILE *out)
{
    if (run->columns == NULL) {
        fprintf(out, "%-*sone set of ids: rows and columns are the same things\n", indent, "relation");
        return;
    }
    int64_t rows = weft_ids_count(weft_roster_ids(run->rows));
    int64_t columns = weft_ids_count(weft_roster_ids(run->columns)), common = run->facts.common_ids;
    /* A few may have the same name by chance. */
    if (common == 0 || 2 * common < (rows < columns ? rows : columns))
        return;
    fprintf(out,
            "%-*stwo sides with %" PRId64 " id%s in common: if these are the same things, play them as\n",
            indent, "relation", common, output_plural(common));
    fprintf(out, "%-*sone set of ids, --both SPEC, which knows this form of the learner too\n", indent, "");
}
