#include "bench/chart/svg_axis.h"

#include <math.h>
#include <stdio.h>

bool svg_shown(const struct svg_chart *chart, const struct svg_point *p)
{
    return isfinite(p->x) && isfinite(p->y) && (!chart->log_x || p->x > 0) && (!chart->log_y || p->y > 0);
}

bool svg_has_spread(const struct svg_point *p)
{
    return p->low > 0 && p->high > p->low && isfinite(p->high);
}

double svg_place(const struct svg_axis *axis, double value)
{
    double at = axis->log ? log10(value) : value;
    return axis->from + (at - axis->least) / (axis->most - axis->least) * (axis->to - axis->from);
}

void svg_fit(struct svg_axis *axis, const struct svg_chart *chart, bool is_x)
{
    axis->log = is_x ? chart->log_x : chart->log_y;
    bool tight = is_x && chart->tight_x && !axis->log;
    axis->least = axis->log || tight ? INFINITY : 0;
    axis->most = -INFINITY;
    for (int l = 0; l < chart->n_lines; l++) {
        for (int i = 0; i < chart->lines[l].count; i++) {
            const struct svg_point *p = &chart->lines[l].points[i];
            const bool spread = !is_x && svg_has_spread(p);
            double least = is_x ? p->x : spread ? p->low : p->y, most = is_x ? p->x : spread ? p->high : p->y;
            if (svg_shown(chart, p)) {
                axis->least = fmin(axis->least, axis->log ? log10(least) : least);
                axis->most = fmax(axis->most, axis->log ? log10(most) : most);
            }
        }
    }
    if (!(axis->most > -INFINITY)) {
        axis->least = 0;
        axis->most = 1;
    }
    double margin =
        axis->log ? fmax(0.04 * (axis->most - axis->least), 0.05) : 0.05 * (axis->most - axis->least);
    margin = tight ? 0 : margin;
    axis->least -= axis->log || axis->least < 0 ? margin : 0;
    axis->most += margin > 0 ? margin : axis->most > axis->least ? 0 : 1;
}

int svg_ticks(const struct svg_axis *axis, bool powers_of_two, double ticks[SVG_TICKS])
{
    int n = 0;
    if (axis->log && powers_of_two) {
        int first = (int)ceil(axis->least / log10(2)), last = (int)floor(axis->most / log10(2));
        int step = (last - first) / 9 + 1;
        for (int e = first; e <= last && n < SVG_TICKS; e += step) {
            ticks[n++] = ldexp(1, e);
        }
        return n;
    }
    if (axis->log) {
        bool narrow = axis->most - axis->least < 2.5;
        for (int e = (int)floor(axis->least); e <= (int)ceil(axis->most); e++) {
            for (int m = 1; m <= 5 && n < SVG_TICKS; m += m == 1 ? 1 : 3) {
                double at = e + log10(m);
                if (at >= axis->least && at <= axis->most && (m == 1 || narrow)) {
                    ticks[n++] = pow(10, e) * m;
                }
            }
        }
        if (n >= 2) {
            return n;
        }
    }
    const double least = axis->log ? pow(10, axis->least) : axis->least;
    const double most = axis->log ? pow(10, axis->most) : axis->most;
    double raw = (most - least) / 6, unit = pow(10, floor(log10(raw)));
    double step = raw / unit <= 1   ? unit
                  : raw / unit <= 2 ? 2 * unit
                  : raw / unit <= 5 ? 5 * unit
                                    : 10 * unit;
    const double first = ceil(least / step);
    for (n = 0; n < SVG_TICKS && (first + n) * step <= most; n++) {
        ticks[n] = (first + n) * step;
    }
    return n;
}

void svg_tick_word(double value, bool power_of_two, char word[80])
{
    if (power_of_two && value >= 128) {
        snprintf(word, 80, "2<tspan dy=\"-5\" font-size=\"9\">%d</tspan>", (int)lround(log2(value)));
    } else if (value >= 1e6) {
        snprintf(word, 80, "%.3ge%d", value / pow(10, floor(log10(value))), (int)floor(log10(value)));
    } else {
        snprintf(word, 80, "%.6g", value);
    }
}
