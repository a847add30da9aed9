/* SPDX-License-Identifier: MIT
 * Players of every kind for the tests of readers, and a script that they learn: labels of every way, and
 * questions in between.  The state after the first labels of a script is the same whoever plays it. */
#ifndef WEFT_TESTS_READER_SUPPORT_H
#define WEFT_TESTS_READER_SUPPORT_H

#include "unit/test_core_support.h"

#include "player/feed.h"
#include "support/panel.h"

enum { IDS = 9, LEARNERS = 2, COMMITTEES = 3, CAST = LEARNERS + WEFT_RIVALS + COMMITTEES };

/* Sides of classes and features, and two with features for the compact engine. */
typedef struct scene {
    panel panel;
    weft_side *hashed[2];
} scene;

static inline void scene_open(scene *s)
{
    weft_map map = {.hash = 6, .seed = 3};
    weft_side_options options = {.map = &map};
    panel_open(4, KNOWN_CLASSES, false, IDS, IDS, &s->panel);
    panel_add_learners(&s->panel);
    panel_add_rivals(&s->panel);
    /* One in reserve, which sleeps. */
    panel_add_learner(&s->panel, WEFT_BALANCED, 9, s->panel.given[0], s->panel.given[1])->beyond = 2;
    for (int k = 0; k < 2; k++)
        assert_int_equal(weft_side_none(IDS, &options, &s->hashed[k], NULL), WEFT_OK);
}

static inline void scene_close(scene *s)
{
    for (int k = 0; k < 2; k++)
        weft_side_free(s->hashed[k]);
    panel_close(&s->panel);
}

static inline const char *cast_name(int who)
{
    static const char *const committees[] = {"committee", "drawing committee", "restless committee"};
    if (who < LEARNERS)
        return who == 0 ? "learner" : "compact learner";
    who -= LEARNERS;
    return who < WEFT_RIVALS ? weft_rival_name((weft_rival_kind)who) : committees[who - WEFT_RIVALS];
}

static inline weft_player *cast_learner(const scene *s, bool compact, const weft_memory *memory)
{
    weft_player *player = NULL;
    weft_settings settings = weft_settings_default(IDS, IDS, 1000);
    weft_side *const *sides = compact ? s->hashed : s->panel.given;
    settings.engine = compact ? WEFT_COMPACT : WEFT_KRYLOV;
    settings.half_life = compact ? 100 : 0;
    settings.floor = compact ? 8 : 0;
    assert_int_equal(weft_learner_create(sides[0], sides[1], &settings, memory, &player, NULL), WEFT_OK);
    return player;
}

static inline weft_player *cast_player(const scene *s, int who, const weft_memory *memory)
{
    weft_player *player = NULL;
    if (who < LEARNERS)
        return cast_learner(s, who == 1, memory);
    who -= LEARNERS;
    if (who < WEFT_RIVALS) {
        weft_rival_settings rival = {.kind = (weft_rival_kind)who, .factors = 2, .bits = 6};
        assert_int_equal(
            weft_rival_create(s->panel.given[0], s->panel.given[1], &rival, memory, &player, NULL), WEFT_OK);
        return player;
    }
    who -= WEFT_RIVALS;
    weft_committee_settings settings = {.randomised = who == 1, .seed = 7, .restless = who == 2};
    return panel_committee(&s->panel, &settings, memory);
}

/* ---- The script ---- */

/* Where an answer waits for its label. */
typedef struct script {
    int64_t step, labels; /* that were played */
    unsigned char record[1 << 15];
    size_t size;
} script;

static inline void script_pair(int64_t step, int64_t pair[2])
{
    dice d = {(uint64_t)step};
    pair[0] = dice_below(&d, IDS);
    pair[1] = dice_below(&d, IDS);
}

/* The truth turns round now and then. */
static inline int script_label(int64_t step)
{
    int64_t pair[2];
    script_pair(step, pair);
    bool odd = (pair[0] + 2 * pair[1]) % 3 == 0;
    return odd == (step / 400 % 2 == 0) ? 1 : -1;
}

/* The next step, which is a label but for one in five: there an answer is recorded. */
static inline weft_status script_play(script *s, weft_player *player, weft_error *error)
{
    int64_t step = s->step, pair[2];
    int label = script_label(step);
    weft_answer answer;
    weft_status status = WEFT_OK;
    script_pair(step, pair);
    switch (step % 5) {
    case 1:
        status = weft_player_predict(player, pair[0], pair[1], &answer, error);
        break;
    case 2:
        s->size = sizeof s->record;
        status = weft_player_record(player, pair[0], pair[1], weft_player_counters(player).t, s->record,
                                    &s->size, error);
        break;
    case 4:
        status = weft_player_learn_late(player, s->record, s->size, label, NULL, error);
        break;
    default:
        break;
    }
    if (status == WEFT_OK && (step % 5 == 0 || step % 5 == 1))
        status = weft_player_learn(player, pair[0], pair[1], label, NULL, error);
    if (status == WEFT_OK && step % 5 == 3)
        status = weft_player_learn_anew(player, pair[0], pair[1], label, NULL, error);
    if (status == WEFT_OK) {
        s->step++;
        s->labels += step % 5 != 2;
    }
    return status;
}

static inline void script_play_until(script *s, weft_player *player, int64_t labels)
{
    weft_error error = {0};
    while (s->labels < labels)
        if (script_play(s, player, &error) != WEFT_OK)
            fail_msg("step %lld: %s", (long long)s->step, error.message);
}

/* ---- Answers ---- */

static inline bool is_same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* To the bit. */
static inline bool is_same_answer(const weft_answer *a, const weft_answer *b)
{
    return is_same_number(a->probability, b->probability) && is_same_number(a->score, b->score) &&
           is_same_number(a->vote, b->vote) && is_same_number(a->threshold, b->threshold) &&
           is_same_number(a->margin, b->margin) && is_same_number(a->lower, b->lower) &&
           is_same_number(a->upper, b->upper) && a->label == b->label && a->certified == b->certified &&
           a->products == b->products && a->asked == b->asked && a->t == b->t;
}

/* The reader knows all that the player has learnt, and says the same of pairs of every row.  (Its replica is
 * then at rest, and may be looked at.) */
static inline void assert_reads(weft_reader *reader, weft_player *player, int64_t labels)
{
    weft_player *copy = NULL;
    weft_error error = {0};
    weft_answer found, expected;
    int64_t event = -2;
    assert_int_equal(weft_player_clone(player, &copy, &error), WEFT_OK);
    while (event < labels)
        if (weft_reader_predict(reader, 0, 0, 0.01, &found, &event, &error) != WEFT_OK)
            fail_msg("%s", error.message);
    for (int64_t k = 0; k < IDS * IDS; k += IDS + 1 - k / IDS % 2) {
        assert_int_equal(weft_reader_predict(reader, k / IDS, k % IDS, 0.01, &found, &event, NULL), WEFT_OK);
        assert_int_equal(event, labels);
        assert_int_equal(weft_player_evaluate(copy, k / IDS, k % IDS, 0.01, &expected, NULL), WEFT_OK);
        assert_true(is_same_answer(&found, &expected));
    }
    assert_int_equal(weft_reader_event(reader), labels);
    assert_same_state(reader->replica, player);
    weft_player_free(copy);
}

#endif
