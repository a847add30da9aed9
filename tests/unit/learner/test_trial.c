/* SPDX-License-Identifier: MIT
 * The protocol: thresholds, predictions, both rules of updating, labels that are
 * late or missing, against the slow judge; the whole of it at random is a matter
 * of tests/oracle. */
#include "unit/test_core_support.h"

#include "base/random.h"
#include "learner/learner.h"
#include "support/naive.h"

enum { N = 4 };

static const double KERNEL[N * N] = {1, 0.5, 0, 0, 0.5, 1, 0.25, 0, 0, 0.25, 0.5, 0, 0, 0, 0, 0};

typedef struct game {
    weft_side *side;
    weft_player *learner;
    naive *judge;
    weft_settings settings;
} game;

static weft_settings settings_of(weft_form form, weft_updates updates)
{
    return (weft_settings){.form = form,
                           .updates = updates,
                           .eta = 0.7,
                           .gamma = 0.4,
                           .dimension = 6,
                           .tolerance = 0.02,
                           .seed = 9};
}

static game open_game(weft_settings settings)
{
    game g = {.settings = settings};
    bool one_set = settings.form == WEFT_ONE_SET;
    assert_int_equal(weft_side_from_kernel(N, KERNEL, NULL, &g.side, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(g.side, one_set ? NULL : g.side, &settings, NULL, &g.learner, NULL),
                     WEFT_OK);
    naive_side side = {N, KERNEL, 1};
    naive_setup setup = {
        settings.form, 1, side, side, settings.eta, settings.dimension / (one_set ? N : 2 * N)};
    g.judge = naive_create(&setup);
    return g;
}

static void close_game(game *g)
{
    weft_player_free(g->learner);
    weft_side_free(g->side);
    naive_free(g->judge);
}

/* One trial with everything that it must say. */
static void trial(game *g, int64_t i, int64_t j, int label, weft_counters *sum)
{
    const weft_settings *s = &g->settings;
    weft_answer o;
    bool draws = s->updates == WEFT_MARGIN_UPDATES && !s->deterministic;
    double margin = (double)naive_margin(g->judge, i, j);
    double threshold = draws ? s->gamma * (2 * weft__uniform(s->seed, (uint64_t)sum->t) - 1) : 0;
    assert_int_equal(weft_player_learn(g->learner, i, j, label, &o, NULL), WEFT_OK);
    /* Rounding decides a tie, in the judge too. */
    bool tie = fabs(margin - threshold) < 1e-12;
    int predicted = tie ? o.label : margin >= threshold ? 1 : -1;
    bool mistake = label != 0 && predicted != label;
    bool updated = label != 0 && (s->updates == WEFT_MISTAKE_UPDATES ? mistake : label * margin < s->gamma);
    double probability = fmin(fmax(0.5 + margin / (2 * s->gamma), 0), 1);
    assert_true(o.threshold == threshold);
    assert_int_equal(o.label, predicted);
    assert_true(o.lower <= margin + 1e-9 && margin <= o.upper + 1e-9);
    assert_true(o.upper - o.lower <= 0.02 * fmax(s->gamma, fabs(margin)) * 1.05);
    assert_near(o.probability, probability, 0.02 * fmax(1, fabs(margin)));
    assert_int_equal(o.mistake, mistake);
    assert_int_equal(o.updated, updated);
    double wrong = label == 0 ? 0 : label > 0 ? 1 - o.probability : o.probability;
    assert_near(o.error_probability, draws ? wrong : (double)mistake, 0);
    if (label == 0)
        return; /* nothing has changed */
    if (updated)
        naive_update(g->judge, i, j, label);
    sum->t++;
    sum->trials++;
    sum->mistakes += mistake;
    sum->updates += updated;
    sum->products += o.products;
    sum->expected_mistakes += o.error_probability;
}

static void play(weft_settings settings)
{
    game g = open_game(settings);
    weft_counters sum = {0};
    for (int64_t t = 0; t < 60; t++) {
        /* Id 3 is a zero row of the kernel: margins -1 and 0. */
        int64_t i = t * t % N, j = (t * 3 + t / 5) % N;
        /* A tie between margin and threshold would be decided by rounding. */
        if (settings.form == WEFT_ONE_SET && i == j)
            j = (i + 1) % N;
        trial(&g, i, j, t % 7 == 6 ? 0 : (i + j + t / 9) % 3 == 0 ? 1 : -1, &sum);
    }
    weft_counters c = weft_player_counters(g.learner);
    assert_memory_equal(&c, &sum, sizeof c);
    assert_true(c.updates > 3 && c.mistakes > 3);
    close_game(&g);
}

static void the_protocol_is_kept(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int engine = WEFT_KRYLOV; engine <= WEFT_REFERENCE; engine++)
            for (int kind = 0; kind < 3; kind++) {
                weft_settings s =
                    settings_of((weft_form)form, kind == 2 ? WEFT_MISTAKE_UPDATES : WEFT_MARGIN_UPDATES);
                s.engine = (weft_engine)engine;
                s.deterministic = kind == 1;
                s.precision = form % 2 ? WEFT_DOUBLE : WEFT_MIXED;
                play(s);
            }
}

