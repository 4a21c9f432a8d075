/* pixelate: blocks of one colour. */
#include "lower/lowering_private.h"

struct pixelate {
    int64_t size;
};

/* The mean of each block of n x n pixels of v, from its upper left corner on, in all of the block's pixels.
 * Of a block that the picture cuts it is the mean of what there is. */
static gf_value_id blocks(gf_lowering *l, gf_value_id v, int64_t n)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const int64_t across = (shape.width + n - 1) / n, down = (shape.height + n - 1) / n;
    const gf_value_id means = gf_lowering_resize(l, v, (double)(across * n), (double)(down * n), across, down,
                                                 GF_FILTER_BOX, GF_LIGHT_STORED);
    const double middle = (double)(n - 1) / 2;
    const gf_warp up = {.m = {(double)n, 0, middle, 0, (double)n, middle, 0, 0, 1},
                        .width = shape.width,
                        .height = shape.height,
                        .filter = GF_INTERPOLATE_NEAREST};
    return n > 1 ? gf_lower_warp(l, means, &up) : v;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct pixelate *p = params;
    const gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    const gf_rect given = l->node->common.roi.rect;
    const gf_rect roi = given.w ? given : (gf_rect){.w = shape.width, .h = shape.height};
    const gf_value_id part = given.w ? gf_lower_crop(l, v, roi) : v;
    const gf_padding rest = {.left = roi.x,
                             .right = shape.width - roi.x - roi.w,
                             .top = roi.y,
                             .bottom = shape.height - roi.y - roi.h};
    l->weighed = p->size > 1 && gf_lowering_weighs(l, shape.channels);
    const gf_value_id made = blocks(l, part, p->size);
    gf_lower_output(l, gf_lowering_kept(l, v, given.w ? gf_lower_pad(l, made, &rest) : made));
}

GF_PARAMS({GF_ROW_IN(INT, pixelate, size, "12", 1, 100000), .unit = "px",
           .help = "width and height of a block", .positional = 1});

GF_EXAMPLES({"pixelate:12", "the picture in blocks of 12 x 12 pixels"},
            {"pixelate:16:roi=80x60+60+40", "a face or a number plate that nobody shall know"},
            {"pixelate:10:roi=ellipse@90x90+60+30", "the same in an ellipse"});

const gf_stage_type gf_stage_pixelate = {
    GF_STAGE_OF(pixelate),
    .group = "geometry",
    .summary = "blocks of one colour each: pixelate:12",
    .use =
        "To make a part of a picture unrecognisable: blocks should be a good part of it, an eighth or more.",
    .formula =
        "Each pixel becomes the mean of its block of size x size pixels, counted from the upper left corner "
        "of\n"
        "the picture, or of the roi, of whose pixels alone then means are made; a block that an edge cuts "
        "has\n"
        "the mean of what there is. As resize with filter=box: along rows first, u8 rounded in between.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
};
