/* SPDX-License-Identifier: MIT
 * One Lanczos sequence against the eigensystem: the bracket holds the value at
 * every half step, narrows, closes, and a bound that is too low is noticed. */
#include "unit/test_core_support.h"

#include "spectral/sequence.h"
#include "unit/test_spectral_support.h"

typedef struct run {
    weft_memory memory;
    weft__sequence *sequence;
} run;

static run open_run(int64_t n)
{
    run r = {weft__memory_or_default(NULL), NULL};
    assert_int_equal(weft__new(&r.memory, 1, sizeof *r.sequence, &r.sequence, NULL), WEFT_OK);
    assert_int_equal(weft__sequence_reserve(r.sequence, &r.memory, n, NULL), WEFT_OK);
    /* There is room already. */
    assert_int_equal(weft__sequence_reserve(r.sequence, &r.memory, n - 1, NULL), WEFT_OK);
    return r;
}

static void close_run(run *r)
{
    weft__sequence_release(r->sequence, &r->memory);
    weft__delete(&r->memory, r->sequence);
}

/* Every bracket on the way holds `exact` and lies within the one before; the
 * width, in logarithms, of the last. */
static double follow(weft__sequence *s, double exact)
{
    double lower = s->bracket.log_lower, upper = s->bracket.log_upper, slack = 1e-9;
    int steps = 0;
    do {
        assert_true(s->bracket.log_lower <= exact + slack);
        assert_true(s->bracket.log_upper >= exact - slack);
        assert_true(s->bracket.log_lower >= lower);
        assert_true(s->bracket.log_upper <= upper + slack);
        lower = s->bracket.log_lower;
        upper = s->bracket.log_upper;
        assert_true(++steps < 10000);
    } while (weft__sequence_advance(s));
    assert_false(weft__sequence_advance(s));
    return upper - lower;
}

static void brackets_hold_the_value(void **state)
{
    dice d = {11};
    run r = open_run(ROOM);
    for (int round = 0; round < 60; round++) {
        explicit_space space;
        int64_t order = 2 + dice_below(&d, 15);
        explicit_draw(&space, &d, order, order, dice_log_between(&d, 0.01, 3));
        int64_t i = dice_below(&d, order), j = dice_below(&d, order);
        double factor = round % 3 == 0 ? -0.5 : 1;
        explicit_answer exact = explicit_solve_pair(&space, i, j, factor);
        weft__start start = explicit_start(&space, i, j, factor);
        double above = round % 2 ? 1e-9 : dice_between(&d, 0, 10);
        weft__sequence_begin(r.sequence, &space.operators, &start, exact.top + above);
        assert_near(r.sequence->bracket.log_upper, log(start.square) + exact.top + above, 1e-12);
        assert_true(follow(r.sequence, exact.log_value) < 1e-6);
        assert_near(r.sequence->bracket.log_value, exact.log_value, 1e-7);
        assert_int_equal(r.sequence->bracket.products, space.doubles);
        assert_int_equal(space.singles, 0);
        assert_false(r.sequence->bracket.contradiction);
    }
    close_run(&r);
}

static void singular_kernels_break_down_in_time(void **state)
{
    dice d = {12};
    run r = open_run(ROOM);
    for (int round = 0; round < 40; round++) {
        explicit_space space;
        int64_t rank = 1 + dice_below(&d, 4);
        explicit_draw(&space, &d, 16, rank, dice_log_between(&d, 0.01, 1));
        explicit_answer exact = explicit_solve_pair(&space, 3, 8, 1);
        weft__start start = explicit_start(&space, 3, 8, 1);
        weft__sequence_begin(r.sequence, &space.operators, &start, exact.top + 1);
        assert_true(follow(r.sequence, exact.log_value) < 1e-6);
        assert_true(r.sequence->bracket.products <= rank + 1);
        assert_false(r.sequence->bracket.contradiction);
    }
    close_run(&r);
}

/* e partly outside: the last coordinate carries no evidence and is left out of
 * the operators. */
