/* SPDX-License-Identifier: MIT
 * A small committee for tests: sides of any kind with newcomers, learners and rivals of every kind over
 * them, and streams of labels.  Include cmocka's headers before. */
#ifndef WEFT_TESTS_PANEL_H
#define WEFT_TESTS_PANEL_H

#include "support/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_MEMBERS = 40 };

typedef struct panel {
    known facts[2];
    weft_side *given[2], *none[2]; /* one set of ids: the first of each alone */
    bool one_set;
    weft_member members[PANEL_MEMBERS];
    int64_t count;
} panel;

static inline weft_member *panel_add(panel *p, const char *name, const weft_side *rows,
                                     const weft_side *columns)
{
    assert_true(p->count < PANEL_MEMBERS);
    weft_member *member = &p->members[p->count++];
    *member = (weft_member){.rows = rows, .columns = columns};
    member->uses = rows == p->none[0] ? 0 : WEFT_ROWS;
    if (!p->one_set && columns != p->none[1])
        member->uses |= WEFT_COLUMNS;
    snprintf(member->name, sizeof member->name, "%s %d", name, (int)p->count);
    return member;
}

static inline weft_member *panel_add_learner(panel *p, weft_form form, double eta, const weft_side *rows,
                                             const weft_side *columns)
{
    static const char *const names[] = {"paper", "balanced", "one set"};
    weft_member *member = panel_add(p, names[form], rows, columns);
    int64_t m = p->facts[0].count, n = p->one_set ? m : p->facts[1].count;
    member->learner = weft_settings_default(m, form == WEFT_ONE_SET ? 0 : n, 1000);
    member->learner.form = form;
    member->learner.eta = eta;
    member->learner.tolerance = 0.1;
    member->plain = rows == p->none[0] && (columns == NULL || columns == p->none[1] || columns == p->none[0]);
    return member;
}

static inline weft_member *panel_add_rival(panel *p, weft_rival_kind kind, double rate, const weft_side *rows,
                                           const weft_side *columns)
{
    weft_member *member = panel_add(p, weft_rival_name(kind), rows, columns);
    member->is_rival = true;
    member->rival = (weft_rival_settings){.kind = kind, .rate = rate, .factors = 2, .bits = 6};
    return member;
}

/* Sides of `count` ids, of which `listed` are there at first, and nobody over them. */
static inline void panel_open(uint64_t seed, known_kind kind, bool one_set, int64_t listed, int64_t count,
                              panel *p)
{
    dice d = {seed};
    weft_error error = {0};
    memset(p, 0, sizeof *p);
    p->one_set = one_set;
    for (int which = 0; which < (one_set ? 1 : 2); which++) {
        known_draw(&d, which == 0 ? kind : (known_kind)((kind + 1) % KNOWN_KINDS), count, listed,
                   &p->facts[which]);
        if (known_side(&p->facts[which], &p->given[which], &error) != WEFT_OK)
            fail_msg("%s", error.message);
        assert_int_equal(weft_side_none(listed, NULL, &p->none[which], NULL), WEFT_OK);
    }
}

static inline void panel_close(panel *p)
{
    for (int which = 0; which < 2; which++) {
        weft_side_free(p->given[which]);
        weft_side_free(p->none[which]);
        known_release(&p->facts[which]);
    }
}

/* The next id of every side, where there is one. */
static inline void panel_grow(panel *p)
{
    for (int which = 0; which < (p->one_set ? 1 : 2); which++) {
        if (weft_side_count(p->given[which]) == p->facts[which].count)
            continue;
        assert_int_equal(known_append(&p->facts[which], p->given[which], NULL), WEFT_OK);
        assert_int_equal(weft_side_append(p->none[which], &(weft_item){.alone = true}, NULL), WEFT_OK);
    }
}

/* Learners, of which no two are the same: of two sides seven, of one set five, where one
 * side is not known four. */
static inline void panel_add_learners(panel *p)
{
    const weft_side *rows = p->given[0], *columns = p->given[1];
    const weft_side *no_rows = p->none[0], *no_columns = p->none[1];
    if (p->one_set) {
        panel_add_learner(p, WEFT_ONE_SET, 1, rows, NULL);
        panel_add_learner(p, WEFT_ONE_SET, 3, rows, NULL);
        panel_add_learner(p, WEFT_ONE_SET, 1, no_rows, NULL);
        panel_add_learner(p, WEFT_ONE_SET, 3, no_rows, NULL);
        panel_add_learner(p, WEFT_BALANCED, 1, rows, rows);
        return;
    }
    if (p->facts[0].kind == KNOWN_NONE || p->facts[1].kind == KNOWN_NONE) {
        for (int k = 1; k <= 3; k++)
            panel_add_learner(p, WEFT_BALANCED, k, no_rows, no_columns);
        panel_add_learner(p, WEFT_PAPER, 1, no_rows, no_columns);
        return;
    }
    panel_add_learner(p, WEFT_BALANCED, 1, rows, columns);
    panel_add_learner(p, WEFT_BALANCED, 3, rows, columns);
    panel_add_learner(p, WEFT_BALANCED, 1, no_rows, no_columns);
    panel_add_learner(p, WEFT_BALANCED, 1, rows, no_columns);
    panel_add_learner(p, WEFT_BALANCED, 1, no_rows, columns);
    panel_add_learner(p, WEFT_PAPER, 1, rows, columns);
    panel_add_learner(p, WEFT_PAPER, 0.5, no_rows, no_columns);
}

