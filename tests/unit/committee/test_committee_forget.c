/* SPDX-License-Identifier: MIT
 * Forgetting an id, merging two committees, and who leads. */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "rival/hybrid.h"
#include "support/effort.h"
#include "support/panel.h"
#include "weft_theory.h"

enum { IDS = 12 };

static const weft_committee_settings RESTLESS = {.restless = true}, RESTING = {0};

static void open_panel(known_kind kind, bool one_set, panel *p)
{
    panel_open_all(8, kind, one_set, IDS, IDS, p);
    for (int k = 1; k <= 2; k++) /* dear ones */
        panel_add_rival(p, WEFT_RIVAL_HYBRID, 0.1 * k, p->given[0], one_set ? NULL : p->given[1])
            ->rival.replay = 400;
}

/* Little is left in any account: in the next trials some rest. */
static void exhaust(weft_player *committee)
{
    weft__committee *inside = weft__committee_in(committee);
    for (int64_t k = 0; k < inside->count; k++)
        inside->members[k].paid = weft__account_of(&inside->members[k].given) - 1e6;
}

static void must(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK)
        fail_msg("%s", error->message);
}

static uint64_t digest_of(const weft_player *committee)
{
    panel_state s = panel_write(committee);
    uint64_t digest = panel_digest(s.bytes, s.size);
    free(s.bytes);
    return digest;
}

/* What is written is read, so nothing of it contradicts the rest. */
static void assert_sound(const panel *p, const weft_player *committee)
{
    panel_state s = panel_write(committee);
    weft_player *copy = NULL;
    weft_error error = {0};
    must(weft_committee_read(p->members, p->count, s.bytes, s.size, NULL, &copy, &error), &error);
    panel_assert_same(committee, copy);
    weft_player_free(copy);
    free(s.bytes);
}

/* The evidence of a learner about a pair, and whether it has some of it. */
static int64_t evidence_at(const weft_player *learner, int64_t row, int64_t column, bool *found)
{
    *found = false;
    for (int64_t k = 0; k < weft_player_evidence_count(learner); k++) {
        weft_evidence_entry e = weft_player_evidence(learner, k);
        bool either = weft_learner_settings(learner).form == WEFT_ONE_SET;
        if ((e.row == row && e.column == column) || (either && e.row == column && e.column == row)) {
            *found = true;
            return e.count;
        }
    }
    return 0;
}

/* ---- Forgetting ---- */

static bool is_of(const panel *p, const weft_evidence_entry *e, bool row, int64_t id)
{
    return (e->row == id && (row || p->one_set)) || (e->column == id && (!row || p->one_set));
}

/* `after` has exactly what `before` has without the id. */
static void assert_forgotten(const panel *p, const weft_player *before, const weft_player *after, bool row,
                             int64_t id)
{
    int64_t kept = 0, lost = 0;
    for (int64_t k = 0; k < weft_player_evidence_count(before); k++) {
        weft_evidence_entry e = weft_player_evidence(before, k), f = weft_player_evidence(after, kept);
        if (is_of(p, &e, row, id)) {
            lost++;
            continue;
        }
        assert_true(e.row == f.row && e.column == f.column && e.count == f.count);
        kept++;
    }
    assert_int_equal(weft_player_evidence_count(after), kept);
    assert_true(lost > 0 && kept > 0);
}

/* One that begins anew may lose its standing, no other. */
static void assert_same_standing(weft_standing a, weft_standing b, bool anew)
{
    assert_true(a.is_awake == b.is_awake && a.term == b.term);
    if (anew && b.regret != a.regret)
        assert_true(b.regret < a.regret && b.weight < 0.01 && b.trials == 0 && b.mistakes == 0);
    else
        assert_true(a.since == b.since && a.trials == b.trials && a.mistakes == b.mistakes &&
                    a.regret == b.regret);
}

