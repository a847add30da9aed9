/* SPDX-License-Identifier: MIT
 *
 * Method     Thick-restart Lanczos.  The space is spanned by orthonormal rows v_0 .. v_(m-1) with
 *            A V' = V'T + beta r e_m', so that an eigenvector y of T gives the Ritz vector V'y, whose
 *            residual is |beta y_m|.  When the space is full and not all wanted pairs are found, it begins
 *            again with the best Ritz vectors and r.
 * Algorithm  Every new vector is made orthogonal to all that there are, known ones too, by modified
 *            Gram-Schmidt, again while that takes more than half of it away.  What is taken away is a column
 *            of T.  Where nothing remains the space is invariant: a drawn vector goes on, and beta is 0.
 * Cost       A product and about 8 n m operations a vector, 9 m^3 and 2 n m^2 a restart; n (m + 1) + 3 m^2
 *            numbers.
 * Reference  K. Wu, H. Simon, Thick-restart Lanczos method for large symmetric eigenvalue problems, SIAM J.
 *            Matrix Anal. Appl. 22(2), 2000.
 *
 * Not ARPACK, which is the usual choice: it adds in the order of the BLAS, so its last digits, and its basis
 * where eigenvalues repeat, depend on the processor and on the number of threads; it keeps its place in
 * variables of the process, so that threads have to wait for each other; and where a space is invariant it
 * goes on with random numbers of its own, which differ from call to call. */
#include "linalg/lanczos.h"

#include "base/random.h"
#include "base/vector.h"
#include "linalg/eigen.h"
#include "linalg/multiply.h"

#include <math.h>
#include <string.h>

/* Columns of V that are multiplied at once; how often a vector is made orthogonal. */
enum { CHUNK = 256, PASSES = 3 };

typedef struct space {
    const weft__lanczos *problem;
    int64_t length, side; /* of a row of V, of one of T */
    int64_t filled;       /* rows of V that T has a column for; row `filled` is r */
    uint64_t drawn;       /* vectors so far */
    double beta;
    double *v, *t, *values, *shares, *room, *chunk, *work;
} space;

static double *row_of(const space *s, int64_t k)
{
    return s->v + k * s->length;
}

/* ---- One more vector ---- */

static void draw(space *s, double *x)
{
    for (int64_t i = 0; i < s->problem->n; i++) {
        uint64_t at[3] = {(uint64_t)i, s->drawn, 0}, bits[4];
        weft__random_bits(s->problem->seed, at, bits);
        x[i] = weft__uniform_of(bits[0]) - 0.5;
    }
    s->drawn++;
}

/* x -= (q'x) q; answers q'x. */
static double remove_from(int64_t length, const double *q, double *x)
{
    double share = weft__dot(length, q, x);
    weft__add(length, -share, q, x);
    return share;
}

/* Takes the known vectors and rows 0 .. count - 1 out of x, and adds what there was of the rows to `shares`.
 * Answers the norm of x, or 0 where x is rounding alone. */
static double make_orthogonal(space *s, int64_t count, double *x)
{
    double before = sqrt(weft__dot(s->length, x, x));
    for (int pass = 0; pass < PASSES; pass++) {
        for (int64_t k = 0; k < s->problem->known_count; k++)
            remove_from(s->length, s->problem->known + k * s->length, x);
        for (int64_t k = 0; k < count; k++)
            s->shares[k] += remove_from(s->length, row_of(s, k), x);
        double after = sqrt(weft__dot(s->length, x, x));
        if (after > before / 2)
            return after;
        before = after;
    }
    return 0;
}

static void divide(const space *s, double norm, double *x)
{
    for (int64_t i = 0; i < s->problem->n; i++)
        x[i] /= norm;
}

/* A unit vector that is drawn, orthogonal to rows 0 .. count - 1, as row `count`. */
static void begin(space *s, int64_t count)
{
    double norm = 0, *x = row_of(s, count);
    while (!(norm > 0)) {
        draw(s, x);
        norm = make_orthogonal(s, count, x);
    }
    divide(s, norm, x);
}

/* The column of T for row j, and row j + 1. */
static void expand(space *s)
{
    int64_t j = s->filled, dimension = s->problem->n - s->problem->known_count;
    double *x = row_of(s, j + 1);
    s->problem->multiply(s->problem->context, row_of(s, j), x);
    memset(s->shares, 0, (size_t)(j + 1) * sizeof *s->shares);
    s->beta = make_orthogonal(s, j + 1, x);
    for (int64_t k = 0; k <= j; k++)
        s->t[k * s->side + j] = s->shares[k];
    s->filled++;
    if (s->filled == dimension)
        s->beta = 0;
    else if (s->beta > 0)
        divide(s, s->beta, x);
    else
        begin(s, s->filled);
}

/* Multiplications of the vector that was just made. */
static double work_of(const space *s)
{
    return s->problem->work + 2 * (double)s->length * (double)(s->filled + s->problem->known_count);
}

/* ---- Restarts ---- */

