/* label: connected regions, numbered and measured. */
#include "pixel/whole/label/label.h"
#include "base/gf_order.h"
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

#include <math.h>

struct label {
    int64_t min_area, max_area, largest;
    int32_t connectivity, of, border, output; /* indices of their words */
};

static double sample_of(gf_depth depth, uint32_t key)
{
    return depth == GF_F32 ? (double)gf_unkey_f32(key) : key;
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    uint64_t found = *(const uint64_t *)m->blocks[0];
    const struct gf_region *region = m->blocks[1];
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    gf_result_begin_table(builder, "regions", (int64_t)found);
    uint32_t *label = gf_result_column(builder, "label", NULL, GF_U32);
    uint64_t *area = gf_result_column(builder, "area", NULL, GF_U64);
    uint32_t *box = gf_result_column(builder, "box", "x|y|w|h", GF_U32);
    double *centroid = gf_result_column(builder, "centroid", "x|y", GF_F64);
    double *mean = gf_result_column(builder, "mean", NULL, GF_F64);
    double *least = gf_result_column(builder, "min", NULL, GF_F64);
    double *greatest = gf_result_column(builder, "max", NULL, GF_F64);
    if (!count || !label || !area || !box || !centroid || !mean || !least || !greatest) {
        return;
    }
    *count = found;
    for (uint64_t i = 0; i < found; i++, region++) {
        *label++ = (uint32_t)(i + 1);
        *area++ = region->area;
        *box++ = region->left;
        *box++ = region->top;
        *box++ = region->right - region->left + 1;
        *box++ = region->bottom - region->top + 1;
        *centroid++ = (double)region->sum_x / (double)region->area;
        *centroid++ = (double)region->sum_y / (double)region->area;
        *least = sample_of(m->shape.depth, region->least);
        *mean++ = region->least == region->greatest ? *least
                  : m->shape.depth == GF_F32        ? (double)NAN
                                                    : (double)region->sum_v / (double)region->area;
        least++;
        *greatest++ = sample_of(m->shape.depth, region->greatest);
    }
}

/* Returns how many regions of at least min_area pixels a picture may have. */
static int64_t most_regions(const struct label *p, const struct gf_label_args *args, const gf_shape *shape)
{
    int64_t pixels = shape->width * shape->height, most = (pixels + 1) / 2;
    if (args->equal) {
        most = pixels;
    } else if (args->connectivity == 8) {
        most = ((shape->width + 1) / 2) * ((shape->height + 1) / 2);
    }
    int64_t large = pixels / p->min_area > 1 ? pixels / p->min_area : 1;
    most = large < most ? large : most;
    return p->largest > 0 && p->largest < most ? p->largest : most;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct label *p = params;
    gf_value_id v = gf_lower_input(l);
    if (!gf_lowering_gray(l, v)) {
        return;
    }
    gf_shape shape = gf_lower_shape(l, v);
    if (shape.width > (int64_t)(UINT32_MAX - 1) / shape.height) {
        gf_lower_fail(l, GF_ERROR_LIMIT, "%lld x %lld pixels: numbers of u32 reach for 4294967294",
                      (long long)shape.width, (long long)shape.height);
        return;
    }
    if (p->max_area < p->min_area) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "max_area is %lld and min_area %lld: no region is both",
                      (long long)p->max_area, (long long)p->min_area);
        return;
    }
    const struct gf_label_args args = {.min_area = p->min_area,
                                       .max_area = p->max_area,
                                       .largest = p->largest,
                                       .drops_border = p->border,
                                       .connectivity = p->connectivity ? 8 : 4,
                                       .equal = p->of,
                                       .output = p->output};
    const bool colours = args.output == GF_LABEL_COLOURS;
    gf_depth depth = args.output == GF_LABEL_NUMBERS ? GF_U32 : colours ? GF_U8 : shape.depth;
    int64_t most = most_regions(p, &args, &shape);
    int32_t picture = gf_lowering_picture(l, shape.width, shape.height, colours ? 3 : 1, depth);
    int32_t counts = gf_lowering_block(l, GF_U64, 1, 2);
    int32_t regions = gf_lowering_rows(l, GF_U64, GF_REGION_WORDS, most, counts);
    const struct gf_lowering_operands in = {{v - 1}, 1}, out = {{picture, counts, regions}, 3};
    if (gf_lowering_apply(l, &gf_kernel_label, in, out, &args, sizeof args)) {
        const gf_value_id blocks[] = {gf_to_id(counts), gf_to_id(regions)};
        gf_lower_output(l, gf_to_id(picture));
        gf_lower_result(l, v, blocks, 2, finish);
        gf_lowering_gathered_bytes(l, (uint64_t)most * 68); /* of a row of the table */
    }
}

