/* Slopes of a picture: differences along one axis, smoothed along the other. */
#pragma once

#include "pixel/ir/kernel_table.h"

/* The window of gf_kernel_gradient, c -> 2 c channels: [-1 0 1] across [side middle side], x first, then y.
 * u8 -> s16, exact integers, `unit` times the value; u16 and f32 -> f32. */
struct gf_gradient_args {
    int32_t side, middle, unit;     /* u8: unit is 2 side + middle */
    float float_side, float_middle; /* u16, f32: their sum is 1 */
};

enum gf_gradient_operator { GF_GRADIENT_SOBEL, GF_GRADIENT_SCHARR, GF_GRADIENT_PREWITT };

static inline struct gf_gradient_args gf_gradient_make(enum gf_gradient_operator name)
{
    static const int32_t weights[3][2] = {{1, 2}, {3, 10}, {1, 1}};
    struct gf_gradient_args args = {weights[name][0], weights[name][1], 0, 0, 0};
    args.unit = 2 * args.side + args.middle;
    args.float_side = (float)args.side / (float)args.unit;
    args.float_middle = (float)args.middle / (float)args.unit;
    return args;
}

GF_WINDOW_ARGS_OF(gf_gradient_args)
