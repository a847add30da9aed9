/* SPDX-License-Identifier: MIT
 *
 * Fuzzes tables with a header.  The first byte of the input says which column has the ids, the rest is the
 * file.  What is made of its columns is compared with the cells by the definitions; and the table is written
 * again, every cell in quotes, with tabs and with the ids as last column: that must say the same.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-table -dict=fuzz/table.dict -max_total_time=60 WORK fuzz/seeds/table */
#include "fuzz.h"

#include "io/roster/columns.h"
#include "side/side.h"

#include <float.h>
#include <string.h>

enum { IDS = 64, FIELDS = 24, CELLS = (IDS + 1) * FIELDS, ROOM = 1 << 18 };

/* Of the file, and of what is written of it, which takes more. */
static const weft_file_options limits = {.line_limit = 512, .field_limit = FIELDS, .id_limit = IDS};
static const weft_file_options wide = {.line_limit = ROOM, .field_limit = FIELDS, .id_limit = IDS};

/* ---- The cells ---- */

/* Line 0 is the header. */
typedef struct grid {
    int64_t lines, count;
    const char *cell[CELLS];
} grid;

static const char *cell_of(const grid *g, int64_t line, int64_t k)
{
    return g->cell[line * g->count + k];
}

/* Copies all records of the file; false where one of them cannot be read, or is not as long as the first. */
static bool cut_file(const char *path, grid *g)
{
    static char bytes[ROOM];
    weft__input input = {0};
    weft__text text = {0};
    size_t used = 0;
    bool more = true, good = true;
    *g = (grid){0};
    require(weft__input_begin(&limits, &input, NULL) == WEFT_OK);
    require(weft__text_open(path, &input, &text, NULL) == WEFT_OK);
    text.comment = 0;
    while (good && weft__text_next(&text, &more, NULL) == WEFT_OK && more) {
        g->count = g->lines == 0 ? text.count : g->count;
        good = text.count == g->count && g->lines <= IDS;
        for (int64_t k = 0; k < text.count && good; k++) {
            size_t size = strlen(text.fields[k].text) + 1;
            good = used + size <= sizeof bytes;
            if (!good)
                break;
            memcpy(bytes + used, text.fields[k].text, size);
            g->cell[g->lines * g->count + k] = bytes + used;
            used += size;
        }
        g->lines += good;
    }
    weft__text_close(&text);
    return good && !more;
}

static bool is_blank(const char *cell)
{
    return cell[strspn(cell, " \t")] == 0;
}

/* ---- Reading ---- */

typedef struct reading {
    weft_status status;
    weft_error error;
    weft_ids *ids;
    weft__columns columns;
    weft__facts_table table;
} reading;

static void read_table(const char *path, const weft_file_options *how, const char *id, reading *r)
{
    weft__input input = {0};
    weft__text text = {0};
    int64_t clipped = 0;
    *r = (reading){.status = WEFT_OK};
    require(weft__input_begin(how, &input, NULL) == WEFT_OK);
    require(weft_ids_create(NULL, &r->ids, NULL) == WEFT_OK);
    require(weft__text_open(path, &input, &text, NULL) == WEFT_OK);
    text.comment = 0;
    r->status = weft__columns_read(&text, &(weft__spec){.source = WEFT__TABLE, .id_column = (char *)id},
                                   &input, r->ids, &r->columns, &r->error);
    if (r->status == WEFT_OK && r->columns.rows > 0)
        r->status =
            weft__columns_settle(&r->columns, path, (weft__seniority){r->columns.rows, r->columns.rows},
                                 &r->table, &clipped, &r->error);
    require(r->status == WEFT_OK || (r->error.status == r->status && r->error.message[0] != 0));
    weft__text_close(&text);
}

static void free_reading(reading *r)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft_ids_free(r->ids);
    weft__columns_free(&r->columns);
    weft__facts_table_free(&r->table, &memory);
}

/* ---- Writing ---- */

/* A number by its value, nothing for blanks; a name, or an id, as it is. */
static size_t write_cell(char *to, const char *cell, bool name)
{
    double value = 0;
    if (!name && weft__parse_number(cell, &value))
        return (size_t)sprintf(to, "%.17g", value);
    char *at = to;
    *at++ = '"';
    for (const char *c = cell; *c != 0 && (name || !is_blank(cell)); c++) {
        *at++ = *c;
        if (*c == '"')
            *at++ = '"';
    }
    *at++ = '"';
    return (size_t)(at - to);
}