static void assert_doubted(const weft_player *committee, int64_t k)
{
    const weft__stack *stack = &weft__committee_in(committee)->stack;
    weft_standing s = weft_committee_standing(committee, k);
    assert_true(s.coefficient == 0 && s.certainty == 0);
    for (int64_t j = 0; s.is_awake && j < stack->n; j++)
        for (int f = 0; f < 2; f++) {
            const double *row = (f == 0 ? stack->steady : stack->moving).covariance + k * stack->n;
            assert_true(j == k ? row[j] > 0 : row[j] == 0);
        }
    for (int i = 0; i < 3; i++)
        for (int64_t j = 0; j < weft__committee_in(committee)->ablation[i].count; j++)
            if (weft__committee_in(committee)->ablation[i].member[j] == k)
                assert_true(weft__committee_in(committee)->ablation[i].stack.steady.mean[j] == 0);
}

/* The events of `before` that its members keep most of, and whether one is of the id. */
static const weft__replay *events_of(const panel *p, const weft_player *before)
{
    const weft__replay *most = NULL;
    for (int64_t k = 0; k < p->count; k++) {
        const weft__replay *kept = weft__hybrid_replay(weft_player_member(before, k));
        if (kept != NULL && (most == NULL || kept->learnt > most->learnt))
            most = kept;
    }
    assert_non_null(most);
    assert_true(most->learnt >= 300 && most->learnt < most->window);
    return most;
}

static bool is_of_id(const panel *p, const weft__event *event, bool row, int64_t id)
{
    bool one_set = p->members[0].columns == NULL;
    return ((row || one_set) && event->pair[0] == id) || ((!row || one_set) && event->pair[1] == id);
}

/* A rival that has learnt nothing is told what is kept of others; answers how many labels these are. */
static int64_t teach_others(const panel *p, const weft_player *before, weft_player *rival, bool row,
                            int64_t id)
{
    const weft__replay *events = events_of(p, before);
    int64_t told = 0;
    for (int64_t t = 0; t < events->learnt; t++)
        if (!is_of_id(p, &events->list[t], row, id)) {
            const weft__event *e = &events->list[t];
            assert_int_equal(weft_player_learn(rival, e->pair[0], e->pair[1], e->label, NULL, NULL), WEFT_OK);
            told++;
        }
    assert_true(told > 0 && told < events->learnt);
    return told;
}

/* Those awake have learnt again what is kept and is not of the id, and mean what they meant; those that rest
 * know nothing. */
static void assert_anew(const panel *p, const weft_player *before, const weft_player *after, int64_t k,
                        bool row, int64_t id)
{
    weft_player *fresh = panel_committee(p, &RESTING, NULL);
    bool awake = weft_committee_standing(before, k).is_awake;
    weft_player *rival = weft__committee_in(fresh)->members[k].player;
    assert_true(panel_digest_of(before, k) != panel_digest_of(fresh, k));
    int64_t told = awake ? teach_others(p, before, rival, row, id) : 0;
    assert_true(panel_digest_of(after, k) == panel_digest_of(fresh, k));
    assert_int_equal(weft__committee_in(after)->members[k].seen, told);
    weft_standing a = weft_committee_standing(before, k), b = weft_committee_standing(after, k);
    assert_true(a.coefficient == b.coefficient && a.certainty == b.certainty);
    const weft__replay *kept = weft__hybrid_replay(weft_player_member(after, k));
    for (int64_t t = 0; kept != NULL && t < kept->learnt; t++)
        assert_false(is_of_id(p, &kept->list[t], row, id));
    weft_player_free(fresh);
}

/* Every member of `after` against the same one of `before`, and of one that has learnt nothing. */
static void compare(const panel *p, const weft_player *before, const weft_player *after, bool row, int64_t id)
{
    for (int64_t k = 0; k < p->count + WEFT_STACKS; k++) {
        assert_same_standing(weft_committee_standing(before, k), weft_committee_standing(after, k),
                             k < p->count && p->members[k].is_rival);
        if (k >= p->count)
            continue;
        if (p->members[k].is_rival) {
            assert_anew(p, before, after, k, row, id);
        } else {
            assert_forgotten(p, weft_player_member(before, k), weft_player_member(after, k), row, id);
        }
    }
    weft_counters a = weft_player_counters(before), b = weft_player_counters(after);
    assert_memory_equal(&a, &b, sizeof a);
}

