/* SPDX-License-Identifier: MIT
 * Long lists: the same sums as pair by pair, in an order that follows from the list alone. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "evidence/evidence.h"
#include "support/alloc.h"
#include "support/dice.h"

/* Vectors over the places of some evidence. */
typedef struct vectors {
    weft__exponent exponent;
    double *x, *y;
} vectors;

static vectors make_vectors(const weft__evidence *evidence, double diagonal)
{
    weft_memory memory = weft__memory_or_default(NULL);
    int64_t rows = weft__padded(evidence->places[0]) + 16;
    int64_t columns = evidence->one_set ? 0 : weft__padded(evidence->places[1]) + 32;
    vectors v = {.exponent = {0.25, diagonal, evidence->one_set ? 0 : rows, rows + columns}};
    dice d = {5};
    assert_int_equal(weft__new(&memory, v.exponent.n, sizeof(double), &v.x, NULL), WEFT_OK);
    assert_int_equal(weft__new(&memory, v.exponent.n, sizeof(double), &v.y, NULL), WEFT_OK);
    for (int64_t a = 0; a < evidence->places[0]; a++)
        v.x[a] = dice_normal(&d);
    for (int64_t b = 0; b < evidence->places[1]; b++)
        v.x[v.exponent.offset + b] = dice_normal(&d);
    /* What is left of an earlier product must not matter. */
    for (int64_t i = 0; i < v.exponent.n; i++)
        v.y[i] = NAN;
    return v;
}

static void free_vectors(vectors *v)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__delete(&memory, v->x);
    weft__delete(&memory, v->y);
}

/* y = C x from the list, term by term. */
static void multiply_plainly(const weft__evidence *evidence, const vectors *v, double *y)
{
    double eta = v->exponent.eta, d = v->exponent.diagonal;
    for (int64_t i = 0; i < v->exponent.n; i++)
        y[i] = 0;
    for (int64_t k = 0; k < evidence->count; k++) {
        int64_t a = evidence->cells[k].a, b = v->exponent.offset + evidence->cells[k].b;
        double g = eta * (double)evidence->cells[k].count;
        y[a] += g * (v->x[b] + d * v->x[a]);
        y[b] += g * (v->x[a] + d * v->x[b]);
    }
}

static void check_product(weft__evidence *evidence, double diagonal)
{
    vectors v = make_vectors(evidence, diagonal);
    double *expected = calloc((size_t)v.exponent.n, sizeof *expected);
    assert_non_null(expected);
    multiply_plainly(evidence, &v, expected);
    weft__evidence_multiply(evidence, &v.exponent, false, v.x, v.y);
    for (int64_t i = 0; i < v.exponent.n; i++)
        if (!(fabs(v.y[i] - expected[i]) <= 1e-10 * (1 + fabs(expected[i]))))
            fail_msg("element %lld is %.17g, expected %.17g", (long long)i, v.y[i], expected[i]);
    free(expected);
    free_vectors(&v);
}

/* Pairs over a rectangle, its last corner first. */
typedef struct rectangle {
    int64_t rows, columns;
    bool one_set;
} rectangle;

static void add_pair(weft__evidence *evidence, int64_t a, int64_t b, int64_t count)
{
    int64_t rows = evidence->one_set && b > a ? b : a;
    rows = rows + 1 > evidence->places[0] ? rows + 1 : evidence->places[0];
    int64_t columns = b + 1 > evidence->places[1] ? b + 1 : evidence->places[1];
    assert_int_equal(weft__evidence_reserve(evidence, rows, columns, NULL), WEFT_OK);
    weft__evidence_add(evidence, a, b, count);
}

/* Places are met one after the other, as slots are; then at random. */
static void fill(weft__evidence *evidence, const rectangle *r, int64_t pairs, dice *d)
{
    int64_t longer = r->rows > r->columns ? r->rows : r->columns;
    while (evidence->count < pairs) {
        int64_t k = evidence->count;
        int64_t a = k < longer ? k % r->rows : dice_below(d, r->rows);
        int64_t b = k < longer ? (k + (r->one_set ? 1 : 0)) % r->columns : dice_below(d, r->columns);
        add_pair(evidence, a, b, dice_below(d, 2) == 0 ? -1 : 2);
    }
}

