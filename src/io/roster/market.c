/* SPDX-License-Identifier: MIT
 *
 *     %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric
 *     % comments
 *     rows columns [entries]        the size, entries only of coordinate
 *     i j [value]                   coordinate, from 1, each entry once; or
 *     value                         array, column by column
 *
 * Of a symmetric matrix one triangle is listed: of an array the lower one, of
 * coordinates either.
 *
 * Reference   R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange
 *             Formats: Initial Design, NISTIR 5935 (1996). */
#include "io/roster/market.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const char banner_word[] = "%%MatrixMarket";

/* What banner and size say, and where the entries go. */
typedef struct market {
    bool array, integer, pattern, symmetric;
    bool graph;
    int64_t n, entries;
    int64_t size_line;
    weft__contents *contents;
    unsigned char *seen; /* n x n, of coordinates that are no graph: which entries stood */
} market;

bool weft__is_market(const weft__text *text)
{
    return strncmp(text->fields[0].text, banner_word, sizeof banner_word - 1) == 0;
}

/* Which of two or three words a field of the banner is. */
static weft_status read_word(const weft__text *text, int64_t field, const char *const words[3], int *which,
                             weft_error *error)
{
    const char *found = field < text->count ? text->fields[field].text : "";
    for (int k = 0; k < 3 && words[k] != NULL; k++)
        if (strcasecmp(found, words[k]) == 0) {
            *which = k;
            return WEFT_OK;
        }
    return weft__text_fail(text, field, error, "found %s in the banner, expected %s%s%s%s%s",
                           weft__shown_briefly(found).text, words[0], words[1] != NULL ? " or " : "",
                           words[1] != NULL ? words[1] : "",
                           words[1] != NULL && words[2] != NULL ? " or " : "",
                           words[1] != NULL && words[2] != NULL ? words[2] : "");
}

static weft_status read_banner(weft__text *text, market *m, weft_error *error)
{
    static const char *const objects[3] = {"matrix"}, *const formats[3] = {"coordinate", "array"},
                             *const fields[3] = {"real", "integer", "pattern"},
                             *const shapes[3] = {"general", "symmetric"};
    int object = 0, format = 0, field = 0, shape = 0;
    weft_status status = WEFT_OK;
    TRY(read_word(text, 1, objects, &object, error));
    TRY(read_word(text, 2, formats, &format, error));
    TRY(read_word(text, 3, fields, &field, error));
    TRY(read_word(text, 4, shapes, &shape, error));
    m->array = format == 1;
    m->integer = field == 1;
    m->pattern = field == 2;
    m->symmetric = shape == 1;
    if (m->array && (m->pattern || m->graph))
        TRY(weft__text_fail(text, 2, error, "found an array, expected coordinate: a %s lists its entries",
                            m->graph ? "graph" : "pattern"));
    text->delimiter = ' ';
    text->comment = '%';
done:
    return status;
}

/* ---- Ids: one a line, the whole line ---- */

static weft_status read_ids(const char *path, const weft__input *input, weft_ids *ids, weft_error *error)
{
    weft__text text = {0};
    bool open = false, more = true;
    int64_t number = 0;
    weft_status status = WEFT_OK;
    TRY(weft__text_open(path, input, &text, error));
    open = true;
    text.delimiter = '\n';
    for (;;) {
        TRY(weft__text_next(&text, &more, error));
        if (!more)
            break;
        TRY(weft__contents_new_id(&text, 0, input, ids, &number, error));
    }
    if (weft_ids_count(ids) == 0)
        TRY(weft__fail(error, WEFT_INPUT, "%s: found no ids, expected at least one line", text.lines.path));
done:
    if (open)
        weft__text_close(&text);
    return status;
}

/* ---- The size ---- */

/* A whole number from `least` to `most`. */
static weft_status read_whole(const weft__text *text, int64_t field, int64_t least, int64_t most,
                              int64_t *value, weft_error *error)
{
    const char *found = text->fields[field].text, *end = "";
    int64_t number = -1;
    bool whole = weft__parse_index(found, &number, &end) && *end == 0;
    if (!whole || number < least || number > most)
        return weft__text_fail(text, field, error, "found %s, expected a whole number from %lld to %lld%s",
                               weft__shown_briefly(found).text, (long long)least, (long long)most,
                               whole && number == 0 && least == 1 ? " (Matrix Market counts from 1)" : "");
    *value = number;
    return WEFT_OK;
}

static weft_status read_size(weft__text *text, const char *ids_path, int64_t listed, market *m,
                             weft_error *error)
{
    static const int64_t largest = INT64_C(1) << 31;
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t columns = 0, fields = m->array ? 2 : 3;
    TRY(weft__text_next(text, &more, error));
    if (!more)
        TRY(weft__fail(error, WEFT_INPUT, "%s: found only a banner, expected the size", text->lines.path));
    if (text->count != fields)
        TRY(weft__text_fail(text, -1, error, "found %lld fields, expected the size: rows, columns%s",
                            (long long)text->count, m->array ? "" : " and entries"));
    TRY(read_whole(text, 0, 1, largest, &m->n, error));
    TRY(read_whole(text, 1, 1, largest, &columns, error));
    if (m->n != columns)
        TRY(weft__text_fail(text, 1, error, "found %lld rows and %lld columns, expected a square matrix",
                            (long long)m->n, (long long)columns));
    if (m->n != listed)
        TRY(weft__text_fail(text, 0, error, "found %lld rows, expected %lld, as many as ids in %s",
                            (long long)m->n, (long long)listed, weft__shown_path(ids_path)));
    m->entries = m->symmetric ? m->n * (m->n + 1) / 2 : m->n * m->n;
    if (!m->array)
        TRY(read_whole(text, 2, 0, m->entries, &m->entries, error));
    m->size_line = text->number;
done:
    return status;
}

