/* correlate: how much later the signal is than another one. */
#include "result_builder.h"
#include "signal/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };
#define MOST_PRODUCTS ((int64_t)1 << 36)

struct correlate {
    gf_picture_name with;
    double max;
    int64_t frames;
};

struct pair {
    const struct gf_signal_other *other;
    int64_t most; /* frames of delay */
};

/* Frames less their mean, rounded to f32; those that are no finite numbers count as the mean. Returns the sum
 * of their squares. */
static double centre(float *x, int64_t n)
{
    double sum = 0, finite = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += isfinite(x[i]) ? (double)x[i] : 0;
        finite += isfinite(x[i]) ? 1 : 0;
    }
    for (int64_t i = 0; i < n; i++) {
        x[i] = isfinite(x[i]) ? (float)((double)x[i] - sum / finite) : 0;
        squares += (double)x[i] * (double)x[i];
    }
    return squares;
}

/* The sums of x(i) y(i - d), i ascending, for LANES delays d from `last` down; products are exact. y has
 * LANES zeros at each end, which add nothing. */
static void add_products(const float *x, int64_t n, const float *y, int64_t m, int64_t last, double *sums)
{
    const int64_t end = n < m + last ? n : m + last;
    memset(sums, 0, LANES * sizeof *sums);
    for (int64_t i = last < LANES ? 0 : last - (LANES - 1); i < end; i++) {
        for (int k = 0; k < LANES; k++) {
            sums[k] += (double)x[i] * (double)y[i - last + k];
        }
    }
}

/* Returns the sum that is greatest in size, *at its delay. */
static double greatest(const float *x, int64_t n, const float *y, int64_t m, int64_t most, int64_t *at)
{
    const int64_t least = most < m - 1 ? -most : 1 - m;
    double best = 0, sums[LANES];
    *at = 0;
    for (int64_t d = most < n - 1 ? most : n - 1; d >= least;) {
        add_products(x, n, y, m, d, sums);
        for (int k = 0; k < LANES && d >= least; k++, d--) {
            if (fabs(sums[k]) > fabs(best) || (fabs(sums[k]) == fabs(best) && llabs(d) < llabs(*at))) {
                best = sums[k];
                *at = d;
            }
        }
    }
    return best;
}

static void finish(const struct gf_signal_measured *m, gf_result_builder *builder)
{
    const struct pair *p = m->args;
    const struct gf_signal_other *other = p->other;
    double *delay = gf_result_f64(builder, "delay", m->channels, 1);
    double *frames = gf_result_f64(builder, "frames", m->channels, 1);
    double *coefficient = gf_result_f64(builder, "coefficient", m->channels, 1);
    float *padded = calloc((size_t)other->frames + 2 * LANES, sizeof *padded);
    builder->status = padded ? builder->status : GF_ERROR_MEMORY;
    for (int32_t c = 0; builder->status == GF_OK && c < m->channels; c++) {
        const struct gf_signal_held *x = (const struct gf_signal_held *)m->states + c;
        float *y = padded + LANES;
        int64_t at;
        if (other->frames > 0) {
            memcpy(y, other->data + (other->channels > 1 ? c * other->pitch : 0),
                   (size_t)other->frames * sizeof *y);
        }
        const double size = sqrt(centre(x->data, x->n) * centre(y, other->frames));
        const double best = greatest(x->data, x->n, y, other->frames, p->most, &at);
        const bool alike = size > 0 && isfinite(size); /* not where a sample less the mean is beyond f32 */
        frames[c] = alike ? (double)at : NAN;
        delay[c] = gf_signal_seconds(frames[c], m->rate);
        coefficient[c] = alike ? best / size : NAN;
    }
    free(padded);
}

static void signal(gf_signal_lowering *l, const void *params)
{
    static const struct gf_signal_measure measure = {sizeof(struct gf_signal_held), gf_signal_held_observe,
                                                     finish, gf_signal_held_release, NULL};
    const struct correlate *p = params;
    const struct pair pair = {gf_signal_lower_other(l, &p->with),
                              gf_signal_lower_duration(l, "max", p->max, p->frames, GF_SIGNAL_HELD)};
    if (pair.other && pair.other->frames > MOST_PRODUCTS / (2 * pair.most + 1)) {
        gf_signal_lower_fail(
            l, "max",
            "%lld frames of %.200s by %lld delays are too many, at most 2^36: a lesser max=, or "
            "decimate both",
            (long long)pair.other->frames, p->with.name, (long long)(2 * pair.most + 1));
    }
    gf_signal_lower_measure(l, &measure, &pair, sizeof pair, NULL);
}

GF_PARAMS({GF_ROW(PICTURE, correlate, with, ""),
           .help = "the other signal: @FILE, the name of an input, or in: IN itself", .positional = 1},
          {GF_ROW_IN(NUMBER, correlate, max, "0.1", 0, 1e9), .unit = "s",
           .help = "the greatest delay, either way"},
          GF_SIGNAL_FRAMES_ROW(correlate, GF_SIGNAL_HELD));

GF_FIELDS({"delay", GF_F64, 1, "s", "how much later the signal is; negative: earlier; NaN without a rate"},
          {"frames", GF_F64, 1, "frames", "the same in frames"},
          {"coefficient", GF_F64, 1, "", "of correlation there, from -1 to 1; NaN of a constant"});

GF_EXAMPLES({"correlate:@other.wav", "how much later it is than other.wav, and how alike they are then"},
            {"correlate:@clap.wav:max=2s", "the same, up to two seconds"});

const gf_stage_type gf_stage_correlate = {
    GF_STAGE_OF(correlate),
    .group = "signal",
    .summary = "the delay to another signal, and how alike both are; it passes unchanged",
    .use =
        "To bring recordings of the same in step, by delay or crop, or to measure how long something takes.",
    .source = "As scipy.signal.correlate and correlation_lags of signals less their means.",
    .formula =
        "r(d) is the sum of x(n) y(n - d), divided by the root of the sums of x^2 and of y^2; x and y are "
        "the\n"
        "two less their means, zeros outside. The delay is that of the r that is greatest in size, of equal\n"
        "ones the nearest to 0, then the later. Frames that are not finite count as the mean. Both are "
        "held,\n"
        "up to 2^26 frames of a channel; the other one has a channel, or as many as the signal.",
    .signal = signal,
    .fields = fields,
};
