/* The judge of "resize": each output sample alone, as docs/exactness.md has it. */
#include "pixel/judge/reference_parts.h"
#include "pixel/map/resize/resize.h"

#include <math.h>

/* Sample c of the input's pixel that lies `i` along the axis from the one at `first`. */
static int64_t place(const struct gf_value *in, bool down, int64_t x, int64_t y, int64_t at, int32_t c)
{
    return ((down ? at : y) * in->width + (down ? x : at)) * in->channels + c;
}

gf_status gf_judge_resize(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const struct gf_value *out = &judge->list->values[apply->out[0]];
    const void *samples = judge->data[apply->in[0]];
    const int32_t *bounds = judge->data[apply->in[1]];
    const int64_t outputs = judge->list->values[apply->in[1]].width;
    struct gf_resize_args args;

    gf_args_get(&apply->args, &args, sizeof args);
    for (int64_t sample = 0; sample < out->width * out->height * out->channels; sample++) {
        const int32_t c = (int32_t)(sample % out->channels);
        const int64_t x = sample / out->channels % out->width, y = sample / out->channels / out->width;
        const int64_t i = args.down ? y : x;
        int64_t whole = (int64_t)1 << (GF_RESIZE_SHIFT - 1);
        float chain = 0;
        for (int64_t k = 0; k < bounds[outputs + i]; k++) {
            float v = gf_judge_sample(samples, in->depth, place(in, args.down, x, y, bounds[i] + k, c));
            if (args.weighed && c + 1 < in->channels) {
                v *= gf_judge_sample(samples, in->depth,
                                     place(in, args.down, x, y, bounds[i] + k, in->channels - 1));
                v = in->depth == GF_U8 ? (float)lrint(v / 255.0) : v;
            }
            if (in->depth == GF_U8) {
                whole += (int64_t)v * ((const int32_t *)judge->data[apply->in[2]])[i * args.taps + k];
            } else {
                const float w = ((const float *)judge->data[apply->in[2]])[i * args.taps + k];
                chain = k == 0 ? w * v : gf_fma(w, v, chain);
            }
        }
        whole >>= GF_RESIZE_SHIFT;
        const float v = in->depth == GF_U8 ? (float)(whole < 0     ? 0
                                                     : whole > 255 ? 255
                                                                   : whole)
                                           : gf_judge_quantise(out->depth, chain);
        if (!gf_judge_store(judge->data[apply->out[0]], out->depth, sample, v)) {
            return gf_fail(error, GF_ERROR_INTERNAL, "resize made a value that its depth does not have");
        }
    }
    return GF_OK;
}
