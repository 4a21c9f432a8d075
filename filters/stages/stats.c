/* stats: numbers of the picture, which passes unchanged. */
#include "gpufilter/stage.h"
#include "pixel/ir/op.h"

#include <math.h>
#include <stdbool.h>

/* The fields of the result, each with room for every measured channel. */
struct columns {
    double *least, *greatest, *mean, *stddev, *sum;
    uint64_t *count, *nan, *at_least, *at_greatest;
};

/* Population variance. Integer sums are exact, so a constant picture has exactly none. */
static double variance_of(const struct gf_stats_block *block, bool is_float)
{
    double n = (double)block->count;
    if (is_float) {
        double mean = block->sum_f / n;
        return block->square_f / n - mean * mean;
    }
    __extension__ typedef unsigned __int128 wide;
    wide numerator = (wide)block->count * block->square_u - (wide)block->sum_u * block->sum_u;
    return (double)numerator / (n * n);
}

/* NaN has the same bits on every device. */
static double one_nan(double value)
{
    return isnan(value) ? NAN : value;
}

static void fill(const struct gf_stats_block *block, const gf_shape *shape, const struct columns *to,
                 int32_t row)
{
    double n = (double)block->count;
    bool is_float = shape->depth == GF_F32;
    double sum = one_nan(is_float ? block->sum_f : (double)block->sum_u);
    double variance = block->count ? variance_of(block, is_float) : NAN;
    to->least[row] = block->count ? block->least : NAN;
    to->greatest[row] = block->count ? block->greatest : NAN;
    to->mean[row] = one_nan(sum / n);
    to->stddev[row] = variance <= 0 ? 0 : one_nan(sqrt(variance));
    to->sum[row] = sum;
    to->count[row] = block->count;
    to->nan[row] = block->nan;
    if (block->count) {
        to->at_least[2 * row] = (uint64_t)(block->at_least % shape->width);
        to->at_least[2 * row + 1] = (uint64_t)(block->at_least / shape->width);
        to->at_greatest[2 * row] = (uint64_t)(block->at_greatest % shape->width);
        to->at_greatest[2 * row + 1] = (uint64_t)(block->at_greatest / shape->width);
    }
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    int32_t n = __builtin_popcount(m->channels);
    struct columns to = {
        .least = gf_result_f64(builder, "min", n, 1),
        .greatest = gf_result_f64(builder, "max", n, 1),
        .mean = gf_result_f64(builder, "mean", n, 1),
        .stddev = gf_result_f64(builder, "stddev", n, 1),
        .sum = gf_result_f64(builder, "sum", n, 1),
        .count = gf_result_u64(builder, "count", n, 1),
        .nan = gf_result_u64(builder, "nan", n, 1),
        .at_least = gf_result_u64(builder, "argmin", n, 2),
        .at_greatest = gf_result_u64(builder, "argmax", n, 2),
    };
    if (!to.least || !to.greatest || !to.mean || !to.stddev || !to.sum || !to.count || !to.nan ||
        !to.at_least || !to.at_greatest) {
        return;
    }
    const struct gf_stats_block *blocks = m->blocks[0];
    for (int32_t c = 0, row = 0; c < m->shape.channels; c++) {
        if (m->channels >> c & 1) {
            fill(&blocks[c], &m->shape, &to, row++);
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    gf_value_id block = gf_lower_stats(l, v);
    gf_lower_result(l, v, &block, 1, finish);
}

static const gf_stage_field fields[] = {
    {"min", GF_F64, 1, "sample units", "the least sample"},
    {"max", GF_F64, 1, "sample units", "the greatest sample"},
    {"mean", GF_F64, 1, "sample units", "the mean; NaN where nothing was counted"},
    {"stddev", GF_F64, 1, "sample units", "the standard deviation of the population"},
    {"sum", GF_F64, 1, "sample units", "the sum of all samples"},
    {"count", GF_U64, 1, "samples", "how many were measured, without NaN"},
    {"nan", GF_U64, 1, "samples", "how many are NaN"},
    {"argmin", GF_U64, 2, "pixels", "x, y of the first least sample in raster order"},
    {"argmax", GF_U64, 2, "pixels", "x, y of the first greatest sample in raster order"},
    {0},
};

static const gf_example examples[] = {
    {"stats", "prints least, greatest, mean and deviation of each channel"},
    {"stats:roi=64x64+190+180:name=sun", "measures one rectangle, and calls the result sun"},
    {0},
};

const gf_stage_type gf_stage_stats = {
    .struct_size = sizeof(gf_stage_type),
    .name = "stats",
    .aliases = "statistics",
    .group = "measure",
    .summary = "min max mean stddev sum count argmin argmax of each channel; the picture passes unchanged",
    .use = "To measure, to check a file, or to find out in which range f32 lies.",
    .formula =
        "In sample units; stddev is that of the population; argmin and argmax are [x, y] of the first in\n"
        "raster order. NaN is counted and otherwise left out. Alpha is not measured.",
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .fields = fields,
    .examples = examples,
};
