/* SPDX-License-Identifier: MIT
 * The protocol of a committee: what is refused, what is pure, and that every member plays as it would
 * alone. */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "support/panel.h"
#include "weft_theory.h"

static weft_answer teach(weft_player *committee, int64_t row, int64_t column, int label)
{
    weft_answer ruling = {0};
    assert_int_equal(weft_player_learn(committee, row, column, label, &ruling, NULL), WEFT_OK);
    return ruling;
}

static void assert_same_verdict(const weft_answer *a, const weft_answer *b)
{
    assert_int_equal(a->label, b->label);
    assert_true(a->vote == b->vote && a->threshold == b->threshold && a->probability == b->probability);
    assert_int_equal(a->asked, b->asked);
}

/* ---- Refusals ---- */

static const weft_committee_settings DEFAULTS = {0}, RESTLESS = {.restless = true};

static void refuse(const panel *p, int64_t count, const char *words)
{
    weft_player *committee = NULL;
    weft_error error = {0};
    assert_fails(weft_committee_create(p->members, count, &DEFAULTS, NULL, &committee, &error), WEFT_ARGUMENT,
                 words);
    assert_null(committee);
    assert_int_equal(weft_committee_create(p->members, count, &DEFAULTS, NULL, &committee, NULL),
                     WEFT_ARGUMENT);
}

static void refusals(void **state)
{
    panel p;
    panel_open_all(1, KNOWN_KERNEL, false, 6, 6, &p);
    refuse(&p, 0, "0 members");
    refuse(&p, -3, "-3 members");
    refuse(&p, 1001, "1001 members");
    memset(p.members[3].name, 'x', sizeof p.members[3].name);
    refuse(&p, p.count, "member 3 has no end");
    panel_close(&p);
}

/* A setting out of its range: the message begins with the name of the member. */
static void refuse_settings(int64_t k, void (*spoil)(weft_member *))
{
    panel p;
    panel_open_all(1, KNOWN_KERNEL, false, 6, 6, &p);
    spoil(&p.members[k]);
    snprintf(p.members[k].name, sizeof p.members[k].name, "the odd one out");
    refuse(&p, p.count, "the odd one out: ");
    panel_close(&p);
}

static void spoil_eta(weft_member *member)
{
    member->learner.eta = -1;
}

static void spoil_gamma(weft_member *member)
{
    member->learner.gamma = NAN;
}

static void spoil_form(weft_member *member)
{
    member->learner.form = WEFT_ONE_SET;
}

static void spoil_rate(weft_member *member)
{
    member->rival.rate = -1;
}

static void spoil_kind(weft_member *member)
{
    member->rival.kind = (weft_rival_kind)WEFT_RIVALS;
}

static void settings_out_of_range(void **state)
{
    refuse_settings(0, spoil_eta);
    refuse_settings(6, spoil_gamma);
    refuse_settings(2, spoil_form);
    refuse_settings(10, spoil_rate);
    refuse_settings(16, spoil_kind);
}

/* Unknown ids and labels: nothing has happened. */
static void bad_trials(void **state)
{
    panel p;
    weft_error error = {0};
    weft_answer verdict = {.label = 7};
    weft_answer ruling = {.label = 7};
    panel_open_all(1, KNOWN_CLASSES, false, 6, 6, &p);
    weft_player *committee = panel_committee(&p, &DEFAULTS, NULL),
                *twin = panel_committee(&p, &DEFAULTS, NULL);
    teach(committee, 1, 2, 1);
    teach(twin, 1, 2, 1);
    assert_fails(weft_player_predict(committee, 6, 0, &verdict, &error), WEFT_UNKNOWN_ID, "");
    assert_int_equal(error.at[0], 6);
    assert_fails(weft_player_predict(committee, 0, -1, &verdict, &error), WEFT_UNKNOWN_ID, "");
    assert_fails(weft_player_learn(committee, 0, 6, 1, &ruling, &error), WEFT_UNKNOWN_ID, "");
    assert_fails(weft_player_learn(committee, 0, 6, 0, &ruling, &error), WEFT_UNKNOWN_ID, "");
    assert_fails(weft_player_learn(committee, 0, 0, 2, &ruling, &error), WEFT_ARGUMENT, "label is 2");
    assert_fails(weft_player_learn(committee, 0, 0, -2, &ruling, &error), WEFT_ARGUMENT, "label is -2");
    assert_int_equal(verdict.label, 7);
    assert_int_equal(ruling.label, 7);
    panel_assert_same(committee, twin);
    teach(committee, 0, 5, -1);
    teach(twin, 0, 5, -1);
    panel_assert_same(committee, twin);
    weft_player_free(committee);
    weft_player_free(twin);
    weft_player_free(NULL);
    panel_close(&p);
}

