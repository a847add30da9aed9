/* SPDX-License-Identifier: MIT
 * exp(CK) e and its sensitivity from a whole Lanczos sequence, against a Taylor
 * series in extended precision: at every step the error is within what is claimed,
 * and at the end it is rounding. */
#include "unit/test_core_support.h"

#include "spectral/action.h"
#include "unit/test_spectral_support.h"

/* y = CK x */
static void multiply(const explicit_space *space, const long double *x, long double *y)
{
    long double p[ROOM];
    for (int64_t i = 0; i < space->order; i++) {
        p[i] = 0;
        for (int64_t j = 0; j < space->order; j++)
            p[i] += space->k[i * ROOM + j] * x[j];
    }
    for (int64_t i = 0; i < space->order; i++) {
        y[i] = 0;
        for (int64_t j = 0; j < space->order; j++)
            y[i] += space->c[i * ROOM + j] * p[j];
    }
}

/* x = exp(t CK) x by 64 steps of 24 terms each. */
static void exponentiate(const explicit_space *space, long double t, long double *x)
{
    enum { STEPS = 64, TERMS = 24 };
    for (int step = 0; step < STEPS; step++) {
        long double term[ROOM], next[ROOM];
        memcpy(term, x, sizeof term);
        for (int k = 1; k <= TERMS; k++) {
            multiply(space, term, next);
            for (int64_t i = 0; i < space->order; i++) {
                term[i] = next[i] * t / STEPS / k;
                x[i] += term[i];
            }
        }
    }
}

/* f(t) = K exp(tCK) (e_i + factor e_j) */
static void flow(const explicit_space *space, int64_t i, int64_t j, long double t, long double *f)
{
    long double x[ROOM] = {0};
    x[i] += 1;
    x[j] += 1;
    exponentiate(space, t, x);
    for (int64_t r = 0; r < space->order; r++) {
        f[r] = 0;
        for (int64_t c = 0; c < space->order; c++)
            f[r] += space->k[r * ROOM + c] * x[c];
    }
}

typedef struct fixture {
    weft_memory memory;
    weft__sequence *sequence;
    weft__action action;
} fixture;

static fixture open_fixture(void)
{
    fixture f = {.memory = weft__memory_or_default(NULL)};
    f.action.memory = f.memory;
    assert_int_equal(weft__new(&f.memory, 1, sizeof *f.sequence, &f.sequence, NULL), WEFT_OK);
    f.sequence->whole = true;
    assert_int_equal(weft__sequence_reserve(f.sequence, &f.memory, ROOM, NULL), WEFT_OK);
    return f;
}

static void close_fixture(fixture *f)
{
    weft__sequence_release(f->sequence, &f->memory);
    weft__delete(&f->memory, f->sequence);
    weft__action_release(&f->action);
}

static bool advance(fixture *f)
{
    assert_int_equal(weft__sequence_widen(f->sequence, &f->memory, NULL), WEFT_OK);
    return weft__sequence_advance(f->sequence);
}

/* The distance of the action to x, in the norm of K. */
static double distance(const fixture *f, const explicit_space *space, const weft__start *start,
                       const long double *x)
{
    _Alignas(64) double found[ROOM];
    long double rest[ROOM], square = 0;
    double outside = weft__action_vector(&f->action, f->sequence, found);
    double unit = exp(f->action.shift);
    for (int64_t i = 0; i < space->order; i++)
        rest[i] = unit * (long double)found[i] - x[i];
    for (int k = 0; k < 2 && !start->inside; k++)
        rest[start->at[k]] += unit * outside * start->value[k];
    for (int64_t i = 0; i < space->order; i++)
        for (int64_t j = 0; j < space->order; j++)
            square += rest[i] * space->k[i * ROOM + j] * rest[j];
    return sqrt(fmax((double)square, 0));
}

static void errors_are_within_what_is_claimed(void **state)
{
    dice d = {31};
    fixture f = open_fixture();
    for (int round = 0; round < 40; round++) {
        explicit_space space;
        int64_t order = 3 + dice_below(&d, 12), i = dice_below(&d, order), j = dice_below(&d, order);
        explicit_draw(&space, &d, order, round % 4 ? order : 2, dice_log_between(&d, 0.01, 1));
        weft__start start = explicit_start(&space, i, j, 1);
        double b = explicit_solve_pair(&space, i, j, 1).top + dice_between(&d, 0, 3);
        long double x[ROOM] = {0};
        x[i] += 1;
        x[j] += 1;
        exponentiate(&space, 1, x);
        weft__sequence_begin(f.sequence, &space.operators, &start, b);
        double claimed = INFINITY;
        while (advance(&f)) {
            if (f.sequence->kernel_next)
                continue;
            assert_int_equal(weft__action_evaluate(&f.action, f.sequence, NULL), WEFT_OK);
            claimed = exp(f.action.shift) * f.action.error;
            assert_true(distance(&f, &space, &start, x) <= claimed * (1 + 1e-6));
        }
        assert_int_equal(weft__action_evaluate(&f.action, f.sequence, NULL), WEFT_OK);
        claimed = f.action.error;
        assert_true(distance(&f, &space, &start, x) <= exp(f.action.shift) * claimed);
        assert_true(claimed < 1e-5);
    }
    close_fixture(&f);
}

