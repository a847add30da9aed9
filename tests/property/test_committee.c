/* SPDX-License-Identifier: MIT
 * Committees against the slow one of support/council.h, and against what section 5 promises, on streams
 * that are learnable, random, adversarial, and of one label. */
#include "../unit/test_core_support.h"

#include "support/council.h"
#include "weft_theory.h"

/* What has been seen of the members, by the test itself. */
typedef struct records {
    double against[COUNCIL_MOST]; /* errors of the committee while k was awake, less those of k */
    uint64_t asleep[COUNCIL_MOST];
    bool was_awake[COUNCIL_MOST];
    int64_t since[COUNCIL_MOST];
    int64_t woken, rested;
} records;

/* What is said is the members'; a stack's own vote is the library's where it is as good as a tie. */
static void listen(council *c, const weft_player *lib)
{
    const weft__committee *committee = weft__committee_in(lib);
    const weft_answer *said = committee->question.said;
    for (int64_t k = 0; k < c->count; k++) {
        const weft_player *player = committee->members[k].player;
        c->vote[k] = said[k].label;
        c->score[k] = c->awake[k] ? player->ops->log_odds(player, &said[k]) : 0;
    }
    for (int64_t i = 0, k = c->count; i < COUNCIL_STACKS; i++, k++) {
        long double p = council_probability(c, &c->stack[i]);
        c->vote[k] = fabsl(p - 0.5L) < 1e-7L ? said[k].label : p >= 0.5L ? 1 : -1;
        if (c->awake[k])
            assert_int_equal(c->vote[k], said[k].label);
    }
}

static void check_verdict(const council *c, const weft_answer *verdict)
{
    long double weight[COUNCIL_MOST], vote = 0, p = council_probability(c, &c->stack[0]);
    int64_t awake = 0;
    council_weigh(c, false, weight);
    for (int64_t k = 0; k < council_experts(c); k++) {
        vote += c->vote[k] > 0 ? weight[k] : 0;
        awake += k < c->count && c->awake[k];
    }
    assert_int_equal(verdict->asked, awake);
    assert_near(verdict->vote, (double)vote, 1e-7);
    assert_int_equal(verdict->label, verdict->vote >= 0.5 ? 1 : -1);
    if ((p >= 0.5L) == (verdict->vote >= 0.5))
        assert_near(verdict->probability, (double)p, 1e-6);
    else
        assert_near(verdict->probability, 0.5, 0x1p-20);
}

/* The guarantee, by errors that are added up here. */
static void check_guarantee(const weft_player *lib, records *r, const bool *awake, const int *vote,
                            const weft_answer *ruling, int label)
{
    for (int64_t k = 0; k < weft__committee_in(lib)->count + COUNCIL_STACKS; k++) {
        weft_standing s = weft_committee_standing(lib, k);
        if (awake[k])
            r->against[k] += ruling->error_probability - (vote[k] != label);
        assert_near(s.regret, r->against[k], 1e-8);
        if (!(r->against[k] <= s.term + 1e-9))
            fail_msg("%s: regret %.17g is above the guarantee %.17g", s.name, r->against[k], s.term);
    }
}

/* The schedule of member k; one that sleeps counts for nothing in any stack. */
static void check_schedule(const council *c, const weft_player *lib, int64_t k)
{
    const weft__seat *member = &weft__committee_in(lib)->members[k];
    assert_int_equal(member->until, c->until[k]);
    assert_near(member->promise, (double)c->promise[k], 1e-4 * (double)c->promise[k] + 1e-9);
    assert_near(member->work, (double)c->work[k], 1e-9 * (double)c->work[k]);
    for (int i = 0; i < 3 && !weft__committee_in(lib)->awake[k]; i++) {
        const weft__ablation *worth = &weft__committee_in(lib)->ablation[i];
        for (int64_t place = 0; place < worth->count; place++)
            if (worth->member[place] == k)
                assert_true(worth->stack.mean[place] == 0 && weft__stack_wald(&worth->stack, place) == 0 &&
                            worth->stack.covariance[place * worth->stack.n + place] == 0);
    }
}

/* The stacks never rest, and are counted. */
static void check_stacks(const council *c, const weft_player *lib)
{
    for (int64_t i = 0; i < COUNCIL_STACKS; i++) {
        weft_standing s = weft_committee_standing(lib, c->count + i);
        bool there = c->stack[i].count > 0;
        assert_int_equal(s.is_awake, there);
        assert_int_equal(s.trials, there ? weft__committee_in(lib)->counters.trials : 0);
        assert_int_equal(s.mistakes, c->stack[i].mistakes);
        assert_true(there || (s.weight == 0 && s.regret == 0));
        if (i == 0 || !there)
            continue;
        weft_worth w = weft_committee_worth(lib, (int)i);
        assert_int_equal(w.members, c->stack[i].count);
        assert_int_equal(w.different, c->stack[i].only_it + c->stack[i].only_first);
        assert_true(w.saved == (double)(c->stack[i].only_it - c->stack[i].only_first));
    }
}

