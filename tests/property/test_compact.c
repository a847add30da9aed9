/* SPDX-License-Identifier: MIT
 *
 * Every decision of the compact engine, its bracket and its bound, against dense matrices
 * in extended precision (compact.h), over random sides, maps, settings and streams: short ones of
 * every kind, and long noisy ones over few coordinates, in which b is found anew many times
 * and fading evidence is multiplied out many times.
 *
 * WEFT_SEEDS=FIRST:COUNT plays other problems than those of the test. */
#include "compact.h"
#include "support/effort.h"

/* Differences below this, relative to the largest number met on the way, are rounding. */
#define SLACK 1e-12L

typedef struct tally {
    bool hard; /* settings_harden */
    int64_t problems, trials, updates, certified, faded, holds;
    int64_t wrong, outside, wide, loose, odd;
    long double used;    /* |middle - exact| / half the width, at most */
    long double nearest; /* b - lambda_max, at least */
    long double behind;  /* b - lambda_max at the end of a long run, at most */
    char where[512];
    int64_t here; /* complaints about the problem at hand */
} tally;

/* A problem at play. */
typedef struct game {
    mapped rows, columns;
    weft_settings settings;
    weft_player *learner;
    referee judge;
    int64_t t, i, j; /* the trial at hand; numbers among the ids that can be asked for */
    int64_t labels;  /* that were learnt */
    int label;
    verdict exact;
    tally *sum;
} game;

static void complain(game *g, int64_t *counter, const char *text, double a, double b)
{
    enum { MOST = 2 };
    if (g->sum->here++ < MOST)
        printf("%s\n  trial %lld (%lld, %lld) label %d, exact margin %.15Lg: %s: %.17g, %.17g\n",
               g->sum->where, (long long)g->t, (long long)g->i, (long long)g->j, g->label, g->exact.margin,
               text, a, b);
    ++*counter;
}

static void demand(game *g, weft_status status, const weft_error *error)
{
    if (status != WEFT_OK)
        fail_msg("%s: trial %lld: %s: %s", g->sum->where, (long long)g->t, weft_status_name(status),
                 error->message);
}

/* ---- one prediction ---- */

static void check_bracket(game *g, const weft_answer *got, double tolerance)
{
    long double exact = g->exact.margin, slack = SLACK * g->exact.scale;
    if (!(isfinite(got->lower) && isfinite(got->upper) && got->lower <= got->margin &&
          got->margin <= got->upper))
        complain(g, &g->sum->odd, "bracket not finite and ordered", got->lower, got->upper);
    exact = fmaxl(-WEFT_MARGIN_LIMIT, fminl(WEFT_MARGIN_LIMIT, exact));
    if (!(got->lower - slack <= exact && exact <= got->upper + slack))
        complain(g, &g->sum->outside, "margin outside the bracket", got->lower, got->upper);
    double allowed = tolerance * fmax(g->settings.gamma, fabs(got->margin));
    if (tolerance > 0 && !(got->upper - got->lower <= allowed + 100 * slack))
        complain(g, &g->sum->wide, "bracket wider than allowed, at", got->lower, got->upper);
    if (got->upper - got->lower > 100 * slack)
        g->sum->used = fmaxl(g->sum->used, 2 * fabsl(got->margin - exact) / (got->upper - got->lower));
}

static void check_prediction(game *g, const weft_answer *got)
{
    const weft_settings *s = &g->settings;
    bool drawn = s->updates == WEFT_MARGIN_UPDATES && !s->deterministic;
    check_bracket(g, got, s->tolerance);
    if (drawn ? !(fabs(got->threshold) < s->gamma) : got->threshold != 0)
        complain(g, &g->sum->odd, "threshold, gamma", got->threshold, s->gamma);
    int expected = g->exact.margin >= got->threshold ? 1 : -1;
    if (got->label != expected && fabsl(g->exact.margin - got->threshold) >= SLACK * g->exact.scale)
        complain(g, &g->sum->wrong, "prediction, threshold", got->label, got->threshold);
    g->sum->certified += got->certified;
}

static void check_probability(game *g, const weft_answer *got)
{
    double probability = fmin(1, fmax(0, 0.5 + got->margin / (2 * g->settings.gamma)));
    if (fabs(got->probability - probability) > 1e-12)
        complain(g, &g->sum->odd, "probability, from the margin", got->probability, probability);
}

