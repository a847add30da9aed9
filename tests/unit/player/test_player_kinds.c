/* SPDX-License-Identifier: MIT
 * What every kind of player does in the same way: answers, copies, rankings, explanations, merging and
 * forgetting. */
#include "test_player_support.h"

#include "committee/members/sharing.h"

/* Calls `check` for a player of every kind that has learnt something, over two sides and over one set. */
static void for_all(void (*check)(const stage *s, weft_player *player))
{
    for (int one_set = 0; one_set < 2; one_set++) {
        stage s = stage_open(one_set);
        for (int kind = 0; kind < KINDS; kind++) {
            weft_player *player = taught(&s, (weft_kind)kind, 40);
            check(&s, player);
            weft_player_free(player);
        }
        stage_close(&s);
    }
}

/* ---- Answers ---- */

static void check_fields(const weft_player *player, const weft_answer *a)
{
    weft_kind kind = weft_player_kind(player);
    bool learner = kind == WEFT_LEARNER;
    double decided = learner ? a->margin : kind == WEFT_RIVAL ? a->score : a->vote;
    assert_int_equal(a->label, decided >= a->threshold ? 1 : -1);
    assert_true(a->probability >= 0 && a->probability <= 1 && a->vote >= 0 && a->vote <= 1);
    assert_int_equal(a->asked, kind == WEFT_COMMITTEE ? weft_player_counters(player).awake : 1);
    assert_true(a->t == weft_player_counters(player).t && isfinite(a->score));
    if (learner)
        assert_true(a->lower <= a->margin && a->margin <= a->upper && a->score == a->margin);
    else
        assert_true(isnan(a->margin) && a->lower == -INFINITY && a->upper == INFINITY && a->certified);
    if (kind == WEFT_COMMITTEE)
        assert_true(same_number(a->score, a->probability));
    assert_false(a->mistake || a->updated || a->update_certified || a->error_probability != 0);
}

/* Learning gives the prediction again, with the label's part; a learner may know the margin better. */
static void check_trial(const stage *s, weft_player *player)
{
    (void)s;
    for (int64_t t = 40; t < 80; t++) {
        int64_t row = t % IDS, column = t * t % IDS;
        int label = label_of(t) * (t % 9 != 0);
        weft_answer first, learnt;
        assert_int_equal(weft_player_predict(player, row, column, &first, NULL), WEFT_OK);
        check_fields(player, &first);
        assert_int_equal(weft_player_learn(player, row, column, label, &learnt, NULL), WEFT_OK);
        assert_true(learnt.label == first.label && learnt.threshold == first.threshold &&
                    learnt.t == first.t);
        assert_int_equal(learnt.mistake, label != 0 && label != first.label);
        assert_true(learnt.lower >= first.lower && learnt.upper <= first.upper);
        assert_true(label != 0 || (learnt.error_probability == 0 && !learnt.updated));
        if (label != 0)
            assert_true(fabs(learnt.error_probability - (label > 0 ? 1 - learnt.vote : learnt.vote)) < 1e-12);
        if (weft_player_kind(player) != WEFT_LEARNER)
            assert_same_answer(&first, &learnt);
    }
}

static void predict_and_learn_agree(void **state)
{
    for_all(check_trial);
}

/* The threshold of a trial is that of its number, whenever it is asked for; evaluate draws none. */
static void check_thresholds(const stage *s, weft_player *player)
{
    int64_t now = weft_player_counters(player).t;
    weft_answer here, there, plain;
    (void)s;
    assert_int_equal(weft_player_predict(player, 1, 2, &here, NULL), WEFT_OK);
    assert_int_equal(weft_player_predict_at(player, 1, 2, now, &there, NULL), WEFT_OK);
    assert_same_answer(&here, &there);
    assert_int_equal(weft_player_evaluate(player, 1, 2, 1e-3, &plain, NULL), WEFT_OK);
    assert_true(plain.threshold == (weft_player_kind(player) == WEFT_COMMITTEE ? 0.5 : 0));
    assert_int_equal(weft_player_evaluate(player, 1, 2, 1e-3, &there, NULL), WEFT_OK);
    assert_same_answer(&plain, &there);
}