/* Who sleeps does not change; the best of those awake, and a plain learner, stay. */
static void check_rest(const council *c, const weft_player *lib, records *r)
{
    int64_t plain = 0, best = -1;
    for (int64_t k = 0; k < weft__committee_in(lib)->count; k++) {
        weft_standing s = weft_committee_standing(lib, k);
        if (r->was_awake[k] && (best < 0 || r->against[k] > r->against[best] + 1e-9))
            best = k;
        plain += s.is_awake && !c->p->members[k].is_rival && c->p->members[k].plain;
        if (s.is_awake != c->awake[k])
            fail_msg("trial %lld: %s is awake %d, expected %d",
                     (long long)weft__committee_in(lib)->counters.trials, s.name, s.is_awake, c->awake[k]);
        if (s.since != r->since[k]) {
            assert_int_equal(s.since, weft_player_counters(lib).trials);
            r->rested += r->was_awake[k];
            r->woken += s.is_awake;
        } else {
            assert_int_equal(s.is_awake, r->was_awake[k]);
        }
        r->since[k] = s.since;
        check_schedule(c, lib, k);
        if (!s.is_awake) {
            uint64_t digest = r->was_awake[k] || s.trials % 16 == 0 ? panel_digest_of(lib, k) : r->asleep[k];
            assert_true(r->was_awake[k] || digest == r->asleep[k]);
            assert_true(s.weight == 0 && s.share == 0 && s.certainty == 0);
            r->asleep[k] = digest;
        } else if (!r->was_awake[k]) {
            /* It is as it was: it has heard nothing yet. */
            assert_true(panel_digest_of(lib, k) == r->asleep[k] && s.share == 0);
        }
        r->was_awake[k] = s.is_awake;
    }
    assert_true(plain > 0);
    assert_true(weft_committee_standing(lib, best).is_awake);
}

static void play_trial(council *c, weft_player *lib, records *r, const panel_trial *trial)
{
    weft_answer verdict = {0};
    weft_answer ruling = {0};
    bool awake[COUNCIL_MOST];
    assert_int_equal(weft_player_predict(lib, trial->row, trial->column, &verdict, NULL), WEFT_OK);
    listen(c, lib);
    check_verdict(c, &verdict);
    memcpy(awake, c->awake, sizeof awake);
    assert_int_equal(weft_player_learn(lib, trial->row, trial->column, trial->label, &ruling, NULL), WEFT_OK);
    council_pay(c, lib);
    assert_near(ruling.error_probability, (double)council_hedge(c, trial->label), 1e-7);
    council_learn(c, trial->label);
    c->labels[trial->label > 0]++;
    council_rest(c, lib);
    check_guarantee(lib, r, awake, c->vote, &ruling, trial->label);
    check_rest(c, lib, r);
    check_stacks(c, lib);
}

typedef struct plan {
    uint64_t seed;
    known_kind kind;
    bool one_set, dear; /* dear: more rivals than a learner costs */
    panel_labels labels;
    int64_t trials, checkpoints, woken;
} plan;

static void play(const plan *what)
{
    panel p;
    static council c;
    records r = {.woken = 0};
    dice d = {what->seed};
    panel_open(what->seed, what->kind, what->one_set, 6, 6, &p);
    panel_add_learners(&p);
    panel_add_rivals(&p);
    for (int k = 1; what->dear && p.count < PANEL_MEMBERS; k++)
        panel_add_rival(&p, WEFT_RIVAL_LOGISTIC, 0.02 * k, p.given[0], p.one_set ? NULL : p.given[1]);
    council_open(&p, &c);
    weft_player *lib = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    for (int64_t k = 0; k < COUNCIL_MOST; k++)
        r.was_awake[k] = true;
    for (int64_t t = 0; t < what->trials; t++) {
        panel_trial trial = panel_draw(&p, what->labels, t, &d, lib);
        play_trial(&c, lib, &r, &trial);
    }
    assert_true(c.checkpoints >= what->checkpoints);
    assert_true(r.woken >= what->woken);
    for (int64_t k = 0; k < council_experts(&c); k++)
        assert_near(weft_committee_standing(lib, k).term,
                    (double)(c.gap - logl(council_prior(&c, k)) / council_rate(&c)), 1e-6);
    print_message("seed %d: %d checkpoints, %d rests, %d returns, gap %g\n", (int)what->seed,
                  (int)c.checkpoints, (int)c.rests, (int)c.returns, (double)c.gap);
    weft_player_free(lib);
    panel_close(&p);
}

static void learnable(void **state)
{
    play(&(plan){1, KNOWN_KERNEL, false, false, PANEL_TRUE, 5200, 3, 2});
    play(&(plan){8, KNOWN_KERNEL, false, true, PANEL_TRUE, 2600, 2, 1});
    play(&(plan){2, KNOWN_CLASSES, true, false, PANEL_TRUE, 2600, 2, 1});
}

/* Whom nobody can learn from rests nobody before it is the latest time. */
static void random_labels(void **state)
{
    play(&(plan){3, KNOWN_NONE, false, false, PANEL_RANDOM, 8900, 2, 1});
    play(&(plan){9, KNOWN_LINEAR, false, true, PANEL_RANDOM, 8900, 2, 1});
    play(&(plan){10, KNOWN_DIFFUSION, true, false, PANEL_RANDOM, 8900, 2, 1});
}

static void adversarial(void **state)
{
    play(&(plan){4, KNOWN_CLASSES, false, false, PANEL_AGAINST, 8900, 2, 1});
    play(&(plan){5, KNOWN_KERNEL, true, false, PANEL_AGAINST, 8900, 2, 1});
}

static void one_label(void **state)
{
    play(&(plan){6, KNOWN_CLASSES, false, false, PANEL_ONE, 8900, 2, 1});
}

static void alternating(void **state)
{
    play(&(plan){7, KNOWN_KERNEL, false, false, PANEL_ALTERNATE, 4700, 2, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learnable), cmocka_unit_test(random_labels), cmocka_unit_test(adversarial),
        cmocka_unit_test(one_label), cmocka_unit_test(alternating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