static void products_are_those_of_the_list(void **state)
{
    static const rectangle shapes[] = {
        {600, 700, false}, {5, 40000, false},    {40000, 5, false},  {30000, 30000, false},
        {600, 600, true},  {20000, 20000, true}, {3, 300000, false}, {300000, 3, false},
        {1, 9000, false},  {9000, 1, false},     {65, 513, false}, /* one more than blocks and groups hold */
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        weft__evidence evidence;
        dice d = {11};
        int64_t longer = shapes[s].rows > shapes[s].columns ? shapes[s].rows : shapes[s].columns;
        int64_t pairs = longer + (longer == 9000 ? 0 : 9000);
        weft__evidence_create(&evidence, shapes[s].one_set, NULL);
        fill(&evidence, &shapes[s], pairs, &d);
        /* A block would hide it. */
        assert_int_equal(weft__evidence_restore(&evidence, evidence.largest, false, NULL), WEFT_OK);
        for (int diagonal = -1; diagonal <= 1; diagonal++)
            check_product(&evidence, diagonal);
        assert_int_equal(evidence.arrangement.settled, weft__arrangement_due(evidence.count));
        assert_true(evidence.arrangement.settled > evidence.count - evidence.count / 16 - 1);
        weft__evidence_free(&evidence);
    }
}

/* Later counts of settled pairs, and pairs that come after. */
static void an_arrangement_follows_the_counts(void **state)
{
    weft__evidence evidence;
    rectangle r = {3000, 2500, false};
    dice d = {12};
    weft__evidence_create(&evidence, false, NULL);
    fill(&evidence, &r, 12000, &d);
    check_product(&evidence, 1);
    int64_t settled = evidence.arrangement.settled;
    for (int64_t k = 0; k < evidence.count; k += 3)
        weft__evidence_add(&evidence, evidence.cells[k].a, evidence.cells[k].b, 1 + k % 5);
    assert_int_equal(evidence.arrangement.settled, settled);
    check_product(&evidence, 1);
    fill(&evidence, &r, 12100, &d);
    check_product(&evidence, -1);
    fill(&evidence, &r, 20000, &d);
    check_product(&evidence, 0);
    assert_true(evidence.arrangement.settled > settled);
    weft__evidence_free(&evidence);
}

/* A float holds whole numbers up to 2^24 only. */
static void large_counts_are_not_arranged(void **state)
{
    weft__evidence evidence;
    rectangle r = {3000, 2500, false};
    dice d = {13};
    weft__evidence_create(&evidence, false, NULL);
    fill(&evidence, &r, 10000, &d);
    check_product(&evidence, 1);
    weft__cell cell = evidence.cells[7];
    weft__evidence_add(&evidence, cell.a, cell.b, (1 << 24) + 1 - cell.count);
    check_product(&evidence, 1);
    weft__evidence_free(&evidence);
}

/* Multiplied all the way, or only at the end, as after a resume: the same bits. */
static void the_order_follows_from_the_list(void **state)
{
    rectangle r = {2000, 90000, false};
    weft__evidence often, once;
    dice d[2] = {{14}, {14}};
    weft__evidence_create(&often, false, NULL);
    weft__evidence_create(&once, false, NULL);
    for (int64_t pairs = 8000; pairs < 140000; pairs += pairs / 20) {
        fill(&often, &r, pairs, &d[0]);
        vectors v = make_vectors(&often, 1);
        weft__evidence_multiply(&often, &v.exponent, false, v.x, v.y);
        free_vectors(&v);
    }
    fill(&often, &r, 140000, &d[0]);
    fill(&once, &r, 140000, &d[1]);
    vectors v[2] = {make_vectors(&often, 1), make_vectors(&once, 1)};
    weft__evidence_multiply(&often, &v[0].exponent, false, v[0].x, v[0].y);
    weft__evidence_multiply(&once, &v[1].exponent, false, v[1].x, v[1].y);
    assert_memory_equal(v[0].y, v[1].y, (size_t)v[0].exponent.n * sizeof(double));
    free_vectors(&v[0]);
    free_vectors(&v[1]);
    weft__evidence_free(&often);
    weft__evidence_free(&once);
}

