/* SPDX-License-Identifier: MIT
 *
 * Classes of one part as classes of all ids, where files have grown.
 *
 * Method     A class is known by its number to whoever has learnt under it, so none may ever get another.
 *            First classes were numbered as ids come: those of the part, and one of its own for every id that
 *            another part lists (lift_classes in combine.c).  With M of these a class c that came to the part
 *            later has number M + 2 c + 1, and the own class of an id at a later place p has M + 2 p; an id
 *            that comes to the part leaves its own class.  So every number follows from what was there first
 *            and from itself alone.
 * Cost       O(ids). */
#include "io/roster/growth/growth.h"
#include "side/kinds/placed.h"

enum { NONE = -1 };

typedef struct lifting {
    const weft_roster *roster;
    const weft_roster *part;
    const weft_side *side;
    int64_t places, classes; /* of all; of the part */
    int64_t *in_part;        /* by place: the place there, or NONE */
    int64_t *first;          /* by class of the part: its number among the first, or NONE; then by place */
    int64_t numbers;         /* of these */
    int64_t *label;          /* by place: the class of the part, or beyond them one of its own */
    int64_t *number;         /* by class of the lifted side; and by place, of ids */
} lifting;

/* The class of a place that the part has. */
static int64_t class_in(const lifting *l, int64_t in_part)
{
    weft_item item = {0};
    l->side->ops->item(l->side, in_part, &item);
    return item.class_of;
}

static weft_status create(lifting *l, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &l->roster->memory;
    TRY(weft__new(memory, l->places, sizeof *l->in_part, &l->in_part, error));
    TRY(weft__new(memory, l->places, sizeof *l->label, &l->label, error));
    TRY(weft__new(memory, l->classes + l->places, sizeof *l->first, &l->first, error));
    TRY(weft__new(memory, l->places, sizeof *l->number, &l->number, error));
    for (int64_t p = 0; p < l->places; p++) {
        int64_t id = weft__settled_number(&l->roster->settled, p);
        int64_t at = weft_ids_find(l->part->ids, weft_ids_name(l->roster->ids, id));
        l->in_part[p] = at >= 0 && at < weft_side_count(l->side) ? at : NONE;
        l->label[p] = l->in_part[p] != NONE ? class_in(l, l->in_part[p]) : l->classes + p;
    }
done:
    return status;
}

/* In the order of places, as they were. */
static void number_first(lifting *l)
{
    const weft__settled *all = &l->roster->settled, *own = &l->part->settled;
    for (int64_t k = 0; k < l->classes + l->places; k++)
        l->first[k] = NONE;
    for (int64_t p = 0; p < l->places && p < all->first; p++) {
        bool there = l->in_part[p] != NONE && l->in_part[p] < own->first;
        int64_t *number = &l->first[there ? l->label[p] : l->classes + p];
        if (*number == NONE)
            *number = l->numbers++;
    }
}

static int64_t number_of(const lifting *l, int64_t label)
{
    if (l->first[label] != NONE)
        return l->first[label];
    return label < l->classes ? l->numbers + 2 * label + 1 : l->numbers + 2 * (label - l->classes);
}

weft_status weft__growth_lift(const weft_roster *roster, int64_t k, const weft_side *side,
                              const weft_side_options *options, weft_side **lifted, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &roster->memory;
    weft__nature nature = side->ops->nature(side);
    lifting l = {roster, roster->parts[k], side, roster->settled.listed, nature.classes, NULL, NULL, 0, NULL,
                 NULL};
    weft_side *made = NULL;
    int64_t *number = NULL, shortened = 0;
    TRY(create(&l, error));
    number_first(&l);
    TRY(weft_side_from_classes(l.places, l.label, nature.own, options, &made, error));
    TRY(weft__new(memory, l.places, sizeof *number, &number, error));
    for (int64_t p = 0; p < l.places; p++) {
        weft_item item = {0};
        made->ops->item(made, p, &item);
        l.number[item.class_of] = number_of(&l, l.label[p]);
        number[p] = weft__settled_number(&roster->settled, p);
    }
    const weft__placing placing = {l.places, number, made->radius};
    TRY(weft__side_place(&made, &placing, &made, &shortened, error));
    TRY(weft__side_rename_classes(made, l.number, error));
    *lifted = made;
    made = NULL;
done:
    weft_side_free(made);
    weft__delete(memory, number);
    weft__delete(memory, l.in_part);
    weft__delete(memory, l.first);
    weft__delete(memory, l.label);
    weft__delete(memory, l.number);
    return status;
}
