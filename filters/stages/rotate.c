/* rotate: by any angle; quarter turns lose nothing. */
#include "stages/rotate.h"
#include "param/sine_pi.h"
#include "stages/outside_rows.h"

#include <math.h>

/* Pixels that hold a side of that length: one that is too long by rounding alone is no pixel more. */
static int64_t whole_side(double length)
{
    const double whole = ceil(length - 1e-6);
    return whole < 1 ? 1 : (int64_t)whole;
}

void gf_rotate_lower(gf_lowering *l, const void *params)
{
    const struct rotate *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    const double quarters = p->angle / 90;
    if (quarters == floor(quarters) && (p->expand || (int64_t)quarters % 2 == 0)) {
        gf_lower_output(l, gf_lower_rotate(l, v, (int64_t)quarters));
        return;
    }
    struct gf_outside outside = {(gf_border)p->border, p->value, p->alpha, {{0}, 0}};
    if (!gf_lowering_outside(l, v, &p->colour, &outside)) {
        return;
    }
    const double s = gf_sine_pi(p->angle / 180), c = gf_sine_pi(p->angle / 180 + 0.5);
    const double w = (double)shape.width, h = (double)shape.height;
    gf_warp warp = {.width = p->expand ? whole_side(fabs(w * c) + fabs(h * s)) : shape.width,
                    .height = p->expand ? whole_side(fabs(w * s) + fabs(h * c)) : shape.height,
                    .filter = (gf_interpolation)p->filter,
                    .border = outside.border,
                    .value = outside.value,
                    .alpha = outside.alpha,
                    .colour = outside.colour};
    const double x = (w - 1) / 2, y = (h - 1) / 2; /* the middle, which stays */
    const double to_x = ((double)warp.width - 1) / 2, to_y = ((double)warp.height - 1) / 2;
    const double m[9] = {c, -s, to_x - (c * x - s * y), s, c, to_y - (s * x + c * y), 0, 0, 1};
    for (int i = 0; i < 9; i++) {
        warp.m[i] = m[i];
    }
    gf_lower_output(l, gf_lower_warp(l, v, &warp));
}

GF_PARAMS({GF_ROW_IN(NUMBER, rotate, angle, "90", -360, 360), .unit = "deg",
           .help = "clockwise; negative: the other way round", .positional = 1},
          {GF_ROW(BOOL, rotate, expand, "on"),
           .help = "on: large enough for all corners; off: as large as before"},
          GF_INTERPOLATION_ROW(rotate, "what lies between pixels, but for quarter turns"),
          GF_OUTSIDE_ROWS(rotate, "constant", "what lies outside the picture", "its"));

GF_EXAMPLES({"rotate:90", "turns clockwise: the left side becomes the top"},
            {"rotate:-90", "turns the other way: the right side becomes the top"},
            {"rotate:2.5:filter=cubic:colour=white", "straightens a scan; the new corners are white"},
            {"rotate:30:expand=off", "cuts off the corners that the turn moves outside"});

const gf_stage_type gf_stage_rotate = {
    GF_STAGE_OF(rotate),
    .group = "geometry",
    .summary = "turned clockwise: rotate:90, rotate:2.5",
    .use = "For quarters of a turn, which lose nothing, and to straighten what hangs askew.",
    .formula =
        "90: out(x, y) = in(y, height - 1 - x), height of in. 180: in(width - 1 - x, height - 1 - y).\n"
        "270: in(width - 1 - y, x). No bit of a sample changes, in any depth. Other angles, and odd "
        "quarters\n"
        "with expand=off: as warp, about the middle of the picture, which becomes that of the result. "
        "expand:\n"
        "width = ceil(abs(w cos) + abs(h sin)), height = ceil(abs(w sin) + abs(h cos)).",
    .lower = gf_rotate_lower,
};
