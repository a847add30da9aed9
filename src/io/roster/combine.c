/* SPDX-License-Identifier: MIT
 *
 * Several kinds of side information of one set of ids: a roster each, and one of them all.
 *
 * Method     The ids of the first part come first, in its order, then those that the second lists and the
 *            first does not, and so on; behind them those that no part lists, as they come.  A part keeps its
 *            own numbers, and a sum (side/kinds/sum.h) maps them.
 * Missing    An id that a part lacks is alone there (alone), a vertex without edges of its graph, whoever
 *            lists it (join), or refused when the stream has it (error). */
#define _POSIX_C_SOURCE 200809L

#include "io/roster/growth/growth.h"

#include "io/roster/spec.h"
#include "side/graph/links.h"
#include "side/kinds/sum.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static weft_status refuse_part(const weft_roster *part, const char *why, weft_error *error)
{
    return weft__fail(error, WEFT_ARGUMENT, "%.150s beside another kind of side information: %s", part->text,
                      why);
}

static weft_status check_part(const weft_roster *part, weft_error *error)
{
    if (part->spec.source == WEFT__NONE)
        return refuse_part(part, "it says that nothing is known, so leave it out", error);
    if (part->facts.mapped)
        return refuse_part(part, "map= is for one kind alone", error);
    if (part->part_count > 0)
        return refuse_part(part, "it is made of several already", error);
    if (part->owned)
        return refuse_part(part, "it belongs to another player or roster", error);
    if (part->side != NULL || part->facts.let_in > 0)
        return refuse_part(part, "ids were let in already, or its side is made", error);
    return WEFT_OK;
}

weft_status weft__roster_check_parts(const weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (roster->part_count > WEFT_PARTS)
        return weft__fail(error, WEFT_ARGUMENT, "found %lld kinds of side information, expected at most %d",
                          (long long)roster->part_count, (int)WEFT_PARTS);
    for (int64_t k = 0; k < roster->part_count; k++)
        TRY(check_part(roster->parts[k], error));
done:
    return status;
}

/* ---- Ids ---- */

int64_t weft__roster_file_count(const weft_roster *roster)
{
    return (roster->spec.path != NULL) + (roster->spec.ids_path != NULL);
}

int64_t weft__roster_first_file(const weft_roster *roster, int64_t k)
{
    int64_t first = 0;
    for (int64_t before = 0; before < k; before++)
        first += weft__roster_file_count(roster->parts[before]);
    return first;
}

weft__sources weft__roster_files(const weft_roster *roster)
{
    weft__sources some = *roster->input.sources;
    some.items += roster->first_file;
    some.count = weft__roster_file_count(roster);
    return some;
}

/* Whether two names are of one file, which has been read. */
static bool same_file(const char *a, const char *b)
{
    struct stat first = {0}, second = {0};
    return a != NULL && b != NULL && stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Whether two parts have the same SPEC, however their file is spelt, and files of the same bytes: what is in
 * memory has a name that other such files have as well. */
static bool is_twice(const weft_roster *roster, int64_t a, int64_t b)
{
    const weft_roster *x = roster->parts[a], *y = roster->parts[b];
    bool same = strcmp(x->text, y->text) == 0 ||
                (weft__spec_agrees(&x->spec, &y->spec) && same_file(x->spec.path, y->spec.path));
    for (int64_t k = 0; k < weft__roster_file_count(x) && same; k++) {
        weft_source first = weft_roster_source(roster, weft__roster_first_file(roster, a) + k);
        weft_source second = weft_roster_source(roster, weft__roster_first_file(roster, b) + k);
        same = memcmp(first.digest, second.digest, sizeof first.digest) == 0;
    }
    return same;
}

static weft_status refuse_twice(const weft_roster *a, const weft_roster *b, weft_error *error)
{
    if (strcmp(a->text, b->text) == 0)
        return weft__fail(error, WEFT_ARGUMENT, "%.150s is given twice", a->text);
    return weft__fail(error, WEFT_ARGUMENT, "%.150s is given twice: %.150s is the same file", a->text,
                      b->text);
}

static weft_status add_ids(weft_roster *roster, const weft_ids *ids, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t number = 0, limit = roster->input.limits.id_limit;
    for (int64_t i = 0; i < weft_ids_count(ids); i++) {
        TRY(weft_ids_add(roster->ids, weft_ids_name(ids, i), &number, error));
        if (number >= limit)
            TRY(weft__fail(error, WEFT_CAPACITY, "%.150s: found id %s, but there is room for only %lld ids",
                           roster->text, weft__shown_briefly(weft_ids_name(ids, i)).text, (long long)limit));
    }
done:
    return status;
}

static weft_status list_ids(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft_ids_create(&roster->memory, &roster->ids, error));
    for (int64_t k = 0; k < roster->part_count; k++)
        TRY(add_ids(roster, roster->parts[k]->ids, error));
    roster->facts.listed = weft_ids_count(roster->ids);
done:
    return status;
}

