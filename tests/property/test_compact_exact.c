/* SPDX-License-Identifier: MIT
 *
 * Where features are exact (classes and linear features without epsilon, all eigenvectors of anything
 * else) the compact engine must do what krylov does on the same side, in whole runs.  Where
 * they are random signs its margins must come nearer to those of krylov like 1/sqrt(signs), and be those of
 * krylov where there are as many signs as ids. */
#include "compact.h"

enum { IDS = 8, TAUGHT = 40 };

/* Two engines may part where a decision is a tie within rounding. */
#define TIE 1e-9

static void demand(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK)
        fail_msg("%s: %s", weft_status_name(status), error->message);
}

/* ---- exact maps ---- */

/* Any kind that has an exact map, with it. */
static void draw_exact(dice *d, mapped *it)
{
    int64_t count = 3 + dice_below(d, 8);
    known_kind kind = (known_kind)(1 + dice_below(d, KNOWN_KINDS - 1));
    *it = (mapped){0};
    known_draw(d, kind, count, count, &it->what);
    if (kind == KNOWN_CLASSES || kind == KNOWN_LINEAR)
        it->what.parameter = 0;
    else
        it->map.eigen = count;
    mapped_make(d, it);
}

typedef struct pair {
    weft_player *compact, *krylov;
    bool one_set;
    int64_t trials, agreed;
    double worst;
} pair;

static weft_answer close_look(weft_player *learner, int64_t i, int64_t j)
{
    weft_error error = {0};
    weft_answer got;
    demand(weft_player_evaluate(learner, i, j, 1e-11, &got, &error), &error);
    return got;
}

static void compare_margins(pair *p, int64_t i, int64_t j)
{
    weft_answer a = close_look(p->compact, i, j), b = close_look(p->krylov, i, j);
    double difference = fabs(a.margin - b.margin) / fmax(1, fabs(b.margin));
    bool overlap = a.lower <= b.upper && b.lower <= a.upper;
    if (!(difference <= TIE) && !overlap)
        fail_msg("trial %lld: compact [%.17g, %.17g], krylov [%.17g, %.17g]", (long long)p->trials, a.lower,
                 a.upper, b.lower, b.upper);
    if (a.upper - a.lower < TIE && b.upper - b.lower < TIE)
        p->worst = fmax(p->worst, difference);
}

/* False where they parted at a tie. */
static bool play_both(pair *p, const weft_settings *s, int64_t i, int64_t j, int label)
{
    weft_error error = {0};
    weft_answer a, b;
    double margin = close_look(p->krylov, i, j).margin;
    demand(weft_player_learn(p->compact, i, j, label, &a, &error), &error);
    demand(weft_player_learn(p->krylov, i, j, label, &b, &error), &error);
    assert_true(a.threshold == b.threshold);
    p->trials++;
    if (a.updated == b.updated && a.label == b.label) {
        p->agreed++;
        return true;
    }
    double scale = fmax(1, fabs(margin));
    assert_true(fabs(margin - a.threshold) < TIE * scale || fabs(label * margin - s->gamma) < TIE * scale);
    return false;
}

static void run_exact(uint64_t seed, pair *p)
{
    dice d = {seed * 7919 + 1};
    mapped rows = {0}, columns = {0};
    weft_error error = {0};
    p->one_set = dice_chance(&d, 0.35);
    draw_exact(&d, &rows);
    if (!p->one_set)
        draw_exact(&d, &columns);
    weft_settings s = settings_draw(&d, &rows, p->one_set ? NULL : &columns);
    s.half_life = 0;
    s.floor = 0;
    s.eta = dice_log_between(&d, 0.01, 2);
    demand(weft_learner_create(rows.side, columns.side, &s, NULL, &p->compact, &error), &error);
    s.engine = WEFT_KRYLOV;
    demand(weft_learner_create(rows.side, columns.side, &s, NULL, &p->krylov, &error), &error);
    int64_t style = dice_below(&d, 3), others = p->one_set ? rows.count : columns.count;
    for (bool alike = true, go = true; alike && go; go = weft_player_counters(p->krylov).t < 60) {
        int64_t i = dice_below(&d, rows.count), j = dice_below(&d, others);
        int label = style == 0 ? 1 : style == 1 ? ((i + j) % 2 ? 1 : -1) : dice_chance(&d, 0.5) ? 1 : -1;
        compare_margins(p, i, j);
        alike = play_both(p, &s, i, j, label);
    }
    weft_player_free(p->compact);
    weft_player_free(p->krylov);
    mapped_release(&rows);
    mapped_release(&columns);
}

