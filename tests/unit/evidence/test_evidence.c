/* SPDX-License-Identifier: MIT
 * Counts and products against a plain matrix, in every mode of the store. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "evidence/evidence.h"
#include "support/alloc.h"
#include "support/dice.h"

enum { SIDE = 96, LENGTH = 2 * SIDE };

typedef struct pairing {
    weft__evidence evidence;
    double g[SIDE][SIDE]; /* one set: symmetric */
} pairing;

static void tell(pairing *p, int64_t a, int64_t b, int64_t count)
{
    bool one_set = p->evidence.one_set;
    assert_int_equal(weft__evidence_reserve(&p->evidence, (one_set && b > a ? b : a) + 1, b + 1, NULL),
                     WEFT_OK);
    weft__evidence_add(&p->evidence, a, b, count);
    if (one_set && a == b)
        return;
    p->g[a][b] += (double)count;
    if (one_set)
        p->g[b][a] += (double)count;
}

/* y = eta (G off the diagonal + diagonal * degrees) x, term by term. */
static void multiply_plainly(const pairing *p, const weft__exponent *x, const double *in, double *out)
{
    bool one_set = p->evidence.one_set;
    memset(out, 0, LENGTH * sizeof *out);
    for (int64_t a = 0; a < SIDE; a++)
        for (int64_t b = 0; b < SIDE; b++) {
            int64_t at = one_set ? b : x->offset + b;
            out[a] += x->eta * p->g[a][b] * (in[at] + x->diagonal * in[a]);
            if (!one_set)
                out[at] += x->eta * p->g[a][b] * (in[a] + x->diagonal * in[at]);
        }
}

static void check_products(pairing *p, double diagonal, double tolerance)
{
    _Alignas(64) double in[LENGTH] = {0}, expected[LENGTH], found[LENGTH];
    bool one_set = p->evidence.one_set;
    weft__exponent x = {0.5, diagonal, one_set ? 0 : SIDE, one_set ? SIDE : LENGTH};
    dice d = {77};
    for (int64_t k = 0; k < 2; k++)
        for (int64_t a = 0; a < p->evidence.places[one_set ? 0 : k]; a++)
            in[(one_set ? 0 : k * SIDE) + a] = dice_normal(&d);
    multiply_plainly(p, &x, in, expected);
    for (int single = 0; single < 2; single++) {
        double allowed = single && p->evidence.dense ? 1e-4 * tolerance : 1e-12 * tolerance;
        weft__evidence_multiply(&p->evidence, &x, single, in, found);
        for (int64_t k = 0; k < x.n; k++)
            assert_near(found[k], expected[k], allowed);
    }
}

static void check_counts(const pairing *p)
{
    bool one_set = p->evidence.one_set;
    for (int64_t a = 0; a < SIDE; a++) {
        double row = 0, column = 0;
        for (int64_t b = 0; b < SIDE; b++) {
            assert_int_equal(weft__evidence_at(&p->evidence, a, b), (int64_t)p->g[a][b]);
            row += p->g[a][b];
            column += p->g[b][a];
        }
        if (a < p->evidence.places[0])
            assert_true(p->evidence.degree[0][a] == row);
        if (!one_set && a < p->evidence.places[1])
            assert_true(p->evidence.degree[1][a] == column);
    }
}

static void counts_and_products_are_those_of_the_matrix(void **state)
{
    static pairing p;
    dice d = {21};
    for (int one_set = 0; one_set < 2; one_set++)
        for (int64_t size = 2; size <= SIDE; size += 47) {
            memset(&p, 0, sizeof p);
            weft__evidence_create(&p.evidence, one_set, NULL);
            assert_int_equal(weft__evidence_at(&p.evidence, 0, 1), 0);
            for (int k = 0; k < 2000; k++) {
                int64_t a = dice_below(&d, size), b = dice_below(&d, size);
                tell(&p, a, b, dice_below(&d, 7) - 3);
            }
            check_counts(&p);
            for (int diagonal = -1; diagonal <= 1; diagonal++)
                check_products(&p, diagonal, 100);
            weft__evidence_free(&p.evidence);
        }
}