static void thresholds_go_by_trial(void **state)
{
    for_all(check_thresholds);
}

static void a_committee_that_draws(void **state)
{
    stage s = stage_open(false);
    weft_committee_settings settings = {.randomised = true, .seed = 3};
    weft_member members[MEMBERS];
    weft_player *player = NULL;
    int differ = 0;
    list_members(&s, members);
    assert_int_equal(weft_committee_create(members, MEMBERS, &settings, NULL, &player, NULL), WEFT_OK);
    for (int64_t t = 0; t < 40; t++) {
        weft_answer later, now, plain;
        assert_int_equal(weft_player_predict_at(player, t % IDS, 1, t + 5, &later, NULL), WEFT_OK);
        assert_int_equal(weft_player_predict(player, t % IDS, 1, &now, NULL), WEFT_OK);
        assert_int_equal(weft_player_evaluate(player, t % IDS, 1, 0, &plain, NULL), WEFT_OK);
        assert_true(later.t == t + 5 && now.t == t && later.threshold != now.threshold);
        assert_int_equal(later.label, later.vote >= later.threshold ? 1 : -1);
        assert_true(plain.threshold == 0.5 && plain.label == (plain.vote >= 0.5 ? 1 : -1));
        differ += plain.label != now.label;
        assert_int_equal(weft_player_learn(player, t % IDS, 1, t * t % 7 < 3 ? 1 : -1, NULL, NULL), WEFT_OK);
    }
    assert_true(differ > 0);
    weft_player_free(player);
    stage_close(&s);
}

/* ---- Copies ---- */

