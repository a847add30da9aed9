/* SPDX-License-Identifier: MIT
 * Hybrid factorisation against its definition, in double precision: what is known of the ids, events that are
 * learnt again from a window, numbers drawn to zero. */
#include "test_rival_traits.h"

#include "rival/rival.h"
#include "support/alloc.h"

enum { MOST = 330, NUMBERS = 8, EVENTS = 400 };

/* Values and their sums of squares. */
typedef struct line {
    double value[NUMBERS], squares[NUMBERS];
} line;

typedef struct part {
    line *of;
    double weight;
} part;

/* What is known of id i of a set: fills numbers and values, answers how many. */
typedef int traits_of(const void *scene, int set, int64_t i, uint64_t *numbers, double *values);

/* Sets are rows and columns; one set: the first.  All lines are there from the start. */
typedef struct factoriser {
    weft_rival_settings settings;
    bool one_set, traits_are_ids[2];
    const void *scene;
    traits_of *traits;
    line ids[2][STAGE_ROWS], known[2][MOST];
    double constant, squares;
    struct {
        int64_t i, j;
        int y;
    } event[EVENTS];
    int64_t learnt;
    int64_t steps; /* of the last label */
    double work;
} factoriser;

static void begin_line(const factoriser *f, uint64_t space, uint64_t number, line *l)
{
    int64_t numbers = f->settings.factors + 1;
    *l = (line){.value = {0}};
    for (int64_t k = 0; k < numbers; k++) {
        uint64_t z = h(key(f->settings.seed, space, number) ^ (uint64_t)k);
        double u = ((double)(z >> 11) + 0.5) / 9007199254740992.0;
        l->value[k] = k == 0 ? 0 : (2 * u - 1) / (double)numbers;
        l->squares[k] = 1;
    }
}

static void begin(factoriser *f)
{
    f->squares = 1;
    for (uint64_t set = 0; set < 2; set++) {
        for (uint64_t i = 0; i < STAGE_ROWS; i++)
            begin_line(f, 5 + set, i, &f->ids[set][i]);
        for (uint64_t t = 0; t < MOST; t++)
            begin_line(f, 7 + set, t, &f->known[set][t]);
    }
}

/* ---- One event ---- */

/* What id `which` of a pair is made of, with weights x / |x|. */
static int describe(factoriser *f, int which, int64_t i, part *parts)
{
    uint64_t numbers[MOST];
    double values[MOST], square = 1;
    int set = f->one_set ? 0 : which, count = f->traits(f->scene, set, i, numbers, values);
    for (int k = 0; k < count; k++)
        square += values[k] * values[k];
    parts[0] = (part){&f->ids[set][i], 1 / sqrt(square)};
    for (int k = 0; k < count; k++) {
        line *of = f->traits_are_ids[set] ? f->ids[set] : f->known[set];
        parts[1 + k] = (part){&of[numbers[k]], values[k] / sqrt(square)};
    }
    return 1 + count;
}

static void add_up(const factoriser *f, const part *parts, int count, double *sum)
{
    for (int64_t k = 0; k <= f->settings.factors; k++) {
        sum[k] = 0;
        for (int p = 0; p < count; p++)
            sum[k] += parts[p].weight * parts[p].of->value[k];
    }
}

static double score_of(const factoriser *f, const double *u, const double *v)
{
    double sum = f->constant + u[0] + v[0];
    for (int64_t k = 1; k <= f->settings.factors; k++)
        sum += u[k] * v[k];
    return sum;
}

/* One set of ids: the smaller one comes first. */
static void order(const factoriser *f, int64_t *i, int64_t *j)
{
    if (f->one_set && *i > *j) {
        int64_t larger = *i;
        *i = *j;
        *j = larger;
    }
}

static double score_pair(void *judge, int64_t i, int64_t j)
{
    factoriser *f = judge;
    part rows[MOST + 1], columns[MOST + 1];
    double u[NUMBERS], v[NUMBERS];
    order(f, &i, &j);
    add_up(f, rows, describe(f, 0, i, rows), u);
    add_up(f, columns, describe(f, 1, j, columns), v);
    return score_of(f, u, v);
}

