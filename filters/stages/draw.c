/* draw: rectangles, lines and ellipses. */
#include "base/text.h"
#include "lower/drawn.h"
#include "lower/lowering_private.h"

#include <math.h>

enum shape { RECT, LINE, ELLIPSE, BOXES };

struct draw {
    int32_t shape;
    gf_rect area;
    gf_list from, to, boxes;
    gf_list colour, fill;
    double width;
};

/* Writes the formula that `form` says: %N in it is number N of `numbers`. */
static void write(struct gf_text *text, const char *form, const double *numbers)
{
    for (const char *c = form; *c; c++) {
        if (*c == '%') {
            gf_text_string(text, "(");
            gf_text_number(text, numbers[*++c - '0']);
            gf_text_string(text, ")");
        } else {
            gf_text_bytes(text, c, 1);
        }
    }
}

/* How much of a pixel a form covers whose edge is `distance` away, less than 0 inside: of all of it, or, with
 * a width, of so much along its edge, inside. */
static gf_value_id covered(gf_lowering *l, gf_value_id v, const struct gf_ink *ink, gf_rect where,
                           const char *distance, const double *numbers, double width)
{
    char coverage[1024];
    struct gf_text text = gf_text_begin(coverage, sizeof coverage);
    const double half = width / 2, edge = half + 0.5;
    if (width > 0) {
        write(&text, "clamp(%0-abs(%1+", (const double[]){edge, half});
        write(&text, distance, numbers);
        gf_text_string(&text, "),0,1)");
    } else {
        gf_text_string(&text, "clamp(0.5-");
        write(&text, distance, numbers);
        gf_text_string(&text, ",0,1)");
    }
    return gf_lowering_drawn(l, v, ink, where, coverage);
}

/* A rectangle or an ellipse in one: first what fills it, then its edge. */
static gf_value_id closed(gf_lowering *l, gf_value_id v, const struct draw *p, gf_rect r)
{
    const double a = (double)r.w / 2, b = (double)r.h / 2;
    const double least = fmin(a, b);
    const double numbers[] = {(double)r.x + a - 0.5,  (double)r.y + b - 0.5, a, b, 1e-12,
                              1e-12 / (least * least)};
    const char *distance = p->shape == ELLIPSE
                               ? "((((X-%0)/%2)^2+((Y-%1)/%3)^2-sqrt(((X-%0)/%2)^2+((Y-%1)/%3)^2+%4))"
                                 "/sqrt(((X-%0)/%2/%2)^2+((Y-%1)/%3/%3)^2+%5))"
                               : "max(abs(X-%0)-%2,abs(Y-%1)-%3)";
    struct gf_ink ink;
    if (p->fill.columns) {
        v = gf_lowering_ink(l, v, &p->fill, "fill", &ink) ? covered(l, v, &ink, r, distance, numbers, 0) : 0;
    }
    if (v && p->width > 0) {
        v = gf_lowering_ink(l, v, &p->colour, "colour", &ink)
                ? covered(l, v, &ink, r, distance, numbers, p->width)
                : 0;
    }
    return v;
}

/* A line with round ends, between the centres of two pixels. */
static gf_value_id line(gf_lowering *l, gf_value_id v, const struct draw *p)
{
    const double *a = p->from.values, *b = p->to.values, dx = b[0] - a[0], dy = b[1] - a[1];
    const double squared = dx * dx + dy * dy, half = p->width / 2, beyond = half + 1;
    const double left = floor(fmin(a[0], b[0]) - beyond), top = floor(fmin(a[1], b[1]) - beyond);
    const gf_rect where = {.x = (int64_t)left,
                           .y = (int64_t)top,
                           .w = (int64_t)(ceil(fmax(a[0], b[0]) + beyond) - left) + 1,
                           .h = (int64_t)(ceil(fmax(a[1], b[1]) + beyond) - top) + 1};
    const double numbers[] = {a[0], a[1], dx, dy, squared > 0 ? squared : 1, half};
    struct gf_ink ink;
    if (!gf_lowering_ink(l, v, &p->colour, "colour", &ink)) {
        return 0;
    }
    return covered(l, v, &ink, where,
                   "(sqrt(((X-%0)-clamp(((X-%0)*%2+(Y-%1)*%3)/%4,0,1)*%2)^2"
                   "+((Y-%1)-clamp(((X-%0)*%2+(Y-%1)*%3)/%4,0,1)*%3)^2)-%5)",
                   numbers, 0);
}

static gf_value_id boxes(gf_lowering *l, gf_value_id v, const struct draw *p)
{
    const double *box = p->boxes.more ? p->boxes.more : p->boxes.values;
    for (int32_t i = 0; v && i < p->boxes.rows; i++, box += 4) {
        const gf_rect r = {.x = (int64_t)floor(box[0] + 0.5),
                           .y = (int64_t)floor(box[1] + 0.5),
                           .w = (int64_t)floor(box[2] + 0.5),
                           .h = (int64_t)floor(box[3] + 0.5)};
        v = r.w > 0 && r.h > 0 ? closed(l, v, p, r) : v;
    }
    return v;
}