/* One of every kind, and one that knows nothing. */
static inline void panel_add_rivals(panel *p)
{
    for (int kind = 0; kind < WEFT_RIVALS; kind++)
        panel_add_rival(p, (weft_rival_kind)kind, 0, p->given[0], p->one_set ? NULL : p->given[1]);
    panel_add_rival(p, WEFT_RIVAL_PRODUCT, 0.5, p->none[0], p->one_set ? NULL : p->none[1]);
}

/* Both, over such sides. */
static inline void panel_open_all(uint64_t seed, known_kind kind, bool one_set, int64_t listed, int64_t count,
                                  panel *p)
{
    panel_open(seed, kind, one_set, listed, count, p);
    panel_add_learners(p);
    panel_add_rivals(p);
}

static inline weft_player *panel_committee(const panel *p, const weft_committee_settings *settings,
                                           const weft_memory *memory)
{
    weft_player *committee = NULL;
    weft_error error = {0};
    if (weft_committee_create(p->members, p->count, settings, memory, &committee, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return committee;
}

static inline weft_answer panel_ask(weft_player *committee, int64_t row, int64_t column)
{
    weft_answer said = {0};
    assert_int_equal(weft_player_predict(committee, row, column, &said, NULL), WEFT_OK);
    return said;
}

/* ---- States ---- */

typedef struct panel_state {
    size_t size;
    unsigned char *bytes; /* to be freed */
} panel_state;

static inline panel_state panel_write(const weft_player *committee)
{
    panel_state s = {0};
    assert_int_equal(weft_player_write(committee, NULL, &s.size, NULL), WEFT_OK);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(weft_player_write(committee, s.bytes, &s.size, NULL), WEFT_OK);
    return s;
}

/* FNV-1a */
static inline uint64_t panel_digest(const void *bytes, size_t size)
{
    uint64_t sum = 1;
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Of the state of the learner or rival k alone. */
static inline uint64_t panel_digest_of(const weft_player *committee, int64_t k)
{
    const weft_player *player = weft_player_member(committee, k);
    size_t size = 0;
    assert_int_equal(weft_player_write(player, NULL, &size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_write(player, bytes, &size, NULL), WEFT_OK);
    uint64_t sum = panel_digest(bytes, size);
    free(bytes);
    return sum;
}

static inline void panel_assert_same(const weft_player *a, const weft_player *b)
{
    panel_state s = panel_write(a), t = panel_write(b);
    assert_int_equal(s.size, t.size);
    assert_memory_equal(s.bytes, t.bytes, s.size);
    free(s.bytes);
    free(t.bytes);
}

/* ---- Streams ---- */

typedef enum panel_labels {
    PANEL_TRUE,      /* a pattern of the ids, one in six wrong */
    PANEL_RANDOM,    /* fair coins */
    PANEL_AGAINST,   /* what the committee does not say */
    PANEL_ONE,       /* +1 */
    PANEL_ALTERNATE, /* +1, -1, +1, ... */
    PANEL_STREAMS
} panel_labels;

typedef struct panel_trial {
    int64_t row, column;
    int label;
} panel_trial;

static inline int panel_label(panel_labels labels, dice *d, int64_t t, const panel_trial *at, int predicted)
{
    bool truth = (at->row % 3 == at->column % 3) != (at->row % 2 == 0);
    switch (labels) {
    case PANEL_TRUE:
        return truth != dice_chance(d, 1.0 / 6) ? 1 : -1;
    case PANEL_RANDOM:
        return dice_chance(d, 0.5) ? 1 : -1;
    case PANEL_AGAINST:
        return -predicted;
    case PANEL_ONE:
        return 1;
    default:
        return t % 2 == 0 ? 1 : -1;
    }
}

/* Draws a pair, and its label once the committee has been asked. */
static inline panel_trial panel_draw(const panel *p, panel_labels labels, int64_t t, dice *d,
                                     weft_player *committee)
{
    panel_trial trial = {.row = dice_below(d, weft_side_count(p->given[0]))};
    weft_answer verdict = {0};
    trial.column = dice_below(d, weft_side_count(p->given[p->one_set ? 0 : 1]));
    if (labels == PANEL_AGAINST)
        assert_int_equal(weft_player_predict(committee, trial.row, trial.column, &verdict, NULL), WEFT_OK);
    trial.label = panel_label(labels, d, t, &trial, verdict.vote >= 0.5 ? 1 : -1);
    return trial;
}

/* Trials from..to of a stream that `d` draws. */
static inline void panel_play(const panel *p, panel_labels labels, int64_t from, int64_t to, dice *d,
                              weft_player *committee)
{
    for (int64_t t = from; t < to; t++) {
        panel_trial trial = panel_draw(p, labels, t, d, committee);
        weft_error error = {0};
        if (weft_player_learn(committee, trial.row, trial.column, trial.label, NULL, &error) != WEFT_OK)
            fail_msg("trial %lld: %s", (long long)t, error.message);
    }
}

#endif
