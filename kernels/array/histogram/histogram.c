#include "gpufilter/histogram.h"

#include "array/histogram/histogram_call.h"

#include "base/sized.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_BINS = 1 << 24, MOST_CHANNELS = 4, TEXT_BINS = 256 };

/* The published ones count bytes in int counters, one for each. */
static gf_status check_textbook(const struct gf_array_call *call, gf_error *error)
{
    const struct gf_histogram_call *c = gf_histogram_call_of(call);
    if (c->bins.kind != GF_BINS_WHOLE || c->bins.count != TEXT_BINS || c->channels != 1) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "histogram, variant %s, counts bytes of one channel in %d bins, as the text does; "
                       "sequential and auto take others",
                       call->options.algo, TEXT_BINS);
    }
    return GF_OK;
}

static size_t textbook_scratch(const struct gf_array_call *call)
{
    (void)call;
    return TEXT_BINS * sizeof(uint32_t);
}

#define TEXTBOOK(name, summary, bytes, function)                                                             \
    {                                                                                                        \
        {name,      summary,           "block=256", .max_n = INT32_MAX, .types = GF_TYPE_BIT(GF_U8),         \
         .cuda = 1, .deterministic = 1},                                                                     \
            .check = check_textbook, .scratch = bytes, .run = function                                       \
    }

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_histogram_sequential},
    {{"auto", "bins in vectors, counters of each thread's own", "threads", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .scratch = gf_histogram_cpu_scratch,
     .run = gf_histogram_cpu},
    {{"auto", "private counters in shared memory, a bank a lane where they fit; 16 bytes a load",
      "block tile", .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_histogram_cuda_scratch,
     .run = gf_histogram_cuda},
    TEXTBOOK("naive", "every byte adds to a counter in global memory", textbook_scratch,
             gf_histogram_naive_cuda),
    TEXTBOOK("naive-wide", "the same with counters of 64 bits", NULL, gf_histogram_wide_cuda),
    TEXTBOOK("shared", "a block counts its bytes, one a thread, in shared memory, and adds all counters",
             textbook_scratch, gf_histogram_shared_cuda),
    TEXTBOOK("shared-skip", "the same, and adds no counter that is 0", textbook_scratch,
             gf_histogram_skip_cuda),
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_histogram = {
    {"histogram", "how many elements fall into each bin, of 1 to 4 channels in one read"},
    variants,
};

static void whole_range(gf_depth type, double *lo, double *hi)
{
    int bits = (int)(8 * gf_depth_size(type));
    bool is_float = (GF_TYPES_FLOAT & GF_TYPE_BIT(type)) != 0;
    bool is_signed = (GF_TYPES_SIGNED & GF_TYPE_BIT(type)) != 0;
    *lo = is_signed ? -ldexp(1.0, bits - 1) : 0.0;
    *hi = is_float ? 1.0 : is_signed ? ldexp(1.0, bits - 1) : ldexp(1.0, bits);
}

/* Integers of up to 32 bits in bins of 2^k of them: then the f64 arithmetic of the definition is exact, and a
 * shift. */
static void prefer_shift(gf_depth type, struct gf_histogram_bins *bins)
{
    double least, beyond;
    int exponent;
    whole_range(type, &least, &beyond);
    bool narrow = (GF_TYPES_FLOAT & GF_TYPE_BIT(type)) == 0 && gf_depth_size(type) <= 4;
    bool whole =
        floor(bins->lo) == bins->lo && floor(bins->hi) == bins->hi && bins->lo >= least && bins->hi <= beyond;
    bool power = frexp(bins->scale, &exponent) == 0.5 && exponent <= 1 && exponent >= -30 &&
                 (bins->hi - bins->lo) * bins->scale == (double)bins->count;
    if (narrow && whole && power) {
        bins->kind = bins->lo == least && bins->hi == beyond ? GF_BINS_WHOLE : GF_BINS_SHIFT;
        bins->shift = 1 - exponent;
        bins->first = (uint32_t)(int64_t)bins->lo;
        bins->width = (uint32_t)(int64_t)(bins->hi - bins->lo - 1.0);
    }
}

static float least_not_below(double v)
{
    float f = (float)v;
    return (double)f < v ? nextafterf(f, INFINITY) : f;
}

/* (v - near_lo) * near_scale in f32 is off by at most: near_lo and the scale half a unit in the last place
 * each, which is 2^-24 of lo or of all bins, the difference and the product as much; twice that for safety.
 */
static void make_guess(struct gf_histogram_bins *bins)
{
    double off = 2 * 0x1p-24 * (4 * (double)bins->count + 2 * fabs(bins->lo) * bins->scale);
    bool usual = bins->scale > 0x1p-100 && bins->scale < 0x1p100 && fabs(bins->lo) < 0x1p100;
    bins->near_lo = least_not_below(bins->lo);
    bins->near_hi = least_not_below(bins->hi);
    bins->near_scale = usual ? (float)bins->scale : 0.0F;
    bins->doubt = usual && off < 0x1p-5 ? (float)off : 1.0F;
}

static gf_status check_edges(const gf_histogram_options *options, gf_error *error)
{
    for (int64_t i = 0; i <= options->bins; i++) {
        if (!isfinite(options->edges[i])) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "histogram: edge %lld is %g, must be finite",
                           (long long)i, options->edges[i]);
        }
        if (i > 0 && !(options->edges[i - 1] < options->edges[i])) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "histogram: edge %lld is %.17g, must be above %.17g",
                           (long long)i, options->edges[i], options->edges[i - 1]);
        }
    }
    return GF_OK;
}

