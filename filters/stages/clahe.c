/* clahe: histogram equalisation of tiles, with a limit. */
#include "pixel/whole/clahe/clahe.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"
#include "param/param_value.h"

#include <string.h>

struct clahe {
    double clip;
    char tiles[GF_PARAM_TEXT_SIZE];
};

/* ACROSSxDOWN. */
static bool read_tiles(const char *text, int64_t *across, int64_t *down)
{
    const size_t length = strlen(text);
    const size_t used = gf_param_digits(text, length, across);
    if (used == 0 || text[used] != 'x') {
        return false;
    }
    const size_t more = gf_param_digits(text + used + 1, length - used - 1, down);
    return more > 0 && used + 1 + more == length;
}

/* false after a failure. */
static bool fits(gf_lowering *l, const struct clahe *p, gf_shape shape, struct gf_clahe_args *args)
{
    int64_t across = 0, down = 0;
    if (!read_tiles(p->tiles, &across, &down) || across < 1 || down < 1 || across > GF_CLAHE_MOST_TILES ||
        down > GF_CLAHE_MOST_TILES) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "tiles is '%s', must be how many across and down, as 8x8, from 1 to %d each", p->tiles,
                      GF_CLAHE_MOST_TILES);
        return false;
    }
    const bool extended = shape.width % across != 0 || shape.height % down != 0;
    *args = (struct gf_clahe_args){.across = (int32_t)across,
                                   .down = (int32_t)down,
                                   .mask = gf_lowering_mask(l, shape.channels),
                                   .tile_w = gf_clahe_tile(shape.width, (int32_t)across, extended),
                                   .tile_h = gf_clahe_tile(shape.height, (int32_t)down, extended),
                                   .clip = p->clip};
    if (args->tile_w > INT32_MAX / args->tile_h) {
        gf_lower_fail(l, GF_ERROR_LIMIT, "tiles of %lld x %lld pixels: one may have %d, so take more of them",
                      (long long)args->tile_w, (long long)args->tile_h, INT32_MAX);
        return false;
    }
    return true;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct clahe *p = params;
    const gf_value_id v = gf_lower_input(l);
    struct gf_clahe_args args;
    if (!gf_lowering_samples(l, v)) {
        return;
    }
    const gf_shape shape = gf_lower_shape(l, v);
    if (!fits(l, p, shape, &args)) {
        return;
    }
    const gf_value_id range = gf_lower_range(l, v);
    const int32_t out = gf_lowering_picture(l, shape.width, shape.height, shape.channels, shape.depth);
    const struct gf_lowering_operands from = {{v - 1, range - 1}, range ? 2 : 1}, to = {{out}, 1};
    if (gf_lowering_apply(l, &gf_kernel_clahe, from, to, &args, sizeof args)) {
        gf_lower_output(l, gf_to_id(out));
    }
}

GF_PARAMS({GF_ROW_IN(NUMBER, clahe, clip, "2", 0, 1000000),
           .help = "how many times its even share a value may count, which bounds the contrast; 0: no limit",
           .positional = 1},
          {GF_ROW(TEXT, clahe, tiles, "8x8"), .help = "how many across and down, up to 32x32"});

GF_EXAMPLES({"gray,clahe", "brings out what lies in shadows and in bright places alike"},
            {"gray,clahe:4:tiles=4x4", "more contrast, from larger surroundings"},
            {"gray,clahe:clip=0:tiles=16x16", "all the contrast that there is, noise with it"});

const gf_stage_type gf_stage_clahe = {
    GF_STAGE_OF(clahe),
    .aliases = "adapthist",
    .group = "histogram",
    .summary = "spread the values evenly over the scale, each region by itself, with a limit to the contrast",
    .use = "Where light differs across the picture: X-rays, microscopy, night. For one light, equalize does.",
    .source =
        "K. Zuiderveld, Contrast Limited Adaptive Histogram Equalization, Graphics Gems IV, 1994; u8 and "
        "u16\nhave the bytes of OpenCV's createCLAHE, tiles being its grid, clip its clipLimit.",
    .formula =
        "The picture is cut into tiles, extended by border reflect101 to have them alike. Of n samples in a\n"
        "tile no value counts more than clip n / N, N = 256 for u8 and 65536 for u16; what is beyond is\n"
        "handed out to all. A value maps to white / n times the counts up to it, rounded; a pixel to the\n"
        "four nearest tiles' results, mixed by how far their middles are. f32: 65536 bins over [min, max] "
        "of\n"
        "the picture, far outliers counting in the last ones, tables not rounded, NaN stays. Each channel "
        "by\n"
        "itself; roi= is not taken: crop does that.",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .lower = lower,
};
