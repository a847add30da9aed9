/* SPDX-License-Identifier: MIT */
#ifndef WEFT_SPECTRAL_BLAS_H
#define WEFT_SPECTRAL_BLAS_H

#include "base/status.h"

/* To be called before the first call of LAPACK: OpenBLAS maps a buffer of 128 MB then and keeps it, and where
 * the address space has no room tries again for ever.  WEFT_MEMORY where it has none. */
weft_status weft__blas_prepare(weft_error *error);

#endif