/* Columns keep their places where the name of one of them comes from its place. */
static bool may_move(const grid *g)
{
    bool named = true;
    for (int64_t k = 0; k < g->count; k++)
        named = named && !is_blank(cell_of(g, 0, k));
    return named;
}

static void write_grid(const grid *g, int64_t id, fuzz_file *to)
{
    static char bytes[3 * ROOM];
    bool moves = may_move(g);
    size_t used = 0;
    for (int64_t line = 0; line < g->lines; line++) {
        for (int64_t k = 0; k < g->count; k++)
            if (!moves || k != id) {
                used += write_cell(bytes + used, cell_of(g, line, k), line == 0 || k == id);
                bytes[used++] = '\t';
            }
        if (moves)
            used += write_cell(bytes + used, cell_of(g, line, id), true);
        else
            used--;
        bytes[used++] = '\n';
    }
    put(to, bytes, used);
}

/* ---- What must hold ---- */

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void require_same_facts(const weft_column *a, const weft_column *b)
{
    require(same_text(a->name, b->name) && same_text(a->twin, b->twin) && same_text(a->example, b->example));
    require(a->use == b->use && a->numbers == b->numbers && a->words == b->words && a->empty == b->empty);
    require(a->classes == b->classes && a->clipped == b->clipped);
    require(a->centre == b->centre && a->scale == b->scale);
}

static void require_same(const reading *a, const reading *b)
{
    require(a->status == b->status && a->columns.rows == b->columns.rows);
    require(a->columns.count == b->columns.count);
    for (int64_t k = 0; k < a->columns.count; k++)
        require_same_facts(&a->columns.list[k].facts, &b->columns.list[k].facts);
    const weft__facts_table *s = &a->table, *t = &b->table;
    require(s->count == t->count && s->numbers == t->numbers && s->words == t->words);
    for (int64_t k = 0; k < s->count * s->numbers; k++)
        require(s->values[k] == t->values[k]);
    for (int64_t k = 0; k < s->count * s->words; k++)
        require(s->word_of[k] == t->word_of[k]);
    for (int64_t c = 0; c < s->words; c++)
        require(s->word_kinds[c] == t->word_kinds[c]);
}

/* A column of the file but that of the ids: line i + 1 is id i. */
typedef struct column_of_file {
    const grid *g;
    const weft_column *facts;
    int64_t place;
} column_of_file;

static const char *cell_at(const column_of_file *c, int64_t i)
{
    return cell_of(c->g, i + 1, c->place);
}

/* Words count as empty where the facts tell one of them that is among numbers. */
static bool says(const column_of_file *c, int64_t i, double *value)
{
    *value = NAN;
    bool number = weft__parse_number(cell_at(c, i), value);
    return number || ((c->facts->example == NULL || c->facts->commas) && !is_blank(cell_at(c, i)));
}

static bool same_cell(const column_of_file *c, int64_t i, int64_t j)
{
    double x = NAN, y = NAN;
    bool there = says(c, i, &x);
    if (there != says(c, j, &y))
        return false;
    return !there || x == y || (isnan(x) && isnan(y) && strcmp(cell_at(c, i), cell_at(c, j)) == 0);
}

static void check_words(const column_of_file *c, const weft__facts_table *t, int64_t word)
{
    for (int64_t i = 0; i < t->count; i++) {
        int32_t own = t->word_of[i * t->words + word];
        bool shared = false;
        for (int64_t j = 0; j < t->count; j++) {
            bool same = same_cell(c, i, j);
            shared = shared || (same && i != j);
            require(own < 0 || same == (own == t->word_of[j * t->words + word]));
        }
        require(shared == (own >= 0) && own < t->word_kinds[word]);
    }
    require(t->word_kinds[word] == c->facts->classes && c->facts->classes > 0);
}

/* The centre is the lower median, and numbers are what the facts make of them. */
static void check_numbers(const column_of_file *c, const weft__facts_table *t, int64_t number)
{
    const weft_column *facts = c->facts;
    int64_t count = 0, below = 0, up_to = 0;
    require(isfinite(facts->centre) && facts->scale > 0 && facts->scale <= DBL_MAX);
    for (int64_t i = 0; i < t->count; i++) {
        double x = NAN, kept = (double)t->values[i * t->numbers + number];
        require(fabs(kept) <= 3);
        if (!weft__parse_number(cell_at(c, i), &x)) {
            require(kept == 0);
            continue;
        }
        count++;
        below += x / 2 < facts->centre / 2;
        up_to += x / 2 <= facts->centre / 2;
        if (facts->scale < 1e-300 || facts->scale == DBL_MAX)
            continue;
        double z = (x / 2 - facts->centre / 2) / (facts->scale / 2);
        require(kept == (double)(float)(z > 3 ? 3 : z < -3 ? -3 : z));
    }
    require(count == facts->numbers && below <= (count - 1) / 2 && up_to > (count - 1) / 2);
}