static void cells_keep_the_order_of_first_update(void **state)
{
    static pairing p;
    memset(&p, 0, sizeof p);
    weft__evidence_create(&p.evidence, true, NULL);
    tell(&p, 5, 2, 1);
    tell(&p, 2, 5, 1);
    tell(&p, 3, 3, 9);
    tell(&p, 0, 1, -4);
    tell(&p, 1, 0, 4);
    assert_int_equal(p.evidence.count, 2);
    assert_int_equal(p.evidence.cells[0].a, 2);
    assert_int_equal(p.evidence.cells[0].b, 5);
    assert_int_equal(p.evidence.cells[0].count, 2);
    /* A pair that sums to nothing stays listed. */
    assert_int_equal(p.evidence.cells[1].count, 0);
    assert_int_equal(p.evidence.largest, 4);
    check_counts(&p);
    weft__evidence_free(&p.evidence);
}

/* y = |C+| x with the counts of one sign. */
static void one_sign_at_a_time(void **state)
{
    static pairing p;
    _Alignas(64) double in[LENGTH], expected[LENGTH], found[LENGTH];
    dice d = {22};
    for (int sign = -1; sign <= 1; sign++)
        for (int diagonal = -1; diagonal <= 1; diagonal++) {
            memset(&p, 0, sizeof p);
            weft__evidence_create(&p.evidence, false, NULL);
            for (int k = 0; k < 300; k++)
                tell(&p, dice_below(&d, 20), dice_below(&d, 30), dice_below(&d, 5) - 2);
            for (int64_t k = 0; k < LENGTH; k++)
                in[k] = dice_uniform(&d);
            weft__exponent x = {0.5, diagonal, SIDE, LENGTH},
                           plain = {0.5, fabs((double)diagonal), SIDE, LENGTH};
            weft__evidence_multiply_absolute(&p.evidence, &x, sign, in, found);
            for (int64_t a = 0; a < SIDE * SIDE; a++) {
                double *g = &p.g[a / SIDE][a % SIDE];
                *g = sign * *g < 0 ? 0 : fabs(*g);
            }
            multiply_plainly(&p, &plain, in, expected);
            for (int64_t k = 0; k < LENGTH; k++)
                assert_near(found[k], expected[k], 1e-12);
            weft__evidence_free(&p.evidence);
        }
}

/* 96 x 96 places are 9216 cells: a block from 576 pairs on, kept down to 288. */
static void the_block_comes_and_goes(void **state)
{
    static pairing p;
    memset(&p, 0, sizeof p);
    weft__evidence_create(&p.evidence, false, NULL);
    tell(&p, SIDE - 1, SIDE - 1, 1);
    assert_false(p.evidence.dense);
    int64_t pairs = 1;
    for (int64_t k = 0; pairs < 575; k++, pairs++)
        tell(&p, k / 90, k % 90, 1 + k % 3);
    assert_int_equal(p.evidence.count, 575);
    assert_false(p.evidence.dense);
    check_products(&p, 1, 100);
    tell(&p, 90, 90, -2);
    assert_true(p.evidence.dense);
    check_products(&p, 1, 100);
    check_counts(&p);
    /* Told again: the block follows. */
    tell(&p, 0, 0, 5);
    check_products(&p, -1, 100);
    weft__evidence_free(&p.evidence);
}

static void reserve_and_add(weft__evidence *evidence, int64_t a, int64_t b)
{
    assert_int_equal(weft__evidence_reserve(evidence, (evidence->one_set ? b : a) + 1, b + 1, NULL), WEFT_OK);
    weft__evidence_add(evidence, a, b, 1);
}

/* In at 16 cells a pair, out at 32, and not in again between the two. */
static void the_limits_are_apart(void **state)
{
    weft__evidence evidence;
    weft__evidence_create(&evidence, false, NULL);
    for (int64_t k = 0; k < 1600; k++)
        reserve_and_add(&evidence, k / 100, k % 100);
    assert_true(evidence.dense);
    /* 1600 pairs: the block stays up to 51200 cells, 112 x 448 = 50176. */
    for (int64_t b = 100; b < 448; b += 16)
        reserve_and_add(&evidence, 100, b);
    assert_true(evidence.dense);
    reserve_and_add(&evidence, 100, 600);
    assert_false(evidence.dense);
    reserve_and_add(&evidence, 100, 601);
    assert_null(evidence.block);
    int64_t cells = 112 * weft__padded(602);
    int64_t k = 0;
    for (; evidence.count < cells / 16 - 1; k++) {
        reserve_and_add(&evidence, 16 + k / 100, k % 100);
        assert_false(evidence.dense);
    }
    reserve_and_add(&evidence, 16 + k / 100, k % 100);
    assert_true(evidence.dense);
    weft__evidence_free(&evidence);
}

