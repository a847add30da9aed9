/* SPDX-License-Identifier: MIT
 * The two engines behind the one seam: both against the eigensystem in extended
 * precision, through updates, and where they must refuse. */
#include "unit/test_core_support.h"

#include "support/alloc.h"
#include "unit/test_spectral_support.h"

typedef weft_status maker(const weft_memory *memory, weft__spectral_engine **engine, weft_error *error);

static void assert_holds(weft__spectral_engine *engine, int which, double exact)
{
    while (engine->ops->advance(engine, which))
        continue;
    const weft__bracket *bracket = engine->ops->bracket(engine, which);
    assert_true(bracket->log_lower <= exact + 1e-9 && exact <= bracket->log_upper + 1e-9);
    assert_near(bracket->log_value, exact, 1e-7);
    assert_true(bracket->log_upper - bracket->log_lower < 1e-5);
}

/* C += coefficient (e_i + factor e_j)(e_i + factor e_j)' */
static void add_pair(explicit_space *space, int64_t i, int64_t j, double factor, double coefficient)
{
    double e[ROOM] = {0};
    e[i] += 1;
    e[j] += factor;
    for (int64_t p = 0; p < space->order; p++)
        for (int64_t q = 0; q < space->order; q++)
            space->c[p * ROOM + q] += coefficient * e[p] * e[q];
    explicit_finish(space, false);
}

static void play(maker *make, int64_t order, int64_t rank, double size)
{
    explicit_space space;
    dice d = {(uint64_t)order};
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft__spectral_engine *engine = NULL;
    explicit_draw(&space, &d, order, rank, size);
    assert_int_equal(make(&memory, &engine, NULL), WEFT_OK);
    assert_int_equal(engine->ops->prepare(engine, &space.operators, NULL), WEFT_OK);
    for (int round = 0; round < 6; round++) {
        int64_t i = dice_below(&d, order), j = dice_below(&d, order);
        const double coefficient[2] = {0.7, -0.4};
        for (int which = 0; which < 2; which++) {
            explicit_answer exact = explicit_solve_pair(&space, i, j, which == 0 ? 1 : -0.5);
            weft__start start = explicit_start(&space, i, j, which == 0 ? 1 : -0.5);
            engine->ops->begin(engine, which, &start, exact.top + 0.1);
            assert_holds(engine, which, exact.log_value);
        }
        assert_int_equal(engine->ops->update(engine, 2, coefficient, NULL), WEFT_OK);
        add_pair(&space, i, j, 1, coefficient[0]);
        add_pair(&space, i, j, -0.5, coefficient[1]);
    }
    weft__spectral_engine_free(engine);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

static void both_engines_agree_with_the_eigensystem(void **state)
{
    maker *makers[] = {weft__reference_create, weft__krylov_create};
    for (size_t m = 0; m < 2; m++) {
        play(makers[m], 3, 3, 0.5);
        play(makers[m], 9, 9, 0.5);
        play(makers[m], 8, 3, 0.5);
        play(makers[m], 5, 5, 0);
    }
}

static void engines_say_their_names(void **state)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__spectral_engine *engine = NULL;
    assert_int_equal(weft__reference_create(&memory, &engine, NULL), WEFT_OK);
    assert_string_equal(engine->ops->name, "reference");
    weft__spectral_engine_free(engine);
    assert_int_equal(weft__krylov_create(&memory, &engine, NULL), WEFT_OK);
    assert_string_equal(engine->ops->name, "krylov");
    weft__spectral_engine_free(engine);
    weft__spectral_engine_free(NULL);
}

static void too_many_ids_are_refused(void **state)
{
    weft_error error = {0};
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft__spectral_engine *engine = NULL;
    weft__operators operators = {.n = 30016};
    assert_int_equal(weft__reference_create(&memory, &engine, NULL), WEFT_OK);
    assert_fails(engine->ops->prepare(engine, &operators, &error), WEFT_ARGUMENT, "30016");
    assert_int_equal(alloc.requests, 1);
    weft__spectral_engine_free(engine);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* An engine whose preparation failed can be prepared again. */
static void memory_may_run_out(void **state)
{
    maker *makers[] = {weft__reference_create, weft__krylov_create};
    explicit_space space;
    dice d = {3};
    explicit_draw(&space, &d, 5, 5, 1);
    explicit_answer exact = explicit_solve_pair(&space, 0, 3, 1);
    weft__start start = explicit_start(&space, 0, 3, 1);
    for (size_t m = 0; m < 2; m++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, 0);
        weft__spectral_engine *engine = NULL;
        assert_int_equal(makers[m](&memory, &engine, NULL), WEFT_MEMORY);
        assert_null(engine);
        assert_int_equal(makers[m](&memory, &engine, NULL), WEFT_OK);
        int64_t k = 0;
        for (;; k++) {
            test_alloc_arm(&alloc, k);
            weft_status status = engine->ops->prepare(engine, &space.operators, NULL);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            if (!alloc.failed)
                break;
        }
        assert_true(k >= 5);
        engine->ops->begin(engine, 0, &start, exact.top + 1);
        assert_holds(engine, 0, exact.log_value);
        weft__spectral_engine_free(engine);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_engines_agree_with_the_eigensystem),
        cmocka_unit_test(engines_say_their_names),
        cmocka_unit_test(too_many_ids_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