/* Behind the columns of words stand those that tell where numbers lack: that of the column is one of them. */
static void check_gaps(const column_of_file *c, const weft__facts_table *t, int64_t words)
{
    int64_t gaps = 0;
    bool found = false;
    for (int64_t i = 0; i < t->count; i++)
        gaps += !weft__parse_number(cell_at(c, i), &(double){0});
    for (int64_t w = words; w < t->words && !found; w++) {
        found = t->word_kinds[w] == 1;
        for (int64_t i = 0; i < t->count && found; i++)
            found = t->word_of[i * t->words + w] == -(int32_t)weft__parse_number(cell_at(c, i), &(double){0});
    }
    require(found || gaps < 2 || gaps == t->count);
}

static void check_columns(const reading *r, const grid *g, int64_t id)
{
    int64_t numbers = 0, words = 0;
    require(r->columns.count == g->count - 1 && r->columns.rows == g->lines - 1);
    for (int64_t k = 0; k < r->columns.count; k++) {
        const weft_column *facts = &r->columns.list[k].facts;
        column_of_file c = {g, facts, k < id ? k : k + 1};
        int64_t empty = 0;
        for (int64_t i = 0; i < r->columns.rows; i++)
            empty += is_blank(cell_at(&c, i));
        require(facts->numbers + facts->words + facts->empty == r->columns.rows && facts->empty == empty);
        require((facts->use == WEFT_COLUMN_TWIN) == (facts->twin != NULL));
        if (facts->use == WEFT_COLUMN_WORDS)
            check_words(&c, &r->table, words++);
        if (facts->use == WEFT_COLUMN_NUMBERS)
            check_numbers(&c, &r->table, numbers++);
    }
    require(numbers == r->table.numbers && words <= r->table.words);
    for (int64_t k = 0; k < r->columns.count; k++) {
        const weft_column *facts = &r->columns.list[k].facts;
        column_of_file c = {g, facts, k < id ? k : k + 1};
        if (facts->use == WEFT_COLUMN_NUMBERS)
            check_gaps(&c, &r->table, words);
    }
}

/* Products are those of the entries. */
static void check_product(const weft_side *side)
{
    static double x[IDS], y[IDS], work[IDS * (FIELDS + 1) * (IDS + 1)];
    static int64_t ids[IDS];
    int64_t n = weft_side_count(side);
    require(weft__side_work(side) <= (int64_t)(sizeof work / sizeof *work));
    for (int64_t i = 0; i < n; i++) {
        ids[i] = n - 1 - i;
        x[i] = (double)(i % 5) - 2;
    }
    if (side->ops->product == NULL)
        return;
    side->ops->product(side, ids, n, x, y, work);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += x[j] * weft_side_entry(side, ids[i], ids[j]);
        require(fabs(y[i] - sum) <= 1e-9 * (double)n);
    }
}

static void check_kernels(const weft__facts_table *table)
{
    for (int k = 0; k < 2; k++) {
        weft_side *side = NULL;
        require(weft__side_from_table(table, k, NULL, &side, NULL) == WEFT_OK);
        check_side(side);
        check_product(side);
        weft_side_free(side);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file, again;
    static grid g;
    reading first, second;
    if (size == 0)
        return 0;
    put(&file, data + 1, size - 1);
    bool whole = cut_file(file.path, &g);
    int64_t id = g.count > 0 ? data[0] % g.count : 0;
    const char *name = g.lines > 0 && *cell_of(&g, 0, id) != 0 ? cell_of(&g, 0, id) : NULL;
    for (int64_t k = 0; k < id && name != NULL; k++)
        if (strcmp(cell_of(&g, 0, k), name) == 0)
            id = k;
    id = name == NULL ? 0 : id;
    read_table(file.path, &limits, name, &first);
    if (first.status == WEFT_OK && first.columns.rows > 0) {
        require(whole);
        check_columns(&first, &g, id);
        check_kernels(&first.table);
    }
    if (whole && first.columns.rows == g.lines - 1 && g.lines > 1) {
        write_grid(&g, id, &again);
        read_table(again.path, &wide, name, &second);
        require_same(&first, &second);
        free_reading(&second);
    }
    free_reading(&first);
    return 0;
}