/* The rows of T become its eigenvectors, rising. */
static weft_status decompose(space *s, weft_error *error)
{
    bool solved = weft__eigen_solve(s->filled, s->t, s->values, true, s->room, s->problem->progress);
    if (solved)
        return weft__progress_check(s->problem->progress, error);
    return weft__fail(
        error, WEFT_INPUT,
        "a product of the kernel is not finite, or %lld eigenvalues of a projection were not found",
        (long long)s->filled);
}

/* How many of the wanted pairs are found, after `decompose`. */
static int64_t count_found(const space *s)
{
    int64_t found = 0, last = s->filled - 1;
    for (int64_t k = s->filled - s->problem->wanted; k <= last; k++)
        found += s->beta * fabs(s->t[k * s->side + last]) <= s->problem->tolerance * fabs(s->values[k]);
    return found;
}

/* The Ritz vectors of the `count` largest become rows 0 .. count - 1. */
static void combine(space *s, int64_t count)
{
    int64_t first = s->filled - count;
    for (int64_t left = 0; left < s->length; left += CHUNK) {
        int64_t columns = s->length - left < CHUNK ? s->length - left : CHUNK;
        size_t bytes = (size_t)columns * sizeof(double);
        weft__product product = {.rows = count,
                                 .columns = columns,
                                 .depth = s->filled,
                                 .a = {s->t + first * s->side, s->side, 1},
                                 .b = {s->chunk, CHUNK, 1},
                                 .scale = 1,
                                 .progress = s->problem->progress};
        for (int64_t k = 0; k < s->filled; k++)
            memcpy(s->chunk + k * CHUNK, row_of(s, k) + left, bytes);
        for (int64_t k = 0; k < count; k++)
            memset(row_of(s, k) + left, 0, bytes);
        weft__multiply(&product, s->v + left, s->length, s->work);
    }
}

/* Half of what the space has beyond the wanted ones is kept as well: they help the next round. */
static void restart(space *s)
{
    int64_t wanted = s->problem->wanted, keep = wanted + (s->filled - wanted) / 2;
    keep = keep < s->filled ? keep : s->filled - 1;
    combine(s, keep);
    memcpy(row_of(s, keep), row_of(s, s->filled), (size_t)s->length * sizeof *s->v);
    memset(s->t, 0, (size_t)(s->side * s->side) * sizeof *s->t);
    for (int64_t k = 0; k < keep; k++)
        s->t[k * s->side + k] = s->values[s->filled - keep + k];
    s->filled = keep;
}

/* ---- From the start to the end ---- */

static weft_status open_space(space *s, const weft_memory *memory, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t basis = s->problem->basis, size = 0;
    s->length = weft__padded(s->problem->n);
    s->side = weft__padded(basis);
    TRY(weft__checked_product(s->length, basis + 1, &size, error));
    TRY(weft__new(memory, size, sizeof(double), &s->v, error));
    TRY(weft__new(memory, s->side * s->side, sizeof(double), &s->t, error));
    TRY(weft__new(memory, s->side, sizeof(double), &s->values, error));
    TRY(weft__new(memory, s->side, sizeof(double), &s->shares, error));
    TRY(weft__new(memory, weft__eigen_room(basis, true), sizeof(double), &s->room, error));
    TRY(weft__new(memory, CHUNK * basis, sizeof(double), &s->chunk, error));
    TRY(weft__new(memory, weft__multiply_work(basis, CHUNK, basis), sizeof(double), &s->work, error));
done:
    return status;
}

static void close_space(space *s, const weft_memory *memory)
{
    weft__delete(memory, s->work);
    weft__delete(memory, s->chunk);
    weft__delete(memory, s->room);
    weft__delete(memory, s->shares);
    weft__delete(memory, s->values);
    weft__delete(memory, s->t);
    weft__delete(memory, s->v);
}

weft_status weft__lanczos_largest(const weft_memory *memory, const weft__lanczos *problem, double *values,
                                  double *vectors, weft__lanczos_end *end, weft_error *error)
{
    weft_status status = WEFT_OK;
    space s = {.problem = problem};
    int64_t wanted = problem->wanted;
    TRY(open_space(&s, memory, error));
    begin(&s, 0);
    for (end->restarts = 0;; end->restarts++) {
        while (s.filled < problem->basis) {
            expand(&s);
            TRY(weft__progress_step(problem->progress, work_of(&s), error));
        }
        TRY(decompose(&s, error));
        end->found = count_found(&s);
        if (end->found == wanted || end->restarts == problem->restarts)
            break;
        restart(&s);
        TRY(weft__progress_check(problem->progress, error));
    }
    if (end->found == wanted) {
        combine(&s, wanted);
        TRY(weft__progress_check(problem->progress, error));
        memcpy(values, s.values + s.filled - wanted, (size_t)wanted * sizeof *values);
        memcpy(vectors, s.v, (size_t)(wanted * s.length) * sizeof *vectors);
    }
done:
    close_space(&s, memory);
    return status;
}
