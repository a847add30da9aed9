/* SPDX-License-Identifier: MIT
 *
 * The partition kernel: K(i,j) = [same class] + epsilon [i = j].
 *
 * Classes are any integers.  They are numbered 0, 1, ... in order of first
 * appearance, by a hash table with open addressing:
 *
 *     slot[h]     1 + the class that hashes there, or 0 for an empty slot
 *     label[c]    the integer that the user calls class c
 *     class_of[i] the class of id i, or ALONE
 *
 * Invariant: slots is a power of two, at least twice the number of classes, so
 * that a search always ends at an empty slot.  Every class has a member, so
 * there are at most `count` of them and a workspace of `count` sums is enough. */
#include "side/side.h"

#include "base/hash.h"

#include <math.h>

enum { ALONE = -1 };

typedef struct classes_side {
    weft_side base;
    double epsilon;
    int64_t *class_of, class_capacity;
    int64_t *label, label_capacity, classes;
    int64_t *slot, slots;
} classes_side;

static const classes_side *view(const weft_side *side)
{
    return (const classes_side *)side;
}

/* ---- Classes by their label ---- */

/* The slot of `label`, or the empty one where it belongs. */
static int64_t find_slot(const int64_t *slot, int64_t slots, const int64_t *labels, int64_t label)
{
    int64_t at = (int64_t)(weft__hash((uint64_t)label) & (uint64_t)(slots - 1));
    while (slot[at] != 0 && labels[slot[at] - 1] != label)
        at = (at + 1) & (slots - 1);
    return at;
}

static weft_status enlarge_table(classes_side *side, weft_error *error)
{
    int64_t *slot = NULL;
    weft_status status = WEFT_OK;
    int64_t slots = side->slots == 0 ? 32 : 2 * side->slots;
    TRY(weft__new(&side->base.memory, slots, sizeof *slot, &slot, error));
    for (int64_t c = 0; c < side->classes; c++)
        slot[find_slot(slot, slots, side->label, side->label[c])] = c + 1;
    weft__delete(&side->base.memory, side->slot);
    side->slot = slot;
    side->slots = slots;
done:
    return status;
}

/* Makes room for one more class and one more id. */
static weft_status reserve(classes_side *side, int64_t ids, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &side->base.memory;
    if (ids > side->class_capacity) {
        int64_t capacity = weft__grown(side->class_capacity, ids);
        TRY(weft__resize(memory, &side->class_of, side->class_capacity, capacity, sizeof(int64_t), error));
        side->class_capacity = capacity;
    }
    if (side->classes == side->label_capacity) {
        int64_t capacity = weft__grown(side->label_capacity, side->classes + 1);
        TRY(weft__resize(memory, &side->label, side->label_capacity, capacity, sizeof(int64_t), error));
        side->label_capacity = capacity;
    }
    if (2 * (side->classes + 1) > side->slots)
        TRY(enlarge_table(side, error));
done:
    return status;
}

/* The class called `label`, a new one if need be; reserve() made the room. */
static int64_t number_class(classes_side *side, int64_t label)
{
    int64_t at = find_slot(side->slot, side->slots, side->label, label);
    if (side->slot[at] == 0) {
        side->label[side->classes] = label;
        side->slot[at] = ++side->classes;
    }
    return side->slot[at] - 1;
}

/* ---- The kernel ---- */

static int64_t class_of(const weft_side *side, int64_t i)
{
    return i < side->count ? view(side)->class_of[i] : ALONE;
}

static double diagonal(const weft_side *side, int64_t i)
{
    return class_of(side, i) == ALONE ? side->radius : 1 + view(side)->epsilon;
}

static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    (void)work;
    if (i == j)
        return diagonal(side, i);
    int64_t c = class_of(side, i);
    return c != ALONE && c == class_of(side, j) ? 1 : 0;
}

/* y = K x = (sum of x over the class) + epsilon x, in two passes over the ids
 * and one that clears the sums of their classes. */
static double product(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work)
{
    const double epsilon = view(side)->epsilon;
    for (int64_t k = 0; k < count; k++)
        if (class_of(side, ids[k]) != ALONE)
            work[class_of(side, ids[k])] = 0;
    for (int64_t k = 0; k < count; k++)
        if (class_of(side, ids[k]) != ALONE)
            work[class_of(side, ids[k])] += x[k];
    for (int64_t k = 0; k < count; k++) {
        int64_t c = class_of(side, ids[k]);
        y[k] = c == ALONE ? side->radius * x[k] : work[c] + epsilon * x[k];
    }
    return 0;
}

static void item(const weft_side *side, int64_t i, weft_item *known)
{
    known->class_of = class_of(side, i);
    known->alone = known->class_of == ALONE;
}

static weft__nature nature(const weft_side *side)
{
    return (weft__nature){.classes = view(side)->classes, .own = view(side)->epsilon};
}

static weft_status append(weft_side *side, const weft_item *item, weft_error *error)
{
    classes_side *classes = (classes_side *)side;
    weft_status status = WEFT_OK;
    TRY(reserve(classes, side->count + 1, error));
    classes->class_of[side->count] = item->alone ? ALONE : number_class(classes, item->class_of);
done:
    return status;
}

static void release(weft_side *side)
{
    classes_side *classes = (classes_side *)side;
    weft__delete(&side->memory, classes->class_of);
    weft__delete(&side->memory, classes->label);
    weft__delete(&side->memory, classes->slot);
}

static const weft__side_ops classes_ops = {
    .name = "classes",
    .vectors = 1,
    .entry = entry,
    .diagonal = diagonal,
    .column = weft__side_column_by_entry,
    .product = product,
    .item = item,
    .nature = nature,
    .append = append,
    .release = release,
};

static weft_status check_epsilon(double epsilon, weft_error *error)
{
    if (!(epsilon >= 0 && isfinite(epsilon)))
        return weft__fail(error, WEFT_ARGUMENT, "classes: epsilon is %g; expected a finite number >= 0",
                          epsilon);
    return WEFT_OK;
}

weft_status weft_side_from_classes(int64_t count, const int64_t *class_of, double epsilon,
                                   const weft_side_options *options, weft_side **side, weft_error *error)
{
    classes_side *fresh = NULL;
    weft_status status = WEFT_OK;
    if (count > 0)
        NEED(class_of);
    NEED(side);
    TRY(check_epsilon(epsilon, error));
    TRY(weft__side_create(&classes_ops, sizeof *fresh, count, options, &fresh, error));
    fresh->epsilon = epsilon;
    fresh->base.supremum = 1 + epsilon;
    for (int64_t i = 0; i < count; i++) {
        TRY(reserve(fresh, count, error));
        fresh->class_of[i] = number_class(fresh, class_of[i]);
    }
    TRY(weft__side_settle(&fresh->base, options, error));
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
