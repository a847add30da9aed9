/* SPDX-License-Identifier: MIT */
#include "lab/experiments.h"

#include <string.h>

enum { EXPERIMENTS = 9 };

static const lab_experiment *const experiments[EXPERIMENTS] = {
    &lab_table1,    &lab_variants,    &lab_bounds,           &lab_sidehelp, &lab_tightness,
    &lab_community, &lab_equivalence, &lab_boxes_experiment, &lab_scaling,
};

const lab_experiment *lab_experiment_at(int number)
{
    return number >= 0 && number < EXPERIMENTS ? experiments[number] : NULL;
}

const lab_experiment *lab_experiment_find(const char *name)
{
    for (int k = 0; k < EXPERIMENTS; k++)
        if (strcmp(name, experiments[k]->name) == 0)
            return experiments[k];
    return NULL;
}
