/* SPDX-License-Identifier: MIT
 * What the choices of a protocol move. */
#ifndef WEFT_LAB_VARIANTS_VARIANTS_H
#define WEFT_LAB_VARIANTS_VARIANTS_H

#include "lab/runs/sweep.h"

/* CSV, figure, report and sentence; the first variant is what the others differ from. */
weft_status lab_variants_report(const lab_sweep *grid, const lab_cell *cells, const lab_request *request,
                                weft_error *error);

#endif