static void a_small_square_is_always_a_block(void **state)
{
    weft__evidence evidence;
    weft__evidence_create(&evidence, true, NULL);
    reserve_and_add(&evidence, 62, 63);
    assert_true(evidence.dense);
    reserve_and_add(&evidence, 0, 64);
    assert_false(evidence.dense);
    weft__evidence_free(&evidence);
}

/* A float holds whole numbers up to 2^24 only. */
static void large_counts_are_listed(void **state)
{
    static pairing p;
    memset(&p, 0, sizeof p);
    weft__evidence_create(&p.evidence, false, NULL);
    tell(&p, 0, 0, (1 << 24) - 1);
    tell(&p, 1, 1, 3);
    assert_true(p.evidence.dense);
    tell(&p, 0, 0, 2);
    assert_false(p.evidence.dense);
    check_products(&p, 1, 1e9);
    check_counts(&p);
    /* It was large once: what was dense or not does not depend on the way back. */
    tell(&p, 0, 0, -(1 << 24));
    assert_false(p.evidence.dense);
    check_products(&p, 1, 100);
    weft__evidence_free(&p.evidence);
}

static void a_huge_rectangle_is_no_block(void **state)
{
    weft__evidence evidence;
    weft__evidence_create(&evidence, false, NULL);
    for (int64_t k = 0; k < 4200; k++)
        reserve_and_add(&evidence, k, k);
    assert_false(evidence.dense);
    assert_null(evidence.block);
    assert_int_equal(weft__evidence_at(&evidence, 4199, 4199), 1);
    assert_int_equal(weft__evidence_at(&evidence, 4199, 4198), 0);
    weft__evidence_free(&evidence);
}

static void a_saved_mode_comes_back(void **state)
{
    static pairing p;
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    memset(&p, 0, sizeof p);
    weft__evidence_create(&p.evidence, false, &memory);
    /* 400 pairs in 9216 cells: within the two limits, so either mode may be. */
    tell(&p, SIDE - 1, SIDE - 1, 2);
    for (int64_t k = 0; k < 399; k++)
        tell(&p, k / 20, k % 20, 1);
    assert_false(p.evidence.dense);
    assert_null(p.evidence.block);
    test_alloc_arm(&alloc, 0);
    assert_int_equal(weft__evidence_restore(&p.evidence, 7, true, NULL), WEFT_MEMORY);
    assert_false(p.evidence.dense);
    assert_int_equal(p.evidence.largest, 2);
    bool dense = false;
    for (int turn = 0; turn < 2; turn++) {
        dense = !dense;
        assert_int_equal(weft__evidence_restore(&p.evidence, 7, dense, NULL), WEFT_OK);
        assert_true(p.evidence.dense == dense);
        assert_int_equal(p.evidence.largest, 7);
        check_products(&p, 1, 100);
    }
    weft__evidence_free(&p.evidence);
}

static void refused_room_changes_nothing(void **state)
{
    static pairing p;
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    int64_t refused = 0;
    memset(&p, 0, sizeof p);
    weft__evidence_create(&p.evidence, false, &memory);
    for (int64_t k = 0; k < 90; k++)
        for (int64_t fail_at = 0;; fail_at++) {
            test_alloc_arm(&alloc, fail_at);
            weft_status status = weft__evidence_reserve(&p.evidence, k + 1, k + 2, NULL);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
            check_products(&p, 1, 1);
            if (status == WEFT_OK) {
                tell(&p, k, k + 1, 1);
                break;
            }
            refused++;
        }
    assert_true(refused > 20);
    check_counts(&p);
    weft__evidence_free(&p.evidence);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_products_are_those_of_the_matrix),
        cmocka_unit_test(cells_keep_the_order_of_first_update),
        cmocka_unit_test(one_sign_at_a_time),
        cmocka_unit_test(the_block_comes_and_goes),
        cmocka_unit_test(the_limits_are_apart),
        cmocka_unit_test(a_small_square_is_always_a_block),
        cmocka_unit_test(large_counts_are_listed),
        cmocka_unit_test(a_huge_rectangle_is_no_block),
        cmocka_unit_test(a_saved_mode_comes_back),
        cmocka_unit_test(refused_room_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