weft_status weft__roster_join(weft_roster *roster, weft_error *error)
{
    weft_status status = WEFT_OK;
    int missing = WEFT__MISSING_ALONE;
    for (int64_t k = 0; k < roster->part_count; k++) {
        const weft_roster *part = roster->parts[k];
        for (int64_t before = 0; before < k; before++)
            if (is_twice(roster, before, k))
                return refuse_twice(roster->parts[before], part, error);
        missing = missing == WEFT__MISSING_ALONE ? part->spec.missing : missing;
    }
    if (!roster->settled.moved)
        TRY(list_ids(roster, error));
    roster->spec.source = WEFT__SEVERAL;
    roster->spec.missing = missing;
    roster->facts.alone = missing == WEFT__MISSING_ALONE;
    TRY(weft__growth_begin(roster, error));
    for (int64_t k = 0; k < roster->part_count; k++)
        roster->parts[k]->owned = roster->parts[k]->beside = true;
done:
    return status;
}

/* ---- From rosters that were opened already ---- */

/* Their SPECs in one text, to be freed. */
static weft_status join_texts(weft_roster *const *parts, int64_t count, const weft_memory *memory,
                              char **text, weft_error *error)
{
    size_t size = 1;
    for (int64_t k = 0; k < count; k++)
        size += strlen(parts[k]->text) + strlen(WEFT__SPEC_BETWEEN);
    weft_status status = weft__new(memory, (int64_t)size, 1, text, error);
    for (int64_t k = 0, at = 0; k < count && status == WEFT_OK; k++)
        at +=
            snprintf(*text + at, size - (size_t)at, "%s%s", k > 0 ? WEFT__SPEC_BETWEEN : "", parts[k]->text);
    return status;
}

static weft_status check_distinct(weft_roster *const *parts, int64_t count, weft_error *error)
{
    if (count < 1)
        return weft__fail(error, WEFT_ARGUMENT, "count is %lld, expected at least 1", (long long)count);
    for (int64_t k = 0; k < count; k++) {
        if (parts[k] == NULL)
            return weft__fail(error, WEFT_ARGUMENT, "part %lld is NULL", (long long)k);
        for (int64_t before = 0; before < k; before++)
            if (parts[before] == parts[k])
                return weft__fail(error, WEFT_ARGUMENT, "part %lld is part %lld again", (long long)k,
                                  (long long)before);
    }
    return WEFT_OK;
}

/* Takes what has been made of the parts back, so that they are the caller's again. */
static void leave_parts(weft_roster *made)
{
    for (int64_t k = 0; k < made->part_count; k++)
        made->parts[k]->owned = made->parts[k]->beside = false;
    made->part_count = 0;
}

/* In the order of their SPECs, and those of one text as they were given. */
static void sort_parts(weft_roster *const *parts, int64_t count, weft_roster **sorted)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t j = k;
        for (; j > 0 && weft__spec_before(parts[k]->text, sorted[j - 1]->text); j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = parts[k];
    }
}

weft_status weft_roster_combine(weft_roster *const *parts, int64_t count, weft_roster **roster,
                                weft_error *error)
{
    weft_roster *made = NULL, **sorted = NULL;
    char *text = NULL;
    weft_memory memory = weft__memory_or_default(NULL);
    weft_status status = WEFT_OK;
    NEED(parts);
    NEED(roster);
    TRY(check_distinct(parts, count, error));
    if (count == 1) {
        *roster = parts[0];
        return WEFT_OK;
    }
    memory = parts[0]->memory;
    TRY(weft__new(&memory, count, sizeof(weft_roster *), &sorted, error));
    sort_parts(parts, count, sorted);
    TRY(join_texts(sorted, count, &memory, &text, error));
    TRY(weft__roster_begin(text, &parts[0]->input.limits, &made, error));
    made->parts = sorted;
    made->part_count = count;
    sorted = NULL;
    for (int64_t k = 0; k < count; k++)
        made->sources.stored = made->sources.stored || parts[k]->sources.stored;
    status = weft__roster_check_parts(made, error);
    if (status == WEFT_OK)
        status = weft__roster_join(made, error);
    if (status == WEFT_OK)
        *roster = made;
    else
        leave_parts(made);
    made = status == WEFT_OK ? NULL : made;
done:
    weft_roster_free(made);
    weft__delete(&memory, sorted);
    weft__delete(&memory, text);
    return status;
}

/* ---- Sides ---- */

/* All ids that are known so far are vertices of a graph that others join. */
static weft_status join_graph(const weft_roster *roster, weft_roster *part, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t number = 0;
    if (part->spec.missing != WEFT__MISSING_JOIN)
        return WEFT_OK;
    for (int64_t i = 0; i < weft_ids_count(roster->ids); i++)
        if (weft_ids_find(part->ids, weft_ids_name(roster->ids, i)) < 0)
            TRY(weft_roster_admit(part, weft_ids_name(roster->ids, i), NULL, &number, error));
    if (part->settled.moved)
        part->settled.listed = weft_ids_count(part->ids);
done:
    return status;
}

