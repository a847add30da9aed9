/* SPDX-License-Identifier: MIT
 *
 * The cosine and the Gaussian kernel of what a table says.
 *
 * Method     f_i = (1, numbers of i, [the word of i in column c is k] for all c and k), the last not stored.
 *            Both kernels follow from inner products of numbers and how many words two ids have in common.
 * Algorithm  product: y = K x by z = sum_i x_i f_i / |f_i|, then y_i = <f_i, z> / |f_i|.
 * Rounding   That of side/kinds/linear.c: a coordinate of z is a sum of `count` terms, y_i one of the terms
 *            of an id, so the product answers sqrt(count + terms) |z| sqrt(sum_i x_i^2), K(i,i) being 1.
 * Cost       An entry O(numbers + words); a product O(count (numbers + words)). */
#include "side/kinds/table.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

typedef struct table_side {
    weft_side base;
    weft__side_ops ops; /* base.ops is this: how much workspace a product takes follows from the table */
    double width;       /* 0: the cosine */
    weft__facts_table table;
    double *scale;  /* of every id of the table: 1 / |f_i| */
    int64_t *first; /* of every column of words, the place of its first word behind the numbers */
} table_side;

static const table_side *view(const weft_side *side)
{
    return (const table_side *)side;
}

/* ---- The table ---- */

int64_t weft__facts_table_traits(const weft__facts_table *table)
{
    int64_t traits = table->numbers;
    for (int64_t c = 0; c < table->words; c++)
        traits += table->word_kinds[c];
    return traits;
}

double weft__facts_table_bytes(double count, double numbers, double words)
{
    return count * (numbers * sizeof(float) + words * sizeof(int32_t)) + words * sizeof(int64_t);
}

void weft__facts_table_free(weft__facts_table *table, const weft_memory *memory)
{
    weft__delete(memory, table->values);
    weft__delete(memory, table->word_of);
    weft__delete(memory, table->word_kinds);
    weft__delete(memory, table->trait_of);
    *table = (weft__facts_table){0};
}

static weft_status copy_table(const weft__facts_table *from, const weft_memory *memory, weft__facts_table *to,
                              weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t values = 0, words = 0;
    *to = (weft__facts_table){.count = from->count, .numbers = from->numbers, .words = from->words};
    TRY(weft__checked_product(from->count, from->numbers, &values, error));
    TRY(weft__checked_product(from->count, from->words, &words, error));
    TRY(weft__new(memory, values, sizeof *to->values, &to->values, error));
    TRY(weft__new(memory, words, sizeof *to->word_of, &to->word_of, error));
    TRY(weft__new(memory, from->words, sizeof *to->word_kinds, &to->word_kinds, error));
    if (values > 0)
        memcpy(to->values, from->values, (size_t)values * sizeof *to->values);
    if (words > 0) {
        memcpy(to->word_of, from->word_of, (size_t)words * sizeof *to->word_of);
        memcpy(to->word_kinds, from->word_kinds, (size_t)from->words * sizeof *to->word_kinds);
    }
    if (from->trait_of == NULL)
        return WEFT_OK;
    int64_t kinds = weft__facts_table_traits(from) - from->numbers;
    TRY(weft__new(memory, kinds, sizeof *to->trait_of, &to->trait_of, error));
    memcpy(to->trait_of, from->trait_of, (size_t)kinds * sizeof *to->trait_of);
done:
    return status;
}

static const float *values_of(const weft__facts_table *table, int64_t i)
{
    return table->values + i * table->numbers;
}

static const int32_t *words_of(const weft__facts_table *table, int64_t i)
{
    return table->word_of + i * table->words;
}

/* <f_i, f_j>: the same for (j, i), to the bit. */
static double inner_product(const weft__facts_table *table, int64_t i, int64_t j)
{
    const float *x = values_of(table, i), *t = values_of(table, j);
    const int32_t *a = words_of(table, i), *b = words_of(table, j);
    double sum[4] = {1, 0, 0, 0};
    int64_t common = 0;
    for (int64_t k = 0; k < table->numbers; k++)
        sum[k & 3] += (double)x[k] * (double)t[k];
    for (int64_t c = 0; c < table->words; c++)
        common += a[c] == b[c] && a[c] >= 0;
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + (double)common;
}

double weft__facts_table_distance(const weft__facts_table *table, int64_t i, int64_t j)
{
    const float *x = values_of(table, i), *t = values_of(table, j);
    const int32_t *a = words_of(table, i), *b = words_of(table, j);
    double sum[4] = {0, 0, 0, 0};
    int64_t different = 0;
    for (int64_t k = 0; k < table->numbers; k++) {
        double z = (double)x[k] - (double)t[k];
        sum[k & 3] += z * z;
    }
    for (int64_t c = 0; c < table->words; c++)
        if (a[c] != b[c])
            different += (a[c] >= 0) + (b[c] >= 0);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + (double)different;
}

