/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_CORETYPE_H
#define WEFT_CLI_CORETYPE_H

/* OpenBLAS takes slow kernels on some new processors unless the environment
 * names their kind, and it looks there before main() begins.  Where the
 * reference engine is asked for, which lives on LAPACK, and nothing is named,
 * this starts the program again with the kind of this processor. */
void coretype_choose(char **arguments);

#endif
