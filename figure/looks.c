/* SPDX-License-Identifier: MIT
 * Which curve of a chart has which look. */
#include "figure/curve.h"

/* Curves without marks are told apart by their dashes alone, points by their marks alone. */
static bool is_like_another(const figure_chart *chart, const int *looks, int c, int number)
{
    const figure_curve *curve = &chart->curves[c];
    figure__look look = figure__look_of(number, false);
    for (int other = 0; other < chart->count; other++) {
        const figure_curve *that = &chart->curves[other];
        if (other == c || looks[other] < 0)
            continue;
        figure__look taken = figure__look_of(looks[other], false);
        if ((curve->line && that->line && look.dash == taken.dash) ||
            (curve->points && that->points && look.mark == taken.mark))
            return true;
    }
    return false;
}

/* The first look that is free and unlike, or, where all are like another, the first free one. */
static int choose_look(const figure_chart *chart, const int *looks, int c, bool *used)
{
    int found = -1;
    for (int number = 0; number < FIGURE__LOOKS; number++) {
        if (used[number])
            continue;
        bool like = is_like_another(chart, looks, c, number);
        if (found < 0 || !like)
            found = number;
        if (!like)
            break;
    }
    used[found] = true;
    return found;
}

/* Strong curves take the first looks, whose colours and marks are the clearest; what
 * belongs to another curve has its look. */
void figure__looks_choose(const figure_chart *chart, int *looks)
{
    bool used[FIGURE__LOOKS] = {false};
    for (int c = 0; c < chart->count; c++)
        looks[c] = -1;
    for (int strong = 1; strong >= 0; strong--)
        for (int c = 0; c < chart->count; c++)
            if (chart->curves[c].like == 0 && chart->curves[c].strong == (strong == 1))
                looks[c] = choose_look(chart, looks, c, used);
    for (int c = 0; c < chart->count; c++)
        if (chart->curves[c].like > 0)
            looks[c] = looks[chart->curves[c].like - 1];
}
