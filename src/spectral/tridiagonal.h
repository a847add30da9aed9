/* SPDX-License-Identifier: MIT */
#ifndef WEFT_SPECTRAL_TRIDIAGONAL_H
#define WEFT_SPECTRAL_TRIDIAGONAL_H

#include <stdbool.h>

/* Eigenvalues of the symmetric tridiagonal matrix with diagonal d[0..k) and
 * off-diagonal e[0..k-1), and the first components of its unit eigenvectors.
 * On return d holds the eigenvalues, in no order, and first[i] the component
 * that belongs to d[i]; e (k elements) is destroyed.  False when an eigenvalue
 * does not converge, which no finite input was seen to do. */
bool weft__tridiagonal_solve(int k, double *d, double *e, double *first);

/* The same with whole eigenvectors: vectors[i * k + j] is component j of the one
 * that belongs to d[i]. */
bool weft__tridiagonal_decompose(int k, double *d, double *e, double *vectors);

#endif
