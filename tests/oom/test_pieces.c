/* SPDX-License-Identifier: MIT
 * A copy for readers with the k-th allocation refused, for every k: of learners, of every rival, and of
 * committees, over one set of ids and two.  The player learns between the pieces.  After a refusal nothing
 * leaks and there is no copy; without one the copy is the player, to the bit. */
#include "../unit/test_core_support.h"

#include "player/feed.h"
#include "support/alloc.h"
#include "support/panel.h"

enum { IDS = 6, TAUGHT = 25, KINDS = WEFT_RIVALS + 2 };

static weft_player *make(const panel *p, int kind, const weft_memory *memory)
{
    weft_player *player = NULL;
    weft_settings settings = weft_settings_default(IDS, p->one_set ? 0 : IDS, 100);
    weft_rival_settings rival = {.kind = (weft_rival_kind)kind, .factors = 2, .bits = 6};
    if (kind > WEFT_RIVALS)
        return panel_committee(p, &(weft_committee_settings){0}, memory);
    if (kind < WEFT_RIVALS)
        assert_int_equal(weft_rival_create(p->given[0], p->given[1], &rival, memory, &player, NULL), WEFT_OK);
    else
        assert_int_equal(weft_learner_create(p->given[0], p->given[1], &settings, memory, &player, NULL),
                         WEFT_OK);
    return player;
}

/* Learns with memory to be had, and hears nothing of it. */
static void teach(const panel *p, weft_player *player, dice *d)
{
    panel_play(p, PANEL_TRUE, 0, 1, d, player);
}

/* A staged copy with a label after each of its first pieces, none of them refused. */
static weft_status copy(const panel *p, weft_player *player, weft_reader *ear, test_alloc *alloc, int64_t k,
                        weft_player **made)
{
    weft_status status = WEFT_OK;
    weft__staged_copy *staged = NULL;
    bool whole = false;
    dice d = {5};
    int64_t left = k;
    for (int slice = -1; status == WEFT_OK && !whole; slice++) {
        weft__slice what = {ear->count, 200, 0};
        test_alloc_arm(alloc, left);
        int64_t before = alloc->requests;
        status = slice >= 0                        ? staged->copy_slice(staged, player, &what, &whole, NULL)
                 : player->ops->stage_copy != NULL ? player->ops->stage_copy(player, &staged, NULL)
                                                   : weft__staged_copy_of_pieces(player, &staged, NULL);
        left -= alloc->requests - before;
        test_alloc_arm(alloc, TEST_ALLOC_NEVER);
        if (slice >= 0 && slice < 4 && !whole)
            teach(p, player, &d);
    }
    if (status == WEFT_OK) {
        test_alloc_arm(alloc, left);
        status = staged->join(staged, ear->first, made, NULL);
        test_alloc_arm(alloc, TEST_ALLOC_NEVER);
    }
    if (staged != NULL)
        staged->release(staged);
    return status;
}

static void forget_lessons(weft_reader *ear, const weft_memory *memory)
{
    weft__reader_recycle(ear, ear->first);
    for (weft__kept_label *l = ear->spare, *next; l != NULL; l = next) {
        next = l->next;
        weft__delete(memory, l->bytes);
        weft__delete(memory, l);
    }
}

/* False where there was no request k. */
static bool refuse(const panel *p, int kind, int64_t k)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_player *player = make(p, kind, &memory), *made = NULL;
    dice d = {3};
    panel_play(p, PANEL_TRUE, 0, TAUGHT, &d, player);
    assert_int_equal(weft__feed_create(player, NULL), WEFT_OK);
    weft_reader ear = {
        .player = player, .feed = player->feed, .stage = WEFT__COPYING, .copying.status = WEFT_MEMORY};
    player->feed->first = &ear;
    weft_status status = copy(p, player, &ear, &alloc, k, &made);
    if (status == WEFT_OK) {
        panel_assert_same(made, player);
        weft_player_free(made);
    } else {
        assert_int_equal(status, WEFT_MEMORY);
        assert_null(made);
    }
    player->feed->first = NULL;
    forget_lessons(&ear, &memory);
    weft_player_free(player);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return status != WEFT_OK;
}

static void copies_in_pieces(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++)
        for (int kind = 0; kind < KINDS; kind++) {
            panel p;
            int64_t k = 0;
            panel_open(1, KNOWN_CLASSES, one_set != 0, IDS, IDS, &p);
            const weft_side *columns = one_set ? NULL : p.given[1];
            panel_add_learner(&p, one_set ? WEFT_ONE_SET : WEFT_BALANCED, 1, p.given[0], columns);
            panel_add_rival(&p, WEFT_RIVAL_LOGISTIC, 0, p.given[0], columns);
            panel_add_rival(&p, WEFT_RIVAL_SQUARE, 0, p.given[0], columns);
            while (refuse(&p, kind, k))
                k++;
            assert_true(k > 3);
            panel_close(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_in_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
