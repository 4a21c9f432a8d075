/* hist: histogram of the picture, which passes unchanged. */
#include "base/gf_math.h"
#include "base/gf_num.h"
#include "base/status.h"
#include "lower/lowering_private.h"
#include "result_builder.h"
#include "signal/measure.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct hist {
    int64_t bins;
    double min, max;
    int32_t range; /* 1: that of the samples */
};

/* Returns where a value falls among `bins` equal bins over [lo, hi], closed above; by the edges
 * lo + i (hi - lo) / bins, as NumPy decides. v is in [lo, hi]. */
static int64_t bin_of(double v, double lo, double hi, int64_t bins)
{
    if (lo == hi) {
        return 0;
    }
    double width = (hi - lo) / (double)bins;
    int64_t bin = (int64_t)((v - lo) / width);
    bin = bin < bins ? bin : bins - 1;
    if (bin > 0 && v < lo + (double)bin * width) {
        return bin - 1;
    }
    return bin + 1 < bins && v >= lo + (double)(bin + 1) * width ? bin + 1 : bin;
}

struct row {
    uint64_t *counts, *below, *above, *nan;
};

/* Counts of every value (u8, u16) gathered into the bins asked for. */
static void gather(const uint64_t *values, int64_t n_values, double lo, double hi, int64_t bins,
                   struct row to)
{
    for (int64_t v = 0; v < n_values; v++) {
        if ((double)v < lo) {
            *to.below += values[v];
        } else if ((double)v > hi) {
            *to.above += values[v];
        } else {
            to.counts[bin_of((double)v, lo, hi, bins)] += values[v];
        }
    }
}

static void copy(const uint64_t *block, int64_t bins, struct row to)
{
    for (int64_t i = 0; i < bins; i++) {
        to.counts[i] = block[i];
    }
    *to.below = block[bins];
    *to.above = block[bins + 1];
    *to.nan = block[bins + 2];
}

/* Shannon's, in bits, of the shares of the bins: no term is negative, and one bin alone has exactly none. */
static double entropy_of(const uint64_t *counts, int64_t bins)
{
    double all = 0, bits = 0;
    for (int64_t i = 0; i < bins; i++) {
        all += (double)counts[i];
    }
    for (int64_t i = 0; i < bins; i++) {
        if (counts[i]) {
            bits += (double)counts[i] / all * gf_log2_core(all / (double)counts[i]);
        }
    }
    return all > 0 ? bits : NAN;
}

struct columns {
    struct row first;
    double *lo, *hi, *entropy;
};

static bool begin(gf_result_builder *builder, int32_t measured, int64_t bins, struct columns *to)
{
    to->first.counts = gf_result_u64(builder, "counts", measured, bins);
    to->lo = gf_result_f64(builder, "lo", measured, 1);
    to->hi = gf_result_f64(builder, "hi", measured, 1);
    to->first.below = gf_result_u64(builder, "below", measured, 1);
    to->first.above = gf_result_u64(builder, "above", measured, 1);
    to->first.nan = gf_result_u64(builder, "nan", measured, 1);
    to->entropy = gf_result_f64(builder, "entropy", measured, 1);
    return builder->status == GF_OK;
}

static struct row row_of(const struct columns *of, int64_t row, int64_t bins)
{
    return (struct row){of->first.counts + row * bins, of->first.below + row, of->first.above + row,
                        of->first.nan + row};
}

/* The least and the greatest value that is counted; 0 and 0 where none is. */
static void extremes(const uint64_t *values, int64_t n, double *lo, double *hi)
{
    int64_t first = 0, last = n - 1;
    while (first < n && values[first] == 0) {
        first++;
    }
    while (last > first && values[last] == 0) {
        last--;
    }
    *lo = first < n ? (double)first : 0;
    *hi = first < n ? (double)last : 0;
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct hist *p = m->params;
    struct columns all;
    if (!begin(builder, __builtin_popcount(m->channels), p->bins, &all)) {
        return;
    }
    double white = gf_depth_white(m->shape.depth);
    int64_t values = m->shape.depth == GF_U8 ? 256 : m->shape.depth == GF_U16 ? 65536 : p->bins;
    const uint64_t *block = m->blocks[0];
    for (int32_t c = 0, row = 0; c < m->shape.channels; c++) {
        if (!(m->channels >> c & 1)) {
            continue;
        }
        struct row to = row_of(&all, row, p->bins);
        all.lo[row] = p->min * white;
        all.hi[row] = p->max * white;
        if (p->range && m->shape.depth == GF_F32) {
            const float *ends = (const float *)m->blocks[1] + (ptrdiff_t)2 * c;
            all.lo[row] = (double)ends[0];
            all.hi[row] = (double)ends[1];
        } else if (p->range) {
            extremes(block + c * (values + 3), values, &all.lo[row], &all.hi[row]);
        }
        if (m->shape.depth == GF_F32) {
            copy(block + c * (values + 3), p->bins, to);
        } else {
            gather(block + c * (values + 3), values, all.lo[row], all.hi[row], p->bins, to);
        }
        all.entropy[row] = entropy_of(to.counts, p->bins);
        row++;
    }
}

/* ---- of a signal ---- */

struct counted {
    uint64_t *counts; /* as of a picture of f32: bins, then below, above and NaN; NULL: no frame has come */
};

