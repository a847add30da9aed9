/* SPDX-License-Identifier: MIT
 *
 * Method     tr(R'MR) and sum |(R'MR)_rs| in closed form, for kernels whose
 *            inverse is known: a diagonal one, and one that is block diagonal
 *            with blocks e I + v 11' (the partition kernel).
 * Algorithm  The inverse of a block of s ids is (I - v 11' / (e + s v)) / e.
 *            With n_r ids of class r in it, it adds
 *
 *                n_r (e + (s - n_r) v) / (e (e + s v))       to A_rr,
 *                - n_r n_q v / (e (e + s v))                  to A_rq, r != q,
 *
 *            where nothing cancels: all off-diagonals are <= 0, so that their
 *            absolute values add up block by block.
 * Cost       O(count) and O(count * groups).
 * Reference  thm:bndpdim; the k-partition kernel of section 4.1.
 */
#include "weft_theory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "side/kinds/none.h"
#include "theory/partition.h"

/* A is diagonal too: A_rr = R_M sum_{i in r} 1/K_ii. */
weft_status weft__quadratic_diagonal(const weft__norm *metric, const weft__partition *partition,
                                     weft__quadratic *quadratic, weft_error *error)
{
    double sum = 0;
    (void)error;
    for (int64_t k = 0; k < partition->count; k++)
        sum += metric->side->radius / metric->side->ops->diagonal(metric->side, partition->ids[k]);
    *quadratic = (weft__quadratic){.trace = sum, .absolute = sum};
    return WEFT_OK;
}

/* One id: the group of the kernel and the class of the truth it is in. */
typedef struct member {
    int64_t group;
    int64_t class_of;
    int64_t id;
} member;

static int compare_members(const void *left, const void *right)
{
    const member *a = left, *b = right;
    if (a->group != b->group)
        return (a->group > b->group) - (a->group < b->group);
    if (a->class_of != b->class_of)
        return (a->class_of > b->class_of) - (a->class_of < b->class_of);
    return (a->id > b->id) - (a->id < b->id);
}

/* Ids with a nonzero kernel value are in one group.  `first` receives one id of
 * each group; members come out sorted by group and class. */
static void group_members(const weft_side *side, const weft__partition *partition, member *members,
                          int64_t *first)
{
    int64_t groups = 0;
    for (int64_t k = 0; k < partition->count; k++) {
        int64_t id = partition->ids[k], g = 0;
        while (g < groups && side->ops->entry(side, first[g], id, NULL) == 0)
            g++;
        if (g == groups)
            first[groups++] = id;
        members[k] = (member){g, partition->class_of[k], id};
    }
    qsort(members, (size_t)partition->count, sizeof *members, compare_members);
}

/* The block e I + v 11' of one group of `s` ids, divided by the radius. */
typedef struct block {
    double e, v, s;
} block;

static block read_block(const weft__norm *metric, const member *members, int64_t s)
{
    const weft_side *side = metric->side;
    double diagonal = side->ops->diagonal(side, members[0].id);
    double shared = s > 1 ? side->ops->entry(side, members[0].id, members[1].id, NULL) : 0;
    return (block){(diagonal - shared) / side->radius, shared / side->radius, (double)s};
}

/* Adds what n of the block's ids, all those of one class, contribute.  A block
 * without a diagonal (e = 0) has only constant vectors in its range: then the
 * class must fill it, and the limit of the formula is n / (s v) = 1/v. */
static void add_class(const block *b, double n, weft__quadratic *sum)
{
    double rest = b->s - n;
    if (rest == 0) {
        sum->trace += n / (b->e + b->s * b->v);
        sum->absolute += n / (b->e + b->s * b->v);
        return;
    }
    double scale = n / (b->e * (b->e + b->s * b->v));
    sum->trace += scale * (b->e + rest * b->v);
    sum->absolute += scale * (b->e + 2 * rest * b->v);
}

static void add_group(const weft__norm *metric, const member *members, int64_t s, weft__quadratic *sum)
{
    block b = read_block(metric, members, s);
    for (int64_t start = 0, end = 0; start < s; start = end) {
        while (end < s && members[end].class_of == members[start].class_of)
            end++;
        add_class(&b, (double)(end - start), sum);
    }
}

weft_status weft__quadratic_groups(const weft__norm *metric, const weft__partition *partition,
                                   weft__quadratic *quadratic, weft_error *error)
{
    member *members = NULL;
    int64_t *first = NULL;
    weft__quadratic sum = {0};
    weft_status status = WEFT_OK;

    TRY(weft__new(&partition->memory, partition->count, sizeof *members, &members, error));
    TRY(weft__new(&partition->memory, partition->count, sizeof *first, &first, error));
    group_members(metric->side, partition, members, first);
    for (int64_t start = 0, end = 0; start < partition->count; start = end) {
        while (end < partition->count && members[end].group == members[start].group)
            end++;
        add_group(metric, members + start, end - start, &sum);
    }
    *quadratic = sum;
done:
    weft__delete(&partition->memory, first);
    weft__delete(&partition->memory, members);
    return status;
}

weft_status weft__quadratic_measure(const weft__norm *metric, const weft__partition *partition,
                                    weft__quadratic *quadratic, weft_error *error)
{
    if (weft__side_is_identity(metric->side))
        return weft__quadratic_diagonal(metric, partition, quadratic, error);
    if (strcmp(metric->side->ops->name, "classes") == 0)
        return weft__quadratic_groups(metric, partition, quadratic, error);
    return weft__quadratic_dense(metric, partition, quadratic, error);
}
