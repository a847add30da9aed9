/* SPDX-License-Identifier: MIT
 *
 * Several SPECs of one side have an order of their own, by kind and then by their text, so that it does not
 * matter in which they were given: ids are numbered and kernels are added in that order.  It is not one of
 * contents, which change as files grow.  A model has the order in which it was made, and SPECs that are given
 * in place of its own are put into that. */
#include "io/roster/roster.h"
#include "io/roster/spec.h"

#include <stdio.h>
#include <string.h>

/* Tables first, which usually list all ids. */
static int rank_of(const char *spec)
{
    static const char *const kinds[] = {"table", "features", "classes", "graph", "kernel", "matrix"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    size_t length = strcspn(spec, ":,");
    for (int k = 0; k < KINDS; k++)
        if (strlen(kinds[k]) == length && strncmp(kinds[k], spec, length) == 0)
            return k;
    return KINDS;
}

bool weft__spec_before(const char *a, const char *b)
{
    int difference = rank_of(a) - rank_of(b);
    return difference != 0 ? difference < 0 : strcmp(a, b) < 0;
}

/* SPECs that are parted, and put together again in the order of `part`. */
typedef struct spec_parts {
    char *part[WEFT_PARTS];
    int64_t count;
} spec_parts;

static void free_parts(spec_parts *parts, const weft_memory *memory)
{
    for (int64_t k = 0; k < parts->count; k++)
        weft__delete(memory, parts->part[k]);
    parts->count = 0;
}

static weft_status take_apart(const char *text, const weft_memory *memory, spec_parts *parts,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t count = weft__spec_count(text);
    for (int64_t k = 0; k < count; k++) {
        TRY(weft__spec_part(text, k, memory, &parts->part[k], error));
        parts->count++;
    }
done:
    return status;
}

static weft_status put_together(const spec_parts *parts, size_t size, const weft_memory *memory, char **text,
                                weft_error *error)
{
    weft_status status = weft__new(memory, (int64_t)size + 1, 1, text, error);
    if (status != WEFT_OK)
        return status;
    size_t used = 0;
    for (int64_t k = 0; k < parts->count; k++)
        used += (size_t)snprintf(*text + used, size + 1 - used, "%s%s", k > 0 ? WEFT__SPEC_BETWEEN : "",
                                 parts->part[k]);
    return WEFT_OK;
}

static void exchange(spec_parts *parts, int64_t a, int64_t b)
{
    char *part = parts->part[a];
    parts->part[a] = parts->part[b];
    parts->part[b] = part;
}

weft_status weft__spec_sort(const char *text, const weft_memory *memory, char **sorted, weft_error *error)
{
    spec_parts parts = {.count = 0};
    weft_status status = WEFT_OK;
    if (weft__spec_count(text) > WEFT_PARTS)
        return weft__new_text(memory, text, sorted, error); /* to be refused */
    TRY(take_apart(text, memory, &parts, error));
    for (int64_t k = 1; k < parts.count; k++)
        for (int64_t j = k; j > 0 && weft__spec_before(parts.part[j], parts.part[j - 1]); j--)
            exchange(&parts, j, j - 1);
    TRY(put_together(&parts, strlen(text), memory, sorted, error));
done:
    free_parts(&parts, memory);
    return status;
}

/* ---- In the order of a model ---- */

static const char *file_name(const weft__spec *spec)
{
    const char *slash = spec->path != NULL ? strrchr(spec->path, '/') : NULL;
    return slash != NULL ? slash + 1 : spec->path;
}

/* 0: another kind, or other words; 1: the same but for its file; 2: and a file of the same name. */
static int likeness(const char *given, const char *stored, const weft_memory *memory)
{
    weft__spec a = {0}, b = {0};
    int alike = 0;
    if (weft__spec_parse(given, memory, &a, NULL) == WEFT_OK &&
        weft__spec_parse(stored, memory, &b, NULL) == WEFT_OK && weft__spec_agrees(&a, &b))
        alike = a.path != NULL && b.path != NULL && strcmp(file_name(&a), file_name(&b)) == 0 ? 2 : 1;
    weft__spec_free(&a, memory);
    weft__spec_free(&b, memory);
    return alike;
}

/* Puts one that is so like the model's there, if none stands there, but none that has found its place. */
static void fill_place(spec_parts *parts, const spec_parts *model, int64_t k, int least,
                       const weft_memory *memory)
{
    const char *wanted = model->part[k];
    for (int64_t j = k + 1; j < parts->count && likeness(parts->part[k], wanted, memory) < least; j++)
        if (likeness(parts->part[j], wanted, memory) >= least &&
            likeness(parts->part[j], model->part[j], memory) < 2)
            exchange(parts, j, k);
}

weft_status weft__spec_arrange(const char *given, const char *stored, const weft_memory *memory,
                               char **arranged, weft_error *error)
{
    spec_parts parts = {.count = 0}, model = {.count = 0};
    weft_status status = WEFT_OK;
    int64_t count = weft__spec_count(given);
    if (count > WEFT_PARTS || count != weft__spec_count(stored))
        return weft__new_text(memory, given, arranged, error); /* to be refused */
    TRY(take_apart(given, memory, &parts, error));
    TRY(take_apart(stored, memory, &model, error));
    for (int least = 2; least > 0; least--)
        for (int64_t k = 0; k < count; k++)
            fill_place(&parts, &model, k, least, memory);
    TRY(put_together(&parts, strlen(given), memory, arranged, error));
done:
    free_parts(&model, memory);
    free_parts(&parts, memory);
    return status;
}
