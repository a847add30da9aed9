/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "cli/command/blas.h"

#include "program/start.h"
#include "weft_advanced.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Weak, so that a BLAS without this function links too. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

static const char core_variable[] = "OPENBLAS_CORETYPE", thread_variable[] = "OPENBLAS_NUM_THREADS";

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

static bool is_limited(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* The address space is limited, and OpenBLAS began with more than one thread. */
static bool has_short_threads(void)
{
    const char *threads = getenv(thread_variable);
    return openblas_set_num_threads != NULL && (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA)) &&
           (threads == NULL || strcmp(threads, "1") != 0);
}

/* Sets what is not as it should be; false where all is well, or cannot be set. */
static bool set_environment(bool one_thread)
{
    const char *core_type = find_core_type();
    bool changed = false;
    if (core_type != NULL && getenv(core_variable) == NULL && is_unknown_to_blas())
        changed = setenv(core_variable, core_type, 1) == 0;
    if (one_thread)
        changed = setenv(thread_variable, "1", 1) == 0 || changed;
    return changed;
}

bool blas_choose(char **arguments)
{
    bool one_thread = has_short_threads();
    if (set_environment(one_thread))
        restart(arguments); /* where that is not possible: slower, but right */
    if (one_thread) {
        fprintf(stderr,
                "weft: memory is limited (ulimit -v, ulimit -d) and the program cannot start again with "
                "%s=1, expected that in the environment\n",
                thread_variable);
        return false;
    }
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    return true;
}
