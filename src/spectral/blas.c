/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE

#include "spectral/blas.h"

#include "weft_advanced.h"

#include <lapacke.h>
#include <stddef.h>
#include <sys/mman.h>

/* Weak, so that a BLAS without this function links too. */
extern char *openblas_get_corename(void) __attribute__((weak));

const char *weft_blas_core(void)
{
    return openblas_get_corename != NULL ? openblas_get_corename() : "unknown";
}

/* The buffer, and what else a call may map. */
static const size_t wanted = ((size_t)128 + 16) << 20;

weft_status weft__blas_prepare(weft_error *error)
{
    double one = 1;
    void *room = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return weft__fail(
            error, WEFT_MEMORY,
            "the reference engine: LAPACK wants a buffer of %lld MB, for which the address space has no "
            "room (ulimit -v?)",
            (long long)(wanted >> 20));
    munmap(room, wanted);
    /* This one takes the buffer, whatever the size. */
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', 1, &one, 1);
    return WEFT_OK;
}
