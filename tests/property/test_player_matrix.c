/* SPDX-License-Identifier: MIT
 *
 * Every player x every ability, against what the test finds out by itself and slowly: the log of labels,
 * which a fresh player replays from its beginning, and sums and lists of counts that are made here.
 *
 *     clone, state, pieces   copied in the middle, while the original goes on otherwise: what the copy comes
 *                            to is what a fresh player comes to by the whole log
 *     merge     learners: the counts of both, own cells first (compact: the sum of the matrices); members of
 *               a committee: the same, and of two rivals the state of the one that has seen more
 *     forget    learners: the cells of the others, in their order; rivals in a committee: their labels
 *     late      labels that come three trials after their answers: mistakes are those of the answers,
 *               evidence and weights those of a player that meets the pairs when their labels come
 *     anew      the same as learning at once, and counted
 *
 * `supported` of a row says which of them there are; the others must answer WEFT_UNSUPPORTED. */
#include "../unit/test_core_support.h"

#include "committee/committee.h"
#include "player/feed.h"
#include "support/effort.h"
#include "support/panel.h"

enum { IDS = 7, LABELS = 110, HALF = 50, DELAY = 3 };
enum { CLONE = 1, STATE = 2, PIECES = 4, MERGE = 8, FORGET = 16, LATE = 32, ANEW = 64, ABILITIES = 7 };
enum { ALL = 127, NO_MERGE = ALL - MERGE - FORGET, NO_FORGET = ALL - FORGET };
static const char *const abilities[ABILITIES] = {"clone",  "state", "pieces", "merge",
                                                 "forget", "late",  "anew"};

/* ---- Players ---- */

typedef enum maker { LEARNER, COMPACT, RIVAL, COMMITTEE, MAKERS } maker;
typedef enum map { BY_CLASS, BY_VECTOR, BY_FOURIER, BY_EIGEN, BY_HASH, MAPS } map;

typedef struct row {
    const char *name;
    maker maker;
    bool one_set;
    int supported;
    weft_form form;
    weft_engine engine;
    weft_updates updates;
    bool drawn; /* predictions, by a seed */
    int which;  /* the kind of rival, or the map */
} row;

