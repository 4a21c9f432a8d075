/* points: where the picture is in an interval; it passes unchanged. */
#include "pixel/points.h"
#include "channel_parts.h"
#include "gpufilter/stage.h"
#include "lowering_private.h"

#include <string.h>

struct points {
    double min, max;
    int64_t limit;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const uint64_t *counts = m->blocks[0];
    const uint32_t *places = m->blocks[1];
    size_t rows = (size_t)counts[0], measured = (size_t)__builtin_popcount(m->channels);
    const char *parts = gf_channel_parts(m->shape.channels, m->channels);
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    gf_result_begin_table(builder, "points", (int64_t)rows);
    uint32_t *x = gf_result_column(builder, "x", NULL, GF_U32);
    uint32_t *y = gf_result_column(builder, "y", NULL, GF_U32);
    float *value = gf_result_column(builder, "value", parts, GF_F32);
    if (!count || !x || !y || !value) {
        return;
    }
    *count = counts[1];
    for (size_t i = 0; i < rows; i++) {
        x[i] = places[2 * i];
        y[i] = places[2 * i + 1];
    }
    memcpy(value, m->blocks[2], rows * measured * sizeof *value);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct points *p = params;
    gf_value_id v = gf_lower_input(l);
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return;
    }
    if (!(p->min <= p->max)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "min must not be greater than max");
        return;
    }
    gf_rect roi = l->node->common.roi;
    gf_shape shape = gf_lower_shape(l, v);
    struct gf_points_args args = {.roi = roi.w ? roi : (gf_rect){0, 0, shape.width, shape.height},
                                  .lo = (float)(p->min * gf_lower_white(l, v)),
                                  .hi = (float)(p->max * gf_lower_white(l, v)),
                                  .mask = gf_lowering_mask(l, shape.channels)};
    int32_t measured = __builtin_popcount(args.mask);
    int64_t most = args.roi.w * args.roi.h;
    most = p->limit && p->limit < most ? p->limit : most;
    int32_t counts = gf_lowering_block(l, GF_U64, 1, 2);
    int32_t places = gf_lowering_rows(l, GF_U32, 2, most, counts);
    int32_t values = gf_lowering_rows(l, GF_F32, measured ? measured : 1, most, counts);
    const struct gf_lowering_operands in = {{v - 1}, 1}, out = {{counts, places, values}, 3};
    if (gf_lowering_apply(l, &gf_kernel_points, in, out, &args, sizeof args)) {
        const gf_value_id blocks[] = {gf_to_id(counts), gf_to_id(places), gf_to_id(values)};
        gf_lower_result(l, v, blocks, 3, finish);
        gf_lower_result_bytes(l, (uint64_t)most * (2 + (uint64_t)measured) * sizeof(float));
    }
}

static const gf_param params[] = {
    {.name = "min",
     .type = GF_PARAM_INTENSITY,
     .offset = offsetof(struct points, min),
     .text = "0.5",
     .min = -1e6,
     .max = 1e6,
     .help = "the least value of a point",
     .positional = 1},
    {.name = "max",
     .type = GF_PARAM_INTENSITY,
     .offset = offsetof(struct points, max),
     .text = "1",
     .min = -1e6,
     .max = 1e6,
     .help = "the greatest"},
    {.name = "limit",
     .type = GF_PARAM_INT,
     .offset = offsetof(struct points, limit),
     .text = "0",
     .min = 0,
     .max = 2147483647,
     .help = "only the first so many rows, and memory for no more; 0: all. count stays the true one"},
    {0},
};

static const gf_stage_field fields[] = {
    {"count", GF_U64, 1, "pixels", "how many points there are, however many rows limit leaves; one value"},
    {0},
};

static const gf_stage_field columns[] = {
    {"x", GF_U32, 1, "pixels", "column, from 0"},
    {"y", GF_U32, 1, "pixels", "row, from 0"},
    {"value", GF_F32, 0, "sample units", "the samples that were measured, exact"},
    {0},
};

static const gf_stage_table tables[] = {
    {"points", "a row a point, row by row from the top left", columns},
    {0},
};

static const gf_example examples[] = {
    {"gray,points:0.9", "lists the lightest pixels"},
    {"points:200u8:channels=r:limit=100", "lists the first hundred pixels whose red is at least 200"},
    {0},
};

const gf_stage_type gf_stage_points = {
    .struct_size = sizeof(gf_stage_type),
    .name = "points",
    .group = "measure",
    .summary = "x, y and value of the pixels in an interval; the picture passes unchanged",
    .use = "To hand places on to other programs: stars, defects, seeds. limit=1 counts them, and keeps no "
           "table.",
    .formula =
        "The pixels whose samples lie in [min, max], both ends within, in raster order. Of a picture of\n"
        "several channels every measured one must. NaN is never a point; alpha is not measured. The table\n"
        "takes 8 bytes a pixel and 4 for each channel, twice, unless limit bounds it.",
    .params = params,
    .params_size = sizeof(struct points),
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .fields = fields,
    .examples = examples,
    .tables = tables,
};
