/* The judges of "frequency" and "fourier": by the definition of the transform, and the weight of each number
 * alone. */
#include "base/gf_math.h"
#include "gpufilter/fft.h"
#include "pixel/ir/combine.h"
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/frequency/frequency.h"

#include <math.h>
#include <stdlib.h>

static gf_status make_plan(int64_t width, int64_t height, int32_t real, gf_fft_plan **plan, gf_error *error)
{
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    shape.dimensions = 2;
    shape.rows = height;
    shape.columns = width;
    shape.real = real;
    return gf_fft_plan_create(&shape, plan, error);
}

static gf_status transform(const gf_fft_plan *plan, int32_t inverse, const float *in, float *out,
                           gf_error *error)
{
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    size_t bytes;
    options.array.algo = "sequential";
    options.inverse = inverse;
    GF_TRY(gf_fft_scratch(queue.device, &options, plan, &bytes, error));
    void *scratch = aligned_alloc(256, (bytes + 511) / 256 * 256);
    if (!scratch) {
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for a transform");
    }
    const gf_status status = gf_fft(queue, &options, plan, in, out, scratch, bytes, error);
    free(scratch);
    return status;
}

/* What the number that a term's two numbers are of is multiplied by. */
static float term(const struct gf_frequency_args *args, int32_t t, float x, float y)
{
    float g, power = 1.0F;
    switch ((enum gf_frequency_shape)args->shape) {
    case GF_FREQUENCY_IDEAL:
        g = x + y > 1.0F ? 0.0F : 1.0F;
        break;
    case GF_FREQUENCY_GAUSS:
        g = x * y;
        break;
    default:
        for (int32_t i = 0; i < args->order; i++) {
            power = power * (x + y);
        }
        g = 1.0F / (1.0F + power);
    }
    return t < args->below ? g : 1.0F - g;
}

static gf_status channel(const struct gf_judge *judge, const struct gf_apply *apply, const gf_fft_plan *plan,
                         const struct gf_frequency_args *args, int32_t c, float *plane, gf_error *error)
{
    const struct gf_value *from = &judge->list->values[apply->in[0]];
    const struct gf_value *to = &judge->list->values[apply->out[0]];
    const float *terms = judge->data[apply->in[1]];
    const int64_t pixels = args->width * args->height, half = args->width / 2 + 1;
    float *spectrum = plane + pixels;
    for (int64_t i = 0; i < pixels; i++) {
        const int64_t x = gf_border_index(i % args->width - args->left, from->width, args->border),
                      y = gf_border_index(i / args->width - args->top, from->height, args->border);
        plane[i] = gf_judge_sample(judge->data[apply->in[0]], from->depth,
                                   (y * from->width + x) * from->channels + c);
    }
    if (args->mask >> c & 1) {
        GF_TRY(transform(plan, 0, plane, spectrum, error));
        for (int64_t i = 0; i < half * args->height; i++) {
            float weight = 1.0F;
            for (int32_t t = 0; t < args->terms; t++) {
                const float *own = terms + t * (half + args->height);
                weight = weight * term(args, t, own[i % half], own[half + i / half]);
            }
            spectrum[2 * i] *= weight;
            spectrum[2 * i + 1] *= weight;
        }
        GF_TRY(transform(plan, 1, spectrum, plane, error));
    }
    for (int64_t i = 0; i < to->width * to->height; i++) {
        const int64_t x = args->left + i % to->width, y = args->top + i / to->width;
        float v = plane[y * args->width + x];
        if (args->mask >> c & 1 && args->shown.gain != 0) {
            v = fmaf(v, args->shown.gain, args->shown.added);
        }
        if (args->mask >> c & 1 && args->shown.absolute) {
            v = fabsf(v);
        }
        gf_judge_store(judge->data[apply->out[0]], to->depth, i * to->channels + c,
                       gf_judge_quantise(to->depth, v));
    }
    return GF_OK;
}

gf_status gf_judge_frequency(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *from = &judge->list->values[apply->in[0]];
    struct gf_frequency_args args;
    gf_fft_plan *plan;
    gf_args_get(&apply->args, &args, sizeof args);
    GF_TRY(make_plan(args.width, args.height, 1, &plan, error));
    const int64_t row = args.width + 2 * (args.width / 2 + 1);
    float *plane = malloc((size_t)(row * args.height) * sizeof *plane);
    gf_status status =
        plane ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "no memory for the spectrum of a picture");
    for (int32_t c = 0; c < from->channels && status == GF_OK; c++) {
        status = channel(judge, apply, plan, &args, c, plane, error);
    }
    free(plane);
    gf_fft_plan_destroy(plan);
    return status;
}

gf_status gf_judge_fourier(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    struct gf_fourier_args args;
    gf_fft_plan *plan;
    gf_args_get(&apply->args, &args, sizeof args);
    const struct gf_value *from = &judge->list->values[apply->in[0]];
    GF_TRY(make_plan(from->width, from->height, 0, &plan, error));
    const gf_status status =
        transform(plan, args.inverse, judge->data[apply->in[0]], judge->data[apply->out[0]], error);
    gf_fft_plan_destroy(plan);
    return status;
}

void gf_judge_complex(float *v, float c, float d, const struct gf_insn *insn)
{
    const float a = v[0], b = v[1];
    const float re = gf_fma(a, c, b * d), im = gf_fma(b, c, -(a * d)), far = gf_sqrt(gf_fma(re, re, im * im));
    const float sum = gf_fma(insn->k[0], gf_fma(c, c, d * d), gf_fma(a, a, b * b));
    switch (insn->arg) {
    case GF_COMPLEX_CROSS:
        v[0] = isfinite(far) && far > 0 ? gf_div(re, far) : 0;
        v[1] = isfinite(far) && far > 0 ? gf_div(im, far) : 0;
        return;
    case GF_COMPLEX_PRODUCT:
        v[0] = gf_fma(a, c, -(b * d));
        v[1] = gf_fma(a, d, b * c);
        return;
    default:
        v[0] = isfinite(sum) && sum > 0 ? gf_div(a, sum) : 0;
        v[1] = isfinite(sum) && sum > 0 ? gf_div(-b, sum) : 0;
    }
}
