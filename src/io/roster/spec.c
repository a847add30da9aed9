/* SPDX-License-Identifier: MIT
 *
 *     SPEC   = none *( "," OPTION )  |  KIND ":" FILE *( "," OPTION )
 *     OPTION = NAME "=" VALUE, each name at most once
 *
 * but skip= is given as often as there are names.  Inside FILE, also that of ids=FILE, and inside the name of
 * id=NAME and skip=NAME, "\," and "\\" stand for a comma and a backslash. */
#include "io/roster/spec_map.h"

#include "io/text/text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const source_names[] = {"none",   "classes",  "graph", "kernel",
                                           "matrix", "features", "table"};

enum { SOURCES = sizeof source_names / sizeof *source_names };

/* Words that an option takes, in the order of its values. */
typedef const char *words[5];

static const words missing_words = {"error", "alone", "join"};
static const words repair_words = {"error", "clip", "shift"};
static const words connect_words = {"error", "star"};
static const words kernel_words = {"linear", "gaussian", "min"};
static const words graph_words = {"pdlaplacian", "regularised", "diffusion", "none"};
static const words laplacian_words = {"plain", "normalised"};
static const words scale_words = {"none", "unit"};
static const words names_words = {"kept", "hashed"};

typedef struct option {
    const char *name;
    const words *words; /* NULL: a number, or what `set` takes */
    size_t place;       /* of the int or double in weft__spec */
    double least;       /* of a number */
    bool open;          /* the least itself is not allowed */
    unsigned sources;   /* bit set of the kinds that have it */
    weft_status (*set)(const char *value, weft__spec *spec, weft_error *error);
} option;

#define IN(source) (1u << WEFT__##source)

static const option options[] = {
    {"missing", &missing_words, offsetof(weft__spec, missing), 0, false, ~0u, NULL},
    {"radius", NULL, offsetof(weft__spec, radius), 0, true, ~IN(TABLE), NULL},
    {"map", NULL, offsetof(weft__spec, map), 0, false, ~IN(TABLE), weft__spec_set_map},
    {"seed", NULL, offsetof(weft__spec, map), 0, false, ~IN(TABLE), weft__spec_set_seed},
    {"names", &names_words, offsetof(weft__spec, hashed), 0, false, IN(NONE), NULL},
    {"epsilon", NULL, offsetof(weft__spec, epsilon), 0, false, IN(CLASSES) | IN(FEATURES), NULL},
    {"connect", &connect_words, offsetof(weft__spec, connect), 0, false, IN(GRAPH), NULL},
    {"kernel", &graph_words, offsetof(weft__spec, graph_kernel), 0, false, IN(GRAPH), NULL},
    {"sigma", NULL, offsetof(weft__spec, sigma), 0, true, IN(GRAPH), NULL},
    {"time", NULL, offsetof(weft__spec, time), 0, true, IN(GRAPH), NULL},
    {"laplacian", &laplacian_words, offsetof(weft__spec, normalised), 0, false, IN(GRAPH), NULL},
    {"scale", &scale_words, offsetof(weft__spec, unit), 0, false, IN(GRAPH), NULL},
    {"repair", &repair_words, offsetof(weft__spec, repair), 0, false, IN(KERNEL), NULL},
    {"kernel", &kernel_words, offsetof(weft__spec, kernel), 0, false, IN(FEATURES), NULL},
    {"width", NULL, offsetof(weft__spec, width), 0, true, IN(FEATURES), NULL},
    {"range", NULL, offsetof(weft__spec, range), 2, false, IN(FEATURES), NULL},
};

enum { OPTIONS = sizeof options / sizeof *options };

static weft_status find_source(const char *text, size_t length, weft__source_kind *source, weft_error *error)
{
    for (int k = 0; k < SOURCES; k++)
        if (strlen(source_names[k]) == length && strncmp(text, source_names[k], length) == 0) {
            *source = (weft__source_kind)k;
            return WEFT_OK;
        }
    weft__shown_text found = weft__shown_briefly(text);
    bool plain = *text != 0 && strchr(text, ':') == NULL;
    return weft__fail(error, WEFT_ARGUMENT,
                      "%s: found no kind of side information, expected none, classes:FILE, graph:FILE, "
                      "kernel:FILE, matrix:FILE, features:FILE or table:FILE%s%s",
                      found.text, plain ? "; is it a file with a header? Then it is table:" : "",
                      plain ? text : "");
}