static gf_status observe(const void *args, void *state, const float *data, int64_t count, gf_error *error)
{
    const struct hist *p = args;
    struct counted *s = state;
    const int32_t bins = (int32_t)p->bins;
    const float lo = (float)p->min, scale = gf_bin_scale(lo, (float)p->max, bins);
    s->counts = s->counts ? s->counts : calloc((size_t)bins + 3, sizeof *s->counts);
    if (!s->counts) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    for (int64_t i = 0; i < count; i++) {
        const int32_t bin = gf_bin(data[i], lo, scale, bins);
        s->counts[bin >= 0 ? bin : bin == GF_BIN_BELOW ? bins : bin == GF_BIN_ABOVE ? bins + 1 : bins + 2]++;
    }
    return GF_OK;
}

static void release(void *state)
{
    free(((struct counted *)state)->counts);
}

static void finish_signal(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    const struct hist *p = m->args;
    struct columns all;
    bool good = begin(builder, m->channels, p->bins, &all);
    for (int32_t c = 0; good && c < m->channels; c++) {
        const uint64_t *counts = ((const struct counted *)m->states)[c].counts;
        const struct row to = row_of(&all, c, p->bins);
        all.lo[c] = p->min;
        all.hi[c] = p->max;
        if (counts) {
            copy(counts, p->bins, to);
        }
        all.entropy[c] = entropy_of(to.counts, p->bins);
    }
}

/* Why [min, max] is none for samples of f32; NULL: it is one. */
static const char *wrong_range(const struct hist *p, bool is_float)
{
    const float width = (float)p->max - (float)p->min; /* bins of f32 are found in f32 */
    return !(p->min < p->max) ? "min must be less than max"
           : is_float && !(width >= 1e-31F && width <= FLT_MAX)
               ? "max - min must be from 1e-31 to 3.4e38 for f32"
               : NULL;
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct counted), observe, finish_signal, release,
                                                     NULL};
    const char *why = wrong_range(params, true);
    if (why) {
        gf_signal_lower_fail(l, "max", "%s", why);
    }
    if (((const struct hist *)params)->range) {
        gf_signal_lower_fail(l, "range", "a signal is counted as it comes: give min= and max=");
    }
    gf_signal_lower_measure(l, &measure, params, sizeof(struct hist), NULL);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct hist *p = params;
    gf_value_id v = gf_lower_input(l);
    const bool is_float = gf_lower_shape(l, v).depth == GF_F32;
    const char *why = !p->range                    ? wrong_range(p, is_float)
                      : p->min != 0 || p->max != 1 ? "range=auto finds min and max by itself"
                                                   : NULL;
    if (why) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "%s", why);
        return;
    }
    const gf_value_id range = p->range && is_float ? gf_lowering_extremes(l, v) : 0;
    const gf_value_id found[] = {gf_lower_histogram(l, v, (int32_t)p->bins, p->min, p->max, range), range};
    gf_lower_result(l, v, found, range ? 2 : 1, finish);
    gf_lower_result_bytes(l, (uint64_t)p->bins * (uint64_t)gf_lower_shape(l, v).channels * sizeof(uint64_t));
}

GF_PARAMS({GF_ROW_IN(INT, hist, bins, "256", 1, 65536), .help = "equal bins over [min, max], the last closed",
           .positional = 1},
          {GF_ROW_IN(INTENSITY, hist, min, "0", -1e6, 1e6), .help = "lower end of the first bin"},
          {GF_ROW_IN(INTENSITY, hist, max, "1", -1e6, 1e6), .help = "upper end of the last bin"},
          {GF_ROW(CHOICE, hist, range, "given"), .choices = "given|auto",
           .help = "auto: each channel from its least to its greatest finite sample, not from min to max"});

GF_FIELDS({"counts", GF_U64, 0, "samples", "how many fall in each bin, from min up; `bins` of them"},
          {"lo", GF_F64, 1, "sample units", "lower end of the first bin"},
          {"hi", GF_F64, 1, "sample units", "upper end of the last bin"},
          {"below", GF_U64, 1, "samples", "how many lie below the first bin"},
          {"above", GF_U64, 1, "samples", "how many lie above the last bin"},
          {"nan", GF_U64, 1, "samples", "how many are NaN"},
          {"entropy", GF_F64, 1, "bits", "of a sample, by the shares of the bins; NaN where none has any"});

GF_EXAMPLES({"gray,hist", "shows how many samples there are of each brightness"},
            {"hist:16:channels=r", "counts red in 16 bins"},
            {"convert:f32,laplacian,hist:range=auto", "of numbers that are on both sides of 0"});

const gf_stage_type gf_stage_hist = {
    GF_STAGE_OF(hist),
    .aliases = "histogram",
    .group = "measure",
    .summary = "histogram of each channel; the picture passes unchanged",
    .use = "To see how values are spread: exposure, clipping, where a threshold may lie.",
    .formula =
        "Counts of samples in `bins` equal bins over [min, max], the last closed above; what lies below,\n"
        "above, and NaN are counted apart. With p the share of a bin in all of them, the entropy is the sum\n"
        "of -p log2(p), in bits. Alpha is not measured.",
    .flags = GF_STAGE_MEASURE,
    .lower = lower,
    .signal = signal,
    .fields = fields,
};
