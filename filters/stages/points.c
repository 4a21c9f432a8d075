/* points: where the picture is in an interval; it passes unchanged. */
#include "gpufilter/stage.h"
#include "lower/points_stage.h"

struct points {
    double min, max;
    int64_t limit;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    gf_points_table(m, builder, "points", SIZE_MAX);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct points *p = params;
    const gf_value_id v = gf_lower_input(l);
    struct gf_points_args args = {.first = 0};
    struct gf_points_found found;
    if (!gf_lowering_samples(l, v)) {
        return;
    }
    if (!(p->min <= p->max)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "min must not be greater than max");
        return;
    }
    for (int32_t c = 0; c < GF_PICTURE_CHANNELS; c++) {
        args.lo[c] = (float)(p->min * gf_lower_white(l, v));
        args.hi[c] = (float)(p->max * gf_lower_white(l, v));
    }
    gf_lowering_points(l, v, &args, p->limit, finish, &found);
}

GF_PARAMS({GF_ROW_IN(INTENSITY, points, min, "0.5", -1e6, 1e6), .help = "the least value of a point",
           .positional = 1},
          {GF_ROW_IN(INTENSITY, points, max, "1", -1e6, 1e6), .help = "the greatest"},
          {GF_ROW_IN(INT, points, limit, "0", 0, 2147483647),
           .help = "only the first so many rows, and memory for no more; 0: all. count stays the true one"});

GF_FIELDS({"count", GF_U64, 1, "pixels",
           "how many points there are, however many rows limit leaves; one value"});

static const gf_stage_table tables[] = {
    {"points", "a row a point, row by row from the top left", gf_points_columns},
    {0},
};

GF_EXAMPLES({"gray,points:0.9", "lists the lightest pixels"},
            {"points:200u8:channels=r:limit=100",
             "lists the first hundred pixels whose red is at least 200"});

const gf_stage_type gf_stage_points = {
    GF_STAGE_OF(points),
    .group = "measure",
    .summary = "x, y and value of the pixels in an interval; the picture passes unchanged",
    .use = "To hand places on to other programs: stars, defects, seeds. limit=1 counts them, and keeps no "
           "table.",
    .formula =
        "The pixels whose samples lie in [min, max], both ends within, in raster order. Of a picture of\n"
        "several channels every measured one must. NaN is never a point; alpha is not measured. The table\n"
        "takes 8 bytes a pixel and 4 for each channel, twice, unless limit bounds it.",
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .fields = fields,
    .tables = tables,
};