/* Copies FILE without its escapes and leaves *text at the comma behind it. */
static weft_status take_path(const char **text, const weft_memory *memory, char **path, weft_error *error)
{
    const char *c = *text;
    char *copy = NULL;
    weft_status status = weft__new(memory, (int64_t)strlen(c) + 1, 1, &copy, error);
    if (status != WEFT_OK)
        return status;
    *path = copy;
    while (*c != 0 && *c != ',') {
        if (*c == '\\' && (c[1] == ',' || c[1] == '\\'))
            c++;
        *copy++ = *c++;
    }
    *text = c;
    return WEFT_OK;
}

/* Words of the option that this kind has: only ids of a graph join it. */
static int count_words(const option *known, const weft__spec *spec)
{
    int count = 0;
    while ((*known->words)[count] != NULL)
        count++;
    bool joins = known->words != &missing_words || spec->source == WEFT__GRAPH;
    return joins ? count : WEFT__MISSING_JOIN;
}

static weft_status set_word(const option *known, const char *value, weft__spec *spec, weft_error *error)
{
    const words *list = known->words;
    int *place = (int *)(void *)((char *)spec + known->place), count = count_words(known, spec);
    char expected[96] = "";
    size_t used = 0;
    for (int k = 0; k < count; k++) {
        const char *before = k == 0 ? "" : k == count - 1 && count > 2 ? " or " : ", ";
        if (strcmp((*list)[k], value) == 0) {
            *place = k;
            return WEFT_OK;
        }
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", before, (*list)[k]);
    }
    return weft__fail(error, WEFT_ARGUMENT, "%s=%s: found %s, expected %s", known->name, value,
                      weft__shown_briefly(value).text, expected);
}

static weft_status set_number(const option *known, const char *value, weft__spec *spec, weft_error *error)
{
    double number = 0;
    double *place = (double *)(void *)((char *)spec + known->place);
    bool fits =
        weft__parse_number(value, &number) && (known->open ? number > known->least : number >= known->least);
    if (!fits)
        return weft__fail(error, WEFT_ARGUMENT, "%s=: found %s, expected a number %s %g", known->name,
                          weft__shown_briefly(value).text, known->open ? "above" : "of at least",
                          known->least);
    *place = number;
    return WEFT_OK;
}

static weft_status set_option(const char *name, const char *value, weft__spec *spec, unsigned *seen,
                              weft_error *error)
{
    for (int k = 0; k < OPTIONS; k++) {
        if (strcmp(options[k].name, name) != 0 || (options[k].sources >> spec->source & 1u) == 0)
            continue;
        if ((*seen >> k & 1u) != 0)
            return weft__fail(error, WEFT_ARGUMENT, "%s= is given twice, expected it once", name);
        *seen |= 1u << k;
        if (options[k].set != NULL)
            return options[k].set(value, spec, error);
        return options[k].words != NULL ? set_word(&options[k], value, spec, error)
                                        : set_number(&options[k], value, spec, error);
    }
    return weft__fail(error, WEFT_ARGUMENT, "found %s, which is not an option of %s",
                      weft__shown_briefly(name).text, source_names[spec->source]);
}

/* An option that takes any text: its kinds, where it goes, and what it names; and whether it may be given
 * again. */
typedef struct text_option {
    const char *name;
    unsigned sources;
    size_t place; /* of the char * in weft__spec */
    const char *what;
    bool again;
} text_option;

static const text_option text_options[] = {
    {",ids=", IN(KERNEL) | IN(MATRIX) | IN(GRAPH), offsetof(weft__spec, ids_path), "a file", false},
    {",id=", IN(TABLE), offsetof(weft__spec, id_column), "the name of a column", false},
    {",skip=", IN(TABLE), offsetof(weft__spec, skipped), "the name of a column", true},
};

/* *list becomes itself and the name as a further line. */
static weft_status add_line(const char *name, const weft_memory *memory, char **list, weft_error *error)
{
    weft_status status = WEFT_OK;
    size_t size = (*list != NULL ? strlen(*list) : 0) + strlen(name) + 2;
    char *longer = NULL;
    TRY(weft__new(memory, (int64_t)size, 1, &longer, error));
    snprintf(longer, size, "%s%s%s", *list != NULL ? *list : "", *list != NULL ? "\n" : "", name);
    weft__delete(memory, *list);
    *list = longer;
done:
    return status;
}

