/* SPDX-License-Identifier: MIT
 * The bytes that rivals hold: what is counted, who gives back, and that a member which has given its memory
 * back is a new one to everything else: states, copies in slices, merges and forgetting. */
#include "unit/test_core_support.h"

#include "committee/change/kept_events.h"
#include "committee/committee.h"
#include "player/feed.h"
#include "support/panel.h"

enum { IDS = 12, TRIALS = 60 };

static double bytes_of(const weft_player *player)
{
    return player->ops->bytes != NULL ? player->ops->bytes(player) : 0;
}

static double bytes_of_all(const weft__committee *committee)
{
    double sum = 0;
    for (int64_t k = 0; k < committee->count; k++)
        sum += bytes_of(committee->members[k].player);
    return sum;
}

static void open_panel(known_kind kind, bool one_set, panel *p)
{
    panel_open(7, kind, one_set, IDS, IDS, p);
    panel_add_learner(p, one_set ? WEFT_ONE_SET : WEFT_BALANCED, 1, p->given[0],
                      one_set ? NULL : p->given[1]);
    panel_add_rivals(p);
    panel_add_rival(p, WEFT_RIVAL_HYBRID, 1, p->none[0], one_set ? NULL : p->none[1])->plain = true;
}

static void assert_same_bytes(const weft_player *a, const weft_player *b)
{
    panel_assert_same(a, b);
    assert_true(bytes_of(a) == bytes_of(b));
}

/* ---- What is counted, and what is left of one that was emptied ---- */

static void check_emptied(const weft_player *member)
{
    weft_player *copy = NULL, *fresh = NULL;
    assert_int_equal(member->ops->clone(member, NULL, &copy, NULL), WEFT_OK);
    assert_int_equal(member->ops->sibling(member, &fresh, NULL), WEFT_OK);
    assert_true(bytes_of(copy) == bytes_of(member) && bytes_of(fresh) == 0);
    copy->ops->empty(copy);
    assert_same_bytes(copy, fresh);
    dice d = {2};
    panel_trial at;
    for (int64_t t = 0; t < TRIALS; t++) {
        weft_answer one = {0}, other = {0};
        at = (panel_trial){dice_below(&d, IDS), dice_below(&d, IDS), dice_chance(&d, 0.5) ? 1 : -1};
        assert_int_equal(weft_player_learn(copy, at.row, at.column, at.label, &one, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(fresh, at.row, at.column, at.label, &other, NULL), WEFT_OK);
        assert_true(one.score == other.score);
    }
    assert_same_bytes(copy, fresh);
    weft_player_free(copy);
    weft_player_free(fresh);
}

/* Of every kind over every kind of side; learners keep what they have. */
static void an_emptied_rival_is_a_new_one(void **state)
{
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++) {
            panel p;
            dice d = {3};
            open_panel((known_kind)kind, one_set, &p);
            weft_player *player = panel_committee(&p, &(weft_committee_settings){0}, NULL);
            panel_play(&p, PANEL_TRUE, 0, TRIALS, &d, player);
            for (int64_t k = 0; k < p.count; k++) {
                const weft_player *member = weft_player_member(player, k);
                if (!p.members[k].is_rival)
                    assert_null(member->ops->empty);
                else
                    check_emptied(member);
                assert_true((bytes_of(member) > 0) ==
                            (p.members[k].is_rival && p.members[k].rival.kind != WEFT_RIVAL_CONSTANT));
            }
            weft_player_free(player);
            panel_close(&p);
        }
}

/* ---- Who gives back ---- */

typedef struct room {
    panel p;
    weft_player *player;
    weft__committee *committee;
} room;

static void room_open(room *r, const weft_committee_settings *settings)
{
    dice d = {3};
    open_panel(KNOWN_CLASSES, false, &r->p);
    r->player = panel_committee(&r->p, settings, NULL);
    r->committee = weft__committee_in(r->player);
    panel_play(&r->p, PANEL_TRUE, 0, TRIALS, &d, r->player);
}

