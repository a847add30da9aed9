/* SPDX-License-Identifier: MIT
 * One player of every kind over the same sides, for the tests of what all kinds have in common. */
#ifndef WEFT_TESTS_PLAYER_SUPPORT_H
#define WEFT_TESTS_PLAYER_SUPPORT_H

#include "support/test.h"

#include "weft_advanced.h"

enum { IDS = 6, KINDS = 3 };

/* Ids 0 to 2 are of one class, 3 to 5 of another; columns are unknown, or the same ids. */
typedef struct stage {
    bool one_set;
    weft_side *rows, *columns; /* columns NULL for one set */
} stage;

static inline stage stage_open(bool one_set)
{
    static const int64_t class_of[IDS] = {0, 0, 0, 1, 1, 1};
    stage s = {.one_set = one_set};
    assert_int_equal(weft_side_from_classes(IDS, class_of, 0.5, NULL, &s.rows, NULL), WEFT_OK);
    if (!one_set)
        assert_int_equal(weft_side_none(IDS, NULL, &s.columns, NULL), WEFT_OK);
    return s;
}

static inline void stage_close(stage *s)
{
    weft_side_free(s->columns);
    weft_side_free(s->rows);
}

static inline weft_settings settings_of(const stage *s)
{
    return weft_settings_default(IDS, s->one_set ? 0 : IDS, 50);
}

enum { MEMBERS = 4 };

static inline void list_members(const stage *s, weft_member members[MEMBERS])
{
    static const weft_rival_kind kinds[] = {WEFT_RIVAL_BIAS, WEFT_RIVAL_PRODUCT};
    for (int k = 0; k < MEMBERS; k++) {
        members[k] = (weft_member){.rows = s->rows, .columns = s->columns, .uses = WEFT_ROWS};
        members[k].is_rival = k >= 2;
        members[k].learner = settings_of(s);
        members[k].learner.eta *= k + 1;
        members[k].rival.kind = kinds[k % 2];
        members[k].name[0] = (char)('a' + k);
    }
}

static inline weft_player *player_of(const stage *s, weft_kind kind)
{
    weft_player *player = NULL;
    weft_settings settings = settings_of(s);
    weft_rival_settings rival = {.kind = WEFT_RIVAL_PRODUCT};
    weft_committee_settings committee = {.seed = 7};
    weft_member members[MEMBERS];
    list_members(s, members);
    weft_status status =
        kind == WEFT_LEARNER ? weft_learner_create(s->rows, s->columns, &settings, NULL, &player, NULL)
        : kind == WEFT_RIVAL ? weft_rival_create(s->rows, s->columns, &rival, NULL, &player, NULL)
                             : weft_committee_create(members, MEMBERS, &committee, NULL, &player, NULL);
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(weft_player_kind(player), kind);
    return player;
}

/* The label is that of the class of the row, with an exception now and then. */
static inline int label_of(int64_t t)
{
    return (t % IDS < 3) == (t % 7 != 3) ? 1 : -1;
}

static inline void teach(weft_player *player, int64_t from, int64_t to)
{
    for (int64_t t = from; t < to; t++)
        assert_int_equal(weft_player_learn(player, t % IDS, (t * 5 + t / IDS) % IDS, label_of(t), NULL, NULL),
                         WEFT_OK);
}

static inline weft_player *taught(const stage *s, weft_kind kind, int64_t trials)
{
    weft_player *player = player_of(s, kind);
    teach(player, 0, trials);
    return player;
}

/* The same numbers, to the bit. */
static inline bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline void assert_same_answer(const weft_answer *a, const weft_answer *b)
{
    const double left[] = {a->probability, a->score, a->vote, a->threshold, a->margin, a->lower, a->upper};
    const double right[] = {b->probability, b->score, b->vote, b->threshold, b->margin, b->lower, b->upper};
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        assert_true(same_number(left[k], right[k]));
    assert_true(a->label == b->label && a->certified == b->certified && a->t == b->t && a->asked == b->asked);
}

static inline void assert_same_state(const weft_player *a, const weft_player *b)
{
    const weft_player *both[2] = {a, b};
    unsigned char *bytes[2];
    size_t size[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(weft_player_write(both[k], NULL, &size[k], NULL), WEFT_OK);
        bytes[k] = malloc(size[k]);
        assert_non_null(bytes[k]);
        assert_int_equal(weft_player_write(both[k], bytes[k], &size[k], NULL), WEFT_OK);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

#endif