/* ---- The kernels ---- */

/* An id that is not of the table, or came as alone. */
static bool is_alone(const weft_side *side, int64_t i)
{
    return i >= view(side)->table.count;
}

static double entry(const weft_side *side, int64_t i, int64_t j, double *work)
{
    (void)work;
    const table_side *t = view(side);
    if (i == j)
        return 1;
    if (is_alone(side, i) || is_alone(side, j))
        return 0;
    if (t->width > 0)
        return weft__exp(-weft__facts_table_distance(&t->table, i, j) / (2 * t->width * t->width));
    return fmin(fmax(inner_product(&t->table, i, j) * (t->scale[i] * t->scale[j]), -1), 1);
}

/* The cosine of an id with itself is 1, and rounding must not say otherwise. */
static double diagonal(const weft_side *side, int64_t i)
{
    (void)side;
    (void)i;
    return 1;
}

/* What is multiplied; |f_i| in place of f_i where `absolute`. */
typedef struct task {
    const table_side *side;
    const int64_t *ids;
    int64_t count;
    const double *x;
    bool absolute;
} task;

static double number_of(const task *t, const float *values, int64_t k)
{
    return t->absolute ? fabs((double)values[k]) : (double)values[k];
}

/* z += x f_i, but for its first number, which is that of all */
static void add_id(const task *t, int64_t i, double x, double *z)
{
    const weft__facts_table *table = &t->side->table;
    const float *values = values_of(table, i);
    const int32_t *words = words_of(table, i);
    for (int64_t k = 0; k < table->numbers; k++)
        z[k] += x * number_of(t, values, k);
    for (int64_t c = 0; c < table->words; c++)
        if (words[c] >= 0)
            z[t->side->first[c] + words[c]] += x;
}

