/* SPDX-License-Identifier: MIT
 *
 * Method.  Every choice comes from the one seed, so that a failing problem is
 * named by its number. */
#include "support/test.h"

#include "support/problem.h"

/* ---- shapes ---- */

static void draw_shape(dice *d, int64_t largest, int64_t *m, int64_t *n)
{
    static const int64_t odd[][2] = {{1, 5}, {3, 20}, {5, 1}, {20, 3}, {16, 14}, {1, 2}, {2, 1}, {2, 2}};
    if (largest > 0) {
        *m = largest - dice_below(d, 5);
        *n = largest - dice_below(d, 5);
    } else if (dice_chance(d, 0.25)) {
        int64_t pick = dice_below(d, (int64_t)(sizeof odd / sizeof *odd));
        *m = odd[pick][0];
        *n = odd[pick][1];
    } else {
        *m = 1 + dice_below(d, 12);
        *n = 2 + dice_below(d, 10);
    }
}

/* A side of `count` ids of any kind, in a third of the cases not all listed
 * at once.  A graph needs two vertices: with one its kernel is zero. */
static void draw_side(dice *d, int64_t count, known *what)
{
    int64_t listed = count > 2 && dice_chance(d, 0.33) ? 2 + dice_below(d, count - 2) : count;
    known_kind kind = (known_kind)dice_below(d, KNOWN_KINDS);
    if (kind == KNOWN_GRAPH && listed < 2)
        kind = KNOWN_KERNEL;
    known_draw(d, kind, count, listed, what);
}

/* ---- settings ---- */

static double draw_dimension(dice *d, int64_t total)
{
    double at_random = dice_uniform(d);
    if (at_random < 0.1)
        return 1;
    if (at_random < 0.3)
        return (double)total;
    return dice_log_between(d, 1, 4 * (double)total);
}

static double draw_tolerance(dice *d)
{
    static const double choices[] = {0, 0, 0.02, 0.02, 1e-3, 1e-5};
    return choices[dice_below(d, (int64_t)(sizeof choices / sizeof *choices))];
}

static void draw_settings(dice *d, problem *what)
{
    weft_settings *settings = &what->settings;
    bool one_set = settings->form == WEFT_ONE_SET;
    int64_t spare = dice_chance(d, 0.2) ? dice_below(d, 5) : 0;
    settings->rows = what->rows.count + spare;
    settings->columns = one_set ? 0 : what->columns.count;
    int64_t total = settings->rows + settings->columns;
    /* 0 stands for what is listed, where nobody is to come. */
    if (spare == 0 && what->rows.listed == what->rows.count && dice_chance(d, 0.5))
        settings->rows = 0;
    settings->updates = dice_chance(d, 0.5) ? WEFT_MARGIN_UPDATES : WEFT_MISTAKE_UPDATES;
    settings->engine = dice_chance(d, 0.15) ? WEFT_REFERENCE : WEFT_KRYLOV;
    settings->precision = dice_chance(d, 0.5) ? WEFT_MIXED : WEFT_DOUBLE;
    settings->eta = dice_log_between(d, 0.01, 10);
    settings->gamma = dice_chance(d, 0.15) ? 1 : 1 - dice_uniform(d);
    settings->dimension = draw_dimension(d, total);
    settings->tolerance = draw_tolerance(d);
    settings->seed = dice_bits(d);
    settings->deterministic = dice_chance(d, 0.4);
}

/* ---- the stream ---- */

/* An id of those admitted so far; sometimes the next one is admitted first. */
static int64_t draw_id(dice *d, const known *side, int64_t *admitted)
{
    if (*admitted < side->count && dice_chance(d, 0.15))
        return (*admitted)++;
    return dice_below(d, *admitted);
}

static void draw_pairs(dice *d, problem *what)
{
    bool one_set = what->settings.form == WEFT_ONE_SET;
    const known *columns = one_set ? &what->rows : &what->columns;
    int64_t admitted_rows = what->rows.listed, admitted_columns = columns->listed;
    for (int64_t t = 0; t < what->trials; t++) {
        int64_t again = t > 0 && dice_chance(d, 0.35) ? dice_below(d, t) : -1;
        if (again >= 0 && dice_chance(d, 0.5))
            again = t - 1 - dice_below(d, t < 3 ? t : 3);
        what->row[t] = again >= 0 ? what->row[again] : draw_id(d, &what->rows, &admitted_rows);
        what->column[t] = again >= 0 ? what->column[again]
                                     : draw_id(d, columns, one_set ? &admitted_rows : &admitted_columns);
    }
}

/* Random, biclustered with noise, one sign, or alternating. */
static void draw_labels(dice *d, problem *what)
{
    int64_t style = dice_below(d, 6), classes = 1 + dice_below(d, 3), salt = dice_below(d, 1000);
    double noise = dice_chance(d, 0.5) ? 0.1 : 0, unlabelled = dice_chance(d, 0.2) ? 0.1 : 0;
    for (int64_t t = 0; t < what->trials; t++) {
        dice block = {(uint64_t)(salt + 7 * (what->row[t] % classes) + 31 * (what->column[t] % classes))};
        int label = dice_chance(d, 0.5) ? 1 : -1;
        if (style == 1 || style == 2)
            label = dice_chance(&block, 0.5) != dice_chance(d, noise) ? 1 : -1;
        else if (style == 3)
            label = 1;
        else if (style == 4)
            label = -1;
        else if (style == 5)
            label = t % 2 ? 1 : -1;
        what->label[t] = dice_chance(d, unlabelled) ? 0 : label;
    }
}

