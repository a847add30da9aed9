/* SPDX-License-Identifier: MIT
 * All experiments, in the order of the paper. */
#ifndef WEFT_LAB_EXPERIMENTS_H
#define WEFT_LAB_EXPERIMENTS_H

#include "lab/lab.h"

extern const lab_experiment lab_table1, lab_variants, lab_bounds, lab_sidehelp, lab_tightness, lab_community,
    lab_equivalence, lab_boxes_experiment, lab_scaling;

#endif
