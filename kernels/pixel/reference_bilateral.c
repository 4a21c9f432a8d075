/* The judge's bilateral mean: pixel by pixel, tap by tap. */
#include "pixel/bilateral.h"
#include "pixel/reference_parts.h"

/* How much pixel (u, v) differs from (x, y). */
static float difference(struct gf_judge_plane p, const struct gf_bilateral_args *args, const int64_t at[2],
                        const int64_t other[2])
{
    float sum = 0.0F;
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        if (args->channel[p.channel] != 0) {
            const float d =
                fabsf(gf_judge_extended(&p, at[0], at[1]) - gf_judge_extended(&p, other[0], other[1]));
            sum = gf_fma(args->channel[p.channel], d, sum);
        }
    }
    return sum;
}

/* The sums of weights, and of weights times samples, of pixel `at`. */
static float sum_up(struct gf_judge_plane p, const struct gf_bilateral_args *args, const int64_t at[2],
                    float *sums)
{
    float norm = 0.0F;
    for (int32_t dy = -args->radius_y; dy <= args->radius_y; dy++) {
        for (int32_t dx = -args->radius; dx <= args->radius; dx++) {
            const int32_t squared = dx * dx + dy * dy;
            const int64_t other[2] = {at[0] + dx, at[1] + dy};
            if (squared > args->radius * args->radius) {
                continue;
            }
            const float t = difference(p, args, at, other) * args->reach;
            if (!(t < GF_BILATERAL_FAR)) {
                continue;
            }
            const float weight = gf_bilateral_near(args->fall, squared) * gf_bilateral_alike(t);
            norm += weight;
            for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
                sums[p.channel] = gf_fma(weight, gf_judge_extended(&p, other[0], other[1]), sums[p.channel]);
            }
        }
    }
    return norm;
}

gf_status gf_judge_bilateral(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane p = gf_judge_input(judge, op);
    struct gf_bilateral_args args;
    (void)error;
    gf_args_get(&op->u.window.args.own, &args, sizeof args);
    for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
        const int64_t at[2] = {i % p.value.width, i / p.value.width};
        float sums[GF_BILATERAL_CHANNELS] = {-0.0F, -0.0F, -0.0F, -0.0F};
        const float norm = sum_up(p, &args, at, sums);
        for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
            const float mean = norm > 0 ? gf_div(sums[p.channel], norm) : gf_judge_extended(&p, at[0], at[1]);
            gf_judge_store(judge->data[op->out], p.value.depth, i * p.value.channels + p.channel,
                           gf_judge_quantise(p.value.depth, mean));
        }
    }
    return GF_OK;
}
