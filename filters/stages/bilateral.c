/* bilateral: the mean of neighbours that are near and alike. */
#include "pixel/window/bilateral/bilateral.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

#include <math.h>

enum { MOST_RADIUS = 50 };

struct bilateral {
    double sigma, range;
    int64_t radius;
};

static int32_t radius_of(const struct bilateral *p)
{
    if (p->radius != GF_AUTO) {
        return (int32_t)p->radius;
    }
    const double wide = rint(1.5 * p->sigma);
    return wide < 1 ? 1 : wide > MOST_RADIUS ? MOST_RADIUS : (int32_t)wide;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct bilateral *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    const double white = gf_lower_white(l, v), log2_e = 1.4426950408889634;
    const bool premultiplied = gf_lowering_weighs(l, shape.channels);
    const uint8_t mask = premultiplied ? 0xf : gf_lowering_mask(l, shape.channels);
    struct gf_bilateral_args args = {.fall = log2_e / (2 * p->sigma * p->sigma),
                                     .reach = (float)(sqrt(log2_e / 2) / (p->range * white)),
                                     .radius = radius_of(p)};
    if (!(p->range > 0) || !(args.reach > 0) || !(args.reach <= 3.4e38F)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "range=%g is not a standard deviation: give one above 0, from 1e-36 to 1e36", p->range);
        return;
    }
    args.radius_y = shape.height == 1 ? 0 : args.radius;
    for (int32_t c = 0; c < shape.channels && c < GF_BILATERAL_CHANNELS; c++) {
        const bool weighed = premultiplied && c < shape.channels - 1; /* it is white times as large */
        args.channel[c] = mask >> c & 1 ? weighed ? (float)(1 / white) : 1.0F : 0.0F;
    }
    gf_lower_output(l, gf_lowering_window(l, v, &gf_kernel_bilateral, &args, sizeof args));
}

GF_PARAMS({GF_ROW_IN(NUMBER, bilateral, sigma, "2", 0.05, 10000), .unit = "px",
           .help = "standard deviation in space: how near a neighbour has to be", .positional = 1},
          {GF_ROW_IN(INTENSITY, bilateral, range, "0.1", 0.0001, 100),
           .help = "standard deviation of values: how alike; edges much higher than this stay"},
          {GF_ROW_IN(INT, bilateral, radius, "auto", 0, MOST_RADIUS), .unit = "px", .auto_word = "auto",
           .help = "of the round window; auto: 1.5 sigma to the nearest, 1 to 50"});

GF_EXAMPLES({"bilateral", "smooths noise and skin, and leaves edges sharp"},
            {"bilateral:sigma=10:range=25u8:radius=4", "as OpenCV's bilateralFilter with d=9, 25 and 10"});

const gf_stage_type gf_stage_bilateral = {
    GF_STAGE_OF(bilateral),
    .group = "window",
    .summary = "smooths, and keeps edges: mean of what is near and alike",
    .formula =
        "sum w v / sum w over the pixels with dx^2 + dy^2 <= radius^2, where\n"
        "w = exp(-(dx^2 + dy^2) / (2 sigma^2)) exp(-d^2 / (2 range^2)) and d is the sum of the absolute\n"
        "differences to the pixel in the middle, over the channels that the stage acts on. A signal (height "
        "1)\n"
        "is smoothed along x only. A NaN or infinite pixel stays as it is, and no other looks at it.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .use = "To take noise out of a picture before edges are found or colours are reduced. range is about "
           "twice the\n"
           "noise; larger, and edges go too. The time grows with the square of the radius.",
    .source = "Tomasi and Manduchi, \"Bilateral filtering for gray and color images\", 1998; round window, "
              "default\n"
              "radius and the difference of colours as in OpenCV's bilateralFilter.",
};
