/* SPDX-License-Identifier: MIT
 *
 * Method     The map "viridis", whose steps look even to people with any kind of colour
 *            vision and in grey.
 * Algorithm  Linear between nine of its colours.
 * Cost       O(1).
 * Reference  Smith, van der Walt, A Better Default Colormap for Matplotlib, SciPy 2015
 *            (the colours are in the public domain, CC0).
 */
#include "figure/shade.h"

#include <math.h>

enum { KNOTS = 9 };

static const double knots[KNOTS][3] = {
    {68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
    {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37},
};

const figure__colour figure__minus = {0.976, 0.839, 0.569};
const figure__colour figure__plus = {0.063, 0.294, 0.525};

figure__colour figure__shade_of(int number)
{
    double place = (double)number / (FIGURE__SHADES - 1) * (KNOTS - 1);
    int knot = (int)fmin(floor(place), KNOTS - 2);
    double share = place - knot, rgb[3];
    for (int k = 0; k < 3; k++)
        rgb[k] = (knots[knot][k] + share * (knots[knot + 1][k] - knots[knot][k])) / 255;
    return (figure__colour){rgb[0], rgb[1], rgb[2]};
}

int figure__shade_number(double value, double low, double high)
{
    double share = (value - low) / (high - low);
    return (int)fmin(fmax(floor(share * FIGURE__SHADES), 0), FIGURE__SHADES - 1);
}