/* Takes `,ids=FILE`, `,id=NAME` or `,skip=NAME` at *text, if it is that. */
static weft_status take_text(const char **text, const weft_memory *memory, weft__spec *spec,
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    char *value = NULL;
    for (size_t k = 0; k < sizeof text_options / sizeof *text_options; k++) {
        const text_option *known = &text_options[k];
        char **place = (char **)(void *)((char *)spec + known->place);
        size_t length = strlen(known->name);
        if (strncmp(*text, known->name, length) != 0 || (known->sources >> spec->source & 1u) == 0)
            continue;
        const char *at = *text + length;
        if (*place != NULL && !known->again)
            return weft__fail(error, WEFT_ARGUMENT, "%s is given twice, expected it once", known->name + 1);
        TRY(take_path(&at, memory, &value, error));
        if (*value == 0)
            TRY(weft__fail(error, WEFT_ARGUMENT, "%s: found nothing, expected %s", known->name + 1,
                           known->what));
        TRY(add_line(value, memory, place, error));
        *text = at;
        break;
    }
done:
    weft__delete(memory, value);
    return status;
}

/* Takes `,name=value` at *text. */
static weft_status take_option(const char **text, weft__spec *spec, unsigned *seen, weft_error *error)
{
    enum { LONGEST = 64 };
    char word[LONGEST];
    const char *start = *text + 1;
    size_t length = strcspn(start, ",");
    if (**text != ',' || length >= sizeof word)
        return weft__fail(error, WEFT_ARGUMENT, "found %s, expected ,option=value",
                          weft__shown_briefly(*text).text);
    memcpy(word, start, length);
    word[length] = 0;
    char *equals = strchr(word, '=');
    if (equals == NULL)
        return weft__fail(error, WEFT_ARGUMENT,
                          "found %s, expected option=value (a comma in a file name is written \\,)",
                          weft__shown_briefly(word).text);
    *equals = 0;
    *text = start + length;
    return set_option(word, equals + 1, spec, seen, error);
}

/* The bit of this option of the kind. */
static unsigned named_by(const weft__spec *spec, const char *name)
{
    for (int k = 0; k < OPTIONS; k++)
        if (strcmp(options[k].name, name) == 0 && (options[k].sources >> spec->source & 1u) != 0)
            return 1u << k;
    return 0;
}

/* What every kernel of features needs, and what it cannot use. */
static weft_status check_features(const weft__spec *spec, unsigned seen, weft_error *error)
{
    static const char *const needs[] = {"epsilon", "width", "range"};
    if (spec->source != WEFT__FEATURES)
        return WEFT_OK;
    if (spec->kernel < 0 && (seen & ~named_by(spec, "missing")) != 0)
        return weft__fail(
            error, WEFT_ARGUMENT,
            "features without a kernel, which are played as a table, take missing= alone, expected "
            "kernel=linear,epsilon=E or kernel=gaussian,width=W or kernel=min,range=R");
    for (int k = 0; k < OPTIONS && spec->kernel >= 0; k++)
        for (int need = 0; need < 3; need++) {
            bool given = (seen >> k & 1u) != 0, wanted = need == spec->kernel;
            if (strcmp(options[k].name, needs[need]) == 0 && given != wanted)
                return weft__fail(error, WEFT_ARGUMENT, "kernel=%s %s %s=", kernel_words[spec->kernel],
                                  wanted ? "needs" : "does not take", needs[need]);
        }
    return WEFT_OK;
}

static bool was_given(const weft__spec *spec, unsigned seen, const char *name)
{
    return (seen & named_by(spec, name)) != 0;
}

#define KERNEL(kernel) (1u << (kernel))

/* The same for graphs, of which two kernels need a number, only one joins components, and where there is none
 * nothing can be said of it. */
