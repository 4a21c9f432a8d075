/* What is known of a signal when it has ended: its peak, its line, where it is not silent. The definitions
 * (docs/exactness.md), and what runs them. */
#include "base/gf_num.h"
#include "signal/signal.h"
#include "signal/signal_args.h"
#include "signal/signal_dd.h"

enum { CHAINS = 8 };
static const struct gf_dd one = {1.0, 0.0};

/* ---- normalize ------------------------------------------------------------------------------------------- */

struct peak {
    uint64_t bits; /* of the greatest finite size */
    double factor; /* of all channels */
};

static void peak_observe(const void *args, void *seen, const float *x, int64_t first, int64_t count)
{
    struct peak *peak = seen;
    uint32_t most = (uint32_t)peak->bits;
    (void)args;
    (void)first;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t size = gf_float_bits(x[i]) & 0x7fffffffU, finite = size < 0x7f800000U ? size : 0;
        most = finite > most ? finite : most;
    }
    peak->bits = most;
}

static struct gf_signal_range peak_settle(const void *args, void *seen, int32_t channels, int64_t frames)
{
    struct peak *peak = seen;
    uint64_t most = 0;
    for (int32_t c = 0; c < channels; c++) {
        most = peak[c].bits > most ? peak[c].bits : most;
    }
    for (int32_t c = 0; c < channels; c++) {
        peak[c].factor =
            most ? ((const struct gf_signal_normalize *)args)->peak / (double)gf_bits_float((uint32_t)most)
                 : 1.0;
    }
    return (struct gf_signal_range){0, frames};
}

static void peak_apply(const void *args, const void *seen, float *x, int64_t first, int64_t count)
{
    const double factor = ((const struct peak *)seen)->factor;
    (void)args;
    (void)first;
    for (int64_t i = 0; i < count; i++) {
        x[i] = gf_canonical((float)(factor * (double)x[i]));
    }
}

const struct gf_signal_barrier gf_signal_normalize = {
    .kernel = {.name = "normalize", .length = gf_signal_same},
    .seen_bytes = sizeof(struct peak),
    .observe = peak_observe,
    .settle = peak_settle,
    .apply = peak_apply};

/* ---- detrend --------------------------------------------------------------------------------------------- */

struct line {
    struct gf_dd sum[CHAINS], moment[CHAINS]; /* of x, and of n x, over frames n = chain mod 8 */
    double centre, middle, slope;             /* the line is middle + slope (n - centre) */
};

static void line_observe(const void *args, void *seen, const float *x, int64_t first, int64_t count)
{
    struct line *line = seen;
    const int linear = ((const struct gf_signal_detrend *)args)->linear;
    for (int64_t i = 0; i < count; i++) {
        const int64_t n = first + i;
        const struct gf_dd v = {(double)gf_fma(x[i], 0.0F, x[i]), 0.0};
        gf_dd_add_product(&line->sum[n % CHAINS], one, v);
        if (linear) {
            gf_dd_add_product(&line->moment[n % CHAINS], (struct gf_dd){(double)n, 0.0}, v);
        }
    }
}

static struct gf_dd fold(const struct gf_dd *chain)
{
    struct gf_dd sum = gf_dd_done(chain[0]);
    for (int k = 1; k < CHAINS; k++) {
        gf_dd_add_product(&sum, one, gf_dd_done(chain[k]));
    }
    return gf_dd_done(sum);
}

static struct gf_signal_range line_settle(const void *args, void *seen, int32_t channels, int64_t frames)
{
    const double n = (double)frames, centre = (n - 1) / 2;
    for (struct line *line = seen; line < (struct line *)seen + channels; line++) {
        const struct gf_dd sum = fold(line->sum);
        struct gf_dd moment = fold(line->moment);
        gf_dd_add_product(&moment, (struct gf_dd){-centre, 0.0}, sum);
        const bool linear = ((const struct gf_signal_detrend *)args)->linear && frames > 1;
        line->slope = linear ? gf_dd_done(moment).hi / (n * (n * n - 1) / 12) : 0;
        line->centre = centre;
        line->middle = sum.hi / n;
    }
    return (struct gf_signal_range){0, frames};
}

static void line_apply(const void *args, const void *seen, float *x, int64_t first, int64_t count)
{
    const struct line *line = seen;
    (void)args;
    for (int64_t i = 0; i < count; i++) {
        const double at = gf_fma_double(line->slope, (double)(first + i) - line->centre, line->middle);
        x[i] = gf_canonical((float)((double)x[i] - at));
    }
}

const struct gf_signal_barrier gf_signal_detrend = {.kernel = {.name = "detrend", .length = gf_signal_same},
                                                    .seen_bytes = sizeof(struct line),
                                                    .observe = line_observe,
                                                    .settle = line_settle,
                                                    .apply = line_apply};

/* ---- trim ------------------------------------------------------------------------------------------------ */

struct loud {
    int64_t begin, end; /* the first loud frame, and the one behind the last; end 0: none */
};

static int is_loud(const struct gf_signal_trim *a, float x)
{
    return !(x <= a->level && x >= -a->level); /* NaN is */
}

static void loud_observe(const void *args, void *seen, const float *x, int64_t first, int64_t count)
{
    struct loud *loud = seen;
    int64_t from = 0, to = count;
    while (to > 0 && !is_loud(args, x[to - 1])) {
        to--;
    }
    while (from < to && loud->end == 0 && !is_loud(args, x[from])) {
        from++;
    }
    if (to > 0) {
        loud->begin = loud->end == 0 ? first + from : loud->begin;
        loud->end = first + to;
    }
}

static struct gf_signal_range loud_settle(const void *args, void *seen, int32_t channels, int64_t frames)
{
    const int64_t keep = ((const struct gf_signal_trim *)args)->keep;
    int64_t begin = frames, end = 0;
    for (const struct loud *each = seen; each < (struct loud *)seen + channels; each++) {
        begin = each->end > 0 && each->begin < begin ? each->begin : begin;
        end = each->end > end ? each->end : end;
    }
    begin = end > 0 && begin > keep ? begin - keep : 0;
    end = end > 0 && frames - end > keep ? end + keep : frames;
    return (struct gf_signal_range){begin, end - begin};
}

const struct gf_signal_barrier gf_signal_trim = {.kernel = {.name = "trim", .length = gf_signal_same},
                                                 .open = true,
                                                 .seen_bytes = sizeof(struct loud),
                                                 .observe = loud_observe,
                                                 .settle = loud_settle};
