/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_CORETYPE_H
#define WEFT_CLI_CORETYPE_H

/* OpenBLAS takes slow kernels on some new processors unless the environment
 * names their kind, and it looks there before main() begins.  Where
 * nothing is named and it took those of the first 64-bit processors for one with
 * vectors four times as long, this starts the program again with the kind of this
 * processor: whatever the command, for the sides of a model and its engine, which
 * live on LAPACK, are known only later. */
void coretype_choose(char **arguments);

#endif
