/* mark, as the contract has it. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/points/mark.h"

gf_status gf_judge_mark(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const uint64_t *counts = judge->data[apply->in[1]];
    const uint32_t *places = judge->data[apply->in[2]];
    void *out = judge->data[apply->out[0]];
    struct gf_mark_args args;
    (void)error;

    gf_args_get(&apply->args, &args, sizeof args);
    memcpy(out, judge->data[apply->in[0]],
           (size_t)(in->width * in->height * in->channels) * gf_depth_size(in->depth));
    for (uint64_t k = 0; k < counts[0]; k++) {
        for (int32_t c = 0; c < in->channels; c++) {
            const int64_t i = ((int64_t)places[2 * k + 1] * in->width + places[2 * k]) * in->channels + c;
            if (!(args.mask >> c & 1)) {
                continue;
            }
            switch (in->depth) {
            case GF_U8:
                ((uint8_t *)out)[i] = (uint8_t)args.colour[c];
                break;
            case GF_U16:
                ((uint16_t *)out)[i] = (uint16_t)args.colour[c];
                break;
            default:
                ((float *)out)[i] = args.colour[c];
                break;
            }
        }
    }
    return GF_OK;
}