/* numbers[i] = the number that id i has in part k, whose side has `count` ids, or -1 */
static weft_status find_numbers(const weft_roster *roster, int64_t k, int64_t count, int64_t **numbers,
                                weft_error *error)
{
    int64_t ids = weft_ids_count(roster->ids);
    weft_status status = weft__new(&roster->memory, ids, sizeof **numbers, numbers, error);
    for (int64_t i = 0; i < ids && status == WEFT_OK; i++) {
        int64_t number = weft_ids_find(roster->parts[k]->ids, weft_ids_name(roster->ids, i));
        (*numbers)[i] = number < count ? number : -1;
    }
    return status;
}

/* The limits and the wishes for the whole are those for every part. */
static weft_status make_part(const weft_roster *roster, weft_roster *part, weft_error *error)
{
    weft_status status = WEFT_OK;
    part->options.views = roster->options.views;
    if (part->side != NULL)
        return WEFT_OK;
    TRY(join_graph(roster, part, error));
    TRY(weft__roster_make(part, error));
done:
    return status;
}

weft_status weft__roster_sum(weft_roster *roster, const weft_side_options *options, weft_side **side,
                             weft_error *error)
{
    weft__sum_term terms[WEFT_PARTS] = {{0}};
    weft_side_options how = {
        .memory = options->memory, .budget = options->budget, .progress = options->progress};
    weft_status status = WEFT_OK;
    roster->facts.shortened = 0;
    for (int64_t k = 0; k < roster->part_count; k++) {
        TRY(make_part(roster, roster->parts[k], error));
        terms[k].side = roster->parts[k]->side;
        roster->facts.shortened += roster->parts[k]->facts.shortened;
        TRY(find_numbers(roster, k, weft_side_count(terms[k].side), &terms[k].number_of, error));
    }
    TRY(weft__side_sum(terms, roster->part_count, weft_ids_count(roster->ids), &how, side, error));
done:
    for (int64_t k = 0; k < roster->part_count; k++)
        weft__delete(&roster->memory, terms[k].number_of);
    return status;
}

/* ---- Views ---- */

/* Classes stay what they are, which others know how to make use of.  An id that another part lists is one of
 * its own; those behind them, which only the stream has, are alone whenever they come. */
static weft_status lift_classes(const weft_roster *roster, const weft_side *side, const int64_t *numbers,
                                const weft_side_options *options, weft_side **lifted, weft_error *error)
{
    weft__nature nature = side->ops->nature(side);
    int64_t *class_of = NULL, ids = roster->facts.listed;
    weft_status status = WEFT_OK;
    for (int64_t i = ids; i < weft_ids_count(roster->ids); i++)
        ids = numbers[i] >= 0 ? i + 1 : ids;
    TRY(weft__new(options->memory, ids, sizeof *class_of, &class_of, error));
    for (int64_t i = 0; i < ids; i++) {
        weft_item item = {.alone = true};
        if (numbers[i] >= 0)
            side->ops->item(side, numbers[i], &item);
        class_of[i] = item.alone ? nature.classes + i : item.class_of;
    }
    TRY(weft_side_from_classes(ids, class_of, nature.own, options, lifted, error));
done:
    weft__delete(options->memory, class_of);
    return status;
}

weft_status weft__roster_lift(const weft_roster *roster, int64_t k, const weft_side *side,
                              const weft_side_options *options, weft_side **lifted, weft_error *error)
{
    weft__sum_term term = {.side = side};
    int64_t ids = weft_ids_count(roster->ids);
    weft_status status = WEFT_OK;
    TRY(find_numbers(roster, k, weft_side_count(side), &term.number_of, error));
    bool classes = side->ops->nature != NULL && side->ops->nature(side).classes > 0;
    if (classes && roster->settled.moved)
        TRY(weft__growth_lift(roster, k, side, options, lifted, error));
    else if (classes)
        TRY(lift_classes(roster, side, term.number_of, options, lifted, error));
    else
        TRY(weft__side_sum(&term, 1, ids, options, lifted, error));
done:
    weft__delete(&roster->memory, term.number_of);
    return status;
}

const char *weft__roster_part_name(const weft_roster *roster, int64_t k)
{
    const weft_roster *part = roster->parts[k];
    const char *folder = strrchr(part->spec.path, '/');
    for (int64_t other = 0; other < roster->part_count; other++)
        if (other != k && roster->parts[other]->spec.source == part->spec.source)
            return folder != NULL ? folder + 1 : part->spec.path;
    return weft__spec_kind_name(&part->spec);
}
