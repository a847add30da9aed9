/* SPDX-License-Identifier: MIT
 *
 * The largest eigenvectors of a kernel that is multiplied and not stored.
 *
 * Method.  Implicitly restarted Lanczos, by ARPACK, on B = A + I, A = (K - constant 11') / R.  A Ritz pair
 * is taken when |Bq - mu q| <= 1e-10 mu: absolutely, so that eigenvalues that are rounding alone, which
 * no iteration ever resolves, count as found.
 *
 * A Krylov space has one vector of every eigenspace, and multiple eigenvalues are common: the kernels
 * (I + sigma L)^-1 and exp(-tL) have the eigenvalue 1 once for each component of the graph.  So what was
 * found is taken out of A and the largest of A - Q Lambda Q' are looked for, from another start
 * vector, until none exceeds the least that is kept.
 *
 * Start vectors are drawn by counter.  (Where a Krylov space ends with a residual of exactly zero, as for
 * the identity, ARPACK goes on with random numbers of its own, which differ from call to call.)
 *
 * Cost.  Some times `basis` products, and again some tens for every FEW copies of an eigenvalue; n x basis
 * numbers.
 *
 * Reference.  R. B. Lehoucq, D. C. Sorensen, C. Yang, ARPACK Users' Guide, SIAM, 1998. */
#include "base/random.h"
#include "side/map_parts.h"

#include <arpack/arpack.h>
#include <cblas.h>
#include <pthread.h>

/* Restarts before it is given up; eigenvectors of what is left that are looked for at once. */
enum { RESTARTS = 300, FEW = 8 };

static const double tolerance = 1e-10;

/* ARPACK keeps where it is in SAVEd variables of its own from one product to the next: one problem at
 * a time, whatever the number of threads. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* What dsaupd and dseupd want.  basis > wanted vectors are kept; v is n x basis. */
typedef struct problem {
    const weft_side *side;
    const weft__eigenpairs *known; /* what is taken out of A, or NULL */
    uint64_t round;                /* which start vector */
    a_int n, wanted, basis;
    double *residual, *v, *vectors, *small, *shares;
    a_int small_length;
    a_int setting[11], place[11];
    a_int *chosen;
    int64_t *ids;
    double *work;
} problem;

/* As many vectors again as are wanted, at least 60 and at most 200: eigenvalues that are near to each
 * other take a large space, however few are wanted. */
static int64_t choose_basis(int64_t n, int64_t wanted)
{
    int64_t more = wanted < 60 ? 60 : wanted > 200 ? 200 : wanted;
    return wanted + more < n ? wanted + more : n;
}

static weft_status open_problem(problem *p, weft_error *error)
{
    const weft_memory *memory = &p->side->memory;
    weft_status status = WEFT_OK;
    int64_t n = p->n, basis = choose_basis(n, p->wanted), size = 0;
    p->basis = (a_int)basis;
    p->small_length = (a_int)(basis * (basis + 8));
    TRY(weft__checked_product(n, basis, &size, error));
    TRY(weft__new(memory, n, sizeof(double), &p->residual, error));
    TRY(weft__new(memory, size, sizeof(double), &p->v, error));
    TRY(weft__new(memory, 3 * n, sizeof(double), &p->vectors, error));
    TRY(weft__new(memory, p->small_length, sizeof(double), &p->small, error));
    TRY(weft__new(memory, p->known != NULL ? p->known->wanted : 0, sizeof(double), &p->shares, error));
    TRY(weft__new(memory, basis, sizeof(a_int), &p->chosen, error));
    TRY(weft__new(memory, n, sizeof(int64_t), &p->ids, error));
    TRY(weft__new(memory, weft__side_work(p->side), sizeof(double), &p->work, error));
    for (int64_t i = 0; i < n; i++) {
        p->ids[i] = i;
        p->residual[i] = weft__uniform(p->round, (uint64_t)i) - 0.5;
    }
done:
    return status;
}

static void close_problem(problem *p)
{
    const weft_memory *memory = &p->side->memory;
    weft__delete(memory, p->residual);
    weft__delete(memory, p->v);
    weft__delete(memory, p->vectors);
    weft__delete(memory, p->small);
    weft__delete(memory, p->shares);
    weft__delete(memory, p->chosen);
    weft__delete(memory, p->ids);
    weft__delete(memory, p->work);
}

/* y = (A - Q Lambda Q' + I) x */
static void multiply(problem *p, const double *x, double *y)
{
    const weft__eigenpairs *known = p->known;
    p->side->kind->product(p->side, p->ids, p->n, x, y, p->work);
    for (int64_t i = 0; i < p->n; i++)
        y[i] = y[i] / p->side->radius + x[i];
    if (known == NULL)
        return;
    cblas_dgemv(CblasColMajor, CblasTrans, p->n, (int)known->wanted, 1, known->vectors, p->n, x, 1, 0,
                p->shares, 1);
    for (int64_t k = 0; k < known->wanted; k++)
        p->shares[k] *= known->values[k];
    cblas_dgemv(CblasColMajor, CblasNoTrans, p->n, (int)known->wanted, -1, known->vectors, p->n, p->shares, 1,
                1, y, 1);
}

