/* points, as the contract has it. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/points/points.h"

gf_status gf_judge_points(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const struct gf_value *rows = &judge->list->values[apply->out[1]];
    uint64_t *counts = judge->data[apply->out[0]];
    uint32_t *places = judge->data[apply->out[1]];
    float *values = judge->data[apply->out[2]];
    struct gf_points_args args;
    (void)error;

    gf_args_get(&apply->args, &args, sizeof args);
    for (int64_t y = 0; y < in->height; y++) {
        for (int64_t x = 0; x < in->width; x++) {
            bool is = gf_judge_inside(args.roi, x, y);
            for (int32_t c = 0; c < in->channels; c++) {
                float v = gf_judge_sample(judge->data[apply->in[0]], in->depth,
                                          (y * in->width + x) * in->channels + c);
                if (args.mask >> c & 1 && !(v >= args.lo[c] && v <= args.hi[c])) {
                    is = false;
                }
            }
            if (!is || (args.first && counts[1] == 1)) {
                continue;
            }
            counts[1]++;
            if (counts[0] == (uint64_t)(rows->width / rows->row)) {
                continue;
            }
            counts[0]++;
            *places++ = (uint32_t)x;
            *places++ = (uint32_t)y;
            for (int32_t c = 0; c < in->channels; c++) {
                if (args.mask >> c & 1) {
                    *values++ = gf_judge_sample(judge->data[apply->in[0]], in->depth,
                                                (y * in->width + x) * in->channels + c);
                }
            }
        }
    }
    return GF_OK;
}
