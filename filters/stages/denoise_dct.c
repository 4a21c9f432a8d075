/* denoise_dct: what is small among the frequencies of the blocks around a pixel is noise. */
#include "lower/dct_stage.h"
#include "lower/lowering_private.h"

#include "pixel/whole/dct/denoise.h"

#include <math.h>

struct denoise_dct {
    double sigma, keep;
    int32_t block; /* of BLOCKS */
};

static const int32_t blocks[] = {8, 4};

/* The picture with `more` pixels around it, by the stage's border. */
static gf_value_id extended(gf_lowering *l, gf_value_id v, int64_t more)
{
    const double value = l->node->common.value;
    const int64_t upright = gf_lower_shape(l, v).height == 1 ? 0 : more; /* a signal has one dimension */
    const gf_padding padding = {
        .left = more,
        .right = more,
        .top = upright,
        .bottom = upright,
        .border = l->node->common.border,
        .value = value,
        .alpha = value > 0 ? 1 : 0}; /* outside is opaque, or transparent, as for all windows */
    return gf_lower_pad(l, v, &padding);
}

static struct gf_denoise_args arguments(gf_lowering *l, const struct denoise_dct *p, gf_value_id v)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const double white = gf_lower_white(l, v);
    const bool premultiplied = gf_lowering_weighs(l, shape.channels);
    const uint8_t mask = premultiplied ? 0xf : gf_lowering_mask(l, shape.channels);
    struct gf_denoise_args args = {.block = blocks[p->block]};
    args.upright = shape.height == 1 ? 1 : args.block;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        const double unit = premultiplied && c < shape.channels - 1 ? white * white : white;
        args.threshold[c] = mask >> c & 1 ? (float)(p->sigma * p->keep * unit) : -1.0F;
    }
    return args;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct denoise_dct *p = params;
    const gf_value_id v = gf_lower_input(l);
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return;
    }
    const struct gf_value from = *picture;
    const struct gf_denoise_args args = arguments(l, p, v);
    const gf_value_id wide = gf_lowering_widen(l, extended(l, v, args.block - 1));
    int32_t matrix;
    float *m = gf_lowering_constant(l, GF_F32, 1, (int64_t)args.block * args.block, &matrix);
    if (!m) {
        return;
    }
    gf_lowering_dct_matrix(l, m, args.block);
    const int32_t out = gf_lowering_picture(l, from.width, from.height, from.channels, GF_F32);
    const struct gf_lowering_operands in = {{wide - 1, matrix}, 2}, made = {{out}, 1};
    if (gf_lowering_apply(l, &gf_kernel_denoise, in, made, &args, sizeof args)) {
        const struct gf_window_end end = {.second = v, .depth = from.depth, .weighed = true};
        gf_lower_output(l, gf_lowering_window_end(l, gf_to_id(out), &end));
    }
}

GF_PARAMS({GF_ROW_IN(INTENSITY, denoise_dct, sigma, "0.05", 0, 1),
           .help = "standard deviation of the noise, as 0.05 or 12u8", .positional = 1},
          {GF_ROW_IN(NUMBER, denoise_dct, keep, "3", 0, 100),
           .help = "frequencies below keep * sigma are left out; less keeps more detail, and noise"},
          {GF_ROW(CHOICE, denoise_dct, block, "8"), .choices = "8|4", /* in the order of blocks[] */
           .help = "pixels a side of the blocks; 4 is for fine patterns and little noise"});

GF_EXAMPLES({"denoise_dct:0.05", "takes away noise of 5 % of white, and keeps edges and patterns"},
            {"denoise_dct:12u8:keep=2.5", "noise of 12 levels of a byte; a little less is taken away"});

const gf_stage_type gf_stage_denoise_dct = {
    GF_STAGE_OF(denoise_dct),
    .group = "window",
    .summary = "less noise: small frequencies of the blocks around each pixel are left out",
    .use =
        "For even, grainy noise of known strength, as of sensors in little light: patterns and edges stay\n"
        "that a blur or a median would take with it. stats of a flat place tells sigma.",
    .source = "G. Yu, G. Sapiro, DCT image denoising: a simple and effective image denoising algorithm, "
              "Image Processing On Line 1, 2011.",
    .formula =
        "Each of the 64 blocks of 8 x 8 (16 of 4 x 4) that cover a pixel goes through the cosine transform\n"
        "of dct, has coefficients below keep * sigma, but the mean's, made 0, and comes back; out is the "
        "mean\n"
        "of what they have at the pixel. f32, rounded once; each channel by itself. A signal has blocks of "
        "one\n"
        "row.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
};
