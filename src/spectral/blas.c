/* SPDX-License-Identifier: MIT */
#include "weft.h"

/* Weak, so that a BLAS without this function links too. */
extern char *openblas_get_corename(void) __attribute__((weak));

const char *weft_blas_core(void)
{
    return openblas_get_corename != NULL ? openblas_get_corename() : "unknown";
}
