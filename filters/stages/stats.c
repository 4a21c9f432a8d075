/* stats: numbers of the picture, which passes unchanged. */
#include "pixel/ir/op.h"
#include "result_builder.h"
#include "signal/measure.h"
#include "signal/signal_dd.h"

#include <math.h>
#include <stdbool.h>

/* The fields of the result, each with room for every measured channel. */
struct columns {
    double *least, *greatest, *mean, *stddev, *sum;
    double *rms, *peak_db, *rms_db, *seconds; /* of a signal */
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

static bool begin(gf_result_builder *builder, int32_t n, int64_t places, struct columns *to)
{
    *to = (struct columns){
        .least = gf_result_f64(builder, "min", n, 1),
        .greatest = gf_result_f64(builder, "max", n, 1),
        .mean = gf_result_f64(builder, "mean", n, 1),
        .stddev = gf_result_f64(builder, "stddev", n, 1),
        .sum = gf_result_f64(builder, "sum", n, 1),
        .count = gf_result_u64(builder, "count", n, 1),
        .nan = gf_result_u64(builder, "nan", n, 1),
        .at_least = gf_result_u64(builder, "argmin", n, places),
        .at_greatest = gf_result_u64(builder, "argmax", n, places),
    };
    return builder->status == GF_OK;
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    struct columns to;
    if (!begin(builder, __builtin_popcount(m->channels), 2, &to)) {
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

/* ---- of a signal ---- */

enum { LANES = 8, LEAF = 4096 };

/* Frame i adds to lane i mod 8; after each leaf lanes are folded into a sum of two f64. */
struct lanes {
    double lane[LANES];
    struct gf_dd sum;
};

struct seen {
    struct lanes sums, squares;
    int64_t frames, nan, at_least, at_greatest;
    float least, greatest;
};

static void fold(struct lanes *of)
{
    const double *v = of->lane;
    const double sum = ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
    gf_dd_add_product(&of->sum, (struct gf_dd){sum, 0}, (struct gf_dd){1, 0});
    *of = (struct lanes){.sum = of->sum};
}

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    struct seen *s = state;
    (void)args, (void)error;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = s->frames++;
        const float v = data[i];
        if (v != v) {
            s->nan++;
        } else {
            const bool first = at == s->nan;
            if (first || v < s->least) {
                s->least = v;
                s->at_least = at;
            }
            if (first || v > s->greatest) {
                s->greatest = v;
                s->at_greatest = at;
            }
            s->sums.lane[at % LANES] += (double)v;
            s->squares.lane[at % LANES] += (double)v * (double)v;
        }
        if (s->frames % LEAF == 0) {
            fold(&s->sums);
            fold(&s->squares);
        }
    }
    return GF_OK;
}

static struct gf_dd total(struct lanes *of)
{
    fold(of);
    const struct gf_dd sum = gf_dd_done(of->sum);
    return isfinite(of->sum.hi) ? sum : (struct gf_dd){one_nan(of->sum.hi), 0};
}

static void fill_signal(struct seen *s, double rate, const struct columns *to, int32_t c)
{
    const double n = (double)(s->frames - s->nan);
    const struct gf_dd sum = total(&s->sums), square = total(&s->squares);
    struct gf_dd wide = {0, 0}; /* n^2 times the variance */
    gf_dd_add_product(&wide, square, (struct gf_dd){n, 0});
    gf_dd_add_product(&wide, (struct gf_dd){-sum.hi, -sum.lo}, sum);
    const double variance = gf_dd_done(wide).hi / (n * n);
    const double least = n > 0 ? (double)s->least : NAN, greatest = n > 0 ? (double)s->greatest : NAN;
    to->least[c] = least;
    to->greatest[c] = greatest;
    to->mean[c] = one_nan(sum.hi / n);
    to->stddev[c] = variance <= 0 ? 0 : one_nan(sqrt(variance));
    to->sum[c] = sum.hi;
    to->count[c] = (uint64_t)(s->frames - s->nan);
    to->nan[c] = (uint64_t)s->nan;
    to->at_least[c] = (uint64_t)s->at_least;
    to->at_greatest[c] = (uint64_t)s->at_greatest;
    const double peak = greatest > -least ? greatest : -least;
    to->rms[c] = one_nan(sqrt(square.hi / n));
    to->peak_db[c] = gf_signal_decibels(peak * peak);
    to->rms_db[c] = one_nan(gf_signal_decibels(square.hi / n));
    to->seconds[c] = gf_signal_seconds((double)s->frames, rate);
}

static void finish_signal(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    struct columns to;
    if (!begin(builder, m->channels, 1, &to)) {
        return;
    }
    to.rms = gf_result_f64(builder, "rms", m->channels, 1);
    to.peak_db = gf_result_f64(builder, "peak_db", m->channels, 1);
    to.rms_db = gf_result_f64(builder, "rms_db", m->channels, 1);
    to.seconds = gf_result_f64(builder, "seconds", m->channels, 1);
    for (int32_t c = 0; c < m->channels && builder->status == GF_OK; c++) {
        fill_signal((struct seen *)m->states + c, m->rate, &to, c);
    }
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct seen), observe, finish_signal, NULL, NULL};
    (void)params;
    gf_signal_lower_measure(l, &measure, "", 1, NULL);
}

GF_FIELDS({"min", GF_F64, 1, "sample units", "the least sample"},
          {"max", GF_F64, 1, "sample units", "the greatest sample"},
          {"mean", GF_F64, 1, "sample units", "the mean; NaN where nothing was counted"},
          {"stddev", GF_F64, 1, "sample units", "the standard deviation of the population"},
          {"sum", GF_F64, 1, "sample units", "the sum of all samples"},
          {"count", GF_U64, 1, "samples", "how many were measured, without NaN"},
          {"nan", GF_U64, 1, "samples", "how many are NaN"},
          {"argmin", GF_U64, 2, "pixels",
           "x, y of the first least sample in raster order; of a signal its frame"},
          {"argmax", GF_U64, 2, "pixels",
           "x, y of the first greatest sample in raster order; of a signal its frame"},
          {"rms", GF_F64, 1, "sample units", GF_OF_SIGNALS "the root of the mean square"},
          {"peak_db", GF_F64, 1, "dB", GF_OF_SIGNALS "the greatest distance from 0; 0 dB: 1, full scale"},
          {"rms_db", GF_F64, 1, "dB", GF_OF_SIGNALS "rms; that of a sine of full scale is -3.01"},
          {"seconds", GF_F64, 1, "s", GF_OF_SIGNALS "how long it is, with NaN; NaN without a rate"});

GF_EXAMPLES({"stats", "prints least, greatest, mean and deviation of each channel"},
            {"stats:roi=64x64+190+180:name=sun", "measures one rectangle, and calls the result sun"});

const gf_stage_type gf_stage_stats = {
    GF_STAGE_NAMED(stats),
    .aliases = "statistics",
    .group = "measure",
    .summary = "min max mean stddev sum count argmin argmax of each channel; the picture passes unchanged",
    .use = "To measure, to check a file, or to find out in which range f32 lies.",
    .formula =
        "In sample units; stddev is that of the population; argmin and argmax are [x, y] of the first in\n"
        "raster order. NaN is counted and otherwise left out. Alpha is not measured.",
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .signal = signal,
    .fields = fields,
};
