/* SPDX-License-Identifier: MIT
 * The floor of the compact engine: what is refused; that A is held as it is said to be, against
 * a projection in extended precision of the A that a twin without a floor has; states across a hold;
 * numbers out of proportion. */
#include "support/test.h"

#include <float.h>

#include "support/dice.h"
#include "support/effort.h"
#include "support/stored.h"

/* Eigenvalues are looked at every so many updates for each coordinate. */
enum { IDS = 6, EVERY = 8, MOST = 16 };

static const double grid = 0x1p-20;

/* ---- helpers ---- */

static weft_side *hashed(int64_t ids, int64_t signs)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_map map = {.hash = signs, .seed = 3};
    weft_side_options options = {.map = &map};
    if (weft_side_none(ids, &options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

static weft_settings settings(weft_form form, int64_t ids, double floor)
{
    return (weft_settings){.form = form,
                           .engine = WEFT_COMPACT,
                           .eta = form == WEFT_BALANCED ? 40 : 3,
                           .gamma = 1,
                           .dimension = 4,
                           .tolerance = 1e-3,
                           .rows = ids,
                           .columns = form == WEFT_ONE_SET ? 0 : ids,
                           .floor = floor,
                           .seed = 1};
}

static weft_player *made(const weft_side *side, const weft_settings *s)
{
    weft_player *learner = NULL;
    weft_error error = {0};
    const weft_side *columns = s->form == WEFT_ONE_SET ? NULL : side;
    if (weft_learner_create(side, columns, s, NULL, &learner, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return learner;
}

static weft_player *read_back(const weft_side *side, const stored *state)
{
    weft_player *learner = NULL;
    weft_error error = {0};
    /* The form is the first of the settings. */
    const weft_side *columns = state->bytes[16] == WEFT_ONE_SET ? NULL : side;
    if (weft_learner_read(side, columns, state->bytes, state->size, NULL, &learner, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return learner;
}

/* Labels at random, so that no margin can be kept, and more of those that lower eigenvalues. */
static weft_answer play(weft_player *learner, int64_t t)
{
    dice d = {(uint64_t)t * 0x9e3779b97f4a7c15u + 1};
    weft_settings s = weft_learner_settings(learner);
    int64_t i = dice_below(&d, s.rows), j = dice_below(&d, s.rows);
    int down = s.form == WEFT_ONE_SET ? 1 : -1;
    int label = dice_chance(&d, s.form == WEFT_BALANCED ? 0.5 : 0.7) ? down : -down;
    weft_answer outcome;
    weft_error error = {0};
    memset(&outcome, 0, sizeof outcome);
    if (weft_player_learn(learner, i, j, label, &outcome, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return outcome;
}

static void assert_same_outcome(const weft_answer *a, const weft_answer *b)
{
    assert_true(a->updated == b->updated && a->label == b->label && a->lower == b->lower &&
                a->upper == b->upper && a->products == b->products);
}

static int64_t dimension_of(const weft_side *side, weft_form form)
{
    return weft_side_dimension(side) * (form == WEFT_ONE_SET ? 1 : 2);
}

static int64_t updates_of(const weft_player *learner)
{
    return weft_player_counters(learner).updates;
}

/* ---- settings ---- */

static void floors_out_of_range_are_refused(void **state)
{
    static const double wrong[] = {-1, -64, 1e-300, 0.999, NAN, INFINITY, -INFINITY};
    static const double right[] = {0, 1, 16, 64, 1e6};
    weft_side *side = hashed(IDS, 4);
    weft_player *learner = NULL;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        weft_error error = {0};
        weft_settings s = settings(WEFT_PAPER, IDS, wrong[k]);
        assert_int_equal(weft_learner_create(side, side, &s, NULL, &learner, &error), WEFT_ARGUMENT);
        assert_null(learner);
        assert_non_null(strstr(error.message, "floor"));
    }
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        weft_settings s = settings(WEFT_PAPER, IDS, right[k]);
        learner = made(side, &s);
        assert_true(weft_learner_settings(learner).floor == right[k]);
        weft_player_free(learner);
    }
    assert_true(weft_settings_default(3, 3, 10).floor == 64);
    weft_side_free(side);
}

static void other_engines_have_none(void **state)
{
    static const double any[] = {64, 0.5, -1, NAN};
    weft_side *side = hashed(IDS, 4);
    for (int k = 0; k < 8; k++) {
        weft_settings s = settings(WEFT_PAPER, IDS, any[k % 4]);
        s.engine = k < 4 ? WEFT_KRYLOV : WEFT_REFERENCE;
        weft_player *learner = made(side, &s);
        assert_true(weft_learner_settings(learner).floor == 0);
        weft_player_free(learner);
    }
    weft_side_free(side);
}

/* ---- holding ---- */

typedef struct account {
    int64_t holds, looks;
    long double worst; /* entry of A, off the projection */
} account;

/* The same learner without its floor. */
static weft_player *twin_of(const weft_side *side, const weft_player *learner)
{
    stored state = stored_state(learner);
    assert_true(stored_number(&state, STORED_FLOOR) == weft_learner_settings(learner).floor);
    memset(state.bytes + 8 * STORED_FLOOR, 0, 8);
    weft_player *twin = read_back(side, &state);
    free(state.bytes);
    assert_true(weft_learner_settings(twin).floor == 0);
    return twin;
}

static void assert_same_matrix(const weft_player *learner, const weft_player *twin)
{
    stored a = stored_state(learner), b = stored_state(twin);
    memset(a.bytes + 8 * STORED_FLOOR, 0, 8);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    free(a.bytes);
    free(b.bytes);
}

/* What was added is on the grid, and so is free of the last digits of LAPACK. */
static void assert_on_grid(int64_t d, const long double *before, const long double *held)
{
    for (int64_t k = 0; k < d * d; k++) {
        double a = (double)before[k], added = rint(((double)held[k] - a) / grid) * grid;
        assert_true((double)held[k] == a + added);
    }
}

/* fade P(A) is held, where the twin has fade A; P raises nothing that is less than 1 below. */
static void check_look(const weft_player *learner, const weft_player *twin, int64_t d, account *sum)
{
    weft_settings s = weft_learner_settings(learner);
    long double a[MOST * MOST], held[MOST * MOST], rest[MOST * MOST];
    long double fade = s.half_life > 0 ? exp2l(-1 / (long double)s.half_life) : 1;
    stored before = stored_state(twin), after = stored_state(learner);
    assert_true(d <= MOST);
    stored_matrix(&before, d, a);
    stored_matrix(&after, d, held);
    if (fade == 1)
        assert_on_grid(d, a, held);
    for (int64_t k = 0; k < d * d; k++)
        a[k] /= fade;
    sum->looks++;
    if (stored_project(d, s.floor, a) >= -s.floor - 1)
        assert_same_matrix(learner, twin);
    else {
        sum->holds++;
        for (int64_t k = 0; k < d * d; k++) {
            sum->worst = fmaxl(sum->worst, fabsl(held[k] - fade * a[k]));
            rest[k] = held[k] / fade;
        }
        assert_true(stored_project(d, s.floor, rest) >= -s.floor - (double)d * grid);
        size_t factor = after.size / 8 - (size_t)(d * (d + 1) / 2) - 2;
        assert_true(stored_number(&after, factor) == (double)fade && stored_number(&after, factor + 1) == 0);
    }
    free(before.bytes);
    free(after.bytes);
}

static void check_holds(weft_form form, int64_t signs, double floor, double half_life)
{
    weft_side *side = hashed(IDS, signs);
    weft_settings s = settings(form, IDS, floor);
    s.half_life = half_life;
    weft_player *learner = made(side, &s);
    int64_t period = EVERY * dimension_of(side, form);
    account sum = {0};
    for (int64_t t = 0; t < 12 * period; t++) {
        bool close = updates_of(learner) % period == period - 1;
        weft_player *twin = close ? twin_of(side, learner) : NULL;
        weft_answer outcome = play(learner, t);
        if (twin != NULL) {
            weft_answer other = play(twin, t);
            assert_same_outcome(&outcome, &other);
        }
        if (twin != NULL && outcome.updated)
            check_look(learner, twin, dimension_of(side, form), &sum);
        else if (twin != NULL)
            assert_same_matrix(learner, twin);
        weft_player_free(twin);
    }
    if (sum.holds < 1 || sum.looks < 3 || !(sum.worst <= grid / 2 + 1e-10))
        fail_msg("form %d signs %lld floor %g half-life %g: %lld looks, %lld holds, off by %Lg", (int)form,
                 (long long)signs, floor, half_life, (long long)sum.looks, (long long)sum.holds, sum.worst);
    weft_player_free(learner);
    weft_side_free(side);
}

static void eigenvalues_are_raised_to_the_floor(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int64_t signs = 2; signs <= fewer(8, 5); signs += 3) {
            check_holds((weft_form)form, signs, 16, 0);
            check_holds((weft_form)form, signs, 21.7, 0);
            check_holds((weft_form)form, signs, 16, 300);
            check_holds((weft_form)form, signs, 1, 40);
        }
}

/* Until the first hold a floor is not noticed at all. */
static void until_the_first_hold_nothing_differs(void **state)
{
    weft_side *side = hashed(IDS, 3);
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        weft_settings s = settings((weft_form)form, IDS, 16), none = settings((weft_form)form, IDS, 0);
        weft_player *learner = made(side, &s), *other = made(side, &none);
        for (int64_t t = 0; updates_of(other) < EVERY * dimension_of(side, (weft_form)form) - 1; t++) {
            weft_answer a = play(learner, t), b = play(other, t);
            assert_same_outcome(&a, &b);
            assert_same_matrix(learner, other);
        }
        weft_player_free(learner);
        weft_player_free(other);
    }
    weft_side_free(side);
}

/* ---- states ---- */

enum { STEPS = 160, STRIDE = 7 };

/* Whether a hold came on the way: without a floor the matrix is another one then. */
static bool was_held(const weft_side *side, weft_settings s, const stored *end)
{
    s.floor = 0;
    weft_player *free_fall = made(side, &s);
    for (int64_t t = 0; t < STEPS; t++)
        play(free_fall, t);
    stored other = stored_state(free_fall);
    bool held = memcmp(other.bytes + 8 * (STORED_FLOOR + 1), end->bytes + 8 * (STORED_FLOOR + 1),
                       end->size - 8 * (STORED_FLOOR + 1)) != 0;
    free(other.bytes);
    weft_player_free(free_fall);
    return held;
}

/* From trial `from` on, a learner that is read from here does what was done, and ends in the same bytes. */
static void assert_goes_on(const weft_side *side, const weft_player *walker, int64_t from,
                           const weft_answer *expected, const stored *end)
{
    stored here = stored_state(walker);
    weft_player *resumed = read_back(side, &here);
    assert_true(weft_learner_settings(resumed).floor == 16);
    for (int64_t t = from; t < STEPS; t++) {
        weft_answer got = play(resumed, t);
        assert_same_outcome(&got, &expected[t]);
    }
    stored now = stored_state(resumed);
    assert_int_equal(now.size, end->size);
    assert_memory_equal(now.bytes, end->bytes, end->size);
    free(now.bytes);
    free(here.bytes);
    weft_player_free(resumed);
}

static void a_state_goes_on_across_a_hold(void **state)
{
    weft_side *side = hashed(IDS, 2);
    for (int way = 0; way < 6; way++) {
        weft_answer expected[STEPS];
        weft_settings s = settings((weft_form)(way % 3), IDS, 16);
        s.half_life = way < 3 ? 0 : 200;
        weft_player *whole = made(side, &s), *walker = made(side, &s);
        for (int64_t t = 0; t < STEPS; t++)
            expected[t] = play(whole, t);
        stored end = stored_state(whole);
        assert_true(was_held(side, s, &end));
        for (int64_t t = 0; t < STEPS; t++) {
            if (t % STRIDE == 0)
                assert_goes_on(side, walker, t, expected, &end);
            play(walker, t);
        }
        free(end.bytes);
        weft_player_free(whole);
        weft_player_free(walker);
    }
    weft_side_free(side);
}

/* ---- numbers out of proportion ---- */

static void numbers_out_of_proportion_stay_numbers(void **state)
{
    static const double etas[] = {1e-300, 1e5, 1e10, 1e12, 1e13, 1e14, 1e16, 1e19, 1e39, 1e100};
    weft_side *side = hashed(IDS, 2);
    for (size_t k = 0; k < sizeof etas / sizeof *etas; k++)
        for (int way = 0; way < 24; way++) {
            weft_settings s = settings((weft_form)(way % 3), IDS, way < 12 ? 1 : 1e6);
            s.eta = etas[k];
            s.half_life = way / 3 % 2 ? 0.7 : 0;
            s.precision = (weft_precision)(way / 6 % 2);
            weft_player *learner = made(side, &s), *other = NULL;
            s.floor = 0;
            other = made(side, &s);
            for (int64_t t = 0; t < 150; t++) {
                play(other, t);
                weft_answer p = play(learner, t);
                if (!(isfinite(p.margin) && p.lower <= p.upper && p.probability >= 0 && p.probability <= 1 &&
                      isfinite(weft_learner_spectral_bound(learner))))
                    fail_msg("eta %g way %d trial %lld: margin %g, %g to %g, b %g", s.eta, way, (long long)t,
                             p.margin, p.lower, p.upper, weft_learner_spectral_bound(learner));
            }
            assert_true(updates_of(learner) >= EVERY * dimension_of(side, s.form));
            /* Eigenvalues that rounding hides are left alone. */
            if (s.eta >= 1e16)
                assert_same_matrix(learner, other);
            weft_player_free(other);
            weft_player_free(learner);
        }
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floors_out_of_range_are_refused),
        cmocka_unit_test(other_engines_have_none),
        cmocka_unit_test(eigenvalues_are_raised_to_the_floor),
        cmocka_unit_test(until_the_first_hold_nothing_differs),
        cmocka_unit_test(a_state_goes_on_across_a_hold),
        cmocka_unit_test(numbers_out_of_proportion_stay_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