gf_status gf_histogram_bins_make(const gf_histogram_options *options, struct gf_histogram_bins *bins,
                                 gf_error *error)
{
    *bins = (struct gf_histogram_bins){.kind = GF_BINS_EVEN, .count = options->bins};
    if (options->edges) {
        bins->kind = GF_BINS_EDGES;
        bins->edges = options->edges;
        GF_TRY(check_edges(options, error));
        bins->lo = bins->edges[0];
        bins->hi = bins->edges[bins->count];
        return GF_OK;
    }
    bins->lo = options->lo;
    bins->hi = options->hi;
    if (options->lo == 0 && options->hi == 0) {
        whole_range(options->array.type, &bins->lo, &bins->hi);
    }
    bins->scale = (double)bins->count / (bins->hi - bins->lo);
    if (!(bins->lo < bins->hi) || !isfinite(bins->hi - bins->lo) || !isfinite(bins->scale)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "histogram: the range is [%g, %g), must be two numbers, the first below the second, "
                       "their difference and bins divided by it finite",
                       options->lo, options->hi);
    }
    prefer_shift(options->array.type, bins);
    make_guess(bins);
    return GF_OK;
}

static gf_status make_call(gf_queue queue, const gf_histogram_options *options, int64_t n,
                           struct gf_histogram_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_histogram_options, array.type, taken, GF_HISTOGRAM_OPTIONS_INIT, options, error);
    options = &taken;
    if (options->channels < 1 || options->channels > MOST_CHANNELS) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "histogram: channels is %d, must be 1 to %d",
                       options->channels, MOST_CHANNELS);
    }
    if (options->bins < 1 || options->bins > MOST_BINS) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "histogram: bins is %lld, must be 1 to %d",
                       (long long)options->bins, MOST_BINS);
    }
    if (gf_depth_size(options->array.type) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "histogram: type is %d, must be one of gf_depth",
                       (int)options->array.type);
    }
    *call = (struct gf_histogram_call){.array = {.queue = queue, .options = options->array, .n = n},
                                       .channels = options->channels};
    return gf_histogram_bins_make(options, &call->bins, error);
}

gf_status gf_histogram_scratch(gf_device device, const gf_histogram_options *options, int64_t n,
                               size_t *bytes, gf_error *error)
{
    struct gf_histogram_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_histogram, &call.array, bytes, error);
}

gf_status gf_histogram(gf_queue queue, const gf_histogram_options *options, const void *in, int64_t n,
                       uint64_t *counts, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_histogram_call call;
    GF_TRY(make_call(queue, options, n, &call, error));
    call.array.in = in;
    call.array.out = counts;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, gf_depth_size(options->array.type)},
        {"the output", counts, 1, sizeof *counts},
        {0},
    };
    return gf_array_run(&gf_primitive_histogram, &call.array, operands, scratch, scratch_bytes, error);
}
