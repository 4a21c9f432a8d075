/* quantize: few colours, found or given. */
#include "pixel/whole/quantize/quantize.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

enum { COLOURS = 16, SPREAD = 32 }; /* the defaults */

struct quantize {
    int64_t colours, spread;
    int32_t dither; /* index of its word: enum gf_quantize_dither */
    gf_list palette;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const uint32_t *palette = m->blocks[0];
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    gf_result_begin_table(builder, "palette", palette[0]);
    uint32_t *index = gf_result_column(builder, "index", NULL, GF_U32);
    uint32_t *colour = gf_result_column(builder, "colour", "r|g|b|a", GF_U32);
    if (!count || !index || !colour) {
        return;
    }
    const bool gray = m->shape.channels < 3, alpha = m->shape.channels % 2 == 0;
    *count = palette[0];
    for (uint32_t i = 0; i < palette[0]; i++) {
        *index++ = i;
        for (int32_t c = 0; c < 3; c++) {
            *colour++ = palette[1 + i] >> (gray ? 0 : 8 * c) & 255;
        }
        *colour++ = alpha ? palette[1 + i] >> (gray ? 8 : 24) & 255 : 255;
    }
}

/* A block of the colours that are given. false after a failure. */
static bool take(gf_lowering *l, const gf_list *list, int32_t channels, int32_t *block)
{
    const double *values = list->more ? list->more : list->values;
    if (list->columns != channels || list->rows < 1 || list->rows > GF_QUANTIZE_MOST) {
        gf_lowering_fail_at(
            l, gf_lowering_row(l, "palette"),
            "palette has %d rows of %d numbers, must have 1 to %d rows of %d, the picture's channels",
            list->rows, list->columns, GF_QUANTIZE_MOST, channels);
        return false;
    }
    uint32_t *palette = gf_lowering_constant(l, GF_U32, 1, GF_QUANTIZE_PALETTE, block);
    if (!palette) {
        return false;
    }
    palette[0] = (uint32_t)list->rows;
    for (int32_t i = 0; i < list->rows * channels; i++) {
        if (!(values[i] >= 0 && values[i] <= 255) || values[i] != (double)(int32_t)values[i]) {
            gf_lowering_fail_at(l, gf_lowering_row(l, "palette"),
                                "palette has %g, must have integers from 0 to 255", values[i]);
            return false;
        }
        palette[1 + i / channels] |= (uint32_t)values[i] << 8 * (i % channels);
    }
    return true;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct quantize *p = params;
    const gf_value_id v = gf_lower_input(l);
    if (!gf_lowering_samples(l, v)) {
        return;
    }
    const gf_shape shape = gf_lower_shape(l, v);
    int32_t given = GF_NONE;
    if (shape.depth != GF_U8) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "palettes are of u8: put convert:u8 in front of it");
        return;
    }
    if (p->spread != SPREAD && p->dither != GF_QUANTIZE_ORDERED) {
        gf_lowering_fail_at(l, gf_lowering_row(l, "spread"), "spread belongs to dither=ordered, the pattern");
        return;
    }
    if (p->palette.rows > 0 && p->colours != COLOURS) {
        gf_lowering_fail_at(
            l, gf_lowering_row(l, "colours"),
            "colours= is how many are found, but palette= gives them: leave one of the two out");
        return;
    }
    if (p->palette.rows > 0 && !take(l, &p->palette, shape.channels, &given)) {
        return;
    }
    const struct gf_quantize_args args = {(int32_t)p->colours, p->dither, (int32_t)p->spread};
    const int32_t out = gf_lowering_picture(l, shape.width, shape.height, shape.channels, GF_U8);
    const int32_t palette = gf_lowering_block(l, GF_U32, 1, GF_QUANTIZE_PALETTE);
    const struct gf_lowering_operands from = {{v - 1, given}, given == GF_NONE ? 1 : 2},
                                      to = {{out, palette}, 2};
    if (gf_lowering_apply(l, &gf_kernel_quantize, from, to, &args, sizeof args)) {
        const gf_value_id block = gf_to_id(palette);
        gf_lower_output(l, gf_to_id(out));
        gf_lower_result(l, v, &block, 1, finish);
        gf_lowering_gathered_bytes(l, gf_quantize_gathered(&shape));
    }
}

GF_PARAMS(
    {GF_ROW_IN(INT, quantize, colours, "16", 2, GF_QUANTIZE_MOST), .help = "how many there are at most",
     .positional = 1},
    {GF_ROW(CHOICE, quantize, dither, "floyd"), .choices = "floyd|ordered|none",
     .help = "floyd: what a pixel lacks goes to its neighbours; ordered: a pattern of 8 x 8 pixels; none: "
             "the nearest colour"},
    {GF_ROW_IN(INT, quantize, spread, "32", 0, 255),
     .help = "of ordered: how far apart what is added to a sample may be, of 255"},
    {GF_ROW(LIST, quantize, palette, ""), .choices = GF_LIST_COLOURS,
     .help = "the colours instead, of bytes, a row each, as [0 0 0; 255 128 0], or a file: of a picture its "
             "colours, "
             "each once, in the order in which rows have them"});

GF_FIELDS({"count", GF_U64, 1, "colours", "how many there are; one value"});

static const gf_stage_field columns[] = {
    {"index", GF_U32, 1, "number", "of the colour, from 0"},
    {"colour", GF_U32, 4, "sample units",
     "r, g, b and a; of gray three times the same; opaque without alpha"},
    {0},
};

static const gf_stage_table tables[] = {
    {"palette", "a row a colour", columns},
    {0},
};

GF_EXAMPLES({"quantize:16", "16 colours, the ones that suit the picture"},
            {"gray,quantize:2", "black and white dots, as printers make them"},
            {"quantize:8:dither=none", "flat areas, as on a poster"},
            {"rgb,alpha:drop,quantize:dither=ordered:palette=[0 0 0; 255 255 255; 200 40 40]",
             "three inks, in a pattern"});

const gf_stage_type gf_stage_quantize = {
    GF_STAGE_OF(quantize),
    .group = "whole",
    .summary = "few colours, found in the picture or given, with dots or without; the palette as a table",
    .use = "For small files, displays of few colours, and the dominant colours of a picture (dither=none, "
           "--table).\n"
           "Of levels that are the same for every picture: posterize.",
    .source =
        "R. Floyd, L. Steinberg, An Adaptive Algorithm for Spatial Greyscale, Proceedings of the Society "
        "for\n"
        "Information Display 17, 1976; B. Bayer, An optimum method for two-level rendition of\n"
        "continuous-tone pictures, ICC 1973; boxes after P. Heckbert, Color Image Quantization for Frame\n"
        "Buffer Display, SIGGRAPH 1982, cut at their means, then eight rounds of k-means.",
    .formula =
        "Of u8. Cells of 5 bits a colour (gray: 8, alpha: 3) count the pixels and add up their samples. The\n"
        "box of cells with the greatest n side^2 is cut behind its mean, until there are enough boxes;\n"
        "colours are the means of boxes, and then, eight times, of the cells that are nearest. A pixel\n"
        "becomes the nearest colour by the sum of squared differences of all channels, of equally near\n"
        "ones the first. floyd: errors go 7/16 right, 3/16, 5/16 and 1/16 below, always from left to\n"
        "right; ordered: Bayer's pattern. Alpha gets neither.",
    .lower = lower,
    .fields = fields,
    .tables = tables,
};
