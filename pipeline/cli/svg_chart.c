#include "svg_chart.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 860, HEIGHT = 480, LEFT = 78, RIGHT = 200, TOP = 58, BOTTOM = 56, MOST_TICKS = 64 };
enum { MOST_DOTS = 100 }; /* of a line: more would hide it */

/* Told apart by those who see colours otherwise, too: colours of P. Tol's "bright" and "muted" sets, and
 * dashes. */
static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#aa3377", "#ccaa33",
                                      "#66ccee", "#332288", "#882255", "#44aa99", "#777777"};
static const char *const dashes[] = {"none", "7 3", "2 3", "9 3 2 3"};
enum { COLOURS = sizeof colours / sizeof colours[0], DASHES = sizeof dashes / sizeof dashes[0] };

/* One axis: from values to pixels. */
struct axis {
    bool log;
    double least, most; /* of what is shown; with log, of the logarithm to base 10 */
    double from, to;    /* pixels */
};

static bool shown(const struct svg_chart *chart, const struct svg_point *p)
{
    return isfinite(p->x) && isfinite(p->y) && (!chart->log_x || p->x > 0) && (!chart->log_y || p->y > 0);
}

static bool has_spread(const struct svg_point *p)
{
    return p->low > 0 && p->high > p->low && isfinite(p->high);
}

static double place(const struct axis *axis, double value)
{
    double at = axis->log ? log10(value) : value;
    return axis->from + (at - axis->least) / (axis->most - axis->least) * (axis->to - axis->from);
}