/* e has a part on a coordinate that carries no evidence and is left out. */
static void the_start_may_lie_outside(void **state)
{
    dice d = {32};
    fixture f = open_fixture();
    for (int round = 0; round < 20; round++) {
        explicit_space space;
        int64_t order = 3 + dice_below(&d, 9), last = order - 1;
        explicit_draw(&space, &d, order, order, 0.5);
        for (int64_t i = 0; i < order; i++)
            space.c[i * ROOM + last] = space.c[last * ROOM + i] = 0;
        explicit_finish(&space, false);
        weft__start start = explicit_start(&space, 0, last, 1);
        double b = explicit_solve_pair(&space, 0, last, 1).top + 1;
        long double x[ROOM] = {0};
        x[0] = x[last] = 1;
        exponentiate(&space, 1, x);
        start.inside = false;
        space.order = last;
        space.image[last] = 0;
        weft__sequence_begin(f.sequence, &space.operators, &start, b);
        while (advance(&f))
            ;
        assert_int_equal(weft__action_evaluate(&f.action, f.sequence, NULL), WEFT_OK);
        space.order = order;
        assert_true(distance(&f, &space, &start, x) <= 1e-6 * exp(f.action.shift));
    }
    close_fixture(&f);
}

/* Simpson's rule for B(r, c). */
enum { PANELS = 64 };

static long double integral(long double f[PANELS + 1][ROOM], int64_t r, int64_t c)
{
    long double sum = 0;
    for (int t = 0; t <= PANELS; t++) {
        int weight = t == 0 || t == PANELS ? 1 : t % 2 ? 4 : 2;
        sum += weight * f[PANELS - t][r] * f[t][c];
    }
    return sum / (3 * PANELS);
}

static double worst_sensitivity(const fixture *f, const explicit_space *space,
                                long double flows[PANELS + 1][ROOM])
{
    double worst = 0, unit = exp(f->action.shift);
    for (int64_t r = 0; r < space->order; r++)
        for (int64_t c = 0; c < space->order; c++) {
            double found = unit * weft__action_sensitivity(&f->action, r, c);
            double size = sqrt(space->k[r * ROOM + r] * space->k[c * ROOM + c]);
            worst = fmax(worst, fabs(found - (double)integral(flows, r, c)) / size);
        }
    return worst;
}

static void sensitivities_are_integrals(void **state)
{
    static long double flows[PANELS + 1][ROOM];
    dice d = {33};
    fixture f = open_fixture();
    for (int round = 0; round < 8; round++) {
        explicit_space space;
        int64_t order = 3 + dice_below(&d, 6);
        explicit_draw(&space, &d, order, order, 0.1);
        weft__start start = explicit_start(&space, 0, 1, 1);
        for (int t = 0; t <= PANELS; t++)
            flow(&space, 0, 1, (long double)t / PANELS, flows[t]);
        weft__sequence_begin(f.sequence, &space.operators, &start,
                             explicit_solve_pair(&space, 0, 1, 1).top + 1);
        bool more = true;
        while (more) {
            more = advance(&f);
            if (more && f.sequence->kernel_next)
                continue;
            assert_int_equal(weft__action_evaluate(&f.action, f.sequence, NULL), WEFT_OK);
            assert_int_equal(weft__action_derive(&f.action, f.sequence, NULL), WEFT_OK);
            double claimed = exp(f.action.shift) * f.action.sensitivity_error;
            assert_true(worst_sensitivity(&f, &space, flows) <= claimed * (1 + 1e-6) + 1e-9);
        }
        assert_true(worst_sensitivity(&f, &space, flows) < 1e-6);
    }
    close_fixture(&f);
}

/* Past the closing of the bracket, and past the vectors that there was room for. */
static void a_whole_sequence_goes_on(void **state)
{
    dice d = {34};
    fixture f = open_fixture();
    explicit_space space;
    explicit_draw(&space, &d, ROOM, ROOM, 1);
    weft__start start = explicit_start(&space, 0, 1, 1);
    double top = explicit_solve_pair(&space, 0, 1, 1).top;
    weft__sequence_begin(f.sequence, &space.operators, &start, top + 1);
    while (advance(&f))
        ;
    int whole = f.sequence->t.k;
    assert_true(f.sequence->vectors > whole);
    f.sequence->whole = false;
    weft__sequence_begin(f.sequence, &space.operators, &start, top + 1);
    while (weft__sequence_advance(f.sequence))
        ;
    assert_true(f.sequence->t.k < whole);
    close_fixture(&f);
}

static void nothing_has_no_action(void **state)
{
    dice d = {35};
    fixture f = open_fixture();
    explicit_space space;
    explicit_draw(&space, &d, 4, 4, 1);
    weft__start start = explicit_start(&space, 0, 0, -1);
    _Alignas(64) double x[ROOM];
    assert_true(start.square == 0);
    weft__sequence_begin(f.sequence, &space.operators, &start, 1);
    assert_false(advance(&f));
    assert_int_equal(weft__action_evaluate(&f.action, f.sequence, NULL), WEFT_OK);
    assert_int_equal(weft__action_derive(&f.action, f.sequence, NULL), WEFT_OK);
    assert_true(weft__action_vector(&f.action, f.sequence, x) == 0 && x[0] == 0);
    assert_true(weft__action_sensitivity(&f.action, 0, 1) == 0);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_what_is_claimed),
        cmocka_unit_test(the_start_may_lie_outside),
        cmocka_unit_test(sensitivities_are_integrals),
        cmocka_unit_test(a_whole_sequence_goes_on),
        cmocka_unit_test(nothing_has_no_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
