/* The judge of "move": one pixel at a time, and each border walked as types.h draws it. */
#include "pixel/ir/move.h"
#include "pixel/judge/reference_parts.h"

#include <string.h>

/* The sample that stands for sample i of an axis of n; -1: none. */
static int64_t stand_in(int64_t i, int64_t n, int32_t border)
{
    while (i < 0 || i >= n) {
        if (border == GF_BORDER_CONSTANT) {
            return -1;
        }
        if (border == GF_BORDER_REPLICATE || n == 1) {
            i = i < 0 ? 0 : n - 1;
        } else if (border == GF_BORDER_WRAP) {
            i += i < 0 ? n : -n;
        } else if (border == GF_BORDER_REFLECT) { /* the mirror stands at the edge of the edge sample */
            i = i < 0 ? -1 - i : 2 * n - 1 - i;
        } else { /* in its middle */
            i = i < 0 ? -i : 2 * n - 2 - i;
        }
    }
    return i;
}

gf_status gf_judge_move(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const struct gf_value *out = &judge->list->values[apply->out[0]];
    const size_t pixel = gf_depth_size(in->depth) * (size_t)in->channels;
    struct gf_move_args args;

    gf_args_get(&apply->args, &args, sizeof args);
    if (in->depth != out->depth || in->channels != out->channels || pixel > sizeof args.fill) {
        return gf_fail(error, GF_ERROR_INTERNAL, "a move keeps depth and channels, 4 at most");
    }
    for (int64_t y = 0; y < out->height; y++) {
        for (int64_t x = 0; x < out->width; x++) {
            int64_t from_x = args.x0 + args.step_x * (args.swapped ? y : x);
            int64_t from_y = args.y0 + args.step_y * (args.swapped ? x : y);
            from_x = stand_in(from_x, in->width, args.border);
            from_y = stand_in(from_y, in->height, args.border);
            const void *from = args.fill;
            if (from_x >= 0 && from_y >= 0) {
                from =
                    (const char *)judge->data[apply->in[0]] + (size_t)(from_y * in->width + from_x) * pixel;
            }
            memcpy((char *)judge->data[apply->out[0]] + (size_t)(y * out->width + x) * pixel, from, pixel);
        }
    }
    return GF_OK;
}
