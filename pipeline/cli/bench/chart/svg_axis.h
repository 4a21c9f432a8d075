/* The axes of a chart. */
#pragma once

#include "bench/chart/svg_chart.h"

/* One axis: from values to pixels. */
struct svg_axis {
    bool log;
    double least, most; /* of what is shown; with log, those of the logarithm to base 10 */
    double from, to;    /* pixels */
};

/* Tells whether the chart's axes have a place for it. */
bool svg_shown(const struct svg_chart *chart, const struct svg_point *p);

/* Tells whether there is a bar to draw beside the point. */
bool svg_has_spread(const struct svg_point *p);

/* The interval of all points; linear axes begin at 0, or below it where points do. */
void svg_fit(struct svg_axis *axis, const struct svg_chart *chart, bool is_x);

/* Pixels. */
double svg_place(const struct svg_axis *axis, double value);

/* Values at which an axis is marked, how many: powers of two for sizes, 1-2-5 steps else; and one in words.
 */
enum { SVG_TICKS = 64 };
int svg_ticks(const struct svg_axis *axis, bool powers_of_two, double ticks[SVG_TICKS]);
void svg_tick_word(double value, bool power_of_two, char word[80]);