static void predicting_first_changes_nothing_but_products(void **state)
{
    game a = open_game(settings_of(WEFT_PAPER, WEFT_MARGIN_UPDATES));
    game b = open_game(settings_of(WEFT_PAPER, WEFT_MARGIN_UPDATES));
    for (int64_t t = 0; t < 40; t++) {
        weft_answer p, again;
        int64_t i = t % 3, j = t * 5 % N;
        assert_int_equal(weft_player_predict(a.learner, i, j, &p, NULL), WEFT_OK);
        assert_int_equal(weft_player_predict(a.learner, i, j, &again, NULL), WEFT_OK);
        assert_int_equal(p.label, again.label);
        weft_answer x, y;
        assert_int_equal(weft_player_learn(a.learner, i, j, t % 3 == 0 ? 1 : -1, &x, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(b.learner, i, j, t % 3 == 0 ? 1 : -1, &y, NULL), WEFT_OK);
        assert_int_equal(x.label, p.label);
        assert_int_equal(x.updated, y.updated);
    }
    assert_same_state(a.learner, b.learner);
    close_game(&a);
    close_game(&b);
}

static void a_strange_label_is_refused(void **state)
{
    weft_error error = {0};
    game g = open_game(settings_of(WEFT_PAPER, WEFT_MARGIN_UPDATES));
    weft_answer o = {.error_probability = 77};
    assert_fails(weft_player_learn(g.learner, 0, 0, 2, &o, &error), WEFT_ARGUMENT, "label is 2");
    assert_fails(weft_player_learn(g.learner, 0, 0, -2, &o, &error), WEFT_ARGUMENT, "label is -2");
    assert_fails(weft_player_learn(g.learner, 0, N, 1, &o, &error), WEFT_UNKNOWN_ID, "column 4");
    assert_true(o.error_probability == 77);
    assert_int_equal(weft_player_counters(g.learner).t, 0);
    close_game(&g);
}

static void a_low_bound_is_mended(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        weft_settings settings = settings_of((weft_form)form, WEFT_MARGIN_UPDATES);
        game g = open_game(settings);
        weft_evidence_entry entry = {0, 1, form == WEFT_ONE_SET ? -5 : 5};
        weft_answer p;
        assert_int_equal(weft_player_add_evidence(g.learner, &entry, 1, NULL), WEFT_OK);
        naive_update(g.judge, 0, 1, (double)entry.count);
        double exact = (double)naive_margin(g.judge, 0, 1), top = (double)naive_top(g.judge);
        weft__learner_in(g.learner)->bound.weyl = 0.01;
        assert_int_equal(weft_player_predict(g.learner, 0, 1, &p, NULL), WEFT_OK);
        assert_true(p.lower <= exact && exact <= p.upper);
        /* A prediction changes nothing; learning does. */
        assert_int_equal(weft_player_learn(g.learner, 0, 1, 0, NULL, NULL), WEFT_OK);
        assert_true(weft_learner_spectral_bound(g.learner) == 0.01);
        int label = entry.count > 0 ? 1 : -1;
        assert_int_equal(weft_player_learn(g.learner, 0, 1, label, &p, NULL), WEFT_OK);
        assert_true(weft_learner_spectral_bound(g.learner) >= top - 1e-12);
        close_game(&g);
    }
}

static void margins_saturate_and_stay_decided(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int sign = -1; sign <= 1; sign += 2) {
            weft_settings settings = settings_of((weft_form)form, WEFT_MARGIN_UPDATES);
            game g = open_game(settings);
            weft_evidence_entry entry = {0, 1, sign * 100000};
            weft_answer o;
            assert_int_equal(weft_player_add_evidence(g.learner, &entry, 1, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn(g.learner, 0, 1, sign, &o, NULL), WEFT_OK);
            assert_true(isfinite(o.margin) && fabs(o.margin) <= WEFT_MARGIN_LIMIT);
            assert_int_equal(o.label, sign);
            assert_false(o.updated);
            assert_true(o.certified);
            close_game(&g);
        }
}

/* A rate at the end of the range of numbers: anything finite will do. */
static void an_absurd_rate_does_no_harm(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
        for (int small = 0; small < 2; small++) {
            weft_settings settings = settings_of((weft_form)form, WEFT_MARGIN_UPDATES);
            settings.eta = small ? 1e-300 : 1e100;
            game g = open_game(settings);
            for (int64_t t = 0; t < 40; t++) {
                weft_answer o;
                assert_int_equal(weft_player_learn(g.learner, t % 3, t * 5 % N, t % 2 ? 1 : -1, &o, NULL),
                                 WEFT_OK);
                assert_true(isfinite(o.lower) && isfinite(o.upper));
                assert_true(o.lower <= o.margin && o.margin <= o.upper);
                assert_true(o.probability >= 0 && o.probability <= 1);
            }
            close_game(&g);
        }
}

