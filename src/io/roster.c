/* SPDX-License-Identifier: MIT
 * The ids of one side by name, and the side information made for them. */
#include "io/roster.h"

#include "io/contents.h"
#include "io/hints.h"

#include <stdio.h>
#include <string.h>

/* Invariant: ids 0..listed-1 are those of the file, in its order; the rest was
 * let in.  Once `side` is there, it has as many ids as `ids`. */
struct weft_roster {
    weft_memory memory;
    weft_file_options options;
    char *text; /* the SPEC as typed */
    weft__spec spec;
    weft__sources sources;
    weft_ids *ids;
    weft__contents contents; /* freed by build */
    weft_side *side;
    weft_roster_facts facts;
};

static weft_status begin_roster(const char *spec, const weft_file_options *options, weft_roster **roster,
                                weft_error *error)
{
    weft_roster *made = NULL;
    weft_file_options filled = {0};
    weft_status status = WEFT_OK;
    TRY(weft__file_options(options, &filled, error));
    weft_memory memory = weft__memory(filled.memory);
    TRY(weft__new(&memory, 1, sizeof *made, &made, error));
    made->memory = memory;
    made->options = filled;
    made->options.memory = &made->memory;
    made->options.sources = &made->sources;
    made->sources = (weft__sources){.memory = memory, .keep = filled.keep};
    TRY(weft__new(&memory, (int64_t)strlen(spec) + 1, 1, &made->text, error));
    memcpy(made->text, spec, strlen(spec));
    TRY(weft__spec_parse(spec, &memory, &made->spec, error));
    made->facts.alone = made->spec.missing == WEFT__MISSING_ALONE;
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

/* Exchanged rather than copied, so that what is left behind can be freed too. */
static void exchange_sources(weft_roster *roster, weft__sources *sources)
{
    weft__sources own = roster->sources;
    roster->sources = *sources;
    *sources = own;
}

weft_status weft__roster_open(const char *spec, const weft_file_options *options, weft__sources *stored,
                              weft_roster **roster, weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    TRY(begin_roster(spec, options, &made, error));
    if (stored != NULL)
        exchange_sources(made, stored);
    TRY(weft_ids_create(&made->memory, &made->ids, error));
    if (made->spec.source != WEFT__NONE)
        TRY(weft__contents_read(&made->spec, &made->options, made->ids, &made->contents, error));
    if (made->sources.next != (stored != NULL ? made->sources.count : 0))
        TRY(weft__fail(error, WEFT_MODEL, "found %lld embedded files, expected %lld",
                       (long long)made->sources.count, (long long)made->sources.next));
    made->facts.listed = weft_ids_count(made->ids);
    made->facts.classes = made->contents.classes;
    made->facts.edges = made->contents.edges;
    made->facts.dimension = made->spec.source == WEFT__FEATURES ? made->contents.dimension : 0;
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

weft_status weft_roster_open(const char *spec, const weft_file_options *options, weft_roster **roster,
                             weft_error *error)
{
    return weft__roster_open(spec, options, NULL, roster, error);
}

weft_status weft__roster_look(const char *spec, const weft_file_options *options, weft__known_ids *known,
                              weft_roster **roster, weft_error *error)
{
    weft_roster *made = NULL;
    weft_status status = WEFT_OK;
    TRY(begin_roster(spec, options, &made, error));
    TRY(weft_side_none(weft_ids_count(known->ids), &(weft_side_options){.memory = &made->memory}, &made->side,
                       error));
    exchange_sources(made, &known->sources);
    made->ids = known->ids;
    known->ids = NULL;
    made->facts.listed = known->listed;
    made->facts.let_in = weft_ids_count(made->ids) - known->listed;
    *roster = made;
    made = NULL;
done:
    weft_roster_free(made);
    return status;
}

void weft__roster_limit(weft_roster *roster, int64_t capacity)
{
    roster->options.id_limit = capacity;
}

void weft_roster_free(weft_roster *roster)
{
    if (roster == NULL)
        return;
    weft_memory memory = roster->memory;
    weft_side_free(roster->side);
    weft__contents_free(&roster->contents, &memory);
    weft_ids_free(roster->ids);
    weft__spec_free(&roster->spec, &memory);
    weft__sources_free(&roster->sources);
    weft__delete(&memory, roster->text);
    weft__delete(&memory, roster);
}

/* "file:line: ", or nothing where the id stands in no file. */
typedef struct shown_place {
    char text[320];
} shown_place;

static shown_place show_place(const weft_event *event)
{
    shown_place place = {{0}};
    if (event != NULL && event->file != NULL)
        snprintf(place.text, sizeof place.text, "%.290s:%lld: ", event->file, (long long)event->line);
    return place;
}

/* Whether a new id may come in, or which error it is. */
static weft_status refuse_id(const weft_roster *roster, const char *name, const weft_event *event,
                             weft_error *error)
{
    const weft__spec *spec = &roster->spec;
    shown_place place = show_place(event);
    if (spec->source != WEFT__NONE && spec->missing == WEFT__MISSING_ERROR)
        return weft__fail(error, WEFT_UNKNOWN_ID,
                          "%sfound id %s, expected one of the %lld ids of %s (missing=alone lets others "
                          "in)%s",
                          place.text, weft__shown(name).text, (long long)roster->facts.listed,
                          weft__shown_path(spec->path),
                          weft__hint_id(roster->ids, roster->facts.listed, name).text);
    if (spec->missing == WEFT__MISSING_JOIN && roster->side != NULL)
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "%sfound id %s, which %s lacks, but a graph cannot take new vertices once "
                          "learning has begun (missing=alone lets it in)",
                          place.text, weft__shown(name).text, weft__shown_path(spec->path));
    if (weft_ids_count(roster->ids) >= roster->options.id_limit)
        return weft__fail(error, WEFT_CAPACITY, "%sfound id %s, but there is room for only %lld ids",
                          place.text, weft__shown(name).text, (long long)roster->options.id_limit);
    return WEFT_OK;
}

weft_status weft_roster_admit(weft_roster *roster, const char *name, const weft_event *event, int64_t *number,
                              weft_error *error)
{
    static const weft_item alone = {.alone = true};
    weft_status status = WEFT_OK;
    int64_t known = weft_ids_find(roster->ids, name);
    if (known >= 0) {
        *number = known;
        return WEFT_OK;
    }
    TRY(refuse_id(roster, name, event, error));
    /* A name added before a failed append would break the invariant; an
     * appended id without a name is found again by the next one. */
    if (roster->side != NULL && weft_side_count(roster->side) == weft_ids_count(roster->ids))
        TRY(weft_side_append(roster->side, &alone, error));
    TRY(weft_ids_add(roster->ids, name, number, error));
    roster->facts.let_in++;
done:
    return status;
}

/* ---- From the contents of a file to a side ---- */

static weft_status build_features(const weft_roster *roster, const weft_side_options *options,
                                  weft_side **side, weft_error *error)
{
    const weft__spec *spec = &roster->spec;
    const double parameters[] = {spec->epsilon, spec->width, spec->range};
    weft_features features = {.count = roster->facts.listed,
                              .dimension = roster->contents.dimension,
                              .values = roster->contents.values,
                              .kernel = (weft_kernel)spec->kernel,
                              .parameter = parameters[spec->kernel]};
    return weft_side_from_features(&features, options, side, error);
}

static weft_status build_graph(const weft_roster *roster, const weft_side_options *options, weft_side **side,
                               weft_error *error)
{
    const weft__contents *contents = &roster->contents;
    const weft__spec *spec = &roster->spec;
    bool joins = spec->missing == WEFT__MISSING_JOIN;
    weft_graph graph = {.vertices = joins ? weft_ids_count(roster->ids) : roster->facts.listed,
                        .edges = contents->edges,
                        .from = contents->from,
                        .to = contents->to,
                        .weight = contents->weight,
                        .connect = spec->connect != 0,
                        .kernel = (weft_graph_kernel)spec->graph_kernel,
                        .parameter = spec->graph_kernel == WEFT_REGULARISED ? spec->sigma : spec->time,
                        .normalised = spec->normalised != 0,
                        .unit = spec->unit != 0,
                        .budget = roster->options.graph_budget};
    return weft_side_from_graph(&graph, options, side, error);
}

static weft_status build_kernel(weft_roster *roster, const weft_side_options *options, weft_side **side,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = roster->facts.listed;
    if (roster->spec.repair != WEFT__REPAIR_ERROR)
        TRY(weft__kernel_repair(roster->contents.values, n, (weft__repair)roster->spec.repair,
                                &roster->memory, &roster->facts, error));
    TRY(weft_side_from_kernel(n, roster->contents.values, options, side, error));
done:
    return status;
}

static weft_status build_kind(weft_roster *roster, const weft_side_options *options, weft_side **side,
                              weft_error *error)
{
    const weft__contents *contents = &roster->contents;
    int64_t listed = roster->facts.listed;
    switch (roster->spec.source) {
    case WEFT__NONE:
        return weft_side_none(weft_ids_count(roster->ids), options, side, error);
    case WEFT__CLASSES:
        return weft_side_from_classes(listed, contents->class_of, roster->spec.epsilon, options, side, error);
    case WEFT__GRAPH:
        return build_graph(roster, options, side, error);
    case WEFT__KERNEL:
        return build_kernel(roster, options, side, error);
    case WEFT__MATRIX:
        return weft_side_from_matrix(listed, contents->values, options, side, error);
    case WEFT__FEATURES:
        return build_features(roster, options, side, error);
    }
    return WEFT_OK;
}

/* ---- Failures of the constructors, in the words of the user ---- */

/* A failure of a graph names two edges that are one, or two vertices. */
static bool names_edges(const weft__contents *contents, const int64_t at[2])
{
    if (at[0] < 0 || at[1] < 0 || at[0] >= contents->edges || at[1] >= contents->edges)
        return false;
    int64_t a = contents->from[at[0]], b = contents->to[at[0]];
    int64_t c = contents->from[at[1]], d = contents->to[at[1]];
    bool same = (a == c && b == d) || (a == d && b == c);
    return same && contents->weight[at[0]] != contents->weight[at[1]];
}

static weft_status tell_edges(const weft_roster *roster, const int64_t at[2], weft_error *error)
{
    const weft__contents *contents = &roster->contents;
    return weft__fail_at(error, WEFT_INPUT, at[0], at[1],
                         "%s:%lld: found edge %s %s with weight %g, expected %g as on line %lld",
                         weft__shown_path(roster->spec.path), (long long)contents->line[at[0]],
                         weft__shown(weft_ids_name(roster->ids, contents->from[at[0]])).text,
                         weft__shown(weft_ids_name(roster->ids, contents->to[at[0]])).text,
                         contents->weight[at[0]], contents->weight[at[1]], (long long)contents->line[at[1]]);
}

/* What the user can do about it. */
static const char *hint_of(const weft_roster *roster, const char *message)
{
    bool shape = strstr(message, "semidefinite") != NULL || strstr(message, "symmetric") != NULL ||
                 strstr(message, "negative") != NULL;
    if (roster->spec.source == WEFT__KERNEL && roster->spec.repair == WEFT__REPAIR_ERROR && shape)
        return " (repair=clip or repair=shift mends a kernel: clip drops negative eigenvalues, shift adds to "
               "the diagonal)";
    if (roster->spec.source == WEFT__FEATURES && strstr(message, "is zero") != NULL)
        return " (all vectors are zero: epsilon above 0 gives them a weight)";
    return "";
}

/* Puts the file before the message and the names of the ids behind it. */
static void tell_names(const weft_roster *roster, weft_error *error)
{
    weft_error inner = *error;
    bool vectors = roster->spec.source == WEFT__FEATURES; /* at[1] is a coordinate */
    const char *path = weft__shown_path(roster->spec.path);
    const char *first = weft_ids_name(roster->ids, inner.at[0]);
    const char *second =
        vectors || inner.at[1] == inner.at[0] ? NULL : weft_ids_name(roster->ids, inner.at[1]);
    const char *hint = hint_of(roster, inner.message);
    if (first == NULL)
        weft__fail_at(error, inner.status, inner.at[0], inner.at[1], "%s: %.300s%s", path, inner.message,
                      hint);
    else
        weft__fail_at(error, inner.status, inner.at[0], inner.at[1], "%s: id %s%s%s: %.300s%s", path,
                      weft__shown(first).text, second != NULL ? " and id " : "",
                      second != NULL ? weft__shown(second).text : "", inner.message, hint);
}

static weft_status tell_failure(const weft_roster *roster, weft_status status, weft_error *error)
{
    if (error == NULL || roster->spec.path == NULL || status == WEFT_MEMORY)
        return status;
    int64_t at[2] = {error->at[0], error->at[1]};
    if (roster->spec.source == WEFT__GRAPH && names_edges(&roster->contents, at))
        tell_edges(roster, at, error);
    else
        tell_names(roster, error);
    return status;
}

/* Ids that are not even similar to themselves: all-zero features, for one. */
static void count_zeros(weft_roster *roster)
{
    weft_roster_facts *facts = &roster->facts;
    if (roster->spec.source == WEFT__NONE || roster->spec.source == WEFT__CLASSES)
        return;
    for (int64_t k = 0; k < facts->listed; k++)
        if (weft_side_entry(roster->side, k, k) == 0 && facts->zeros++ == 0)
            facts->first_zero = k;
}

weft_status weft_roster_build(weft_roster *roster, weft_error *error)
{
    static const weft_item alone = {.alone = true};
    weft_side_options options = {.memory = &roster->memory, .radius = roster->spec.radius};
    weft_side *side = NULL;
    weft_status status = WEFT_OK;
    if (roster->side != NULL)
        return weft__fail(error, WEFT_ARGUMENT, "the side information is made already");
    status = build_kind(roster, &options, &side, error);
    if (status != WEFT_OK)
        return tell_failure(roster, status, error);
    while (weft_side_count(side) < weft_ids_count(roster->ids))
        TRY(weft_side_append(side, &alone, error));
    weft__contents_free(&roster->contents, &roster->memory);
    roster->side = side;
    side = NULL;
    count_zeros(roster);
done:
    weft_side_free(side);
    return status;
}

const weft_side *weft_roster_side(const weft_roster *roster)
{
    return roster->side;
}

const weft_ids *weft_roster_ids(const weft_roster *roster)
{
    return roster->ids;
}

weft_roster_facts weft_roster_report(const weft_roster *roster)
{
    return roster->facts;
}

bool weft_roster_agrees(const weft_roster *a, const weft_roster *b)
{
    return weft__spec_agrees(&a->spec, &b->spec);
}

const char *weft_roster_spec(const weft_roster *roster)
{
    return roster->text;
}

int64_t weft_roster_source_count(const weft_roster *roster)
{
    return roster->sources.count;
}

weft_source weft_roster_source(const weft_roster *roster, int64_t k)
{
    if (k < 0 || k >= roster->sources.count)
        return (weft_source){0};
    const weft__source_file *file = roster->sources.items[k];
    return (weft_source){file->path, file->size, {file->digest.half[0], file->digest.half[1]}, file->bytes};
}
