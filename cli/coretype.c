/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "coretype.h"

#include "weft.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char variable[] = "OPENBLAS_CORETYPE";

/* What OpenBLAS calls this processor, or NULL where its own choice is good. */
static const char *find_core_type(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2"))
        return "Haswell";
#endif
    return NULL;
}

/* What OpenBLAS takes for a processor that it does not know. */
static bool is_unknown_to_blas(void)
{
    return strcmp(weft_blas_core(), "Prescott") == 0;
}

void coretype_choose(char **arguments)
{
    const char *core_type = find_core_type();
    if (core_type == NULL || getenv(variable) != NULL || !is_unknown_to_blas())
        return;
    if (setenv(variable, core_type, 1) == 0)
        execv("/proc/self/exe", arguments); /* where that is not possible: slower, but right */
}
