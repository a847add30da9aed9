/* SPDX-License-Identifier: MIT
 * Sides of tables: the two kernels from vectors that are written out, traits, products, ids that are alone.
 * */
#include "support/test.h"

#include "support/dice.h"
#include "support/side_checks.h"

#include "side/kinds/table.h"

#include <string.h>

enum { MOST = 40 };

typedef struct drawn {
    weft__facts_table table;
    float values[MOST * 4];
    int32_t word_of[MOST * 3];
    int64_t word_kinds[3];
    double vector[MOST][32]; /* 1, the numbers, one of the words */
    int64_t length;
} drawn;

static void write_out(drawn *d)
{
    const weft__facts_table *t = &d->table;
    for (int64_t i = 0; i < t->count; i++) {
        double *f = d->vector[i];
        memset(f, 0, sizeof d->vector[i]);
        f[0] = 1;
        for (int64_t k = 0; k < t->numbers; k++)
            f[1 + k] = (double)t->values[i * t->numbers + k];
        int64_t first = 1 + t->numbers;
        for (int64_t c = 0; c < t->words; c++) {
            if (t->word_of[i * t->words + c] >= 0)
                f[first + t->word_of[i * t->words + c]] = 1;
            first += t->word_kinds[c];
        }
        d->length = first;
    }
}

static void draw_table(drawn *d, dice *by, int64_t count, int64_t numbers, int64_t words)
{
    d->table = (weft__facts_table){.count = count,
                                   .numbers = numbers,
                                   .words = words,
                                   .values = d->values,
                                   .word_of = d->word_of,
                                   .word_kinds = d->word_kinds};
    for (int64_t c = 0; c < words; c++)
        d->word_kinds[c] = 1 + c * 3;
    for (int64_t k = 0; k < count * numbers; k++)
        d->values[k] = dice_chance(by, 0.2) ? 0 : (float)dice_normal(by);
    for (int64_t k = 0; k < count * words; k++)
        d->word_of[k] = (int32_t)dice_below(by, d->word_kinds[k % words] + 1) - 1;
    write_out(d);
}

static double inner(const drawn *d, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t k = 0; k < d->length; k++)
        sum += d->vector[i][k] * d->vector[j][k];
    return sum;
}

static double kernel_of(const drawn *d, double width, int64_t i, int64_t j)
{
    double square = inner(d, i, i) - 2 * inner(d, i, j) + inner(d, j, j);
    return width > 0 ? exp(-square / (2 * width * width))
                     : inner(d, i, j) / sqrt(inner(d, i, i) * inner(d, j, j));
}

/* With two ids more, which are alone. */
static void assert_side(const drawn *d, double width)
{
    static const weft_item alone = {.alone = true};
    weft_side *side = NULL;
    int64_t n = d->table.count, all = n + 2;
    double *expected = calloc((size_t)(all * all), sizeof *expected);
    assert_int_equal(weft__side_from_table(&d->table, width, NULL, &side, NULL), WEFT_OK);
    assert_true((side->ops->product != NULL) == (width == 0));
    assert_int_equal(weft_side_append(side, &alone, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, &alone, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, NULL, NULL), WEFT_UNSUPPORTED);
    for (int64_t i = 0; i < all; i++)
        for (int64_t j = 0; j < all; j++)
            expected[i * all + j] = i == j ? 1 : i >= n || j >= n ? 0 : kernel_of(d, width, i, j);
    assert_true(weft_side_radius(side) == 1);
    assert_kernel(side, expected, 1e-12);
    weft_side_free(side);
    free(expected);
}

static void kernels_are_those_of_vectors(void **state)
{
    static const int64_t shapes[][3] = {{1, 1, 0}, {3, 0, 1}, {MOST, 4, 3}, {20, 1, 2}, {2, 4, 3}, {7, 0, 3}};
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        drawn d = {.length = 0};
        dice by = {7 + k};
        draw_table(&d, &by, shapes[k][0], shapes[k][1], shapes[k][2]);
        assert_side(&d, 0);
        assert_side(&d, 0.7);
    }
}

/* A trait for every number but 0 and every word: the vector without its first number. */
static void traits_are_the_vector(void **state)
{
    drawn d = {.length = 0};
    dice by = {3};
    weft_side *side = NULL;
    weft__trait list[7];
    (void)state;
    draw_table(&d, &by, MOST, 4, 3);
    assert_int_equal(weft__side_from_table(&d.table, 0, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(side->most_traits, 7);
    assert_int_equal(weft__facts_table_traits(&d.table), d.length - 1);
    for (int64_t i = 0; i < MOST; i++) {
        double vector[32] = {1};
        int64_t count = side->ops->traits(side, i, list);
        for (int64_t k = 0; k < count; k++) {
            assert_true(list[k].value != 0 && !list[k].is_id);
            vector[1 + list[k].number] = list[k].value;
        }
        assert_memory_equal(vector, d.vector[i], (size_t)d.length * sizeof *vector);
    }
    assert_int_equal(side->ops->traits(side, MOST, list), 0);
    weft_side_free(side);
}

static void the_spread_is_a_usual_distance(void **state)
{
    drawn d = {.length = 0};
    dice by = {4};
    double least = INFINITY, most = 0;
    weft_memory memory = weft__memory_or_default(NULL);
    (void)state;
    draw_table(&d, &by, MOST, 4, 3);
    for (int64_t i = 0; i < MOST; i++)
        for (int64_t j = 0; j < i; j++) {
            double distance = sqrt(inner(&d, i, i) - 2 * inner(&d, i, j) + inner(&d, j, j));
            least = fmin(least, distance);
            most = fmax(most, distance);
        }
    double spread = -1;
    assert_int_equal(weft__facts_table_spread(&d.table, &memory, &spread, NULL), WEFT_OK);
    assert_true(spread > least && spread < most);
    d.table.count = 1;
    assert_int_equal(weft__facts_table_spread(&d.table, &memory, &spread, NULL), WEFT_OK);
    assert_true(spread == 0);
}

static drawn shared;

static weft_status make_shared(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return weft__side_from_table(&shared.table, 0, options, side, error);
}

static void memory_may_be_refused(void **state)
{
    dice by = {5};
    (void)state;
    draw_table(&shared, &by, 9, 4, 3);
    assert_maker_survives(make_shared, 5);
}

static void what_is_no_table_is_refused(void **state)
{
    drawn d = {.length = 0};
    dice by = {6};
    weft_side *side = NULL;
    weft_error error;
    (void)state;
    draw_table(&d, &by, 9, 4, 3);
    d.values[7] = NAN;
    assert_int_equal(weft__side_from_table(&d.table, 0, NULL, &side, &error), WEFT_INPUT);
    assert_failure(&error, WEFT_INPUT, 1, 3, "number 3 of id 1 is nan");
    d.values[7] = 0;
    d.word_of[4] = 4;
    assert_int_equal(weft__side_from_table(&d.table, 0, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, 1, 1, "word 4 of id 1 is beyond the 4 of its column");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_those_of_vectors),   cmocka_unit_test(traits_are_the_vector),
        cmocka_unit_test(the_spread_is_a_usual_distance), cmocka_unit_test(memory_may_be_refused),
        cmocka_unit_test(what_is_no_table_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
