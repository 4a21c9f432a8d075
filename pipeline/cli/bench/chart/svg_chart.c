#include "bench/chart/svg_axis.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 860, HEIGHT = 480, LEFT = 78, RIGHT = 200, TOP = 58, BOTTOM = 56 };
enum { MOST_DOTS = 100 }; /* of a line: more would hide it */

/* Told apart by those who see colours otherwise, too: colours of P. Tol's "bright" and "muted" sets, and
 * dashes. */
static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#aa3377", "#ccaa33",
                                      "#66ccee", "#332288", "#882255", "#44aa99", "#777777"};
static const char *const dashes[] = {"none", "7 3", "2 3", "9 3 2 3"};
enum { COLOURS = sizeof colours / sizeof colours[0], DASHES = sizeof dashes / sizeof dashes[0] };

/* x NULL: a chart of bars, which has no values there. */
static void add_axes(struct buffer *text, const struct svg_chart *chart, const struct svg_axis *x,
                     const struct svg_axis *y)
{
    const bool powers_of_two = x && x->log && !chart->decades_x;
    double ticks[SVG_TICKS];
    char word[80];
    int n = x ? svg_ticks(x, powers_of_two, ticks) : 0;
    for (int i = 0; i < n; i++) {
        double at = svg_place(x, ticks[i]);
        svg_tick_word(ticks[i], powers_of_two, word);
        buffer_printf(text,
                      "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                      "text-anchor=\"middle\">%s</text>\n",
                      at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 18, word);
    }
    n = svg_ticks(y, false, ticks);
    for (int i = 0; i < n; i++) {
        double at = svg_place(y, ticks[i]);
        svg_tick_word(ticks[i], false, word);
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
    unsigned code;
    for (size_t n; words && *words; words += n) {
        n = text_character(words, &code);
        const char *stands = code == '&' ? "&amp;" : code == '<' ? "&lt;" : code == '>' ? "&gt;" : NULL;
        stands = code < TEXT_HIDDEN ? stands : " ";
        buffer_add_bytes(text, stands ? stands : words, stands ? strlen(stands) : n);
    }
}

static void add_text(struct buffer *text, double x, double y, const char *attributes, const char *words)
{
    buffer_printf(text, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
    add_escaped(text, words);
    buffer_add(text, "</text>\n");
}

/* ---- Lines ------------------------------------------------------------------------------------------ */

static void add_spread(struct buffer *text, const struct svg_point *p, double x, const struct svg_axis *y)
{
    if (svg_has_spread(p)) {
        buffer_printf(text, "<path class=\"spread\" d=\"M%.1f %.1fV%.1f\"/>", x, svg_place(y, p->low),
                      svg_place(y, p->high));
    }
}

static const char *colour_of(const struct svg_chart *chart, int l)
{
    return chart->lines[l].colour ? chart->lines[l].colour : colours[l % COLOURS];
}

static void add_line(struct buffer *text, const struct svg_chart *chart, int l, int place_in_legend,
                     const struct svg_axis *x, const struct svg_axis *y)
{
    const struct svg_line *line = &chart->lines[l];
    const char *colour = colour_of(chart, l), *dash = dashes[l % DASHES];
    const double legend_y = TOP + 10 + 19 * place_in_legend, legend_x = WIDTH - RIGHT + 16;
    const char *command = "M";
    buffer_printf(text, "<g stroke=\"%s\" fill=\"%s\">\n<path class=\"line\" stroke-dasharray=\"%s\" d=\"",
                  colour, colour, dash);
    for (int i = 0; i < line->count; i++) {
        if (svg_shown(chart, &line->points[i])) {
            buffer_printf(text, "%s%.1f %.1f", command, svg_place(x, line->points[i].x),
                          svg_place(y, line->points[i].y));
            command = "L";
        }
    }
    buffer_add(text, "\"/>\n");
    for (int i = 0; i < line->count && line->count <= MOST_DOTS; i++) {
        if (svg_shown(chart, &line->points[i])) {
            buffer_printf(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>", svg_place(x, line->points[i].x),
                          svg_place(y, line->points[i].y), line->count > 32 ? "1.6" : "2.6");
            add_spread(text, &line->points[i], svg_place(x, line->points[i].x), y);
        }
    }
    buffer_printf(text, "\n<path class=\"line\" stroke-dasharray=\"%s\" d=\"M%.0f %.0fh24\"/>\n</g>\n", dash,
                  legend_x, legend_y);
    add_text(text, legend_x + 30, legend_y + 4, "", line->label);
}

/* ---- Other shapes ------------------------------------------------------------------------------------ */

static void add_points(struct buffer *text, const struct svg_chart *chart, const struct svg_line *line,
                       const struct svg_axis *x, const struct svg_axis *y)
{
    for (int i = 0; i < line->count; i++) {
        const struct svg_point *p = &line->points[i];
        if (svg_shown(chart, p)) {
            buffer_printf(text, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>",
                          line->shape == SVG_RINGS ? "ring" : "point", svg_place(x, p->x), svg_place(y, p->y),
                          line->count > MOST_DOTS ? "2.5" : "4");
        }
    }
}

/* Adds what lies between the points and the axis. */
static void add_area(struct buffer *text, const struct svg_line *line, const struct svg_axis *x,
                     const struct svg_axis *y)
{
    buffer_printf(text, "<path class=\"area\" d=\"M%.1f %.1f", svg_place(x, line->points[0].x), y->from);
    for (int i = 0; i < line->count; i++) {
        buffer_printf(text, "L%.1f %.1f", svg_place(x, line->points[i].x), svg_place(y, line->points[i].y));
    }
    buffer_printf(text, "V%.1fZ\"/>", y->from);
}

/* Each two points are opposite corners. */
static void add_boxes(struct buffer *text, const struct svg_line *line, const struct svg_axis *x,
                      const struct svg_axis *y)
{
    const char *name = line->shape == SVG_BLOCKS ? "block" : "box";
    for (int i = 0; i + 1 < line->count; i += 2) {
        buffer_printf(text, "<path class=\"%s\" d=\"M%.1f %.1fH%.1fV%.1fH%.1fZ\"/>", name,
                      svg_place(x, line->points[i].x), svg_place(y, line->points[i].y),
                      svg_place(x, line->points[i + 1].x), svg_place(y, line->points[i + 1].y),
                      svg_place(x, line->points[i].x));
    }
}

static void add_shape(struct buffer *text, const struct svg_chart *chart, int l, int place_in_legend,
                      const struct svg_axis *x, const struct svg_axis *y)
{
    static const char *const signs[] = {[SVG_POINTS] = "point",
                                        [SVG_RINGS] = "ring",
                                        [SVG_AREA] = "area",
                                        [SVG_BOXES] = "box",
                                        [SVG_BLOCKS] = "block"};
    const struct svg_line *line = &chart->lines[l];
    const double legend_y = TOP + 10 + 19 * place_in_legend, legend_x = WIDTH - RIGHT + 16;
    buffer_printf(text, "<g stroke=\"%s\" fill=\"%s\">\n", colour_of(chart, l), colour_of(chart, l));
    if (line->shape == SVG_AREA) {
        add_area(text, line, x, y);
    } else if (line->shape == SVG_BOXES || line->shape == SVG_BLOCKS) {
        add_boxes(text, line, x, y);
    } else {
        add_points(text, chart, line, x, y);
    }
    if (line->shape == SVG_POINTS || line->shape == SVG_RINGS) {
        buffer_printf(text, "\n<circle class=\"%s\" cx=\"%.0f\" cy=\"%.0f\" r=\"4\"/>\n</g>\n",
                      signs[line->shape], legend_x + 12, legend_y);
    } else {
        buffer_printf(text, "\n<path class=\"%s\" d=\"M%.0f %.0fh24v10h-24Z\"/>\n</g>\n", signs[line->shape],
                      legend_x, legend_y - 5);
    }
    add_text(text, legend_x + 30, legend_y + 4, "", line->label);
}

/* ---- Bars ------------------------------------------------------------------------------------------- */

/* Tells whether all there is to show lies at one x. */
static bool is_single(const struct svg_chart *chart)
{
    bool any = false;
    double x = 0;
    for (int l = 0; l < chart->n_lines; l++) {
        if (chart->lines[l].count > 0 && chart->lines[l].shape != SVG_LINE) {
            return false;
        }
        for (int i = 0; i < chart->lines[l].count; i++) {
            const struct svg_point *p = &chart->lines[l].points[i];
            if (any && p->x != x) {
                return false;
            }
            any = any || svg_shown(chart, p);
            x = p->x;
        }
    }
    return any;
}

/* The first point of each line, from 0 on, side by side, with its number above and its name in the legend. */
static void add_bars(struct buffer *text, const struct svg_chart *chart, const struct svg_axis *y)
{
    int used = 0, n = 0;
    for (int l = 0; l < chart->n_lines; l++) {
        n += chart->lines[l].count > 0;
    }
    const double slot = (double)(WIDTH - RIGHT - LEFT) / n;
    for (int l = 0; l < chart->n_lines; l++) {
        const struct svg_point *p = chart->lines[l].points;
        if (chart->lines[l].count == 0 || !svg_shown(chart, p)) {
            continue;
        }
        const double left = LEFT + slot * used, top = svg_place(y, p->y), legend_y = TOP + 10 + 19 * used;
        char number[32];
        snprintf(number, sizeof number, "%.4g", p->y);
        buffer_printf(text,
                      "<rect class=\"bar\" fill=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                      "height=\"%.1f\"/>\n<g stroke=\"#333\">",
                      colour_of(chart, l), left + 0.15 * slot, top, 0.7 * slot, svg_place(y, 0) - top);
        add_spread(text, p, left + 0.5 * slot, y);
        buffer_printf(text, "</g>\n<rect fill=\"%s\" x=\"%d\" y=\"%.1f\" width=\"24\" height=\"9\"/>\n",
                      colour_of(chart, l), WIDTH - RIGHT + 16, legend_y - 4);
        add_text(text, left + 0.5 * slot, (svg_has_spread(p) ? svg_place(y, p->high) : top) - 6,
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
        ".spread{fill:none;stroke-width:1}circle{stroke:none}.ring{stroke:inherit;fill:none}"
        ".area{stroke:none;fill-opacity:.35}.box{fill:none;stroke-width:1}.block{fill-opacity:.25}</style>\n"
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
    struct svg_axis x = {.from = LEFT, .to = WIDTH - RIGHT}, y = {.from = HEIGHT - BOTTOM, .to = TOP};
    struct svg_chart chart = *given;
    char rotated[64], x_label[96];
    const bool bars = is_single(&chart);
    chart.log_y = chart.log_y && !bars; /* a bar's length is its value */
    svg_fit(&x, &chart, true);
    svg_fit(&y, &chart, false);
    add_head(text, &chart);
    add_axes(text, &chart, bars ? NULL : &x, &y);
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
            (chart.lines[l].shape == SVG_LINE ? add_line : add_shape)(text, &chart, l, n++, &x, &y);
        }
    }
    if (bars) {
        add_bars(text, &chart, &y);
    }
    buffer_add(text, "</svg>\n");
}
