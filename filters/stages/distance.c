/* distance: how far it is to the nearest pixel that is 0. */
#include "pixel/whole/distance/distance.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct distance {
    int32_t metric, output; /* indices of their words */
};

static gf_depth depth_of(const struct gf_distance_args *args)
{
    return args->nearest ? GF_U32 : args->metric == GF_DISTANCE_SQUARED ? GF_U64 : GF_F32;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct distance *p = params;
    const struct gf_distance_args args = {.metric = p->metric, .nearest = p->output};
    gf_value_id v = gf_lower_input(l);
    if (!gf_lowering_gray(l, v)) {
        return;
    }
    gf_shape shape = gf_lower_shape(l, v);
    if (args.nearest && shape.width > (int64_t)UINT32_MAX / shape.height) {
        gf_lower_fail(l, GF_ERROR_LIMIT, "%lld x %lld pixels: places of u32 reach for 4294967295",
                      (long long)shape.width, (long long)shape.height);
        return;
    }
    int32_t picture = gf_lowering_picture(l, shape.width, shape.height, 1, depth_of(&args));
    const struct gf_lowering_operands in = {{v - 1}, 1}, out = {{picture}, 1};
    if (gf_lowering_apply(l, &gf_kernel_distance, in, out, &args, sizeof args)) {
        gf_lower_output(l, gf_to_id(picture));
    }
}

GF_PARAMS(
    {GF_ROW(CHOICE, distance, metric, "l2"),
     .choices = "l2|squared|l1|chessboard", /* in the order of gf_distance_metric */
     .help = "l2: Euclidean; squared: its square, an integer; l1: steps to four sides; chessboard: to eight",
     .positional = 1},
    {GF_ROW(CHOICE, distance, output, "distance"), .choices = "distance|nearest",
     .help = "distance: how far it is, f32, or u64 if squared; nearest: where it is, y * width + x, u32"});

GF_EXAMPLES({"gray,threshold:otsu,distance,matrix:0.05",
             "how deep inside the light regions, white from 20 pixels on"},
            {"gray,threshold:otsu,invert,distance:output=nearest", "which light pixel is nearest"});

const gf_stage_type gf_stage_distance = {
    GF_STAGE_OF(distance),
    .aliases = "edt",
    .group = "whole",
    .summary = "how far each pixel that is not 0 is from the nearest that is, or which one that is",
    .use =
        "To find middles, widths and gaps after a threshold: how thick a stroke is, how far cells lie apart.",
    .source =
        "A. Meijster, J. Roerdink, W. Hesselink, A General Algorithm for Computing Distance Transforms in\n"
        "Linear Time, 2000.",
    .formula =
        "In pixels, between their centres. Exact: squared distances are integers, their root is rounded\n"
        "once, to f32. Without any 0 in the picture distances are infinite, squared ones 2^64 - 1 and\n"
        "places 2^32 - 1. Of sites equally near the first in raster order is the nearest. NaN counts as\n"
        "0. Of a gray picture; a second channel is not looked at, and is left out.",
    .lower = lower,
};