/* ---- The entries ---- */

static weft_status read_value(const weft__text *text, int64_t field, const market *m, double *value,
                              weft_error *error)
{
    weft_status status = weft__text_number(text, field, value, error);
    if (status == WEFT_OK && m->integer && *value != floor(*value))
        return weft__text_fail(text, field, error, "found %s, expected a whole number as the banner says",
                               weft__shown_briefly(text->fields[field].text).text);
    return status;
}

static weft_status put_entry(const weft__text *text, const market *m, int64_t i, int64_t j, double value,
                             weft_error *error)
{
    int64_t at = i * m->n + j, mirrored = j * m->n + i;
    if (m->seen[at] != 0)
        return weft__text_fail(
            text, -1, error, "found entry %lld %lld%s, expected it once", (long long)i + 1, (long long)j + 1,
            m->symmetric && i != j ? " a second time, it or its mirror image" : " a second time");
    m->seen[at] = 1;
    m->contents->values[at] = value;
    if (m->symmetric) {
        m->seen[mirrored] = 1;
        m->contents->values[mirrored] = value;
    }
    return WEFT_OK;
}

static weft_status put_edge(weft__text *text, const market *m, int64_t i, int64_t j, double weight,
                            weft_error *error)
{
    if (weight <= 0)
        return weft__text_fail(text, 2, error, "found weight %g, expected a positive one", weight);
    return weft__contents_edge(text, m->contents, i, j, weight, error);
}

static weft_status take_coordinate(weft__text *text, const market *m, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t i = 0, j = 0, fields = m->pattern ? 2 : 3;
    double value = 1;
    if (text->count != fields)
        TRY(weft__text_fail(text, -1, error, "found %lld fields, expected %lld: row, column%s",
                            (long long)text->count, (long long)fields, m->pattern ? "" : " and value"));
    TRY(read_whole(text, 0, 1, m->n, &i, error));
    TRY(read_whole(text, 1, 1, m->n, &j, error));
    if (!m->pattern)
        TRY(read_value(text, 2, m, &value, error));
    if (m->graph)
        TRY(put_edge(text, m, i - 1, j - 1, value, error));
    else
        TRY(put_entry(text, m, i - 1, j - 1, value, error));
done:
    return status;
}

/* The place of the value that comes next moves down its column. */
static weft_status take_array(const weft__text *text, const market *m, int64_t place[2], weft_error *error)
{
    double value = 0;
    int64_t i = place[0], j = place[1];
    if (text->count != 1)
        return weft__text_fail(text, -1, error, "found %lld fields, expected one value a line",
                               (long long)text->count);
    weft_status status = read_value(text, 0, m, &value, error);
    if (status != WEFT_OK)
        return status;
    m->contents->values[i * m->n + j] = value;
    if (m->symmetric)
        m->contents->values[j * m->n + i] = value;
    if (++place[0] == m->n) {
        place[1]++;
        place[0] = m->symmetric ? place[1] : 0;
    }
    return WEFT_OK;
}

static weft_status read_entries(weft__text *text, const market *m, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    int64_t count = 0, place[2] = {0, 0};
    for (;; count++) {
        TRY(weft__text_next(text, &more, error));
        if (!more)
            break;
        if (count == m->entries)
            TRY(weft__text_fail(text, -1, error, "found entry %lld, expected only %lld, as line %lld says",
                                (long long)count + 1, (long long)m->entries, (long long)m->size_line));
        if (m->array)
            TRY(take_array(text, m, place, error));
        else
            TRY(take_coordinate(text, m, error));
    }
    if (count < m->entries)
        TRY(weft__fail(error, WEFT_INPUT, "%s: found %lld entries, expected %lld, as line %lld says",
                       text->lines.path, (long long)count, (long long)m->entries, (long long)m->size_line));
done:
    return status;
}

/* Before anything of the file is read further: can this kind use it at all? */
static weft_status check_use(const weft__text *text, const weft__spec *spec, weft_error *error)
{
    if (spec->source == WEFT__CLASSES || spec->source == WEFT__FEATURES || spec->source == WEFT__TABLE)
        return weft__text_fail(text, -1, error, "found a Matrix Market file, expected %s",
                               spec->source == WEFT__CLASSES ? "`id class' a line"
                                                             : "an id and its values a line");
    if (spec->ids_path == NULL)
        return weft__text_fail(
            text, -1, error,
            "found a Matrix Market file, which has no ids, expected ,ids=FILE with one id a "
            "line in the order of its rows");
    return WEFT_OK;
}

weft_status weft__market_read(weft__text *text, const weft__spec *spec, const weft__input *input,
                              weft_ids *ids, weft__contents *contents, weft_error *error)
{
    const weft_memory *memory = &text->lines.memory;
    market m = {.contents = contents, .graph = spec->source == WEFT__GRAPH};
    weft_status status = WEFT_OK;
    TRY(check_use(text, spec, error));
    TRY(read_banner(text, &m, error));
    TRY(read_ids(spec->ids_path, input, ids, error));
    TRY(read_size(text, spec->ids_path, weft_ids_count(ids), &m, error));
    if (!m.graph) {
        TRY(weft__new(memory, m.n * m.n, sizeof *contents->values, &contents->values, error));
        contents->capacity = m.n * m.n;
        contents->dimension = m.n;
    }
    if (!m.graph && !m.array)
        TRY(weft__new(memory, m.n * m.n, 1, &m.seen, error));
    TRY(read_entries(text, &m, error));
done:
    weft__delete(memory, m.seen);
    return status;
}
