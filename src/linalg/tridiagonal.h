/* SPDX-License-Identifier: MIT */
#ifndef WEFT_LINALG_TRIDIAGONAL_H
#define WEFT_LINALG_TRIDIAGONAL_H

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

/* The same one sweep at a time, for a caller that applies the rotations itself. */
typedef struct weft__ql {
    int k;
    double *d, *e;     /* as above; e[k-1] is 0 */
    double negligible; /* off-diagonals up to this are taken for 0 */
    int at, sweeps;    /* the eigenvalue that is sought, and the sweeps made for it */
} weft__ql;

/* Rotation i of a sweep, low <= i < high, turns the columns i and i + 1 of the eigenvector
 * matrix, i falling:
 *
 *     x_{i+1}, x_i = s x_i + c x_{i+1}, c x_i - s x_{i+1},  c = rotation[2 i], s = rotation[2 i + 1] */
typedef struct weft__ql_sweep {
    int low, high;
    double *rotation; /* NULL: not recorded */
} weft__ql_sweep;

typedef enum weft__ql_state { WEFT__QL_DONE, WEFT__QL_SWEPT, WEFT__QL_FAILED } weft__ql_state;

/* The next sweep.  What a sweep that ends early leaves out of `rotation` stays as it was. */
weft__ql_state weft__ql_step(weft__ql *ql, weft__ql_sweep *made);

#endif
