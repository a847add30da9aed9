/* SPDX-License-Identifier: MIT
 *
 * Several kinds of the same ids whose files have grown.
 *
 * Method     Every part grows by itself, by its own rules and with numbers of its own, which are its places.
 *            Of them together there is known in which order ids came to be listed by any of them; what is new
 *            follows part by part.  An id that one part listed, or none, and another lists now, keeps its
 *            number.
 * Cost       O(ids) for each part beside its own. */
#include "io/roster/growth/growth.h"

/* ---- What is known, as parts ---- */

/* The sources of one part among those of all. */
static weft__sources files_of_part(const weft_roster *roster, int64_t k, const weft__sources *all)
{
    weft__sources some = *all;
    int64_t first = weft__roster_first_file(roster, k), count = weft__roster_file_count(roster->parts[k]);
    some.count = first + count <= all->count ? count : 0;
    some.items = some.count > 0 ? all->items + first : NULL;
    return some;
}

/* Takes what is known of part k out of what is known of all: its ids by their places. */
static weft_status take_part(const weft_roster *roster, int64_t k, weft__known_ids *all,
                             weft__known_ids *known, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &all->settled.part[k];
    weft_ids *ids = NULL;
    int64_t number = 0;
    TRY(weft_ids_create(&roster->memory, &ids, error));
    for (int64_t place = 0; place < settled->listed; place++)
        TRY(weft_ids_add(ids, weft_ids_name(all->ids, settled->number[place]), &number, error));
    weft__delete(&settled->memory, settled->number);
    settled->number = NULL;
    *known = (weft__known_ids){.sources = files_of_part(roster, k, &all->sources),
                               .ids = ids,
                               .listed = settled->listed,
                               .settled = *settled};
    *settled = (weft__settled){.memory = settled->memory};
    ids = NULL;
done:
    weft_ids_free(ids);
    return status;
}

static weft_status arrange_parts(weft_roster *roster, weft__known_ids *known, weft_error *error)
{
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < roster->part_count && status == WEFT_OK; k++) {
        weft__known_ids part = {0};
        TRY(take_part(roster, k, known, &part, error));
        status = weft__roster_arrange(roster->parts[k], &part, error);
        weft__growth_known_free(&part);
    }
done:
    return status;
}

/* ---- Them together ---- */

/* Of ids by number: it had a place before, it has one, a part lists it that did not. */
enum { WAS_PLACED = 1, PLACED = 2, FRESH = 4 };

typedef struct standing {
    unsigned char *of;
    int64_t before; /* ids */
    int64_t room;
    int64_t *number; /* by place, with room for all */
} standing;

static weft_status create_standing(standing *s, const weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    s->before = s->room = weft_ids_count(roster->ids);
    for (int64_t k = 0; k < roster->part_count; k++)
        s->room += weft_ids_count(roster->parts[k]->ids);
    TRY(weft__new(&roster->memory, s->room, sizeof *s->of, &s->of, error));
    TRY(weft__new(&roster->memory, s->room, sizeof *s->number, &s->number, error));
    for (int64_t place = 0; place < roster->settled.listed; place++) {
        s->number[place] = weft__settled_number(&roster->settled, place);
        s->of[s->number[place]] = WAS_PLACED | PLACED;
    }
done:
    return status;
}

/* An id of a part, which is new in it or not. */
static void count_id(weft_roster *roster, weft_roster *part, standing *s, int64_t number, bool fresh)
{
    unsigned char *of = &s->of[number];
    bool later = fresh && number < s->before && (*of & WAS_PLACED) == 0, first = (*of & FRESH) == 0;
    part->facts.listed_later += later;
    roster->facts.listed_later += later && first;
    roster->facts.grown += fresh && first;
    if (fresh)
        *of |= FRESH;
    if ((*of & PLACED) == 0)
        s->number[roster->settled.listed++] = number;
    *of |= PLACED;
}