/* ---- What is pure ---- */

static void predictions_change_nothing(void **state)
{
    panel p;
    dice d = {5};
    panel_open_all(2, KNOWN_KERNEL, false, 6, 6, &p);
    weft_player *asked = panel_committee(&p, &DEFAULTS, NULL), *twin = panel_committee(&p, &DEFAULTS, NULL);
    for (int64_t t = 0; t < 200; t++) {
        panel_trial trial = panel_draw(&p, PANEL_TRUE, t, &d, asked);
        weft_answer first = panel_ask(asked, trial.row, trial.column), again;
        if (t % 3 != 0)
            again = panel_ask(asked, trial.row, trial.column);
        else
            again = first;
        assert_same_verdict(&first, &again);
        if (t % 2 == 0) {
            panel_ask(asked, (trial.row + 1) % 6, trial.column);
            if (t % 4 == 0)
                again = panel_ask(asked, trial.row, trial.column);
            assert_same_verdict(&first, &again);
        }
        panel_assert_same(asked, twin);
        weft_answer a = teach(asked, trial.row, trial.column, trial.label);
        weft_answer b = teach(twin, trial.row, trial.column, trial.label);
        assert_same_verdict(&first, &a);
        assert_same_verdict(&a, &b);
        assert_true(a.error_probability == b.error_probability && a.mistake == b.mistake);
        panel_assert_same(asked, twin);
    }
    weft_player_free(asked);
    weft_player_free(twin);
    panel_close(&p);
}

/* Label 0 counts t and nothing else. */
static void no_label(void **state)
{
    panel p;
    panel_open_all(3, KNOWN_CLASSES, true, 6, 6, &p);
    weft_player *committee = panel_committee(&p, &DEFAULTS, NULL);
    for (int64_t t = 0; t < 20; t++)
        teach(committee, t % 6, (t * 5 + 1) % 6, t % 3 == 0 ? 1 : -1);
    uint64_t member[PANEL_MEMBERS];
    weft_standing standing[PANEL_MEMBERS + WEFT_STACKS];
    for (int64_t k = 0; k < p.count + WEFT_STACKS; k++) {
        standing[k] = weft_committee_standing(committee, k);
        if (k < p.count)
            member[k] = panel_digest_of(committee, k);
    }
    weft_answer before = panel_ask(committee, 1, 4), after;
    weft_answer ruling = teach(committee, 1, 4, 0);
    assert_same_verdict(&before, &ruling);
    assert_false(ruling.mistake);
    assert_true(ruling.error_probability == 0);
    after = panel_ask(committee, 1, 4);
    assert_same_verdict(&before, &after);
    for (int64_t k = 0; k < p.count + WEFT_STACKS; k++) {
        weft_standing now = weft_committee_standing(committee, k);
        assert_true(now.weight == standing[k].weight && now.regret == standing[k].regret);
        assert_true(now.coefficient == standing[k].coefficient && now.certainty == standing[k].certainty);
        assert_true(now.trials == standing[k].trials && now.mistakes == standing[k].mistakes);
        if (k < p.count)
            assert_true(panel_digest_of(committee, k) == member[k]);
    }
    weft_counters c = weft_player_counters(committee);
    assert_true(c.t == 20 && c.trials == 20);
    weft_player_free(committee);
    panel_close(&p);
}

