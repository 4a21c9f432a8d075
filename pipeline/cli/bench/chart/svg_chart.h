/* A chart as SVG: axes, ticks, a legend; both axes linear or logarithmic. Lines, which become bars where all
 * points have one x, and other shapes; what comes first lies below. */
#pragma once

#include "base/text_buffer.h"

struct svg_point {
    double x, y;      /* logarithmic axes leave out what is not above 0 */
    double low, high; /* a thin bar beside the point; both 0: none */
};

enum svg_shape {
    SVG_LINE,
    SVG_POINTS, /* without a line */
    SVG_RINGS,  /* hollow ones */
    SVG_AREA,   /* between the line and the x axis */
    SVG_BOXES,  /* each two points are opposite corners of a rectangle */
    SVG_BLOCKS  /* filled ones */
};

struct svg_line {
    const char *label;
    const struct svg_point *points; /* ascending x, unless they are boxes */
    int count;
    enum svg_shape shape;
    const char *colour; /* "#rrggbb"; NULL: the next of the chart's own */
};

struct svg_chart {
    const char *title, *subtitle, *subtitle2, *x_label, *y_label; /* subtitles: NULL for none */
    bool log_x, log_y;
    bool decades_x; /* a logarithmic x axis is marked at powers of ten, not of two */
    bool tight_x;   /* a linear x axis shows what there is; else it begins at 0 */
    const struct svg_line *lines;
    int n_lines;
};

/* Adds a whole document. Lines without points are left out. */
void svg_chart_add(struct buffer *text, const struct svg_chart *chart);