static weft_status place_part(weft_roster *roster, weft_roster *part, standing *s, weft_error *error)
{
    weft_status status = WEFT_OK;
    enum { A_NAME = 64 };
    int64_t number = 0, limit = roster->input.limits.id_limit;
    weft__progress progress = weft__progress_of(&roster->input.limits.progress);
    weft__progress_begin(&progress, "ids of several kinds", A_NAME * (double)weft_ids_count(part->ids));
    for (int64_t place = 0; place < weft_ids_count(part->ids); place++) {
        const char *name = weft_ids_name(part->ids, place);
        TRY(weft__progress_step(&progress, A_NAME, error));
        TRY(weft_ids_add(roster->ids, name, &number, error));
        if (number >= limit)
            TRY(weft__fail(error, WEFT_CAPACITY, "%.150s: found id %s, but there is room for only %lld ids",
                           part->text, weft__shown_briefly(name).text, (long long)limit));
        count_id(roster, part, s, number, place >= part->settled.before);
    }
done:
    return status;
}

static weft_status place_ids(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    standing s = {0};
    bool alike = true;
    settled->before = settled->listed;
    TRY(create_standing(&s, roster, error));
    for (int64_t k = 0; k < roster->part_count; k++)
        TRY(place_part(roster, roster->parts[k], &s, error));
    for (int64_t place = 0; place < settled->listed; place++)
        alike = alike && s.number[place] == place;
    weft__delete(&roster->memory, settled->number);
    settled->number = alike ? NULL : s.number;
    s.number = alike ? s.number : NULL;
done:
    weft__delete(&roster->memory, s.number);
    weft__delete(&roster->memory, s.of);
    return status;
}

/* What some file lists. */
static weft_status note_listed(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t ids = weft_ids_count(roster->ids);
    TRY(weft__new(&roster->memory, ids, sizeof *roster->lists, &roster->lists, error));
    roster->lists_size = ids;
    for (int64_t k = 0; k < roster->part_count; k++) {
        const weft_roster *part = roster->parts[k];
        roster->facts.new_edges += part->facts.new_edges;
        for (int64_t place = 0; place < weft_ids_count(part->ids); place++)
            if (weft_roster_lists(part, place))
                roster->lists[weft_ids_find(roster->ids, weft_ids_name(part->ids, place))] = true;
    }
    roster->facts.listed = 0;
    for (int64_t i = 0; i < ids; i++)
        roster->facts.listed += roster->lists[i];
    roster->facts.let_in = ids - roster->facts.listed;
done:
    return status;
}

weft_status weft__growth_arrange_parts(weft_roster *roster, weft__known_ids *known, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(arrange_parts(roster, known, error));
    weft__settled_free_parts(&known->settled);
    weft__growth_take_over(roster, known);
    TRY(place_ids(roster, error));
    TRY(note_listed(roster, error));
    roster->settled.moved = true;
done:
    return status;
}

/* ---- In and out ---- */

/* The numbers of the ids of part k, by their places. */
static const int64_t *numbers_of_part(const weft_roster *roster, int64_t k)
{
    int64_t count = 0;
    return weft__side_parts(roster->side, &count)[k].id_of;
}

void weft__growth_write(const weft_roster *roster, weft__encoder *writer)
{
    weft__settled_write(&roster->settled, writer);
    for (int64_t k = 0; roster->settled.known && k < roster->part_count; k++)
        weft__settled_write_part(&roster->parts[k]->settled, numbers_of_part(roster, k), writer);
}

weft_status weft__growth_copy(const weft_roster *roster, weft__settled *settled, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled made = {.memory = roster->memory};
    TRY(weft__settled_copy(&roster->settled, &made, error));
    if (roster->part_count > 0)
        TRY(weft__new(&made.memory, roster->part_count, sizeof *made.part, &made.part, error));
    for (; made.parts < roster->part_count; made.parts++) {
        weft__settled *part = &made.part[made.parts];
        TRY(weft__settled_copy(&roster->parts[made.parts]->settled, part, error));
        status = weft__new(&part->memory, part->listed, sizeof *part->number, &part->number, error);
        for (int64_t place = 0; status == WEFT_OK && place < part->listed; place++)
            part->number[place] = numbers_of_part(roster, made.parts)[place];
        if (status != WEFT_OK) {
            weft__settled_free(part);
            goto done;
        }
    }
    *settled = made;
    made = (weft__settled){.memory = roster->memory};
done:
    weft__settled_free(&made);
    return status;
}
