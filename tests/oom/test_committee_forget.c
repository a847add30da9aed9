/* SPDX-License-Identifier: MIT
 * Forgetting and merging: refused memory anywhere, no member has forgotten and none has been merged. */
#include "oom_player.h"

#include "support/panel.h"

enum { IDS = 8 };

typedef struct scene {
    oom_player of;
    bool one_set;
    panel p;
} scene;

static void teach(weft_player *committee, int64_t from, int64_t to)
{
    for (int64_t t = from; t < to; t++)
        assert_int_equal(
            weft_player_learn(committee, t * 3 % IDS, (t * 5 + t / IDS) % IDS, t % 3 ? 1 : -1, NULL, NULL),
            WEFT_OK);
}

/* As if taught the trials, which is done once for each `which` and set of ids, and read back after. */
static weft_player *taught(const scene *s, int which, int64_t from, int64_t to, const weft_memory *memory)
{
    static panel_state kept[2][2];
    panel_state *keep = &kept[which][s->one_set];
    weft_player *committee = NULL;
    if (keep->bytes == NULL) {
        committee = panel_committee(&s->p, &(weft_committee_settings){0}, NULL);
        teach(committee, from, to);
        *keep = panel_write(committee);
        weft_player_free(committee);
    }
    assert_int_equal(
        weft_committee_read(s->p.members, s->p.count, keep->bytes, keep->size, memory, &committee, NULL),
        WEFT_OK);
    return committee;
}

static void open_two(void *self, const weft_memory *memory)
{
    scene *s = self;
    oom_player_begin(&s->of);
    panel_open(5, KNOWN_LINEAR, s->one_set, IDS, IDS, &s->p);
    panel_add_learners(&s->p);
    s->p.count = 4;
    for (int kind = WEFT_RIVAL_LOGISTIC; kind <= WEFT_RIVAL_SUM; kind++)
        panel_add_rival(&s->p, (weft_rival_kind)kind, 0, s->p.given[0], s->one_set ? NULL : s->p.given[1]);
    s->of.player = taught(s, 0, 0, 14, memory);
    s->of.other = taught(s, 1, 15, 40, NULL);
    teach(s->of.player, 14, 15);
}

static void close_two(void *self)
{
    scene *s = self;
    oom_player_end(&s->of);
    panel_close(&s->p);
}

/* The states of both, and a verdict, which shows that the workspaces are fit for use. */
static uint64_t look(void *self)
{
    scene *s = self;
    uint64_t digest = 1;
    weft_answer v = {0};
    for (int which = 0; which < 2; which++) {
        panel_state state = panel_write(which == 0 ? s->of.player : s->of.other);
        digest = oom_digest(digest, state.bytes, state.size);
        free(state.bytes);
    }
    assert_int_equal(weft_player_predict(s->of.player, 2, 5, &v, NULL), WEFT_OK);
    return oom_digest(oom_digest(digest, &v.vote, sizeof v.vote), &v.probability, sizeof(double));
}

static void every_function(void **state)
{
    static const oom_case cases[] = {
        {"forget a row", open_two, oom_player_forget_row, look, oom_player_given, close_two, 50},
        {"forget a column", open_two, oom_player_forget_column, look, oom_player_given, close_two, 50},
        {"merge", open_two, oom_player_merge, look, oom_player_given, close_two, 50},
    };
    for (int one_set = 0; one_set < 2; one_set++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            static scene s;
            s.one_set = one_set;
            oom_play(&cases[k], &s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