/* x += rate d / sqrt(s) after s += d^2, with d the gradient less what draws it to zero. */
static void step(const factoriser *f, const part *parts, int count, double g, const double *other)
{
    for (int p = 0; p < count; p++)
        for (int64_t k = 0; k <= f->settings.factors; k++) {
            double *x = &parts[p].of->value[k], *s = &parts[p].of->squares[k];
            double d = parts[p].weight * (g * (k == 0 ? 1 : other[k]) - f->settings.shrink * *x);
            *s += d * d;
            *x += f->settings.rate * d / sqrt(*s);
        }
}

/* Answers the number of parts. */
static int learn_event(factoriser *f, int64_t i, int64_t j, int y)
{
    part rows[MOST + 1], columns[MOST + 1];
    double u[NUMBERS], v[NUMBERS];
    int m = describe(f, 0, i, rows), n = describe(f, 1, j, columns);
    add_up(f, rows, m, u);
    add_up(f, columns, n, v);
    double g = y / (1 + exp(y * score_of(f, u, v)));
    step(f, rows, m, g, v);
    step(f, columns, n, g, u);
    f->squares += g * g;
    f->constant += f->settings.rate * g / sqrt(f->squares);
    f->steps++;
    return m + n;
}

/* The new event, then some of the last ones: any of them, by hash; no more once there are 1024 parts. */
static void learn_pair(void *judge, int64_t i, int64_t j, int y)
{
    factoriser *f = judge;
    int64_t window = f->settings.window, kept = f->learnt < window ? f->learnt : window;
    int64_t again = kept > 0 ? f->settings.replay : 0;
    order(f, &i, &j);
    f->steps = 0;
    int64_t parts = learn_event(f, i, j, y);
    for (int64_t k = 0; k < again && parts < 1024; k++) {
        uint64_t z = h(key(f->settings.seed, 9, (uint64_t)f->learnt) ^ (uint64_t)k);
        int64_t place = (int64_t)((z >> 32) * (uint64_t)kept / 4294967296);
        /* Place p of the ring has the last event whose number leaves p. */
        int64_t t = f->learnt - 1 - (f->learnt - 1 - place) % window;
        parts += learn_event(f, f->event[t].i, f->event[t].j, f->event[t].y);
    }
    assert_true(f->learnt < EVENTS);
    f->event[f->learnt].i = i;
    f->event[f->learnt].j = j;
    f->event[f->learnt++].y = y;
    int64_t width = (f->settings.factors + 1 + 3) / 4 * 4;
    f->work = 150 * (double)f->steps + 1.5 * (double)(parts * width);
}

/* ---- Sides of every kind ---- */

static int traits_on_stage(const void *scene, int set, int64_t i, uint64_t *numbers, double *values)
{
    const stage *s = scene;
    return traits(set == 0 ? &s->row_facts : &s->column_facts, set == 0 ? s->rows : s->columns, i, numbers,
                  values);
}

static double score(void *judge, const stage *s, int64_t i, int64_t j)
{
    (void)s;
    return score_pair(judge, i, j);
}

static void learn(void *judge, const stage *s, int64_t i, int64_t j, int y)
{
    (void)s;
    learn_pair(judge, i, j, y);
}

static factoriser judge_of(const stage *s, const weft_rival_settings *settings)
{
    const known *facts[2] = {&s->row_facts, &s->column_facts};
    factoriser f = {
        .settings = *settings, .one_set = s->columns == NULL, .scene = s, .traits = traits_on_stage};
    for (int set = 0; set < 2; set++)
        f.traits_are_ids[set] = facts[set]->kind != KNOWN_CLASSES && !is_vector(facts[set]->kind);
    begin(&f);
    return f;
}

/* Numbers of single precision: the scores agree up to its rounding, which a stream adds up. */
static void assert_plays(stage *s, const weft_rival_settings *settings)
{
    static factoriser f;
    f = judge_of(s, settings);
    weft_player *rival = rival_of(s, settings);
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        stage_admit(s, t);
        int64_t i = s->row[t], j = s->column[t];
        double expected = score(&f, s, i, j), other = score(&f, s, 0, j);
        assert_near(ask(rival, i, j).score, expected, 2e-5 * fmax(1, fabs(expected)));
        assert_near(ask(rival, 0, j).score, other, 2e-5 * fmax(1, fabs(other)));
        assert_near(ask(rival, i, j).probability, 1 / (1 + exp(-expected)), 2e-5);
        teach(rival, i, j, s->label[t]);
        learn(&f, s, i, j, s->label[t]);
        assert_true(rival->ops->price(rival, 0, t + 1) == f.work);
    }
    weft_player_free(rival);
}