static void check_outcome(game *g, const weft_answer *got)
{
    const weft_settings *s = &g->settings;
    check_prediction(g, got);
    bool mistake = g->label != 0 && got->label != g->label, expected = mistake;
    long double along = g->label * g->exact.margin;
    if (s->updates == WEFT_MARGIN_UPDATES && g->label != 0)
        expected = along < s->gamma;
    bool close = s->updates == WEFT_MARGIN_UPDATES && g->label != 0 &&
                 fabsl(along - s->gamma) < SLACK * g->exact.scale;
    if (got->mistake != mistake)
        complain(g, &g->sum->odd, "mistake, expected", got->mistake, mistake);
    if (got->updated != expected && !close)
        complain(g, &g->sum->wrong, "updated, label", got->updated, g->label);
}

/* ---- one trial ---- */

static void predict_another(game *g)
{
    weft_error error = {0};
    weft_answer other;
    const mapped *columns = g->settings.form == WEFT_ONE_SET ? &g->rows : &g->columns;
    demand(g,
           weft_player_predict(g->learner, mapped_id(&g->rows, g->t % g->rows.count),
                               mapped_id(columns, g->t % columns->count), &other, &error),
           &error);
}

enum { RECORD = 8 * 18 };

static void keep(game *g, int64_t row, int64_t column, int64_t t, unsigned char *record)
{
    weft_error error = {0};
    size_t size = RECORD;
    demand(g, weft_player_record(g->learner, row, column, t, record, &size, &error), &error);
    assert_int_equal(size, RECORD);
}

/* Ends the trial: plainly, or as one whose label has come late. */
static weft_answer learn(game *g, int64_t row, int64_t column, const unsigned char *record)
{
    weft_error error = {0};
    weft_answer outcome;
    g->labels += g->label != 0;
    if (record != NULL && g->label != 0)
        demand(g, weft_player_learn_late(g->learner, record, RECORD, g->label, &outcome, &error), &error);
    else
        demand(g, weft_player_learn(g->learner, row, column, g->label, &outcome, &error), &error);
    return outcome;
}

static void play_trial(game *g)
{
    enum { AT_ONCE, PLAIN, DETOUR, LATE, CLOSE, WAYS };
    weft_error error = {0};
    weft_answer first, close;
    unsigned char record[RECORD];
    int64_t row = mapped_id(&g->rows, g->i), way = (g->t + g->sum->problems) % WAYS;
    int64_t column = mapped_id(g->settings.form == WEFT_ONE_SET ? &g->rows : &g->columns, g->j);
    if (way != AT_ONCE) {
        demand(g, weft_player_predict(g->learner, row, column, &first, &error), &error);
        check_prediction(g, &first);
        check_probability(g, &first);
    }
    if (way == LATE)
        keep(g, row, column, first.t, record);
    if (way == DETOUR)
        predict_another(g);
    if (way == CLOSE) {
        demand(g, weft_player_evaluate(g->learner, row, column, 1e-4, &close, &error), &error);
        check_bracket(g, &close, 1e-4);
    }
    weft_answer outcome = learn(g, row, column, way == LATE ? record : NULL);
    check_outcome(g, &outcome);
    if (way != AT_ONCE && (first.label != outcome.label || first.threshold != outcome.threshold))
        complain(g, &g->sum->odd, "predict and learn differ: labels", first.label, outcome.label);
    g->sum->updates += outcome.updated;
    if (g->label != 0)
        referee_learn(&g->judge, g->learner, g->i, g->j, outcome.updated ? g->label : 0);
}

static void check_bound(game *g, long double top)
{
    double bound = weft_learner_spectral_bound(g->learner);
    if (!(top <= bound + SLACK * fmaxl(1, fabsl(top))))
        complain(g, &g->sum->loose, "lambda_max, b", (double)top, bound);
    g->sum->nearest = fminl(g->sum->nearest, bound - top);
}

/* ---- a whole problem ---- */

/* Blocks with noise, at random, or of one sign; some without. */
static int draw_label(dice *d, int64_t style, int64_t i, int64_t j)
{
    if (dice_chance(d, 0.04))
        return 0;
    if (style == 0)
        return (i + j) % 2 == (int64_t)dice_chance(d, 0.1) ? 1 : -1;
    if (style == 1)
        return dice_chance(d, 0.5) ? 1 : -1;
    return style == 2 ? 1 : -1;
}

