/* The judge of "warp": one sample at a time, as docs/exactness.md has it. */
#include "pixel/judge/reference_parts.h"
#include "pixel/map/warp/warp.h"

/* The weight of the sample i places behind the first one for a place t; *first is that one. */
static float weight(const struct gf_warp_args *args, const float *table, double t, int i, int64_t *first)
{
    const double whole = floor(t);
    const float f = (float)(t - whole), g = 1 - f;
    *first = (int64_t)whole;
    switch (args->filter) {
    case GF_WARP_NEAREST:
        *first = (int64_t)floor(t + 0.5);
        return 1;
    case GF_WARP_LINEAR:
        return i == 0 ? g : f;
    case GF_WARP_CUBIC: { /* Keys, a = -1/2: the two in the middle, and the two outside */
        *first -= 1;
        const float near = i < 2 ? f : g, far = i < 2 ? g : f;
        return i == 1 || i == 2 ? near * near * (1.5F * near - 2.5F) + 1 : -0.5F * near * (far * far);
    }
    default: { /* between two rows of the table */
        const float at = f * 4096, low = floorf(at);
        const float *row = table + 6 * (int)low;
        *first -= 2;
        return gf_fma(at - low, row[6 + i] - row[i], row[i]);
    }
    }
}

static float sample_at(const struct gf_warp_args *args, const void *samples, const struct gf_value *in,
                       int64_t x, int64_t y, int32_t c)
{
    x = gf_border_index(x, in->width, args->border);
    y = gf_border_index(y, in->height, args->border);
    return x < 0 || y < 0 ? args->fill[c]
                          : gf_judge_sample(samples, in->depth, (y * in->width + x) * in->channels + c);
}

gf_status gf_judge_warp(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    static const int taps[] = {1, 2, 4, 6};
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const struct gf_value *out = &judge->list->values[apply->out[0]];
    struct gf_warp_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const float *table = args.filter == GF_WARP_LANCZOS ? judge->data[apply->in[1]] : NULL;
    const double *m = args.m;

    for (int64_t sample = 0; sample < out->width * out->height * out->channels; sample++) {
        const int32_t c = (int32_t)(sample % out->channels);
        const double x = (double)(sample / out->channels % out->width);
        const double y = (double)(sample / out->channels / out->width);
        double u = m[0] * x + (m[1] * y + m[2]), v = m[3] * x + (m[4] * y + m[5]);
        if (m[6] != 0 || m[7] != 0 || m[8] != 1) {
            u /= m[6] * x + (m[7] * y + m[8]);
            v /= m[6] * x + (m[7] * y + m[8]);
        }
        float sum = args.fill[c];
        if (fabs(u) < 0x1p30 && fabs(v) < 0x1p30) {
            for (int j = 0; j < taps[args.filter]; j++) {
                int64_t left = 0, top = 0;
                float row = 0;
                const float down = weight(&args, table, v, j, &top);
                for (int i = 0; i < taps[args.filter]; i++) {
                    const float across = weight(&args, table, u, i, &left);
                    const float p = sample_at(&args, judge->data[apply->in[0]], in, left + i, top + j, c);
                    row = i == 0 ? across * p : gf_fma(across, p, row);
                }
                sum = j == 0 ? down * row : gf_fma(down, row, sum);
            }
        }
        if (!gf_judge_store(judge->data[apply->out[0]], out->depth, sample,
                            gf_judge_quantise(out->depth, sum))) {
            return gf_fail(error, GF_ERROR_INTERNAL, "warp made a value that its depth does not have");
        }
    }
    return GF_OK;
}
