/* SPDX-License-Identifier: MIT */
#include "cli/input/truth.h"

#include "cli/input/source.h"
#include "program/fail.h"
#include "program/new.h"
#include "weft_files.h"

#include <stdlib.h>
#include <string.h>

weft_status truth_read(const char *path, int64_t given, const weft_roster *roster,
                       const limit_options *limits, truth_side *truth, weft_error *error)
{
    weft_file_options files = limits_files(limits, 0);
    const weft_ids *ids = weft_roster_ids(roster);
    truth->classes = given;
    if (path == NULL)
        return WEFT_OK;
    if (weft_roster_report(roster).hashed)
        return fail(error, WEFT_ARGUMENT, "%s: true classes belong to names, and names=hashed keeps none",
                    path);
    truth->class_of = new_array(weft_ids_count(ids), sizeof *truth->class_of);
    return weft_classes_read(path, ids, &files, truth->class_of, &truth->classes, error);
}

void truth_separate(const weft_roster *roster, truth_side *truth)
{
    const weft_side *side = weft_roster_side(roster);
    int64_t count = weft_side_count(side);
    if (truth->classes > 0 || weft_roster_report(roster).hashed || !source_is_blank(side))
        return;
    truth->class_of = new_array(count, sizeof *truth->class_of);
    for (int64_t i = 0; i < count; i++)
        truth->class_of[i] = i;
    truth->classes = count;
}

void truth_free(truth_side *truth)
{
    free(truth->class_of);
    *truth = (truth_side){0};
}
