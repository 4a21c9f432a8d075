/* The judge's bilateral mean: pixel by pixel, tap by tap. */
#include "pixel/judge/reference_parts.h"
#include "pixel/window/bilateral/bilateral.h"

#include <stdlib.h>

/* Returns how much pixel (u, v) differs from one whose channels are `middle`. */
static float difference(struct gf_judge_plane p, const struct gf_bilateral_args *args, const float *middle,
                        int64_t u, int64_t v)
{
    float sum = 0.0F;
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        if (args->channel[p.channel] != 0) {
            const float d = fabsf(middle[p.channel] - gf_judge_extended(&p, u, v));
            sum = gf_fma(args->channel[p.channel], d, sum);
        }
    }
    return sum;
}

/* The sums of weights, and of weights times samples, around (x, y). near: by squared distance. */
static float sum_up(struct gf_judge_plane p, const struct gf_bilateral_args *args, const float *near,
                    const float *middle, int64_t x, int64_t y, float *sums)
{
    float norm = 0.0F;
    for (int32_t dy = -args->radius_y; dy <= args->radius_y; dy++) {
        for (int32_t dx = -args->radius; dx <= args->radius; dx++) {
            const int32_t squared = dx * dx + dy * dy;
            if (squared > args->radius * args->radius) {
                continue;
            }
            const float t = difference(p, args, middle, x + dx, y + dy) * args->reach;
            if (!(t < GF_BILATERAL_FAR)) {
                continue;
            }
            const float weight = near[squared] * gf_bilateral_alike(t);
            norm += weight;
            for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
                sums[p.channel] = gf_fma(weight, gf_judge_extended(&p, x + dx, y + dy), sums[p.channel]);
            }
        }
    }
    return norm;
}

gf_status gf_judge_bilateral(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane p = gf_judge_input(judge, op);
    const struct gf_bilateral_args args = gf_bilateral_args_of(&op->u.window);
    const int32_t most = args.radius * args.radius;
    float *near = malloc(((size_t)most + 1) * sizeof *near);
    GF_TRY(gf_need_memory(near != NULL, error));
    for (int32_t squared = 0; squared <= most; squared++) {
        near[squared] = gf_bilateral_near(args.fall, squared);
    }
    for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
        const int64_t x = i % p.value.width, y = i / p.value.width;
        float sums[GF_BILATERAL_CHANNELS] = {-0.0F, -0.0F, -0.0F, -0.0F}, middle[GF_BILATERAL_CHANNELS];
        for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
            middle[p.channel] = gf_judge_extended(&p, x, y);
        }
        const float norm = sum_up(p, &args, near, middle, x, y, sums);
        for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
            const float mean = norm > 0 ? gf_div(sums[p.channel], norm) : middle[p.channel];
            gf_judge_store(judge->data[op->out], p.value.depth, i * p.value.channels + p.channel,
                           gf_judge_quantise(p.value.depth, mean));
        }
    }
    free(near);
    return GF_OK;
}