/* Answers what dsaupd and then dseupd do: 0 where all is well. */
static a_int solve(problem *p, weft__eigenpairs *pairs)
{
    enum { TO_MULTIPLY_FIRST = -1, TO_MULTIPLY = 1 };
    a_int step = 0, answer = 1; /* the start vector is ours */
    for (;;) {
        dsaupd_c(&step, "I", p->n, "LA", p->wanted, tolerance, p->residual, p->basis, p->v, p->n, p->setting,
                 p->place, p->vectors, p->small, p->small_length, &answer);
        if (step != TO_MULTIPLY_FIRST && step != TO_MULTIPLY)
            break;
        multiply(p, p->vectors + p->place[0] - 1, p->vectors + p->place[1] - 1);
    }
    if (answer != 0 || p->setting[4] < p->wanted)
        return answer != 0 ? answer : 1;
    dseupd_c(1, "A", p->chosen, pairs->values, pairs->vectors, p->n, 0, "I", p->n, "LA", p->wanted, tolerance,
             p->residual, p->basis, p->v, p->n, p->setting, p->place, p->vectors, p->small, p->small_length,
             &answer);
    for (int64_t k = 0; k < pairs->wanted; k++)
        pairs->values[k] -= 1;
    return answer;
}

static weft_status judge(const problem *p, a_int answer, weft_error *error)
{
    if (answer == 0)
        return WEFT_OK;
    if (answer > 0)
        return weft__fail(
            error, WEFT_INPUT,
            "%s: %lld of %lld eigenvectors were found in %lld rounds, for their eigenvalues are too near "
            "to each other; expected a kernel whose eigenvalues fall faster (a larger sigma or time)",
            p->side->kind->name, (long long)p->setting[4], (long long)p->wanted, (long long)p->setting[2]);
    return weft__fail(error, WEFT_INTERNAL, "ARPACK answered %d", (int)answer);
}

/* The largest eigenpairs of A, or of what is left of it without those known (NULL: none). */
static weft_status find(const weft_side *side, uint64_t round, const weft__eigenpairs *known,
                        weft__eigenpairs *pairs, weft_error *error)
{
    weft_status status = WEFT_OK;
    problem p = {.side = side,
                 .known = known,
                 .round = round,
                 .n = (a_int)pairs->n,
                 .wanted = (a_int)pairs->wanted,
                 /* exact shifts, rounds, block size, mode: A itself */
                 .setting = {[0] = 1, [2] = RESTARTS, [3] = 1, [6] = 1}};
    TRY(open_problem(&p, error));
    pthread_mutex_lock(&one_at_a_time);
    a_int answer = solve(&p, pairs);
    pthread_mutex_unlock(&one_at_a_time);
    TRY(judge(&p, answer, error));
done:
    close_problem(&p);
    return status;
}

static int64_t find_least(const weft__eigenpairs *pairs, int64_t from)
{
    int64_t least = from;
    for (int64_t k = from + 1; k < pairs->wanted; k++)
        if (pairs->values[k] < pairs->values[least])
            least = k;
    return least;
}

/* Puts larger ones of `more` in the place of the least; answers whether there were any. */
static bool exchange(weft__eigenpairs *pairs, const weft__eigenpairs *more)
{
    const double margin = 100 * tolerance;
    bool any = false;
    for (int64_t k = more->wanted - 1; k >= 0; k--) {
        int64_t least = find_least(pairs, 0);
        if (more->values[k] <= pairs->values[least] + margin * (1 + pairs->values[least]))
            continue;
        pairs->values[least] = more->values[k];
        cblas_dcopy((int)pairs->n, more->vectors + k * more->n, 1, pairs->vectors + least * pairs->n, 1);
        any = true;
    }
    return any;
}

static void sort(weft__eigenpairs *pairs)
{
    for (int64_t k = 0; k < pairs->wanted; k++) {
        int64_t least = find_least(pairs, k);
        double value = pairs->values[least];
        if (least == k)
            continue;
        pairs->values[least] = pairs->values[k];
        pairs->values[k] = value;
        cblas_dswap((int)pairs->n, pairs->vectors + k * pairs->n, 1, pairs->vectors + least * pairs->n, 1);
    }
}

weft_status weft__map_iterate(const weft_side *side, weft__eigenpairs *pairs, weft_error *error)
{
    weft_status status = WEFT_OK;
    uint64_t round = 0;
    weft__eigenpairs more = {.n = pairs->n, .wanted = pairs->wanted < FEW ? pairs->wanted : FEW};
    TRY(weft__new(&side->memory, more.wanted, sizeof *more.values, &more.values, error));
    TRY(weft__new(&side->memory, more.wanted * more.n, sizeof *more.vectors, &more.vectors, error));
    TRY(find(side, round++, NULL, pairs, error));
    do
        TRY(find(side, round++, pairs, &more, error));
    while (exchange(pairs, &more));
    sort(pairs);
done:
    weft__delete(&side->memory, more.vectors);
    weft__delete(&side->memory, more.values);
    return status;
}