static double multiply_id(const task *t, int64_t i, const double *z)
{
    const weft__facts_table *table = &t->side->table;
    const float *values = values_of(table, i);
    const int32_t *words = words_of(table, i);
    double sum[4] = {0, 0, 0, 0};
    for (int64_t k = 0; k < table->numbers; k++)
        sum[k & 3] += z[k] * number_of(t, values, k);
    for (int64_t c = 0; c < table->words; c++)
        if (words[c] >= 0)
            sum[c & 3] += z[t->side->first[c] + words[c]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* ---- Products of the cosine ---- */

/* Sums over no id of the list yet. */
static void clear_sums(const task *t, double *z)
{
    const weft__facts_table *table = &t->side->table;
    memset(z, 0, (size_t)table->numbers * sizeof *z);
    for (int64_t k = 0; k < t->count; k++) {
        if (is_alone(&t->side->base, t->ids[k]))
            continue;
        const int32_t *words = words_of(table, t->ids[k]);
        for (int64_t c = 0; c < table->words; c++)
            if (words[c] >= 0)
                z[t->side->first[c] + words[c]] = 0;
    }
}

/* |z|^2 is x'Kx, `square`. */
static double rounding_of(const task *t, double square)
{
    double scale = 0, terms = (double)(1 + t->side->table.numbers + t->side->table.words);
    for (int64_t k = 0; k < t->count; k++)
        scale += t->x[k] * t->x[k];
    return sqrt((double)t->count + terms) * sqrt(fmax(square, 0)) * sqrt(scale);
}

static double multiply(const task *t, double *y, double *z)
{
    const double *scale = t->side->scale;
    double common = 0, square = 0;
    clear_sums(t, z);
    for (int64_t k = 0; k < t->count; k++) {
        if (is_alone(&t->side->base, t->ids[k]))
            continue;
        double share = t->x[k] * scale[t->ids[k]];
        common += share;
        add_id(t, t->ids[k], share, z);
    }
    for (int64_t k = 0; k < t->count; k++) {
        bool alone = is_alone(&t->side->base, t->ids[k]);
        y[k] = alone ? t->x[k] : scale[t->ids[k]] * (common + multiply_id(t, t->ids[k], z));
        square += alone ? 0 : t->x[k] * y[k];
    }
    return t->absolute ? 0 : rounding_of(t, square);
}

static double product(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                      double *work)
{
    return multiply(&(task){view(side), ids, count, x, false}, y, work);
}

/* |K(i,j)| <= <|f_i|, |f_j|> / (|f_i| |f_j|), where |f| has the sizes of its numbers. */
static void absolute(const weft_side *side, const int64_t *ids, int64_t count, const double *x, double *y,
                     double *work)
{
    multiply(&(task){view(side), ids, count, x, true}, y, work);
}

/* ---- What is known of an id ---- */

static void item(const weft_side *side, int64_t i, weft_item *known)
{
    known->alone = is_alone(side, i);
}

static int64_t trait_of(const weft__facts_table *table, int64_t place)
{
    return table->trait_of != NULL ? table->trait_of[place - table->numbers] : place;
}

static int64_t traits(const weft_side *side, int64_t i, weft__trait *list)
{
    const table_side *t = view(side);
    int64_t count = 0;
    if (is_alone(side, i))
        return 0;
    const float *values = values_of(&t->table, i);
    const int32_t *words = words_of(&t->table, i);
    for (int64_t k = 0; k < t->table.numbers; k++)
        if (values[k] != 0)
            list[count++] = (weft__trait){.number = k, .value = (double)values[k]};
    for (int64_t c = 0; c < t->table.words; c++)
        if (words[c] >= 0)
            list[count++] = (weft__trait){.number = trait_of(&t->table, t->first[c] + words[c]), .value = 1};
    return count;
}

static weft_status append(weft_side *side, const weft_item *item_of_it, weft_error *error)
{
    if (item_of_it->alone)
        return WEFT_OK;
    return weft__fail(error, WEFT_UNSUPPORTED, "%s: id %lld is new, and a table takes new ids only as alone",
                      side->ops->name, (long long)side->count);
}

static void release(weft_side *side)
{
    table_side *t = (table_side *)side;
    weft__facts_table_free(&t->table, &side->memory);
    weft__delete(&side->memory, t->scale);
    weft__delete(&side->memory, t->first);
}

static const weft__side_ops table_ops = {
    .name = "table",
    .entry = entry,
    .diagonal = diagonal,
    .column = weft__side_column_by_entry,
    .item = item,
    .traits = traits,
    .append = append,
    .release = release,
};

/* ---- The constructor ---- */

static weft_status check_table(const weft__facts_table *table, weft_error *error)
{
    for (int64_t k = 0; k < table->count * table->numbers; k++)
        if (!isfinite(table->values[k]))
            return weft__fail_at(error, WEFT_INPUT, k / table->numbers, k % table->numbers,
                                 "table: number %lld of id %lld is %g", (long long)(k % table->numbers),
                                 (long long)(k / table->numbers), (double)table->values[k]);
    for (int64_t k = 0; k < table->count * table->words; k++)
        if (table->word_of[k] >= table->word_kinds[k % table->words])
            return weft__fail_at(error, WEFT_ARGUMENT, k / table->words, k % table->words,
                                 "table: word %d of id %lld is beyond the %lld of its column",
                                 (int)table->word_of[k], (long long)(k / table->words),
                                 (long long)table->word_kinds[k % table->words]);
    return WEFT_OK;
}

/* The first traits of the columns, and the length of every f_i. */
static weft_status settle_table(table_side *t, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &t->base.memory;
    int64_t next = t->table.numbers;
    TRY(weft__new(memory, t->table.words, sizeof *t->first, &t->first, error));
    TRY(weft__new(memory, t->table.count, sizeof *t->scale, &t->scale, error));
    for (int64_t c = 0; c < t->table.words; c++) {
        t->first[c] = next;
        next += t->table.word_kinds[c];
    }
    for (int64_t i = 0; i < t->table.count; i++)
        t->scale[i] = 1 / sqrt(inner_product(&t->table, i, i));
    t->base.most_traits = t->table.numbers + t->table.words;
done:
    return status;
}

/* A product has a sum for every trait, of which there may be more than ids. */
static void add_products(table_side *t)
{
    int64_t traits_of_all = weft__facts_table_traits(&t->table), count = t->table.count;
    t->ops.product = product;
    t->ops.absolute = absolute;
    t->ops.vectors = (int)((traits_of_all + count - 1) / (count > 0 ? count : 1));
}

weft_status weft__side_from_table(const weft__facts_table *table, double width,
                                  const weft_side_options *options, weft_side **side, weft_error *error)
{
    table_side *fresh = NULL;
    weft_status status = WEFT_OK;
    TRY(check_table(table, error));
    TRY(weft__side_create(&table_ops, sizeof *fresh, table->count, options, &fresh, error));
    fresh->width = width;
    fresh->base.supremum = 1;
    fresh->base.uniform = true;
    TRY(copy_table(table, &fresh->base.memory, &fresh->table, error));
    TRY(settle_table(fresh, error));
    fresh->ops = table_ops;
    if (width == 0)
        add_products(fresh);
    fresh->base.ops = &fresh->ops;
    TRY(weft__side_settle(&fresh->base, options, error));
    *side = &fresh->base;
    fresh = NULL;
done:
    if (fresh != NULL)
        weft_side_free(&fresh->base);
    return status;
}