static void room_close(room *r)
{
    weft_player_free(r->player);
    panel_close(&r->p);
}

static bool is_empty(const weft__committee *committee, int64_t k)
{
    return !committee->awake[k] && committee->members[k].seen == 0 &&
           bytes_of(committee->members[k].player) == 0;
}

/* A byte too much is one member's: of those awake the one with the least (1 + Wald) / bytes. */
static void the_one_missed_least_for_its_bytes_gives_back(void **state)
{
    room r;
    room_open(&r, &(weft_committee_settings){0});
    weft__committee *c = r.committee;
    int64_t least = -1, best = 0;
    for (int64_t k = 1; k < c->count; k++)
        best = c->hedge.regret[k] > c->hedge.regret[best] ? k : best;
    double found = INFINITY;
    for (int64_t k = 0; k < c->count; k++) {
        double bytes = bytes_of(c->members[k].player);
        double value = bytes > 0 ? (1 + weft__stack_wald(&c->stack, k)) / bytes : INFINITY;
        if (k == best || k == c->count - 1 || value >= found)
            continue;
        found = value;
        least = k;
    }
    c->room = bytes_of_all(c);
    weft__committee_schedule(c);
    assert_int_equal(c->counters.awake, c->count);
    c->room = nextafter(c->room, 0);
    weft__committee_schedule(c);
    assert_int_equal(c->counters.awake, c->count - 1);
    assert_true(is_empty(c, least) && !weft__stack_hears(&c->stack, least));
    assert_true(bytes_of_all(c) <= c->room);
    room_close(&r);
}

/* One that rests is not missed; no other one goes for what it holds. */
static void those_that_rest_give_back_first(void **state)
{
    room r;
    room_open(&r, &(weft_committee_settings){0});
    weft__committee *c = r.committee;
    weft__member_state *member = &c->members[5];
    member->price = 1e5;
    member->paid = weft__account_of(&member->given);
    weft__committee_schedule(c);
    assert_true(!c->awake[5] && member->seen == TRIALS && bytes_of(member->player) > 0);
    c->room = bytes_of_all(c) - 1;
    weft__committee_schedule(c);
    assert_true(is_empty(c, 5));
    assert_int_equal(c->counters.awake, c->count - 1);
    room_close(&r);
}

/* Without any room the best stays, the last plain one, and the learner, which holds nothing that counts. */
static void some_stay_without_room(void **state)
{
    for (int restless = 0; restless < 2; restless++) {
        room r;
        room_open(&r, &(weft_committee_settings){.restless = restless});
        weft__committee *c = r.committee;
        int64_t best = 3, last = c->count - 1;
        c->hedge.regret[best] = 1e6;
        c->room = 0;
        weft__committee_schedule(c);
        for (int64_t k = 0; k < c->count; k++) {
            bool kept = restless || k == best || k == last || bytes_of(c->members[k].player) == 0;
            assert_true(kept || is_empty(c, k));
            assert_true(c->awake[k] == (restless || k == best || k == last || !r.p.members[k].is_rival ||
                                        r.p.members[k].rival.kind == WEFT_RIVAL_CONSTANT));
        }
        room_close(&r);
    }
}

static bool goes_by_pairs(const weft_member *member)
{
    return member->is_rival &&
           (member->rival.kind == WEFT_RIVAL_PRODUCT || member->rival.kind == WEFT_RIVAL_SQUARE);
}