/* Some rest by then, and forget too. */
static void forget_one(known_kind kind, bool one_set, bool row)
{
    panel p;
    weft_error error = {0};
    dice d = {4};
    open_panel(kind, one_set, &p);
    weft_player *before = panel_committee(&p, &RESTING, NULL), *after = NULL;
    panel_play(&p, PANEL_TRUE, 0, 300, &d, before);
    exhaust(before);
    panel_play(&p, PANEL_TRUE, 300, 400, &d, before);
    must(weft_player_clone(before, &after, &error), &error);
    panel_assert_same(before, after);
    assert_true(weft_player_counters(after).awake < p.count);
    must(row ? weft_player_forget(after, WEFT_ROWS, 5, &error)
             : weft_player_forget(after, WEFT_COLUMNS, 5, &error),
         &error);
    compare(&p, before, after, row, 5);
    assert_sound(&p, after);
    panel_play(&p, PANEL_TRUE, 1300, 1400, &d, after);
    assert_sound(&p, after);
    weft_player_free(before);
    weft_player_free(after);
    panel_close(&p);
}

static void an_id_is_forgotten(void **state)
{
    forget_one(KNOWN_CLASSES, false, true);
    forget_one(KNOWN_CLASSES, false, false);
    /* With rows it is the same: the next test. */
    forget_one(KNOWN_LINEAR, true, false);
}

/* Of one set of ids it is the same id. */
static void of_one_set_either_forgets(void **state)
{
    panel p;
    dice d = {4}, e = {4};
    open_panel(KNOWN_CLASSES, true, &p);
    weft_player *a = panel_committee(&p, &RESTING, NULL), *b = panel_committee(&p, &RESTING, NULL);
    panel_play(&p, PANEL_TRUE, 0, 60, &d, a);
    panel_play(&p, PANEL_TRUE, 0, 60, &e, b);
    assert_int_equal(weft_player_forget(a, WEFT_ROWS, 3, NULL), WEFT_OK);
    assert_int_equal(weft_player_forget(b, WEFT_COLUMNS, 3, NULL), WEFT_OK);
    panel_assert_same(a, b);
    weft_player_free(a);
    weft_player_free(b);
    panel_close(&p);
}