static void check_copy(const stage *s, weft_player *player)
{
    weft_player *copy = NULL, *fresh = player_of(s, weft_player_kind(player));
    assert_int_equal(weft_player_clone(player, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_set_threads(copy, 2, NULL), WEFT_OK);
    for (int64_t t = 40; t < 120; t++) {
        weft_answer a, b;
        assert_int_equal(weft_player_learn(player, t % IDS, t % 5, label_of(t), &a, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(copy, t % IDS, t % 5, label_of(t), &b, NULL), WEFT_OK);
        assert_same_answer(&a, &b);
    }
    assert_same_state(player, copy);
    assert_int_equal(weft_player_reset(copy, NULL), WEFT_OK);
    assert_same_state(fresh, copy);
    teach(copy, 0, 30);
    teach(fresh, 0, 30);
    assert_same_state(fresh, copy);
    weft_player_free(fresh);
    weft_player_free(copy);
}

static void a_copy_goes_on_to_the_bit(void **state)
{
    for_all(check_copy);
}

/* ---- Rankings ---- */

/* By selection: the largest that is left, the first of equals. */
static int64_t take_best(const weft_answer *answers, bool *taken)
{
    int64_t best = -1;
    for (int64_t k = 0; k < IDS; k++)
        if (!taken[k] && (best < 0 || answers[k].score > answers[best].score))
            best = k;
    taken[best] = true;
    return best;
}

static void check_query(weft_player *player, bool column, int64_t id)
{
    static const int64_t candidates[IDS] = {4, 0, 5, 2, 1, 3};
    static const double tolerance = 1e-9;
    bool learner = weft_player_kind(player) == WEFT_LEARNER, taken[IDS] = {false};
    weft_answer answers[IDS];
    weft_ranked ranked[IDS];
    weft_query query = {column, id, 4, candidates, IDS, tolerance};
    int64_t found = 0;
    for (int k = 0; k < IDS; k++)
        assert_int_equal(weft_player_evaluate(player, column ? candidates[k] : id,
                                              column ? id : candidates[k], tolerance, &answers[k], NULL),
                         WEFT_OK);
    assert_int_equal(weft_player_rank(player, &query, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, 4);
    for (int64_t r = 0; r < found; r++) {
        int64_t best = take_best(answers, taken);
        double slack = learner ? 1e-8 * fmax(1, fabs(answers[best].score)) : 0;
        assert_true(fabs(ranked[r].answer.score - answers[best].score) <= slack);
        if (!learner) {
            assert_int_equal(ranked[r].id, candidates[best]);
            assert_same_answer(&ranked[r].answer, &answers[best]);
        }
    }
}

static void check_ranking(const stage *s, weft_player *player)
{
    weft_player *before = NULL;
    int64_t found = -1;
    weft_ranked ranked[3], again[3];
    (void)s;
    assert_int_equal(weft_player_clone(player, &before, NULL), WEFT_OK);
    for (int64_t id = 0; id < IDS; id++)
        for (int column = 0; column < 2; column++)
            check_query(player, column, id);
    /* No candidates are all of them. */
    static const int64_t everybody[IDS] = {0, 1, 2, 3, 4, 5};
    weft_query all = {.most = 3}, listed = {false, 0, 3, everybody, IDS, 0.02};
    assert_int_equal(weft_player_rank(player, &all, ranked, &found, NULL), WEFT_OK);
    assert_int_equal(found, 3);
    assert_int_equal(weft_player_rank(player, &listed, again, &found, NULL), WEFT_OK);
    for (int k = 0; k < 3; k++)
        assert_true(ranked[k].id == again[k].id && ranked[k].answer.score == again[k].answer.score);
    assert_same_state(player, before);
    weft_player_free(before);
}

static void a_ranking_sorts_what_is_evaluated(void **state)
{
    for_all(check_ranking);
}

/* ---- Evidence ---- */

/* A committee explains the learner that leads it. */
static void check_explanation(const stage *s, weft_player *player)
{
    const weft_player *leader = weft_committee_leader(player);
    weft_influence influences[64], expected[64];
    weft_explanation all, single;
    weft_player *alone = NULL;
    (void)s;
    if (weft_player_kind(player) == WEFT_RIVAL) {
        assert_null(leader);
        return;
    }
    int64_t count = weft_player_evidence_count(player);
    assert_true(count > 0 && count <= 64 && count == weft_player_evidence_count(leader));
    assert_int_equal(weft_player_clone(leader, &alone, NULL), WEFT_OK);
    assert_int_equal(weft_player_explain(player, 1, 4, 1e-6, &all, influences, NULL), WEFT_OK);
    assert_int_equal(weft_player_explain(alone, 1, 4, 1e-6, &single, expected, NULL), WEFT_OK);
    assert_true(same_number(all.total, single.total) && same_number(all.margin, single.margin));
    for (int64_t k = 0; k < count; k++) {
        weft_evidence_entry entry = weft_player_evidence(player, k);
        assert_true(entry.row == influences[k].row && entry.column == influences[k].column);
        assert_true(same_number(influences[k].derivative, expected[k].derivative));
    }
    weft_player_free(alone);
}

static void the_leader_is_explained(void **state)
{
    for_all(check_explanation);
}

static int64_t count_pairs_of(const weft_player *player, bool one_set, int64_t row)
{
    int64_t pairs = 0;
    for (int64_t m = 0; m < weft_player_member_count(player); m++) {
        const weft_player *member = weft_player_member(player, m);
        for (int64_t k = 0; k < weft_player_evidence_count(member); k++) {
            weft_evidence_entry entry = weft_player_evidence(member, k);
            pairs += entry.row == row || (one_set && entry.column == row);
        }
    }
    return pairs;
}

static void check_forgetting(const stage *s, weft_player *player)
{
    weft_counters before = weft_player_counters(player);
    if (weft_player_kind(player) == WEFT_RIVAL)
        return;
    assert_true(count_pairs_of(player, s->one_set, 2) > 0);
    assert_int_equal(weft_player_forget(player, WEFT_ROWS, 2, NULL), WEFT_OK);
    assert_int_equal(count_pairs_of(player, s->one_set, 2), 0);
    assert_true(count_pairs_of(player, s->one_set, 1) > 0);
    assert_int_equal(weft_player_counters(player).trials, before.trials);
    assert_int_equal(weft_player_forget(player, WEFT_COLUMNS, IDS, NULL), WEFT_UNKNOWN_ID);
}

static void an_id_is_forgotten(void **state)
{
    for_all(check_forgetting);
}

static int64_t weight_of(const weft_player *player)
{
    int64_t sum = 0;
    for (int64_t m = 0; m < weft_player_member_count(player); m++)
        for (int64_t k = 0; k < weft_player_evidence_count(weft_player_member(player, m)); k++)
            sum += weft_player_evidence(weft_player_member(player, m), k).count;
    return sum;
}

static void check_merging(const stage *s, weft_player *player)
{
    weft_kind kind = weft_player_kind(player);
    if (kind == WEFT_RIVAL)
        return;
    weft_player *other = taught(s, kind, 25), *copy = NULL;
    weft_counters a = weft_player_counters(player), b = weft_player_counters(other);
    int64_t weight = weight_of(player) + weight_of(other);
    assert_int_equal(weft_player_clone(other, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge(player, other, NULL), WEFT_OK);
    weft_counters sum = weft_player_counters(player);
    assert_true(sum.t == a.t + b.t && sum.trials == a.trials + b.trials &&
                sum.mistakes == a.mistakes + b.mistakes);
    assert_int_equal(weight_of(player), weight);
    assert_same_state(other, copy);
    weft_player_free(other);
    weft_player_free(copy);
}

static void two_are_merged(void **state)
{
    for_all(check_merging);
}

static void learners_with_other_rates_are_not_merged(void **state)
{
    stage s = stage_open(false);
    weft_settings settings = settings_of(&s);
    weft_player *player = taught(&s, WEFT_LEARNER, 10), *other = NULL;
    weft_error error = {0};
    settings.eta *= 2;
    assert_int_equal(weft_learner_create(s.rows, s.columns, &settings, NULL, &other, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge(player, other, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "eta"));
    assert_int_equal(weft_player_counters(player).t, 10);
    weft_player_free(other);
    weft_player_free(player);
    stage_close(&s);
}

/* Ids 4 and 5 come never; of the others rivals and committees have learnt all labels, and a learner those
 * that its evidence is of. */
static void check_met(const stage *s, weft_player *unused)
{
    weft_kind kind = weft_player_kind(unused);
    weft_player *player = player_of(s, kind), *copy = NULL;
    bool met[2][IDS + 1] = {{false}};
    for (int64_t t = 0; t < 24; t++)
        assert_int_equal(weft_player_learn(player, t % 4, t / 4 % 3, label_of(t), NULL, NULL), WEFT_OK);
    assert_int_equal(weft_player_clone(player, &copy, NULL), WEFT_OK);
    weft_player_met(copy, WEFT_ROWS, IDS, met[0]);
    weft_player_met(copy, WEFT_COLUMNS, IDS, met[1]);
    for (int64_t id = 0; id < IDS; id++) {
        assert_int_equal(met[0][id], id < 4);
        assert_int_equal(met[1][id], id < (s->one_set ? 4 : 3));
    }
    if (kind != WEFT_RIVAL) {
        bool left[IDS] = {false}, few[2] = {false};
        assert_int_equal(weft_player_forget(player, WEFT_ROWS, 3, NULL), WEFT_OK);
        weft_player_met(player, WEFT_ROWS, IDS, left);
        assert_true(left[0] && left[1] && left[2] && !left[3]);
        weft_player_met(player, WEFT_ROWS, 1, few);
        assert_true(few[0] && !few[1]);
    }
    weft_player_met(player, WEFT_ROWS, IDS, NULL);
    weft_player_met(player, WEFT_BOTH, IDS, met[0]);
    weft_player_met(NULL, WEFT_ROWS, IDS, met[0]);
    weft_player_free(copy);
    weft_player_free(player);
}

static void ids_that_were_met(void **state)
{
    for_all(check_met);
}

/* A hybrid factorisation learns of the neighbours of an id too. */
static void rivals_know_whom_they_met(void **state)
{
    stage s = stage_open(false);
    for (int kind = 0; kind < WEFT_RIVALS; kind++) {
        weft_rival_settings settings = {.kind = (weft_rival_kind)kind};
        weft_player *player = NULL;
        bool met[2][IDS] = {{false}};
        bool blind = kind == WEFT_RIVAL_CONSTANT || kind == WEFT_RIVAL_BIAS || kind == WEFT_RIVAL_LOGISTIC ||
                     kind == WEFT_RIVAL_CROSSED || kind == WEFT_RIVAL_HYBRID;
        assert_int_equal(weft_rival_create(s.rows, s.columns, &settings, NULL, &player, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(player, 1, 4, 1, NULL, NULL), WEFT_OK);
        for (int which = 0; which < 2; which++)
            weft_player_met(player, which == 0 ? WEFT_ROWS : WEFT_COLUMNS, IDS, met[which]);
        for (int64_t id = 0; id < IDS; id++) {
            assert_int_equal(met[0][id], id == 1 && !blind && kind != WEFT_RIVAL_COLUMN_MAJORITY);
            assert_int_equal(met[1][id], id == 4 && !blind && kind != WEFT_RIVAL_ROW_MAJORITY);
        }
        weft_player_free(player);
    }
    stage_close(&s);
}

/* ---- What only one kind has ---- */

static void check_others(const stage *s, weft_player *player)
{
    weft_kind kind = weft_player_kind(player);
    int64_t rows = -1, columns = -1;
    weft_player_room(player, &rows, &columns);
    int64_t room = kind == WEFT_LEARNER ? IDS : 0;
    assert_true(rows == room && columns == (s->one_set ? 0 : room));
    weft_player_room(player, NULL, NULL);
    assert_int_equal(weft_learner_settings(player).eta > 0, kind == WEFT_LEARNER);
    assert_int_equal(weft_learner_spectral_bound(player) > 0, kind == WEFT_LEARNER);
    assert_int_equal(weft_rival_settings_of(player).bits > 0, kind == WEFT_RIVAL);
    assert_int_equal(weft_committee_settings_of(player).seed, kind == WEFT_COMMITTEE ? 7 : 0);
    assert_int_equal(weft_committee_standing(player, 0).trials > 0, kind == WEFT_COMMITTEE);
    assert_int_equal(weft_committee_worth(player, WEFT_ROWS).members, 0);
    assert_int_equal(weft__committee_sharing(player).asked > 0, kind == WEFT_COMMITTEE);
    assert_int_equal(weft_learner_kept_diagonal(player), 0);
    assert_int_equal(weft_player_member_count(player), kind == WEFT_COMMITTEE ? MEMBERS : 1);
    if (kind != WEFT_COMMITTEE)
        assert_ptr_equal(weft_player_member(player, 0), player);
    assert_null(weft_player_member(player, MEMBERS));
    assert_null(weft_player_member(player, -1));
    if (kind == WEFT_LEARNER)
        assert_int_equal(weft_learner_settings(player).form, s->one_set ? WEFT_ONE_SET : WEFT_PAPER);
}

static void other_kinds_answer_zeros(void **state)
{
    for_all(check_others);
    assert_string_equal(weft_kind_name(WEFT_LEARNER), "learner");
    assert_string_equal(weft_kind_name(WEFT_RIVAL), "rival");
    assert_string_equal(weft_kind_name(WEFT_COMMITTEE), "committee");
    assert_null(weft_kind_name((weft_kind)3));
    assert_true(weft_player_counters(NULL).t == 0 && weft_player_member_count(NULL) == 0);
    assert_true(weft_player_evidence_count(NULL) == 0 && weft_player_evidence(NULL, 0).count == 0);
    assert_true(weft_player_member(NULL, 0) == NULL && weft_committee_leader(NULL) == NULL);
    assert_true(weft_learner_settings(NULL).eta == 0 && weft_committee_standing(NULL, 0).trials == 0);
    weft_player_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predict_and_learn_agree),
        cmocka_unit_test(thresholds_go_by_trial),
        cmocka_unit_test(a_committee_that_draws),
        cmocka_unit_test(a_copy_goes_on_to_the_bit),
        cmocka_unit_test(a_ranking_sorts_what_is_evaluated),
        cmocka_unit_test(the_leader_is_explained),
        cmocka_unit_test(an_id_is_forgotten),
        cmocka_unit_test(two_are_merged),
        cmocka_unit_test(learners_with_other_rates_are_not_merged),
        cmocka_unit_test(ids_that_were_met),
        cmocka_unit_test(rivals_know_whom_they_met),
        cmocka_unit_test(other_kinds_answer_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
