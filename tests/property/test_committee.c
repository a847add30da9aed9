/* SPDX-License-Identifier: MIT
 * Committees against the slow one of support/council.h, and against what section 5 promises, on streams
 * that are learnable, random, adversarial, and of one label; labels come at once, late, or out of order. */
#include "../unit/test_core_support.h"

#include "support/council.h"
#include "weft_theory.h"

/* What has been seen of the members, by the test itself. */
typedef struct records {
    double against[COUNCIL_MOST]; /* errors of the committee while k was awake, less those of k */
    double drift[COUNCIL_MOST];   /* in the same trials: errors of the answers less those at the labels */
    uint64_t asleep[COUNCIL_MOST];
    bool was_awake[COUNCIL_MOST];
    int64_t since[COUNCIL_MOST];
    int64_t played[COUNCIL_MOST]; /* trials since it began */
    double paid[COUNCIL_MOST];
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

/* An answer that waits for its label: what was said then, and the weight of those that are wrong about -1
 * and about +1. */
typedef struct open_answer {
    panel_trial trial;
    bool awake[COUNCIL_MOST];
    int vote[COUNCIL_MOST];
    long double score[COUNCIL_MOST], error[2];
    weft_answer verdict;
    unsigned char *record;
    size_t size;
} open_answer;

/* The guarantee, by errors that are added up here: h was lost at the label. */
static void check_guarantee(const weft_player *lib, records *r, const open_answer *o, double h)
{
    for (int64_t k = 0; k < weft__committee_in(lib)->count + COUNCIL_STACKS; k++) {
        weft_standing s = weft_committee_standing(lib, k);
        double error = (double)o->error[o->trial.label > 0];
        if (o->awake[k]) {
            r->against[k] += error - (o->vote[k] != o->trial.label);
            r->drift[k] += error - h;
        }
        assert_near(s.regret, r->against[k], 1e-4);
        assert_near(s.drift, r->drift[k], 1e-4);
        if (!(r->against[k] <= s.term + r->drift[k] + 1e-6))
            fail_msg("%s: regret %.17g is above the guarantee %.17g + %.17g", s.name, r->against[k], s.term,
                     r->drift[k]);
    }
}

/* The price of member k; one that sleeps counts for nothing in any stack. */
static void check_schedule(const council *c, const weft_player *lib, int64_t k)
{
    assert_near(weft__committee_in(lib)->members[k].price, (double)c->price[k],
                1e-9 * (double)c->price[k] + 1e-9);
    for (int i = 0; i < 3 && !weft__committee_in(lib)->awake[k]; i++) {
        const weft__ablation *worth = &weft__committee_in(lib)->ablation[i];
        for (int64_t place = 0; place < worth->count; place++)
            if (worth->member[place] == k)
                assert_true(worth->stack.steady.mean[place] == 0 && worth->stack.moving.mean[place] == 0 &&
                            weft__stack_wald(&worth->stack, place) == 0 &&
                            !weft__stack_hears(&worth->stack, place));
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
        assert_int_equal(w.trials, c->stack[i].told);
        assert_true(w.mistakes.with == (double)c->stack[i].wrong[0]);
        assert_true(w.mistakes.without == (double)c->stack[i].wrong[1]);
        assert_near(w.log_loss.with, (double)c->stack[i].lost[0], 1e-4);
        assert_near(w.log_loss.without, (double)c->stack[i].lost[1], 1e-4);
    }
}

/* The last price once more for every trial, out of what is left: by the library's price, and what was seen
 * here. */
static bool can_pay(const weft_player *lib, const records *r, int64_t k)
{
    double price = weft__committee_in(lib)->members[k].price;
    return r->paid[k] + (double)r->played[k] * price <=
           (double)council_account_of(&weft__committee_in(lib)->members[k].given);
}

/* Who was awake has paid its price, nobody else; nobody rests who can pay, nor where the others together are
 * within the budget; and they are within it, but for those that may not rest. */
static void check_accounts(const council *c, const weft_player *lib, records *r)
{
    const weft__committee *committee = weft__committee_in(lib);
    double before = 0, work = 0;
    int64_t rested = 0;
    bool may = false;
    for (int64_t k = 0; k < c->count; k++) {
        const weft__member_state *member = &committee->members[k];
        r->paid[k] += r->was_awake[k] ? member->price : 0;
        r->played[k] += r->was_awake[k];
        assert_near(member->paid, r->paid[k], 1e-9 * r->paid[k]);
        bool rests = r->was_awake[k] && !committee->awake[k], pays = can_pay(lib, r, k);
        assert_true(!rests || !pays);
        rested += rests;
        before += r->was_awake[k] && !pays ? member->price : 0;
        work += r->was_awake[k] && !rests && !pays ? member->price : 0;
        may = may || (r->was_awake[k] && council_may_rest(c, k));
        if (committee->awake[k] && !r->was_awake[k])
            r->played[k] = 0;
    }
    assert_true(work <= 1.5e4 || !may);
    assert_true(rested == 0 || before > 1.5e4);
}

static bool is_plain(const weft_member *member)
{
    return member->plain && (!member->is_rival || member->rival.kind == WEFT_RIVAL_HYBRID);
}

/* Who sleeps does not change, and returns only from the reserve; the best of those awake stays unless it is
 * dear, and one that is plain. */
static void check_rest(const council *c, const weft_player *lib, records *r)
{
    int64_t plain = 0, best = -1;
    for (int64_t k = 0; k < weft__committee_in(lib)->count; k++) {
        weft_standing s = weft_committee_standing(lib, k);
        double standing = r->against[k] - r->drift[k];
        if (r->was_awake[k] && (best < 0 || standing > r->against[best] - r->drift[best] + 1e-9))
            best = k;
        plain += s.is_awake && is_plain(&c->p->members[k]);
        if (s.is_awake != c->awake[k])
            fail_msg("trial %lld: %s is awake %d, expected %d",
                     (long long)weft__committee_in(lib)->counters.trials, s.name, s.is_awake, c->awake[k]);
        if (s.since != r->since[k])
            assert_int_equal(s.since, weft_player_counters(lib).trials);
        else
            assert_int_equal(s.is_awake, r->was_awake[k]);
        r->rested += r->was_awake[k] && !s.is_awake;
        if (s.is_awake && !r->was_awake[k]) {
            assert_true(c->p->members[k].beyond > 0 && s.trials == 0);
            r->woken++;
        }
        r->since[k] = s.since;
        check_schedule(c, lib, k);
        if (!s.is_awake) {
            uint64_t digest = r->was_awake[k] || s.trials % 16 == 0 ? panel_digest_of(lib, k) : r->asleep[k];
            assert_true(r->was_awake[k] || r->asleep[k] == 0 || digest == r->asleep[k]);
            assert_true(s.weight == 0 && s.coefficient == 0 && s.certainty == 0);
            r->asleep[k] = digest;
        } else if (!r->was_awake[k]) {
            /* It is as it was: it has heard nothing yet. */
            assert_true(panel_digest_of(lib, k) == r->asleep[k] && s.coefficient == 0);
        }
        r->was_awake[k] = s.is_awake;
    }
    assert_true(plain > 0);
    assert_true(weft_committee_standing(lib, best).is_awake ||
                weft__committee_in(lib)->members[best].price > 6e3);
}

/* Asks, as one of `waiting` answers that are open already. */
static open_answer ask(council *c, weft_player *lib, const panel_trial *trial, int64_t waiting)
{
    open_answer o = {.trial = *trial};
    long double weight[COUNCIL_MOST];
    int64_t t = weft_player_counters(lib).t + waiting;
    assert_int_equal(weft_player_predict_at(lib, trial->row, trial->column, t, &o.verdict, NULL), WEFT_OK);
    listen(c, lib);
    check_verdict(c, &o.verdict);
    assert_int_equal(weft_player_record(lib, trial->row, trial->column, t, NULL, &o.size, NULL), WEFT_OK);
    o.record = malloc(o.size);
    assert_non_null(o.record);
    assert_int_equal(weft_player_record(lib, trial->row, trial->column, t, o.record, &o.size, NULL), WEFT_OK);
    memcpy(o.awake, c->awake, sizeof o.awake);
    memcpy(o.vote, c->vote, sizeof o.vote);
    memcpy(o.score, c->score, sizeof o.score);
    council_weigh(c, false, weight);
    for (int64_t k = 0; k < council_experts(c); k++)
        o.error[c->vote[k] < 0] += weight[k];
    return o;
}

/* The slow one learns what was said then; who is awake now has the costs. */
static double learn_slowly(council *c, const weft_player *lib, const open_answer *o)
{
    bool awake[COUNCIL_MOST];
    council_price(c, lib);
    memcpy(awake, c->awake, sizeof awake);
    memcpy(c->awake, o->awake, sizeof o->awake);
    memcpy(c->vote, o->vote, sizeof o->vote);
    memcpy(c->score, o->score, sizeof o->score);
    double h = (double)council_hedge(c, o->trial.label);
    council_learn(c, o->trial.label);
    memcpy(c->awake, awake, sizeof awake);
    c->labels[o->trial.label > 0]++;
    council_rest(c, lib);
    return h;
}

static void answer(council *c, weft_player *lib, records *r, open_answer *o, bool plain)
{
    weft_answer ruling = {0};
    const panel_trial *at = &o->trial;
    assert_int_equal(plain ? weft_player_learn(lib, at->row, at->column, at->label, &ruling, NULL)
                           : weft_player_learn_late(lib, o->record, o->size, at->label, &ruling, NULL),
                     WEFT_OK);
    assert_near(ruling.error_probability, (double)o->error[at->label > 0], 1e-7);
    assert_true(ruling.label == o->verdict.label && ruling.vote == o->verdict.vote);
    assert_int_equal(ruling.mistake, o->verdict.label != at->label);
    double h = learn_slowly(c, lib, o);
    check_guarantee(lib, r, o, h);
    check_accounts(c, lib, r);
    check_rest(c, lib, r);
    check_stacks(c, lib);
    free(o->record);
}

typedef struct plan {
    uint64_t seed;
    known_kind kind;
    bool one_set, crowded; /* crowded: as many members as there can be */
    panel_labels labels;
    int64_t trials, checkpoints;
    double left;                /* before the first trial in the accounts but for those of the rich; 0: all */
    int64_t rich;               /* every so many-th member is; 0: none */
    int64_t rests, dear, wakes; /* at least so many; dear: of the rests */
    int64_t spared, calm;       /* and as the slow one counts them */
    int64_t delay;              /* labels come so many trials late; */
    bool shuffled;              /* any of those that wait is next */
} plan;

enum { LONGEST = 1001 };

/* Answers that wait, in the order of their trials. */
typedef struct queue {
    open_answer open[LONGEST];
    int64_t count;
} queue;

static open_answer take(queue *q, int64_t k)
{
    open_answer taken = q->open[k];
    memmove(&q->open[k], &q->open[k + 1], (size_t)(--q->count - k) * sizeof *q->open);
    return taken;
}

enum { RESERVE = 6 };

/* Beyond some that may lead. */
static void add_reserve(panel *p)
{
    int64_t last = p->count, first = p->count;
    for (int64_t k = 0; k < last && p->count < first + RESERVE; k++) {
        const weft_member *edge = &p->members[k];
        bool rival = edge->is_rival && edge->rival.kind != WEFT_RIVAL_LOGISTIC && edge->rival.rate == 0;
        bool leads = edge->is_rival ? rival && (edge->rival.kind == WEFT_RIVAL_HYBRID ||
                                                edge->rival.kind == WEFT_RIVAL_PRODUCT)
                                    : k < 4;
        if (!leads)
            continue;
        weft_member *beyond = edge->is_rival
                                  ? panel_add_rival(p, edge->rival.kind, 2, edge->rows, edge->columns)
                                  : panel_add_learner(p, edge->learner.form, 9, edge->rows, edge->columns);
        beyond->beyond = k + 1;
    }
}

/* What a long stream before this one would have cost. */
static void spend(const plan *what, council *c, weft_player *lib, records *r)
{
    for (int64_t k = 0; k < c->count && what->left != 0; k++)
        if (what->rich == 0 || k % what->rich != what->rich - 1) {
            c->left[k] = what->left;
            weft__committee_in(lib)->members[k].paid = r->paid[k] =
                (double)council_account_of(&weft__committee_in(lib)->members[k].given) - what->left;
        }
}

static void play(const plan *what)
{
    panel p;
    static council c;
    static queue q;
    records r = {.woken = 0};
    dice d = {what->seed};
    panel_open_all(what->seed, what->kind, what->one_set, 6, 6, &p);
    for (int64_t k = 0; k < 3; k++)
        p.members[k].learner.tolerance = 1e-9; /* which makes it dear */
    for (int k = 1; what->crowded && p.count < PANEL_MEMBERS - RESERVE; k++)
        panel_add_rival(&p, WEFT_RIVAL_LOGISTIC, 0.02 * k, p.given[0], p.one_set ? NULL : p.given[1]);
    add_reserve(&p);
    council_open(&p, &c);
    weft_player *lib = panel_committee(&p, &(weft_committee_settings){0}, NULL);
    spend(what, &c, lib, &r);
    for (int64_t k = 0; k < COUNCIL_MOST; k++)
        r.was_awake[k] = c.awake[k];
    for (int64_t t = 0; t < what->trials; t++) {
        panel_trial trial = panel_draw(&p, what->labels, t, &d, lib);
        q.open[q.count] = ask(&c, lib, &trial, q.count);
        if (++q.count <= what->delay)
            continue;
        open_answer next = take(&q, what->shuffled ? dice_below(&d, q.count) : 0);
        answer(&c, lib, &r, &next, what->delay == 0 && t % 2 == 0);
    }
    while (q.count > 0) {
        open_answer next = take(&q, 0);
        answer(&c, lib, &r, &next, false);
    }
    assert_true(c.checkpoints >= what->checkpoints && r.rested == c.rests && r.woken == c.wakes);
    print_message(
        "seed %d: %d checkpoints, %d rests (%d dear, %d while dearer ones pay), %d wakes, %d calm, gap %g, "
        "drift %g\n",
        (int)what->seed, (int)c.checkpoints, (int)c.rests, (int)c.dear_rests, (int)c.spared, (int)c.wakes,
        (int)c.calm, (double)c.gap, r.drift[p.count]);
    assert_true(c.rests >= what->rests && c.dear_rests >= what->dear && c.wakes >= what->wakes);
    assert_true(c.spared >= what->spared && c.calm >= what->calm);
    for (int64_t k = 0; k < council_experts(&c); k++)
        assert_near(weft_committee_standing(lib, k).term,
                    (double)(c.gap - logl(council_prior(&c, k)) / council_rate(&c)), 1e-6);
    assert_true((r.drift[p.count] == 0) == (what->delay == 0));
    weft_player_free(lib);
    panel_close(&p);
}

/* Nobody rests while all can pay. */
static void learnable(void **state)
{
    play(&(plan){1, KNOWN_KERNEL, false, false, PANEL_TRUE, 2600, 2, .calm = 1000});
    play(&(plan){8, KNOWN_KERNEL, false, true, PANEL_TRUE, 1500, 1, 2e7, .rests = 1, .dear = 1});
    play(&(plan){2, KNOWN_CLASSES, true, true, PANEL_TRUE, 1500, 1, 1, .rests = 1});
}

static void random_labels(void **state)
{
    play(&(plan){3, KNOWN_NONE, false, false, PANEL_RANDOM, 4200, 1, 3e7, .rests = 1, .wakes = 1});
    play(&(plan){9, KNOWN_LINEAR, false, true, PANEL_RANDOM, 4200, 1, 2e6, 2, .rests = 1, .dear = 1,
                 .wakes = 1, .spared = 1, .calm = 1000});
    play(&(plan){10, KNOWN_DIFFUSION, true, true, PANEL_RANDOM, 4200, 1, 1, .rests = 1});
}

static void adversarial(void **state)
{
    play(&(plan){4, KNOWN_CLASSES, false, false, PANEL_AGAINST, 4200, 1, 3e7, .rests = 1});
    play(&(plan){5, KNOWN_KERNEL, true, true, PANEL_AGAINST, 4200, 1, 1, .rests = 1});
}

static void one_label(void **state)
{
    play(&(plan){6, KNOWN_CLASSES, false, false, PANEL_ONE, 4200, 1, 1, .rests = 1});
}

static void alternating(void **state)
{
    play(&(plan){7, KNOWN_KERNEL, false, false, PANEL_ALTERNATE, 2300, 1, 2e6, .rests = 1, .dear = 1});
}

static void late_labels(void **state)
{
    play(&(plan){11, KNOWN_KERNEL, false, false, PANEL_TRUE, 1500, 1, 1e7, .rests = 1, .delay = 10});
    play(&(plan){12, KNOWN_CLASSES, true, false, PANEL_TRUE, 1500, 1, 1e7, .rests = 1, .delay = 1});
    play(&(plan){13, KNOWN_KERNEL, false, true, PANEL_TRUE, 2600, 1, 1e7, .rests = 1, .delay = 1000,
                 .shuffled = true});
    play(&(plan){14, KNOWN_CLASSES, false, false, PANEL_RANDOM, 4200, 1, 2e6, 2, .rests = 1, .dear = 1,
                 .spared = 1, .delay = 10, .shuffled = true});
}

static void late_adversaries(void **state)
{
    play(&(plan){15, KNOWN_CLASSES, false, false, PANEL_AGAINST, 4200, 1, 1e7, .rests = 1, .delay = 1});
    play(&(plan){16, KNOWN_KERNEL, true, false, PANEL_AGAINST, 4200, 1, 1e7, .rests = 1, .delay = 10,
                 .shuffled = true});
    play(&(plan){17, KNOWN_CLASSES, false, false, PANEL_AGAINST, 4200, 0, .delay = 1000});
    play(&(plan){18, KNOWN_KERNEL, false, false, PANEL_ALTERNATE, 2300, 0, 1e7, .rests = 1, .delay = 1000,
                 .shuffled = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learnable),        cmocka_unit_test(random_labels), cmocka_unit_test(adversarial),
        cmocka_unit_test(one_label),        cmocka_unit_test(alternating),   cmocka_unit_test(late_labels),
        cmocka_unit_test(late_adversaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
