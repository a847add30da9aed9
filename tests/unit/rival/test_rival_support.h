/* SPDX-License-Identifier: MIT
 * What the tests of the rivals share: random sides of every kind with newcomers, and
 * a random stream over them.  Include it first. */
#ifndef WEFT_TESTS_RIVAL_SUPPORT_H
#define WEFT_TESTS_RIVAL_SUPPORT_H

#include "unit/test_core_support.h"

#include "support/known.h"

enum { STAGE_ROWS = 9, STAGE_COLUMNS = 7, STAGE_LISTED = 4, STAGE_TRIALS = 120 };

/* Newcomers arrive as the stream goes on: trial t knows stage_known() ids. */
typedef struct stage {
    known row_facts, column_facts;
    weft_side *rows, *columns; /* columns NULL: one set of ids */
    int64_t row[STAGE_TRIALS], column[STAGE_TRIALS];
    int label[STAGE_TRIALS];
} stage;

static inline int64_t stage_known(int64_t count, int64_t t)
{
    int64_t arrived = STAGE_LISTED + t / 20;
    return arrived < count ? arrived : count;
}

static inline weft_side *stage_side(known *facts)
{
    weft_side *side = NULL;
    assert_int_equal(known_side(facts, &side, NULL), WEFT_OK);
    return side;
}

static inline void stage_open(uint64_t seed, known_kind rows, known_kind columns, bool one_set, stage *s)
{
    dice d = {seed};
    *s = (stage){.columns = NULL};
    known_draw(&d, rows, STAGE_ROWS, STAGE_LISTED, &s->row_facts);
    known_draw(&d, columns, STAGE_COLUMNS, STAGE_LISTED, &s->column_facts);
    s->rows = stage_side(&s->row_facts);
    s->columns = one_set ? NULL : stage_side(&s->column_facts);
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        int64_t i = s->row[t] = dice_below(&d, stage_known(STAGE_ROWS, t));
        int64_t j = s->column[t] = dice_below(&d, stage_known(one_set ? STAGE_ROWS : STAGE_COLUMNS, t));
        bool plus = (i % 3 == j % 3) != dice_chance(&d, 0.2);
        s->label[t] = plus ? 1 : -1;
    }
}

/* Lets in who has arrived by trial t. */
static inline void stage_admit(stage *s, int64_t t)
{
    while (weft_side_count(s->rows) < stage_known(STAGE_ROWS, t))
        assert_int_equal(known_append(&s->row_facts, s->rows, NULL), WEFT_OK);
    while (s->columns != NULL && weft_side_count(s->columns) < stage_known(STAGE_COLUMNS, t))
        assert_int_equal(known_append(&s->column_facts, s->columns, NULL), WEFT_OK);
}

static inline void stage_close(stage *s)
{
    weft_side_free(s->rows);
    weft_side_free(s->columns);
    known_release(&s->row_facts);
    known_release(&s->column_facts);
}

static inline weft_player *rival_of(const stage *s, const weft_rival_settings *settings)
{
    weft_player *rival = NULL;
    weft_error error = {0};
    if (weft_rival_create(s->rows, s->columns, settings, NULL, &rival, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return rival;
}

static inline weft_answer ask(weft_player *rival, int64_t i, int64_t j)
{
    weft_answer opinion = {0};
    assert_int_equal(weft_player_predict(rival, i, j, &opinion, NULL), WEFT_OK);
    return opinion;
}

static inline void teach(weft_player *rival, int64_t i, int64_t j, int label)
{
    assert_int_equal(weft_player_learn(rival, i, j, label, NULL, NULL), WEFT_OK);
}

/* The state; free() it. */
static inline unsigned char *rival_bytes(const weft_player *rival, size_t *size)
{
    assert_int_equal(weft_player_write(rival, NULL, size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_write(rival, bytes, size, NULL), WEFT_OK);
    return bytes;
}

static inline void assert_same_rival(const weft_player *a, const weft_player *b)
{
    size_t size_a = 0, size_b = 0;
    unsigned char *bytes_a = rival_bytes(a, &size_a), *bytes_b = rival_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    free(bytes_a);
    free(bytes_b);
}

/* A judge of one kind of rival, from its definition. */
typedef double judge_score(void *judge, const stage *s, int64_t i, int64_t j);
typedef void judge_learn(void *judge, const stage *s, int64_t i, int64_t j, int label);

typedef struct judge_kind {
    judge_score *score;
    judge_learn *learn;
} judge_kind;

/* Plays the whole stream: every score, of the trial and of one other pair, agrees. */
static inline void assert_agrees(stage *s, const weft_rival_settings *settings, const judge_kind *kind,
                                 void *judge)
{
    weft_player *rival = rival_of(s, settings);
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        stage_admit(s, t);
        int64_t i = s->row[t], j = s->column[t];
        double expected = kind->score(judge, s, i, j);
        assert_near(ask(rival, i, j).score, expected, 1e-9 * fmax(1, fabs(expected)));
        expected = kind->score(judge, s, 0, j);
        assert_near(ask(rival, 0, j).score, expected, 1e-9 * fmax(1, fabs(expected)));
        teach(rival, i, j, s->label[t]);
        kind->learn(judge, s, i, j, s->label[t]);
    }
    weft_player_free(rival);
}

#endif
