/* SPDX-License-Identifier: MIT
 *
 * Method     The quasi-dimension bound D_circ, side by side, and D of one set
 *            of ids, both from A = R_M R'MR.
 * Algorithm  For a block-invariant decomposition P = R P*, P* with unit rows,
 *
 *                R_M tr(P'MP) = sum_rs <p_r,p_s> A_rs  <=  sum_rs |A_rs|,
 *
 *            which is never above k tr A, and for PDLaplacians never above
 *            2 tr A + 2k either; all three are reported.
 * Cost       That of A: O(n) to O(n^3).
 * Reference  thm:bndpdim and its proof; for one set Gentile, Herbster and
 *            Pasteris, Online Similarity Prediction of Networked Data from
 *            Known and Unknown Graphs, COLT 2013.
 */
#include "weft_theory.h"
#include <math.h>

#include "side/graph/graph.h"
#include "side/graph/links.h"
#include "theory/partition.h"

/* A PDLaplacian over all its vertices has 1'M1 = 1/R_L; an id that is alone
 * adds to it. */
static bool is_laplacian(const weft_side *side, const weft__partition *partition, const weft__quadratic *a)
{
    return side->graph != NULL && side->graph->facts.is_paper && partition->count == side->count &&
           fabs(a->total * side->constant / side->radius - 1) < 1e-6;
}

/* With R > 2 R_L the proof's 2k, which comes from (1'u/m)^2 R_M/R_L <= 2, grows
 * in proportion. */
static weft_side_term compose(const weft_side *side, const weft__partition *partition,
                              const weft__quadratic *a)
{
    double k = (double)partition->classes;
    weft_side_term term = {
        .classes = partition->classes,
        .trace = a->trace,
        .general = k * a->trace,
        .laplacian = INFINITY,
        .sharp = a->absolute,
        .cut = -1,
    };
    if (is_laplacian(side, partition, a)) {
        term.laplacian = 2 * a->trace + 2 * k * (side->radius / (2 * side->constant));
        term.cut = a->centred / side->radius;
    }
    term.value = fmin(term.sharp, fmin(term.general, term.laplacian));
    return term;
}

static weft_status measure(const weft__norm *metric, const int64_t *class_of, weft__partition *partition,
                           weft__quadratic *quadratic, weft_error *error)
{
    const weft_side *side = metric->side;
    weft_status status = WEFT_OK;
    TRY(weft__partition_build(side->count, class_of, &side->memory, partition, error));
    TRY(weft__quadratic_measure(metric, partition, quadratic, error));
done:
    return status;
}

weft_status weft_theory_side(const weft_side *side, const int64_t *class_of, weft_side_term *term,
                             weft_error *error)
{
    weft__partition partition = {0};
    weft__quadratic quadratic = {0};
    weft__norm metric = {.side = side};
    weft_status status = WEFT_OK;
    NEED(side);
    NEED(class_of);
    NEED(term);
    TRY(measure(&metric, class_of, &partition, &quadratic, error));
    *term = compose(side, &partition, &quadratic);
done:
    weft__partition_clear(&partition);
    return status;
}

/* The learner's R is that of the kernel without its constant, unless a radius
 * was given.  A was multiplied by the side's radius, which is put right here.
 * Without the constant 1 leaves the range of a PDLaplacian, and any R + 1c' has
 * the same differences: the best c gives tr(R'LR), since L1 = 0. */
weft_status weft_theory_one_set(const weft_side *side, const int64_t *class_of, double *dimension,
                                weft_error *error)
{
    weft__partition partition = {0};
    weft__quadratic quadratic = {0};
    weft__norm metric = {.side = side, .modulo = true};
    weft_status status = WEFT_OK;
    NEED(side);
    NEED(class_of);
    NEED(dimension);
    TRY(measure(&metric, class_of, &partition, &quadratic, error));
    double shrink = side->radius_given ? 1 : (side->radius - side->constant) / side->radius;
    *dimension = 4 * shrink * (side->constant > 0 ? quadratic.centred : quadratic.trace);
done:
    weft__partition_clear(&partition);
    return status;
}
