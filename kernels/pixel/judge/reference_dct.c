/* The judge of "dct": each sample alone, from all samples of its block. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/dct/dct.h"

gf_status gf_judge_dct(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *value = &judge->list->values[apply->in[0]];
    const float *in = judge->data[apply->in[0]], *matrices = judge->data[apply->in[1]];
    float *out = judge->data[apply->out[0]];
    struct gf_dct_args args;
    (void)error;
    gf_args_get(&apply->args, &args, sizeof args);
    const int64_t block = args.block, stride = gf_dct_stride(block), n = value->channels;
    for (int64_t at = 0; at < value->width * value->height * n; at++) {
        const int64_t c = at % n, x = at / n % value->width, y = at / n / value->width;
        const int64_t left = x - x % block, top = y - y % block;
        const int64_t w = value->width - left < block ? value->width - left : block;
        const int64_t h = value->height - top < block ? value->height - top : block;
        const float *across = matrices + (w < block ? GF_DCT_RIGHT : GF_DCT_FULL) * stride * stride;
        const float *down = matrices + (h < block ? GF_DCT_LOWER : GF_DCT_FULL) * stride * stride;
        float sum = 0;
        for (int64_t j = 0; j < h; j++) {
            float row = 0;
            for (int64_t i = 0; i < w; i++) {
                const float v = in[((top + j) * value->width + left + i) * n + c];
                row = gf_fma(across[(x - left) * stride + i], v, row);
            }
            sum = gf_fma(down[(y - top) * stride + j], row, sum);
        }
        out[at] = gf_canonical(sum);
    }
    return GF_OK;
}