static void test_exact_maps_do_what_krylov_does(void **state)
{
    pair p = {0};
    for (uint64_t seed = 1; seed <= 150; seed++)
        run_exact(seed, &p);
    printf("trials %lld, alike %lld, margins differ by %.3g of max(1, |margin|)\n", (long long)p.trials,
           (long long)p.agreed, p.worst);
    assert_true(p.trials > 8000 && p.agreed > p.trials - 10);
    assert_true(p.worst < TIE);
}

/* ---- signs ---- */

/* Ids so far apart share no block of orthogonal signs. */
enum { APART = 2049, LISTED = IDS * APART };

static weft_side *signs(int64_t number, uint64_t seed)
{
    weft_side *side = NULL;
    weft_error error = {0};
    weft_map map = {.hash = number, .seed = seed};
    weft_side_options options = {.map = &map};
    demand(weft_side_none(LISTED, &options, &side, &error), &error);
    return side;
}

/* A learner that was told of every pair of the ids 0, step, 2 step, ... but those on the diagonal. */
static weft_player *taught(const weft_side *rows, const weft_side *columns, weft_engine engine, int64_t step)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    weft_settings s = {
        .engine = engine, .eta = 0.4, .gamma = 1, .dimension = 2 * LISTED, .tolerance = 1e-5, .seed = 1};
    demand(weft_learner_create(rows, columns, &s, NULL, &learner, &error), &error);
    for (int64_t k = 0; k < TAUGHT; k++) {
        int64_t i = k % IDS, j = (3 * k + 1 + k / IDS) % IDS;
        int label = (i / 2 + j / 2) % 2 ? 1 : -1;
        if (i != j)
            demand(weft_player_learn(learner, i * step, j * step, label, NULL, &error), &error);
    }
    return learner;
}

/* The mean square difference of all margins. */
static double mean_square(int64_t number, uint64_t seed, int64_t step)
{
    weft_side *rows = signs(number, seed), *columns = signs(number, seed + 1000);
    weft_player *compact = taught(rows, columns, WEFT_COMPACT, step);
    weft_player *krylov = taught(rows, columns, WEFT_KRYLOV, step);
    double sum = 0;
    for (int64_t k = 0; k < IDS * IDS; k++) {
        int64_t i = k / IDS * step, j = k % IDS * step;
        double difference = close_look(compact, i, j).margin - close_look(krylov, i, j).margin;
        sum += difference * difference;
    }
    weft_player_free(compact);
    weft_player_free(krylov);
    weft_side_free(rows);
    weft_side_free(columns);
    return sum / (IDS * IDS);
}

static void test_signs_come_near_like_their_root(void **state)
{
    static const int64_t number[] = {64, 256, 1024};
    static const int seeds[] = {16, 6, 2};
    double error[3];
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int seed = 0; seed < seeds[k]; seed++)
            sum += mean_square(number[k], (uint64_t)seed + 1, APART);
        error[k] = sqrt(sum / seeds[k]);
        printf("%lld signs a side: margins off by %.4g\n", (long long)number[k], error[k]);
    }
    double exponent = log(error[2] / error[0]) / log(16.0);
    printf("like signs^%.3f\n", exponent);
    assert_true(fabs(exponent + 0.5) < 0.15);
    assert_true(error[0] > 1e-3 && error[0] < 0.3);
}

static void test_signs_of_few_ids_are_exact(void **state)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        assert_true(sqrt(mean_square(8, seed, 1)) < TIE);
        assert_true(sqrt(mean_square(64, seed, 1)) < TIE);
        assert_true(sqrt(mean_square(4, seed, 1)) > 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact_maps_do_what_krylov_does),
                                       cmocka_unit_test(test_signs_come_near_like_their_root),
                                       cmocka_unit_test(test_signs_of_few_ids_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
