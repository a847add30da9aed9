/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_COMMAND_BLAS_H
#define WEFT_CLI_COMMAND_BLAS_H

#include <stdbool.h>

/* How OpenBLAS works for the reference engine, which is all that calls it.  OpenBLAS looks at the
 * environment before main() begins, so where that must say something else this starts the program again:
 *
 * - where it took the slow kernels of the first 64-bit processors for one with vectors four times as long,
 *   and nothing names the kind of processor: with that kind;
 * - where the address space is limited: with one thread.  Each thread maps 128 MB when it begins, and
 *   tries for ever where it cannot; the program would then never end, whatever it does.
 *
 * In any case one thread is used, so that no result depends on the number of cores.  False, after a message,
 * where the address space is limited and the program cannot be started again: it must end by _exit(), for
 * exit() waits for the threads of OpenBLAS. */
bool blas_choose(char **arguments);

#endif