static void describe(const game *g, uint64_t seed, size_t size, char *text)
{
    static const char *const forms[] = {"paper", "balanced", "one set"};
    char rows[100], columns[100] = "";
    const weft_settings *s = &g->settings;
    mapped_describe(&g->rows, sizeof rows, rows);
    if (s->form != WEFT_ONE_SET)
        mapped_describe(&g->columns, sizeof columns, columns);
    snprintf(text, size,
             "seed %llu: %s %s, %s updates%s, eta %.4g gamma %.4g D %.4g tolerance %g half-life %.4g floor "
             "%.4g, %s; %s",
             (unsigned long long)seed, s->precision == WEFT_MIXED ? "mixed" : "double", forms[s->form],
             s->updates == WEFT_MARGIN_UPDATES ? "margin" : "mistake", s->deterministic ? " fixed" : "",
             s->eta, s->gamma, s->dimension, s->tolerance, s->half_life, s->floor, rows, columns);
}

static void open_game(dice *d, uint64_t seed, int64_t most, game *g)
{
    weft_error error = {0};
    bool one_set = dice_chance(d, 0.3);
    mapped_draw(d, most, &g->rows);
    if (!one_set)
        mapped_draw(d, most, &g->columns);
    g->settings = settings_draw(d, &g->rows, one_set ? NULL : &g->columns);
    if (g->sum->hard)
        settings_harden(d, &g->settings);
    describe(g, seed, sizeof g->sum->where, g->sum->where);
    g->sum->here = 0;
    demand(g, weft_learner_create(g->rows.side, g->columns.side, &g->settings, NULL, &g->learner, &error),
           &error);
    g->judge = referee_create(&g->rows, &g->columns, &g->settings);
}

static void close_game(game *g)
{
    weft_counters counters = weft_player_counters(g->learner);
    if (counters.t != g->labels)
        complain(g, &g->sum->odd, "counters.t, labels", (double)counters.t, (double)g->labels);
    long double top = referee_top_exactly(&g->judge);
    check_bound(g, top);
    g->sum->behind = fmaxl(g->sum->behind, weft_learner_spectral_bound(g->learner) - top);
    g->sum->problems++;
    g->sum->trials += g->t;
    g->sum->faded += g->settings.half_life > 0;
    g->sum->holds += g->judge.holds;
    referee_release(&g->judge);
    weft_player_free(g->learner);
    mapped_release(&g->rows);
    mapped_release(&g->columns);
}

static int64_t others_of(const game *g)
{
    return g->settings.form == WEFT_ONE_SET ? g->rows.count : g->columns.count;
}

static void play(uint64_t seed, int64_t most, int64_t trials, tally *sum)
{
    dice d = {seed * 0x9e3779b97f4a7c15u + 3};
    game g = {.sum = sum};
    open_game(&d, seed, most, &g);
    int64_t style = sum->hard ? 1 + (int64_t)(seed % 3) : dice_below(&d, 4), others = others_of(&g);
    for (g.t = 0; g.t < trials; g.t++) {
        g.i = dice_below(&d, g.rows.count);
        g.j = dice_below(&d, others);
        g.label = draw_label(&d, style, g.i, g.j);
        g.exact = referee_margin(&g.judge, g.i, g.j);
        check_bound(&g, referee_top(&g.judge));
        play_trial(&g);
    }
    close_game(&g);
}

/* ---- labels that come late ---- */

enum { DELAY = 7 };

/* A trial that waits for its label. */
typedef struct waiting {
    int64_t i, j;
    int label;
    weft_answer prediction;
    unsigned char record[RECORD];
} waiting;

static waiting ask(game *g, dice *d, int64_t t)
{
    weft_error error = {0};
    waiting w = {.i = dice_below(d, g->rows.count)};
    w.j = dice_below(d, others_of(g));
    w.label = draw_label(d, 0, w.i, w.j);
    const mapped *columns = g->settings.form == WEFT_ONE_SET ? &g->rows : &g->columns;
    g->exact = referee_margin(&g->judge, w.i, w.j);
    demand(g,
           weft_player_predict_at(g->learner, mapped_id(&g->rows, w.i), mapped_id(columns, w.j), t,
                                  &w.prediction, &error),
           &error);
    check_prediction(g, &w.prediction);
    keep(g, mapped_id(&g->rows, w.i), mapped_id(columns, w.j), t, w.record);
    return w;
}