static const weft_rival_settings usual = {
    .kind = WEFT_RIVAL_HYBRID, .rate = 0.3, .factors = 4, .replay = 5, .window = 16384, .seed = 6};

static void every_kind_of_side(void **state)
{
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            for (uint64_t seed = 1; seed <= 3; seed++) {
                stage s;
                stage_open(300 + 7 * (uint64_t)kind + seed, (known_kind)kind,
                           (known_kind)((kind + (int)seed) % KNOWN_KINDS), one_set, &s);
                assert_plays(&s, &usual);
                stage_close(&s);
            }
}

/* Numbers of factors that do and do not fill a register, windows within the stream, no replay, more of it,
 * numbers that are drawn to zero, other seeds. */
static void every_setting(void **state)
{
    static const weft_rival_settings list[] = {
        {.factors = 1, .rate = 1, .replay = 1, .window = 1, .seed = 1},
        {.factors = 3, .rate = 0.1, .replay = 9, .window = 7, .seed = 2},
        {.factors = 7, .rate = 0.5, .replay = 3, .window = 64, .shrink = 0.05, .seed = 3},
        {.factors = 2, .rate = 0.5, .replay = -1, .window = 16384, .seed = 4},
        {.factors = 4, .rate = 0.3, .replay = -1, .window = 5, .shrink = 1, .seed = UINT64_MAX},
        {.factors = 5, .rate = 0.3, .replay = 20, .window = 119, .shrink = 0.01, .seed = 7},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        for (int kind = 0; kind < KNOWN_KINDS; kind += 2) {
            stage s;
            weft_rival_settings settings = list[k];
            settings.kind = WEFT_RIVAL_HYBRID;
            stage_open(50 + k, (known_kind)kind, KNOWN_CLASSES, kind == KNOWN_GRAPH, &s);
            assert_plays(&s, &settings);
            stage_close(&s);
        }
}

/* ---- Ids with many features ---- */

typedef struct wide {
    double values[3][MOST];
    weft_side *side;
} wide;

static int traits_wide(const void *scene, int set, int64_t i, uint64_t *numbers, double *values)
{
    const wide *w = scene;
    (void)set;
    for (int d = 0; d < MOST; d++) {
        numbers[d] = (uint64_t)d;
        values[d] = w->values[i][d];
    }
    return MOST;
}

/* 331 parts an id: the new event and one of the old ones have more than 1024 together. */
static void fewer_are_learnt_again_with_many_traits(void **state)
{
    static wide w;
    static factoriser f;
    dice d = {4};
    for (int64_t k = 0; k < (int64_t)(3 * MOST); k++)
        w.values[k / MOST][k % MOST] = dice_between(&d, 0.1, 1);
    /* The numbers are scaled to [-1, 1] over the ids: they are already, since some id has 1 and some -1. */
    for (int64_t k = 0; k < MOST; k++) {
        w.values[0][k] = 1;
        w.values[1][k] = -1;
    }
    weft_features features = {3, MOST, w.values[0], WEFT_LINEAR, 1};
    assert_int_equal(weft_side_from_features(&features, NULL, &w.side, NULL), WEFT_OK);
    f = (factoriser){.settings = usual, .one_set = true, .scene = &w, .traits = traits_wide};
    begin(&f);
    weft_player *rival = NULL;
    assert_int_equal(weft_rival_create(w.side, NULL, &usual, NULL, &rival, NULL), WEFT_OK);
    for (int64_t t = 0; t < 40; t++) {
        int64_t i = dice_below(&d, 3), j = dice_below(&d, 3);
        int y = i == j ? 1 : -1;
        double expected = score_pair(&f, i, j);
        assert_near(ask(rival, i, j).score, expected, 1e-4 * fmax(1, fabs(expected)));
        teach(rival, i, j, y);
        learn_pair(&f, i, j, y);
        assert_int_equal(f.steps, t == 0 ? 1 : 2);
        assert_true(rival->ops->price(rival, 0, t + 1) == f.work);
    }
    weft_player_free(rival);
    weft_side_free(w.side);
}

/* ---- States, copies ---- */

static weft_player *read_back(const stage *s, const weft_player *rival)
{
    size_t size = 0;
    weft_player *copy = NULL;
    weft_error error = {0};
    unsigned char *bytes = rival_bytes(rival, &size);
    if (weft_rival_read(s->rows, s->columns, bytes, size, NULL, &copy, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    free(bytes);
    return copy;
}

static void goes_on_from_any_trial(known_kind kind, bool one_set)
{
    stage s;
    const weft_rival_settings settings = {
        .kind = WEFT_RIVAL_HYBRID, .rate = 0.5, .factors = 4, .replay = 5, .window = 30, .shrink = 0.01};
    stage_open(80 + (uint64_t)kind, kind, KNOWN_CLASSES, one_set, &s);
    weft_player *rival = rival_of(&s, &settings);
    for (int64_t t = 0; t < STAGE_TRIALS; t++) {
        stage_admit(&s, t);
        weft_player *copy = read_back(&s, rival), *clone = NULL;
        assert_same_rival(rival, copy);
        assert_int_equal(weft_player_clone(rival, &clone, NULL), WEFT_OK);
        assert_same_rival(rival, clone);
        for (int64_t a = t; a < STAGE_TRIALS && a < t + 3; a++) {
            if (s.row[a] >= weft_side_count(s.rows) ||
                s.column[a] >= weft_side_count(s.columns != NULL ? s.columns : s.rows))
                break;
            teach(copy, s.row[a], s.column[a], s.label[a]);
            teach(clone, s.row[a], s.column[a], s.label[a]);
            if (a == t)
                teach(rival, s.row[t], s.column[t], s.label[t]);
            if (a == t)
                assert_same_rival(rival, copy);
            assert_same_rival(copy, clone);
        }
        weft_player_free(copy);
        weft_player_free(clone);
    }
    weft_player_free(rival);
    stage_close(&s);
}

static void states_and_copies_go_on(void **state)
{
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            goes_on_from_any_trial((known_kind)kind, one_set);
}

/* ---- Failures ---- */

/* Of a rival that has just been read, with ids that have come since: the label is learnt as a whole or not at
 * all, the events that are learnt again included. */
static void a_label_is_learnt_as_a_whole(void **state)
{
    static const known_kind kinds[] = {KNOWN_NONE,  KNOWN_CLASSES, KNOWN_KERNEL,
                                       KNOWN_GRAPH, KNOWN_LINEAR,  KNOWN_DIFFUSION};
    int64_t refused = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int one_set = 0; one_set < 2; one_set++) {
            stage s;
            size_t size = 0;
            stage_open(90 + k, kinds[k], KNOWN_LINEAR, one_set, &s);
            weft_player *rival = rival_of(&s, &usual);
            for (int64_t t = 0; t < 60; t++) {
                stage_admit(&s, t);
                teach(rival, s.row[t], s.column[t], s.label[t]);
            }
            stage_admit(&s, STAGE_TRIALS);
            int64_t row = weft_side_count(s.rows) - 1, column = one_set ? 1 : weft_side_count(s.columns) - 1;
            unsigned char *bytes = rival_bytes(rival, &size);
            weft_status status = WEFT_MEMORY;
            for (int64_t fail_at = 0; status == WEFT_MEMORY; fail_at++) {
                test_alloc alloc;
                weft_player *copy = NULL;
                weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
                assert_int_equal(weft_rival_read(s.rows, s.columns, bytes, size, &memory, &copy, NULL),
                                 WEFT_OK);
                test_alloc_arm(&alloc, fail_at);
                status = weft_player_learn(copy, row, column, 1, NULL, NULL);
                test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
                assert_true(status == WEFT_OK || status == WEFT_MEMORY);
                refused += status == WEFT_MEMORY;
                if (status == WEFT_MEMORY)
                    assert_same_rival(copy, rival);
                weft_player_free(copy);
                assert_int_equal(test_alloc_blocks(&alloc), 0);
            }
            free(bytes);
            weft_player_free(rival);
            stage_close(&s);
        }
    assert_true(refused > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_side),
        cmocka_unit_test(every_setting),
        cmocka_unit_test(fewer_are_learnt_again_with_many_traits),
        cmocka_unit_test(states_and_copies_go_on),
        cmocka_unit_test(a_label_is_learnt_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