/* The best as well, but not the last that is awake; and nobody else, whatever it holds. */
static void a_perceptron_that_holds_too_many_pairs_gives_back(void **state)
{
    room r;
    room_open(&r, &(weft_committee_settings){0});
    weft__committee *c = r.committee;
    double most = 0;
    int64_t largest = -1, alone = -1;
    for (int64_t k = 0; k < c->count; k++)
        if (goes_by_pairs(&r.p.members[k]) && bytes_of(c->members[k].player) > most)
            most = bytes_of(c->members[largest = k].player);
    c->hold = most;
    weft__committee_schedule(c);
    assert_int_equal(c->counters.awake, c->count);
    c->hedge.regret[largest] = 1e6;
    c->hold = nextafter(most, 0);
    weft__committee_schedule(c);
    assert_true(is_empty(c, largest) && c->awake[largest] == false && c->emptied >= 1);
    c->hold = 0;
    weft__committee_schedule(c);
    for (int64_t k = 0; k < c->count; k++) {
        assert_true(is_empty(c, k) == goes_by_pairs(&r.p.members[k]));
        alone = is_empty(c, k) ? k : alone;
    }
    room_close(&r);
    room_open(&r, &(weft_committee_settings){0});
    c = r.committee;
    for (int64_t k = 0; k < c->count; k++)
        c->awake[k] = k == alone;
    c->counters.awake = 1;
    c->hold = 0;
    weft__committee_schedule(c);
    assert_true(c->awake[alone] && bytes_of(c->members[alone].player) > 0);
    room_close(&r);
}

/* ---- What else is right ---- */

/* While a stream is played: who was read in the middle is the one that never stopped, and so is a copy. */
static void resumed_and_copied_it_goes_on(void **state)
{
    room r;
    dice d = {4};
    weft_player *list[2] = {NULL, NULL};
    room_open(&r, &(weft_committee_settings){0});
    r.committee->room = bytes_of_all(r.committee) * 0.6;
    panel_play(&r.p, PANEL_TRUE, TRIALS, 2 * TRIALS, &d, r.player);
    assert_true(r.committee->emptied > 1);
    panel_state s = panel_write(r.player);
    assert_int_equal(weft_committee_read(r.p.members, r.p.count, s.bytes, s.size, NULL, &list[0], NULL),
                     WEFT_OK);
    weft__committee_in(list[0])->room = r.committee->room;
    assert_int_equal(weft_player_clone(r.player, &list[1], NULL), WEFT_OK);
    uint64_t rest = d.state;
    panel_play(&r.p, PANEL_TRUE, 2 * TRIALS, 4 * TRIALS, &d, r.player);
    for (int k = 0; k < 2; k++) {
        d.state = rest;
        panel_play(&r.p, PANEL_TRUE, 2 * TRIALS, 4 * TRIALS, &d, list[k]);
        panel_assert_same(list[k], r.player);
        weft_player_free(list[k]);
    }
    free(s.bytes);
    room_close(&r);
}

/* A member that was half copied gives its memory back before the copy is whole. */
static void a_copy_in_slices_begins_again(void **state)
{
    room r;
    weft_error error = {0};
    weft__staged_copy *staged = NULL;
    weft_player *made = NULL;
    bool whole = false;
    dice d = {5};
    room_open(&r, &(weft_committee_settings){0});
    assert_int_equal(weft__feed_create(r.player, NULL), WEFT_OK);
    weft_reader ear = {
        .player = r.player, .feed = r.player->feed, .stage = WEFT__COPYING, .copying.status = WEFT_MEMORY};
    r.player->feed->first = &ear;
    assert_int_equal(r.player->ops->stage_copy(r.player, &staged, &error), WEFT_OK);
    for (int slice = 0; !whole; slice++) {
        weft__slice what = {ear.count, 600, 0};
        assert_int_equal(staged->copy_slice(staged, r.player, &what, &whole, &error), WEFT_OK);
        if (slice % 9 == 8 && slice < 40)
            r.committee->room = bytes_of_all(r.committee) - 1;
        if (!whole && slice < 50)
            panel_play(&r.p, PANEL_TRUE, 0, 1, &d, r.player);
    }
    assert_true(r.committee->emptied > 2);
    assert_int_equal(staged->join(staged, ear.first, &made, &error), WEFT_OK);
    panel_assert_same(made, r.player);
    assert_true(weft__committee_in(made)->room == r.committee->room);
    staged->release(staged);
    weft_player_free(made);
    r.player->feed->first = NULL;
    weft__reader_recycle(&ear, ear.first);
    for (weft__kept_label *l = ear.spare, *next; l != NULL; l = next) {
        next = l->next;
        weft__delete(&r.player->memory, l->bytes);
        weft__delete(&r.player->memory, l);
    }
    room_close(&r);
}

