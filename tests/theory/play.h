/* SPDX-License-Identifier: MIT
 * Biclustered problems for the theorems: hidden classes of rows and columns, a
 * label for each block, side information that knows the classes more or less. */
#ifndef WEFT_TESTS_THEORY_PLAY_H
#define WEFT_TESTS_THEORY_PLAY_H

#include "support/test.h"

#include "support/dice.h"
#include "weft_theory.h"

enum { PLAY_IDS = 80, PLAY_CLASSES = 8, PLAY_EDGES = PLAY_IDS * PLAY_IDS };

/* Every class occurs; the others are drawn. */
static inline void play_draw_classes(dice *d, int64_t count, int64_t classes, int64_t *class_of)
{
    for (int64_t i = 0; i < count; i++)
        class_of[i] = i < classes ? i : dice_below(d, classes);
}

/* The "ideal" graph of section 4.1: a clique for each class, joined as a star.
 * The first `classes` ids are of different classes, id 0 is the centre. */
static inline weft_side *play_cliques(int64_t count, int64_t classes, const int64_t *class_of)
{
    static int64_t from[PLAY_EDGES], to[PLAY_EDGES];
    weft_graph graph = {.vertices = count, .from = from, .to = to};
    weft_side *side = NULL;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++)
            if (class_of[i] == class_of[j] || (j == 0 && i < classes)) {
                from[graph.edges] = i;
                to[graph.edges++] = j;
            }
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, NULL), WEFT_OK);
    return side;
}

static inline weft_side *play_partition(int64_t count, const int64_t *class_of, double epsilon)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_classes(count, class_of, epsilon, NULL, &side, NULL), WEFT_OK);
    return side;
}

static inline weft_side *play_nothing(int64_t count)
{
    weft_side *side = NULL;
    assert_int_equal(weft_side_none(count, NULL, &side, NULL), WEFT_OK);
    return side;
}

typedef enum play_knowledge { PLAY_LAPLACIAN, PLAY_PARTITION, PLAY_NONE } play_knowledge;

static inline weft_side *play_side(play_knowledge knowledge, int64_t count, int64_t classes,
                                   const int64_t *class_of)
{
    if (knowledge == PLAY_LAPLACIAN)
        return play_cliques(count, classes, class_of);
    return knowledge == PLAY_PARTITION ? play_partition(count, class_of, 0.01) : play_nothing(count);
}

/* A (k,l)-biclustered m x n matrix and all that is known of it. */
typedef struct play {
    int64_t m, n, k, l;
    int64_t row_class[PLAY_IDS], column_class[PLAY_IDS];
    int block[PLAY_CLASSES][PLAY_CLASSES];
    weft_side *rows, *columns;
    weft_truth truth;
    weft_measure measure;
    weft_settings settings;
    weft_player *learner;
} play;

static inline int play_label(const play *p, int64_t i, int64_t j)
{
    return p->block[p->row_class[i]][p->column_class[j]];
}

/* Draws classes and blocks for p->m, n, k, l and makes the sides. */
static inline void play_draw(play *p, dice *d, play_knowledge knowledge)
{
    play_draw_classes(d, p->m, p->k, p->row_class);
    play_draw_classes(d, p->n, p->l, p->column_class);
    for (int64_t r = 0; r < p->k; r++)
        for (int64_t c = 0; c < p->l; c++)
            p->block[r][c] = dice_chance(d, 0.5) ? 1 : -1;
    p->rows = play_side(knowledge, p->m, p->k, p->row_class);
    p->columns = play_side(knowledge, p->n, p->l, p->column_class);
    p->truth = (weft_truth){.row_class = p->row_class, .column_class = p->column_class};
}

/* Measures, tunes what is 0 in p->settings, and makes the learner. */
static inline void play_start(play *p, int64_t horizon)
{
    weft_error error = {0};
    weft_status status =
        weft_theory_measure(p->rows, p->columns, &p->truth, &p->settings, &p->measure, &error);
    assert_int_equal(status, WEFT_OK);
    weft_theory_tune(&p->measure, horizon, &p->settings, NULL);
    status = weft_learner_create(p->rows, p->columns, &p->settings, NULL, &p->learner, &error);
    if (status != WEFT_OK)
        fail_msg("%s", error.message);
}

static inline void play_end(play *p)
{
    weft_player_free(p->learner);
    weft_side_free(p->rows);
    weft_side_free(p->columns);
    *p = (play){0};
}

static inline weft_answer play_trial(play *p, int64_t i, int64_t j, int label)
{
    weft_answer outcome;
    weft_error error = {0};
    if (weft_player_learn(p->learner, i, j, label, &outcome, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return outcome;
}

/* Passes over the whole matrix until one is without a mistake: the mistakes of
 * an infinite run.  Fails if that takes more than `passes`. */
static inline int64_t play_until_right(play *p, int passes)
{
    int64_t earlier = weft_player_counters(p->learner).mistakes, before = -1, mistakes = 0;
    for (int pass = 0; pass < passes && mistakes != before; pass++) {
        before = mistakes;
        for (int64_t e = 0; e < p->m * p->n; e++)
            mistakes += play_trial(p, e / p->n, e % p->n, play_label(p, e / p->n, e % p->n)).mistake;
    }
    assert_int_equal(mistakes, before);
    assert_int_equal(weft_player_counters(p->learner).mistakes, earlier + mistakes);
    return mistakes;
}

#endif
