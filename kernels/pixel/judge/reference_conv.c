/* The judge's correlation: every sum from its definition. */
#include "pixel/judge/reference_parts.h"
#include "pixel/window/conv/conv.h"

static float sum_at(const struct gf_judge_plane *p, const struct gf_conv_args *args, const float *weights,
                    int64_t x, int64_t y)
{
    float sum = 0.0F;
    int64_t k = 0;
    for (int64_t v = y - args->up; v <= y + args->down; v++) {
        for (int64_t u = x - args->left; u <= x + args->right; u++, k++) {
            const float sample = gf_judge_extended(p, u, v);
            sum = k == 0 ? weights[0] * sample : gf_fma(weights[k], sample, sum);
        }
    }
    return sum;
}

gf_status gf_judge_conv(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_window *window = &op->u.window;
    struct gf_judge_plane p = gf_judge_input(judge, op);
    const struct gf_conv_args args = gf_conv_args_of(window);
    const float *weights = judge->data[op->blocks[window->blocks[0]]];
    (void)error;
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
            const float sum = sum_at(&p, &args, weights, i % p.value.width, i / p.value.width);
            gf_judge_store(judge->data[op->out], window->depth_out, i * p.value.channels + p.channel,
                           gf_judge_quantise(window->depth_out, sum));
        }
    }
    return GF_OK;
}