static weft_status check_graph(const weft__spec *spec, unsigned seen, weft_error *error)
{
    static const struct {
        const char *option;
        unsigned kernels; /* bit set of those that have it */
        bool needed;
    } own[] = {{"sigma", KERNEL(WEFT_REGULARISED), true},    {"time", KERNEL(WEFT_DIFFUSION), true},
               {"connect", KERNEL(WEFT_PDLAPLACIAN), false}, {"laplacian", ~KERNEL(WEFT_NO_KERNEL), false},
               {"scale", ~KERNEL(WEFT_NO_KERNEL), false},    {"map", ~KERNEL(WEFT_NO_KERNEL), false}};
    if (spec->source != WEFT__GRAPH)
        return WEFT_OK;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        bool given = was_given(spec, seen, own[k].option),
             wanted = (own[k].kernels >> spec->graph_kernel & 1u) != 0;
        if (given != wanted && (given || own[k].needed))
            return weft__fail(error, WEFT_ARGUMENT, "kernel=%s %s %s=", graph_words[spec->graph_kernel],
                              wanted ? "needs" : "does not take", own[k].option);
    }
    return WEFT_OK;
}

/* The kernel that a map is to stand for. */
static const char *describe_kernel(const weft__spec *spec)
{
    static const char *const features[] = {"kernel=linear", "kernel=gaussian", "kernel=min"};
    bool kernel = spec->source == WEFT__FEATURES && spec->kernel >= 0;
    return kernel ? features[spec->kernel] : source_names[spec->source];
}

static weft_status parse_words(const char *text, const weft_memory *memory, weft__spec *spec,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    unsigned seen = 0;
    size_t length = strcspn(text, ":,");
    TRY(find_source(text, length, &spec->source, error));
    const char *rest = text + length;
    if ((spec->source == WEFT__NONE) != (*rest != ':'))
        return weft__fail(error, WEFT_ARGUMENT, "found %s, expected %s", weft__shown_briefly(text).text,
                          spec->source == WEFT__NONE ? "none without a file" : "a colon and a file");
    spec->epsilon = spec->source == WEFT__CLASSES ? 0.1 : 0;
    spec->missing = WEFT__MISSING_ALONE;
    if (*rest == ':') {
        rest++;
        TRY(take_path(&rest, memory, &spec->path, error));
        if (*spec->path == 0)
            return weft__fail(error, WEFT_ARGUMENT, "found %s, expected a file after the colon",
                              weft__shown_briefly(text).text);
    }
    while (*rest != 0) {
        const char *before = rest;
        TRY(take_text(&rest, memory, spec, error));
        if (rest == before)
            TRY(take_option(&rest, spec, &seen, error));
    }
    TRY(check_features(spec, seen, error));
    TRY(check_graph(spec, seen, error));
    spec->kernel_is_open =
        spec->source == WEFT__GRAPH && (seen & ~(named_by(spec, "missing") | named_by(spec, "connect"))) == 0;
    TRY(weft__spec_check_map(spec, describe_kernel(spec), was_given(spec, seen, "seed"), error));
done:
    return status;
}

weft_status weft__spec_parse(const char *text, const weft_memory *memory, weft__spec *spec, weft_error *error)
{
    weft__spec parsed = {.connect = 1, .kernel = -1};
    weft_status status = parse_words(text, memory, &parsed, error);
    if (status == WEFT_OK)
        *spec = parsed;
    else
        weft__spec_free(&parsed, memory);
    return status;
}

void weft__spec_free(weft__spec *spec, const weft_memory *memory)
{
    weft__delete(memory, spec->path);
    weft__delete(memory, spec->ids_path);
    weft__delete(memory, spec->id_column);
    weft__delete(memory, spec->skipped);
    spec->path = spec->ids_path = spec->id_column = spec->skipped = NULL;
}

static bool same_option(const option *o, const weft__spec *a, const weft__spec *b)
{
    size_t size = o->set != NULL ? sizeof a->map : o->words != NULL ? sizeof(int) : sizeof(double);
    return memcmp((const char *)a + o->place, (const char *)b + o->place, size) == 0;
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

const char *weft__spec_kind_name(const weft__spec *spec)
{
    return spec->source == WEFT__SEVERAL ? "sum" : source_names[spec->source];
}

bool weft__spec_is_table(const weft__spec *spec)
{
    return spec->source == WEFT__TABLE || (spec->source == WEFT__FEATURES && spec->kernel < 0);
}

bool weft__spec_agrees(const weft__spec *a, const weft__spec *b)
{
    bool same = a->source == b->source && (a->ids_path == NULL) == (b->ids_path == NULL) &&
                same_text(a->id_column, b->id_column) && same_text(a->skipped, b->skipped);
    for (int k = 0; k < OPTIONS; k++)
        same = same && same_option(&options[k], a, b);
    return same;
}
