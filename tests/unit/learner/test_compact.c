/* SPDX-License-Identifier: MIT
 * What the compact engine refuses, by words and without changing anything; endless ids; evidence that
 * fades, by hand; numbers out of proportion. */

#include "support/test.h"

#include "weft_advanced.h"

enum { IDS = 6 };

/* ---- helpers ---- */

static weft_side *hashed(int64_t signs, bool endless)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_map map = {.hash = signs, .seed = 3};
    weft_side_options options = {.map = &map, .endless = endless};
    if (weft_side_none(endless ? 0 : IDS, &options, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

static weft_settings settings(void)
{
    return (weft_settings){.engine = WEFT_COMPACT,
                           .eta = 0.5,
                           .gamma = 0.5,
                           .dimension = 4,
                           .tolerance = 1e-6,
                           .rows = 10,
                           .columns = 10,
                           .seed = 1,
                           .deterministic = true};
}

static weft_player *made(const weft_side *rows, const weft_side *columns, const weft_settings *s)
{
    weft_player *learner = NULL;
    weft_error error = {0};
    if (weft_learner_create(rows, columns, s, NULL, &learner, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return learner;
}

static double margin_of(weft_player *learner, int64_t i, int64_t j)
{
    weft_answer p;
    weft_error error = {0};
    if (weft_player_evaluate(learner, i, j, 1e-9, &p, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_true(p.lower <= p.margin && p.margin <= p.upper);
    return p.margin;
}

static void learn(weft_player *learner, int64_t i, int64_t j, int label)
{
    weft_error error = {0};
    if (weft_player_learn(learner, i, j, label, NULL, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

static size_t state_of(const weft_player *learner, unsigned char *bytes, size_t room)
{
    assert_int_equal(weft_player_write(learner, bytes, &room, NULL), WEFT_OK);
    return room;
}

/* ---- settings ---- */

static void refuse(const weft_side *rows, const weft_side *columns, weft_settings s, const char *word)
{
    weft_player *learner = NULL;
    weft_error error = {0};
    assert_int_equal(weft_learner_create(rows, columns, &s, NULL, &learner, &error), WEFT_ARGUMENT);
    assert_null(learner);
    if (strstr(error.message, word) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, word);
}

static void half_lives_out_of_range_are_refused(void **state)
{
    static const double wrong[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};
    weft_side *side = hashed(4, false);
    weft_settings s = settings();
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        s.half_life = wrong[k];
        refuse(side, side, s, "half_life");
    }
    s.half_life = 10;
    s.engine = WEFT_KRYLOV;
    refuse(side, side, s, "compact");
    s.engine = WEFT_REFERENCE;
    refuse(side, side, s, "compact");
    weft_side_free(side);
}

static void sides_without_a_map_are_refused(void **state)
{
    weft_side *bare = NULL, *side = hashed(4, false);
    weft_settings s = settings();
    assert_int_equal(weft_side_none(IDS, NULL, &bare, NULL), WEFT_OK);
    refuse(bare, side, s, "rows");
    refuse(side, bare, s, "columns");
    s.form = WEFT_ONE_SET;
    refuse(bare, NULL, s, "map");
    weft_side_free(bare);
    weft_side_free(side);
}

static void too_many_coordinates_are_refused(void **state)
{
    weft_side *large = hashed(WEFT_MAP_LIMIT, false), *one = hashed(1, false);
    refuse(large, one, settings(), "4097");
    refuse(one, large, settings(), "4096");
    weft_side_free(large);
    weft_side_free(one);
}

static void endless_ids_need_capacities_and_the_engine(void **state)
{
    weft_side *endless = hashed(4, true), *side = hashed(4, false);
    weft_settings s = settings();
    s.engine = WEFT_KRYLOV;
    refuse(endless, side, s, "compact");
    s.engine = WEFT_REFERENCE;
    refuse(side, endless, s, "compact");
    s = settings();
    s.rows = 0;
    refuse(endless, side, s, "");
    s = settings();
    s.columns = 0;
    refuse(side, endless, s, "");
    weft_side_free(endless);
    weft_side_free(side);
}

/* ---- ids ---- */

static void every_number_is_an_endless_id(void **state)
{
    static const int64_t id[] = {0, 1, 10, 11, INT64_C(1) << 40, INT64_MAX - 1, INT64_MAX};
    enum { MANY = sizeof id / sizeof *id };
    weft_side *rows = hashed(8, true), *columns = hashed(5, true);
    weft_settings s = settings();
    weft_player *learner = made(rows, columns, &s);
    for (int k = 0; k < 3 * MANY; k++) {
        int64_t i = id[k % MANY], j = id[(k + k / MANY) % MANY];
        double before = margin_of(learner, i, j);
        learn(learner, i, j, 1);
        assert_true(before >= 0.5 || margin_of(learner, i, j) > before + 0.05);
    }
    assert_int_equal(weft_side_count(rows), 0);
    assert_int_equal(weft_player_counters(learner).trials, 3 * MANY);
    weft_answer p;
    weft_error error = {0};
    memset(&p, 7, sizeof p);
    weft_answer before = p;
    assert_int_equal(weft_player_predict(learner, -1, 0, &p, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(error.at[0], -1);
    assert_int_equal(weft_player_predict(learner, 0, INT64_MIN, &p, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_learn(learner, INT64_MIN, 2, 1, NULL, &error), WEFT_UNKNOWN_ID);
    assert_memory_equal(&p, &before, sizeof p);
    assert_int_equal(weft_player_counters(learner).t, 3 * MANY);
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
}

/* No bit of a number is lost on the way to its signs. */
static void endless_ids_are_told_apart(void **state)
{
    enum { SIGNS = 64 };
    double one[SIGNS], other[SIGNS];
    weft_side *side = hashed(SIGNS, true);
    assert_int_equal(weft_side_dimension(side), SIGNS);
    for (int bit = 0; bit < 63; bit++) {
        int64_t id = (INT64_C(1) << bit) ^ 12345;
        assert_int_equal(weft_side_features(side, 12345, one, NULL), WEFT_OK);
        assert_int_equal(weft_side_features(side, id, other, NULL), WEFT_OK);
        double product = 0;
        for (int k = 0; k < SIGNS; k++)
            product += one[k] * other[k];
        assert_true(fabs(product) < 0.65);
    }
    weft_side_free(side);
}

/* Alone where nothing is hashed: no room, and nothing is learnt. */
static void an_id_that_has_no_features_is_refused(void **state)
{
    static const int64_t class_of[] = {0, 1, 0};
    weft_side *side = NULL;
    weft_error error = {0};
    assert_int_equal(weft_side_from_classes(3, class_of, 0, NULL, &side, NULL), WEFT_OK);
    weft_settings s = settings();
    weft_player *learner = made(side, side, &s);
    assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, &(weft_item){.class_of = 1}, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(learner, 3, 0, 1, NULL, &error), WEFT_UNSUPPORTED);
    assert_non_null(strstr(error.message, "row"));
    assert_int_equal(weft_player_learn(learner, 0, 3, 1, NULL, &error), WEFT_UNSUPPORTED);
    assert_non_null(strstr(error.message, "column"));
    assert_int_equal(weft_player_counters(learner).t, 0);
    learn(learner, 4, 1, 1);
    assert_true(fabs(margin_of(learner, 1, 1) - margin_of(learner, 4, 4)) < 1e-12);
    weft_player_free(learner);
    weft_side_free(side);
}

/* ---- what needs the evidence ---- */

static void assert_unsupported(weft_status status, const weft_error *error)
{
    assert_int_equal(status, WEFT_UNSUPPORTED);
    assert_int_equal(error->status, WEFT_UNSUPPORTED);
    assert_non_null(strstr(error->message, "compact"));
    assert_null(strchr(error->message, '\n'));
}

static void what_needs_the_evidence_is_refused(void **state)
{
    enum { ROOM = 4096 };
    unsigned char before[ROOM], after[ROOM];
    weft_side *side = hashed(4, false);
    weft_settings s = settings();
    weft_error error = {0};
    weft_evidence_entry entry = {1, 2, 3};
    weft_explanation explanation;
    weft_player *learner = made(side, side, &s);
    learn(learner, 1, 2, 1);
    size_t size = state_of(learner, before, ROOM);
    assert_unsupported(weft_player_add_evidence(learner, &entry, 1, &error), &error);
    error = (weft_error){0};
    assert_unsupported(weft_player_forget(learner, WEFT_ROWS, 1, &error), &error);
    error = (weft_error){0};
    assert_unsupported(weft_player_forget(learner, WEFT_COLUMNS, 1, &error), &error);
    error = (weft_error){0};
    assert_unsupported(weft_player_explain(learner, 1, 2, 0.1, &explanation, NULL, &error), &error);
    assert_int_equal(state_of(learner, after, ROOM), size);
    assert_memory_equal(before, after, size);
    assert_int_equal(weft_player_evidence_count(learner), 0);
    entry = weft_player_evidence(learner, 0);
    assert_true(entry.row == 0 && entry.column == 0 && entry.count == 0);
    weft_player_free(learner);
    weft_side_free(side);
}

/* ---- evidence by hand ---- */

/* One class a side, so that phi = psi = 1 and d = 2: x = (1, 1)/sqrt 2, A = a xx', and the margin is
 * kappa exp(a) - 1.  What was learnt h labelled trials ago is worth half. */
static void evidence_fades_as_it_is_said_to(void **state)
{
    static const int64_t class_of[] = {5, 5, 5};
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_classes(3, class_of, 0, NULL, &side, NULL), WEFT_OK);
    weft_settings s = settings();
    s.dimension = 1;
    s.gamma = 1;
    s.updates = WEFT_MISTAKE_UPDATES;
    s.eta = 2;
    s.half_life = 3;
    weft_player *learner = made(side, side, &s);
    double kappa = 1.0 / 20, a = 0;
    for (int t = 0; t < 400; t++) {
        assert_true(fabs(margin_of(learner, 0, 1) - (kappa * exp(a) - 1)) < 1e-9);
        bool labelled = t % 5 != 4;
        bool updated = labelled && kappa * exp(a) - 1 < 0;
        learn(learner, t % 3, (t + 1) % 3, labelled);
        a = (a + (updated ? 2 : 0)) * (labelled ? exp2(-1.0 / 3) : 1);
        double b = weft_learner_spectral_bound(learner);
        assert_true(b >= a && b < a + 0x1p-18 * fmax(1, a));
    }
    weft_player_free(learner);
    weft_side_free(side);
}

/* Half-lives that leave nothing to the next trial. */
static void evidence_that_fades_at_once_is_gone(void **state)
{
    static const double half_lives[] = {1e-310, 1e-300, 1e-6, 1e-3};
    weft_side *side = hashed(7, false);
    for (int way = 0; way < 24; way++) {
        weft_settings s = settings();
        s.form = (weft_form)(way % 3);
        s.precision = (weft_precision)(way / 3 % 2);
        s.half_life = half_lives[way / 6];
        weft_player *learner = made(side, s.form == WEFT_ONE_SET ? NULL : side, &s);
        double fresh = margin_of(learner, 1, 4);
        for (int t = 0; t < 50; t++) {
            learn(learner, t % IDS, (t * t + 1) % IDS, t % 3 ? 1 : -1);
            assert_true(fabs(margin_of(learner, 1, 4) - fresh) < 1e-12);
        }
        assert_true(weft_player_counters(learner).updates > 10);
        assert_true(weft_learner_spectral_bound(learner) < 1e-12);
        weft_player_free(learner);
    }
    weft_side_free(side);
}

/* Beyond single precision, and beyond double. */
static void numbers_out_of_proportion_stay_numbers(void **state)
{
    static const double etas[] = {1e-300, 1e-20, 1e10, 1e19, 1e30, 1e37, 1e39, 1e60, 1e100};
    static const double half_lives[] = {0, 1e-300, 1e-3, 0.5, 1e300};
    weft_side *side = hashed(3, false);
    for (size_t k = 0; k < sizeof etas / sizeof *etas; k++)
        for (int way = 0; way < 60; way++) {
            weft_settings s = settings();
            s.eta = etas[k];
            s.form = (weft_form)(way % 3);
            s.precision = (weft_precision)(way / 3 % 2);
            s.half_life = half_lives[way / 6 % 5];
            s.tolerance = way < 30 ? 0 : 1e-3;
            weft_player *learner = made(side, s.form == WEFT_ONE_SET ? NULL : side, &s);
            for (int t = 0; t < 30; t++) {
                weft_answer o;
                weft_error error = {0};
                assert_int_equal(
                    weft_player_learn(learner, t % IDS, (t * t + 1) % IDS, t % 3 ? 1 : -1, &o, &error),
                    WEFT_OK);
                const weft_answer *p = &o;
                if (!(isfinite(p->margin) && p->lower <= p->upper && p->probability >= 0 &&
                      p->probability <= 1 && weft_learner_spectral_bound(learner) >= 0))
                    fail_msg("eta %g half-life %g form %d precision %d trial %d: margin %g, %g to %g, b %g",
                             s.eta, s.half_life, (int)s.form, (int)s.precision, t, p->margin, p->lower,
                             p->upper, weft_learner_spectral_bound(learner));
            }
            weft_player_free(learner);
        }
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_lives_out_of_range_are_refused),
        cmocka_unit_test(sides_without_a_map_are_refused),
        cmocka_unit_test(too_many_coordinates_are_refused),
        cmocka_unit_test(endless_ids_need_capacities_and_the_engine),
        cmocka_unit_test(every_number_is_an_endless_id),
        cmocka_unit_test(endless_ids_are_told_apart),
        cmocka_unit_test(an_id_that_has_no_features_is_refused),
        cmocka_unit_test(what_needs_the_evidence_is_refused),
        cmocka_unit_test(evidence_fades_as_it_is_said_to),
        cmocka_unit_test(evidence_that_fades_at_once_is_gone),
        cmocka_unit_test(numbers_out_of_proportion_stay_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
