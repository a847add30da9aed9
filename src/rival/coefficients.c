/* SPDX-License-Identifier: MIT */
#include "rival/coefficients.h"

#include <string.h>

void weft__lines_free(weft__lines *lines)
{
    for (int64_t k = 0; k < lines->capacity; k++)
        weft__delete(&lines->memory, lines->lines[k].entries);
    weft__delete(&lines->memory, lines->lines);
    *lines = (weft__lines){.memory = lines->memory};
}

weft_status weft__lines_reserve(weft__lines *lines, int64_t count, int64_t line, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (count > lines->capacity) {
        int64_t capacity = weft__grown(lines->capacity, count);
        TRY(weft__resize(&lines->memory, &lines->lines, lines->capacity, capacity, sizeof *lines->lines,
                         error));
        lines->capacity = capacity;
    }
    weft__line *l = &lines->lines[line];
    if (l->count == l->capacity) {
        int64_t capacity = weft__grown(l->capacity, l->count + 1);
        TRY(weft__resize(&lines->memory, &l->entries, l->count, capacity, sizeof *l->entries, error));
        l->capacity = capacity;
    }
done:
    return status;
}

/* No entry k has a place below k, so it is at most at `place`; and mostly near the end, where new slots are:
 * steps back that double find the stretch, halves the entry. */
int64_t weft__line_from(const weft__line *line, int64_t place)
{
    int64_t low = 0, high = place < line->count ? place : line->count;
    for (int64_t step = 1; step <= high; step *= 2) {
        if (line->entries[high - step].place < place) {
            low = high - step + 1;
            break;
        }
        high -= step;
    }
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (line->entries[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const weft__coefficient *weft__line_at(const weft__line *line, int64_t place)
{
    int64_t at = weft__line_from(line, place);
    return at < line->count && line->entries[at].place == place ? &line->entries[at] : NULL;
}

/* The entry, which is 0 where it is new. */
static weft__coefficient *entry_of(weft__lines *lines, int64_t line, int64_t place)
{
    weft__line *l = &lines->lines[line];
    int64_t at = weft__line_from(l, place);
    if (at == l->count || l->entries[at].place != place) {
        memmove(l->entries + at + 1, l->entries + at, (size_t)(l->count - at) * sizeof *l->entries);
        l->entries[at] = (weft__coefficient){place, 0};
        l->count++;
        lines->entries++;
    }
    return &l->entries[at];
}

void weft__lines_add(weft__lines *lines, int64_t line, int64_t place, double value)
{
    entry_of(lines, line, place)->value += value;
}

void weft__lines_set(weft__lines *lines, int64_t line, int64_t place, double value)
{
    entry_of(lines, line, place)->value = value;
}

double weft__line_dot(const weft__line *line, const double *x)
{
    double sum = 0;
    for (int64_t k = 0; k < line->count; k++)
        sum += line->entries[k].value * x[line->entries[k].place];
    return sum;
}