/* ---- Members alone ---- */

typedef struct alone {
    weft_player *player[PANEL_MEMBERS];
} alone;

static void alone_open(const panel *p, alone *a)
{
    *a = (alone){.player = {NULL}};
    for (int64_t k = 0; k < p->count; k++) {
        const weft_member *m = &p->members[k];
        weft_settings settings = m->learner;
        settings.deterministic = true;
        if (m->is_rival)
            assert_int_equal(weft_rival_create(m->rows, m->columns, &m->rival, NULL, &a->player[k], NULL),
                             WEFT_OK);
        else
            assert_int_equal(weft_learner_create(m->rows, m->columns, &settings, NULL, &a->player[k], NULL),
                             WEFT_OK);
    }
}

static void alone_close(alone *a)
{
    for (int64_t k = 0; k < PANEL_MEMBERS; k++)
        weft_player_free(a->player[k]);
}

/* What member k says, and its score, by section 5 and the definition of its kind. */
static int alone_ask(const panel *p, alone *a, int64_t k, const panel_trial *at, double *score)
{
    const weft_member *m = &p->members[k];
    weft_answer said = {0};
    assert_int_equal(weft_player_predict(a->player[k], at->row, at->column, &said, NULL), WEFT_OK);
    if (m->is_rival)
        *score = asinh((m->rival.kind <= WEFT_RIVAL_COLUMN_MAJORITY ? 2 : 1) * said.score);
    else
        *score = asinh(2 / m->learner.gamma * said.margin) + 0.25 * ((said.margin > 0) - (said.margin < 0));
    return said.label;
}

static void alone_learn(alone *a, int64_t k, const panel_trial *at)
{
    assert_int_equal(weft_player_learn(a->player[k], at->row, at->column, at->label, NULL, NULL), WEFT_OK);
}