/* The prediction as it was made says whether it was a mistake, the margin as it is now whether to learn. */
static void answer(game *g, const waiting *w)
{
    const mapped *columns = g->settings.form == WEFT_ONE_SET ? &g->rows : &g->columns;
    if (w->label == 0)
        return;
    g->i = w->i;
    g->j = w->j;
    g->label = w->label;
    g->exact = referee_margin(&g->judge, w->i, w->j);
    weft_answer got = learn(g, mapped_id(&g->rows, w->i), mapped_id(columns, w->j), w->record);
    check_bracket(g, &got, g->settings.tolerance);
    if (got.label != w->prediction.label || got.threshold != w->prediction.threshold ||
        got.mistake != (w->label != w->prediction.label))
        complain(g, &g->sum->odd, "a late label: prediction, mistake", got.label, got.mistake);
    long double along = w->label * g->exact.margin - g->settings.gamma;
    bool margins = g->settings.updates == WEFT_MARGIN_UPDATES;
    bool expected = margins ? along < 0 : got.mistake;
    if (got.updated != expected && !(margins && fabsl(along) < SLACK * g->exact.scale))
        complain(g, &g->sum->wrong, "updated late, label", got.updated, w->label);
    g->sum->updates += got.updated;
    referee_learn(&g->judge, g->learner, w->i, w->j, got.updated ? w->label : 0);
}

static void play_late(uint64_t seed, tally *sum)
{
    dice d = {seed * 0x9e3779b97f4a7c15u + 3};
    game g = {.sum = sum};
    waiting queue[DELAY];
    open_game(&d, seed, 6, &g);
    for (int64_t t = 0; t < 60; t++) {
        if (t >= DELAY) {
            answer(&g, &queue[t % DELAY]);
            g.t++;
        }
        queue[t % DELAY] = ask(&g, &d, t);
    }
    close_game(&g);
}

/* ---- many problems ---- */

static void report(const tally *sum)
{
    printf("problems %lld (fading %lld) trials %lld updates %lld certified %lld holds %lld\n",
           (long long)sum->problems, (long long)sum->faded, (long long)sum->trials, (long long)sum->updates,
           (long long)sum->certified, (long long)sum->holds);
    printf("wrong decisions %lld, margins outside %lld, brackets too wide %lld, bounds too low %lld, other "
           "%lld\n",
           (long long)sum->wrong, (long long)sum->outside, (long long)sum->wide, (long long)sum->loose,
           (long long)sum->odd);
    printf("most of a bracket used %.6Lg, b - lambda_max at least %.3Lg, in the end at most %.3Lg\n",
           sum->used, sum->nearest, sum->behind);
}

static void assert_clean(const tally *sum)
{
    report(sum);
    assert_int_equal(sum->wrong, 0);
    assert_int_equal(sum->outside, 0);
    assert_int_equal(sum->wide, 0);
    assert_int_equal(sum->loose, 0);
    assert_int_equal(sum->odd, 0);
    assert_true(sum->certified > sum->trials / 2);
}

static void test_short_problems(void **state)
{
    unsigned long long first = 1, count = (unsigned long long)effort(100, 300);
    const char *asked = getenv("WEFT_SEEDS");
    if (asked)
        assert_int_equal(sscanf(asked, "%llu:%llu", &first, &count), 2);
    tally sum = {.nearest = INFINITY};
    for (uint64_t seed = first; seed < first + count; seed++)
        play(seed, 10, 30 + (int64_t)(seed % 70), &sum);
    assert_clean(&sum);
}

static void test_long_problems(void **state)
{
    tally sum = {.nearest = INFINITY};
    for (uint64_t seed = 1; seed <= (uint64_t)effort(6, 20); seed++)
        play((seed % 2 ? 710000 : 720000) + seed, 2, 2000, &sum);
    assert_clean(&sum);
}

static void test_floors(void **state)
{
    tally sum = {.nearest = INFINITY, .hard = true};
    for (uint64_t seed = 1; seed <= (uint64_t)fewer(22, 11); seed++)
        play(730000 + seed, 1, 400, &sum);
    assert_clean(&sum);
    assert_true(sum.holds > fewer(20, 10));
}

static void test_late_labels(void **state)
{
    tally sum = {.nearest = INFINITY};
    for (uint64_t seed = 1; seed <= (uint64_t)effort(20, 60); seed++)
        play_late(800000 + seed, &sum);
    assert_clean(&sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_short_problems),
                                       cmocka_unit_test(test_long_problems), cmocka_unit_test(test_floors),
                                       cmocka_unit_test(test_late_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