void problem_draw(uint64_t seed, int64_t largest, problem *what)
{
    dice d = {seed * 0x2545f4914f6cdd1du + 11};
    int64_t m, n;
    *what = (problem){.seed = seed};
    what->settings.form = (weft_form)dice_below(&d, 3);
    draw_shape(&d, largest, &m, &n);
    if (what->settings.form == WEFT_ONE_SET) {
        draw_side(&d, m + n, &what->rows);
    } else {
        draw_side(&d, m, &what->rows);
        draw_side(&d, n, &what->columns);
    }
    draw_settings(&d, what);
    what->trials = 30 + dice_below(&d, largest > 0 ? 40 : 121);
    what->row = naive_new(what->trials, sizeof *what->row);
    what->column = naive_new(what->trials, sizeof *what->column);
    what->label = naive_new(what->trials, sizeof *what->label);
    draw_pairs(&d, what);
    draw_labels(&d, what);
}

void problem_release(problem *what)
{
    known_release(&what->rows);
    known_release(&what->columns);
    free(what->row);
    free(what->column);
    free(what->label);
    *what = (problem){0};
}

void problem_describe(const problem *what, size_t size, char *text)
{
    static const char *const forms[] = {"paper", "balanced", "one set"};
    const weft_settings *s = &what->settings;
    snprintf(text, size,
             "seed %llu: %s %s, %s, %s updates, eta %.4g gamma %.4g D %.4g tolerance %g, rows %s %lld of %lld"
             " flaw %d, columns %s %lld of %lld flaw %d",
             (unsigned long long)what->seed, s->engine == WEFT_KRYLOV ? "krylov" : "reference",
             s->precision == WEFT_MIXED ? "mixed" : "double", forms[s->form],
             s->updates == WEFT_MARGIN_UPDATES ? "margin" : "mistake", s->eta, s->gamma, s->dimension,
             s->tolerance, known_name(what->rows.kind), (long long)what->rows.listed,
             (long long)what->rows.count, (int)what->rows.flaw, known_name(what->columns.kind),
             (long long)what->columns.listed, (long long)what->columns.count, (int)what->columns.flaw);
}

/* ---- playing ---- */

static void demand(weft_status status, const weft_error *error, const problem *what)
{
    if (status == WEFT_OK)
        return;
    char text[400];
    problem_describe(what, sizeof text, text);
    fail_msg("%s: %s: %s", text, weft_status_name(status), error->message);
}

/* A second side with everybody appended: what the kernel is in the end. */
static double *kernel_of(const problem *what, known *side)
{
    weft_side *all = NULL;
    weft_error error = {0};
    demand(known_side(side, &all, &error), &error, what);
    while (weft_side_count(all) < side->count)
        demand(known_append(side, all, &error), &error, what);
    if (!(fabs(weft_side_radius(all) - side->radius) <= 1e-9 * side->radius))
        fail_msg("seed %llu: %s: radius %.17g, by definition %.17g", (unsigned long long)what->seed,
                 known_name(side->kind), weft_side_radius(all), side->radius);
    double difference = known_difference(side, all);
    if (!(difference <= 1e-9))
        fail_msg("seed %llu: %s: kernel differs from its definition by %g", (unsigned long long)what->seed,
                 known_name(side->kind), difference);
    double *kernel = naive_new(side->count * side->count, sizeof *kernel);
    for (int64_t i = 0; i < side->count; i++)
        for (int64_t j = 0; j < side->count; j++)
            kernel[i * side->count + j] = weft_side_entry(all, i, j);
    side->radius = weft_side_radius(all);
    weft_side_free(all);
    return kernel;
}

static double kappa_of(const problem *what)
{
    const weft_settings *settings = &what->settings;
    int64_t rows = settings->rows > 0 ? settings->rows : what->rows.count;
    return settings->dimension / (double)(rows + settings->columns);
}

void players_create(problem *what, int algorithm, players *who)
{
    weft_error error = {0};
    bool one_set = what->settings.form == WEFT_ONE_SET;
    *who = (players){0};
    who->row_kernel = kernel_of(what, &what->rows);
    demand(known_side(&what->rows, &who->rows, &error), &error, what);
    if (!one_set) {
        who->column_kernel = kernel_of(what, &what->columns);
        demand(known_side(&what->columns, &who->columns, &error), &error, what);
    }
    demand(weft_learner_create(who->rows, who->columns, &what->settings, NULL, &who->learner, &error), &error,
           what);
    naive_setup setup = {
        .form = what->settings.form,
        .algorithm = algorithm,
        /* One set of ids: the constant of a PDLaplacian cancels in differences. */
        .rows = {what->rows.count, who->row_kernel, what->rows.radius - (one_set ? what->rows.constant : 0)},
        .columns = {what->columns.count, who->column_kernel, what->columns.radius},
        .eta = what->settings.eta,
        .kappa = kappa_of(what)};
    who->judge = naive_create(&setup);
}

void players_release(players *who)
{
    weft_player_free(who->learner);
    weft_side_free(who->rows);
    weft_side_free(who->columns);
    naive_free(who->judge);
    free(who->row_kernel);
    free(who->column_kernel);
    *who = (players){0};
}

static void admit(const problem *what, const known *side, int64_t id, weft_side *into)
{
    weft_error error = {0};
    while (weft_side_count(into) <= id)
        demand(known_append(side, into, &error), &error, what);
}

void players_admit(const problem *what, int64_t t, players *who)
{
    bool one_set = what->settings.form == WEFT_ONE_SET;
    admit(what, &what->rows, what->row[t], who->rows);
    admit(what, one_set ? &what->rows : &what->columns, what->column[t], one_set ? who->rows : who->columns);
}