GF_PARAMS(
    {GF_ROW(CHOICE, label, connectivity, "8"), .choices = "4|8",
     .help = "4: neighbours share an edge; 8: or a corner", .positional = 1},
    {GF_ROW(CHOICE, label, of, "nonzero"), .choices = "nonzero|equal",
     .help = "nonzero: all that is not 0 belongs together; equal: only equal values"},
    {GF_ROW_IN(INT, label, min_area, "1", 1, 2147483647), .unit = "px",
     .help = "regions of fewer pixels are left out"},
    {GF_ROW_IN(INT, label, max_area, "4294967294", 1, 4294967294.0), .unit = "px",
     .help = "regions of more pixels are left out"},
    {GF_ROW_IN(INT, label, largest, "0", 0, 2147483647),
     .help = "only that many regions are kept, the largest of those that are left, of equal areas the first "
             "ones; 0: all"},
    {GF_ROW(CHOICE, label, border, "keep"), .choices = "keep|drop",
     .help = "drop: regions that touch the edge of the picture are left out, of which more may lie outside"},
    {GF_ROW(CHOICE, label, output, "labels"),
     .choices = "labels|mask|keep|colours", /* in the order of gf_label_output */
     .help = "labels: numbers, u32, for .npy; mask: white in regions; keep: what was there; colours: one a "
             "region, RGB u8; else 0"});

GF_FIELDS({"count", GF_U64, 1, "regions", "how many there are; one value"});

static const gf_stage_field columns[] = {
    {"label", GF_U32, 1, "number", "of the region, from 1"},
    {"area", GF_U64, 1, "pixels", "how many it has"},
    {"box", GF_U32, 4, "pixels", "x, y, w, h of the smallest rectangle around it"},
    {"centroid", GF_F64, 2, "pixels", "the mean of x, and of y"},
    {"mean", GF_F64, 1, "sample units", "of its samples, from an exact sum; NaN where f32 differs"},
    {"min", GF_F64, 1, "sample units", "the least of its samples"},
    {"max", GF_F64, 1, "sample units", "the greatest of them"},
    {0},
};

static const gf_stage_table tables[] = {
    {"regions", "a row a region, in the order of their numbers", columns},
    {0},
};

GF_EXAMPLES({"gray,threshold:otsu,label:output=colours",
             "counts and measures the light regions, and shows them"},
            {"gray,threshold:0.6,label:4:min_area=20:output=mask",
             "leaves out specks of less than 20 pixels"},
            {"gray,threshold:otsu,label:largest=1:output=keep", "only what hangs together most"});

const gf_stage_type gf_stage_label = {
    GF_STAGE_OF(label),
    .aliases = "components",
    .group = "whole",
    .summary =
        "connected regions: their numbers as a picture, area, box, centroid, mean, min and max as a table",
    .use = "To count and measure separate things after a threshold: cells, letters, particles.",
    .source =
        "Numbers as SciPy's ndimage.label gives them. CUDA: runs of 32 pixels as in A. Hennequin,\n"
        "L. Lacassagne, L. Cabaret, Q. Meunier, A new Direct Connected Component Labeling and Analysis\n"
        "Algorithms for GPUs, DASIP 2018, united as in D. Playne, K. Hawick, A New Algorithm for Parallel\n"
        "Connected-Component Labelling on GPUs, IEEE Transactions on Parallel and Distributed Systems 29, "
        "2018.",
    .formula =
        "Pixels that are not 0, and neighbours, belong to one region. Regions are numbered from 1 in the\n"
        "raster order of their first pixels, those left out not counted. NaN is outside. Of a gray\n"
        "picture; a second channel is not looked at, and is left out. Areas and sums are exact. Colours\n"
        "depend on the number alone: the first 65536 have one each, far from black, and of 64 that follow\n"
        "each other any two differ by 13 of 255 or more in some channel.",
    .lower = lower,
    .fields = fields,
    .tables = tables,
};
