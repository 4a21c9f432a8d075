/* What beside and below share: a second picture behind the first, along one axis. */
#pragma once

#include "lower/lowering_private.h"

struct append {
    gf_picture_name with;
    int32_t align;
    int64_t gap;
    gf_list colour;
};

/* The rows of their parameters; `ends` says where the lesser one lies across. */
#define GF_APPEND_PARAMS(ends)                                                                               \
    GF_PARAMS(                                                                                               \
        {GF_ROW(PICTURE, append, with, ""), .help = "the second picture, of any size: @FILE, or a name",     \
         .positional = 1},                                                                                   \
        {GF_ROW(CHOICE, append, align, "start"), .choices = "start|centre|end", .help = ends},               \
        {GF_ROW_IN(INT, append, gap, "0", 0, 1000000), .unit = "px", .help = "pixels between the two"},      \
        {GF_ROW(LIST, append, colour, ""), .max = 1, .choices = "1x1|1x3", .unit = "colour",                 \
         .help = "of what neither covers; default: transparent, or black"})

#define GF_APPEND_FORMULA                                                                                    \
    "Of the same channels and depth no bit of either changes. A second picture of another depth, a gray\n"   \
    "one on colours, and one with alpha on one without lie over the background as blend lays them. In\n"     \
    "the middle half of an odd rest is rounded down. What neither covers is colour, integers rounded half\n" \
    "up, and opaque; without colour it is 0, which is transparent where the first picture has alpha."

/* The two in a row, or, with `down`, in a column. */
static inline void gf_append_lower(gf_lowering *l, const struct append *p, bool down)
{
    const gf_value_id v = gf_lower_input(l), other = gf_lower_picture(l, &p->with);
    const gf_shape a = gf_lower_shape(l, v), b = gf_lower_shape(l, other);
    const int64_t wide = down ? (a.width > b.width ? a.width : b.width) : a.width + p->gap + b.width;
    const int64_t high = down ? a.height + p->gap + b.height : (a.height > b.height ? a.height : b.height);
    const int64_t rest_a = down ? wide - a.width : high - a.height, at_a = rest_a * p->align / 2;
    const int64_t rest_b = down ? wide - b.width : high - b.height, at_b = rest_b * p->align / 2;
    gf_rect first = {.x = down ? at_a : 0, .y = down ? 0 : at_a, .w = a.width, .h = a.height};
    gf_rect second = {.x = down ? at_b : a.width + p->gap,
                      .y = down ? a.height + p->gap : at_b,
                      .w = b.width,
                      .h = b.height};
    const bool has_alpha = l->alpha != GF_ALPHA_NONE && (a.channels == 2 || a.channels == 4);
    const int32_t colours = has_alpha ? a.channels - 1 : a.channels, given = p->colour.columns;
    const double *given_colour = p->colour.values;
    double fill[4] = {0};
    if (given > 1 && given != colours &&
        (given_colour[0] != given_colour[1] || given_colour[1] != given_colour[2])) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "colour has %d numbers, and the picture %d channel%s: %s, or give one", given, colours,
                      colours == 1 ? "" : "s", colours == 1 ? "put rgb before it" : "give as many");
        return;
    }
    for (int32_t c = 0; c < a.channels && given; c++) {
        fill[c] = c == colours ? 1 : given_colour[given == colours ? c : 0];
    }
    const gf_value_id whole =
        gf_lowering_canvas(l, v, (gf_rect){.x = first.x, .y = first.y, .w = wide, .h = high}, fill);
    const gf_value_id beside =
        gf_lowering_canvas(l, other, (gf_rect){.x = second.x, .y = second.y, .w = wide, .h = high}, fill);
    gf_lower_output(l, gf_lowering_beside(l, whole, beside, first, second));
}