static void decisions_alone_take_fewer_products(void **state)
{
    weft_settings settings = settings_of(WEFT_PAPER, WEFT_MARGIN_UPDATES);
    settings.tolerance = 1e-9;
    game tight = open_game(settings);
    settings.tolerance = 0;
    game loose = open_game(settings);
    for (int64_t t = 0; t < 60; t++) {
        weft_answer a, b;
        assert_int_equal(weft_player_learn(tight.learner, t % 3, t * 5 % 3, t % 3 ? 1 : -1, &a, NULL),
                         WEFT_OK);
        assert_int_equal(weft_player_learn(loose.learner, t % 3, t * 5 % 3, t % 3 ? 1 : -1, &b, NULL),
                         WEFT_OK);
        assert_int_equal(a.label, b.label);
        assert_int_equal(a.updated, b.updated);
        assert_true(a.upper - a.lower <= 1e-7 * fmax(1, fabs(a.margin)));
    }
    assert_true(weft_player_counters(loose.learner).products < weft_player_counters(tight.learner).products);
    close_game(&tight);
    close_game(&loose);
}

static double lying_kernel(void *user, int64_t i, int64_t j)
{
    const bool *lies = user;
    return *lies && i != j && (i == 5 || j == 5) ? 40 : i == j;
}

/* What a callback says of a new id is looked at before the id is taken in. */
static void a_lie_is_found_when_it_is_met(void **state)
{
    weft_error error = {0};
    bool lies = false;
    weft_side *side = NULL;
    weft_player *learner = NULL;
    weft_settings settings = settings_of(WEFT_PAPER, WEFT_MARGIN_UPDATES);
    assert_int_equal(weft_side_from_callback(8, lying_kernel, &lies, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(side, side, &settings, NULL, &learner, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(learner, 1, 2, 1, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_player_evidence_count(learner), 1);
    size_t size = 0, later = 0;
    unsigned char *before = state_bytes(learner, &size);
    lies = true;
    weft_evidence_entry entry = {5, 2, 1};
    assert_int_equal(weft_player_learn(learner, 5, 2, -1, NULL, &error), WEFT_INPUT);
    assert_int_equal(weft_player_learn(learner, 1, 5, -1, NULL, &error), WEFT_INPUT);
    assert_int_equal(weft_player_add_evidence(learner, &entry, 1, &error), WEFT_INPUT);
    unsigned char *after = state_bytes(learner, &later);
    assert_int_equal(size, later);
    assert_memory_equal(before, after, size);
    free(before);
    free(after);
    weft_player_free(learner);
    weft_side_free(side);
}

/* The reference engine works on all ids: those that come later too. */
static void new_ids_reach_the_reference(void **state)
{
    weft_side *side = NULL;
    weft_player *fast = NULL, *slow = NULL;
    weft_settings settings = settings_of(WEFT_BALANCED, WEFT_MARGIN_UPDATES);
    settings.rows = settings.columns = 40;
    settings.tolerance = 1e-9;
    assert_int_equal(weft_side_none(2, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(side, side, &settings, NULL, &fast, NULL), WEFT_OK);
    settings.engine = WEFT_REFERENCE;
    assert_int_equal(weft_learner_create(side, side, &settings, NULL, &slow, NULL), WEFT_OK);
    for (int64_t t = 0; t < 30; t++) {
        weft_answer a, b;
        assert_int_equal(weft_side_append(side, NULL, NULL), WEFT_OK);
        int64_t i = weft_side_count(side) - 1, j = t * 7 % (i + 1);
        assert_int_equal(weft_player_learn(fast, i, j, t % 2 ? 1 : -1, &a, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(slow, i, j, t % 2 ? 1 : -1, &b, NULL), WEFT_OK);
        assert_near(a.margin, b.margin, 1e-8);
        assert_int_equal(a.updated, b.updated);
    }
    weft_player_free(fast);
    weft_player_free(slow);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_protocol_is_kept),
        cmocka_unit_test(predicting_first_changes_nothing_but_products),
        cmocka_unit_test(a_strange_label_is_refused),
        cmocka_unit_test(a_low_bound_is_mended),
        cmocka_unit_test(margins_saturate_and_stay_decided),
        cmocka_unit_test(an_absurd_rate_does_no_harm),
        cmocka_unit_test(decisions_alone_take_fewer_products),
        cmocka_unit_test(a_lie_is_found_when_it_is_met),
        cmocka_unit_test(new_ids_reach_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
