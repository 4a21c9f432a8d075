/* correlate: how much later the signal is than another one. */
#include "result_builder.h"
#include "signal/correlation.h"
#include "signal/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };
#define MOST_PRODUCTS ((int64_t)1 << 46)

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

/* Two signals, and the sum that is greatest in size, `at` its delay. Delays fall. */
struct search {
    const float *x, *y;
    int64_t n, m, first, last; /* of delays */
    double x_squares, y_squares, best;
    int64_t at;
};

/* Looks at delay d and those below it, from `least` on: LANES or less. Returns the next one. */
static int64_t look_at(struct search *s, int64_t d, int64_t least)
{
    double sums[LANES];
    add_products(s->x, s->n, s->y, s->m, d, sums);
    for (int k = 0; k < LANES && d >= least; k++, d--) {
        if (fabs(sums[k]) > fabs(s->best) || (fabs(sums[k]) == fabs(s->best) && llabs(d) < llabs(s->at))) {
            s->best = sums[k];
            s->at = d;
        }
    }
    return d;
}

/* Looks at those delays alone whose sums may be the greatest, as far as nearly equal sums tell. */
static gf_status look_at_some(struct search *s, gf_error *error)
{
    struct gf_correlation *c;
    GF_TRY(gf_correlation_create(s->x, s->n, s->x_squares, s->y, s->m, s->y_squares, s->last - s->first + 1,
                                 &c, error));
    const int64_t count = gf_correlation_count(c);
    const double bound = gf_correlation_bound(c);
    double *near = malloc((size_t)count * sizeof *near);
    gf_status status = gf_need_memory(near != NULL, error);
    for (int64_t last = s->last; status == GF_OK && last >= s->first; last -= count) {
        const int64_t first = last - count + 1, least = first > s->first ? first : s->first;
        double most = 0;
        status = gf_correlation_near(c, first, near, error);
        for (int64_t d = least; status == GF_OK && d <= last; d++) {
            most = fmax(most, fabs(near[d - first]));
        }
        for (int64_t d = last; status == GF_OK && d >= least;) {
            const double size = fabs(near[d - first]);
            const bool may_be = size >= most - 2 * bound && size >= fabs(s->best) - bound;
            d = may_be ? look_at(s, d, least) : d - 1;
        }
    }
    free(near);
    gf_correlation_destroy(c);
    return status;
}

static gf_status look_at_all(struct search *s, gf_error *error)
{
    if (s->last - s->first + 1 >= GF_CORRELATION_FEW && s->n >= GF_CORRELATION_FEW) {
        return look_at_some(s, error);
    }
    for (int64_t d = s->last; d >= s->first;) {
        d = look_at(s, d, s->first);
    }
    return GF_OK;
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
        if (other->frames > 0) {
            memcpy(y, other->data + (other->channels > 1 ? c * other->pitch : 0),
                   (size_t)other->frames * sizeof *y);
        }
        struct search s = {.x = x->data, .y = y, .n = x->n, .m = other->frames};
        s.first = p->most < s.m - 1 ? -p->most : 1 - s.m;
        s.last = p->most < s.n - 1 ? p->most : s.n - 1;
        s.x_squares = centre(x->data, s.n);
        s.y_squares = centre(y, s.m);
        const double size = sqrt(s.x_squares * s.y_squares);
        const bool alike = size > 0 && isfinite(size); /* not where a sample less the mean is beyond f32 */
        builder->status = alike ? look_at_all(&s, NULL) : GF_OK;
        frames[c] = alike ? (double)s.at : NAN;
        delay[c] = gf_signal_seconds(frames[c], m->rate);
        coefficient[c] = alike ? s.best / size : NAN;
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
            "%lld frames of %.200s by %lld delays are too many, at most 2^46: a lesser max=, or "
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