/* The interval of all points; linear axes begin at 0, or below it where points do. */
static void fit(struct axis *axis, const struct svg_chart *chart, bool is_x)
{
    axis->log = is_x ? chart->log_x : chart->log_y;
    bool tight = is_x && chart->tight_x && !axis->log;
    axis->least = axis->log || tight ? INFINITY : 0;
    axis->most = -INFINITY;
    for (int l = 0; l < chart->n_lines; l++) {
        for (int i = 0; i < chart->lines[l].count; i++) {
            const struct svg_point *p = &chart->lines[l].points[i];
            const bool spread = !is_x && has_spread(p);
            double least = is_x ? p->x : spread ? p->low : p->y, most = is_x ? p->x : spread ? p->high : p->y;
            if (shown(chart, p)) {
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

/* ---- Ticks ------------------------------------------------------------------------------------------ */

/* Values at which an axis is marked: powers of two for sizes, 1-2-5 steps else. */
static int ticks_of(const struct axis *axis, bool powers_of_two, double ticks[MOST_TICKS])
{
    int n = 0;
    if (axis->log && powers_of_two) {
        int first = (int)ceil(axis->least / log10(2)), last = (int)floor(axis->most / log10(2));
        int step = (last - first) / 9 + 1;
        for (int e = first; e <= last && n < MOST_TICKS; e += step) {
            ticks[n++] = ldexp(1, e);
        }
        return n;
    }
    if (axis->log) {
        bool narrow = axis->most - axis->least < 2.5;
        for (int e = (int)floor(axis->least); e <= (int)ceil(axis->most); e++) {
            for (int m = 1; m <= 5 && n < MOST_TICKS; m += m == 1 ? 1 : 3) {
                double at = e + log10(m);
                if (at >= axis->least && at <= axis->most && (m == 1 || narrow)) {
                    ticks[n++] = pow(10, e) * m;
                }
            }
        }
        return n;
    }
    double raw = (axis->most - axis->least) / 6, unit = pow(10, floor(log10(raw)));
    double step = raw / unit <= 1   ? unit
                  : raw / unit <= 2 ? 2 * unit
                  : raw / unit <= 5 ? 5 * unit
                                    : 10 * unit;
    for (double first = ceil(axis->least / step); n < MOST_TICKS && (first + n) * step <= axis->most; n++) {
        ticks[n] = (first + n) * step;
    }
    return n;
}

static void tick_word(double value, bool power_of_two, char word[80])
{
    if (power_of_two && value >= 128) {
        snprintf(word, 80, "2<tspan dy=\"-5\" font-size=\"9\">%d</tspan>", (int)lround(log2(value)));
    } else if (value >= 1e6) {
        snprintf(word, 80, "%.3ge%d", value / pow(10, floor(log10(value))), (int)floor(log10(value)));
    } else {
        snprintf(word, 80, "%.6g", value);
    }
}

/* x NULL: a chart of bars, which has no values there. */
static void add_axes(struct buffer *text, const struct axis *x, const struct axis *y)
{
    double ticks[MOST_TICKS];
    char word[80];
    int n = x ? ticks_of(x, x->log, ticks) : 0;
    for (int i = 0; i < n; i++) {
        double at = place(x, ticks[i]);
        tick_word(ticks[i], x->log, word);
        buffer_printf(text,
                      "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                      "text-anchor=\"middle\">%s</text>\n",
                      at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 18, word);
    }
    n = ticks_of(y, false, ticks);
    for (int i = 0; i < n; i++) {
        double at = place(y, ticks[i]);
        tick_word(ticks[i], false, word);
        buffer_printf(text,
                      "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                      "text-anchor=\"end\">%s</text>\n",
                      LEFT, at, WIDTH - RIGHT, LEFT - 8, at + 4, word);
    }
    buffer_printf(text, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
                  WIDTH - RIGHT);
}

/* ---- Text ------------------------------------------------------------------------------------------- */

static void add_escaped(struct buffer *text, const char *words)
{
    for (const char *c = words ? words : ""; *c; c++) {
        switch (*c) {
        case '&':
            buffer_add(text, "&amp;");
            break;
        case '<':
            buffer_add(text, "&lt;");
            break;
        case '>':
            buffer_add(text, "&gt;");
            break;
        default:
            buffer_add_bytes(text, (unsigned char)*c < ' ' ? " " : c, 1);
        }
    }
}

static void add_text(struct buffer *text, double x, double y, const char *attributes, const char *words)
{
    buffer_printf(text, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
    add_escaped(text, words);
    buffer_add(text, "</text>\n");
}

/* ---- Lines ------------------------------------------------------------------------------------------ */

static void add_spread(struct buffer *text, const struct svg_point *p, double x, const struct axis *y)
{
    if (has_spread(p)) {
        buffer_printf(text, "<path class=\"spread\" d=\"M%.1f %.1fV%.1f\"/>", x, place(y, p->low),
                      place(y, p->high));
    }
}

static const char *colour_of(const struct svg_chart *chart, int l)
{
    return chart->lines[l].colour ? chart->lines[l].colour : colours[l % COLOURS];
}

static void add_line(struct buffer *text, const struct svg_chart *chart, int l, int place_in_legend,
                     const struct axis *x, const struct axis *y)
{
    const struct svg_line *line = &chart->lines[l];
    const char *colour = colour_of(chart, l), *dash = dashes[l % DASHES];
    const double legend_y = TOP + 10 + 19 * place_in_legend, legend_x = WIDTH - RIGHT + 16;
    const char *command = "M";
    buffer_printf(text, "<g stroke=\"%s\" fill=\"%s\">\n<path class=\"line\" stroke-dasharray=\"%s\" d=\"",
                  colour, colour, dash);
    for (int i = 0; i < line->count; i++) {
        if (shown(chart, &line->points[i])) {
            buffer_printf(text, "%s%.1f %.1f", command, place(x, line->points[i].x),
                          place(y, line->points[i].y));
            command = "L";
        }
    }
    buffer_add(text, "\"/>\n");
    for (int i = 0; i < line->count && line->count <= MOST_DOTS; i++) {
        if (shown(chart, &line->points[i])) {
            buffer_printf(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>", place(x, line->points[i].x),
                          place(y, line->points[i].y), line->count > 32 ? "1.6" : "2.6");
            add_spread(text, &line->points[i], place(x, line->points[i].x), y);
        }
    }
    buffer_printf(text, "\n<path class=\"line\" stroke-dasharray=\"%s\" d=\"M%.0f %.0fh24\"/>\n</g>\n", dash,
                  legend_x, legend_y);
    add_text(text, legend_x + 30, legend_y + 4, "", line->label);
}

/* ---- Bars ------------------------------------------------------------------------------------------- */

/* Whether all there is to show lies at one x. */
static bool is_single(const struct svg_chart *chart)
{
    bool any = false;
    double x = 0;
    for (int l = 0; l < chart->n_lines; l++) {
        for (int i = 0; i < chart->lines[l].count; i++) {
            const struct svg_point *p = &chart->lines[l].points[i];
            if (any && p->x != x) {
                return false;
            }
            any = any || shown(chart, p);
            x = p->x;
        }
    }
    return any;
}

/* The first point of each line, from 0 on, side by side, with its number above and its name in the legend. */
static void add_bars(struct buffer *text, const struct svg_chart *chart, const struct axis *y)
{
    int used = 0, n = 0;
    for (int l = 0; l < chart->n_lines; l++) {
        n += chart->lines[l].count > 0;
    }
    const double slot = (double)(WIDTH - RIGHT - LEFT) / n;
    for (int l = 0; l < chart->n_lines; l++) {
        const struct svg_point *p = chart->lines[l].points;
        if (chart->lines[l].count == 0 || !shown(chart, p)) {
            continue;
        }
        const double left = LEFT + slot * used, top = place(y, p->y), legend_y = TOP + 10 + 19 * used;
        char number[32];
        snprintf(number, sizeof number, "%.4g", p->y);
        buffer_printf(text,
                      "<rect class=\"bar\" fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                      "height=\"%.1f\"/>\n<g stroke=\"#333\">",
                      colour_of(chart, l), left + 0.15 * slot, top, 0.7 * slot, place(y, 0) - top);
        add_spread(text, p, left + 0.5 * slot, y);
        buffer_printf(text, "</g>\n<rect fill=\"%s\" x=\"%d\" y=\"%.1f\" width=\"24\" height=\"9\"/>\n",
                      colour_of(chart, l), WIDTH - RIGHT + 16, legend_y - 4);
        add_text(text, left + 0.5 * slot, (has_spread(p) ? place(y, p->high) : top) - 6,
                 " text-anchor=\"middle\"", number);
        add_text(text, WIDTH - RIGHT + 46, legend_y + 4, "", chart->lines[l].label);
        used++;
    }
}

/* ---- All of it ---------------------------------------------------------------------------------------- */

static void add_head(struct buffer *text, const struct svg_chart *chart)
{
    const bool two = chart->subtitle2 && *chart->subtitle2;
    buffer_printf(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
        "<style>.grid{stroke:#ddd;fill:none}.axis{stroke:#333;fill:none}.line{fill:none;stroke-width:1.8}"
        ".spread{fill:none;stroke-width:1}circle{stroke:none}</style>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    add_text(text, LEFT, two ? 20 : 24, " font-size=\"16\" font-weight=\"bold\"", chart->title);
    add_text(text, LEFT, two ? 36 : 42, " fill=\"#555\"", chart->subtitle);
    if (two) {
        add_text(text, LEFT, 51, " fill=\"#555\" font-size=\"11\"", chart->subtitle2);
    }
}

void svg_chart_add(struct buffer *text, const struct svg_chart *given)
{
    struct axis x = {.from = LEFT, .to = WIDTH - RIGHT}, y = {.from = HEIGHT - BOTTOM, .to = TOP};
    struct svg_chart chart = *given;
    char rotated[64], x_label[96];
    const bool bars = is_single(&chart);
    chart.log_y = chart.log_y && !bars; /* a bar's length is its value */
    fit(&x, &chart, true);
    fit(&y, &chart, false);
    add_head(text, &chart);
    add_axes(text, bars ? NULL : &x, &y);
    snprintf(x_label, sizeof x_label, "%s", chart.x_label);
    for (int l = 0; bars && l < chart.n_lines; l++) {
        if (chart.lines[l].count > 0) {
            snprintf(x_label, sizeof x_label, "%s: %.10g", chart.x_label, chart.lines[l].points[0].x);
        }
    }
    add_text(text, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, " text-anchor=\"middle\"", x_label);
    snprintf(rotated, sizeof rotated, " text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\"",
             (TOP + HEIGHT - BOTTOM) / 2);
    add_text(text, 18, (TOP + HEIGHT - BOTTOM) / 2.0, rotated, chart.y_label);
    for (int l = 0, n = 0; !bars && l < chart.n_lines; l++) {
        if (chart.lines[l].count > 0) {
            add_line(text, &chart, l, n++, &x, &y);
        }
    }
    if (bars) {
        add_bars(text, &chart, &y);
    }
    buffer_add(text, "</svg>\n");
}
