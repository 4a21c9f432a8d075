/* The judge of "fourier_conv": each tile by the definition of the transform, or of the chain. */
#include "gpufilter/fft.h"
#include "pixel/judge/reference_parts.h"
#include "pixel/map/fourier_conv/fourier_conv.h"

#include <stdlib.h>
#include <string.h>

struct tiles {
    struct gf_fourier_conv_args args;
    const struct gf_value *from, *to;
    const float *in, *weights;
    float *out;
    gf_fft_plan *plan;
    float *samples, *spectrum, *by; /* of a tile; by: of the weights */
    void *scratch;
    size_t bytes;
};

static gf_status transform(const struct tiles *t, int32_t inverse, const float *in, float *out,
                           gf_error *error)
{
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    options.array.algo = "sequential";
    options.inverse = inverse;
    return gf_fft((gf_queue){GF_DEVICE_CPU, NULL}, &options, t->plan, in, out, t->scratch, t->bytes, error);
}

/* Returns sample (x, y) of the picture in a channel, 0 beyond it. */
static float sample(const struct tiles *t, int64_t x, int64_t y, int32_t c)
{
    const bool there = x < t->from->width && y < t->from->height;
    return there ? t->in[(y * t->from->width + x) * t->from->channels + c] : 0;
}

static float chain(const struct tiles *t, int64_t x, int64_t y, int32_t c)
{
    float sum = 0;
    for (int32_t k = 0; k < t->args.across * t->args.down; k++) {
        const float v = sample(t, x + k % t->args.across, y + k / t->args.across, c);
        sum = k == 0 ? t->weights[0] * v : gf_fma(t->weights[k], v, sum);
    }
    return sum == sum ? sum : gf_canonical(sum);
}

static gf_status begin(struct tiles *t, gf_error *error)
{
    const int64_t wide = t->args.wide, high = t->args.high, numbers = (wide / 2 + 1) * high;
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    shape.dimensions = 2;
    shape.rows = high;
    shape.columns = wide;
    shape.real = 1;
    GF_TRY(gf_fft_plan_create(&shape, &t->plan, error));
    options.array.algo = "sequential";
    for (options.inverse = 0; options.inverse < 2; options.inverse++) {
        size_t bytes;
        GF_TRY(gf_fft_scratch(GF_DEVICE_CPU, &options, t->plan, &bytes, error));
        t->bytes = bytes > t->bytes ? bytes : t->bytes;
    }
    t->scratch = aligned_alloc(256, (t->bytes + 511) / 256 * 256);
    t->samples = calloc((size_t)(wide * high + 4 * numbers), sizeof *t->samples);
    if (!t->scratch || !t->samples) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    t->spectrum = t->samples + wide * high;
    t->by = t->spectrum + 2 * numbers;
    for (int32_t k = 0; k < t->args.across * t->args.down; k++) {
        const int64_t x = (wide - k % t->args.across) % wide, y = (high - k / t->args.across) % high;
        t->samples[y * wide + x] = t->weights[k];
    }
    return transform(t, 0, t->samples, t->by, error);
}

static gf_status tile(const struct tiles *t, int64_t left, int64_t top, int32_t c, gf_error *error)
{
    const int64_t wide = t->args.wide, high = t->args.high;
    bool tame = true;
    for (int64_t i = 0; i < wide * high; i++) {
        t->samples[i] = sample(t, left + i % wide, top + i / wide, c);
        tame = tame && fabsf(t->samples[i]) < 0x1p40F;
    }
    if (tame) {
        GF_TRY(transform(t, 0, t->samples, t->spectrum, error));
        for (int64_t i = 0; i < 2 * (wide / 2 + 1) * high; i += 2) {
            const float a = t->spectrum[i], b = t->spectrum[i + 1], w = t->by[i], v = t->by[i + 1];
            t->spectrum[i] = gf_fma(a, w, -(b * v));
            t->spectrum[i + 1] = gf_fma(a, v, b * w);
        }
        GF_TRY(transform(t, 1, t->spectrum, t->samples, error));
    }
    for (int64_t y = top; y < top + high - t->args.down + 1 && y < t->to->height; y++) {
        for (int64_t x = left; x < left + wide - t->args.across + 1 && x < t->to->width; x++) {
            t->out[(y * t->to->width + x) * t->to->channels + c] =
                tame ? t->samples[(y - top) * wide + x - left] : chain(t, x, y, c);
        }
    }
    return GF_OK;
}

gf_status gf_judge_fourier_conv(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    struct tiles t = {.from = &judge->list->values[apply->in[0]],
                      .to = &judge->list->values[apply->out[0]],
                      .in = judge->data[apply->in[0]],
                      .weights = judge->data[apply->in[1]],
                      .out = judge->data[apply->out[0]]};
    gf_args_get(&apply->args, &t.args, sizeof t.args);
    gf_status status = begin(&t, error);
    for (int32_t c = 0; c < t.to->channels; c++) {
        for (int64_t y = 0; y < t.to->height; y += t.args.high - t.args.down + 1) {
            for (int64_t x = 0; x < t.to->width; x += t.args.wide - t.args.across + 1) {
                status = status == GF_OK ? tile(&t, x, y, c, error) : status;
            }
        }
    }
    gf_fft_plan_destroy(t.plan);
    free(t.scratch);
    free(t.samples);
    return status;
}