/* What each shape needs to be given, and cannot be. */
static bool check(gf_lowering *l, const struct draw *p)
{
    static const char *const needs[] = {
        "area=, as area=120x80+30+40", "from= and to=, two places, as from=[10 20]:to=[90 60]",
        "area=, which it touches from within, as area=120x80+30+40",
        "boxes=, rows of x, y, width, height, as boxes=[30 40 120 80; 5 5 20 20] or boxes=@boxes.csv"};
    const bool area = p->area.w > 0, ends = p->from.columns > 0 || p->to.columns > 0,
               rows = p->boxes.rows > 0;
    const bool fits = p->shape == LINE    ? p->from.columns && p->to.columns && !area && !rows
                      : p->shape == BOXES ? rows && !area && !ends
                                          : area && !ends && !rows;
    if (!fits) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "it takes %s, and none of the other shapes' places",
                      needs[p->shape]);
    } else if (p->shape == LINE ? !(p->width > 0) || p->fill.columns > 0
                                : !(p->width > 0) && !p->fill.columns) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      p->shape == LINE ? "a line has a width= above 0 and no fill="
                                       : "width=0 draws no edge, and without fill= there is nothing to draw");
        return false;
    }
    return fits;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct draw *p = params;
    const gf_value_id v = gf_lower_input(l);
    if (check(l, p)) {
        const gf_value_id made = p->shape == LINE    ? line(l, v, p)
                                 : p->shape == BOXES ? boxes(l, v, p)
                                                     : closed(l, v, p, p->area);
        gf_lower_output(l, made);
    }
}

GF_PARAMS({GF_ROW(CHOICE, draw, shape, "rect"), .choices = "rect|line|ellipse|boxes",
           .help = "boxes: several rectangles", .positional = 1},
          {GF_ROW_IN(RECT, draw, area, "", -1e6, 1e6),
           .help = "rect and ellipse: where it is, as 80x60-5+10; parts may lie outside"},
          {GF_ROW_IN(LIST, draw, from, "", -1e6, 1e6), .choices = "1x2", .help = "line: one end, [x y]"},
          {GF_ROW_IN(LIST, draw, to, "", -1e6, 1e6), .choices = "1x2", .help = "line: the other end"},
          {GF_ROW_IN(LIST, draw, boxes, "", -1e6, 1e6), .choices = "*x4",
           .help = "boxes: rows of x, y, width, height; @FILE.csv: a table that label has written"},
          {GF_ROW(LIST, draw, colour, "#f00"), .max = 1, .choices = "1x1|1x3|1x4", .unit = "colour",
           .help = "of the line or the edge"},
          {GF_ROW(LIST, draw, fill, ""), .max = 1, .choices = "1x1|1x3|1x4", .unit = "colour",
           .help = "of what is inside the edge; default: nothing"},
          {GF_ROW_IN(NUMBER, draw, width, "2", 0, 10000), .unit = "px",
           .help = "of the line, or of the edge, which lies inside; 0: no edge"});

GF_EXAMPLES({"draw:rect:area=80x60+60+50:colour=orange:width=3", "a frame around a part of the picture"},
            {"draw:line:from=[20 130]:to=[190 40]:width=5:colour=#fff", "a line with round ends"},
            {"draw:ellipse:area=100x70+90+40:fill=#ff08:width=0", "a yellow spot, half transparent"},
            {"draw:boxes:boxes=[30 40 60 40; 120 80 50 30]", "several rectangles"});

const gf_stage_type gf_stage_draw = {
    GF_STAGE_OF(draw),
    .group = "pictures",
    .summary = "draws a rectangle, a line, an ellipse or many boxes on the picture",
    .use = "To frame, strike out or cover parts of a picture, and to show what was found in it.",
    .formula =
        "Over the picture as by blend:over lies the colour, its alpha times a coverage, in f32, rounded once "
        "for\n"
        "each form. Coverage is 1/2 - d kept within 0 and 1, d the distance of the pixel's centre from the\n"
        "edge, less than 0 inside; of an edge 1/2 + w/2 - |d + w/2|, w its width, all of it inside the "
        "form.\n"
        "rect: the greater of the distances from its sides, so that whole pixels are covered. line: from "
        "the\n"
        "line between the centres of two pixels, less w/2, so that its ends are round. ellipse: (q -\n"
        "sqrt(q)) / sqrt(p), q = (x/a)^2 + (y/b)^2, p = (x/a^2)^2 + (y/b^2)^2, which is the distance for a\n"
        "circle, and to first order for others. fill comes before the edge. boxes: one after the other,\n"
        "sides rounded half up, empty ones left out. What lies outside the picture is cut off.",
    .lower = lower,
};
