/* The judge's correlation of integers: every sum from its definition. */
#include "pixel/judge/reference_parts.h"
#include "pixel/map/wide_conv/wide_conv.h"

#include <stdlib.h>

static int64_t sum_at(const float *samples, int64_t pitch, int64_t step, const double *weights,
                      const struct gf_wide_conv_args *args)
{
    int64_t sum = 0;
    for (int32_t j = 0; j < args->down; j++) {
        for (int32_t i = 0; i < args->across; i++) {
            sum += (int64_t)weights[j * args->across + i] * (int64_t)samples[j * pitch + i * step];
        }
    }
    return sum;
}

static void store(void *out, gf_depth depth, int64_t at, double v)
{
    if (depth == GF_F32) {
        ((float *)out)[at] = (float)v;
        return;
    }
    const double white = depth == GF_U8 ? 255 : 65535;
    gf_judge_store(out, depth, at, (float)fmin(fmax(rint(v), 0), white));
}

gf_status gf_judge_wide_conv(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *from = &judge->list->values[apply->in[0]];
    const struct gf_value *to = &judge->list->values[apply->out[0]];
    const int64_t channels = from->channels, n = from->width * from->height * channels;
    float *samples = malloc((size_t)n * sizeof *samples);
    struct gf_wide_conv_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    if (!samples) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    for (int64_t i = 0; i < n; i++) {
        samples[i] = gf_judge_sample(judge->data[apply->in[0]], from->depth, i);
    }
    for (int64_t i = 0; i < to->width * to->height * channels; i++) {
        const int64_t pixel = i / channels, x = pixel % to->width, y = pixel / to->width;
        const float *first = samples + (y * from->width + x) * channels + i % channels;
        const int64_t sum = sum_at(first, from->width * channels, channels, judge->data[apply->in[1]], &args);
        store(judge->data[apply->out[0]], to->depth, i, (double)sum * args.unit);
    }
    free(samples);
    return GF_OK;
}