static double margin_of(const weft_player *learner, int64_t row, int64_t column)
{
    weft_player *copy = NULL;
    weft_answer prediction = {0};
    assert_int_equal(weft_player_clone(learner, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_evaluate(copy, row, column, 1e-7, &prediction, NULL), WEFT_OK);
    weft_player_free(copy);
    return prediction.margin;
}

/* The trials of a row come last, so that no update before them depends on it. */
static void as_if_it_had_never_come(void **state)
{
    panel p;
    dice d = {6};
    open_panel(KNOWN_CLASSES, false, &p);
    weft_player *told = panel_committee(&p, &RESTLESS, NULL);
    weft_player *never = panel_committee(&p, &RESTLESS, NULL);
    for (int64_t t = 0; t < 120; t++) {
        int64_t row = dice_below(&d, IDS - 1), column = dice_below(&d, IDS);
        int label = (row + column) % 2 ? 1 : -1;
        assert_int_equal(weft_player_learn(told, row, column, label, NULL, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(never, row, column, label, NULL, NULL), WEFT_OK);
    }
    for (int64_t column = 0; column < IDS; column++)
        assert_int_equal(weft_player_learn(told, IDS - 1, column, 1, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_player_forget(told, WEFT_ROWS, IDS - 1, NULL), WEFT_OK);
    for (int64_t k = 0; k < p.count; k++) {
        const weft_player *a = weft_player_member(told, k), *b = weft_player_member(never, k);
        for (int64_t i = 0; !p.members[k].is_rival && i < IDS; i++) {
            double expected = margin_of(b, i, 3);
            assert_near(margin_of(a, i, 3), expected, 1e-6 * fmax(1, fabs(expected)));
        }
    }
    weft_player_free(told);
    weft_player_free(never);
    panel_close(&p);
}

/* An unknown id is told, and nothing has changed; a question that was asked before is asked anew. */
static void what_cannot_be_forgotten(void **state)
{
    panel p;
    dice d = {4};
    weft_error error = {0};
    weft_player *rivals = NULL;
    open_panel(KNOWN_CLASSES, false, &p);
    weft_player *committee = panel_committee(&p, &RESTING, NULL);
    panel_play(&p, PANEL_TRUE, 0, 30, &d, committee);
    uint64_t before = digest_of(committee);
    assert_fails(weft_player_forget(committee, WEFT_ROWS, IDS, &error), WEFT_UNKNOWN_ID, "not known");
    assert_fails(weft_player_forget(committee, WEFT_COLUMNS, -1, &error), WEFT_UNKNOWN_ID, "not known");
    assert_true(digest_of(committee) == before);
    assert_int_equal(weft_committee_create(p.members + 7, p.count - 7, &RESTING, NULL, &rivals, NULL),
                     WEFT_OK);
    assert_fails(weft_player_forget(rivals, WEFT_ROWS, IDS, &error), WEFT_UNKNOWN_ID, "row 12 is not known");
    assert_fails(weft_player_forget(rivals, WEFT_COLUMNS, -1, &error), WEFT_UNKNOWN_ID,
                 "column -1 is not known");
    assert_int_equal(weft_player_forget(rivals, WEFT_COLUMNS, IDS - 1, &error), WEFT_OK);
    assert_null(weft_committee_leader(rivals));
    weft_player_free(rivals);
    weft_player_free(committee);
    panel_close(&p);
}

static void a_question_is_asked_anew(void **state)
{
    panel p;
    dice d = {4};
    weft_answer before = {0}, after = {0};
    open_panel(KNOWN_CLASSES, false, &p);
    weft_player *committee = panel_committee(&p, &RESTING, NULL), *twin = NULL;
    panel_play(&p, PANEL_ONE, 0, 60, &d, committee);
    assert_int_equal(weft_player_predict(committee, 2, 2, &before, NULL), WEFT_OK);
    assert_int_equal(weft_player_forget(committee, WEFT_ROWS, 2, NULL), WEFT_OK);
    panel_state s = panel_write(committee);
    assert_int_equal(weft_committee_read(p.members, p.count, s.bytes, s.size, NULL, &twin, NULL), WEFT_OK);
    assert_int_equal(weft_player_predict(committee, 2, 2, &after, NULL), WEFT_OK);
    assert_true(before.probability != after.probability);
    assert_int_equal(weft_player_predict(twin, 2, 2, &before, NULL), WEFT_OK);
    assert_true(before.probability == after.probability && before.vote == after.vote);
    free(s.bytes);
    weft_player_free(twin);
    weft_player_free(committee);
    panel_close(&p);
}

/* ---- What is left is good ---- */

enum { CLASSES = 2, FEW = 40 };

/* What the classes of row and column decide, and one label in sixteen is wrong: the votes of rivals lead. */
static int truth_of(int64_t row, int64_t column)
{
    return (row + column) % CLASSES == 0 ? 1 : -1;
}

static weft_player *shop(int64_t from, int64_t to)
{
    int64_t class_of[FEW];
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    dice d = {11};
    for (int64_t k = 0; k < FEW; k++)
        class_of[k] = k % CLASSES;
    must(weft_roster_from_classes(FEW, class_of, 0.1, NULL, NULL, &rows, &error), &error);
    must(weft_roster_from_classes(FEW, class_of, 0.1, NULL, NULL, &columns, &error), &error);
    must(weft_player_create(rows, columns, NULL, &player, &error), &error);
    for (int64_t t = 0; t < to; t++) {
        int64_t row = dice_below(&d, FEW), column = dice_below(&d, FEW);
        int label = dice_below(&d, 16) == 0 ? -truth_of(row, column) : truth_of(row, column);
        if (t >= from)
            must(weft_player_learn(player, row, column, label, NULL, &error), &error);
    }
    return player;
}

/* Of the pairs without row 0 and column 0. */
static int wrong_of(weft_player *player)
{
    int wrong = 0;
    for (int64_t row = 1; row < FEW; row++)
        for (int64_t column = 1; column < FEW; column++) {
            weft_answer answer;
            assert_int_equal(weft_player_predict(player, row, column, &answer, NULL), WEFT_OK);
            wrong += answer.label != truth_of(row, column);
        }
    return wrong;
}

enum { PAIRS = (FEW - 1) * (FEW - 1) };

static void the_others_are_not_forgotten(void **state)
{
    ONCE_IN_RELEASE();
    for (int which = WEFT_ROWS; which <= WEFT_COLUMNS; which++) {
        weft_player *player = shop(0, 600);
        assert_true(wrong_of(player) < PAIRS / 20);
        assert_int_equal(weft_player_forget(player, which, 0, NULL), WEFT_OK);
        assert_true(wrong_of(player) < PAIRS / 10);
        weft_player_free(player);
    }
}

static void a_sum_is_as_good_as_its_parts(void **state)
{
    ONCE_IN_RELEASE();
    weft_player *a = shop(0, 400), *b = shop(400, 700);
    int before = wrong_of(a);
    assert_true(before < PAIRS / 10);
    assert_int_equal(weft_player_merge(b, a, NULL), WEFT_OK);
    assert_true(wrong_of(b) <= before);
    weft_player_free(a);
    weft_player_free(b);
}

/* ---- Merging ---- */

static void assert_sum(const weft_player *sum, const weft_player *a, const weft_player *b)
{
    weft_counters s = weft_player_counters(sum), c = weft_player_counters(a), e = weft_player_counters(b);
    int64_t pairs = 0;
    for (int64_t i = 0; i < IDS; i++)
        for (int64_t j = weft_learner_settings(sum).form == WEFT_ONE_SET ? i : 0; j < IDS; j++) {
            bool in_sum, in_a, in_b;
            int64_t expected = evidence_at(a, i, j, &in_a) + evidence_at(b, i, j, &in_b);
            assert_int_equal(evidence_at(sum, i, j, &in_sum), expected);
            assert_true(in_sum == (in_a || in_b));
            pairs += in_sum;
        }
    assert_int_equal(weft_player_evidence_count(sum), pairs);
    assert_true(s.t == c.t + e.t && s.updates == c.updates + e.updates &&
                s.products == c.products + e.products);
}

/* The rival that has seen more labels, which was told what is kept of those of the other committee.  One that
 * was put to rest may have seen less in the longer one. */
static void assert_has_heard(const panel *p, const weft_player *sum, const weft_player *longer,
                             const weft_player *shorter, int64_t k)
{
    bool of_longer = weft_committee_standing(longer, k).trials > weft_committee_standing(shorter, k).trials;
    const weft__replay *events = events_of(p, of_longer ? shorter : longer);
    weft_player *expected = panel_committee(p, &RESTING, NULL), *rival = NULL;
    weft__member_state *member = &weft__committee_in(expected)->members[k];
    assert_int_equal(weft_player_clone(weft_player_member(of_longer ? longer : shorter, k), &rival, NULL),
                     WEFT_OK);
    for (int64_t t = 0; t < events->learnt; t++)
        assert_int_equal(weft_player_learn(rival, events->list[t].pair[0], events->list[t].pair[1],
                                           events->list[t].label, NULL, NULL),
                         WEFT_OK);
    weft_player_free(member->player);
    member->player = rival;
    assert_true(events->learnt > 0 && panel_digest_of(sum, k) == panel_digest_of(expected, k));
    assert_int_equal(weft__committee_in(sum)->members[k].seen,
                     weft_committee_standing(of_longer ? longer : shorter, k).trials + events->learnt);
    weft_player_free(expected);
}

static void assert_merged(const panel *p, const weft_player *sum, const weft_player *longer,
                          const weft_player *shorter)
{
    weft_counters s = weft_player_counters(sum), a = weft_player_counters(longer),
                  b = weft_player_counters(shorter);
    assert_true(s.t == a.t + b.t && s.trials == a.trials + b.trials && s.mistakes == a.mistakes + b.mistakes);
    assert_near(s.expected_mistakes, a.expected_mistakes + b.expected_mistakes, 1e-9);
    assert_int_equal(s.awake, p->count);
    for (int i = WEFT_ROWS; i <= WEFT_BOTH; i++)
        assert_true(weft_committee_worth(sum, i).mistakes.without ==
                    weft_committee_worth(longer, i).mistakes.without +
                        weft_committee_worth(shorter, i).mistakes.without);
    for (int64_t k = 0; k < p->count + WEFT_STACKS; k++) {
        weft_standing standing = weft_committee_standing(sum, k), x = weft_committee_standing(longer, k);
        weft_standing y = weft_committee_standing(shorter, k);
        bool counted = standing.trials == x.trials + y.trials && standing.mistakes == x.mistakes + y.mistakes;
        bool learner = k < p->count && !p->members[k].is_rival;
        bool doubted = learner && p->members[k].learner.form != WEFT_BALANCED;
        assert_true(standing.regret <= standing.term);
        if (counted)
            assert_near(standing.regret, x.regret + y.regret, 1e-9);
        else
            assert_true(doubted && standing.trials == 0 && standing.mistakes == 0 &&
                        standing.regret < x.regret + y.regret && standing.weight < 0.01);
        if (k >= p->count) {
            assert_true(standing.is_awake == x.is_awake);
            continue;
        }
        assert_true(standing.is_awake);
        if (doubted || !x.is_awake)
            assert_doubted(sum, k);
    }
    for (int64_t k = 0; k < p->count; k++) {
        if (!p->members[k].is_rival)
            assert_sum(weft_player_member(sum, k), weft_player_member(longer, k),
                       weft_player_member(shorter, k));
        else
            assert_has_heard(p, sum, longer, shorter, k);
    }
    assert_sound(p, sum);
}

/* Two parts of a stream, in either order; each part over sides of its own, which go before the sum. */
static void merge_two(known_kind kind, bool one_set)
{
    panel p, q;
    dice d = {5}, e = {6};
    weft_error error = {0};
    open_panel(kind, one_set, &p);
    open_panel(kind, one_set, &q);
    weft_player *a = panel_committee(&p, &RESTING, NULL), *b = panel_committee(&q, &RESTING, NULL);
    panel_play(&p, PANEL_TRUE, 0, 200, &d, a);
    exhaust(a);
    panel_play(&p, PANEL_TRUE, 200, 600, &d, a);
    panel_play(&q, PANEL_TRUE, 0, 300, &e, b);
    assert_true(weft_player_counters(a).awake < p.count);
    weft_player *one = NULL, *two = NULL;
    panel_state s = panel_write(a), t = panel_write(b);
    must(weft_committee_read(p.members, p.count, s.bytes, s.size, NULL, &one, &error), &error);
    must(weft_committee_read(p.members, p.count, t.bytes, t.size, NULL, &two, &error), &error);
    must(weft_player_merge(one, b, &error), &error);
    must(weft_player_merge(two, a, &error), &error);
    assert_merged(&p, one, a, b);
    assert_merged(&p, two, a, b);
    assert_true(panel_digest(t.bytes, t.size) == digest_of(b) &&
                panel_digest(s.bytes, s.size) == digest_of(a));
    weft_player_free(b);
    panel_close(&q);
    panel_play(&p, PANEL_TRUE, 0, 100, &d, one);
    assert_sound(&p, one);
    weft_player_free(a);
    weft_player_free(one);
    weft_player_free(two);
    free(s.bytes);
    free(t.bytes);
    panel_close(&p);
}

static void parts_of_a_stream_are_merged(void **state)
{
    merge_two(KNOWN_CLASSES, false);
    merge_two(KNOWN_LINEAR, true);
}

/* All play again, and nobody rests before the accounts are empty once more. */
static void a_merged_committee_has_new_accounts(void **state)
{
    ONCE_IN_RELEASE();
    panel p;
    dice d = {5};
    open_panel(KNOWN_CLASSES, false, &p);
    weft_player *a = panel_committee(&p, &RESTING, NULL);
    panel_play(&p, PANEL_ALTERNATE, 0, 100, &d, a);
    exhaust(a);
    panel_play(&p, PANEL_ALTERNATE, 100, 110, &d, a);
    assert_true(weft_player_counters(a).awake < p.count);
    assert_int_equal(weft_player_merge(a, a, NULL), WEFT_OK);
    assert_int_equal(weft_player_counters(a).trials, 220);
    assert_int_equal(weft__committee_in(a)->opened, 220);
    for (int64_t k = 0; k < p.count; k++)
        assert_true(weft__committee_in(a)->members[k].paid == 0);
    panel_play(&p, PANEL_ALTERNATE, 0, 100, &d, a);
    assert_int_equal(weft_player_counters(a).awake, p.count);
    for (int64_t k = 0; k < p.count; k++)
        assert_true(weft__committee_in(a)->members[k].paid > 0);
    exhaust(a);
    panel_play(&p, PANEL_ALTERNATE, 0, 10, &d, a);
    assert_true(weft_player_counters(a).awake < p.count);
    weft_player_free(a);
    panel_close(&p);
}

/* One member is another one: refused, and nothing has changed. */
static void other_members_are_refused(void **state)
{
    panel p;
    dice d = {5};
    weft_error error = {0};
    open_panel(KNOWN_CLASSES, false, &p);
    weft_player *a = panel_committee(&p, &RESTING, NULL);
    panel_play(&p, PANEL_TRUE, 0, 20, &d, a);
    uint64_t before = digest_of(a);
#define REFUSE_WITH(change)                                                               \
    do {                                                                                  \
        panel q = p;                                                                      \
        weft_member *l = &q.members[0], *r = &q.members[7 + WEFT_RIVAL_LOGISTIC];         \
        (void)l, (void)r;                                                                 \
        change;                                                                           \
        weft_player *b = panel_committee(&q, &RESTING, NULL);                             \
        assert_fails(weft_player_merge(a, b, &error), WEFT_ARGUMENT, "cannot be merged"); \
        weft_player_free(b);                                                              \
    } while (0)
    REFUSE_WITH(q.count--);
    REFUSE_WITH(l->learner.eta = 2);
    REFUSE_WITH(l->learner.gamma = 0.5);
    REFUSE_WITH(l->learner.form = WEFT_PAPER);
    REFUSE_WITH(l->learner.updates = WEFT_MISTAKE_UPDATES);
    REFUSE_WITH(l->learner.engine = WEFT_REFERENCE);
    REFUSE_WITH(l->name[0] = 'x');
    REFUSE_WITH(l->uses = WEFT_ROWS);
    REFUSE_WITH(r->rival.rate = 0.7);
    REFUSE_WITH(r->rival.bits = 7);
    REFUSE_WITH(r->rival.seed = 5);
    REFUSE_WITH(r->rival.kind = WEFT_RIVAL_BIAS);
    REFUSE_WITH(q.members[7 + WEFT_RIVAL_FACTORS].rival.factors = 3);
#undef REFUSE_WITH
    assert_true(digest_of(a) == before);
    weft_player_free(a);
    panel_close(&p);
}

/* An id that the other committee has and this one lacks, known to a learner, or to rivals alone. */
static void other_ids_are_refused(void **state)
{
    for (int rivals = 0; rivals < 2; rivals++) {
        panel p, q;
        weft_error error = {0};
        weft_player *a = NULL, *b = NULL;
        panel_open(8, KNOWN_CLASSES, false, IDS - 1, IDS, &p);
        panel_open(8, KNOWN_CLASSES, false, IDS - 1, IDS, &q);
        panel_grow(&q);
        if (!rivals)
            panel_add_learners(&p), panel_add_learners(&q);
        panel_add_rivals(&p);
        panel_add_rivals(&q);
        a = panel_committee(&p, &RESTING, NULL);
        b = panel_committee(&q, &RESTING, NULL);
        assert_int_equal(weft_player_learn(a, 1, 1, 1, NULL, NULL), WEFT_OK);
        for (int k = 0; k < 2; k++)
            assert_int_equal(weft_player_learn(b, IDS - 1, IDS - 1, -1, NULL, NULL), WEFT_OK);
        uint64_t before = digest_of(a);
        weft_status status = weft_player_merge(a, b, &error);
        assert_int_equal(status, rivals ? WEFT_ARGUMENT : WEFT_UNKNOWN_ID);
        assert_true(error.status == status && error.message[0] != 0);
        assert_true(digest_of(a) == before);
        weft_player_free(a);
        weft_player_free(b);
        panel_close(&p);
        panel_close(&q);
    }
}

/* ---- Leading ---- */

static void the_leader_has_the_largest_share(void **state)
{
    panel p;
    dice d = {5};
    open_panel(KNOWN_CLASSES, false, &p);
    weft_player *committee = panel_committee(&p, &RESTING, NULL);
    assert_true(weft_committee_leader(committee) == weft_player_member(committee, 0));
    for (int64_t t = 0; t < 1400; t += 50) {
        panel_play(&p, PANEL_TRUE, t, t + 50, &d, committee);
        const weft_player *leader = weft_committee_leader(committee);
        double share = -INFINITY, most = -INFINITY;
        for (int64_t k = 0; k < p.count; k++) {
            weft_standing s = weft_committee_standing(committee, k);
            if (p.members[k].is_rival || !s.is_awake)
                continue;
            most = fmax(most, s.coefficient);
            if (weft_player_member(committee, k) == leader)
                share = s.coefficient;
        }
        assert_true(share == most && isfinite(most));
    }
    weft_player_free(committee);
    panel_close(&p);
}

/* Where all learners rest it is the one that stood best, and none that has never played, whose regret is
 * 0. */
static void where_learners_rest_the_best_leads(void **state)
{
    panel p;
    open_panel(KNOWN_CLASSES, false, &p);
    p.members[1].beyond = 1;
    weft_player *player = panel_committee(&p, &RESTING, NULL);
    weft__committee *committee = weft__committee_in(player);
    assert_true(!committee->awake[1]);
    for (int64_t k = 0; k < p.count; k++) {
        committee->members[k].seen = k != 1;
        committee->hedge.regret[k] = p.members[k].is_rival ? 9 : k == 1 ? 0 : k == 4 ? -2 : -3;
        if (!p.members[k].is_rival)
            committee->awake[k] = false;
    }
    assert_ptr_equal(weft_committee_leader(player), weft_player_member(player, 4));
    committee->awake[5] = true;
    assert_ptr_equal(weft_committee_leader(player), weft_player_member(player, 5));
    weft_player_free(player);
    panel_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_is_forgotten),
        cmocka_unit_test(of_one_set_either_forgets),
        cmocka_unit_test(as_if_it_had_never_come),
        cmocka_unit_test(what_cannot_be_forgotten),
        cmocka_unit_test(a_question_is_asked_anew),
        cmocka_unit_test(the_others_are_not_forgotten),
        cmocka_unit_test(a_sum_is_as_good_as_its_parts),
        cmocka_unit_test(parts_of_a_stream_are_merged),
        cmocka_unit_test(a_merged_committee_has_new_accounts),
        cmocka_unit_test(other_members_are_refused),
        cmocka_unit_test(other_ids_are_refused),
        cmocka_unit_test(the_leader_has_the_largest_share),
        cmocka_unit_test(where_learners_rest_the_best_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
