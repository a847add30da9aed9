/* SPDX-License-Identifier: MIT
 * How an inner loop is compiled once for every width of vectors.
 *
 * CLONED makes SSE2, AVX2 and AVX-512 code of one function, and the loader picks
 * one.  Clones are static, each behind a plain function: clang 14 gives the symbol
 * that picks a clone another name, which other files do not know, and gcc would
 * export it from the shared library. */
#ifndef WEFT_BASE_CLONES_H
#define WEFT_BASE_CLONES_H

#if WEFT_CLONES && defined(__x86_64__)
#define CLONED __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONED
#endif

#define INLINED static inline __attribute__((always_inline))

#endif
