/* SPDX-License-Identifier: MIT
 *
 * Defects that were found by reading and by probing, so that they stay found. */

#include "support/test.h"

#include "weft_advanced.h"

static weft_settings settings_of(weft_form form, int64_t rows, int64_t columns)
{
    weft_settings s = weft_settings_default(rows, form == WEFT_ONE_SET ? 0 : columns, 100);
    s.form = form;
    return s;
}

static weft_side *none(int64_t count)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(count, NULL, &side, NULL), WEFT_OK);
    return side;
}

static weft_player *learner_over(const weft_side *rows, const weft_side *columns, const weft_settings *s)
{
    weft_player *learner = NULL;
    assert_int_equal(weft_learner_create(rows, columns, s, NULL, &learner, NULL), WEFT_OK);
    return learner;
}

/* Two ids that differ by `distance` in the kernel, told apart `count` times: the
 * margin is 1 - kappa s exp(eta count s), s = e'Ke what their difference leaves. */
static void ask_near_duplicates(double distance, int64_t count)
{
    double near = 1 - distance, kernel[9] = {1, near, 0, near, 1, 0, 0, 0, 1.3};
    weft_side *side = NULL;
    weft_settings s = settings_of(WEFT_ONE_SET, 3, 0);
    weft_evidence_entry entry = {0, 1, -count};
    weft_answer o;
    s.eta = 1;
    assert_int_equal(weft_side_from_kernel(3, kernel, NULL, &side, NULL), WEFT_OK);
    weft_player *learner = learner_over(side, NULL, &s);
    assert_int_equal(weft_player_add_evidence(learner, &entry, 1, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(learner, 0, 1, 0, &o, NULL), WEFT_OK);
    long double square = 2 * (1 - (long double)near) / (4 * 1.3L);
    long double exact = 1 - (long double)s.dimension / 3 * square * expl((long double)count * square);
    long double slack = 1e-9L * fmaxl(1, fabsl(exact));
    assert_true(o.lower - slack <= exact && exact <= o.upper + slack);
    weft_player_free(learner);
    weft_side_free(side);
}

static void near_duplicates_stay_in_their_bracket(void **state)
{
    for (double distance = 1e-4; distance > 1e-13; distance /= 7)
        for (double reach = 5; reach < 40; reach += 3.7)
            ask_near_duplicates(distance, (int64_t)(reach * 2.6 / distance));
}

/* A rate whose exponential overflows in one update still leaves a whole state. */
static void large_rates_can_be_written_and_read(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (double eta = 700; eta < 1e12; eta *= 10) {
            weft_side *side = none(4);
            const weft_side *columns = form == WEFT_ONE_SET ? NULL : side;
            weft_settings s = settings_of((weft_form)form, 4, 4);
            weft_player *again = NULL;
            size_t size = 0;
            s.eta = eta;
            weft_player *learner = learner_over(side, columns, &s);
            for (int64_t t = 0; t < 12; t++)
                assert_int_equal(weft_player_learn(learner, t % 3, (t + 1) % 4, t % 2 ? 1 : -1, NULL, NULL),
                                 WEFT_OK);
            assert_int_equal(weft_player_write(learner, NULL, &size, NULL), WEFT_OK);
            void *bytes = malloc(size);
            assert_int_equal(weft_player_write(learner, bytes, &size, NULL), WEFT_OK);
            assert_int_equal(weft_learner_read(side, columns, bytes, size, NULL, &again, NULL), WEFT_OK);
            free(bytes);
            weft_player_free(again);
            weft_player_free(learner);
            weft_side_free(side);
        }
}

/* A diagonal whose inverse square overflows. */
static void a_vanishing_row_has_margin_zero(void **state)
{
    double kernel[4] = {1, 0, 0, 1e-309};
    weft_side *rows = NULL, *columns = none(2);
    weft_settings s = settings_of(WEFT_BALANCED, 2, 2);
    weft_answer o;
    assert_int_equal(weft_side_from_kernel(2, kernel, NULL, &rows, NULL), WEFT_OK);
    weft_player *learner = learner_over(rows, columns, &s);
    for (int t = 0; t < 6; t++) {
        assert_int_equal(weft_player_learn(learner, 1, t % 2, 1, &o, NULL), WEFT_OK);
        assert_true(o.margin == 0 && isfinite(weft_learner_spectral_bound(learner)));
    }
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
}

/* A side may grow past one of its learners. */
static void a_full_learner_can_still_be_copied(void **state)
{
    weft_side *side = none(4);
    weft_settings s = settings_of(WEFT_PAPER, 4, 4);
    weft_player *learner = learner_over(side, side, &s), *copy = NULL;
    weft_answer p;
    assert_int_equal(weft_player_learn(learner, 0, 1, 1, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_player_predict(learner, 4, 0, &p, NULL), WEFT_CAPACITY);
    assert_int_equal(weft_player_clone(learner, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_forget(learner, WEFT_ROWS, 0, NULL), WEFT_OK);
    assert_int_equal(weft_player_reset(learner, NULL), WEFT_OK);
    weft_player_free(copy);
    weft_player_free(learner);
    weft_side_free(side);
}

/* margin = -1/2 = -gamma exactly: y * margin < gamma does not hold. */
static void a_tie_at_the_margin_is_no_update(void **state)
{
    weft_side *side = none(4);
    weft_settings s = settings_of(WEFT_PAPER, 4, 4);
    weft_answer o;
    s.dimension = 4;
    s.gamma = 0.5;
    weft_player *learner = learner_over(side, side, &s);
    assert_int_equal(weft_player_learn(learner, 1, 2, -1, &o, NULL), WEFT_OK);
    assert_true(!o.updated && !o.update_certified);
    assert_int_equal(weft_player_learn(learner, 1, 2, 1, &o, NULL), WEFT_OK);
    assert_true(o.updated && o.update_certified);
    weft_player_free(learner);
    weft_side_free(side);
}

static double lies_about_two(void *user, int64_t i, int64_t j)
{
    (void)user;
    return i == j ? 1 : (i == 9 && j == 1) || (i == 1 && j == 9) ? NAN : 0;
}

/* Two ids of one set that have not met any touched one still have met each other. */
static void a_lie_between_two_new_ids_is_found(void **state)
{
    weft_side *side = NULL;
    weft_settings s = settings_of(WEFT_ONE_SET, 12, 0);
    weft_side_options options = {.radius = 1};
    assert_int_equal(weft_side_from_callback(12, lies_about_two, NULL, &options, &side, NULL), WEFT_OK);
    weft_player *learner = learner_over(side, NULL, &s);
    assert_int_equal(weft_player_learn(learner, 9, 1, -1, NULL, NULL), WEFT_INPUT);
    weft_player_free(learner);
    weft_side_free(side);
}

/* Points of a plane with a kernel under which each is like several others, so that
 * the sum over the evidence is far above what the trace says of the spectrum. */
static weft_side *points(int64_t count)
{
    enum { DIMENSION = 2, MOST = 32 };
    double values[MOST * DIMENSION];
    weft_side *side = NULL;
    for (int64_t i = 0; i < count; i++) {
        values[DIMENSION * i] = 2 * sin(1.7 * (double)i);
        values[DIMENSION * i + 1] = cos(2.3 * (double)i);
    }
    weft_features features = {count, DIMENSION, values, WEFT_GAUSSIAN, 1.2};
    assert_int_equal(weft_side_from_features(&features, NULL, &side, NULL), WEFT_OK);
    return side;
}

/* Merging nothing leaves b as sharp as it was, and so does forgetting an id of
 * which nothing was learnt; it became 30 to 40 where it had been 4. */
static void an_empty_merge_keeps_the_bound(void **state)
{
    enum { IDS = 31, TAUGHT = 30 };
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        weft_side *side = points(IDS);
        weft_settings s = settings_of((weft_form)form, IDS, IDS);
        weft_evidence_entry nothing = {0};
        weft_player *learner = learner_over(side, form == WEFT_ONE_SET ? NULL : side, &s);
        for (int64_t t = 0; t < 600; t++) {
            int64_t i = t % TAUGHT, j = t * 7 % (TAUGHT - 1);
            assert_int_equal(weft_player_learn(learner, i, j, (i + j) % 2 ? -1 : 1, NULL, NULL), WEFT_OK);
        }
        double before = weft_learner_spectral_bound(learner);
        assert_int_equal(weft_player_add_evidence(learner, &nothing, 0, NULL), WEFT_OK);
        assert_true(weft_learner_spectral_bound(learner) <= before + 1e-9);
        assert_int_equal(weft_player_forget(learner, WEFT_ROWS, IDS - 1, NULL), WEFT_OK);
        assert_true(weft_learner_spectral_bound(learner) <= before + 1e-9);
        weft_player_free(learner);
        weft_side_free(side);
    }
}

/* No side information about very many ids costs no time. */
static void none_of_very_many(void **state)
{
    weft_side_free(none(INT64_MAX / 4));
}

/* Brackets of margins beyond what exp can hold were narrow and wrong: there a ranking
 * answers as single predictions do. */
static void huge_margins_are_ranked_as_they_are_predicted(void **state)
{
    for (int64_t count = 684; count <= 720; count += 6)
        for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
            weft_side *side = NULL;
            weft_player *learner = NULL;
            int64_t one_set = form == WEFT_ONE_SET, candidate = 1, found = 0;
            weft_settings settings = weft_settings_default(50, one_set ? 0 : 50, 10);
            weft_evidence_entry told = {0, 1, one_set ? -2 * count : 2 * count};
            weft_query query = {.candidates = &candidate, .candidate_count = 1, .most = 1, .tolerance = 1e-6};
            weft_ranked ranked = {0};
            weft_answer single = {0};
            settings.form = (weft_form)form;
            settings.eta = 0.5;
            settings.dimension = 1;
            assert_int_equal(weft_side_none(50, NULL, &side, NULL), WEFT_OK);
            assert_int_equal(
                weft_learner_create(side, one_set ? NULL : side, &settings, NULL, &learner, NULL), WEFT_OK);
            assert_int_equal(weft_player_add_evidence(learner, &told, 1, NULL), WEFT_OK);
            assert_int_equal(weft_player_rank(learner, &query, &ranked, &found, NULL), WEFT_OK);
            assert_int_equal(weft_player_evaluate(learner, 0, 1, 1e-6, &single, NULL), WEFT_OK);
            assert_true(fabs(ranked.answer.margin - single.margin) <= 1e-6 * fabs(single.margin));
            weft_player_free(learner);
            weft_side_free(side);
        }
}

/* After a long time a vertex that all but nothing ties to the rest keeps less of itself than
 * rounding: scaled to 1 that was 0/0, or noise. */
static void a_lost_diagonal_is_not_scaled_to_one(void **state)
{
    const int64_t from[] = {0, 1}, to[] = {1, 2};
    const double weight[] = {1, 0x1p-126};
    weft_graph graph = {.vertices = 4, .edges = 2, .from = from, .to = to, .weight = weight};
    graph.kernel = WEFT_DIFFUSION;
    graph.parameter = 65536;
    graph.normalised = true;
    for (int path = WEFT_GRAPH_DENSE; path <= WEFT_GRAPH_SPARSE; path++) {
        weft_side *side = NULL;
        weft_error error = {0};
        const weft_side_options options = {.graph_path = (weft_graph_path)path};
        graph.unit = true;
        assert_int_equal(weft_side_from_graph(&graph, &options, &side, &error), WEFT_INPUT);
        assert_int_equal(error.at[0], 2);
        assert_non_null(strstr(error.message, "shorter time"));
        graph.unit = false;
        assert_int_equal(weft_side_from_graph(&graph, &options, &side, &error), WEFT_OK);
        weft_side_free(side);
        /* A component of small weights alone loses nothing. */
        graph.unit = true;
        graph.from = (const int64_t[]){0, 2};
        graph.to = (const int64_t[]){1, 3};
        assert_int_equal(weft_side_from_graph(&graph, &options, &side, &error), WEFT_OK);
        assert_true(fabs(weft_side_entry(side, 2, 3) - 1) < 1e-9);
        weft_side_free(side);
        graph.from = from;
        graph.to = to;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_duplicates_stay_in_their_bracket),
        cmocka_unit_test(large_rates_can_be_written_and_read),
        cmocka_unit_test(a_vanishing_row_has_margin_zero),
        cmocka_unit_test(a_full_learner_can_still_be_copied),
        cmocka_unit_test(a_tie_at_the_margin_is_no_update),
        cmocka_unit_test(a_lie_between_two_new_ids_is_found),
        cmocka_unit_test(an_empty_merge_keeps_the_bound),
        cmocka_unit_test(none_of_very_many),
        cmocka_unit_test(huge_margins_are_ranked_as_they_are_predicted),
        cmocka_unit_test(a_lost_diagonal_is_not_scaled_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