/* Over 2^20 pairs a product has parts. */
static void threads_change_no_bit(void **state)
{
    rectangle r = {3000, 9000, false};
    weft__evidence evidence;
    dice d = {15};
    weft__evidence_create(&evidence, false, NULL);
    fill(&evidence, &r, WEFT__MANY_PAIRS + 1000, &d);
    assert_int_equal(weft__evidence_restore(&evidence, evidence.largest, false, NULL), WEFT_OK);
    check_product(&evidence, 1);
    assert_true(evidence.arrangement.settled >= WEFT__MANY_PAIRS);
    vectors alone = make_vectors(&evidence, 1);
    weft__evidence_multiply(&evidence, &alone.exponent, false, alone.x, alone.y);
    for (int threads = 2; threads <= 5; threads++) {
        vectors v = make_vectors(&evidence, 1);
        assert_int_equal(weft__thread_pool_create(threads, NULL, &evidence.pool, NULL), WEFT_OK);
        for (int turn = 0; turn < 3; turn++) {
            weft__evidence_multiply(&evidence, &v.exponent, false, v.x, v.y);
            assert_memory_equal(v.y, alone.y, (size_t)v.exponent.n * sizeof(double));
        }
        weft__thread_pool_free(evidence.pool);
        free_vectors(&v);
    }
    free_vectors(&alone);
    weft__evidence_free(&evidence);
}

/* Short lists stay as they are; the rest is settled in steps of a sixteenth. */
static void what_is_due(void **state)
{
    assert_int_equal(weft__arrangement_due(0), 0);
    assert_int_equal(weft__arrangement_due(8191), 0);
    assert_int_equal(weft__arrangement_due(8192), 8192);
    assert_int_equal(weft__arrangement_due(8192 + 511), 8192);
    assert_int_equal(weft__arrangement_due(8192 + 512), 8192 + 512);
    assert_int_equal(weft__arrangement_due(16383), 16384 - 512);
    assert_int_equal(weft__arrangement_due(16384 + 1023), 16384);
    assert_int_equal(weft__arrangement_due(INT64_C(1) << 27), INT64_C(1) << 27);
    assert_int_equal(weft__arrangement_due((INT64_C(1) << 27) + 1), 0);
}

/* Refused while a long list grows: products are as before, and nothing is leaked. */
static void refused_room_changes_nothing(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft__evidence evidence;
    rectangle r = {300, 16000, false};
    dice d = {16};
    int64_t refused = 0;
    weft__evidence_create(&evidence, false, &memory);
    fill(&evidence, &r, 16384, &d);
    check_product(&evidence, 1);
    assert_int_equal(evidence.count, evidence.capacity);
    for (int64_t fail_at = 0;; fail_at++) {
        test_alloc_arm(&alloc, fail_at);
        weft_status status = weft__evidence_reserve(&evidence, 300, 16001, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        check_product(&evidence, 1);
        if (status == WEFT_OK)
            break;
        refused++;
    }
    assert_true(refused >= 5);
    fill(&evidence, &r, 17500, &d);
    check_product(&evidence, 1);
    weft__evidence_free(&evidence);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void too_many_are_refused(void **state)
{
    weft__evidence evidence;
    weft_error error = {0};
    weft__evidence_create(&evidence, false, NULL);
    assert_int_equal(weft__evidence_reserve(&evidence, (int64_t)INT32_MAX + 1, 1, &error), WEFT_MEMORY);
    assert_non_null(strstr(error.message, "2^31"));
    weft__evidence_free(&evidence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_list), cmocka_unit_test(an_arrangement_follows_the_counts),
        cmocka_unit_test(large_counts_are_not_arranged),  cmocka_unit_test(the_order_follows_from_the_list),
        cmocka_unit_test(threads_change_no_bit),          cmocka_unit_test(what_is_due),
        cmocka_unit_test(refused_room_changes_nothing),   cmocka_unit_test(too_many_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
