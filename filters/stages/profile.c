/* profile: what the columns or the rows of the picture add up to; it passes unchanged. */
#include "gpufilter/stage.h"
#include "lower/channel_parts.h"
#include "lower/lowering_private.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum axis { AXIS_X, AXIS_Y };

struct profile {
    int32_t axis;
};

/* Columns of the table, each from the channel on that is filled in. */
struct columns {
    double *sum, *mean;
    uint64_t *count;
};

/* A channel, whose row of the block is `row`. part: x and w along the axis, h samples in each sum. */
static void fill(const gf_measured *m, const uint64_t *row, int64_t sums, gf_rect part, struct columns to)
{
    int32_t measured = __builtin_popcount(m->channels);
    for (int64_t i = 0; i < part.w; i++) {
        uint64_t samples = (uint64_t)part.h;
        double sum = (double)row[part.x + i];
        if (m->shape.depth == GF_F32) {
            memcpy(&sum, &row[part.x + i], sizeof sum);
            samples -= row[sums + part.x + i];
        }
        to.sum[i * measured] = sum;
        to.mean[i * measured] = samples && !isnan(sum) ? sum / (double)samples : NAN;
        to.count[i * measured] = samples;
    }
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct profile *p = m->params;
    bool of_rows = p->axis == AXIS_Y;
    gf_rect part = of_rows ? (gf_rect){m->roi.y, 0, m->roi.h, m->roi.w} : m->roi; /* x, w: along the axis */
    const char *parts = gf_channel_parts(m->shape.channels, m->channels);
    gf_result_begin_table(builder, "profile", part.w);
    uint32_t *at = gf_result_column(builder, "at", NULL, GF_U32);
    struct columns to = {.sum = gf_result_column(builder, "sum", parts, GF_F64)};
    to.mean = gf_result_column(builder, "mean", parts, GF_F64);
    to.count = gf_result_column(builder, "count", parts, GF_U64);
    if (!at || !to.sum || !to.mean || !to.count) {
        return;
    }
    for (int64_t i = 0; i < part.w; i++) {
        at[i] = (uint32_t)(part.x + i);
    }
    int64_t sums = of_rows ? m->shape.height : m->shape.width;
    const uint64_t *row = m->blocks[0];
    for (int32_t c = 0; c < m->shape.channels; c++, row += m->shape.depth == GF_F32 ? 2 * sums : sums) {
        if (m->channels >> c & 1) {
            fill(m, row, sums, part, to);
            to = (struct columns){to.sum + 1, to.mean + 1, to.count + 1};
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct profile *p = params;
    gf_value_id v = gf_lower_input(l);
    gf_shape shape = gf_lower_shape(l, v);
    gf_value_id sums = gf_lower_sums(l, v, p->axis == AXIS_Y);
    uint64_t rows = (uint64_t)(p->axis == AXIS_Y ? shape.height : shape.width);
    gf_lower_result(l, v, &sums, 1, finish);
    const gf_rect roi = l->node->common.roi.rect;
    const int64_t along = p->axis == AXIS_Y ? roi.h : roi.w;
    gf_lowering_result_rows(l, along ? along : (int64_t)rows);
    gf_lower_result_bytes(l, rows * (4 + 24 * (uint64_t)shape.channels));
}

GF_PARAMS({GF_ROW(CHOICE, profile, axis, "x"), .choices = "x|y",
           .help = "x: a row of the table for each column, from the left; y: for each row, from the top",
           .positional = 1});

static const gf_stage_field columns[] = {
    {"at", GF_U32, 1, "pixels", "where on the axis: the column, or the row, from 0"},
    {"sum", GF_F64, 0, "sample units", "what the samples there add up to, of each measured channel"},
    {"mean", GF_F64, 0, "sample units", "their mean; NaN where nothing was counted"},
    {"count", GF_U64, 0, "samples", "how many there are, without NaN"},
    {0},
};

static const gf_stage_table tables[] = {
    {"profile", "a row for each place on the axis, in order", columns},
    {0},
};

GF_EXAMPLES({"gray,profile", "how bright each column is, from left to right"},
            {"profile:y:roi=64x64+190+180", "how bright each row of a rectangle is, for each colour"});

const gf_stage_type gf_stage_profile = {
    GF_STAGE_OF(profile),
    .aliases = "projection",
    .group = "measure",
    .summary = "sum and mean of each column or row; the picture passes unchanged",
    .use =
        "To find lines of text, gaps, edges that stand upright, or uneven light; of one row of pixels it is\n"
        "the signal itself. Stages of signals may follow, which get the means: a frame a column or row, 1 "
        "Hz\n"
        "unless --rate says another one, as IN OUT.csv --stages gray,profile:y,lowpass:0.05Hz does. Stages "
        "for\n"
        "pictures and signals alike do so where OUT is a signal.",
    .formula =
        "x: for each column the sum and the mean of its samples, of all rows or those of roi; y: for each "
        "row.\n"
        "Sums of u8 and u16 are exact; of f32 they are f64, in a fixed order. NaN is counted and otherwise\n"
        "left out. Alpha is not measured.",
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .tables = tables,
};
