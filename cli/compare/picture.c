/* SPDX-License-Identifier: MIT
 * The running errors as a picture: the committee, weft in one form, and the best of the rivals. */
#include "cli/compare/compare.h"
#include "figure/figure.h"
#include "program/fail.h"
#include "program/new.h"
#include "src/base/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 240, RIVALS_SHOWN = 5, CURVES = 1 + VERDICTS + 1 + RIVALS_SHOWN };

/* The places at which curves are drawn: from FIRST trials (before that a mean says
 * little) to all, evenly in the logarithm, each once. */
static int choose_places(int64_t trials, int64_t places[POINTS])
{
    enum { FIRST = 10 };
    double first = trials < FIRST ? 1 : FIRST, step = weft__log((double)trials / first) / (POINTS - 1);
    int count = 0;
    for (int k = 0; k < POINTS; k++) {
        int64_t place = k == POINTS - 1 ? trials : (int64_t)round(first * weft__exp(step * k));
        if (count == 0 || place > places[count - 1])
            places[count++] = place;
    }
    return count;
}

typedef struct drawing {
    const compare_state *state;
    int64_t places[POINTS];
    int count;
    double x[POINTS];
    double y[CURVES][POINTS];
    figure_curve curves[CURVES];
    int curve_count;
} drawing;

static void add_curve(drawing *d, const contestant *who)
{
    double *y = d->y[d->curve_count];
    int64_t mistakes = 0, t = 0;
    for (int k = 0; k < d->count; k++) {
        for (; t < d->places[k]; t++)
            mistakes += who->wrong[who->best][t];
        d->x[k] = (double)d->places[k];
        y[k] = (double)mistakes / d->x[k];
    }
    d->curves[d->curve_count++] = (figure_curve){.name = who->name,
                                                 .x = d->x,
                                                 .y = y,
                                                 .count = d->count,
                                                 .strong = who->kind != BY_RIVAL && who->kind != BY_DISTANCE};
}

/* The rival with the fewest mistakes among those not drawn yet, or NULL. */
static const contestant *next_rival(const compare_state *state, bool drawn[COMPARE_MOST])
{
    int best = -1;
    for (int k = 0; k < state->count; k++) {
        const contestant *who = &state->contestants[k];
        if ((who->kind == BY_RIVAL || who->kind == BY_DISTANCE) && !drawn[k] &&
            (best < 0 || who->figures.mistakes < state->contestants[best].figures.mistakes))
            best = k;
    }
    if (best < 0)
        return NULL;
    drawn[best] = true;
    return &state->contestants[best];
}

static void add_curves(drawing *d)
{
    const compare_state *state = d->state;
    bool drawn[COMPARE_MOST] = {0};
    int runs = 0;
    weft_form form = compare_best(state, KNOWS_ANYTHING, &runs)->form;
    if (state->committee != NULL)
        add_curve(d, state->committee);
    for (int k = 0; k < state->count; k++)
        if (compare_belongs(&state->contestants[k], KNOWS_ANYTHING) && state->contestants[k].form == form)
            add_curve(d, &state->contestants[k]);
    for (int k = 0; k < RIVALS_SHOWN; k++) {
        const contestant *rival = next_rival(state, drawn);
        if (rival != NULL)
            add_curve(d, rival);
    }
}

weft_status compare_draw(const compare_state *state, weft_error *error)
{
    figure_error wrong = {{0}};
    weft_status status = WEFT_OK;
    if (state->options->picture_count == 0)
        return WEFT_OK;
    drawing *d = new_array(1, sizeof *d);
    d->state = state;
    d->count = choose_places(state->course.count, d->places);
    add_curves(d);
    figure_chart chart = {.title = "Error so far",
                          .note = "Each at the best of its rates in hindsight.",
                          .x = {.name = "trials", .logarithmic = true},
                          .y = {.name = "mistakes so far / trials so far", .percent = true},
                          .curves = d->curves,
                          .count = d->curve_count};
    if (state->committee != NULL)
        chart.note =
            "Each at the best of its rates in hindsight; the committee, which weft run plays, has none.";
    for (int64_t k = 0; k < state->options->picture_count && status == WEFT_OK; k++)
        if (!figure_draw_chart(state->options->pictures[k], &chart, &wrong))
            status = fail(error, WEFT_WRITE, "%s", wrong.message);
    free(d);
    return status;
}