static void the_start_may_lie_outside(void **state)
{
    dice d = {13};
    run r = open_run(ROOM);
    for (int round = 0; round < 40; round++) {
        explicit_space space;
        int64_t order = 3 + dice_below(&d, 9), last = order - 1;
        explicit_draw(&space, &d, order, order, 1);
        for (int64_t i = 0; i < order; i++)
            space.c[i * ROOM + last] = space.c[last * ROOM + i] = 0;
        explicit_answer exact = explicit_solve_pair(&space, 0, last, 1);
        weft__start start = explicit_start(&space, 0, last, 1);
        start.inside = false;
        space.order = last;
        space.image[last] = 0;
        explicit_finish(&space, false);
        weft__sequence_begin(r.sequence, &space.operators, &start, fmax(exact.top, 0) + 0.1);
        assert_true(follow(r.sequence, exact.log_value) < 1e-6);
    }
    close_run(&r);
}

static void single_precision_goes_on_in_double(void **state)
{
    dice d = {14};
    run r = open_run(ROOM);
    for (int round = 0; round < 40; round++) {
        explicit_space space;
        explicit_draw(&space, &d, 12, 12, 0.3);
        explicit_finish(&space, true);
        explicit_answer exact = explicit_solve_pair(&space, 1, 2, 1);
        weft__start start = explicit_start(&space, 1, 2, 1);
        weft__sequence_begin(r.sequence, &space.operators, &start, exact.top + 0.5);
        assert_true(follow(r.sequence, exact.log_value) < 1e-6);
        assert_true(space.singles > 0 && space.doubles > 0);
        assert_int_equal(r.sequence->bracket.products, space.singles + space.doubles);
    }
    close_run(&r);
}

static void a_low_bound_is_noticed(void **state)
{
    dice d = {15};
    run r = open_run(ROOM);
    int noticed = 0;
    for (int round = 0; round < 40; round++) {
        explicit_space space;
        explicit_draw(&space, &d, 8, 8, 1);
        explicit_finish(&space, round % 2 == 0);
        explicit_answer exact = explicit_solve_pair(&space, 0, 5, 1);
        weft__start start = explicit_start(&space, 0, 5, 1);
        weft__sequence_begin(r.sequence, &space.operators, &start, exact.top - 0.01 * (1 + fabs(exact.top)));
        while (weft__sequence_advance(r.sequence))
            continue;
        noticed += r.sequence->bracket.contradiction;
    }
    assert_int_equal(noticed, 40);
    close_run(&r);
}

static void a_zero_vector_is_zero(void **state)
{
    dice d = {16};
    explicit_space space;
    run r = open_run(ROOM);
    explicit_draw(&space, &d, 4, 4, 1);
    weft__start start = explicit_start(&space, 2, 2, -1);
    assert_true(start.square == 0);
    weft__sequence_begin(r.sequence, &space.operators, &start, 3);
    assert_true(r.sequence->bracket.log_upper == -INFINITY);
    assert_true(r.sequence->bracket.log_lower == -INFINITY);
    assert_false(weft__sequence_advance(r.sequence));
    assert_int_equal(r.sequence->bracket.products, 0);
    close_run(&r);
}

static void no_evidence_needs_one_product(void **state)
{
    dice d = {17};
    explicit_space space;
    run r = open_run(ROOM);
    explicit_draw(&space, &d, 6, 6, 0);
    weft__start start = explicit_start(&space, 2, 4, 1);
    weft__sequence_begin(r.sequence, &space.operators, &start, 0);
    assert_true(follow(r.sequence, log(start.square)) < 1e-12);
    assert_int_equal(r.sequence->bracket.products, 1);
    close_run(&r);
}

static double infinite_kernel(void *self, bool single, const double *x, double *y)
{
    explicit_kernel(self, single, x, y);
    y[0] = INFINITY;
    return INFINITY;
}

static void infinite_evidence(void *self, bool single, const double *x, double *y)
{
    explicit_evidence(self, single, x, y);
    y[0] = INFINITY;
}