/* Member 4 knows nothing in either of two committees, member 5 in the first; all others are awake in both.
 * The one that stays learns the events that the other committee keeps. */
static void in_a_merge_the_one_that_knows_stays(void **state)
{
    room r, other;
    weft_player *copy = NULL, *expected = NULL;
    int64_t learnt = 0;
    room_open(&r, &(weft_committee_settings){0});
    room_open(&other, &(weft_committee_settings){0});
    for (int k = 4; k < 6; k++)
        for (int i = 0; i < (k == 4 ? 2 : 1); i++) {
            weft__committee *c = i == 0 ? r.committee : other.committee;
            c->members[k].price = 1e5;
            c->members[k].paid = weft__account_of(&c->members[k].given);
            weft__committee_schedule(c);
            c->room = bytes_of_all(c) - 1;
            weft__committee_schedule(c);
            c->room = WEFT__ROOM;
            assert_true(is_empty(c, k));
        }
    const weft__relearning events = {.events = weft__kept_events(r.committee)};
    const weft_player *knows = other.committee->members[5].player;
    assert_int_equal(knows->ops->clone(knows, NULL, &expected, NULL), WEFT_OK);
    assert_int_equal(weft__learn_kept_events(expected, &events, 1e5, &learnt, NULL), WEFT_OK);
    assert_true(learnt > 0);
    assert_int_equal(weft_player_merge(r.player, other.player, NULL), WEFT_OK);
    assert_int_equal(r.committee->counters.awake, r.committee->count - 1);
    assert_true(is_empty(r.committee, 4) && !weft__stack_hears(&r.committee->stack, 4));
    assert_true(r.committee->awake[5] && r.committee->members[5].seen == TRIALS + learnt);
    panel_assert_same(r.committee->members[5].player, expected);
    weft_player_free(expected);
    /* And so it stays, read and merged again. */
    assert_int_equal(weft_player_clone(r.player, &copy, NULL), WEFT_OK);
    assert_int_equal(weft_player_merge(copy, other.player, NULL), WEFT_OK);
    assert_true(is_empty(weft__committee_in(copy), 4) && weft__committee_in(copy)->awake[5]);
    weft_player_free(copy);
    room_close(&other);
    room_close(&r);
}

/* What rests and knows nothing goes on resting; the others learn the last labels again. */
static void forgetting_wakes_nobody(void **state)
{
    room r;
    dice d = {6};
    room_open(&r, &(weft_committee_settings){0});
    r.committee->room = bytes_of_all(r.committee) / 2;
    weft__committee_schedule(r.committee);
    int64_t awake = r.committee->counters.awake;
    assert_true(r.committee->emptied > 0);
    assert_int_equal(weft_player_forget(r.player, WEFT_ROWS, 3, NULL), WEFT_OK);
    assert_int_equal(r.committee->counters.awake, awake);
    for (int64_t k = 0; k < r.committee->count; k++)
        assert_true(r.committee->awake[k] ? r.committee->members[k].seen > 0 : is_empty(r.committee, k));
    panel_play(&r.p, PANEL_TRUE, 0, TRIALS, &d, r.player);
    room_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_emptied_rival_is_a_new_one),
        cmocka_unit_test(the_one_missed_least_for_its_bytes_gives_back),
        cmocka_unit_test(those_that_rest_give_back_first),
        cmocka_unit_test(some_stay_without_room),
        cmocka_unit_test(a_perceptron_that_holds_too_many_pairs_gives_back),
        cmocka_unit_test(resumed_and_copied_it_goes_on),
        cmocka_unit_test(a_copy_in_slices_begins_again),
        cmocka_unit_test(in_a_merge_the_one_that_knows_stays),
        cmocka_unit_test(forgetting_wakes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