static void alone_compare(const weft_player *committee, const alone *a, int64_t k)
{
    size_t size[2] = {0, 0};
    unsigned char *bytes[2];
    for (int who = 0; who < 2; who++) {
        const weft_player *player = who == 0 ? a->player[k] : weft_player_member(committee, k);
        for (int pass = 0; pass < 2; pass++) {
            bytes[who] = pass == 0 ? NULL : malloc(size[who]);
            assert_int_equal(weft_player_write(player, bytes[who], &size[who], NULL), WEFT_OK);
        }
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* From the weights of the stack, which hears the members that see nothing of `without`. */
static double ask_stack(const panel *p, const weft__stack *stack, int without, const double *scores)
{
    long double probability = 0;
    for (int f = 0; f < 2; f++) {
        const double *mean = f == 0 ? stack->steady.mean : stack->moving.mean;
        int64_t heard = 0;
        long double x = 0;
        for (int64_t k = 0; k < p->count; k++)
            if ((p->members[k].uses & without) == 0)
                x += (long double)mean[heard++] * scores[k];
        x += mean[heard];
        probability += (f == 0 ? 1 - stack->belief : stack->belief) / (1 + expl(-fminl(fmaxl(x, -15), 15)));
    }
    return (double)probability;
}

/* The stacks' probabilities, then the vote from the weights that the standings show. */
static void check_verdict(const panel *p, const weft_player *committee, const int *votes,
                          const double *scores, const weft_answer *verdict)
{
    int64_t count = weft_player_member_count(committee);
    long double plus = 0, all = 0;
    double own = ask_stack(p, &weft__committee_in(committee)->stack, 0, scores);
    for (int64_t k = 0; k < count + WEFT_STACKS; k++) {
        weft_standing s = weft_committee_standing(committee, k);
        int without = (int)(k - count);
        double said =
            k <= count || !s.is_awake
                ? own
                : ask_stack(p, &weft__committee_in(committee)->ablation[without - 1].stack, without, scores);
        int vote = k < count ? votes[k] : said >= 0.5 ? 1 : -1;
        assert_true(s.is_awake || (k > count && s.weight == 0));
        all += s.weight;
        plus += vote > 0 ? s.weight : 0;
    }
    assert_near((double)all, 1, 1e-12);
    assert_near(verdict->vote, (double)(plus / all), 1e-12);
    assert_int_equal(verdict->probability >= 0.5, verdict->vote >= 0.5);
    if ((own >= 0.5) == (verdict->vote >= 0.5))
        assert_near(verdict->probability, own, 1e-12);
    else
        assert_near(verdict->probability, own < 0.5 ? 0.5 + 0x1p-20 * own : 0.5 - 0x1p-20 * (1 - own), 1e-15);
    assert_int_equal(verdict->asked, count);
}

static void play_beside(uint64_t seed, known_kind kind, bool one_set, panel_labels labels)
{
    enum { TRIALS = 250 };
    panel p;
    alone a;
    dice d = {seed};
    int votes[PANEL_MEMBERS];
    double scores[PANEL_MEMBERS];
    int64_t mistakes[PANEL_MEMBERS] = {0}, all_mistakes = 0;
    double expected = 0;
    panel_open_all(seed, kind, one_set, 6, 6, &p);
    alone_open(&p, &a);
    weft_player *committee = panel_committee(&p, &RESTLESS, NULL);
    for (int64_t t = 0; t < TRIALS; t++) {
        panel_trial trial = panel_draw(&p, labels, t, &d, committee);
        for (int64_t k = 0; k < p.count; k++)
            votes[k] = alone_ask(&p, &a, k, &trial, &scores[k]);
        weft_answer verdict = panel_ask(committee, trial.row, trial.column);
        check_verdict(&p, committee, votes, scores, &verdict);
        assert_true(verdict.threshold == 0.5);
        assert_int_equal(verdict.label, verdict.vote >= 0.5 ? 1 : -1);
        weft_answer ruling = teach(committee, trial.row, trial.column, trial.label);
        assert_int_equal(ruling.mistake, verdict.label != trial.label);
        assert_near(ruling.error_probability, trial.label > 0 ? 1 - verdict.vote : verdict.vote, 1e-12);
        all_mistakes += ruling.mistake;
        expected += ruling.error_probability;
        for (int64_t k = 0; k < p.count; k++) {
            alone_learn(&a, k, &trial);
            mistakes[k] += votes[k] != trial.label;
            weft_standing s = weft_committee_standing(committee, k);
            assert_true(s.is_awake && s.since == 0 && s.trials == t + 1 && s.mistakes == mistakes[k]);
            assert_string_equal(s.name, p.members[k].name);
            assert_near(s.regret, expected - (double)mistakes[k], 1e-9);
        }
    }
    for (int64_t k = 0; k < p.count; k++)
        alone_compare(committee, &a, k);
    weft_counters c = weft_player_counters(committee);
    assert_true(c.t == TRIALS && c.trials == TRIALS && c.mistakes == all_mistakes && c.awake == p.count);
    assert_near(c.expected_mistakes, expected, 1e-9);
    weft_player_free(committee);
    alone_close(&a);
    panel_close(&p);
}

static void members_play_as_if_alone(void **state)
{
    play_beside(11, KNOWN_KERNEL, false, PANEL_TRUE);
    play_beside(12, KNOWN_CLASSES, false, PANEL_AGAINST);
    play_beside(13, KNOWN_NONE, false, PANEL_RANDOM);
    play_beside(14, KNOWN_KERNEL, true, PANEL_TRUE);
    play_beside(15, KNOWN_LINEAR, true, PANEL_ALTERNATE);
    play_beside(16, KNOWN_DIFFUSION, false, PANEL_ONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),   cmocka_unit_test(settings_out_of_range),
        cmocka_unit_test(bad_trials), cmocka_unit_test(predictions_change_nothing),
        cmocka_unit_test(no_label),   cmocka_unit_test(members_play_as_if_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