static void what_overflows_ends_with_the_bracket_so_far(void **state)
{
    dice d = {18};
    explicit_space space;
    run r = open_run(ROOM);
    explicit_draw(&space, &d, 6, 6, 1);
    explicit_answer exact = explicit_solve_pair(&space, 0, 1, 1);
    weft__start start = explicit_start(&space, 0, 1, 1);
    space.operators.kernel = infinite_kernel;
    weft__sequence_begin(r.sequence, &space.operators, &start, exact.top + 1);
    follow(r.sequence, exact.log_value);
    assert_true(isfinite(r.sequence->bracket.log_lower) && isfinite(r.sequence->bracket.log_upper));
    space.operators.evidence = infinite_evidence;
    weft__sequence_begin(r.sequence, &space.operators, &start, exact.top + 1);
    follow(r.sequence, exact.log_value);
    assert_true(r.sequence->bracket.log_lower == -INFINITY);
    close_run(&r);
}

/* ---- long sequences: K = I, C = -diag(d) over many coordinates ---- */

enum { MANY = 1024 };

typedef struct diagonal_space {
    _Alignas(64) double c[MANY], weight[MANY], ones[MANY], image[MANY];
} diagonal_space;

static void diagonal_evidence(void *self, bool single, const double *x, double *y)
{
    const diagonal_space *space = self;
    (void)single;
    for (int64_t i = 0; i < MANY; i++)
        y[i] = space->c[i] * x[i];
}

static double identity_kernel(void *self, bool single, const double *x, double *y)
{
    double square = 0;
    (void)self;
    (void)single;
    memcpy(y, x, MANY * sizeof *y);
    for (int64_t i = 0; i < MANY; i++)
        square += x[i] * x[i];
    return square;
}

/* e = (1, ..., 1)/32 outside, so that all of the spectrum, from -top to 0, takes
 * part. */
static double follow_diagonal(weft__sequence *s, double top)
{
    static diagonal_space space;
    long double sum = 0;
    for (int64_t i = 0; i < MANY; i++) {
        double share = (double)i / (MANY - 1);
        space.c[i] = -top * share * share;
        space.weight[i] = space.c[i] * space.c[i];
        space.ones[i] = 1;
        space.image[i] = 1 / 32.0;
        sum += expl(space.c[i]) / MANY;
    }
    weft__operators operators = {.n = MANY,
                                 .coordinates = MANY,
                                 .self = &space,
                                 .evidence = diagonal_evidence,
                                 .kernel = identity_kernel,
                                 .weight = space.weight,
                                 .diagonal = space.ones};
    weft__start start = {.image = space.image, .square = 1};
    weft__sequence_begin(s, &operators, &start, 0);
    return follow(s, (double)logl(sum));
}

static void long_sequences_forget_their_middle(void **state)
{
    run r = open_run(MANY);
    assert_true(follow_diagonal(r.sequence, 2000) < 1e-6);
    assert_true(r.sequence->bracket.products > WEFT__KEPT);
    assert_true(r.sequence->bracket.products < WEFT__MOST_STEPS);
    close_run(&r);
}

static void the_number_of_steps_has_a_cap(void **state)
{
    run r = open_run(MANY);
    double width = follow_diagonal(r.sequence, 1e9);
    assert_int_equal(r.sequence->bracket.products, WEFT__MOST_STEPS);
    assert_true(width > 1e-6 && isfinite(width));
    close_run(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_hold_the_value),
        cmocka_unit_test(singular_kernels_break_down_in_time),
        cmocka_unit_test(the_start_may_lie_outside),
        cmocka_unit_test(single_precision_goes_on_in_double),
        cmocka_unit_test(a_low_bound_is_noticed),
        cmocka_unit_test(a_zero_vector_is_zero),
        cmocka_unit_test(no_evidence_needs_one_product),
        cmocka_unit_test(what_overflows_ends_with_the_bracket_so_far),
        cmocka_unit_test(long_sequences_forget_their_middle),
        cmocka_unit_test(the_number_of_steps_has_a_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