#define TWO false
#define ONE true
static const row rows[] = {
    {"paper, krylov", LEARNER, TWO, ALL, WEFT_PAPER, WEFT_KRYLOV, WEFT_MARGIN_UPDATES, true, 0},
    {"paper, reference", LEARNER, TWO, ALL, WEFT_PAPER, WEFT_REFERENCE, WEFT_MARGIN_UPDATES, true, 0},
    {"paper, mistakes", LEARNER, TWO, ALL, WEFT_PAPER, WEFT_KRYLOV, WEFT_MISTAKE_UPDATES, false, 0},
    {"balanced, krylov", LEARNER, TWO, ALL, WEFT_BALANCED, WEFT_KRYLOV, WEFT_MARGIN_UPDATES, false, 0},
    {"balanced, reference", LEARNER, TWO, ALL, WEFT_BALANCED, WEFT_REFERENCE, WEFT_MARGIN_UPDATES, false, 0},
    {"balanced, mistakes", LEARNER, TWO, ALL, WEFT_BALANCED, WEFT_KRYLOV, WEFT_MISTAKE_UPDATES, true, 0},
    {"one set, krylov", LEARNER, ONE, ALL, WEFT_ONE_SET, WEFT_KRYLOV, WEFT_MARGIN_UPDATES, true, 0},
    {"one set, reference", LEARNER, ONE, ALL, WEFT_ONE_SET, WEFT_REFERENCE, WEFT_MARGIN_UPDATES, true, 0},
    {"one set, mistakes", LEARNER, ONE, ALL, WEFT_ONE_SET, WEFT_KRYLOV, WEFT_MISTAKE_UPDATES, false, 0},
#define XX(set, name, map)                    \
    {                                         \
        name,                                 \
        COMPACT,                              \
        set,                                  \
        NO_FORGET,                            \
        (set) ? WEFT_ONE_SET : WEFT_BALANCED, \
        WEFT_COMPACT,                         \
        WEFT_MARGIN_UPDATES,                  \
        false,                                \
        map},
    XX(TWO, "compact, classes", BY_CLASS) XX(TWO, "compact, vectors", BY_VECTOR)
        XX(TWO, "compact, fourier", BY_FOURIER) XX(TWO, "compact, eigen", BY_EIGEN)
            XX(TWO, "compact, hash", BY_HASH) XX(ONE, "compact, classes, one set", BY_CLASS) XX(
                ONE, "compact, vectors, one set", BY_VECTOR) XX(ONE, "compact, fourier, one set", BY_FOURIER)
                XX(ONE, "compact, eigen, one set", BY_EIGEN) XX(ONE, "compact, hash, one set", BY_HASH)
#undef XX
#define XX(kind, text, knob)                                                                              \
    {text, RIVAL, TWO, NO_MERGE, WEFT_PAPER, WEFT_KRYLOV, WEFT_MARGIN_UPDATES, false, WEFT_RIVAL_##kind}, \
        {text ", one set", RIVAL, ONE, NO_MERGE, WEFT_PAPER, WEFT_KRYLOV, WEFT_MARGIN_UPDATES, false,     \
         WEFT_RIVAL_##kind},
                    WEFT_RIVAL_MAP(XX)
#undef XX
                        {"committee", COMMITTEE, TWO, ALL, WEFT_PAPER, WEFT_KRYLOV, WEFT_MARGIN_UPDATES,
                         false, 0},
    {"committee, one set", COMMITTEE, ONE, ALL, WEFT_PAPER, WEFT_KRYLOV, WEFT_MARGIN_UPDATES, false, 0},
    {"drawing committee, one set", COMMITTEE, ONE, ALL, WEFT_PAPER, WEFT_KRYLOV, WEFT_MARGIN_UPDATES, true,
     0},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What a player of a row stands on, and the log that it plays. */
typedef struct world {
    const row *row;
    const char *ability; /* that is looked at */
    panel panel;
    weft_side *mapped[2];
    panel_trial log[LABELS];
} world;

static void assert_ok(const world *w, weft_status status, const weft_error *error)
{
    if (status != WEFT_OK)
        fail_msg("%s, %s: %s", w->row->name, w->ability, error->message);
}

static weft_side *side_of(const world *w, dice *d)
{
    weft_side *side = NULL;
    weft_error error = {0};
    int64_t class_of[IDS];
    double values[IDS * 3], kernel[IDS * IDS] = {0};
    weft_map fourier = {.fourier = 6, .seed = 3}, eigen = {.eigen = 4}, hash = {.hash = 5, .seed = 3};
    weft_features features = {IDS, 3, values, WEFT_LINEAR, 0};
    for (int i = 0; i < IDS; i++)
        class_of[i] = dice_below(d, 3);
    for (int i = 0; i < 3 * IDS; i++)
        values[i] = (double)dice_below(d, 100) / 50 - 1;
    for (int i = 0; i < IDS * IDS; i++)
        kernel[i] = i / IDS == i % IDS ? 2 : 1 / (1.0 + abs(i / IDS - i % IDS));
    switch ((map)w->row->which) {
    case BY_CLASS:
        assert_ok(w, weft_side_from_classes(IDS, class_of, 0, NULL, &side, &error), &error);
        break;
    case BY_FOURIER:
        features.kernel = WEFT_GAUSSIAN;
        features.parameter = 1;
        /* fall through */
    case BY_VECTOR:
        assert_ok(w,
                  weft_side_from_features(
                      &features, &(weft_side_options){.map = w->row->which == BY_FOURIER ? &fourier : NULL},
                      &side, &error),
                  &error);
        break;
    case BY_EIGEN:
        assert_ok(w, weft_side_from_kernel(IDS, kernel, &(weft_side_options){.map = &eigen}, &side, &error),
                  &error);
        break;
    default:
        assert_ok(w, weft_side_none(IDS, &(weft_side_options){.map = &hash}, &side, &error), &error);
    }
    return side;
}

static void world_open(const row *r, uint64_t seed, world *w)
{
    dice d = {seed};
    *w = (world){.row = r};
    panel_open_all(seed, (known_kind)(seed % KNOWN_KINDS), r->one_set, IDS, IDS, &w->panel);
    for (int k = 0; k < (r->one_set ? 1 : 2) && r->maker == COMPACT; k++)
        w->mapped[k] = side_of(w, &d);
    for (int k = 0; k < LABELS; k++)
        w->log[k] = (panel_trial){dice_below(&d, IDS), dice_below(&d, IDS), dice_chance(&d, 0.5) ? 1 : -1};
}

static void world_close(world *w)
{
    for (int k = 0; k < 2; k++)
        weft_side_free(w->mapped[k]);
    panel_close(&w->panel);
}

/* One that has learnt nothing. */
static weft_player *fresh(const world *w)
{
    const row *r = w->row;
    weft_player *player = NULL;
    weft_error error = {0};
    weft_side *const *sides = r->maker == COMPACT ? w->mapped : w->panel.given;
    weft_settings s = weft_settings_default(IDS, r->one_set ? 0 : IDS, 100);
    weft_rival_settings rival = {.kind = (weft_rival_kind)r->which, .factors = 2, .bits = 6};
    s.form = r->form;
    s.engine = r->engine;
    s.updates = r->updates;
    s.deterministic = !r->drawn;
    s.eta = 1;
    if (r->maker == COMMITTEE)
        return panel_committee(&w->panel, &(weft_committee_settings){.seed = 7, .randomised = r->drawn},
                               NULL);
    if (r->maker == RIVAL)
        assert_ok(w, weft_rival_create(sides[0], sides[1], &rival, NULL, &player, &error), &error);
    else
        assert_ok(w, weft_learner_create(sides[0], sides[1], &s, NULL, &player, &error), &error);
    return player;
}

static void learn(const world *w, weft_player *player, int64_t from, int64_t to)
{
    weft_error error = {0};
    for (int64_t k = from; k < to; k++)
        assert_ok(w,
                  weft_player_learn(player, w->log[k].row, w->log[k].column, w->log[k].label, NULL, &error),
                  &error);
}

/* Labels of a log that is none of its own. */
static void learn_otherwise(const world *w, weft_player *player)
{
    weft_error error = {0};
    for (int64_t k = 0; k < 5; k++)
        assert_ok(w,
                  weft_player_learn(player, w->log[k].column % IDS, w->log[k].row % IDS, -w->log[k].label,
                                    NULL, &error),
                  &error);
}

static bool is_same_evidence(const weft_player *a, const weft_player *b)
{
    int64_t count = weft_player_evidence_count(a);
    bool same = count == weft_player_evidence_count(b);
    for (int64_t k = 0; same && k < count; k++) {
        weft_evidence_entry x = weft_player_evidence(a, k), y = weft_player_evidence(b, k);
        same = x.row == y.row && x.column == y.column && x.count == y.count;
    }
    return same && weft_player_counters(a).t == weft_player_counters(b).t;
}

/* The reference engine adds up log W in the order of the updates, and a copy in the order of the cells: there
 * copies agree but for rounding, which may turn a tie. */
static void assert_equal(const world *w, const weft_player *found, const weft_player *expected)
{
    panel_state a = panel_write(found), b = panel_write(expected);
    bool same = w->row->engine == WEFT_REFERENCE ? is_same_evidence(found, expected)
                                                 : a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
    if (!same)
        fail_msg("%s, %s: the states differ", w->row->name, w->ability);
    free(a.bytes);
    free(b.bytes);
}

/* ---- Copies ---- */

static weft_status clone(const world *w, weft_player *player, weft_player **copy, weft_error *error)
{
    (void)w;
    return weft_player_clone(player, copy, error);
}

static weft_status from_state(const world *w, weft_player *player, weft_player **copy, weft_error *error)
{
    const row *r = w->row;
    panel_state s = panel_write(player);
    weft_side *const *sides = r->maker == COMPACT ? w->mapped : w->panel.given;
    weft_status status =
        r->maker == COMMITTEE
            ? weft_committee_read(w->panel.members, w->panel.count, s.bytes, s.size, NULL, copy, error)
            : (r->maker == RIVAL ? weft_rival_read : weft_learner_read)(sides[0], sides[1], s.bytes, s.size,
                                                                        NULL, copy, error);
    free(s.bytes);
    return status;
}

/* A copy for a reader, with a label after each of its first pieces: all from HALF - 35 to HALF. */
static weft_status from_pieces(const world *w, weft_player *player, weft_player **copy, weft_error *error)
{
    weft_reader ear = {.player = player, .stage = WEFT__COPYING, .copying.status = WEFT_MEMORY};
    weft__staged_copy *staged = NULL;
    weft_status status = weft__feed_create(player, error);
    bool whole = false;
    int64_t t = HALF - 35;
    ear.feed = player->feed;
    player->feed->first = &ear;
    if (status == WEFT_OK)
        status = (player->ops->stage_copy != NULL ? player->ops->stage_copy
                                                  : weft__staged_copy_of_pieces)(player, &staged, error);
    while (status == WEFT_OK && !whole) {
        weft__slice slice = {ear.count, 1, 0};
        status = staged->copy_slice(staged, player, &slice, &whole, error);
        if (t < HALF && !whole)
            learn(w, player, t, t + 1), t++;
    }
    if (status == WEFT_OK)
        status = staged->join(staged, ear.first, copy, error);
    if (staged != NULL)
        staged->release(staged);
    /* Where the state was whole before. */
    learn(w, player, t, HALF);
    if (status == WEFT_OK)
        learn(w, *copy, t, HALF);
    player->feed->first = NULL;
    weft__reader_recycle(&ear, ear.first);
    for (weft__kept_label *l = ear.spare, *next; l != NULL; l = next) {
        next = l->next;
        weft__delete(&player->memory, l->bytes);
        weft__delete(&player->memory, l);
    }
    return status;
}

typedef weft_status copier(const world *w, weft_player *player, weft_player **copy, weft_error *error);

/* To the bit, of every pair: what is not in a state shows in its answers. */
static void assert_answers(const world *w, weft_player *found, weft_player *expected)
{
    for (int64_t k = 0; k < IDS * IDS && w->row->engine != WEFT_REFERENCE; k++) {
        weft_answer a, b;
        assert_int_equal(weft_player_evaluate(found, k / IDS, k % IDS, 0.01, &a, NULL), WEFT_OK);
        assert_int_equal(weft_player_evaluate(expected, k / IDS, k % IDS, 0.01, &b, NULL), WEFT_OK);
        if (memcmp(&a.score, &b.score, sizeof a.score) != 0)
            fail_msg("%s, %s: the score is %.17g, expected %.17g", w->row->name, w->ability, a.score,
                     b.score);
    }
}

static weft_status check_copy(const world *w, copier *copy_by, int64_t before, weft_error *error)
{
    weft_player *player = fresh(w), *slow = fresh(w), *copy = NULL;
    learn(w, player, 0, before);
    weft_status status = copy_by(w, player, &copy, error);
    if (status == WEFT_OK) {
        learn_otherwise(w, player);
        learn(w, slow, 0, HALF);
        assert_answers(w, copy, slow);
        learn(w, copy, HALF, LABELS);
        learn(w, slow, HALF, LABELS);
        assert_equal(w, copy, slow);
    }
    weft_player_free(player);
    weft_player_free(slow);
    weft_player_free(copy);
    return status;
}

/* ---- Counts ---- */

/* Cells in their order. */
typedef struct counts {
    weft_evidence_entry cell[2 * LABELS];
    int64_t count;
} counts;

static bool is_cell(const weft_evidence_entry *a, const weft_evidence_entry *b, bool one_set)
{
    return (a->row == b->row && a->column == b->column) ||
           (one_set && a->row == b->column && a->column == b->row);
}

static void add_count(counts *c, const weft_evidence_entry *entry, bool one_set)
{
    for (int64_t k = 0; k < c->count; k++)
        if (is_cell(&c->cell[k], entry, one_set)) {
            c->cell[k].count += entry->count;
            return;
        }
    c->cell[c->count++] = *entry;
}

/* Those of a learner; without those of the row `without` (-1: no id), or of that id on either side. */
static void add_counts(const weft_player *learner, int64_t without, bool either, counts *c)
{
    bool one_set = learner->columns == NULL;
    for (int64_t k = 0; k < weft_player_evidence_count(learner); k++) {
        weft_evidence_entry entry = weft_player_evidence(learner, k);
        if (entry.row != without && !(either && entry.column == without))
            add_count(c, &entry, one_set);
    }
}

static void assert_counts(const world *w, const weft_player *learner, const counts *expected)
{
    counts found = {.count = 0};
    bool one_set = learner->columns == NULL;
    add_counts(learner, -1, false, &found);
    bool same = found.count == expected->count;
    for (int64_t k = 0; same && k < found.count; k++)
        same = is_cell(&found.cell[k], &expected->cell[k], one_set) &&
               found.cell[k].count == expected->cell[k].count;
    if (!same)
        fail_msg("%s, %s: the evidence is another", w->row->name, w->ability);
}

/* The margins of a learner are those of one that was given this evidence. */
static void assert_margins(const world *w, weft_player *learner, const counts *evidence)
{
    weft_player *slow = NULL;
    weft_error error = {0};
    assert_int_equal(learner->ops->sibling(learner, &slow, &error), WEFT_OK);
    assert_ok(w, weft_player_add_evidence(slow, evidence->cell, evidence->count, &error), &error);
    for (int64_t k = 0; k < IDS; k++) {
        weft_answer a, b;
        assert_ok(w, weft_player_evaluate(learner, k, (k + 1) % IDS, 1e-6, &a, &error), &error);
        assert_ok(w, weft_player_evaluate(slow, k, (k + 1) % IDS, 1e-6, &b, &error), &error);
        if (!(a.lower <= b.upper + 1e-9 && b.lower <= a.upper + 1e-9))
            fail_msg("%s, %s: the margin is %g, expected %g", w->row->name, w->ability, a.margin, b.margin);
    }
    weft_player_free(slow);
}

/* The upper triangle of A, which a state of the compact engine ends in; there is neither floor nor half-life.
 * Answers its size; free() it. */
static int64_t matrix_of(const weft_player *compact, double **matrix)
{
    enum { HEAD = 2 + 14 + 6 + 2 };
    panel_state s = panel_write(compact);
    weft__decoder r = {s.bytes, s.size, false};
    weft__get_bytes(&r, 8 * HEAD);
    int64_t d = weft__get_integer(&r);
    d += weft__get_integer(&r);
    double factor = weft__get_double(&r);
    weft__get_double(&r);
    assert_int_equal(r.left, 8 * (size_t)(d * (d + 1) / 2));
    *matrix = calloc((size_t)(d * (d + 1) / 2), sizeof **matrix);
    assert_non_null(*matrix);
    for (int64_t k = 0; k < d * (d + 1) / 2; k++)
        (*matrix)[k] = factor * weft__get_double(&r);
    free(s.bytes);
    return d * (d + 1) / 2;
}

/* ---- Merging ---- */

static void check_merged_learner(const world *w, const weft_player *a, const weft_player *b,
                                 weft_player *both)
{
    counts sum = {.count = 0};
    add_counts(a, -1, false, &sum);
    add_counts(b, -1, false, &sum);
    assert_counts(w, both, &sum);
    assert_margins(w, both, &sum);
}

static void check_merged_compact(const weft_player *a, const weft_player *b, const weft_player *both)
{
    double *x = NULL, *y = NULL, *z = NULL;
    int64_t count = matrix_of(a, &x);
    assert_int_equal(matrix_of(b, &y), count);
    assert_int_equal(matrix_of(both, &z), count);
    for (int64_t k = 0; k < count; k++)
        assert_near(z[k], x[k] + y[k], 1e-12);
    free(x);
    free(y);
    free(z);
}

/* b has learnt more, and was told what a had learnt. */
static void check_merged_rival(const world *w, const weft_player *b, const weft_player *both)
{
    weft_player *expected = NULL;
    weft_error error = {0};
    assert_ok(w, weft_player_clone(b, &expected, &error), &error);
    learn(w, expected, 0, HALF);
    assert_equal(w, both, expected);
    weft_player_free(expected);
}

static void check_merged_committee(const world *w, const weft_player *a, const weft_player *b,
                                   const weft_player *both)
{
    for (int64_t k = 0; k < weft_player_member_count(both); k++) {
        const weft_player *m = weft_player_member(both, k);
        if (weft_player_kind(m) == WEFT_LEARNER)
            check_merged_learner(w, weft_player_member(a, k), weft_player_member(b, k), (weft_player *)m);
        else
            check_merged_rival(w, weft_player_member(b, k), m);
    }
}

static weft_status check_merge(const world *w, weft_error *error)
{
    weft_player *a = fresh(w), *b = fresh(w), *both = fresh(w);
    learn(w, a, 0, HALF);
    learn(w, both, 0, HALF);
    learn(w, b, HALF, LABELS);
    weft_status status = weft_player_merge(both, b, error);
    if (status == WEFT_OK) {
        weft_counters x = weft_player_counters(a), y = weft_player_counters(b),
                      z = weft_player_counters(both);
        assert_true(z.t == x.t + y.t && z.trials == LABELS && z.mistakes == x.mistakes + y.mistakes);
        if (w->row->maker == LEARNER)
            check_merged_learner(w, a, b, both);
        if (w->row->maker == COMPACT)
            check_merged_compact(a, b, both);
        if (w->row->maker == COMMITTEE)
            check_merged_committee(w, a, b, both);
    } else {
        assert_equal(w, both, a);
    }
    weft_player_free(a);
    weft_player_free(b);
    weft_player_free(both);
    return status;
}

/* ---- Forgetting ---- */

static void check_forgotten(const world *w, const weft_player *before, weft_player *after, int64_t id)
{
    counts rest = {.count = 0};
    if (weft_player_kind(before) == WEFT_RIVAL) {
        weft_player *empty = NULL;
        assert_int_equal(before->ops->sibling(before, &empty, NULL), WEFT_OK);
        for (int64_t t = 0; t < LABELS; t++) {
            const panel_trial *trial = &w->log[t];
            if (trial->row != id && (!w->row->one_set || trial->column != id))
                assert_int_equal(
                    weft_player_learn(empty, trial->row, trial->column, trial->label, NULL, NULL), WEFT_OK);
        }
        assert_equal(w, after, empty);
        weft_player_free(empty);
        return;
    }
    /* A learner of two sides over one set has it as a row and as a column. */
    add_counts(before, id, w->row->one_set, &rest);
    assert_counts(w, after, &rest);
    assert_margins(w, after, &rest);
}

static weft_status check_forget(const world *w, weft_error *error)
{
    weft_player *before = fresh(w), *after = fresh(w);
    int64_t id = w->log[0].row;
    learn(w, before, 0, LABELS);
    learn(w, after, 0, LABELS);
    weft_status status = weft_player_forget(after, WEFT_ROWS, id, error);
    if (status != WEFT_OK)
        assert_equal(w, after, before);
    else if (w->row->maker == COMMITTEE)
        for (int64_t k = 0; k < weft_player_member_count(after); k++)
            check_forgotten(w, weft_player_member(before, k), (weft_player *)weft_player_member(after, k),
                            id);
    else
        check_forgotten(w, before, after, id);
    weft_player_free(before);
    weft_player_free(after);
    return status;
}

/* ---- Labels that come late ---- */

typedef struct open_answer {
    weft_answer answer;
    unsigned char record[1 << 15];
    size_t size;
} open_answer;

/* Labels come in the order of the answers. */
static int64_t play_late(const world *w, weft_player *player)
{
    static open_answer open[LABELS];
    weft_error error = {0};
    int64_t mistakes = 0;
    for (int64_t k = 0; k < LABELS + DELAY; k++) {
        if (k < LABELS) {
            const panel_trial *t = &w->log[k];
            assert_ok(w, weft_player_predict_at(player, t->row, t->column, k, &open[k].answer, &error),
                      &error);
            open[k].size = sizeof open[k].record;
            assert_ok(w,
                      weft_player_record(player, t->row, t->column, k, open[k].record, &open[k].size, &error),
                      &error);
        }
        if (k >= DELAY) {
            const open_answer *o = &open[k - DELAY];
            int label = w->log[k - DELAY].label;
            mistakes += o->answer.label != label;
            assert_ok(w, weft_player_learn_late(player, o->record, o->size, label, NULL, &error), &error);
        }
    }
    return mistakes;
}

/* What a learner of mistake updates has learnt: wherever the answer was wrong.  Others, and rivals, learn the
 * pair as it is when its label comes. */
static void check_late_member(const world *w, const weft_player *late, const weft_player *plain)
{
    counts expected = {.count = 0};
    if (weft_player_kind(late) != WEFT_LEARNER) {
        assert_equal(w, late, plain);
        return;
    }
    add_counts(plain, -1, false, &expected);
    assert_counts(w, late, &expected);
}

static void check_mistaken(const world *w, weft_player *late)
{
    static open_answer open[LABELS];
    counts expected = {.count = 0};
    weft_player *slow = fresh(w);
    for (int64_t k = 0; k < LABELS + DELAY; k++) {
        const panel_trial *t = &w->log[k];
        if (k < LABELS)
            assert_int_equal(weft_player_predict_at(slow, t->row, t->column, k, &open[k].answer, NULL),
                             WEFT_OK);
        const panel_trial *label = &w->log[k - DELAY];
        if (k < DELAY || open[k - DELAY].answer.label == label->label)
            continue;
        weft_evidence_entry entry = {label->row, label->column, label->label};
        if (!w->row->one_set || entry.row != entry.column) {
            add_count(&expected, &entry, w->row->one_set);
            assert_int_equal(weft_player_add_evidence(slow, &entry, 1, NULL), WEFT_OK);
        }
    }
    assert_counts(w, late, &expected);
    weft_player_free(slow);
}

static weft_status check_late(const world *w, weft_error *error)
{
    weft_player *late = fresh(w), *plain = fresh(w);
    (void)error;
    int64_t mistakes = play_late(w, late);
    learn(w, plain, 0, LABELS);
    if (w->row->maker != RIVAL)
        assert_int_equal(weft_player_counters(late).mistakes, mistakes);
    if (w->row->updates == WEFT_MISTAKE_UPDATES)
        check_mistaken(w, late);
    else if (w->row->maker == COMPACT) {
        double *x = NULL, *y = NULL;
        int64_t count = matrix_of(late, &x);
        assert_int_equal(matrix_of(plain, &y), count);
        assert_memory_equal(x, y, (size_t)count * sizeof *x);
        free(x);
        free(y);
    } else if (w->row->maker == COMMITTEE)
        for (int64_t k = 0; k < weft_player_member_count(late); k++)
            check_late_member(w, weft_player_member(late, k), weft_player_member(plain, k));
    else
        check_late_member(w, late, plain);
    weft_player_free(late);
    weft_player_free(plain);
    return WEFT_OK;
}

static weft_status check_anew(const world *w, weft_error *error)
{
    weft_player *anew = fresh(w), *plain = fresh(w);
    weft_answer answer;
    learn(w, plain, 0, LABELS);
    for (int64_t k = 0; k < LABELS; k++) {
        const panel_trial *t = &w->log[k];
        assert_ok(w, weft_player_learn_anew(anew, t->row, t->column, t->label, &answer, error), error);
        assert_true(answer.anew);
    }
    if (w->row->maker != COMMITTEE) {
        assert_equal(w, anew, plain);
    } else {
        assert_int_equal(weft_player_counters(anew).anew, LABELS);
        assert_int_equal(weft_player_counters(anew).mistakes, weft_player_counters(plain).mistakes);
        for (int64_t k = 0; k < weft_player_member_count(anew); k++)
            assert_equal(w, weft_player_member(anew, k), weft_player_member(plain, k));
    }
    weft_player_free(anew);
    weft_player_free(plain);
    return WEFT_OK;
}

/* ---- The table ---- */

static weft_status check_cell(const world *w, int ability, weft_error *error)
{
    switch (ability) {
    case CLONE:
        return check_copy(w, clone, HALF, error);
    case STATE:
        return check_copy(w, from_state, HALF, error);
    case PIECES:
        return check_copy(w, from_pieces, HALF - 35, error);
    case MERGE:
        return check_merge(w, error);
    case FORGET:
        return check_forget(w, error);
    case LATE:
        return check_late(w, error);
    default:
        return check_anew(w, error);
    }
}

static void every_player_has_its_abilities(void **state)
{
    for (int64_t seed = 1; seed <= effort(fewer(2, 1), 40); seed++)
        for (size_t r = 0; r < ROWS; r++) {
            world w;
            world_open(&rows[r], (uint64_t)seed, &w);
            for (int k = 0; k < ABILITIES; k++) {
                weft_error error = {0};
                w.ability = abilities[k];
                bool supported = (rows[r].supported & 1 << k) != 0;
                weft_status status = check_cell(&w, 1 << k, &error);
                if (status != (supported ? WEFT_OK : WEFT_UNSUPPORTED))
                    fail_msg("%s, %s, seed %lld: %s", rows[r].name, abilities[k], (long long)seed,
                             error.message);
            }
            world_close(&w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_player_has_its_abilities)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
